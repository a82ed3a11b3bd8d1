"""Logistic and softmax regression: scikit-learn's optimum from every solver, and defined answers to hostile data."""

import warnings

import numpy as np
import polars as pl
import pytest
import scipy.sparse as sp
from sklearn.linear_model import LogisticRegression as Peer

import likely
from likely.errors import InputError
from likely.models.linear.log_odds.logistic_regression import LogisticRegression

RNG = np.random.default_rng(7)
X = RNG.normal(size=(400, 6))
TWO = (RNG.random(400) < 1 / (1 + np.exp(-(X @ [1.0, -2, 0.5, 0, 0, 0.2] + 0.3)))).astype(int)
THREE = np.argmax(X[:, :3] + RNG.gumbel(size=(400, 3)), axis=1)
WEIGHT = RNG.random(400) * 3


def peer(y, **options):
    solver = "saga" if "l1_ratio" in options else "newton-cholesky"
    return Peer(solver=solver, tol=1e-11, max_iter=100_000, **options).fit(X, y)


def raw(**options):
    return LogisticRegression(standardize=False, **options)


@pytest.mark.parametrize("solver", ["auto", "newton", "newton_cg", "lbfgs", "conjugate_gradient", "gradient"])
@pytest.mark.parametrize("y", [TWO, THREE], ids=["two", "three"])
def test_every_solver_finds_the_optimum_of_the_peer(solver, y):
    ours, theirs = raw(solver=solver, C=0.7, max_iter=5000).fit(X, y), peer(y, C=0.7)
    assert ours.converged_
    assert np.allclose(ours.coef_, theirs.coef_, atol=2e-7)
    assert np.allclose(ours.intercept_ - ours.intercept_.mean() * (len(ours.coef_) > 1), theirs.intercept_, atol=2e-7)
    assert np.allclose(ours.predict_proba(X), theirs.predict_proba(X), atol=1e-7)
    decided = theirs.decision_function(X)
    assert np.allclose(ours.decision_function(X), decided, atol=1e-6)


@pytest.mark.parametrize("l1_ratio", [1.0, 0.4])
@pytest.mark.parametrize("y", [TWO, THREE], ids=["two", "three"])
def test_absolute_values_make_the_same_weights_zero(l1_ratio, y):
    ours, theirs = raw(penalty="elasticnet", l1_ratio=l1_ratio, C=0.05).fit(X, y), peer(y, C=0.05, l1_ratio=l1_ratio)
    assert np.allclose(ours.coef_, theirs.coef_, atol=1e-6)
    assert np.array_equal(ours.coef_ == 0, np.abs(theirs.coef_) < 1e-9)
    if l1_ratio == 1.0:
        assert np.array_equal(raw(penalty="l1", C=0.05).fit(X, y).coef_, ours.coef_)


def test_a_wide_lasso_moves_an_active_set_alone(monkeypatch):
    wide = RNG.normal(size=(200, 300))
    y = (wide[:, 0] - wide[:, 1] + RNG.normal(size=200) > 0).astype(int)
    full = raw(penalty="l1", C=0.1).fit(wide, y)
    monkeypatch.setattr("likely.models.linear.log_odds.solving.MOST_CURVED", 100)
    part = raw(penalty="l1", C=0.1).fit(wide, y)
    assert part.converged_
    assert np.allclose(part.coef_, full.coef_, atol=1e-6)


def test_weights_classes_and_no_penalty_are_those_of_the_peer():
    theirs = Peer(C=np.inf, tol=1e-12, max_iter=10_000, solver="newton-cholesky").fit(X, TWO)
    assert np.allclose(LogisticRegression(penalty=None).fit(X, TWO).coef_, theirs.coef_, atol=1e-5)
    theirs = Peer(C=0.5, class_weight="balanced", tol=1e-11, solver="newton-cholesky").fit(X, THREE, WEIGHT)
    ours = raw(C=0.5, class_weight="balanced").fit(X, THREE, sample_weight=WEIGHT)
    balanced = len(WEIGHT) / (3 * np.bincount(THREE))  # the peer counts rows, we count weights
    mine = WEIGHT.sum() / (3 * np.bincount(THREE, WEIGHT))
    theirs = Peer(C=0.5, class_weight=dict(enumerate(mine)), tol=1e-11, solver="newton-cholesky").fit(X, THREE, WEIGHT)
    assert np.allclose(ours.coef_, theirs.coef_, atol=1e-6)
    assert not np.allclose(mine, balanced)
    assert np.allclose(raw(fit_intercept=False).fit(X, TWO).coef_, peer(TWO, fit_intercept=False).coef_, atol=1e-6)


