"""Where the passes begin: at zero, halfway between the means of the classes, or at weights of the user's."""

import numpy as np
from numpy.typing import ArrayLike

from likely.errors import InputError
from likely.models.learning.designed import DesignedRows
from likely.numeric.arrays import Array, Floats


def start_weights(start: ArrayLike | str | None, rows: DesignedRows, targets: list[Array], together: bool) -> Floats:
    """Weights (v, m + 1) to begin with: one row for each problem of targets +-1 (n,), or for each unit that competes.

    The basic linear classifier of two classes has the boundary of points as near to one mean as to the other; a unit
    that competes has a larger score the nearer a row is to the mean of its class; targets of such units are 1 and 0.
    """
    width = rows.x.shape[1]
    shape = (len(targets), width + 1)
    if start is None:
        return np.zeros(shape)
    if isinstance(start, str):
        if start != "basic_linear":
            raise InputError(f"unknown start={start!r}; choose None, 'basic_linear' or an array of weights")
        share = np.ones(len(rows.codes)) if rows.weight is None else rows.weight
        towards = [_towards(rows, share * (target > 0)) for target in targets]
        away = [np.zeros(width + 1) if together else _towards(rows, share * (target < 0)) for target in targets]
        return np.asarray(np.stack(towards) - np.stack(away))
    given = np.atleast_2d(np.asarray(start, dtype=np.float64))
    if given.shape != shape or not np.isfinite(given).all():
        raise InputError(
            f"start has shape {given.shape}; it needs a finite weight for each of the {width} columns of the design "
            f"and for the constant, in {shape[0]} rows: {shape}"
        )
    return given


def _towards(rows: DesignedRows, share: Floats) -> Floats:
    """Weights whose score is larger the nearer a row is to the mean m of these rows: m, and -m m / 2."""
    mean = np.asarray(rows.x.T @ share).ravel() / max(float(share.sum()), np.finfo(np.float64).tiny)
    return np.append(mean, -float(mean @ mean) / 2)
