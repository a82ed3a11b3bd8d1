"""A whole table in memory, from files of any known format, folders of texts, standard input or a frame.

The readers are those of `scan`; what is more here: the format of a file whose suffix tells none, and of standard
input, is taken from its first bytes; the separator of delimited text from its first line; and the types of delimited
columns from all rows when the first ones mislead. Texts and mail, a row for each, are read here only.
"""

import os
import warnings
from collections.abc import Collection, Sequence
from difflib import get_close_matches
from pathlib import Path
from typing import Any, NamedTuple

import polars as pl

from likely.data.frames import to_polars
from likely.data.printing.wording import quoted
from likely.data.sources.files import FileSource, check_decimal, scan
from likely.data.sources.formats import TEXTS, WHOLE, Format, format_of_content, format_of_suffix, separator_of
from likely.data.sources.parsers.arff import Arff
from likely.data.sources.parsers.column_types import padded
from likely.data.sources.parsers.delimited import Delimited
from likely.data.sources.parsers.documents import names_document, read_document
from likely.data.sources.parsers.json_lines import lines_of_array
from likely.data.sources.parsers.packed import packing_of
from likely.data.sources.places.addresses import is_address, read_address
from likely.data.sources.places.paths import Name, find_files
from likely.data.sources.places.pipes import is_pipe, spooled
from likely.data.sources.places.unfinished import scratch_folder
from likely.data.sources.places.user_paths import user_path
from likely.data.sources.suspicions import without_suspicions
from likely.errors import InputError

SCANNED = ("csv", "tsv", "jsonl", "arff", "parquet", "arrow")
_WHOLE_IN_FLOAT = 2.0**53  # above it decimal numbers skip whole ones


class _Asked(NamedTuple):
    """What `read_table` was told."""

    format: Format | None
    separator: str | None
    missing: tuple[str, ...]
    columns: Sequence[str] | None
    max_rows: int | None
    as_text: Sequence[str] | None  # None: all columns
    decimal: str = "."


def read_table(
    table: Any,
    *,
    format: Format | None = None,
    separator: str | None = None,
    missing: str | Sequence[str] = (),
    columns: str | Sequence[str] | None = None,
    max_rows: int | None = None,
    as_text: str | Sequence[str] | None = (),
    decimal: str = ".",
) -> pl.DataFrame:
    """All rows of a file, a list of files, a pattern, standard input ("-"), a frame or a dict of columns.

    Texts and mail are a row each: a folder of texts has the columns text, path and, with folders in it, class; messages
    (.eml, .mbox, Maildir) have columns for subject, body, sender and more, which `likely.data.text.mail.mail` lists.

    format: "csv", "tsv", "jsonl", "json" (an array of objects), "arff", "parquet" or "arrow"; "xlsx", "sqlite" or
    "duckdb", a document with one table in it, or file.db::table; "text", "eml", "mbox" or "maildir", also of what lies
    in a folder; None: told by the suffix, else by the content. Text may be compressed: gzip, bzip2, xz, Zstandard, ZIP.
    separator: of delimited text; None: the one that its first line has most of among comma, semicolon, tab and bar.
    missing: further spellings of a missing cell in text, "NA" or "?" say.
    columns: the only columns to read.
    max_rows: the number of rows to stop at.
    as_text: columns of delimited text to read as they are spelled, where the table has them; None: all of them. Columns
    in which a whole number has zeros in front are read so anyway: 007 is no 7.
    decimal: "." or ",", before the fraction of a number in delimited text.

    >>> import pathlib, tempfile
    >>> path = pathlib.Path(tempfile.mkdtemp()) / "weather.data"
    >>> _ = path.write_text("outlook;degrees;play\\nsunny;85;no\\nrainy;NA;yes\\n")
    >>> read_table(path, missing="NA").rows()
    [('sunny', 85, 'no'), ('rainy', None, 'yes')]
    >>> read_table(path, missing="NA", as_text="degrees").rows()
    [('sunny', '85', 'no'), ('rainy', None, 'yes')]
    """
    if max_rows is not None and (not isinstance(max_rows, int) or max_rows < 1):
        raise InputError(f"max_rows must be a positive whole number, got {max_rows!r}")
    spellings = (missing,) if isinstance(missing, str) else tuple(missing)
    chosen = [columns] if isinstance(columns, str) else columns
    texts = [as_text] if isinstance(as_text, str) else as_text
    check_decimal(decimal, separator)
    asked = _Asked(format, separator, spellings, chosen, max_rows, texts, decimal)
    if isinstance(table, str) and is_address(table):
        return _checked_names(_from_frame(read_address(table), asked))
    if isinstance(table, str | os.PathLike) and names_document(table, format):
        return _checked_names(_from_frame(read_document(table, format), asked))
    if is_pipe(table):
        return _without_nul(_checked_names(_from_pipe(table, asked)), "standard input" if table == "-" else str(table))
    if _is_files(table) and (format in TEXTS or (format is None and _is_folder(table))):
        return _from_frame(_from_texts(table, format, max_rows, level=3), asked)
    if not _is_files(table):
        return _checked_names(_from_frame(table, asked))
    frame = _checked_names(_from_files(find_files(table), asked))
    return _without_nul(frame, str(table))


