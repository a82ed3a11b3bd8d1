"""Minima by descent, Newton, conjugate gradients and L-BFGS, in closed form, and linear systems."""

import numpy as np
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st
from hypothesis.extra import numpy as arrays
from scipy.linalg import hilbert
from scipy.optimize import minimize, rosen, rosen_der, rosen_hess
from scipy.sparse import diags
from scipy.special import expit

from likely import engines
from likely.data.sources import Kept
from likely.errors import InputError
from likely.optimize.conjugate_gradient import conjugate_gradient, solve_by_conjugate_gradients
from likely.optimize.descent import gradient_descent
from likely.optimize.lbfgs import lbfgs
from likely.optimize.line_search import line_search
from likely.optimize.minimum import RISES
from likely.optimize.newton import newton
from likely.optimize.objectives import Expansion, additive, evaluate, negative
from likely.optimize.quadratic import minimum_of_quadratic
from likely.optimize.systems import solve_linear

METHODS = (gradient_descent, conjugate_gradient, lbfgs, newton)
FAST = (conjugate_gradient, lbfgs, newton)


def rosenbrock(x):
    return rosen(x), rosen_der(x), rosen_hess(x)


def quadratic(Q, r):
    return lambda x: (0.5 * x @ Q @ x + r @ x, Q @ x + r, Q)


def logistic(X, y, constant=0.0):
    def objective(w):
        z = X @ w
        p = expit(z)
        return np.logaddexp(0, z).sum() - y @ z + constant, X.T @ (p - y), (X.T * (p * (1 - p))) @ X

    return objective


def rows(n=200, seed=0):
    rng = np.random.default_rng(seed)
    X = rng.normal(size=(n, 4))
    return X, (X @ [1.0, 2.0, -1.0, 0.0] + rng.logistic(size=n) > 0).astype(float)


def positive_definite(d, condition, seed):
    turn = np.linalg.qr(np.random.default_rng(seed).normal(size=(d, d)))[0]
    Q = (turn * np.geomspace(1, condition, d)) @ turn.T
    return 0.5 * (Q + Q.T)


@pytest.mark.parametrize("method", METHODS)
def test_logistic_regression_agrees_with_scipy(method):
    X, y = rows()
    objective = logistic(X, y)
    peer = minimize(lambda w: objective(w)[0], np.zeros(4), jac=lambda w: objective(w)[1], tol=1e-12)
    found = method(objective, np.zeros(4))
    assert found.converged and found.reason == "the gradient is small"
    np.testing.assert_allclose(found.point, peer.x, rtol=0, atol=1e-5)
    assert found.value <= peer.fun + 1e-10 * abs(peer.fun)


@pytest.mark.parametrize("method", FAST)
@pytest.mark.parametrize("d", [2, 10])
def test_rosenbrock(method, d):
    found = method(rosenbrock, np.full(d, -1.0))
    assert found.converged
    assert found.iterations < 400
    np.testing.assert_allclose(found.point, 1.0, atol=1e-6)


@pytest.mark.parametrize("method", FAST)
@given(d=st.integers(1, 8), power=st.floats(0, 4), seed=st.integers(0, 1000))
def test_quadratics_have_the_minimum_of_the_formula(method, d, power, seed):
    Q, r = positive_definite(d, 10.0**power, seed), np.random.default_rng(seed).normal(size=d)
    known = minimum_of_quadratic(Q, r)
    np.testing.assert_allclose(known.point, np.linalg.solve(Q, -r), rtol=1e-8, atol=1e-10)
    found = method(quadratic(Q, r), np.zeros(d), tol=1e-10)
    assert found.converged
    np.testing.assert_allclose(found.point, known.point, rtol=0, atol=1e-7)
    if method is newton:
        assert found.iterations <= 2  # the second for what rounding left


