"""Files read in batches, without ever holding one in memory.

| suffix | read by | random access |
| --- | --- | --- |
| .parquet, .arrow, .feather, .ipc | slices of rows | yes |
| .csv, .tsv, .jsonl, .ndjson, each also .gz | 4 MB of whole records at a time | no |

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

import csv
import difflib
import glob
import gzip
import json
import os
import re
import zlib
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, Literal, TypeAlias

import polars as pl
from polars.selectors import by_name

from likely.errors import InputError, InputTypeError

Name: TypeAlias = str | os.PathLike[str]

_BLOCK = 1 << 22  # bytes of text parsed at a time
_LONGEST = 1 << 26  # bytes that one record may take: a quote that is never closed must not fill the memory
_PREFIX_ROWS, _PREFIX_BYTES = 10_000, 1 << 26
_SLICE = 65_536  # rows of a columnar file read at a time
_DELIMITED = {".csv": ",", ".tsv": "\t"}
_JSON = (".jsonl", ".ndjson")
_COLUMNAR: dict[str, Literal["Parquet", "Arrow"]] = {
    ".parquet": "Parquet",
    ".arrow": "Arrow",
    ".feather": "Arrow",
    ".ipc": "Arrow",
}
_FAILURES = (pl.exceptions.PolarsError, pl.exceptions.PanicException, OSError)


def scan(
    path: Name | Sequence[Name],
    *,
    batch_rows: int = 65_536,
    target: str | None = None,
    columns: str | Sequence[str] | None = None,
    schema_overrides: Mapping[str, Any] | None = None,
    missing: str | Sequence[str] = (),
    separator: str | None = None,
    quote: str | None = '"',
) -> "Source":
    """Look at a file, a list of files or a pattern such as "part-*.csv.gz"; the rows are read later, in batches.

    Several files are one table, in the order given (a pattern's in order of name); they must have the same columns.

    batch_rows: rows per batch; memory grows with it.
    target: the column that holds the class.
    columns: the only columns to read (the target is read too).
    schema_overrides: polars or Python types by column, instead of those taken from the first rows.
    missing: further spellings of a missing cell in delimited text, "NA" or "?" say.
    separator, quote: of delimited text, if not those of the suffix; quote=None if the file quotes nothing.

    >>> import tempfile
    >>> path = Path(tempfile.mkdtemp()) / "weather.csv"
    >>> _ = path.write_text("outlook,degrees,play\\nsunny,85,no\\nrainy,,yes\\n")
    >>> source = scan(path, target="play")
    >>> source.schema
    Schema([('outlook', String), ('degrees', Int64), ('play', String)])
    >>> [batch.rows() for batch in source.batches()]
    [[('sunny', 85, 'no'), ('rainy', None, 'yes')]]
    """
    if not isinstance(batch_rows, int) or batch_rows < 1:
        raise InputError(f"batch_rows must be a positive integer, got {batch_rows!r}")
    if quote is not None and not _is_mark(quote):
        raise InputError(f"quote must be one ASCII character or None, got {quote!r}")
    if separator is not None and (not _is_mark(separator) or separator == quote):
        raise InputError(f"separator must be one ASCII character other than the quote, got {separator!r}")
    spellings = (missing,) if isinstance(missing, str) else tuple(missing)
    files = tuple(_opened(file, separator, quote, spellings) for file in _found(path))
    try:
        overrides = pl.Schema(schema_overrides or {})
    except TypeError as error:
        raise InputTypeError(f"schema_overrides: {error}. Give polars types such as polars.Float64.") from None
    dtypes = _common(files, overrides)
    for name in overrides:
        if not all(isinstance(file, _JsonLines) for file in files):  # a JSON key may turn up late
            _check_column(name, dtypes, "schema_overrides")
    dtypes = pl.Schema({**dtypes, **overrides})
    if not dtypes:
        raise InputError(f"{files[0].path} has no columns.")
    if target is not None:
        _check_column(target, dtypes, "target")
    if columns is not None:
        wanted = dict.fromkeys([columns] if isinstance(columns, str) else columns)
        for name in wanted:
            _check_column(name, dtypes, "columns")
        dtypes = pl.Schema({name: dtypes[name] for name in [*wanted, target] if name is not None})
        files = tuple(replace(file, all_keys=False) if isinstance(file, _JsonLines) else file for file in files)
    return Source(files, dtypes, batch_rows, target)


@dataclass(frozen=True, repr=False)
class Source:
    """A table in files, read in batches as often as wanted. Made by `scan`; it can be pickled and sent to a worker."""

    files: tuple["_File", ...]
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
        return _seen(self.dtypes)

    @property
    def rows(self) -> int | None:
        """How many rows there are, if the files tell without being read."""
        counts = [file.rows for file in self.files]
        return None if None in counts else sum(count for count in counts if count is not None)

    @property
    def n_batches(self) -> int | None:
        return None if self.rows is None else -(-self.rows // self.batch_rows)

    @property
    def addressable(self) -> bool:
        """Whether `batch(i)` can read any batch by its number."""
        return all(isinstance(file, _Columnar) for file in self.files)

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
            assert isinstance(file, _Columnar)
            if start < file.rows and stop > 0:
                parts.append(file.slice(max(start, 0), min(stop, file.rows), self.dtypes))
            start, stop = start - file.rows, stop - file.rows
        return pl.concat(parts).rechunk()

    def head(self, n: int = 5) -> pl.DataFrame:
        """The first n rows."""
        frames = (frame for file in self.files for frame in file.frames(self.dtypes))
        return next(_cut(frames, max(n, 1)), self.schema.to_frame()).head(n)

    def __repr__(self) -> str:
        first = self.files[0].path.name
        names = first if len(self.files) == 1 else f"{first} and {len(self.files) - 1} more"
        rows = "" if self.rows is None else f"{self.rows:,} rows, "
        return f"Source({names}: {rows}{len(self.dtypes)} columns)"


@dataclass(frozen=True)
class _Columnar:
    """Parquet or Arrow: columns are stored apart and rows can be addressed."""

    path: Path
    layout: Literal["Parquet", "Arrow"]
    own: pl.Schema
    rows: int

    @classmethod
    def open(cls, path: Path, layout: Literal["Parquet", "Arrow"]) -> "_Columnar":
        with _reading(path, layout):
            lazy = _lazy(path, layout)
            return cls(path, layout, lazy.collect_schema(), int(lazy.select(pl.len()).collect().item()))

    def frames(self, dtypes: pl.Schema) -> Iterator[pl.DataFrame]:
        for start in range(0, self.rows, _SLICE):
            yield self.slice(start, min(start + _SLICE, self.rows), dtypes)

    def slice(self, start: int, stop: int, dtypes: pl.Schema) -> pl.DataFrame:
        with _reading(self.path, self.layout):
            lazy = _lazy(self.path, self.layout).select(by_name(*dtypes)).slice(start, stop - start)
            frame = _typed(lazy.collect(), _seen(dtypes))
        if frame.height != stop - start:
            raise InputError(f"{self.path}: the file was changed while it was being read. Scan it again.")
        return frame


@dataclass(frozen=True)
class _Delimited:
    """Cells between separators, one record a line; a quoted cell may hold separators and line ends."""

    path: Path
    separator: str
    quote: str | None
    missing: tuple[str, ...]
    names: tuple[str, ...]
    start: int  # bytes up to the end of the header
    own: pl.Schema  # Null: no value among the first rows
    rows: None = None

    @classmethod
    def open(cls, path: Path, separator: str, quote: str | None, missing: tuple[str, ...]) -> "_Delimited":
        first = _prefix(path, quote)
        file = cls(path, separator, quote, missing, (), 0, pl.Schema({}))
        header = next(record for record in file._records(first) if record.strip())
        start = first.index(header) + len(header)
        file = replace(file, names=file._header(header), start=start)
        return replace(file, own=file._inferred(1 + first.count(b"\n", 0, start), first[start:]))

    def _inferred(self, line: int, data: bytes) -> pl.Schema:
        """The first of integer, float and truth value that the parser reads from every cell, else text."""
        cells = self._table(line, data, dict.fromkeys(self.names, pl.String()))
        own: dict[str, pl.DataType] = dict.fromkeys(self.names, pl.String())
        for dtype in (pl.Boolean(), pl.Float64(), pl.Int64()):  # the last that fits stays
            read = self._parse(data, dict.fromkeys(self.names, dtype), loose=True)
            own |= {name: dtype for name in self.names if read[name].count() == cells[name].count()}
        own |= {name: pl.Null() for name in self.names if cells[name].null_count() == cells.height}
        return pl.Schema(own)

    def frames(self, dtypes: pl.Schema) -> Iterator[pl.DataFrame]:
        wanted, skip = _seen(dtypes), self.start
        for line, block in _blocks(self.path, self.quote):
            first, data = line + block.count(b"\n", 0, skip), block[skip:]
            skip = max(skip - len(block), 0)
            frame = self._table(first, data, wanted)
            for name, dtype in dtypes.items():
                if dtype == pl.Null and frame[name].null_count() < frame.height:
                    raise self._unforeseen(name, first, data)
            yield frame

    def _header(self, record: bytes) -> tuple[str, ...]:
        try:
            text = record.decode()
        except UnicodeDecodeError as error:
            raise _not_utf8(self.path, 1, error) from None
        text = text.rstrip("\r\n")
        if "\r" in text:
            raise InputError(f"{self.path}: its lines end in carriage returns alone. Convert them to newlines.")
        names = text.split(self.separator)
        if self.quote is not None:
            try:
                names = next(csv.reader([text], delimiter=self.separator, quotechar=self.quote))
            except csv.Error as error:
                raise InputError(f"{self.path}: the header cannot be read: {error}") from None
        if twice := [name for name, times in Counter(names).items() if times > 1]:
            raise InputError(
                f"{self.path}: the header names columns more than once: {', '.join(map(repr, twice))}. "
                "Rename them, or add a header if the first line is data."
            )
        return tuple(names)

    def _table(self, line: int, data: bytes, wanted: Mapping[str, pl.DataType]) -> pl.DataFrame:
        """The rows of a block whose first line is `line`; mistakes are located."""
        last = self.names[-1]
        try:
            frame = self._parse(data, {**wanted, last: wanted.get(last, pl.String())})
        except _FAILURES as error:
            raise self._located(line, data, wanted, error) from None
        # A row that is too short ends in a missing cell; only then is counting separators worth while.
        if len(self.names) > 1 and frame[last].null_count():
            separators = self._bare(data).count(self.separator.encode())
            if separators != frame.height * (len(self.names) - 1):
                frame = frame.filter(self._filled(line, data))
        return _typed(frame, wanted)

    def _parse(self, data: bytes, wanted: Mapping[str, pl.DataType], loose: bool = False) -> pl.DataFrame:
        # Our own header lets a block begin with anything and keeps polars from renaming columns.
        place = {name: f"c{j}" for j, name in enumerate(self.names)}
        header = self.separator.join(place.values()) + "\n"
        types = {name: pl.String() if isinstance(d, pl.Enum) else d for name, d in wanted.items()}
        frame = pl.read_csv(
            header.encode() + data,
            separator=self.separator,
            quote_char=self.quote,
            schema={c: types.get(name, pl.String()) for name, c in place.items()},
            columns=[place[name] for name in wanted],
            null_values=["", *self.missing],
            ignore_errors=loose,
        )
        return _typed(frame.rename({place[name]: name for name in wanted}), wanted, strict=not loose)

    def _records(self, data: bytes) -> Iterator[bytes]:
        if self.quote is None:
            return (match[0] for match in _LINE.finditer(data))
        mark = re.escape(self.quote.encode())
        pattern = re.compile(rb"(?:[^%b\n]++|%b[^%b]*+%b)*+\n|(?:[^%b\n]++|%b[^%b]*+%b)++\Z" % ((mark,) * 8))
        return (match[0] for match in pattern.finditer(data))

    def _bare(self, data: bytes) -> bytes:
        """Without what stands between quotes."""
        if self.quote is None or self.quote.encode() not in data:
            return data
        mark = re.escape(self.quote.encode())
        return re.sub(rb"%b[^%b]*+%b" % (mark, mark, mark), b"", data)

    def _filled(self, line: int, data: bytes) -> pl.Series:
        """Which records are not blank lines; one with too few or too many cells is refused."""
        filled = []
        for record in self._records(data):
            filled.append(record.strip(b"\r\n") != b"")
            cells = self._bare(record).count(self.separator.encode()) + 1
            if filled[-1] and cells != len(self.names):
                hint = f" Is a {self.quote} in it not doubled?" if self.quote and self.quote.encode() in record else ""
                raise InputError(
                    f"{self.path}, line {line:,}: the number of cells is {cells}, in the header {len(self.names)}. "
                    f"Give every line as many, separated by {self.separator!r}.{hint}"
                ) from None
            line += record.count(b"\n")
        return pl.Series(filled, dtype=pl.Boolean)

    def _located(self, line: int, data: bytes, wanted: Mapping[str, pl.DataType], error: BaseException) -> InputError:
        """What is wrong in a block that polars refuses, and where."""
        try:
            data.decode()
        except UnicodeDecodeError as problem:
            return _not_utf8(self.path, line + data.count(b"\n", 0, problem.start), problem)
        self._filled(line, data)
        try:
            cells = self._parse(data, dict.fromkeys(wanted, pl.String()))
            read = self._parse(data, wanted, loose=True)
        except _FAILURES:
            return self._stray_quote(line, data, error)
        bad = [(first, name) for name in wanted if (first := _first_lost(cells[name], read[name])) is not None]
        if not bad:
            return self._stray_quote(line, data, error)
        row, name = min(bad)
        value = cells[name][row]
        return InputError(
            f"{self.path}, line {self._line_of(row, line, data):,}, column {name!r}: {value!r} is not "
            f"{wanted[name]}, the type of the column. Correct it, or call it missing (missing=[{value!r}]), or give "
            f"the column another type (schema_overrides={{{name!r}: {_suggested(value)}}})."
        )

    def _unforeseen(self, name: str, line: int, data: bytes) -> InputError:
        cells = self._parse(data, {name: pl.String()})[name]
        row = int(cells.is_not_null().arg_max() or 0)
        return InputError(
            f"{self.path}, line {self._line_of(row, line, data):,}, column {name!r}: {cells[row]!r} is the first value "
            f"of a column that was empty before, so its type is not known. Give it: "
            f"schema_overrides={{{name!r}: {_suggested(cells[row])}}}."
        )

    def _line_of(self, row: int, line: int, data: bytes) -> int:
        return line + sum(record.count(b"\n") for _, record in zip(range(row), self._records(data), strict=False))

    def _stray_quote(self, line: int, data: bytes, error: BaseException) -> InputError:
        end = line + data.count(b"\n")
        if self.quote is not None:
            mark, cell = re.escape(self.quote.encode()), re.escape(self.separator.encode())
            stray = re.search(rb"(?<=[^%b%b\r\n])%b(?=[^%b%b\r\n])" % (mark, cell, mark, mark, cell), data)
            if stray:
                line += data.count(b"\n", 0, stray.start())
                return InputError(
                    f"{self.path}, line {line:,}: a {self.quote} inside a cell. "
                    "Quote the cell and double the sign in it, or give quote=None if the file quotes nothing."
                )
        reason = _reason(error).partition(" at column ")[0]
        return InputError(f"{self.path}, lines {line:,} to {end:,} cannot be read: {reason}")


@dataclass(frozen=True)
class _JsonLines:
    """One JSON object a line."""

    path: Path
    own: pl.Schema  # Null: no value among the first rows
    all_keys: bool = True  # refuse a key that is no column
    rows: None = None

    @classmethod
    def open(cls, path: Path) -> "_JsonLines":
        data = _prefix(path, None)
        kinds: dict[str, set[type]] = {}
        for line, text in enumerate(data.split(b"\n"), start=1):
            for name, value in _json_object(path, line, text).items() if text.strip() else ():
                wide = type(value) is int and value.bit_length() > 63
                kinds.setdefault(name, set()).add(float if wide else type(value))
        own = {name: _json_type(name, seen - {type(None)}, data) for name, seen in kinds.items()}
        return cls(path, pl.Schema(own))

    def frames(self, dtypes: pl.Schema) -> Iterator[pl.DataFrame]:
        for line, block in _blocks(self.path, None):
            try:
                frame = _parse_json(block, dtypes)
            except _FAILURES as error:
                raise self._located(line, block, dtypes, error) from None
            if self.all_keys:
                self._check_keys(line, block, frame)
            yield _typed(frame, _seen(dtypes))

    def _check_keys(self, line: int, data: bytes, frame: pl.DataFrame) -> None:
        """Refuse a key that is no column. If every key leads to a cell, counting keys is enough to know."""
        keys = data.count(b'":') - data.count(b'\\":')
        nulls = data.count(b'":null') + data.count(b'": null')
        if keys == frame.height * frame.width - sum(frame.null_count().row(0)) + nulls:
            return
        known = set(frame.columns)
        for i, text in enumerate(data.split(b"\n")):
            if text.strip() and (extra := json.loads(text).keys() - known):
                name = min(extra)
                raise InputError(
                    f"{self.path}, line {line + i:,}: the key {name!r} is in none of the first rows, so its type is "
                    f"not known. Give it (schema_overrides={{{name!r}: polars.String}}), or list the columns to read "
                    "(columns=[...])."
                )

    def _located(self, line: int, data: bytes, dtypes: pl.Schema, error: BaseException) -> InputError:
        """What is wrong in a block that polars refuses: the shortest beginning that it refuses ends in the mistake."""
        lines = data.split(b"\n")
        low, high = 0, len(lines)  # the first `low` lines are fine, the first `high` are not
        while high - low > 1:
            middle = (low + high) // 2
            low, high = (middle, high) if _is_readable(b"\n".join(lines[low:middle]), dtypes) else (low, middle)
        row = _json_object(self.path, line + low, lines[low])
        for name, dtype in dtypes.items():
            if not _is_readable(lines[low], pl.Schema({name: dtype})):
                value = row.get(name)
                what = "the first value of a column that was empty before" if dtype == pl.Null else f"not {dtype}"
                return InputError(
                    f"{self.path}, line {line + low:,}, column {name!r}: {value!r} is {what}. Correct it, or give the "
                    f"column another type (schema_overrides={{{name!r}: {_suggested(value)}}})."
                )
        return InputError(f"{self.path}, line {line + low:,} cannot be read: {_reason(error)}")


_File: TypeAlias = _Columnar | _Delimited | _JsonLines
_LINE = re.compile(rb"[^\n]*\n|[^\n]+\Z")


def _found(path: Name | Sequence[Name]) -> list[Path]:
    """The files meant, each of which exists and is not empty."""
    if not isinstance(path, str | os.PathLike):
        found = [file for each in path for file in _found(each)]
        if not found:
            raise InputError("no files to scan: the list is empty")
        return found
    one = Path(path).expanduser()
    if not one.exists() and glob.has_magic(str(one)):
        names = sorted(glob.glob(str(one), recursive=True))  # noqa: PTH207 - Path.glob takes no absolute pattern
        matches = [Path(name) for name in names if Path(name).is_file()]
        if not matches:
            raise InputError(f"no file matches {path}")
        return [file for match in matches for file in _found(match)]
    if one.is_dir():
        raise InputError(f"{one} is a folder. Name its files, with a pattern such as '{one}/*.parquet'.")
    if not one.exists():
        if not one.parent.is_dir():
            raise InputError(f"{one} does not exist, nor does the folder {one.parent}.")
        near = difflib.get_close_matches(one.name, [other.name for other in one.parent.iterdir()])
        hint = f" Did you mean {' or '.join(near)}?" if near else ""
        raise InputError(f"{one} does not exist.{hint}")
    if one.stat().st_size == 0:
        raise InputError(f"{one} is empty.")
    return [one]


def _opened(path: Path, separator: str | None, quote: str | None, missing: tuple[str, ...]) -> _File:
    name = path.name.lower()
    suffix = Path(name).suffix
    if suffix in _COLUMNAR:
        return _Columnar.open(path, _COLUMNAR[suffix])
    suffix = Path(name.removesuffix(".gz")).suffix
    if suffix in _DELIMITED:
        return _Delimited.open(path, separator or _DELIMITED[suffix], quote, missing)
    if suffix in _JSON:
        return _JsonLines.open(path)
    raise InputError(
        f"{path}: the suffix does not tell a format that can be scanned. These do: {', '.join([*_DELIMITED, *_JSON])} "
        f"(each also with .gz), {', '.join(_COLUMNAR)}."
    )


def _common(files: Sequence[_File], settled: pl.Schema) -> pl.Schema:
    """The columns of all files together, each in a type that holds its values in every file, if not settled."""
    common, origin = dict(files[0].own), dict.fromkeys(files[0].own, files[0])
    for file in files[1:]:
        absent, extra = [n for n in common if n not in file.own], [n for n in file.own if n not in common]
        loose = isinstance(file, _JsonLines) and isinstance(files[0], _JsonLines)
        if (absent or extra) and not loose:
            lists = {"lacks": absent, "also has": extra}
            said = " and ".join(f"{word} {', '.join(map(repr, names))}" for word, names in lists.items() if names)
            raise InputError(f"{file.path} has not the columns of {files[0].path}: it {said}.")
        for name, dtype in file.own.items():
            merged = dtype if name in settled else _merged(common.get(name, dtype), dtype)
            if merged is None:
                if isinstance(file, _Columnar) or isinstance(origin[name], _Columnar):
                    raise InputError(
                        f"column {name!r} is {common[name]} in {origin[name].path} and {dtype} in {file.path}. "
                        f"Give one type for both: schema_overrides={{{name!r}: ...}}."
                    )
                merged = pl.String()
            common[name] = merged
            origin.setdefault(name, file)
    return pl.Schema(common)


def _merged(a: pl.DataType, b: pl.DataType) -> pl.DataType | None:
    """The type that holds the values of both, if they are equal, both numbers, or one has no values."""
    if a == b or b == pl.Null:
        return a
    if a == pl.Null:
        return b
    if a.is_numeric() and b.is_numeric():
        empty = [pl.DataFrame(schema={"both": dtype}) for dtype in (a, b)]
        return pl.concat(empty, how="vertical_relaxed").schema["both"]
    return None


def _typed(frame: pl.DataFrame, dtypes: Mapping[str, pl.DataType], strict: bool = True) -> pl.DataFrame:
    """The named columns in the types given; without polars' expressions, to which a name such as "*" means others."""
    return pl.DataFrame({name: frame[name].cast(dtype, strict=strict) for name, dtype in dtypes.items()})


def _seen(dtypes: pl.Schema) -> pl.Schema:
    """A column in which nothing was seen is text."""
    return pl.Schema({name: pl.String() if dtype == pl.Null else dtype for name, dtype in dtypes.items()})


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


def _blocks(path: Path, quote: str | None) -> Iterator[tuple[int, bytes]]:
    """Whole records, a block at a time, with the number of the first line of each block."""
    mark = None if quote is None else quote.encode()
    rest, line = b"", 1
    for chunk in _chunks(path):
        rest += chunk
        end = _end_of_records(rest, mark)
        if end:
            yield line, rest[:end]
            line += rest.count(b"\n", 0, end)
            rest = rest[end:]
        elif len(rest) > _LONGEST:
            hint = (
                "Put every object on a line of its own." if mark is None else "Look for a quote that is never closed."
            )
            raise InputError(
                f"{path}: the record that begins on line {line:,} does not end within {_LONGEST >> 20} MB. {hint}"
            )
    if mark is not None and rest.count(mark) % 2:
        raise InputError(
            f"{path}: a quote in the record that begins on line {line:,} is never closed. Close it, or double the "
            "sign if it belongs to the text, or give quote=None if the file quotes nothing."
        )
    if rest:
        yield line, rest


def _end_of_records(data: bytes, mark: bytes | None) -> int:
    """Where the last whole record ends: after a newline with an even number of quotes before it."""
    end = data.rfind(b"\n") + 1
    if mark is None:
        return end
    quotes = data.count(mark, 0, end)
    while end and quotes % 2:
        opening = data.rfind(mark, 0, end)
        earlier = data.rfind(b"\n", 0, opening) + 1
        quotes -= data.count(mark, earlier, end)
        end = earlier
    return end


def _prefix(path: Path, quote: str | None) -> bytes:
    """The first rows of a text file, from which the types are taken."""
    first, lines = b"", 0
    for _, block in _blocks(path, quote):
        first += block
        lines += block.count(b"\n")
        if lines > _PREFIX_ROWS or len(first) > _PREFIX_BYTES:
            break
    if not first.strip():
        raise InputError(f"{path} is empty.")
    return first


def _chunks(path: Path) -> Iterator[bytes]:
    """The bytes of a file, decompressed if it is gzip, without a byte order mark."""
    try:
        with path.open("rb") as raw:
            packed = path.suffix.lower() == ".gz" or raw.read(2) == b"\x1f\x8b"
        with gzip.open(path) if packed else path.open("rb") as stream:
            chunk = stream.read(_BLOCK).removeprefix(b"\xef\xbb\xbf")
            while chunk:
                yield chunk
                chunk = stream.read(_BLOCK)
    except (EOFError, zlib.error, gzip.BadGzipFile) as error:
        raise InputError(f"{path} is damaged gzip: {error}. Fetch or compress it again.") from None
    except OSError as error:
        raise InputError(f"{path} cannot be read: {error.strerror or error}") from None


def _json_object(path: Path, line: int, text: bytes) -> dict[str, Any]:
    try:
        row = json.loads(text.decode(), parse_constant=_refuse_constant)
    except UnicodeDecodeError as problem:
        raise _not_utf8(path, line, problem) from None
    except (ValueError, RecursionError) as problem:
        raise InputError(f"{path}, line {line:,} is not JSON: {problem}. Give one JSON object per line.") from None
    if not isinstance(row, dict):
        raise InputError(f"{path}, line {line:,} is not a JSON object. Give one object {{...}} per line.") from None
    return row


def _refuse_constant(name: str) -> None:
    raise ValueError(f"{name} is no JSON value; write null for a missing one")


def _json_type(name: str, seen: set[type], data: bytes) -> pl.DataType:
    """The type of a column that holds values of these Python types: text if they do not go together."""
    if not seen:
        return pl.Null()
    if seen <= {int, float}:
        return pl.Float64() if float in seen else pl.Int64()
    if seen <= {list, dict} and len(seen) == 1:
        alone = (json.dumps({name: json.loads(text).get(name)}) for text in data.split(b"\n") if text.strip())
        try:
            return pl.read_ndjson("\n".join(alone).encode(), infer_schema_length=None).schema[name]
        except _FAILURES:
            return pl.String()
    return pl.Boolean() if seen == {bool} else pl.String()


def _parse_json(lines: bytes, dtypes: pl.Schema) -> pl.DataFrame:
    # polars' JSON reader knows the widest types only, and panics at others.
    return _typed(pl.read_ndjson(lines, schema={name: _widest(dtype) for name, dtype in dtypes.items()}), dtypes)


def _is_readable(lines: bytes, dtypes: pl.Schema) -> bool:
    try:
        _parse_json(lines, dtypes)
    except _FAILURES:
        return False
    return True


def _widest(dtype: pl.DataType) -> pl.DataType:
    if dtype.is_integer():
        return pl.Int64()
    if dtype.is_numeric():
        return pl.Float64()
    return dtype if dtype.is_nested() or dtype in (pl.Boolean, pl.Null) else pl.String()


def _lazy(path: Path, layout: Literal["Parquet", "Arrow"]) -> pl.LazyFrame:
    if layout == "Parquet":
        return pl.scan_parquet(path, glob=False, hive_partitioning=False)
    return pl.scan_ipc(path, glob=False, hive_partitioning=False)


@contextmanager
def _reading(path: Path, layout: str) -> Iterator[None]:
    try:
        yield
    except _FAILURES as error:
        hint = " Arrow streams are not read, only Arrow files (Feather 2)." if layout == "Arrow" else ""
        raise InputError(f"{path} cannot be read as {layout}: {_reason(error)}.{hint}") from None


def _reason(error: BaseException) -> str:
    return str(error).partition("\n")[0].rstrip(".")


def _not_utf8(path: Path, line: int, error: UnicodeDecodeError) -> InputError:
    byte = error.object[error.start]
    return InputError(
        f"{path}, line {line:,}: byte 0x{byte:02x} is not UTF-8 text. Convert the file, "
        f"with iconv -f latin1 -t utf-8 if it is Western European text."
    )


def _check_column(name: str, dtypes: Mapping[str, Any], option: str) -> None:
    if name not in dtypes:
        near = difflib.get_close_matches(name, dtypes)
        known = ", ".join(map(repr, near or list(dtypes)[:20]))
        raise InputError(f"{option}: there is no column {name!r}. {'Did you mean' if near else 'There are'} {known}?")


def _is_mark(sign: str) -> bool:
    return len(sign) == 1 and sign.isascii() and sign not in "\r\n"


def _first_lost(cells: pl.Series, read: pl.Series) -> int | None:
    """The first row with a cell that was not read."""
    lost = cells.is_not_null() & read.is_null()
    return lost.arg_max() if lost.any() else None


def _suggested(value: Any) -> str:
    """The type to give to a column that holds this value too."""
    if isinstance(value, list | dict):
        return "..."
    try:
        float(value)
    except (TypeError, ValueError):
        return "polars.String"
    return "polars.Float64"
