"""What is not known of the shares in the leaves of a tree: draws from their posterior, the tests being kept.

    shares of a leaf ~ Dirichlet(weight of each class + smoothing * shares of the node above)

whose mean are the shares that the tree says. Other rows would have made other tests, and the draws do not show that:
`likely.Calibrated` adds what rows left out tell of it.
"""

import numpy as np

from likely.data.accepted import TableLike
from likely.models.any_classifier.drawn import Ends
from likely.models.traits.state import of_one_state
from likely.models.trees.classifier import TreeClassifier
from likely.numeric.arrays import Floats, Ints
from likely.numeric.logspace import log_of
from likely.numeric.random_state import Seed, as_generator
from likely.numeric.shares import draw_log_shares

_CELLS = 2**22  # drawn shares held at a time


class UnsureLeaves(TreeClassifier):
    """One tree, whose posterior is that of a leaf."""

    knows_parameters = True
    keeps_structure = True

    @of_one_state
    def over_draws(self, X: TableLike, ends: Ends, n_draws: int, random_state: Seed = 0) -> Floats:
        """Intervals (n, k, 2) that `ends` makes of log posteriors under drawn shares and the tree's own."""
        alpha, own, place = self._leaves(X)
        rng, size = as_generator(random_state), max(1, _CELLS // (n_draws * alpha.shape[1]))
        some = [slice(start, start + size) for start in range(0, len(alpha), size)]
        return np.concatenate([ends(_drawn(alpha[part], n_draws, rng), own[part]) for part in some])[place]

    @of_one_state
    def drawn_log_posteriors(self, X: TableLike, n_draws: int, random_state: Seed = 0) -> Floats:
        """Log posteriors (n, draws, k) of few rows under drawn shares."""
        alpha, _, place = self._leaves(X)
        return _drawn(alpha, n_draws, as_generator(random_state))[place]

    def _leaves(self, X: TableLike) -> tuple[Floats, Floats, Ints]:
        """Of the leaves that rows come to the posterior of the shares (leaves, k), their logarithms, and which (n,)."""
        self._check_fitted()
        grove = self.grove_
        leaves, place = np.unique(self.apply(X), return_inverse=True)
        above, k = grove.parent[leaves], grove.counts.shape[1]
        towards = np.where(above[:, None] < 0, 1.0 / k, grove.share[above])
        rows = max(grove.smoothing, 1.0)  # a leaf of rows that are alike is not sure of its share
        return grove.counts[leaves] + rows * towards, log_of(grove.share[leaves]), np.asarray(place)


def _drawn(alpha: Floats, n_draws: int, rng: np.random.Generator) -> Floats:
    """Logarithms of drawn shares (leaves, draws, k)."""
    found = draw_log_shares(alpha, n_draws, rng).reshape(n_draws, *alpha.shape)
    return np.ascontiguousarray(found.swapaxes(0, 1))
