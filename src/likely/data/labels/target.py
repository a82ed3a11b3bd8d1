"""The target: class names as codes, or amounts; and what is wrong with a y that is neither.

A missing label (None, NaN, null) is a hidden one and has code -1.
"""

import sys
import warnings
from collections.abc import Hashable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from enum import Enum
from typing import Any, cast

import numpy as np

from likely.data.accepted import TargetLike
from likely.data.inputs import FrameInput, Input, SourceInput, suggest
from likely.errors import InputError
from likely.numeric.arrays import Array, Floats, PerRow
from likely.statistics.counting.categories import sort_key

LONGEST_NAME = 128  # characters of a class in an array of texts
_TOLD_APART = 2.0**53  # whole numbers that are decimal numbers, too


@dataclass(frozen=True)
class Target:
    """Codes of the classes; -1 for a hidden label."""

    codes: Array  # (n,) int32
    classes: tuple[Hashable, ...]  # sorted

    @property
    def hidden(self) -> bool:
        return bool((self.codes < 0).any())


def read_target(y: TargetLike | PerRow, rows: int | None = None) -> Target:
    """Class codes of y.

    >>> read_target(["b", "a", None, "b"])
    Target(codes=array([ 1,  0, -1,  1], dtype=int32), classes=('a', 'b'))
    """
    if isinstance(y, Target):
        return y
    values = _as_vector(y)
    _check_rows(values, rows)
    if values.dtype.kind in "iub":
        return _whole(values)
    if values.dtype.kind == "f":
        return _floats(values)
    if values.dtype.kind in "US":
        names, codes = np.unique(values, return_inverse=True)
        return Target(codes.astype(np.int32), tuple(names.tolist()))
    return _objects(values)


def as_labels(y: TargetLike) -> Any:
    """Labels as a vector, made once for all that read them, so that a column of labels is warned of once.

    No labels, and the name of a column, stay as they are.

    >>> as_labels("town"), as_labels(["b", "a"]).tolist()
    ('town', ['b', 'a'])
    """
    return y if y is None or isinstance(y, str | Target) else _as_vector(y)


def read_amounts(y: TargetLike, rows: int | None = None) -> Floats:
    """The target of a regression: one finite number per row.

    >>> read_amounts([1, 2.5]), read_amounts([True, False])
    (array([1. , 2.5]), array([1., 0.]))
    """
    values = _as_vector(y)
    _check_rows(values, rows)
    if values.dtype.kind not in "fiub":
        for row, value in enumerate(values.tolist()):
            if _is_missing(value):
                raise InputError(f"row {row} of y has no amount (NaN); leave it out")
            if not isinstance(value, int | float | np.number) or isinstance(value, complex | np.complexfloating):
                raise InputError(f"row {row} of y holds {value!r}, which is no number; give an amount for every row")
    amounts = values.astype(np.float64)
    wrong = np.flatnonzero(~np.isfinite(amounts))
    if len(wrong):
        row = int(wrong[0])
        raise InputError(
            f"Input y contains NaN, infinity or a value too large: row {row} of y holds {amounts[row]}; give every "
            "row an amount, or leave it out"
        )
    return amounts


def class_array(classes: Sequence[Hashable]) -> Array:
    """Names of classes as an array (k,): of texts, of numbers, or of objects where they are neither.

    Long texts are objects too: an array of texts gives every cell the room of the longest. So are whole numbers that no
    one type of number tells apart.

    >>> class_array(("ham", "spam")), class_array((0, 1)), class_array(("no", 1))
    (array(['ham', 'spam'], dtype='<U4'), array([0, 1]), array(['no', 1], dtype=object))
    >>> class_array(("short", "long" * 1000)).dtype, class_array((-1, 2**63)).dtype
    (dtype('O'), dtype('O'))
    """
    if all(isinstance(name, str) for name in classes):
        if all(len(cast(str, name)) <= LONGEST_NAME for name in classes):
            return np.array(list(classes), dtype=np.str_)
    elif all(isinstance(name, int | float | np.generic) for name in classes):
        numbers = np.array(list(classes))
        plain = [_plain(name) for name in classes]
        whole = all(isinstance(name, int) for name in plain)
        if numbers.dtype.kind != "f" or not classes or (not whole and numbers.tolist() == plain):
            return numbers
    names = np.empty(len(classes), dtype=object)
    names[:] = list(classes)
    return names


def are_texts(classes: Any) -> bool:
    """Whether the names of classes are texts, short or long.

    >>> are_texts(class_array(("ham", "spam" * 1000))), are_texts(class_array((0, 1))), are_texts(None)
    (True, False, False)
    """
    if getattr(classes, "dtype", None) is None:
        return False
    return bool(classes.dtype.kind == "U" or (len(classes) and all(isinstance(name, str) for name in classes.tolist())))


