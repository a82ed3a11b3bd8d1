"""Rows of a table as the arrays that families take: blocks of real numbers, codes of nominal levels, lists of texts.

A `Part` is a group of columns that one family treats. Real columns become an array (n, d) in C order with NaN for a
missing cell, without a copy where the table is such an array already. Nominal columns become `Codes`, each batch
with its own levels: nothing is learned here that could leak from one batch to another.
"""

from collections.abc import Hashable, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any, ClassVar, Literal, cast

import numpy as np

from likely.data.columns.schema import Column, Schema, text_or_number
from likely.data.features.dates import as_days
from likely.errors import InputError
from likely.numeric.arrays import Array, Floats, frozen
from likely.numeric.kernels.checks import any_beyond
from likely.numeric.kernels.sums.counts import column_ranges
from likely.statistics import Codes

LARGEST = 1e152  # a number whose square, summed over the rows, is still a number
_MAX_FLOAT = float(np.finfo(np.float64).max)


@dataclass(frozen=True)
class Part:
    """Columns, by place, that one family treats; `sparse` when it takes a sparse matrix as it is."""

    columns: tuple[int, ...]
    form: Literal["real", "codes", "text"]
    sparse: bool = False
    cuts: tuple[Sequence[float] | None, ...] = ()  # of columns of numbers that become codes: where they are cut
    stored_as: ClassVar[str] = "Part"

    @cached_property
    def first(self) -> int:
        """How many columns these are if they are the first ones in their order, else -1; batches are many, so once."""
        return len(self.columns) if self.columns == tuple(range(len(self.columns))) else -1


def encode(batch: Any, parts: Sequence[Part], schema: Schema, start: int, learning: bool) -> tuple[Any, ...]:
    """The rows of a batch for each part. `start` is the number of the first row, for messages.

    Learning, numbers beyond 1e152 are refused, because their squares cannot be summed; predicting, any
    finite number will do.
    """
    limit = LARGEST if learning else _MAX_FLOAT
    where = _Place(schema, start)
    if isinstance(batch, list):
        return (batch,)  # texts alone
    if isinstance(batch, np.ndarray):
        return tuple(_from_array(batch, part, where, limit) for part in parts)
    if hasattr(batch, "indptr"):
        return tuple(_from_sparse(batch, part, where, limit) for part in parts)
    return tuple(_from_frame(batch, part, where, limit) for part in parts)


@dataclass(frozen=True)
class _Place:
    """Turns places in a batch into words."""

    schema: Schema
    start: int

    def __call__(self, row: int, column: int) -> str:
        return f"column {self.schema.columns[column].name!r}, row {self.start + row}"


def _from_array(batch: Array, part: Part, where: _Place, limit: float) -> Any:
    whole = part.first == batch.shape[1]
    return _from_cells(batch if whole else batch[:, list(part.columns)], part, where, limit)


def _from_cells(x: Array, part: Part, where: _Place, limit: float) -> Any:
    """The rows from the part's own columns, in its order."""
    if part.form == "text":
        raise InputError(f"column {where.schema.columns[part.columns[0]].name!r} holds numbers, not texts")
    if part.form == "real":
        kept = x.dtype in (np.float64, np.float32)
        x = np.ascontiguousarray(x, dtype=None if kept else np.float64)
        return _checked(x, part, where, limit)
    if part.cuts:
        return _cut_array(x, part, where, limit)
    for j in part.columns:
        _check_levels(where.schema.columns[j], "Boolean" if x.dtype.kind == "b" else "Float64")
    if x.dtype.kind in "iub":
        return _whole_codes(np.ascontiguousarray(x if x.dtype.kind != "b" else x.view(np.uint8)))
    return _codes([_float_codes(x[:, j], where, part.columns[j]) for j in range(x.shape[1])], len(x))


def _from_sparse(batch: Any, part: Part, where: _Place, limit: float) -> Any:
    if part.sparse and part.first == batch.shape[1]:
        return batch
    return _from_cells(batch[:, list(part.columns)].toarray(), part, where, limit)


