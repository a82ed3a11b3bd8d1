"""Sources of data: batches by number, and files read in batches without ever holding one in memory.

`Source` and `TableSource` say what a source is (a page of the documents has one in full); `scan` makes one of files.

| suffix | read by | random access |
| --- | --- | --- |
| .parquet, .arrow, .feather, .ipc | slices of rows | yes |
| .csv, .tsv, .jsonl, .ndjson, .arff, each also .gz | 4 MB of whole records at a time | no |

Text is cut into blocks of whole records here and each block is parsed by polars. That bounds the memory at a few
blocks whether or not the file is compressed, is as quick as polars' own streaming, and tells the line of every
mistake. Batches are cut again to exactly `batch_rows` rows, so that what is learned does not depend on the reader.

The types of the columns of a text file are those of its first 10,000 lines or more (whole blocks, up to 64 MB): the
first of integer, float and truth value that the parser reads from every cell, else text. A later cell that does not
fit is an error that names it, and so is a value in a column that was empty until then, and a JSON key that was not
there: no cell is ever dropped or turned into a missing one. `schema_overrides` settles a type beforehand. Missing is
an empty cell in delimited text, also a quoted one, and what `missing` lists; in JSON it is null or an absent key.
A blank line is no row, except in a file of one column, where it is a missing cell.
"""

import importlib
from typing import TYPE_CHECKING, Any

from likely.data.sources.source import Kept, Source, TableSource

if TYPE_CHECKING:  # what type checkers and editors see of the names below
    from likely.data.sources.files import FileSource as FileSource
    from likely.data.sources.files import scan as scan

_HOME = {"FileSource": "likely.data.sources.files", "scan": "likely.data.sources.files"}  # which import Polars

__all__ = ["FileSource", "Kept", "Source", "TableSource", "scan"]


if not TYPE_CHECKING:  # to a type checker, a name that is not above is a mistake

    def __getattr__(name: str) -> Any:
        if name in _HOME:
            return getattr(importlib.import_module(_HOME[name]), name)
        raise AttributeError(f"module 'likely.data.sources' has no attribute {name!r}")
