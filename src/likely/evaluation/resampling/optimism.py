"""Training-set optimism: a model judged on the rows that it was fitted to looks better than it is.

    bias of an estimate of the error    E[error_S] - error_D

is negative for the error on the training rows S and zero for that on independent rows, which varies instead. So the
bias of a loss is negative, and that of an accuracy positive, when the model looks better than it is. Here the
same rows are judged twice, by the model of all rows and by models that have not seen them: the difference is paired.
"""

from dataclasses import dataclass

import numpy as np

from likely.data.printing.html_table import text_as_html
from likely.evaluation.measures.criteria import MeasureLike, criterion, row_values
from likely.evaluation.said import Said
from likely.intervals.estimate import Estimate
from likely.intervals.resampled import corrected_t_interval
from likely.models.held_out.exact_or_refit import HeldOut
from likely.models.held_out.folds import fold_means
from likely.numeric.arrays import Floats, Ints


@dataclass(frozen=True)
class Optimism:
    """A measure on training rows, on the same rows held out, and the first less the second."""

    measure: str
    training: float
    held_out: Estimate
    bias: Estimate
    larger_is_better: bool = True

    @property
    def in_words(self) -> str:
        """Whether the model looks better or worse on its training rows, and by how much: of a loss, less is better."""
        if not self.bias.value:
            return "on its training rows the model looks as good as on rows held out"
        better = (self.bias.value > 0) == self.larger_is_better
        return f"on its training rows the model looks {'better' if better else 'worse'} by {abs(self.bias.value):.3g}"

    def __str__(self) -> str:
        width = len(self.measure) + len(" on the training rows")
        return (
            f"{self.measure} on the training rows {self.training:.3f}\n"
            f"{f'{self.measure} on rows held out':<{width}} {self.held_out}\n"
            f"{'bias':<{width}} {self.bias}\n"
            f"{self.in_words}"
        )

    _repr_html_ = text_as_html


def training_optimism(
    held: HeldOut, held_out: Floats, folds: Ints, test_ratio: float, measure: MeasureLike, confidence: float = 0.95
) -> Optimism:
    """From the value of every row (r, n) under models that have not seen it, on folds (r, n)."""
    chosen, data = criterion(measure), held.data
    said = Said(data.classes, data.codes, *held.learned(), data.weight)
    weight = np.ones(len(data.codes)) if data.weight is None else data.weight
    trained, unseen = (np.where(weight > 0, values, 0.0) for values in (row_values(chosen, said), held_out))
    count = int(folds.max()) + 1

    def over_folds(values: Floats, bounds: tuple[float, float]) -> Estimate:
        means = [fold_means(row, fold, count, data.weight) for fold, row in zip(folds, values, strict=True)]
        return corrected_t_interval(np.stack(means), test_ratio, confidence, bounds, len(data.codes))

    with np.errstate(invalid="ignore"):  # infinite in both
        apart = trained - unseen
    return Optimism(
        chosen.name,
        float(np.average(trained, weights=weight)),
        over_folds(unseen, chosen.limits(len(data.classes))),
        over_folds(apart, (-np.inf, np.inf)),
        chosen.larger_is_better,
    )
