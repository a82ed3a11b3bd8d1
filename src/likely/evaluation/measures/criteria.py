"""What resampled models are judged and compared by.

Means over rows, of which every row has its own value:

    accuracy, error    whether the class that was said is the true one
    log_loss           -log p(true class), in nats; infinite where the true class was given probability 0
    brier              sum over classes of (p - truth)^2, half of it for two classes

Measures of all rows of a fold together: `roc_area` (of more than two classes the mean over each against the rest),
and every measure of a confusion matrix by its name ("balanced accuracy", "F1", "kappa", ...), of the second of two
classes or the mean over more (balanced accuracy of more classes is their mean recall). Costs, as a mapping or a
CostMatrix, are a measure too: the mean cost of what was said (`cost_criterion`). A user's own function of (y,
posterior) may give a value for each row or one for all. Rows of weight 0 are as if they were not there: no measure is
asked about them, whatever their values would be.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from math import inf
from typing import Any, Literal, TypeAlias

import numpy as np

from likely.data.inputs import suggest
from likely.decisions.costs import CostMatrix
from likely.errors import InputError, InputTypeError
from likely.evaluation.curves.multiclass_area import area_of_codes
from likely.evaluation.measures.counting import count_codes
from likely.evaluation.measures.delta import Cells
from likely.evaluation.measures.formulas import MEASURES, Measure
from likely.evaluation.measures.proper_scores import brier_losses, log_losses
from likely.evaluation.said import Said
from likely.models.any_classifier.posteriors import read_classes
from likely.numeric.arrays import Floats
from likely.numeric.logspace import all_log_odds

Unit: TypeAlias = Literal["points", "nats", ""]
Bounds: TypeAlias = tuple[float, float]

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

    def limits(self, classes: int) -> Bounds:
        """What the figure can be for so many classes."""
        return (0.0, 1.0) if self.rows is brier_losses and classes == 2 else self.bounds

    def figure(self, said: Said) -> float:
        """The figure of all rows together, each with its weight."""
        counted = said.counted()
        if self.fold is not None:
            return self.fold(counted)
        return float(np.average(row_values(self, counted), weights=counted.weight))


def criterion(measure: Any) -> Criterion:
    """By name, or from a function of (y, posterior).

    >>> criterion("log_loss").larger_is_better, criterion("balanced accuracy").rows
    (False, None)
    """
    if isinstance(measure, Criterion):
        return measure
    if isinstance(measure, Measure):
        return _of_confusion(measure)
    if isinstance(measure, CostMatrix | Mapping):
        return cost_criterion(measure)
    if callable(measure):
        return _of_function(measure)
    if not isinstance(measure, str):
        raise InputTypeError(f"a measure is a name or a function of (y, posterior), got {type(measure).__name__}")
    name = _plain(measure).removeprefix("macro_")
    if name in _BY_NAME:
        return _BY_NAME[name]
    known = sorted(_BY_NAME)
    raise InputError(f"unknown measure {measure!r}{suggest(name, known)}; known are {', '.join(known)}")


def cost_criterion(costs: Any, reject: float | None = None) -> Criterion:
    """The mean cost of what was said, costs[truth][said]; `reject` is what a rejected row costs.

    >>> said = Said(("ill", "well"), np.array([0, 1]), None, np.array([1, 1]))
    >>> cost_criterion({"ill": {"well": 10}, "well": {"ill": 1}}).rows(said)
    array([10.,  0.])
    """

    def rows(said: Said) -> Floats:
        matrix = CostMatrix.of(costs, said.classes)
        answers = said.labels
        if matrix.per_row:
            raise InputError("the cost of a decision that is judged is one matrix for all rows, costs[truth][said]")
        if (answers < 0).any() and reject is None:
            raise InputError("rows were rejected; say what that costs: cost_criterion(costs, reject=...)")
        return np.where(answers < 0, reject or 0.0, matrix.values[said.y, answers])

    return Criterion("cost", False, rows=rows)


def row_values(chosen: Criterion, said: Said) -> Floats:
    """The value of each row (m,); refused for a measure that rows do not have one by one."""
    if chosen.rows is None:
        raise InputError(
            f"{chosen.name} is not a mean over rows, so no row has a value of its own; "
            "use accuracy, error, log_loss or brier, or ask for the scores of the folds"
        )
    return chosen.rows(said)


def _plain(name: str) -> str:
    return name.lower().replace("-", "_").replace(" ", "_")


def _error(said: Said) -> Floats:
    return 1.0 - said.right()


def _roc_area(said: Said) -> float:
    odds = all_log_odds(said.log_probabilities("roc_area"))
    return area_of_codes(said.y, odds, said.classes, "macro", said.weight, 0.95).value


def _of_confusion(measure: Measure) -> Criterion:
    def fold(said: Said) -> float:
        two = len(said.classes) == 2
        chosen = _RECALL if measure.name == "balanced accuracy" and not two else measure
        return float(
            Cells(count_codes(said.y, said.labels, said.classes, said.weight).matrix).value(
                chosen, 1 if two else "macro"
            )
        )

    unit: Unit = "points" if measure.bounds == (0.0, 1.0) else ""
    return Criterion(measure.name, measure.name not in _SMALLER, measure.bounds, unit, fold=fold)


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
    "accuracy": Criterion("accuracy", True, (0.0, 1.0), "points", rows=Said.right),
    "error": Criterion("error", False, (0.0, 1.0), "points", rows=_error),
    "log_loss": Criterion("log_loss", False, (0.0, inf), "nats", rows=log_losses),
    "brier": Criterion("brier", False, (0.0, 2.0), "", rows=brier_losses),
    "roc_area": Criterion("roc_area", True, (0.0, 1.0), "points", fold=_roc_area),
}
_BY_NAME["roc_auc"] = _BY_NAME["roc_area"]
for _measure in MEASURES:
    if _measure.averaged:
        _overall = {"accuracy": _BY_NAME["accuracy"], "error rate": _BY_NAME["error"]}.get(_measure.name)
        for _name in (_measure.name, _measure.medical, *_measure.other_names):
            _BY_NAME.setdefault(_plain(_name), _overall or _of_confusion(_measure))
