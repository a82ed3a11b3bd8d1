"""Classifiers that decide are judged by their decisions and costs; no interval is narrower than its rows allow."""

import numpy as np
import pytest
from sklearn.metrics import balanced_accuracy_score

from likely import Decider, NaiveBayes, compare, cross_validate, evaluate
from likely.decisions import CostMatrix, MajorityClassifier
from likely.errors import InputError
from likely.evaluation import proportion_interval
from likely.evaluation.measures.criteria import cost_criterion

COSTS = {"bad": {"good": 5}, "good": {"bad": 1}}


@pytest.fixture(scope="module")
def rows():
    rng = np.random.default_rng(0)
    y = np.where(rng.random(300) < 0.3, "bad", "good")
    return rng.normal(size=(300, 3)) + 0.6 * (y == "bad")[:, None], y


def test_costs_are_a_measure(rows):
    X, y = rows
    models = {"plain": NaiveBayes(), "careful": Decider(NaiveBayes(), costs=COSTS)}
    result = compare(models, X, y, cv=5, scoring=COSTS)
    said = result.results["careful"].predictions[0]
    expected = np.where((y == "bad") & (said == "good"), 5.0, np.where((y == "good") & (said == "bad"), 1.0, 0.0))
    assert np.array_equal(result.results["careful"].row_scores(CostMatrix.of(COSTS))[0], expected)
    assert result.ranking[0] == "careful" and not result.criterion.larger_is_better


def test_a_rejected_row_costs_what_is_said(rows):
    X, y = rows
    found = cross_validate(Decider(NaiveBayes(), reject=0.2, reject_label="ask"), X, y, cv=5)
    asked = found.answers[0] < 0
    assert asked.any()
    assert (found.row_scores(cost_criterion(COSTS, reject=0.25))[0][asked] == 0.25).all()
    assert (found.row_scores(COSTS)[0][asked] == 0.2).all()  # what the Decider says that not answering costs
    silent = cross_validate(Decider(NaiveBayes(), max_error=0.1, confidence=None, reject_label="ask"), X, y, cv=5)
    with pytest.raises(InputError, match="reject="):
        silent.scores(COSTS)


@pytest.mark.parametrize("label", ["ask", None, -7])
def test_the_label_of_rejected_rows_is_no_class(rows, label):
    X, y = rows
    for names in (y, (y == "bad").astype(int)):
        model = Decider(NaiveBayes(), reject=0.2, reject_label=label).fit(X, names)
        judged = evaluate(model, X, names)
        assert len(judged.classes) == 2 and judged.confusion.rejected.sum() > 0
        again = cross_validate(Decider(NaiveBayes(), reject=0.2, reject_label=label), X, names, cv=3)
        assert (again.answers < 0).any()


def test_an_estimated_prior_is_a_prior(rows):
    X, y = rows
    found = Decider(NaiveBayes()).fit(X, y).estimate_prior(X[y == "good"])
    shifted = Decider(NaiveBayes(), prior=found).fit(X, y)
    assert np.array_equal(shifted.predict_proba(X), Decider(NaiveBayes(), prior=found.value).fit(X, y).predict_proba(X))


def test_mistakes_in_costs_name_the_class(rows):
    X, y = rows
    with pytest.raises(InputError, match="nothing of class 'good'"):
        Decider(NaiveBayes(), costs={"bad": {"good": 5}}).fit(X, y)
    with pytest.raises(InputError, match="0 or more"):
        Decider(NaiveBayes(), reject=-1).fit(X, y)


def test_an_error_rate_that_nothing_reaches_is_said(rows):
    X, y = rows
    wrong = NaiveBayes().fit(X, np.where(y == "bad", "good", "bad"))  # the surer, the more mistaken
    with pytest.warns(UserWarning, match="no row can be answered"):
        Decider(wrong, max_error=0.05, cv="prefit", calibrate=None).fit(X, y)


def test_stratified_folds_do_not_make_the_majority_certain(rows):
    X, y = rows
    figure = cross_validate(MajorityClassifier(), X, y).estimate("accuracy")
    wilson = proportion_interval(int((y == "good").sum()), len(y))
    assert figure.low <= wilson.low and figure.high >= wilson.high and "Wilson" in figure.method


def test_a_perfect_score_is_not_certain():
    X, y = np.arange(60.0)[:, None] + 100 * (np.arange(60) % 2)[:, None], np.arange(60) % 2
    figure = cross_validate(NaiveBayes(), X, y, cv=5).estimate("accuracy")
    assert figure.value == 1.0 and figure.low < 0.96


def test_leaving_one_out_of_groups_leaves_out_groups(rows):
    X, y = rows
    groups = np.arange(300) // 10
    found = cross_validate(NaiveBayes(), X, y, leave_one_out=True, groups=groups)
    again = cross_validate(NaiveBayes(), X, y, cv=groups)
    assert found.n_folds == 30 and np.array_equal(found.log_posterior, again.log_posterior)
    with pytest.raises(InputError, match="repeats"):
        cross_validate(NaiveBayes(), X, y, leave_one_out=True, repeats=3)


def test_balanced_accuracy_of_several_classes_is_their_mean_recall():
    rng = np.random.default_rng(2)
    y = rng.integers(0, 4, 400)
    X = rng.normal(size=(400, 2)) + y[:, None]
    found = cross_validate(NaiveBayes(), X, y, cv=4)
    for fold in range(4):
        rows = found.folds[0] == fold
        expected = balanced_accuracy_score(y[rows], found.predictions[0][rows])
        assert found.scores("balanced accuracy")[0, fold] == pytest.approx(expected)
    assert np.array_equal(found.scores("roc_auc"), found.scores("roc_area"))
    assert np.array_equal(found.scores("macro F1"), found.scores("F1"))
