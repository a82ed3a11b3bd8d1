"""Labelled data drawn from fixed seeds, in which classes overlap: neither trivial nor hopeless to tell apart.

Rows are made in blocks, so that making them leaves no large copies behind in the memory that is measured later.
"""

from typing import Any

import numpy as np
from numpy.typing import NDArray

_BLOCK = 65_536

Labelled = tuple[NDArray[Any], NDArray[Any]]  # X (n, d), y (n,)


def gaussians(rows: int, columns: int, classes: int, seed: int) -> Labelled:
    """Independent Gaussian columns of different units; means and deviations differ between classes."""
    rng = np.random.default_rng(seed)
    mean = rng.normal(scale=0.35, size=(classes, columns))
    deviation = rng.uniform(0.8, 1.25, size=(classes, columns))
    unit = 10.0 ** rng.uniform(-2, 3, size=columns)
    y = rng.integers(classes, size=rows)
    x = rng.standard_normal((rows, columns))
    for start in range(0, rows, _BLOCK):
        at = slice(start, start + _BLOCK)
        x[at] = (x[at] * deviation[y[at]] + mean[y[at]] + 1.0) * unit
    return x, y


def correlated_gaussians(rows: int, columns: int, classes: int, seed: int, shared: bool) -> Labelled:
    """Gaussian vectors with one covariance for all classes, or one each."""
    rng = np.random.default_rng(seed)
    mean = rng.normal(scale=0.45, size=(classes, columns))
    common = np.eye(columns) + rng.normal(scale=0.3 / np.sqrt(columns), size=(columns, columns))
    own = common + rng.normal(scale=0.0 if shared else 0.2 / np.sqrt(columns), size=(classes, columns, columns))
    y = rng.integers(classes, size=rows)
    x = rng.standard_normal((rows, columns))
    for start in range(0, rows, _BLOCK):
        block, labels = x[start : start + _BLOCK], y[start : start + _BLOCK]
        for c in range(classes):
            block[labels == c] = block[labels == c] @ own[c] + mean[c]
    return x, y


def levels(rows: int, columns: int, count: int, classes: int, seed: int) -> Labelled:
    """Whole numbers below `count`, drawn with different probabilities in each class."""
    rng = np.random.default_rng(seed)
    edges = np.cumsum(rng.dirichlet(np.full(count, 12.0), size=(classes, columns)), axis=2)[:, :, :-1]
    y = rng.integers(classes, size=rows)
    x = np.zeros((rows, columns), dtype=np.int64)
    for start in range(0, rows, _BLOCK):
        labels = y[start : start + _BLOCK]
        u = rng.random((len(labels), columns))
        for level in range(count - 1):
            x[start : start + _BLOCK] += u > edges[labels, :, level]
    return x, y


def mixed(rows: int, seed: int, missing: float = 0.1) -> tuple[dict[str, NDArray[Any]], NDArray[Any]]:
    """12 columns of numbers (NaN: missing), 8 of texts with 3 to 10 levels (None: missing), and 4 named classes."""
    names = np.array(["birch", "maple", "oak", "willow"], dtype=object)
    x, y = gaussians(rows, 12, len(names), seed)
    x[np.random.default_rng(seed + 1).random(x.shape) < missing] = np.nan
    columns: dict[str, NDArray[Any]] = {f"number_{j}": np.ascontiguousarray(x[:, j]) for j in range(x.shape[1])}
    rng = np.random.default_rng(seed + 2)
    for j in range(8):
        texts = np.array([f"level {j}.{level}" for level in range(3 + j)], dtype=object)
        edges = np.cumsum(rng.dirichlet(np.full(len(texts), 6.0), size=len(names)), axis=1)[:, :-1]
        values = texts[(rng.random(rows)[:, None] > edges[y]).sum(axis=1)]
        values[rng.random(rows) < missing] = None
        columns[f"text_{j}"] = values
    return columns, names[y]
