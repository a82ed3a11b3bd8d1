"""Reliability: among the rows that were given probability about p, how many were positive?

Rows are put in bins by their prediction; each bin has its count, its mean prediction and its share of positives with
exact binomial limits (Clopper & Pearson 1934):

    low = B(tail; m, n - m + 1),   high = B(1 - tail; m + 1, n - m)      quantiles of the beta distribution

m positives of n, tail = (1 - confidence) / 2, and 0 or 1 where m is 0 or n. Bins without rows are left out.
"""

from collections.abc import Hashable, Sequence
from dataclasses import dataclass
from typing import Any, Literal, Self, TypeAlias

import numpy as np
from numpy.typing import ArrayLike

from likely.data.features.labels import indices
from likely.data.inputs import suggest
from likely.data.labels.weights import read_weight
from likely.errors import InputError, check_whole
from likely.intervals.proportions import proportion_bounds
from likely.intervals.quantiles import check_confidence
from likely.numeric.arrays import Array, Floats, Ints, PerRow, in_brief
from likely.numeric.kernels.sums.cut_points import frequency_cuts, midway

Strategy: TypeAlias = Literal["quantile", "uniform"]


@dataclass(frozen=True)
class Reliability:
    """A calibration curve: bins of predictions, rising, with the share of positives in each."""

    low: Floats  # (b,)  lower edge
    high: Floats  # (b,)  upper edge
    count: Ints  # (b,)  rows in each bin
    mean_prediction: Floats  # (b,)  mean predicted probability in each bin
    share: Floats  # (b,)  of positives
    share_low: Floats  # (b,)  lower end of the share's interval
    share_high: Floats  # (b,)  upper end of the share's interval
    confidence: float
    strategy: str  # how the bins were made

    __repr__ = in_brief

    def __len__(self) -> int:
        return len(self.count)


def reliability(
    y: Any,
    p: ArrayLike,
    n_bins: int = 10,
    strategy: Strategy = "quantile",
    pos_label: Hashable = None,
    classes: Sequence[Hashable] | None = None,
    confidence: float = 0.95,
    edges: Sequence[float] | Array | None = None,
    sample_weight: PerRow = None,
) -> Reliability:
    """The reliability table (calibration curve): shares of positives by predicted probability.

    p (n,) is the probability of the class `pos_label`, by default the last of the two sorted labels of y. With p (n, k)
    it is the column of the positive class; where none is named and there are more than two, the highest probability of
    each row is held against how often that class was right. `classes` names the columns; the sorted labels otherwise.

    Bins are made by "quantile" (about equally many rows each; equal predictions stay together) or are "uniform" (of
    equal width), unless their `edges` are given. With weights, shares and means are of weighted rows, and
    intervals of the rows of equal weight that tell as much; `count` is of rows.

    >>> table = reliability([0, 0, 1, 0, 1, 1], [0.1, 0.2, 0.3, 0.6, 0.7, 0.9], n_bins=2)
    >>> table.count, table.share.round(3), table.share_low.round(3), table.share_high.round(3)
    (array([3, 3]), array([0.333, 0.667]), array([0.008, 0.094]), array([0.906, 0.992]))
    """
    check_confidence(confidence)
    prediction, truth = _read(y, p, pos_label, classes)
    weight = read_weight(sample_weight, len(truth))
    cuts = bin_edges(prediction, weight, n_bins, strategy) if edges is None else _given(edges, prediction)
    bins = Bins.of(prediction, truth, weight, cuts)
    counted = Bins.of(prediction, truth, None if weight is None else (weight > 0).astype(np.float64), cuts)
    count = counted.weight.astype(np.int64)
    hits = np.rint(bins.share * count) if weight is None else bins.share * bins.rows
    ends = proportion_bounds(hits, bins.rows, confidence, "exact")
    made = strategy if edges is None else "given"
    return Reliability(
        cuts[bins.place], cuts[bins.place + 1], count, bins.probability, bins.share, *ends, confidence, made
    )


