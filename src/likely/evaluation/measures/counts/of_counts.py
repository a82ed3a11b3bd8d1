"""The interval of a measure of a confusion matrix, by the method that suits it.

- A share of rows (recall, precision, accuracy, and F1 as a function of one) is binomial given the rows it is taken
  among: Wilson. Pooled over classes, only those shares are that count each row once: accuracy, recall, precision.
- Anything else: the delta method.
- A mean over classes leaves out those that the rows do not define (never said, or without rows). Their own figures may
  be anything: the ends are those of the mean over all classes, with the lowest and the highest figure for these.
- With groups, anything: the cluster bootstrap, whole groups drawn again. Where no replicate differs (every group all
  right), the bootstrap sees no spread; every group then counts as one row, in Wilson's interval for a share and by the
  delta method for the rest. One group
  alone says nothing about others: the interval is all that is possible. A group of weight 0 is none.
"""

from collections.abc import Hashable
from dataclasses import dataclass, replace
from functools import cached_property
from math import sqrt

import numpy as np

from likely.evaluation.measures.counts.formulas import Measure
from likely.evaluation.measures.delta import Cells, widest_interval
from likely.evaluation.measures.vocabulary import Average
from likely.intervals.bootstrap import draw_weights, from_replicates
from likely.intervals.estimate import Estimate
from likely.intervals.proportions import proportion_interval
from likely.intervals.quantiles import normal_quantile
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

    @cached_property
    def n(self) -> float:
        """Rows; with weights their effective number."""
        return _effective(self.matrix, self.spread)

    @cached_property
    def _cells(self) -> Cells:
        return Cells(self.matrix)

    @cached_property
    def _spread_cells(self) -> Cells:
        return Cells(self.spread)

    @cached_property
    def smoothed(self) -> list[tuple[Cells, Cells]]:
        """The matrix and its squares with one and with two pseudo-rows of typical weight (1 without weights)."""
        row = float(self.spread.sum()) / float(self.matrix.sum())
        extra = [rows * self._cells.pseudo_row() for rows in (1, 2)]
        return [(Cells(self.matrix + row * e), Cells(self.spread + row**2 * e)) for e in extra]

    @cached_property
    def replicates(self) -> Array:
        """The matrix when the groups are drawn again (b, k, c)."""
        flat = self._groups.reshape(len(self._groups), -1).astype(np.float64)
        blocks = [weight @ flat for weight in draw_weights(len(flat), _REPLICATES)]
        return np.concatenate(blocks).reshape(-1, *self.matrix.shape)

    @cached_property
    def _groups(self) -> Array:
        """The matrices of the groups that have weight (g, k, c)."""
        assert self.by_group is not None
        return np.asarray(self.by_group[self.by_group.any(axis=(1, 2))])

    def measure(self, measure: Measure, of: int | Average, confidence: float) -> Estimate:
        """A measure of the class with this number, or an average over all classes."""
        value = float(self._cells.value(measure, of))
        if self.by_group is not None:
            return self._allowing_for_left_out(self._clustered(measure, of, value, confidence), measure, of)
        rows = self._rows(measure, of)
        if rows is not None:
            return _through(measure, proportion_interval(*rows, confidence))
        if np.isnan(value):
            return Estimate(value, *measure.bounds, confidence, "delta", self.n, note="0/0")
        return self._allowing_for_left_out(self._delta(measure, of, value, confidence), measure, of)

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
            moved = self._groups[:, counted].sum(axis=1) - value * self._groups[:, among].sum(axis=1)
        return self._from_groups(value, drawn, n, moved, confidence, (0.0, 1.0), is_share=True)

    def _delta(self, measure: Measure, of: int | Average, value: float, confidence: float) -> Estimate:
        among = ~np.isnan(measure.function(*self._cells.counts))
        figures = [
            (float(smooth.value(measure, of, among)), sqrt(smooth.variance(measure, of, among, spread)))
            for smooth, spread in self.smoothed
        ]
        with np.errstate(invalid="ignore", divide="ignore"):
            own = sqrt(max(np.nan_to_num(self._cells.variance(measure, of, among, self._spread_cells)), 0.0))
        low, high = widest_interval(value, figures, normal_quantile(confidence), measure.bounds, own)
        scale = {(0.0, 1.0): "logit", (-1.0, 1.0): "Fisher z"}.get(measure.bounds, "log")
        return Estimate(value, low, high, confidence, f"delta ({scale} scale)", self.n, figures[0][1])

    def _clustered(self, measure: Measure, of: int | Average, value: float, confidence: float) -> Estimate:
        drawn = Cells(self.replicates).value(measure, of)
        among = ~np.isnan(measure.function(*self._cells.counts))
        with np.errstate(invalid="ignore"):  # a ratio may be infinite in the whole table
            slopes = np.nan_to_num(self._cells.slopes(measure, of, among), posinf=0.0, neginf=0.0)
        moved = (self._groups * slopes).sum(axis=(1, 2))
        is_share = measure.bounds == (0.0, 1.0)
        if not is_share and not np.isnan(value) and len(self._groups) > 1 and no_spread(drawn, value):
            alike = self.groups_as_rows.measure(measure, of, confidence)
            return replace(alike, value=value, method=f"{alike.method} over {len(self._groups)} groups", n=self.n)
        return self._from_groups(value, drawn, self.n, moved, confidence, measure.bounds, is_share)

    @property
    def groups_as_rows(self) -> "CountedCells":
        """The matrix of as many rows as there are groups."""
        return CountedCells(self.classes, self.matrix * (len(self._groups) / self.matrix.sum()), None, None)

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
        groups = len(self._groups)
        if groups > 1 and is_share and not np.isnan(value) and no_spread(drawn, value):
            alike = proportion_interval(value * groups, groups, confidence)
            return replace(alike, method=f"Wilson over {groups} groups", n=n)
        return from_replicates(value, drawn, groups, n, confidence, "bca", moved, bounds, "group")

    def _allowing_for_left_out(self, found: Estimate, measure: Measure, of: int | Average) -> Estimate:
        """A mean over classes, with ends that allow for any figure of the classes that are left out."""
        if of not in ("macro", "weighted"):
            return found
        hits, _, misses, _ = self._cells.counts
        left_out = np.isnan(measure.function(*self._cells.counts))
        if not left_out.any():
            return found
        weight = np.ones(len(left_out)) if of == "macro" else hits + misses
        share = float(weight[left_out].sum() / weight.sum())
        low, high = found.low, found.high
        if share > 0:
            low = (1 - share) * low + share * measure.bounds[0]
            high = (1 - share) * high + share * measure.bounds[1]
        names = ", ".join(repr(name) for name, out in zip(self.classes, left_out, strict=True) if out)
        note = "; ".join(filter(None, (found.note, f"0/0, left out: class {names}")))
        return replace(found, low=min(low, found.low), high=max(high, found.high), note=note)

    def _rows(self, measure: Measure, of: int | Average) -> tuple[float, float] | None:
        """Rows counted, and rows they are counted among, both effective; None unless each row counts once."""
        if measure.share is None or not (isinstance(of, int) or of == "micro"):
            return None
        if of == "micro" and not measure.overall and set(measure.share[1]) not in ({"TP", "FN"}, {"TP", "FP"}):
            return None
        counted, among = measure.share
        part, whole = (sum(self._kinds(self._cells, measure, of)[c] for c in kind) for kind in (counted, among))
        square = sum(self._kinds(self._spread_cells, measure, of)[c] for c in among)
        n = whole**2 / square if square else 0.0
        return (part / whole * n if whole else 0.0), n

    def _kinds(self, cells: Cells, measure: Measure, of: int | Average) -> dict[str, float]:
        """Sums of the cells of each kind: of one class, or of all rows, right, wrong or rejected."""
        if isinstance(of, int):
            return dict(zip(("TP", "FP", "FN", "TN"), (float(c[of]) for c in cells.counts), strict=True))
        k = len(self.classes)
        total, answered, right = (
            float(m) for m in (cells.matrix.sum(), cells.matrix[:, :k].sum(), np.trace(cells.matrix))
        )
        if measure.overall:  # right is right, whatever the class
            return {"TP": right, "TN": 0.0, "FN": total - right, "FP": 0.0}
        return {"TP": right, "FN": total - right, "FP": answered - right}


def no_spread(drawn: Array, value: float) -> bool:
    """Whether no replicate differs from the value, but for rounding; undefined ones do not count."""
    known = drawn[~np.isnan(drawn)]
    return bool(np.isclose(known, value, rtol=1e-12, atol=1e-12).all())


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
