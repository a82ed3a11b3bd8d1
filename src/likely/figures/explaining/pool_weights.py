"""How much each member of a pool counts: its weight, the heaviest first; those that were dropped have none."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Self

from likely.decisions.pooling.pool import Pool
from likely.errors import InputError
from likely.figures.drawing.bars import weight_bars
from likely.figures.drawing.canvas import Axes, plain_names


@dataclass
class PoolWeightsDisplay:
    """The weights of the members of a pool.

    >>> import matplotlib; matplotlib.use("agg")
    >>> PoolWeightsDisplay({"naive Bayes": 0.2, "logistic regression": 0.9}).plot().frame()["member"].to_list()
    ['logistic regression', 'naive Bayes']
    """

    weights: Mapping[str, float]

    @classmethod
    def from_estimator(cls, estimator: Pool, *, ax: Axes | None = None) -> Self:
        """Draw the weights of a fitted `Pool`."""
        if not hasattr(estimator, "weights_"):
            raise InputError(f"{type(estimator).__name__} has no weights: only a fitted pool does")
        return cls(dict(estimator.weights_)).plot(ax)

    @plain_names
    def plot(self, ax: Axes | None = None) -> Self:
        """Draw on axes, new ones if none are given."""
        words = "weight of its log posterior"
        self.figure_, self.ax_ = weight_bars(ax, *self._sorted(), "dropped", words)
        return self

    def frame(self) -> Any:
        """Members and weights as a Polars frame."""
        import polars as pl

        names, weights = self._sorted()
        return pl.DataFrame({"member": names, "weight": weights})

    def _sorted(self) -> tuple[list[str], list[float]]:
        pairs = sorted(self.weights.items(), key=lambda pair: -pair[1])
        return [name for name, _ in pairs], [weight for _, weight in pairs]