def test_standardised_columns_make_units_no_matter():
    units = np.array([1e-6, 1.0, 1e6, 1e3, 10.0, 0.1])
    one, other = LogisticRegression().fit(X, THREE), LogisticRegression().fit(X * units + 5 * units, THREE)
    assert np.allclose(one.predict_proba(X), other.predict_proba(X * units + 5 * units), atol=1e-9)
    assert np.allclose(one.coef_, other.coef_ * units, rtol=1e-6)


def test_sparse_and_dense_rows_give_the_same_model():
    thin = X * (RNG.random(X.shape) < 0.3)
    one, other = raw().fit(thin, TWO), raw().fit(sp.csr_matrix(thin), TWO)
    assert np.allclose(one.coef_, other.coef_, atol=1e-8)
    assert np.allclose(one.predict_proba(thin), other.predict_proba(sp.csr_matrix(thin)), atol=1e-9)


def test_a_file_is_learned_in_passes(tmp_path):
    frame = pl.DataFrame(X, schema=list("abcdef")).with_columns(y=pl.Series(np.array(["no", "yes"])[TWO]))
    frame.write_csv(tmp_path / "rows.csv")
    model = LogisticRegression().fit(likely.scan(tmp_path / "rows.csv"), "y")
    again = LogisticRegression().fit(frame, "y")
    assert np.allclose(model.coef_, again.coef_, atol=1e-9)
    assert np.allclose(model.predict_proba(frame.drop("y")), again.predict_proba(frame.drop("y")))


def test_calibration_at_the_optimum():
    """Of maximum likelihood, posteriors sum to the counts of the classes, also weighed by every column."""
    p = LogisticRegression(penalty=None).fit(X, THREE).predict_proba(X)
    truth = np.eye(3)[THREE]
    assert np.allclose((p - truth).sum(axis=0), 0, atol=1e-5)
    assert np.allclose(X.T @ (p - truth), 0, atol=1e-4)


def test_evidence_adds_up_to_the_odds():
    frame = pl.DataFrame({"x": X[:, 0], "town": RNG.choice(["a", "b", "c"], 400), "z": X[:, 1]})
    model = LogisticRegression().fit(frame, THREE)
    evidence = model.evidence(frame, for_class=2, against=0)
    log_p = model.predict_log_proba(frame)
    assert evidence.names == ("x", "town", "z")
    assert np.allclose(evidence.log2_odds, (log_p[:, 2] - log_p[:, 0]) / np.log(2))
    rest = model.evidence(frame)
    place = log_p.argmax(axis=1)
    p = np.exp(log_p[np.arange(400), place])
    assert np.allclose(rest.log2_odds, np.log2(p / (1 - p)), atol=1e-6)


@pytest.mark.parametrize("y", [np.repeat([0, 1], 20), np.repeat([0, 1, 2], [14, 13, 13])], ids=["two", "three"])
def test_separated_classes_have_a_finite_answer_and_a_word(y):
    x = y[:, None] * 10.0 + RNG.normal(size=(40, 1))
    with pytest.warns(UserWarning, match="separated perfectly"):
        model = LogisticRegression(penalty=None).fit(x, y)
    assert np.isfinite(model.coef_).all()
    assert model.score(x, y) == 1
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        assert LogisticRegression().fit(x, y).score(x, y) == 1


