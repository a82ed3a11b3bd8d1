"""Options of naive Bayes that may be given for each column: pseudo-counts, and least numbers of levels."""

from collections.abc import Sequence
from dataclasses import replace
from typing import Any, TypeAlias, cast

import numpy as np
from numpy.typing import ArrayLike

from likely.data.columns.schema import Column, Schema, schema_of
from likely.data.inputs import Input
from likely.distributions.family import Family
from likely.errors import InputError

_NUMBERS = ("Int", "UInt", "Float", "Boolean")


PerColumn: TypeAlias = ArrayLike  # one for all columns, or one each


def per_column(value: Any, name: str, columns: int) -> list[Any]:
    """One value for each column, from one for all or a sequence."""
    if np.ndim(value) == 0:
        return [value] * columns
    listed = np.asarray(value).tolist()
    if np.ndim(value) != 1 or len(listed) != columns:
        raise InputError(f"{name} has shape {np.shape(value)} for {columns} columns: give one number, or one each")
    return cast(list[Any], listed)


def check_alpha(alpha: ArrayLike) -> None:
    """Refuse pseudo-counts that are no finite numbers from 0 up."""
    try:
        right = np.asarray(alpha).dtype.kind in "iuf" and bool(((np.asarray(alpha) >= 0) & np.isfinite(alpha)).all())
    except (TypeError, ValueError):
        right = False
    if not right:
        shown = repr(alpha)
        raise InputError(f"alpha must be a finite number, not negative, or one for each column; got {shown:.60}")


def declared_levels(column: Column, least: int | None) -> tuple[Sequence[Any]] | None:
    """Levels that count whether or not they occur: those that the table declares, or 0, 1, ..., least - 1."""
    if least is None:
        return (column.levels,) if column.levels else None
    if not isinstance(least, int) or least < 0 or not column.dtype.startswith(_NUMBERS):
        raise InputError(
            f"min_categories={least!r} for column {column.name!r} of type {column.dtype}: give a whole number from 0 "
            "up, for columns of whole numbers 0, 1, ..."
        )
    return (tuple(range(least)),)


def with_alphas(family: Family, alphas: Sequence[float]) -> Family:
    """A family whose columns have pseudo-counts of their own."""
    if not getattr(family, "alpha_per_column", False):
        return family
    return cast(Family, replace(cast(Any, family), alpha=tuple(map(float, alphas))))


def refuse_words(schema: Schema, data: Input) -> None:
    """Refuse a table that is not of numbers, and say what families of a mixture take the rest."""
    texts = [column.name for column in schema.columns if column.dtype in ("String", "Categorical", "Enum")]
    guessed = schema_of(data).kinds if texts else {}
    for name in texts:
        if guessed[name] in ("nominal", "text"):
            raise InputError(
                f"column {name!r} holds words, and family='gaussian' takes numbers: say family='auto' for a mixed "
                "table, or leave the column out"
            )