def _from_frame(batch: Any, part: Part, where: _Place, limit: float) -> Any:
    names = [where.schema.columns[j].name for j in part.columns]
    if part.form == "real":
        x = np.empty((batch.height, len(names)))
        for j, name in enumerate(names):
            x[:, j] = _numbers(batch[name], where, part.columns[j])
        return _checked(x, part, where, limit)
    if part.form == "text":
        return _texts(batch[names[0]], where, part.columns[0])
    columns = [where.schema.columns[j] for j in part.columns]
    cuts = part.cuts or (None,) * len(columns)

    def codes(i: int) -> _ColumnCodes:
        cut, column = cuts[i], columns[i]
        if cut is None:
            return _series_codes(batch[column.name], column, where.schema.hints)
        x = _checked(_numbers(batch[column.name], where, part.columns[i])[:, None], part, where, limit, i)
        return _bins(x[:, 0], cut)

    return _codes([codes(i) for i in range(len(columns))], batch.height)


def _check_levels(learned: Column, dtype: str) -> None:
    """Refuse numbers where text was learned, or the other way: what they would be as the other is a guess.

    The code 1.10 has become the number 1.1, and 007 has become 7, before anything is seen of them here.
    """
    now, then = text_or_number(dtype), text_or_number(learned.dtype)
    if now is None or then is None or now == then:
        return
    kinds = {"text": "text", "number": "numbers"}
    how = "read it as text, as its cells are spelled (schema_overrides of scan, as_text of read_table)"
    raise InputError(
        f"column {learned.name!r} holds {kinds[now]} ({dtype}), and the model learned {kinds[then]} in it: "
        + (how if then == "text" else "convert it to numbers")
    )


def _cut_array(x: Array, part: Part, where: _Place, limit: float) -> Codes:
    """Codes of a matrix, some of whose columns are cut."""
    columns = []
    for i, cut in enumerate(part.cuts):
        if cut is None:
            _check_levels(where.schema.columns[part.columns[i]], "Boolean" if x.dtype.kind == "b" else "Float64")
            columns.append(_float_codes(x[:, i].astype(np.float64), where, part.columns[i]))
        else:
            numbers = _checked(np.ascontiguousarray(x[:, i, None], dtype=np.float64), part, where, limit, i)
            columns.append(_bins(numbers[:, 0], cut))
    return _codes(columns, len(x))


def _bins(x: Floats, cut: Sequence[float]) -> "_ColumnCodes":
    """The bin of each number, from 0 up; a number at a cut is above it."""
    codes = np.searchsorted(np.asarray(cut, dtype=np.float64), x, side="right").astype(np.int32)
    codes[np.isnan(x)] = -1
    return codes, range(len(cut) + 1)


def _checked(x: Array, part: Part, where: _Place, limit: float, first: int = 0) -> Array:
    """Numbers of a part, from its column `first` on, none of them beyond the limit."""
    if any_beyond(frozen(x), limit):
        row, j = (int(i[0]) for i in np.nonzero(np.abs(x) > limit))
        value, j = float(x[row, j]), j + first
        if np.isinf(value):
            raise InputError(f"{where(row, part.columns[j])} holds {value} (infinity); correct it or leave it empty")
        raise InputError(f"{where(row, part.columns[j])} holds {value:g}, too large to be squared; rescale the column")
    return x


def _texts(series: Any, where: _Place, column: int) -> list[str | None]:
    import polars as pl

    if series.dtype not in (pl.String, pl.Categorical, pl.Enum, pl.Null):
        raise InputError(f"column {where.schema.columns[column].name!r} has type {series.dtype}, which is no text")
    return cast(list[str | None], series.cast(pl.String).to_list())


def _numbers(series: Any, where: _Place, column: int) -> Floats:
    import polars as pl

    learned = where.schema.columns[column]
    if learned.date is not None or series.dtype.is_temporal():  # a table may have dates where the model learned days
        series = as_days(series, learned.date)
    dtype = series.dtype
    if dtype in (pl.String, pl.Categorical, pl.Enum):
        text = series.cast(pl.String)
        numbers = text.str.strip_chars().cast(pl.Float64, strict=False)
        wrong = (numbers.is_null() & text.is_not_null()).arg_true()
        if len(wrong):
            row = int(wrong[0])
            raise InputError(
                f"{where(row, column)} holds {text[row]!r}, which is not a number; "
                "correct it, leave it empty, leave the column out, or have it taken for levels by a model with `kinds` "
                f"(NaiveBayes, LogisticRegression, DecisionTree, ...): kinds={{{learned.name!r}: 'nominal'}} "
                f"(--kind {learned.name}=nominal)"
            )
        series = numbers
    elif not (dtype.is_numeric() or dtype in (pl.Boolean, pl.Null)):
        raise InputError(f"column {series.name!r} has type {dtype} and cannot be read as numbers; convert it first")
    if dtype != pl.Float64:
        series = series.cast(pl.Float64)
    if series.null_count():
        series = series.fill_null(float("nan"))
    return cast(Floats, series.to_numpy())


