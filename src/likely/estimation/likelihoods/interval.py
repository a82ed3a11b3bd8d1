"""Profile likelihood intervals: how far from its maximum a log-likelihood may fall.

    { value : 2 [ log L(theta_ML) - max log L with theta_j = value ] <= z^2 }

z^2 is the chi-square quantile of one degree of freedom. The set has the same meaning in every parametrisation and never
leaves what is possible; where it reaches the boundary, it ends there. An end beyond the largest number is infinite.
"""

import numpy as np

from likely.distributions.capabilities.likelihood import Likelihood


def likelihood_ends(likelihood: Likelihood, place: int, error: float, z: float) -> tuple[float, float]:
    """Where the profile log-likelihood of one parameter has fallen by z^2 / 2, below and above its maximum."""
    return _end(likelihood, place, error, z, -1), _end(likelihood, place, error, z, 1)


def _end(likelihood: Likelihood, place: int, error: float, z: float, sign: int) -> float:
    from scipy.optimize import brentq

    best = float(likelihood.best[place])
    bound = float((likelihood.low if sign < 0 else likelihood.high)[place])
    room = abs(bound - best)
    if room == 0:
        return bound
    unit = error if error > 0 else 1.0 / likelihood.rows  # on the boundary the likelihood falls at a rate of about n
    top = likelihood.log_likelihood(likelihood.best)

    def left(t: float) -> float:
        """What is left of the permitted fall, t units away."""
        fixed = np.full(len(likelihood.best), np.nan)
        fixed[place] = bound if t * unit >= room else best + sign * t * unit
        fallen = 2 * (top - likelihood.log_likelihood(likelihood.restricted(fixed)))
        return z * z - fallen if np.isfinite(fallen) else -1e300

    far = z
    while left(far) >= 0:
        if far * unit >= room:
            return bound
        far *= 2
        if not np.isfinite(best + sign * far * unit):  # no number is far enough
            return sign * np.inf
    t = brentq(left, 0.0, far, xtol=1e-13, rtol=1e-14, maxiter=300)
    return bound if t * unit >= room else best + sign * float(t) * unit
