"""The distance between rows of a table of any kinds, with gaps.

    euclidean, manhattan, minkowski, chebyshev, hamming    over the differences of the cells, each with its weight
    gower         mean difference over the cells that both rows have
    hvdm          numbers per four standard deviations; levels by how differently the classes share them
    mahalanobis   numbers alone, in units of their covariance

A number differs by its difference, on the scale chosen: "minmax" divides it by the range in the training rows (a column
without one says nothing), "standard" by the deviation, None leaves it. Levels differ by 0 or 1. Of texts, the squared
difference is 1 - sum of sqrt(p q) over the shares p, q of their words (Hellinger). A missing cell is farthest from
everything, another missing cell included: 1, or the range of the column on its scale. "auto" is "minmax" where the
table has anything but numbers, None otherwise.

Statistic: the smallest and largest number of each column for "minmax" and gaps; sums for the others.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import Any, NamedTuple, Self

import numpy as np
from numpy.typing import ArrayLike

from likely.data.accepted import TableLike, TargetLike
from likely.data.columns.kinds import Kinds
from likely.data.columns.schema import schema_of
from likely.data.distances.cells import CellPlan, Cells
from likely.data.distances.pairs import Metric, axis_weights, edit_distances, root, rule_of
from likely.data.inputs import read_input, suggest
from likely.data.labels.weights import by_name
from likely.data.text.lookup import TermTable
from likely.data.text.tokenizer import Tokenizer
from likely.errors import InputError
from likely.numeric.arrays import Array, Floats, Ints
from likely.numeric.kernels.distances.cells import SHARES, SQUARES, pairs_apart, sparse_pairs_apart, tile_apart
from likely.numeric.linear.covariance import is_positive_definite, whitening
from likely.statistics.counting.words import Words
from likely.statistics.too_small import check_size

TABLE_METRICS = (
    "euclidean", "manhattan", "minkowski", "chebyshev", "hamming", "zero_norm", "gower", "hvdm", "mahalanobis", "edit",
)  # fmt: skip
SCALES = ("auto", "minmax", "standard", None)
_MOST_LEVELS = 2_000  # of a column whose pairs have a table
_NONE = np.empty(0, dtype=np.int64)


class Points(NamedTuple):
    """Rows ready to be compared by one distance."""

    x: Any  # (n, a)  or a CSR matrix
    c: Array  # (n, b) int32
    t: tuple[Any, ...] = ()  # (n, v)  for each column of texts, roots of the shares of its words, CSR
    plain: tuple[str, ...] = ()  # texts that are compared by their letters

    def __len__(self) -> int:
        return len(self.plain) or int(self.x.shape[0])

    def at(self, rows: Any) -> "Points":
        plain = tuple(np.array(self.plain, dtype=object)[rows]) if self.plain else ()
        return Points(self.x[rows], self.c[rows], tuple(part[rows] for part in self.t), plain)


@dataclass(frozen=True, eq=False)
class Range:
    """The smallest and largest number of each column (a,)."""

    low: Floats
    high: Floats

    @classmethod
    def of(cls, numbers: Any) -> Self:
        if not isinstance(numbers, np.ndarray):
            return cls(
                *(part.toarray().ravel().astype(np.float64) for part in (numbers.min(axis=0), numbers.max(axis=0)))
            )
        low = np.fmin.reduce(numbers, axis=0, initial=np.inf)
        return cls(low.astype(np.float64), np.fmax.reduce(numbers, axis=0, initial=-np.inf).astype(np.float64))

    @property
    def width(self) -> Floats:
        """0 where a column is constant or was never observed."""
        with np.errstate(over="ignore"):
            return np.asarray(np.where(self.high > self.low, self.high - self.low, 0.0))


@dataclass(frozen=True, eq=False)
class TableDistance:
    """A distance learned from training rows: scales of numbers, differences of levels, words of texts."""

    metric: Any
    p: float
    scale: Floats  # (a,)  numbers are multiplied by it
    gap: Floats  # (a,)  how far a missing number is from everything, on that scale
    wx: Floats  # (a,)  weights of the numbers' columns, of the levels' and the texts'
    wc: Floats  # (b,)  weights of the columns of levels
    wt: Floats  # (t,)  weights of the columns of texts
    size: Ints = field(
        default_factory=lambda: _NONE
    )  # (b,)  levels with those never seen; empty: they are equal or not
    table: Floats = field(
        default_factory=lambda: np.empty(0)
    )  # squared differences of levels, one column after another
    turn: Floats | None = None  # (a, a)  Mahalanobis: rows are multiplied by it first
    words: tuple[Words, ...] = ()  # of each column of texts
    plan: CellPlan | None = None  # of the table it was learned from, if it was given one
    levels: tuple[Any, ...] = ()

    @classmethod
    def learn(cls, X: TableLike, y: TargetLike = None, *, kinds: Kinds = None, **options: Any) -> Self:
        """From a table; `kinds` as in the estimators, options as of `learned`; classes y are needed for "hvdm" alone.

        >>> import polars as pl
        >>> table = pl.DataFrame({"age": [20.0, 40.0, None], "town": ["Rome", "Oslo", "Rome"]})
        >>> far = TableDistance.learn(table)
        >>> far.between(table).round(3)
        array([[0.   , 1.414, 1.   ],
               [1.414, 0.   , 1.414],
               [1.   , 1.414, 1.   ]])
        >>> far.parts(table.head(1), table.tail(1))
        array([[1., 0.]])
        """
        from likely.data.labels.target import read_target

        data = read_input(X)
        plan = CellPlan.of(schema_of(data, kinds))
        cells = plan.cells(data, learning=True)
        target = None if y is None else read_target(y, len(cells))
        labels = None if target is None else (target.codes, len(target.classes))
        made = cls.learned(cells, plan, labels=labels, **options)
        return replace(made, plan=plan, levels=cells.levels)

    @classmethod
    def learned(
        cls,
        cells: Cells,
        plan: CellPlan,
        metric: Metric = "euclidean",
        p: float = 2.0,
        scale: str | None = "auto",
        weights: ArrayLike | None = None,
        labels: tuple[Array, int] | None = None,
        row_weight: Floats | None = None,
        spans: Range | None = None,
    ) -> Self:
        """From rows; `spans` replaces their ranges, `labels` are codes of classes and how many there are."""
        _check(metric, scale, plan, cells, p)
        a, b, _ = cells.shape
        chosen = _weights_of_columns(weights, plan)
        wx, wc, wt = chosen[:a], chosen[a : a + b], chosen[a + b :]
        if metric == "edit" or callable(metric):
            return cls(metric, p, np.ones(a), np.zeros(a), wx, wc, wt)
        found = {"auto": None if plan.plain else "minmax"}.get(scale, scale) if scale is not None else None
        found = {"gower": "minmax", "hvdm": "hvdm", "mahalanobis": None}.get(metric, found)
        width = (Range.of(cells.numbers) if spans is None else spans).width
        factor, gap = _scales(found, cells, row_weight, width)
        check_size(width * factor)
        made = cls(metric, p, factor, gap, wx, wc, wt, words=_words(cells))
        if metric == "hvdm":
            if labels is None:
                raise InputError("the distance 'hvdm' compares levels by their classes: it needs labelled rows")
            made = replace(made, **_value_differences(cells, *labels, row_weight))
        if metric == "mahalanobis":
            made = replace(made, turn=_whitened(cells.numbers, row_weight))
        return made

    @property
    def rule(self) -> int:
        """The number by which the kernels know how differences are put together."""
        return SHARES if self.metric == "gower" else self._rule[0]

    @property
    def quadratic(self) -> bool:
        """Whether squared distances are sums of squares, which a matrix product gives."""
        return not callable(self.metric) and self.metric != "edit" and self.rule == SQUARES and not len(self.size)

    def points(self, cells: Cells) -> Points:
        """Rows ready to be compared."""
        if self.metric == "edit":
            column = cells.texts[0] if cells.texts else _spelled(cells)
            return Points(np.empty((len(column), 0)), cells.codes[:, :0], (), tuple(text or "" for text in column))
        x = cells.numbers
        if self.turn is not None:
            x = np.ascontiguousarray(x @ self.turn.T)
        if isinstance(x, np.ndarray):
            x = np.ascontiguousarray(x, dtype=None if x.dtype == np.float32 else np.float64)
        elif not self.quadratic:
            x = _densed(x)
        texts = tuple(_roots_of_shares(words, column) for words, column in zip(self.words, cells.texts, strict=True))
        return Points(x, cells.codes, texts)

    def tile(self, q: Points, points: Points) -> Floats:
        """Sums before the root (q, n), exactly; for a few rows at a time."""
        if self.metric == "edit":
            return edit_distances(q.plain, points.plain)
        if callable(self.metric):
            return np.array([[float(self.metric(u, v)) for v in points.x] for u in q.x]).reshape(len(q), len(points))
        if not isinstance(points.x, np.ndarray):
            pair = np.indices((len(q), len(points))).reshape(2, -1)
            return self.pairs(q, points, pair[0], pair[1]).reshape(len(q), len(points))
        out = tile_apart(self.rule, self._rule[1], _same(q.x, points.x), q.c, points.x, points.c, *self._ruler)
        for weight, mine, its in zip(self.wt, q.t, points.t, strict=True):
            out += weight * _unlike(np.asarray((mine @ its.T).toarray()))
        return np.asarray(out)

    def pairs(self, q: Points, points: Points, q_row: Ints, row: Ints) -> Floats:
        """Sums before the root (m,) of pairs of rows, exactly."""
        if self.metric == "edit" or callable(self.metric):
            return np.array([self.tile(q.at([i]), points.at([j]))[0, 0] for i, j in zip(q_row, row, strict=True)])
        if not len(row):
            return np.empty(0)
        if not isinstance(points.x, np.ndarray):
            sides = [(m.data.astype(np.float64), m.indices, m.indptr) for m in (q.x, points.x)]
            weight = self.wx * self.scale**2
            return np.asarray(sparse_pairs_apart(*sides[0], *sides[1], q_row, row, weight))
        given = self.rule, self._rule[1], _same(q.x, points.x), q.c, points.x, points.c
        out = pairs_apart(*given, q_row, row, *self._ruler)
        for weight, mine, its in zip(self.wt, q.t, points.t, strict=True):
            out += weight * _unlike(np.asarray(mine[q_row].multiply(its[row]).sum(axis=1)).ravel())
        return np.asarray(out)

    def root(self, apart: Floats) -> Floats:
        """Sums as distances."""
        if callable(self.metric) or self.metric in ("edit", "gower"):
            return apart
        return root(apart, *self._rule)

    def between(self, X: TableLike, Y: TableLike | None = None) -> Floats:
        """All distances (n, m) between rows of tables; for small ones, whose matrix fits."""
        q, points = self._both(X, X if Y is None else Y)
        return self.root(self.tile(q, points))

    def parts(self, X: TableLike, Y: TableLike) -> Floats:
        """How far the cells of row i of X and of row i of Y are apart (n, d), without weights, in the table's order."""
        plan = self.plan
        if plan is None:
            raise InputError("a distance that was learned from no table does not know its columns")
        q, points = self._both(X, Y)
        if len(q) != len(points):
            raise InputError(f"rows are compared one by one: got {len(q)} and {len(points)}")
        row, d = np.arange(len(q)), len(plan.order)
        out = np.empty((len(q), d))
        a, b = len(self.wx), len(self.wc)
        for place, column in enumerate(plan.order):
            only = (np.arange(d) == place).astype(np.float64)
            alone = replace(self, wx=only[:a], wc=only[a : a + b], wt=only[a + b :])
            out[:, column] = alone.root(alone.pairs(q, points, row, row))
        return out

    def _both(self, X: TableLike, Y: TableLike) -> tuple[Points, Points]:
        """Rows of two tables, ready to be compared with each other."""
        if self.plan is None:
            raise InputError("a distance that was learned from no table does not know its columns")
        new = not len(self.size)  # levels never seen before are told apart, but where a table has none of them
        tables = [self.plan.schema.align(read_input(table), "the distance") for table in (X, Y)]
        a, b = (self.plan.cells(data, learning=False) for data in tables)
        a = a.with_levels(self.levels, learning=new)
        return self.points(a), self.points(b.with_levels(a.levels, learning=new))

    @cached_property
    def _rule(self) -> tuple[int, float]:
        return (0, 1.0) if self.metric == "gower" or callable(self.metric) else rule_of(self.metric, self.p)

    @cached_property
    def _ruler(self) -> tuple[Any, ...]:
        start = np.concatenate([[0], np.cumsum(self.size**2)])[: len(self.size)].astype(np.int64)
        return self.scale, self.wx, self.wc, self.gap, start, self.size, self.table


