"""Tables inside of documents: a sheet of a spreadsheet, a table of a SQLite or DuckDB database.

A document with one table is that table; of several, one is named: `sales.db::orders`, `book.xlsx::Sheet2`.
"""

import os
import sqlite3
from collections.abc import Callable
from contextlib import closing
from difflib import get_close_matches
from pathlib import Path
from typing import Any

import polars as pl

from likely.data.printing.wording import quoted
from likely.data.sources.formats import WHOLE, Format, format_of_content, format_of_suffix
from likely.data.sources.mistakes import FAILURES, reason
from likely.data.sources.places.paths import find_files
from likely.data.sources.places.user_paths import user_path
from likely.errors import InputError

_MARK = "::"


def names_document(name: str | os.PathLike[str], format: Format | None) -> bool:
    """Whether a name is that of a document with tables in it, or of a table in one."""
    if format is not None:
        return format in WHOLE
    path, _ = _split(name)
    if not path.is_file():
        return False
    told = format_of_suffix(path)
    if told is None and path.stat().st_size:
        with path.open("rb") as stream:
            start = stream.read(16)
        binary = start.startswith((b"SQLite format 3", b"PK")) or start[8:12] == b"DUCK"
        told = format_of_content(path) if binary else None
    return told in WHOLE


def read_document(name: str | os.PathLike[str], format: Format | None) -> pl.DataFrame:
    """All rows of the table of a document."""
    path, table = _split(name)
    (path,) = find_files(path)
    told = format or format_of_suffix(path) or format_of_content(path)
    if told == "sqlite" and format_of_content(path) == "duckdb":
        told = "duckdb"  # both are called .db
    try:
        return _READERS[told](path, table)
    except (*FAILURES, sqlite3.Error) as error:
        raise InputError(f"{path} cannot be read as {told}: {reason(error)}.") from None


def _split(name: str | os.PathLike[str]) -> tuple[Path, str | None]:
    path, mark, table = str(name).rpartition(_MARK)
    return (user_path(path), table) if mark and path and not user_path(name).exists() else (user_path(name), None)


def _chosen(path: Path, names: list[str], table: str | None, what: str) -> str:
    """The one table that is meant."""
    if not names:
        raise InputError(f"{path} has no {what}s.")
    if table is None and len(names) > 1:
        raise InputError(f"{path} has {len(names)} {what}s: {quoted(names, 8)}. Name one: {path}{_MARK}{names[0]}")
    if table is not None and table not in names:
        raise InputError(
            f"{path} has no {what} {table!r}. There are {quoted(get_close_matches(table, names) or names)}."
        )
    return names[0] if table is None else table


def _sqlite(path: Path, table: str | None) -> pl.DataFrame:
    with closing(sqlite3.connect(f"file:{path.resolve().as_posix()}?mode=ro", uri=True)) as base:
        found = base.execute("select name from sqlite_master where type in ('table', 'view') order by name")
        names = [name for (name,) in found if not name.startswith("sqlite_")]
        chosen = _chosen(path, names, table, "table").replace('"', '""')
        rows = base.execute(f'select * from "{chosen}"')
        columns = [column for column, *_ in rows.description]
        return _frame(columns, rows.fetchall())


def _duckdb(path: Path, table: str | None) -> pl.DataFrame:
    try:
        import duckdb
    except ImportError:
        raise InputError(f"{path}: DuckDB files need the package duckdb: pip install 'likely[duckdb]'") from None
    try:
        with duckdb.connect(str(path), read_only=True) as base:
            names = [name for (name,) in base.execute("select table_name from information_schema.tables").fetchall()]
            chosen = _chosen(path, sorted(names), table, "table").replace('"', '""')
            rows = base.execute(f'select * from "{chosen}"')
            columns = [column for column, *_ in rows.description]
            return _frame(columns, rows.fetchall())
    except duckdb.Error as error:
        raise InputError(f"{path} cannot be read as DuckDB: {str(error).splitlines()[0]}") from None


def _excel(path: Path, table: str | None) -> pl.DataFrame:
    try:
        import fastexcel
    except ImportError:
        raise InputError(
            f"{path}: spreadsheets need the package fastexcel: pip install 'likely[excel]'; or save the sheet as CSV"
        ) from None
    try:
        chosen = _chosen(path, list(fastexcel.read_excel(str(path)).sheet_names), table, "sheet")
        return pl.read_excel(path, sheet_name=chosen, engine="calamine")
    except (fastexcel.FastExcelError, pl.exceptions.NoDataError) as error:
        raise InputError(f"{path} cannot be read as a spreadsheet: {reason(error)}") from None


def _frame(columns: list[str], rows: list[Any]) -> pl.DataFrame:
    from likely.data.frames import to_polars

    cells = zip(*rows, strict=True) if rows else [()] * len(columns)
    return to_polars({name: list(column) for name, column in zip(columns, cells, strict=True)})


_READERS: dict[str, Callable[[Path, str | None], pl.DataFrame]] = {
    "sqlite": _sqlite,
    "duckdb": _duckdb,
    "xlsx": _excel,
}
