"""Anything into batches: kinds of feature, schema, missing cells, encodings, and files scanned without loading them.

scan(path)                 a file read in batches, as often as wanted
read_table(path)           a whole table, from a file, standard input or a frame
examine(table, target)     what its columns are, and what to beware of
"""

import importlib
from typing import Any

_HOME = {  # Polars is imported only when a file is read
    "scan": "likely.data.sources",
    "read_table": "likely.data.tables",
    "examine": "likely.data.findings.table",
}

__all__ = [*_HOME]


def __getattr__(name: str) -> Any:
    if name in _HOME:
        return getattr(importlib.import_module(_HOME[name]), name)
    raise AttributeError(f"module 'likely.data' has no attribute {name!r}")
