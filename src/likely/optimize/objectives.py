"""Functions to be made small: their value, slope and curvature at a point, which add up over parts of the data.

    f(x) = sum_i f_i(x)      grad f = sum_i grad f_i      H f = sum_i H f_i

An objective takes a point (d,) and gives its value and gradient (d,), and for Newton's method its Hessian (d, d) too:
as a plain tuple or as an Expansion. Where the rows come in chunks, each chunk gives its Expansion and their sum is that
of the whole: an engine's `fold` over them, of a function that holds the point, or `additive` over chunks.

A point where the value or a slope is not finite is outside of the domain: as bad as can be, but no mistake.
"""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any, TypeAlias

import numpy as np
from numpy.typing import ArrayLike

from likely.errors import InputError
from likely.numeric.arrays import Floats, in_brief


@dataclass(frozen=True, eq=False, slots=True)
class Expansion:
    """What is known of a function at a point: value, gradient and perhaps Hessian. They add up.

    >>> one = Expansion(2.0, np.array([1.0, 0.0])) + Expansion(3.0, np.array([0.0, 4.0]))
    >>> one.value, one.gradient
    (5.0, array([1., 4.]))
    >>> one.after([0.5, 0.25])
    6.5
    """

    value: float
    gradient: Floats  # (d,)  first derivatives
    hessian: Floats | None = None  # (d, d)  second derivatives; None: not known

    __repr__ = in_brief

    def __add__(self, other: "Expansion") -> "Expansion":
        both = self.hessian is not None and other.hessian is not None
        hessian = np.add(self.hessian, other.hessian) if both else None  # type: ignore[arg-type]
        return Expansion(self.value + other.value, self.gradient + other.gradient, hessian)

    def __neg__(self) -> "Expansion":
        return Expansion(-self.value, -self.gradient, None if self.hessian is None else -self.hessian)

    def __iter__(self) -> Iterator[Any]:
        yield from (self.value, self.gradient) if self.hessian is None else (self.value, self.gradient, self.hessian)

    @property
    def inside(self) -> bool:
        """Whether all of it is finite."""
        return bool(np.isfinite(self.value) and np.isfinite(self.gradient).all()) and (
            self.hessian is None or bool(np.isfinite(self.hessian).all())
        )

    def after(self, step: ArrayLike) -> float:
        """What Taylor's formula says the value is after a step: to first order, with the Hessian to second."""
        s = np.asarray(step, dtype=np.float64)
        curved = 0.0 if self.hessian is None else 0.5 * float(s @ self.hessian @ s)
        return float(self.value + self.gradient @ s + curved)


Objective: TypeAlias = Callable[[Floats], Any]  # gives an Expansion, or a tuple of what it holds


def additive(parts: Sequence[Objective]) -> Objective:
    """The sum of objectives, one per chunk of the rows.

    >>> squares = [lambda x, y=y: ((x[0] - y) ** 2, np.array([2 * (x[0] - y)])) for y in (1.0, 2.0, 6.0)]
    >>> additive(squares)(np.array([3.0])).value
    14.0
    """
    if not parts:
        raise InputError("a sum needs at least one objective")

    def whole(x: Floats) -> Expansion:
        total = evaluate(parts[0], x)
        for part in parts[1:]:
            total = total + evaluate(part, x)
        return total

    return whole


def negative(objective: Objective) -> Objective:
    """The objective with its sign turned: what makes it small makes the original large (gradient ascent).

    >>> negative(lambda x: (3.0, np.array([1.0])))(np.zeros(1)).value
    -3.0
    """
    return lambda x: -evaluate(objective, x)


def evaluate(objective: Objective, x: Floats) -> Expansion:
    """The objective at a point; overflow on the way there is no warning, for the value says it.

    >>> evaluate(lambda x: (np.exp(x), np.exp(x)), np.array([1e4])).inside
    False
    """
    with np.errstate(over="ignore", invalid="ignore", divide="ignore"):
        try:
            given = objective(x)
        except ArithmeticError:  # of Python's own numbers, which overflow with an error
            return Expansion(np.inf, np.zeros(len(x)))
        if isinstance(given, Expansion):
            return given
        try:
            value, gradient, *rest = given
        except (TypeError, ValueError):
            kind = type(given).__name__
            raise InputError(
                f"an objective gives (value, gradient) or (value, gradient, Hessian), got {kind}"
            ) from None
        slope = np.asarray(gradient, dtype=np.float64)
        height = np.asarray(value, dtype=np.float64)
        if height.size != 1 or slope.size != len(x):
            raise InputError(
                f"at a point of {len(x)} numbers an objective gives one value and a gradient of as many; "
                f"got shapes {height.shape} and {slope.shape}"
            )
        hessian = np.asarray(rest[0], dtype=np.float64) if rest else None
        if hessian is not None:
            if hessian.size != len(x) ** 2:
                raise InputError(f"the Hessian must have shape ({len(x)}, {len(x)}), got {hessian.shape}")
            hessian = hessian.reshape(len(x), len(x))
        return Expansion(float(height.reshape(-1)[0]), slope.reshape(-1), hessian)
