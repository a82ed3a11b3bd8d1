"""The worlds that named variables span: every combination of one value of each.

    |worlds| = prod_j |values of variable j|

A world is a tuple of values in the order of the variables; an array over the worlds has one axis a variable.
"""

from collections import Counter
from collections.abc import Hashable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import product
from math import prod
from typing import Any, Self, TypeAlias

import numpy as np

from likely.data.inputs import suggest
from likely.errors import InputError, InputTypeError
from likely.numeric.arrays import Array
from likely.statistics.counting.categories import union_of

Names: TypeAlias = tuple[str, ...]
World: TypeAlias = tuple[Hashable, ...]
_MOST_CELLS = 2**26  # half a gigabyte of numbers; beyond it a table is almost surely a mistake
_MOST_VARIABLES = 32  # with two values each, more would not fit anyway
_SHOWN = 8  # values that a message lists


@dataclass(frozen=True)
class SampleSpace:
    """A sample space: variables and the values of each.

    >>> two = SampleSpace.of({"coin": ["head", "tail"], "die": range(1, 7)})
    >>> two.size, two.shape
    (12, (2, 6))
    >>> next(iter(two))
    ('head', 1)
    """

    names: Names
    levels: tuple[World, ...]  # per variable, its values

    @classmethod
    def of(cls, levels: Mapping[str, Iterable[Any]]) -> Self:
        """Variables with their values, checked: names are texts, values are distinct and not NaN."""
        if not isinstance(levels, Mapping):
            raise InputTypeError(
                f"give the values by the variables' names, {{'coin': ['head', 'tail']}}, got {levels!r}"
            )
        found = {check_name(name): _levels(name, values) for name, values in levels.items()}
        if len(found) > _MOST_VARIABLES:
            raise InputError(f"{len(found)} variables are more than a table can have ({_MOST_VARIABLES}); choose fewer")
        cells = prod(map(len, found.values()))
        if cells > _MOST_CELLS:
            sizes = ", ".join(f"{name} ({len(values)} values)" for name, values in found.items())
            raise InputError(
                f"a table of {sizes} would have {cells:,} cells; choose fewer variables, or put values together first"
            )
        return cls(tuple(found), tuple(found.values()))

    @property
    def shape(self) -> tuple[int, ...]:
        """How many values each variable takes."""
        return tuple(len(values) for values in self.levels)

    @property
    def size(self) -> int:
        """How many worlds there are."""
        return prod(self.shape)

    def __iter__(self) -> Iterator[World]:
        return product(*self.levels)

    def axis(self, name: object) -> int:
        """Which variable a name is."""
        if isinstance(name, str) and name in self.names:
            return self.names.index(name)
        known = ", ".join(repr(known) for known in self.names) or "none"
        raise InputError(f"there is no variable {name!r}{suggest(name, self.names) or '.'} The variables are {known}.")

    def axes(self, names: Iterable[object]) -> tuple[int, ...]:
        """Which variables the names are, each named once."""
        found = tuple(self.axis(name) for name in names)
        if len(set(found)) < len(found):
            twice = next(self.names[axis] for axis in found if found.count(axis) > 1)
            raise InputError(f"the variable {twice!r} is named twice; name it once")
        return found

    def place(self, name: str, value: object) -> int:
        """Which of a variable's values this is."""
        axis = self.axis(name)
        if self.has(name, value):
            return self._places[axis][value]
        levels = self.levels[axis]
        shown = ", ".join(repr(level) for level in levels[:_SHOWN]) + (", ..." if len(levels) > _SHOWN else "")
        raise InputError(f"{name} has no value {value!r}{suggest(value, levels) or '.'} Its values are {shown}.")

    @cached_property
    def _places(self) -> tuple[dict[Hashable, int], ...]:
        return tuple({value: place for place, value in enumerate(values)} for values in self.levels)

    def has(self, name: str, value: object) -> bool:
        """Whether a variable has this value."""
        return is_value(value) and value in self._places[self.axis(name)]

    def values(self, name: str) -> Array:
        """The variable's value in every world, as objects along its own axis."""
        axis = self.axis(name)
        return self.along(axis, np.fromiter(self.levels[axis], dtype=object, count=len(self.levels[axis])))

    def along(self, axis: int, entries: Array) -> Array:
        """Entries for the values of one variable, laid along its axis."""
        shape = [1] * len(self.names)
        shape[axis] = len(entries)
        return entries.reshape(shape)

    def of_names(self, names: Iterable[str]) -> Self:
        """The space of some of the variables."""
        axes = self.axes(names)
        return type(self)(tuple(self.names[a] for a in axes), tuple(self.levels[a] for a in axes))

    def union(self, other: Self) -> Self:
        """The same variables with the values of both: in this order, or sorted where the other has more."""
        levels = {
            name: mine if set(others) <= set(mine) else union_of(mine, others)
            for name, mine, others in zip(self.names, self.levels, other.levels, strict=True)
        }
        return self.of(levels)

    def placed(self, part: Self, entries: Array) -> Array:
        """Entries over a space of some of these values, in an array over this one that is zero elsewhere."""
        whole = np.zeros(self.shape, dtype=entries.dtype)
        places = [[self.place(name, v) for v in values] for name, values in zip(part.names, part.levels, strict=True)]
        whole[np.ix_(*places)] = entries
        return whole

    def with_variable(self, name: str, values: Sequence[Any]) -> Self:
        """One variable more, the last."""
        if name in self.names:
            raise InputError(f"there is a variable {name!r} already; choose another name")
        return self.of({**dict(zip(self.names, self.levels, strict=True)), name: values})


def is_value(value: object) -> bool:
    """Whether something can be a value of a variable: hashable, and equal to itself (NaN is not)."""
    try:
        hash(value)
        return bool(value == value)
    except (TypeError, ValueError):
        return False


def check_name(name: object) -> str:
    """The name of a variable, refused where it is no text."""
    if not isinstance(name, str) or not name:
        raise InputTypeError(f"the name of a variable must be a text, got {name!r}")
    return name


def _levels(name: str, values: Iterable[Any]) -> World:
    if isinstance(values, str) or not isinstance(values, Iterable):
        raise InputTypeError(f"give the values of {name} as a list, got {values!r}")
    found = tuple(value.item() if isinstance(value, np.generic) else value for value in values)
    if not found:
        raise InputError(f"{name} has no values; give at least one")
    for value in found:
        if not is_value(value):
            raise InputError(f"{name}: {value!r} cannot be a value; use texts, numbers or truth values")
    if len(set(found)) < len(found):
        twice = next(value for value, times in Counter(found).items() if times > 1)
        raise InputError(f"{name} has the value {twice!r} twice; values must be distinct (and True equals 1)")
    return found
