"""What large weights cost: squares (ridge, a Gaussian prior), absolute values (lasso, a Laplace prior), or both.

    1/2 sum_j a_j w_j^2 + sum_j b_j |w_j|,    a = (1 - l1_ratio) / C,   b = l1_ratio / C

An intercept costs nothing unless it is asked to. Scores of k classes do not change when the same vector is added to the
weights of all of them; where no penalty decides, their sum is kept at 0 by a term that is 0 at the minimum.
"""

from dataclasses import dataclass

import numpy as np

from likely.numeric.arrays import Floats
from likely.optimize.objectives import Expansion


@dataclass(frozen=True)
class Penalty:
    """Strengths for weights (vectors, m) as one vector (vectors m,); the last of each m is the intercept."""

    squares: Floats  # (m,)
    absolutes: Floats  # (m,)
    vectors: int
    tie: float  # strength that keeps sums over the vectors at 0

    @classmethod
    def of(cls, width: int, vectors: int, C: float, l1_ratio: float, intercept: bool, tie: float) -> "Penalty":
        """Of `width` columns and an intercept, which is penalised if `intercept` says so; C may be infinite."""
        strength = np.full(width + 1, 1.0 / C)
        if not intercept:
            strength[-1] = 0.0
        return cls((1 - l1_ratio) * strength, l1_ratio * strength, vectors, tie)

    @property
    def rough(self) -> bool:
        """Whether absolute values are penalised, which have no slope at 0."""
        return bool(self.absolutes.any())

    @property
    def tied(self) -> Floats:
        """By what the sum of the weights of each column is held at 0 (m,)."""
        return self.tie * (self.absolutes == 0) if self.vectors > 1 else np.zeros_like(self.squares)

    def smooth(self, point: Floats, curved: bool) -> Expansion:
        """The squares, and the term that ties the vectors."""
        w = point.reshape(self.vectors, -1)
        tie = self.tied
        total = w.sum(axis=0)
        value = 0.5 * float((self.squares * w**2).sum() + (tie * total**2).sum())
        gradient = (self.squares * w + tie * total).ravel()
        if not curved:
            return Expansion(value, gradient)
        k, m = w.shape
        hessian = np.zeros((k, m, k, m))
        every = np.arange(m)
        hessian[:, every, :, every] = tie[:, None, None]
        for c in range(k):
            hessian[c, every, c, every] += self.squares
        return Expansion(value, gradient, hessian.reshape(k * m, k * m))

    def rough_value(self, point: Floats) -> float:
        """The absolute values."""
        return float((self.absolutes * np.abs(point.reshape(self.vectors, -1))).sum())
