"""Mixtures beside scikit-learn, pomegranate and daal4py: the same start, the same number of passes."""

import warnings
from importlib.util import find_spec
from typing import Any, NamedTuple

import numpy as np
from sklearn.mixture import GaussianMixture

import likely
from bench.quality import Quality
from bench.registry import Case, Step, workload
from likely.distributions import MixtureDistribution, MultivariateGaussian

MIXTURES = "Mixtures"
_PASSES = 20
_REMARK = "Quality is that of the shares as posteriors of the groups that the rows were drawn from."


class _Task(NamedTuple):
    """Rows of known groups, and where all sides begin."""

    x: Any  # (n, 10)
    hidden: Any  # (n,)
    means: Any  # (8, 10)
    spread: Any  # (10, 10)

    @classmethod
    def of(cls, quick: bool) -> "_Task":
        n, d, k = (4_000 if quick else 200_000), 10, 8
        rng = np.random.default_rng(0)
        centres = rng.normal(size=(k, d)) * 2
        hidden = rng.integers(k, size=n)
        x = centres[hidden] + rng.normal(size=(n, d))
        return cls(x, hidden, centres + 0.5, np.cov(x.T))

    @property
    def components(self) -> int:
        return len(self.means)

    def ours(self) -> likely.Mixture:
        k = self.components
        covariances = np.stack([self.spread] * k)
        start = MixtureDistribution(np.full((1, k), 1 / k), MultivariateGaussian.of(self.means, covariances))
        return likely.Mixture(k, init=start, max_iter=_PASSES, tol=0, pseudo_rows=0)

    def quality(self, ours: Any, theirs: Any) -> Quality:
        return Quality.of(self.hidden, ours, theirs, np.arange(self.components), "all rows")


@workload(
    "mixture",
    MIXTURES,
    "200,000 x 10 numbers, 8 full covariances, 20 passes: Mixture(8)",
    "GaussianMixture(8), from the same start",
    tolerance=1e-5,
    remark=_REMARK,
)
def mixture(quick: bool) -> Case:
    task = _Task.of(quick)
    ours, k, x = task.ours(), task.components, task.x
    start = {"weights_init": np.full(k, 1 / k), "means_init": task.means}
    precisions = np.stack([np.linalg.inv(task.spread)] * k)
    theirs = GaussianMixture(k, **start, precisions_init=precisions, max_iter=_PASSES, tol=0, reg_covar=0)

    def fit_theirs() -> Any:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # that twenty passes are not enough to rest
            return theirs.fit(x)

    steps = (
        Step("fit", lambda: ours.fit(x), fit_theirs, target=6),
        Step("predict_proba", lambda: ours.predict_proba(x), lambda: theirs.predict_proba(x)),
    )
    return Case(steps, x.sum, lambda: task.quality(ours.predict_proba(x), theirs.predict_proba(x)))


if find_spec("daal4py") is not None:  # of scikit-learn-intelex, where it is installed

    @workload(
        "mixture-daal",
        MIXTURES,
        "The same: Mixture(8)",
        "daal4py.em_gmm(8), from the same start",
        tolerance=1e-5,
        remark=_REMARK,
    )
    def mixture_daal(quick: bool) -> Case:
        import daal4py

        task = _Task.of(quick)
        ours, k, x = task.ours(), task.components, task.x
        found: list[Any] = []

        def fit_theirs() -> None:
            learner = daal4py.em_gmm(nComponents=k, maxIterations=_PASSES, accuracyThreshold=0.0)
            found[:] = [learner.compute(x, np.full((1, k), 1 / k), task.means, [task.spread] * k)]

        def quality() -> Quality:
            told = found[0]
            its = MultivariateGaussian.of(told.means, np.stack(told.covariances))
            shares = MixtureDistribution(np.asarray(told.weights), its).shares(x)[:, 0]
            return task.quality(ours.predict_proba(x), shares)

        return Case((Step("fit", lambda: ours.fit(x), fit_theirs, target=1),), x.sum, quality)


if find_spec("pomegranate") is not None:

    @workload(
        "mixture-pomegranate",
        MIXTURES,
        "The same: Mixture(8)",
        "pomegranate's GeneralMixtureModel of 8 Normal, from the same start",
        tolerance=1e-5,
        remark=_REMARK,
    )
    def mixture_pomegranate(quick: bool) -> Case:
        import torch
        from pomegranate.distributions import Normal
        from pomegranate.gmm import GeneralMixtureModel

        task = _Task.of(quick)
        ours, k, x = task.ours(), task.components, torch.tensor(task.x)
        found: list[Any] = []

        def fit_theirs() -> None:
            parts = [Normal(means=mean, covs=task.spread) for mean in task.means]
            learner = GeneralMixtureModel(parts, priors=np.full(k, 1 / k), max_iter=_PASSES, tol=-1)
            found[:] = [learner.fit(x)]

        def quality() -> Quality:
            return task.quality(ours.predict_proba(task.x), found[0].predict_proba(x).numpy())

        return Case((Step("fit", lambda: ours.fit(task.x), fit_theirs, target=6),), task.x.sum, quality)
