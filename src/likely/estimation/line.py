"""Simple linear regression: the least-squares line, also the most likely one where the noise is Gaussian.

    slope b = Sxy / Sxx,   intercept a = mean y - b mean x,   S sums of products about the means
    noise variance: RSS / n (maximum likelihood), RSS / (n - 2) (unbiased), RSS = sum of squared residuals
    -ln L = n / 2 ln(2 pi v) + RSS / 2v

    standard errors, s^2 the unbiased variance:  b: s / sqrt(Sxx),   a: s sqrt(1/n + (mean x)^2 / Sxx)
    the line at x:            s sqrt(1/n + (x - mean x)^2 / Sxx)
    a new observation at x:   s sqrt(1 + 1/n + (x - mean x)^2 / Sxx)         both times a t quantile, n - 2 degrees

Statistic: Scatter of the pairs (x, y), so lines of several files are fitted by adding. A weight of 2 is a pair twice.
Where n <= 2 nothing is known of the noise: the unbiased variance and what depends on it are infinite. The regression
of x on y is another line (`swapped`); their slopes multiply to the squared correlation.
"""

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from likely.data.accepted import TargetLike
from likely.distributions.conjugate.belief import Interval
from likely.errors import InputError
from likely.intervals.quantiles import check_confidence, t_quantile
from likely.numeric.arrays import Floats, PerRow, as_floats
from likely.probability.given import number, plain
from likely.statistics import Membership, Scatter

_LARGEST = 1e150


