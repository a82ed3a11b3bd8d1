"""Covariances drawn towards a multiple of the identity, as a user of LDA and QDA asks for.

    shrinkage  s    (1 - s) C + s (trace C / d) I     the target has the mean variance: Ledoit and Wolf's, with s given
    reg_param  r    (1 - r) C + r I                   the target has variance 1: for columns on a common scale

Both are functions of the scatter, so nothing of the algebra is lost. C is as the data have it, divided by n - ddof;
what the prior of the family does for a group that does not vary, the target does here.
"""

import numpy as np

from likely.distributions.vectors.elliptical import Elliptical
from likely.errors import InputError
from likely.numeric.arrays import Array, Floats
from likely.numeric.linear.covariance import cholesky


def regularized(
    mean: Array, covariance: Array, shrinkage: float, reg_param: float, columns: Array | None = None
) -> Elliptical | None:
    """Members with these means (k, d) and covariances (g, d, d), drawn to the target; None: nothing varies at all.

    `columns` are those that say something; None: all that were observed.
    """
    d = mean.shape[1]
    seen = np.asarray(np.isfinite(mean).all(axis=0))
    columns = np.flatnonzero(seen) if columns is None or reg_param else columns[seen[columns]]
    if not len(columns):
        return None
    inside = np.ix_(np.arange(len(covariance)), columns, columns)
    found = np.nan_to_num(np.asarray(covariance, dtype=np.float64))[inside]
    eye = np.eye(len(columns))
    level = np.trace(found, axis1=1, axis2=2)[:, None, None] / max(len(columns), 1)
    found = (1 - shrinkage) * found + shrinkage * level * eye
    found = (1 - reg_param) * found + reg_param * eye
    if not (np.diagonal(found, axis1=1, axis2=2) > 0).all():
        return None
    factor = np.zeros((len(found), d, len(columns)))
    factor[:, columns] = [_factor(each) for each in found]
    return Elliptical(mean, factor, columns)


def _factor(covariance: Floats) -> Floats:
    scale = np.sqrt(np.diagonal(covariance))
    lower = cholesky(covariance / scale[:, None] / scale)
    if lower is None:
        raise InputError("the regularized covariance is not positive definite; ask for more shrinkage or reg_param")
    return np.asarray(scale[:, None] * lower)
