"""Which values and options a family can take, and the message when it is given another.

A check is one pass over the data; NaN, a missing cell, is always allowed. Infinity never is.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cache
from typing import Any, Literal, get_args, get_origin, get_type_hints

import numpy as np

from likely.errors import CellError, InputError
from likely.numeric.arrays import Ints, frozen
from likely.numeric.kernels import outside as kernels

LARGEST = float(np.finfo(np.float64).max)


@dataclass(frozen=True)
class Support:
    """An interval of numbers, perhaps only the whole ones.

    >>> Support("counts must be 0, 1, 2, ...", whole=True).check(np.array([[1.0, 2.5]]))
    Traceback (most recent call last):
    ...
    likely.errors.CellError: row 0, column 1 holds 2.5: counts must be 0, 1, 2, ...
    """

    rule: str  # what the message says
    lowest: float = 0.0
    highest: float = LARGEST
    whole: bool = False

    def check(self, x: Any, features: int | None = None) -> Any:
        """The rows as floats in C order, or compressed sparse; refuse the first value that does not fit.

        With `features`, they must have that many columns.
        """
        if not isinstance(x, np.ndarray) and hasattr(x, "tocsr"):
            return self._check_sparse(x if features is None else checked_table(x, features))
        x = checked_table(np.asarray(x), features)
        kept = x.dtype in (np.float32, np.float64)
        x = np.ascontiguousarray(x, dtype=x.dtype if kept else np.float64)
        row, column = kernels.first_outside(frozen(x), self.lowest, self.highest, self.whole)
        if row >= 0:
            raise self._error(row, column, x[row, column])
        return x

    def _check_sparse(self, x: Any) -> Any:
        x = x.tocsr()
        if not x.has_canonical_format:
            x = x.copy()
            x.sum_duplicates()
        if x.dtype != np.float64:
            x = x.astype(np.float64)
        _, place = kernels.first_outside(frozen(x.data[None, :]), self.lowest, self.highest, self.whole)
        if place >= 0:
            row = int(np.searchsorted(x.indptr, place, side="right")) - 1
            raise self._error(row, int(x.indices[place]), x.data[place])
        return x

    def _error(self, row: int, column: int, value: float) -> CellError:
        return CellError(int(row), int(column), f"holds {float(value):g}: {self.rule}")


def checked_table(x: Any, features: int | None) -> Any:
    """Refuse what is not a table of that many columns: compiled code would read beyond its end.

    >>> checked_table(np.zeros((2, 3)), 4)
    Traceback (most recent call last):
    ...
    likely.errors.InputError: expected rows with 4 columns, got 3
    """
    if len(x.shape) != 2:
        raise InputError(f"rows must be a table with two axes (n, d), got {len(x.shape)} axes")
    if features is not None and x.shape[1] != features:
        raise InputError(f"expected rows with {features} columns, got {x.shape[1]}")
    return x


def every_cell(sizes: Sequence[int], most: int) -> Ints | None:
    """All combinations of features with so many values each, one a row; None where there are none or too many.

    >>> every_cell([2, 2], 10).tolist()
    [[0, 0], [0, 1], [1, 0], [1, 1]]
    """
    if 0 in sizes or np.prod(sizes, dtype=np.float64) > most:
        return None
    return np.stack([grid.ravel() for grid in np.indices(sizes)], axis=1)


BINARY = Support(
    "values must be 0 or 1; choose the kind 'count', 'numeric' or 'nominal' for this column", highest=1.0, whole=True
)
COUNTS = Support(
    "counts must be the whole numbers 0, 1, 2, ... (NaN for a missing cell); choose another kind for this column",
    whole=True,
)
EXACT_COUNTS = Support(
    "counts must be whole numbers from 0 to 2^53 (NaN for a missing cell); choose another kind for this column",
    highest=2.0**53,
    whole=True,
)
AMOUNTS = Support("values must be finite and not negative (NaN for a missing cell)")
POSITIVE = Support(
    "values must be finite and greater than 0 (NaN for a missing cell); choose another kind for this column",
    lowest=float(np.nextafter(0.0, 1.0)),
)


def check_width(alpha: float | Sequence[float], columns: int) -> None:
    """Refuse pseudo-counts that are neither one number nor one for each column."""
    if np.ndim(alpha) and len(np.ravel(alpha)) != columns:
        raise InputError(f"alpha has {len(np.ravel(alpha))} values for {columns} columns: give one number, or one each")


def check_options(family: Any) -> None:
    """Refuse an option that is none of the choices of its type, or a number that means nothing.

    >>> from likely.distributions import GaussianFamily
    >>> GaussianFamily(estimation="best")
    Traceback (most recent call last):
    ...
    likely.errors.InputError: estimation must be one of ml, map, bayes; got 'best'
    """
    for name, choices in _choices(family.__class__).items():
        value = getattr(family, name)
        rule, allowed = _NUMBERS.get(name, (f"one of {', '.join(choices)}", choices.__contains__))
        if value is not None and not allowed(value):
            raise InputError(f"{name} must be {rule}; got {value!r}")


_NUMBERS: dict[str, tuple[str, Callable[[Any], bool]]] = {
    "alpha": ("finite and not negative", lambda value: all(0 <= a < np.inf for a in np.ravel(value).tolist())),
    "m": ("finite and not negative", lambda value: 0 <= value < np.inf),
    "strength": ("positive and finite (for no prior use estimation='ml')", lambda value: 0 < value < np.inf),
    "shrinkage": (
        "between 0 and 1, or 'auto'",
        lambda value: value == "auto" or (isinstance(value, int | float) and 0 <= value <= 1),
    ),
    "reg_param": ("between 0 and 1", lambda value: isinstance(value, int | float) and 0 <= value <= 1),
    "var_smoothing": ("finite and not negative", lambda value: 0 <= value < np.inf),
    "ddof": ("0 or 1", lambda value: value in (0, 1)),
    "max_values": ("at least 4", lambda value: value >= 4),
}


@cache
def _choices(kind: type) -> dict[str, tuple[Any, ...]]:
    """The options of a family that are checked, with the choices that they have."""
    hints = get_type_hints(kind)
    named = {name: get_args(hint) for name, hint in hints.items() if get_origin(hint) is Literal}
    return {**named, **{name: () for name in hints if name in _NUMBERS}}
