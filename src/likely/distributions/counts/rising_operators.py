"""The rising factorial of the negative binomial in plain operators of a graph, which know no gamma function.

    E(x, r) = log[ r (r + 1) ... (r + x - 1) ] - x log r

is what its log density has beyond Poisson's form. With a = r + 8, so that Stirling's series is good to 1e-11,

    E = (a - 1/2 + x) log(1 + x / a) + x log(1 + 8 / r) - x + s(a + x) - s(a) - sum_(i < 8) log(1 + x / (r + i))

and s(z) = 1/(12 z) - 1/(360 z^3) + 1/(1260 z^5) - 1/(1680 z^7): nothing large is subtracted but x.
"""

import numpy as np

from likely.distributions.capabilities.operators import Graph
from likely.numeric.arrays import Floats

_SHIFT = 8
_SERIES = (1 / 12, -1 / 360, 1 / 1260, -1 / 1680)


def rising_operators(graph: Graph, x: str, size: Floats) -> str:
    """The sum over the cells of x (n, d) of E at the sizes (k, d), as the name of (n, k).

    It is 0 for an infinite size and for a missing cell.
    """
    rises = np.isfinite(size)
    r = np.where(rises, size, 1.0)
    a = r + _SHIFT
    cells = graph.add("Unsqueeze", x, graph.constant(np.array([1])))  # (n, 1, d)
    absent = graph.add("IsNaN", cells)
    cells = graph.or_nothing(absent, cells)

    def of(value: Floats) -> str:
        return graph.constant(np.asarray(value, dtype=np.float64))

    main = graph.add("Mul", graph.add("Add", cells, of(a - 0.5)), _log1p(graph, graph.add("Div", cells, of(a))))
    straight = graph.add("Mul", cells, of(np.log1p(_SHIFT / r) - 1.0))
    rest = graph.add("Sub", _stirling_rest(graph, graph.add("Add", cells, of(a))), of(_rest(a)))
    first = [_log1p(graph, graph.add("Div", cells, of(r + i))) for i in range(_SHIFT)]
    whole = graph.add("Sub", graph.add("Sum", main, straight, rest), graph.add("Sum", *first))
    return graph.sum_of(graph.add("Mul", whole, of(rises.astype(np.float64))), 2)


def _log1p(graph: Graph, u: str) -> str:
    """The logarithm of 1 + u with all its digits: log(w) u / (w - 1), w = 1 + u as it is rounded (Kahan)."""
    one = graph.constant(np.array(1.0))
    w = graph.add("Add", u, one)
    off = graph.add("Sub", w, one)
    none = graph.add("Equal", off, graph.constant(np.array(0.0)))
    ratio = graph.add("Div", u, graph.add("Where", none, one, off))
    return graph.add("Where", none, u, graph.add("Mul", graph.add("Log", w), ratio))


def _stirling_rest(graph: Graph, z: str) -> str:
    inverse = graph.add("Div", graph.constant(np.array(1.0)), z)
    square = graph.add("Mul", inverse, inverse)
    found = graph.constant(np.array(_SERIES[-1]))
    for coefficient in reversed(_SERIES[:-1]):
        found = graph.add("Add", graph.add("Mul", found, square), graph.constant(np.array(coefficient)))
    return graph.add("Mul", found, inverse)


def _rest(z: Floats) -> Floats:
    return np.asarray(np.polynomial.polynomial.polyval(z**-2.0, _SERIES) / z)
