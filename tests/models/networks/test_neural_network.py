"""Networks of classes and of amounts: optima, options, stopping, precision, partial fits, files, hostile tables."""

import numpy as np
import polars as pl
import pytest
import scipy.sparse as sp
from sklearn.linear_model import LogisticRegression as Peer
from sklearn.neural_network import MLPClassifier
from sklearn.utils.estimator_checks import check_estimator

import likely
from likely import NeuralNetwork, NeuralNetworkRegressor, cross_validate
from likely.errors import InputError, TierError

RNG = np.random.default_rng(11)
X = RNG.normal(size=(300, 4))
RING = np.where(np.square(X[:, :2]).sum(axis=1) > 1.4, "out", "in")
THREE = (X[:, :3] + 0.7 * RNG.normal(size=(300, 3))).argmax(axis=1)
QUICK = {"hidden": (8,), "epochs": 15, "random_state": 0}


def test_without_hidden_units_it_is_softmax_regression():
    options = {"optimizer": "gradient", "learning_rate": 1.0, "epochs": 4000, "tol": 0.0, "n_iter_no_change": 4000}
    ours = NeuralNetwork((), weight_decay=1.0, standardize=False, **options).fit(X, THREE)
    theirs = Peer(C=1.0, tol=1e-10).fit(X, THREE)
    assert np.allclose(ours.predict_proba(X), theirs.predict_proba(X), atol=1e-5)
    two = NeuralNetwork((), output="sigmoid", weight_decay=1.0, standardize=False, **options).fit(X, THREE == 0)
    assert np.allclose(two.predict_proba(X), Peer(C=1.0, tol=1e-10).fit(X, THREE == 0).predict_proba(X), atol=1e-5)


def test_linear_outputs_without_hidden_units_are_least_squares():
    options = {"optimizer": "gradient", "learning_rate": 0.5, "epochs": 2000, "tol": 0.0, "n_iter_no_change": 2000}
    net = NeuralNetwork((), output="linear", loss="squares", weight_decay=0.0, **options).fit(X, THREE)
    rows = np.column_stack([net.design_.transform(X), np.ones(300)])
    exact = np.linalg.lstsq(rows, np.eye(3)[THREE], rcond=None)[0]
    assert np.allclose(net.weights_.reshape(5, 3), exact, atol=1e-8)


def test_as_good_as_the_peer_on_rows_left_out():
    train, test = slice(0, 200), slice(200, 300)
    ours = NeuralNetwork((32,), random_state=0).fit(X[train], RING[train])
    theirs = MLPClassifier((32,), max_iter=1000, tol=1e-3, random_state=0).fit(X[train], RING[train])
    assert ours.score(X[test], RING[test]) >= theirs.score(X[test], RING[test]) - 0.04
    assert NeuralNetwork((), random_state=0).fit(X[train], RING[train]).score(X[test], RING[test]) < 0.75


@pytest.mark.parametrize("optimizer", ["gradient", "sgd", "momentum", "adam"])
@pytest.mark.parametrize("pair", [("softmax", "squares"), ("sigmoid", "cross_entropy"), ("linear", "squares")])
def test_every_way_to_train_learns(optimizer, pair):
    model = NeuralNetwork((16,), "tanh", *pair, optimizer, epochs=400, weight_decay=0.1, random_state=0)
    history = model.fit(X, THREE).history_
    assert model.score(X, THREE) > 0.7
    assert history.loss[-1] < 0.8 * history.loss[0]
    assert len(history.loss) == len(history.mistakes) == model.n_iter_


def test_its_defaults_are_those_that_were_measured():
    default = NeuralNetwork(epochs=3, random_state=0).fit(X, THREE)
    named = NeuralNetwork((100,), weight_decay=1.0, epochs=3, random_state=0).fit(X, THREE)
    assert np.array_equal(default.weights_, named.weights_)


def test_options_change_something():
    base = NeuralNetwork(**QUICK).fit(X, THREE).predict_proba(X)
    for other in (
        {"hidden": (8, 8)},
        {"activation": "sigmoid"},
        {"loss": "squares"},
        {"output": "sigmoid"},
        {"optimizer": "sgd"},
        {"learning_rate": 0.01},
        {"weight_decay": 30.0},
        {"batch_size": 50},
        {"epochs": 3},
        {"early_stopping": True},
        {"dtype": "float32"},
        {"class_weight": "balanced"},
        {"standardize": False},
        {"random_state": 1},
    ):
        assert not np.array_equal(NeuralNetwork(**{**QUICK, **other}).fit(X, THREE).predict_proba(X), base), other
    slow, fast = (NeuralNetwork(optimizer="momentum", momentum=m, **QUICK).fit(X, THREE) for m in (0.0, 0.9))
    assert fast.history_.loss[-1] < slow.history_.loss[-1]
    few = NeuralNetwork((8,), tol=0.1, n_iter_no_change=1, random_state=0).fit(X, THREE)
    assert few.stopped_ == "tol" and few.n_iter_ < 60
    half, tenth = (NeuralNetwork(early_stopping=True, validation_fraction=f, **QUICK).fit(X, THREE) for f in (0.5, 0.1))
    assert half.history_.validation_loss[-1] != tenth.history_.validation_loss[-1]


