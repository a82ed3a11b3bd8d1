"""A mixture of any family: each group is a weighted sum of m components, learned by EM.

    p(x | k) = sum_c w_kc p(x | k, c)

Statistic: that of the component family for k m groups, summed with each row's shares of the components under the
current parameters; so a mixture learns in many passes. A component that loses all its rows has weight 0.

The likelihood of a Gaussian that shrinks onto a point has no bound, so families that can are held open: a prior of
`pseudo_rows` rows of the overall spread, and none below a millionth of it (`conjugate.components`). Log-likelihood
and log prior together never fall. Where values are few or rounded, more pseudo-rows help.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any, ClassVar

import numpy as np

from likely.distributions.combined.product import ProductFamily
from likely.distributions.conjugate.components import Component
from likely.distributions.family import Distribution, Family, Form, log_prior_of, many_passes, shortcut
from likely.errors import InputError, check_number, check_whole
from likely.numeric.arrays import Array, Floats, Ints, Shapes
from likely.numeric.logspace import log_joint, log_normalize, log_of, log_sum_exp
from likely.statistics import Membership, sum_of
from likely.statistics.additive import Additive

_SEED_ROWS = 20_000  # enough rows to place the first centres


@dataclass(frozen=True)
class MixtureDistribution:
    """k members, each a mixture of m components; component c of member k is number k m + c.

    >>> from likely.distributions import Gaussian
    >>> bumps = Gaussian(mean=np.array([[-3.0], [3.0]]), variance=np.ones((2, 1)))
    >>> one = MixtureDistribution(np.array([[0.5, 0.5]]), bumps)
    >>> float(np.exp(one.log_density(np.array([[3.0]])))[0, 0]).__round__(4)
    0.1995
    """

    weights: Array  # (k, m)  rows sum to one
    components: Distribution  # all k m components, those of the first member first
    stored_as: ClassVar[str] = "Mixture"
    shapes: ClassVar[Shapes] = {"weights": "k r", "components": "k*r d"}

    @property
    def members(self) -> int:
        return len(self.weights)

    @property
    def n_parameters(self) -> int:
        return int(self.components.n_parameters + self.members * (self.weights.shape[1] - 1))

    @property
    def mean(self) -> Floats:
        """(k, d): the mean of the components' means by their weights."""
        return np.asarray((self.weights[:, :, None] * self._of_components("mean")).sum(axis=1))

    @property
    def variance(self) -> Floats:
        """(k, d): within the components and between their means."""
        apart = (self._of_components("mean") - self.mean[:, None, :]) ** 2
        return np.asarray((self.weights[:, :, None] * (self._of_components("variance") + apart)).sum(axis=1))

    def _of_components(self, figure: str) -> Floats:
        """A figure of the components (k, m, d)."""
        found = getattr(self.components, figure)
        found = np.broadcast_to(found, (self.weights.size, found.shape[1]))  # components may share their variances
        return np.asarray(found.reshape(*self.weights.shape, -1))

    def log_density(self, x: Any) -> Floats:
        return log_sum_exp(self._log_density(x) + log_of(self.weights), axis=2)

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
        """Responsibilities: how much of each row belongs to each component of each member (n, k, m)."""
        joint = log_joint(self._log_density(x), log_of(self.weights))
        return np.exp(log_normalize(joint.reshape(-1, joint.shape[2]))).reshape(joint.shape)

    def _log_density(self, x: Any) -> Floats:
        """Of the components of each member (n, k, m)."""
        density = self.components.log_density(x)
        return np.asarray(density.reshape(len(density), *self.weights.shape))


@dataclass(frozen=True)
class MixtureFamily:
    """Mixtures of `n_components` members of a family that learns in one pass.

    `pseudo_rows` of the overall spread hold Gaussian components open. `row_weight` is what one row weighs where weights
    are fractions of rows; a model that learns with weights sets it. `whole` is the statistic that has the overall
    spread, where passes would move that of all components together: `settled` sets it.

    >>> from likely.distributions import GaussianFamily
    >>> two = MixtureFamily(GaussianFamily(), n_components=2)
    """

    family: Family
    n_components: int = 2
    row_weight: float = 1.0
    pseudo_rows: float = Component().rows
    whole: Any = None
    passes: ClassVar[str] = "many"

    def __post_init__(self) -> None:
        check_whole("n_components", self.n_components)
        if isinstance(self.family, ProductFamily):
            raise InputError("a mixture of products is not supported: give each part of the product its own mixture")
        if many_passes(self.family):
            raise InputError("a mixture of mixtures is one mixture: give the inner family and all n_components at once")
        check_number("row_weight", self.row_weight, above=True)
        check_number("pseudo_rows", self.pseudo_rows)

    @property
    def form(self) -> Form:
        """In which form it takes rows: that of its components."""
        return self.family.form

    def settled(self, batches: Sequence[tuple[Any, Membership]]) -> "MixtureFamily":
        """With the overall spread of the observed cells of these rows, where EM expects something of missing ones."""
        if shortcut(self.family, "summarize_expected") is None or not any(np.isnan(x).any() for x, _ in batches):
            return self
        parts = (self.family.summarize(x, _as_one_group(membership)) for x, membership in batches)
        return replace(self, whole=sum_of(list(parts)))

    def start(self, batches: Sequence[tuple[Any, Membership]], rng: np.random.Generator) -> MixtureDistribution:
        """Components around rows far apart from each other (k-means++), group by group."""
        m = self.n_components
        parts = []
        seeding = _some(batches, rng)
        for x, membership in seeding:
            shares = membership.as_shares()
            inside = np.zeros((len(shares), membership.groups, m))
            for k in range(membership.groups):
                inside[:, k] = shares[:, k, None] * _first_shares(x, shares[:, k], m, rng)
            parts.append(self.family.summarize(x, _of_components(inside)))
        first = self.estimate(sum_of(parts))
        if sum(len(members) for _, members in seeding) == sum(len(members) for _, members in batches):
            return first
        # what the chosen rows lack (a column that is mostly missing) has to be known before likelihoods are compared
        return self.estimate(sum_of([self.summarize(x, membership, first) for x, membership in batches]))

    def summarize(self, x: Any, membership: Membership, current: MixtureDistribution) -> Any:
        """The component family's statistic of k m groups, rows shared out by the current parameters."""
        shares = membership.as_shares()[:, :, None] * current.shares(x)
        return component_statistic(self.family, x, _of_components(shares), current.components)

    def estimate(self, statistic: Additive) -> MixtureDistribution:
        weight = np.asarray(statistic.weight, dtype=np.float64).reshape(-1, self.n_components)
        whole = weight.sum(axis=1, keepdims=True)
        even = np.full(weight.shape, 1.0 / self.n_components)  # of a group that has no rows
        shares = np.divide(weight, whole, out=even, where=whole > 0)
        return MixtureDistribution(shares, component_estimate(self.family, statistic, self._component))

    def log_prior(self, statistic: Additive, fitted: MixtureDistribution) -> float | None:
        """That of the components; their weights have none."""
        return component_log_prior(self.family, statistic, fitted.components, self._component)

    def standard_errors(self, statistic: Additive) -> dict[str, Array]:
        """Those of the components, as if the shares were known: a lower bound."""
        return self.family.standard_errors(statistic)

    @property
    def _component(self) -> Component:
        return Component(self.pseudo_rows * self.row_weight, whole=self.whole)