@dataclass(frozen=True)
class Line:
    """Simple linear regression y = intercept + slope x, as `fit_line` returns it.

    What is asked at one x is a number, what is asked at several an array.

    >>> line = fit_line([1, 2, 3, 4], [2, 3, 5, 4])
    >>> print(line)
    y = 1.5 ± 1.2 + (0.80 ± 0.42) x, noise 0.95, r = 0.800, n = 4
    >>> line.predict(5.0), line.predict([5.0]), round(line.correlation**2, 12)
    (5.5, array([5.5]), 0.64)
    >>> print(line.swapped)
    x = -0.3 ± 1.6 + (0.80 ± 0.42) y, noise 0.95, r = 0.800, n = 4
    """

    count: float  # sum of weights
    mean_x: float  # weighted mean of x
    mean_y: float  # weighted mean of y
    xx: float  # sum of w (x - mean x)^2
    xy: float  # sum of w (x - mean x) (y - mean y)
    yy: float  # sum of w (y - mean y)^2
    residual_sum: float  # of w residual^2
    names: tuple[str, str] = ("x", "y")  # what is given, and what is predicted from it

    @property
    def slope(self) -> float:
        """How much y rises with x."""
        return self.xy / self.xx

    @property
    def intercept(self) -> float:
        """The height of the line at 0."""
        return self.mean_y - self.slope * self.mean_x

    @property
    def correlation(self) -> float:
        """Of x and y; 0 where y is constant."""
        if self.yy <= 0:
            return 0.0
        return float(np.clip(self.xy / np.sqrt(self.xx) / np.sqrt(self.yy), -1.0, 1.0))

    @property
    def swapped(self) -> "Line":
        """The regression of x on y: the line x = intercept + slope y with the smallest squares in x.

        >>> line = fit_line([1, 2, 3, 4], [2, 3, 5, 4])
        >>> round(line.swapped.slope * line.slope, 12)  # the squared correlation
        0.64
        """
        if not self.yy > 0:
            raise InputError("y is constant: there is no regression of x on y")
        left = self.residual_sum * (self.xx / self.yy)
        return Line(self.count, self.mean_y, self.mean_x, self.yy, self.xy, self.xx, left, self.names[::-1])

    @property
    def noise_variance(self) -> float:
        """The most likely one, RSS / n."""
        return self.residual_sum / self.count

    @property
    def unbiased_noise_variance(self) -> float:
        """RSS / (n - 2); infinite where n <= 2."""
        return self.residual_sum / (self.count - 2) if self.count > 2 else np.inf

    @property
    def covariance(self) -> Floats:
        """Of the estimates of intercept and slope (2, 2)."""
        if self.count <= 2:
            return np.full((2, 2), np.inf)
        m, v = self.mean_x, self.unbiased_noise_variance / self.xx
        return np.array([[v * (self.xx / self.count + m * m), -v * m], [-v * m, v]])

    @property
    def slope_error(self) -> float:
        """Standard error of the slope."""
        return float(np.sqrt(self.unbiased_noise_variance / self.xx))

    @property
    def intercept_error(self) -> float:
        """Standard error of the intercept."""
        return float(self.mean_error(0.0))

    def slope_interval(self, confidence: float = 0.95) -> Interval:
        """Confidence interval of the slope.

        >>> [round(end, 2) for end in fit_line([1, 2, 3, 4], [2, 3, 5, 4]).slope_interval(0.9)]
        [-0.44, 2.04]
        """
        return _around(self.slope, self._reach(confidence) * self.slope_error)

    def intercept_interval(self, confidence: float = 0.95) -> Interval:
        """Confidence interval of the intercept.

        >>> [round(end, 2) for end in fit_line([1, 2, 3, 4], [2, 3, 5, 4]).intercept_interval(0.9)]
        [-1.89, 4.89]
        """
        return _around(self.intercept, self._reach(confidence) * self.intercept_error)

    def negative_log_likelihood(self, noise_variance: float | None = None) -> float:
        """Negative log-likelihood of the pairs under Gaussian noise, at the most likely variance or another.

        Minus infinity where the line goes through all points, and no variance is given.

        >>> round(fit_line([1, 2, 3, 4], [2, 3, 5, 4]).negative_log_likelihood(), 4)
        4.0787
        """
        v = self.noise_variance if noise_variance is None else number(noise_variance, "noise_variance")
        if noise_variance is not None and not (v > 0 and np.isfinite(v)):
            raise InputError(f"noise_variance must be positive, got {noise_variance!r}")
        if v == 0:
            return -np.inf
        return 0.5 * self.count * float(np.log(2 * np.pi * v)) + 0.5 * self.residual_sum / v

    def predict(self, x: ArrayLike) -> Any:
        """The height of the line at each x; computed from the means, so that offsets of 1e8 do no harm."""
        return plain(self.mean_y + self.slope * (as_floats(x, "x") - self.mean_x))

    def residuals(self, x: ArrayLike, y: TargetLike) -> Any:
        """Residuals: how far each y lies above the line.

        >>> fit_line([1, 2, 3, 4], [2, 3, 5, 4]).residuals([1, 2], [2, 3]).round(2)
        array([-0.3, -0.1])
        """
        across, up = as_floats(x, "x"), as_floats(y, "y")
        if across.shape != up.shape and across.ndim and up.ndim:
            raise InputError(f"x and y must be of equal length, got shapes {across.shape} and {up.shape}")
        return plain((up - self.mean_y) - self.slope * (across - self.mean_x))

    def mean_error(self, x: ArrayLike) -> Any:
        """Standard error of the height of the line at each x."""
        across = np.square(as_floats(x, "x") - self.mean_x) / self.xx
        return plain(np.sqrt(self.unbiased_noise_variance) * np.sqrt(1 / self.count + across))

    def confidence_band(self, x: ArrayLike, confidence: float = 0.95) -> tuple[Any, Any]:
        """Confidence band: low and high ends, at each x, of an interval for the height of the true line there.

        >>> low, high = fit_line([1, 2, 3, 4], [2, 3, 5, 4]).confidence_band([2.5])
        >>> low.round(2), high.round(2)
        (array([1.46]), array([5.54]))
        """
        return self._band(x, self.mean_error(x), confidence)

    def prediction_band(self, x: ArrayLike, confidence: float = 0.95) -> tuple[Any, Any]:
        """Prediction band: low and high ends, at each x, of an interval for one new observation there.

        >>> [round(end, 2) for end in fit_line([1, 2, 3, 4], [2, 3, 5, 4]).prediction_band(2.5, 0.9)]
        [0.4, 6.6]
        """
        return self._band(x, np.hypot(self.mean_error(x), np.sqrt(self.unbiased_noise_variance)), confidence)

    def __str__(self) -> str:
        slope, intercept = _with_error(self.slope, self.slope_error), _with_error(self.intercept, self.intercept_error)
        noise = "unknown" if self.count <= 2 else f"{np.sqrt(self.unbiased_noise_variance):.2g}"
        given, told = self.names
        return (
            f"{told} = {intercept} + ({slope}) {given}, noise {noise}, r = {self.correlation:.3f}, n = {self.count:g}"
        )

    def _band(self, x: ArrayLike, error: Any, confidence: float) -> tuple[Any, Any]:
        middle, reach = self.predict(x), self._reach(confidence) * error
        return plain(middle - reach), plain(middle + reach)

    def _reach(self, confidence: float) -> float:
        check_confidence(confidence)
        return t_quantile(confidence, self.count - 2) if self.count > 2 else 1.0


