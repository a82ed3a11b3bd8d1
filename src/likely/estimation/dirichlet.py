"""Dirichlet: what is believed of the probabilities of several levels after counting them.

    p(x) = G(A) / prod_k G(a_k) prod_k x_k^(a_k - 1),   x_k >= 0, sum x = 1, A = sum_k a_k

    update      a_k -> a_k + n_k
    mean        a_k / A, also the predictive probability of level k
    mode        (a_k - 1) / (A - K); a level with a_k <= 1 has 0 there
    marginal    of one level Beta(a_k, A - a_k)
    predictive  Categorical of the mean; of several observations together Polya (Dirichlet-multinomial)

a_k = 1 is flat (Laplace's prior), a_k = 1/2 the reference prior of Jeffreys. The a_k act as observations seen before, A
in all (`equivalent_sample_size`). Zero is allowed in a prior, but such a Dirichlet is improper: it answers once every
level has been seen.

This is the posterior of `CategoricalFamily` and `MultinomialFamily`, whose estimates are its mean and mode.
"""

from collections.abc import Hashable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, Self

import numpy as np

from likely.distributions.categorical import Categorical
from likely.distributions.polya import Polya
from likely.errors import InputError
from likely.estimation.belief import Kind, check_bounds, check_interval, draws
from likely.estimation.beta import Beta
from likely.estimation.summaries import picked
from likely.numeric.arrays import Array, Floats
from likely.numeric.logspace import log_of
from likely.statistics import CategoryCounts, Totals