def _check(metric: Metric, scale: object, plan: CellPlan, cells: Cells, p: float) -> None:
    if not callable(metric) and metric not in TABLE_METRICS:
        known = ", ".join(TABLE_METRICS)
        raise InputError(
            f"unknown metric={metric!r}; choose from {known}, or give a function{suggest(metric, TABLE_METRICS)}"
        )
    if scale not in SCALES:
        raise InputError(f"unknown scale={scale!r}; choose from auto, minmax, standard, None")
    a, b, t = cells.shape
    if metric == "edit" and (a or b + t != 1):
        raise InputError("the distance 'edit' is of one column of texts or levels")
    if (callable(metric) or metric == "mahalanobis") and (b or t):
        raise InputError(f"the metric {metric!r} is of numbers alone, and some columns are levels or texts")
    if t and metric not in ("euclidean", "edit"):
        raise InputError(f"texts are compared by the metric 'euclidean' (or 'edit'), not by {metric!r}")
    if metric == "minkowski":
        rule_of(metric, p)
        if t and p != 2:
            raise InputError("texts are compared by the metric 'euclidean'")


def _weights_of_columns(weights: Any, plan: CellPlan) -> Floats:
    """One weight a column, in the order of the cells; from a mapping of names, or one for each column of the table."""
    if isinstance(weights, Mapping):
        given = {**dict.fromkeys(plan.schema.names, 1.0), **weights}
        weights = by_name(given, plan.schema.names, "feature_weights", "column")
    return axis_weights(weights, plan.schema.width)[list(plan.order)]


