"""Numbers as users give them: read with an error that says what is wrong, and given back in the form they came in."""

from collections.abc import Mapping
from typing import Any

import numpy as np

from likely.errors import InputError
from likely.numeric.arrays import Floats


def numbers(data: Any, what: str = "the data") -> Floats:
    """An array of any shape; NaN and infinities are left in it.

    >>> numbers([1, 2.5])
    array([1. , 2.5])
    """
    try:
        return np.asarray(data, dtype=np.float64)
    except (TypeError, ValueError, OverflowError):
        raise InputError(f"{what} must be numbers, got {data!r:.60}") from None


def number(value: Any, what: str) -> float:
    """One number, NaN and infinities among them.

    >>> number(3, "the mean")
    3.0
    """
    if value is None or isinstance(value, str | bytes) or np.ndim(numbers(value, what)):
        raise InputError(f"{what} must be one number, got {value!r:.60}")
    return float(value)


def plain(values: Any) -> Any:
    """A Python number for a single one, an array otherwise.

    >>> plain(np.array(0.5)), plain(np.array([0.5]))
    (0.5, array([0.5]))
    """
    found = np.asarray(values)
    return found if found.ndim else found.item()


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
