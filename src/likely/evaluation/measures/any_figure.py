"""The interval of a figure of which nothing is known but how to find it: a user's own function.

A mean of values of rows has the interval of such a mean (`intervals.means`). Any other figure is bootstrapped: rows,
or whole groups, are drawn again, within their classes so that no class is missing, and the interval is

    value +- t_{u-1} s,    s the deviation of the replicates, u the rows or groups

Where no replicate differs (every row is right, and drawing right rows again changes nothing) the figure is found once
more with as many mistakes as Wilson's interval allows beside those that there are: the rows that the model doubts most
are taken to be of the class that it thought next. The interval reaches from one figure to the other.
"""

from collections.abc import Callable, Iterator
from dataclasses import replace
from math import ceil

import numpy as np

from likely.errors import InputError
from likely.evaluation.measures.unseen_mistakes import doubts
from likely.evaluation.said import Said
from likely.intervals.estimate import Estimate
from likely.intervals.means import effective_size, mean_interval
from likely.intervals.proportions import proportion_interval
from likely.intervals.quantiles import t_quantile
from likely.numeric.arrays import Array, Floats

_REPLICATES = 100  # a deviation is known to 7 % then


def any_interval(
    rows: Callable[[Said], Floats] | None,
    figure: Callable[[Said], float] | None,
    said: Said,
    confidence: float,
    bounds: tuple[float, float],
) -> Estimate:
    """The interval of a mean over rows, or of a figure of all of them; one of the two is there.

    >>> said = Said.of([0, 1] * 10, [0.1, 0.8] * 10)
    >>> print(any_interval(None, lambda s: float(s.right().mean()), said, 0.95, (0, 1)))
    1.000 [0.800, 1.000] 95 % unseen mistakes, n=20
    """
    if rows is not None:
        try:
            values = rows(said)
        except InputError:
            if figure is None:
                raise
        else:
            return mean_interval(values, confidence, sample_weight=said.weight, groups=said.groups, bounds=bounds)
    assert figure is not None
    value = figure(said)
    drawn = np.array([figure(said.take(chosen)) for chosen in _samples(said)])
    units = len(said) if said.groups is None else len(np.unique(said.groups))
    n, known = effective_size(said.weight, len(said)), drawn[np.isfinite(drawn)]
    if not np.isfinite(value) or units < 2 or len(known) < 2:
        return Estimate(value, *bounds, confidence, "bootstrap", n, note="0/0" if np.isnan(value) else "")
    error = float(known.std(ddof=1))
    if error > 1e-12 * abs(value):
        half = t_quantile(confidence, units - 1) * error
        low, high = max(value - half, bounds[0]), min(value + half, bounds[1])
        return Estimate(value, low, high, confidence, "bootstrap", n, error)
    worse = figure(_with_mistakes(said, units, confidence))
    low, high = (min(value, worse), max(value, worse)) if np.isfinite(worse) else bounds
    return Estimate(value, low, high, confidence, "unseen mistakes", n)


def _samples(said: Said) -> Iterator[Array]:
    """Rows drawn again within each class, or groups within those of the same classes."""
    rng = np.random.default_rng(0)
    unit = np.arange(len(said)) if said.groups is None else np.unique(said.groups, return_inverse=True)[1]
    kind = _kinds(said.y, unit, len(said.classes))
    members = np.split(np.argsort(unit, kind="stable"), np.cumsum(np.bincount(unit))[:-1])
    strata = [np.flatnonzero(kind == k) for k in np.unique(kind)]
    for _ in range(_REPLICATES):
        chosen = np.concatenate([rng.choice(stratum, len(stratum)) for stratum in strata])
        yield chosen if said.groups is None else np.concatenate([members[u] for u in chosen])


def _kinds(y: Array, unit: Array, classes: int) -> Array:
    """Which classes each unit has rows of (u,), as a number."""
    held = np.zeros((int(unit.max()) + 1, classes), dtype=bool)
    held[unit, y] = True
    return np.unique(held, axis=0, return_inverse=True)[1].ravel()


def _with_mistakes(said: Said, units: int, confidence: float) -> Said:
    """The same answers to rows some of which are now of another class, as many as there may be."""
    best, log_doubt, others = doubts(said, "an interval")
    wrong = float(np.mean(best != said.y))
    share = proportion_interval(wrong * units, units, confidence).high - wrong
    right = np.flatnonzero(best == said.y)
    moved = right[np.argsort(-log_doubt[right], kind="stable")[: ceil(share * len(said))]]
    y = np.array(said.y)
    y[moved] = np.where(others[moved].any(axis=1), others[moved].argmax(axis=1), (y[moved] + 1) % len(said.classes))
    return replace(said, y=y)
