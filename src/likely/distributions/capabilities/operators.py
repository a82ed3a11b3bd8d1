"""Densities and scores as operators of a graph that runs elsewhere (ONNX): what it offers, what families share.

A distribution that has a form in plain operators says so with a method

    onnx_log_density(graph, columns) -> name    of the log densities (n, k), but for a term common to all members

of the table's columns at these places. A missing cell says nothing in it, as in the library; not so where densities of
whole vectors leave a cell out by computing anew (full covariances, multinomial counts): there it gives NaN.
"""

from collections.abc import Sequence
from typing import Any, Protocol

import numpy as np

from likely.numeric.arrays import Floats

IMPOSSIBLE = -1e300  # stands for minus infinity, with which runtimes would compute NaN


class Graph(Protocol):
    """A graph under construction, as a distribution sees it: what operators give is called by a name."""

    def numbers(self, columns: Sequence[int], /) -> str: ...  # (n, d)  NaN for a missing cell
    def place(self, column: int, levels: Sequence[Any], gap: int, unknown: int, /) -> str: ...  # (n,)
    def constant(self, value: Any, /) -> str: ...
    def add(self, operator: str, /, *given: str, domain: str = "", **attributes: Any) -> str: ...
    def sum_of(self, tensor: str, axis: int, /) -> str: ...
    def or_nothing(self, absent: str, tensor: str, /) -> str: ...  # 0 where absent
    def affine(self, x: str, weight: Floats, constant: Floats, /) -> str: ...  # x w' + b
    def gap(self, column: int, /) -> str: ...  # (n, 1)  whether a cell is missing
    def tensor(self, values: Any, /) -> Any: ...  # as an attribute


def gaussian_operators(graph: Graph, x: str, mean: Floats, inverse: Floats, constant: Floats) -> str:
    """Of independent Gaussian cells x (n, d), from means, inverse deviations and log factors (k, d)."""
    cells = graph.add("Unsqueeze", x, graph.constant(np.array([1])))  # (n, 1, d)
    z = graph.add("Mul", graph.add("Sub", cells, graph.constant(mean)), graph.constant(inverse))
    squares = graph.add("Mul", graph.add("Mul", z, z), graph.constant(np.array(-0.5)))
    terms = graph.add("Add", squares, graph.constant(constant))
    return graph.sum_of(graph.or_nothing(graph.add("IsNaN", cells), terms), 2)


def linear_operators(graph: Graph, x: str, slope: Floats, constant: Floats) -> str:
    """Of independent cells x (n, d) that are linear, from slopes and constants (k, d)."""
    absent = graph.add("IsNaN", x)
    seen = graph.affine(graph.or_nothing(absent, x), slope, constant.sum(axis=1))
    lost = graph.add("Cast", absent, to=11)  # double
    return graph.add("Sub", seen, graph.affine(lost, constant, np.zeros(len(slope))))
