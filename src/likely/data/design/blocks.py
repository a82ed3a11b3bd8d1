"""The columns that each part of a table becomes, dense or sparse: numbers, levels, words."""

from collections.abc import Hashable, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any, ClassVar, Protocol, TypeAlias, cast

import numpy as np

from likely.data.columns.encoding import Part
from likely.data.text.lookup import TermTable
from likely.numeric.arrays import Array, Floats, Ints
from likely.statistics import CategoryCounts, Codes, Moments
from likely.statistics.counting.terms import TermCounts
from likely.statistics.counting.words import Tokens, Words
from likely.statistics.summing.moments import extent
from likely.statistics.too_small import check_size

Labels: TypeAlias = tuple[tuple[int, str], ...]  # of each column: its column of the table, and what follows its name


class Block(Protocol):
    """Columns of the matrix that come from one part of the table."""

    @property
    def labels(self) -> Labels: ...
    @property
    def width(self) -> int: ...
    @property
    def filled(self) -> float: ...  # cells of a row that are not 0, on average
    @property
    def centre(self) -> Floats: ...  # (m,)
    @property
    def scale(self) -> Floats: ...  # (m,)
    @property
    def plain(self) -> Array: ...  # (m,)  whether a column is (number - centre) / scale
    def dense(self, rows: Any) -> Floats: ...  # (n, m)
    def sparse(self, rows: Any) -> Any: ...  # (n, m) CSR


def block_of(plan: Any, part: Part, seen: Any) -> Block:
    """The block of a part, from what was summed of it."""
    if isinstance(seen, Moments):
        return NumberBlock.learned(plan, part, seen)
    if isinstance(seen, CategoryCounts):
        return LevelBlock.learned(plan, part, seen)
    return WordBlock.learned(plan, part, seen)


@dataclass(frozen=True)
class NumberBlock:
    """Numbers about their centres in units of their scales, then a column for each that has gaps."""

    columns: tuple[int, ...]
    mean: Floats  # (d,)  what a gap is taken for
    centres: Floats  # (d,)
    scales: Floats  # (d,)
    gaps: Ints  # places among the columns of those with gaps
    kept: bool = False  # whether a gap stays NaN
    stored_as: ClassVar[str] = "NumberBlock"

    @classmethod
    def learned(cls, plan: Any, part: Part, seen: Moments) -> "NumberBlock":
        check_size(extent(seen))
        mean = np.where(seen.count[0] > 0, seen.mean[0], 0.0)
        deviation = np.sqrt(np.nan_to_num(seen.variance()[0]))
        binary = np.array([plan.schema.columns[j].kind == "binary" for j in part.columns])
        own_scale = binary | ~(deviation > 0) | (not plan.standardize)
        centres = mean if plan.standardize else np.where(binary, mean, 0.0)
        centres = centres if plan.centred else np.zeros_like(mean)
        gaps = np.flatnonzero(seen.count[0] < seen.weight[0])
        scales = np.where(own_scale, 1.0, deviation)
        if plan.gaps == "kept":
            centres = centres if plan.standardize else np.zeros_like(mean)
            return cls(part.columns, mean, centres, scales, gaps[:0], kept=True)
        return cls(part.columns, mean, centres, scales, gaps)

    @property
    def labels(self) -> Labels:
        return (*((j, "") for j in self.columns), *((self.columns[g], " is missing") for g in self.gaps))

    @property
    def width(self) -> int:
        return len(self.columns) + len(self.gaps)

    @property
    def filled(self) -> float:
        return float(len(self.columns))

    @property
    def centre(self) -> Floats:
        return np.concatenate([self.centres, np.zeros(len(self.gaps))])

    @property
    def scale(self) -> Floats:
        return np.concatenate([self.scales, np.ones(len(self.gaps))])

    @property
    def plain(self) -> Array:
        return np.arange(self.width) < len(self.columns)

    def dense(self, rows: Any) -> Floats:
        if hasattr(rows, "indptr"):
            rows = rows.toarray()
        if self.kept and not self.centres.any() and (self.scales == 1.0).all():
            return cast(Floats, rows)  # as they are, single precision too
        missing = np.isnan(rows)
        out = np.empty((len(rows), self.width))
        numbers = out[:, : len(self.columns)]
        np.subtract(rows, self.centres, out=numbers)
        numbers /= self.scales
        if missing.any() and not self.kept:
            np.copyto(numbers, (self.mean - self.centres) / self.scales, where=missing)
        out[:, len(self.columns) :] = missing[:, self.gaps]
        return out

    def sparse(self, rows: Any) -> Any:
        from scipy.sparse import csr_matrix

        if not hasattr(rows, "indptr") or self.centres.any():
            cells = self.dense(rows)
            if self.kept:
                cells = np.where(np.isnan(cells), (self.mean - self.centres) / self.scales, cells)
            return csr_matrix(cells)
        scaled = rows.astype(np.float64)
        scaled.data = scaled.data / self.scales[scaled.indices]
        return scaled