def component_estimate(family: Family, statistic: Additive, how: Component) -> Distribution:
    """A family's members as components of a mixture: held open, where it knows how to."""
    own = shortcut(family, "held_open")
    return family.estimate(statistic) if own is None else own(statistic, how)


def component_log_prior(family: Family, statistic: Additive, fitted: Any, how: Component) -> float | None:
    """The log prior of such an estimate; None where it is the maximum of nothing."""
    own = shortcut(family, "held_open_log_prior")
    return log_prior_of(family, statistic, fitted) if own is None else own(statistic, fitted, how)


def component_statistic(family: Family, x: Any, membership: Membership, current: Any) -> Any:
    """The statistic of rows shared out, gaps expected under the current members where the family knows how to."""
    own = shortcut(family, "summarize_expected")
    return family.summarize(x, membership) if own is None else own(x, membership, current)


def _as_one_group(membership: Membership) -> Membership:
    return Membership.of_shares(np.ascontiguousarray(membership.as_shares().sum(axis=1, keepdims=True)))


def _of_components(shares: Floats) -> Membership:
    """Shares (n, k, m) as those of k m groups."""
    n, k, m = shares.shape
    return Membership.of_shares(shares.reshape(n, k * m))


def _some(batches: Sequence[tuple[Any, Membership]], rng: np.random.Generator) -> list[tuple[Any, Membership]]:
    """About so many rows of every group, from all batches together, with the weight of those left out; one batch.

    Rows without distances are not chosen among: their seeds are random shares, and every level is needed.
    """
    if not all(isinstance(x, np.ndarray) for x, _ in batches):
        return list(batches)
    shares = np.concatenate([membership.as_shares() for _, membership in batches])
    x = np.concatenate([x for x, _ in batches])
    whole = shares.sum(axis=0)
    chance = np.minimum(1.0, _SEED_ROWS * (shares / np.where(whole > 0, whole, 1.0)).max(axis=1))
    if len(x) <= _SEED_ROWS:
        return [(x, Membership.of_shares(shares))]
    chosen = np.flatnonzero(rng.random(len(x)) < chance)
    return [(x[chosen], Membership.of_shares(shares[chosen] / chance[chosen, None]))]


def _first_shares(x: Any, weight: Array, m: int, rng: np.random.Generator) -> Floats:
    """Each row wholly to the nearest of m seeds; nominal rows, which have no distance, by random shares."""
    if not isinstance(x, np.ndarray):
        return np.asarray(rng.dirichlet(np.ones(m), size=len(weight)))
    nearest = np.zeros(len(x), dtype=np.int64)
    if weight.any():
        z = _standardised(x, weight)
        distance = np.full(len(x), np.inf)
        for c in range(m):
            chance = weight if c == 0 else weight * distance
            chance = chance if chance.any() else weight  # every row is a seed already
            seed = z[rng.choice(len(x), p=chance / chance.sum())]
            to_seed = ((z - seed) ** 2).sum(axis=1)
            nearest = np.where(to_seed < distance, c, nearest)
            distance = np.minimum(distance, to_seed)
    return np.eye(m)[nearest]


def _standardised(x: Array, weight: Array) -> Floats:
    """Features of mean 0 and deviation 1 over the group; a missing cell at the mean."""
    values = x.astype(np.float64)
    seen = ~np.isnan(values)
    count = weight @ seen
    count = np.where(count > 0, count, 1.0)
    mean = weight @ np.where(seen, values, 0.0) / count
    centred = np.where(seen, values - mean, 0.0)
    deviation = np.sqrt(weight @ centred**2 / count)
    return np.asarray(centred / np.where(deviation > 0, deviation, 1.0))
