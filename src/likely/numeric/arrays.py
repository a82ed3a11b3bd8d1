"""The array types that the package speaks of, and a read-only view for kernels."""

from typing import Any, TypeAlias

import numpy as np
from numpy.typing import NDArray

Array: TypeAlias = NDArray[Any]
Floats: TypeAlias = NDArray[np.float64]
Ints: TypeAlias = NDArray[np.int64]


def frozen(x: Array) -> Array:
    """A read-only view: kernels compile one version for it, whether or not the caller's array is writable."""
    view = x.view()
    view.flags.writeable = False
    return view
