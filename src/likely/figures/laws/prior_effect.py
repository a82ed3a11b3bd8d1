"""The effect of priors as a picture: the predicted probability against how many rows have been seen.

Each curve starts near the mean of its prior and ends at the share of successes, the later the more rows the prior
weighs. Data that arrive one by one make the share itself jump; a prior steadies it.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Self

import numpy as np

from likely.data.printing.wording import amount
from likely.distributions.conjugate.beta import Beta
from likely.errors import check_type
from likely.estimation.effect_of_priors import PriorEffect, arriving, prior_effect
from likely.figures.curves.style import curve_style
from likely.figures.drawing.canvas import INK, Axes, Drawn, canvas, plain_names
from likely.figures.drawing.legends import legend

_WIDE = 8  # how many times as many rows the last size has as the first, for a logarithmic axis
_MARKED = 30  # sizes whose points are still told apart


@dataclass(eq=False)
class PriorEffectDisplay(Drawn):
    """Predictions under several priors.

    >>> import matplotlib; matplotlib.use("agg")
    >>> display = PriorEffectDisplay.from_counts([1, 2, 100], [4, 8, 400], [(1, 1), (10, 10)])
    >>> display.frame().columns
    ['rows', 'share', 'Beta(1, 1)', 'Beta(10, 10)']
    >>> matplotlib.pyplot.close(display.figure_)
    """

    effect: PriorEffect  # what `prior_effect` gave

    @classmethod
    def from_counts(cls, successes: Any, failures: Any, priors: Sequence[Any], *, ax: Axes | None = None) -> Self:
        """Draw the predictions after several numbers of successes and failures."""
        return cls(prior_effect(successes, failures, priors)).plot(ax)

    @classmethod
    def from_sequence(cls, values: Any, priors: Sequence[Any], *, ax: Axes | None = None) -> Self:
        """Draw the predictions as zeros and ones arrive one by one."""
        return cls(arriving(values, priors)).plot(ax)

    @classmethod
    def from_effect(cls, effect: PriorEffect, *, ax: Axes | None = None) -> Self:
        """Draw what `prior_effect` returned."""
        check_type(effect, PriorEffect, "what prior_effect returns")
        return cls(effect).plot(ax)

    @plain_names
    def plot(self, ax: Axes | None = None) -> Self:
        """Draw on these axes, or on new ones."""
        self.figure_, self.ax_ = canvas(ax)
        rows, few = self.effect.rows, len(self.effect.rows) <= _MARKED
        marker = "o" if few else ""
        share = np.isfinite(self.effect.share)
        self.ax_.plot(rows[share], self.effect.share[share], color=INK, ls=":", label="share of successes")
        for place, (prior, curve) in enumerate(zip(self.effect.priors, self.effect.prediction, strict=True)):
            label = f"{_named(prior)}, worth {amount(prior.equivalent_sample_size)} rows"
            style = curve_style(place)
            self.ax_.plot(rows, curve, lw=1.6, marker=marker, markersize=4, gid="curve", label=label, **style)
        if rows.min() > 0 and rows.max() >= _WIDE * rows.min():
            from matplotlib.ticker import FuncFormatter, LogLocator, NullFormatter

            self.ax_.set_xscale("log")
            self.ax_.xaxis.set_major_locator(LogLocator(subs=(1.0, 2.0, 5.0)))
            self.ax_.xaxis.set_major_formatter(FuncFormatter(lambda size, _: f"{size:,.0f}"))
            self.ax_.xaxis.set_minor_formatter(NullFormatter())
        self.ax_.set(xlabel="rows seen", ylabel="predicted probability of a success", ylim=(0, 1))
        legend(self.ax_, loc="upper right")
        return self

    def frame(self) -> Any:
        """A number of rows a row, with a column for each prior, as a Polars frame."""
        import polars as pl

        curves = {_named(prior): curve for prior, curve in zip(self.effect.priors, self.effect.prediction, strict=True)}
        return pl.DataFrame({"rows": self.effect.rows, "share": self.effect.share, **curves})


def _named(prior: Beta) -> str:
    return f"Beta({prior.a:g}, {prior.b:g})"
