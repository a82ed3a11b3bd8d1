"""Parameters by name and as one flat vector.

A user names them ({"mean": 0.0, "variance": 1.0}), a likelihood counts them (0, 1, ...). NaN is a parameter left free.
"""

import itertools
from collections.abc import Mapping
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from likely.distributions.capabilities.likelihood import Likelihood
from likely.errors import InputError
from likely.numeric.arrays import Floats, as_floats


def places(likelihood: Likelihood) -> dict[str, tuple[int, int]]:
    """Where each name begins and ends in the flat vector."""
    sizes = [int(np.prod(shape)) for shape in likelihood.shapes.values()]
    ends = np.cumsum([0, *sizes]).tolist()
    return dict(zip(likelihood.shapes, itertools.pairwise(ends), strict=True))


def by_name(likelihood: Likelihood, vector: Floats) -> dict[str, Any]:
    """Numbers and arrays by name, from the flat vector."""
    shapes = likelihood.shapes
    return {
        name: vector[start:stop].reshape(shapes[name]) if shapes[name] else float(vector[start])
        for name, (start, stop) in places(likelihood).items()
    }


def as_vector(likelihood: Likelihood, theta: ArrayLike, levels: tuple[Any, ...] = ()) -> Floats:
    """What a user gave, as a flat vector that is NaN where nothing was given; checked against the bounds."""
    vector = np.full(len(likelihood.best), np.nan)
    for name, value in _named(likelihood, theta, levels).items():
        start, stop = places(likelihood)[name]
        given = as_floats(value, name)
        if given.shape != likelihood.shapes[name]:
            raise InputError(f"{name} has shape {likelihood.shapes[name]}, got {given.shape}")
        own = given.ravel()
        low, high = likelihood.low[start:stop], likelihood.high[start:stop]
        if ((own < low) | (own > high) | np.isinf(own)).any():
            raise InputError(f"{name} must lie between {low.min():g} and {high.max():g} and be finite, got {value!r}")
        vector[start:stop] = own
    if np.isnan(vector).all():
        raise InputError(
            f"give a number to at least one of the parameters {', '.join(likelihood.shapes)}; NaN leaves one free"
        )
    return vector


def _named(likelihood: Likelihood, theta: Any, levels: tuple[Any, ...]) -> dict[str, Any]:
    names = tuple(likelihood.shapes)
    if isinstance(theta, Mapping):
        if levels and not set(theta) <= set(names) and set(theta) <= set(levels):
            return {"probability": [theta.get(level, np.nan) for level in levels]}
        unknown = [name for name in theta if name not in names]
        if unknown:
            raise InputError(f"unknown parameter {unknown[0]!r}; choose among {', '.join(map(str, names or levels))}")
        return dict(theta)
    if len(names) == 1:
        return {names[0]: theta}
    values = list(theta) if np.ndim(theta) or isinstance(theta, tuple | list) else [theta]
    if len(values) != len(names):
        raise InputError(f"give {len(names)} values, of {', '.join(names)}, or name those you give")
    return dict(zip(names, values, strict=True))
