"""The format of a file: by its suffix, or by its first bytes."""

import re
import zipfile
from pathlib import Path
from typing import Literal, TypeAlias, get_args

from likely.data.sources.parsers.arff import Arff
from likely.data.sources.parsers.blocks import read_blocks
from likely.data.sources.parsers.columnar import Columnar, Layout
from likely.data.sources.parsers.delimited import Delimited
from likely.data.sources.parsers.dialect import Dialect
from likely.data.sources.parsers.json_lines import JsonLines
from likely.data.sources.parsers.packed import SUFFIXES, plain_name
from likely.errors import InputError

File: TypeAlias = Columnar | Delimited | JsonLines | Arff
Format: TypeAlias = Literal[
    "csv", "tsv", "jsonl", "json", "arff", "parquet", "arrow", "xlsx", "sqlite", "duckdb",
    "text", "eml", "mbox", "maildir",
]  # fmt: skip
FORMATS: tuple[str, ...] = get_args(Format)
MAIL: tuple[Format, ...] = ("eml", "mbox", "maildir")
WHOLE: tuple[Format, ...] = ("xlsx", "sqlite", "duckdb")  # tables inside of other documents, read whole
TEXTS: tuple[Format, ...] = ("text", *MAIL)  # one text or message per row, read whole

_TEXT: dict[str, Format] = {".csv": "csv", ".tsv": "tsv", ".jsonl": "jsonl", ".ndjson": "jsonl", ".arff": "arff"}
_COLUMNAR: dict[str, Format] = {".parquet": "parquet", ".arrow": "arrow", ".feather": "arrow", ".ipc": "arrow"}
_MAIL: dict[str, Format] = {".eml": "eml", ".mbox": "mbox"}
_WHOLE: dict[str, Format] = {
    ".xlsx": "xlsx", ".xlsm": "xlsx", ".xls": "xlsx", ".ods": "xlsx",
    ".sqlite": "sqlite", ".sqlite3": "sqlite", ".db": "sqlite", ".duckdb": "duckdb",
}  # fmt: skip
_MBOX = re.compile(rb"From \S+[^\n]*\d{4}[^\n]*\n[!-9;-~]+:")  # a separator that ends in a year or a zone, a header
_LAYOUT: dict[Format, Layout] = {"parquet": "Parquet", "arrow": "Arrow"}
_SEPARATORS = (",", ";", "\t", "|")  # in the order in which a tie is settled


def open_file(
    path: Path,
    separator: str | None,
    quote: str | None,
    missing: tuple[str, ...],
    format: Format | None = None,
    decimal: str = ".",
) -> File:
    """Look at the columns of a file and their types; separator and quote matter to delimited text only."""
    known = format or format_of_suffix(path)
    if known == "json" or (known is None and path.suffix.lower() == ".json"):
        raise InputError(
            f"{path}: JSON lines expected: one object per line, in a file called .jsonl. read_table takes an array too."
        )
    if known is None:
        raise InputError(
            f"{path}: the suffix does not tell a format that can be scanned. These do: {', '.join(_TEXT)} "
            f"(each also with {', '.join(SUFFIXES)}), {', '.join(_COLUMNAR)}."
        )
    if known in WHOLE:
        raise InputError(f"{path}: a table inside of a document cannot be scanned in batches. Read it by read_table.")
    if known in TEXTS:
        raise InputError(f"{path}: texts and mail cannot be scanned in batches. Read them by read_table.")
    if known in _LAYOUT:
        return Columnar.open(path, _LAYOUT[known])
    if known == "jsonl":
        return JsonLines.open(path)
    if known == "arff":
        return Arff.open(path, missing)
    return Delimited.open(path, Dialect(separator or ("\t" if known == "tsv" else ","), quote, decimal), missing)


def format_of_suffix(path: Path) -> Format | None:
    """The format that the name of a file tells.

    >>> format_of_suffix(Path("a.CSV.gz")), format_of_suffix(Path("b.mbox")), format_of_suffix(Path("c.txt"))
    ('csv', 'mbox', None)
    """
    suffix = path.suffix.lower()
    if suffix in _COLUMNAR or suffix in _WHOLE:
        return _COLUMNAR.get(suffix) or _WHOLE.get(suffix)
    plain = Path(plain_name(path)).suffix
    return _TEXT.get(plain) or _MAIL.get(plain)


def format_of_content(path: Path) -> Format:
    """The format that the first bytes of a file tell; text of no other format is taken for delimited text."""
    with path.open("rb") as stream:
        start = stream.read(16)
    if start.startswith(b"SQLite format 3"):
        return "sqlite"
    if start[8:12] == b"DUCK":
        return "duckdb"
    if start.startswith(b"PK") and is_spreadsheet(path):
        return "xlsx"
    if start.startswith(b"PAR1"):
        return "parquet"
    if start.startswith(b"ARROW1"):
        return "arrow"
    head = _head(path)
    if _MBOX.match(head):
        return "mbox"
    if b"\0" in head:
        raise InputError(
            f"{path} is not a table that can be read: it holds bytes that are no text. Known are "
            f"{', '.join(FORMATS)}; UTF-16 text must be saved as UTF-8."
        )
    if head.lstrip().startswith(b"{"):
        return "jsonl"
    named = plain_name(path).endswith(".json")
    if re.match(rb"\s*\[\s*[{\]]" if not named else rb"\s*\[", head):
        return "json"
    if named:
        raise InputError(f"{path} is not JSON. JSON lines expected: one object per line, or one array of objects.")
    first = next((line.strip() for line in head.split(b"\n") if line.strip() and line.lstrip()[:1] != b"%"), b"")
    if first.lower().startswith((b"@relation", b"@attribute")):
        return "arff"
    return "tsv" if separator_of(path) == "\t" else "csv"


def separator_of(path: Path) -> str:
    """The separator of delimited text: of comma, semicolon, tab and bar, the most frequent in its first line."""
    line = next((line for line in _head(path).split(b"\n") if line.strip()), b"")
    return max(_SEPARATORS, key=lambda sign: Dialect(sign, '"').separators(line))  # the first of equal ones


def _head(path: Path) -> bytes:
    """The first lines of a file, unpacked if it is compressed."""
    return next((block for _, block in read_blocks(path, None)), b"")


def is_spreadsheet(path: Path) -> bool:
    """Whether a ZIP is a workbook of Excel, which is one too."""
    try:
        with zipfile.ZipFile(path) as archive:
            return "xl/workbook.xml" in archive.namelist()
    except (zipfile.BadZipFile, OSError):
        return False