@pytest.mark.parametrize("method", METHODS)
def test_a_record_is_of_a_piece(method):
    X, y = rows()
    found = method(logistic(X, y), np.zeros(4))
    trace = found.trace
    assert len(trace.values) == len(trace.points) == len(trace.gradient_norms) == found.iterations + 1
    assert len(trace.steps) == found.iterations and np.all(trace.steps > 0)
    assert found.evaluations > found.iterations
    assert np.all(np.diff(trace.values) <= 1e-10 * trace.values[0])  # a line search never climbs
    np.testing.assert_array_equal(trace.points[-1], found.point)
    value, gradient, _ = logistic(X, y)(found.point)
    assert found.value == value
    np.testing.assert_array_equal(found.gradient, gradient)
    assert trace.gradient_norms[-1] == np.abs(gradient).max()
    bare = method(logistic(X, y), np.zeros(4), keep_points=False)
    assert bare.trace.points.shape == (0, 4)
    np.testing.assert_array_equal(bare.point, found.point)


@pytest.mark.parametrize("method", METHODS)
def test_too_few_iterations_are_said(method):
    found = method(rosenbrock, [-1.2, 1.0], max_iter=3)
    assert not found.converged
    assert found.reason == "max_iter=3 iterations are done"
    assert found.iterations == 3
    assert "not converged after 3 iterations" in str(found)


@pytest.mark.parametrize("method", METHODS)
def test_separable_classes_flatten_out(method):
    X, _ = rows()
    found = method(logistic(X, (X[:, 0] > 0).astype(float)), np.zeros(4), max_iter=500)
    assert np.isfinite(found.point).all()
    assert 0 <= found.value < (1.0 if method is gradient_descent else 1e-6)
    assert found.converged or method is gradient_descent


@pytest.mark.parametrize("method", METHODS)
def test_a_repeated_column_is_shared(method):
    X, y = rows()
    twice = method(logistic(np.column_stack([X, X[:, 0]]), y), np.zeros(5))
    once = newton(logistic(X, y), np.zeros(4))
    assert twice.converged
    np.testing.assert_allclose(twice.value, once.value, rtol=1e-10)
    np.testing.assert_allclose(twice.point[0] + twice.point[4], once.point[0], atol=1e-4)


@pytest.mark.parametrize("method", METHODS)
def test_a_constant_does_not_end_it_early(method):
    X, y = rows()
    found = method(logistic(X, y, constant=1e8), np.zeros(4))
    np.testing.assert_allclose(found.point, newton(logistic(X, y), np.zeros(4)).point, atol=2e-4)


@pytest.mark.parametrize("method", METHODS)
def test_walls_of_the_domain_are_not_crossed(method):
    # x - log x is not a number left of 0 and infinite at 0; its minimum is at 1
    found = method(lambda x: (x[0] - np.log(x[0]), 1 - 1 / x, np.diag(1 / x**2)), [1e-3])
    assert found.converged
    np.testing.assert_allclose(found.point, [1.0], atol=1e-6)
    assert np.all(found.trace.points > 0)


@pytest.mark.parametrize("method", METHODS)
def test_overflow_on_the_way_is_survived(method):
    found = method(lambda x: (np.exp(x[0]) - 2 * x[0], np.exp(x) - 2, np.diag(np.exp(x))), [-40.0])
    assert found.converged
    np.testing.assert_allclose(found.point, [np.log(2)], atol=1e-6)


@pytest.mark.parametrize("method", METHODS)
def test_functions_without_a_bottom_are_noticed(method):
    found = method(lambda x: (-(x[0] ** 3) + x[0], np.array([-3 * x[0] ** 2 + 1]), np.array([[-6 * x[0]]])), [2.0])
    assert not found.converged
    assert found.value < -1e8


@pytest.mark.parametrize("method", FAST)
def test_a_saddle_is_left(method):
    def saddle(x):
        slope = [2 * x[0], -2 * x[1] + 4 * x[1] ** 3]
        return x[0] ** 2 - x[1] ** 2 + x[1] ** 4, slope, [[2, 0], [0, 12 * x[1] ** 2 - 2]]

    found = method(saddle, [1.0, 1e-3])
    assert found.converged
    np.testing.assert_allclose(np.abs(found.point), [0, np.sqrt(0.5)], atol=1e-6)


@pytest.mark.parametrize("method", METHODS)
def test_at_the_minimum_there_is_nothing_to_do(method):
    found = method(lambda x: (float(x @ x), 2 * x, 2 * np.eye(3)), np.zeros(3))
    assert found.converged and found.iterations == 0 and found.evaluations == 1


