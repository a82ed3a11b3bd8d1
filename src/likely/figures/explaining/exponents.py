"""How much each column of a weighted naive Bayes counts: its exponent, the greatest first; 1 is naive Bayes."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Self

from likely.errors import InputError
from likely.figures.drawing.bars import weight_bars
from likely.figures.drawing.canvas import INK, Axes, Drawn, plain_names
from likely.models.generative import NaiveBayes


@dataclass(eq=False)
class ExponentsDisplay(Drawn):
    """The exponents of the columns.

    >>> import matplotlib; matplotlib.use("agg")
    >>> ExponentsDisplay({"year": 0.0, "bill": 1.2}).plot().frame()["column"].to_list()
    ['bill', 'year']
    >>> matplotlib.pyplot.close("all")
    """

    exponents: Mapping[str, float]  # by column

    @classmethod
    def from_estimator(cls, estimator: NaiveBayes, *, ax: Axes | None = None) -> Self:
        """Draw the exponents of a fitted `NaiveBayes` with `weighting`."""
        if not hasattr(estimator, "exponents_"):
            raise InputError(f"{type(estimator).__name__} has no exponents: only naive Bayes with weighting= does")
        return cls(dict(estimator.exponents_)).plot(ax)

    @plain_names
    def plot(self, ax: Axes | None = None) -> Self:
        """Draw on these axes, or on new ones; the dashed line is naive Bayes."""
        pairs = self._sorted()
        names, values = [name for name, _ in pairs], [value for _, value in pairs]
        self.figure_, self.ax_ = weight_bars(ax, names, values, "says nothing", "exponent")
        self.ax_.axvline(1.0, color=INK, lw=0.9, ls="--", zorder=0)
        for words in self.ax_.texts:  # the line ends where a number stands
            words.set_bbox({"facecolor": self.ax_.get_facecolor(), "edgecolor": "none", "pad": 0.8})
        self.ax_.set_xlim(0, 1.15 * max(1.0, *values))
        return self

    def frame(self) -> Any:
        """Columns and exponents as a Polars frame."""
        import polars as pl

        pairs = self._sorted()
        return pl.DataFrame({"column": [name for name, _ in pairs], "exponent": [value for _, value in pairs]})

    def _sorted(self) -> list[tuple[str, float]]:
        return sorted(((str(name), float(value)) for name, value in self.exponents.items()), key=lambda pair: -pair[1])
