"""Least squares: the solution of scikit-learn and NumPy, rows left out exactly, the delta rule, defined answers."""

import numpy as np
import polars as pl
import pytest
import scipy.sparse as sp
from sklearn.linear_model import RidgeClassifier

import likely
from likely import FisherDiscriminant, LeastSquaresClassifier
from likely.errors import InputError, TierError

RNG = np.random.default_rng(3)
X = RNG.normal(size=(120, 4)) * [1, 10, 0.1, 5] + [0, 100, 3, -7]
TWO = (X[:, 0] + X[:, 1] / 20 - 5 + RNG.normal(size=120) > 0).astype(int)
THREE = np.argmax((X[:, [0, 2, 3]] - [0, 3, -7]) / [1, 0.1, 5] + RNG.gumbel(size=(120, 3)), axis=1)
MIXED = pl.DataFrame({"x": X[:, 0], "colour": RNG.choice(["red", "blue", "green"], 120), "z": X[:, 3]})
GAPS = MIXED.with_columns(x=pl.when(pl.Series(RNG.random(120) < 0.2)).then(None).otherwise(pl.col("x")))


def test_signs_and_indicators_are_the_pseudo_inverse():
    wide = np.column_stack([X, np.ones(120)])
    signed = np.linalg.lstsq(wide, 2.0 * TWO - 1, rcond=None)[0]
    model = LeastSquaresClassifier().fit(X, TWO)
    assert np.allclose(model.coef_[0], signed[:-1]) and np.allclose(model.intercept_, signed[-1])
    assert np.allclose(model.decision_function(X), wide @ signed)
    for y, options in ((THREE, {}), (TWO, {"targets": "indicators"})):
        model = LeastSquaresClassifier(**options).fit(X, y)
        weights = np.linalg.lstsq(wide, np.eye(y.max() + 1)[y], rcond=None)[0]
        assert np.allclose(model.coef_, weights[:-1].T) and np.allclose(model.intercept_, weights[-1])
        assert np.array_equal(model.predict(X), (wide @ weights).argmax(axis=1))


def test_a_penalty_is_that_of_scikit_learn():
    theirs = RidgeClassifier(alpha=3.0).fit(X, THREE)
    ours = LeastSquaresClassifier(alpha=3.0, standardize=False).fit(X, THREE)
    assert np.allclose(ours.coef_, theirs.coef_ / 2) and np.array_equal(ours.predict(X), theirs.predict(X))
    balanced = RidgeClassifier(alpha=1e-9, class_weight="balanced").fit(X, TWO)
    assert np.allclose(LeastSquaresClassifier(class_weight="balanced").fit(X, TWO).coef_, balanced.coef_, atol=1e-6)
    without = LeastSquaresClassifier(fit_intercept=False, standardize=False).fit(X, TWO)
    assert np.allclose(without.coef_[0], np.linalg.lstsq(X, 2.0 * TWO - 1, rcond=None)[0])


@pytest.mark.parametrize("table", [X, MIXED, GAPS], ids=["numbers", "levels", "gaps"])
@pytest.mark.parametrize("options", [{}, {"posterior": "calibrated"}, {"alpha": 2.0}], ids=str)
def test_rows_left_out_are_the_refits(table, options):
    model = LeastSquaresClassifier(**options)
    found = model.out_of_fold(table, THREE, np.arange(120))
    for i in range(0, 120, 17):
        rest = np.delete(np.arange(120), i)
        part = table[rest]
        refitted = LeastSquaresClassifier(**options).fit(part, THREE[rest])
        assert np.allclose(np.exp(found[i]), refitted.predict_proba(table[i : i + 1])[0], atol=1e-9)
    result = likely.cross_validate(model, table, THREE, cv=5)
    assert "refitted" not in str(result)


def test_nested_and_growing_rows_are_the_refits():
    folds, model = np.arange(120) % 4, LeastSquaresClassifier()
    twice = model.out_of_two_folds(X, THREE, folds)
    kept = np.flatnonzero((folds != 1) & (folds != 2))
    one = LeastSquaresClassifier().fit(X[kept], THREE[kept]).predict_log_proba(X[folds == 1])
    assert np.allclose(twice[2, folds == 1], one)
    stages = np.where(folds == 3, -1, folds)
    grown = model.growing_posteriors(X, THREE, stages)
    early = LeastSquaresClassifier().fit(X[folds == 0], THREE[folds == 0]).predict_log_proba(X[folds == 3])
    assert np.allclose(grown[0, folds == 3], early) and np.isnan(grown[0, folds == 1]).all()


