"""A table in one file or several: looked at by `scan`, read in batches as its `FileSource`."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from difflib import get_close_matches
from typing import Any

import polars as pl

from likely.data import inputs
from likely.data.printing.wording import quoted
from likely.data.sources.formats import FORMATS, File, Format, open_file
from likely.data.sources.parsers.column_types import final_types
from likely.data.sources.parsers.columnar import Columnar
from likely.data.sources.parsers.delimited import Delimited
from likely.data.sources.parsers.json_lines import JsonLines
from likely.data.sources.places.paths import Name, find_files
from likely.data.sources.suspicions import warn_of_first_rows
from likely.data.sources.union import common_types
from likely.errors import InputError, InputTypeError


def scan(
    path: Name | Sequence[Name],
    *,
    batch_rows: int | None = None,
    target: str | None = None,
    columns: str | Sequence[str] | None = None,
    drop: str | Sequence[str] = (),
    schema_overrides: Mapping[str, Any] | None = None,
    missing: str | Sequence[str] = (),
    separator: str | None = None,
    quote: str | None = '"',
    format: Format | None = None,
    decimal: str = ".",
) -> "FileSource":
    """Look at a file, a list of files or a pattern such as "part-*.csv.gz"; the rows are read later, in batches.

    Several files are one table, in the order given (a pattern's in order of name); they must have the same columns.

    batch_rows: rows per batch; memory grows with it. None: 65,536, and fewer if there are more than 32 columns.
    target: the column that holds the class.
    columns: the only columns to read (the target is read too).
    drop: columns to leave out, as row numbers, whose column R writes without a name: drop="".
    schema_overrides: polars or Python types by column, instead of those taken from the first rows. In delimited text a
        column with a whole number that has zeros in front (007, 01234) is text, a code; numbers are so asked for.
    missing: further spellings of a missing cell in delimited text and ARFF, "NA" or "-" say. What looks like one among
        the first numbers of a column is warned of, and a column without a name that numbers the rows.
    separator: between the cells of delimited text, if not that of the suffix.
    quote: the mark around cells of delimited text that hold a separator; None if the file quotes nothing.
    format: "csv", "tsv", "jsonl", "arff", "parquet" or "arrow", if not that of the suffix. The other formats are not
        read in batches: `read_table` takes them.
    decimal: "." or ",", before the fraction of a number in delimited text.

    >>> import tempfile, pathlib
    >>> path = pathlib.Path(tempfile.mkdtemp()) / "weather.csv"
    >>> _ = path.write_text("outlook,degrees,play\\nsunny,85,no\\nrainy,,yes\\n")
    >>> source = scan(path, target="play")
    >>> dict(source.schema)
    {'outlook': String, 'degrees': Int64, 'play': String}
    >>> [batch.rows() for batch in source.batches()]
    [[('sunny', 85, 'no'), ('rainy', None, 'yes')]]
    """
    if batch_rows is not None and (not isinstance(batch_rows, int) or batch_rows < 1):
        raise InputError(f"batch_rows must be a positive integer, got {batch_rows!r}")
    if quote is not None and not _is_mark(quote):
        raise InputError(f"quote must be one ASCII character or None, got {quote!r}")
    if separator is not None and (not _is_mark(separator) or separator == quote):
        raise InputError(f"separator must be one ASCII character other than the quote, got {separator!r}")
    if format is not None and format not in FORMATS:
        raise InputError(f"format must be one of {', '.join(FORMATS)}, got {format!r}")
    check_decimal(decimal, separator)
    spellings = (missing,) if isinstance(missing, str) else tuple(missing)
    found = find_files(path)
    files = tuple(open_file(file, separator, quote, spellings, format, decimal) for file in found)
    try:
        overrides = pl.Schema(schema_overrides or {})
    except TypeError as error:
        raise InputTypeError(f"schema_overrides: {error}. Give polars types such as polars.Float64.") from None
    settled = frozenset(overrides)
    files = tuple(replace(file, settled=settled) if isinstance(file, Delimited) else file for file in files)
    dtypes = common_types(files, overrides)
    if not all(isinstance(file, JsonLines) for file in files):  # a JSON key may turn up late
        _check_columns(overrides, dtypes, "schema_overrides")
    dtypes = pl.Schema({**dtypes, **overrides})
    if not dtypes:
        raise InputError(f"{files[0].path} has no columns.")
    if target is not None:
        _check_columns([target], dtypes, "target")
    if columns is not None:
        wanted = dict.fromkeys([columns] if isinstance(columns, str) else columns)
        _check_columns(wanted, dtypes, "columns")
        dtypes = pl.Schema({name: dtypes[name] for name in [*wanted, target] if name is not None})
        files = tuple(replace(file, all_keys=False) if isinstance(file, JsonLines) else file for file in files)
    if drop or drop == "":
        unwanted = {drop} if isinstance(drop, str) else set(drop)
        _check_columns(unwanted, dtypes, "drop")
        if target in unwanted:
            raise InputError(f"drop: {target!r} is the target")
        dtypes = pl.Schema({name: dtype for name, dtype in dtypes.items() if name not in unwanted})
        if not dtypes:
            raise InputError("drop: no column would be left")
        files = tuple(replace(file, all_keys=False) if isinstance(file, JsonLines) else file for file in files)
    source = FileSource(files, dtypes, batch_rows or inputs.batch_rows(len(dtypes)), target)
    if any(isinstance(file, Delimited) for file in files):
        warn_of_first_rows(source)
    return source


@dataclass(frozen=True, repr=False)
class FileSource:
    """A table in files, read in batches as often as wanted. Made by `scan`; it can be pickled and sent to a worker."""

    files: tuple[File, ...]
    dtypes: pl.Schema  # Null: no value among the rows looked at
    batch_rows: int
    target: str | None

    @property
    def columns(self) -> list[str]:
        return self.dtypes.names()

    @property
    def features(self) -> list[str]:
        """The columns without the target."""
        return [name for name in self.columns if name != self.target]

    @property
    def schema(self) -> pl.Schema:
        """The type of each column in the batches."""
        return final_types(self.dtypes)

    @property
    def rows(self) -> int | None:
        """How many rows there are, if the files tell without being read."""
        counts = [file.rows for file in self.files if file.rows is not None]
        return sum(counts) if len(counts) == len(self.files) else None

    @property
    def n_batches(self) -> int | None:
        """How many batches there are, if the files tell without being read."""
        return None if self.rows is None else -(-self.rows // self.batch_rows)

    def first_row(self, number: int) -> int:
        """How many rows come before a batch."""
        return number * self.batch_rows

    @property
    def addressable(self) -> bool:
        """Whether `batch(i)` can read any batch by its number."""
        return all(isinstance(file, Columnar) for file in self.files)

    def batches(self) -> Iterator[pl.DataFrame]:
        """The rows in order, in frames of exactly `batch_rows` rows; only the last may be shorter."""
        frames = (frame for file in self.files for frame in file.frames(self.dtypes))
        return _cut(frames, self.batch_rows)

    def batch(self, i: int) -> pl.DataFrame:
        """Batch number i, equal to that of `batches`, without reading those before it."""
        if not self.addressable or self.rows is None:
            raise InputError(f"{self}: text has no random access. Read `batches()` in order, or convert to Parquet.")
        if not 0 <= i * self.batch_rows < self.rows:
            raise InputError(f"{self}: there is no batch {i}; there are {self.n_batches}, counted from 0")
        start, stop = i * self.batch_rows, min((i + 1) * self.batch_rows, self.rows)
        parts = []
        for file in self.files:
            assert isinstance(file, Columnar)
            if start < file.rows and stop > 0:
                parts.append(file.slice(max(start, 0), min(stop, file.rows), self.dtypes))
            start, stop = start - file.rows, stop - file.rows
        return pl.concat(parts).rechunk()

    def with_text(self, names: Iterable[str]) -> "FileSource":
        """The same table, these of its columns as text: in delimited text as they are spelled there.

        Other files say the types of their values themselves, and keep them: there 1.10 is the number 1.1.

        >>> import tempfile, pathlib
        >>> path = pathlib.Path(tempfile.mkdtemp()) / "releases.csv"
        >>> _ = path.write_text("version,bugs\\n1.1,3\\n1.10,4\\n")
        >>> [scan(path).head().rows(), scan(path).with_text(["version"]).head().rows()]
        [[(1.1, 3), (1.1, 4)], [('1.1', 3), ('1.10', 4)]]
        """
        if not all(isinstance(file, Delimited) for file in self.files):
            return self
        wanted = {name: pl.String() for name in names if name in self.dtypes}
        return replace(self, dtypes=pl.Schema({**self.dtypes, **wanted}))

    def head(self, n: int = 5) -> pl.DataFrame:
        """The first n rows."""
        batches = replace(self, batch_rows=max(n, 1)).batches()
        return next(batches, self.schema.to_frame()).head(n)

    def __repr__(self) -> str:
        first = self.files[0].path.name
        names = first if len(self.files) == 1 else f"{first} and {len(self.files) - 1} more"
        rows = "" if self.rows is None else f"{self.rows:,} rows, "
        return f"Source({names}: {rows}{len(self.dtypes)} columns)"


def check_decimal(decimal: str, separator: str | None) -> None:
    """Refuse what cannot stand before the fraction of a number, or separates the cells."""
    if decimal not in (".", ","):
        raise InputError(f"decimal must be '.' or ',', got {decimal!r}")
    if decimal == separator:
        raise InputError(f"{decimal!r} cannot both separate the cells and stand before the fraction of a number")


def _is_mark(sign: str) -> bool:
    return len(sign) == 1 and sign.isascii() and sign not in "\r\n"


def _check_columns(names: Iterable[str], dtypes: pl.Schema, option: str) -> None:
    for name in names:
        if name not in dtypes:
            near = get_close_matches(name, dtypes)
            known = quoted(near or list(dtypes))
            hint = "Did you mean" if near else "There are"
            raise InputError(f"{option}: there is no column {name!r}. {hint} {known}?")


def _cut(frames: Iterable[pl.DataFrame], rows: int) -> Iterator[pl.DataFrame]:
    """The same rows in frames of exactly `rows` rows, each column in one piece; only the last may be shorter."""
    waiting: list[pl.DataFrame] = []
    height = 0
    for frame in frames:
        waiting.append(frame)
        height += frame.height
        if height < rows:
            continue
        joined = pl.concat(waiting, rechunk=True)
        whole = height - height % rows
        for start in range(0, whole, rows):
            yield joined.slice(start, rows)
        waiting, height = [joined.slice(whole)], height - whole
    if height:
        yield pl.concat(waiting, rechunk=True)
