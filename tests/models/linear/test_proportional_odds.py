"""Ordered classes: the weights of statsmodels' ordered model, probabilities, files and refusals."""

import numpy as np
import pytest
from statsmodels.miscmodels.ordinal_model import OrderedModel

import likely
from likely.errors import InputError
from likely.models import ProportionalOdds

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
