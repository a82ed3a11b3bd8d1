"""Ordered classes: the weights of statsmodels' ordered model, probabilities, files and refusals."""

import numpy as np
import pytest
from statsmodels.miscmodels.ordinal_model import OrderedModel

import likely
from likely import ProportionalOdds
from likely.errors import InputError

RNG = np.random.default_rng(8)
X = RNG.normal(size=(400, 3)) * [1, 5, 0.2] + [0, 3, 0]
Y = np.digitize(X @ [1.0, -0.2, 0.0] + RNG.logistic(size=400), [-1.5, 0.0, 1.0])
NAMES = np.array(["low", "medium", "high", "top"])


def test_weights_are_those_of_statsmodels(tmp_path):
    theirs = OrderedModel(Y, X, distr="logit").fit(method="bfgs", disp=0)
    ours = ProportionalOdds(C=1e9).fit(X, Y)
    assert np.allclose(ours.coef_, theirs.params[:3], atol=2e-4)
    assert np.allclose(ours.predict_proba(X), np.asarray(theirs.predict()), atol=2e-4)
    assert np.all(np.diff(ours.thresholds_) > 0)
    named = ProportionalOdds(order=NAMES.tolist(), C=1e9).fit(X, NAMES[Y])
    columns = [named.classes_.tolist().index(name) for name in NAMES]
    assert np.allclose(named.predict_proba(X)[:, columns], ours.predict_proba(X), atol=1e-6)
    assert np.allclose(named.predict_proba(X).sum(axis=1), 1)
    likely.save(named, tmp_path / "m.likely")
    assert np.array_equal(likely.load(tmp_path / "m.likely").predict_proba(X), named.predict_proba(X))


def test_standard_errors_are_those_of_statsmodels_and_intervals_hold_what_is_said(tmp_path):
    theirs = OrderedModel(Y, X, distr="logit").fit(method="bfgs", disp=0)
    model = ProportionalOdds(order=NAMES.tolist(), C=1e9).fit(X, NAMES[Y])
    told = model.coefficients().frame()
    assert np.allclose(told["standard_error"][:4], theirs.bse[:4], rtol=1e-3)  # their further thresholds are steps
    assert told["name"].to_list()[3:] == ["low | medium", "medium | high", "high | top"]
    assert np.allclose(told["value"][3:], model.thresholds_)
    p, ends = model.predict_proba(X), model.predict_interval(X)
    assert ((ends[..., 0] <= p) & (p <= ends[..., 1])).all() and (np.diff(ends).mean(axis=(0, 2)) > 0.05).all()
    likely.save(model, tmp_path / "m.likely")
    assert np.array_equal(likely.load(tmp_path / "m.likely").predict_interval(X), ends)
    with pytest.warns(UserWarning, match="only one class"), pytest.raises(InputError, match="takes two classes"):
        ProportionalOdds().fit(X, np.zeros(400)).coefficients()


def test_the_hessian_is_that_of_the_loss():
    from scipy.sparse import csr_matrix

    from likely.models.learning.designed import DesignedRows
    from likely.models.linear.log_odds.proportional_odds import _OrderedCurvature, _OrderedLoss

    weight, w = RNG.random(400), np.array([0.5, -0.1, 0.3])
    cuts = np.array([-1.0, -0.9, 2.0])

    def slope(point):  # by weights and thresholds: steps are exponentials in the loss
        free = np.concatenate([point[:4], np.log(np.diff(point[3:]))])
        found = _OrderedLoss(free, 3, np.arange(4))(DesignedRows(X, Y, weight)).gradient
        by_cut = found[3:].copy()
        by_cut[1:] /= np.diff(point[3:])
        return np.concatenate([found[:3], by_cut - np.append(by_cut[1:], 0.0)])

    point = np.concatenate([w, cuts])
    steps = 1e-6 * np.eye(6)
    numeric = np.array([(slope(point + step) - slope(point - step)) / 2e-6 for step in steps])
    for x in (X, csr_matrix(X)):
        found = _OrderedCurvature(w, cuts, np.arange(4))(DesignedRows(x, Y, weight))
        assert np.allclose(found, numeric, rtol=1e-5, atol=1e-3)


