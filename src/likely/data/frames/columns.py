"""One column of any library as a polars series, and which of its cells are missing."""

import sys
from collections.abc import Sequence
from decimal import Decimal
from numbers import Integral, Real
from typing import Any

import numpy as np
import polars as pl

from likely.data.frames.recognition import is_a, repeated
from likely.errors import InputError, InputTypeError
from likely.numeric.arrays import Array


def to_series(name: str, values: object) -> pl.Series:
    """A column of a frame, an array (n,) or a list of cells.

    >>> to_series("age", [31, None]).to_list()
    [31, None]
    """
    if isinstance(values, pl.Series):
        return values.rename(name)
    if is_a(values, "pandas", "Series"):
        return _of_pandas(name, values)
    if is_a(values, "pyarrow", "Array", "ChunkedArray"):
        return _of_arrow(name, values)
    if isinstance(values, np.ndarray):
        return _of_array(name, values)
    if isinstance(values, Sequence) and not isinstance(values, str | bytes):
        return _of_objects(name, list(values))
    raise InputTypeError(f"column {name!r} is {type(values).__qualname__}, not a sequence with one value per row.")


def narrow(column: pl.Series) -> pl.Series:
    """A column of 128-bit whole numbers in 64 bits; refused where one does not fit.

    >>> narrow(pl.Series([1, None], dtype=pl.Int128)).dtype
    Int64
    """
    found = column.cast(pl.Int64, strict=False)
    if found.null_count() > column.null_count():
        row = int((found.is_null() & column.is_not_null()).arg_true()[0])
        raise InputError(
            f"column {column.name!r} has type {column.dtype}, and row {row} holds {column[row]}, which 64 bits cannot "
            "hold; make the column text, or decimal numbers"
        )
    return found


def missing(column: pl.Series) -> pl.Series:
    """Which cells of a column are missing: null, or NaN in a column of floats.

    >>> missing(pl.Series([1.0, None, float("nan")])).to_list()
    [False, True, True]
    """
    if column.dtype.is_float():
        return column.is_null() | column.is_nan().fill_null(False)
    return column.is_null()


def _of_pandas(name: str, column: Any) -> pl.Series:
    pandas, dtype = sys.modules["pandas"], column.dtype
    if isinstance(dtype, np.dtype):
        return _of_array(name, column.to_numpy())
    if isinstance(dtype, pandas.CategoricalDtype):
        return _of_levels(name, column.cat.codes.to_numpy(), list(dtype.categories), dtype.ordered)
    if isinstance(dtype, pandas.SparseDtype):
        return _of_array(name, np.asarray(column))
    if isinstance(dtype, pandas.ArrowDtype) or getattr(dtype, "storage", None) == "pyarrow":
        import pyarrow

        return _of_arrow(name, pyarrow.array(column))
    if isinstance(dtype, pandas.DatetimeTZDtype):
        instants = _of_array(name, column.dt.tz_convert("UTC").dt.tz_localize(None).to_numpy())
        return instants.dt.replace_time_zone("UTC")
    if dtype.kind in "iufb":  # nullable numbers and truth values
        filled = column.to_numpy(dtype=dtype.type, na_value=dtype.type(0))
        return _without(_of_array(name, filled), column.isna().to_numpy())
    return _of_objects(name, column.tolist())


def _of_arrow(name: str, column: Any) -> pl.Series:
    import pyarrow

    if pyarrow.types.is_dictionary(column.type) and (column.type.ordered or not _is_text(column.type.value_type)):
        if isinstance(column, pyarrow.ChunkedArray):
            column = column.unify_dictionaries().combine_chunks()
        codes = column.indices.fill_null(-1).to_numpy(zero_copy_only=False)
        return _of_levels(name, codes, column.dictionary.to_pylist(), column.type.ordered)
    return pl.Series(name, column)


def _is_text(arrow_type: object) -> bool:
    from pyarrow import types

    return bool(types.is_string(arrow_type) or types.is_large_string(arrow_type) or types.is_string_view(arrow_type))


def _of_levels(name: str, codes: Array, levels: list[Any], ordered: bool) -> pl.Series:
    labels = [str(level) for level in levels]
    if alike := repeated(labels):
        raise InputError(f"column {name!r}: two categories are both written {alike[0]!r}. Rename one of them.")
    dtype: pl.DataType = pl.Enum(labels) if ordered else pl.Categorical()
    if not labels:
        return pl.Series(name, [None] * len(codes), dtype=dtype)
    place = _without(pl.Series(codes.astype(np.int64)), codes < 0)
    return pl.Series(name, labels, dtype=dtype).gather(place)