def test_the_same_seed_is_the_same_network_and_single_precision_is_close():
    one, two = (NeuralNetwork(**QUICK).fit(X, THREE) for _ in range(2))
    assert np.array_equal(one.weights_, two.weights_)
    single = NeuralNetwork(dtype="float32", **QUICK).fit(X, THREE)
    assert single.weights_.dtype == np.float32 and single.predict_proba(X).dtype == np.float64
    assert np.allclose(single.predict_proba(X), one.predict_proba(X), atol=1e-3)


def test_sparse_rows_and_blocks_of_all_rows(monkeypatch):
    options = {**QUICK, "standardize": False}
    dense, sparse = NeuralNetwork(**options).fit(X, THREE), NeuralNetwork(**options).fit(sp.csr_matrix(X), THREE)
    assert np.allclose(dense.predict_proba(X), sparse.predict_proba(sp.csr_matrix(X)))
    whole = NeuralNetwork(optimizer="gradient", **QUICK).fit(X, THREE)
    monkeypatch.setattr("likely.models.networks.training._BLOCK", 64)
    parts = NeuralNetwork(optimizer="gradient", **QUICK).fit(X, THREE)
    assert np.allclose(parts.weights_, whole.weights_, atol=1e-12)


def test_early_stopping_keeps_the_best_weights():
    noise = RNG.integers(0, 2, 300)
    model = NeuralNetwork((64,), early_stopping=True, weight_decay=0.0, learning_rate=0.02, random_state=0).fit(
        X, noise
    )
    assert model.stopped_ == "early_stopping"
    assert len(model.history_.validation_loss) == model.n_iter_ < 200
    assert model.history_.validation_loss.argmin() < model.n_iter_ - 1


@pytest.mark.parametrize("optimizer", ["sgd", "gradient", "momentum"])
def test_divergence_is_said_and_the_answer_stays_finite(optimizer):
    options = {"output": "linear", "loss": "squares", "optimizer": optimizer, "random_state": 0}
    with pytest.warns(UserWarning, match="Try learning_rate=10"):
        model = NeuralNetwork((8,), learning_rate=100.0, **options).fit(X, THREE)
    assert model.stopped_ == "diverged"
    assert np.isfinite(model.weights_).all() and np.isfinite(model.predict_proba(X)).all()


def test_warm_starts_go_on():
    model = NeuralNetwork((8,), epochs=5, warm_start=True, random_state=0).fit(X, THREE)
    before = model.history_.loss[-1]
    assert model.fit(X, THREE).history_.loss[0] < before
    model.fit(X, RING)  # other classes: from the beginning
    assert model.classes_.tolist() == ["in", "out"]


def test_partial_fits():
    model = NeuralNetwork(**QUICK)
    for _ in range(30):
        for part in (slice(0, 150), slice(150, 300)):
            model.partial_fit(X[part], THREE[part], classes=[0, 1, 2])
    assert model.score(X, THREE) > 0.65
    assert model.class_count_.sum() == 9000
    few = NeuralNetwork(**QUICK).partial_fit(X[THREE < 2], THREE[THREE < 2], classes=[0, 1, 2])
    assert few.classes_.tolist() == [0, 1, 2] and few.predict_proba(X).shape == (300, 3)
    few.partial_fit(X, THREE, sample_weight=(THREE == 2).astype(float))
    with pytest.raises(InputError, match="was not among the classes learned"):
        few.partial_fit(X, THREE + 1)
    with pytest.raises(InputError, match="does not name"):
        NeuralNetwork().partial_fit(X, THREE, classes=[0, 1])


def test_weights_count():
    heavy = NeuralNetwork(**QUICK).fit(X, THREE, sample_weight=np.where(THREE == 0, 50.0, 1.0))
    assert (heavy.predict(X) == 0).mean() > (NeuralNetwork(**QUICK).fit(X, THREE).predict(X) == 0).mean() + 0.1


def test_slopes_are_those_of_the_log_odds():
    for output in ("softmax", "sigmoid"):
        model = NeuralNetwork((8,), "tanh", output, standardize=False, epochs=30, random_state=0).fit(X, RING)
        told, h = model.slopes(X[:5]), 1e-5
        sign = np.where(model.predict(X[:5]) == "out", 1, -1)
        for j in range(4):
            up, down = X[:5].copy(), X[:5].copy()
            up[:, j] += h
            down[:, j] -= h
            change = (model.decision_function(up) - model.decision_function(down)) / (2 * h)
            assert np.allclose(told[:, j], sign * change, atol=1e-5)
    assert not hasattr(model, "evidence")


