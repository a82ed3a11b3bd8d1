"""Files read in batches, without ever holding one in memory.

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

from likely.data.sources.source import Source, scan

__all__ = ["Source", "scan"]
