"""The array types that the package speaks of, how shapes are written, and a read-only view for kernels."""

from collections.abc import Mapping
from typing import Any, TypeAlias

import numpy as np
from numpy.typing import NDArray

Array: TypeAlias = NDArray[Any]
Floats: TypeAlias = NDArray[np.float64]
Ints: TypeAlias = NDArray[np.int64]
Shapes: TypeAlias = Mapping[str, str]  # of fields, as in {"mean": "k d", "variance": "k d | 1 d"}


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
