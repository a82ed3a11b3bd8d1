"""The likelihood-ratio test: what a hypothesis costs in likelihood, and how surprising that is.

    deviance = -2 log [ L(theta_0) / L(theta_ML) ]

If the hypothesis holds, and is not on the edge of what is possible, the deviance is distributed as chi-square with as
many degrees of freedom as it fixes parameters, to first order in 1 / n (Wilks 1938).
"""

from dataclasses import dataclass

import numpy as np

from likely.errors import InputError


@dataclass(frozen=True)
class LikelihoodRatioTest:
    """Likelihood-ratio test: its outcome.

    >>> test = likelihood_ratio_test(-34.66, -33.65, degrees=1)
    >>> round(test.deviance, 4), round(test.p_value, 4), round(test.likelihood_ratio, 4)
    (2.02, 0.1552, 0.3642)
    """

    deviance: float  # twice the log of the highest likelihood over that under the hypothesis
    degrees: int
    p_value: float

    @property
    def likelihood_ratio(self) -> float:
        """Likelihood under the hypothesis over the highest one, from 0 to 1."""
        return float(np.exp(-0.5 * self.deviance))

    def __str__(self) -> str:
        degrees = f"{self.degrees} degree{'s' if self.degrees > 1 else ''} of freedom"
        return f"deviance {self.deviance:.4g}, {degrees}, p = {self.p_value:.3g}"


def likelihood_ratio_test(restricted: float, full: float, degrees: int) -> LikelihoodRatioTest:
    """Likelihood-ratio test by two log-likelihoods: the highest under it, and that with `degrees` more parameters.

    Parameters
    ----------
    restricted : the highest log-likelihood under the hypothesis
    full : the highest log-likelihood without it

    >>> print(likelihood_ratio_test(-34.66, -33.65, degrees=1))
    deviance 2.02, 1 degree of freedom, p = 0.155
    """
    from scipy.special import chdtrc

    if degrees < 1:
        raise InputError(f"a hypothesis fixes at least one parameter, got degrees={degrees}")
    if not np.isfinite(full) or np.isnan(restricted) or restricted == np.inf:
        raise InputError(f"log-likelihoods must be numbers, got {restricted} and {full}")
    gain = full - restricted
    if gain < -1e-9 * max(abs(full), 1.0):
        raise InputError(
            f"the restricted log-likelihood {restricted:g} is above the full one {full:g}; "
            "a hypothesis within a model never fits better than the model"
        )
    deviance = 2 * max(gain, 0.0)
    return LikelihoodRatioTest(float(deviance), int(degrees), float(chdtrc(degrees, deviance)))
