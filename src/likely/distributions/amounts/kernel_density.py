"""Kernel densities: a Gaussian bump on every value, per feature and group.

    f_k(x) = 1 / (N_k h_k) sum_i w_i K((x - x_i) / h_k),   K(z) = exp(-z^2 / 2) / sqrt(2 pi)

Statistic: `ValueCounts`. There is no prior; smoothing is the bandwidth's part. A number is the bandwidth itself; the
rules take the group's spread s = min(deviation, IQR / 1.34), or the deviation where the IQR is zero:

    silverman  h = 0.9 s n^(-1/5)     (Silverman 1986, eq. 3.31; R's bw.nrd0)
    scott      h = 1.06 s n^(-1/5)    (Scott 1992; R's bw.nrd)

A weight w counts as w rows, so n is the sum of the weights. A group whose values are all equal (one row included) has
no spread of its own and takes that of all groups together; a group that saw nothing takes the whole density of all
groups together. A feature that is constant over all data has no spread at all: unless the bandwidth is given, its term
is 0 for every group. The same holds for a feature that was never observed.

`bounds` = (low, high), None for an open end, reflects the kernels there, so that the density integrates to one between
the bounds. Values beyond them are refused in training. In prediction the density falls beyond a bound as
1e-12 / (1 + z)^2 times that at the bound, z being the distance in bandwidths (the largest of the groups'): too little
to show in any probability, but such a value speaks for the groups as the bound does.

A group with at most EXACT distinct values is summed exactly. A larger one is read from a table of log densities with
64 nodes per bandwidth, made by linear binning and interpolated linearly; its relative error is about 3e-5 h^2 times the
curvature of log f, and below 1e-4 wherever the data are not sparse. The table spans the values of the group (512
bandwidths about the median if they reach farther); outside of it the sum is exact again, so that the log density is
finite for every finite x.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import ClassVar, Literal, TypeAlias

import numpy as np

from likely.distributions import support
from likely.distributions.amounts.bayesian_bootstrap import DensityPosterior
from likely.distributions.amounts.folded_kernels import folded_moments
from likely.distributions.comparing import Verdict, compare_value_counts
from likely.distributions.family import Form
from likely.errors import InputError
from likely.numeric.arrays import NOT_NEGATIVE, Array, Floats, Ints, Ranges, Shapes, frozen
from likely.numeric.kernels.densities import kernel_density as kernels
from likely.statistics import Membership
from likely.statistics.counting.values import MAX_VALUES, ValueCounts, deviation_of, quantile_of
from likely.statistics.summing.far_values import EPSILON

Bandwidth: TypeAlias = float | Literal["silverman", "scott"]
FACTOR = {"silverman": 0.9, "scott": 1.06}
EXACT = 2048
_EQUAL = 4 * EPSILON  # of a value: a deviation that is rounding
HUGE = 1e300  # a range that leaves no room for the arithmetic of a table
ROUGHNESS = 1 / (2 * np.sqrt(np.pi))  # R(K), the integral of K^2


@dataclass(frozen=True)
class KernelDensity:
    """k members with independent features, each a mixture of Gaussian kernels; slot j k + c is feature j of member c.

    >>> points, share, offset = np.array([0.0, 2.0]), np.array([0.5, 0.5]), np.array([0, 2])
    >>> one = KernelDensity(points, share, offset, bandwidth=np.ones((1, 1)), count=np.array([[2]]))
    >>> np.exp(one.log_density(np.array([[1.0]]))).round(6)
    array([[0.241971]])
    """

    points: Array  # (total,)  the values of each slot, sorted
    share: Array  # (total,)  their shares, which sum to one in each slot
    offset: Ints  # (d k + 1,)  where each slot begins
    bandwidth: Array  # (k, d)  0: the feature carries no information
    count: Array  # (k, d)  sum of the weights of the rows observed
    bounds: tuple[float, float] = (-np.inf, np.inf)
    shapes: ClassVar[Shapes] = {"points": "r", "share": "r", "bandwidth": "k d", "count": "k d"}
    ranges: ClassVar[Ranges] = {"share": NOT_NEGATIVE, "bandwidth": NOT_NEGATIVE, "count": NOT_NEGATIVE}

    def misfit(self, size: Mapping[str, int]) -> str | None:
        """The name of the first field that does not fit the others, as a damaged file may have; None: all do."""
        offset = self.offset
        fit = offset.shape == (size["k"] * size["d"] + 1,) and offset[0] == 0 and offset[-1] == size["r"]
        return None if fit and bool((np.diff(offset) >= 0).all()) else "offset"

    @property
    def members(self) -> int:
        return len(self.bandwidth)

    @property
    def n_parameters(self) -> int:
        """The effective number: the sum over rows of K(0) / (N h f(x_i)), the part that each has in its own density.

        For each member and feature it runs from 1 (very large bandwidth) to the number of distinct values (very small).
        """
        effective = 0.0
        for j, c in self._known_slots():
            if self.count[c, j] <= 0:  # its density is borrowed
                continue
            points, share = self._slot(j, c)
            at_points = np.full((len(points), self.bandwidth.shape[1]), np.nan)
            at_points[:, j] = points
            log_peak = -np.log(self.bandwidth[c, j]) - 0.5 * np.log(2 * np.pi)
            effective += float((share * np.exp(log_peak - self.log_density(at_points)[:, c])).sum())
        return round(effective)

    @property
    def mean(self) -> Floats:
        """(k, d), reflected at the bounds; NaN where nothing is known."""
        return self._moments[0]

    @property
    def variance(self) -> Floats:
        """(k, d), of the points and their kernels."""
        return self._moments[1]

    def log_density(self, x: Array) -> Floats:
        out = np.zeros((len(x), 1, self.members))
        self._add(x, 0, out)
        return out[:, 0]

    def log_density_terms(self, x: Array) -> Floats:
        out = np.zeros((*support.checked_table(x, self.bandwidth.shape[1]).shape, self.members))
        self._add(x, 1, out)
        return out

    def standard_error(self, x: Array) -> Floats:
        """Of each feature's density at x (n, d, k): about sqrt(f R(K) / (n h)), R(K) = 1 / (2 sqrt pi).

        This is the deviation over samples of n rows for small h; it leaves the bias out. NaN where the cell is missing,
        the feature says nothing or the member saw nothing.
        """
        with np.errstate(divide="ignore", invalid="ignore"):
            variance = ROUGHNESS / (self.count * self.bandwidth).T * np.exp(self.log_density_terms(x))
        known = ~np.isnan(x)[:, :, None] & ((self.count > 0) & (self.bandwidth > 0)).T
        return np.asarray(np.where(known, np.sqrt(variance), np.nan))

    def sample(self, member: Ints, rng: np.random.Generator) -> Floats:
        """Rows of all members; NaN where a feature was never observed."""
        drawn = np.full((len(member), self.bandwidth.shape[1]), np.nan)
        for j, c in self._known_slots():
            mine = np.flatnonzero(member == c)
            points, share = self._slot(j, c)
            upto = np.cumsum(share)
            chosen = np.searchsorted(upto[:-1], rng.random(len(mine)) * upto[-1], side="right")
            noise = rng.normal(0.0, self.bandwidth[c, j], len(mine))
            drawn[mine, j] = self._reflected(points[chosen] + noise)
        for j, c in zip(*np.nonzero(self.bandwidth.T == 0), strict=True):
            points = self._slot(int(j), int(c))[0]
            if len(points):
                drawn[member == c, j] = points[0]  # constant over all data
        return drawn

    @cached_property
    def _moments(self) -> tuple[Floats, Floats]:
        mean, variance = np.full((2, *self.bandwidth.shape), np.nan)
        for c, j in np.ndindex(*self.bandwidth.shape):
            points, share = self._slot(j, c)
            if len(points) and self.bandwidth[c, j] > 0:
                mean[c, j], variance[c, j] = folded_moments(points, share, float(self.bandwidth[c, j]), self.bounds)
            elif len(points) and self.bandwidth[c, j] == 0:
                mean[c, j], variance[c, j] = points[0], 0.0  # constant over all data
        return mean, variance

    def _known_slots(self) -> list[tuple[int, int]]:
        k, d = self.bandwidth.shape
        return [(j, c) for j in range(d) for c in range(k) if self.bandwidth[c, j] > 0]

    def _slot(self, feature: int, member: int) -> tuple[Array, Array]:
        s = feature * self.members + member
        places = slice(int(self.offset[s]), int(self.offset[s + 1]))
        return self.points[places], self.share[places]

    def _reflected(self, y: Floats) -> Floats:
        low, high = self.bounds
        if np.isfinite(low) and np.isfinite(high):
            y = np.mod(y - low, 2 * (high - low))
            return np.asarray(np.clip(low + np.minimum(y, 2 * (high - low) - y), low, high))
        if np.isfinite(low):
            return np.asarray(low + np.abs(y - low))
        return np.asarray(high - np.abs(high - y)) if np.isfinite(high) else y

    def _add(self, x: Array, each: int, out: Floats) -> None:
        kernels.add_kernels(
            frozen(support.checked_table(x, self.bandwidth.shape[1])),
            *self._slots,
            *self._tables,
            *self._reflection,
            each,
            out,
        )

    @cached_property
    def _slots(self) -> tuple[Array, ...]:
        return np.ascontiguousarray(self.bandwidth.T).ravel(), self.points, self.share, self.offset

    @cached_property
    def _reflection(self) -> tuple[Ints, float, float, Floats, Floats]:
        """Images per slot, mirror, period, bounds, and the scale of the fall beyond them."""
        low, high = self.bounds
        bandwidth = self._slots[0]
        images = np.ones(len(bandwidth), dtype=np.int64)
        mirror = period = 0.0
        if np.isfinite(low) and np.isfinite(high):
            mirror, period = 2 * low, 2 * (high - low)
            # as many turns as it takes until an image is too far away to count, wherever x lies
            turns = 1 + np.ceil((np.sqrt(100 * (bandwidth / (high - low)) ** 2 + 1) - 1) / 2).astype(np.int64)
            images = 2 * (2 * turns + 1)
        elif np.isfinite(low) or np.isfinite(high):
            mirror = 2 * (low if np.isfinite(low) else high)
            images += 1
        scale = np.maximum(self.bandwidth.max(axis=0, initial=0.0), np.finfo(np.float64).tiny)
        return images, mirror, period, np.array([low, high]), scale

    @cached_property
    def _tables(self) -> tuple[Floats, Floats, Floats, Ints]:
        """Start and step of each slot's table, the tables one after the other, and where each begins."""
        slots = len(self._slots[0])
        start, step, nodes = np.zeros(slots), np.ones(slots), np.zeros(slots, dtype=np.int64)
        tables: list[Array] = [np.zeros(0)]
        for j, c in self._known_slots():
            s = j * self.members + c
            points = self._slot(j, c)[0]
            if len(points) > EXACT and float(points[-1]) - float(points[0]) < HUGE:
                images, mirror, period = self._reflection[:3]
                start[s], step[s], table = kernels.density_table(
                    *self._slot(j, c), self.bandwidth[c, j], images[s], mirror, period
                )
                nodes[s] = len(table)
                tables.append(table)
        return start, step, np.concatenate(tables), np.concatenate([[0], np.cumsum(nodes)]).astype(np.int64)


