"""Features that count more or less than once: each factor of a product to a power of its own.

    log s(x | k) = sum_j w_j log p(x_j | k),    w_j >= 0

Naive Bayes counts what two columns say alike twice; exponents below 1 take that back. The sum is a score: it tells
groups apart as a log density does, but no longer integrates to one. Samples are those of the distribution itself.
"""

from dataclasses import dataclass
from typing import Any

import numpy as np

from likely.distributions.family import Distribution
from likely.numeric.arrays import Array, Floats, Ints


@dataclass(frozen=True)
class Powered:
    """k members of another distribution, with an exponent for each feature."""

    of: Distribution
    exponents: Array  # (d,)

    @property
    def members(self) -> int:
        return self.of.members

    @property
    def n_parameters(self) -> int:
        return self.of.n_parameters

    def log_density(self, x: Any) -> Floats:
        """The score of each row (n, k)."""
        if len(self.exponents) and (self.exponents == self.exponents[0]).all():
            power = float(self.exponents[0])
            whole = self.of.log_density(x)
            return power * whole if power > 0 else np.zeros_like(whole)
        used = np.flatnonzero(self.exponents)  # 0 times minus infinity is nothing
        return np.tensordot(self.of.log_density_terms(x)[:, used], self.exponents[used], axes=([1], [0]))

    def log_density_terms(self, x: Any) -> Floats:
        terms = self.of.log_density_terms(x)
        used = self.exponents > 0
        out = np.zeros_like(terms)
        out[:, used] = terms[:, used] * self.exponents[used][:, None]
        return out

    def check_known(self, x: Any) -> None:
        """Refuse a cell that must have been seen before and has not."""
        getattr(self.of, "check_known", lambda _: None)(x)

    def sample(self, member: Ints, rng: np.random.Generator) -> Any:
        return self.of.sample(member, rng)