class _Unscaled:
    """Columns that are indicators or counts: they keep their origin and their unit."""

    @property
    def width(self) -> int:
        raise NotImplementedError

    @property
    def centre(self) -> Floats:
        return np.zeros(self.width)

    @property
    def scale(self) -> Floats:
        return np.ones(self.width)

    @property
    def plain(self) -> Array:
        return np.zeros(self.width, dtype=np.bool_)


@dataclass(frozen=True)
class LevelBlock(_Unscaled):
    """Indicators of levels, thresholds or ranks, and gaps, column after column of the table."""

    columns: tuple[int, ...]
    levels: tuple[tuple[Hashable, ...], ...]  # of each column, in their order; the columns of the matrix are theirs
    codings: tuple[str, ...]  # of each column: "levels", "thresholds" or "scores"
    typical: tuple[Floats, ...]  # of each column: the cells of a gap where it has no indicator of its own
    left_out: tuple[int, ...]  # of each column: the level that others are compared with, -1: none
    with_gaps: tuple[bool, ...]
    kept: bool = False  # whether a gap, or a level never seen, is NaN
    stored_as: ClassVar[str] = "LevelBlock"

    @classmethod
    def learned(cls, plan: Any, part: Part, seen: CategoryCounts) -> "LevelBlock":
        columns = [plan.schema.columns[j] for j in part.columns]
        codings = [plan.ordinal if column.kind == "ordinal" else "levels" for column in columns]
        levels, typical, left_out = [], [], []
        for i, (column, coding) in enumerate(zip(columns, codings, strict=True)):
            count = dict(zip(seen.levels[i], np.asarray(seen.table(i)[0], dtype=np.float64).tolist(), strict=True))
            names: Sequence[Hashable] = seen.levels[i]
            if coding != "levels" and column.levels is not None:
                names = [name for name in column.levels if name in count]
            levels.append(tuple(names))
            share = np.array([count[name] for name in names])
            share = share / share.sum() if share.sum() > 0 else share
            typical.append(_typical(share, coding))
            commonest = int(share.argmax()) if len(share) and coding == "levels" and plan.reference else -1
            left_out.append(commonest)
        kept = plan.gaps == "kept"
        gaps = [False] * len(levels) if kept else (seen.observed[0] < seen.weight[0]).tolist()
        return cls(part.columns, tuple(levels), tuple(codings), tuple(typical), tuple(left_out), tuple(gaps), kept)

    @cached_property
    def tables(self) -> tuple[Floats, ...]:
        """What each level of each column is in the matrix (levels + 1, columns); the last row is that of a gap."""
        return tuple(self._table(i) for i in range(len(self.columns)))

    def _table(self, i: int) -> Floats:
        coding, count = self.codings[i], len(self.levels[i])
        if coding == "scores":
            cells = np.arange(count, dtype=np.float64)[:, None]
        elif coding == "thresholds":
            cells = (np.arange(count)[:, None] >= np.arange(1, count)).astype(np.float64)
        else:
            cells = np.delete(np.eye(count), self.left_out[i], axis=1) if self.left_out[i] >= 0 else np.eye(count)
        gap = self.typical[i] if coding != "levels" else np.zeros(cells.shape[1])
        gap = np.full(cells.shape[1], np.nan) if self.kept else gap
        table = np.vstack([cells, gap])
        return np.column_stack([table, np.arange(len(table)) == count]) if self.with_gaps[i] else table

    @property
    def labels(self) -> Labels:
        return tuple((self.columns[i], suffix) for i in range(len(self.columns)) for suffix in self._suffixes(i))

    def _suffixes(self, i: int) -> list[str]:
        names = self.levels[i]
        coded = {
            "scores": lambda: [" (rank)"],
            "thresholds": lambda: [f">={name}" for name in names[1:]],
            "levels": lambda: [f"={name}" for at, name in enumerate(names) if at != self.left_out[i]],
        }[self.codings[i]]()
        return [*coded, *([" is missing"] if self.with_gaps[i] else [])]

    @property
    def width(self) -> int:
        return sum(table.shape[1] for table in self.tables)

    @property
    def filled(self) -> float:
        return float(sum(1 if coding != "thresholds" else table.shape[1] / 2 for coding, table in self._coded()))

    def _coded(self) -> Any:
        return zip(self.codings, self.tables, strict=True)

    def dense(self, rows: Codes) -> Floats:
        return np.hstack([table[places] for table, places in self._placed(rows)])

    def sparse(self, rows: Codes) -> Any:
        from scipy.sparse import csr_matrix, hstack

        placed = [(np.nan_to_num(table), places) for table, places in self._placed(rows)]
        return hstack([csr_matrix(table)[places] for table, places in placed], format="csr")

    def _placed(self, rows: Codes) -> list[tuple[Floats, Ints]]:
        """Of each column, its table with a row of what an unknown level is, and the row of each cell."""
        placed = []
        for i, table in enumerate(self.tables):
            known = {name: at for at, name in enumerate(self.levels[i])}
            gap, unknown = len(self.levels[i]), len(self.levels[i]) + 1
            to = np.array([*(known.get(name, unknown) for name in rows.levels[i]), gap], dtype=np.int64)
            codes = rows.x[:, i].astype(np.int64) - rows.base[i]
            nothing = self.typical[i] if self.codings[i] != "levels" else np.zeros(len(table[0]) - self.with_gaps[i])
            nothing = np.full(len(nothing), np.nan) if self.kept else nothing
            late = np.concatenate([nothing, np.zeros(int(self.with_gaps[i]))])
            placed.append((np.vstack([table, late]), to[np.where(codes < 0, len(to) - 1, codes)]))
        return placed


