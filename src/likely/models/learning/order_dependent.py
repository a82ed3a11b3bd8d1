"""Models that learn a history: what they know depends on the order of the rows, and cannot be added up.

Perceptrons and networks of stochastic steps. Merging and forgetting are refused; cross-validation refits.
"""

from typing import Any, NoReturn

from likely.errors import TierError
from likely.numeric.arrays import PerRow


class OrderDependent:
    """A model whose data cannot be merged or forgotten."""

    def merge(self, other: Any) -> NoReturn:
        """Refused: two histories have no sum."""
        raise TierError(
            f"{type(self).__name__} learns row after row, and what it knows depends on their order: two of them cannot "
            "be merged. Train one on all rows, or average their posteriors"
        )

    def __add__(self, other: Any) -> NoReturn:
        self.merge(other)

    def forget(self, X: Any, y: Any = None, sample_weight: PerRow = None) -> NoReturn:
        """Refused: what later rows have built on cannot be taken out."""
        raise TierError(
            f"{type(self).__name__} learns row after row, and later rows built on these: they cannot be forgotten. "
            "Train it again without them"
        )
