"""Anything tabular into a polars frame, and rows back into the kind of frame that the user has.

A column keeps the type it has; text is not searched for numbers. What each source becomes:

- polars, PyArrow and pandas columns of numbers share memory with the original where its layout allows;
- an ordered pandas or Arrow category becomes an Enum with its levels in order, an unordered one a Categorical;
- Python objects (object columns, lists, object arrays) become text, numbers or truth values, whichever all of a
  column's cells are; a column that mixes numbers and text is refused;
- a NumPy array of strings is what NumPy makes of rows of mixed types, so a column in which every cell is spelled
  exactly as NumPy spells a number is that number again; every other column stays text;
- None, pandas' NA and NaT, and NaN among objects become null. NaN in a column of floats stays where it is, which
  costs nothing, and counts as missing all the same: `missing` is the one definition.

Columns of dates, lists and structs keep their type; the schema decides about them. Columns without names are called
x0, x1, ... The conversion is our own column by column, so that pandas frames need no PyArrow.
"""

import sys
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from decimal import Decimal
from numbers import Integral, Real
from typing import Any

import numpy as np
import polars as pl

from likely.errors import InputError, InputTypeError
from likely.numeric.arrays import Array


def to_polars(X: Any) -> pl.DataFrame:
    """The rows of X as a polars frame: any frame, a dict of columns, an array (n, d) or a list of rows.

    >>> to_polars([[5.1, "red"], [None, "blue"]]).rows()
    [(5.1, 'red'), (None, 'blue')]
    >>> to_polars({"age": [31, 47], "sex": ["f", None]}).schema
    Schema([('age', Int64), ('sex', String)])
    """
    if isinstance(X, pl.DataFrame):
        return X
    if isinstance(X, pl.LazyFrame):
        return X.collect()
    if isinstance(X, np.ndarray | list | tuple) and not is_frame(X):
        columns = _columns_of_rows(X)
        names = _numbered(len(columns))
    elif is_frame(X):
        if _is_foreign(X):
            return _foreign_to_polars(X)
        columns = _columns_of_frame(X)
        names = column_names(X) or _numbered(len(columns))
    else:
        raise _not_tabular(X)
    series = [_column(name, values) for name, values in zip(names, columns, strict=True)]
    if len({len(column) for column in series}) > 1:
        lengths = ", ".join(f"{column.name!r} has {len(column)}" for column in series)
        raise InputError(f"the columns differ in length: {lengths}. Give each column one value per row.")
    return pl.DataFrame(dict(zip(names, series, strict=True)))


def from_polars(frame: pl.DataFrame, like: Any) -> Any:
    """The rows of `frame` in the kind of frame that `like` is, with the types of its columns where they fit.

    A column of integers that has come to hold missing cells becomes floats with NaN in pandas, as pandas does itself.

    >>> from_polars(pl.DataFrame({"age": [31, 47]}), like={"age": [20]})
    {'age': [31, 47]}
    """
    if isinstance(like, pl.DataFrame):
        return frame
    if isinstance(like, pl.LazyFrame):
        return frame.lazy()
    if _is(like, "pandas", "DataFrame"):
        return _to_pandas(frame, like)
    if _is(like, "pyarrow", "Table", "RecordBatch"):
        return _to_arrow(frame, like)
    if isinstance(like, Mapping):
        return frame.to_dict(as_series=False)
    if isinstance(like, list | tuple | np.ndarray):
        return np.array(frame.rows(), dtype=object).reshape(frame.shape)
    if _is_foreign(like):
        return _to_foreign(frame, like)
    raise _not_tabular(like)


def is_frame(X: Any) -> bool:
    """Whether X has named columns: a frame of any library, a dict of columns, a structured array.

    No library of frames is imported to find out: one that is not loaded cannot have made X.

    >>> is_frame({"age": [31, 47]}), is_frame(np.zeros((2, 2)))
    (True, False)
    """
    if isinstance(X, np.ndarray):
        return X.dtype.names is not None
    if isinstance(X, list | tuple):
        return False
    return isinstance(X, Mapping) or _is_plain(X) or _is_foreign(X)


def column_names(X: Any) -> list[str] | None:
    """The names of the columns, or None when they have none that are strings, as scikit-learn has it.

    >>> column_names({"age": [31], "sex": ["f"]})
    ['age', 'sex']
    """
    if not is_frame(X):
        return None
    names = _labels(X)
    if twice := _repeated(names):
        raise InputError(f"column names occur more than once: {', '.join(map(repr, twice))}. Rename the columns.")
    texts = [isinstance(name, str) for name in names]
    if any(texts) and not all(texts):
        types = sorted({type(name).__qualname__ for name in names})
        raise InputTypeError(
            "Feature names are only supported if all input features have string names, but your input has "
            f"{types} as feature name / column name types. If you want feature names to be stored and validated, you "
            "must convert them all to strings, by using X.columns = X.columns.astype(str) for example. Otherwise you "
            "can remove feature / column names from your input data, or convert them all to a non-string data type."
        )
    return [str(name) for name in names] if all(texts) else None


