"""A figure of an evaluation by its name: one vocabulary for printed names, measures, and what is compared by."""

from collections.abc import Callable, Hashable
from typing import Any

from likely.errors import InputError
from likely.evaluation.curves.precision_recall import PrecisionRecallCurve
from likely.evaluation.measures.counts.formulas import Measure
from likely.evaluation.measures.vocabulary import Average, averaged
from likely.intervals.estimate import Estimate


def named_figure(found: Any, name: str | Measure, of: Hashable = None, average: Average | None = None) -> Estimate:
    """A figure of an `Evaluation`: of all rows, of one class, or an average over the classes."""
    if isinstance(name, str):
        key, asked = averaged(name)
        average = average or asked
        if key in _OF_ALL_ROWS:
            if of is not None:
                raise InputError(f"{name} is of all rows and of no class by itself; leave out of={of!r}")
            return _OF_ALL_ROWS[key](found)
        if key == "average_precision":
            curve = found if of is None else PrecisionRecallCurve(found.roc_of(of))
            precision: Estimate = curve.average_precision
            return precision
        if key == "roc_area":
            area: Estimate = found.roc_area(average or "macro") if of is None else found.roc_of(of).area
            return area
        if key in _OF_ANSWERS and of is None and average is None:
            return _OF_ANSWERS[key](found)
        name = key
    if of is None and average is None and found.positive is not None:
        of = found.positive
    chosen: Estimate = found.confusion.measure(name, of, average)
    return chosen


_OF_ALL_ROWS: dict[str, Callable[[Any], Estimate]] = {
    "log_loss": lambda found: found.log_loss,
    "brier": lambda found: found.brier,
    "calibration_error": lambda found: found.calibration_error.debiased,
    "cost": lambda found: found.cost,
    "answered": lambda found: found.confusion.coverage,
    "accuracy_of_answers": lambda found: found.confusion.selective_accuracy,
}
_OF_ANSWERS: dict[str, Callable[[Any], Estimate]] = {
    "accuracy": lambda found: found.accuracy,
    "error_rate": lambda found: found.error,
}
