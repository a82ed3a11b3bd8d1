"""What resampled models are judged and compared by.

Means over rows, of which every row has its own value:

    accuracy, error    whether the class that was said is the true one
    log_loss           -log p(true class), in nats; infinite where the true class was given probability 0
    brier              sum over classes of (p - truth)^2, half of it for two classes

Measures of all rows of a fold together: `roc_area` (of more than two classes the mean over each against the rest),
`average_precision`, and every measure of a confusion matrix by its name ("balanced accuracy", "F1", "kappa", ...), of
the class `pos_label`, otherwise of the second of two classes or the mean over more (balanced accuracy of more classes
is their mean recall). Names are understood as they are printed and as scikit-learn's scorers have them (`vocabulary`).
Costs, as a mapping or a CostMatrix, are a measure too: the mean cost of what was said (`cost_criterion`). A user's own
function of (y, posterior) may give a value for each row or one for all. Rows of weight 0 are as if they were not there:
no measure is asked about them, whatever their values would be.
"""

from collections.abc import Callable, Hashable, Mapping
from dataclasses import dataclass
from functools import partial
from math import inf
from typing import Any, Literal, TypeAlias

import numpy as np

from likely.data.inputs import suggest
from likely.decisions.costs import CostMatrix, CostsLike
from likely.errors import InputError, InputTypeError
from likely.evaluation.curves.curve_figures import (
    average_precision,
    average_precision_interval,
    roc_area,
    roc_area_interval,
)
from likely.evaluation.judged_input import choose_positive
from likely.evaluation.measures.any_figure import any_interval
from likely.evaluation.measures.counts.counting import count_codes
from likely.evaluation.measures.counts.formulas import MEASURES, Measure
from likely.evaluation.measures.counts.of_counts import CountedCells
from likely.evaluation.measures.decision_costs import cost_of, row_costs
from likely.evaluation.measures.delta import Cells
from likely.evaluation.measures.proper_scores import brier_losses, brier_of, log_loss_of, log_losses
from likely.evaluation.measures.vocabulary import Average, averaged, known_as, plain
from likely.evaluation.said import Said
from likely.intervals.estimate import Estimate
from likely.models.any_classifier.posteriors import read_classes
from likely.numeric.arrays import Floats

Unit: TypeAlias = Literal["points", "nats", ""]
Bounds: TypeAlias = tuple[float, float]
MeasureLike: TypeAlias = "str | Criterion | Measure | CostMatrix | Mapping[Any, Any] | Callable[..., float]"

_SMALLER = ("error rate", "false positive rate", "false discovery rate", "miss rate", "false omission rate",
            "negative likelihood ratio")  # fmt: skip
_SMALLER_ENDINGS = ("loss", "error", "cost")  # of the names of users' functions, as scikit-learn names its own


@dataclass(frozen=True)
class Criterion:
    """A figure to judge by; exactly one of `rows` and `fold` is there."""

    name: str
    larger_is_better: bool
    bounds: Bounds = (-inf, inf)
    unit: Unit = ""
    rows: Callable[[Said], Floats] | None = None  # a value of each row; the figure is their mean
    fold: Callable[[Said], float] | None = None  # of all rows together
    interval: Callable[[Said, float], Estimate] | None = None  # of all rows together, at a confidence
    slopes: Callable[[Said], Floats] | None = None  # how fast it changes with each cell of a confusion matrix (k, c)
    of_answers: bool = False  # a value of a row that depends on the class said alone

    def limits(self, classes: int) -> Bounds:
        """What the figure can be for so many classes."""
        return (0.0, 1.0) if self.rows is brier_losses and classes == 2 else self.bounds

    def figure(self, said: Said) -> float:
        """The figure of all rows together, each with its weight."""
        counted = said.counted()
        if self.fold is not None:
            return self.fold(counted)
        return float(np.average(row_values(self, counted), weights=counted.weight))

    def estimate(self, said: Said, confidence: float = 0.95) -> Estimate:
        """The figure of all rows together with its interval; one that holds, also after no mistake."""
        counted = said.counted()
        if self.interval is not None:
            return self.interval(counted, confidence)
        return any_interval(self.rows, self.fold, counted, confidence, self.bounds)


