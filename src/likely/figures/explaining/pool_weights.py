"""How much each member of a pool counts: its weight, the heaviest first; those that were dropped have none."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Self

import numpy as np

from likely.data.printing.wording import shortened
from likely.errors import InputError
from likely.figures.drawing.canvas import MUTED, Axes, canvas, colour, plain_names

_LONGEST = 40  # letters of a name beside the axis


@dataclass
class PoolWeightsDisplay:
    """The weights of the members of a pool.

    >>> import matplotlib; matplotlib.use("agg")
    >>> PoolWeightsDisplay({"naive Bayes": 0.2, "logistic regression": 0.9}).plot().frame()["member"].to_list()
    ['logistic regression', 'naive Bayes']
    """

    weights: Mapping[str, float]

    @classmethod
    def from_estimator(cls, estimator: Any, *, ax: Axes | None = None) -> Self:
        """Draw the weights of a fitted `Pool`."""
        if not hasattr(estimator, "weights_"):
            raise InputError(f"{type(estimator).__name__} has no weights: only a fitted pool does")
        return cls(dict(estimator.weights_)).plot(ax)

    @plain_names
    def plot(self, ax: Axes | None = None) -> Self:
        """Draw on axes, new ones if none are given."""
        names, weights = self._sorted()
        self.figure_, self.ax_ = canvas(ax, height=max(1.8, 0.28 * len(names) + 1.0))
        at = np.arange(len(names))[::-1]
        self.ax_.barh(at, weights, color=[colour(0) if weight > 0 else MUTED for weight in weights], height=0.6)
        for place, weight in zip(at, weights, strict=True):
            words = f" {weight:.2f}" if weight > 0 else " dropped"
            self.ax_.text(weight, place, words, va="center", color=MUTED, fontsize=8)
        self.ax_.set_yticks(at, [shortened(name, _LONGEST) for name in names], parse_math=False)
        self.ax_.set_xlim(0, 1.15 * max(weights, default=1.0))
        self.ax_.set_xlabel("weight of its log posterior")
        return self

    def frame(self) -> Any:
        """Members and weights as a Polars frame."""
        import polars as pl

        names, weights = self._sorted()
        return pl.DataFrame({"member": names, "weight": weights})

    def _sorted(self) -> tuple[list[str], list[float]]:
        pairs = sorted(self.weights.items(), key=lambda pair: -pair[1])
        return [name for name, _ in pairs], [weight for _, weight in pairs]
