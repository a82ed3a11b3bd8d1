"""Rows of a table as they are compared: numbers, codes of levels, texts, each cell as it was read.

Nothing is scaled and nothing is learned here, so rows can be put together, taken out and matched exactly.

    numeric, count, binary   numbers
    ordinal                  ranks among the levels that the table declares; numbers where it declares none
    nominal                  codes of levels, which are equal or not
    text                     texts
"""

from collections.abc import Hashable, Sequence
from dataclasses import dataclass, replace
from hashlib import blake2b
from typing import Any, Self

import numpy as np

from likely.data.columns.encoding import Part, encode
from likely.data.columns.schema import Schema, text_or_number
from likely.data.inputs import FrameInput, Input, SourceInput, whole_table
from likely.errors import InputError
from likely.numeric.arrays import Array, Ints
from likely.statistics import Codes

Levels = tuple[tuple[Hashable, ...], ...]


@dataclass(frozen=True, eq=False)
class Cells:
    """Rows of one table."""

    numbers: Any  # (n, a)  floats with NaN for a gap, or a CSR matrix
    codes: Array  # (n, b) int32  places among the levels; -1: missing, len(levels): a level that is not among them
    levels: Levels  # of each of the b columns
    texts: tuple[tuple[str | None, ...], ...]  # of each column of texts, n of them

    def __len__(self) -> int:
        return int(self.numbers.shape[0])

    @property
    def sparse(self) -> bool:
        return not isinstance(self.numbers, np.ndarray)

    @property
    def shape(self) -> tuple[int, int, int]:
        """Columns of numbers, of levels and of texts."""
        return int(self.numbers.shape[1]), int(self.codes.shape[1]), len(self.texts)

    def taken(self, rows: Array) -> Self:
        """Some of the rows, in that order."""
        texts = tuple(tuple(column[i] for i in rows.tolist()) for column in self.texts)
        return replace(self, numbers=self.numbers[rows], codes=self.codes[rows], texts=texts)

    def with_levels(self, levels: Levels, learning: bool) -> Self:
        """The codes as places among these levels; learning, levels that are not among them are put behind them."""
        if levels == self.levels:
            return self
        codes = np.full_like(self.codes, -1)
        known = []
        for j, (old, wanted) in enumerate(zip(self.levels, levels, strict=True)):
            place = {level: i for i, level in enumerate(wanted)}
            if learning:
                place |= {level: i for i, level in enumerate((x for x in old if x not in place), len(wanted))}
            known.append(tuple(place))
            new = np.array([*(place.get(level, len(wanted)) for level in old), len(wanted)], dtype=np.int32)
            seen = self.codes[:, j] >= 0
            codes[seen, j] = new[self.codes[seen, j]]
        return replace(self, codes=codes, levels=tuple(known))

    def like(self, learned: Self) -> Self:
        """Queries with the levels of learned rows, sparse where those are."""
        numbers = self.numbers
        if self.sparse and not learned.sparse:
            numbers = np.asarray(numbers.toarray(), dtype=np.float64)
        elif learned.sparse and not self.sparse:
            from scipy.sparse import csr_matrix

            if np.isnan(numbers).any():
                raise InputError("the model learned a sparse matrix, which has no missing cells, and a query has some")
            numbers = csr_matrix(numbers)
        return replace(self.with_levels(learned.levels, learning=False), numbers=numbers)

    def __add__(self, other: Self) -> Self:
        """The rows of both."""
        if self.shape != other.shape:
            raise InputError("rows of different columns cannot be put together")
        other = other.with_levels(self.levels, learning=True)
        mine = self.with_levels(other.levels, learning=True)
        texts = tuple(a + b for a, b in zip(self.texts, other.texts, strict=True))
        return replace(
            mine,
            numbers=_stacked(self.numbers, other.numbers),
            codes=np.concatenate([mine.codes, other.codes]),
            texts=texts,
        )

    def keys(self) -> Array:
        """One value for each row that is equal for equal rows: their bytes."""
        x = self.numbers if not self.sparse else self.numbers.toarray()
        wide = np.where(np.isnan(x), np.nan, x.astype(np.float64)) + 0.0  # one NaN, and no negative zero
        columns = [wide.view(np.int64), self.codes.astype(np.int64)]
        columns += [
            np.array([_digest(text) for text in column], dtype=np.int64).reshape(-1, 2) for column in self.texts
        ]
        whole = np.ascontiguousarray(np.hstack(columns))
        return whole.view(f"V{8 * whole.shape[1]}").ravel()