def _plain(name: object) -> Any:
    return name.item() if isinstance(name, np.generic) else name


def target_name(data: Input, y: TargetLike) -> str | None:
    """The column of the table that is the target: the one that y names, or that a file was scanned for."""
    if y is None and isinstance(data, SourceInput):
        y = data.source.target
    return y if isinstance(y, str) else None


def without_target(data: Input) -> Input:
    """The table without the column that a file was scanned for, for whoever learns no classes."""
    if not isinstance(data, SourceInput) or data.source.target is None:
        return data
    return data.select([name for name in data.names if name != data.source.target])


def check_target_name(target: str, columns: Sequence[str]) -> None:
    """Refuse the name of a column with the classes where no column has it."""
    if target not in columns:
        from likely.data.printing.wording import quoted

        known = quoted(columns)
        raise InputError(f"there is no target column {target!r}; the columns are {known}{suggest(target, columns)}")


def split_target(data: Input, y: TargetLike) -> tuple[Input, Any]:
    """When y is the name of a column, take it out of the table: (features, the column or its name in a file).

    >>> from likely.data.inputs import read_input
    >>> features, labels = split_target(read_input({"age": [30, 41], "town": ["Ulm", "Bonn"]}), "town")
    >>> features.names, list(labels)
    (('age',), ['Ulm', 'Bonn'])
    """
    y = target_name(data, y) or y
    if not isinstance(y, str):
        if isinstance(data, SourceInput) and hasattr(data.source, "whole"):  # rows that lie in a frame elsewhere
            return FrameInput(data.source.whole(), data.names, data.named), y
        if isinstance(data, SourceInput):
            raise InputError("to learn from a file, name its target column: fit(scan(path), 'column')")
        return data, y
    if not isinstance(data, FrameInput | SourceInput):
        raise InputError(f"y is the name {y!r}, but X is an array without named columns; give one label per row")
    check_target_name(y, data.names)
    features = data.select([name for name in data.names if name != y])
    if features.width == 0:
        raise InputError(f"the table has no column but the target {y!r}")
    return features, (data.frame[y] if isinstance(data, FrameInput) else y)


def _check_rows(values: Array, rows: int | None) -> None:
    if rows is not None and len(values) != rows:
        raise InputError(
            f"Found input variables with inconsistent numbers of samples: X has {rows} rows and y has {len(values)}. "
            "Give one label per row."
        )


def _as_vector(y: Any) -> Array:
    if y is None:
        raise InputError("this estimator requires y to be passed, but the target y is None")
    if hasattr(y, "get_columns") and y.width == 1:  # a Polars frame
        _warn_column_vector()
        y = y.to_series()
    if isinstance(y, np.ma.MaskedArray):
        values = np.array(y.tolist(), dtype=object)  # None where it is masked
    elif hasattr(y, "to_pylist"):
        values = _from_sequence(y.to_pylist())
    elif hasattr(y, "null_count") and hasattr(y, "to_list") and y.dtype.is_integer() and y.null_count():
        values = _from_sequence(y.to_list())  # as an array they would be decimal numbers
    elif hasattr(y, "null_count") and str(getattr(y, "dtype", "")) in ("Int128", "UInt128"):
        from likely.data.frames.columns import narrow

        values = narrow(y).to_numpy()
    elif hasattr(y, "to_numpy"):
        values = y.to_numpy()
    elif hasattr(y, "__array__") or isinstance(y, np.ndarray):
        values = np.asarray(y)
    elif isinstance(y, Iterable) and not isinstance(y, Mapping | str | set | frozenset):
        values = _from_sequence(list(y))
    else:
        raise _no_labels(y)
    if values.ndim == 2 and values.shape[1] == 1:
        _warn_column_vector()
        values = values[:, 0]
    if values.ndim != 1:
        raise InputError(f"y should be a 1d array, got an array of shape {values.shape} instead: one label per row")
    return np.asarray(values)


def _no_labels(y: object) -> InputError:
    if isinstance(y, str):
        return InputError(
            f"{y!r:.60} is a name, where one label per row is wanted: give the column itself, X[{y!r:.60}]"
        )
    given = f"y is {y!r:.60} ({type(y).__name__})"
    return InputError(f"{given}: give one label per row, or the name of a column of X, which is a text")


def _from_sequence(values: list[Any]) -> Array:
    if any(isinstance(v, str) for v in values) or any(v is None for v in values):
        array = np.empty(len(values), dtype=object)
        array[:] = values
        return array
    return np.asarray(values)


