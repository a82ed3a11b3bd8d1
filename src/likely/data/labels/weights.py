"""Sample weights and class priors that a user gives, checked."""

from collections.abc import Hashable, Mapping, Sequence
from typing import Any

import numpy as np

from likely.data.accepted import PriorLike
from likely.data.inputs import suggest
from likely.errors import InputError
from likely.numeric.arrays import Array, Floats, PerRow, as_floats

_LARGEST = 1e100  # of a weight, and of the inverse of the largest: their products with squares are numbers


def read_weight(sample_weight: PerRow, rows: int | None) -> Floats | None:
    """One finite, non-negative weight per row, or None; a file, of which the rows are not counted, takes none.

    >>> read_weight([1, 2], 2)
    array([1., 2.])
    """
    if sample_weight is None:
        return None
    if rows is None:
        raise InputError("sample_weight cannot be given for a scanned file: read it into a frame to weigh its rows")
    weight = as_floats(sample_weight, "sample_weight")
    if weight.ndim == 0:
        weight = np.full(rows, float(weight))
    if weight.shape != (rows,):
        raise InputError(f"sample_weight.shape == {weight.shape}, expected {(rows,)}: one weight per row")
    wrong = ~np.isfinite(weight) | (weight < 0)
    if wrong.any():
        row = int(np.flatnonzero(wrong)[0])
        raise InputError(f"sample_weight of row {row} is {weight[row]}; weights must be finite and not negative")
    if not weight.any():
        raise InputError("Sample weights must contain at least one non-zero number: every row would be absent.")
    return weight


def learning_weight(sample_weight: PerRow, rows: int | None) -> Floats | None:
    """Weights to learn with: as `read_weight`, and of a size whose products with squares are numbers."""
    weight = read_weight(sample_weight, rows)
    if weight is None:
        return None
    row = int(weight.argmax())
    if weight[row] > _LARGEST or 0 < weight[row] < 1 / _LARGEST:
        much = "much" if weight[row] > 1 else "little"
        raise InputError(
            f"sample_weight of row {row} is {weight[row]:g}, too {much} to be multiplied and summed: a weight of 1 is "
            f"one row, so divide all weights by {weight[row]:g}, or by their mean"
        )
    return weight


def read_prior(prior: PriorLike, classes: Array) -> Floats:
    """Class probabilities in the order of the classes: from 'uniform', a mapping, a sequence or an estimate of them.

    >>> read_prior({"yes": 0.2, "no": 0.8}, np.array(["no", "yes"])).tolist()
    [0.8, 0.2]
    """
    k = len(classes)
    prior = getattr(prior, "value", prior)
    if isinstance(prior, str):
        if prior != "uniform":
            raise InputError(f"unknown class prior {prior!r}; give 'uniform', one probability per class, or a mapping")
        return np.full(k, 1.0 / k)
    if isinstance(prior, Mapping):
        prior = by_name(
            prior, [c.item() if isinstance(c, np.generic) else c for c in classes], "the class prior", "class"
        )
    try:
        p = as_floats(prior)
    except InputError:
        raise InputError(
            f"the class prior {prior!r:.60} is none: give 'uniform', one probability per class, a mapping, or what "
            "likely.decisions.estimate_prior found"
        ) from None
    if p.shape != (k,):
        raise InputError(f"the class prior has {p.size} entries for {k} classes")
    if not np.isfinite(p).all() or (p < 0).any():
        raise InputError(f"the class prior {p.tolist()} has an entry that is no probability")
    if abs(p.sum() - 1) > 1e-6:
        raise InputError(f"the class prior sums to {p.sum():.6g}, not to 1")
    return np.asarray(p / p.sum())


def by_name(given: Mapping[Any, Any], names: Sequence[Hashable], what: str, kind: str) -> list[Any]:
    """The values of a mapping in the order of the names, all of which it must have, and no others.

    >>> by_name({"b": 0.25, "a": 0.75}, ["a", "b"], "the prior", "class")
    [0.75, 0.25]
    """
    for name in given:
        if name not in names:
            raise InputError(f"{what} names {name!r}, which is no {kind}{suggest(name, list(names))}")
    for name in names:
        if name not in given:
            raise InputError(f"{what} says nothing of {name!r}; every {kind} needs a value")
    return [given[name] for name in names]
