"""Anything tabular into a polars frame, and rows back into the kind of frame that the user has.

A column keeps the type it has; text is not searched for numbers. What each source becomes:

- polars, PyArrow and pandas columns of numbers share memory with the original where its layout allows;
- an ordered pandas or Arrow category becomes an Enum with its levels in order, an unordered one a Categorical;
- Python objects (object columns, lists, object arrays) become text, numbers or truth values, whichever all of a
  column's cells are; a column that mixes numbers and text is refused;
- a NumPy array of strings is what NumPy makes of rows of mixed types, so a column in which every cell is spelled
  exactly as NumPy spells a number is that number again; every other column stays text;
- None, pandas' NA and NaT, and NaN among objects become null. NaN in a column of floats stays where it is, which
  costs nothing, and counts as missing all the same: `missing` is the one definition.

Columns of dates, lists and structs keep their type; the schema decides about them. Columns without names are called
x0, x1, ... The conversion is our own column by column, so that pandas frames need no PyArrow.
"""

from likely.data.frames.columns import missing
from likely.data.frames.polars_frames import in_memory, to_polars
from likely.data.frames.recognition import column_names, is_frame
from likely.data.frames.user_frames import bare_table, figures_like, from_polars, told_like

__all__ = [
    "bare_table",
    "column_names",
    "figures_like",
    "from_polars",
    "in_memory",
    "is_frame",
    "missing",
    "to_polars",
    "told_like",
]
