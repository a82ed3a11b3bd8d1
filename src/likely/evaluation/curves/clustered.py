"""Areas and average precisions when rows come in groups: whole groups are drawn again.

The rows are sorted once; a replicate is one pass over them with the groups' counts as weights. Groups whose rows all
have weight 0 are not drawn. One group alone has no spread: the interval is then all from 0 to 1. Where no replicate
differs (every group is ranked perfectly), each group counts as one row of the classes that it holds: Newcombe's
interval for an area, Wilson's over the groups with positives for an average precision.
"""

from dataclasses import dataclass, replace
from functools import cached_property
from math import nan

import numpy as np

from likely.evaluation.curves.roc_area import area_influence, newcombe_ends
from likely.evaluation.judged_input import Ranking
from likely.intervals.bootstrap import draw_weights, from_replicates
from likely.intervals.estimate import Estimate
from likely.intervals.means import effective_size
from likely.intervals.proportions import proportion_bounds
from likely.intervals.quantiles import normal_quantile
from likely.numeric.arrays import Array, Floats, Ints, frozen
from likely.numeric.kernels import ranking as kernels
from likely.numeric.random_state import Seed


@dataclass(frozen=True)
class ClusteredCurves:
    """One ranking, or one per class whose figures are averaged, of the same rows in groups.

    >>> rng = np.random.default_rng(0)
    >>> y, group = np.arange(60) % 3 == 0, np.repeat(np.arange(20), 3)
    >>> curves = ClusteredCurves((Ranking(y, y + rng.normal(size=60), None, True, False),), group)
    >>> print(curves.area(0.95))
    0.728 [0.551, 0.859] 95 % cluster bootstrap (BCa) over 20 groups, n=60
    """

    rankings: tuple[Ranking, ...]
    groups: Ints  # (n,)
    random_state: Seed = 0
    replicates: int = 2000

    def area(self, confidence: float) -> Estimate:
        """The area under the ROC curve, averaged over the rankings."""
        influences = [area_influence(r) for r in self.rankings]
        value = float(np.mean([area for area, _ in influences]))
        moved = np.bincount(self._members, weights=np.mean([by_row for _, by_row in influences], axis=0))
        found = self._interval(value, self._drawn[:, 0], moved, confidence)
        if self._count < 2 or found.width > 1e-12:
            return found
        ends = [newcombe_ends(value, *self._held(r), normal_quantile(confidence)) for r in self.rankings]
        low, high = min(low for low, _ in ends), max(high for _, high in ends)
        return replace(found, low=low, high=high, method=f"Newcombe over {self._count} groups", standard_error=nan)

    def average_precision(self, confidence: float) -> Estimate:
        """The average precision, averaged over the rankings."""
        value = float(self._figures(np.ones((1, self._count)))[0, 1])
        found = self._interval(value, self._drawn[:, 1], None, confidence)
        if self._count < 2 or found.width > 1e-12:
            return found
        fewest = min(self._held(r)[0] for r in self.rankings)
        low, high = proportion_bounds(np.array(value * fewest), np.array(fewest), confidence)
        name = f"Wilson over {fewest:g} groups with positives"
        return replace(found, low=float(low), high=float(high), method=name, standard_error=nan)

    def _held(self, ranking: Ranking) -> tuple[float, float]:
        """Groups that hold positives, and groups that hold negatives."""
        counted = np.ones(len(ranking), dtype=bool) if ranking.weight is None else ranking.weight > 0
        sides = (ranking.positive & counted, ~ranking.positive & counted)
        positive, negative = (float(len(np.unique(self._members[side]))) for side in sides)
        return positive, negative

    @property
    def _count(self) -> int:
        return int(self._members.max()) + 1

    @cached_property
    def _members(self) -> Ints:
        """The groups that have weight, from 0; rows of the others count nowhere, and have any of these numbers."""
        weight = self.rankings[0].weight
        present = np.unique(self.groups if weight is None else self.groups[weight > 0])
        return np.asarray(np.minimum(np.searchsorted(present, self.groups), len(present) - 1))

    @cached_property
    def _drawn(self) -> Floats:
        """Both figures of every replicate (b, 2)."""
        blocks = draw_weights(self._count, self.replicates, self.random_state)
        return np.concatenate([self._figures(counts) for counts in blocks])

    @cached_property
    def _orders(self) -> list[Ints]:
        return [np.argsort(-r.score, kind="stable") for r in self.rankings]

    def _figures(self, counts: Floats) -> Floats:
        total = np.zeros((len(counts), 2))
        for ranking, order in zip(self.rankings, self._orders, strict=True):
            weight = np.ones(len(ranking)) if ranking.weight is None else ranking.weight
            arrays = (ranking.score, ranking.positive, weight, self._members, counts)
            total += kernels.resampled_curves(order, *(frozen(a) for a in arrays))
        return total / len(self.rankings)

    def _interval(self, value: float, drawn: Array, moved: Array | None, confidence: float) -> Estimate:
        first = self.rankings[0]
        n = effective_size(first.weight, len(first))
        return from_replicates(value, drawn, self._count, n, confidence, "bca", moved, (0.0, 1.0), "group")
