"""The worked examples of resampling, paired tests and learning curves (of groups EVA and KNN)."""

import numpy as np
import pytest
from catalogue import check, covers
from sklearn.neighbors import KNeighborsClassifier

from likely import NaiveBayes
from likely.decisions.majority import MajorityClassifier
from likely.evaluation.cross_validation import cross_validate
from likely.evaluation.differences import error_difference
from likely.evaluation.folds import holdout, make_folds
from likely.evaluation.learning_curve import learning_curve
from likely.evaluation.means import mean_interval
from likely.evaluation.quantiles import t_quantile
from likely.evaluation.resampled import fold_spread
from likely.evaluation.significance import paired_t


@covers("EX-EVA-11")
def test_difference_of_two_error_rates(ex):
    result = error_difference(ex.inputs["e1"], ex.inputs["n1"], ex.inputs["e2"], ex.inputs["n2"])
    check(ex.id, "d", result.difference.value)
    check(ex.id, "sigma", result.standard_error)
    check(ex.id, "z", result.z)
    check(ex.id, "p_d_positive", result.probability)
    check(ex.id, "interval_95", [result.difference.low, result.difference.high])
    check(ex.id, "p_value_one_sided", result.p_value)
    assert not result.larger(0.05)


@covers("EX-EVA-12")
def test_paired_t_over_folds(ex):
    a, b = np.array(ex.inputs["errors_a"]), np.array(ex.inputs["errors_b"])
    test = paired_t(a, b)
    check(ex.id, "delta", a - b)
    check(ex.id, "mean", test.difference.value)
    check(ex.id, "psi", test.standard_error)
    check(ex.id, "t_95", t_quantile(0.95, test.degrees))
    check(ex.id, "interval_95", [test.difference.low, test.difference.high])
    check(ex.id, "t_statistic", test.t)
    check(ex.id, "p_value", test.p_value)


@covers("EX-EVA-13")
@pytest.mark.parametrize(
    "model", [MajorityClassifier(), NaiveBayes("gaussian"), NaiveBayes("categorical")], ids=lambda m: repr(m)
)
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
    for fold in range(k):
        rows = y[folds == fold]
        check(ex.id, "fold_size", len(rows))
        check(ex.id, "per_fold", {name: int((rows == name).sum()) for name in counts})
    assert not np.array_equal(folds, make_folds(y, k, random_state=ex.inputs["seed"] + 1))
    repeated = cross_validate(NaiveBayes(), np.zeros((len(y), 1)), y, folds=k, repeats=3).folds
    assert len(np.unique(repeated, axis=0)) == 3
    aside = holdout(y, 1 / k, random_state=ex.inputs["seed"])
    check(ex.id, "per_fold", {name: int(aside[y == name].sum()) for name in counts})


@covers("EX-EVA-20")
def test_mean_and_spread_over_folds(ex):
    spread = fold_spread(ex.inputs["accuracies"])
    check(ex.id, "mean", spread.mean)
    check(ex.id, "sd", spread.deviation)
    interval = mean_interval(ex.inputs["accuracies"], method="t")
    check(ex.id, "interval_95_t", [interval.low, interval.high])


@covers("EX-EVA-21")
def test_learning_curve(ex):
    # The reported 0.89 is of a corpus that is not here; what must hold of any such curve is.
    rng = np.random.default_rng(ex.inputs["seed"])
    words = rng.dirichlet(np.full(300, 4.0), size=4)
    sizes, withheld = ex.inputs["sizes"], ex.inputs["withheld"]
    y = rng.integers(0, 4, round(max(sizes) / (1 - withheld)))
    counts = np.stack([rng.multinomial(30, words[c]) for c in y])
    curve = learning_curve(NaiveBayes("multinomial"), counts, y, sizes, withheld, repeats=5)
    accuracy = np.array([estimate.value for estimate in curve.estimates])
    assert curve.sizes == tuple(sizes)
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
