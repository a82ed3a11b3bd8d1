"""What the columns of a table are: names, kinds, declared levels; and how later tables are brought in line."""

import warnings
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, ClassVar

from likely.data.columns.kinds import Kind, guess_kind, guess_kinds, zeros_and_ones_of_sparse
from likely.data.columns.later_cells import LOOKED_AT, later_cells
from likely.data.inputs import ArrayInput, FrameInput, Input, SourceInput, TextInput, suggest
from likely.errors import InputError


@dataclass(frozen=True)
class Column:
    """One feature."""

    name: str
    kind: str  # a kind of `likely.data.columns.kinds`, or the family that was chosen for the column
    levels: tuple[str, ...] | None = None  # in order, when the table declares them
    dtype: str = "Float64"  # the Polars type it came in
    date: str | None = None  # days that were dates: how texts write these ("" where they had a type of their own)
    stored_as: ClassVar[str] = "Column"


@dataclass(frozen=True)
class Schema:
    """The columns of a table in the order in which a model knows them."""

    columns: tuple[Column, ...]
    named: bool  # whether the user's table named them
    target: str | None = None  # the column that the model was fitted to predict; ignored in later tables
    ignored: tuple[str, ...] = ()  # columns of the table that were left out on purpose; passed over in later tables
    positive: str | int | float | bool | None = None  # the class of two that measures of one class are about
    hints: dict[str, Any] = field(default_factory=dict, compare=False, repr=False)  # see `encoding`; only for speed
    stored_as: ClassVar[str] = "Schema"

    def __getstate__(self) -> dict[str, Any]:
        return {**vars(self), "hints": {}}  # which are Polars types: a pickle has plain values only

    @property
    def names(self) -> tuple[str, ...]:
        return tuple(column.name for column in self.columns)

    @property
    def width(self) -> int:
        return len(self.columns)

    @property
    def texts(self) -> tuple[str, ...]:
        """The columns that came as text: levels in letters, or codes that may look like numbers in a later table."""
        return tuple(column.name for column in self.columns if text_or_number(column.dtype) == "text")

    @property
    def kinds(self) -> dict[str, str]:
        return {column.name: column.kind for column in self.columns}

    def align(self, data: Input, estimator: str = "the model") -> Input:
        """Bring a later table in line: columns by name where there are names, by place otherwise."""
        named = getattr(data, "named", False)
        if named and self.named and isinstance(data, FrameInput | SourceInput):
            return self._by_name(data)
        if data.width != self.width:
            raise InputError(
                f"X has {data.width} features, but {estimator} is expecting {self.width} features as input."
            )
        if named and not self.named:
            warnings.warn(f"X has feature names, but {estimator} was fitted without feature names", stacklevel=4)
        elif self.named and not named:
            warnings.warn(
                f"X does not have valid feature names, but {estimator} was fitted with feature names", stacklevel=4
            )
        if isinstance(data, FrameInput) and data.names != self.names:
            renamed = data.frame.rename(dict(zip(data.names, self.names, strict=True)))
            return FrameInput(renamed, self.names, self.named)
        return data

    def _by_name(self, data: FrameInput | SourceInput) -> Input:
        data = self._with_parts_of_dates(data)
        known, given = {*self.names, self.target, *self.ignored}, set(data.names)
        unknown = [name for name in data.names if name not in known]
        absent = [name for name in self.names if name not in given]
        if absent:
            raise InputError(
                f"column {absent[0]!r} is missing from the table"
                + (f" (and {len(absent) - 1} more)" if len(absent) > 1 else "")
                + ". The model was fitted with: "
                + ", ".join(self.names[:20])
                + (", ..." if self.width > 20 else "")
                + (suggest(absent[0], unknown) or _how_to_add(absent))
            )
        if unknown:
            raise InputError(
                f"column {unknown[0]!r} was not there when the model was fitted"
                + (f" (nor were {len(unknown) - 1} more)" if len(unknown) > 1 else "")
                + suggest(unknown[0], absent)
                + "; leave it out"
            )
        chosen = data.select(self.names)
        chosen = chosen.with_text(self.texts) if isinstance(chosen, SourceInput) else chosen
        dates = {column.name: column.date for column in self.columns if column.date is not None}
        return chosen.with_days(dates) if dates else chosen

    def _with_parts_of_dates(self, data: FrameInput | SourceInput) -> FrameInput | SourceInput:
        """The table with the year, month, weekday and hour of dates that the model learned as columns."""
        asked = tuple(name for name in self.names if name not in data.names and _has_part(name))
        if not asked or not isinstance(data, FrameInput):
            return data
        from likely.data.features.dates import with_asked_parts

        frame = with_asked_parts(data.frame, asked, {column.name: column.date for column in self.columns})
        return FrameInput(frame, tuple(frame.columns), data.named)


