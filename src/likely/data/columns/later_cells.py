"""What later rows of a file hold that its first rows do not stand for: cells that a kind must fit too.

Of whole numbers these are the smallest and the largest; of decimal numbers that are all whole in the first rows (so
that they may be taken for binary or for counts) also one with a fraction.
"""

from collections.abc import Iterable
from typing import Any

from likely.data.columns.kinds import guess_kind

LOOKED_AT = 10_000  # first rows, from which kinds are guessed


def later_cells(head: Any, batches: Iterable[Any], constants: bool = False) -> Any:
    """A frame of the cells, of all rows in batches, that kinds guessed from the first ones must fit beside these.

    With `constants` also the ends of columns that do not vary in the first rows.

    >>> import polars as pl
    >>> rows = pl.DataFrame({"rate": [0.0, 1.0, 1.0, 0.25, 7.5], "size": [0.5, 1.5, 2.5, 3.5, 9.5]})
    >>> later_cells(rows.head(3), [rows]).to_dict(as_series=False)
    {'rate': [0.0, 7.5, 0.25]}
    """
    import polars as pl

    still = [column.name for column in head if constants and _still(column)]
    whole = [name for name, dtype in head.schema.items() if dtype.is_integer()]
    floats = [column for column in head if column.dtype.is_float()]
    decimal = [column.name for column in floats if column.name in still or guess_kind(column) != "numeric"]
    names = [name for name in head.columns if name in {*whole, *decimal, *still}]
    if not names:
        return head.clear()[[]]
    seen = {name: pl.col(name).filter(pl.col(name).is_finite()) if name in decimal else pl.col(name) for name in names}
    fractions = [seen[name].filter(seen[name] != seen[name].floor()).first() for name in decimal]
    asked = [column.min() for column in seen.values()], [column.max() for column in seen.values()], fractions
    ends = [frame.select(each) for frame in batches for each in asked if each]
    return pl.concat(ends, how="diagonal_relaxed")[names].unique(maintain_order=True)


def _still(column: Any) -> bool:
    """Whether a column of cells that can be compared has at most one value."""
    import polars as pl

    comparable = column.dtype.is_numeric() or column.dtype.is_temporal() or column.dtype in (pl.String, pl.Boolean)
    return comparable and column.drop_nulls().n_unique() <= 1
