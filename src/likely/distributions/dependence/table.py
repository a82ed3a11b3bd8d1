"""The table behind dependent features: log p(v | k, u) of every level v given every level u of another feature.

    p(v | k, u) = (n_kuv + m / L_v) / (n_ku. + m)       n_ku. rows with u in which the feature of v is observed
    p(u | k)    = (n_ku + m / L_u) / (n_k. + m)         on the diagonal

L is the number of levels of the feature: m pseudo-counts in all, towards a uniform distribution.
"""

import numpy as np

from likely.errors import InputError
from likely.numeric.arrays import Array, Floats, Ints
from likely.statistics import Codes
from likely.statistics.counting.categories import Levels, offsets
from likely.statistics.counting.joint_counts import JointCounts


def log_conditionals(seen: JointCounts, m: float) -> Floats:
    """Log p(v | k, u) at [u, v, k], log p(u | k) at [u, u, k]; 0 for two levels of one feature (T, T, k)."""
    own, sizes = feature_of(seen.levels)
    whole = seen.together()[:, :, own] + m
    p = (np.maximum(seen.count, 0) + m / sizes[own]) / np.where(whole > 0, whole, 1.0)
    return logs_of_pairs(p, own)


def logs_of_pairs(p: Floats, own: Ints) -> Floats:
    """Logarithms of probabilities (k, T, T) at [u, v, k]; 0 for those of 0, and for two levels of one feature."""
    out = np.zeros((*p.shape[1:], p.shape[0]))
    np.log(p.transpose(1, 2, 0), out=out, where=(p > 0).transpose(1, 2, 0))
    apart = (own[:, None] != own[None, :]) | np.eye(len(own), dtype=bool)
    out[~apart] = 0.0
    return np.ascontiguousarray(out)


def feature_of(levels: Levels) -> tuple[Ints, Ints]:
    """The feature of each level (T,), and how many levels each feature has (d,)."""
    sizes = np.diff(offsets(levels))
    return np.repeat(np.arange(len(levels)), sizes), sizes


def places(x: Codes, levels: Levels) -> Array:
    """Where each cell stands in the row of all levels (n, d); -1 for a missing one or a level that is not known."""
    if len(x.levels) != len(levels):
        raise InputError(f"rows of {len(x.levels)} features; the distribution is of {len(levels)}")
    out = np.empty(x.x.shape, dtype=np.int32)
    for j, start in enumerate(offsets(levels)[:-1].tolist()):
        at = {name: start + i for i, name in enumerate(levels[j])}
        known = np.array([at.get(name, -1) for name in x.levels[j]] + [-1], dtype=np.int32)
        code = x.x[:, j].astype(np.int64) - x.base[j]
        out[:, j] = known[np.where((code < 0) | (code >= len(x.levels[j])), -1, code)]
    return out