def test_evidence_adds_up_and_follows_the_order():
    model = ProportionalOdds(kinds="numeric").fit(X, Y)
    p = model.predict_proba(X)
    best = p.max(axis=1)
    assert np.allclose(model.evidence(X).log2_odds, np.log2(best / (1 - best)))
    top = model.evidence(X, against=0, for_class=3)
    assert np.allclose(top.log2_odds, np.log2(p[:, 3] / p[:, 0]))
    raises = model.coef_ * (X - X.mean(axis=0)) > 0
    assert np.array_equal(top.bits > 0, raises)  # what raises a row speaks for the top and against the bottom


def test_weights_of_rows_and_hostile_tables():
    times = RNG.integers(0, 3, size=400)
    again = np.repeat(np.arange(400), times)
    one = ProportionalOdds(kinds="numeric").fit(X, Y, sample_weight=times)
    assert np.allclose(one.coef_, ProportionalOdds(kinds="numeric").fit(X[again], Y[again]).coef_, atol=1e-5)
    separated = ProportionalOdds().fit([[0.0], [1], [2], [3], [4], [5]], [0, 0, 1, 1, 2, 2])
    assert separated.predict([[0.0], [2.4], [9]]).tolist() == [0, 1, 2]
    assert np.isfinite(separated.predict_log_proba([[1e300], [-1e300]])).all()
    with pytest.warns(UserWarning, match="only one class"):
        assert ProportionalOdds().fit(X, np.zeros(400)).predict(X[:1]).tolist() == [0.0]
    for wrong in ({"order": ["low"]}, {"C": -1.0}):
        with pytest.raises(InputError):
            ProportionalOdds(**wrong).fit(X, NAMES[Y])


def test_far_tails_keep_their_log_odds():
    model = ProportionalOdds(C=1e9, kinds="numeric").fit(X, Y)
    w, cuts = float(model.weights_[0]), model.cuts_
    model.weights_ = np.array([1.0, 0.0, 0.0])
    far = model._scores(np.array([[60.0, 0, 0], [-60.0, 0, 0]]))
    assert w != 0
    # far above all thresholds, each class is as improbable as its upper threshold says; far below, as its lower one
    above = cuts - 60 + np.log(-np.expm1(-np.concatenate([[np.inf], np.diff(cuts)])))
    below = -60 - cuts + np.log(-np.expm1(-np.concatenate([np.diff(cuts), [np.inf]])))
    assert np.allclose(far[0, :-1], above, rtol=1e-12) and np.allclose(far[1, 1:], below, rtol=1e-12)


def test_the_slope_is_that_of_the_loss():
    from likely.models.learning.designed import DesignedRows
    from likely.models.linear.log_odds.proportional_odds import _OrderedLoss

    rows = DesignedRows(X, Y, RNG.random(400))
    for spread in (0.1, 3.0):
        point = RNG.normal(size=6) * spread
        at = [_OrderedLoss(point, 3, np.arange(4))(rows)]
        for j in range(6):
            step = np.eye(6)[j] * 1e-6
            high, low = (_OrderedLoss(point + sign * step, 3, np.arange(4))(rows).value for sign in (1, -1))
            assert np.isclose((high - low) / 2e-6, at[0].gradient[j], rtol=1e-5, atol=1e-4)


def test_a_row_far_out_still_teaches():
    x = np.append(np.linspace(-1, 1, 60), [80.0])  # standardised away from the others, and of the lowest class
    y = np.append(np.digitize(np.linspace(-1, 1, 60), [-0.3, 0.3]), [0])
    model = ProportionalOdds(C=1e4).fit(x[:, None], y)
    assert model.converged_ and np.isfinite(model.predict_log_proba(x[:, None])).all()
