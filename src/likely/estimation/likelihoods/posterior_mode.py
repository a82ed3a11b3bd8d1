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

import numpy as np

from likely.distributions.conjugate.dirichlet import Dirichlet
from likely.distributions.conjugate.gamma import Gamma
from likely.distributions.conjugate.summaries import DataLike
from likely.distributions.family import Family
from likely.errors import InputError, InputTypeError
from likely.estimation.likelihoods.invariance import shown
from likely.estimation.likelihoods.observed import read_data


@dataclass(frozen=True)
class MaximumAPosteriori:
    """Maximum a posteriori estimate: the mode of a posterior, with the prior it came from.

    >>> found = maximum_a_posteriori({"a": 3, "b": 1}, "categorical", Dirichlet([2, 3], levels=("a", "b")))
    >>> print(found)
    a 0.5714, b 0.4286 (most probable under Dirichlet(alpha=array([2., 3.]), levels=('a', 'b'))), n=4
    """

    family: str  # its name
    prior: Any  # the belief before the data
    posterior: Any  # of the same kind
    rows: float = 0.0  # how many, or their weight

    @property
    def estimate(self) -> dict[str, Any]:
        """Numbers and arrays by name, the same names as those of `maximum_likelihood`."""
        mode = self.posterior.mode
        if hasattr(mode, "_asdict"):
            return dict(mode._asdict())
        return {"rate" if isinstance(self.posterior, Gamma) else "probability": mode}

    def __str__(self) -> str:
        names = getattr(self.posterior, "levels", None)
        if names is None:
            parts = [f"{name} {shown(value)}" for name, value in self.estimate.items()]
        else:
            parts = [f"{level} {shown(share)}" for level, share in zip(names, self.posterior.mode, strict=True)]
        prior = " ".join(str(self.prior).split())
        return f"{', '.join(parts)} (most probable under {prior}), n={self.rows:g}"


def maximum_a_posteriori(
    data: DataLike, family: Family | str, prior: Any, *, group: int | None = None, feature: int | None = None
) -> MaximumAPosteriori:
    """Maximum a posteriori estimate of a family's parameters, from a prior and what `maximum_likelihood` takes.

    A Dirichlet of categorical data whose entries differ must name its levels.

    Parameters
    ----------
    family : its name, or a family of `likely.distributions`
    prior : the belief about the parameters before the data, conjugate to the family

    >>> from likely.estimation import Beta
    >>> found = maximum_a_posteriori((7, 10), "binomial", Beta(3, 2))
    >>> found.posterior, round(found.estimate["probability"], 4)
    (Beta(a=10.0, b=5.0), 0.6923)
    """
    seen = read_data(data, family, group, feature)
    kind = getattr(seen.family, "conjugate_prior", None)
    if kind is None:
        raise InputError(f"the {seen.name} family has no conjugate prior; choose a family that has one")
    if not isinstance(prior, kind):
        raise InputTypeError(f"the prior of the {seen.name} family is a {kind.__name__}, got {type(prior).__name__}")
    if isinstance(prior, Gamma) and prior.likelihood != seen.name:
        raise InputError(f"this Gamma is of a rate of {prior.likelihood} data; give it likelihood={seen.name!r}")
    if isinstance(prior, Dirichlet) and seen.family.form == "codes":
        _check_levels(prior, seen.statistic.levels[seen.feature])
    place = {} if getattr(seen.family, "of_vectors", False) else {"feature": seen.feature}
    belief: Any = prior
    return MaximumAPosteriori(seen.name, prior, belief.update(seen.statistic, **place), float(seen.statistic.weight[0]))


def _check_levels(prior: Dirichlet, levels: Any) -> None:
    """Without names, different pseudo-counts belong to nobody knows which level."""
    if prior.levels is None and np.ptp(prior.alpha) > 0:
        raise InputError(
            f"which level has which alpha? The data have {', '.join(map(repr, levels[:10]))}; name them, as in "
            f"Dirichlet({prior.alpha[:10].tolist()}, levels={tuple(levels[:10])!r})"
        )