@dataclass(frozen=True)
class CellPlan:
    """Which column of a table becomes what."""

    schema: Schema
    numbers: tuple[int, ...]
    ranks: tuple[int, ...]  # ordinal columns, put behind the numbers
    codes: tuple[int, ...]
    texts: tuple[int, ...]

    @classmethod
    def of(cls, schema: Schema) -> Self:
        """By the kinds of the columns."""
        numbers, ranks, codes, texts = list[int](), list[int](), list[int](), list[int]()
        for j, column in enumerate(schema.columns):
            kind = column.kind
            if kind == "ordinal" and column.levels is None:
                kind = "numeric" if text_or_number(column.dtype) == "number" else "nominal"
            places = {"numeric": numbers, "count": numbers, "binary": numbers, "ordinal": ranks, "nominal": codes}
            if kind != "text" and kind not in places:
                raise InputError(
                    f"column {column.name!r} has the kind {column.kind!r}, which has no distance; choose from numeric, "
                    "count, binary, ordinal, nominal, text"
                )
            places.get(kind, texts).append(j)
        return cls(schema, tuple(numbers), tuple(ranks), tuple(codes), tuple(texts))

    @property
    def order(self) -> tuple[int, ...]:
        """The columns of the table in the order of numbers, codes and texts."""
        return (*self.numbers, *self.ranks, *self.codes, *self.texts)

    @property
    def plain(self) -> bool:
        """Whether all columns are numbers."""
        return not (self.ranks or self.codes or self.texts)

    def cells(self, data: Input, learning: bool) -> Cells:
        """The rows of a table."""
        if isinstance(data, SourceInput):
            data = in_memory(data)
        table = whole_table(data)
        if isinstance(table, list):
            none = np.empty((len(table), 0))
            return Cells(none, none.astype(np.int32), (), (tuple(table),))
        parts = [Part(self.numbers, "real", sparse=True)] if self.numbers else []
        parts += [Part((*self.ranks, *self.codes), "codes")] if self.ranks or self.codes else []
        parts += [Part((j,), "text") for j in self.texts]
        encoded = list(encode(table, tuple(parts), self.schema, 0, learning))
        rows = int(table.shape[0])
        numbers = encoded.pop(0) if self.numbers else np.empty((rows, 0))
        found: Codes | None = encoded.pop(0) if self.ranks or self.codes else None
        codes, levels = _columns_of(found, rows)
        if self.ranks:
            held = [self.schema.columns[j].levels or () for j in self.ranks]
            ranks = [_ranks(codes[:, i], levels[i], order) for i, order in enumerate(held)]
            numbers = np.column_stack([numbers, *ranks])
            codes, levels = np.ascontiguousarray(codes[:, len(held) :]), levels[len(held) :]
        return Cells(numbers, codes, levels, tuple(tuple(column) for column in encoded))


def _columns_of(found: Codes | None, rows: int) -> tuple[Array, Levels]:
    if found is None:
        return np.empty((rows, 0), dtype=np.int32), ()
    codes = np.where(found.x == -1, -1, found.x.astype(np.int64) - found.base) if found.base.any() else found.x
    return np.ascontiguousarray(codes, dtype=np.int32), tuple(tuple(levels) for levels in found.levels)


def _ranks(codes: Array, levels: Sequence[Hashable], order: Sequence[Hashable]) -> Array:
    place = {level: float(i) for i, level in enumerate(order)}
    rank = np.array([*(place.get(level, np.nan) for level in levels), np.nan])
    return np.asarray(rank[codes])


def in_memory(data: SourceInput) -> FrameInput:
    """A scanned file as a frame: neighbours need all of its rows."""
    from likely.data.sources.union import stacked

    frames = [frame for _, frame in data.batches()]
    if not frames:
        raise InputError("the file has no rows: there is nothing to learn from")
    return FrameInput(stacked(frames).select(list(data.names)), data.names, data.named)


def _stacked(a: Any, b: Any) -> Any:
    if isinstance(a, np.ndarray) or isinstance(b, np.ndarray):
        return np.concatenate([part if isinstance(part, np.ndarray) else part.toarray() for part in (a, b)])
    from scipy.sparse import vstack

    return vstack([a, b], format="csr")


def _digest(text: str | None) -> tuple[int, int]:
    """128 bits that tell texts apart."""
    if text is None:
        return 0, 0
    found = blake2b(text.encode("utf-8", "surrogatepass"), digest_size=16).digest()
    return int.from_bytes(found[:8], "little", signed=True), int.from_bytes(found[8:], "little", signed=True)


def rows_of_keys(a: Array, b: Array) -> tuple[Ints, Ints]:
    """Numbers that are the same for the same keys, of both arrays."""
    _, number = np.unique(np.concatenate([a, b]), return_inverse=True)
    return number[: len(a)], number[len(a) :]
