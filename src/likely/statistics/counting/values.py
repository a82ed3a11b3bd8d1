"""How often each value of each real feature occurs, for k groups at once.

The sorted distinct values are part of the statistic: two statistics that have seen different values add over the
union. Histograms compute their cut points and kernel densities their bandwidths from this statistic when they
estimate, so nothing is learned from rows that cross-validation has set aside.

Memory is bounded. A feature with more than `max_values` distinct values keeps cells of a dyadic grid instead,

    cell(x) = [i 2^e, (i + 1) 2^e),   i = floor(x / 2^e),

with the smallest e that leaves at most `max_values` cells; more than half of `max_values` are then in use, and the
centre of a cell stands for its values. Cells are nested (the cell at a larger e of a cell at e is the cell of x), so
the result depends on the data alone, not on the order or grouping of the batches. What was coarsened stays so: after
subtraction the grid is as coarse as it was before, unless nothing at all is left of the feature.
"""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import ClassVar, Self

import numpy as np

from likely.errors import InputError, check_whole
from likely.numeric.arrays import Array, Floats, Ints, Shapes, frozen, rising
from likely.numeric.kernels.sums import counts
from likely.numeric.kernels.sums import values as kernels
from likely.statistics.additive import Additive, fixed, tally
from likely.statistics.counting.categories import filled_counts, offsets
from likely.statistics.membership import Membership

MAX_VALUES = 65536
FINEST, COARSEST = -1074, 1023  # every float is a multiple of 2^-1074; four cells of width 2^1023 hold them all


class Tabulated(Additive):
    """A table of counts, a line for each group, over values that are common to all groups."""

    def merged(self) -> Self:
        return self._each_group(lambda array: array.sum(axis=0, keepdims=True)).canonical()


