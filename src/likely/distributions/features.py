"""What distributions of independent features share: parameters (k, d), and a sum over the features of each row."""

from typing import Any, ClassVar

import numpy as np

from likely.distributions.capabilities.operators import Graph, linear_operators
from likely.distributions.support import Support
from likely.numeric.arrays import Array, Floats, Shapes


class IndependentFeatures:
    """k members of d features each; every parameter is an array (k, d)."""

    shapes: ClassVar[Shapes]

    @property
    def members(self) -> int:
        return len(getattr(self, next(iter(self.shapes))))

    @property
    def n_parameters(self) -> int:
        return sum(int(getattr(self, name).size) for name in self.shapes)


class ScoredByKernel(IndependentFeatures):
    """Features whose log densities a kernel adds up, each by itself or all of a row."""

    support: ClassVar[Support]

    def log_density(self, x: Array) -> Floats:
        x = self._checked(x)
        out = np.zeros((len(x), self.members))
        self._add(x, out[:, None, :])
        return out

    def log_density_terms(self, x: Array) -> Floats:
        x = self._checked(x)
        out = np.zeros((*x.shape, self.members))
        self._add(x, out)
        return out

    def _add(self, x: Array, out: Floats) -> None:
        """Add the log densities of cells x (n, d) to (n, d, k), or the sum of each row to (n, 1, k)."""
        raise NotImplementedError

    def _checked(self, x: Any) -> Array:
        width: int = getattr(self, next(iter(self.shapes))).shape[1]
        return np.asarray(self.support.check(x, width))


class LinearFeatures(IndependentFeatures):
    """Features whose log density is linear in the cell, but for what is the same for all members."""

    def _coefficients(self) -> tuple[Floats, Floats]:
        """Slopes and constants (k, d)."""
        raise NotImplementedError

    def linear(self) -> tuple[Floats, Floats]:
        """Weights (k, d) and constants (k,) with which the log density of a complete row is w x + b.

        But for what is the same for all members, as the factorials of counts are.
        """
        slope, constant = self._coefficients()
        return slope, constant.sum(axis=1)

    def onnx_log_density(self, graph: Graph, columns: tuple[int, ...]) -> str:
        """Linear in every cell, but for what is the same for all members."""
        return linear_operators(graph, graph.numbers(columns), *self._coefficients())
