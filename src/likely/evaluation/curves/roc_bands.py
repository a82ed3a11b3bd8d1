"""Several ROC curves (folds, repeats, samples) as one: their mean and their spread.

Vertical averaging (Fawcett 2006): at each false alarm rate the sensitivities of the curves are averaged. The spread
shows how the curves vary from fold to fold. It is not a confidence band: folds share their training rows.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Self

import numpy as np

from likely.errors import InputError
from likely.evaluation.curves.roc import RocCurve
from likely.numeric.arrays import Floats, in_brief


@dataclass(frozen=True)
class RocBands:
    """The mean of ROC curves, averaged vertically, and how far they spread around it.

    >>> y = [1, 1, 1, 1, 0, 0, 0, 0]
    >>> curves = [RocCurve.of(y, [9, 8, 7, 4, 6, 3, 2, 1]), RocCurve.of(y, [9, 8, 5, 3, 7, 6, 2, 1])]
    >>> bands = RocBands.of(curves, points=5)
    >>> bands.mean
    array([0.625, 0.75 , 1.   , 1.   , 1.   ])
    """

    false_alarm_rate: Floats  # (g,)  where the curves are compared
    mean: Floats  # (g,)  mean share of positives found
    standard_deviation: Floats  # (g,)  over the curves; 0 for a single one
    lowest: Floats  # (g,)  over the curves
    highest: Floats  # (g,)  over the curves
    areas: Floats  # (c,)  of the curves

    __repr__ = in_brief

    @classmethod
    def of(cls, curves: Sequence[RocCurve], points: int = 101) -> Self:
        """Average curves at evenly spaced false alarm rates; on a vertical step a curve counts with its high end."""
        if not curves or points < 2:
            raise InputError(f"bands need a curve and two points, got {len(curves)} curves and {points} points")
        at = np.linspace(0.0, 1.0, points)
        heights = np.stack([curve.sensitivity_at(at) for curve in curves])
        deviation = heights.std(axis=0, ddof=1) if len(curves) > 1 else np.zeros(points)
        areas = np.array([curve.area.value for curve in curves])
        return cls(at, heights.mean(axis=0), deviation, heights.min(axis=0), heights.max(axis=0), areas)

    def frame(self) -> Any:
        """The bands as a Polars frame."""
        import polars as pl

        names = ("false_alarm_rate", "mean", "standard_deviation", "lowest", "highest")
        return pl.DataFrame({name: getattr(self, name) for name in names})
