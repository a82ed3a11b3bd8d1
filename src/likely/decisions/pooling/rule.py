"""How the answers of members become one: weights and offsets from rows left out, and what these say of others.

log p(k | x) = sum_m w_m log p_m(k | x) + b_k, normalised,    w_m >= 0        (log-linear)
p(k | x)     = sum_m v_m p_m(k | x)                                           (linear)
"""

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from likely.decisions.pooling.linear import mixture_shares
from likely.models.held_out.trust import log_shares, shrunk, trust
from likely.models.held_out.weighing import SURE, floored, weigh
from likely.numeric.arrays import Array, Floats, Ints
from likely.numeric.logspace import log_normalize, log_of, log_sum_exp

METHODS = ("log", "linear")


@dataclass(frozen=True)
class Rule:
    """The method of a pool and the strength of its ridge."""

    method: str
    ridge: float

    def solved(self, said: Floats, codes: Array, weight: Floats | None) -> tuple[Floats, Floats]:
        """Weights (m,) and offsets (k,) from posteriors of rows left out (n, m, k)."""
        if self.method == "linear":
            return mixture_shares(np.maximum(said, -SURE), codes, weight, self.ridge), np.zeros(said.shape[2])
        found = weigh(floored(said), codes, weight, ridge=self.ridge)
        weights = found.weights if found.weights.any() else np.full(said.shape[1], 1e-6)
        return weights, found.offset

    def pooled(self, said: Floats, weights: Floats, offset: Floats) -> Floats:
        """Log posteriors (n, k) of what the members say (n, m, k)."""
        if self.method == "linear":
            used = weights > 0
            return log_normalize(log_sum_exp(np.maximum(said[:, used], -SURE) + log_of(weights[used])[:, None], axis=1))
        return log_normalize(np.tensordot(floored(said), weights, axes=([1], [0])) + offset)

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

        def learn(rows: Ints) -> Callable[[Ints], Floats]:
            known = self.solved(said[rows], codes[rows], None if weight is None else weight[rows])
            return lambda asked: self.pooled(said[asked], *known)

        whole, shares = self.solved(said, codes, weight), log_shares(codes, weight, said.shape[2])
        trusted = trust(learn, codes, weight, said.shape[2], said.shape[1] + said.shape[2])
        return lambda asked: shrunk(self.pooled(asked, *whole), trusted, shares)
