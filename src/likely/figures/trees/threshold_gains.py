"""What each threshold of a column of numbers gains: how a stump is chosen."""

from dataclasses import dataclass
from typing import Any, Self

import numpy as np
from numpy.typing import ArrayLike

from likely.data.accepted import TargetLike
from likely.data.labels.target import read_target
from likely.figures.drawing.canvas import MUTED, Axes, Drawn, canvas, colour, plain_names
from likely.figures.drawing.legends import legend
from likely.models.trees import ThresholdGains, threshold_gains
from likely.numeric.arrays import Floats, in_brief


@dataclass(eq=False)
class ThresholdGainsDisplay(Drawn):
    """Bits gained by each threshold, over the values of each class.

    >>> import matplotlib; matplotlib.use("agg")
    >>> display = ThresholdGainsDisplay.from_values([1, 2, 4, 7, 9], list("aabbb"))
    >>> display.gains.best, display.frame().height
    (3.0, 4)
    >>> matplotlib.pyplot.close(display.figure_)
    """

    gains: ThresholdGains  # what `threshold_gains` gave
    values: tuple[tuple[str, Floats], ...]  # of each class
    name: str = "x"

    __repr__ = in_brief

    @classmethod
    def from_values(cls, x: ArrayLike, y: TargetLike, *, name: str | None = None, ax: Axes | None = None) -> Self:
        """Draw the gains of the thresholds of values x with classes y; without a `name`, under that of a series x."""
        target, values = read_target(y), np.asarray(x, dtype=np.float64)
        by_class = [(str(c), values[target.codes == at]) for at, c in enumerate(target.classes)]
        own = getattr(x, "name", None)  # of a pandas or Polars series
        shown = name if name is not None else "x" if own is None or own == "" else str(own)
        return cls(threshold_gains(values, target), tuple(by_class), shown).plot(ax)

    @plain_names
    def plot(self, ax: Axes | None = None) -> Self:
        """Draw on these axes, or on new ones."""
        self.figure_, self.ax_ = canvas(ax)
        t, gain = self.gains.threshold, self.gains.gain
        many = len(t) > 60
        self.ax_.plot(t, gain, "-" if many else "o-", color=MUTED, lw=1.2, markersize=4)
        if len(t):
            best = self.gains.best
            self.ax_.axvline(best, color=MUTED, ls="--", lw=1, label=f"best: {best:.4g}, {gain.max():.3g} bits")
        depth = max(float(gain.max(initial=0.0)), 0.05) * 0.07
        for c, (name, values) in enumerate(self.values):
            at = np.full(len(values), -depth * (c + 1))
            self.ax_.plot(values, at, "|", color=colour(c), markersize=8, label=name)
        self.ax_.set(xlabel=self.name, ylabel="information gained (bits)")
        legend(self.ax_)
        return self

    def frame(self) -> Any:
        """Thresholds and gains as a Polars frame."""
        import polars as pl

        return pl.DataFrame({"threshold": self.gains.threshold, "gain": self.gains.gain})
