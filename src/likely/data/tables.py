"""A whole table in memory, from files of any known format, folders of texts, standard input or a frame.

The readers are those of `scan`; what is more here: the format of a file whose suffix tells none, and of standard
input, is taken from its first bytes; the separator of delimited text from its first line; and the types of delimited
columns from all rows when the first ones mislead. Texts and mail, a row for each, are read here only.
"""

import os
import sys
import tempfile
import warnings
from collections.abc import Sequence
from dataclasses import replace
from difflib import get_close_matches
from pathlib import Path
from typing import Any

import polars as pl

from likely.data.frames import to_polars
from likely.data.sources.arff import Arff
from likely.data.sources.delimited import Delimited
from likely.data.sources.files import FileSource, scan
from likely.data.sources.formats import TEXTS, Format, format_of_content, format_of_suffix, separator_of
from likely.data.sources.json_lines import lines_of_array
from likely.data.sources.mistakes import listed
from likely.data.sources.paths import Name, find_files
from likely.errors import InputError

_WHOLE_IN_FLOAT = 2.0**53  # above it decimal numbers skip whole ones


def read_table(
    table: Any,
    *,
    format: Format | None = None,
    separator: str | None = None,
    missing: str | Sequence[str] = (),
    columns: str | Sequence[str] | None = None,
    max_rows: int | None = None,
) -> pl.DataFrame:
    """All rows of a file, a list of files, a pattern, standard input ("-"), a frame or a dict of columns.

    Texts and mail are a row each: a folder of texts has the columns text, path and, with folders in it, class; messages
    (.eml, .mbox, Maildir) have columns for subject, body, sender and more, which `likely.data.text.mail` lists.

    format: "csv", "tsv", "jsonl", "json" (an array of objects), "arff", "parquet" or "arrow"; "text", "eml", "mbox" or
    "maildir", also of what lies in a folder; None: told by the suffix, else by the content.
    separator: of delimited text; None: the one that its first line has most of among comma, semicolon, tab and bar.
    missing: further spellings of a missing cell in text, "NA" or "?" say.
    columns: the only columns to read.
    max_rows: the number of rows to stop at.

    >>> import pathlib, tempfile
    >>> path = pathlib.Path(tempfile.mkdtemp()) / "weather.data"
    >>> _ = path.write_text("outlook;degrees;play\\nsunny;85;no\\nrainy;NA;yes\\n")
    >>> read_table(path, missing="NA").rows()
    [('sunny', 85, 'no'), ('rainy', None, 'yes')]
    """
    if max_rows is not None and (not isinstance(max_rows, int) or max_rows < 1):
        raise InputError(f"max_rows must be a positive whole number, got {max_rows!r}")
    spellings = (missing,) if isinstance(missing, str) else tuple(missing)
    wanted = [columns] if isinstance(columns, str) else columns
    if isinstance(table, str) and table == "-":
        frame = _checked_names(_from_standard_input(format, separator, spellings, wanted, max_rows))
        return _without_nul(frame, "standard input")
    if _is_files(table) and (format in TEXTS or (format is None and _is_folder(table))):
        return _from_frame(_from_texts(table, format, max_rows, level=3), spellings, wanted, max_rows)
    if not _is_files(table):
        return _checked_names(_from_frame(table, spellings, wanted, max_rows))
    frame = _checked_names(_from_files(find_files(table), format, separator, spellings, wanted, max_rows))
    return _without_nul(frame, str(table))


def _checked_names(frame: pl.DataFrame) -> pl.DataFrame:
    """Refuse names that polars takes for patterns of names, even in the methods of a single column."""
    for name in frame.columns:
        if name == "*" or (name.startswith("^") and name.endswith("$")):
            raise InputError(
                f"the column name {name[:60]!r} reads as a pattern for names of columns. Rename the column."
            )
    return frame


def _without_nul(frame: pl.DataFrame, where: str) -> pl.DataFrame:
    """NUL in cells of text, which lone surrogates in JSON have become, as U+FFFD; it is said."""
    for column in frame:
        if column.dtype == pl.String and (cells := int(column.str.contains("\0", literal=True).sum())):
            frame = frame.with_columns(column.str.replace_all("\0", "\ufffd", literal=True))
            warnings.warn(
                f"{where}: {cells:,} of {frame.height:,} cells of the column {column.name!r} hold NUL or a lone "
                "surrogate, which become U+FFFD",
                stacklevel=3,
            )
    return frame


