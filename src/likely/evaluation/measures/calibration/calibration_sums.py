"""What calibrated probabilities add up to: the number of positives, and nothing left that a feature explains.

    sum property            sum_i p_i = number of positives
    feature-wise property   sum_i (y_i - p_i) x_ij = 0 for every feature j; for a bit, the mean prediction where it is 1
                            is the share of positives there

Logistic regression with an offset has both on its training rows, exactly; logistic calibration has both for the score
that it maps, and isotonic calibration without smoothing the first. Smoothing (the default of the isotonic map, pseudo-
counts, a penalty) gives exactness up. On new rows, or for a model that was not fitted so, the sums are off by chance:
if the probabilities are right, y_i - p_i has mean 0 and variance p_i (1 - p_i), and

    z_j = sum_i (y_i - p_i) x_ij / sqrt(sum_i p_i (1 - p_i) x_ij^2)

is close to a standard normal number. A model with large z is not calibrated, however well it ranks.
"""

from collections.abc import Hashable, Iterator
from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import ArrayLike

from likely.data.accepted import TableLike, TargetLike
from likely.data.labels.target import Target, read_target
from likely.data.printing.html_table import text_as_html
from likely.data.printing.wording import amount
from likely.errors import InputError
from likely.evaluation.judged_input import read_ranking
from likely.numeric.arrays import Array, Floats, PerRow, in_brief

_SHOWN = 10  # features in print


@dataclass(frozen=True)
class CalibrationSums:
    """Expected and observed positives, and what is left of each feature."""

    expected: float  # sum of the probabilities
    observed: float  # number of positives
    standard_error: float  # of their difference, if the probabilities are right
    features: tuple[str, ...]  # numbers and bits by name, levels as name=level
    residuals: Floats  # (d,)  sum of (y - p) x
    errors: Floats  # (d,)  standard errors of the residuals, if the probabilities are right
    sizes: Floats  # (d,)  sum of |x|; of a bit, in how many rows it is 1
    said: Floats  # (d,)  of a bit, the mean probability where it is 1; NaN of other features
    came_true: Floats  # (d,)  and the share of positives there

    __repr__ = in_brief

    @property
    def z(self) -> float:
        """How far the sum is off, in standard errors."""
        return float(_in_units(np.array(self.observed - self.expected), np.array(self.standard_error)))

    @property
    def feature_z(self) -> Floats:
        """How much each feature still explains, in standard errors (d,)."""
        return _in_units(self.residuals, self.errors)

    def sum_holds(self, tolerance: float = 1e-6) -> bool:
        """Whether the probabilities sum to the number of positives, to a share of it: exactly, and not by chance."""
        return abs(self.expected - self.observed) <= tolerance * max(self.observed, 1.0)

    def features_hold(self, tolerance: float = 1e-6) -> bool:
        """Whether nothing is left that a feature explains, to a share of the sum of its absolute values."""
        return bool((np.abs(self.residuals) <= tolerance * self.sizes).all())

    def __str__(self) -> str:
        lines = [f"expected {self.expected:.6g} positives, observed {self.observed:.6g} (z = {self.z:.2f})"]
        order = np.argsort(-np.abs(self.feature_z), kind="stable")[:_SHOWN]
        for j in order:
            bit = f"; said {self.said[j]:.3f}, came true {self.came_true[j]:.3f} of {amount(self.sizes[j])} rows"
            known = "" if np.isnan(self.said[j]) else bit
            lines.append(f"{self.features[j]}: {self.residuals[j]:.4g} left (z = {self.feature_z[j]:.2f}){known}")
        more = len(self.features) - len(order)
        return "\n".join(lines + ([f"and {more} more with smaller z"] if more else []))

    _repr_html_ = text_as_html