def in_batches(path: Name) -> bool:
    """Whether a file, or the files of a pattern, can be scanned: not folders, pipes, texts and whole documents."""
    if is_pipe(path) or _is_folder(path):
        return False
    return all(_told(each) in SCANNED for each in find_files(path))


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


def _is_files(table: object) -> bool:
    if isinstance(table, str | os.PathLike):
        return True
    return isinstance(table, list | tuple) and all(isinstance(each, str | os.PathLike) for each in table)


def _is_folder(table: object) -> bool:
    return isinstance(table, str | os.PathLike) and user_path(table).is_dir()


def _from_texts(table: Any, format: Format | None, max_rows: int | None, level: int = 4) -> pl.DataFrame:
    """Texts and messages, a row for each; what is odd about them is said in warnings."""
    from likely.data.text import corpora

    if isinstance(table, bytes):
        frame, notes = corpora.read_bytes(table, format or "text", max_rows)
    elif _is_folder(table):
        frame, notes = corpora.read_folder(user_path(table), format, max_rows)
    elif format == "maildir":
        raise InputError(f"{table} is no folder, which a Maildir is. Say format eml for a single message, or mbox.")
    else:
        paths = find_files(table, empty=True)
        frame, notes = corpora.read_files(paths, format or [_told(path) for path in paths], max_rows)
    for note in notes:
        warnings.warn(note, stacklevel=level)  # where read_table was called
    return frame


def _from_frame(table: Any, asked: _Asked) -> pl.DataFrame:
    frame = to_polars(table)
    for name in asked.columns or ():
        if name not in frame.columns:
            near = get_close_matches(name, frame.columns) or frame.columns
            raise InputError(f"columns: there is no column {name!r}. There are {quoted(near)}.")
    names = frame.columns if asked.columns is None else asked.columns
    frame = pl.DataFrame({name: _without(frame[name], asked.missing) for name in names})
    if not frame.width:
        raise InputError("the table has no columns.")
    if not frame.height:
        raise InputError("the table has columns and no rows. Give at least one row.")
    return frame if asked.max_rows is None else frame.head(asked.max_rows)


def _without(column: pl.Series, missing: tuple[str, ...]) -> pl.Series:
    if not missing or column.dtype not in (pl.String, pl.Categorical):
        return column
    return column.set(column.cast(pl.String).is_in(missing), None)


def _from_pipe(name: str | Path, asked: _Asked) -> pl.DataFrame:
    with spooled(name) as path:
        told = asked.format or (_told(path) if path.stat().st_size else None)
        if told in TEXTS:
            return _from_frame(_from_texts(path.read_bytes(), told, asked.max_rows), asked)
        return _from_files(find_files(path), asked)


