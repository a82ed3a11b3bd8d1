"""The objective against passes or iterations, of one model or of several learning rates.

Heights are on a logarithmic scale where all are positive and far apart: a descent that shrinks the error by the same
factor in every pass is a straight line. A run whose error grows is drawn until it leaves the picture.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Self

import numpy as np

from likely.data.accepted import TableLike, TargetLike
from likely.errors import InputError
from likely.figures.drawing.canvas import Axes, Drawn, canvas, colour, plain_names
from likely.figures.drawing.legends import legend
from likely.numeric.arrays import Floats

_FAR = 50.0  # largest over smallest height from which on the scale is logarithmic
_ABOVE = 3.0  # times the first value, where a growing error leaves the picture


@dataclass(eq=False)
class DescentDisplay(Drawn):
    """Objectives after each pass, the start included, by the name of the run.

    >>> import matplotlib; matplotlib.use("agg")
    >>> from likely import LogisticRegression
    >>> X, y = [[-2.0], [-1], [0], [0.5], [1], [2]], [0, 0, 1, 0, 1, 1]
    >>> models = {s: LogisticRegression(solver=s).fit(X, y) for s in ("newton", "gradient")}
    >>> display = DescentDisplay.from_estimators(models)
    >>> display.frame()["run"].unique(maintain_order=True).to_list()
    ['newton', 'gradient']
    >>> matplotlib.pyplot.close(display.figure_)
    """

    runs: Mapping[str, Any]  # (passes + 1,) each, by name
    label: str = "objective"  # of the axis

    def __post_init__(self) -> None:
        if not self.runs:
            raise InputError("there is no run to draw")
        self.runs = {str(name): np.asarray(values, dtype=np.float64) for name, values in self.runs.items()}
        for name, values in self.runs.items():
            if values.ndim != 1 or not len(values):
                raise InputError(f"the run {name!r} has no objectives; fit it by a solver that takes steps")

    @classmethod
    def from_estimators(cls, estimators: Mapping[str, Any], *, ax: Axes | None = None, **options: Any) -> Self:
        """Draw the `history_` of fitted models."""
        for name, model in estimators.items():
            if not hasattr(model, "history_"):
                raise InputError(f"{name!r} has no history_: fit it by a solver that takes steps")
        return cls({name: model.history_.objective for name, model in estimators.items()}, **options).plot(ax)

    @classmethod
    def from_rates(
        cls, estimator: Any, X: TableLike, y: TargetLike, rates: Any, *, ax: Axes | None = None, **options: Any
    ) -> Self:
        """Fit a model of the user's rows once for each learning rate, and draw how it went."""
        import warnings

        runs = {}
        for rate in rates:
            model = type(estimator)(**{**estimator.get_params(deep=False), "learning_rate": rate})
            with warnings.catch_warnings():
                warnings.simplefilter("ignore")  # that it does not converge is what the picture shows
                runs[f"rate {rate:g}"] = model.fit(X, y).history_.objective
        return cls(runs, **options).plot(ax)

    @plain_names
    def plot(self, ax: Axes | None = None) -> Self:
        """Draw on the axes given, or on new ones."""
        self.figure_, self.ax_ = canvas(ax)
        shown = {name: values[np.isfinite(values)] for name, values in self.runs.items()}
        first = max(float(values[0]) for values in shown.values())
        heights = np.concatenate([values[values <= _ABOVE * abs(first)] for values in shown.values()])
        for place, (name, values) in enumerate(shown.items()):
            self.ax_.plot(np.arange(len(values)), values, color=colour(place), label=name)
        if heights.min() > 0 and heights.max() / heights.min() > _FAR:
            self.ax_.set_yscale("log")
            self.ax_.set_ylim(heights.min() / 2, _ABOVE * abs(first))
        elif max(float(values.max()) for values in shown.values()) > _ABOVE * abs(first):
            self.ax_.set_ylim(heights.min(), _ABOVE * abs(first))
        self.ax_.set_xlabel("pass")
        self.ax_.set_ylabel(self.label)
        if len(shown) > 1:
            legend(self.ax_)
        return self

    def frame(self) -> Any:
        """The heights as a Polars frame."""
        import polars as pl

        values: dict[str, Floats] = dict(self.runs)
        return pl.concat(
            [
                pl.DataFrame({"run": [name] * len(v), "pass": np.arange(len(v)), "objective": v})
                for name, v in values.items()
            ]
        )