def test_the_penalty_chosen_has_the_smallest_error_of_rows_left_out():
    noise = np.column_stack([X, RNG.normal(size=(120, 20))])
    chosen = LeastSquaresClassifier(alpha="auto").fit(noise, TWO)

    def error(alpha):
        scaled, t, off = (noise - noise.mean(axis=0)) / noise.std(axis=0), 2.0 * TWO - 1, 0.0
        for i in range(120):
            x, y = np.delete(scaled, i, axis=0), np.delete(t, i)
            centred = x - x.mean(axis=0)
            w = np.linalg.solve(centred.T @ centred + alpha * np.eye(24), centred.T @ (y - y.mean()))
            off += (y.mean() + (scaled[i] - x.mean(axis=0)) @ w - t[i]) ** 2
        return off

    assert error(chosen.alpha_) < min(error(chosen.alpha_ * 4), error(chosen.alpha_ / 4), error(0.0))
    for verb in (lambda: chosen + chosen, lambda: chosen.forget(noise, TWO), lambda: chosen.partial_fit(noise, TWO)):
        with pytest.raises(TierError, match="auto"):
            verb()


def test_the_delta_rule_goes_to_the_solution():
    exact = LeastSquaresClassifier().fit(X, THREE)
    batch = LeastSquaresClassifier(solver="gradient").fit(X, THREE)
    assert np.allclose(batch.coef_, exact.coef_, atol=1e-6) and np.all(np.diff(batch.history_.objective) <= 1e-12)
    online = LeastSquaresClassifier(solver="online", learning_rate=1e-4, max_iter=500).fit(X, THREE)
    assert np.abs(online.outputs_ - exact.outputs_).max() < 0.01
    assert online.history_.objective[-1] < online.history_.objective[0]
    with pytest.raises(TierError, match="gradient"):
        batch + batch
    with pytest.raises(InputError, match="without bound"):
        LeastSquaresClassifier(solver="online", learning_rate=5.0, standardize=False).fit(X, THREE)


def test_texts_and_wide_tables_take_passes():
    mails = pl.DataFrame({"text": ["free money" if i else "noon meeting" for i in TWO], "x": X[:, 0]})
    model = LeastSquaresClassifier(alpha=0.1, kinds={"text": "text"}).fit(mails, TWO)
    assert model.score(mails, TWO) == 1.0
    with pytest.raises(TierError, match="texts"):
        model.merge(model)
    with pytest.raises(TierError, match="texts"):
        FisherDiscriminant(kinds={"text": "text"}).fit(mails, TWO)
    wide = sp.random(80, 2_500, 0.02, format="csr", random_state=0)
    y = np.arange(80) % 2
    found = LeastSquaresClassifier(alpha=1.0, standardize=False).fit(wide, y)
    dense = RidgeClassifier(alpha=1.0).fit(wide.toarray(), y)
    assert np.allclose(found.coef_, dense.coef_, atol=1e-5)
    assert "refitted" in str(likely.cross_validate(LeastSquaresClassifier(alpha=1.0), wide, y, cv=2))


def test_hostile_tables_have_an_answer():
    flat = np.column_stack([X, np.full(120, 3.1), X[:, 0] * 2, X[:, 1] + 1e9])
    assert np.allclose(
        LeastSquaresClassifier().fit(flat, TWO).predict_proba(flat),
        LeastSquaresClassifier().fit(X, TWO).predict_proba(X),
        atol=1e-5,
    )
    one_row = [[1.0, 2.0], [3.0, 4.0]]
    for kind in (LeastSquaresClassifier, FisherDiscriminant):
        assert kind().fit(one_row, ["a", "b"]).predict(one_row).tolist() == ["a", "b"]
        assert np.isfinite(kind().fit(X[:, :1] > 0, TWO).predict_proba(X[:, :1] > 0)).all()
        with pytest.warns(UserWarning, match="only one class"):
            assert set(kind().fit(X, np.zeros(120)).predict(X)) == {0.0}
        with pytest.raises(InputError):
            kind().fit(X, TWO, sample_weight=np.zeros(120))
    with pytest.raises(InputError, match="start"):
        LeastSquaresClassifier(solver="gradient", start=[[1.0]]).fit(X, TWO)
    for wrong in ({"alpha": -1}, {"solver": "magic"}, {"posterior": "x"}, {"targets": "x"}, {"solver": "online"}):
        with pytest.raises(InputError):
            LeastSquaresClassifier(**wrong).fit(X, TWO)


def test_outputs_with_a_free_value_for_every_level_are_class_shares():
    model = LeastSquaresClassifier().fit(pl.DataFrame({"x": list("aaabbcccc")}), [1, 1, 0, 0, 1, 0, 0, 0, 1])
    assert np.allclose(model.predict_proba(pl.DataFrame({"x": ["a", "b", "c"]}))[:, 1], [2 / 3, 1 / 2, 1 / 4])