def _scales(scale: str | None, cells: Cells, weight: Floats | None, width: Floats) -> tuple[Floats, Floats]:
    """What numbers are multiplied by, and how far a gap is."""
    one = np.ones(len(width))
    if scale is None:
        return one, width
    if scale == "minmax":
        return np.asarray(np.divide(1.0, width, out=np.zeros_like(width), where=width > 0)), one
    x = cells.numbers
    x = x if isinstance(x, np.ndarray) else _densed(x)
    spread = _deviations(x, weight, width) * (4.0 if scale == "hvdm" else 1.0)
    factor = np.divide(1.0, spread, out=np.zeros_like(width), where=spread > 0)
    return factor, one if scale == "hvdm" else np.where(spread > 0, width * factor, 1.0)


def _deviations(x: Array, weight: Floats | None, width: Floats) -> Floats:
    seen = ~np.isnan(x)
    share = seen * (np.ones(len(x)) if weight is None else weight)[:, None]
    total = np.maximum(share.sum(axis=0), np.finfo(np.float64).tiny)
    unit = np.where(width > 0, width, 1.0)
    z = np.where(seen, x / unit, 0.0)
    z = np.where(seen, z - (share * z).sum(axis=0) / total, 0.0)
    return np.asarray(np.where(width > 0, np.sqrt((share * z**2).sum(axis=0) / total) * unit, 0.0))


