"""A table as a tree reads it: one number for every cell, and for growing one code for every cell.

    numeric, count, binary   the number itself
    ordinal                  the rank of the level, in the order that the table declares
    nominal                  the number of the level, which means nothing but which one it is
    text                     refused: a tree tests one cell at a time, and a text is no number and no level

A missing cell is NaN; so is a level that was never seen, which is treated as a missing cell. Codes are the places of
numbers among the values that occur (exact), or among at most so many bins of about equal weight of rows (binned).
"""

from collections.abc import Hashable
from dataclasses import dataclass
from typing import Any, ClassVar, Self

import numpy as np

from likely import engines
from likely.data.columns.encoding import Part, encode
from likely.data.columns.schema import Schema
from likely.errors import InputError
from likely.numeric.arrays import Array, Floats, Ints
from likely.statistics import Codes
from likely.statistics.counting.categories import union_of

Levels = tuple[tuple[Hashable, ...], ...]  # of each column, in their order; none of a column of numbers
_NUMBERS, _LEVELS = ("numeric", "count", "binary"), ("nominal", "ordinal")


@dataclass(frozen=True)
class Coding:
    """How the cells of a table become numbers."""

    schema: Schema
    levels: Levels
    stored_as: ClassVar[str] = "TreeCoding"

    @classmethod
    def learned(cls, schema: Schema, batches: Any) -> Self:
        """The levels that occur in the batches, pairs of the first row's number and the rows."""
        check_kinds(schema)
        named = [j for j, column in enumerate(schema.columns) if column.kind in _LEVELS]
        seen: dict[int, tuple[Hashable, ...]] = dict.fromkeys(named, ())
        if named:
            part = Part(tuple(named), "codes")
            for start, batch in batches:
                (codes,) = encode(batch, (part,), schema, start, learning=True)
                for i, j in enumerate(named):
                    seen[j] = union_of(seen[j], _that_occur(codes, i))
        return cls(schema, tuple(_in_order(schema.columns[j], seen.get(j, ())) for j in range(schema.width)))

    @property
    def nominal(self) -> Array:
        """Which columns are levels without an order (d,)."""
        return np.array([column.kind == "nominal" for column in self.schema.columns])

    def numbers(self, batch: object, start: int, learning: bool = False) -> Floats:
        """The cells of a batch (n, d), in float64 or, of an array that is, in float32."""
        columns = range(self.schema.width)
        real = tuple(j for j in columns if self.schema.columns[j].kind in _NUMBERS)
        named = tuple(j for j in columns if self.schema.columns[j].kind in _LEVELS)
        parts = [Part(real, "real")] * bool(real) + [Part(named, "codes")] * bool(named)
        found = list(encode(batch, parts, self.schema, start, learning))
        if not named:
            return np.asarray(found[0])
        out = np.empty((len(found[-1].x), self.schema.width))
        if real:
            out[:, real] = found[0]
        for i, j in enumerate(named):
            out[:, j] = self._places(found[-1], i, j)
        return out

    def _places(self, codes: Codes, i: int, j: int) -> Floats:
        known = {name: float(at) for at, name in enumerate(self.levels[j])}
        place = np.array([*(known.get(name, np.nan) for name in codes.levels[i]), np.nan])
        code = codes.x[:, i].astype(np.int64) - codes.base[i]
        return np.asarray(place[np.where(code < 0, len(place) - 1, code)])

    def words(self, j: int, places: Any) -> list[str]:
        """Names of levels by their places."""
        return [str(self.levels[j][at]) for at in places]


