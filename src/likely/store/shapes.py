"""Whether the arrays of a statistic or a distribution fit together: compiled code does not look before it reads.

A class says the shapes of its arrays in `shapes`, as in {"mean": "k d", "variance": "k d | 1 d"}. k is the number of
groups, d of features, any other letter whatever the first array that has it says, and "k*r" a product. A field that is
no array is itself a value of so many groups and features. What its numbers may be stands in `ranges`, as in
{"probability": (0.0, 1.0)}; NaN is a number that is not known. What neither can say `misfit` does: given the sizes of
all letters, it names the first field that does not fit the rest.
"""

from dataclasses import fields
from math import prod
from typing import Any

import numpy as np

from likely.errors import InputError
from likely.statistics import Additive
from likely.store.files.hashes import check_hashes

_ROUNDING = 1e-9


def check_statistic(statistic: object, k: int, d: int) -> None:
    """Refuse a statistic that is not of k groups and d features, or that no data can have.

    >>> from likely.statistics import Totals
    >>> check_statistic(Totals(np.ones(2), np.ones((2, 3)), np.ones((2, 1))), 2, 3)
    Traceback (most recent call last):
    ...
    likely.errors.InputError: Totals.sum has shape (2, 1), not (2, 3)
    """
    if not isinstance(statistic, Additive):
        raise InputError(f"{type(statistic).__name__} stands where a statistic should")
    check_fit(statistic, k, d)
    for field in fields(statistic):
        array = getattr(statistic, field.name)
        if not isinstance(array, np.ndarray):
            continue
        missing = np.isnan(array) if field.metadata.get("gaps") else False
        if not (np.isfinite(array) | missing).all():
            raise _wrong(statistic, field.name, "holds infinity or NaN")
        if field.metadata.get("role") == "tally" and array.min(initial=0) < 0:
            raise _wrong(statistic, field.name, "counts fewer than zero")


def check_fit(value: object, k: int, d: int) -> None:
    """Refuse a value whose arrays are not those of k groups and d features."""
    size = {"1": 1, "k": k, "d": d}
    for field, shapes in _shapes_of(type(value)).items():
        found, allowed = getattr(value, field), [shape.split() for shape in shapes.split("|")]
        if not isinstance(found, np.ndarray):
            check_fit(found, *(prod(size[letter] for letter in side.split("*")) for side in allowed[0]))
            continue
        if found.dtype not in (np.float64, np.float32, np.int64):
            raise _wrong(value, field, f"has type {found.dtype}")
        for letter, side in zip(allowed[0], found.shape, strict=False):
            size.setdefault(letter, side)
        known = [tuple(size.get(letter, -1) for letter in shape) for shape in allowed]
        if found.shape not in known:
            raise _wrong(value, field, f"has shape {found.shape}, not {' or '.join(map(str, known))}")
    for field, (low, high) in getattr(type(value), "ranges", {}).items():
        found = getattr(value, field)
        if ((found < low - _ROUNDING) | (found > high + _ROUNDING)).any():
            raise _wrong(value, field, f"holds numbers that are not between {low:g} and {high:g}")
    for names in getattr(value, "levels", None) or ():
        check_hashes(names)
    wrong = value.misfit(size) if hasattr(value, "misfit") else None
    if wrong is not None:
        raise _wrong(value, wrong, "does not fit the rest")


def _shapes_of(kind: type[Any]) -> dict[str, str]:
    """Those of the class and of what it is made from."""
    return {name: shape for made in reversed(kind.__mro__) for name, shape in vars(made).get("shapes", {}).items()}


def _wrong(value: object, field: str, why: str) -> InputError:
    return InputError(f"{type(value).__name__}.{field} {why}")