def criterion(measure: MeasureLike, pos_label: Hashable = None) -> Criterion:
    """By name, or from a function of (y, posterior); `pos_label` is the class that a measure of one class is about.

    >>> criterion("log_loss").larger_is_better, criterion("balanced accuracy").rows
    (False, None)
    >>> criterion("f1", pos_label="ill").name
    "F1 of 'ill'"
    """
    if pos_label is not None:
        return _of_class(measure, pos_label)
    if isinstance(measure, Criterion):
        return measure
    if isinstance(measure, Measure):
        return _of_confusion(measure)
    if isinstance(measure, CostMatrix | Mapping):
        return cost_criterion(measure)
    if callable(measure):
        return _of_function(measure)
    if not isinstance(measure, str):
        raise InputTypeError(
            f"a measure is a name ({_names()}) or a function of (y, posterior), got {type(measure).__name__}"
        )
    name, average = averaged(measure)
    if name == "cost":
        raise InputError(
            "what a row costs needs costs: give these in place of the name, as in estimate(costs), scoring=costs, a "
            "mapping or CostMatrix costs[truth][said], or where rows are rejected cost_criterion(costs, reject=...) of "
            'likely.evaluation. Of a Decider "cost" means its own'
        )
    chosen = _BY_NAME.get(name)
    if name == "calibration_error":
        raise InputError("the calibration error is of many rows together: evaluate(...).measure('calibration error')")
    if chosen is None:
        raise InputError(f"unknown measure {measure!r}{suggest(name, sorted(_BY_NAME))}; known are {_names()}")
    of_counts = next((each for each in MEASURES if each.name == chosen.name and not each.overall), None)
    return chosen if average is None or of_counts is None else _of_confusion(of_counts, average=average)


def cost_criterion(costs: CostsLike, reject: float | None = None) -> Criterion:
    """The mean cost of what was said, costs[truth][said], as a measure of `compare` and `CrossValidation.estimate`.

    Costs alone are a measure too (`scoring={"ill": {"well": 10}, ...}`), and of a `Decider` its own are "cost"; this
    one also knows what a row costs that another model rejects.

    Parameters
    ----------
    costs : costs[truth][said], anything `CostMatrix.of` takes
    reject : what a rejected row costs; None: rejected rows are refused

    >>> from likely import Decider, NaiveBayes, cross_validate
    >>> X, y = [[36.5], [36.8], [37.0], [37.2], [38.5], [38.8], [39.0], [39.2]], ["well"] * 4 + ["ill"] * 4
    >>> costs = {"ill": {"well": 10}, "well": {"ill": 1}}
    >>> careful = Decider(NaiveBayes(), costs=costs, reject=0.4)
    >>> cross_validate(careful, X, y, cv=4).estimate(cost_criterion(costs, reject=0.4)).value
    0.0
    """

    def rows(said: Said) -> Floats:
        matrix = CostMatrix.of(costs, said.classes)
        if matrix.per_row:
            raise InputError("the cost of a decision that is judged is one matrix for all rows, costs[truth][said]")
        if (said.labels < 0).any() and reject is None:
            raise InputError("rows were rejected; say what that costs: cost_criterion(costs, reject=...)")
        return row_costs(said, matrix, reject)

    def interval(said: Said, confidence: float) -> Estimate:
        rows(said)  # refuses what has no cost
        return cost_of(said, CostMatrix.of(costs, said.classes), reject, confidence)

    return Criterion("cost", False, rows=rows, interval=interval, of_answers=True)


def row_values(chosen: Criterion, said: Said) -> Floats:
    """The value of each row (m,); refused for a measure that rows do not have one by one."""
    if chosen.rows is None:
        raise InputError(
            f"{chosen.name} is not a mean over rows, so no row has a value of its own; "
            "use accuracy, error, log_loss or brier, or ask for the scores of the folds"
        )
    return chosen.rows(said)


def _names() -> str:
    """The measures, each by the first of its names."""
    return ", ".join(dict.fromkeys(plain(known.name) for known in _BY_NAME.values()))


def _error(said: Said) -> Floats:
    return 1.0 - said.right()


def _share(name: str) -> Callable[[Said, float], Estimate]:
    """The interval of a share of all rows, right or wrong."""
    chosen = next(each for each in MEASURES if each.name == name)

    def interval(said: Said, confidence: float) -> Estimate:
        counted = count_codes(said.y, said.labels, said.classes, said.weight, said.groups)
        return CountedCells(*counted).measure(chosen, "micro", confidence)

    return interval