def calibration_sums(
    y: TargetLike,
    probability: ArrayLike,
    X: TableLike | None = None,
    pos_label: Hashable = None,
    sample_weight: PerRow = None,
) -> CalibrationSums:
    """Calibration-in-the-large: positives expected and observed, and the residuals that features (n, d) still explain.

    `probability` (n,) is that of `pos_label`, the second of two classes unless told otherwise. X is a matrix, also a
    sparse one (a bag of words, say), or a table, whose nominal columns are judged level by level. Missing cells are
    left out.

    >>> import polars as pl
    >>> people = pl.DataFrame({"age": [1, 2, 3, 4], "sex": ["f", "m", "f", "m"]})
    >>> found = calibration_sums([0, 0, 1, 1], [0.1, 0.3, 0.7, 0.9], people)
    >>> print(found)
    expected 2 positives, observed 2 (z = 0.00)
    sex=f: 0.2 left (z = 0.37); said 0.400, came true 0.500 of 2 rows
    sex=m: -0.2 left (z = -0.37); said 0.600, came true 0.500 of 2 rows
    age: 0.6 left (z = 0.29)
    >>> found.sum_holds(), found.features_hold()
    (True, False)
    """
    read = read_ranking(y, probability, pos_label, sample_weight)
    p, truth = np.asarray(read.score, dtype=np.float64), np.asarray(read.positive, dtype=np.float64)
    if ((p < 0) | (p > 1)).any():
        raise InputError("probabilities lie between 0 and 1")
    weight = np.ones(len(p)) if read.weight is None else np.asarray(read.weight, dtype=np.float64)
    rows = _Rows(p, truth, weight)
    parts = [_Sums((), *np.zeros((5, 0))), *_features(X, rows)]
    names = tuple(name for part in parts for name in part.names)
    residual, variance, size, said, true = map(np.concatenate, zip(*(part[1:] for part in parts), strict=True))
    error = float(np.sqrt(rows.variance.sum()))
    return CalibrationSums(
        float(weight @ p), float(weight @ truth), error, names, residual, np.sqrt(variance), size, said, true
    )


class _Rows(NamedTuple):
    """What was said of the rows, and what came true."""

    p: Floats  # (n,)
    truth: Floats  # (n,)
    weight: Floats  # (n,)

    @property
    def residual(self) -> Floats:
        return np.asarray(self.weight * (self.truth - self.p))

    @property
    def variance(self) -> Floats:
        return np.asarray(self.weight**2 * (self.p * (1 - self.p)))


class _Sums(NamedTuple):
    """Sums over the rows for some features (d,), in the order of the fields of `CalibrationSums`."""

    names: tuple[str, ...]
    residual: Floats
    variance: Floats
    size: Floats
    said: Floats
    came_true: Floats


def _features(X: TableLike | None, rows: _Rows) -> Iterator[_Sums]:
    if X is None:
        return
    from likely.data.frames import is_frame, to_polars  # and with it Polars, where there is a table

    if not is_frame(X):
        x = X.tocsr() if hasattr(X, "tocsr") else np.asarray(X, dtype=np.float64)
        x = x[:, None] if x.ndim == 1 else x
        _check_rows(x.shape[0], rows)
        yield _of_numbers(tuple(map(str, range(x.shape[1]))), x, rows)
        return
    import polars as pl

    frame = to_polars(X)
    _check_rows(frame.height, rows)
    for column in frame.get_columns():
        if column.dtype.is_numeric() or column.dtype == pl.Boolean:
            yield _of_numbers((column.name,), column.cast(pl.Float64).to_numpy()[:, None], rows)
        else:
            yield _of_levels(column.name, read_target(column), rows)


def _of_numbers(names: tuple[str, ...], x: Any, rows: _Rows) -> _Sums:
    """Of a matrix (n, d), dense with NaN for missing cells, or sparse."""
    if isinstance(x, np.ndarray):
        bit = ((x == 0) | (x == 1) | np.isnan(x)).all(axis=0)
        x = np.where(np.isnan(x), 0.0, x)
    else:
        odd = (x.data != 0) & (x.data != 1)
        bit = np.bincount(x.indices[odd], minlength=x.shape[1]) == 0
    size, said, true = (np.asarray((rows.weight * part) @ abs(x)) for part in (1.0, rows.p, rows.truth))
    some = bit & (size > 0)
    share = [np.where(some, part / np.where(some, size, 1.0), np.nan) for part in (said, true)]
    return _Sums(names, np.asarray(rows.residual @ x), np.asarray(rows.variance @ (x * x)), size, *share)


def _of_levels(name: str, column: Target, rows: _Rows) -> _Sums:
    """Of the indicators of a column's levels; a missing cell has none."""
    known, k = column.codes >= 0, len(column.classes)

    def by_level(values: Floats) -> Floats:
        return np.asarray(np.bincount(column.codes[known], weights=values[known], minlength=k), dtype=np.float64)

    size = by_level(rows.weight)
    share = [by_level(rows.weight * part) / size for part in (rows.p, rows.truth)]
    levels = tuple(f"{name}={level}" for level in column.classes)
    return _Sums(levels, by_level(rows.residual), by_level(rows.variance), size, *share)


def _check_rows(found: int, rows: _Rows) -> None:
    if found != len(rows.p):
        raise InputError(f"X has {found} rows, the probabilities {len(rows.p)}")


def _in_units(value: Array, error: Array) -> Floats:
    """Values in standard errors; 0 where both are nothing, infinite where only the error is."""
    with np.errstate(invalid="ignore", divide="ignore"):
        return np.where(value == 0, 0.0, value / error)
