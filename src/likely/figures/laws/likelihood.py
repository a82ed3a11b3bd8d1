"""The likelihood of a parameter as a curve, with the estimate, its standard error and a likelihood interval.

The curve is the profile likelihood: at each value of the parameter the others take the values that fit best. What is
shaded is the likelihood interval, all values whose likelihood is at least exp(-z^2 / 2) of the highest one (15 % of it
for a confidence of 95 %); the bar is the estimate with one standard error either way. A curve that is a parabola on the
scale of logarithms is one whose standard error says all there is to say.
"""

from dataclasses import dataclass
from functools import cached_property
from typing import Any, Literal, Self, TypeAlias, get_args

import numpy as np

from likely.distributions.conjugate.summaries import DataLike
from likely.distributions.family import Family
from likely.errors import InputError, check_type
from likely.estimation.likelihoods.maximum import MaximumLikelihood, maximum_likelihood
from likely.figures.curves.style import curve_style, drawn_before
from likely.figures.drawing.canvas import BAND, MUTED, Axes, Drawn, canvas, plain_names
from likely.figures.drawing.legends import legend
from likely.intervals.quantiles import normal_quantile
from likely.numeric.arrays import Floats

Scale: TypeAlias = Literal["relative", "likelihood", "log"]
_POINTS = 401
_WIDE = 0.9999  # confidence of the interval that the curve spans
_LEAST = -700.0  # log-likelihoods whose exponential is not zero