@dataclass(frozen=True)
class KernelDensityFamily:
    """Independent features with a Gaussian kernel density each.

    >>> x = np.array([[10.0], [8], [10], [10], [11], [11], [12], [9], [15], [10], [13], [13]])
    >>> groups = Membership.of_labels(np.repeat([0, 1], 6), 2)
    >>> family = KernelDensityFamily(bandwidth=1.0)
    >>> fitted = family.estimate(family.summarize(x, groups))
    >>> np.exp(fitted.log_density(np.array([[11.0]]))).round(6)
    array([[0.254705, 0.107675]])
    """

    bandwidth: Bandwidth = "silverman"
    bounds: tuple[float | None, float | None] | None = None
    max_values: int = MAX_VALUES  # distinct values kept per feature; see ValueCounts
    name: ClassVar[str] = "kde"
    form: ClassVar[Form] = "real"

    def __post_init__(self) -> None:
        support.check_options(self)
        if isinstance(self.bandwidth, str):
            if self.bandwidth not in FACTOR:
                raise InputError(f"bandwidth must be a number or one of {', '.join(FACTOR)}, got {self.bandwidth!r}")
        elif not (np.isfinite(self.bandwidth) and self.bandwidth > 0):
            raise InputError(f"bandwidth must be positive and finite, got {self.bandwidth}")
        low, high = self._limits()
        if not low < high:
            raise InputError(f"bounds must be two numbers, the lower one first, got {self.bounds}")

    def summarize(self, x: Array, membership: Membership) -> ValueCounts:
        low, high = self._limits()
        if low > -np.inf or high < np.inf:
            beyond = np.argwhere((x < low) | (x > high))
            if len(beyond):
                row, column = (int(i) for i in beyond[0])
                raise InputError(
                    f"column {column}, row {row}: {x[row, column]} lies beyond the bounds {self.bounds}. "
                    "Widen the bounds, or give NaN for a missing value."
                )
        return ValueCounts.of(x, membership, self.max_values)

    def estimate(self, statistic: ValueCounts) -> KernelDensity:
        k, d = statistic.groups, len(statistic.values)
        bandwidth = np.zeros((k, d))
        points: list[Array] = [np.zeros(0)]
        shares: list[Array] = [np.zeros(0)]
        sizes = np.zeros(d * k, dtype=np.int64)
        for j in range(d):
            at, table = np.clip(statistic.points(j), *self._limits()), statistic.table(j)
            whole = table.sum(axis=0)
            bandwidth[:, j] = self._bandwidths(at, table, whole)
            for c in range(k):
                weight = table[c] if (table[c] > 0).any() else whole
                used = np.flatnonzero(weight > 0)
                points.append(at[used])
                shares.append(weight[used] / weight[used].sum())
                sizes[j * k + c] = len(used)
        offset = np.concatenate([[0], np.cumsum(sizes)]).astype(np.int64)
        count = statistic.observed if d else np.zeros((k, 0))
        return KernelDensity(np.concatenate(points), np.concatenate(shares), offset, bandwidth, count, self._limits())

    def parameter_posterior(self, statistic: ValueCounts) -> DensityPosterior:
        """How much each value weighs, by the Bayesian bootstrap: to be drawn from, not to be read."""
        return DensityPosterior(self.estimate(statistic))

    def compare(self, before: ValueCounts, after: ValueCounts, i: int, j: int) -> Verdict | str:
        """Kolmogorov and Smirnov's test and one of counts in ten cells, of the values that were seen."""
        return compare_value_counts(before, after, i, j)

    def standard_errors(self, statistic: ValueCounts) -> dict[str, Array]:
        """None: a kernel density has no parameters. See `KernelDensity.standard_error` for that of the density."""
        return {}

    def _limits(self) -> tuple[float, float]:
        low, high = (None, None) if self.bounds is None else self.bounds
        return (-np.inf if low is None else float(low)), (np.inf if high is None else float(high))

    def _bandwidths(self, points: Array, table: Array, whole: Array) -> Floats:
        """Of each group (k,); 0 where the feature carries no information."""
        if not len(points):
            return np.zeros(len(table))
        widest = 3 * (self._limits()[1] - self._limits()[0])  # between two bounds, this is uniform to the last digit
        if not isinstance(self.bandwidth, str):
            return np.full(len(table), max(min(self.bandwidth, widest), kernels.SMALLEST))
        overall = _spread(points, whole)
        found = np.zeros(len(table))
        for c, weight in enumerate(table):
            rows = max(float(weight.sum()), 0.0)
            if rows == 0:
                spread, rows = overall, float(whole.sum())
            elif deviation_of(points, weight) <= _EQUAL * np.abs(points[weight != 0]).max():
                spread = overall
            else:
                spread = _spread(points, weight)
            h = min(FACTOR[self.bandwidth] * spread * rows**-0.2, widest)
            found[c] = max(h, kernels.SMALLEST) if spread > 0 else 0.0
        return found


def _spread(points: Array, weight: Array) -> float:
    deviation = deviation_of(points, weight)
    upper, lower = (quantile_of(points, weight, p) for p in (0.75, 0.25))
    robust = upper / 1.34 - lower / 1.34
    return min(deviation, robust) if robust > 0 else deviation
