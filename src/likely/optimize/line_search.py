"""How far to go along a direction: a step that lowers the value enough and leaves the slope flat enough.

    decrease    f(x + t d) <= f(x) + c1 t g'd            (Armijo)
    curvature   |g(x + t d)'d| <= c2 |g'd|               (with the first: the strong conditions of Wolfe)

A bracket [low, high] is kept with a good step in it: at `low` the value is low enough and still falls, at `high` it is
too high, rises, or is not finite. New steps come from the cubic through both ends, held away from them.
Where the values differ by no more than rounding, slopes decide instead (Hager and Zhang, SIAM J. Optim. 16, 2005), so a
search does not fail near the minimum.
"""

from typing import NamedTuple

import numpy as np
from numpy.typing import ArrayLike

from likely.errors import InputError
from likely.numeric.arrays import Floats
from likely.optimize.objectives import Expansion, Objective, evaluate

_LONGEST = 1e250


class LineStep(NamedTuple):
    """The step that was found, and what is known of the objective there."""

    step: float  # the factor of the direction
    point: Floats  # (d,)  where the step leads
    there: Expansion  # value and gradient at the point
    evaluations: int  # of the objective
    found: bool  # False: no step tried lowers the value
    flat: bool  # the slope is as flat as was asked for


def line_search(
    objective: Objective,
    point: ArrayLike,
    direction: ArrayLike,
    *,
    here: Expansion | None = None,
    step: float = 1.0,
    decrease: float = 1e-4,
    curvature: float | None = 0.9,
    rounding: float = 1e-10,
    max_evaluations: int = 60,
) -> LineStep:
    """A step along a direction in which the value falls; `curvature=None` asks for the decrease alone.

    `here` spares evaluating the objective at the point. `step` is tried first. Values that differ by no more than
    `rounding` of max(|f|, 1) are equal: sums that cancel make values noisier than their size tells.

    Parameters
    ----------
    point : where the line begins (d,)
    decrease : the least share of the fall that the slope promises (Armijo)
    curvature : the share of the slope at the beginning that may be left (Wolfe); None: any
    max_evaluations : the most evaluations of the objective

    >>> bowl = lambda x: (float(x @ x), 2 * x)
    >>> found = line_search(bowl, [3.0, 4.0], [-6.0, -8.0])
    >>> found.step, found.there.value, found.evaluations
    (0.5, 0.0, 3)
    """
    x, d = np.atleast_1d(np.asarray(point, dtype=np.float64)), np.atleast_1d(np.asarray(direction, dtype=np.float64))
    known = here is not None
    start = evaluate(objective, x) if here is None else here
    slope = float(start.gradient @ d)
    if not slope < 0:
        raise InputError(f"the value does not fall along this direction: its slope is {slope:g}; turn the direction")
    if not 0 < decrease < (1 if curvature is None else curvature) or (curvature is not None and curvature >= 1):
        raise InputError(f"need 0 < decrease < curvature < 1, got {decrease!r} and {curvature!r}")
    slack, flat = rounding * max(abs(start.value), 1.0), 0.9 if curvature is None else curvature
    low, at_low, slope_low = 0.0, start, slope
    high, at_high, slope_high = np.inf, start, np.nan
    t, count = float(step), 0 if known else 1
    while count < max_evaluations:
        there, count = evaluate(objective, x + t * d), count + 1
        inside = there.inside
        slope_t = float(there.gradient @ d) if inside else np.nan
        lower = inside and there.value < start.value and there.value <= start.value + decrease * t * slope
        level = inside and there.value <= start.value + slack and slope_t <= (2 * decrease - 1) * slope
        if not (lower or level) or there.value > at_low.value + slack:
            high, at_high, slope_high = t, there, slope_t
        elif abs(slope_t) <= -flat * slope or (curvature is None and lower):
            return LineStep(t, x + t * d, there, count, True, True)
        elif slope_t > 0:
            high, at_high, slope_high = t, there, slope_t
        else:
            low, at_low, slope_low = t, there, slope_t
        if (high < np.inf and high - low <= 1e-15 * high) or t > _LONGEST:
            break
        t = _next(low, at_low.value, slope_low, high, at_high.value, slope_high, slack)
    return LineStep(low, x + low * d, at_low, count, at_low.value < start.value, False)


def _next(
    low: float, f_low: float, slope_low: float, high: float, f_high: float, slope_high: float, slack: float
) -> float:
    if np.isinf(high):  # still falling: go further
        return 4 * low
    width = high - low
    if not np.isfinite(f_high) or not np.isfinite(slope_high):  # outside of the domain: come back quickly
        return low + 0.2 * width
    if abs(f_high - f_low) <= slack and slope_high > 0:  # values cannot tell: where the slopes say it is level
        return low + width * float(np.clip(slope_low / (slope_low - slope_high), 0.05, 0.95))
    # The minimum of the cubic with these values and slopes (Nocedal and Wright 2006, eq. 3.59).
    with np.errstate(over="ignore", invalid="ignore", divide="ignore"):
        bend = slope_low + slope_high - 3 * (f_high - f_low) / width
        inner = bend * bend - slope_low * slope_high
        root = np.sqrt(inner) if inner >= 0 else np.nan
        share = 1 - (slope_high + root - bend) / (slope_high - slope_low + 2 * root)
    return low + width * (float(np.clip(share, 0.05, 0.95)) if np.isfinite(share) else 0.5)
