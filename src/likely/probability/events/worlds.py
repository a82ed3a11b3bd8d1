"""What is true or has a value in every world, from any form that a user may give it."""

from collections.abc import Callable, Mapping
from inspect import signature
from itertools import product
from math import fsum, isfinite
from numbers import Real
from typing import TYPE_CHECKING, Any, TypeAlias

import numpy as np

from likely.errors import InputError, InputTypeError
from likely.numeric.arrays import Array, Floats, Ints
from likely.probability.events.event import Event, Quantity
from likely.probability.events.expressions import read_quantity
from likely.probability.events.sample_space import SampleSpace
from likely.statistics.counting.categories import sort_key

if TYPE_CHECKING:
    import polars

OfWorlds: TypeAlias = str | Quantity | Event | Mapping[Any, Any] | Callable[..., Any]


class _Absent:
    """No value was given for this world."""

    def __repr__(self) -> str:
        return "nothing"


def over_worlds(of: OfWorlds, space: SampleSpace) -> Array:
    """The value in every world, of length one along the variables that do not matter; truth values for an event.

    >>> space = SampleSpace.of({"x": [1, 2], "y": [10, 20, 30]})
    >>> over_worlds("x + y > 21", space).tolist()
    [[False, False, True], [False, True, True]]
    >>> over_worlds(lambda y: y / 10, space).tolist()
    [[1.0, 2.0, 3.0]]
    """
    if isinstance(of, str):
        of = read_quantity(of, space)
    if isinstance(of, Quantity):  # a variable of truth values is both, and its values are what is asked for
        return of.values(space)
    if isinstance(of, Event):
        return of.mask(space)
    if isinstance(of, Mapping):
        return _of_mapping(of, space)
    if callable(of):
        return _of_function(of, space)
    raise InputTypeError(f"give a variable, an expression, numbers by world or a function, got {of!r}")


def numbers(values: Array, of: OfWorlds) -> Floats:
    """The values as finite numbers."""
    if values.dtype.kind != "O":
        return values.astype(np.float64)
    for value in values.flat:
        if isinstance(value, _Absent):
            raise InputError("some possible world has no number; give one for each world of the table")
        if not isinstance(value, Real | np.bool) or not isfinite(value):
            raise InputError(
                f"{of if isinstance(of, str) else 'a value'} is not a finite number in some world: {value!r}"
            )
    return values.astype(np.float64)


def weighted(p: Floats, value: Floats) -> float:
    """The sum of p times value."""
    return fsum((p * value).tolist())


def distinct(values: Array, mass: Array) -> tuple[Ints, tuple[Any, ...]]:
    """The place of every world's value among the different ones, and these: sorted; true before false for an event."""
    if values.dtype == bool:
        return np.where(np.broadcast_to(values, mass.shape), 0, 1), (True, False)
    if values.dtype.kind in "if":
        numbers, places = np.unique(values, return_inverse=True)
        return np.ascontiguousarray(np.broadcast_to(places.reshape(values.shape), mass.shape)), tuple(numbers.tolist())
    found = [value.item() if isinstance(value, np.generic) else value for value in values.flat]
    try:
        levels = sorted(set(found), key=sort_key)
    except TypeError:
        raise InputError("the values of a new variable must be texts, numbers or truth values") from None
    place = {level: i for i, level in enumerate(levels)}
    codes = np.array([place[value] for value in found], dtype=np.int64).reshape(values.shape)
    return np.ascontiguousarray(np.broadcast_to(codes, mass.shape)), tuple(levels)


def columns(space: SampleSpace, cells: Ints) -> "polars.DataFrame":
    """The worlds of some cells, counted in C order, as a frame."""
    import polars

    places = np.unravel_index(cells, space.shape)
    series = []
    for name, levels, place in zip(space.names, space.levels, places, strict=True):
        if {type(level) for level in levels} <= {int, float} or len({type(level) for level in levels}) == 1:
            kind = None if isinstance(levels[0], str | Real) else polars.Object
        else:
            kind = polars.Object  # values of several types have no common column
        if kind is None:
            series.append(polars.Series(name, np.array(levels)[place]))
        else:
            series.append(polars.Series(name, [levels[i] for i in place.tolist()], dtype=kind))
    return polars.DataFrame(series)


def _of_mapping(table: Mapping[Any, Any], space: SampleSpace) -> Array:
    """Values by world: by a tuple of values, or by the value itself where there is one variable."""
    whole = np.empty(space.shape, dtype=object)
    whole.fill(_Absent())
    for key, value in table.items():
        world = (key,) if len(space.names) == 1 else key
        if not isinstance(world, tuple) or len(world) != len(space.names):
            raise InputError(
                f"{key!r} is no world of {', '.join(space.names)}; give a value for each of them, in order"
            )
        whole[tuple(space.place(name, v) for name, v in zip(space.names, world, strict=True))] = value
    return whole


def _of_function(function: Callable[..., Any], space: SampleSpace) -> Array:
    names = list(signature(function).parameters)
    if not names:
        raise InputError("the function takes nothing; give it arguments named like variables")
    axes = space.axes(names)
    found = [function(*world) for world in product(*(space.levels[axis] for axis in axes))]
    values = np.empty(len(found), dtype=object)
    for place, value in enumerate(found):  # one by one: a value may itself be a sequence
        values[place] = value
    values = values.reshape([space.shape[axis] for axis in axes]).transpose(np.argsort(axes))
    return values.reshape([n if axis in axes else 1 for axis, n in enumerate(space.shape)])
