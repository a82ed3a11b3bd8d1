"""Log densities of distributions as operators of a graph; a missing cell says nothing, as in the library.

Not so where densities of whole vectors leave a cell out by computing anew (full covariances, multinomial counts): there
a missing cell gives NaN, and a graph is for complete rows.
"""

from functools import singledispatch
from typing import Any

import numpy as np

from likely.distributions import Bernoulli, Categorical, ExponentialDistribution, Gaussian, LogNormal, Poisson
from likely.distributions.counts.complement import ComplementScores
from likely.distributions.counts.multinomial import Multinomial
from likely.distributions.vectors.diagonal import DiagonalGaussian
from likely.distributions.vectors.gaussian_vectors import MultivariateGaussian
from likely.errors import TierError
from likely.numeric.arrays import Floats
from likely.statistics.counting.categories import offsets
from likely.store.onnx.graph import Graph


@singledispatch
def log_density(fitted: Any, graph: Graph, columns: tuple[int, ...]) -> str:
    """The name of the log densities (n, k), but for a term common to all members, of columns by their places."""
    own = getattr(fitted, "onnx_log_density", None)
    if own is not None:
        return str(own(graph, columns))
    raise TierError(
        f"{type(fitted).__name__} has no form in plain ONNX operators; choose other kinds, as gaussian, nominal, "
        "bernoulli or poisson, or give it a method onnx_log_density(graph, columns)"
    )


@log_density.register
def _of_gaussians(fitted: Gaussian, graph: Graph, columns: tuple[int, ...]) -> str:
    return _gaussian(graph, graph.numbers(columns), *fitted.constants())


@log_density.register
def _of_diagonal_gaussians(fitted: DiagonalGaussian, graph: Graph, columns: tuple[int, ...]) -> str:
    variance = np.broadcast_to(fitted.variance, fitted.mean.shape)
    return _gaussian(graph, graph.numbers(columns), *Gaussian(fitted.mean, variance).constants())


@log_density.register
def _of_log_normals(fitted: LogNormal, graph: Graph, columns: tuple[int, ...]) -> str:
    if not isinstance(fitted.of_log, Gaussian):
        return log_density(fitted.of_log, graph, columns)  # which refuses it
    return _gaussian(graph, graph.add("Log", graph.numbers(columns)), *fitted.of_log.constants())


def _gaussian(graph: Graph, x: str, mean: Floats, inverse: Floats, constant: Floats) -> str:
    cells = graph.add("Unsqueeze", x, graph.constant(np.array([1])))  # (n, 1, d)
    z = graph.add("Mul", graph.add("Sub", cells, graph.constant(mean)), graph.constant(inverse))
    squares = graph.add("Mul", graph.add("Mul", z, z), graph.constant(np.array(-0.5)))
    terms = graph.add("Add", squares, graph.constant(constant))
    return graph.sum_of(graph.or_nothing(graph.add("IsNaN", cells), terms), 2)


@log_density.register
def _of_vectors(fitted: MultivariateGaussian, graph: Graph, columns: tuple[int, ...]) -> str:
    """Whitened about a centre amid the members: (x - c) / unit, then the members' factors."""
    shape = fitted.shape
    x = graph.numbers([columns[j] for j in shape.columns])
    unit = shape.inverse_scale[shape.columns]
    scaled = graph.add("Sub", x, graph.constant(shape.centre[shape.columns]))
    scaled = graph.add("Mul", scaled, graph.constant(unit))
    each = []
    for k in range(fitted.members):
        whitening = shape.whitening[0 if shape.shared else k]
        away = graph.add("Sub", scaled, graph.constant(shape.offset[k, shape.columns]))
        z = graph.add("MatMul", away, graph.constant(np.ascontiguousarray(whitening.T)))
        each.append(graph.add("ReduceSumSquare", z, axes=[1], keepdims=1))
    squares = graph.add("Mul", graph.add("Concat", *each, axis=1), graph.constant(np.array(-0.5)))
    return graph.add("Sub", squares, graph.constant(np.broadcast_to(shape.half_log_determinant, fitted.members)))


@log_density.register
def _of_levels(fitted: Categorical, graph: Graph, columns: tuple[int, ...]) -> str:
    offset, parts = offsets(fitted.levels), []
    for j, levels in enumerate(fitted.levels):
        own = fitted.log_probability[:, offset[j] : offset[j + 1]].T
        table = np.vstack([own, np.zeros(fitted.members), fitted.log_unseen[:, j]])  # levels, a gap, any other
        place = graph.place(columns[j], levels, len(levels), len(levels) + 1)
        parts.append(graph.add("Gather", graph.constant(table), place, axis=0))
    return graph.add("Sum", *parts) if len(parts) > 1 else parts[0]


@log_density.register
def _of_bits(fitted: Bernoulli, graph: Graph, columns: tuple[int, ...]) -> str:
    width = fitted.probability.shape[1]
    zero, one = fitted.log_density_terms(np.array([[0.0] * width, [1.0] * width]))  # (d, k) each
    cells = graph.add("Unsqueeze", graph.numbers(columns), graph.constant(np.array([2])))  # (n, d, 1)
    present = graph.add("Greater", cells, graph.constant(np.array(0.5)))
    terms = graph.add("Where", present, graph.constant(one), graph.constant(zero))
    return graph.sum_of(graph.or_nothing(graph.add("IsNaN", cells), terms), 1)


@log_density.register(Poisson)
@log_density.register(ExponentialDistribution)
def _of_rates(fitted: Poisson | ExponentialDistribution, graph: Graph, columns: tuple[int, ...]) -> str:
    """Linear in every cell, but for what is the same for all members."""
    slope, whole = fitted.linear()
    width = slope.shape[1]
    constant = fitted.log_density_terms(np.zeros((1, width)))[0].T  # (k, d)
    x = graph.numbers(columns)
    absent = graph.add("IsNaN", x)
    seen = graph.affine(graph.or_nothing(absent, x), slope, whole)
    lost = graph.add("Cast", absent, to=11)  # double
    return graph.add("Sub", seen, graph.affine(lost, constant, np.zeros(len(slope))))


@log_density.register(Multinomial)
@log_density.register(ComplementScores)
def _of_counts(fitted: Multinomial | ComplementScores, graph: Graph, columns: tuple[int, ...]) -> str:
    return graph.affine(graph.numbers(columns), *fitted.linear())
