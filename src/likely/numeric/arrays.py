"""The array types that the package speaks of, how shapes are written, a read-only view for kernels, arrays in brief."""

from collections.abc import Mapping
from dataclasses import fields
from typing import TYPE_CHECKING, Any, TypeAlias

import numpy as np
from numpy.typing import ArrayLike, NDArray

from likely.errors import InputError

if TYPE_CHECKING:
    from scipy.sparse import csr_array, csr_matrix

Array: TypeAlias = NDArray[Any]
Floats: TypeAlias = NDArray[np.float64]
Ints: TypeAlias = NDArray[np.int64]
if TYPE_CHECKING:
    Matrix: TypeAlias = Array | csr_matrix[Any] | csr_array[Any]
else:

    class Matrix:
        """Rows (n, d), dense or compressed sparse: a name for signatures, nothing is made of it."""


PerRow: TypeAlias = ArrayLike | None  # what a user may give for each row: weights, groups
Shapes: TypeAlias = Mapping[str, str]  # of fields, as in {"mean": "k d", "variance": "k d | 1 d"}
Ranges: TypeAlias = Mapping[str, tuple[float, float]]  # of what fields may hold, besides NaN
SHARES, NOT_NEGATIVE, LOG_SHARES = (0.0, 1.0), (0.0, float("inf")), (float("-inf"), 0.0)
_FEW = 12  # numbers that a repr shows
_LONGEST_REPR = 200  # characters of anything else


def as_floats(x: object, what: str = "the data") -> Floats:
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


def dense(x: Any) -> Array:
    """The rows of an array or of a sparse matrix, as an array.

    >>> from scipy.sparse import csr_matrix
    >>> dense(csr_matrix([[0.0, 2.0]])).tolist()
    [[0.0, 2.0]]
    """
    return np.asarray(x.toarray() if hasattr(x, "indptr") else x)


def squared_lengths(x: Any) -> Floats:
    """The squared length of each row (n,) of an array or a sparse matrix.

    >>> squared_lengths(np.array([[3.0, 4.0]])).tolist()
    [25.0]
    """
    return np.asarray(x.multiply(x).sum(axis=1)).ravel() if hasattr(x, "indptr") else np.einsum("ij,ij->i", x, x)


def rising(values: Array) -> bool:
    """Whether these are finite numbers in one dimension, each larger than the one before."""
    if values.ndim != 1 or values.dtype not in (np.float64, np.int64):
        return False
    return bool(np.isfinite(values).all() and (values[1:] > values[:-1]).all())


def in_brief(value: Any) -> str:
    """The repr of a dataclass that holds arrays: a short one as a list, a long one by its shape alone.

    >>> from dataclasses import dataclass
    >>> @dataclass
    ... class Curve:
    ...     points: Any
    ...     name: str
    ...     __repr__ = in_brief
    >>> Curve(np.zeros((500, 2)), "a curve"), Curve(np.array([1, 2]), "short")
    (Curve(points=<500 x 2 numbers>, name='a curve'), Curve(points=[1, 2], name='short'))
    """
    told = (f"{field.name}={_brief(getattr(value, field.name))}" for field in fields(value) if field.repr)
    return f"{type(value).__name__}({', '.join(told)})"


def _brief(value: object) -> str:
    if not isinstance(value, np.ndarray):
        text = repr(value)
        return text if len(text) <= _LONGEST_REPR else f"<{type(value).__name__}>"
    if value.size <= _FEW:
        return str(value.tolist())
    return f"<{' x '.join(map(str, value.shape))} {'numbers' if value.dtype.kind in 'iufb' else 'values'}>"
