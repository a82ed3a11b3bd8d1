"""Events: what may hold in a world, written as it is said.

    V("cavity") & ~V("toothache")              a variable of truth values is an event itself
    (V("weather") == "sun") | V("weather").isin(["rain", "snow"])
    V("first") + V("second") >= 10             comparisons of values, and of sums, differences, products of them

An event knows nothing of probabilities. Over the variables of a table it becomes a mask: true in the worlds where it
holds. Python's `and`, `or` and `not` cannot be overloaded, so events are joined with `&`, `|` and `~`, in parentheses.
"""

import operator
from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from keyword import iskeyword
from typing import Any, NoReturn

import numpy as np

from likely.errors import InputError, InputTypeError
from likely.numeric.arrays import Array
from likely.probability.events.sample_space import SampleSpace

_COMPARISONS: dict[str, Callable[[Any, Any], Any]] = {
    "==": operator.eq,
    "!=": operator.ne,
    "<": operator.lt,
    "<=": operator.le,
    ">": operator.gt,
    ">=": operator.ge,
}
_ARITHMETIC: dict[str, Callable[[Any, Any], Any]] = {
    "+": operator.add,
    "-": operator.sub,
    "*": operator.mul,
    "/": operator.truediv,
    "//": operator.floordiv,
    "%": operator.mod,
}
_MOST_WHOLE = 2**62
_JOIN = "join events with & (and), | (or) and ~ (not), each comparison in parentheses: (V('a') == 1) & ~(V('b') > 2)"


class ImpossibleEvent(InputError):
    """A condition that has probability zero: nothing can be said given it.

    >>> from likely.probability import Joint
    >>> try:
    ...     Joint({"sun": 0.9, "rain": 0.1}, "sky").p(sky="sun", given="sky == sun and sky == rain")
    ... except ImpossibleEvent as error:
    ...     print(error)
    the condition sky == 'sun' and sky == 'rain' has probability zero, so nothing can be said given it
    """


class Event(ABC):
    """What holds in some worlds and not in others; made with `V`, joined with `&`, `|` and `~`.

    >>> high: Event = (V("first") + V("second") > 10) & ~V("cheat")
    >>> print(high)
    first + second > 10 and not cheat
    >>> sorted(high.names())
    ['cheat', 'first', 'second']
    """

    def names(self) -> frozenset[str]:
        """The variables that the event speaks of."""
        return _spoken_of(self)

    @abstractmethod
    def mask(self, space: SampleSpace) -> Array:
        """Truth values over the worlds, of length one along the variables that the event does not speak of."""

    def __and__(self, other: "Event") -> "Event":
        return Every((self, _joined(other)))

    def __or__(self, other: "Event") -> "Event":
        return Some((self, _joined(other)))

    def __invert__(self) -> "Event":
        return Not(self)

    def __rand__(self, other: object) -> NoReturn:
        raise InputTypeError(f"{other!r} is not an event; {_JOIN}")

    __ror__ = __rand__

    def __bool__(self) -> bool:
        raise InputTypeError(f"whether an event holds depends on the world; {_JOIN}")


