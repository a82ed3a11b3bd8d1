"""Options that scikit-learn's counterparts have: equal to them, and as additive as the models without them."""

import numpy as np
import pytest
from scipy import sparse
from sklearn.covariance import ledoit_wolf
from sklearn.discriminant_analysis import LinearDiscriminantAnalysis, QuadraticDiscriminantAnalysis
from sklearn.naive_bayes import BernoulliNB, CategoricalNB, ComplementNB, GaussianNB, MultinomialNB

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
    "complement": (NaiveBayes("complement", alpha=0.7), ComplementNB(alpha=0.7), COUNTS),
    "complement, normalized": (NaiveBayes("normalized_complement"), ComplementNB(norm=True), COUNTS),
    "complement, alpha each": (NaiveBayes("complement", alpha=ALPHA), ComplementNB(alpha=ALPHA), COUNTS),
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
    "shrinkage by itself": (GaussianBayes("shared", shrinkage="auto"), None, REAL),
    "shrinkage of each by itself": (GaussianBayes(shrinkage="auto"), None, FLAT),
}


@pytest.fixture(params=CASES, ids=CASES)
def case(request):
    return CASES[request.param]


def test_posteriors_are_those_of_the_peer(case):
    model, peer, X = case
    if peer is None and model.get_params().get("shrinkage") == "auto":
        pytest.skip("the peer takes fourth moments: see test_correlations_are_weakened_as_far_as_by_ledoit_and_wolf")
    if peer is None:
        peers = [BernoulliNB(alpha=a).fit(X[:, [j]], Y) for j, a in enumerate(ALPHA)]
        terms = [p.predict_joint_log_proba(X[:, [j]]) - p.class_log_prior_ for j, p in enumerate(peers)]
        joint = sum(terms) + peers[0].class_log_prior_
        expected = joint - np.logaddexp.reduce(joint, axis=1, keepdims=True)
        assert np.allclose(model.fit(X, Y).predict_log_proba(X), expected, rtol=1e-9)
        return
    ours, theirs = model.fit(X, Y).predict_log_proba(X), peer.fit(X, Y).predict_log_proba(X)
    assert np.allclose(ours, theirs, rtol=1e-6, atol=1e-7)
    if isinstance(peer, ComplementNB):
        assert np.allclose(ours, theirs, rtol=1e-10, atol=1e-10)
        assert np.allclose(model.fit(sparse.csr_array(X), Y).predict_log_proba(X), theirs, rtol=1e-10, atol=1e-10)


def test_the_option_changes_something(case):
    model, _, X = case
    plain = type(model)(**{k: v for k, v in model.get_params().items() if k in ("kinds", "covariance", "ddof")})
    if "complement" in str(getattr(model, "kinds", "")):
        plain.set_params(kinds="multinomial")
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


@pytest.mark.parametrize(("rows", "columns"), [(30, 20), (60, 50), (400, 5)])
def test_correlations_are_weakened_as_far_as_by_ledoit_and_wolf(rows, columns):
    z = rng.normal(size=(rows, columns)) @ (np.eye(columns) + 0.3 * rng.normal(size=(columns, columns)))
    z = (z - z.mean(axis=0)) / z.std(axis=0)
    theirs = ledoit_wolf(z)[1]
    fitted = GaussianBayes(shrinkage="auto").fit(np.r_[z, z + 9.0], np.repeat([0, 1], rows)).covariances_[0]
    plain = z.T @ z / rows
    away = ~np.eye(columns, dtype=bool)
    ours = 1 - (fitted[away] @ plain[away]) / (plain[away] @ plain[away])
    assert abs(ours - theirs) < 0.06 and np.allclose(np.diagonal(fitted), np.diagonal(plain))
    mixed = (1 - ours) * plain + ours * np.eye(columns)
    assert np.allclose(fitted, mixed, atol=1e-9)


def test_the_intensity_is_no_worse_than_that_of_ledoit_and_wolf():
    square = dict.fromkeys(("ours", "theirs", "none"), 0.0)
    truth = 0.5 ** np.abs(np.subtract.outer(np.arange(15), np.arange(15)))
    root, draw = np.linalg.cholesky(truth), np.random.default_rng(1)
    for _ in range(40):
        z = draw.normal(size=(25, 15)) @ root.T
        scale = z.std(axis=0)
        found = {"ours": GaussianBayes(shrinkage="auto").fit(np.r_[z, z + 9.0], np.repeat([0, 1], 25)).covariances_[0]}
        found["theirs"] = ledoit_wolf((z - z.mean(axis=0)) / scale)[0] * scale[:, None] * scale
        found["none"] = np.cov(z.T, ddof=0)
        square = {name: total + ((found[name] - truth) ** 2).sum() for name, total in square.items()}
    assert square["ours"] < 1.02 * square["theirs"] and square["ours"] < 0.7 * square["none"]


def test_scores_are_no_distribution():
    model = NaiveBayes("complement").fit(COUNTS, Y)
    for ask in (lambda: model.sample(2), lambda: model.predict_interval(COUNTS[:2])):
        with pytest.raises(InputError, match="is no distribution"):
            ask()
    with pytest.raises(InputError, match="hidden labels"):
        NaiveBayes("complement", hidden="em").fit(COUNTS, [None if i % 5 == 0 else str(c) for i, c in enumerate(Y)])
    assert np.allclose(model.class_prior_, 1 / 3)
    assert model.evidence(COUNTS[:2]) is not None and model.as_linear().coef.shape == (3, 5)


@pytest.mark.parametrize(
    "model",
    [
        NaiveBayes("complement", alpha=0.0),
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
