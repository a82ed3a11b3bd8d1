"""Judge a classifier: every figure that its answers allow, each with its interval.

    evaluate(model, X, y)                any model with `predict`; scikit-learn's and ours alike
    evaluate(predictions, y=y)           labels, or probabilities, from anywhere
    evaluate(cross_validate(...))        what was said of every row by a model that had not seen it

Figures are found when they are asked for: the confusion matrix and its measures always, log-loss and Brier score from
posteriors, ROC and precision-recall curves from posteriors or a decision function. With `groups`, every interval but
that of the calibration error is about other groups (cluster bootstrap); weighted rows count as their effective number.
"""

from collections.abc import Hashable, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import Any

import numpy as np

from likely.data.accepted import PriorLike, TableLike, TargetLike
from likely.data.frames import bare_table, figures_like
from likely.data.labels.weights import read_weight
from likely.data.printing.text_table import aligned
from likely.decisions.costs import CostMatrix, CostsLike, are_per_row
from likely.decisions.decider import Decider
from likely.decisions.rules import decide
from likely.errors import InputError
from likely.evaluation.curves.clustered import ClusteredCurves
from likely.evaluation.curves.multiclass_area import AreaAverage, area_of_codes
from likely.evaluation.curves.operating_points import OperatingPoint
from likely.evaluation.curves.precision_recall import PrecisionRecallCurve
from likely.evaluation.curves.roc import RocCurve
from likely.evaluation.face import MOST_TOGETHER, as_page, class_rows, head_of
from likely.evaluation.file_answers import AllRows
from likely.evaluation.judged_input import Ranking, choose_positive
from likely.evaluation.measures.calibration.calibration_error import CalibrationError, calibration_error_of
from likely.evaluation.measures.counts.confusion import Confusion
from likely.evaluation.measures.counts.counting import count_codes
from likely.evaluation.measures.counts.formulas import OF_ANSWERS, Measure, Vocabulary, called, measure_of_figure
from likely.evaluation.measures.decision_costs import cost_of
from likely.evaluation.measures.named_figures import named_figure
from likely.evaluation.measures.proper_scores import Decomposition, Score, brier_of, decompose_of, log_loss_of
from likely.evaluation.measures.thresholds import threshold_table
from likely.evaluation.measures.vocabulary import Average
from likely.evaluation.model_answers import read_answers
from likely.evaluation.place_of_use import in_place, is_weighed, weighed
from likely.evaluation.resampling.cross_validation import CrossValidation
from likely.evaluation.said import Said
from likely.intervals.estimate import Estimate
from likely.intervals.means import mean_interval, read_groups
from likely.intervals.quantiles import check_confidence
from likely.models.any_classifier.inside import positive_inside
from likely.numeric.arrays import Floats, PerRow
from likely.numeric.logspace import all_log_odds


