"""What a margin is charged: the zero-one loss that is meant, and the losses that are minimised in its place."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Self

import numpy as np

from likely.data.accepted import TableLike, TargetLike
from likely.figures.drawing.canvas import MUTED, Axes, Drawn, canvas, colour, plain_names
from likely.figures.drawing.legends import legend
from likely.models.linear.margins import logistic_loss, squared_loss, zero_one_loss
from likely.numeric.arrays import Floats

_LOSSES: dict[str, Callable[[Any], Floats]] = {
    "zero-one": zero_one_loss,
    "squares": squared_loss,
    "logistic (bits)": lambda margin: np.asarray(logistic_loss(margin) / np.log(2)),
}


@dataclass(eq=False)
class MarginLossDisplay(Drawn):
    """Losses against the margin, and where the margins of a user's own rows lie.

    >>> import matplotlib; matplotlib.use("agg")
    >>> display = MarginLossDisplay().plot()
    >>> display.frame().columns
    ['margin', 'zero-one', 'squares', 'logistic (bits)']
    >>> matplotlib.pyplot.close(display.figure_)
    """

    margins: Any = None  # (n,)  of rows, drawn as marks; None: none
    limits: tuple[float, float] = (-2.0, 3.0)

    @classmethod
    def from_estimator(
        cls, estimator: Any, X: TableLike, y: TargetLike, *, ax: Axes | None = None, **options: Any
    ) -> Self:
        """Draw the margins of rows under a fitted model of two classes, by its decision function."""
        signs = np.where(np.asarray(y) == estimator.classes_[1], 1.0, -1.0)
        return cls(signs * np.asarray(estimator.decision_function(X)), **options).plot(ax)

    @plain_names
    def plot(self, ax: Axes | None = None) -> Self:
        """Draw on the axes given, or on new ones."""
        self.figure_, self.ax_ = canvas(ax)
        margin = np.linspace(*self.limits, 501)
        for place, (name, loss) in enumerate(_LOSSES.items()):
            self.ax_.plot(margin, loss(margin), color=colour(place), label=name)
        if self.margins is not None:
            held = np.clip(np.asarray(self.margins, dtype=np.float64), *self.limits)
            self.ax_.plot(held, np.full(len(held), -0.2), "|", color=MUTED, markersize=8, label="rows")
        self.ax_.set_ylim(-0.4, 5.0)
        self.ax_.set_xlabel("margin y f(x)")
        self.ax_.set_ylabel("loss")
        legend(self.ax_, "upper right")
        return self

    def frame(self) -> Any:
        """The curves as a Polars frame."""
        import polars as pl

        margin = np.linspace(*self.limits, 501)
        return pl.DataFrame({"margin": margin, **{name: loss(margin) for name, loss in _LOSSES.items()}})
