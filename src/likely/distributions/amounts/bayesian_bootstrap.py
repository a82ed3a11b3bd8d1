"""Bayesian bootstrap of a kernel density: its values stay, how much each of them weighs is uncertain.

    shares ~ Dirichlet(w_1, w_2, ...)      of values with the weights w, which count rows

This (Rubin 1981) is the posterior of a distribution over the values seen under a prior that
knows nothing of others. The bandwidths are taken as given. A class that saw nothing borrows the density of all classes
together, and counts as one row of it.
"""

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

import numpy as np

from likely.errors import InputError
from likely.numeric.arrays import Floats
from likely.numeric.shares import draw_log_shares

if TYPE_CHECKING:
    from likely.distributions.amounts.kernel_density import KernelDensity


@dataclass(frozen=True)
class DensityPosterior:
    """Weights of the values of each class and column.

    >>> from likely.distributions import KernelDensity
    >>> points, offset = np.array([0.0, 2.0]), np.array([0, 2])
    >>> fitted = KernelDensity(points, np.array([0.5, 0.5]), offset, np.ones((1, 1)), np.array([[8]]))
    >>> drawn = DensityPosterior(fitted).draw(1000, np.random.default_rng(0))
    >>> bool(abs(drawn.share[::2].mean() - 1 / 2) < 0.02), bool(abs(drawn.share[::2].std() - 1 / 6) < 0.02)
    (True, True)
    """

    fitted: "KernelDensity"

    @property
    def size(self) -> int:
        """Of one draw."""
        return len(self.fitted.points)

    def of(self, member: int, column: int) -> Any:
        """Refused: there are shares of values, and no parameters to speak of."""
        raise InputError("a kernel density has no posterior in closed form; the kind 'histogram' has one")

    def draw(self, n: int, rng: np.random.Generator) -> "KernelDensity":
        """N draws of the k members, one after the other."""
        k, d = self.fitted.bandwidth.shape
        ends = self.fitted.offset
        points: list[Floats] = [np.zeros(0)]
        shares: list[Floats] = [np.zeros(0)]
        lengths = np.zeros((d, n, k), dtype=np.int64)  # slots are by column, then by member
        for j in range(d):
            own = [self._shares(j * k + c, float(self.fitted.count[c, j]), n, rng) for c in range(k)]
            values = [self.fitted.points[ends[j * k + c] : ends[j * k + c + 1]] for c in range(k)]
            lengths[j] = [len(part) for part in values]
            shares.append(np.concatenate(own, axis=1).ravel())
            points.append(np.tile(np.concatenate(values), n))
        return replace(
            self.fitted,
            points=np.concatenate(points),
            share=np.concatenate(shares),
            offset=np.concatenate([[0], np.cumsum(lengths.ravel())]),
            bandwidth=np.tile(self.fitted.bandwidth, (n, 1)),
            count=np.tile(self.fitted.count, (n, 1)),
        )

    def _shares(self, slot: int, rows: float, n: int, rng: np.random.Generator) -> Floats:
        """Drawn shares of a slot's values (n, values)."""
        share = self.fitted.share[self.fitted.offset[slot] : self.fitted.offset[slot + 1]]
        weight = np.maximum(share * (rows if rows > 0 else 1.0), 1e-9)
        return np.exp(draw_log_shares(weight[None], n, rng)) if len(share) else np.zeros((n, 0))
