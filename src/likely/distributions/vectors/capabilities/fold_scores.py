"""The models of many folds from their scatter, and how rows are scored under all of them.

    full     -1/2 |W (x - m)|^2 - 1/2 log det S     for each group its own whitening W, W S W' = 1
    shared   (W m)' W x - 1/2 |W m|^2               but for a term common to all groups

A model that is in any way out of the ordinary (`whiten_groups` says so) is left to be estimated by itself.
"""

from collections.abc import Sequence
from itertools import product

import numpy as np

from likely import engines
from likely.distributions.family import FoldScores
from likely.numeric.arrays import Floats
from likely.numeric.kernels.densities.covariances import whiten_groups
from likely.numeric.kernels.left_out.fold_scores import linear_scores, padded, quadratic_scores
from likely.statistics.summing.scatter import Scatter

_WIDEST = 96  # columns: beyond, products of large matrices are faster than kernels that pass over few
_FEW_BLOCKS = 4  # rows scored at a time make so many times more, where the models take more room than the rows


def scores_of_scatter(seen: Sequence[Scatter], classes: int, shared: bool, ddof: int) -> FoldScores | None:
    """Of f statistics with the groups of r repeats each; None: there are so many columns that products are quicker."""
    (rk, d), f, k = seen[0].origin.shape, len(seen), classes
    if d > _WIDEST:
        return None
    r, g, wide = rk // k, 1 if shared else k, padded(d)
    shapes = ((k, d), (d,), (d,), (k, wide), (g, wide, wide), (g,))

    def make(at: tuple[int, int]) -> tuple[bool, tuple[Floats, ...]]:
        repeat, fold = at
        part = seen[fold].taken(np.arange(repeat * k, (repeat + 1) * k))
        made = tuple(np.zeros(shape) for shape in shapes)
        sums = (part.origin, part.weight, np.ascontiguousarray(part.first[:, :, 0]), part.second)
        return whiten_groups(*sums, shared, ddof, *made), made

    ordinary, made = zip(*engines.current().map(product(range(r), range(f)), make), strict=True)
    _, centre, inverse_scale, offset, whitening, half = (
        np.stack(part).reshape(r, f, *shape) for part, shape in zip(zip(*made, strict=True), shapes, strict=True)
    )
    usual = np.array(ordinary).reshape(r, f)
    white = (whitening @ offset[..., None])[..., 0]
    if not shared:
        return FoldScores(quadratic_scores, (centre, inverse_scale, whitening, white, -half), usual, _FEW_BLOCKS)
    constants = (centre, inverse_scale, white @ whitening[:, :, 0], -0.5 * (white**2).sum(axis=3))
    return FoldScores(linear_scores, constants, usual, 1)