@dataclass(frozen=True)
class ValueCounts(Tabulated):
    """A flat table of counts: feature j holds the columns offset[j] to offset[j + 1], one per value.

    >>> x = np.array([[10.0], [8.0], [10.0], [np.nan]])
    >>> seen = ValueCounts.of(x, Membership.of_labels(np.array([0, 1, 1, 0]), 2))
    >>> seen.values, seen.table(0)
    ((array([ 8., 10.]),), array([[0, 1], [1, 1]]))
    """

    values: tuple[Array, ...] = fixed()  # per feature (m,)  sorted; lower edges of cells where there is a grid
    exponent: tuple[int | None, ...] = fixed()  # per feature: the cells are 2^exponent wide; None: values are exact
    count: Array = tally()  # (k, total number of values)  rows of each value
    max_values: int = MAX_VALUES  # of a feature; where there are more, cells of a grid are counted
    shapes: ClassVar[Shapes] = {"count": "k r"}

    def misfit(self, size: Mapping[str, int]) -> str | None:
        """The name of the first field that does not fit the others, as a damaged file may have; None: all do."""
        features = size["d"]
        if len(self.values) != features or not all(map(rising, self.values)):
            return "values"
        if size["r"] != sum(map(len, self.values)):
            return "count"
        if len(self.exponent) != features or any(e is not None and not FINEST <= e <= COARSEST for e in self.exponent):
            return "exponent"
        return "max_values" if self.max_values < 4 else None

    @classmethod
    def of(cls, x: Array, membership: Membership, max_values: int = MAX_VALUES) -> Self:
        """Summarise rows x (n, d) of floats, NaN for a missing cell."""
        check_whole("max_values", max_values, 4)
        present = _rows_that_count(membership)
        codes = np.full(x.shape, -1, dtype=np.int32)  # a negative code is a missing cell
        values: list[Array] = []
        exponent: list[int | None] = []
        for j in range(x.shape[1]):
            rows = np.flatnonzero(present & ~np.isnan(x[:, j]))
            distinct, place = np.unique(x[rows, j].astype(np.float64) + 0.0, return_inverse=True)
            _refuse_infinity(distinct, x[:, j], j)
            kept, first, e = _coarsened(distinct, None, max_values)
            if e is not None:
                place = (np.searchsorted(first, np.arange(len(distinct)), side="right") - 1)[place]
            codes[rows, j] = place
            values.append(kept)
            exponent.append(e)
        count = table_of(codes, offsets(values), membership)
        return cls(membership.totals(), tuple(values), tuple(exponent), count, max_values).canonical()

    @property
    def offset(self) -> Ints:
        """Where the values of each feature begin; the last entry is how many there are."""
        return offsets(self.values)

    @property
    def observed(self) -> Array:
        """Sum of weights over the observed cells (k, d)."""
        seen = [self.table(j).sum(axis=1) for j in range(len(self.values))]
        return np.stack(seen, axis=1) if seen else self.count[:, :0]

    def only(self, feature: int) -> Self:
        """One feature by itself."""
        values, exponent = (self.values[feature],), (self.exponent[feature],)
        return replace(self, values=values, exponent=exponent, count=self.table(feature))

    def filled(self) -> Self:
        """As if every missing cell held its group's most frequent value (the overall one where it saw none)."""
        return replace(self, count=filled_counts(self.count, self.offset, self.weight))

    def table(self, feature: int) -> Array:
        """Counts (k, values of the feature)."""
        offset = self.offset
        return self.count[:, offset[feature] : offset[feature + 1]]

    def points(self, feature: int) -> Floats:
        """What stands for each column of the feature's table: the value, or the centre of its cell."""
        values, e = self.values[feature], self.exponent[feature]
        return np.asarray(values if e is None else values + np.ldexp(1.0, e - 1))

    def limits(self, feature: int) -> tuple[float, float]:
        """The smallest and the largest value, or the outer edges of their cells, of a feature with data."""
        values, e = self.values[feature], self.exponent[feature]
        width = 0.0 if e is None else float(np.ldexp(1.0, e))
        return float(values[0]), min(float(values[-1]) + width, -kernels.LOWEST)

    def canonical(self) -> Self:
        """Values that nobody counts dropped, then no more cells than allowed."""
        parts = [self._canonical_feature(j) for j in range(len(self.values))]
        if all(part is None for part in parts):
            return self
        whole = [part or (self.values[j], self.exponent[j], self.table(j)) for j, part in enumerate(parts)]
        return self._of_features(*zip(*whole, strict=True))

    def coarsened(self, exponent: tuple[int | None, ...]) -> Self:
        """The same data on coarser grids; an exponent that is not larger than the present one changes nothing."""
        whole: list[tuple[Array, int | None, Array]] = []
        for j, (mine, wanted) in enumerate(zip(self.exponent, exponent, strict=True)):
            values, table = self.values[j], self.table(j)
            if wanted is not None and (mine is None or wanted > mine):
                values, first = _cells(values, wanted)
                whole.append((values, wanted, _joined(table, first)))
            else:
                whole.append((values, mine, table))
        return self._of_features(*zip(*whole, strict=True)) if whole else self

    def aligned(self, other: Self) -> tuple[Self, Self]:
        limit = min(self.max_values, other.max_values)
        mine, its = replace(self, max_values=limit), replace(other, max_values=limit)
        if mine.exponent != its.exponent:
            mine, its = mine.coarsened(its.exponent), its.coarsened(mine.exponent)
        pairs = list(zip(mine.values, its.values, strict=True))
        if all(np.array_equal(a, b) for a, b in pairs):
            return mine, its
        merged = [kernels.merge_rows(frozen(a[:, None]), frozen(b[:, None])) for a, b in pairs]
        union = []
        for (a, b), (place_a, place_b, size) in zip(pairs, merged, strict=True):
            values = np.empty(size)
            values[place_a], values[place_b] = a, b
            union.append(values)
        offset = offsets(union)[:-1]
        places = [np.concatenate([at + m[side] for at, m in zip(offset, merged, strict=True)]) for side in (0, 1)]
        return mine._over(tuple(union), places[0]), its._over(tuple(union), places[1])

    def _over(self, values: tuple[Array, ...], columns: Ints) -> Self:
        wide = np.zeros((self.groups, int(offsets(values)[-1])), dtype=self.count.dtype)
        wide[:, columns] = self.count
        return replace(self, values=values, count=wide)

    def _canonical_feature(self, feature: int) -> tuple[Array, int | None, Array] | None:
        """Values, exponent and table in canonical form; None when they are so already."""
        values, e, table = self.values[feature], self.exponent[feature], self.table(feature)
        used = np.asarray(table.any(axis=0))
        if used.all() and len(values) <= self.max_values and (len(values) or e is None):
            return None
        values, first, e = _coarsened(values[used], e, self.max_values)
        table = _joined(table[:, used], first)
        used = np.asarray(table.any(axis=0))  # cells may cancel where weights have both signs
        return values[used], (e if used.any() else None), table[:, used]

    def _of_features(
        self, values: tuple[Array, ...], exponent: tuple[int | None, ...], tables: tuple[Array, ...]
    ) -> Self:
        return replace(self, values=values, exponent=exponent, count=np.concatenate(tables, axis=1))