def _average_precision(pos_label: Hashable = None) -> Criterion:
    name = "average_precision" if pos_label is None else f"average_precision of {pos_label!r}"
    fold = partial(average_precision, positive=pos_label)
    interval = partial(average_precision_interval, positive=pos_label)
    return Criterion(name, True, (0.0, 1.0), "points", None, fold, interval)


def _of_class(measure: MeasureLike, pos_label: Hashable) -> Criterion:
    chosen = criterion(measure)
    if chosen is _BY_NAME["average_precision"]:
        return _average_precision(pos_label)
    found = next((each for each in MEASURES if each.name == chosen.name and not each.overall), None)
    if found is None or callable(measure):
        raise InputError(f"{chosen.name} is not a measure of one class; leave pos_label={pos_label!r} out")
    return _of_confusion(found, pos_label)


def _of_confusion(measure: Measure, pos_label: Hashable = None, average: Average | None = None) -> Criterion:
    def asked(classes: tuple[Hashable, ...]) -> tuple[Measure, int | Average]:
        if pos_label is not None:
            return measure, classes.index(choose_positive(classes, pos_label)[0])
        if average is not None:
            return measure, average
        if len(classes) == 2:
            return measure, 1
        return (_RECALL if measure.name == "balanced accuracy" else measure), "macro"

    def fold(said: Said) -> float:
        counted = count_codes(said.y, said.labels, said.classes, said.weight)
        return float(Cells(counted.matrix).value(*asked(said.classes)))

    def interval(said: Said, confidence: float) -> Estimate:
        counted = count_codes(said.y, said.labels, said.classes, said.weight, said.groups)
        return CountedCells(*counted).measure(*asked(said.classes), confidence)

    def slopes(said: Said) -> Floats:
        smooth, _ = CountedCells(*count_codes(said.y, said.labels, said.classes, said.weight)).smoothed[1]
        chosen, of = asked(said.classes)
        among = ~np.isnan(chosen.function(*smooth.counts))
        return np.nan_to_num(smooth.slopes(chosen, of, among), posinf=0.0, neginf=0.0)

    unit: Unit = "points" if measure.bounds == (0.0, 1.0) else ""
    name = measure.name if average is None else f"{average} {measure.name}"
    name = name if pos_label is None else f"{name} of {pos_label!r}"
    return Criterion(name, measure.name not in _SMALLER, measure.bounds, unit, None, fold, interval, slopes)


def _of_function(function: Callable[..., Any]) -> Criterion:
    name = getattr(function, "__name__", type(function).__name__)

    def value(said: Said) -> Any:
        names = read_classes(said.classes, len(said.classes))
        return np.asarray(function(names[said.y], said.probabilities(name)), dtype=np.float64)

    def fold(said: Said) -> float:
        said = said.counted()
        found = value(said)
        if found.shape not in ((), (len(said.y),)):
            raise InputError(f"{name} gave an array of shape {found.shape}; give one number, or one per row")
        return float(found) if found.ndim == 0 else float(np.average(found, weights=said.weight))

    def rows(said: Said) -> Floats:
        found = value(said)
        if found.shape != (len(said.y),):
            raise InputError(f"{name} gives no value for each row; give an array of {len(said.y)} numbers for that")
        return np.asarray(found)

    larger = not name.lower().endswith(_SMALLER_ENDINGS)
    return Criterion(name, larger, rows=rows, fold=fold)


_RECALL = next(measure for measure in MEASURES if measure.name == "recall")
_BY_NAME: dict[str, Criterion] = {
    "accuracy": Criterion("accuracy", True, (0.0, 1.0), "points", Said.right, None, _share("accuracy"), None, True),
    "error": Criterion("error", False, (0.0, 1.0), "points", _error, None, _share("error rate"), None, True),
    "log_loss": Criterion("log_loss", False, (0.0, inf), "nats", log_losses, None, log_loss_of),
    "brier": Criterion("brier", False, (0.0, 2.0), "", brier_losses, None, brier_of),
    "roc_area": Criterion("roc_area", True, (0.0, 1.0), "points", None, roc_area, roc_area_interval),
}
_BY_NAME["average_precision"] = _average_precision()
_BY_NAME["error_rate"] = _BY_NAME["error"]
for _measure in MEASURES:
    if _measure.averaged:
        _overall = {"accuracy": _BY_NAME["accuracy"], "error rate": _BY_NAME["error"]}.get(_measure.name)
        for _name in (_measure.name, _measure.medical, *_measure.other_names):
            _BY_NAME.setdefault(known_as(_name), _overall or _of_confusion(_measure))