def fit_line(x: Any, y: TargetLike = None, sample_weight: PerRow = None) -> Line:
    """Least-squares fit of a line, that of the smallest sum of squared residuals, to pairs or their Scatter.

    `x` and `y` are two columns of equal length; `sample_weight` says how often each pair counts. A `Scatter` of the
    pairs (x, y), perhaps added up from parts, takes the place of all three.

    >>> print(fit_line([1, 2, 3, 4], [2, 3, 5, 4]))
    y = 1.5 ± 1.2 + (0.80 ± 0.42) x, noise 0.95, r = 0.800, n = 4
    >>> from likely.statistics import Membership, Scatter
    >>> parts = [Scatter.of(np.array(rows), Membership.whole(2)) for rows in ([[1.0, 2], [2, 3]], [[3.0, 5], [4, 4]])]
    >>> line = fit_line(parts[0] + parts[1])
    >>> round(line.slope, 12), round(line.intercept, 12)
    (0.8, 1.5)
    """
    if isinstance(x, Scatter):
        if y is not None or sample_weight is not None:
            raise InputError("a Scatter holds x, y and weights already: give it alone")
        return _of_scatter(x)
    if y is None:
        raise InputError("give x and y, or the Scatter of both")
    pairs = _pairs(x, y)
    weight = None if sample_weight is None else _weights(sample_weight, len(pairs))
    line = _of_scatter(Scatter.of(pairs, Membership.whole(len(pairs), weight)))
    # From the pairs themselves, since the sums cannot tell residuals of less than 1e-8 of the spread of y.
    squares = np.square(line.residuals(pairs[:, 0], pairs[:, 1]))
    left = float(squares.sum() if weight is None else weight @ squares)
    size = max(abs(line.mean_y), abs(line.slope * line.mean_x), np.sqrt(line.yy / line.count))
    if left <= line.count * (4 * np.finfo(np.float64).eps * size) ** 2:  # the rounding of the input
        left = 0.0
    return Line(line.count, line.mean_x, line.mean_y, line.xx, line.xy, line.yy, left)


def _of_scatter(seen: Scatter) -> Line:
    if seen.groups != 1 or seen.features != 2:
        raise InputError(
            f"a line needs one group of pairs (x, y); got {seen.groups} groups of {seen.features} features"
        )
    if not seen.complete:
        raise InputError("in some pairs x or y is missing: summarise only the complete pairs")
    count = float(seen.weight[0])
    if not count > 0:
        raise InputError("a line needs pairs: there are none")
    (xx, xy), (_, yy) = seen.deviations[0].tolist()
    mean_x, mean_y = seen.mean[0].tolist()
    if not np.isfinite([xx, xy, yy, mean_x, mean_y]).all():
        raise InputError("x and y are too large to be squared: rescale them")
    if not xx > 0:
        raise InputError(f"x is constant at {mean_x:g}: every slope fits equally well; a line needs two different x")
    left = yy - xy * (xy / xx)
    return Line(count, mean_x, mean_y, xx, xy, yy, left if left > 1e-13 * yy else 0.0)


def _pairs(x: ArrayLike, y: TargetLike) -> Floats:
    across, up = as_floats(x, "x"), as_floats(y, "y")
    if across.ndim != 1 or across.shape != up.shape:
        raise InputError(f"x and y must be two columns of equal length, got shapes {across.shape} and {up.shape}")
    pairs = np.column_stack([across, up])
    bad = np.flatnonzero(~np.isfinite(pairs).all(axis=1))
    if len(bad):
        raise InputError(f"row {bad[0]} is ({across[bad[0]]:g}, {up[bad[0]]:g}): leave out rows that are not finite")
    if np.abs(pairs).max(initial=0.0) > _LARGEST:
        raise InputError(f"x and y beyond {_LARGEST:g} are too large to be squared: rescale them")
    return pairs


def _weights(sample_weight: PerRow, rows: int) -> Floats:
    weight = as_floats(sample_weight, "sample_weight")
    if weight.shape != (rows,) or not np.isfinite(weight).all() or np.any(weight < 0):
        raise InputError(f"sample_weight must be {rows} finite numbers, none negative; got shape {weight.shape}")
    return weight


def _around(middle: float, reach: float) -> Interval:
    return Interval(middle - reach, middle + reach)


def _with_error(value: float, error: float) -> str:
    """To two digits of the error."""
    if not np.isfinite(error) or error <= 0:
        return f"{value:.6g} ± {'unknown' if not np.isfinite(error) else '0'}"
    places = int(np.clip(1 - np.floor(np.log10(error)), 0, 300))
    return f"{value:.{places}f} ± {error:.{places}f}" if places <= 8 else f"{value:.6g} ± {error:.2g}"