class Quantity(ABC):
    """A value in every world: a variable, or what is computed from several."""

    @abstractmethod
    def values(self, space: SampleSpace) -> Array:
        """The values over the worlds, numbers or objects, of length one along the variables that do not matter."""

    def isin(self, values: Iterable[Any]) -> Event:
        """The event that the value is one of these.

        >>> str(V("die").isin([2, 4, 6]))
        'die in {2, 4, 6}'
        """
        if isinstance(values, str) or not isinstance(values, Iterable):
            raise InputTypeError(f"isin takes a list or a set of values, got {values!r}; for one value use ==")
        return Within(self, tuple(values))

    def __eq__(self, other: object) -> Event:  # type: ignore[override]
        return Compared("==", self, quantity(other))

    def __ne__(self, other: object) -> Event:  # type: ignore[override]
        return Compared("!=", self, quantity(other))

    __hash__ = None  # type: ignore[assignment]

    def __lt__(self, other: object) -> Event:
        return Compared("<", self, quantity(other))

    def __le__(self, other: object) -> Event:
        return Compared("<=", self, quantity(other))

    def __gt__(self, other: object) -> Event:
        return Compared(">", self, quantity(other))

    def __ge__(self, other: object) -> Event:
        return Compared(">=", self, quantity(other))

    def __add__(self, other: object) -> "Quantity":
        return Computed("+", self, quantity(other))

    def __radd__(self, other: object) -> "Quantity":
        return Computed("+", quantity(other), self)

    def __sub__(self, other: object) -> "Quantity":
        return Computed("-", self, quantity(other))

    def __rsub__(self, other: object) -> "Quantity":
        return Computed("-", quantity(other), self)

    def __mul__(self, other: object) -> "Quantity":
        return Computed("*", self, quantity(other))

    def __rmul__(self, other: object) -> "Quantity":
        return Computed("*", quantity(other), self)

    def __truediv__(self, other: object) -> "Quantity":
        return Computed("/", self, quantity(other))

    def __rtruediv__(self, other: object) -> "Quantity":
        return Computed("/", quantity(other), self)

    def __floordiv__(self, other: object) -> "Quantity":
        return Computed("//", self, quantity(other))

    def __mod__(self, other: object) -> "Quantity":
        return Computed("%", self, quantity(other))


@dataclass(frozen=True, eq=False, repr=False)
class V(Quantity, Event):
    """A variable by its name: its value in a world, and, where its values are true and false, an event.

    >>> print((V("cavity") == True) & ~V("weather").isin(["sun", "rain"]))
    cavity == True and not weather in {'sun', 'rain'}
    >>> print((V("first") + V("second") == 7) | V("cheat"))
    first + second == 7 or cheat
    """

    name: str  # of the variable

    def values(self, space: SampleSpace) -> Array:
        return space.values(self.name)

    def mask(self, space: SampleSpace) -> Array:
        axis = space.axis(self.name)
        levels = space.levels[axis]
        if not set(levels) <= {False, True}:
            raise InputError(
                f"{self.name} alone is no event, for its values are not true and false. Say which one, for instance "
                f"{self.name} == {levels[0]!r}."
            )
        return space.along(axis, np.array([bool(level) for level in levels]))

    def __repr__(self) -> str:
        return f"V({self.name!r})"

    def __str__(self) -> str:
        return self.name if self.name.isidentifier() and not iskeyword(self.name) else f"`{self.name}`"


@dataclass(frozen=True, eq=False)
class Constant(Quantity):
    """The same value in every world."""

    value: Any

    def values(self, space: SampleSpace) -> Array:
        one = np.empty((1,) * len(space.names), dtype=object)
        one[(0,) * len(space.names)] = self.value
        return one

    def __str__(self) -> str:
        return repr(self.value)


@dataclass(frozen=True, eq=False)
class Computed(Quantity):
    """A sum, difference, product, quotient or remainder of two quantities that are numbers."""

    symbol: str
    left: Quantity
    right: Quantity

    def values(self, space: SampleSpace) -> Array:
        left, right = (_numbers(side, space) for side in (self.left, self.right))
        if left.dtype.kind == right.dtype.kind == "i" and _largest(left) * _largest(right) >= _MOST_WHOLE:
            left = left.astype(np.float64)  # integers would overflow without a word
        try:
            with np.errstate(divide="raise", invalid="raise", over="raise"):
                return np.asarray(_ARITHMETIC[self.symbol](left, right))
        except FloatingPointError:
            raise InputError(f"{self} has no value in some world, or one too large; leave such values out") from None

    def __str__(self) -> str:
        return f"{_inner(self.left)} {self.symbol} {_inner(self.right)}"


@dataclass(frozen=True, eq=False)
class Compared(Event):
    """That two quantities compare so."""

    symbol: str
    left: Quantity
    right: Quantity

    def mask(self, space: SampleSpace) -> Array:
        if self.symbol in ("==", "!="):
            for one, other in ((self.left, self.right), (self.right, self.left)):
                if isinstance(one, V) and isinstance(other, Constant):  # a value it cannot have is a slip of the pen
                    equal = Within(one, (other.value,)).mask(space)
                    return equal if self.symbol == "==" else ~equal
        left, right = self.left.values(space), self.right.values(space)
        try:
            return np.asarray(_COMPARISONS[self.symbol](left, right), dtype=bool)
        except (TypeError, ValueError):
            raise InputError(f"{self}: these values have no order; compare numbers with numbers, or use ==") from None

    def __str__(self) -> str:
        return f"{self.left} {self.symbol} {self.right}"


