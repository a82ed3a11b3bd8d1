"""The format of a file by its suffix."""

from pathlib import Path
from typing import TypeAlias

from likely.data.sources.columnar import Columnar, Layout
from likely.data.sources.delimited import Delimited
from likely.data.sources.dialect import Dialect
from likely.data.sources.json_lines import JsonLines
from likely.errors import InputError

File: TypeAlias = Columnar | Delimited | JsonLines

_DELIMITED = {".csv": ",", ".tsv": "\t"}
_JSON = (".jsonl", ".ndjson")
_COLUMNAR: dict[str, Layout] = {".parquet": "Parquet", ".arrow": "Arrow", ".feather": "Arrow", ".ipc": "Arrow"}


def open_file(path: Path, separator: str | None, quote: str | None, missing: tuple[str, ...]) -> File:
    """Look at the columns of a file and their types; the last three arguments matter to delimited text only."""
    name = path.name.lower()
    suffix = Path(name).suffix
    if suffix in _COLUMNAR:
        return Columnar.open(path, _COLUMNAR[suffix])
    suffix = Path(name.removesuffix(".gz")).suffix
    if suffix in _DELIMITED:
        return Delimited.open(path, Dialect(separator or _DELIMITED[suffix], quote), missing)
    if suffix in _JSON:
        return JsonLines.open(path)
    raise InputError(
        f"{path}: the suffix does not tell a format that can be scanned. These do: {', '.join([*_DELIMITED, *_JSON])} "
        f"(each also with .gz), {', '.join(_COLUMNAR)}."
    )
