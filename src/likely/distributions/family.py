"""The contracts: a family summarises and estimates; a distribution scores and samples.

A family is a value with options. It knows nothing of data it has seen:

    summarize(x, membership) -> statistic          a pure sum over rows
    estimate(statistic)      -> distribution       a small solve; priors enter here and are never stored
    standard_errors(statistic) -> {name: array}    how well each parameter is known

A distribution has k members, one per group of the statistic, and scores all of them in one pass:

    log_density(x) -> (n, k)
    log_density_terms(x) -> (n, d, k)    each feature's part of it; zero where the cell is missing
    sample(member, rng) -> rows          one row for each entry of `member`

What x is depends on `form`: "real" is an array (n, d) of floats in C order with NaN for a missing cell; "codes"
is a `Codes` value of nominal features. Families of independent features treat d features at once; a family of
vectors takes the d columns as one vector. A missing cell is left out of the sums and of the product.
"""

from typing import Any, ClassVar, Literal, Protocol, TypeAlias

import numpy as np

from likely.numeric.arrays import Array, Floats, Ints
from likely.statistics import Additive, Membership

Form: TypeAlias = Literal["real", "codes"]
Estimation: TypeAlias = Literal["ml", "map", "bayes"]


class Distribution(Protocol):
    """k fitted members of a family."""

    @property
    def members(self) -> int: ...
    @property
    def n_parameters(self) -> int:
        """Free parameters of all members together."""
        ...

    def log_density(self, x: Any) -> Floats: ...
    def log_density_terms(self, x: Any) -> Floats: ...
    def sample(self, member: Ints, rng: np.random.Generator) -> Any: ...


class Family(Protocol):
    """What a class-conditional model is made of."""

    form: ClassVar[Form]

    def summarize(self, x: Any, membership: Membership) -> Any: ...
    def estimate(self, statistic: Any) -> Distribution: ...
    def standard_errors(self, statistic: Any) -> dict[str, Array]: ...


def fit(family: Family, x: Any, membership: Membership | None = None) -> Distribution:
    """Summarise and estimate in one go; without a membership all rows are one group."""
    if membership is None:
        membership = Membership.whole(len(x))
    return family.estimate(family.summarize(x, membership))


__all__ = ["Additive", "Distribution", "Estimation", "Family", "Form", "fit"]
