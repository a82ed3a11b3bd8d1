"""Checks of functions that claim a slope or convexity, and the straight line that touches them.

    central difference   (f(x + h) - f(x - h)) / 2h, error of order h^2; two of them, at h and h / 4, cancel it
    Taylor               f(x) ~ f(a) + grad f(a)'(x - a) [ + (x - a)'H(x - a) / 2 ]
    convexity            f(t a + (1 - t) b) <= t f(a) + (1 - t) f(b): no chord lies below the graph

Too long a step h errs by the curvature, too short a one by rounding; so steps from 1e-1 to 1e-7 of the size of x are
all tried, coordinate by coordinate, and the one whose own estimate of its error is least is taken.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from likely.errors import InputError
from likely.numeric.arrays import Floats, Ints, in_brief
from likely.numeric.random_state import Seed, as_generator
from likely.optimize.objectives import Expansion

_STEPS = 0.1 * 4.0 ** -np.arange(11)  # of max(|x|, 1); the last is 1e-7
_EPSILON = float(np.finfo(np.float64).eps)


@dataclass(frozen=True, eq=False)
class GradientCheck:
    """A gradient beside what differences of the function say it is."""

    given: Floats  # (c,)  of the coordinates that were checked
    numerical: Floats  # (c,)  the same by differences
    error: Floats  # (c,)  how far the numerical one may be off
    coordinates: Ints  # (c,)  which were checked
    wrong: tuple[int, ...]  # coordinates that disagree

    __repr__ = in_brief

    @property
    def agrees(self) -> bool:
        """Whether no coordinate is off."""
        return not self.wrong

    def __str__(self) -> str:
        if self.agrees:
            apart = float(np.abs(self.given - self.numerical).max(initial=0.0))
            return f"the gradient agrees with differences in {len(self.given)} coordinates (within {apart:.1e})"
        place = int(np.flatnonzero(self.coordinates == self.wrong[0])[0])
        more = f", and {len(self.wrong) - 1} more" if len(self.wrong) > 1 else ""
        said, is_ = self.given[place], self.numerical[place]
        return f"coordinate {self.wrong[0]} is off: the gradient says {said:.6g}, differences {is_:.6g}{more}"


@dataclass(frozen=True, eq=False)
class ConvexityCheck:
    """What chords between points of a box say."""

    chords: int
    excess: float  # the most by which the graph rose above a chord; 0 if never
    ends: tuple[Floats, Floats] | None  # of that chord

    __repr__ = in_brief

    @property
    def convex(self) -> bool:
        """Whether no chord was found below the graph, which does not prove that there is none."""
        return self.ends is None

    def __str__(self) -> str:
        if self.ends is None:
            return f"no chord of {self.chords} lies below the graph"
        a, b = (np.array2string(end, precision=4, threshold=6) for end in self.ends)
        return f"not convex: the chord from {a} to {b} lies below the graph"


def gradient_check(
    f: Callable[[Floats], Any],
    gradient: Callable[[Floats], Any],
    at: ArrayLike,
    *,
    tolerance: float = 1e-6,
    coordinates: Sequence[int] | None = None,
) -> GradientCheck:
    """Hold a gradient against central differences; a slope may be off by `tolerance` of it.

    Parameters
    ----------
    coordinates : places of the numbers whose slopes are checked; None: all

    >>> print(gradient_check(lambda x: x[0] ** 2 * x[1], lambda x: [2 * x[0] * x[1], x[0]], [3.0, 2.0]))
    coordinate 1 is off: the gradient says 3, differences 9
    >>> gradient_check(lambda x: x[0] ** 2 * x[1], lambda x: [2 * x[0] * x[1], x[0] ** 2], [3.0, 2.0]).agrees
    True
    """
    x = np.atleast_1d(np.asarray(at, dtype=np.float64))
    slope = np.asarray(gradient(x), dtype=np.float64).reshape(-1)
    if slope.shape != x.shape:
        raise InputError(f"a point of {len(x)} numbers has a gradient of as many, got {slope.shape[0]}")
    chosen = np.arange(len(x)) if coordinates is None else np.asarray(coordinates, dtype=np.int64)
    found, error = numerical_gradient(f, x, chosen)
    given = slope[chosen]
    off = ~(np.abs(given - found) <= tolerance * np.abs(found) + 10 * error)
    return GradientCheck(given, found, error, chosen, tuple(chosen[off].tolist()))


def numerical_gradient(
    f: Callable[[Floats], Any], at: ArrayLike, coordinates: Ints | None = None
) -> tuple[Floats, Floats]:
    """The slopes of a function by central differences, and how far each may be off.

    Parameters
    ----------
    coordinates : places of the numbers whose slopes are asked for; None: all

    >>> slope, error = numerical_gradient(lambda x: np.exp(x[0]) * x[1], [1.0, 2.0])
    >>> np.allclose(slope, [2 * np.e, np.e], rtol=1e-9), bool(error.max() < 1e-8)
    (True, True)
    """
    x = np.atleast_1d(np.asarray(at, dtype=np.float64))
    chosen = np.arange(len(x)) if coordinates is None else coordinates
    pairs = [_slope(f, x, int(i)) for i in chosen]
    return np.array([slope for slope, _ in pairs]), np.array([error for _, error in pairs])


def taylor(
    f: Callable[[Floats], Any],
    gradient: Callable[[Floats], Any],
    at: ArrayLike,
    hessian: Callable[[Floats], Any] | None = None,
) -> Callable[[Any], float]:
    """The function that touches f at a point: linear, or with the Hessian quadratic.

    >>> line = taylor(lambda x: np.log1p(np.exp(x[0])), lambda x: 1 / (1 + np.exp(-x)), 0.5)
    >>> round(line(0.6), 6)
    1.036323
    """
    a = np.atleast_1d(np.asarray(at, dtype=np.float64))
    curved = None if hessian is None else np.asarray(hessian(a), dtype=np.float64).reshape(len(a), len(a))
    known = Expansion(_number(f(a)), np.asarray(gradient(a), dtype=np.float64).reshape(len(a)), curved)
    return lambda x: known.after(np.atleast_1d(np.asarray(x, dtype=np.float64)) - a)


def convexity_check(
    f: Callable[[Floats], Any], low: ArrayLike, high: ArrayLike, *, chords: int = 1000, random_state: Seed = 0
) -> ConvexityCheck:
    """Look for a chord below the graph in a box, from corner `low` to corner `high`: long ones and short ones.

    >>> convexity_check(lambda x: np.log1p(np.exp(x[0])), -5.0, 5.0).convex
    True
    >>> print(convexity_check(lambda x: np.cos(x[0]), -1.0, 9.0, chords=50))  # doctest: +ELLIPSIS
    not convex: the chord from [...] to [...] lies below the graph
    """
    bottom, top = (np.atleast_1d(np.asarray(end, dtype=np.float64)) for end in (low, high))
    if bottom.shape != top.shape or not np.all(bottom < top) or not np.isfinite(top - bottom).all():
        raise InputError("low and high must be corners of a box: as many finite numbers, each low below its high")
    rng = as_generator(random_state)
    a = rng.uniform(bottom, top, (chords, len(bottom)))
    far = rng.uniform(bottom, top, a.shape)
    b = a + (far - a) * 10.0 ** rng.uniform(-2, 0, (chords, 1))
    share = rng.uniform(0.1, 0.9, chords)
    between = share[:, None] * a + (1 - share)[:, None] * b
    left, right, middle = (np.array([_number(f(x)) for x in points]) for points in (a, b, between))
    unknown = np.flatnonzero(np.isnan(left) | np.isnan(right) | np.isnan(middle))
    if len(unknown):
        raise InputError(f"the function is not a number between {a[unknown[0]].tolist()} and {b[unknown[0]].tolist()}")
    below = np.flatnonzero((left < np.inf) & (right < np.inf))  # other chords are above everything
    if not len(below):
        return ConvexityCheck(chords, 0.0, None)
    excess = middle[below] - (share * left + (1 - share) * right)[below]
    largest = np.abs([left[below], right[below]]).max()  # sums that cancel are as noisy as their largest values
    worst = int(excess.argmax())
    if not excess[worst] > 1e-12 * largest:
        return ConvexityCheck(chords, 0.0, None)
    return ConvexityCheck(chords, float(excess[worst]), (a[below[worst]], b[below[worst]]))


def _slope(f: Callable[[Floats], Any], x: Floats, i: int) -> tuple[float, float]:
    """The slope in coordinate i and its error, from steps of the size of 1 or, if they are too long, of x."""
    size = abs(float(x[i]))
    found = _difference(f, x, i, max(size, 1.0))
    if 0 < size < 1 and not found[1] <= 1e-6 * abs(found[0]):
        closer = _difference(f, x, i, size)
        found = closer if not found[1] <= closer[1] else found
    if not np.isfinite(found[1]):
        raise InputError(f"the function is not finite around the point, in coordinate {i}")
    return found


def _difference(f: Callable[[Floats], Any], x: Floats, i: int, size: float) -> tuple[float, float]:
    h = _STEPS * size
    above, below = np.empty(len(h)), np.empty(len(h))
    for j, step in enumerate(h):
        up, down = x.copy(), x.copy()
        up[i] += step
        down[i] -= step
        h[j] = 0.5 * (up[i] - down[i])  # what rounding made of the step
        with np.errstate(all="ignore"):
            above[j], below[j] = _number(f(up)), _number(f(down))
    with np.errstate(all="ignore"):
        plain = (above - below) / (2 * h)
        better = (16 * plain[1:] - plain[:-1]) / 15
        rounding = 4 * _EPSILON * (np.abs(above) + np.abs(below))[1:] / h[1:]
        error = np.abs(better - plain[1:]) + rounding
    error = np.where(np.isfinite(error), error, np.inf)
    best = int(error.argmin())
    return float(better[best]), float(error[best])


def _number(value: ArrayLike) -> float:
    height = np.asarray(value, dtype=np.float64)
    if height.size != 1:
        raise InputError(f"the function must give one number, got shape {height.shape}")
    return float(height.reshape(-1)[0])
