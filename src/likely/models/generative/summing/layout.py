"""How a table's columns are shared out among families, and its rows brought into their form.

A `Layout` is the schema with one family per group of columns. It is all that a model has to fix before it sums: rows
go in, and a tuple of arrays comes out that the product of the families summarises and scores.
"""

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from typing import Any, Literal

import numpy as np

from likely.data.columns.encoding import Part, encode
from likely.data.columns.schema import Schema, text_or_number
from likely.distributions.combined.product import ProductFamily
from likely.distributions.counts.bernoulli import BernoulliFamily
from likely.distributions.family import Family
from likely.errors import CellError, InputError
from likely.numeric.arrays import Array, Floats
from likely.statistics import Codes, SideBySide
from likely.statistics.counting.words import Tokens

Missing = Literal["ignore", "evidence", "impute", "error"]
MISSING: tuple[str, ...] = ("ignore", "evidence", "impute", "error")


@dataclass(frozen=True)
class Layout:
    """Columns, their families, and what happens to missing cells."""

    schema: Schema
    parts: tuple[Part, ...]
    families: tuple[Family, ...]
    missing: Missing = "ignore"

    @classmethod
    def of(cls, schema: Schema, groups: Sequence[tuple[Family, Sequence[int]]], missing: Missing) -> "Layout":
        """From pairs of a family and the places of its columns."""
        parts = tuple(
            Part(tuple(columns), f.form, getattr(f, "takes_sparse", False), getattr(f, "cuts", None) or ())
            for f, columns in groups
        )
        return cls(schema, parts, tuple(family for family, _ in groups), missing)

    @property
    def family(self) -> ProductFamily:
        """The product of all parts; with missing="evidence" one more for which cells are missing."""
        extra = (BernoulliFamily(neutral=True),) if self.missing == "evidence" else ()
        return ProductFamily((*self.families, *extra))

    def alike(self, other: "Layout") -> bool:
        """Whether two models describe the same columns in the same way, so that their sums can be added."""
        mine, its = self.schema, other.schema
        same_names = mine.named != its.named or mine.names == its.names
        return (
            same_names
            and not self.retyped(other)
            and (self.parts, self.families, self.missing) == (other.parts, other.families, other.missing)
        )

    def retyped(self, other: "Layout") -> list[str]:
        """The columns of levels that are text in one and numbers in the other."""
        pairs = zip(self.schema.columns, other.schema.columns, strict=False)
        types = {one.name: {text_or_number(one.dtype), text_or_number(two.dtype)} for one, two in pairs}
        coded = [self.schema.columns[j].name for part in self.parts if part.form == "codes" for j in part.columns]
        return [name for name in coded if types.get(name) == {"text", "number"}]

    def rows(self, batch: object, start: int, learning: bool) -> tuple[Any, ...]:
        """A batch of the table in the form that the family takes."""
        encoded = encode(batch, self.parts, self.schema, start, learning)
        if any(hasattr(family, "prepare") for family in self.families):
            encoded = tuple(_prepared(f, rows, learning) for f, rows in zip(self.families, encoded, strict=True))
        if self.missing == "error":
            self._refuse_missing(encoded, start)
        if self.missing == "evidence":
            return (*encoded, self.absent(encoded))
        return encoded

    @contextmanager
    def naming_cells(self, numbers: Sequence[int] | Array) -> Iterator[None]:
        """Inside, a cell that a family refuses is reported by the table's own row number and column name."""
        try:
            yield
        except CellError as error:
            column = self.schema.columns[self.parts[error.part].columns[error.column]].name
            raise InputError(f"column {column!r}, row {int(numbers[error.row])} {error.problem}") from None

    def columns_with(self, capability: str) -> dict[str, int]:
        """The columns whose family has a capability, by name, and the place of their part."""
        able = [i for i, family in enumerate(self.families) if hasattr(family, capability)]
        return {self.schema.columns[j].name: i for i in able for j in self.parts[i].columns}

    def absent(self, encoded: tuple[Any, ...]) -> Floats:
        """Which cells are missing, in the order of the columns: (n, d) of 0 and 1."""
        mask = np.zeros((len_of(encoded), self.schema.width))
        for part, rows in zip(self.parts, encoded, strict=True):
            mask[:, list(part.columns)] = missing_cells(rows)
        return mask

    def columns_in_order(self, terms: Floats) -> Floats:
        """Terms (n, parts' columns, k) brought to the order of the table, missingness added to its own column."""
        order = [j for part in self.parts for j in part.columns]
        out = np.zeros((terms.shape[0], self.schema.width, terms.shape[2]))
        out[:, order] = terms[:, : len(order)]
        if self.missing == "evidence":
            out += terms[:, len(order) :]
        return out

    def for_estimating(self, statistic: SideBySide) -> SideBySide:
        """The statistic as `missing` wants it: with "impute", cells filled with their class's mean."""
        if self.missing != "impute":
            return statistic
        parts = tuple(_filling(f).filled(part) for f, part in zip(self.families, statistic.parts, strict=True))
        return replace(statistic, parts=parts)

    def fill(self, encoded: tuple[Any, ...], statistic: SideBySide) -> tuple[Any, ...]:
        """Missing cells of a query filled with the overall mean, or the most frequent level."""
        return tuple(map(_filled, encoded, self.families, statistic.parts))

    def _refuse_missing(self, encoded: tuple[Any, ...], start: int) -> None:
        mask = self.absent(encoded)
        if mask.any():
            row, column = (int(i[0]) for i in np.nonzero(mask))
            raise InputError(
                f"column {self.schema.columns[column].name!r}, row {start + row} is missing (NaN); "
                "fill it, or choose missing='ignore'"
            )


