r"""ARFF, the attribute-relation files of Weka: a header that declares every column, then rows, one a line.

    % a comment                          numeric, real          decimal numbers
    @relation weather                    integer                whole numbers
    @attribute outlook {sunny, 'no sun'} {a, 'b c', ...}        text, one of the values declared
    @attribute degrees numeric           string                 any text
    @data                                date "yyyy-MM-dd"      a date, with a time if the pattern has one
    sunny, 85
    'no sun', ?                          ? is a missing cell
    {1 70}                               a sparse row: column 1 (from 0) is 70; what is left out is 0, and of a
                                         nominal column the value declared first

Cells stand between commas, or between blanks in a line without commas. A quote (' or ") counts only at the start of a
cell, and \ in quotes takes the sign after it as it is. % begins a comment at the start of a line and after a row.

A block of lines without quotes, comments and braces is parsed by polars as a whole. Any other block, and one in which
something is wrong, is taken apart line by line, which also tells the line of a mistake.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import TypeAlias

import polars as pl

from likely.data.sources.mistakes import FAILURES, not_utf8
from likely.data.sources.parsers.blocks import read_blocks
from likely.errors import InputError

Row: TypeAlias = list[str | None] | dict[int, str | None]  # all cells, or those of a sparse row by column

_QUOTED = r"""'((?:[^'\\]|\\.)*+)'|"((?:[^"\\]|\\.)*+)\""""
_BARE = r"""[^'"\s,%%{}](?:[^,\s%s]++|[ \t]++(?=[^\s%%,%s]))*+"""
_CELL = re.compile(rf"[ \t]*+(?:{_QUOTED}|({_BARE % ('', '')})?)[ \t]*+(?:(,)|(?:%.*)?$)")
_WORD = re.compile(rf"(?:{_QUOTED}|([^'\"\s%{{}}]\S*+))(?:([ \t]++)(?!%|$)|[ \t]*+(?:%.*)?$)")
_ITEM = re.compile(rf"[ \t]*+(\d+)[ \t]++(?:{_QUOTED}|({_BARE % ('}', '}')}))[ \t]*+(?:(,)|\}}[ \t]*+(?:%.*)?$)")
_NAME = re.compile(rf"@attribute[ \t]++(?:{_QUOTED}|([^\s{{'\"]\S*?))(?=[\s{{])[ \t]*+(.*)$", re.IGNORECASE)
_LEVELS = re.compile(r"""\{((?:'(?:[^'\\]|\\.)*+'|"(?:[^"\\]|\\.)*+"|[^'"}])*+)\}""")
_DATA = re.compile(rb"^[ \t]*+@data\b[^\n]*+(?:\n|\Z)", re.IGNORECASE | re.MULTILINE)
_COMMENTS = re.compile(rb"^[ \t]*+%[^\n]*+", re.MULTILINE)
_LONGEST_HEADER = 1 << 26

# The letters of Java's SimpleDateFormat, longest first, and what polars calls them.
_DATE_LETTERS = {
    "yyyy": "%Y", "yy": "%y", "MMMM": "%B", "MMM": "%b", "MM": "%m", "M": "%m", "dd": "%d", "d": "%d", "EEEE": "%A",
    "EEE": "%a", "HH": "%H", "H": "%H", "hh": "%I", "h": "%I", "mm": "%M", "m": "%M", "SSS": "%3f", "ss": "%S",
    "s": "%S", "a": "%p", "DDD": "%j",
}  # fmt: skip
_DATE_PART = re.compile("|".join([*_DATE_LETTERS, r"'([^']*)'", "[A-Za-z]+", "."]), re.DOTALL)


@dataclass(frozen=True)
class Attribute:
    """A column as the header declares it."""

    name: str
    dtype: pl.DataType
    levels: tuple[str, ...] | None = None  # of a nominal column
    pattern: str | None = None  # of a date
    whole: bool = False  # declared `numeric`, which says nothing about decimals

    @property
    def left_out(self) -> str | None:
        """The cell of a sparse row that does not mention this column; None: there is no such cell."""
        if self.levels is not None:
            return self.levels[0]
        return "0" if self.dtype.is_numeric() else None