@pytest.mark.parametrize("method", METHODS)
def test_a_wrong_gradient_is_suspected(method):
    found = method(lambda x: (float(x @ x), -2 * x, 2 * np.eye(2)), [1.0, 2.0])
    assert not found.converged
    assert "is the gradient right?" in found.reason


@pytest.mark.parametrize("method", METHODS)
def test_mistakes(method):
    bowl = lambda x: (float(x @ x), 2 * x, 2 * np.eye(len(x)))  # noqa: E731
    with pytest.raises(InputError, match="not finite at the start"):
        method(lambda x: (np.nan, x, np.eye(1)), [1.0])
    with pytest.raises(InputError, match="vector of finite"):
        method(bowl, [1.0, np.inf])
    with pytest.raises(InputError, match="tol"):
        method(bowl, [1.0], tol=-1)
    with pytest.raises(InputError, match="max_iter"):
        method(bowl, [1.0], max_iter=-1)
    with pytest.raises(InputError, match="one value and a gradient of as many"):
        method(lambda x: (1.0, np.ones(3), np.eye(2)), [1.0, 2.0])
    with pytest.raises(InputError, match=r"gives \(value, gradient\)"):
        method(lambda x: 3.0, [1.0])


def test_newton_needs_a_hessian_of_the_right_shape():
    with pytest.raises(InputError, match="Hessian"):
        newton(lambda x: (float(x @ x), 2 * x), [1.0])
    with pytest.raises(InputError, match=r"shape \(2, 2\)"):
        newton(lambda x: (float(x @ x), 2 * x, np.eye(3)), [1.0, 2.0])


def test_newton_does_not_depend_on_units():
    X, y = rows()
    plain = newton(logistic(X, y), np.zeros(4), tol=1e-12)
    units = np.array([1e-6, 1.0, 1e4, 1e8])
    scaled = newton(logistic(X * units, y), np.zeros(4), tol=1e-12)
    np.testing.assert_allclose(scaled.point * units, plain.point, rtol=1e-6, atol=1e-10)


@given(share=st.floats(0.01, 0.99))
def test_fixed_steps_shrink_the_distance_as_theory_says(share):
    curvatures = np.array([1.0, 5.0])
    step = 2 * share / curvatures.max()
    found = gradient_descent(lambda x: (0.5 * curvatures @ x**2, curvatures * x), [3.0, -2.0], step, max_iter=20, tol=0)
    expected = np.array([3.0, -2.0]) * (1 - step * curvatures) ** np.arange(found.iterations + 1)[:, None]
    np.testing.assert_allclose(found.trace.points, expected, atol=1e-12)
    np.testing.assert_array_equal(found.trace.steps, step)


@pytest.mark.parametrize("factor", [1.01, 2.0, 1e3])
def test_too_long_steps_diverge_and_it_is_said(factor):
    found = gradient_descent(lambda x: (float(x @ x), 2 * x), [1.0, 1.0], step=1.0 * factor)
    assert not found.converged
    assert found.reason.startswith("it diverges: the value has risen") and found.iterations == RISES
    np.testing.assert_array_equal(found.point, [1.0, 1.0])  # the lowest one met
    assert np.all(np.diff(found.trace.values) > 0)


def test_steps_into_nowhere_diverge_too():
    found = gradient_descent(lambda x: (np.exp(x[0]) - x[0], np.exp(x) - 1), [5.0], step=1e3)
    assert not found.converged and found.trace.values.max() > 1e6 * found.value
    found = gradient_descent(lambda x: (x[0] ** 4, 4 * x**3), [1e70], step=1.0)
    assert not found.converged and "not finite" in found.reason


@pytest.mark.parametrize("step", [0.0, -1.0, np.nan, np.inf])
def test_steps_are_positive(step):
    with pytest.raises(InputError, match="step must be a positive number"):
        gradient_descent(lambda x: (float(x @ x), 2 * x), [1.0], step=step)


