"""Anything into batches: kinds of feature, schema, missing cells, encodings, and files scanned without loading them."""

from typing import Any

__all__ = ["scan"]


def __getattr__(name: str) -> Any:
    if name == "scan":  # Polars is imported only when a file is scanned
        from likely.data.sources import scan

        return scan
    raise AttributeError(f"module 'likely.data' has no attribute {name!r}")
