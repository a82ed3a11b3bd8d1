"""What is recommended to somebody: the expected rating of each item with the interval that holds it, the best first."""

from collections.abc import Hashable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Self

import numpy as np

from likely.data.printing.wording import shortened
from likely.errors import InputTypeError
from likely.figures.drawing.canvas import MUTED, Axes, Drawn, canvas, colour, plain_names
from likely.intervals.estimate import Estimate
from likely.models.recommend import Recommender
from likely.models.recommend.answers import Recommendation

_LONGEST = 40  # letters of a name beside the axis


@dataclass(eq=False)
class RecommendationsDisplay(Drawn):
    """A list of recommendations.

    >>> import matplotlib; matplotlib.use("agg")
    >>> people = {f"u{i}": {"a": 4, "b": 3 + i % 2, "c": 1 + i % 2, "d": 5} for i in range(9)}
    >>> display = RecommendationsDisplay.from_estimator(Recommender().fit(people), ratings={"b": 4, "c": 2})
    >>> display.frame()["item"].to_list()
    ['d', 'a']
    >>> matplotlib.pyplot.close(display.figure_)
    """

    best: Sequence[Recommendation]  # what `recommend` gave
    expected: Sequence[Estimate]  # the rating of each, with its interval

    @classmethod
    def from_estimator(
        cls,
        estimator: Recommender,
        user: Hashable = None,
        n: int = 10,
        *,
        ratings: Mapping[Any, float] | None = None,
        confidence: float = 0.95,
        ax: Axes | None = None,
    ) -> Self:
        """Draw the n best items of a user of a fitted `Recommender`, or of a new person with these ratings."""
        if not isinstance(estimator, Recommender):
            raise InputTypeError(f"expected a fitted Recommender, got {type(estimator).__name__}")
        best, residuals = estimator.recommend(user, n, ratings=ratings), estimator.residuals_
        return cls(best, [residuals.around(each.score, each.support, confidence) for each in best]).plot(ax)

    @plain_names
    def plot(self, ax: Axes | None = None) -> Self:
        """Draw on these axes, or on new ones; beside each item stands how many neighbours speak for it."""
        self.figure_, self.ax_ = canvas(ax, 6.4, max(1.8, 0.32 * len(self.best) + 1.0))
        at = np.arange(len(self.best))[::-1]
        for place, each, item in zip(at, self.expected, self.best, strict=True):
            self.ax_.plot([each.low, each.high], [place, place], color=colour(0), lw=2, alpha=0.5, gid="interval")
            self.ax_.plot(each.value, place, "o", color=colour(0), markersize=5, gid="expected")
            self.ax_.annotate(
                f"{item.support}", (1.0, place), (6, 0), ("axes fraction", "data"), "offset points",
                va="center", fontsize=8, color=MUTED,
            )  # fmt: skip
        self.ax_.annotate(
            "neighbours", (1.0, 1.0), (6, 4), "axes fraction", "offset points", fontsize=8, color=MUTED, ha="left"
        )
        self.ax_.set_yticks(at, [shortened(str(each.item), _LONGEST) for each in self.best], parse_math=False)
        self.ax_.set(ylim=(-0.6, len(self.best) - 0.4))
        words = f"{self.expected[0].confidence:.0%}".replace("%", " %") if self.expected else ""
        self.ax_.set_xlabel(f"expected rating, and where it lies in {words} of cases" if words else "expected rating")
        return self

    def frame(self) -> Any:
        """Items, expected ratings, their intervals and how many neighbours speak, as a Polars frame."""
        import polars as pl

        return pl.DataFrame(
            {
                "item": [each.item for each in self.best],
                "expected": [each.value for each in self.expected],
                "low": [each.low for each in self.expected],
                "high": [each.high for each in self.expected],
                "support": [each.support for each in self.best],
            },
            strict=False,
        )
