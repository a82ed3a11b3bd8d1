"""Back-propagation against differences, for every pair of output and loss, every activation and several depths."""

import numpy as np
import pytest
import scipy.sparse as sp

from likely.errors import InputError
from likely.models.networks import ACTIVATIONS, Layers, Optimizer, activation_values, loss_of, outputs_of
from likely.optimize import jacobian

PAIRS = [
    ("squares", "linear"),
    ("squares", "sigmoid"),
    ("squares", "softmax"),
    ("cross_entropy", "sigmoid"),
    ("cross_entropy", "softmax"),
]
RNG = np.random.default_rng(0)
X = RNG.normal(size=(6, 3))
T = np.eye(2)[RNG.integers(0, 2, 6)]
SHARE = RNG.random(6)


@pytest.mark.parametrize("hidden", [(), (4,), (3, 2)], ids=str)
@pytest.mark.parametrize("activation", ACTIVATIONS)
@pytest.mark.parametrize("pair", PAIRS, ids="-".join)
def test_the_gradient_is_that_of_differences(pair, activation, hidden):
    net = Layers((3, *hidden, 2), activation, pair[1], pair[0])
    weights = np.random.default_rng(1).normal(size=net.size)

    def lost(point):
        return float(net.back_propagate(point, X, T, SHARE).losses.sum())

    found = net.back_propagate(weights, X, T, SHARE)
    step = np.full(net.size, 1e-4)  # short of the corner of a rectifier
    assert np.allclose(found.gradient, jacobian(lost, weights, step), atol=1e-7)
    sparse = net.back_propagate(weights, sp.csr_matrix(X), T, SHARE)
    assert np.allclose(sparse.gradient, found.gradient)
    signal = RNG.normal(size=(1, 2))
    slopes = net.input_slopes(weights, X[:1], signal)[0]
    by_differences = jacobian(lambda x: float((net.forward(weights, x[None]) @ signal.T).sum()), X[0], np.full(3, 1e-4))
    assert np.allclose(slopes, by_differences, atol=1e-7)


@pytest.mark.parametrize("pair", PAIRS, ids="-".join)
def test_losses_are_the_formulas(pair):
    loss, output = pair
    a = RNG.normal(size=(5, 3))
    t = np.eye(3)[[0, 2, 1, 0, 2]]
    y = outputs_of(output, a.copy())
    expected = {
        ("squares", output): ((y - t) ** 2).sum(axis=1) / 2,
        ("cross_entropy", "softmax"): -(t * np.log(np.abs(y))).sum(axis=1),
        ("cross_entropy", "sigmoid"): -(t * np.log(np.abs(y)) + (1 - t) * np.log(np.abs(1 - y))).sum(axis=1),
    }
    assert np.allclose(loss_of(loss, output)(a.copy(), t), expected[loss, output])


def test_extreme_activations_have_finite_losses():
    far = np.array([[800.0, -800.0]])
    for loss, output in PAIRS[1:]:
        signal = far.copy()
        lost = loss_of(loss, output)(signal, np.array([[0.0, 1.0]]))
        assert np.isfinite(lost).all() and np.isfinite(signal).all()
        assert lost[0] >= 1 if loss == "squares" else lost[0] >= 800
    with np.errstate(all="raise"):
        assert activation_values("sigmoid", [-800.0, 800.0]).tolist() == [0.0, 1.0]


def test_pairs_that_make_no_sense_are_refused():
    with pytest.raises(InputError, match="needs outputs between 0 and 1"):
        loss_of("cross_entropy", "linear")
    with pytest.raises(InputError, match="unknown loss"):
        loss_of("hinge", "linear")
    with pytest.raises(InputError, match="unknown output"):
        loss_of("squares", "probit")


def test_matrices_go_round():
    net = Layers((2, 3, 1), "tanh", "linear", "squares")
    weights = RNG.normal(size=net.size)
    assert np.array_equal(net.joined(net.as_matrices(weights)), weights)
    assert np.all(net.split(net.start(np.random.default_rng(0)))[-1][0] == 0)


def test_optimisers_are_their_formulas():
    """Three steps on E = w^2 / 2, whose gradient is w; Adam as in the paper."""
    for name, momentum in (("gradient", 0.0), ("sgd", 0.0), ("momentum", 0.5)):
        w, v, point = 1.0, 0.0, np.array([1.0])
        optimizer = Optimizer.of(name, 0.1, 0.5, point)
        for _ in range(3):
            v = momentum * v - 0.1 * w
            w += v
            optimizer.step(point, point.copy(), np.zeros(1))
        assert point[0] == pytest.approx(w, rel=1e-12)
    w, m, s, point = 1.0, 0.0, 0.0, np.array([1.0])
    optimizer = Optimizer.of("adam", 0.1, 0.0, point)
    for t in range(1, 4):
        g = w + 0.2 * w  # with weight decay
        m, s = 0.9 * m + 0.1 * g, 0.999 * s + 0.001 * g**2
        w -= 0.1 * (m / (1 - 0.9**t)) / (np.sqrt(s / (1 - 0.999**t)) + 1e-8)
        optimizer.step(point, point.copy(), np.array([0.2]))
    assert point[0] == pytest.approx(w, rel=1e-9)