def _of_array(name: str, values: Array) -> pl.Series:
    if values.ndim != 1:
        raise InputError(f"column {name!r} has {values.ndim} dimensions. Give one value per row.")
    if isinstance(values, np.ma.MaskedArray):
        return _without(_of_array(name, values.data), np.ma.getmaskarray(values))
    kind = values.dtype.kind
    if kind in "OS":
        return _of_objects(name, values.tolist())
    if kind == "U":
        return _of_spellings(name, values)
    if kind == "c":
        raise InputError(f"column {name!r}: Complex data not supported. Give its real and imaginary parts as columns.")
    if kind == "V":
        raise InputTypeError(f"column {name!r} holds NumPy records. Give each of its fields as a column.")
    return pl.Series(name, np.ascontiguousarray(values, dtype=_storable(values.dtype)))


def _storable(dtype: np.dtype[Any]) -> np.dtype[Any]:
    """The nearest type that polars holds, in this machine's byte order."""
    if dtype.kind == "f" and dtype.itemsize not in (4, 8):
        return np.dtype(np.float32 if dtype.itemsize < 4 else np.float64)
    if dtype.kind in "mM" and np.datetime_data(dtype)[0] not in ("ms", "us", "ns"):
        return np.dtype(f"{dtype.kind}8[us]")
    return dtype.newbyteorder("=")


def _of_spellings(name: str, values: Array) -> pl.Series:
    for number in (np.int64, np.float64):
        try:
            numbers = values.astype(number)
        except (ValueError, OverflowError):
            continue
        if len(values) and np.array_equal(numbers.astype(str), values):
            return pl.Series(name, numbers)
    return _of_objects(name, values.tolist())


def _of_objects(name: str, values: list[Any]) -> pl.Series:
    kinds = {kind: _family(kind) for kind in set(map(type, values))}
    if "other" in kinds.values():
        return _of_others(name, [None if kinds[type(v)] == "missing" else v for v in values])
    if len(kinds) > 1 or "number" in kinds.values():
        values = [None if kinds[type(v)] == "missing" or v != v else v for v in values]
    present = {_family(kind) for kind in set(map(type, values))} - {"missing"}
    if present <= {"number", "truth"}:
        return _of_numbers(name, values, truth=present == {"truth"}) if present else pl.Series(name, values, pl.Null)
    if len(present) > 1:
        raise _mixed(name, values)
    try:
        if present == {"bytes"}:
            values = [None if v is None else v.decode() for v in values]
        return pl.Series(name, values, dtype=pl.String)
    except UnicodeError as error:
        raise InputError(f"column {name!r} holds text that is not valid UTF-8: {error}. Decode it first.") from None


def _family(kind: type) -> str:
    if kind is type(None) or kind.__name__ in ("NAType", "NaTType"):
        return "missing"
    if issubclass(kind, bool | np.bool):
        return "truth"
    if issubclass(kind, Real | Decimal):
        return "number"
    if issubclass(kind, str):
        return "text"
    return "bytes" if issubclass(kind, bytes) else "other"


def _of_numbers(name: str, values: list[Any], truth: bool) -> pl.Series:
    absent = np.array([v is None for v in values], dtype=bool)
    filled = [0 if v is None else v for v in values]
    if truth:
        return _without(pl.Series(name, np.array(filled, dtype=bool)), absent)
    whole = all(issubclass(kind, Integral | np.bool) for kind in set(map(type, filled)))
    for dtype in (np.int64, np.float64) if whole else (np.float64,):
        try:
            return _without(pl.Series(name, np.array(filled, dtype=dtype)), absent)
        except OverflowError:
            continue
    raise InputError(f"column {name!r} holds an integer too large for a float. Rescale the column, or make it text.")


def _of_others(name: str, values: list[Any]) -> pl.Series:
    """Dates, lists and structs as polars has them; anything else is no value that a table can hold."""
    try:
        column = pl.Series(name, values, strict=True)
    except Exception:  # polars raises errors of many types for objects that it cannot hold
        column = None
    if column is None or column.dtype == pl.Object:
        row, cell = next((i, v) for i, v in enumerate(values) if _family(type(v)) == "other")
        raise InputTypeError(
            f"column {name!r}, row {row}: the argument must be a string or a real number, "
            f"not {type(cell).__qualname__!r}. Make every cell of the column one or the other."
        )
    return column


def _mixed(name: str, values: list[Any]) -> InputError:
    words = {"number": "numbers", "truth": "numbers", "text": "text", "bytes": "bytes"}
    seen = [(i, v, words[_family(type(v))]) for i, v in enumerate(values) if v is not None]
    first = seen[0]
    other = next((item for item in seen if item[2] != first[2]), first)
    return InputError(
        f"column {name!r} mixes {first[2]} and {other[2]}: row {first[0]} holds {first[1]!r}, "
        f"row {other[0]} holds {other[1]!r}. Make every cell of the column a number, or every cell text."
    )


def _without(column: pl.Series, absent: Array) -> pl.Series:
    """The column with null where `absent`."""
    if not absent.any():
        return column
    cells = column.to_frame("cell").select(pl.when(pl.Series(~absent)).then(pl.col("cell")))
    return cells.to_series().rename(column.name)