def missing(column: pl.Series) -> pl.Series:
    """Which cells of a column are missing: null, or NaN in a column of floats.

    >>> missing(pl.Series([1.0, None, float("nan")])).to_list()
    [False, True, True]
    """
    if column.dtype.is_float():
        return column.is_null() | column.is_nan().fill_null(False)
    return column.is_null()


def _is(X: Any, library: str, *names: str) -> bool:
    loaded = sys.modules.get(library)
    return loaded is not None and isinstance(X, tuple(getattr(loaded, name) for name in names))


def _is_plain(X: Any) -> bool:
    """A frame of one of the libraries that are read here directly."""
    return (
        isinstance(X, pl.DataFrame | pl.LazyFrame)
        or _is(X, "pandas", "DataFrame")
        or _is(X, "pyarrow", "Table", "RecordBatch")
    )


def _is_foreign(X: Any) -> bool:
    """A frame that narwhals knows and we do not, or narwhals' own."""
    if _is_plain(X) or not hasattr(type(X), "columns"):
        return False
    from narwhals.dependencies import is_into_dataframe, is_narwhals_lazyframe

    return is_into_dataframe(X) or is_narwhals_lazyframe(X)


def _labels(X: Any) -> list[Any]:
    if isinstance(X, Mapping):
        return list(X)
    if isinstance(X, np.ndarray):
        return list(X.dtype.names or ())
    if hasattr(type(X), "collect_schema"):
        return list(X.collect_schema().names())
    if _is(X, "pyarrow", "Table", "RecordBatch"):
        return list(X.schema.names)
    return list(X.columns)


def _not_tabular(X: Any) -> Exception:
    kind = f"{type(X).__module__}.{type(X).__qualname__}"
    if any(_is(X, library, "Series") for library in ("pandas", "polars")) or isinstance(X, range):
        return InputError(
            f"Expected a 2-dimensional container but got {kind} instead. Pass a DataFrame containing a single row "
            "(i.e. single sample) or a single column (i.e. single feature) instead."
        )
    return InputTypeError(
        f"{kind} is not a table. Give a pandas, Polars or PyArrow frame, a dict of columns, an array or a list of rows."
    )


def _numbered(count: int) -> list[str]:
    return [f"x{j}" for j in range(count)]


def _repeated(names: Iterable[Any]) -> list[Any]:
    return [name for name, times in Counter(names).items() if times > 1]


def _columns_of_frame(X: Any) -> list[Any]:
    if isinstance(X, Mapping):
        return list(X.values())
    if isinstance(X, np.ndarray):
        return [X[name] for name in X.dtype.names or ()]
    if _is(X, "pyarrow", "Table", "RecordBatch"):
        return list(X.columns)
    return [X.iloc[:, j] for j in range(X.shape[1])]


def _columns_of_rows(X: Array | Sequence[Any]) -> list[Any]:
    if isinstance(X, np.ndarray):
        if X.ndim != 2:
            raise _not_two_dimensional(f"{X.ndim}D array")
        return [X[:, j] for j in range(X.shape[1])]
    if not X:
        raise InputError("an empty list has no rows and no columns. Give at least one row.")
    if not all(issubclass(kind, list | tuple | np.ndarray) for kind in set(map(type, X))):
        raise _not_two_dimensional("1D list")
    lengths = list(map(len, X))
    if len(set(lengths)) > 1:
        row = next(i for i, length in enumerate(lengths) if length != lengths[0])
        raise InputError(f"row {row} has {lengths[row]} cells and row 0 has {lengths[0]}. Give every row as many.")
    return [list(cells) for cells in zip(*X, strict=True)]


def _not_two_dimensional(kind: str) -> InputError:
    return InputError(
        f"Expected 2D array, got {kind} instead. Reshape your data either using array.reshape(-1, 1) if your data has "
        "a single feature or array.reshape(1, -1) if it contains a single sample."
    )


def _column(name: str, values: Any) -> pl.Series:
    if isinstance(values, pl.Series):
        return values.rename(name)
    if _is(values, "pandas", "Series"):
        return _of_pandas(name, values)
    if _is(values, "pyarrow", "Array", "ChunkedArray"):
        return _of_arrow(name, values)
    if isinstance(values, np.ndarray):
        return _of_array(name, values)
    if isinstance(values, Sequence) and not isinstance(values, str | bytes):
        return _of_objects(name, list(values))
    raise InputTypeError(f"column {name!r} is {type(values).__qualname__}, not a sequence with one value per row.")


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


def _is_text(arrow_type: Any) -> bool:
    from pyarrow import types

    return bool(types.is_string(arrow_type) or types.is_large_string(arrow_type) or types.is_string_view(arrow_type))


def _of_levels(name: str, codes: Array, levels: list[Any], ordered: bool) -> pl.Series:
    labels = [str(level) for level in levels]
    if alike := _repeated(labels):
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


