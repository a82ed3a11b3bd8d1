"""Tables as people write them, and rows of observations, as one array over named variables.

    {("sun", True): 0.3, ("rain", False): 0.7}     a value for every world that is possible
    {"sun": {True: 0.3}, "rain": {False: 0.7}}     the same, nested
    array (2, 2) with names and levels

Values stand in the order in which they first appear, or in the order of `levels`, which may also name values that do
not occur. Cells that are not named are zero.
"""

import sys
from collections.abc import Iterable, Mapping, Sequence
from numbers import Real
from typing import TYPE_CHECKING, Any, Literal, TypeAlias, get_args

import numpy as np
from numpy.typing import ArrayLike

from likely.errors import InputError, InputTypeError
from likely.numeric.arrays import Array
from likely.probability.events.event import Event
from likely.probability.events.sample_space import SampleSpace, World, is_value

if TYPE_CHECKING:
    import polars

Some: TypeAlias = str | Iterable[str] | Event  # variables, or an event taken as a variable
Missing: TypeAlias = Literal["error", "drop"]
Levels: TypeAlias = Mapping[str, Iterable[Any]] | Sequence[Iterable[Any]] | None


def read_table(table: object, names: str | Iterable[str] | None, levels: Levels) -> tuple[SampleSpace, Array]:
    """The variables and the numbers of a table (one axis a variable).

    >>> space, cells = read_table({"sun": {True: 3}, "rain": {False: 7}}, ["weather", "picnic"], None)
    >>> cells.tolist(), space.levels
    ([[3, 0], [0, 7]], (('sun', 'rain'), (True, False)))
    """
    if isinstance(table, Mapping):
        return _of_mapping(table, read_names(names), levels)
    bundled = sys.modules.get("likely.data.bundled.dataset")  # not loaded: nobody has taken a table from it
    if bundled is not None and isinstance(table, bundled.Table):
        space = SampleSpace.of(dict(zip(table.axes, table.levels, strict=True)))
        return space, check_numbers(table.cells, "a probability or count")
    return _of_array(table, read_names(names), levels)


def read_observations(
    rows: object, names: str | Iterable[str] | None, levels: Levels, weight: Any, missing: Missing = "error"
) -> tuple[SampleSpace, Array, int]:
    """The variables, how often each world was observed in a frame or a list of rows, and how many rows were dropped."""
    if missing not in get_args(Missing):
        raise InputError(f"missing must be 'error' or 'drop', got {missing!r}")
    frame, has_names = read_frame(rows)
    if names is not None:
        wanted = read_names(names)
        if not has_names:
            if len(wanted) != frame.width:
                raise InputError(f"{len(wanted)} names {list(wanted)} do not fit rows of {frame.width} cells")
            frame.columns = list(wanted)
        SampleSpace(tuple(frame.columns), ()).axes(wanted)
        frame = frame[list(wanted)]
    if not frame.width or not frame.height:
        raise InputError("there are no observations; give at least one row of at least one column")
    weights = None if weight is None else check_numbers(weight, "a weight")
    if weights is not None and weights.shape != (frame.height,):
        raise InputError(
            f"sample_weight has shape {weights.shape}; give one weight for each of the {frame.height} rows"
        )
    whole = _whole_rows(frame) if missing == "drop" else np.ones(frame.height, dtype=bool)
    dropped = int((~whole).sum())
    if dropped:
        if dropped == frame.height:
            raise InputError(f"every one of the {dropped} rows has a missing cell; choose fewer columns")
        frame = frame.filter(whole)
        weights = None if weights is None else weights[whole]
    declared = _declared(levels, tuple(frame.columns))
    coded = [_coded(column, declared.get(column.name)) for column in frame]
    space = SampleSpace.of({column.name: values for column, (_, values) in zip(frame, coded, strict=True)})
    place = np.ravel_multi_index([codes for codes, _ in coded], space.shape)
    return space, np.bincount(place, weights, minlength=space.size).reshape(space.shape), dropped


def read_frame(rows: Any) -> tuple["polars.DataFrame", bool]:
    """Observations as a frame, and whether their columns had names."""
    from likely.data.frames import column_names, to_polars

    if isinstance(rows, Sequence) and rows and all(isinstance(row, Mapping) for row in rows):
        rows = {name: [row.get(name) for row in rows] for name in dict.fromkeys(name for row in rows for name in row)}
    return to_polars(rows), column_names(rows) is not None


def check_numbers(values: ArrayLike, what: str) -> Array:
    """Numbers that are finite and not negative, whole ones as integers."""
    try:
        array = np.asarray(values)
        if array.dtype.kind == "O" and all(isinstance(value, Real) for value in array.flat):
            array = array.astype(np.float64)  # fractions, say
    except (TypeError, ValueError, OverflowError):
        array = np.array("not numbers")
    if array.dtype.kind not in "iuf":
        raise InputTypeError(f"{what} must be a number; got values of type {array.dtype}")
    huge = array.dtype.kind == "u" and array.size and array.max() > np.iinfo(np.int64).max
    array = array.astype(np.float64 if array.dtype.kind == "f" or huge else np.int64)
    for wrong, problem in ((~np.isfinite(array), "not a finite number"), (array < 0, "negative")):
        if wrong.any():
            place = tuple(np.argwhere(wrong)[0].tolist())
            where = f" in cell {place}" if place else ""
            raise InputError(f"{what} is {problem}: {array[place]}{where}; correct it")
    return array


