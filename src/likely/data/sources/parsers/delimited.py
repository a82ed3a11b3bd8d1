"""Delimited text such as CSV, one record a line, parsed a block at a time; mistakes are located.

polars parses a block as a whole and says little about a cell that it cannot read. Only when it fails is the block
looked at again, to name the line, the column and the cell.

A number with zeros in front is a code, 01234 of a place say: its column is text, as are all columns with a cell that is
no number. Decimals are amounts: 1.10 is 1.1, and 00.5 is 0.5.
"""

import csv
from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from itertools import islice
from pathlib import Path

import numpy as np
import polars as pl

from likely.data.printing.wording import quoted
from likely.data.sources.mistakes import FAILURES, not_utf8, reason, type_to_give
from likely.data.sources.parsers.blocks import read_blocks, read_prefix
from likely.data.sources.parsers.column_types import final_types, padded, typed
from likely.data.sources.parsers.dialect import Dialect
from likely.errors import InputError
from likely.numeric.kernels.texts.zeros import has_padded_cell


@dataclass(frozen=True)
class Delimited:
    """Cells between separators, one record a line; a quoted cell may hold separators and line ends."""

    path: Path
    dialect: Dialect
    missing: tuple[str, ...]
    names: tuple[str, ...]
    start: int  # bytes up to the end of the header
    own: pl.Schema  # Null: no value among the first rows
    seen: int = 0  # bytes from which the types are taken
    settled: frozenset[str] = frozenset()  # columns whose types were given
    rows: None = None

    @classmethod
    def open(cls, path: Path, dialect: Dialect, missing: tuple[str, ...]) -> "Delimited":
        first = read_prefix(path, dialect.quote)
        header = next(record for record in dialect.records(first) if record.strip())
        start = first.index(header) + len(header)
        file = cls(path, dialect, missing, _names(path, dialect, header), start, pl.Schema())
        return replace(file, own=file._inferred(1 + first.count(b"\n", 0, start), first[start:]), seen=len(first))

    def frames(self, dtypes: pl.Schema) -> Iterator[pl.DataFrame]:
        """The rows in order, a block at a time."""
        wanted, skip, read = final_types(dtypes), self.start, 0
        numbers = {name: pl.String() for name in wanted if wanted[name].is_numeric() and name not in self.settled}
        for line, block in read_blocks(self.path, self.dialect.quote):
            first, data = line + block.count(b"\n", 0, skip), block[skip:]
            skip = max(skip - len(block), 0)
            frame = self._table(first, data, wanted)
            for name, dtype in dtypes.items():
                if dtype == pl.Null and frame[name].null_count() < frame.height:
                    raise self._unforeseen(name, first, data)
            read += len(block)
            if numbers and read > self.seen and self._has_padded(data):
                self._check_padded(first, data, numbers)
            yield frame

    def _inferred(self, line: int, data: bytes) -> pl.Schema:
        """The first of integer, float and truth value that the parser reads from every cell, else text; codes too."""
        cells = self._table(line, data, dict.fromkeys(self.names, pl.String()))
        own: dict[str, pl.DataType] = dict.fromkeys(self.names, pl.String())
        for dtype in (pl.Boolean(), pl.Float64(), pl.Int64()):  # the last that fits stays
            read = self._parse(data, dict.fromkeys(self.names, dtype), loose=True)
            own |= {name: dtype for name in self.names if read[name].count() == cells[name].count()}
        own |= {name: pl.String() for name in self.names if own[name].is_numeric() and padded(cells[name]).any()}
        own |= {name: pl.Null() for name in self.names if cells[name].null_count() == cells.height}
        return pl.Schema(own)

    def _has_padded(self, data: bytes) -> bool:
        """Whether some cell, of text perhaps, has zeros in front of a whole number."""
        quote = -1 if self.dialect.quote is None else ord(self.dialect.quote)
        return bool(has_padded_cell(np.frombuffer(data, np.uint8), ord(self.dialect.separator), quote))

    def _check_padded(self, line: int, data: bytes, numbers: Mapping[str, pl.DataType]) -> None:
        """Refuse zeros that a column of numbers would lose after rows that had none."""
        cells = self._parse(data, numbers)
        for name in numbers:
            if not (found := padded(cells[name])).any():
                continue
            row = int(found.arg_max() or 0)
            place = f"{self.path}, line {self._line_of(row, line, data):,}, column {name!r}"
            raise InputError(
                f"{place}: {cells[name][row]!r} has zeros in front, which a number loses, after numbers without any. "
                f"Give the column its type: schema_overrides={{{name!r}: polars.String}} for codes, polars.Float64 for "
                "amounts."
            )

    def _table(self, line: int, data: bytes, wanted: Mapping[str, pl.DataType]) -> pl.DataFrame:
        """The rows of a block whose first line is `line`; mistakes are located."""
        last = self.names[-1]
        try:
            frame = self._parse(data, {**wanted, last: wanted.get(last, pl.String())})
        except FAILURES as error:
            raise self._located(line, data, wanted, error) from None
        # A row that is too short ends in a missing cell; only then is counting separators worth while.
        inner = len(self.names) - 1
        if inner and frame[last].null_count() and self.dialect.separators(data) != frame.height * inner:
            frame = frame.filter(self._filled(line, data))
        return typed(frame, wanted)

    def _parse(self, data: bytes, wanted: Mapping[str, pl.DataType], loose: bool = False) -> pl.DataFrame:
        # Our own header lets a block begin with anything and keeps polars from renaming columns.
        place = {name: f"c{j}" for j, name in enumerate(self.names)}
        header = self.dialect.separator.join(place.values()) + "\n"
        types = {name: pl.String() if isinstance(d, pl.Enum) else d for name, d in wanted.items()}
        frame = pl.read_csv(
            header.encode() + data,
            separator=self.dialect.separator,
            quote_char=self.dialect.quote,
            schema={c: types.get(name, pl.String()) for name, c in place.items()},
            columns=[place[name] for name in wanted],
            null_values=["", *self.missing],
            ignore_errors=loose,
            decimal_comma=self.dialect.decimal == ",",
        )
        return typed(frame.rename({place[name]: name for name in wanted}), wanted, strict=not loose)

    def _filled(self, line: int, data: bytes) -> pl.Series:
        """Which records are not blank lines; one with too few or too many cells is refused."""
        filled = []
        separator, quote = self.dialect.separator, self.dialect.quote
        for record in self.dialect.records(data):
            filled.append(record.strip(b"\r\n") != b"")
            cells = self.dialect.separators(record) + 1
            if filled[-1] and cells != len(self.names):
                hint = f" Is a {quote} in it not doubled?" if quote and quote.encode() in record else ""
                raise InputError(
                    f"{self.path}, line {line:,}: the number of cells is {cells}, in the header {len(self.names)}. "
                    f"Give every line as many, separated by {separator!r}.{hint}"
                ) from None
            line += record.count(b"\n")
        return pl.Series(filled, dtype=pl.Boolean)

    def _located(self, line: int, data: bytes, wanted: Mapping[str, pl.DataType], error: BaseException) -> InputError:
        """What is wrong in a block that polars refuses, and where."""
        try:
            data.decode()
        except UnicodeDecodeError as problem:
            return not_utf8(self.path, line + data.count(b"\n", 0, problem.start), problem)
        self._filled(line, data)
        try:
            cells = self._parse(data, dict.fromkeys(wanted, pl.String()))
            read = self._parse(data, wanted, loose=True)
        except FAILURES:
            return self._unreadable(line, data, error)
        bad = [(first, name) for name in wanted if (first := _first_lost(cells[name], read[name])) is not None]
        if not bad:
            return self._unreadable(line, data, error)
        row, name = min(bad)
        value = cells[name][row]
        return InputError(
            f"{self.path}, line {self._line_of(row, line, data):,}, column {name!r}: {value!r} is not "
            f"{wanted[name]}, the type of the column. Correct it, or call it missing (missing=[{value!r}]), or give "
            f"the column another type (schema_overrides={{{name!r}: {type_to_give(value)}}})."
        )

    def _unforeseen(self, name: str, line: int, data: bytes) -> InputError:
        cells = self._parse(data, {name: pl.String()})[name]
        row = int(cells.is_not_null().arg_max() or 0)
        return InputError(
            f"{self.path}, line {self._line_of(row, line, data):,}, column {name!r}: {cells[row]!r} is the first value "
            f"of a column that was empty before, so its type is not known. Give it: "
            f"schema_overrides={{{name!r}: {type_to_give(cells[row])}}}."
        )

    def _unreadable(self, line: int, data: bytes, error: BaseException) -> InputError:
        stray = self.dialect.stray_quote(data)
        if stray is not None:
            line += data.count(b"\n", 0, stray)
            return InputError(
                f"{self.path}, line {line:,}: a {self.dialect.quote} inside a cell. "
                "Quote the cell and double the sign in it, or give quote=None if the file quotes nothing."
            )
        end = line + data.count(b"\n")
        what = reason(error).partition(" at column ")[0]
        return InputError(f"{self.path}, lines {line:,} to {end:,} cannot be read: {what}")

    def _line_of(self, row: int, line: int, data: bytes) -> int:
        return line + sum(record.count(b"\n") for record in islice(self.dialect.records(data), row))


def _names(path: Path, dialect: Dialect, header: bytes) -> tuple[str, ...]:
    try:
        text = header.decode().rstrip("\r\n")
    except UnicodeDecodeError as error:
        raise not_utf8(path, 1, error) from None
    if "\r" in text:
        raise InputError(f"{path}: its lines end in carriage returns alone. Convert them to newlines.")
    try:
        names = dialect.names(text)
    except csv.Error as error:
        raise InputError(f"{path}: the header cannot be read: {error}") from None
    if twice := [name for name, times in Counter(names).items() if times > 1]:
        raise InputError(
            f"{path}: the header names columns more than once: {quoted(twice)}. "
            "Rename them, or add a header if the first line is data."
        )
    return tuple(names)


def _first_lost(cells: pl.Series, read: pl.Series) -> int | None:
    """The first row with a cell that was not read."""
    lost = cells.is_not_null() & read.is_null()
    return lost.arg_max() if lost.any() else None