def test_ascent_is_the_descent_of_the_negative():
    hill = lambda x: (-float((x - 3) @ (x - 3)), -2 * (x - 3))  # noqa: E731
    np.testing.assert_allclose(gradient_descent(negative(hill), [0.0], 0.1).point, [3.0], atol=1e-7)


@given(parts=st.integers(1, 7))
def test_sums_over_chunks_are_the_whole(parts):
    X, y = rows(101)
    chunks = [logistic(X[i::parts], y[i::parts]) for i in range(parts)]
    at = np.array([0.3, -0.2, 0.1, 1.0])
    for one, other in zip(evaluate(additive(chunks), at), logistic(X, y)(at), strict=True):
        np.testing.assert_allclose(one, other, rtol=1e-12, atol=1e-12)
    np.testing.assert_allclose(newton(additive(chunks), np.zeros(4)).point, newton(logistic(X, y), np.zeros(4)).point)


def test_an_engine_adds_expansions():
    X, y = rows(500)
    batches = Kept(tuple((X[i : i + 100], y[i : i + 100]) for i in range(0, 500, 100)))

    def objective(w):
        return engines.current().fold(batches, lambda batch: Expansion(*logistic(*batch)(w)))

    np.testing.assert_allclose(newton(objective, np.zeros(4)).point, newton(logistic(X, y), np.zeros(4)).point)


def test_a_sum_lacks_a_hessian_if_a_part_does():
    whole = additive([lambda x: (1.0, x, np.eye(1)), lambda x: (2.0, x)])(np.ones(1))
    assert whole.value == 3.0 and whole.hessian is None
    with pytest.raises(InputError, match="at least one"):
        additive([])


def test_python_numbers_that_overflow_are_outside():
    import math

    assert not evaluate(lambda x: (math.exp(x[0]), x), np.array([1e5])).inside
    assert not evaluate(lambda x: (1 / float(x[0] - 1), x), np.array([1.0])).inside


@given(
    start=st.floats(-3, 3),
    first=st.floats(1e-6, 1e6),
    curvature=st.sampled_from([0.1, 0.5, 0.9]),
    seed=st.integers(0, 50),
)
def test_steps_meet_the_conditions_of_wolfe(start, first, curvature, seed):
    a, b = np.random.default_rng(seed).uniform(0.5, 3, 2)
    wavy = lambda x: (x[0] ** 2 + a * np.cos(b * x[0]), 2 * x - a * b * np.sin(b * x))  # noqa: E731
    value, gradient = wavy(np.array([start]))
    assume(abs(gradient[0]) > 1e-3)
    found = line_search(wavy, [start], -gradient, step=first, curvature=curvature)
    slope = -(gradient[0] ** 2)
    assert found.found
    assert found.there.value <= value + 1e-4 * found.step * slope + 1e-9
    assert abs(-found.there.gradient[0] * gradient[0]) <= curvature * abs(slope)
    assert found.point[0] == start - found.step * gradient[0]


def test_backtracking_only_comes_back():
    bowl = lambda x: (float(x @ x), 2 * x)  # noqa: E731
    assert line_search(bowl, [1.0], [-1e-3], curvature=None).step == 1.0
    short = line_search(bowl, [1.0], [-100.0], curvature=None)
    assert short.found and 0 < short.step < 1 and short.there.value < 1


def test_line_search_mistakes():
    bowl = lambda x: (float(x @ x), 2 * x)  # noqa: E731
    with pytest.raises(InputError, match="does not fall"):
        line_search(bowl, [1.0], [1.0])
    with pytest.raises(InputError, match="decrease < curvature"):
        line_search(bowl, [1.0], [-1.0], decrease=0.5, curvature=0.2)


def test_a_line_search_without_a_way_down_says_so():
    found = line_search(lambda x: (abs(x[0]) + (x[0] != 1), -np.ones(1)), [1.0], [1.0])
    assert not found.found and found.there.value == 1.0


