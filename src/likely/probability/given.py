"""Numbers and probabilities as users give them: read with an error that says what is wrong, given back as they came."""

from collections.abc import Hashable, Mapping
from typing import Any, TypeAlias

import numpy as np
from numpy.typing import ArrayLike

from likely.errors import InputError
from likely.numeric.arrays import Floats, as_floats

ProbabilitiesLike: TypeAlias = ArrayLike | Mapping[Any, float]

SLACK = 1e-6  # how far from 1 a sum may be


def read_distribution(p: ProbabilitiesLike, what: str = "the probabilities") -> tuple[tuple[Hashable, ...], Floats]:
    """Names and probabilities of finitely many outcomes; the outcomes of a sequence are called 0, 1, ...

    >>> read_distribution({"ham": 0.75, "spam": 0.25})
    (('ham', 'spam'), array([0.75, 0.25]))
    """
    names = tuple(p) if isinstance(p, Mapping) else None
    values = read_probabilities(p, -1, what)
    if values.ndim != 1:
        raise InputError(f"{what} are a mapping or a plain list of numbers, got an array of shape {values.shape}")
    return names if names is not None else tuple(range(len(values))), values


def read_probabilities(p: ProbabilitiesLike, axis: int | None = -1, what: str = "the probabilities") -> Floats:
    """An array whose entries are not negative and sum to 1 along the axis (None: all of them), but for rounding.

    >>> read_probabilities([[0.5, 0.5], [1, 0]])
    array([[0.5, 0.5],
           [1. , 0. ]])
    """
    values = read_numbers(p, what)
    if values.size == 0 or values.ndim == 0:
        raise InputError(f"{what} are at least one number in a list, got {p!r:.60}")
    outside = (values < 0) | (values > 1 + SLACK)
    if outside.any():
        raise InputError(f"{what} hold {values[outside].flat[0]:g}, which is not between 0 and 1")
    total = values.sum(axis=axis, keepdims=True)
    off = np.abs(total - 1) > SLACK
    if off.any():
        raise InputError(
            f"{what} sum to {total[off].flat[0]:.6g}, not to 1; correct them, or divide them by their sum if they are "
            "weights or counts"
        )
    rounded = np.abs(total - 1) <= 1e-12 * max(values.size, 1)  # to divide by that would move powers of 1/2
    return np.asarray(values / np.where(rounded, 1.0, total))


def read_numbers(x: ProbabilitiesLike, what: str) -> Floats:
    """Finite numbers, of a mapping its values.

    >>> read_numbers({"a": 1, "b": 2}, "the counts")
    array([1., 2.])
    """
    values = as_floats(list(x.values()) if isinstance(x, Mapping) else x, what)
    if not np.isfinite(values).all():
        raise InputError(f"{what} hold {values[~np.isfinite(values)].flat[0]}, which is no number to use")
    return values


def number(value: Any, what: str) -> float:
    """One number, NaN and infinities among them.

    >>> number(3, "the mean")
    3.0
    """
    if value is None or isinstance(value, str | bytes) or np.ndim(as_floats(value, what)):
        raise InputError(f"{what} must be one number, got {value!r:.60}")
    return float(value)


def labelled(data: Any) -> list[tuple[Any, Any]] | None:
    """Pairs (label, value) of a mapping, or of a pandas Series that has labels of its own; None for anything else.

    >>> labelled({"a": 3}), labelled([3])
    ([('a', 3)], None)
    """
    if isinstance(data, Mapping):
        return list(data.items())
    index = getattr(data, "index", None)
    if index is None or callable(index) or not hasattr(index, "tolist") or type(index).__name__ == "RangeIndex":
        return None
    return list(zip(index.tolist(), np.asarray(data).tolist(), strict=True)) if np.ndim(data) == 1 else None


def plain(values: object) -> Any:
    """An array as it is, and a single number as a Python float.

    >>> plain(np.array(0.5)), plain(np.array([0.5, 1.0]))
    (0.5, array([0.5, 1. ]))
    """
    array = np.asarray(values, dtype=np.float64)
    return array if array.ndim else float(array)
