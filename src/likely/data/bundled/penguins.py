"""The Palmer penguins: 344 birds of three species, mixed columns, missing cells.

Horst, Hill and Gorman 2020, from data of the Palmer Station LTER; CC0 1.0, so that it can be shipped.
"""

from importlib.resources import as_file, files
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import polars


def penguins() -> "polars.DataFrame":
    """The table, with the column `species` to predict.

    >>> penguins().shape
    (344, 8)
    """
    import polars as pl

    with as_file(files("likely.data.bundled").joinpath("penguins.csv")) as path:
        return pl.read_csv(path)
