"""Error against passes: how learning went, for one model or for several, at different learning rates for instance."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Self

import numpy as np

from likely.errors import InputError
from likely.figures.drawing.canvas import Axes, Drawn, canvas, colour, plain_names
from likely.figures.drawing.legends import legend
from likely.numeric.arrays import Floats, as_floats, in_brief

_MEASURES = {"mistakes": "mistakes", "loss": "mean loss", "validation_loss": "mean loss", "objective": "objective"}


@dataclass(eq=False)
class PassesDisplay(Drawn):
    """A figure of every pass, as a curve for each model.

    >>> import matplotlib; matplotlib.use("agg")
    >>> from likely import Perceptron
    >>> X, y = [[1, 3], [2, 4], [8, 9], [2, 1], [3, 2], [1, 0.5]], [1, 1, 1, 0, 0, 0]
    >>> make = lambda rate: Perceptron(learning_rate=rate, start="basic_linear", shuffle=False)
    >>> display = PassesDisplay.from_estimators({f"rate {rate}": make(rate).fit(X, y) for rate in (0.2, 1)})
    >>> display.ax_.get_xlabel(), list(display.curves)
    ('passes', ['rate 0.2', 'rate 1'])
    >>> matplotlib.pyplot.close(display.figure_)
    """

    curves: Mapping[str, Floats]  # by name, (passes,) each; values that are not finite are left out
    measure: str = "mean loss"  # what the curves show, the label of their axis
    log: bool = False  # whether the measure stands on a logarithmic axis

    __repr__ = in_brief

    @classmethod
    def from_estimators(
        cls, estimators: Any, *, measure: str | None = None, log: bool = False, ax: Axes | None = None
    ) -> Self:
        """Draw the `history_` of fitted models: one model, or several by name.

        `measure` is a field of the history: "mistakes" or "loss"; None: of a network its loss, and beside it that of
        the rows withheld, if there were any.
        """
        given = estimators if isinstance(estimators, Mapping) else {type(estimators).__name__: estimators}
        curves: dict[str, Floats] = {}
        chosen = measure
        for name, model in given.items():
            history = getattr(model, "history_", None)
            if history is None:
                raise InputError(f"{name} has no history_: give fitted perceptrons, networks or regressions")
            fields = getattr(history, "_fields", ())
            chosen = chosen or next((known for known in ("loss", "objective", "mistakes") if known in fields), "loss")
            if chosen not in fields:
                raise InputError(f"the history of {name} has no {chosen!r}; it has {', '.join(fields)}")
            curves[str(name)] = as_floats(getattr(history, chosen))
            held = getattr(history, "validation_loss", np.empty(0))
            if measure is None and len(held):
                curves[f"{name}, withheld rows"] = as_floats(held)
        return cls(curves, _MEASURES.get(str(chosen), str(chosen)), log).plot(ax)

    @classmethod
    def from_values(
        cls, curves: Mapping[str, Any], *, measure: str = "error", log: bool = False, ax: Axes | None = None
    ) -> Self:
        """Draw figures of your own: a number for every pass, by name."""
        return cls({str(name): as_floats(values) for name, values in curves.items()}, measure, log).plot(ax)

    @plain_names
    def plot(self, ax: Axes | None = None) -> Self:
        """Draw on these axes, or on new ones."""
        from matplotlib.ticker import MaxNLocator

        self.figure_, self.ax_ = canvas(ax)
        for place, (name, values) in enumerate(self.curves.items()):
            shown = np.where(np.isfinite(values), values, np.nan)
            marker = "o" if len(values) <= 30 else None
            passes = np.arange(1, len(values) + 1)
            self.ax_.plot(passes, shown, color=colour(place), marker=marker, markersize=3.5, label=name)
        self.ax_.set_xlabel("passes")
        self.ax_.set_ylabel(self.measure)
        self.ax_.xaxis.set_major_locator(MaxNLocator(integer=True))
        if self.log:
            self.ax_.set_yscale("log")
        if len(self.curves) > 1:
            legend(self.ax_, "upper right")
        return self

    def frame(self) -> Any:
        """One pass of one curve a row, as a Polars frame."""
        import polars as pl

        rows = [(name, i + 1, float(v)) for name, values in self.curves.items() for i, v in enumerate(values)]
        return pl.DataFrame(rows, schema=["name", "pass", "value"], orient="row")
