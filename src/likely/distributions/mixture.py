"""A mixture of any family: each group is a weighted sum of m components, learned by EM.

    p(x | k) = sum_c w_kc p(x | k, c)

Statistic: that of the component family for k m groups, summed with each row's shares of the components under the
current parameters; so a mixture learns in many passes. A component that loses all its rows keeps the weight of half a
row, and one that shrinks onto a point is held open by the component family's own rule for groups without spread.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np

from likely.distributions.family import Distribution, Family, Form
from likely.errors import InputError
from likely.numeric.arrays import Array, Floats, Ints
from likely.numeric.logspace import log_normalize, log_of, log_sum_exp
from likely.statistics import Codes, Membership

_SEED_ROWS = 20_000  # enough rows to place the first centres
_FEWEST = 0.5


@dataclass(frozen=True)
class Mixture:
    """k members, each a mixture of m components; component c of member k is number k m + c.

    >>> from likely.distributions import Gaussian
    >>> bumps = Gaussian(mean=np.array([[-3.0], [3.0]]), variance=np.ones((2, 1)))
    >>> one = Mixture(np.array([[0.5, 0.5]]), bumps)
    >>> float(np.exp(one.log_density(np.array([[3.0]])))[0, 0]).__round__(4)
    0.1995
    """

    weights: Array  # (k, m)  rows sum to one
    components: Distribution

    @property
    def members(self) -> int:
        return len(self.weights)

    @property
    def n_parameters(self) -> int:
        return int(self.components.n_parameters + self.members * (self.weights.shape[1] - 1))

    def log_density(self, x: Any) -> Floats:
        return log_sum_exp(self._log_joint(x), axis=2)

    def log_density_terms(self, x: Any) -> Floats:
        """The features of a mixture are not independent: they are taken in order, each given those before it."""
        terms = self.components.log_density_terms(x)
        n, d, _ = terms.shape
        reached = np.cumsum(terms, axis=1).reshape(n, d, *self.weights.shape) + log_of(self.weights)
        before = np.zeros((n, 1, self.members))  # weights sum to one
        return np.diff(np.concatenate([before, log_sum_exp(reached, axis=3)], axis=1), axis=1)

    def sample(self, member: Ints, rng: np.random.Generator) -> Any:
        edges = np.cumsum(self.weights, axis=1)
        chosen = (rng.random(len(member))[:, None] * edges[member, -1:] >= edges[member]).sum(axis=1)
        chosen = np.minimum(chosen, self.weights.shape[1] - 1)
        return self.components.sample(member * self.weights.shape[1] + chosen, rng)

    def shares(self, x: Any) -> Floats:
        """How much of each row belongs to each component of each member (n, k, m)."""
        joint = self._log_joint(x)
        return np.exp(log_normalize(joint.reshape(-1, joint.shape[2]))).reshape(joint.shape)

    def _log_joint(self, x: Any) -> Floats:
        density = self.components.log_density(x)
        return np.asarray(density.reshape(len(density), *self.weights.shape) + log_of(self.weights))


@dataclass(frozen=True)
class MixtureFamily:
    """Mixtures of `n_components` members of a family.

    >>> from likely.distributions import GaussianFamily
    >>> two = MixtureFamily(GaussianFamily(), n_components=2)
    """

    family: Family
    n_components: int = 2
    passes: ClassVar[str] = "many"

    def __post_init__(self) -> None:
        if self.n_components < 1:
            raise InputError(f"n_components must be at least 1, got {self.n_components}")

    @property
    def form(self) -> Form:
        return self.family.form

    def start(self, batches: Sequence[tuple[Any, Membership]], rng: np.random.Generator) -> Mixture:
        """Components around rows far apart from each other (k-means++), group by group."""
        m = self.n_components
        total = None
        for x, membership in _some(batches, rng):
            shares = membership.as_shares()
            inside = np.zeros((len(shares), membership.groups, m))
            for k in range(membership.groups):
                inside[:, k] = shares[:, k, None] * _first_shares(x, shares[:, k], m, rng)
            part = self.family.summarize(x, Membership.of_shares(inside.reshape(len(inside), -1)))
            total = part if total is None else total + part
        return self.estimate(total)

    def summarize(self, x: Any, membership: Membership, current: Mixture) -> Any:
        """The component family's statistic of k m groups, rows shared out by the current parameters."""
        shares = membership.as_shares()[:, :, None] * current.shares(x)
        return self.family.summarize(x, Membership.of_shares(shares.reshape(len(shares), -1)))

    def estimate(self, statistic: Any) -> Mixture:
        weight = np.maximum(np.asarray(statistic.weight, dtype=np.float64), _FEWEST).reshape(-1, self.n_components)
        return Mixture(weight / weight.sum(axis=1, keepdims=True), self.family.estimate(statistic))

    def standard_errors(self, statistic: Any) -> dict[str, Array]:
        """Those of the components, as if the shares were known: a lower bound."""
        return self.family.standard_errors(statistic)


def _some(batches: Sequence[tuple[Any, Membership]], rng: np.random.Generator) -> list[tuple[Any, Membership]]:
    """At most so many rows of all batches together, so that seeds come from everywhere; one batch."""
    sizes = [len(membership) for _, membership in batches]
    keep = min(1.0, _SEED_ROWS / max(sum(sizes), 1))
    chosen = [np.flatnonzero(rng.random(size) <= keep) for size in sizes]
    rows = [_rows_of(x, index) for (x, _), index in zip(batches, chosen, strict=True)]
    shares = [m.as_shares()[index] for (_, m), index in zip(batches, chosen, strict=True)]
    if isinstance(rows[0], np.ndarray):
        return [(np.concatenate(rows), Membership.of_shares(np.concatenate(shares)))]
    return [(x, Membership.of_shares(s)) for x, s in zip(rows, shares, strict=True)]


def _rows_of(x: Any, index: Array) -> Any:
    return Codes(np.ascontiguousarray(x.x[index]), x.base, x.levels) if isinstance(x, Codes) else x[index]


def _first_shares(x: Any, weight: Array, m: int, rng: np.random.Generator) -> Floats:
    """Each row wholly to the nearest of m seeds; nominal rows, which have no distance, by random shares."""
    if not isinstance(x, np.ndarray):
        return np.asarray(rng.dirichlet(np.ones(m), size=len(weight)))
    inside = np.flatnonzero(weight > 0)
    z = _standardised(x, inside)
    nearest = np.zeros(len(x), dtype=np.int64)
    if len(inside):
        distance = np.full(len(x), np.inf)
        for c in range(m):
            chance = np.where(np.isfinite(distance), distance, 1.0)[inside]
            p = chance / chance.sum() if chance.sum() > 0 else None
            seed = z[rng.choice(inside, p=p)]
            to_seed = ((z - seed) ** 2).sum(axis=1)
            nearest = np.where(to_seed < distance, c, nearest)
            distance = np.minimum(distance, to_seed)
    return np.eye(m)[nearest]


def _standardised(x: Array, inside: Array) -> Floats:
    values = x.astype(np.float64)
    seen = ~np.isnan(values)
    count = np.maximum(seen[inside].sum(axis=0), 1)
    mean = np.where(seen, values, 0.0)[inside].sum(axis=0) / count
    centred = np.where(seen, values - mean, 0.0)
    deviation = np.sqrt((centred[inside] ** 2).sum(axis=0) / count)
    return np.asarray(centred / np.where(deviation > 0, deviation, 1.0))
