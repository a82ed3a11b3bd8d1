"""Training-set optimism: a model judged on the rows that it was fitted to looks better than it is.

    bias of an estimate of the error    E[error_S] - error_D

is negative for the error on the training rows S and zero for that on independent rows, which varies instead. Here the
same rows are judged twice, by the model of all rows and by models that have not seen them: the difference is paired.
"""

from dataclasses import dataclass
from typing import Any

import numpy as np

from likely.decisions.classifiers import Training, fitted_clone
from likely.evaluation.criteria import Said, criterion, row_values
from likely.evaluation.estimate import Estimate
from likely.evaluation.refitting import ask
from likely.evaluation.resampled import corrected_t_interval
from likely.numeric.arrays import Floats, Ints


@dataclass(frozen=True)
class Optimism:
    """A measure on training rows, on the same rows held out, and the first less the second."""

    measure: str
    training: float
    held_out: Estimate
    bias: Estimate

    def __str__(self) -> str:
        return (
            f"{self.measure} on the training rows {self.training:.3f}\n"
            f"{self.measure} on rows held out   {self.held_out}\n"
            f"bias                        {self.bias}"
        )


def training_optimism(
    model: Any, data: Training, held_out: Floats, folds: Ints, measure: Any, confidence: float = 0.95
) -> Optimism:
    """From the value of every row (r, n) under models that have not seen it, on folds (r, n)."""
    chosen = criterion(measure)
    verdict = ask(fitted_clone(model, data), data.X, data)
    trained = row_values(chosen, Said(data.classes, data.codes, *verdict))
    sizes = np.stack([np.bincount(fold, minlength=int(folds.max()) + 1) for fold in folds])
    ratio = float((sizes / (len(data.codes) - sizes)).mean())

    def over_folds(values: Floats, bounds: tuple[float, float]) -> Estimate:
        weight = np.ones(len(data.codes)) if data.weight is None else data.weight
        means = [
            np.bincount(fold, weights=weight * row) / np.bincount(fold, weights=weight)
            for fold, row in zip(folds, values, strict=True)
        ]
        return corrected_t_interval(np.stack(means), ratio, confidence, bounds, len(data.codes))

    seen = float(np.average(trained, weights=data.weight))
    unseen = over_folds(held_out, chosen.bounds)
    return Optimism(chosen.name, seen, unseen, over_folds(trained - held_out, (-np.inf, np.inf)))
