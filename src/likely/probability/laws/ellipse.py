"""Two correlated numbers: the Gaussian in z-scores, and the ellipse of one standard deviation.

    p(x1, x2) = exp(-(z1^2 + z2^2 - 2 r z1 z2) / (2 (1 - r^2))) / (2 pi s1 s2 sqrt(1 - r^2)),   z_i = (x_i - mu_i) / s_i

The points with z1^2 + z2^2 - 2 r z1 z2 = 1 - r^2 are at Mahalanobis distance 1 from the mean: an ellipse that spans
mu_i -+ s_i along both axes, whatever the correlation. Its own axes are the eigenvectors of the covariance, with half
lengths the roots of the eigenvalues, and tan(2 angle) = 2 r s1 s2 / (s1^2 - s2^2): the tilt is 45 degrees for every
correlation above 0 only where s1 = s2.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Self

import numpy as np
from numpy.typing import ArrayLike

from likely.errors import InputError
from likely.numeric.arrays import Floats
from likely.numeric.linear.covariance import correlation, covariance_from, is_positive_definite, mahalanobis


@dataclass(frozen=True)
class Ellipse:
    """A density ellipse: the points at so many standard deviations (Mahalanobis) from the mean of two numbers.

    >>> tilted = Ellipse.of([1, 2], 0.3)
    >>> tilted.half_widths, round(tilted.angle, 4), tuple(round(half, 4) for half in tilted.half_axes)
    ((1.0, 2.0), 79.0993, (2.0287, 0.9405))
    """

    mean: tuple[float, float]
    covariance: tuple[tuple[float, float], tuple[float, float]]
    radius: float = 1.0  # Mahalanobis distance from the mean

    @classmethod
    def of(
        cls, deviations: Sequence[float], correlation: float, mean: Sequence[float] = (0.0, 0.0), radius: float = 1.0
    ) -> Self:
        """From two standard deviations and a correlation between -1 and 1."""
        return cls.of_covariance(covariance_from(np.square(deviations), correlation), mean, radius)

    @classmethod
    def of_covariance(cls, covariance: ArrayLike, mean: Sequence[float] = (0.0, 0.0), radius: float = 1.0) -> Self:
        """From a covariance (2, 2)."""
        s = np.asarray(covariance, dtype=np.float64)
        if s.shape != (2, 2) or not is_positive_definite(s):
            raise InputError(f"an ellipse needs a covariance (2, 2) that is positive definite, got {s.tolist()}")
        m = np.asarray(mean, dtype=np.float64)
        if m.shape != (2,) or not np.isfinite(m).all():
            raise InputError(f"the mean of two numbers is two numbers, got {m.tolist()}")
        if not 0 < radius < np.inf:
            raise InputError(f"the radius is a finite number above 0, got {radius}")
        (a, b), (c, d) = s.tolist()
        return cls((float(m[0]), float(m[1])), ((a, b), (c, d)), float(radius))

    @property
    def half_widths(self) -> tuple[float, float]:
        """How far it reaches from the mean along x1 and along x2: so many deviations of each."""
        (a, _), (_, d) = self.covariance
        return self.radius * float(np.sqrt(a)), self.radius * float(np.sqrt(d))

    @property
    def half_axes(self) -> tuple[float, float]:
        """Half lengths of the major and the minor axis."""
        (a, b), (_, d) = self.covariance
        largest = (a + d) / 2 + np.hypot((a - d) / 2, b)
        smallest = (a * d - b * b) / largest  # by the product of the eigenvalues: their difference would cancel
        return self.radius * float(np.sqrt(largest)), self.radius * float(np.sqrt(smallest))

    @property
    def angle(self) -> float:
        """Degrees from the x1 axis to the major axis, above -90 to 90; 0 for a circle."""
        (a, b), (_, d) = self.covariance
        return float(np.degrees(0.5 * np.arctan2(2 * b, a - d)))

    @property
    def correlation(self) -> float:
        """Of the two numbers."""
        return float(correlation(self.covariance)[0, 1])

    def points(self, n: int = 181) -> Floats:
        """Points (n, 2) around the ellipse, the first again at the end."""
        turn = np.linspace(0.0, 2 * np.pi, n)
        circle = np.stack([np.cos(turn), np.sin(turn)])
        return np.asarray(
            np.array(self.mean) + self.radius * (np.linalg.cholesky(np.array(self.covariance)) @ circle).T
        )

    def contains(self, x: ArrayLike) -> Any:
        """Whether each row (n, 2) lies within.

        >>> Ellipse.of([1, 2], 0.0).contains([[0.9, 0], [0, 1.9], [0.9, 1.9]])
        array([ True,  True, False])
        """
        rows = np.atleast_2d(np.asarray(x, dtype=np.float64))
        return mahalanobis(rows, np.array(self.mean), np.array(self.covariance)) <= self.radius


def bivariate_density(x: ArrayLike, mean: ArrayLike, deviations: ArrayLike, correlation: float) -> Floats:
    """Density of the Gaussian of two correlated numbers at rows (n, 2), by their z-scores.

    The same as `likely.distributions.MultivariateGaussian` with the covariance of these deviations.

    Parameters
    ----------
    deviations : standard deviations of the two

    >>> bivariate_density([[1.5, 0.2]], [1, -1], [1, 2], 0.6).round(6)
    array([0.081823])
    """
    s = np.asarray(deviations, dtype=np.float64)
    if s.shape != (2,) or not (s > 0).all() or not np.isfinite(s).all():
        raise InputError(f"two numbers have two deviations above 0, got {s.tolist()}")
    if not -1 < correlation < 1:
        raise InputError(f"the correlation must lie between -1 and 1, got {correlation}")
    rows = np.atleast_2d(np.asarray(x, dtype=np.float64))
    if rows.ndim != 2 or rows.shape[1] != 2:
        raise InputError(f"points in the plane are rows of two numbers, got shape {np.shape(x)}")
    z1, z2 = ((rows - np.asarray(mean, dtype=np.float64)) / s).T
    rest = (1.0 - correlation) * (1.0 + correlation)
    # 1 - r^2 and the form as sums of squares: no difference of nearly equal numbers when r is near 1
    form = ((z1 - correlation * z2) ** 2 + rest * z2**2) / rest
    return np.asarray(np.exp(-form / 2) / (2 * np.pi * s[0] * s[1] * np.sqrt(rest)))
