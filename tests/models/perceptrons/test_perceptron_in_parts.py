"""The perceptron learned in parts: the same weights as in one pass, an honest slope, files, refusals."""

import numpy as np
import pytest
import scipy.sparse as sp

import likely
from likely import LogisticRegression, NeuralNetwork, Perceptron
from likely.errors import InputError

RNG = np.random.default_rng(8)
X = RNG.normal(size=(3000, 4))
NOISY = X[:, 0] + 0.3 * RNG.normal(size=3000)
LABELS = {2: np.digitize(NOISY, [0.0]), 4: np.digitize(NOISY, [-0.7, 0.0, 0.7])}
PLAIN = {"standardize": False, "kinds": "numeric"}
LEARN = slice(0, 2000)


def in_parts(model, X, y, size, classes=None):
    for start in range(0, X.shape[0], size):
        model.partial_fit(X[start : start + size], y[start : start + size], classes=classes)
    return model


@pytest.mark.parametrize("multiclass", ["winner_take_all", "one_vs_rest", "one_vs_one"])
@pytest.mark.parametrize("k", [2, 4])
@pytest.mark.parametrize("form", [np.asarray, sp.csr_matrix])
def test_parts_are_one_pass(multiclass, k, form):
    x, y = form(X[LEARN]), LABELS[k][LEARN]
    parts = in_parts(Perceptron(multiclass=multiclass, **PLAIN), x, y, 130, range(k))
    one = Perceptron(multiclass=multiclass, shuffle=False, max_iter=1, keep="averaged", **PLAIN).fit(x, y)
    assert np.allclose(parts.weights_, one.weights_, rtol=0, atol=1e-12)
    assert np.allclose(parts.running_.final, one.running_.final, rtol=0, atol=1e-12)
    assert parts.history_.mistakes.sum() == one.history_.mistakes.sum()
    assert parts.running_.rows == 2000
    assert set(parts.history_.row.tolist()) <= set(range(2000))
    assert np.array_equal(parts.class_count_, one.class_count_)
    late, test = LABELS[k][2000:], X[2000:]
    told = [-m.predict_log_proba(test)[np.arange(1000), late].mean() for m in (parts, one)]
    assert told[0] <= told[1] + 0.03  # a slope from rows judged before they were learned is as honest as one from folds


def test_single_rows_and_the_final_weights():
    y = LABELS[2][:200]
    start = Perceptron(keep="final", **PLAIN).partial_fit(X[:20], y[:20], classes=[0, 1])
    alone = in_parts(start, X[20:200], y[20:], 1)
    one = Perceptron(keep="final", shuffle=False, max_iter=1, **PLAIN).fit(X[:200], y)
    assert np.array_equal(alone.weights_, one.weights_)
    assert np.isfinite(alone.predict_log_proba(X)).all() and alone.slope_ > 0


def test_it_goes_on_from_a_fit_and_from_a_file(tmp_path):
    y = LABELS[4]
    model = Perceptron(random_state=0, max_iter=3).fit(X[:500], y[:500])
    likely.save(model, tmp_path / "model.likely")
    again = likely.load(tmp_path / "model.likely")
    assert np.array_equal(again.running_.final, model.running_.final)
    for one in (model, again):
        in_parts(one, X[500:1500], y[500:1500], 250)
    assert np.array_equal(model.weights_, again.weights_) and model.slope_ == again.slope_
    assert model.score(X[2000:], y[2000:]) > 0.6


def test_what_cannot_be_learned_in_parts_is_refused_and_changes_nothing():
    y = LABELS[2]
    with pytest.raises(InputError, match="pocket"):
        Perceptron(keep="pocket").partial_fit(X, y)
    with pytest.raises(InputError, match="one class only"):
        Perceptron().partial_fit(X[:5], np.zeros(5, int))
    model = Perceptron(**PLAIN).partial_fit(X[:100], y[:100])
    before = model.weights_, model.class_count_
    with pytest.raises(InputError, match="class 7 was not among"):
        model.partial_fit(X[:3], [0, 1, 7])
    assert model.weights_ is before[0] and model.class_count_ is before[1]


@pytest.mark.parametrize("make", [Perceptron, LogisticRegression, lambda **o: NeuralNetwork((3,), random_state=0, **o)])
def test_every_part_counts_its_classes_and_weights_them(make):
    y = np.where(LABELS[2] == 1, "yes", "no")
    weight, names = {"yes": 3.0, "no": 1.0, "perhaps": 1.0}, ["yes", "no", "perhaps"]
    model = in_parts(make(class_weight=weight), X[:600], y[:600], 200, names)
    assert model.classes_.tolist() == ["no", "perhaps", "yes"]
    counts = [int((y[:600] == name).sum()) for name in model.classes_]
    assert model.class_count_.tolist() == counts
    share = np.array(counts) * [1.0, 1.0, 3.0]
    assert np.allclose(model.class_prior_, share / share.sum())
    fair = in_parts(make(class_weight="balanced"), X[:200], y[:200], 100, names)
    assert np.isfinite(fair.predict_proba(X)).all()
    with pytest.raises(InputError, match="`classes` does not name"):
        make().partial_fit(X[:50], y[:50], classes=["yes", "perhaps"])
