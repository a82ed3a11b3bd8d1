"""Worked examples of ROC curves, folds and learning curves."""

from typing import Any

import numpy as np

from likely import NaiveBayes
from likely.evaluation import (
    Confusion,
    PrecisionRecallCurve,
    RocCurve,
    cross_validate,
    learning_curve,
    make_folds,
    multiclass_area,
)
from likely.examples.catalogue import Example
from likely.examples.worked import Axes, Worked, worked
from likely.figures import LearningCurveDisplay, RocDisplay
from likely.models import MajorityClassifier


@worked("EX-EVA-13")
def leave_one_out(ex: Example) -> Worked:
    """How wrong does leave-one-out find the rule that says the majority, and how wrong is it?"""
    y = np.array(ex.inputs["labels"])
    x = np.ones((len(y), 1))  # nothing to learn but the majority
    result = cross_validate(MajorityClassifier(), x, y, leave_one_out=True)
    model = MajorityClassifier().fit(x, y)
    values = {"loo_error": result.scores("error").mean(), "true_error": Confusion.of(y, model.predict(x)).error.value}
    return Worked(values)


@worked("EX-EVA-14")
def stratified_folds(ex: Example) -> Worked:
    """How many rows of each class are in each of five stratified folds?"""
    counts, k = ex.inputs["class_counts"], ex.inputs["k"]
    y = np.repeat(list(counts), list(counts.values()))
    folds = make_folds(y, k, random_state=ex.inputs["seed"])
    table = [{name: int((y[folds == fold] == name).sum()) for name in counts} for fold in range(k)]
    values = {"fold_size": sum(table[0].values()), "per_fold": table[0], "all_folds": table}
    return Worked(values)


@worked("EX-EVA-15")
def roc_and_area(ex: Example) -> Worked:
    """What are the ROC curve of these scores and the area below it?"""
    y, score = np.array(ex.inputs["labels"]), np.array(ex.inputs["scores"])
    curve, along = RocCurve.of(y, score), PrecisionRecallCurve.of(y, score)
    at_half = curve.at(0.5)  # posterior ratio 1
    values = {
        "points": curve.points,
        "auc": curve.area.value,
        "auc_by_pairs": multiclass_area(y, score, average="hand-till").value,
        "precision_recall": np.column_stack([along.thresholds, along.precision, along.recall]),
        "posterior_ratio_threshold_1": [at_half.false_alarm_rate, at_half.sensitivity],
    }

    def figure(ax: Axes) -> None:
        RocDisplay.from_predictions(y, score, ax=ax, hull=True)

    return Worked(values, figure, (5.6, 5.0))


@worked("EX-EVA-16")
def dominance(ex: Example) -> Worked:
    """Which of three classifiers is better at every threshold?"""
    y, scores = ex.inputs["labels"], ex.inputs["scores"]
    curves = {name: RocCurve.of(y, score) for name, score in scores.items()}
    values: dict[str, Any] = {"auc": {name: curve.area.value for name, curve in curves.items()}}
    for one, other in (("h", "g"), ("g", "h"), ("k", "g"), ("g", "k")):
        values[f"{one}_dominates_{other}"] = curves[one].dominates(curves[other])

    def figure(ax: Axes) -> None:
        for name, score in scores.items():
            RocDisplay.from_predictions(y, score, name=name, ax=ax, mark=False)

    return Worked(values, figure, (5.6, 5.0))


@worked("EX-EVA-17")
def best_operating_point(ex: Example) -> Worked:
    """Which point of the ROC curve is the most accurate?"""
    y, score = ex.inputs["labels"], ex.inputs["scores"]
    curve = RocCurve.of(y, score)
    best = curve.best_point()
    values = {
        "accuracies": curve.accuracies(),
        "best_point": [best.false_alarm_rate, best.sensitivity],
        "best_accuracy": best.accuracy,
        "isometric_slope": curve.isometric_slope(),
    }

    def figure(ax: Axes) -> None:
        RocDisplay.from_predictions(y, score, ax=ax, isometrics=True)

    return Worked(values, figure, (5.6, 5.0))


@worked("EX-EVA-21")
def learning(ex: Example) -> Worked:
    """How does the accuracy of naive Bayes on texts grow with the number of training texts?"""
    rng = np.random.default_rng(ex.inputs["seed"])
    words = rng.dirichlet(np.full(300, 4.0), size=4)
    sizes, withheld = ex.inputs["sizes"], ex.inputs["withheld"]
    y = rng.integers(0, 4, round(max(sizes) / (1 - withheld)))
    counts = np.stack([rng.multinomial(30, words[c]) for c in y])
    curve = learning_curve(NaiveBayes("multinomial"), counts, y, sizes, withheld, repeats=5)

    def figure(ax: Axes) -> None:
        LearningCurveDisplay.from_curve(curve, ax=ax)

    values = {"sizes": curve.sizes, "accuracies": [estimate.value for estimate in curve.estimates]}
    return Worked(values, figure)