@dataclass(frozen=True)
class Evaluation:
    """What there is to say about a classifier's answers."""

    said: Said  # with the rows' weights and groups
    positive: Hashable | None  # of two classes, or the one of several that curves are drawn for
    costs: CostMatrix | None
    reject_cost: float | None
    confidence: float
    all_rows: AllRows | None = None  # of a long file, of whose rows `said` holds a sample
    like: Any = field(default=None, repr=False, compare=False)  # the user's table without columns (`bare_table`)
    weighed_by: str = ""  # the prior that rows are weighed by, in words

    @property
    def classes(self) -> tuple[Hashable, ...]:
        """The classes, in the order of rows and columns of `confusion`."""
        return self.said.classes

    @property
    def n(self) -> int:
        """Rows judged."""
        return self.all_rows.rows if self.all_rows and self.all_rows.counted else len(self.said)

    @cached_property
    def confusion(self) -> Confusion:
        """Truth against answer."""
        said, counted = self.said, self.all_rows and self.all_rows.counted
        counted = counted or count_codes(said.y, said.labels, said.classes, said.weight, said.groups)
        return Confusion(*counted, self.confidence)

    @property
    def accuracy(self) -> Estimate:
        """The share of rows that are answered right."""
        return self.confusion.accuracy

    @property
    def error(self) -> Estimate:
        """One minus the accuracy."""
        return self.confusion.error

    def measure(self, name: str | Measure, of: Hashable = None, average: Average | None = None) -> Estimate:
        """A figure by its name: of all rows, of a class (of two the positive one, unless told), or their average."""
        return named_figure(self, name, of, average)

    @cached_property
    def log_loss(self) -> Estimate:
        """Mean of -ln p(true class), in nats."""
        certain = None if self.all_rows is None else self.all_rows.infinite_loss(self.confidence)
        return certain or log_loss_of(self._told, self.confidence)

    @cached_property
    def brier(self) -> Estimate:
        """Mean squared distance of the posterior from the truth; halved for two classes."""
        return brier_of(self._told, self.confidence)

    def decomposition(self, score: Score = "Brier") -> Decomposition:
        """A score as miscalibration - discrimination + uncertainty."""
        return decompose_of(self._told, score, self.confidence)

    @cached_property
    def calibration_error(self) -> CalibrationError:
        """The expected calibration error in 15 quantile bins."""
        return calibration_error_of(self._told, self.positive, confidence=self.confidence)

    @cached_property
    def roc(self) -> RocCurve:
        """The ROC curve of the positive class. The interval of its area knows no groups; that of `roc_area` does."""
        return self.roc_of(self._curve_class())

    def roc_of(self, pos_label: Hashable) -> RocCurve:
        """The ROC curve of a class against the rest."""
        return RocCurve.of_ranking(self._ranking(pos_label), self.confidence)

    def roc_area(self, average: AreaAverage = "macro") -> Estimate:
        """The area under the ROC curve: of the positive class of two, or an average over several classes."""
        if self.said.groups is not None:
            if average != "macro" and self.positive is None:
                raise InputError("with groups, areas are averaged over the classes only: average='macro'")
            return self._clustered.area(self.confidence)
        log_p = self.said.log_posterior
        if self.positive is not None:
            if log_p is None:
                return self.roc.area
            ranking = self._ranking(self.positive)
            exact = all_log_odds(log_p)[:, self.classes.index(self.positive)]
            return RocCurve.of_ranking(replace(ranking, score=np.ascontiguousarray(exact)), self.confidence).area
        scores = self._scores("an area under the ROC curve") if log_p is None else all_log_odds(log_p)
        return area_of_codes(self.said.y, scores, self.classes, average, self.said.weight, self.confidence)

    @cached_property
    def precision_recall(self) -> PrecisionRecallCurve:
        """The precision-recall curve of the positive class."""
        return PrecisionRecallCurve(self.roc)

    @property
    def average_precision(self) -> Estimate:
        """The average precision of the positive class."""
        self._curve_class()
        if self.said.groups is not None:
            return self._clustered.average_precision(self.confidence)
        return self.precision_recall.average_precision

    @cached_property
    def cost(self) -> Estimate:
        """The mean cost of a row, costs[truth][said]."""
        if self.costs is None:
            raise InputError("give costs to know what mistakes cost: evaluate(..., costs=...)")
        rejected = self.said.labels < 0
        if rejected.any() and self.reject_cost is None:
            raise InputError(
                f"{rejected.sum()} rows were rejected; say what that costs: evaluate(..., reject_cost=...)"
            )
        return cost_of(self.said, self.costs, self.reject_cost, self.confidence)

    @cached_property
    def best_constant(self) -> tuple[Hashable, Estimate]:
        """The one answer that costs least if it is always given, and what it costs."""
        if self.costs is None:
            raise InputError("give costs to know what mistakes cost: evaluate(..., costs=...)")
        each = self.costs.values[self.said.y]  # (n, k)
        place = int(np.average(each, axis=0, weights=self.said.weight).argmin())
        return self.classes[place], mean_interval(each[:, place], sample_weight=self.said.weight)

    @property
    def log_loss_of_shares(self) -> float:
        """What log-loss the classes' shares in these rows would have, said of every row: what a model must beat."""
        share = self.confusion.support / self.confusion.support.sum()
        return float(-(share[share > 0] * np.log(share[share > 0])).sum())

    def deciding(self, costs: CostsLike | None = None, reject_cost: float | None = None) -> "Evaluation":
        """The same probabilities judged by what they call for under costs, rather than by what the model said."""
        priced = None if costs is None else CostMatrix.of(costs, self.classes)
        log_p = self._told.log_posterior
        if log_p is None:
            log_p = np.log(np.maximum(np.asarray(self._told.posterior), np.finfo(np.float64).tiny))
        found = decide(log_p, list(self.classes), priced, reject=reject_cost, form="log_posterior")
        codes = np.where(found.rejected, -1, found.code)
        said, known = replace(self.said, answers=codes), self.all_rows and replace(self.all_rows, counted=None)
        return replace(self, said=said, costs=priced, reject_cost=reject_cost, all_rows=known)

    def thresholds(self) -> Any:
        """What each threshold on the probability of the positive class does; its intervals take rows one by one."""
        self._curve_class()
        return figures_like(threshold_table(replace(self, said=self._told)), self.like)

    def best_point(self, prior: float | None = None) -> OperatingPoint:
        """The best threshold on the score of the positive class, for the costs given and a prior P(positive)."""
        if self.costs is None:
            return self.roc.best_point(prior=prior)
        if len(self.classes) > 2:
            raise InputError("the best threshold for costs is of two classes; there are more")
        return self.roc.best_point(self.costs, prior)

    @property
    def costs_per_row(self) -> bool:
        """Whether every row has costs of its own."""
        return self.costs is not None and self.costs.per_row

    @cached_property
    def figures(self) -> dict[str, Estimate]:
        """The main figures by name; those that the data do not allow are left out and `notes` says why."""
        chosen = self._confusion_figures()
        if self.said.has_probabilities:
            chosen["log-loss"], chosen["Brier score"] = self.log_loss, self.brier
            chosen["calibration error"] = self.calibration_error.debiased
        if self._ranks is not None and np.count_nonzero(self.confusion.support) > 1:
            chosen["ROC area"] = self.roc_area()
            if self.positive is not None:
                chosen["average precision"] = self.average_precision
        if self.costs is not None and (self.reject_cost is not None or not self.confusion.rejected.any()):
            chosen["mean cost"] = self.cost
        return chosen

    @property
    def notes(self) -> tuple[str, ...]:
        """What a reader of the figures should know: rare classes that are not found, curves that do not exist."""
        notes = list(self.confusion.imbalance)
        notes += [] if self.all_rows is None else [self.all_rows.note]
        notes += [self.weighed_by] if self.weighed_by else []
        if "mean cost" in self.figures and not self.costs_per_row:  # answers are chosen by cost, not to be right often
            notes = [note for note in notes if not note.startswith("accuracy")]
            label, constant = self.best_constant
            if self.cost.value >= constant.value:
                told = f"a decision costs {self.cost.value:.3g}"
                notes.append(f"{told}, no less than always saying {label!r} ({constant.value:.3g})")
        if self._ranks is not None and np.count_nonzero(self.confusion.support) < 2:
            notes.append(f"no ROC curve: y has only one class, {self.classes[int(self.said.y[0])]!r}")
        if not self.said.has_probabilities:
            notes.append("no log-loss and Brier score: there are no probabilities")
        return tuple(notes)

    def frame(self, vocabulary: Vocabulary = "learning") -> Any:
        """All figures and all measures of all classes as a frame, of pandas where the rows were (else of Polars)."""
        import polars as pl

        other: Vocabulary = "learning" if vocabulary == "medical" else "medical"
        main = []
        for name, figure in self.figures.items():
            names = {"of": "all rows", "measure": called(name, vocabulary), "also": called(name, other)}
            names["also"] = "" if names["also"] == names["measure"] else names["also"]
            main.append({**names, "formula": self._formula(name), **figure.fields()})
        return figures_like(pl.concat([pl.DataFrame(main), self.confusion.frame(vocabulary)]), self.like)

    def __str__(self) -> str:
        parts = [head_of(self), "", aligned(self._figure_rows(), left=(0, 1, 2)), ""]
        if len(self.classes) <= MOST_TOGETHER:
            parts += [self.confusion.matrix_text(), ""]
        parts.append(aligned(class_rows(self)))
        return "\n".join([*parts, *(f"note: {note}" for note in self.notes)])

    __repr__ = __str__

    def _repr_html_(self) -> str:
        return as_page(self, self._figure_rows())

    def _figure_rows(self) -> list[list[str]]:
        return [[name, str(figure), self._formula(name)] for name, figure in self.figures.items()]

    def _confusion_figures(self) -> dict[str, Estimate]:
        chosen = {"accuracy": self.accuracy, "error rate": self.error}
        if self.confusion.rejected.any():
            chosen["answered"] = self.confusion.coverage
            chosen["accuracy of answers"] = self.confusion.selective_accuracy
        for name in ("recall", "precision", "F1", "correlation"):
            title = name if self.positive is not None else f"macro {name}"
            chosen[title] = self.measure(name, average=None if self.positive is not None else "macro")
        return chosen

    def _formula(self, name: str) -> str:
        """How a figure is read from the confusion matrix; empty for one that is not."""
        if name in OF_ANSWERS:
            return OF_ANSWERS[name]
        if name == "log-loss":
            return f"the classes' shares alone: {self.log_loss_of_shares:.3f}"
        if name == "mean cost" and not self.costs_per_row:
            label, cost = self.best_constant
            return f"always saying {label}: {cost.value:.3g}"
        average, chosen = measure_of_figure(name)
        if chosen is None:
            return ""
        if average == "macro":
            return f"mean over classes: {chosen.formula}"
        return chosen.overall or chosen.formula  # accuracy and error are of all rows, whatever their class

    @property
    def _told(self) -> Said:
        """What was said, where that is probabilities."""
        if not self.said.has_probabilities:
            raise InputError("log-loss, Brier score and calibration need probabilities; here are labels or scores only")
        return self.said

    @cached_property
    def _clustered(self) -> ClusteredCurves:
        assert self.said.groups is not None
        present = [c for c, rows in zip(self.classes, self.confusion.support, strict=True) if rows > 0]
        if len(present) < 2:
            raise InputError(f"y has only one class, {present[0]!r}: a curve needs rows of two classes")
        of = [self.positive] if self.positive is not None else present
        return ClusteredCurves(tuple(self._ranking(c) for c in of), self.said.groups)

    def _ranking(self, pos_label: Hashable) -> Ranking:
        name, rest = choose_positive(self.classes, pos_label)
        place = self.classes.index(name)
        score = np.ascontiguousarray(self._scores("a curve")[:, place])
        return Ranking(self.said.y == place, score, self.said.weight, name, rest)

    def _scores(self, what: str) -> Floats:
        if self._ranks is None:
            raise InputError(f"{what} needs probabilities or scores; here are labels only")
        return self._ranks

    @property
    def _ranks(self) -> Floats | None:
        """What ranks the rows for each class (n, k): the posterior, or what a decision function says."""
        return self.said.posterior if self.said.scores is None else self.said.scores

    def _curve_class(self) -> Hashable:
        if self.positive is None:
            raise InputError(f"of {len(self.classes)} classes: ask for roc_of(class), or evaluate(..., pos_label=...)")
        return self.positive


