import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.stats import norm
from sklearn.dummy import DummyClassifier
from sklearn.naive_bayes import GaussianNB
from sklearn.utils.estimator_checks import check_estimator

from likely import GaussianBayes, NaiveBayes
from likely.decisions import (
    MajorityClassifier,
    Population,
    average_models,
    bayes_optimal,
    hypothesis_posterior,
    map_hypothesis,
    ml_hypothesis,
    optimality,
)
from likely.distributions import Categorical, Gaussian
from likely.errors import InputError, NotFittedError

TWO = Population.of(Gaussian(np.array([[0.0], [2.0]]), np.ones((2, 1))), classes=["low", "high"])


def test_the_best_accuracy_is_the_bayes_accuracy_and_the_shortfall_vanishes_with_data():
    few = optimality(TWO, GaussianBayes("shared"), 20, n_test=4000, repeats=20, random_state=0)
    many = optimality(TWO, GaussianBayes("shared"), 2000, n_test=4000, repeats=20, random_state=0)
    assert abs(few.best_accuracy - norm.cdf(1)) < 0.005
    assert 0 <= many.shortfall < few.shortfall < 0.05
    assert (few.shortfalls >= 0).all() and few.shortfalls.shape == (20,)
    assert np.isclose(few.best_accuracy - few.accuracy, few.shortfall)
    assert np.isclose(few.standard_error, few.shortfalls.std(ddof=1) / np.sqrt(20))
    assert "20 repetitions" in str(few)


def test_a_classifier_that_learns_nothing_falls_short_by_all_there_is():
    found = optimality(TWO, MajorityClassifier(), 501, n_test=5000, repeats=5, random_state=1)
    assert abs(found.accuracy - 0.5) < 0.02 and abs(found.shortfall - (norm.cdf(1) - 0.5)) < 0.02


def test_one_repetition_takes_its_error_from_the_test_rows():
    once = optimality(TWO, GaussianNB(), 30, n_test=2000, repeats=1, random_state=3)
    assert once.standard_error > 0 and once.shortfalls.shape == (1,)
    assert optimality(TWO, GaussianNB(), 30, n_test=2000, repeats=1, random_state=3).shortfall == once.shortfall


def test_nominal_features_can_be_learned_too():
    law = Categorical((("a", "b", "c"),), np.log([[0.7, 0.2, 0.1], [0.1, 0.2, 0.7]]), np.zeros((2, 1)))
    found = optimality(Population.of(law), NaiveBayes(), 300, n_test=1000, repeats=3, random_state=0)
    assert found.shortfall < 0.02 and abs(found.best_accuracy - 0.8) < 0.03


def test_bad_sizes_are_refused():
    with pytest.raises(InputError, match="at least 1"):
        optimality(TWO, GaussianNB(), 0)


@given(st.integers(0, 99))
def test_averaging_is_the_sum_over_models(seed):
    rng = np.random.default_rng(seed)
    p, weight = rng.dirichlet(np.ones(3), (4, 10)), rng.dirichlet(np.ones(4))
    averaged = average_models(p, weight)
    assert np.allclose(averaged, np.einsum("m,mnk->nk", weight, p), atol=1e-12)
    vote = bayes_optimal(p, weight, list("abc"))
    assert (vote.best == np.array(list("abc"))[averaged.argmax(axis=1)]).all()
    # no single model errs less than the vote when the models' weights are true
    truth = np.einsum("m,mnk->nk", weight, p)
    rows = np.arange(10)
    best_of_one = max(truth[rows, p[m].argmax(axis=1)].sum() for m in range(4))
    assert truth[rows, vote.code].sum() >= best_of_one - 1e-12


def test_hypotheses():
    log_likelihood = np.array([-1000.0, -1001.0, -1003.0])
    assert ml_hypothesis(log_likelihood) == 0
    assert map_hypothesis(log_likelihood, [0.1, 0.8, 0.1]) == 1
    expected = np.array([0.1, 0.8, 0.1]) * np.exp([0, -1, -3])
    assert np.allclose(hypothesis_posterior(log_likelihood, [0.1, 0.8, 0.1]), expected / expected.sum())
    assert np.allclose(hypothesis_posterior(log_likelihood), np.exp([0, -1, -3]) / np.exp([0, -1, -3]).sum())
    assert map_hypothesis([0.0, 0.0], ties="last") == 1
    assert {map_hypothesis([0.0, 0.0], ties="random", random_state=seed) for seed in range(20)} == {0, 1}
    with pytest.raises(InputError, match="NaN"):
        ml_hypothesis([0.0, np.nan])
    with pytest.raises(InputError, match="weights of the models"):
        average_models([[0.5, 0.5]], [0.4])
    with pytest.raises(InputError, match="m models"):
        average_models([0.5, 0.5], [0.4])


@pytest.mark.filterwarnings("ignore:.*does not inherit from `sklearn.base.BaseEstimator`")
def test_the_majority_passes_scikit_learns_checks():
    results = check_estimator(MajorityClassifier(), on_fail=None, on_skip=None)
    assert not [(r["check_name"], str(r["exception"])) for r in results if r["status"] == "failed"]
    # the array API is checked only where the user has switched it on in SciPy
    assert {r["check_name"] for r in results if r["status"] == "skipped"} <= {"check_array_api_input"}


def test_the_majority_agrees_with_scikit_learns_dummy():
    rng = np.random.default_rng(0)
    X, y, weight = rng.normal(size=(50, 2)), rng.choice(["a", "b", "c"], 50), rng.uniform(0, 2, 50)
    ours, theirs = MajorityClassifier().fit(X, y, weight), DummyClassifier(strategy="prior").fit(X, y, weight)
    assert (ours.predict(X) == theirs.predict(X)).all()
    assert np.allclose(ours.predict_proba(X), theirs.predict_proba(X))
    assert np.allclose(ours.predict_log_proba(X), theirs.predict_log_proba(X))


def test_the_majority_of_odd_data():
    assert MajorityClassifier().fit([["x"], ["y"]], [1, 0]).predict([["z"]]).tolist() == [0]  # a tie: the first
    frame = {"a": [1, 2, 3], "y": ["u", "v", "v"]}
    model = MajorityClassifier().fit(frame, "y")
    assert model.predict({"a": [7]}).tolist() == ["v"] and model.feature_names_in_.tolist() == ["a"]
    assert MajorityClassifier().fit(np.zeros((3, 1)), ["u", None, None]).classes_.tolist() == ["u"]
    weighted = MajorityClassifier().fit(np.zeros((3, 1)), ["u", "v", "v"], [5, 1, 0])
    assert weighted.class_count_.tolist() == [5, 1] and weighted.predict([[0.0]]).tolist() == ["u"]
    assert MajorityClassifier().fit(np.zeros((3, 1)), ["u", "v", "w"], [5, 1, 0]).classes_.tolist() == ["u", "v"]
    with pytest.raises(InputError, match="no class"):
        MajorityClassifier().fit(np.zeros((2, 1)), [None, None])
    with pytest.raises(NotFittedError):
        MajorityClassifier().predict([[1]])