def _typical(share: Floats, coding: str) -> Floats:
    """The mean of the columns of an ordinal, which a gap and a level never seen are taken for."""
    if coding == "scores":
        return np.array([float(share @ np.arange(len(share)))])
    return np.cumsum(share[::-1])[::-1][1:] if coding == "thresholds" else np.zeros(0)


@dataclass(frozen=True)
class WordBlock(_Unscaled):
    """Words of one column of texts: their numbers, or tf-idf weights with rows of length 1."""

    column: int
    words: Words
    weights: Floats | None  # (v,)  inverse document frequencies; None: plain counts
    mean_words: float  # different ones in a text
    tokenizer: Any
    stored_as: ClassVar[str] = "WordBlock"

    @classmethod
    def learned(cls, plan: Any, part: Part, seen: TermCounts) -> "WordBlock":
        texts = np.asarray(seen.by_word("documents"), dtype=np.float64)
        kept = np.flatnonzero(texts >= plan.min_df)
        rows = float(seen.weight[0])
        weights = np.log((1 + rows) / (1 + texts[kept])) + 1 if plan.text == "tfidf" else None
        mean = float(texts[kept].sum()) / max(rows, 1.0)
        return cls(part.columns[0], seen.words.taken(kept), weights, mean, plan.tokenizer)

    @property
    def labels(self) -> Labels:
        return tuple((self.column, f": {word}") for word in self.words.tolist())

    @property
    def width(self) -> int:
        return len(self.words)

    @property
    def filled(self) -> float:
        return self.mean_words

    def dense(self, rows: Any) -> Floats:
        return np.asarray(self.sparse(rows).toarray())

    def sparse(self, rows: Any) -> Any:
        from scipy.sparse import csr_matrix

        ids, ends = self._found(rows)
        counts = csr_matrix((np.ones(len(ids)), ids, np.concatenate([[0], ends])), shape=(len(ends), self.width + 1))
        counts.sum_duplicates()
        counts = counts[:, : self.width]  # the last one is that of words without a column
        if self.weights is None:
            return counts
        counts.data *= self.weights[counts.indices]
        owner = np.repeat(np.arange(counts.shape[0]), np.diff(counts.indptr))
        length = np.sqrt(np.bincount(owner, counts.data**2, counts.shape[0]))
        counts.data /= length[owner]
        return counts

    def _found(self, rows: Any) -> tuple[Array, Ints]:
        if isinstance(rows, Tokens):
            place = np.minimum(self.words.numbers_of(rows.words), np.int32(self.width))
            return place[rows.ids], rows.ends
        return self._table.find([text or "" for text in rows])

    @cached_property
    def _table(self) -> TermTable:
        return TermTable(self.words, self.tokenizer)
