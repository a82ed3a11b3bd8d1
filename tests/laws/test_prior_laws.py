"""Another prior means the same to every classifier that takes one, in whatever form it is given."""

import inspect
from functools import cache

import numpy as np
import pytest
from discovery import estimators, wrappers
from specimens import ESTIMATORS

from likely import DecisionTree, NaiveBayes, NearestNeighbors, Pool
from likely.decisions import estimate_prior, shift_prior
from likely.errors import InputError

TAKERS = [
    kind
    for kind in (*estimators(), *wrappers(), Pool)
    if "prior" in inspect.signature(getattr(kind, "predict_proba", kind)).parameters
]
EACH = pytest.mark.parametrize("kind", TAKERS, ids=lambda kind: kind.__name__)
NEW = np.array([0.2, 0.7, 0.1])


@cache
def fitted(kind):
    if kind in ESTIMATORS:
        specimen = ESTIMATORS[kind][0]
        X, y = specimen.data(np.random.default_rng(0))
        return specimen.fitted(X, y), X
    rng = np.random.default_rng(0)
    y = np.array(["ash", "birch", "cedar"])[np.arange(60) % 3]
    X = rng.normal(size=(60, 2)) + (y == "birch")[:, None]
    return (kind() if kind is Pool else kind(NaiveBayes())).fit(X, y), X


def test_there_are_takers():
    assert len(TAKERS) >= 10


@EACH
def test_a_prior_has_many_forms_and_one_meaning(kind):
    model, X = fitted(kind)
    names = model.classes_.tolist()
    expected = shift_prior(model.predict_proba(X, prior="uniform"), "uniform", NEW)
    for form in (NEW, NEW.tolist(), dict(zip(names, NEW, strict=True))):
        assert np.allclose(model.predict_proba(X, prior=form), expected, rtol=0, atol=1e-9)
    found = estimate_prior(0.9 * model.predict_proba(X) + 0.1 / 3, "uniform", classes=model.classes_)
    assert np.array_equal(model.predict_proba(X, prior=found), model.predict_proba(X, prior=found.value))


@EACH
@pytest.mark.parametrize("nonsense", [object(), 1.0, ["a", "b", "c"], [0.5, 0.5], {"ash": 1.0}, [[0.5], [0.5, 0]]])
def test_what_is_no_prior_is_refused(kind, nonsense):
    model, X = fitted(kind)
    with pytest.raises(InputError, match="prior"):
        model.predict_proba(X, prior=nonsense)


@pytest.mark.parametrize("model", [NearestNeighbors(2), DecisionTree(smoothing=0.0)], ids=repr)
def test_a_row_impossible_under_the_new_prior_has_that_prior(model):
    X, y = [[0.0], [1.0], [10.0], [11.0], [20.0], [21.0]], list("aabbcc")
    prior = [0.0, 0.25, 0.75]
    model = model.fit(X, y)
    assert np.allclose(model.predict_proba([[0.5], [10.5]], prior), [prior, [0, 1, 0]])
    assert np.allclose(np.exp(model.predict_log_proba([[0.5], [10.5]], prior)), [prior, [0, 1, 0]])
    assert model.predict([[0.5], [10.5]], prior).tolist() == ["c", "b"]