def read_names(names: Any) -> tuple[str, ...]:
    """One name or several; different ones, and at least one."""
    if names is not None and not isinstance(names, Iterable):
        raise InputTypeError(f"names are the texts by which the variables are called, got {names!r}")
    if names is None:
        raise InputError(
            "the table does not say what its variables are; give their names, names=['weather', 'picnic']. "
            "(Rows of observations are for Joint.observed.)"
        )
    found = (names,) if isinstance(names, str) else tuple(names)
    if len(set(found)) < len(found) or not found:
        raise InputError(f"names must be different names of at least one variable, got {list(found)}")
    return found


def _of_mapping(table: Mapping[Any, Any], names: tuple[str, ...], levels: Levels) -> tuple[SampleSpace, Array]:
    cells = dict(_flattened(table, len(names), ()))
    if not cells:
        raise InputError("the table is empty; give the probability of at least one world")
    declared = _declared(levels, names)
    space = SampleSpace.of(
        {name: declared.get(name, dict.fromkeys(world[j] for world in cells)) for j, name in enumerate(names)}
    )
    try:
        numbers = check_numbers(list(cells.values()), "a probability or count")
    except InputError:
        for world, value in cells.items():  # to say in which world
            check_numbers(value, f"the number of {', '.join(map(repr, world))}")
        raise
    if numbers.ndim != 1:
        raise InputError("a cell of the table holds a list; give one number for each world")
    whole = np.zeros(space.shape, dtype=numbers.dtype)
    places = [[space.place(name, world[j]) for world in cells] for j, name in enumerate(names)]
    whole[tuple(places)] = numbers
    return space, whole


def _flattened(table: Mapping[Any, Any], depth: int, before: World) -> Iterable[tuple[World, Any]]:
    for key, value in table.items():
        # A tuple is several values, unless it is one value too many: then it is a value itself.
        several = isinstance(key, tuple) and (len(key) == 1 or len(before) + 1 + _nesting(value) != depth)
        world = (*before, *key) if several else (*before, key)
        if isinstance(value, Mapping):
            yield from _flattened(value, depth, world)
            continue
        if len(world) != depth:
            raise InputError(
                f"the cell {world if len(world) > 1 else key!r} names {len(world)} values and there are {depth} "
                "variables; give one value for each"
            )
        if not all(map(is_value, world)):
            raise InputError(f"the cell {world!r} holds what cannot be a value; use texts, numbers or truth values")
        yield world, value


def _nesting(value: object) -> int:
    return 1 + max(map(_nesting, value.values()), default=0) if isinstance(value, Mapping) else 0


def _of_array(table: Any, names: tuple[str, ...], levels: Levels) -> tuple[SampleSpace, Array]:
    cells = check_numbers(table, "a probability or count")
    if cells.ndim != len(names):
        raise InputError(f"an array of {cells.ndim} axes does not fit {len(names)} variables {list(names)}")
    declared = _declared(levels, names)
    space = SampleSpace.of({name: declared.get(name, range(n)) for name, n in zip(names, cells.shape, strict=True)})
    if space.shape != cells.shape:
        raise InputError(f"an array of shape {cells.shape} does not fit variables with {space.shape} values")
    return space, cells


def _declared(levels: Levels, names: tuple[str, ...]) -> dict[str, tuple[Any, ...]]:
    if levels is None:
        return {}
    if isinstance(levels, str):
        raise InputTypeError(f"levels are the values of each variable, got the text {levels!r}")
    if not isinstance(levels, Mapping):
        if len(levels) != len(names):
            raise InputError(f"levels are given for {len(levels)} variables and there are {len(names)}: {list(names)}")
        levels = dict(zip(names, levels, strict=True))
    for name in levels:
        SampleSpace(names, ()).axis(name)
    space = SampleSpace.of(levels)
    return dict(zip(space.names, space.levels, strict=True))


def _whole_rows(frame: "polars.DataFrame") -> Array:
    """Which rows have no missing cell (n,)."""
    from likely.data.frames import missing

    return np.asarray(np.all([~missing(column).to_numpy() for column in frame], axis=0))


def _coded(column: Any, declared: tuple[Any, ...] | None) -> tuple[Array, Sequence[Any]]:
    """The place of every cell among the column's values, and these: sorted, or in the order declared."""
    import polars as pl

    from likely.data.frames import missing

    gone = missing(column).arg_true()
    if len(gone):
        raise InputError(
            f"column {column.name!r} has {len(gone)} missing cells, the first in row {gone[0]}; say missing='drop' to "
            "leave such rows out, or give the missing ones a value of their own"
        )
    if column.dtype == pl.Enum:
        values, codes = column.dtype.categories.to_list(), column.to_physical().to_numpy()
    else:
        if column.dtype == pl.Categorical:
            column = column.cast(pl.String)
        try:
            values = column.unique().sort().to_list()
            codes = column.rank("dense").to_numpy().astype(np.int64) - 1
        except pl.exceptions.PolarsError:
            raise InputError(f"column {column.name!r} has type {column.dtype}, which is not a list of values") from None
    if declared is None:
        return codes, values
    space = SampleSpace((column.name,), (declared,))
    seen = np.unique(codes)
    place = np.zeros(len(values), dtype=np.int64)
    place[seen] = [space.place(column.name, values[i]) for i in seen]
    return place[codes], declared
