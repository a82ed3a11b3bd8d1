"""What must hold of the worked examples of resampling beside their numbers, and one that needs a neighbour's model."""

import numpy as np
import pytest
from catalogue import check, covers
from sklearn.neighbors import KNeighborsClassifier

from likely import NaiveBayes
from likely.evaluation.resampling.cross_validation import cross_validate
from likely.examples import run
from likely.models.held_out.folds import holdout, make_folds


@covers("EX-EVA-13")
@pytest.mark.parametrize("model", [NaiveBayes("gaussian"), NaiveBayes("categorical")], ids=lambda m: repr(m))
def test_leave_one_out_fails_for_the_majority_rule(ex, model):
    y = np.array(ex.inputs["labels"])
    x = np.ones((len(y), 1))  # nothing to learn but the majority
    result = cross_validate(model, x, y, leave_one_out=True)
    check(ex.id, "loo_error", result.scores("error").mean())
    check(ex.id, "true_error", float((model.fit(x, y).predict(x) != y).mean()))


@covers("EX-EVA-14")
def test_stratified_folds(ex):
    counts, k = ex.inputs["class_counts"], ex.inputs["k"]
    y = np.repeat(list(counts), list(counts.values()))
    folds = make_folds(y, k, random_state=ex.inputs["seed"])
    assert sorted(set(folds)) == list(range(k))  # one fold for each row: disjoint, and all rows covered
    for table in run(ex.id).values["all_folds"]:
        check(ex.id, "per_fold", table)
    assert not np.array_equal(folds, make_folds(y, k, random_state=ex.inputs["seed"] + 1))
    repeated = cross_validate(NaiveBayes(), np.zeros((len(y), 1)), y, cv=k, repeats=3).folds
    assert len(np.unique(repeated, axis=0)) == 3
    aside = holdout(y, 1 / k, random_state=ex.inputs["seed"])
    check(ex.id, "per_fold", {name: int(aside[y == name].sum()) for name in counts})


@covers("EX-EVA-21")
def test_learning_curve(ex):
    # The reported 0.89 is of a corpus that is not here; what must hold of any such curve is.
    found = run(ex.id).values
    accuracy = np.array(found["accuracies"])
    assert list(found["sizes"]) == ex.inputs["sizes"]
    assert (np.diff(accuracy) > -0.05).all()
    assert accuracy[-1] >= accuracy[0] + 0.1


@covers("EX-KNN-05")
def test_training_error_is_optimistic(ex):
    x, y = ex.inputs["x"], ex.inputs["y"]
    nearest = cross_validate(KNeighborsClassifier(1), x, y, leave_one_out=True)
    check(ex.id, "training_error_1nn", nearest.optimism("error").training)
    errors = {
        str(k): cross_validate(KNeighborsClassifier(k), x, y, leave_one_out=True).scores("error").mean()
        for k in ex.inputs["ks"]
    }
    check(ex.id, "loo_error", errors)
    assert nearest.optimism("error").bias.value == pytest.approx(-errors["1"])