def _from_files(paths: Sequence[Path], asked: _Asked) -> pl.DataFrame:
    format, separator, missing, columns, max_rows, as_text, decimal = asked
    told: list[Format] = [format or _told(path) for path in paths]
    if any(each in TEXTS for each in told):
        return _from_frame(_from_texts(paths, format, max_rows), asked)
    if "json" in told:
        return _from_arrays(paths, told, asked)
    for path, each in zip(paths, told, strict=True):
        if each not in ("parquet", "arrow"):
            _check_text(path, each)
    if format is None and len(set(told)) == 1:
        format = told[0]
    if separator is None and format == "csv":
        separator = _common_separator(paths)
    names = list[Name](paths)
    with without_suspicions():
        source = scan(names, columns=columns, missing=missing, separator=separator, format=format, decimal=decimal)
    frame = _spelled(source, max_rows, source.columns if as_text is None else as_text, decimal)
    if not frame.height:
        raise InputError(f"{paths[0]} has {frame.width} columns and no rows. Give at least one row below the header.")
    return _narrowed(frame, source)


def _from_arrays(paths: Sequence[Path], told: Sequence[Format], asked: _Asked) -> pl.DataFrame:
    """JSON arrays among the files are read as the JSON lines that they could have been."""
    with scratch_folder() as folder:
        lines = {path: folder / f"{i}.jsonl" for i, path in enumerate(paths) if told[i] == "json"}
        for path, place in lines.items():
            place.write_bytes(lines_of_array(path))
        try:
            return _from_files([lines.get(path, path) for path in paths], asked._replace(format=None))
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
    if packing_of(path) is not None or format_of_content(path) not in ("parquet", "arrow", *WHOLE):
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


def _spelled(source: FileSource, max_rows: int | None, as_text: Sequence[str], decimal: str) -> pl.DataFrame:
    """All rows, of delimited text the columns `as_text` as they are spelled."""
    if not all(isinstance(file, Delimited) for file in source.files):
        return _joined(source, max_rows)
    return _all_rows(source.with_text(as_text), max_rows, as_text, decimal)


def _all_rows(source: FileSource, max_rows: int | None, text: Collection[str], decimal: str) -> pl.DataFrame:
    try:
        return _joined(source, max_rows)
    except InputError:
        # A cell far down may not fit the type of the first rows: read text, which fits all, and look at every row.
        frame = _joined(source.with_text(source.columns), max_rows)
        return pl.DataFrame([column if column.name in text else retyped(column, decimal) for column in frame])


def _joined(source: FileSource, max_rows: int | None) -> pl.DataFrame:
    parts, rows = [source.schema.to_frame()], 0
    for batch in source.batches():
        parts.append(batch)
        rows += batch.height
        if max_rows is not None and rows >= max_rows:
            break
    frame = pl.concat(parts, rechunk=True)
    return frame if max_rows is None else frame.head(max_rows)


def retyped(column: pl.Series, decimal: str = ".") -> pl.Series:
    """A column of text in the first of integer, float and truth value that every cell of it is; codes stay text."""
    if column.null_count() == len(column) or padded(column).any():
        return column
    numbers = column.str.strip_chars_start(" ")  # as the parser of delimited text takes them
    whole = numbers.cast(pl.Int64, strict=False)
    if decimal == ",":
        numbers = numbers.set(numbers.str.contains(".", literal=True), "no number").str.replace(",", ".", literal=True)
    for read in (whole, numbers.cast(pl.Float64, strict=False), _truth(column)):
        if read.null_count() == column.null_count():
            return read
    return column


def _truth(column: pl.Series) -> pl.Series:
    words = {"true": True, "false": False}
    return column.str.to_lowercase().replace_strict(words, default=None, return_dtype=pl.Boolean)


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
