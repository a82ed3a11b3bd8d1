"""Missing cells of rows, as their principal components expect them from the cells that are there.

Of a row x = W h + noise, W = V sqrt(lambda - noise), the components h are expected to be

    (W_o' W_o + noise I)^-1 W_o' x_o        o: the observed cells

as in probabilistic principal components (Tipping and Bishop, 1999).
"""

import numpy as np

from likely.numeric.arrays import Floats

_BLOCK = 1 << 21  # numbers of the small systems that are solved at a time


def expected_cells(about: Floats, vectors: Floats, variances: Floats, noise: float, total: float) -> Floats:
    """Rows about the mean (n, m) with their gaps filled in, from components (l, m) of these variances."""
    missing = np.isnan(about)
    least = max(noise, 1e-9 * total / max(about.shape[1], 1), np.finfo(np.float64).tiny)
    width = vectors.T * np.sqrt(np.maximum(variances - least, 0.0))  # (m, l)
    pairs = (width[:, :, None] * width[:, None, :]).reshape(len(width), -1)
    rows = np.flatnonzero(missing.any(axis=1))
    size = max(1, _BLOCK // max(1, pairs.shape[1]))
    filled = about.copy()
    for at in range(0, len(rows), size):
        some = rows[at : at + size]
        seen = (~missing[some]).astype(np.float64)
        inner = (seen @ pairs).reshape(len(some), width.shape[1], width.shape[1])
        inner += least * np.eye(width.shape[1])
        known = np.where(missing[some], 0.0, about[some])
        hidden = np.linalg.solve(inner, (known @ width)[:, :, None])[:, :, 0]
        filled[some] = np.where(missing[some], hidden @ width.T, about[some])
    return filled
