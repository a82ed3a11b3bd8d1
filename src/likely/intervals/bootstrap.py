"""The bootstrap: how much a figure varies when the rows, or whole groups of rows, are drawn again.

A figure is given as a function of weights: how often each unit (a row, or a group for the cluster bootstrap) is in the
sample. Drawing u units with replacement gives multinomial weights that sum to u.

    percentile  quantiles a / 2 and 1 - a / 2 of the replicates
    bca         quantiles corrected for bias and acceleration (Efron 1987): the quantile Phi(z) becomes
                Phi(b + (b + z) / (1 - c (b + z))), b = Phi^-1(share of replicates below the value),
                c = sum r^3 / (6 (sum r^2)^(3/2)), r the influence of each unit

Resampling u units shows too little spread, by sqrt((u - 1) / u), and knows no t: both are made good by taking the
quantiles further out, a / 2 = Phi(-sqrt(u / (u - 1)) t_{u-1}) (Hesterberg 2015). Without that, 95 % intervals from 10
or 20 groups cover 89 to 92 %; with it 93 to 94 %. Replicates in which a figure is undefined (0/0) are left out, and
the note says how many.

Two, three or four units have few replicates that differ, none of them as far out as that (the outermost has the
probability u^-u): the interval is then no narrower than value +- sqrt(u / (u - 1)) t_{u-1} standard deviations of the
replicates. One unit alone shows no spread, and its interval is all that is possible.
"""

from collections.abc import Callable, Iterator
from math import sqrt
from typing import Literal, TypeAlias

import numpy as np

from likely.errors import InputError
from likely.intervals.estimate import Estimate
from likely.intervals.quantiles import check_confidence, t_quantile
from likely.numeric.arrays import Array, Floats
from likely.numeric.random_state import Seed, as_generator

BootstrapMethod: TypeAlias = Literal["bca", "percentile"]
Statistic: TypeAlias = Callable[[Floats], Array]  # weights (b, u) -> figures (b,)

_BLOCK_CELLS = 2**21  # weights drawn at once: 16 MB


def bootstrap_interval(
    statistic: Statistic,
    units: int,
    confidence: float = 0.95,
    method: BootstrapMethod = "bca",
    replicates: int = 2000,
    random_state: Seed = 0,
    influence: Array | None = None,
    bounds: tuple[float, float] = (-np.inf, np.inf),
    n: float | None = None,
    unit: str = "row",
) -> Estimate:
    """The bootstrap interval of a figure that `statistic` computes from weights (b, units), b replicates at a time.

    `influence` (units,) is how much each unit moves the figure; without it "bca" leaves the units out one by one.
    `bounds` are what the figure can be at all: the ends of the interval when it is undefined, or there is one unit.

    Parameters
    ----------
    units : how many units are drawn, with replacement, for each replicate
    unit : what a unit is called in messages
    statistic : the figure of each row of weights (b, units)
    n : rows behind the figure, for the record; None: the units

    >>> x = np.array([3.0, 5, 1, 4, 9, 2, 6, 5])
    >>> print(bootstrap_interval(lambda weight: weight @ x / weight.sum(axis=1), len(x)))
    4.375 [2.500, 6.696] 95 % bootstrap (BCa), n=8
    """
    if not callable(statistic) or not isinstance(units, int | np.integer):
        raise InputError(
            "the bootstrap takes a function of weights (b, units), then the number of units: for the mean of x, "
            "bootstrap_interval(lambda weight: weight @ x / weight.sum(axis=1), len(x))"
        )
    if units < 1 or replicates < 2:
        raise InputError(f"the bootstrap needs a unit and two replicates, got {units} and {replicates}")
    first = np.asarray(statistic(np.ones((1, units))))
    if first.shape != (1,):
        raise InputError(f"a statistic gives one figure per row of weights; for one row its shape is {first.shape}")
    value = float(first[0])
    with np.errstate(invalid="ignore", divide="ignore"):
        drawn = [statistic(weight) for weight in draw_weights(units, replicates, random_state)]
    if influence is None and method == "bca":
        influence = jackknife_influence(statistic, units)
    rows = float(units if n is None else n)
    return from_replicates(value, np.concatenate(drawn), units, rows, confidence, method, influence, bounds, unit)


