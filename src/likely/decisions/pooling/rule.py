"""How the answers of members become one: weights and offsets from rows left out, and what these say of others.

log p(k | x) = sum_m w_m log p_m(k | x) + b_k, normalised,    w_m >= 0        (log-linear)
p(k | x)     = sum_m v_m p_m(k | x)                                           (linear)

The weights w_m = u_m t_m are solved in two steps. First each member alone is given the slope t_m that its answers about
rows left out call for: one that is too sure of itself says less. Then the shares u_m of all together, with a ridge
towards equal ones: so it pulls towards the mean of calibrated answers, and few rows leave that as it is. No member may
say more against a class than its rows can bear out (`weighing.borne_out`).
"""

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from likely.decisions.pooling.linear import mixture_shares
from likely.models.held_out.trust import log_shares, shrunk, trust
from likely.models.held_out.weighing import SURE, borne_out, floored, slopes_alone, weigh
from likely.numeric.arrays import Array, Floats, Ints
from likely.numeric.logspace import log_normalize, log_of, log_sum_exp

METHODS = ("log", "linear")
RIDGE = 10.0


@dataclass(frozen=True)
class PoolingRule:
    """The method of a pool, the strength of its ridge, and how many rows it learns from."""

    method: str
    ridge: float
    rows: float

    def solved(self, said: Floats, codes: Array, weight: Floats | None) -> tuple[Floats, Floats]:
        """Weights (m,) and offsets (k,) from posteriors of rows left out (n, m, k)."""
        if self.method == "linear":
            return mixture_shares(np.maximum(said, -SURE), codes, weight, self.ridge), np.zeros(said.shape[2])
        terms = self.floored(said)
        alone = slopes_alone(terms, codes, weight)
        found = weigh(terms * alone[:, None], codes, weight, ridge=self.ridge)
        weights = found.weights * alone
        return weights if weights.any() else np.full(said.shape[1], 1e-6), found.offset

    def pooled(self, said: Floats, weights: Floats, offset: Floats) -> Floats:
        """Log posteriors (n, k) of what the members say (n, m, k)."""
        if self.method == "linear":
            used = weights > 0
            return log_normalize(log_sum_exp(np.maximum(said[:, used], -SURE) + log_of(weights[used])[:, None], axis=1))
        return log_normalize(np.tensordot(self.floored(said), weights, axes=([1], [0])) + offset)

    def floored(self, said: Floats) -> Floats:
        """What members say (..., k), centred, and no further below the largest than the rows bear out."""
        return floored(said, borne_out(self.rows))

    def crossed(self, said: Floats, codes: Array, weight: Floats | None, folds: Ints) -> Floats:
        """Log posteriors (n, k) of each row by weights that have not learned from its fold."""
        out = np.empty((len(codes), said.shape[2]))
        for fold in range(int(folds.max()) + 1):
            own, others = np.flatnonzero(folds == fold), np.flatnonzero(folds != fold)
            known = self.solved(said[others], codes[others], None if weight is None else weight[others])
            out[own] = self.pooled(said[own], *known)
        return out

    def answers(self, said: Floats, codes: Array, weight: Floats | None) -> Callable[[Floats], Floats]:
        """What the pool of these rows (n, m, k) says of others, as far as it is trusted (`models.held_out.trust`)."""
        whole, shares = self.solved(said, codes, weight), log_shares(codes, weight, said.shape[2])

        def learn(rows: Ints) -> Callable[[Ints], Floats]:
            some = said[rows], codes[rows], None if weight is None else weight[rows]
            known = whole if len(rows) == len(codes) else self.solved(*some)
            return lambda asked: self.pooled(said[asked], *known)

        trusted = trust(learn, codes, weight, said.shape[2], said.shape[1] + said.shape[2])
        return lambda asked: shrunk(self.pooled(asked, *whole), trusted, shares)
