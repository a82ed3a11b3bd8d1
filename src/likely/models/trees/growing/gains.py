"""What a column tells of the classes, in bits: of all its values at once, and of each threshold.

    gain = H(Y) - sum over values v of (N_v / N) H(Y | v)      the mutual information of class and column

Divided by the entropy of the column itself it is the gain ratio (Quinlan 1986); divided by the entropy that is left it
is the normalised gain, which a column that tells the class for certain makes infinite.
"""

from dataclasses import dataclass
from math import inf, nan
from typing import Any

import numpy as np

from likely.data.accepted import TargetLike
from likely.data.labels.target import read_amounts, read_target
from likely.data.labels.weights import read_weight
from likely.errors import InputError
from likely.numeric.arrays import Floats, Matrix, PerRow
from likely.numeric.logspace import log_of


@dataclass(frozen=True)
class ColumnGain:
    """Bits that the values of a column tell of the class."""

    entropy: float  # of the classes
    conditional: float  # what is left when the value is known
    split_information: float  # entropy of the values

    @property
    def gain(self) -> float:
        return self.entropy - self.conditional

    @property
    def gain_ratio(self) -> float:
        """Gain over split information; NaN of a column with one value."""
        return self.gain / self.split_information if self.split_information > 0 else nan

    @property
    def normalized_gain(self) -> float:
        """Gain over what is left; infinite where nothing is."""
        if self.conditional > 0:
            return self.gain / self.conditional
        return inf if self.gain > 0 else nan


def column_gain(x: Matrix, y: TargetLike, sample_weight: PerRow = None) -> ColumnGain:
    """What all values of a column tell together: a test with a branch for each.

    >>> found = column_gain(["sun", "sun", "rain", "rain"], ["no", "no", "yes", "no"])
    >>> round(found.gain, 4), round(found.gain_ratio, 4)
    (0.3113, 0.3113)
    """
    values, target = read_target(x), read_target(y)
    if len(values.codes) != len(target.codes):
        raise InputError(f"x has {len(values.codes)} rows and y {len(target.codes)}: one class for each value")
    weight = read_weight(sample_weight, len(target.codes))
    known = (values.codes >= 0) & (target.codes >= 0)
    if not known.any():
        raise InputError("no row has both a value and a class")
    table = np.zeros((len(values.classes), len(target.classes)))
    np.add.at(table, (values.codes[known], target.codes[known]), 1.0 if weight is None else weight[known])
    rows = table.sum(axis=1)
    left = float(sum(n * entropy_bits(of) for n, of in zip(rows, table, strict=True) if n > 0) / rows.sum())
    return ColumnGain(entropy_bits(table.sum(axis=0)), left, entropy_bits(rows))


@dataclass(frozen=True)
class ThresholdGains:
    """What each threshold of a column of numbers gains."""

    threshold: Floats  # (t,)  midpoints of neighbouring values
    gain: Floats  # (t,)  bits

    @property
    def best(self) -> float:
        """The threshold of the largest gain; the lowest of equally good ones."""
        if not len(self.gain):
            raise InputError("a column of one value has no threshold")
        return float(self.threshold[int(np.argmax(self.gain > self.gain.max() - 1e-12))])


def threshold_gains(x: Matrix, y: TargetLike, sample_weight: PerRow = None) -> ThresholdGains:
    """The candidate thresholds of a column, halfway between neighbouring values, and the bits that each gains.

    >>> found = threshold_gains([1, 2, 4, 7, 9], ["a", "a", "b", "b", "b"])
    >>> found.threshold.tolist(), found.gain.round(3).tolist(), found.best
    ([1.5, 3.0, 5.5, 8.0], [0.322, 0.971, 0.42, 0.171], 3.0)
    """
    values, target = read_amounts(x), read_target(y)
    if len(values) != len(target.codes) or target.hidden:
        raise InputError(f"{len(values)} values need as many classes, none of them missing; got {len(target.codes)}")
    weight = read_weight(sample_weight, len(values))
    levels, place = np.unique(values, return_inverse=True)
    table = np.zeros((len(levels), len(target.classes)))
    np.add.at(table, (place, target.codes), 1.0 if weight is None else weight)
    left = table.cumsum(axis=0)[:-1]
    total = table.sum(axis=0)
    gain = (_bits(total) - _bits(left) - _bits(total - left)) / total.sum()
    return ThresholdGains(np.asarray(levels[:-1] / 2 + levels[1:] / 2), np.maximum(gain, 0.0))


def entropy_bits(counts: Floats) -> float:
    """Entropy of shares that are as these counts."""
    total = float(counts.sum())
    return float(_bits(counts) / total) if total > 0 else 0.0


def _bits(counts: Floats) -> Any:
    """N log2 N - sum of n log2 n: N times the entropy."""
    total = counts.sum(axis=-1)
    with np.errstate(invalid="ignore"):
        each = np.where(counts > 0, counts * log_of(counts), 0.0).sum(axis=-1)
        return (np.where(total > 0, total * log_of(total), 0.0) - each) / np.log(2)