@pytest.mark.parametrize(
    "x",
    [
        np.zeros((40, 3)),
        np.repeat(RNG.normal(size=(40, 1)), 3, axis=1),
        RNG.normal(size=(40, 3)) * [1e150, 1e-150, 1.0],
        np.where(RNG.random((40, 3)) < 0.5, np.nan, 1.0),
        RNG.normal(size=(40, 60)),
    ],
    ids=["constant", "collinear", "huge", "gaps", "wide"],
)
@pytest.mark.parametrize("penalty", ["l2", "l1"])
def test_hostile_columns_have_a_defined_answer(x, penalty):
    y = np.arange(40) % 2
    p = LogisticRegression(penalty=penalty).fit(x, y).predict_proba(x)
    assert np.isfinite(p).all()
    assert np.allclose(p.sum(axis=1), 1)
    if not np.nan_to_num(x).any():
        assert np.allclose(p, 0.5)


def test_one_row_one_class_and_rows_without_weight():
    with pytest.warns(UserWarning, match="only one class"):
        model = LogisticRegression().fit([[1.0]], ["a"])
    assert model.predict([[5.0], [7.0]]).tolist() == ["a", "a"]
    assert model.predict_proba([[5.0]]).tolist() == [[1.0]]
    with pytest.raises(InputError, match="every row would be absent"):
        LogisticRegression().fit(X, TWO, sample_weight=np.zeros(400))
    kept = LogisticRegression().fit(X, THREE, sample_weight=(THREE != 2).astype(float))
    assert kept.classes_.tolist() == [0, 1]


@pytest.mark.parametrize(
    "options",
    [{"C": 0}, {"C": "much"}, {"penalty": "l3"}, {"solver": "magic"}, {"l1_ratio": 2}, {"solver": "momentum"},
     {"class_weight": "fair"}, {"class_weight": {0: 1}}, {"penalty": "l1", "solver": "lbfgs"}],
    ids=str,
)  # fmt: skip
def test_parameters_that_mean_nothing_are_refused(options):
    with pytest.raises(InputError):
        LogisticRegression(**options).fit(X, TWO)


def test_too_few_iterations_are_said_and_a_warm_start_goes_on():
    model = LogisticRegression(solver="gradient", max_iter=2, warm_start=True)
    with pytest.warns(UserWarning, match="not converged after 2 iterations"):
        model.fit(X, TWO)
    first = model.history_.objective[-1]
    with pytest.warns(UserWarning, match="not converged"):
        model.fit(X, TWO)
    assert model.history_.objective[0] == pytest.approx(first)
    assert model.history_.objective[-1] < first


def test_products_with_the_hessian_are_those_of_the_hessian():
    from likely.data.sources import Kept
    from likely.models.learning.designed import DesignedRows
    from likely.models.linear.log_odds.curvature_products import curvature_at
    from likely.models.linear.log_odds.penalties import Penalty
    from likely.models.linear.log_odds.solving import hessian_at

    rng = np.random.default_rng(5)
    x, weight = rng.normal(size=(40, 4)), rng.random(40)
    for vectors, weights in ((1, None), (1, weight), (3, None), (3, weight)):
        rows = Kept((DesignedRows(x, rng.integers(0, max(vectors, 2), 40).astype(np.int32), weights),))
        penalty = Penalty.of(3, vectors, 0.7, 0.0, False, 2.0)
        point = rng.normal(size=4 * vectors)
        hessian, product = hessian_at(rows, vectors, penalty, point), curvature_at(rows, vectors, penalty, point)
        assert np.allclose(np.column_stack([product(v) for v in np.eye(len(point))]), hessian, atol=1e-12)


def test_wide_sparse_rows_are_solved_without_a_hessian():
    from scipy.sparse import random

    rng = np.random.default_rng(6)
    x = random(300, 4000, 0.01, format="csr", random_state=rng)
    y = (x @ rng.normal(size=4000) + rng.logistic(size=300) > 0).astype(int)
    free = LogisticRegression(standardize=False, kinds="numeric").fit(x, y)
    assert free.converged_ and free.n_iter_ < 20  # L-BFGS takes more
    other = LogisticRegression(standardize=False, kinds="numeric", solver="lbfgs", tol=1e-11).fit(x, y)
    assert np.allclose(free.coef_, other.coef_, atol=1e-6)