@dataclass(frozen=True)
class Binned:
    """The cells of a table as codes, and what the codes stand for."""

    laid: Array  # (d n,) or (2 d n,) uint16 or uint32  codes column after column, and maybe again row after row
    rows: int  # n
    bins: Ints  # (d,)
    low: tuple[Floats, ...]  # of each column: the smallest number in each bin
    high: tuple[Floats, ...]  # and the largest

    @classmethod
    def of(cls, x: Array, coding: Coding, max_bins: int | None, by_row: bool = False) -> Self:
        """The codes of numbers (n, d): of every value that occurs, or of at most so many bins.

        `by_row`: laid row after row, too, for nodes of few rows that try some of the columns.
        """
        n, d = x.shape
        nominal = coding.nominal
        wide = max((len(levels) for levels in coding.levels), default=0) >= 2**16 - 1
        wide |= max_bins is None and n >= 2**16 - 1
        laid = np.empty((1 + by_row) * d * n, dtype=np.uint32 if wide else np.uint16)
        codes = laid[: d * n].reshape(d, n)

        def column(item: tuple[int, Array]) -> tuple[Floats, Floats]:
            j, own = item
            values = np.ascontiguousarray(x[:, j], dtype=np.float64)
            if nominal[j]:
                low = high = np.arange(len(coding.levels[j]), dtype=np.float64)
                own[:] = np.where(np.isnan(values), len(high), values)
                return low, high
            return _coded(values, max_bins, own)

        ends = engines.current().map(enumerate(codes), column)
        low, high = tuple(a for a, _ in ends), tuple(b for _, b in ends)
        if by_row:
            laid[d * n :].reshape(n, d)[:] = codes.T
        return cls(laid, n, np.array([len(each) for each in high], dtype=np.int64), low, high)

    @property
    def codes(self) -> Array:
        """Of each column (d, n); a missing cell has the number of bins."""
        d = len(self.bins)
        return self.laid[: d * self.rows].reshape(d, self.rows)

    def thresholds(self, column: Array, last: Array, following: Array) -> Floats:
        """Halfway between the last bin on the left of each cut and the next that occurs.

        Infinity where there is none: all but gaps go left. The middle of two neighbouring numbers may round to the
        lower one; the upper one is the threshold then.
        """
        start = np.concatenate([[0], np.cumsum(self.bins)])[column]
        low, high = np.concatenate(self.low), np.concatenate(self.high)
        a, b = high[start + last], low[np.where(following < 0, start, start + following)]
        middle = a / 2 + b / 2
        middle = np.where((a < middle) & (middle <= b), middle, b)
        return np.where(following < 0, np.inf, middle)


def check_kinds(schema: Schema) -> None:
    """Refuse columns that a tree cannot test."""
    for column in schema.columns:
        if column.kind == "text":
            raise InputError(
                f"column {column.name!r} holds texts, which a tree cannot test: leave it out, use a model of words "
                f"(TextBayes, LogisticRegression), or, if its cells are names, say "
                f"kinds={{{column.name!r}: 'nominal'}} (--kind {column.name}=nominal)"
            )
        if column.kind not in (*_NUMBERS, *_LEVELS):
            raise InputError(
                f"column {column.name!r} has the kind {column.kind!r}; a tree takes {', '.join((*_NUMBERS, *_LEVELS))}"
            )


def _coded(values: Floats, max_bins: int | None, codes: Array) -> tuple[Floats, Floats]:
    """Write the codes of values, of which some are NaN; the smallest and largest value of each bin."""
    order = np.argsort(values)  # NaN last
    values = values[order]
    known = len(values) - int(np.isnan(values).sum())
    values = values[:known]
    new = values[1:] != values[:-1]
    if max_bins is None or np.count_nonzero(new) < max_bins:
        first = np.flatnonzero(np.concatenate([[known > 0], new])[:known])
        low = high = values[first]
        ends = np.concatenate([first[1:], [known]]) if known else first
    else:
        ranks = np.arange(1, max_bins + 1) * known // max_bins - 1
        high = np.unique(values[ranks])
        ends = np.searchsorted(values, high, "right")
        low = values[np.concatenate([[0], ends[:-1]])]
    codes[order[:known]] = np.repeat(np.arange(len(high), dtype=codes.dtype), np.diff(ends, prepend=0))
    codes[order[known:]] = len(high)
    return low, high


def _that_occur(codes: Codes, i: int) -> tuple[Hashable, ...]:
    code = codes.x[:, i].astype(np.int64) - codes.base[i]
    found = np.unique(code[code >= 0])
    names = [codes.levels[i][at] for at in found.tolist()]
    return union_of(tuple(names), ())


def _in_order(column: Any, seen: tuple[Hashable, ...]) -> tuple[Hashable, ...]:
    if column.kind == "ordinal" and column.levels is not None:
        return tuple(name for name in column.levels if name in seen)
    return seen