@dataclass(frozen=True)
class Arff:
    """Attributes declared in a header, then rows."""

    path: Path
    attributes: tuple[Attribute, ...]
    missing: tuple[str, ...]
    start: int  # bytes up to the end of the line @data
    rows: None = None

    @property
    def own(self) -> pl.Schema:
        return pl.Schema({attribute.name: attribute.dtype for attribute in self.attributes})

    @classmethod
    def open(cls, path: Path, missing: tuple[str, ...]) -> "Arff":
        header, start = _read_header(path)
        return cls(path, _attributes(path, header), missing, start)

    def frames(self, dtypes: pl.Schema) -> Iterator[pl.DataFrame]:
        """The rows in order, a block at a time."""
        skip = self.start
        for line, block in read_blocks(self.path, None):
            first, data = line + block.count(b"\n", 0, skip), block[skip:]
            skip = max(skip - len(block), 0)
            if data.strip():
                yield self._table(first, data, dtypes)

    def _table(self, line: int, data: bytes, dtypes: pl.Schema) -> pl.DataFrame:
        place = {attribute.name: j for j, attribute in enumerate(self.attributes)}
        cells = self._plain(data)
        if cells is not None:
            read = {name: self._read(place[name], cells[place[name]], dtype) for name, dtype in dtypes.items()}
            if all(bad is None for _, bad in read.values()):
                return pl.DataFrame({name: column for name, (column, _) in read.items()})
        lines, rows = self._taken_apart(line, data)
        columns, mistakes = {}, []
        for name, dtype in dtypes.items():
            text = pl.Series(name, self._column(place[name], rows), dtype=pl.String)
            columns[name], bad = self._read(place[name], text, dtype)
            if bad is not None:
                mistakes.append((lines[bad], name, text[bad], dtype))
        if mistakes:
            raise self._wrong_cell(*min(mistakes, key=lambda mistake: mistake[0]))
        return pl.DataFrame(columns)

    def _plain(self, data: bytes) -> list[pl.Series] | None:
        """The cells of a block that is nothing but cells between commas; None for any other block."""
        if b"%" in data:
            data = _COMMENTS.sub(b"", data)
        if any(sign in data for sign in (b"'", b'"', b"%", b"{", b"}")):
            return None
        names = [f"c{j}" for j in range(len(self.attributes))]
        lines = data.strip()
        if any(sign in lines for sign in (b"\n\n", b"\r", b" \n", b"\n ", b"\t")):
            lines = re.sub(rb"\s*\n\s*", b"\n", lines)
        if not lines or lines.count(b",") != (lines.count(b"\n") + 1) * (len(names) - 1):
            return None
        try:
            frame = pl.read_csv(
                ",".join(names).encode() + b"\n" + lines, schema=dict.fromkeys(names, pl.String()), quote_char=None
            )
        except FAILURES:
            return None
        columns = [column.str.strip_chars() for column in frame]
        if any(column.null_count() or (column == "").any() for column in columns):
            return None  # empty cells, which are refused with their line
        return [self._known(column) for column in columns]

    def _known(self, column: pl.Series) -> pl.Series:
        return column.set(column.is_in(["?", *self.missing]), None)

    def _taken_apart(self, line: int, data: bytes) -> tuple[list[int], list[Row]]:
        """The number of each line that is a row, and its cells."""
        lines, rows = [], []
        for number, record in enumerate(data.split(b"\n"), start=line):
            try:
                text = record.decode().strip()
            except UnicodeDecodeError as error:
                raise not_utf8(self.path, number, error) from None
            if text and not text.startswith("%"):
                lines.append(number)
                row = self._sparse(number, text) if text.startswith("{") else self._dense(number, text)
                rows.append(row)
        return lines, rows

    def _dense(self, line: int, text: str) -> list[str | None]:
        width = len(self.attributes)
        cells = _split(_CELL, text)
        if width > 1 and (cells is None or len(cells) == 1):
            cells = _split(_WORD, text) or cells
        if (cells is None or len(cells) != width) and re.search(r"\{[^{}]*+\}$", text):
            raise self._mistake(line, "a row with a weight in braces. Weights are not read: remove them")
        if cells is None:
            raise self._mistake(
                line, "a quote that is never closed, or signs between a quote and the next comma. Write \\' in quotes"
            )
        if len(cells) != width:
            raise self._mistake(
                line, f"the number of cells is {len(cells)}, of attributes {width}. Give every row one cell for each"
            )
        if "" in cells:
            name = self.attributes[cells.index("")].name
            raise self._mistake(line, f"the cell of {name!r} is empty. Write ? for a missing one, '' for an empty text")
        return [None if cell is None or cell in self.missing else cell.removeprefix("'") for cell in cells]

    def _sparse(self, line: int, text: str) -> dict[int, str | None]:
        row: dict[int, str | None] = {}
        at, more = 1, re.fullmatch(r"\{\s*\}\s*(?:%.*)?", text) is None
        while more:
            item = _ITEM.match(text, at)
            if item is None:
                raise self._mistake(line, "not a sparse row. Write {column value, column value}, columns from 0")
            place, cell = int(item[1]) if len(item[1]) < 10 else 10**9, _cell(item[2], item[3], item[4])
            if place >= len(self.attributes):
                last = len(self.attributes) - 1
                raise self._mistake(line, f"there is no attribute {item[1]:.20}. The last is {last}, counted from 0")
            if place in row:
                raise self._mistake(line, f"attribute {place} is given twice. Give it once")
            row[place] = None if cell is None or cell in self.missing else cell.removeprefix("'")
            at, more = item.end(), item[5] is not None
        for j, attribute in enumerate(self.attributes):
            if attribute.left_out is None and j not in row:
                raise self._mistake(
                    line, f"a sparse row leaves out {attribute.name!r}, and text and dates have no zero. Give it, or ?"
                )
        return row

    def _column(self, j: int, rows: list[Row]) -> list[str | None]:
        zero = self.attributes[j].left_out
        return [row.get(j, zero) if isinstance(row, dict) else row[j] for row in rows]

    def _read(self, j: int, cells: pl.Series, dtype: pl.DataType) -> tuple[pl.Series, int | None]:
        """A column in the type wanted, and the first row of it that does not fit what is declared."""
        attribute = self.attributes[j]
        read: pl.Series
        if attribute.levels is not None and not dtype.is_numeric():
            read = cells.set(~cells.is_in(attribute.levels), None).cast(dtype, strict=False)
        elif attribute.pattern is not None and dtype != pl.String:
            days = attribute.dtype == pl.Date
            dates = cells.str.to_date if days else cells.str.to_datetime
            read = dates(attribute.pattern, strict=False).cast(dtype)
        elif dtype.is_integer():
            numbers = cells.cast(pl.Float64, strict=False)  # 5.0 and 1e3 are whole numbers too
            whole = numbers.set(numbers != numbers.round(), None).cast(dtype, strict=False)
            read = pl.select(pl.coalesce(cells.cast(dtype, strict=False), whole)).to_series()
        else:
            read = cells.cast(dtype, strict=False)
        lost = read.is_null() & cells.is_not_null()
        return read.rename(attribute.name), (lost.arg_max() if lost.any() else None)

    def _wrong_cell(self, line: int, name: str, cell: str, dtype: pl.DataType) -> InputError:
        attribute = next(each for each in self.attributes if each.name == name)
        if attribute.levels is not None:
            shown = ", ".join(map(repr, attribute.levels[:10])) + (", ..." if len(attribute.levels) > 10 else "")
            what = f"{cell!r} is not among the values declared: {shown}. Correct the cell, or declare the value"
        elif attribute.pattern is not None:
            what = f"{cell!r} is not a date as declared ({attribute.pattern}). Correct it, or write ? for a missing one"
        elif dtype.is_integer():
            what = f"{cell!r} is not a whole number. Correct it, or declare the attribute numeric"
        else:
            what = f"{cell!r} is not {dtype}. Correct it, or write ? for a missing cell, or declare another type"
        return self._mistake(line, f"attribute {name!r}: {what}")

    def _mistake(self, line: int, what: str) -> InputError:
        return InputError(f"{self.path}, line {line:,}: {what}.")