def _prepared(family: Family, rows: object, learning: bool) -> Any:
    """Rows in the form that the family itself makes of them; most take them as they are encoded."""
    return family.prepare(rows, learning) if hasattr(family, "prepare") else rows


def fills(family: Family) -> bool:
    """Whether a family says what a missing cell is filled with."""
    return hasattr(family, "filled") and hasattr(family, "typical")


def len_of(encoded: tuple[Any, ...]) -> int:
    """Rows in an encoded batch."""
    first = encoded[0]
    return int(first.shape[0]) if hasattr(first, "shape") else len(first)


def missing_cells(rows: Any) -> Array:
    """Which cells of a part are missing (n, d)."""
    if isinstance(rows, Codes):
        return rows.x < rows.base
    if isinstance(rows, np.ndarray):
        return np.isnan(rows)
    if isinstance(rows, list):
        return np.array([text is None for text in rows], dtype=np.bool_)[:, None]
    if isinstance(rows, Tokens):
        return np.zeros((len(rows), 1), dtype=bool) if rows.missing is None else rows.missing[:, None]
    return np.zeros(rows.shape, dtype=bool)


def take_rows(encoded: tuple[Any, ...], index: Array) -> tuple[Any, ...]:
    """Some rows of an encoded batch."""
    return tuple(
        replace(rows, x=np.ascontiguousarray(rows.x[index])) if isinstance(rows, Codes) else rows[index]
        for rows in encoded
    )


def _filling(family: Family) -> Any:
    """A family that fills missing cells; others are refused."""
    if not fills(family):
        raise InputError(
            f"missing='impute' fills means and frequent values, which {type(family).__name__} has no use for; "
            "say missing='ignore' (--gaps ignore)"
        )
    return family


def _filled(rows: Any, family: Family, statistic: object) -> Any:
    mask = missing_cells(rows)
    if not mask.any():
        return rows
    typical = _filling(family).typical(statistic)
    if isinstance(rows, Codes):
        return _fill_levels(rows, mask, typical)
    return np.where(mask, typical.astype(rows.dtype), rows)


def _fill_levels(rows: Codes, mask: Array, typical: Sequence[Any]) -> Codes:
    x = rows.x.astype(np.int64) - rows.base
    levels = list(rows.levels)
    for j, common in enumerate(typical):
        if not mask[:, j].any() or common is None:
            continue
        if common not in levels[j]:
            levels[j] = (*levels[j], common)
        x[mask[:, j], j] = list(levels[j]).index(common)
    return Codes(np.ascontiguousarray(x.astype(np.int32)), np.zeros_like(rows.base), tuple(levels))
