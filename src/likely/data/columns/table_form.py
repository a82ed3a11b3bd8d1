"""What a user's table was, without the table: enough to give rows back in its kind.

A fitted model keeps this instead of a frame, so that what it holds are plain values: a pickle of it is read where
pandas or PyArrow are of another version, or are missing.
"""

import sys
from collections.abc import Hashable, Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np


@dataclass(frozen=True)
class TableForm:
    """The library of a table, and the names and types of its columns in that library's words."""

    kind: str  # "pandas", "arrow", "polars", "lazy", "mapping", "array", "foreign"
    columns: tuple[Hashable, ...] = ()
    dtypes: tuple[Any, ...] = ()  # of pandas: a word, or (levels, ordered) of categories
    schema: bytes = b""  # of Arrow: as it stands in its files
    table: Any = None  # of a library that has no plain words for its types: its own table without rows

    def template(self) -> Any:
        """A table of this form without rows; a Polars frame where the library is not there."""
        import polars as pl

        if self.kind in ("pandas", "arrow"):
            try:
                return self._pandas() if self.kind == "pandas" else self._arrow()
            except ImportError:
                return pl.DataFrame()
        if self.kind == "foreign":
            return self.table
        tables: dict[str, Any] = {"lazy": pl.LazyFrame(), "mapping": {}, "array": np.empty((0, 0), dtype=object)}
        return tables.get(self.kind, pl.DataFrame())

    def _pandas(self) -> Any:
        import pandas as pd

        columns = {j: pd.Series([], dtype=_pandas_dtype(word)) for j, word in enumerate(self.dtypes)}
        frame = pd.DataFrame(columns)
        frame.columns = pd.Index(
            list(self.columns), tupleize_cols=all(isinstance(name, tuple) for name in self.columns)
        )
        return frame

    def _arrow(self) -> Any:
        import pyarrow as pa

        return pa.ipc.read_schema(pa.py_buffer(self.schema)).empty_table()


def form_of(like: Any) -> TableForm | None:
    """The form of a user's table; None: an array.

    >>> form_of({"age": [20]})
    TableForm(kind='mapping', columns=(), dtypes=(), schema=b'', table=None)
    """
    if like is None or isinstance(like, TableForm):
        return like
    from likely.data.frames.recognition import is_arrow, is_foreign, is_pandas

    if isinstance(like, Mapping):
        return TableForm("mapping")
    if isinstance(like, list | tuple | np.ndarray):
        return TableForm("array")
    if is_pandas(like):
        return TableForm("pandas", tuple(like.columns), tuple(map(_word, like.dtypes)))
    if is_arrow(like) and hasattr(like, "schema"):
        return TableForm("arrow", schema=like.schema.serialize().to_pybytes())
    if is_foreign(like):
        return TableForm("foreign", table=like)
    polars = sys.modules.get("polars")
    return TableForm("lazy" if polars is not None and isinstance(like, polars.LazyFrame) else "polars")


def _word(dtype: Any) -> Any:
    """A pandas type in plain values."""
    if hasattr(dtype, "categories"):
        return tuple(dtype.categories.tolist()), bool(dtype.ordered)
    return str(dtype)


def _pandas_dtype(word: object) -> Any:
    import pandas as pd

    if isinstance(word, tuple):
        return pd.CategoricalDtype(list(word[0]), word[1])
    try:
        return pd.api.types.pandas_dtype(word)
    except TypeError:  # a type that this pandas does not have
        return np.dtype(object)
