"""Dirichlet distribution, conjugate prior of several probabilities: what is believed of levels after counting them.

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

from collections import Counter
from collections.abc import Hashable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from numbers import Number
from typing import Any, Self

import numpy as np
from numpy.typing import ArrayLike

from likely.distributions.conjugate.belief import REFERENCE, Kind, check_bounds, check_interval, draws
from likely.distributions.conjugate.beta import Beta
from likely.distributions.conjugate.predictive import PredictiveLevel
from likely.distributions.conjugate.summaries import DataLike, picked
from likely.distributions.counts.polya import Polya
from likely.errors import InputError
from likely.numeric.arrays import Floats, as_floats
from likely.numeric.random_state import Seed, as_generator
from likely.probability.given import labelled, number, plain
from likely.statistics import CategoryCounts, Totals


@dataclass(frozen=True, eq=False)
class Dirichlet:
    """The belief Dirichlet(alpha) about the probabilities x of several levels: p(x) proportional to prod x_k^(a_k - 1).

    `alpha` counts the observations of each level, those of the prior included; a mapping gives the levels their names,
    as `levels` does.

    >>> belief = Dirichlet([1, 2, 3], levels=("red", "green", "blue")).update([4, 0, 6])
    >>> belief.alpha, belief.mean
    (array([5., 2., 9.]), array([0.3125, 0.125 , 0.5625]))
    >>> belief.marginal("green")
    Beta(a=2.0, b=14.0)
    >>> belief.update({"green": 3}).alpha
    array([5., 5., 9.])
    >>> Dirichlet({"a": 1, "b": 1}) == Dirichlet([1, 1], levels=("a", "b"))
    True
    """

    alpha: Any  # (K,)  an array, given as a list or by level
    levels: tuple[Hashable, ...] | None = None  # what the entries of alpha are called

    def __post_init__(self) -> None:
        given = labelled(self.alpha)
        if given is not None:
            names = tuple(name for name, _ in given)
            if self.levels is not None and tuple(self.levels) != names:
                raise InputError(f"alpha names the levels {names!r:.80}, and levels others; give the names once")
            object.__setattr__(self, "levels", names)
        alpha = np.array(as_floats(self.alpha if given is None else [a for _, a in given], "alpha"))
        if alpha.ndim != 1 or len(alpha) < 1 or not ((alpha >= 0) & (alpha < np.inf)).all():
            raise InputError(f"alpha must be a list of finite numbers, not negative, one per level; got {self.alpha!r}")
        object.__setattr__(self, "alpha", alpha)
        if self.levels is not None:
            object.__setattr__(self, "levels", tuple(self.levels))
            if len(self.levels) != len(alpha):
                raise InputError(f"{len(alpha)} entries of alpha with {len(self.levels)} levels; give one for each")
            if len(set(self.levels)) != len(alpha):
                twice = next(level for level, times in Counter(self.levels).items() if times > 1)
                raise InputError(f"the level {twice!r} is named twice (1, 1.0 and True are the same)")

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Dirichlet):
            return NotImplemented
        return self.levels == other.levels and np.array_equal(self.alpha, other.alpha)

    def __hash__(self) -> int:
        return hash((tuple(self.alpha.tolist()), self.levels))

    @classmethod
    def reference(cls, levels: int | Sequence[Hashable]) -> Self:
        """Jeffreys' prior, which says as little as possible: 1/2 for each of so many levels, or of these."""
        names = None if isinstance(levels, int) else tuple(levels)
        return cls(np.full(levels if isinstance(levels, int) else len(levels), REFERENCE), names)

    def update(
        self, counts: Any = None, *, data: DataLike | None = None, group: int | None = None, feature: int | None = None
    ) -> Self:
        """The posterior after counts: one per level, by level, or a `CategoryCounts`, or a `Totals` of counted columns.

        By level they are a mapping, or a pandas Series whose index has the levels (as of `value_counts`); a list of
        numbers, or a Series numbered from 0, has one count for each level in their order. Numbers are always counts.
        What is no number is read as observations, the names of levels one by one. `data` are observations in any
        case: names, numbers that name a level, or places where levels have no names. Missing ones (None, NaN) are
        left out.

        >>> belief = Dirichlet([1, 1], ("a", "b"))
        >>> belief.update(["a", "b", "a"]) == belief.update({"a": 2, "b": 1}) == belief.update([2, 1])
        True
        >>> Dirichlet([1, 1]).update(data=[0, 1, 0]).alpha
        array([3., 2.])
        """
        if (counts is None) == (data is None):
            raise InputError("give counts, or observations one by one as data=")
        if data is not None or _are_observations(counts):
            counts = _counted(data if data is not None else counts)
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
        pairs = labelled(counts)
        added = as_floats(counts, "counts") if pairs is None else self._by_level(pairs)
        if added.shape != self.alpha.shape or not ((added >= 0) & (added < np.inf)).all():
            raise InputError(
                f"expected {len(self.alpha)} counts, finite and not negative; got {counts!r:.60} "
                "(observations one by one are given as data=)"
            )
        return replace(self, alpha=self.alpha + added, levels=levels)

    @property
    def equivalent_sample_size(self) -> float:
        """Equivalent sample size: how many observations this belief weighs as much as."""
        return float(self.alpha.sum())

    @property
    def mean(self) -> Floats:
        """The expectations (K,)."""
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

    def marginal(self, level: Hashable) -> Beta:
        """Marginal distribution of one level, by its name, or by its place where levels have no names."""
        own = self.alpha[self._place(level)]
        return Beta(float(own), float(np.delete(self.alpha, self._place(level)).sum()))

    def interval(self, confidence: float = 0.95, kind: Kind = "equal-tailed") -> Floats:
        """Credible interval of each level by itself, the others left open (K, 2)."""
        check_interval(confidence, kind)
        self._check()
        return np.array([one.interval(confidence, kind) for one in self._marginals()])

    def probability(self, below: float | None = None, above: float | None = None) -> Floats:
        """That the probability of each level by itself lies below one bound, above another or between them (K,)."""
        check_bounds(below, above)
        self._check()
        return np.array([one.probability(below, above) for one in self._marginals()])

    @property
    def predictive(self) -> PredictiveLevel:
        """Posterior predictive distribution of a new observation.

        >>> Dirichlet([1, 3], ("a", "b")).predictive.probabilities
        {'a': 0.25, 'b': 0.75}
        """
        names = self.levels if self.levels is not None else tuple(range(len(self.alpha)))
        return PredictiveLevel(names, self.mean)

    def predictive_counts(self, observations: float = 1.0) -> Polya:
        """Dirichlet-multinomial distribution: of new observations together, rows of counts per level.

        Rows of any number of observations can be scored; samples have about `observations`.
        """
        self._check()
        return Polya(self.alpha[None], np.array([float(observations)]))

    def log_evidence(self, counts: DataLike) -> float:
        """Log marginal likelihood of observations with these counts in a given order, all parameters averaged."""
        from scipy.special import gammaln

        after = self.update(counts).alpha
        self._check()
        rise = float((gammaln(after) - gammaln(self.alpha)).sum())
        return rise - float(gammaln(after.sum()) - gammaln(self.alpha.sum()))

    def log_density(self, x: ArrayLike) -> Any:
        """Of points x (..., K) whose entries sum to 1; minus infinity elsewhere."""
        from scipy.special import gammaln

        self._check()
        x = as_floats(x, "x")
        if x.shape[-1:] != self.alpha.shape:
            raise InputError(f"expected points of {len(self.alpha)} probabilities, got shape {x.shape}")
        inside = (x >= 0).all(axis=-1) & (np.abs(x.sum(axis=-1) - 1) < 1e-9)
        with np.errstate(divide="ignore", invalid="ignore"):
            powers = np.where(self.alpha == 1, 0.0, (self.alpha - 1) * np.log(x))
        highest = np.isposinf(powers).any(axis=-1)
        with np.errstate(invalid="ignore"):
            log = powers.sum(axis=-1) + gammaln(self.alpha.sum()) - gammaln(self.alpha).sum()
        return plain(np.where(inside, np.where(highest, np.inf, log), -np.inf))

    def density(self, x: ArrayLike) -> Any:
        """Of points x (..., K) whose entries sum to 1; 0 elsewhere."""
        return plain(np.exp(self.log_density(x)))

    def sample(self, n: int = 1, random_state: Seed = None) -> Floats:
        """Independent draws (n, K)."""
        self._check()
        return np.asarray(as_generator(random_state).dirichlet(self.alpha, draws(n)))

    def _marginals(self) -> list[Beta]:
        names = self.levels if self.levels is not None else range(len(self.alpha))
        return [self.marginal(name) for name in names]

    def _place(self, level: Hashable) -> int:
        known: Sequence[Any] = self.levels if self.levels is not None else range(len(self.alpha))
        if level not in known:
            hint = "; give the levels their names with levels=" if self.levels is None else ""
            raise InputError(f"there is no level {level!r:.60}; known are {', '.join(map(repr, known[:10]))}{hint}")
        return known.index(level)

    def _by_level(self, counts: Iterable[tuple[Any, Any]]) -> Floats:
        added = np.zeros(len(self.alpha))
        for level, count in counts:
            added[self._place(level)] += number(count, f"the count of {level!r:.40}")
        return added

    def _check(self) -> None:
        if not (self.alpha > 0).all():
            place = int(np.flatnonzero(self.alpha == 0)[0])
            name = place if self.levels is None else self.levels[place]
            raise InputError(f"the Dirichlet is improper: level {name!r} has alpha 0 and was never seen")


def _are_observations(counts: Any) -> bool:
    """Whether these are names of levels one by one: a list, an array or a Series in which something is no number."""
    if isinstance(counts, str | bytes | CategoryCounts | Totals | Mapping) or np.ndim(counts) != 1:
        return False
    values = counts.tolist() if hasattr(counts, "tolist") else list(counts)
    return any(isinstance(one, bool | str | bytes) or not (one is None or isinstance(one, Number)) for one in values)


def _counted(data: DataLike) -> Counter[Any]:
    """How often each value occurs; None and NaN are missing."""
    if isinstance(data, str | bytes) or not isinstance(data, Iterable):
        raise InputError(f"observations are given as a list, got {data!r:.60}")
    values = data.tolist() if hasattr(data, "tolist") else list(data)
    try:
        return Counter(one for one in values if not _is_missing(one))
    except (TypeError, ValueError):
        raise InputError("observations are one column of names of levels, or of numbers that name them") from None


def _is_missing(value: Any) -> bool:
    """None, NaN (which is not equal to itself) and pandas' NA (which does not say)."""
    return value is None or type(value).__name__ == "NAType" or bool(value != value)
