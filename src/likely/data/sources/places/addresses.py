"""Tables at addresses (https://, s3://, gs://, az://, hf://), as far as polars reads them itself."""

import re
from typing import Any

import polars as pl

from likely.data.sources.mistakes import FAILURES, reason
from likely.errors import InputError

_ADDRESS = re.compile(r"^(https?|s3|gs|gcs|az|azure|abfss?|hf)://")


def is_address(name: str) -> bool:
    """Whether a name is that of something on a network.

    >>> is_address("https://example.org/rows.csv"), is_address("C:/rows.csv")
    (True, False)
    """
    return _ADDRESS.match(name) is not None


def read_address(address: str) -> pl.DataFrame:
    """All rows of a CSV, Parquet, Arrow or JSON-lines file at an address."""
    path = address.split("?")[0].lower()
    readers: dict[str, Any] = {
        ".csv": pl.scan_csv,
        ".tsv": lambda name: pl.scan_csv(name, separator="\t"),
        ".parquet": pl.scan_parquet,
        ".arrow": pl.scan_ipc,
        ".feather": pl.scan_ipc,
        ".ipc": pl.scan_ipc,
        ".jsonl": pl.scan_ndjson,
        ".ndjson": pl.scan_ndjson,
    }
    read = next((one for suffix, one in readers.items() if path.endswith(suffix)), None)
    if read is None:
        raise InputError(
            f"{address}: files at an address are read if their names end in {', '.join(readers)}. Fetch the file, and "
            "name the copy."
        )
    try:
        return pl.DataFrame(read(address).collect())
    except (*FAILURES, ImportError, ValueError) as error:
        raise InputError(f"{address} cannot be read: {reason(error)}. Fetch the file, and name the copy.") from None
