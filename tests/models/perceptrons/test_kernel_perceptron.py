"""The perceptron in dual form: the primal one with the linear kernel, blocks, kernels, several classes."""

import numpy as np
import pytest
import scipy.sparse as sp
from sklearn.metrics.pairwise import polynomial_kernel, rbf_kernel

import likely
from likely import KernelPerceptron, Perceptron
from likely.errors import InputError
from likely.models.linear.perceptrons.kernel_functions import kernel_function
from likely.models.linear.perceptrons.kernel_perceptron import _weakest

RNG = np.random.default_rng(5)
X = RNG.normal(size=(150, 3))
RING = (np.square(X).sum(axis=1) > 2).astype(int)
THREE = np.digitize(np.square(X).sum(axis=1), [1.5, 3.5])
PLAIN = {"shuffle": False, "standardize": False, "kinds": "numeric", "posterior_folds": None}


@pytest.mark.parametrize("y", [RING, THREE], ids=["two", "three"])
@pytest.mark.parametrize("block", [7, 512])
@pytest.mark.parametrize("keep", ["final", "averaged"])
def test_the_linear_kernel_is_the_primal_perceptron(y, block, keep, monkeypatch):
    monkeypatch.setattr("likely.models.linear.perceptrons.kernel_perceptron._BLOCK", block)
    weight = RNG.random(150)
    dual = KernelPerceptron("linear", max_iter=5, keep=keep, **PLAIN).fit(X, y, sample_weight=weight)
    primal = Perceptron(max_iter=5, keep=keep, n_iter_no_change=None, **PLAIN).fit(X, y, sample_weight=weight)
    assert dual.history_.mistakes.tolist() == primal.history_.mistakes.tolist()
    weights = dual.dual_coef_.T @ np.column_stack([dual.support_vectors_, np.ones(len(dual.support_))])
    assert np.allclose(weights, primal.weights_, atol=1e-9)
    assert np.array_equal(dual.predict(X), primal.predict(X))


def test_where_classes_overlap_the_average_answers_and_not_the_last_mistakes():
    noisy = np.where(RNG.random(150) < 0.2, 1 - RING, RING)
    auto, averaged = (KernelPerceptron(keep=keep, random_state=0).fit(X, noisy) for keep in ("auto", "averaged"))
    assert not auto.converged_ and np.array_equal(auto.alpha_, averaged.alpha_)
    parted = KernelPerceptron(random_state=0, gamma=5.0, max_iter=200).fit(X, RING)
    assert parted.converged_ and np.array_equal(parted.alpha_, np.round(parted.alpha_))  # whole corrections
    with pytest.raises(InputError, match="unknown keep='pocket'"):
        KernelPerceptron(keep="pocket").fit(X, RING)


def test_blocks_are_no_matter(monkeypatch):
    whole = KernelPerceptron(random_state=0).fit(X, THREE)
    monkeypatch.setattr("likely.models.linear.perceptrons.kernel_perceptron._BLOCK", 16)
    monkeypatch.setattr("likely.models.linear.perceptrons.kernel_perceptron._CELLS", 64)
    parts = KernelPerceptron(random_state=0).fit(X, THREE)
    assert np.array_equal(parts.alpha_, whole.alpha_)
    assert np.allclose(parts.predict_proba(X), whole.predict_proba(X))


def test_kernels_are_those_of_the_peer():
    a, b = X[:20], X[20:50]
    assert np.allclose(kernel_function("rbf", 0.7, 3, 1.0)(a, b), rbf_kernel(a, b, gamma=0.7))
    peer = polynomial_kernel(a, b, degree=3, gamma=0.7, coef0=2.0)
    assert np.allclose(kernel_function("polynomial", 0.7, 3, 2.0)(a, b), peer)
    sparse = kernel_function("rbf", 0.7, 3, 1.0)(sp.csr_matrix(a), sp.csr_matrix(b))
    assert np.allclose(sparse, rbf_kernel(a, b, gamma=0.7))
    assert np.isfinite(kernel_function("rbf", 1.0, 3, 1.0)(np.full((1, 3), 1e300), b)).all()