@dataclass(frozen=True)
class Dirichlet:
    """Dirichlet(alpha), its levels perhaps with names.

    >>> belief = Dirichlet([1, 2, 3], levels=("red", "green", "blue")).update([4, 0, 6])
    >>> belief.alpha, belief.mean
    (array([5., 2., 9.]), array([0.3125, 0.125 , 0.5625]))
    >>> belief.marginal("green")
    Beta(a=2.0, b=14.0)
    >>> belief.update({"green": 3}).alpha
    array([5., 5., 9.])
    """

    alpha: Array  # (K,)
    levels: tuple[Hashable, ...] | None = None

    def __post_init__(self) -> None:
        alpha = np.asarray(self.alpha, dtype=np.float64)
        if alpha.ndim != 1 or len(alpha) < 1 or not ((alpha >= 0) & (alpha < np.inf)).all():
            raise InputError(f"alpha must be a list of finite numbers, not negative, one per level; got {self.alpha!r}")
        object.__setattr__(self, "alpha", alpha)
        if self.levels is not None:
            object.__setattr__(self, "levels", tuple(self.levels))
            if len(self.levels) != len(alpha):
                raise InputError(f"{len(alpha)} entries of alpha with {len(self.levels)} levels; give one for each")

    @classmethod
    def reference(cls, levels: int | Sequence[Hashable]) -> Self:
        """Jeffreys' prior, which says as little as possible: 1/2 for each of so many levels, or of these."""
        names = None if isinstance(levels, int) else tuple(levels)
        return cls(np.full(levels if isinstance(levels, int) else len(levels), 0.5), names)

    def update(
        self, counts: Any = None, *, data: Any = None, group: int | None = None, feature: int | None = None
    ) -> Self:
        """The posterior after counts: one per level, by level, or a `CategoryCounts`, or a `Totals` of counted columns.

        `data` are observations one by one: the names of levels, or their places where they have no names.

        >>> Dirichlet([1, 1], ("a", "b")).update(data=["a", "b", "a"]).alpha
        array([3., 2.])
        """
        if data is not None:
            values, times = np.unique(np.asarray(data), return_counts=True)
            counts = dict(zip(values.tolist(), times.tolist(), strict=True))
        levels = self.levels
        if isinstance(counts, CategoryCounts):
            g, j = picked(counts, len(counts.levels), group, feature)
            names, row = tuple(counts.levels[j]), counts.table(j)[g]
            if levels is None and len(names) == len(self.alpha):
                levels, counts = names, row
            else:
                counts = dict(zip(names, row.tolist(), strict=True))
        elif isinstance(counts, Totals):
            counts = counts.sum[picked(counts, 1, group, None)[0]]
        added = self._by_level(counts) if isinstance(counts, Mapping) else np.asarray(counts, dtype=np.float64)
        if added.shape != self.alpha.shape or not ((added >= 0) & (added < np.inf)).all():
            raise InputError(f"expected {len(self.alpha)} counts, finite and not negative; got {counts!r}")
        return replace(self, alpha=self.alpha + added, levels=levels)

    @property
    def equivalent_sample_size(self) -> float:
        """How many observations this belief weighs as much as."""
        return float(self.alpha.sum())

    @property
    def mean(self) -> Floats:
        """(K,)"""
        self._check()
        return np.asarray(self.alpha / self.alpha.sum())

    @property
    def mode(self) -> Floats:
        """(K,): where the density is highest; all levels alike if it is flat."""
        self._check()
        if (self.alpha < 1).all():
            raise InputError("a Dirichlet with every alpha below 1 has no mode: its density rises at every corner")
        more = np.maximum(self.alpha - 1, 0.0)
        more = more if more.any() else (self.alpha >= 1).astype(np.float64)
        return np.asarray(more / more.sum())

    @property
    def covariance(self) -> Floats:
        """(K, K)"""
        p = self.mean
        return np.asarray((np.diag(p) - np.outer(p, p)) / (self.alpha.sum() + 1))

    @property
    def variance(self) -> Floats:
        """(K,)"""
        p, whole = self.mean, self.alpha.sum()
        return np.asarray(p * ((whole - self.alpha) / whole) / (whole + 1))

    @property
    def standard_deviation(self) -> Floats:
        """(K,)"""
        return np.sqrt(self.variance)

    def marginal(self, level: Any) -> Beta:
        """The belief about one level, by its name, or by its place where levels have no names."""
        own = self.alpha[self._place(level)]
        return Beta(float(own), float(np.delete(self.alpha, self._place(level)).sum()))

    def interval(self, confidence: float = 0.95, kind: Kind = "equal-tailed") -> Floats:
        """Of each level by itself, the others left open (K, 2)."""
        check_interval(confidence, kind)
        self._check()
        return np.array([one.interval(confidence, kind) for one in self._marginals()])

    def probability(self, below: float | None = None, above: float | None = None) -> Floats:
        """That the probability of each level by itself lies below one bound, above another or between them (K,)."""
        check_bounds(below, above)
        self._check()
        return np.array([one.probability(below, above) for one in self._marginals()])

    @property
    def predictive(self) -> Categorical:
        """The distribution of a new observation."""
        names = self.levels if self.levels is not None else tuple(range(len(self.alpha)))
        return Categorical((names,), log_of(self.mean)[None], np.zeros((1, 1)))

    def predictive_counts(self, observations: float = 1.0) -> Polya:
        """Of new observations together, rows of counts per level: the Dirichlet-multinomial distribution.

        Rows of any number of observations can be scored; samples have about `observations`.
        """
        self._check()
        return Polya(self.alpha[None], np.array([float(observations)]))

    def log_evidence(self, counts: Any) -> float:
        """Log probability of observations with these counts in a given order, all values of the parameters averaged."""
        from scipy.special import gammaln

        after = self.update(counts).alpha
        self._check()
        rise = float((gammaln(after) - gammaln(self.alpha)).sum())
        return rise - float(gammaln(after.sum()) - gammaln(self.alpha.sum()))

    def log_density(self, x: Any) -> Floats:
        """Of points x (..., K) whose entries sum to 1; minus infinity elsewhere."""
        from scipy.special import gammaln

        self._check()
        x = np.asarray(x, dtype=np.float64)
        if x.shape[-1:] != self.alpha.shape:
            raise InputError(f"expected points of {len(self.alpha)} probabilities, got shape {x.shape}")
        inside = (x >= 0).all(axis=-1) & (np.abs(x.sum(axis=-1) - 1) < 1e-9)
        with np.errstate(divide="ignore", invalid="ignore"):
            powers = np.where(self.alpha == 1, 0.0, (self.alpha - 1) * np.log(x))
        highest = np.isposinf(powers).any(axis=-1)
        with np.errstate(invalid="ignore"):
            log = powers.sum(axis=-1) + gammaln(self.alpha.sum()) - gammaln(self.alpha).sum()
        return np.asarray(np.where(inside, np.where(highest, np.inf, log), -np.inf))

    def density(self, x: Any) -> Floats:
        return np.asarray(np.exp(self.log_density(x)))

    def sample(self, n: int = 1, random_state: Any = None) -> Floats:
        """Independent draws (n, K)."""
        self._check()
        return np.asarray(np.random.default_rng(random_state).dirichlet(self.alpha, draws(n)))

    def _marginals(self) -> list[Beta]:
        names = self.levels if self.levels is not None else range(len(self.alpha))
        return [self.marginal(name) for name in names]

    def _place(self, level: Any) -> int:
        known: Sequence[Any] = self.levels if self.levels is not None else range(len(self.alpha))
        if level not in known:
            raise InputError(f"there is no level {level!r}; known are {', '.join(map(repr, known[:10]))}")
        return known.index(level)

    def _by_level(self, counts: Mapping[Any, float]) -> Floats:
        added = np.zeros(len(self.alpha))
        for level, count in counts.items():
            added[self._place(level)] += count
        return added

    def _check(self) -> None:
        if not (self.alpha > 0).all():
            place = int(np.flatnonzero(self.alpha == 0)[0])
            name = place if self.levels is None else self.levels[place]
            raise InputError(f"the Dirichlet is improper: level {name!r} has alpha 0 and was never seen")