@dataclass(frozen=True, eq=False)
class Within(Event):
    """That a quantity has one of some values."""

    quantity: Quantity
    allowed: tuple[Any, ...]

    def mask(self, space: SampleSpace) -> Array:
        if isinstance(self.quantity, V):
            axis = space.axis(self.quantity.name)
            found = np.zeros(space.shape[axis], dtype=bool)
            found[[space.place(self.quantity.name, value) for value in self.allowed]] = True
            return space.along(axis, found)
        values = self.quantity.values(space)
        if values.dtype.kind in "if":
            return np.isin(values, [value for value in self.allowed if isinstance(value, int | float)])
        allowed = set(self.allowed)
        return np.fromiter((v in allowed for v in values.flat), dtype=bool, count=values.size).reshape(values.shape)

    def __str__(self) -> str:
        return f"{self.quantity} in {{{', '.join(map(repr, self.allowed))}}}"


@dataclass(frozen=True, eq=False)
class Every(Event):
    """That all of some events hold; with none of them, that anything does."""

    parts: tuple[Event, ...]

    def mask(self, space: SampleSpace) -> Array:
        mask = np.ones((1,) * len(space.names), dtype=bool)
        for part in self.parts:
            mask = mask & part.mask(space)
        return mask

    def __str__(self) -> str:
        return " and ".join(f"({part})" if isinstance(part, Some) else str(part) for part in self.parts) or "True"


@dataclass(frozen=True, eq=False)
class Some(Event):
    """That at least one of some events holds; with none of them, the impossible event."""

    parts: tuple[Event, ...]

    def mask(self, space: SampleSpace) -> Array:
        mask = np.zeros((1,) * len(space.names), dtype=bool)
        for part in self.parts:
            mask = mask | part.mask(space)
        return mask

    def __str__(self) -> str:
        return " or ".join(map(str, self.parts)) or "False"


@dataclass(frozen=True, eq=False)
class Not(Event):
    """That an event does not hold."""

    part: Event

    def mask(self, space: SampleSpace) -> Array:
        return ~self.part.mask(space)

    def __str__(self) -> str:
        return f"not ({self.part})" if isinstance(self.part, Every | Some) else f"not {self.part}"


def quantity(value: object) -> Quantity:
    """A quantity as it is; anything else as a constant."""
    if isinstance(value, Quantity):
        return value
    if isinstance(value, Event):
        raise InputTypeError(f"the event {value} is compared as if it were a value; {_JOIN}")
    return Constant(value)


def _spoken_of(part: object) -> frozenset[str]:
    """The names in an event or a quantity, found through its fields."""
    if isinstance(part, V):
        return frozenset((part.name,))
    if isinstance(part, tuple):
        return frozenset().union(*map(_spoken_of, part))
    if isinstance(part, Constant) or not isinstance(part, Event | Quantity):
        return frozenset()
    return frozenset().union(*map(_spoken_of, vars(part).values()))


def _joined(other: object) -> Event:
    if not isinstance(other, Event):
        raise InputTypeError(f"{other!r} is not an event; {_JOIN}")
    return other


def _numbers(side: Quantity, space: SampleSpace) -> Array:
    """The values as integers, or as floating-point numbers where they are not whole."""
    values = side.values(space)
    if values.dtype.kind in "if":
        return values
    for value in values.flat:
        if not isinstance(value, int | float):
            raise InputError(f"{side} has the value {value!r}, with which one cannot calculate; give it numbers")
    whole = all(isinstance(value, int) and abs(value) < _MOST_WHOLE for value in values.flat)
    return values.astype(np.int64 if whole else np.float64)


def _largest(values: Array) -> int:
    return int(np.abs(values).max()) + 1


def _inner(side: Quantity) -> str:
    return f"({side})" if isinstance(side, Computed) else str(side)
