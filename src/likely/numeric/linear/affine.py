"""Scores that are affine in the data, for k groups at once, by matrix products.

score[i, k] = sum over the observed j of ( slope[k, j] x[i, j] + constant[k, j] )
"""

from typing import Any

import numpy as np

from likely.numeric.arrays import Array, Floats, Matrix

LIMIT = 1e200  # of a value, so that every sum stays finite
BLOCK = 4096  # rows whose missing cells are masked at a time


def affine_scores(x: Matrix, slope: Array, constant: Array) -> Floats:
    """Scores (n, k) of rows x (n, d), NaN for a missing cell, dense or compressed sparse; all else is finite.

    >>> affine_scores(np.array([[1.0, 2.0], [np.nan, 2.0]]), np.array([[1.0, 10.0]]), np.array([[0.5, 0.25]]))
    array([[21.75],
           [20.25]])
    """
    with np.errstate(over="ignore", invalid="ignore"):
        out: Floats = np.asarray(x @ slope.T, dtype=np.float64) + constant.sum(axis=1)
    # A missing cell makes its row NaN, an enormous value makes it infinite: those rows again, with care.
    again = np.flatnonzero(~np.isfinite(out).all(axis=1))
    for start in range(0, len(again), BLOCK):
        rows = again[start : start + BLOCK]
        out[rows] = _careful_scores(x[rows], slope, constant)
    return out


def affine_terms(x: Array, slope: Array, constant: Array) -> Floats:
    """Each feature's part of the score: (n, d, k), zero where the cell is missing."""
    seen = ~np.isnan(x)
    values = np.clip(np.where(seen, x, 0.0), -LIMIT, LIMIT)
    return np.asarray(np.where(seen[:, :, None], values[:, :, None] * slope.T + constant.T, 0.0))


def _careful_scores(x: Any, slope: Array, constant: Array) -> Floats:
    if isinstance(x, np.ndarray):
        seen = ~np.isnan(x)
        values = np.clip(np.where(seen, x, 0.0), -LIMIT, LIMIT)
        return np.asarray(values @ slope.T + seen.astype(np.float64) @ constant.T)
    values, missing = x.copy(), x.copy()  # a cell that is not stored is a zero, never missing
    lost = np.isnan(x.data)
    values.data = np.clip(np.where(lost, 0.0, x.data), -LIMIT, LIMIT)
    missing.data = lost.astype(np.float64)
    return np.asarray(values @ slope.T + constant.sum(axis=1) - missing @ constant.T)