def _split(pattern: re.Pattern[str], text: str) -> list[str | None] | None:
    """The cells of a line; None if the line does not follow the pattern to its end."""
    cells: list[str | None] = []
    at, more = 0, True
    while more:
        match = pattern.match(text, at)
        if match is None:
            return None
        cells.append(_cell(match[1], match[2], match[3]))
        at, more = match.end(), match[4] is not None
    return cells


def _cell(single: str | None, double: str | None, bare: str | None) -> str | None:
    """A cell; None if missing, "" if nothing was written; a quoted text has a quote before it."""
    quoted = single if single is not None else double
    if quoted is not None:
        return "'" + _unescaped(quoted)
    return None if bare == "?" else (bare or "").rstrip()


def _unescaped(text: str) -> str:
    if "\\" not in text:
        return text
    return re.sub(r"\\(u[0-9a-fA-F]{4}|.)", lambda match: _ESCAPES.get(match[1]) or _character(match[1]), text)


_ESCAPES = {"n": "\n", "r": "\r", "t": "\t"}


def _character(sign: str) -> str:
    point = int(sign[1:], 16) if len(sign) > 1 else ord(sign)
    return "\ufffd" if 0xD800 <= point < 0xE000 else chr(point)  # half a pair is no character


def _read_header(path: Path) -> tuple[str, int]:
    """The text above @data, and the bytes up to the end of that line."""
    head = b""
    for _, block in read_blocks(path, None):
        head += block
        data = _DATA.search(head)
        if data is not None:
            try:
                return head[: data.start()].decode(), data.end()
            except UnicodeDecodeError as error:
                raise not_utf8(path, 1 + head.count(b"\n", 0, error.start), error) from None
        if len(head) > _LONGEST_HEADER:
            break
    if not head.strip():
        raise InputError(f"{path} is empty.")
    raise InputError(f"{path} is not ARFF: it has no line @data. Put it between the attributes and the rows.")