@pytest.mark.parametrize("d", [3, 20])
@pytest.mark.parametrize("sparse", [False, True])
def test_linear_systems_by_conjugate_gradients(d, sparse):
    Q = diags([np.full(d - 1, -1.0), np.full(d, 2.5), np.full(d - 1, -1.0)], [-1, 0, 1]).tocsr()
    b = np.arange(d) + 1.0
    found = solve_by_conjugate_gradients(Q if sparse else Q.toarray(), b, keep_points=True)
    assert found.converged and found.iterations <= d
    np.testing.assert_allclose(found.point, np.linalg.solve(Q.toarray(), b), rtol=1e-8)
    np.testing.assert_allclose(found.gradient, Q @ found.point - b, atol=1e-12)
    values = [0.5 * x @ (Q @ x) - b @ x for x in found.trace.points]
    np.testing.assert_allclose(found.trace.values, values, rtol=1e-8)
    assert np.all(np.diff(values) < 0)


@pytest.mark.parametrize("n", [4, 8, 12])
def test_hilbert_matrices_leave_a_small_residual(n):
    H = hilbert(n)
    found = solve_by_conjugate_gradients(lambda v: H @ v, H @ np.ones(n))
    assert found.converged
    assert np.linalg.norm(H @ found.point - H @ np.ones(n)) <= 1e-9 * np.linalg.norm(H @ np.ones(n))


def test_a_diagonal_removes_units():
    Q, units = positive_definite(6, 10, 1), np.geomspace(1e-4, 1e4, 6)
    scaled, b = Q * units[:, None] * units, np.ones(6)
    plain = solve_by_conjugate_gradients(scaled, b, tol=1e-6, max_iter=200)
    helped = solve_by_conjugate_gradients(scaled, b, diagonal=np.diagonal(scaled), tol=1e-6, max_iter=200)
    assert helped.converged and helped.iterations < plain.iterations
    np.testing.assert_allclose(helped.point, np.linalg.solve(scaled, b), rtol=1e-6)


def test_what_conjugate_gradients_cannot_solve_is_said():
    found = solve_by_conjugate_gradients(np.diag([1.0, -1.0]), [1.0, 1.0])
    assert not found.converged and "not positive definite" in found.reason
    found = solve_by_conjugate_gradients(np.diag([1.0, 2.0, 3.0]), np.ones(3), max_iter=1)
    assert not found.converged and found.reason.startswith("max_iter=1")
    assert solve_by_conjugate_gradients(np.eye(2), [0.0, 0.0]).iterations == 0
    with pytest.raises(InputError, match=r"shape \(2, 2\)"):
        solve_by_conjugate_gradients(np.eye(3), [1.0, 1.0])
    with pytest.raises(InputError, match="diagonal"):
        solve_by_conjugate_gradients(np.eye(2), [1.0, 1.0], diagonal=[1.0, 0.0])
    with pytest.raises(InputError, match="right side"):
        solve_by_conjugate_gradients(np.eye(2), [1.0, np.nan])


@pytest.mark.parametrize("memory", [1, 3, 20])
def test_memory_of_lbfgs(memory):
    found = lbfgs(rosenbrock, np.full(6, -1.0), memory=memory)
    assert found.converged
    np.testing.assert_allclose(found.point, 1.0, atol=1e-6)


def test_memory_changes_the_way():
    counts = {memory: lbfgs(rosenbrock, np.full(6, -1.0), memory=memory).iterations for memory in (1, 20)}
    assert counts[20] < counts[1]
    with pytest.raises(InputError, match="memory"):
        lbfgs(rosenbrock, np.zeros(2), memory=0)


@given(a=st.floats(0.01, 100), b=st.floats(-100, 100), c=st.floats(-100, 100))
def test_parabolas(a, b, c):
    lowest = minimum_of_quadratic(2 * a, b, c)
    np.testing.assert_allclose(lowest.point, [-b / (2 * a)], rtol=1e-12)
    np.testing.assert_allclose(lowest.value, c - b * b / (4 * a), rtol=1e-9, atol=1e-9)


@given(arrays.arrays(np.float64, 5, elements=st.floats(-10, 10)), st.floats(0.01, 0.99))
def test_two_variables(numbers, share):
    a, b, d, e, f = numbers
    a, b = abs(a) + 0.1, abs(b) + 0.1
    c = 2 * np.sqrt(a * b) * (2 * share - 1)
    point = minimum_of_quadratic([[2 * a, c], [c, 2 * b]], [d, e], f).point
    formula = np.array([c * e - 2 * b * d, c * d - 2 * a * e]) / (4 * a * b - c * c)
    np.testing.assert_allclose(point, formula, rtol=1e-8, atol=1e-8)


