"""Kinds of feature, and how they are guessed.

A kind says how values compare: numbers by difference, counts as numbers of events, levels by equality, ordered
levels by rank. The guess is made from a column's type, and for whole numbers from its values:

- decimal numbers are `numeric`; true/false, or whole numbers that are only 0 and 1, are `binary`;
- whole numbers from 0 up whose median is at most 10 are `count`, others `numeric`;
- texts are `nominal`; categories that their frame declares as ordered are `ordinal`.

A plain matrix of numbers is `numeric` throughout: nothing in it says otherwise.
"""

from typing import Any, Literal, TypeAlias, get_args

from likely.errors import InputError, InputTypeError

Kind: TypeAlias = Literal["numeric", "nominal", "ordinal", "binary", "count"]
KINDS: tuple[str, ...] = get_args(Kind)

_COUNT_MEDIAN = 10


def guess_kind(column: Any) -> Kind:
    """The kind of a Polars column.

    >>> import polars as pl
    >>> [guess_kind(pl.Series("x", v)) for v in ([1.5, 2], ["a", "b"], [True, None], [0, 3, 1], [1950, 1987])]
    ['numeric', 'nominal', 'binary', 'count', 'numeric']
    """
    import polars as pl

    dtype = column.dtype
    if dtype == pl.Boolean:
        return "binary"
    if dtype == pl.Enum:
        return "ordinal"
    if dtype in (pl.String, pl.Categorical):
        return "nominal"
    if dtype == pl.Null:
        return "numeric"  # never observed: carries no information under any kind
    if dtype.is_float() or dtype.is_decimal():
        return "numeric"
    if dtype.is_integer():
        low, high, middle = column.min(), column.max(), column.median()
        if low is None or low < 0:
            return "numeric"
        if high <= 1:
            return "binary"
        return "count" if low == 0 and middle <= _COUNT_MEDIAN else "numeric"
    raise InputTypeError(
        f"column {column.name!r} has type {dtype}, which has no kind here. "
        "Turn it into numbers or text first (a date into a number of days, say), or leave it out."
    )


def check_kind(kind: str, column: str) -> Kind:
    """Make sure that a kind exists."""
    if kind not in KINDS:
        raise InputError(f"unknown kind {kind!r} for column {column!r}; the kinds are {', '.join(KINDS)}")
    return kind  # type: ignore[return-value]
