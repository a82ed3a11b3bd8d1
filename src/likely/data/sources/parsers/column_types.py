"""The types of columns: as far as they were seen, as the batches have them, and given to a frame."""

from collections.abc import Mapping

import polars as pl


def final_types(dtypes: pl.Schema) -> pl.Schema:
    """The types in the batches: a column in which nothing was seen is text.

    >>> dict(final_types(pl.Schema({"empty": pl.Null(), "age": pl.Int64()})))
    {'empty': String, 'age': Int64}
    """
    return pl.Schema({name: pl.String() if dtype == pl.Null else dtype for name, dtype in dtypes.items()})


def padded(cells: pl.Series) -> pl.Series:
    """Which cells of a column of text are whole numbers with zeros in front, which numbers would lose.

    >>> padded(pl.Series(["007", None, "0", "0.5", "10"])).to_list()
    [True, None, False, False, False]
    """
    return cells.alias("cells").str.contains(r"^ *[+-]?0\d+$")  # polars takes some names for patterns of names


def typed(frame: pl.DataFrame, dtypes: Mapping[str, pl.DataType], strict: bool = True) -> pl.DataFrame:
    """The named columns in the types given; without polars' expressions, to which a name such as "*" means others.

    >>> typed(pl.DataFrame({"*": [1], "b": [2]}), {"*": pl.Float64()}).rows()
    [(1.0,)]
    """
    return pl.DataFrame({name: frame[name].cast(dtype, strict=strict) for name, dtype in dtypes.items()})