@dataclass(eq=False)
class LikelihoodDisplay(Drawn):
    """The likelihood of one parameter.

    >>> import matplotlib; matplotlib.use("agg")
    >>> display = LikelihoodDisplay.from_data([1, 0, 0, 1, 1], "bernoulli", scale="likelihood")
    >>> display.ax_.get_xlabel(), [round(end, 3) for end in display.interval]
    ('probability', [0.199, 0.919])
    >>> display.frame().columns
    ['probability', 'log_likelihood', 'likelihood']
    >>> matplotlib.pyplot.close(display.figure_)
    """

    fit: MaximumLikelihood  # what `maximum_likelihood` gave
    parameter: str  # its name
    index: tuple[int, ...] = ()  # of a parameter that is an array
    scale: Scale = "relative"  # to the highest likelihood; the likelihood itself; or its logarithm
    confidence: float = 0.95
    name: str | None = None

    def __post_init__(self) -> None:
        if self.scale not in get_args(Scale):
            raise InputError(f"unknown scale {self.scale!r}; choose {', '.join(get_args(Scale))}")
        if self.parameter not in self.fit.names:
            raise InputError(f"unknown parameter {self.parameter!r}; choose among {', '.join(self.fit.names)}")
        shape = np.shape(self.fit.estimate[self.parameter])
        inside = len(self.index) == len(shape) and all(0 <= i < n for i, n in zip(self.index, shape, strict=True))
        if not inside:
            raise InputError(f"{self.parameter} has shape {shape}; name one of its numbers by index, got {self.index}")
        if self.scale == "likelihood" and self.fit.log_likelihood < _LEAST:
            raise InputError("the likelihood of so many rows is too small a number to draw; use scale='relative'")

    @classmethod
    def from_fit(
        cls,
        fit: MaximumLikelihood,
        parameter: str | None = None,
        index: int | tuple[int, ...] = (),
        *,
        scale: Scale = "relative",
        confidence: float = 0.95,
        name: str | None = None,
        ax: Axes | None = None,
    ) -> Self:
        """Draw the likelihood of a parameter of what `maximum_likelihood` returned; the only one need not be named."""
        check_type(fit, MaximumLikelihood, "what maximum_likelihood returns")
        if parameter is None and len(fit.names) > 1:
            raise InputError(f"the {fit.family} family has several parameters; name one: {', '.join(fit.names)}")
        place = (index,) if isinstance(index, int) else tuple(index)
        return cls(fit, parameter or fit.names[0], place, scale, confidence, name).plot(ax)

    @classmethod
    def from_data(cls, data: DataLike, family: Family | str, parameter: str | None = None, **options: Any) -> Self:
        """Estimate from data and draw; the options are those of `from_fit`."""
        return cls.from_fit(maximum_likelihood(data, family), parameter, **options)

    @cached_property
    def estimate(self) -> float:
        """The most likely value of the parameter."""
        return float(np.asarray(self.fit.estimate[self.parameter])[self.index])

    @cached_property
    def standard_error(self) -> float:
        """Its standard error."""
        return float(np.asarray(self.fit.standard_errors[self.parameter])[self.index])

    @cached_property
    def interval(self) -> tuple[float, float]:
        """The likelihood interval of the confidence."""
        low, high = np.asarray(self.fit.interval(self.confidence)[self.parameter])[self.index]
        return float(low), float(high)

    @cached_property
    def grid(self) -> Floats:
        """The values at which the curve is drawn, the estimate among them."""
        low, high = np.asarray(self.fit.interval(_WIDE)[self.parameter])[self.index]
        reach = 6 * max(self.standard_error, (self.interval[1] - self.estimate) / 2)
        low, high = max(low, self.estimate - reach), min(high, self.estimate + reach)
        if self.parameter == "probability":  # an axis that nearly spans 0 to 1 spans it
            low, high = (0.0 if low < 0.1 else low), (1.0 if high > 0.9 else high)
        return np.union1d(np.linspace(low, high, _POINTS), [self.estimate])

    @cached_property
    def log_likelihood(self) -> Floats:
        """Of the values of the grid, the other parameters refitted."""
        shape = np.shape(self.fit.estimate[self.parameter])
        found = np.empty(len(self.grid))
        for i, value in enumerate(self.grid.tolist()):
            given = np.full(shape, np.nan)
            given[self.index] = value
            found[i] = self.fit.log_likelihood_at({self.parameter: given})
        return found

    @plain_names
    def plot(self, ax: Axes | None = None) -> Self:
        """Draw on these axes, or on new ones; another curve on the same axes gets another colour."""
        self.figure_, self.ax_ = canvas(ax)
        style = curve_style(drawn_before(self.ax_))
        height = self._scaled(self.log_likelihood)
        top = float(self._scaled(np.array([self.fit.log_likelihood]))[0])
        cut = float(self._scaled(np.array([self.fit.log_likelihood - normal_quantile(self.confidence) ** 2 / 2]))[0])
        several, drawn = drawn_before(self.ax_) > 0, np.isfinite(height)
        self.ax_.plot(self.grid[drawn], height[drawn], lw=1.8, gid="curve", **style)
        bar = {"marker": "o", "markersize": 5, "capsize": 3, "color": style["color"]}
        self.ax_.errorbar([self.estimate], [top], xerr=[self.standard_error], label=self._label(), **bar)
        self._shade(height, cut, style["color"])
        self.ax_.axhline(cut, color=MUTED, lw=0.8, ls=":")
        self.ax_.set_xlabel(self._axis())
        self.ax_.set_ylabel({"relative": "likelihood / highest", "log": "log-likelihood"}.get(self.scale, "likelihood"))
        if self.scale == "log":  # far from the estimate it falls without end
            low, high = top - 4 * (top - cut), top + 0.5 * (top - cut)
            old = self.ax_.get_ylim() if several else (low, high)
            self.ax_.set_ylim(min(low, old[0]), max(high, old[1]))
        else:
            self.ax_.set_ylim(0, max(1.12 * top, self.ax_.get_ylim()[1]))
        legend(self.ax_, "below")
        return self

    def frame(self) -> Any:
        """A value of the parameter a row, as a Polars frame; the likelihood is relative unless it is drawn as it is."""
        import polars as pl

        likelihood = np.exp(self.log_likelihood - (0.0 if self.scale == "likelihood" else self.fit.log_likelihood))
        return pl.DataFrame({self._axis(): self.grid, "log_likelihood": self.log_likelihood, "likelihood": likelihood})

    def _axis(self) -> str:
        if not self.index:
            return self.parameter
        if self.fit.levels:
            return f"{self.parameter} of {self.fit.levels[self.index[0]]}"
        return f"{self.parameter}[{', '.join(map(str, self.index))}]"

    def _label(self) -> str:
        named = f"{self.name}: " if self.name else ""
        error = f"standard error {self.standard_error:.3g}" if self.standard_error > 0 else "on the boundary"
        low, high = self.interval
        reach = f"{100 * self.confidence:g} % likelihood interval [{low:.3g}, {high:.3g}]"
        return f"{named}estimate {self.estimate:.4g}, {error}, {reach}"

    def _scaled(self, log_likelihood: Floats) -> Floats:
        if self.scale == "log":
            return log_likelihood
        return np.asarray(np.exp(log_likelihood - (self.fit.log_likelihood if self.scale == "relative" else 0.0)))

    def _shade(self, height: Floats, cut: float, shade: str) -> None:
        low, high = self.interval
        inside = (self.grid >= low) & (self.grid <= high) & np.isfinite(height)
        floor = cut if self.scale == "log" else 0.0
        self.ax_.fill_between(self.grid[inside], floor, height[inside], color=shade, alpha=BAND, linewidth=0)
