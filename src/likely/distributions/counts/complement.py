"""Vectors of counts judged by what all other classes count: the complement's weights (Rennie and others 2003).

    score of class c = - sum_t x_t log r_ct,   r_ct = (counts of t outside c + a) / (all counts outside c + a d)

With `normalized` the weights of a class are divided by their sum, so that a class whose words are rarer weighs no more.
A score, no density: it says nothing of how likely a row is, and no row can be drawn from it. A missing cell says
nothing. Statistic: `Totals`, as of the multinomial.
"""

from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np

from likely.distributions.capabilities.operators import Graph
from likely.distributions.support import AMOUNTS
from likely.errors import InputError
from likely.numeric.arrays import Array, Floats, Ints, Matrix, Shapes
from likely.numeric.linear.affine import LIMIT, affine_scores
from likely.numeric.logspace import log_of


@dataclass(frozen=True)
class ComplementScores:
    """k members over d columns.

    >>> fitted = ComplementScores.of(np.array([[3.0, 1.0], [0.0, 4.0]]), 1.0)
    >>> fitted.log_density(np.array([[1.0, 0.0]])).round(4)  # log 6 for the class that alone counts it, log 6 / 4
    array([[1.7918, 0.4055]])
    """

    weight: Array  # (k, d)
    shapes: ClassVar[Shapes] = {"weight": "k d"}

    @classmethod
    def of(cls, counts: Array, alpha: Any, normalized: bool = False) -> "ComplementScores":
        """From the counts (k, d) of the classes themselves."""
        others = counts.sum(axis=0) + alpha - counts
        weight = log_of(others.sum(axis=1, keepdims=True)) - log_of(others)
        if normalized:
            whole = weight.sum(axis=1, keepdims=True)
            weight = np.divide(weight, whole, out=np.zeros_like(weight), where=whole != 0)
        return cls(np.asarray(weight))

    @property
    def members(self) -> int:
        return len(self.weight)

    @property
    def n_parameters(self) -> int:
        return int(self.members * max(self.weight.shape[1] - 1, 0))

    def log_density(self, x: Matrix) -> Floats:
        """The scores (n, k). Rows may also be compressed sparse; they are not made dense."""
        x = AMOUNTS.check(x, self.weight.shape[1])
        return np.asarray(affine_scores(x, self.weight, np.zeros_like(self.weight)))

    def log_density_terms(self, x: Matrix) -> Floats:
        """Dense (n, d, k), also for sparse rows."""
        x = AMOUNTS.check(x, self.weight.shape[1])
        x = x if isinstance(x, np.ndarray) else x.toarray()
        return np.asarray(np.minimum(np.where(np.isnan(x), 0.0, x), LIMIT)[:, :, None] * self.weight.T)

    def linear(self) -> tuple[Floats, Floats]:
        """Weights (k, d) and constants (k,) of the scores."""
        return np.asarray(self.weight), np.zeros(self.members)

    def onnx_log_density(self, graph: Graph, columns: tuple[int, ...]) -> str:
        """Linear, of complete rows."""
        return graph.affine(graph.numbers(columns), *self.linear())

    def sample(self, member: Ints, rng: np.random.Generator) -> Floats:
        raise no_distribution()


def no_distribution() -> InputError:
    """What is said where a distribution is asked for."""
    return InputError(
        "the complement of the classes judges rows by scores and is no distribution: it has nothing to draw rows from, "
        "no posterior of parameters and no likelihood; use 'multinomial' for these"
    )
