"""The E step of a mixture of Gaussian vectors: rows shared out and summed in one pass, in units of each component.

With S = L L', x - m = L z, and the sums of s, s z and s z z' over the shares s of a component are its statistic about
its own mean: sum s (x - m) = L sum s z, and sum s (x - m)(x - m)' = L (sum s z z') L'.
"""

import numpy as np

from likely.distributions.vectors.gaussian_vectors import MultivariateGaussian
from likely.numeric.arrays import Array, Floats, frozen
from likely.numeric.kernels.densities.sharing import shared_sums
from likely.statistics.summing.scatter import Scatter

_WIDE = 24  # columns from which products of matrices are faster
_FAR = 1e4  # of a component's own units, beyond which its rows would lose digits relative to a common centre


def shared_scatter(
    x: Array, weight: Floats, current: MultivariateGaussian, log_prior: Floats
) -> tuple[Scatter, float] | None:
    """The statistic of rows (n, d) of these weights shared out by their posteriors, and their log-likelihood.

    None where it takes more care: gaps, columns that repeat others, many columns, components very far apart.
    """
    shape = current.shape
    d = shape.mean.shape[1]
    if not (0 < shape.rank == d <= _WIDE) or x.shape[1:] != (d,) or not np.isfinite(shape.mean).all():
        return None
    offset = shape.whitened_offset
    if not (np.abs(offset) <= _FAR).all():
        return None
    white = frozen(np.broadcast_to(shape.whitening, (len(offset), d, d)).copy())
    constant = log_prior + current.log_scale
    sums, reached = shared_sums(frozen(x), weight, shape.centre, shape.inverse_scale, white, offset, constant)
    if np.isnan(reached):
        return None
    lower = np.tril_indices(d)
    second = np.zeros((len(sums), d, d))
    second[:, lower[0], lower[1]] = second[:, lower[1], lower[0]] = sums[:, 1 + d :]
    across = shape.factor.transpose(0, 2, 1)
    first = (shape.factor @ sums[:, 1 : 1 + d, None])[:, :, 0]
    return Scatter.of_shares(sums[:, 0], shape.mean, first, shape.factor @ second @ across), reached
