"""From a start downhill, step by step: what all descent methods share, and the record of how it went.

    x_{t+1} = x_t + s_t d_t       a direction d_t, along it a step s_t

It stops

    where the gradient is small:     max_i |g_i| max(|x_i|, 1) <= tol max(1, min(|f|, G))
    where nothing changes:           value and point both by no more than 1e-14 of their size

(after Dennis and Schnabel 1996, section 7.2; G is the largest component of all gradients met, so that neither the
number of rows summed nor a constant in f decides). The second counts as converged if the gradient meets the square root
of tol. It also stops, not converged, where the value falls without bound or rises ten times in a row (a fixed step that
is too long), where no step lowers it, and after max_iter iterations.
"""

from collections.abc import Callable
from dataclasses import dataclass
from typing import NamedTuple, TypeAlias

import numpy as np
from numpy.typing import ArrayLike

from likely.errors import InputError
from likely.numeric.arrays import Floats, in_brief
from likely.optimize.line_search import LineStep, line_search
from likely.optimize.objectives import Expansion, Objective, evaluate

CHANGE = 1e-14  # relative change that counts as none
RISES = 10  # successive steps to a higher value that count as divergence
BOTTOMLESS = 1e30  # times the first value: below minus this, there is no minimum


class Trace(NamedTuple):
    """Every step on the way, the start included.

    >>> import numpy as np
    >>> from likely.optimize import newton
    >>> newton(lambda x: (2 * x**2 - 8 * x + 3, 4 * x - 8, 4.0), 0.0).trace.points.ravel()
    array([0., 2.])
    """

    points: Floats  # (t + 1, d), or (0, d) if they were not kept
    values: Floats  # (t + 1,)  of the objective
    gradient_norms: Floats  # (t + 1,)  largest component
    steps: Floats  # (t,)  factors of the directions


class Way:
    """A trace while it is being made."""

    def __init__(self, x: Floats, value: float, gradient: Floats, keep_points: bool) -> None:
        self.keep_points = keep_points
        self.points, self.values, self.norms = [x], [value], [_largest(gradient)]
        self.steepest = self.norms[0]
        self.steps: list[float] = []

    def note(self, x: Floats, value: float, gradient: Floats, step: float) -> None:
        """Write down where a step has led."""
        self.steps.append(step)
        self.values.append(value)
        self.norms.append(_largest(gradient))
        self.steepest = max(self.steepest, self.norms[-1])
        if self.keep_points:
            self.points.append(x)

    def trace(self) -> Trace:
        """What has been written down."""
        points = np.array(self.points) if self.keep_points else np.empty((0, len(self.points[0])))
        return Trace(points, np.array(self.values), np.array(self.norms), np.array(self.steps))


@dataclass(frozen=True, eq=False)
class Minimum:
    """Where a descent ended: the last point if it converged, the lowest one met if not.

    >>> from likely.optimize.newton import newton
    >>> rest = newton(lambda x: (2 * x**2 - 8 * x + 3, 4 * x - 8, 4.0), 0.0)
    >>> rest.point, rest.value, rest.converged
    (array([2.]), -5.0, True)
    >>> rest.trace.points.ravel()
    array([0., 2.])
    """

    point: Floats  # (d,)  where it ended
    value: float
    gradient: Floats  # (d,)  at the point
    iterations: int
    evaluations: int  # of the objective
    converged: bool
    reason: str  # why it stopped
    trace: Trace  # the way there

    __repr__ = in_brief

    def __str__(self) -> str:
        point = np.array2string(self.point, precision=6, threshold=8)
        words = "converged" if self.converged else "not converged"
        counts = f"{self.iterations} iterations, {self.evaluations} evaluations"
        return f"{self.value:.8g} at {point}; {words} after {counts}: {self.reason}"


class Place(NamedTuple):
    """A point of the way, what is known there, and how it was left."""

    x: Floats
    at: Expansion
    direction: Floats
    step: float


Direct: TypeAlias = Callable[[Floats, Expansion, Place | None], Floats]  # point, what is known there, the place before
Move: TypeAlias = Callable[[Floats, Expansion, Floats, Place | None], LineStep]


def descend(
    objective: Objective,
    start: ArrayLike,
    direct: Direct,
    move: Move,
    tol: float,
    max_iter: int,
    keep_points: bool,
) -> Minimum:
    """Go on in the direction that `direct` gives, as far as `move` says, until a rule above says stop.

    >>> bowl = lambda x: (float(x @ x), 2 * x)
    >>> rest = descend(bowl, [3.0, 4.0], lambda x, at, before: -at.gradient, fixed_step(bowl, 0.25), 1e-8, 100, True)
    >>> rest.converged, rest.trace.values[:3]
    (True, array([25.    ,  6.25  ,  1.5625]))
    """
    x, at = _start(objective, start)
    _check(tol, max_iter)
    way = Way(x, at.value, at.gradient, keep_points)
    evaluations, rises, before = 1, 0, None
    lowest = (x, at)
    while True:
        reason, converged = _rests(x, at, before, tol, way.steepest)
        if reason := reason or _hopeless(way, rises, max_iter):
            break
        direction, found = _moved(x, at, direct(x, at, before), before, move)
        evaluations += found.evaluations
        if not found.found:
            reason = _lost(found)
            break
        before = Place(x, at, direction, found.step)
        rises = rises + 1 if found.there.value > at.value else 0
        x, at = found.point, found.there
        way.note(x, at.value, at.gradient, found.step)
        if at.value <= lowest[1].value:
            lowest = (x, at)
    x, at = (x, at) if converged else lowest
    return Minimum(x, at.value, at.gradient, len(way.steps), evaluations, converged, reason, way.trace())


