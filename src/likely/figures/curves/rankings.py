"""What a curve is drawn from: rows ranked for a class, from an estimator or from scores."""

from collections.abc import Hashable, Sequence
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import ArrayLike

from likely.data.accepted import TableLike, TargetLike
from likely.data.labels.aligned_labels import align_labels
from likely.data.labels.weights import read_weight
from likely.decisions.costs import CostMatrix, CostsLike
from likely.errors import InputError
from likely.evaluation.curves.roc import RocCurve
from likely.evaluation.judged_input import Ranking, choose_positive, read_ranking, read_scores, read_truth
from likely.evaluation.model_answers import read_answers
from likely.figures.curves.style import curve_name
from likely.figures.drawing.subjects import check_classifier
from likely.intervals.quantiles import check_confidence
from likely.models.traits.protocols import FittedClassifier
from likely.numeric.arrays import Array, Floats, PerRow


@dataclass(frozen=True)
class Rankings:
    """What is to be drawn: the rows ranked for the positive class, or for each class against the rest."""

    classes: tuple[Hashable, ...]
    rankings: tuple[Ranking, ...]
    posterior: bool  # whether the scores are probabilities

    def curves(self, confidence: float) -> tuple[RocCurve, ...]:
        check_confidence(confidence)
        return tuple(RocCurve.of_ranking(ranking, confidence) for ranking in self.rankings)

    def names(self, name: str | None) -> tuple[str, ...]:
        return tuple(curve_name(name, ranking.name, len(self.rankings) > 1) for ranking in self.rankings)

    def costs(self, costs: CostsLike | None) -> CostMatrix | None:
        """Costs by class names, where there are two classes."""
        if costs is None:
            return None
        return CostMatrix.of(costs, self.classes if len(self.classes) == 2 else None)


def read_estimator(
    estimator: FittedClassifier, X: TableLike, y: TargetLike, pos_label: Hashable, sample_weight: PerRow
) -> Rankings:
    """Ask a fitted classifier for its posteriors, or else its decision function."""
    check_classifier(estimator)
    said, _ = read_answers(estimator, X, y, None, pos_label, None)
    scores = said.posterior if said.scores is None else said.scores
    if scores is None:
        raise InputError(
            f"{type(estimator).__name__} has neither predict_proba nor decision_function, so it gives no scores to draw"
        )
    return _each_class(said.classes, said.y, scores, pos_label, sample_weight, said.posterior is not None)


def read_predictions(
    y: TargetLike, scores: ArrayLike, pos_label: Hashable, classes: Sequence[Hashable] | None, sample_weight: PerRow
) -> Rankings:
    """Scores (n,) of the positive class or (n, k) of all; they are posteriors where they look like it."""
    given = np.asarray(scores.to_numpy() if hasattr(scores, "to_numpy") else scores)
    target = read_truth(y)
    if given.ndim != 2 or given.shape[1] < 2:
        ranking = read_ranking(y, given, pos_label, sample_weight)
        return Rankings(target.classes, (_weighty(ranking),), bool(((ranking.score >= 0) & (ranking.score <= 1)).all()))
    truth, names = align_labels(target, classes)
    if given.shape[1] != len(names):
        raise InputError(
            f"there are {len(names)} classes but {given.shape[1]} columns of scores; "
            "give `classes` in the order of the columns when y does not hold all of them"
        )
    values = np.column_stack([read_scores(column, len(truth)) for column in given.T])
    like = bool(((values >= 0) & (values <= 1)).all() and (np.abs(values.sum(axis=1) - 1) < 1e-4).all())
    return _each_class(names, truth, values, pos_label, sample_weight, like)


def _each_class(
    classes: tuple[Hashable, ...],
    truth: Array,
    scores: Floats,
    pos_label: Hashable,
    sample_weight: PerRow,
    posterior: bool,
) -> Rankings:
    weight = read_weight(sample_weight, len(truth))
    if pos_label is None and len(classes) > 2:
        present = np.unique(truth)
        wanted = [classes[c] for c in present]
        if len(present) == 1:
            raise InputError(f"y has only one class, {wanted[0]!r}: a curve needs rows of two classes")
    else:
        wanted = [pos_label]
    rankings = []
    for one in wanted:
        name, rest = choose_positive(classes, one)
        place = classes.index(name)
        ranking = Ranking(truth == place, np.ascontiguousarray(scores[:, place]), weight, name, rest)
        rankings.append(_weighty(ranking))
    return Rankings(classes, tuple(rankings), posterior)


def _weighty(ranking: Ranking) -> Ranking:
    """Without rows of weight zero, which have no step."""
    if ranking.weight is None or ranking.weight.all():
        return ranking
    kept = ranking.weight > 0
    return replace(ranking, positive=ranking.positive[kept], score=ranking.score[kept], weight=ranking.weight[kept])
