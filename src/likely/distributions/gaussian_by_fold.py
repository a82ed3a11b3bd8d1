"""Gaussian features of several folds side by side: every row is scored under the members of its own fold.

Cross-validation scores each row once in every repeat. Fold by fold that would be a pass over the whole table for each of
them; here a block of rows is read once, sorted by fold while it is in cache, and its posteriors are written in place.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Self

import numpy as np

from likely.distributions.gaussian import Gaussian
from likely.distributions.product import Product
from likely.numeric.arrays import Array, Floats, frozen
from likely.numeric.kernels.held_out import put_gaussian_by_fold


@dataclass(frozen=True)
class GaussianByFold:
    """The same k members as each of f folds estimates them, and their log priors.

    >>> one, other = (Gaussian(np.array([[m], [m + 2]]), np.ones((2, 1))) for m in (0.0, 1.0))
    >>> both = GaussianByFold.of([one, other], np.log(np.full((2, 2), 0.5)))
    >>> out = np.empty((2, 2))
    >>> both.put_log_posteriors(np.array([[1.0], [2.0]]), 0, np.array([0, 1], dtype=np.int32), out)
    >>> np.exp(out)
    array([[0.5, 0.5],
           [0.5, 0.5]])
    """

    mean: Floats  # (f, k, d)
    inverse_deviation: Floats  # (f, k, d)
    constant: Floats  # (f, k, d)
    log_prior: Floats  # (f, k)

    @classmethod
    def of(cls, fitted: Sequence[Gaussian], log_prior: Floats) -> Self:
        mean, inverse_deviation, constant = (
            np.stack(part) for part in zip(*(g.constants() for g in fitted), strict=True)
        )
        return cls(mean, inverse_deviation, constant, np.ascontiguousarray(log_prior))

    @classmethod
    def from_products(cls, fitted: Sequence[Any], log_prior: Sequence[Floats]) -> Self | None:
        """From distributions of which all that there is are Gaussian features of the same members, else None."""
        parts = [f.parts[0] for f in fitted if isinstance(f, Product) and len(f.parts) == 1]
        if len(parts) < len(fitted) or not all(type(part) is Gaussian for part in parts):
            return None
        if len({part.mean.shape for part in parts}) > 1:  # a fold that has not seen all classes
            return None
        return cls.of(parts, np.stack(log_prior))

    def put_log_posteriors(self, x: Array, start: int, folds: Array, out: Floats) -> None:
        """Write those of rows x (m, d), which are the rows from `start` on, to out[start:] (n, k); folds are (n,)."""
        put_gaussian_by_fold(
            frozen(x), start, frozen(folds), self.mean, self.inverse_deviation, self.constant, self.log_prior, out
        )