def from_replicates(
    value: float,
    replicates: Array,
    units: int,
    n: float,
    confidence: float = 0.95,
    method: BootstrapMethod = "bca",
    influence: Array | None = None,
    bounds: tuple[float, float] = (-np.inf, np.inf),
    unit: str = "row",
) -> Estimate:
    """The interval of a figure whose replicates (b,) of so many units are there; without influence, no acceleration."""
    from scipy.special import ndtr

    check_confidence(confidence)
    if method not in ("bca", "percentile"):
        raise InputError(f"unknown bootstrap method {method!r}; use 'bca' or 'percentile'")
    name = "bootstrap (BCa)" if method == "bca" else "bootstrap"
    name = name if unit == "row" else f"cluster {name} over {units} {unit}s"
    known = np.sort(replicates[~np.isnan(replicates)])
    if np.isnan(value) or not len(known):
        return Estimate(value, *bounds, confidence, name, n, note="0/0")
    if units < 2:
        return Estimate(value, *bounds, confidence, name, n, note=f"one {unit} alone has no spread")
    share = 1 - len(known) / len(replicates)
    note = f"undefined in {share:.1%} of the replicates" if share else ""
    reach = sqrt(units / (units - 1)) * t_quantile(confidence, units - 1)
    ends = np.array([-reach, reach])
    if method == "bca":
        moved = np.zeros(1) if influence is None else np.nan_to_num(influence, posinf=0.0, neginf=0.0)
        ends = _corrected(ends, known, value, moved)
    finite = bool(np.isfinite(known[[0, -1]]).all())
    low, high = np.quantile(known, ndtr(ends), method="linear" if finite else "lower")
    low, high = min(float(low), value), max(float(high), value)
    error = float(known.std(ddof=1)) if finite and len(known) > 1 else np.nan
    if np.isfinite(error) and ndtr(-reach) < float(units) ** -units:  # no replicate can lie so far out
        low, high = min(low, max(value - reach * error, bounds[0])), max(high, min(value + reach * error, bounds[1]))
    return Estimate(value, low, high, confidence, name, n, error, note)


def draw_weights(units: int, replicates: int, random_state: Seed = 0) -> Iterator[Floats]:
    """How often each unit is drawn in each replicate, in blocks (b, units)."""
    rng = as_generator(random_state)
    for _, size in _blocks(replicates, units):
        drawn = rng.integers(0, units, (size, units)) + units * np.arange(size)[:, None]
        counts = np.bincount(drawn.ravel(), minlength=size * units).reshape(size, units)
        yield counts.astype(np.float64)


def jackknife_influence(statistic: Statistic, units: int) -> Floats:
    """How much each unit (units,) moves the figure: the mean of the figures without one unit, less that without it."""
    without = np.empty(units)
    for start, size in _blocks(units, units):
        weight = np.ones((size, units))
        weight[np.arange(size), start + np.arange(size)] = 0.0
        with np.errstate(invalid="ignore", divide="ignore"):
            without[start : start + size] = statistic(weight)
    known = ~np.isnan(without)
    if not known.any():
        return np.zeros(units)
    return np.asarray(np.where(known, without[known].mean() - without, 0.0))


def _corrected(ends: Floats, replicates: Floats, value: float, influence: Floats) -> Floats:
    """The ends of an interval on the normal scale, corrected for bias and acceleration."""
    from scipy.special import ndtri

    # Ties with the value count half: figures of small samples take few distinct values.
    below = np.searchsorted(replicates, value) + np.searchsorted(replicates, value, side="right")
    share = np.clip(below / (2 * len(replicates)), 1 / len(replicates), 1 - 1 / len(replicates))
    scale = np.abs(influence).max(initial=0.0)
    r = influence / (scale or 1.0)
    acceleration = (r**3).sum() / (6 * (r**2).sum() ** 1.5) if scale else 0.0
    shifted = ndtri(share) + ends
    return np.asarray(ndtri(share) + shifted / np.maximum(1 - acceleration * shifted, 1e-3))


def _blocks(count: int, width: int) -> Iterator[tuple[int, int]]:
    """Start and size of runs of `count` items, each so wide, that stay within a block."""
    size = max(1, _BLOCK_CELLS // width)
    for start in range(0, count, size):
        yield start, min(size, count - start)