def searching(objective: Objective, curvature: float | None, unit: bool) -> Move:
    """Steps by line search, trying first 1 where directions know their length (`unit`), else as the last step says."""

    def move(x: Floats, at: Expansion, direction: Floats, before: Place | None) -> LineStep:
        step = 1.0 if unit else _first_step(at, direction, before)
        return line_search(objective, x, direction, here=at, step=step, curvature=curvature)

    return move


def fixed_step(objective: Objective, step: float) -> Move:
    """Steps of one length, whatever comes of it."""
    if not (step > 0 and np.isfinite(step)):
        raise InputError(f"step must be a positive number, got {step!r}")

    def move(x: Floats, at: Expansion, direction: Floats, before: Place | None) -> LineStep:
        with np.errstate(over="ignore", invalid="ignore"):
            point = x + step * direction
        there = evaluate(objective, point)
        return LineStep(step, point, there, 1, there.inside, False)

    return move


def _first_step(at: Expansion, direction: Floats, before: Place | None) -> float:
    """Such that to first order the value falls as much as in the last step; at the start, of length 1."""
    if before is None:
        return 1.0 / float(np.abs(direction).max())
    ratio = before.step * float(before.at.gradient @ before.direction) / float(at.gradient @ direction)
    return float(np.clip(ratio, 1e-3 * before.step, 1e3 * before.step)) if ratio > 0 else before.step


def _moved(x: Floats, at: Expansion, direction: Floats, before: Place | None, move: Move) -> tuple[Floats, LineStep]:
    """A step along the direction, or straight downhill where that one leads nowhere."""
    evaluations = 0
    with np.errstate(over="ignore", invalid="ignore"):
        downhill = bool(float(at.gradient @ direction) < 0)
    if downhill:
        found = move(x, at, direction, before)
        if found.found or np.array_equal(direction, -at.gradient) or not found.there.inside:
            return direction, found
        evaluations = found.evaluations
    found = move(x, at, -at.gradient, None)
    return -at.gradient, found._replace(evaluations=found.evaluations + evaluations)


def _rests(x: Floats, at: Expansion, before: Place | None, tol: float, steepest: float) -> tuple[str, bool]:
    slope = float((np.abs(at.gradient) * np.maximum(np.abs(x), 1.0)).max(initial=0.0))
    slope /= max(1.0, min(abs(at.value), steepest))
    if slope <= tol:
        return "the gradient is small", True
    if before is not None:
        moved = float((np.abs(x - before.x) / np.maximum(np.abs(x), 1.0)).max())
        if moved <= CHANGE and abs(at.value - before.at.value) <= CHANGE * max(abs(at.value), 1.0):
            small = slope <= np.sqrt(tol)
            return "value and point no longer change" + ("" if small else ", but the gradient is not small"), bool(
                small
            )
    return "", False


def _hopeless(way: Way, rises: int, max_iter: int) -> str:
    """Why to give up, if there is a reason."""
    if way.values[-1] < -BOTTOMLESS * max(abs(way.values[0]), 1.0):
        return "the value falls without bound"
    if rises == RISES:
        return f"it diverges: the value has risen {RISES} times in a row; take a shorter step"
    return f"max_iter={max_iter} iterations are done" if len(way.steps) == max_iter else ""


def _lost(found: LineStep) -> str:
    if not found.there.inside:
        return "it diverges: the value is not finite after the last step; take a shorter step"
    return "no step along the direction lowers the value; is the gradient right?"


def _start(objective: Objective, start: ArrayLike) -> tuple[Floats, Expansion]:
    x = np.atleast_1d(np.array(start, dtype=np.float64))
    if x.ndim != 1 or not np.isfinite(x).all():
        raise InputError(f"the start must be a vector of finite numbers, got shape {x.shape}")
    at = evaluate(objective, x)
    if not at.inside:
        raise InputError(f"the objective is not finite at the start {x.tolist()[:5]}; start where it is")
    return x, at


def _check(tol: float, max_iter: int) -> None:
    if not tol >= 0:
        raise InputError(f"tol must be a number of at least 0, got {tol!r}")
    if not max_iter >= 0:
        raise InputError(f"max_iter must be a whole number of at least 0, got {max_iter!r}")


def _largest(gradient: Floats) -> float:
    return float(np.abs(gradient).max(initial=0.0))