def test_any_table_and_its_file(tmp_path):
    town = np.where(X[:, 1] > 0, "Rome", "Oslo").tolist()
    pay = [None if i % 9 == 0 else v for i, v in enumerate(X[:, 0].tolist())]
    table = pl.DataFrame({"pay": pay, "town": town})
    amounts = np.array([v or 0.0 for v in pay]) + (np.array(town) == "Rome")
    for model, y in (
        (NeuralNetwork((6, 3), dtype="float32", random_state=0), RING),
        (NeuralNetworkRegressor((6,), random_state=0), amounts),
    ):
        model.fit(table, y)
        likely.save(model, tmp_path / "model.likely")
        again = likely.load(tmp_path / "model.likely")
        assert np.array_equal(again.predict(table), model.predict(table))
        assert np.array_equal(again.weights_, model.weights_) and again.weights_.dtype == model.weights_.dtype
        assert again.history_.loss.tolist() == model.history_.loss.tolist()
        assert "6" in str(model)
    late = pl.DataFrame({"pay": [1.0], "town": ["Bonn"]})
    assert np.isfinite(model.predict(late)).all()


def test_hostile_tables_have_an_answer():
    constant = NeuralNetwork(**QUICK).fit(np.ones((10, 2)), np.arange(10) % 2)
    assert np.allclose(constant.predict_proba(np.ones((1, 2))), 0.5, atol=0.05)
    with pytest.warns(UserWarning, match="only one class"):
        alone = NeuralNetwork(early_stopping=True).fit([[1.0]], ["a"])
    assert alone.predict([[3.0]]).tolist() == ["a"]
    two = NeuralNetwork(early_stopping=True, random_state=0).fit([[0.0], [1.0]], ["a", "b"])
    assert np.isfinite(two.predict_proba([[0.5]])).all()
    for dtype in ("float32", "float64"):
        for unit in (1e-100, 1e100):
            model = NeuralNetwork(dtype=dtype, **QUICK).fit(X * unit, THREE)
            assert np.isfinite(model.predict_proba(np.full((1, 4), 1e9 * unit))).all()
    with pytest.raises(InputError, match="at least one non-zero"):
        NeuralNetwork().fit(X, THREE, sample_weight=np.zeros(300))
    assert NeuralNetworkRegressor(**QUICK).fit(X, np.full(300, 7.0)).predict(X[:2]).tolist() == [7.0, 7.0]


@pytest.mark.parametrize(
    "options, said",
    [
        ({"hidden": (0,)}, "hidden"),
        ({"activation": "step"}, "unknown activation"),
        ({"output": "linear"}, "needs outputs between 0 and 1"),
        ({"optimizer": "newton"}, "unknown optimizer"),
        ({"dtype": "float16"}, "unknown dtype"),
        ({"epochs": 0}, "epochs"),
        ({"batch_size": 0}, "batch_size"),
        ({"learning_rate": -1.0}, "learning_rate"),
        ({"momentum": 1.0}, "momentum"),
        ({"weight_decay": -1.0}, "weight_decay"),
        ({"validation_fraction": 1.0}, "validation_fraction"),
    ],
)
def test_options_that_mean_nothing_are_refused(options, said):
    with pytest.raises(InputError, match=said):
        NeuralNetwork(**options).fit(X, THREE)


def test_neither_merged_nor_forgotten_but_cross_validated():
    model = NeuralNetwork(**QUICK).fit(X, RING)
    for refuse in (lambda: model + model, lambda: model.forget(X, RING)):
        with pytest.raises(TierError):
            refuse()
    assert cross_validate(NeuralNetwork(**QUICK), X, THREE, cv=3).estimate("accuracy").value > 0.6


def test_amounts():
    y = np.sin(2 * X[:, 0]) + X[:, 1] ** 2
    model = NeuralNetworkRegressor((32,), learning_rate=0.01, random_state=0).fit(X, 1e6 * y + 1e8)
    assert model.score(X, 1e6 * y + 1e8) > 0.95
    table = pl.DataFrame({"a": X[:, 0], "b": X[:, 1], "target": y})
    assert NeuralNetworkRegressor(**QUICK).fit(table, "target").n_features_in_ == 2
    with pytest.raises(TierError):
        model.merge(model)


@pytest.mark.slow
@pytest.mark.filterwarnings("ignore:Estimator .* does not inherit from `sklearn.base.BaseEstimator`")
def test_a_network_of_amounts_passes_every_check():
    order = {f"check_sample_weight_equivalence_on_{form}_data": "steps" for form in ("dense", "sparse")}
    results = check_estimator(NeuralNetworkRegressor(), on_skip=None, on_fail=None, expected_failed_checks=order)
    assert not [r["check_name"] for r in results if r["status"] == "failed"]