def _is_files(table: Any) -> bool:
    if isinstance(table, str | os.PathLike):
        return True
    return isinstance(table, list | tuple) and all(isinstance(each, str | os.PathLike) for each in table)


def _is_folder(table: Any) -> bool:
    return isinstance(table, str | os.PathLike) and Path(table).expanduser().is_dir()


def _from_texts(table: Any, format: Format | None, max_rows: int | None, level: int = 4) -> pl.DataFrame:
    """Texts and messages, a row for each; what is odd about them is said in warnings."""
    from likely.data.text import corpora

    if isinstance(table, bytes):
        frame, notes = corpora.read_bytes(table, format or "text", max_rows)
    elif _is_folder(table):
        frame, notes = corpora.read_folder(Path(table).expanduser(), format, max_rows)
    elif format == "maildir":
        raise InputError(f"{table} is no folder, which a Maildir is. Say format eml for a single message, or mbox.")
    else:
        paths = find_files(table, empty=True)
        frame, notes = corpora.read_files(paths, format or [_told(path) for path in paths], max_rows)
    for note in notes:
        warnings.warn(note, stacklevel=level)  # where read_table was called
    return frame


def _from_frame(
    table: Any, missing: tuple[str, ...], wanted: Sequence[str] | None, max_rows: int | None
) -> pl.DataFrame:
    frame = to_polars(table)
    for name in wanted or ():
        if name not in frame.columns:
            near = get_close_matches(name, frame.columns) or frame.columns
            raise InputError(f"columns: there is no column {name!r}. There are {listed(near)}.")
    names = frame.columns if wanted is None else wanted
    frame = pl.DataFrame({name: _without(frame[name], missing) for name in names})
    if not frame.width:
        raise InputError("the table has no columns.")
    if not frame.height:
        raise InputError("the table has columns and no rows. Give at least one row.")
    return frame if max_rows is None else frame.head(max_rows)


def _without(column: pl.Series, missing: tuple[str, ...]) -> pl.Series:
    if not missing or column.dtype not in (pl.String, pl.Categorical):
        return column
    return column.set(column.cast(pl.String).is_in(missing), None)


def _from_standard_input(
    format: Format | None,
    separator: str | None,
    missing: tuple[str, ...],
    wanted: Sequence[str] | None,
    max_rows: int | None,
) -> pl.DataFrame:
    data = sys.stdin.buffer.read()
    if format in TEXTS:
        return _from_frame(_from_texts(data, format, max_rows), missing, wanted, max_rows)
    with tempfile.TemporaryDirectory(prefix="likely-") as folder:
        path = Path(folder) / "input"
        path.write_bytes(data)
        try:
            paths = find_files(path)
            if format is None and format_of_content(path) in TEXTS:
                return _from_frame(_from_texts(data, format_of_content(path), max_rows), missing, wanted, max_rows)
            return _from_files(paths, format, separator, missing, wanted, max_rows)
        except InputError as error:
            raise InputError(str(error).replace(str(path), "standard input")) from None


def _from_files(
    paths: Sequence[Path],
    format: Format | None,
    separator: str | None,
    missing: tuple[str, ...],
    wanted: Sequence[str] | None,
    max_rows: int | None,
) -> pl.DataFrame:
    told: list[Format] = [format or _told(path) for path in paths]
    if any(each in TEXTS for each in told):
        return _from_frame(_from_texts(paths, format, max_rows), missing, wanted, max_rows)
    if "json" in told:
        return _from_arrays(paths, told, separator, missing, wanted, max_rows)
    for path, each in zip(paths, told, strict=True):
        if each not in ("parquet", "arrow"):
            _check_text(path, each)
    if format is None and len(set(told)) == 1:
        format = told[0]
    if separator is None and format == "csv":
        separator = _common_separator(paths)
    source = scan(list[Name](paths), columns=wanted, missing=missing, separator=separator, format=format)
    frame = _all_rows(source, max_rows)
    if not frame.height:
        raise InputError(f"{paths[0]} has {frame.width} columns and no rows. Give at least one row below the header.")
    return _narrowed(frame, source)


