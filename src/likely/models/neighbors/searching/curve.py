"""Rows in an order in which those near each other follow one another: a tree that is asked so has its nodes at hand."""

import numpy as np

from likely.numeric.arrays import Floats, Ints

_BITS = 18  # of a place on the curve


def along_curve(x: Floats) -> Ints:
    """An order of rows (n,) along Morton's curve, those with a gap last.

    >>> along_curve(np.array([[0.9, 0.9], [0.1, 0.1], [np.nan, 0.5], [0.9, 1.0], [0.1, 0.2]])).tolist()
    [1, 4, 0, 3, 2]
    """
    x = x[:, :_BITS]
    whole = np.asarray(np.isfinite(x).all(axis=1))
    low = x.min(axis=0, where=whole[:, None], initial=np.inf)
    width = x.max(axis=0, where=whole[:, None], initial=-np.inf) - low
    bits = _BITS // max(x.shape[1], 1)
    with np.errstate(invalid="ignore", divide="ignore"):
        share = np.nan_to_num((x - low) / width, nan=0.0, posinf=0.0, neginf=0.0)
    cell = np.minimum(share * 2**bits, 2**bits - 1).astype(np.int32)
    place = np.where(whole, 0, 2**_BITS).astype(np.int32)
    for bit in range(bits):
        for column in range(x.shape[1]):
            place |= ((cell[:, column] >> bit) & 1) << (bit * x.shape[1] + column)
    return np.argsort(place, kind="stable")