def _how_to_add(absent: list[str]) -> str:
    """What to do where columns cannot be had: cells that are missing are taken for unknown, columns for mistakes."""
    it, each = ("it", "it") if len(absent) == 1 else ("they", "each")
    return (
        f". Where {it} cannot be had, add {each} with every cell missing: table[{absent[0]!r}] = None, say, in pandas"
    )


def _has_part(name: str) -> bool:
    from likely.data.features.dates import PARTS

    return name.rpartition(": ")[2] in PARTS


def text_or_number(dtype: str) -> str | None:
    """Whether levels of a Polars type are text or numbers; None of one that has no values.

    >>> text_or_number("Categorical"), text_or_number("Int8"), text_or_number("Null")
    ('text', 'number', None)
    """
    if dtype == "Null":
        return None
    return "text" if dtype in ("String", "Categorical", "Enum") else "number"


def names_of_columns(data: Input) -> tuple[str, ...]:
    """The table's own names, or x0, x1, ... where it has none."""
    return data.names or tuple(f"x{j}" for j in range(data.width))


def schema_of(data: Input, kinds: Mapping[str, str] | str | None = None, indicators: bool = False) -> Schema:
    """The schema of a table; `kinds` is the kind of every column, or overrides the guess for some.

    None and "auto" guess all of them.

    Columns of a sparse matrix are numbers, whose zeros need no room in a design; with `indicators`, those that are 0
    and 1 alone are binary, as in a dense one.

    >>> from likely.data.inputs import read_input
    >>> schema_of(read_input({"age": [30, 41], "town": ["Ulm", "Bonn"]}), {"age": "count"}).kinds
    {'age': 'count', 'town': 'nominal'}
    """
    names = names_of_columns(data)
    if isinstance(kinds, str):
        kinds = {} if kinds == "auto" else dict.fromkeys(names, kinds)
    kinds = kinds or {}
    if isinstance(data, ArrayInput):
        guessed = _kinds_of_matrix(data, indicators) if len(kinds) < data.width else ["numeric"] * data.width
        dtype = {"b": "Boolean", "i": "Int64", "u": "Int64"}.get(data.x.dtype.kind, "Float64")
        dtype = "Float32" if data.x.dtype == "float32" else dtype
        columns = [Column(n, kinds.get(n, kind), None, dtype) for n, kind in zip(names, guessed, strict=True)]
        return Schema(tuple(columns), False)
    if isinstance(data, TextInput):
        return Schema((Column(data.names[0], "text", dtype="String"),), False)
    frame = data.frame if isinstance(data, FrameInput) else _with_later_cells(data, kinds)
    return Schema(tuple(_column(frame[name], kinds.get(name)) for name in data.names), data.named)


def _kinds_of_matrix(data: ArrayInput, indicators: bool) -> list[Kind]:
    if not data.sparse:
        return guess_kinds(data.x)
    if not indicators:
        return ["numeric"] * data.width
    return ["binary" if both else "numeric" for both in zeros_and_ones_of_sparse(data.x)]


def _with_later_cells(data: SourceInput, kinds: Mapping[str, str]) -> Any:
    """The first rows of a file, and the cells of later ones that they do not stand for: a kind must fit them all."""
    import polars as pl

    head = data.head(LOOKED_AT)[list(data.names)]
    guessed = head[[name for name in data.names if name not in kinds]]
    if head.height < LOOKED_AT:
        return head
    return pl.concat([head, later_cells(guessed, data.source.batches())], how="diagonal_relaxed")


def _column(series: Any, kind: str | None) -> Column:
    import polars as pl

    levels = tuple(series.dtype.categories.to_list()) if series.dtype == pl.Enum else None
    if kind == "ordinal":
        check_ordered(series)
    return Column(series.name, kind or guess_kind(series), levels, str(series.dtype.base_type()))


def check_ordered(series: Any) -> None:
    """Refuse a column that is said to be ordinal and does not tell the order of its levels."""
    import polars as pl

    if series.dtype != pl.Enum and text_or_number(str(series.dtype.base_type())) == "text":
        raise InputError(
            f"column {series.name!r} is said to be ordinal, but texts do not tell their order: make it a column of "
            f"ordered categories (pl.Enum, an ordered pandas Categorical), or write its levels as numbers; NaiveBayes "
            f"and BayesClassifier also take OrdinalFamily(levels=((...),)) with the levels from low to high"
        )
