"""Models that learn a history: what they know depends on the order of the rows, and cannot be added up.

Perceptrons and networks of stochastic steps. They have no merge and no forget; cross-validation refits.
"""

from typing import ClassVar

from likely.models.traits.tiers import Tiered


class OrderDependent(Tiered):
    """A model whose data cannot be merged or forgotten."""

    _how_it_learns = "learns row after row, and what it knows depends on their order"
    _instead: ClassVar = {"merge": ", or average their posteriors", "forget": ": later rows built on them"}
