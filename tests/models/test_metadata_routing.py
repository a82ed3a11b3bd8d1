"""Metadata routing: weights reach the models that ask for them, through pipelines, votes and searches."""

import subprocess
import sys

import numpy as np
import pytest
from sklearn import config_context
from sklearn.base import clone
from sklearn.ensemble import VotingClassifier
from sklearn.exceptions import UnsetMetadataPassedError
from sklearn.model_selection import GridSearchCV, GroupKFold, cross_validate
from sklearn.naive_bayes import GaussianNB
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler

from likely import BayesClassifier, Calibrated, Decider, GaussianBayes, NaiveBayes, TextBayes
from likely.models import MajorityClassifier

rng = np.random.default_rng(0)
Y = rng.integers(0, 2, 80)
X = rng.normal(Y[:, None], 1.0, (80, 3))
WEIGHT = rng.uniform(0.1, 5, 80)


@pytest.fixture(autouse=True)
def routed():
    with config_context(enable_metadata_routing=True):
        yield


@pytest.mark.parametrize("kind", [NaiveBayes, GaussianBayes, BayesClassifier, TextBayes, MajorityClassifier])
def test_requests_are_those_of_the_peer(kind):
    model = kind() if kind is not BayesClassifier else kind(family="gaussian")
    assert model.set_fit_request(sample_weight=True) is model
    model.set_score_request(sample_weight="weight")
    asked = clone(model).get_metadata_routing()
    assert asked.fit.requests == {"sample_weight": True}
    assert asked.score.requests == {"sample_weight": "weight"}
    assert hasattr(model, "set_partial_fit_request") == hasattr(model, "partial_fit")
    assert not hasattr(model, "set_transform_request") and not hasattr(model, "set_decision_function_request")
    with pytest.raises(TypeError, match="Unexpected args"):
        model.set_fit_request(no_such=True)


def test_a_pipeline_scores_with_weights():
    model = NaiveBayes().set_fit_request(sample_weight=True).set_score_request(sample_weight=True)
    piped = make_pipeline(StandardScaler().set_fit_request(sample_weight=True), model)
    piped.fit(X, Y, sample_weight=WEIGHT)
    scaler = StandardScaler().fit(X, sample_weight=WEIGHT)
    alone = NaiveBayes().fit(scaler.transform(X), Y, sample_weight=WEIGHT)
    assert np.allclose(piped.predict_proba(X), alone.predict_proba(scaler.transform(X)), rtol=1e-12)
    assert piped.score(X, Y, sample_weight=WEIGHT) == alone.score(scaler.transform(X), Y, sample_weight=WEIGHT)
    assert piped.score(X, Y, sample_weight=WEIGHT) != piped.score(X, Y)


def test_a_vote_fits_with_weights():
    ours, peer = (m.set_fit_request(sample_weight=True) for m in (GaussianBayes("diagonal"), GaussianNB()))
    vote = VotingClassifier([("ours", ours), ("peer", peer)], voting="soft").fit(X, Y, sample_weight=WEIGHT)
    alone = GaussianBayes("diagonal").fit(X, Y, sample_weight=WEIGHT)
    assert np.allclose(vote.named_estimators_["ours"].predict_proba(X), alone.predict_proba(X), rtol=1e-12)
    with pytest.raises(UnsetMetadataPassedError):
        VotingClassifier([("ours", NaiveBayes())]).fit(X, Y, sample_weight=WEIGHT)


def test_a_search_over_a_wrapper_routes_weights_and_groups():
    inside = NaiveBayes().set_fit_request(sample_weight=True)
    model = Calibrated(inside, cv=3).set_fit_request(sample_weight=True).set_score_request(sample_weight=True)
    search = GridSearchCV(model, {"estimator__class_prior": [None, "uniform"]}, cv=GroupKFold(3))
    search.fit(X, Y, sample_weight=WEIGHT, groups=np.arange(80) % 6)
    best = Calibrated(NaiveBayes(class_prior=search.best_params_["estimator__class_prior"]), cv=3)
    assert np.allclose(search.predict_proba(X), best.fit(X, Y, sample_weight=WEIGHT).predict_proba(X), rtol=1e-12)


def test_wrappers_say_what_they_hand_on():
    asked = Decider(NaiveBayes().set_fit_request(sample_weight=True), cv=GroupKFold(3)).get_metadata_routing()
    assert asked.consumes("fit", ["sample_weight", "groups", "nothing"]) == {"sample_weight", "groups"}


def test_cross_validation_without_weights_is_as_before():
    scores = cross_validate(make_pipeline(StandardScaler(), NaiveBayes()), X, Y, cv=3)["test_score"]
    with config_context(enable_metadata_routing=False):
        assert np.array_equal(
            scores, cross_validate(make_pipeline(StandardScaler(), NaiveBayes()), X, Y, cv=3)["test_score"]
        )


def test_nothing_of_this_imports_scikit_learn():
    fit = "from likely import NaiveBayes; NaiveBayes().fit([[0.0], [1]], [0, 1])"
    code = f"import sys; {fit}; print('sklearn' in sys.modules)"
    assert subprocess.run([sys.executable, "-c", code], capture_output=True, text=True).stdout.strip() == "False"
