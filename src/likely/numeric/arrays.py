"""The array types that the package speaks of, how shapes are written, and a read-only view for kernels."""

from collections.abc import Mapping
from typing import Any, TypeAlias

import numpy as np
from numpy.typing import ArrayLike, NDArray

from likely.errors import InputError

Array: TypeAlias = NDArray[Any]
Floats: TypeAlias = NDArray[np.float64]
Ints: TypeAlias = NDArray[np.int64]
PerRow: TypeAlias = ArrayLike | None  # what a user may give for each row: weights, groups
Shapes: TypeAlias = Mapping[str, str]  # of fields, as in {"mean": "k d", "variance": "k d | 1 d"}


def as_floats(x: Any, what: str = "the data") -> Floats:
    """An array of any shape, NaN and infinities left in it; `what` says in the message what should have been numbers.

    >>> as_floats([1, "a"], "the weights")
    Traceback (most recent call last):
    ...
    likely.errors.InputError: the weights must be numbers: could not convert string to float: 'a'
    """
    try:
        return np.asarray(x, dtype=np.float64)
    except (TypeError, ValueError, OverflowError) as error:
        raise InputError(f"{what} must be numbers: {error}") from None


def frozen(x: Array) -> Array:
    """A read-only view: kernels compile one version for it, whether or not the caller's array is writable."""
    view = x.view()
    view.flags.writeable = False
    return view


def rising(values: Array) -> bool:
    """Whether these are finite numbers in one dimension, each larger than the one before."""
    if values.ndim != 1 or values.dtype not in (np.float64, np.int64):
        return False
    return bool(np.isfinite(values).all() and (values[1:] > values[:-1]).all())