def table_of(codes: Array, offset: Ints, membership: Membership) -> Array:
    """Sum of weights per group and code, flat as in `ValueCounts`: integers when the rows carry no weights.

    >>> codes = np.array([[0, 1], [-1, 1]], dtype=np.int32)
    >>> table_of(codes, np.array([0, 2, 4]), Membership.whole(2))
    array([[1, 0, 0, 2]])
    """
    codes, base = frozen(codes), np.zeros(codes.shape[1], dtype=np.int64)
    if membership.shares is not None:
        table = counts.share_codes(codes, membership.shares, base, offset)
    elif membership.weight is not None:
        table = counts.weigh_codes(codes, membership.labels, membership.weight, base, offset, membership.groups)
    else:
        assert membership.labels is not None
        table = counts.count_codes(codes, membership.labels, base, offset, membership.groups)
    return np.asarray(table)


def quantile_of(points: Array, weight: Array, p: float) -> float:
    """Of sorted points with weights, interpolated as NumPy does by default, a weight w being w rows; NaN without data.

    Weights that are not whole numbers count no rows: their points lie at the middle of their shares of the total,
    with straight lines between, so that the unit of the weights does not matter.

    >>> quantile_of(np.array([1.0, 4.0]), np.array([3, 1]), 0.75), np.quantile([1.0, 1.0, 1.0, 4.0], 0.75)
    (1.75, np.float64(1.75))
    """
    cumulative = np.cumsum(weight)
    if not len(points) or cumulative[-1] <= 0:
        return float("nan")
    if (weight != np.floor(weight)).any():
        used = np.flatnonzero(weight > 0)
        upto = np.cumsum(weight[used])
        return float(np.interp(p, (upto - weight[used] / 2) / upto[-1], points[used]))
    rank = max((float(cumulative[-1]) - 1) * p, 0.0)
    whole = np.floor(rank)
    place = np.searchsorted(cumulative, [whole, whole + 1], side="right")
    low, high = points[np.minimum(place, len(points) - 1)]
    share = rank - whole
    return float(low * (1 - share) + high * share)


def deviation_of(points: Array, weight: Array) -> float:
    """Standard deviation of sorted points with weights, a weight w being w rows; NaN without data.

    The divisor is n - 1, or n / 2 for weights that sum to less than 2.

    >>> deviation_of(np.array([1.0, 4.0]), np.array([3, 1])), np.std([1.0, 1.0, 1.0, 4.0], ddof=1)
    (1.5, np.float64(1.5))
    """
    used = np.flatnonzero(weight > 0)
    if not len(used):
        return float("nan")
    near, w = points[used], weight[used] / weight[used].sum()
    half = near / 2 - near[len(near) // 2] / 2  # halved, so that no difference overflows
    unit = float(np.max(np.abs(half)))
    if unit == 0.0:
        return 0.0
    half = half / unit
    rows = float(weight[used].sum())
    variance = float((w * (half - (w * half).sum()) ** 2).sum()) * rows / max(rows - 1, rows / 2)
    return min(unit * (2 * float(np.sqrt(variance))), -kernels.LOWEST)


def _rows_that_count(membership: Membership) -> Array:
    # A row of weight zero must not bring its values in: they could make the grid coarser.
    if membership.shares is not None:
        return np.asarray(membership.shares.any(axis=1))
    assert membership.labels is not None
    present = membership.labels >= 0
    return present if membership.weight is None else present & (membership.weight != 0)


def _refuse_infinity(distinct: Array, column: Array, feature: int) -> None:
    if len(distinct) and not np.isfinite(distinct[[0, -1]]).all():
        row = int(np.flatnonzero(np.isinf(column))[0])
        raise InputError(
            f"column {feature}, row {row}: {column[row]} has no place in a histogram or kernel density. "
            "Give a finite value, or NaN for a missing one."
        )


def _cells(values: Array, exponent: int) -> tuple[Array, Ints]:
    """Lower edges of the cells in use, and where each begins among the sorted values."""
    low = kernels.floor_to_cells(frozen(np.ascontiguousarray(values)), exponent)
    first = np.flatnonzero(np.diff(low, prepend=np.nan) != 0) if len(low) else np.zeros(0, dtype=np.int64)
    return low[first], first


def _coarsened(values: Array, exponent: int | None, limit: int) -> tuple[Array, Ints, int | None]:
    """Sorted values onto the finest grid with at most `limit` cells: cells, where each begins, exponent."""
    if len(values) <= limit:
        return values, np.arange(len(values)), exponent
    too_fine, enough = FINEST if exponent is None else exponent, COARSEST
    while enough - too_fine > 1:  # the number of cells never grows with the exponent
        middle = (too_fine + enough) // 2
        if len(_cells(values, middle)[0]) <= limit:
            enough = middle
        else:
            too_fine = middle
    return *_cells(values, enough), enough


def _joined(table: Array, first: Ints) -> Array:
    if len(first) == table.shape[1]:
        return table
    return np.asarray(np.add.reduceat(table, first, axis=1))
