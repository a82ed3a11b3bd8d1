"""Nodes and weights over the values that a distribution can take: where a density sums or integrates to one."""

from collections.abc import Callable, Sequence
from functools import partial
from itertools import product
from typing import Any, Literal, TypeAlias

import numpy as np

from likely.errors import InputError

Values: TypeAlias = Literal["numbers", "amounts", "counts", "binaries"]
Integral: TypeAlias = Callable[[Any, Any], tuple[Any, Any]]  # of a table and what was fitted: nodes, weights

NODES, WEIGHTS = np.polynomial.legendre.leggauss(16)


def integral_over(values: Values, breaks: Sequence[float] = ()) -> Integral:
    """How a density of one feature is summed or integrated over what it can be; it may jump or bend at the breaks."""
    numbers: Integral = partial(on_the_line, breaks=breaks)
    ways: dict[str, Integral] = {
        "numbers": numbers,
        "amounts": on_the_half_line,
        "counts": over_counts,
        "binaries": over_binaries,
    }
    if values not in ways:
        raise InputError(f"a density is held to sum to 1 over one of {', '.join(ways)}; got over={values!r}")
    return ways[values]


def panels(edges: Any) -> tuple[Any, Any]:
    """Gauss-Legendre nodes and weights on each interval between neighbouring edges."""
    half, middle = np.diff(edges)[:, None] / 2, (edges[1:] + edges[:-1])[:, None] / 2
    return (middle + half * NODES).ravel(), (half * WEIGHTS).ravel()


def on_the_line(rows: Any, fitted: object, breaks: Sequence[float] = ()) -> tuple[Any, Any]:
    """Substitute x = centre + scale sinh t: fine near the data, and as far away as heavy tails reach."""
    centre, scale = np.median(rows[:, 0]), np.std(rows[:, 0])
    bends: Any = getattr(fitted, "edges", [breaks])[0]
    edges = np.union1d(np.linspace(-60, 60, 961), np.arcsinh((np.asarray(bends) - centre) / scale))
    t, weight = panels(edges)
    return (centre + scale * np.sinh(t))[:, None], weight * scale * np.cosh(t)


def on_the_half_line(rows: object, fitted: object) -> tuple[Any, Any]:
    """Substitute x = e^t."""
    t, weight = panels(np.linspace(-300, 300, 2401))
    return np.exp(t)[:, None], weight * np.exp(t)


def over_counts(rows: object, fitted: object) -> tuple[Any, Any]:
    return np.arange(5000.0)[:, None], np.ones(5000)


def over_binaries(rows: object, fitted: object) -> tuple[Any, Any]:
    return np.array([[0.0], [1.0]]), np.ones(2)


def over_levels(rows: object, fitted: Any) -> tuple[Any, Any]:
    """Those of the table, and one that was never seen where there is a slot for it."""
    names = list(fitted.levels[0]) + (["never seen"] if fitted.unseen == "prior" else [])
    return np.array(names, dtype=object)[:, None], np.ones(len(names))


def over_vectors(rows: object, fitted: object) -> tuple[Any, Any]:
    """All vectors of four counts in three columns."""
    table = np.array([v for v in product(range(5), repeat=3) if sum(v) == 4], dtype=np.float64)
    return table, np.ones(len(table))


def over_documents(rows: object, fitted: Any) -> tuple[Any, Any]:
    """All texts of two words."""
    words = fitted.words.tolist()
    table = np.array([[" ".join(pair)] for pair in product(words, repeat=2)], dtype=object)
    return table, np.ones(len(table))


def over_word_sets(rows: object, fitted: Any) -> tuple[Any, Any]:
    """All texts that hold each word once or not at all."""
    words = fitted.words.tolist()
    sets = [[w for w, there in zip(words, mask, strict=True) if there] for mask in product([0, 1], repeat=len(words))]
    table = np.array([[" ".join(words)] for words in sets], dtype=object)
    return table, np.ones(len(table))


def over_both(rows: Any, fitted: Any) -> tuple[Any, Any]:
    x, weight = on_the_line(rows[:, :1].astype(np.float64), None)
    names = fitted.parts[1].levels[0]
    table = np.array([(v, name) for name in names for v in x[:, 0]], dtype=object)
    return table, np.tile(weight, len(names))