def _warn_column_vector() -> None:
    message = "A column-vector y was passed when a 1d array was expected: one label per row"
    loaded = sys.modules.get("sklearn.exceptions")  # its own warning, for those who filter by it
    category: type[Warning] = getattr(loaded, "DataConversionWarning", UserWarning)
    warnings.warn(message, category, stacklevel=5)


def _whole(values: Array) -> Target:
    if not len(values):
        return Target(np.zeros(0, dtype=np.int32), ())
    boolean = values.dtype.kind == "b"
    if values.dtype.kind == "u" and values.max() >= 2**62:
        names, codes = np.unique(values, return_inverse=True)
        return Target(codes.astype(np.int32), tuple(names.tolist()))
    numbers = values.astype(np.int64, copy=False)  # a narrow type could not hold the difference of its ends
    low, high = int(numbers.min()), int(numbers.max())
    if high - low > 4 * len(values) + 1024:
        names, codes = np.unique(values, return_inverse=True)
        return Target(codes.astype(np.int32), tuple(names.tolist()))
    shifted = numbers - low if low else numbers
    present = np.flatnonzero(np.bincount(shifted, minlength=high - low + 1))
    place = np.zeros(high - low + 1, dtype=np.int32)
    place[present] = np.arange(len(present), dtype=np.int32)
    classes = tuple(bool(v + low) if boolean else int(v) + low for v in present)
    return Target(place[shifted], classes)


def _floats(values: Array) -> Target:
    hidden = np.isnan(values)
    known = values[~hidden]
    if np.isinf(known).any():
        row = int(np.flatnonzero(np.isinf(values))[0])
        raise InputError(
            f"Input y contains infinity or a value too large for {values.dtype!r}: row {row} holds {values[row]}"
        )
    if not np.all(known == np.floor(known)):
        row = int(np.flatnonzero(~hidden & (values != np.floor(values)))[0])
        raise InputError(
            f"Unknown label type: continuous. Row {row} of y holds {values[row]}, which is no class; "
            "give class names or whole numbers"
        )
    if len(known) and np.abs(known).max() > _TOLD_APART:
        row = int(np.flatnonzero(~hidden & (np.abs(values) > _TOLD_APART))[0])
        raise InputError(
            f"row {row} of y holds {values[row]:.0f} as a decimal number, and beyond 2^53 those do not tell whole ones "
            "apart; give whole numbers, or texts"
        )
    names, inverse = np.unique(known, return_inverse=True)
    codes = np.full(len(values), -1, dtype=np.int32)
    codes[~hidden] = inverse
    # whole numbers became decimal only to hold the missing ones
    return Target(codes, tuple(int(v) for v in names) if hidden.any() else tuple(names.tolist()))


def _objects(values: Array) -> Target:
    quoted = values.tolist()
    spellings = _distinct(quoted)
    absent = [v for v in spellings if _is_missing(v)]
    known = {v.item() if isinstance(v, np.generic) else v for v in spellings if not _is_missing(v)}
    if any(isinstance(v, float) and not v.is_integer() for v in known):
        raise InputError("Unknown label type: continuous. y holds decimal numbers; give class names or whole numbers")
    if len({isinstance(v, str) for v in known}) > 1:
        raise InputError("y mixes text and numbers as class names; use one of them")
    try:
        classes = tuple(sorted(known, key=sort_key))
    except TypeError:
        wrong = next((v for v in known if not isinstance(v, str | int | float)), next(iter(known)))
        hint = ", as [label.name for label in y]" if isinstance(wrong, Enum) else ""
        raise InputError(
            f"y holds {wrong!r:.60} ({type(wrong).__name__}), which cannot name a class; give texts or whole "
            f"numbers{hint}"
        ) from None
    place: dict[Any, int] = {name: i for i, name in enumerate(classes)}
    if not absent:
        return Target(np.fromiter(map(place.__getitem__, quoted), np.int32, len(quoted)), classes)
    codes = (-1 if _is_missing(v) else place[v] for v in quoted)
    return Target(np.fromiter(codes, np.int32, len(quoted)), classes)


def _distinct(values: list[Any]) -> list[Any]:
    try:
        return list(set(values))
    except TypeError:
        wrong = next(v for v in values if not isinstance(v, Hashable))
        raise InputError(f"y holds {wrong!r}, which cannot name a class; give texts or whole numbers") from None


def _is_missing(value: object) -> bool:
    if value is None or (isinstance(value, float) and value != value):
        return True
    return not isinstance(value, str) and str(value) in ("<NA>", "NaT")
