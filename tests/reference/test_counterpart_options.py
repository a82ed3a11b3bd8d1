"""Options that scikit-learn's counterparts have: equal to them, and as additive as the models without them."""

import numpy as np
import pytest
from sklearn.discriminant_analysis import LinearDiscriminantAnalysis, QuadraticDiscriminantAnalysis
from sklearn.naive_bayes import BernoulliNB, CategoricalNB, GaussianNB, MultinomialNB

from likely import GaussianBayes, NaiveBayes
from likely.errors import InputError

rng = np.random.default_rng(8)
Y = rng.integers(0, 3, 150)
REAL = rng.normal(Y[:, None], 1.0, (150, 4)) * [1.0, 5.0, 0.1, 2.0] + [0, 100, 0, -3]
FLAT = np.c_[REAL, np.where(Y == 1, 2.0, rng.normal(size=150)), np.full(150, 7.0)]  # a class without spread; a constant
COUNTS = rng.poisson(1.0 + Y[:, None] * [0.2, 1.0, 0.0, 0.5, 2.0]).astype(float)
BITS = (COUNTS > 1).astype(float)
LEVELS = rng.integers(0, 3, (150, 2)) + (Y[:, None] == 2)
ALPHA = np.array([0.1, 1.0, 2.5, 0.0001, 3.0])

CASES = {
    "var_smoothing": (NaiveBayes("gaussian", var_smoothing=1e-3), GaussianNB(var_smoothing=1e-3), FLAT),
    "var_smoothing as usual": (NaiveBayes("gaussian", var_smoothing=1e-9), GaussianNB(), FLAT),
    "alpha of bits": (NaiveBayes("bernoulli", alpha=ALPHA), None, BITS),  # where the peer fails to broadcast
    "alpha of counts": (NaiveBayes("multinomial", alpha=ALPHA), MultinomialNB(alpha=ALPHA), COUNTS),
    "min_categories": (NaiveBayes("nominal", min_categories=6), CategoricalNB(min_categories=6), LEVELS),
    "min_categories each": (NaiveBayes("nominal", min_categories=[4, 7]), CategoricalNB(min_categories=[4, 7]), LEVELS),
    "shrinkage": (GaussianBayes("shared", shrinkage=0.3), LinearDiscriminantAnalysis("lsqr", shrinkage=0.3), REAL),
    "all shrinkage": (GaussianBayes("shared", shrinkage=1.0), LinearDiscriminantAnalysis("lsqr", shrinkage=1.0), REAL),
    "reg_param": (GaussianBayes(reg_param=0.2), QuadraticDiscriminantAnalysis(reg_param=0.2), REAL),
    "shrinkage of each": (
        GaussianBayes(shrinkage=0.3),
        QuadraticDiscriminantAnalysis(solver="eigen", shrinkage=0.3),
        REAL,
    ),
}


@pytest.fixture(params=CASES, ids=CASES)
def case(request):
    return CASES[request.param]


def test_posteriors_are_those_of_the_peer(case):
    model, peer, X = case
    if peer is None:
        peers = [BernoulliNB(alpha=a).fit(X[:, [j]], Y) for j, a in enumerate(ALPHA)]
        terms = [p.predict_joint_log_proba(X[:, [j]]) - p.class_log_prior_ for j, p in enumerate(peers)]
        joint = sum(terms) + peers[0].class_log_prior_
        expected = joint - np.logaddexp.reduce(joint, axis=1, keepdims=True)
        assert np.allclose(model.fit(X, Y).predict_log_proba(X), expected, rtol=1e-9)
        return
    ours, theirs = model.fit(X, Y).predict_log_proba(X), peer.fit(X, Y).predict_log_proba(X)
    assert np.allclose(ours, theirs, rtol=1e-6, atol=1e-7)


def test_the_option_changes_something(case):
    model, _, X = case
    plain = type(model)(**{k: v for k, v in model.get_params().items() if k in ("kinds", "covariance", "ddof")})
    assert not np.allclose(model.fit(X, Y).predict_proba(X), plain.fit(X, Y).predict_proba(X), atol=1e-12)


def test_the_sums_still_add_up(case):
    model, _, X = case
    make = lambda rows: type(model)(**model.get_params()).fit(X[rows], Y[rows])  # noqa: E731
    whole, first, second = make(slice(None)), make(slice(70)), make(slice(70, None))
    expected = whole.predict_log_proba(X)
    assert np.allclose((first + second).predict_log_proba(X), expected, rtol=1e-9, atol=1e-9)
    left = whole.forget(X[70:], Y[70:]).predict_log_proba(X)
    assert np.allclose(left, first.predict_log_proba(X), rtol=1e-7, atol=1e-7)
    folds = np.arange(150) % 5
    exact = model.out_of_fold(X, Y, folds)
    for f in range(5):
        refitted = make(np.flatnonzero(folds != f)).predict_log_proba(X[folds == f])
        assert np.allclose(exact[folds == f], refitted, rtol=1e-7, atol=1e-7)
    alone = model.out_of_fold(X, Y, np.arange(150))
    assert np.allclose(alone[3], make(np.delete(np.arange(150), 3)).predict_log_proba(X[3:4])[0], rtol=1e-7, atol=1e-7)


def test_fewer_rows_than_columns():
    X, y = rng.normal(size=(12, 30)), np.arange(12) % 2
    ours = GaussianBayes("shared", shrinkage=0.5).fit(X, y)
    peer = LinearDiscriminantAnalysis("lsqr", shrinkage=0.5).fit(X, y)
    assert np.allclose(ours.decision_function(X), peer.decision_function(X), rtol=1e-6)


@pytest.mark.parametrize(
    "model",
    [
        NaiveBayes("gaussian", var_smoothing=-1.0),
        NaiveBayes("bernoulli", alpha=[1.0, 2.0]),
        NaiveBayes("bernoulli", alpha=[-1.0] * 5),
        NaiveBayes("nominal", min_categories=2.5),
        GaussianBayes(shrinkage=1.5),
        GaussianBayes("shared", shrinkage="best"),
        GaussianBayes("diagonal", reg_param=0.5),
        GaussianBayes(estimation="bayes", shrinkage=0.5),
    ],
    ids=repr,
)
def test_what_makes_no_sense_is_refused(model):
    with pytest.raises(InputError):
        model.fit(BITS, Y)
    assert not hasattr(model, "classes_")
