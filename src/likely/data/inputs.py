"""Anything into batches: one face for arrays, sparse matrices, frames and files.

`read_input` looks at what it is given and wraps it without copying: a matrix of numbers stays a matrix, every frame
becomes Polars columns, a scanned file stays a file. All of them have names (or none), a width, a number of rows
(unknown for a file), and are sources of numbered batches: pairs of the first row's number and the rows.
"""

import os
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from difflib import get_close_matches
from functools import cached_property
from typing import Any, Self, TypeAlias

import numpy as np
from numpy.typing import ArrayLike

from likely.data.accepted import TableLike
from likely.data.forked import check_not_forked
from likely.data.sources.source import Source, TableSource
from likely.errors import InputError, InputTypeError
from likely.numeric.arrays import Array

_BATCH_CELLS = 2**21  # 16 MB of numbers a batch: large enough to hide its overhead, small enough to hold several
_BATCH_ROWS = 65_536

Batch: TypeAlias = tuple[int, Any]  # the first row's number, and the rows


@dataclass(frozen=True)
class ArrayInput(Source[Batch]):
    """A matrix of numbers, dense or CSR, used where it lies."""

    x: Any
    names: tuple[str, ...] | None = None

    @property
    def width(self) -> int:
        return int(self.x.shape[1])

    @property
    def rows(self) -> int:
        return int(self.x.shape[0])

    @property
    def sparse(self) -> bool:
        return not isinstance(self.x, np.ndarray)

    @property
    def n_batches(self) -> int:
        return -(-self.rows // batch_rows(self.width))

    def batch(self, number: int) -> Batch:
        size = batch_rows(self.width)
        return number * size, self.x[number * size : (number + 1) * size]


@dataclass(frozen=True)
class FrameInput(Source[Batch]):
    """Polars columns."""

    frame: Any
    names: tuple[str, ...]
    named: bool = True  # False: the names x0, x1, ... are ours, not the user's
    like: Any = None  # the user's own table without its rows, to give rows back in its kind

    @property
    def width(self) -> int:
        return len(self.names)

    @property
    def rows(self) -> int:
        return int(self.frame.height)

    @property
    def n_batches(self) -> int:
        return -(-self.rows // batch_rows(self.width))

    def batch(self, number: int) -> Batch:
        size = batch_rows(self.width)
        return number * size, self.frame.slice(number * size, size)

    def select(self, names: Sequence[str]) -> Self:
        return replace(self, frame=self.frame[list(names)], names=tuple(names))

    def with_days(self, dates: Mapping[str, str]) -> Self:
        """These columns of dates as days."""
        return replace(self, frame=in_days(self.frame, dates))


@dataclass(frozen=True)
class SourceInput(Source[Batch]):
    """A file or another source of rows, read in batches each time it is passed over."""

    source: TableSource
    names: tuple[str, ...]
    named: bool = True
    dates: Mapping[str, str] = field(default_factory=dict)  # columns that are read as days, and how they are written

    @property
    def width(self) -> int:
        return len(self.names)

    @property
    def rows(self) -> int | None:
        return None

    @property
    def n_batches(self) -> int | None:
        return self.source.n_batches

    def batch(self, number: int) -> Batch:
        return self.source.first_row(number), self._read(self.source.batch(number))

    def batches(self) -> Iterator[Batch]:
        start = 0
        for frame in self.source.batches():
            yield start, self._read(frame)
            start += frame.height

    def _read(self, frame: Any) -> Any:
        if lacking := [name for name in self.names if name not in frame.columns]:
            raise InputError(f"a batch of the source lacks the column {lacking[0]!r}, which others have")
        return in_days(frame, self.dates)

    def head(self, rows: int) -> Any:
        """A frame of the first rows."""
        from likely.data.sources.union import stacked

        some, height = [], 0
        for frame in self.source.batches():
            some.append(frame.head(rows - height))
            height += some[-1].height
            if height >= rows:
                break
        return stacked(some, self.names)

    def select(self, names: Sequence[str]) -> Self:
        return replace(self, names=tuple(names))

    def with_text(self, names: Sequence[str]) -> Self:
        """These columns as text, as they are spelled, if the source can read them so."""
        again = getattr(self.source, "with_text", None)
        return self if again is None or not names else replace(self, source=again(names))

    def with_days(self, dates: Mapping[str, str]) -> Self:
        """These columns of dates as days."""
        return replace(self, dates=dates)


@dataclass(frozen=True)
class TextInput(Source[Batch]):
    """A list of texts: a table of one column, whose strings need not be valid Unicode."""

    documents: list[str | None]  # None: missing
    names: tuple[str, ...] = ("text",)
    named: bool = False
    width: int = 1

    @property
    def rows(self) -> int:
        return len(self.documents)

    @property
    def n_batches(self) -> int:
        return len(self._spans)

    def batch(self, number: int) -> Batch:
        start, stop = self._spans[number]
        return start, self.documents[start:stop]

    @cached_property
    def _spans(self) -> list[tuple[int, int]]:
        from likely.data.text.documents import batches

        return list(batches(self.documents))


Input: TypeAlias = ArrayInput | FrameInput | SourceInput | TextInput


def in_days(frame: Any, dates: Mapping[str, str]) -> Any:
    """A frame whose columns of dates, each with the pattern it is written in, are days since 1970-01-01."""
    from likely.data.features.dates import as_days

    return frame.with_columns([as_days(frame[name], pattern) for name, pattern in dates.items()]) if dates else frame


def whole_table(data: Input) -> Any:
    """What is in memory: an array, a sparse matrix, a Polars frame or a list of texts.

    >>> whole_table(read_input([[1.0, 2.0]]))
    array([[1., 2.]])
    """
    match data:
        case ArrayInput():
            return data.x
        case FrameInput():
            return data.frame
        case TextInput():
            return data.documents
    raise InputError("this needs the data in memory: read the file first")


def taken(data: Input, rows: Array) -> Input:
    """Some rows of what is in memory, by their numbers."""
    match data:
        case ArrayInput():
            return replace(data, x=data.x[rows])
        case FrameInput():
            return replace(data, frame=data.frame[rows])
        case TextInput():
            return TextInput([data.documents[i] for i in rows.tolist()], data.names, data.named)
    raise InputError("this needs the data in memory: read the file first")


def batch_rows(width: int) -> int:
    """Rows in a batch of so many columns; a function of the width alone, so results do not depend on memory."""
    return min(_BATCH_ROWS, max(256, _BATCH_CELLS // max(width, 1)))


def read_input(X: TableLike) -> Input:
    """Wrap the user's data; refuse what is not a table of features."""
    if isinstance(X, ArrayInput | FrameInput | SourceInput | TextInput):
        return X
    if hasattr(X, "n_batches") and isinstance(X, TableSource):
        check_not_forked()
        return SourceInput(X, tuple(X.columns))
    if hasattr(X, "tocsr") and hasattr(X, "nnz"):  # sparse
        return _read_sparse(X)
    if isinstance(X, os.PathLike):
        return _read_path(X)
    if _is_frame(X):
        return _read_frame(X)
    return _read_array(X)


def suggest(name: object, known: Sequence[Any]) -> str:
    """', did you mean ...?' when a known name is close; a number is shown as one, not as a text.

    >>> suggest("recal", ["recall", "precision"]), suggest("1", [0, 1])
    ("; did you mean 'recall'?", '; did you mean 1, the number?')
    """
    close = get_close_matches(str(name), [str(k) for k in known], n=1)
    if not close:
        return ""
    found = next(k for k in known if str(k) == close[0])
    found = found.item() if isinstance(found, np.generic) else found
    if close[0] != str(name) or isinstance(found, str) == isinstance(name, str):
        return f"; did you mean {found!r}?"
    kind = {str: "text", int: "number", float: "number"}.get(type(found), type(found).__name__)
    return f"; did you mean {found!r}, the {kind}?"


def more_than_once(X: TableLike) -> Any:
    """X, or where that is a stream of rows, which may be read once, a frame of them."""
    if not hasattr(type(X), "__arrow_c_stream__"):
        return X
    from likely.data.frames import in_memory

    return in_memory(X)


def _read_path(path: Any) -> Input:
    """A file: in batches where its format allows, else as a whole."""
    from likely.data.frames.tables import in_batches, read_table
    from likely.data.sources.files import scan

    check_not_forked()
    if in_batches(path):
        source = scan(path)
        return SourceInput(source, tuple(source.columns))
    return _read_frame(read_table(path))


def _read_frame(X: Any) -> Input:
    from likely.data.frames import column_names, to_polars
    from likely.data.frames.recognition import is_dask, is_records, is_stream

    check_not_forked()
    if is_dask(X) and column_names(X) is not None:
        from likely.data.sources.dask_frames import DaskFrame

        return SourceInput(DaskFrame(X), tuple(DaskFrame(X).columns))
    if is_stream(X) or is_records(X):
        X = to_polars(X)
    frame = to_polars(X)
    _check_shape(frame.height, frame.width)
    return FrameInput(frame, tuple(frame.columns), column_names(X) is not None, _emptied(X))


def _emptied(X: object) -> Any:
    if hasattr(X, "iloc"):
        return X.iloc[:0]
    if hasattr(X, "slice"):
        return X.slice(0, 0)
    return {}


def _read_sparse(X: Any) -> ArrayInput:
    if X.dtype.kind == "c":
        raise InputError("Complex data not supported: give real numbers")
    if X.ndim != 2:
        raise InputError("Expected 2D array, got a sparse array of another dimension: give one row per example")
    _check_shape(*X.shape)
    matrix = X.tocsr()
    if not matrix.has_canonical_format:  # a cell may be stored in parts, none of which is its number
        matrix = matrix.copy() if matrix is X else matrix
        matrix.sum_duplicates()
    if not np.isfinite(matrix.data).all():
        bad = int(np.flatnonzero(~np.isfinite(matrix.data))[0])
        row = int(np.searchsorted(matrix.indptr, bad, side="right")) - 1
        raise InputError(
            f"the sparse matrix holds {matrix.data[bad]} (NaN or infinity) in row {row}, column "
            f"{matrix.indices[bad]}; in a sparse matrix a missing cell cannot be told from others: use a dense one"
        )
    return ArrayInput(matrix)


def _read_array(X: Any) -> Input:
    if isinstance(X, str | bytes) or X is None:
        hint = "; for a file give pathlib.Path(name) or likely.scan(name)" if isinstance(X, str) else ""
        raise InputTypeError(f"expected a table of features, got {type(X).__name__}{hint}")
    array = X if isinstance(X, np.ndarray) else _as_array(X)
    if isinstance(array, np.ma.MaskedArray):
        array = np.where(np.ma.getmaskarray(array), np.nan, np.ma.getdata(array))
    if not array.dtype.isnative:
        array = array.astype(array.dtype.newbyteorder("="))
    if array.dtype.kind in "US" and not isinstance(X, np.ndarray):
        array = np.array(X, dtype=object)  # NumPy has spelled numbers and missing cells as text; take them back
    if array.dtype.kind == "c":
        raise InputError("Complex data not supported: give real numbers")
    if array.ndim == 0:
        raise InputError(f"Expected 2D array, got scalar array instead:\narray={array}.\nGive one row per example.")
    if array.ndim == 1:
        from likely.data.frames.recognition import not_two_dimensional

        raise not_two_dimensional(array)
    if array.ndim > 2:
        raise InputError(f"Found array with dim {array.ndim}, while dim <= 2 is required: one row per example")
    _check_shape(*array.shape)
    if array.dtype.kind == "O":
        return _read_objects(array)
    if array.dtype.kind in "US":
        return _read_columns(array)
    if array.dtype.kind not in "fiub":
        raise InputTypeError(f"an array of type {array.dtype} is no table of features; give numbers, texts or a frame")
    return ArrayInput(array)


def _as_array(X: ArrayLike) -> Array:
    try:
        return np.asarray(X)
    except ValueError as error:
        raise InputError(f"the rows do not make a table: give every row the same number of cells ({error})") from None


def _read_objects(array: Array) -> Input:
    try:
        numbers = array.astype(np.float64)
    except (TypeError, ValueError):
        for value in array.flat:
            if value is not None and not isinstance(value, str | bytes | bool | int | float | np.generic):
                if str(value) == "<NA>":  # pandas' missing value
                    continue
                raise InputTypeError(
                    f"argument must be a string or a number, not {type(value).__name__!r}: {value!r} is not a feature"
                ) from None
        return _read_columns(array)
    if any(isinstance(value, str | bool) for value in array[0]):
        return _read_columns(array)
    return ArrayInput(numbers)


def _read_columns(array: Array) -> FrameInput:
    from likely.data.frames import to_polars

    frame = to_polars(array)
    return FrameInput(frame, tuple(frame.columns), named=False, like=array[:0])


def _check_shape(rows: int, width: int) -> None:
    if rows == 0:
        raise InputError(f"Found array with 0 sample(s) (shape=({rows}, {width})) while a minimum of 1 is required.")
    if width == 0:
        raise InputError(f"Found array with 0 feature(s) (shape=({rows}, 0)) while a minimum of 1 is required.")


def _is_frame(X: object) -> bool:
    if isinstance(X, np.ndarray):
        return X.dtype.names is not None
    if isinstance(X, list | tuple):
        return len(X) > 0 and isinstance(X[0], Mapping)
    from likely.data.frames import is_frame

    return is_frame(X)
