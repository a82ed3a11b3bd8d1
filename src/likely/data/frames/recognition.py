"""Which objects are tables, of which library, and what their columns are called."""

import sys
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from typing import Any, TypeGuard

import numpy as np
import polars as pl

from likely.errors import InputError, InputTypeError
from likely.numeric.arrays import Array


def is_frame(X: object) -> bool:
    """Whether X has named columns: a frame of any library, a dict of columns, a structured array.

    No library of frames is imported to find out: one that is not loaded cannot have made X.

    >>> is_frame({"age": [31, 47]}), is_frame(np.zeros((2, 2)))
    (True, False)
    """
    if isinstance(X, np.ndarray):
        return X.dtype.names is not None
    if isinstance(X, list | tuple):
        return False
    return isinstance(X, Mapping) or is_plain(X) or is_foreign(X) or is_dask(X) or is_stream(X)


def column_names(X: object) -> list[str] | None:
    """The names of the columns, or None when they have none that are strings, as scikit-learn has it.

    >>> column_names({"age": [31], "sex": ["f"]})
    ['age', 'sex']
    """
    if not is_frame(X):
        return None
    names = _labels(X)
    if twice := repeated(names):
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


def numbered(count: int) -> list[str]:
    """The names of columns that have none.

    >>> numbered(2)
    ['x0', 'x1']
    """
    return [f"x{j}" for j in range(count)]


def is_a(X: object, library: str, *names: str) -> bool:
    """Whether X is of one of the named classes of a library, which is not imported to find out."""
    loaded = sys.modules.get(library)
    return loaded is not None and isinstance(X, tuple(getattr(loaded, name) for name in names))


def is_pandas(X: object) -> bool:
    """Whether X is a pandas frame."""
    return is_a(X, "pandas", "DataFrame")


def is_arrow(X: object) -> bool:
    """Whether X is a PyArrow table or batch."""
    return is_a(X, "pyarrow", "Table", "RecordBatch")


def is_plain(X: object) -> bool:
    """Whether X is a frame of one of the libraries that are read here directly."""
    return isinstance(X, pl.DataFrame | pl.LazyFrame) or is_pandas(X) or is_arrow(X)


def is_foreign(X: object) -> bool:
    """Whether X is a frame that narwhals knows and we do not, or narwhals' own."""
    if is_plain(X) or not hasattr(type(X), "columns"):
        return False
    from narwhals.dependencies import is_into_dataframe, is_narwhals_lazyframe

    return is_narwhals_lazyframe(X) or is_into_dataframe(X)  # older ones warn where asked the other way round


def is_dask(X: object) -> bool:
    """Whether X is a Dask frame, whose rows lie in partitions."""
    return is_a(X, "dask.dataframe", "DataFrame")


def is_stream(X: object) -> bool:
    """Whether X gives a table as an Arrow stream: a DuckDB relation, a reader of record batches, any maker's capsule.

    A single column does, too, and has a type.
    """
    if is_plain(X) or is_a(X, "pyarrow", "ChunkedArray") or hasattr(type(X), "dtype"):
        return False
    return hasattr(type(X), "__arrow_c_stream__") or is_a(X, "duckdb", "DuckDBPyRelation")


def is_records(X: object) -> TypeGuard[Sequence[Mapping[str, Any]]]:
    """Whether X is a list of rows that are mappings from column to cell."""
    return isinstance(X, list | tuple) and len(X) > 0 and all(issubclass(kind, Mapping) for kind in set(map(type, X)))


def not_tabular(X: object) -> Exception:
    """The error for what is no table."""
    kind = f"{type(X).__module__}.{type(X).__qualname__}"
    if any(is_a(X, library, "Series") for library in ("pandas", "polars")) or isinstance(X, range):
        return InputError(
            f"Expected a 2-dimensional container but got {kind} instead. Pass a DataFrame containing a single row "
            "(i.e. single sample) or a single column (i.e. single feature) instead."
        )
    return InputTypeError(
        f"{kind} is not a table. Give a pandas, Polars or PyArrow frame, a dict of columns, an array or a list of rows."
    )


def not_two_dimensional(array: Array) -> Exception:
    """The error for a list of numbers, or of texts, where a table is wanted.

    >>> print(not_two_dimensional(np.array(["a text", "another"])))
    Expected 2D array, got 1D array instead: 2 texts, the first 'a text'. TextBayes learns from texts as they are; ...
    """
    said = "Expected 2D array, got 1D array instead"
    if array.dtype.kind in "US" or (array.dtype.kind == "O" and isinstance(next(iter(array), None), str)):
        return InputError(
            f"{said}: {len(array):,} texts, the first {str(array[0])!r:.60}. TextBayes learns from texts as they are; "
            "for another model make them a column of a table, {'text': texts} or series.to_frame()"
        )
    shown = np.array2string(array, threshold=10, edgeitems=3)
    return InputError(
        f"{said}:\narray={shown}.\nReshape your data either using array.reshape(-1, 1) if your data has a single "
        "feature or array.reshape(1, -1) if it contains a single sample."
    )


def repeated(names: Iterable[Any]) -> list[Any]:
    """The names that occur more than once."""
    return [name for name, times in Counter(names).items() if times > 1]


def _labels(X: Any) -> list[Any]:
    if isinstance(X, Mapping):
        return list(X)
    if isinstance(X, np.ndarray):
        return list(X.dtype.names or ())
    if is_dask(X) or is_a(X, "duckdb", "DuckDBPyRelation"):
        return list(X.columns)
    if hasattr(type(X), "collect_schema"):
        return list(X.collect_schema().names())
    if is_arrow(X):
        return list(X.schema.names)
    return list(X.columns)
