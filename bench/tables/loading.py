"""The tables, as frames: nominal columns as text, numbers as numbers, nothing that identifies a row."""

import json
import os
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import polars as pl

HOME = Path(os.environ.get("LIKELY_DATA", "/work/shared/data"))
_ROOMS = ("mixed", "numeric")
_LEFT_OUT = ("id", "split", "text", "date")


@dataclass(frozen=True)
class RealTable:
    """A table with a target."""

    name: str
    X: pl.DataFrame
    y: np.ndarray  # (n,) of text
    nominal: tuple[str, ...]
    kinds: dict[str, str] | None = None  # what our models take the columns for

    def __len__(self) -> int:
        return len(self.y)

    def taken(self, rows: Any) -> "RealTable":
        return RealTable(self.name, self.X[rows], self.y[rows], self.nominal, self.kinds)


def names() -> list[str]:
    """Of all tables, those with few rows first."""
    sets = [one for one in _index().values() if one["files"][0].split("/")[0] in _ROOMS]
    return [one["name"] for one in sorted(sets, key=lambda one: (one["rows"], one["name"]))]


def rows_of(name: str) -> int:
    """Of the whole table, but for classes of fewer than five rows."""
    return sum(rows for rows in _index()[name]["classes"].values() if rows >= 5)


def load(name: str, most: int = 20_000, seed: int = 0) -> RealTable:
    """A table; of more rows than `most`, so many by chance. Classes of fewer than five rows are left out: they cannot
    be in every fold.
    """
    about = _index()[name]
    kinds, target = about["column_kinds"], about["target"]
    whole = pl.read_csv(HOME / about["files"][0], infer_schema_length=None)
    nominal = [c for c in whole.columns if c != target and kinds.get(c) == "nominal"]
    numbers = [c for c in whole.columns if c != target and kinds.get(c) == "numeric"]
    X = whole.select(
        pl.col(c).cast(pl.String) if c in nominal else pl.col(c).cast(pl.Float64)
        for c in whole.columns
        if c in (*nominal, *numbers)
    )
    y = whole[target].cast(pl.String).to_numpy()
    rows = np.arange(len(y))
    if len(rows) > most:
        rows = np.sort(np.random.default_rng(seed).choice(rows, most, replace=False))
    values, counts = np.unique(y[rows], return_counts=True)
    rows = rows[np.isin(y[rows], values[counts >= 5])]
    return RealTable(name, X[rows], y[rows].astype(str), tuple(nominal))


def folds_of(y: np.ndarray, count: int = 5, seed: int = 0) -> np.ndarray:
    """The fold of each row (n,), stratified."""
    rng = np.random.default_rng(seed)
    order = rng.permutation(len(y))
    order = order[np.argsort(y[order], kind="stable")]
    folds = np.empty(len(y), dtype=np.int64)
    folds[order] = np.arange(len(y)) % count
    return folds


def _index() -> dict[str, Any]:
    return {one["name"]: one for one in json.loads((HOME / "datasets.json").read_text())}