def _value_differences(cells: Cells, codes: Array, classes: int, weight: Floats | None) -> dict[str, Any]:
    """Squared differences of the levels of each column: sum over classes of (P(class | a) - P(class | b))^2."""
    size, tables = list[int](), list[Floats]()
    prior = np.bincount(codes, weight, classes) / (len(codes) if weight is None else weight.sum())
    for j, levels in enumerate(cells.levels):
        if len(levels) > _MOST_LEVELS:
            raise InputError(
                f"a column has {len(levels):,} levels: 'hvdm' compares at most {_MOST_LEVELS:,} by a table; use another"
            )
        seen = cells.codes[:, j] >= 0
        flat = cells.codes[seen, j].astype(np.int64) * classes + codes[seen]
        count = np.bincount(flat, None if weight is None else weight[seen], len(levels) * classes)
        count = count.reshape(-1, classes)
        total = count.sum(axis=1, keepdims=True)
        share = np.vstack([np.where(total > 0, count / np.where(total > 0, total, 1.0), prior), prior])
        tables.append(((share[:, None] - share[None]) ** 2).sum(axis=2).ravel())
        size.append(len(levels) + 1)
    return {"size": np.array(size, dtype=np.int64), "table": np.concatenate([np.empty(0), *tables])}


def _whitened(x: object, weight: Floats | None) -> Floats:
    x = x if isinstance(x, np.ndarray) else _densed(x)
    if np.isnan(x).any():
        raise InputError("Mahalanobis's distance needs rows without gaps: fill them, or use another metric")
    share = np.full(len(x), 1 / len(x)) if weight is None else weight / weight.sum()
    z = x - share @ x
    covariance = (share[:, None] * z).T @ z
    if not is_positive_definite(covariance):
        raise InputError(
            "Mahalanobis's distance needs columns of which none is constant or a sum of others, and more rows than"
            ' columns: leave such columns out, or use scale="standard"'
        )
    return whitening(covariance)