@dataclass(frozen=True)
class Bins:
    """Rows grouped by their probability; bins without rows are left out."""

    place: Ints  # (b,)  among all bins
    low: Floats  # (b,)  smallest probability in the bin
    high: Floats  # (b,)
    weight: Floats  # (b,)  sum of the rows' weights
    rows: Floats  # (b,)  effective number of rows
    probability: Floats  # (b,)  mean
    share: Floats  # (b,)  of events

    @classmethod
    def of(cls, probability: Floats, event: Array, weight: Floats | None, edges: Floats) -> Self:
        """Group rows between edges; `event` is True where what the probability was for came true."""
        w = np.ones(len(event)) if weight is None else weight
        used = w > 0
        p, e, w = probability[used], event[used], w[used]
        place = np.searchsorted(edges[1:-1], p, side="right")
        total = np.bincount(place, weights=w)
        full = np.flatnonzero(total > 0)
        sums = [np.bincount(place, weights=v)[full].astype(np.float64) for v in (w, w**2, w * p, w * e)]
        low, high = np.full(len(total), np.inf), np.full(len(total), -np.inf)
        np.minimum.at(low, place, p)
        np.maximum.at(high, place, p)
        means = sums[2] / sums[0], sums[3] / sums[0]
        return cls(full, low[full], high[full], sums[0], sums[0] ** 2 / sums[1], *means)

    @property
    def variance(self) -> Floats:
        """Of the share of events in each bin; 1/4, the largest possible, for a bin of one row."""
        with np.errstate(divide="ignore", invalid="ignore"):
            return np.asarray(np.where(self.rows > 1, self.share * (1 - self.share) / (self.rows - 1), 0.25))


def bin_edges(prediction: Floats, weight: Floats | None, n_bins: int, strategy: Strategy) -> Floats:
    """Edges from 0 to 1 of bins of about equal weight, or of equal width."""
    if strategy not in ("quantile", "uniform"):
        raise InputError(f"unknown strategy={strategy!r}; choose 'quantile' or 'uniform'")
    check_whole("n_bins", n_bins)
    if strategy == "uniform":
        return np.linspace(0.0, 1.0, n_bins + 1)
    distinct, place = np.unique(prediction, return_inverse=True)
    amount = np.bincount(place, weights=weight)
    distinct, amount = distinct[amount > 0], amount[amount > 0]
    if len(distinct) == 1 or n_bins == 1:
        return np.array([0.0, 1.0])
    inner = midway(distinct, frequency_cuts(amount, min(n_bins, len(distinct))))
    return np.concatenate([[0.0], inner, [1.0]])


def _read(y: Any, p: ArrayLike, pos_label: Hashable, classes: Sequence[Hashable] | None) -> tuple[Floats, Array]:
    prediction = np.asarray(p, dtype=np.float64)
    if prediction.ndim not in (1, 2) or len(prediction) == 0:
        raise InputError(f"predictions are probabilities (n,) or (n, k), got shape {prediction.shape}")
    wrong = ~((prediction >= 0) & (prediction <= 1))
    if wrong.any():
        row = int(np.flatnonzero(wrong if prediction.ndim == 1 else wrong.any(axis=1))[0])
        raise InputError(f"the prediction of row {row} is {prediction[row]}; it must be a probability")
    codes, names = indices(y, classes)
    if len(codes) != len(prediction):
        raise InputError(f"there are {len(prediction)} predictions and {len(codes)} labels")
    k = 2 if prediction.ndim == 1 else prediction.shape[1]
    if len(names) > k or (prediction.ndim == 2 and len(names) != k):
        raise InputError(f"predictions for {k} classes cannot be held against the {len(names)} of y; give classes=")
    if pos_label is None and prediction.ndim == 2 and k > 2:
        best = prediction.argmax(axis=1)
        return prediction[np.arange(len(best)), best], codes == best
    if pos_label is None and len(names) < 2:
        raise InputError(f"y holds one class, {names[0]!r}; say which class is positive")
    if pos_label is not None and pos_label not in names:
        if len(names) < 2:
            return prediction, np.zeros(len(codes), dtype=bool)
        raise InputError(f"the positive class {pos_label!r} is not among the labels{suggest(pos_label, names)}")
    place = len(names) - 1 if pos_label is None else names.index(pos_label)
    return prediction if prediction.ndim == 1 else prediction[:, place], codes == place


def _given(edges: Any, prediction: Floats) -> Floats:
    cuts = np.asarray(edges, dtype=np.float64)
    if cuts.ndim != 1 or len(cuts) < 2 or not (np.diff(cuts) > 0).all():
        raise InputError(f"the edges of bins are two or more rising numbers, got {edges!r}")
    if cuts[0] > prediction.min() or cuts[-1] < prediction.max():
        raise InputError(f"the bins from {cuts[0]} to {cuts[-1]} do not hold every prediction; begin at 0, end at 1")
    return cuts
