"""Worked examples of mixtures learned by EM."""

from typing import Any

import numpy as np

from likely import Mixture
from likely.distributions import MixtureDistribution, MultivariateGaussian
from likely.examples.catalogue import Example
from likely.examples.worked import Worked, worked
from likely.figures import MixtureDisplay


def _given(inputs: dict[str, Any]) -> MixtureDistribution:
    """The mixture that an example states: weights, means, and covariances or deviations."""
    mean = np.array(inputs["mu"], dtype=float)
    mean = mean[:, None] if mean.ndim == 1 else mean
    covariance = inputs.get("cov")
    if covariance is None:
        covariance = np.array(inputs["sd"], dtype=float)[:, None, None] ** 2
    return MixtureDistribution(np.array([inputs["tau"]]), MultivariateGaussian.of(mean, np.asarray(covariance)))


@worked("EX-EMM-03")
def one_step(ex: Example) -> Worked:
    """What does one pass of EM make of these two components?"""
    x, start = np.array(ex.inputs["x"], dtype=float), _given(ex.inputs)
    model = Mixture(2, init=start, max_iter=1, tol=0, pseudo_rows=0).fit(x)
    before, after = model.log_likelihoods_[:2]
    shares = start.shares(x)[:, 0]
    return Worked(
        {
            "responsibilities": shares,
            "membership": shares.sum(axis=0),
            "total_membership": shares.sum(),
            "tau_new": model.weights_,
            "mu_new": model.means_,
            "cov_new": model.covariances_,
            "log_likelihood_before": before,
            "log_likelihood_after": after,
        }
    )


@worked("EX-EMM-04")
def midway(ex: Example) -> Worked:
    """To which of two equal components does a point midway between them belong?"""
    return Worked({"responsibilities": _given(ex.inputs).shares(np.array(ex.inputs["x"]))[0, 0]})


@worked("EX-EMM-05")
def from_different_starts(ex: Example) -> Worked:
    """Where does EM come to rest from different starts, and which of these is to be kept?"""
    x = np.array(ex.inputs["x"], dtype=float)[:, None]
    options = {"max_iter": ex.inputs["iterations"], "tol": 1e-14, "pseudo_rows": 0}
    models = [Mixture(2, init=_given(start), **options).fit(x) for start in ex.inputs["starts"]]
    runs = [
        {
            "tau": model.weights_.tolist(),
            "mu": model.means_.ravel().tolist(),
            "variance": model.covariances_.ravel().tolist(),
            "log_likelihood": model.log_likelihoods_[-1],
            "never_falls": bool(np.diff(model.log_likelihoods_).min() > -1e-10),
        }
        for model in models
    ]
    return Worked({"runs": runs}, lambda ax: MixtureDisplay.from_passes(x, models[0], ax=ax))


@worked("EX-EMM-06")
def soft_to_hard(ex: Example) -> Worked:
    """What becomes of soft assignments as the variances shrink?"""
    x = np.array(ex.inputs["x"])
    soft = [_given({**ex.inputs, "sd": [v**0.5] * 2}).shares(x)[:, 0, 0].tolist() for v in ex.inputs["variances"]]
    return Worked({"soft": soft, "hard": [int(share > 0.5) for share in soft[-1]]})


@worked("EX-EMM-07")
def density(ex: Example) -> Worked:
    """How dense is a mixture of two Gaussians at these points?"""
    x = np.array(ex.inputs["x"], dtype=float)[:, None]
    return Worked({"density": np.exp(_given(ex.inputs).log_density(x)[:, 0])})
