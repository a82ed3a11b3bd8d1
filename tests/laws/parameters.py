"""What the laws of families ask SciPy and the fitted parameters: marginals, and where a distribution lies."""

from collections.abc import Callable
from dataclasses import replace
from typing import Any

import numpy as np
from scipy import stats

from likely.distributions.amounts.gaussian import Gaussian
from likely.distributions.combined.mixture import MixtureDistribution
from likely.distributions.vectors.diagonal import DiagonalGaussian
from likely.distributions.vectors.gaussian_vectors import MultivariateGaussian
from likely.distributions.vectors.student_vectors import MultivariateStudent
from likely.testing.laws.densities import GROUPS


def location_and_spread(fitted: Any) -> tuple[Any, Any] | None:
    """Mean and variance (k, d) of the distributions that have them as parameters of their own."""
    if isinstance(fitted, Gaussian):
        return fitted.mean, fitted.variance
    if isinstance(fitted, DiagonalGaussian) and not fitted.shared and not fitted.spherical:
        return fitted.mean, fitted.variance
    if isinstance(fitted, MultivariateGaussian) and not fitted.shape.shared:
        return fitted.mean, np.diagonal(fitted.covariance, axis1=1, axis2=2)
    return None


def marginal(fitted: Any, kept: list[int]) -> Callable[[Any], Any]:
    """The log density of some columns, by SciPy where it knows the distribution."""
    if isinstance(fitted, MultivariateGaussian | MultivariateStudent):
        shape = fitted.shape
        spread = np.broadcast_to(shape.covariance, (GROUPS, *shape.covariance.shape[1:]))
        freedom = fitted.freedom if isinstance(fitted, MultivariateStudent) else np.full(GROUPS, np.inf)

        def by_scipy(x: Any) -> Any:
            each = [
                stats.multivariate_t(m[kept], s[np.ix_(kept, kept)], df=f).logpdf(x)
                for m, s, f in zip(shape.mean, spread, freedom, strict=True)
            ]
            return np.stack(each, axis=1)

        return by_scipy
    if isinstance(fitted, DiagonalGaussian):
        return replace(fitted, mean=fitted.mean[:, kept], variance=fitted.variance[:, kept]).log_density
    if isinstance(fitted, MixtureDistribution):
        parts = fitted.components
        assert isinstance(parts, Gaussian)
        return replace(fitted, components=Gaussian(parts.mean[:, kept], parts.variance[:, kept])).log_density
    raise NotImplementedError(f"the marginal of {type(fitted).__name__}")