def _to_pandas(frame: pl.DataFrame, like: Any) -> Any:
    pandas = sys.modules["pandas"]
    names = column_names(like) or _numbered(like.shape[1])
    place = {name: j for j, name in enumerate(names)}
    columns, labels = [], []
    for column in frame:
        j = place.get(column.name)
        columns.append(_to_pandas_column(column, None if j is None else like.dtypes.iloc[j]))
        labels.append(column.name if j is None else like.columns[j])
    out = pandas.DataFrame(dict(enumerate(columns)), index=pandas.RangeIndex(frame.height))
    out.columns = like.columns if frame.columns == names else pandas.Index(labels)
    return out


def _to_pandas_column(column: pl.Series, dtype: Any) -> Any:
    pandas: Any = sys.modules["pandas"]
    numeric = column.dtype == pl.Boolean or (column.dtype.is_numeric() and not column.dtype.is_decimal())
    if isinstance(dtype, pandas.CategoricalDtype):
        levels = pl.Enum([str(level) for level in dtype.categories])
        cells = column.cast(pl.String).cast(levels, strict=False)
        if cells.null_count() == column.null_count():
            codes = cells.to_physical().cast(pl.Int64).fill_null(-1).to_numpy()
            return pandas.Series(pandas.Categorical.from_codes(codes, dtype=dtype))
    elif numeric and (dtype is None or (isinstance(dtype, np.dtype) and dtype.kind in "iufb")):
        return pandas.Series(_to_numbers(column, dtype))
    elif dtype is not None:
        try:
            return pandas.Series(column.to_list(), dtype=dtype)
        except (TypeError, ValueError):
            pass  # the cells do not fit the type that the user's column has
    return pandas.Series(column.to_list(), dtype=None if column.len() else object)


def _to_numbers(column: pl.Series, dtype: np.dtype[Any] | None) -> Array:
    """In the type wanted if it holds every cell, else in the type that pandas would give them."""
    if column.null_count() and column.dtype == pl.Boolean:
        return np.array(column.to_list(), dtype=object)
    values = column.to_numpy()
    if dtype is None:
        return np.array(values)
    if dtype.kind == "f":
        return values.astype(dtype)
    with np.errstate(invalid="ignore"):
        cast = values.astype(dtype)
    return cast if np.array_equal(cast, values) else np.array(values)


def _to_arrow(frame: pl.DataFrame, like: Any) -> Any:
    import pyarrow

    columns = [_to_arrow_column(column, like.schema) for column in frame]
    table = pyarrow.table(columns, names=frame.columns)
    if isinstance(like, pyarrow.Table):
        return table
    batches = table.combine_chunks().to_batches()
    return batches[0] if batches else pyarrow.RecordBatch.from_pylist([], schema=table.schema)


def _to_arrow_column(column: pl.Series, schema: Any) -> Any:
    import pyarrow

    place = schema.get_field_index(column.name)
    if place < 0:
        return column.to_arrow()
    wanted = schema.field(place).type
    try:
        if pyarrow.types.is_dictionary(wanted):
            return _to_dictionary(column, wanted)
        return column.to_arrow().cast(wanted)
    except (pyarrow.ArrowInvalid, pyarrow.ArrowNotImplementedError, pyarrow.ArrowTypeError):
        return column.to_arrow()  # the cells do not fit the type that the user's column has


def _to_dictionary(column: pl.Series, wanted: Any) -> Any:
    import pyarrow

    levels = (
        column.dtype.categories
        if isinstance(column.dtype, pl.Enum)
        else column.drop_nulls().cast(pl.String).unique(maintain_order=True)
    )
    codes = column.cast(pl.String).cast(pl.Enum(levels)).to_physical().to_arrow().cast(wanted.index_type)
    values = levels.to_arrow().cast(wanted.value_type)
    return pyarrow.DictionaryArray.from_arrays(codes, values, ordered=wanted.ordered)


def _foreign_to_polars(X: Any) -> pl.DataFrame:
    import narwhals

    frame = narwhals.from_native(X)
    native = narwhals.to_native(frame.collect() if isinstance(frame, narwhals.LazyFrame) else frame)
    if _is_plain(native):
        return to_polars(native)
    column_names(X)  # refuses names that cannot be used
    frame = narwhals.from_native(native, eager_only=True)
    return pl.DataFrame(frame.to_polars())


def _to_foreign(frame: pl.DataFrame, like: Any) -> Any:
    import narwhals

    wrapped = isinstance(like, narwhals.DataFrame | narwhals.LazyFrame)
    native = narwhals.to_native(like) if wrapped else like
    if _is_plain(native):
        out = from_polars(frame, native)
    else:
        backend = narwhals.from_native(native, eager_only=True).implementation
        out = narwhals.to_native(narwhals.from_dict(frame.to_dict(as_series=False), backend=backend))
    return narwhals.from_native(out) if wrapped else out
