"""Mixtures beside scikit-learn's GaussianMixture: the same start, the same number of passes."""

import warnings
from typing import Any

import numpy as np
from sklearn.mixture import GaussianMixture

import likely
from bench.quality import Quality
from bench.registry import Case, Step, workload
from likely.distributions import MixtureDistribution, MultivariateGaussian

MIXTURES = "Mixtures"


@workload(
    "mixture",
    MIXTURES,
    "200,000 x 10 numbers, 8 full covariances, 20 passes: Mixture(8)",
    "GaussianMixture(8), from the same start",
    tolerance=1e-5,
    remark="Quality is that of the shares as posteriors of the groups that the rows were drawn from.",
)
def mixture(quick: bool) -> Case:
    n, d, k = (4_000 if quick else 200_000), 10, 8
    rng = np.random.default_rng(0)
    centres = rng.normal(size=(k, d)) * 2
    hidden = rng.integers(k, size=n)
    x = centres[hidden] + rng.normal(size=(n, d))
    begin, spread = centres + 0.5, np.cov(x.T)
    start = MixtureDistribution(np.full((1, k), 1 / k), MultivariateGaussian.of(begin, np.stack([spread] * k)))
    ours = likely.Mixture(k, init=start, max_iter=20, tol=0, pseudo_rows=0)
    precisions = np.stack([np.linalg.inv(spread)] * k)
    theirs = GaussianMixture(
        k, weights_init=np.full(k, 1 / k), means_init=begin, precisions_init=precisions, max_iter=20, tol=0, reg_covar=0
    )

    def fit_theirs() -> Any:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # that twenty passes are not enough to rest
            return theirs.fit(x)

    def quality() -> Quality:
        return Quality.of(hidden, ours.predict_proba(x), theirs.predict_proba(x), np.arange(k), "all rows")

    steps = (
        Step("fit", lambda: ours.fit(x), fit_theirs, target=6),
        Step("predict_proba", lambda: ours.predict_proba(x), lambda: theirs.predict_proba(x)),
    )
    return Case(steps, lambda: x.sum(), quality)
