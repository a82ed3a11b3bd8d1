"""When the nearest mean is the best rule: the basic linear classifier, and what it loses where it is not.

    ln P(k | x) = -1/2 |x - m_k|^2 / v + ln P(k) + the same for all k      Gaussian classes with one covariance v I

so the most probable class is that of the nearest mean if the features of every class are uncorrelated and of one
variance, the same for all classes, and the classes are equally frequent. With any covariance that all classes share it
is so after whitening (Mahalanobis's distance in place of Euclid's). Elsewhere the rule may lose accuracy; how much is
estimated on rows drawn from the population, from the true posterior of each row, so that the luck of labels plays no
part. The conditions are sufficient: a correlation along which the means do not differ may cost nothing.
"""

from dataclasses import dataclass
from typing import Any

import numpy as np

from likely.data.printing.html_table import text_as_html
from likely.decisions.optimal.population import Population
from likely.errors import InputError
from likely.numeric.arrays import Floats
from likely.numeric.linear.covariance import whitening
from likely.numeric.random_state import Seed


@dataclass(frozen=True)
class NearestMean:
    """Whether the nearest mean is optimal, and what it loses."""

    optimal: bool  # as the features are: all conditions hold
    after_whitening: bool  # with the distance of the classes' pooled covariance
    reasons: tuple[str, ...]  # why not
    shortfall: float  # accuracy lost against the best rule, as the features are
    shortfall_whitened: float  # the same with the distance of the pooled covariance
    standard_error: float  # of the larger of the two

    def __str__(self) -> str:
        if self.optimal:
            return "the nearest mean is the best rule"
        rule = "after whitening the nearest mean is the best rule" if self.after_whitening else "it may not be the best"
        lost = f"it loses {self.shortfall:.4f} of the accuracy, {self.shortfall_whitened:.4f} after whitening"
        return f"{rule}: {'; '.join(self.reasons)}. Estimated: {lost} (standard error {self.standard_error:.4f})"

    _repr_html_ = text_as_html


def nearest_mean(
    population: Population | Any, n: int = 20_000, tol: float = 1e-9, random_state: Seed = 0
) -> NearestMean:
    """Whether the nearest mean (the basic linear classifier) is optimal: the most probable class everywhere.

    Asked of a `Population` of Gaussian classes, or of a fitted generative model of them, as if the model were true; an
    estimated covariance is never quite spherical, so of a model it is the loss that tells. `n` is how many rows
    are drawn to see what it loses. `tol` is how far variances, relative to the largest, and priors may differ and
    still be called equal.

    >>> from likely.distributions import MultivariateGaussian
    >>> means = np.array([[0.0, 0.0], [2.0, 1.0]])
    >>> nearest_mean(Population.of(MultivariateGaussian.of(means, np.eye(2)))).optimal
    True
    >>> tilted = nearest_mean(Population.of(MultivariateGaussian.of(means, np.array([[1.0, 0.8], [0.8, 1.0]]))))
    >>> tilted.optimal, tilted.after_whitening, tilted.reasons
    (False, True, ('features are correlated within the classes',))
    """
    known = population if isinstance(population, Population) else Population.of(population)
    moments = getattr(known.distribution, "as_gaussians", lambda: None)()
    if moments is None:
        raise InputError("the nearest mean is judged for Gaussian classes; this population is of another kind")
    if n < 2:
        raise InputError(f"at least two rows must be drawn, got n={n}")
    mean, covariance = (np.asarray(part, dtype=np.float64) for part in moments)
    scale = float(np.abs(covariance).max()) or 1.0
    alike = bool(np.abs(covariance - covariance[0]).max() <= tol * scale)
    crossed = covariance * (1 - np.eye(covariance.shape[1]))
    spread = np.diagonal(covariance, axis1=1, axis2=2)
    found = {
        "priors differ": float(np.ptp(known.prior)) > tol,
        "covariances differ between the classes": not alike,
        "features are correlated within the classes": float(np.abs(crossed).max()) > tol * scale,
        "variances differ between the features": float(np.ptp(spread, axis=1).max()) > tol * scale,
    }
    reasons = tuple(reason for reason, holds in found.items() if holds)
    pooled = np.tensordot(known.prior, covariance, axes=1)
    rows = np.asarray(known.draw(n, random_state)[0], dtype=np.float64)
    truth = np.exp(known.log_posterior(rows))
    plain, white = (_lost(truth, rows, mean, turn) for turn in (np.eye(len(pooled)), whitening(pooled)))
    errors = [float(part.std(ddof=1) / np.sqrt(n)) for part in (plain, white)]
    equal = not found["priors differ"] and alike
    return NearestMean(not reasons, equal, reasons, float(plain.mean()), float(white.mean()), max(errors))


def _lost(truth: Floats, rows: Floats, mean: Floats, turn: Floats) -> Floats:
    """What each row loses by the nearest mean, after a linear map."""
    far = ((rows @ turn.T)[:, None] - mean @ turn.T) ** 2
    said = far.sum(axis=-1).argmin(axis=1)
    return np.asarray(truth.max(axis=1) - truth[np.arange(len(rows)), said])