def _attributes(path: Path, header: str) -> tuple[Attribute, ...]:
    found: dict[str, Attribute] = {}
    for line, text in enumerate(header.split("\n"), start=1):
        record = text.strip()
        word = record.split(maxsplit=1)[0].lower() if record else "%"
        if word.startswith("%") or word == "@relation":
            continue
        where = f"{path}, line {line:,}"
        declared = _NAME.match(record) if word == "@attribute" else None
        if declared is None:
            raise InputError(
                f"{where}: {record[:60]!r} is no line of a header. Write @relation name, @attribute name type, "
                "a comment after %, or @data before the rows."
            )
        quoted = declared[1] if declared[1] is not None else declared[2]
        name = declared[3] if quoted is None else _unescaped(quoted)
        if name in found:
            raise InputError(f"{where}: the attribute {name!r} is declared twice. Rename one of them.")
        found[name] = _attribute(where, name, declared[4].strip())
    if not found:
        raise InputError(f"{path} declares no attributes. Write a line @attribute name type for each column.")
    return tuple(found.values())


def _attribute(where: str, name: str, declared: str) -> Attribute:
    kind = re.split(r"[\s%]", declared)[0].lower()
    if declared.startswith("{"):
        return Attribute(name, pl.String(), levels=_levels(where, name, declared))
    if kind in ("numeric", "real"):
        return Attribute(name, pl.Float64(), whole=kind == "numeric")
    if kind == "integer":
        return Attribute(name, pl.Int64(), whole=True)
    if kind == "string":
        return Attribute(name, pl.String())
    if kind == "date":
        pattern = _date_pattern(where, _date_format(declared[len(kind) :].strip()))
        timed = any(letter in pattern for letter in ("%H", "%I", "%M", "%S"))
        return Attribute(name, pl.Datetime("us") if timed else pl.Date(), pattern=pattern)
    known = "numeric, real, integer, string, date, or {value, value, ...}"
    extra = " Relations within a row are not read." if kind == "relational" else ""
    raise InputError(f"{where}: attribute {name!r} has the type {declared[:40]!r}; known are {known}.{extra}")


def _levels(where: str, name: str, declared: str) -> tuple[str, ...]:
    listed = _LEVELS.match(declared) or re.match(r"\{(.*)\}", declared)  # the second: an apostrophe within a value
    cells = _split(_CELL, listed[1].strip()) if listed else None
    if cells is None or "" in cells:
        raise InputError(f"{where}: the values of {name!r} cannot be read. Write {{a, 'b c', d}}.")
    levels = tuple("?" if cell is None else cell.removeprefix("'") for cell in cells)
    if len(set(levels)) < len(levels):
        twice = next(level for level in levels if levels.count(level) > 1)
        raise InputError(f"{where}: {name!r} declares the value {twice!r} twice. Remove one.")
    return levels


def _date_format(text: str) -> str:
    """The pattern given after the word date, quoted or not; ISO 8601 if there is none."""
    quoted = re.match(_QUOTED, text)
    if quoted:
        return _unescaped(quoted[1] if quoted[1] is not None else quoted[2])
    return text.partition("%")[0].strip() or "yyyy-MM-dd'T'HH:mm:ss"


def _date_pattern(where: str, java: str) -> str:
    """A pattern of Java's SimpleDateFormat in the letters of strptime."""
    parts = []
    for part in _DATE_PART.finditer(java):
        letters = part[0]
        if letters[0] == "'" and len(letters) > 1:
            parts.append((part[1] or "'").replace("%", "%%"))
        elif letters in _DATE_LETTERS:
            parts.append(_DATE_LETTERS[letters])
        elif letters[0].isalpha():
            raise InputError(
                f"{where}: the date pattern {java!r} has {letters!r}, which is not read. Use yyyy, MM, dd,"
                " HH, mm, ss and signs in single quotes."
            )
        else:
            parts.append(letters.replace("%", "%%"))
    return "".join(parts)