def _words(cells: Cells) -> tuple[Words, ...]:
    return tuple(Tokenizer().tokens([text or "" for text in column]).words for column in cells.texts)


def _roots_of_shares(words: Words, texts: tuple[str | None, ...]) -> Any:
    """Rows of length 1 (of texts without words: 0) whose products are sums of sqrt(p q)."""
    from scipy.sparse import csr_matrix

    ids, ends = TermTable(words, Tokenizer()).find([text or "" for text in texts])
    start = np.concatenate([[0], ends])
    found = csr_matrix((np.ones(len(ids)), ids, start), shape=(len(ends), len(words) + 1))
    found.sum_duplicates()
    owner = np.repeat(np.arange(len(ends)), np.diff(found.indptr))
    found.data = np.sqrt(found.data / np.diff(start)[owner])
    return found[:, : len(words)]


def _unlike(alike: Floats) -> Floats:
    unlike = 1.0 - alike
    return np.asarray(np.where(unlike < 1e-14, 0.0, unlike))  # the shares of a text's words sum to 1 but for rounding


def _spelled(cells: Cells) -> tuple[str, ...]:
    names = (*map(str, cells.levels[0]), "")
    return tuple(names[code] for code in cells.codes[:, 0].tolist())


def _densed(x: Any) -> Floats:
    if x.shape[0] * x.shape[1] > 2**28:
        raise InputError("a sparse matrix of this size is compared by the metric 'euclidean', without scales, alone")
    return np.asarray(x.toarray(), dtype=np.float64)


def _same(q: Any, x: Array) -> Array:
    """Queries as an array of the type of the rows; a block of sparse ones as a dense one."""
    if not isinstance(q, np.ndarray):
        return np.asarray(q.toarray(), dtype=x.dtype)
    return q if q.dtype == x.dtype or x.dtype != np.float64 else np.ascontiguousarray(q, dtype=x.dtype)
