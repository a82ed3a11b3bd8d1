"""The interval of a measure of a confusion matrix, by the method that suits it.

- A share of rows (recall, precision, accuracy, and F1 as a function of one) is binomial given the rows it is taken
  among: Wilson. Pooled over classes, only those shares are that count each row once: accuracy, recall, precision.
- Anything else: the delta method.
- With groups, anything: the cluster bootstrap, whole groups drawn again. Where no replicate differs (every group all
  right), the bootstrap sees no spread; a share then counts every group as one row, in Wilson's interval.
"""

from collections.abc import Hashable
from dataclasses import dataclass, replace
from functools import cached_property

import numpy as np

from likely.evaluation.bootstrap import draw_weights, from_replicates
from likely.evaluation.delta import Average, Cells, delta_interval
from likely.evaluation.estimate import Estimate
from likely.evaluation.measures import Measure
from likely.evaluation.proportions import proportion_interval
from likely.evaluation.quantiles import normal_quantile
from likely.numeric.arrays import Array

_REPLICATES = 2000


@dataclass(frozen=True)
class CountedCells:
    """A confusion matrix with what its intervals need."""

    classes: tuple[Hashable, ...]
    matrix: Array  # (k, c)
    squares: Array | None  # (k, c)    sums of squared weights; None: the counts themselves
    by_group: Array | None  # (g, k, c)

    @property
    def spread(self) -> Array:
        return self.matrix if self.squares is None else self.squares

    @property
    def n(self) -> float:
        """Rows; with weights their effective number."""
        return _effective(self.matrix, self.spread)

    @cached_property
    def replicates(self) -> Array:
        """The matrix when the groups are drawn again (b, k, c)."""
        assert self.by_group is not None
        flat = self.by_group.reshape(len(self.by_group), -1).astype(np.float64)
        blocks = [weight @ flat for weight in draw_weights(len(flat), _REPLICATES)]
        return np.concatenate(blocks).reshape(-1, *self.matrix.shape)

    def measure(self, measure: Measure, of: int | Average, confidence: float) -> Estimate:
        """A measure of the class with this number, or an average over all classes."""
        cells = Cells(self.matrix)
        value = float(cells.value(measure, of))
        note = self._left_out(measure, of)
        rows = self._rows(measure, of)
        if self.by_group is not None:
            return replace(self._clustered(measure, of, value, confidence), note=note)
        if rows is not None:
            return _through(measure, self.share(*rows, confidence))
        if np.isnan(value):
            return Estimate(value, *measure.bounds, confidence, "delta", self.n, note="0/0")
        return replace(self._delta(measure, of, value, confidence), note=note)

    def share(self, counted: Array, among: Array, confidence: float) -> Estimate:
        """The share of the cells `counted` among the cells `among`, masks (k, c)."""
        total = float(self.matrix[among].sum())
        n = _effective(self.matrix[among], self.spread[among])
        part = float(self.matrix[counted].sum())
        if self.by_group is None:
            return proportion_interval(part / total * n if total else 0.0, n, confidence)
        with np.errstate(invalid="ignore", divide="ignore"):
            drawn = self.replicates[:, counted].sum(axis=1) / self.replicates[:, among].sum(axis=1)
            value = part / total if total else np.nan
            moved = self.by_group[:, counted].sum(axis=1) - value * self.by_group[:, among].sum(axis=1)
        return self._from_groups(value, drawn, n, moved, confidence, (0.0, 1.0), is_share=True)

    def _delta(self, measure: Measure, of: int | Average, value: float, confidence: float) -> Estimate:
        among = ~np.isnan(measure.function(*Cells(self.matrix).counts()))
        row = float(self.spread.sum()) / float(self.matrix.sum())  # the weight of a typical row: 1 without weights
        extra = Cells(self.matrix).pseudo_row()
        smooth = Cells(self.matrix + row * extra)
        slopes = smooth.slopes(measure, of, among)
        error = float(np.sqrt(((self.spread + row**2 * extra) * slopes**2).sum()))
        z = normal_quantile(confidence)
        low, high = delta_interval(value, float(smooth.value(measure, of, among)), error, z, measure.bounds)
        scale = {(0.0, 1.0): "logit", (-1.0, 1.0): "Fisher z"}.get(measure.bounds, "log")
        return Estimate(value, low, high, confidence, f"delta ({scale} scale)", self.n, error)

    def _clustered(self, measure: Measure, of: int | Average, value: float, confidence: float) -> Estimate:
        assert self.by_group is not None
        drawn = Cells(self.replicates).value(measure, of)
        among = ~np.isnan(measure.function(*Cells(self.matrix).counts()))
        slopes = np.nan_to_num(Cells(self.matrix).slopes(measure, of, among), posinf=0.0, neginf=0.0)
        moved = (self.by_group * slopes).sum(axis=(1, 2))
        return self._from_groups(value, drawn, self.n, moved, confidence, measure.bounds, measure.bounds == (0.0, 1.0))

    def _from_groups(
        self,
        value: float,
        drawn: Array,
        n: float,
        moved: Array,
        confidence: float,
        bounds: tuple[float, float],
        is_share: bool,
    ) -> Estimate:
        assert self.by_group is not None
        groups = len(self.by_group)
        known = drawn[~np.isnan(drawn)]
        if is_share and not np.isnan(value) and (known == value).all():
            alike = proportion_interval(value * groups, groups, confidence)
            return replace(alike, method=f"Wilson over {groups} groups", n=n)
        return from_replicates(value, drawn, groups, n, confidence, "bca", moved, bounds, "group")

    def _left_out(self, measure: Measure, of: int | Average) -> str:
        if of not in ("macro", "weighted"):
            return ""
        each = measure.function(*Cells(self.matrix).counts())
        names = [repr(c) for c, v in zip(self.classes, each, strict=True) if np.isnan(v)]
        return f"0/0, left out: class {', '.join(names)}" if names else ""

    def _rows(self, measure: Measure, of: int | Average) -> tuple[Array, Array] | None:
        """Masks of the cells counted and of those they are counted among, when each row counts once."""
        k = len(self.classes)
        right = np.eye(*self.matrix.shape, dtype=np.bool_)
        answered = np.arange(self.matrix.shape[1]) < k
        if isinstance(of, int) and measure.share is not None:
            row, column = np.zeros((2, *self.matrix.shape), dtype=bool)
            row[of], column[:, of] = True, True
            kinds = {"TP": row & column, "FN": row & ~column, "FP": column & ~row, "TN": ~row & ~column}
        elif of == "micro" and measure.overall:
            kinds = {"TP": right, "TN": right, "FN": ~right, "FP": ~right}
        elif of == "micro" and measure.share is not None and set(measure.share[1]) in ({"TP", "FN"}, {"TP", "FP"}):
            kinds = {"TP": right, "FN": ~right, "FP": ~right & answered}
        else:
            return None
        assert measure.share is not None
        counted, among = (np.logical_or.reduce([kinds[c] for c in part]) for part in measure.share)
        return counted, among


def _through(measure: Measure, share: Estimate) -> Estimate:
    change = measure.of_share
    if change is None:
        return share
    name = f"{share.method} (from TP / (TP + FP + FN))"
    value, low, high = (change(x) for x in (share.value, share.low, share.high))
    return replace(share, value=value, low=low, high=high, method=name, standard_error=np.nan)


def _effective(weight: Array, square: Array) -> float:
    total = float(square.sum())
    return float(weight.sum()) ** 2 / total if total > 0 else 0.0
