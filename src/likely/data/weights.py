"""Sample weights and class priors that a user gives, checked."""

from collections.abc import Mapping
from typing import Any

import numpy as np

from likely.data.inputs import suggest
from likely.errors import InputError
from likely.numeric.arrays import Array, Floats


def read_weight(sample_weight: Any, rows: int | None) -> Floats | None:
    """One finite, non-negative weight per row, or None; a file, of which the rows are not counted, takes none."""
    if sample_weight is None:
        return None
    if rows is None:
        raise InputError("sample_weight cannot be given for a scanned file: read it into a frame to weigh its rows")
    try:
        weight = np.asarray(sample_weight, dtype=np.float64)
    except (TypeError, ValueError):
        raise InputError(f"sample_weight must be numbers, one per row, got {sample_weight!r:.60}") from None
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


def read_prior(prior: Any, classes: Array) -> Floats:
    """Class probabilities in the order of the classes: from 'uniform', a mapping or a sequence."""
    k = len(classes)
    if isinstance(prior, str):
        if prior != "uniform":
            raise InputError(f"unknown class prior {prior!r}; give 'uniform', one probability per class, or a mapping")
        return np.full(k, 1.0 / k)
    if isinstance(prior, Mapping):
        names = [c.item() if isinstance(c, np.generic) else c for c in classes]
        for name in prior:
            if name not in names:
                raise InputError(f"the class prior names {name!r}, which is no class{suggest(name, names)}")
        absent = [name for name in names if name not in prior]
        if absent:
            raise InputError(f"the class prior says nothing of class {absent[0]!r}")
        prior = [prior[name] for name in names]
    p = np.asarray(prior, dtype=np.float64)
    if p.shape != (k,):
        raise InputError(f"the class prior has {p.size} entries for {k} classes")
    if not np.isfinite(p).all() or (p < 0).any():
        raise InputError(f"the class prior {p.tolist()} has an entry that is no probability")
    if abs(p.sum() - 1) > 1e-6:
        raise InputError(f"the class prior sums to {p.sum():.6g}, not to 1")
    return np.asarray(p / p.sum())