_ColumnCodes = tuple[Array, Sequence[Hashable]]  # codes with -1 for a missing cell, and the levels they name


def _codes(columns: list[_ColumnCodes], rows: int) -> Codes:
    x = np.empty((rows, len(columns)), dtype=np.int32)
    for j, (codes, _) in enumerate(columns):
        x[:, j] = codes
    return Codes(x, np.zeros(len(columns), dtype=np.int64), tuple(levels for _, levels in columns), sure=True)


def _whole_codes(x: Array) -> Codes:
    """A matrix of whole numbers is its own codes, unless its range is too wide for a table."""
    low, high = (edge.tolist() for edge in column_ranges(frozen(x)))  # Python's integers: their difference is exact
    widest = 4 * len(x) + 1024
    if all(b - a < widest and b < 2**62 and a > -(2**62) for a, b in zip(low, high, strict=True)):
        levels = tuple(range(a, b + 1) for a, b in zip(low, high, strict=True))
        return Codes(x, np.array(low, dtype=np.int64), levels, sure=True)
    return _codes([_sorted_codes(x[:, j], np.zeros(len(x), dtype=bool)) for j in range(x.shape[1])], len(x))


def _float_codes(x: Array, where: _Place, column: int) -> _ColumnCodes:
    infinite = np.isinf(x)
    if infinite.any():
        row = int(np.flatnonzero(infinite)[0])
        raise InputError(f"{where(row, column)} holds {x[row]} (infinity), which is not a level; leave the cell empty")
    return _sorted_codes(x, np.isnan(x))


def _sorted_codes(x: Array, missing: Array) -> _ColumnCodes:
    levels, codes = np.unique(x[~missing], return_inverse=True)
    out = np.full(len(x), -1, dtype=np.int32)
    out[~missing] = codes
    return out, tuple(int(v) if v == int(v) else v for v in levels.tolist())


def _series_codes(series: Any, learned: Column, hints: dict[str, Any]) -> _ColumnCodes:
    import polars as pl

    dtype = series.dtype
    _check_levels(learned, str(dtype.base_type()))
    if dtype == pl.Null:
        return np.full(len(series), -1, dtype=np.int32), ()
    if dtype == pl.Boolean:
        return _filled(series.cast(pl.Int32)), (False, True)
    if dtype == pl.Enum:
        levels = tuple(series.dtype.categories.to_list())
        return _filled(series.to_physical().cast(pl.Int32)), levels
    if dtype in (pl.String, pl.Categorical):
        return _text_codes(series.cast(pl.String), hints)
    if dtype.is_integer():
        return _sorted_codes(series.fill_null(0).to_numpy(), series.is_null().to_numpy())
    if dtype.is_numeric():
        x = series.cast(pl.Float64).fill_null(float("nan")).to_numpy()
        return _sorted_codes(x, np.isnan(x))
    raise InputError(f"column {series.name!r} has type {dtype} and cannot be read as categories; convert it first")


def _text_codes(text: Any, hints: dict[str, Any]) -> _ColumnCodes:
    """Codes of a text column. Batches of one table mostly have the same levels, so those of the last one are tried."""
    import polars as pl

    hint = hints.get(text.name)
    if hint is not None:
        enum, levels = hint
        codes = text.cast(enum, strict=False)
        if codes.null_count() == text.null_count():
            return _filled(codes.to_physical().cast(pl.Int32)), levels
    names = text.unique().drop_nulls().sort()
    enum, levels = pl.Enum(names), tuple(names.to_list())
    hints[text.name] = enum, levels
    return _filled(text.cast(enum).to_physical().cast(pl.Int32)), levels


def _filled(codes: Any) -> Array:
    return cast(Array, codes.fill_null(-1).to_numpy())
