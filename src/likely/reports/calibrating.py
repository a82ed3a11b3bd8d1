"""Whether the chosen model should be calibrated, and how: by the same rule as the choice of the model.

Calibration is judged like a model, inside the folds: the map learns from rows that neither the model nor the verdict
has seen. Isotonic calibration joins where there are enough rows for its steps.
"""

from collections.abc import Callable
from typing import Any

import numpy as np

from likely.decisions.calibration import Calibrated
from likely.decisions.classifiers import Training
from likely.evaluation.cross_validation import CrossValidation
from likely.models.roster import Candidate
from likely.numeric.arrays import Ints
from likely.reports.choice import Choice, choose
from likely.reports.clock import Clock
from likely.reports.contest import Entry, judge, judged

AS_IT_IS = "as it is"
_METHODS = (
    ("temperature", 1, "one slope for all log odds"),
    ("logistic", 2, "a slope, and an offset per class"),
    ("isotonic", 3, "a staircase per class"),
)
_ISOTONIC_ROWS = 1_000


def calibrations(
    model: Any,
    result: CrossValidation,
    data: Training,
    folds: Ints,
    clock: Clock,
    seed: int,
    report: Callable[[str], None],
) -> tuple[tuple[Entry, ...], Choice]:
    """The ways to calibrate a model, judged on the same folds as the model itself, and the one to take."""
    plain = Entry(AS_IT_IS, 0, "the model's own probabilities", model, result, 0.0)
    fewest = int(np.bincount(data.codes).min())
    folds_inside = min(5, int(fewest * (1 - 1 / (folds.max() + 1))))
    entrants = [
        (Candidate(method, rank, words, Calibrated(model, method, cv=folds_inside, random_state=seed)), False)
        for method, rank, words in _METHODS
        if folds_inside >= 2 and (method != "isotonic" or len(data.codes) >= _ISOTONIC_ROWS)
    ]
    entries = (plain, *judge(entrants, data, folds, clock, report))
    return entries, choose(judged(entries), {entry.name: entry.rank for entry in entries})
