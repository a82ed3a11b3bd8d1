"""Maximum a posteriori: the parameters at which prior and likelihood together are highest.

    theta_MAP = argmax P(theta) L(theta)

With a conjugate prior this is the mode of the posterior. The prior of a family is

    bernoulli, binomial        Beta                  categorical, multinomial   Dirichlet
    poisson, exponential       Gamma                 gaussian, log-normal       NormalInverseGamma
    multivariate gaussian      NormalInverseWishart

A flat prior leaves the maximum-likelihood estimate of a probability as it is.
"""

from dataclasses import dataclass
from typing import Any

from likely.errors import InputError, InputTypeError
from likely.estimation.beta import Beta
from likely.estimation.dirichlet import Dirichlet
from likely.estimation.gamma import Gamma
from likely.estimation.normal_inverse_gamma import NormalInverseGamma
from likely.estimation.normal_inverse_wishart import NormalInverseWishart
from likely.estimation.observed import read_data

_CONJUGATE: dict[str, type] = {
    "bernoulli": Beta,
    "binomial": Beta,
    "categorical": Dirichlet,
    "multinomial": Dirichlet,
    "poisson": Gamma,
    "exponential": Gamma,
    "gaussian": NormalInverseGamma,
    "log-normal": NormalInverseGamma,
    "multivariate gaussian": NormalInverseWishart,
}


@dataclass(frozen=True)
class MaximumAPosteriori:
    """The mode of a posterior, with the prior it came from."""

    family: str
    prior: Any
    posterior: Any  # of the same kind

    @property
    def estimate(self) -> dict[str, Any]:
        """Numbers and arrays by name, the same names as those of `maximum_likelihood`."""
        mode = self.posterior.mode
        if hasattr(mode, "_asdict"):
            return dict(mode._asdict())
        return {"rate" if isinstance(self.posterior, Gamma) else "probability": mode}


def maximum_a_posteriori(
    data: Any, family: Any, prior: Any, *, group: int | None = None, feature: int | None = None
) -> MaximumAPosteriori:
    """The most probable parameters of a family, from a prior and what `maximum_likelihood` takes.

    >>> found = maximum_a_posteriori((7, 10), "binomial", Beta(3, 2))
    >>> found.posterior, round(found.estimate["probability"], 4)
    (Beta(a=10.0, b=5.0), 0.6923)
    """
    seen = read_data(data, family, group, feature)
    kind = _CONJUGATE.get(seen.name)
    if kind is None:
        raise InputError(f"the {seen.name} family has no conjugate prior; choose one of {', '.join(_CONJUGATE)}")
    if not isinstance(prior, kind):
        raise InputTypeError(f"the prior of the {seen.name} family is a {kind.__name__}, got {type(prior).__name__}")
    if isinstance(prior, Gamma) and prior.likelihood != seen.name:
        raise InputError(f"this Gamma is of a rate of {prior.likelihood} data; give it likelihood={seen.name!r}")
    place = {} if seen.name in ("multinomial", "multivariate gaussian") else {"feature": seen.feature}
    belief: Any = prior
    return MaximumAPosteriori(seen.name, prior, belief.update(seen.statistic, **place))