def test_a_ring_takes_a_kernel():
    assert KernelPerceptron(random_state=0, max_iter=50).fit(X, RING).score(X, RING) == 1.0
    quadratic = KernelPerceptron("polynomial", degree=2, random_state=0, max_iter=300).fit(X, RING)
    assert quadratic.converged_
    assert KernelPerceptron("linear", random_state=0).fit(X, RING).score(X, RING) < 0.8
    own = KernelPerceptron(lambda a, b: rbf_kernel(a, b, gamma=1 / 3), random_state=0, max_iter=50).fit(X, RING)
    assert np.array_equal(own.predict(X), KernelPerceptron(random_state=0, max_iter=50).fit(X, RING).predict(X))
    for other in ({"gamma": 3.0}, {"kernel": "polynomial", "coef0": 5.0}, {"kernel": "polynomial", "degree": 5}):
        assert not np.allclose(
            KernelPerceptron(random_state=0, max_iter=2, **other).fit(X, RING).predict_proba(X),
            KernelPerceptron(other.get("kernel", "rbf"), random_state=0, max_iter=2).fit(X, RING).predict_proba(X),
        )


def test_what_answers_is_there_to_be_seen():
    model = KernelPerceptron(random_state=0).fit(X, RING)
    assert model.kernel_values(X).shape == (150, len(model.support_))
    assert (model.alpha_ > 0).sum() == len(model.support_) == model.history_.support[-1]
    assert not hasattr(model, "evidence")


def test_files_hold_sparse_rows_and_no_functions(tmp_path):
    sparse = sp.csr_matrix(np.where(np.abs(X) < 1, 0.0, X))
    model = KernelPerceptron(random_state=0).fit(sparse, THREE)
    likely.save(model, tmp_path / "model.likely")
    again = likely.load(tmp_path / "model.likely")
    assert np.array_equal(again.predict_proba(sparse), model.predict_proba(sparse))
    assert np.array_equal(again.alpha_, model.alpha_)
    with pytest.raises(InputError, match="kernel"):
        likely.save(KernelPerceptron(rbf_kernel).fit(X, RING), tmp_path / "own.likely")


@pytest.mark.parametrize(
    "options, said",
    [
        ({"kernel": "cosine"}, "unknown kernel"),
        ({"gamma": -1.0}, "gamma"),
        ({"degree": 0}, "degree"),
        ({"max_iter": 0}, "max_iter"),
        ({"learning_rate": 0.0}, "learning_rate"),
        ({"kernel": lambda a, b: np.zeros(3)}, "every pair"),
    ],
)
def test_options_that_mean_nothing_are_refused(options, said):
    with pytest.raises(InputError, match=said):
        KernelPerceptron(**options).fit(X, RING)


@pytest.mark.parametrize("y", [RING, THREE], ids=["two", "three"])
def test_rows_with_a_strength_are_bounded_and_it_is_said(y, monkeypatch):
    monkeypatch.setattr("likely.models.linear.perceptrons.kernel_perceptron._BLOCK", 10)
    noisy = np.where(RNG.random(150) < 0.3, y[::-1], y)
    with pytest.warns(UserWarning, match="max_support=20 rows were mistaken"):
        small = KernelPerceptron(max_support=20, random_state=0).fit(X, noisy)
    assert len(small.support_) <= 20 and small.history_.support.max() <= 20
    free = KernelPerceptron(max_support=None, random_state=0).fit(X, noisy)
    assert len(free.support_) > 20
    large = KernelPerceptron(max_support=150, random_state=0).fit(X, noisy)
    assert np.array_equal(large.alpha_, free.alpha_)
    assert np.isfinite(small.predict_log_proba(X)).all()


def test_the_weakest_strengths_go_first_the_oldest_of_them_before_others():
    strength, last = np.array([[2.0], [1.0], [-1.0], [0.0], [3.0]]), np.array([0, 9, 4, -1, 2])
    assert _weakest(strength, last, 3).tolist() == [2]
    assert _weakest(strength, last, 4).tolist() == []


def test_a_bound_that_is_none_is_refused():
    with pytest.raises(InputError, match="max_support must be"):
        KernelPerceptron(max_support=0).fit(X, RING)
