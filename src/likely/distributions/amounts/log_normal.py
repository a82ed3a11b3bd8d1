"""Positive amounts whose logarithm is Gaussian: independent log-normal features.

    log p(x) = log N(log x; m, v) - log x,   x > 0

Statistic: the `Moments` of log x. Prior, modes of estimation and degenerate data are those of the Gaussian family: ml
and map give a Gaussian of log x, bayes a Student t of log x. A feature that is constant over all data, or never
observed, carries no information: its term is 0 for every group.
"""

from dataclasses import dataclass, replace
from typing import ClassVar

import numpy as np

from likely.distributions.amounts.gaussian import Gaussian, GaussianFamily
from likely.distributions.amounts.likelihoods import GaussianLikelihood
from likely.distributions.amounts.student import StudentDistribution
from likely.distributions.capabilities.operators import Graph, gaussian_operators
from likely.distributions.comparing import Verdict
from likely.distributions.conjugate.components import Component
from likely.distributions.conjugate.normal_inverse_gamma import NormalInverseGamma
from likely.distributions.conjugate.normals import NormalPosterior
from likely.distributions.family import Estimation, Form
from likely.distributions.support import POSITIVE, check_options
from likely.errors import TierError
from likely.numeric.arrays import Array, Floats, Ints, Shapes
from likely.statistics.membership import Membership
from likely.statistics.summing.moments import Moments

NEAREST, FARTHEST = -708.0, 709.0  # logarithms whose exponential is neither zero nor infinite


@dataclass(frozen=True)
class LogNormal:
    """k members with independent features whose logarithm follows `of_log`.

    >>> one = LogNormal(Gaussian(mean=np.array([[0.0]]), variance=np.array([[1.0]])))
    >>> float(np.exp(one.log_density(np.array([[1.0]])))[0, 0])
    0.398942...
    """

    of_log: Gaussian | StudentDistribution
    shapes: ClassVar[Shapes] = {"of_log": "k d"}

    @property
    def members(self) -> int:
        return self.of_log.members

    @property
    def n_parameters(self) -> int:
        return self.of_log.n_parameters

    @property
    def mean(self) -> Floats:
        """(k, d): exp(m + v / 2); infinite where the logarithm follows Student's t."""
        if not isinstance(self.of_log, Gaussian):
            return np.where(self.of_log.scale > 0, np.inf, np.exp(self.of_log.mean))
        return np.asarray(np.exp(self.of_log.mean + self.of_log.variance / 2))

    @property
    def variance(self) -> Floats:
        """(k, d): mean^2 (exp(v) - 1); infinite where the mean is."""
        if not isinstance(self.of_log, Gaussian):
            return np.where(self.of_log.scale > 0, np.inf, 0.0)
        return np.asarray(self.mean**2 * np.expm1(self.of_log.variance))

    def log_density(self, x: Array) -> Floats:
        logs = np.log(POSITIVE.check(x, self.of_log.mean.shape[1]), dtype=np.float64)
        out = self.of_log.log_density(logs)
        out -= np.where(self._known() & ~np.isnan(logs), logs, 0.0).sum(axis=1)[:, None]
        return out

    def log_density_terms(self, x: Array) -> Floats:
        logs = np.log(POSITIVE.check(x, self.of_log.mean.shape[1]), dtype=np.float64)
        out = self.of_log.log_density_terms(logs)
        return np.asarray(out - np.where(self._known() & ~np.isnan(logs), logs, 0.0)[:, :, None])

    def onnx_log_density(self, graph: Graph, columns: tuple[int, ...]) -> str:
        """That of log x; Student's t has none."""
        if not isinstance(self.of_log, Gaussian):
            raise TierError("a Student t of log x (estimation='bayes') has no form in plain ONNX operators")
        return gaussian_operators(graph, graph.add("Log", graph.numbers(columns)), *self.of_log.constants())

    def sample(self, member: Ints, rng: np.random.Generator) -> Floats:
        return np.asarray(np.exp(np.clip(self.of_log.sample(member, rng), NEAREST, FARTHEST)))

    def _known(self) -> Array:
        spread = self.of_log.variance if isinstance(self.of_log, Gaussian) else self.of_log.scale
        return np.asarray((np.isfinite(self.of_log.mean) & (spread > 0)).all(axis=0))