def _from_arrays(
    paths: Sequence[Path],
    told: Sequence[Format],
    separator: str | None,
    missing: tuple[str, ...],
    wanted: Sequence[str] | None,
    max_rows: int | None,
) -> pl.DataFrame:
    """JSON arrays among the files are read as the JSON lines that they could have been."""
    with tempfile.TemporaryDirectory(prefix="likely-") as folder:
        lines = {path: Path(folder) / f"{i}.jsonl" for i, path in enumerate(paths) if told[i] == "json"}
        for path, place in lines.items():
            place.write_bytes(lines_of_array(path))
        try:
            return _from_files([lines.get(path, path) for path in paths], None, separator, missing, wanted, max_rows)
        except InputError as error:
            said = str(error)
            for path, place in lines.items():
                said = said.replace(f"{place}, line ", f"{path}, object ").replace(str(place), str(path))
            raise InputError(said) from None


def _told(path: Path) -> Format:
    """The format of a file, by its suffix, else by its content."""
    return format_of_suffix(path) or format_of_content(path)


def _check_text(path: Path, told: Format) -> None:
    """Refuse bytes that are no text under a suffix of text, whatever a reader could make of them."""
    with path.open("rb") as stream:
        zipped = stream.read(2) == b"\x1f\x8b"
    if zipped or format_of_content(path) not in ("parquet", "arrow"):
        return
    raise InputError(f"{path} holds {format_of_content(path)} and not {told}. Rename it, or give its format.")


def _common_separator(paths: Sequence[Path]) -> str:
    first = separator_of(paths[0])
    for path in paths[1:]:
        if (other := separator_of(path)) != first:
            raise InputError(
                f"{paths[0]} separates its cells by {first!r} and {path} by {other!r}. Write them alike, or give the "
                "separator."
            )
    return first


def _all_rows(source: FileSource, max_rows: int | None) -> pl.DataFrame:
    try:
        return _joined(source, max_rows)
    except InputError:
        if not all(isinstance(file, Delimited) for file in source.files):
            raise
        # A cell far down may not fit the type of the first rows: read text, which fits all, and look at every row.
        return _retyped(
            _joined(replace(source, dtypes=pl.Schema(dict.fromkeys(source.columns, pl.String()))), max_rows)
        )


def _joined(source: FileSource, max_rows: int | None) -> pl.DataFrame:
    parts, rows = [source.schema.to_frame()], 0
    for batch in source.batches():
        parts.append(batch)
        rows += batch.height
        if max_rows is not None and rows >= max_rows:
            break
    frame = pl.concat(parts, rechunk=True)
    return frame if max_rows is None else frame.head(max_rows)


def _retyped(frame: pl.DataFrame) -> pl.DataFrame:
    """Each column of text in the first of integer, float and truth value that every cell of it is."""
    return pl.DataFrame({column.name: _retyped_column(column) for column in frame})


def _retyped_column(column: pl.Series) -> pl.Series:
    if column.null_count() == len(column):
        return column
    for dtype in (pl.Int64(), pl.Float64(), pl.Boolean()):
        read = column.cast(dtype, strict=False)
        if read.null_count() == column.null_count():
            return read
    return column


def _narrowed(frame: pl.DataFrame, source: FileSource) -> pl.DataFrame:
    """Attributes that ARFF declares as numeric, of which all cells are whole, as whole numbers."""
    declared = [
        {attribute.name for attribute in file.attributes if attribute.whole}
        for file in source.files
        if isinstance(file, Arff)
    ]
    whole = set.intersection(*declared) if len(declared) == len(source.files) else set()
    return pl.DataFrame({column.name: _as_whole(column) if column.name in whole else column for column in frame})


def _as_whole(column: pl.Series) -> pl.Series:
    seen = column.drop_nulls()
    if not column.dtype.is_float() or not len(seen):
        return column
    fits = ((seen == seen.round()) & (seen.abs() < _WHOLE_IN_FLOAT)).all()
    return column.cast(pl.Int64) if fits else column
