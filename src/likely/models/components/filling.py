"""Missing cells of rows, as their principal components expect them from the cells that are there.

Of a row x = W h + noise, W = V sqrt(lambda - noise), the components h are expected to be

    (W_o' N_o^-1 W_o + I)^-1 W_o' N_o^-1 x_o        o: the observed cells, N = noise I

as in probabilistic principal components (Tipping and Bishop, 1999). Where little or nothing was left out, N is 1e-9 of
the variance of each column at least, in whatever units that is.
"""

import numpy as np

from likely.numeric.arrays import Floats

_LEAST = 1e-9  # of the variance of a column
_BLOCK = 1 << 21  # numbers of the small systems that are solved at a time


def expected_cells(about: Floats, vectors: Floats, variances: Floats, noise: float, deviation: Floats) -> Floats:
    """Rows about the mean (n, m) with their gaps filled in, from components (l, m) of these variances."""
    missing = np.isnan(about)
    own = np.maximum(noise, _LEAST * np.square(deviation))
    precision = np.divide(1.0, own, out=np.zeros_like(own), where=own > 0)  # a column that does not vary says nothing
    width = vectors.T * np.sqrt(np.maximum(variances - noise, 0.0))  # (m, l)
    said = width * precision[:, None]
    pairs = (width[:, :, None] * said[:, None, :]).reshape(len(width), -1)
    rows = np.flatnonzero(missing.any(axis=1))
    size = max(1, _BLOCK // max(1, pairs.shape[1]))
    filled = about.copy()
    for at in range(0, len(rows), size):
        some = rows[at : at + size]
        seen = (~missing[some]).astype(np.float64)
        inner = (seen @ pairs).reshape(len(some), width.shape[1], width.shape[1])
        inner += np.eye(width.shape[1])
        known = np.where(missing[some], 0.0, about[some])
        hidden = np.linalg.solve(inner, (known @ said)[:, :, None])[:, :, 0]
        filled[some] = np.where(missing[some], hidden @ width.T, about[some])
    return filled
