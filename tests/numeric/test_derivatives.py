"""Checks of gradients and of convexity, and Taylor's formula."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra import numpy as arrays
from scipy.optimize import rosen, rosen_der, rosen_hess
from scipy.special import expit, log_expit

from likely.errors import InputError
from likely.optimize import jacobian
from likely.optimize.derivatives import convexity_check, gradient_check, numerical_gradient, taylor

FUNCTIONS = {
    "rosenbrock": (rosen, rosen_der, [1.3, -0.7, 2.0]),
    "logistic": (lambda x: -log_expit(x).sum(), lambda x: expit(x) - 1, [-30.0, 0.0, 20.0]),
    "exponential": (lambda x: np.exp(x).sum(), np.exp, [-5.0, 0.0, 9.0]),
    "logarithm near its wall": (lambda x: np.log(x).sum(), lambda x: 1 / x, [1e-5, 1.0, 1e8]),
    "logarithm at its wall": (lambda x: np.log(x).sum(), lambda x: 1 / x, [1e-12, 1e-9, 1.0]),
    "large values": (lambda x: 1e9 + (x**2).sum(), lambda x: 2 * x, [1.0, 2.0, -3.0]),
    "small values": (lambda x: 1e-9 * np.sin(x).sum(), lambda x: 1e-9 * np.cos(x), [1.0, 2.0, -3.0]),
    "at a minimum": (lambda x: ((x - 1) ** 4).sum(), lambda x: 4 * (x - 1) ** 3, [1.0, 1.0, 1.0]),
    "constant": (lambda x: 3.0, np.zeros_like, [1.0, 2.0, 3.0]),
    "fast": (lambda x: np.sin(300 * x).sum(), lambda x: 300 * np.cos(300 * x), [0.1, 0.2, 0.3]),
}


@pytest.mark.parametrize("name", FUNCTIONS)
def test_right_gradients_pass(name):
    f, gradient, at = FUNCTIONS[name]
    found = gradient_check(f, gradient, at)
    assert found.agrees, str(found)
    assert "agrees" in str(found)


# A slope of 2e-9 beside values of 30 is below what differences can tell.
TELLING = [
    (name, i)
    for name in FUNCTIONS
    for i in range(3)
    if name not in ("at a minimum", "constant") and (name, i) != ("logistic", 2)
]


@pytest.mark.parametrize(("name", "wrong"), TELLING)
def test_a_wrong_coordinate_is_named(name, wrong):
    f, gradient, at = FUNCTIONS[name]
    factor = np.where(np.arange(3) == wrong, 1.001, 1.0)
    found = gradient_check(f, lambda x: gradient(x) * factor, at)
    assert found.wrong == (wrong,), str(found)
    assert str(found).startswith(f"coordinate {wrong} is off: the gradient says")


def test_several_wrong_ones_are_counted():
    found = gradient_check(rosen, lambda x: rosen_der(x) + 1, [1.3, -0.7, 2.0])
    assert found.wrong == (0, 1, 2)
    assert str(found).endswith(", and 2 more")
    assert gradient_check(rosen, lambda x: rosen_der(x) + np.array([1, 0, 1]), [1.3, -0.7, 2.0], coordinates=[1]).agrees
    assert not gradient_check(rosen, lambda x: np.full(3, np.nan), [1.3, -0.7, 2.0]).agrees


@given(arrays.arrays(np.float64, 3, elements=st.floats(-3, 3)))
def test_numerical_gradients_know_their_error(at):
    slope, error = numerical_gradient(rosen, at)
    assert np.all(np.abs(slope - rosen_der(at)) <= 10 * error + 1e-12)
    assert np.all(error <= 1e-5 * (1 + np.abs(slope).max()))


def test_gradient_mistakes():
    with pytest.raises(InputError, match="gradient of as many"):
        gradient_check(rosen, lambda x: x[:1], [1.0, 2.0])
    with pytest.raises(InputError, match="one number"):
        gradient_check(lambda x: x, lambda x: x, [1.0, 2.0])
    with pytest.raises(InputError, match="not finite around the point, in coordinate 0"):
        gradient_check(lambda x: np.nan, lambda x: x, [1.0])


@given(arrays.arrays(np.float64, 2, elements=st.floats(-2, 2)), arrays.arrays(np.float64, 2, elements=st.floats(-1, 1)))
def test_taylor_errs_by_the_next_order(at, direction):
    def error(order, h):
        line = taylor(rosen, rosen_der, at, rosen_hess if order == 2 else None)
        return abs(line(at + h * direction) - rosen(at + h * direction))

    for h in (0.0, 1e-3, 1e-2):
        third = 1200 * h**3  # a bound of the terms of third and fourth order
        assert error(2, h) <= third + 1e-10
        assert error(1, h) <= 0.5 * h**2 * abs(direction @ rosen_hess(at) @ direction) + third + 1e-10


def test_taylor_of_one_variable():
    line = taylor(lambda x: x[0] ** 3, lambda x: 3 * x**2, 2.0)
    assert line(2.5) == 8 + 12 * 0.5
    parabola = taylor(lambda x: x[0] ** 3, lambda x: 3 * x**2, 2.0, lambda x: 6 * x)
    assert parabola(2.5) == 8 + 12 * 0.5 + 6 * 0.25


@pytest.mark.parametrize(
    "f",
    [
        lambda x: x @ x,
        lambda x: np.abs(x).sum(),
        lambda x: x @ [1.0, -2.0] + 1e6,
        lambda x: np.logaddexp(0, x).sum(),
        lambda x: max(x[0], x[1]),
        lambda x: np.inf if x[0] < 0 else x[0],
        lambda x: 0.0,
        lambda x: 1e3 * x[0] + np.exp(x[1]) - 1e3 * x[0],  # noise of sums that cancel
        lambda x: np.inf,
    ],
)
def test_convex_functions_pass(f):
    found = convexity_check(f, [-3.0, -3.0], [3.0, 3.0])
    assert found.convex and found.excess == 0, str(found)
    assert str(found) == "no chord of 1000 lies below the graph"


@pytest.mark.parametrize(
    "f",
    [
        lambda x: -(x @ x),
        lambda x: x[0] * x[1],
        lambda x: 1 / (1 + np.exp(-x[0])),
        lambda x: x @ x + 0.01 * np.cos(40 * x[0]),
        lambda x: np.inf if abs(x[0]) < 1 else 0.0,
        lambda x: np.sqrt(np.abs(x)).sum(),
    ],
)
def test_others_are_caught_by_a_chord(f):
    found = convexity_check(f, [-3.0, -3.0], [3.0, 3.0])
    assert not found.convex
    a, b = found.ends
    between = [f(t * a + (1 - t) * b) - t * f(a) - (1 - t) * f(b) for t in np.linspace(0.01, 0.99, 99)]
    assert max(between) > 0
    assert str(found).startswith("not convex: the chord from [")


def test_convexity_is_seeded():
    f = lambda x: np.cos(x[0])  # noqa: E731
    one, other, third = (convexity_check(f, 0.0, 9.0, random_state=seed) for seed in (1, 1, 2))
    np.testing.assert_array_equal(one.ends, other.ends)
    assert one.excess != third.excess


def test_convexity_mistakes():
    with pytest.raises(InputError, match="box"):
        convexity_check(np.sum, [0.0], [0.0])
    with pytest.raises(InputError, match="not a number"):
        convexity_check(lambda x: np.nan, 0.0, 1.0)


@pytest.mark.parametrize("x", [1e-6, 0.02, 1.0, 3e7])
def test_the_jacobian_needs_no_step(x):
    slopes = jacobian(lambda v: np.array([np.log(v[0]), v[0] ** 3, v[0] * np.sin(v[1])]), np.array([x, 0.0]))
    assert np.allclose(slopes, [[1 / x, 0], [3 * x**2, 0], [0, x]], rtol=1e-10, atol=0)