@dataclass(frozen=True)
class LogNormalFamily:
    """Independent log-normal features.

    >>> x = np.exp(np.array([[1.0], [3.0], [2.0], [6.0]]))
    >>> groups = Membership.of_labels(np.array([0, 0, 1, 1]), 2)
    >>> family = LogNormalFamily()
    >>> fitted = family.estimate(family.summarize(x, groups))
    >>> fitted.of_log.mean.ravel().round(9), fitted.of_log.variance.ravel().round(9)
    (array([2., 4.]), array([1., 4.]))
    """

    ddof: int = 0
    estimation: Estimation = "ml"
    strength: float = 1.0
    name: ClassVar[str] = "log_normal"
    form: ClassVar[Form] = "real"
    conjugate_prior: ClassVar[type] = NormalInverseGamma

    def __post_init__(self) -> None:
        check_options(self)

    def summarize(self, x: Array, membership: Membership) -> Moments:
        return self._of_log().summarize(np.log(POSITIVE.check(x), dtype=np.float64), membership)

    def estimate(self, statistic: Moments) -> LogNormal:
        return LogNormal(self._of_log().estimate(statistic))

    def log_prior(self, statistic: Moments, fitted: LogNormal) -> float | None:
        """That of the logarithms."""
        return self._of_log().log_prior(statistic, fitted.of_log)

    def held_open(self, statistic: Moments, how: Component) -> LogNormal:
        """The estimate as components of a mixture: their logarithms are Gaussian ones."""
        return LogNormal(self._of_log().held_open(statistic, how))

    def held_open_log_prior(self, statistic: Moments, fitted: LogNormal, how: Component) -> float | None:
        """The log prior of such an estimate."""
        return self._of_log().held_open_log_prior(statistic, fitted.of_log, how)

    def parameter_posterior(self, statistic: Moments) -> NormalPosterior:
        """Normal inverse gamma of the mean and variance of log x, of each class and column."""
        of_log = self._of_log().parameter_posterior(statistic)
        return replace(of_log, law=_log_normal)

    @property
    def leaves_one_out(self) -> bool:
        """Whether `leave_one_out` has an answer."""
        return self._of_log().leaves_one_out

    def leave_one_out(self, statistic: Moments, x: Array, membership: Membership) -> Floats:
        """That of log x (see `GaussianFamily`), the log density (n, k) but for a term common to all groups."""
        return self._of_log().leave_one_out(statistic, np.log(POSITIVE.check(x), dtype=np.float64), membership)

    def likelihood(self, statistic: Moments, feature: int = 0) -> GaussianLikelihood:
        """Log-likelihood of one feature of the first group, highest where the family estimates it."""
        logs = self._of_log().likelihood(statistic, feature)
        return replace(logs, constant=-logs.rows * logs.mean)

    def compare(self, before: Moments, after: Moments, i: int, j: int) -> Verdict | str:
        """As of Gaussian features, of log x."""
        found = self._of_log().compare(before, after, i, j)
        if isinstance(found, str):
            return found
        return replace(found, parts=tuple((p, f"log: {words}") for p, words in found.parts))

    def standard_errors(self, statistic: Moments) -> dict[str, Array]:
        """Of the mean and the variance of log x."""
        return self._of_log().standard_errors(statistic)

    def _of_log(self) -> GaussianFamily:
        return GaussianFamily(self.ddof, self.estimation, self.strength)


def _log_normal(mean: Floats, variance: Floats) -> LogNormal:
    return LogNormal(Gaussian(mean, variance))