def test_units_of_quadratics_drop_out():
    Q, r, units = positive_definite(4, 50, 3), np.ones(4), np.array([1e-120, 1e-3, 1.0, 1e120])
    found = minimum_of_quadratic(Q * units[:, None] * units, r * units)
    np.testing.assert_allclose(found.point * units, np.linalg.solve(Q, -r), rtol=1e-10)


def test_flat_quadratics_have_a_shortest_minimum():
    flat = minimum_of_quadratic([[1, 1], [1, 1]], [-2, -2], 1.0)
    np.testing.assert_allclose(flat.point, [1, 1])
    assert not flat.unique and flat.value == pytest.approx(-1.0)
    zero = minimum_of_quadratic(np.zeros((3, 3)), np.zeros(3), 7.0)
    np.testing.assert_array_equal(zero.point, np.zeros(3))
    assert zero.value == 7.0 and not zero.unique


def test_hilbert_quadratic_is_as_low_as_it_gets():
    H = hilbert(12)  # singular up to rounding
    found = minimum_of_quadratic(H, -H @ np.ones(12))
    assert found.value == pytest.approx(-0.5 * np.ones(12) @ H @ np.ones(12), rel=1e-12)
    assert np.abs(found.gradient).max() < 1e-12


@pytest.mark.parametrize(
    ("Q", "r", "message"),
    [
        ([[1, 0], [0, -1]], [0, 0], "not positive semidefinite"),
        (-1, 0, "not positive semidefinite"),
        ([[1, 1], [1, 1]], [1, -1], "flat"),
        (0, 3, "flat"),
        ([[1, 2], [0, 1]], [0, 0], "symmetric"),
        (np.eye(3), [1, 1], "shape"),
        ([[np.nan]], [1], "finite"),
    ],
)
def test_quadratics_without_a_minimum(Q, r, message):
    with pytest.raises(InputError, match=message):
        minimum_of_quadratic(Q, r)


@given(st.integers(1, 6), st.integers(1, 6), st.integers(0, 6), st.integers(0, 200))
def test_linear_systems_of_any_shape(m, n, rank, seed):
    rng = np.random.default_rng(seed)
    rank = min(rank, m, n)
    A = rng.normal(size=(m, rank)) @ rng.normal(size=(rank, n)) if rank else np.zeros((m, n))
    b = A @ rng.normal(size=n)
    found = solve_linear(A, b)
    assert found.rank == rank and found.consistent
    assert found.unique == (rank == n)
    np.testing.assert_allclose(found.point, np.linalg.lstsq(A, b, rcond=1e-10)[0], atol=1e-7)
    np.testing.assert_allclose(A @ (found.point[:, None] + found.null_space), np.tile(b[:, None], n - rank), atol=1e-8)
    np.testing.assert_allclose(found.null_space.T @ found.null_space, np.eye(n - rank), atol=1e-12)


def test_contradictions_are_noticed():
    found = solve_linear([[1, 1], [1, 1], [0, 1]], [1, 2, 3])
    assert not found.consistent
    np.testing.assert_allclose(found.point, np.linalg.lstsq([[1, 1], [1, 1], [0, 1]], [1, 2, 3])[0])
    with pytest.raises(InputError, match="shapes"):
        solve_linear([[1, 1]], [1, 2])


def test_a_known_curvature_saves_lbfgs_its_steps():
    scale = 10.0 ** np.arange(0, 8, 2)

    def bowl(x):
        return float(scale @ (x - 1) ** 2 + 0.1 * ((x - 1) ** 4).sum()), 2 * scale * (x - 1) + 0.4 * (x - 1) ** 3

    plain = lbfgs(bowl, np.zeros(4))
    known = lbfgs(bowl, np.zeros(4), inverse=lambda v: v / (2.2 * scale))
    assert known.converged and known.iterations < plain.iterations
    assert np.allclose(known.point, 1.0, atol=1e-8)
