"""What holds for every public classifier that is fitted around another, whatever it wraps."""

import numpy as np
import pytest
from discovery import wrappers
from sklearn.linear_model import LogisticRegression
from sklearn.model_selection import cross_val_score
from sklearn.utils.estimator_checks import check_estimator

from likely import GaussianBayes, NaiveBayes
from likely.engines import Serial, Threads, use
from likely.models.any_classifier.wrapper import Wrapper

pytestmark = [
    pytest.mark.filterwarnings("ignore:Estimator .* does not inherit from `sklearn.base.BaseEstimator`"),
    pytest.mark.filterwarnings("ignore:y has only one class"),  # which is what some checks fit
]
WRAPPERS = pytest.mark.parametrize("kind", wrappers(), ids=lambda kind: kind.__name__)
INNER = pytest.mark.parametrize(
    "inner", [NaiveBayes("numeric"), GaussianBayes("shared"), LogisticRegression()], ids=repr
)


def a_table(seed=0, n=150):
    rng = np.random.default_rng(seed)
    y = np.array(["ash", "birch", "cedar"])[np.arange(n) % 3]
    return rng.normal(size=(n, 3)) + (y == "birch")[:, None] - 0.5 * (y == "cedar")[:, None], y


def test_wrappers_are_found():
    assert {kind.__name__ for kind in wrappers()} >= {"Calibrated", "Decider"}
    assert all(issubclass(kind, Wrapper) for kind in wrappers())


@pytest.mark.sample(1)
@WRAPPERS
@INNER
def test_every_check_of_scikit_learn_passes(kind, inner):
    reason = (
        "which map serves best is found on folds, and a row that stands twice is in other folds than one of weight 2"
    )
    expected = {f"check_sample_weight_equivalence_on_{form}_data": reason for form in ("dense", "sparse")}
    results = check_estimator(kind(inner), on_fail=None, on_skip=None, expected_failed_checks=expected)
    failed = {r["check_name"]: r["exception"] for r in results if r["status"] == "failed"}
    assert len(results) > 50 and not failed


@WRAPPERS
@INNER
def test_posteriors_are_probabilities_and_agree_with_their_logarithms(kind, inner):
    X, y = a_table()
    model = kind(inner).fit(X, y)
    far = np.vstack([X, np.full((1, 3), 1e100), np.zeros((1, 3))])
    p, log_p = model.predict_proba(far), model.predict_log_proba(far)
    assert np.isfinite(p).all() and (p >= 0).all() and np.all(np.abs(p.sum(axis=1) - 1) <= 1e-12)
    assert np.allclose(np.exp(log_p), p, rtol=0, atol=1e-12)
    assert np.array_equal(model.predict(far), model.classes_[log_p.argmax(axis=1)])


@WRAPPERS
@INNER
def test_names_of_classes_are_no_matter(kind, inner):
    X, y = a_table()
    names = {"ash": "zelkova", "birch": "maple", "cedar": "larch"}
    one, other = kind(inner).fit(X, y), kind(inner).fit(X, [names[name] for name in y])
    place = [other.classes_.tolist().index(names[name]) for name in one.classes_]
    assert np.allclose(other.predict_proba(X)[:, place], one.predict_proba(X), rtol=0, atol=1e-6)


@WRAPPERS
def test_engines_give_the_same_model(kind):
    X, y = a_table()
    found = []
    for engine in (Serial(), Threads(2)):
        with use(engine):
            found.append(kind(NaiveBayes()).fit(X, y).predict_proba(X))
    assert np.array_equal(*found)


@WRAPPERS
def test_parameters_reach_the_wrapped_classifier(kind):
    X, y = a_table()
    model = kind(GaussianBayes("shared")).set_params(estimator__covariance="diagonal")
    assert model.get_params()["estimator__covariance"] == "diagonal"
    assert np.array_equal(model.fit(X, y).estimator_.predict(X), GaussianBayes("diagonal").fit(X, y).predict(X))
    assert cross_val_score(model, X, y, cv=3, error_score="raise").shape == (3,)


@WRAPPERS
def test_an_unusable_wrapped_thing_is_refused(kind):
    X, y = a_table()
    with pytest.raises(TypeError, match="classifier"):
        kind("naive").fit(X, y)
    with pytest.raises(TypeError, match="classifier"):
        kind(NaiveBayes).fit(X, y)