def evaluate(
    model_or_predictions: object,
    X: TableLike | None = None,
    y: TargetLike = None,
    *,
    pos_label: Hashable = None,
    confidence: float = 0.95,
    groups: PerRow = None,
    sample_weight: PerRow = None,
    costs: CostsLike | None = None,
    reject_cost: float | None = None,
    classes: Sequence[Hashable] | None = None,
    reject_label: Hashable = None,
    prior: PriorLike | None = None,
) -> Evaluation:
    """Judge a fitted classifier on rows X with true classes y, or predictions (labels or probabilities) against y.

    The result of `cross_validate` is judged as it is: its rows, weights and groups, and what was said in its first
    repeat. Intervals are then those of rows judged by one model; `CrossValidation.estimate` allows for the folds.
    With the name of its target as y, X may be a frame or a scanned file, which is read batch by batch. All its rows are
    counted; of more than 2^18 (fewer of more than four classes) so many are drawn at random for what ranks and
    probabilities tell, and a note says so. Rows that have weights, groups or costs of their own are all kept.

    pos_label     the class that recall, precision and the curves are about; of two classes that which the model knows
                  from its study (the class named there, or the rarer), else the second; of more none (macro averages)
    groups        which rows depend on each other: one label per row
    costs         costs[truth][said]: an array in the order of the classes, a mapping by names, or a file
    reject_cost   what a rejected row costs; a `Decider` knows its own
    classes       the order of the columns of probabilities, where y does not hold all classes; of a model, classes that
                  it never saw too: their rows count as mistakes, of probability 0
    reject_label  the answer that stands for a rejected row, besides None and NaN
    prior         of the classes where the model is used: it is asked under this prior, and rows count as their classes
                  are frequent there; None: that of a `Decider` which has one. "observed": rows count as they are

    >>> truth = ["ham", "ham", "spam", "spam", "ham", "spam", "ham", "ham"]
    >>> print(evaluate([0.1, 0.4, 0.8, 0.6, 0.2, 0.3, 0.1, 0.7], y=truth))
    8 rows of 2 classes: ham, spam; positive: spam
    <BLANKLINE>
    accuracy           0.750 [0.409, 0.929] 95 % Wilson, n=8 ... sum of TP / N
    ...
    """
    check_confidence(confidence)
    model_or_predictions = in_place(model_or_predictions, prior)
    told = sample_weight is not None or groups is not None
    by_row = told or are_per_row(costs) or is_weighed(model_or_predictions, prior)
    said, all_rows = read_answers(model_or_predictions, X, y, classes, pos_label, reject_label, keep_all=by_row)
    if isinstance(model_or_predictions, CrossValidation):
        sample_weight = said.weight if sample_weight is None else sample_weight
        groups = said.groups if groups is None else groups
    two = len(said.classes) == 2
    if pos_label is None and two and hasattr(model_or_predictions, "predict"):
        pos_label = positive_inside(model_or_predictions)
    if pos_label is not None or two:
        pos_label = choose_positive(said.classes, pos_label)[0]
    members = None if groups is None else read_groups(groups, len(said))
    said = replace(said, weight=read_weight(sample_weight, len(said)), groups=members)
    said, weighed_by = weighed(said, model_or_predictions, prior)
    priced = None if costs is None else CostMatrix.of(costs, said.classes)
    if priced is not None and reject_cost is None and isinstance(model_or_predictions, Decider):
        reject_cost = model_or_predictions.reject
    return Evaluation(said, pos_label, priced, reject_cost, confidence, all_rows, bare_table(X), weighed_by)
