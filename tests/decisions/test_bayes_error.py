from itertools import pairwise

import numpy as np
import polars as pl
import pytest
from hypothesis import example, given
from hypothesis import strategies as st
from scipy.integrate import quad
from scipy.stats import multivariate_normal, norm

from likely import GaussianBayes, NaiveBayes
from likely.decisions import Population, bayes_error, bayes_error_of_table, decision_points, decision_regions
from likely.decisions.optimal.bayes_error import error_of_regions, gaussian_regions
from likely.decisions.optimal.boundaries import Region, regions
from likely.distributions import (
    Bernoulli,
    Categorical,
    CategoricalFamily,
    Gaussian,
    MultivariateGaussian,
    Poisson,
    Product,
    fit,
)
from likely.errors import InputError, InputTypeError, NotFittedError
from likely.statistics import Codes, Membership

several = st.integers(2, 5).flatmap(
    lambda k: st.tuples(
        st.lists(st.floats(-8, 8), min_size=k, max_size=k),
        st.lists(st.floats(0.3, 4), min_size=k, max_size=k),
        st.lists(st.floats(0.02, 1), min_size=k, max_size=k).map(lambda p: np.array(p) / sum(p)),
    )
)


def joint_on_a_line(x, mean, deviation, prior):
    return np.array([p * norm.pdf(x, m, s) for m, s, p in zip(mean, deviation, prior, strict=True)])


def population(mean, deviation, prior):
    return Population.of(Gaussian(np.array(mean)[:, None], np.square(deviation)[:, None]), prior)


@given(several)
@example(([0.0, 0.0], [0.375, 0.5], np.array([3.0, 4.0]) / 7))  # the curves touch at the middle
def test_the_error_on_a_line_is_the_integral_of_what_is_not_the_largest(classes):
    def lost(x):
        joint = joint_on_a_line(x, *classes)
        return joint.sum(axis=0) - joint.max(axis=0)

    found = bayes_error(population(*classes))
    grid = np.linspace(-60, 60, 200_001)
    assert found.method == "exact" and found.standard_error == 0
    assert np.isclose(found.value, np.trapezoid(lost(grid), grid), atol=1e-5)
    assert np.isclose(found.value, (found.per_class * classes[2]).sum(), atol=1e-12)
    assert np.isclose(found.best_accuracy, 1 - found.value)


@example(([2.0, 7.0], [4.0, 3.9999999999999996], np.array([0.5, 0.5])))  # the second boundary is at 1e17
@given(several)
def test_every_region_belongs_to_the_most_likely_class(classes):
    found = gaussian_regions(*classes)
    assert found[0].low == -np.inf and found[-1].high == np.inf
    for region in found:
        inside = np.linspace(max(region.low, -40), min(region.high, 40), 9)[1:-1]
        joint = joint_on_a_line(inside, *classes)
        assert (joint[region.member] >= joint.max(axis=0) - 1e-9).all()
    assert all(a.high == b.low and a.member != b.member for a, b in pairwise(found))


def test_two_classes_agree_with_the_boundaries():
    rng = np.random.default_rng(0)
    for _ in range(20):
        mean, deviation = rng.normal(0, 3, 2), rng.uniform(0.3, 3, 2)
        prior = rng.dirichlet([2, 2])
        found = regions(mean, deviation, prior)
        assert gaussian_regions(mean, deviation, prior) == found
        assert gaussian_regions([*mean, 0.0], [*deviation, 1.0], [*prior, 0.0]) == found  # not by the way of two


@given(st.floats(-4, 4))
def test_no_boundary_has_a_smaller_error(boundary):
    mean, deviation, prior = [0.0, 2.0], [1.0, 1.5], [0.3, 0.7]
    best = bayes_error(population(mean, deviation, prior)).value
    halves = [Region(-np.inf, boundary, 0), Region(boundary, np.inf, 1)]
    error = error_of_regions(halves, mean, deviation, prior).sum()
    by_hand = 0.3 * norm.sf(boundary, 0, 1) + 0.7 * norm.cdf(boundary, 2, 1.5)
    assert np.isclose(error, by_hand, atol=1e-12) and error >= best - 1e-12


def test_tiny_errors_keep_their_digits():
    far = bayes_error(population([0.0, 40.0], [1.0, 1.0], [0.5, 0.5])).value
    assert np.isclose(far, norm.sf(20), rtol=1e-10)
    assert bayes_error(population([1.0, 1.0], [1.0, 1.0], [0.3, 0.7])).value == pytest.approx(0.3)
    assert bayes_error(population([0.0, 1.0, 2.0], [1.0, 1.0, 1.0], [1.0, 0.0, 0.0])).value == 0
    assert bayes_error(population([0.0], [1.0], [1.0])).value == 0


def test_the_plane_agrees_with_numeric_integration():
    mean = np.array([[-1.0, 0.0], [1.0, 0.5], [0.0, -2.0]])
    covariance = np.array([[[1.0, 0.3], [0.3, 1.0]], [[2.0, -0.8], [-0.8, 1.0]], [[0.5, 0.0], [0.0, 0.7]]])
    prior = np.array([0.5, 0.3, 0.2])
    found = bayes_error(Population.of(MultivariateGaussian.of(mean, covariance), prior))
    assert found.method == "quadrature" and found.standard_error < 1e-7
    axis = np.linspace(-11, 11, 1201)
    grid = np.stack(np.meshgrid(axis, axis), axis=-1)
    joint = np.stack([p * multivariate_normal(m, s).pdf(grid) for m, s, p in zip(mean, covariance, prior, strict=True)])
    cell = (axis[1] - axis[0]) ** 2
    assert np.isclose(found.value, (joint.sum(axis=0) - joint.max(axis=0)).sum() * cell, atol=2e-6)
    wrong = joint.argmax(axis=0) != np.arange(3)[:, None, None]
    assert np.allclose(found.per_class, (joint * wrong).sum(axis=(1, 2)) * cell / prior, atol=1e-3)


def test_the_plane_of_independent_features():
    mean, variance = np.array([[0.0, 0.0], [1.5, 1.0]]), np.array([[1.0, 1.0], [2.0, 0.5]])
    x, y = np.linspace(-9, 11, 801), np.linspace(-8, 9, 801)
    joint = [
        0.5 * np.outer(norm.pdf(x, m[0], v[0] ** 0.5), norm.pdf(y, m[1], v[1] ** 0.5))
        for m, v in zip(mean, variance, strict=True)
    ]
    expected = np.minimum(*joint).sum() * (x[1] - x[0]) * (y[1] - y[0])
    assert np.isclose(bayes_error(Population.of(Gaussian(mean, variance))).value, expected, atol=1e-5)


@pytest.mark.sample(1)
@pytest.mark.parametrize("d", [2, 3, 6])
def test_one_covariance_is_a_matter_of_distances_alone(d):
    rng = np.random.default_rng(d)
    root = rng.normal(size=(d, d))
    covariance, mean = root @ root.T + np.eye(d), rng.normal(size=(2, d))
    difference = mean[0] - mean[1]
    distance = np.sqrt(difference @ np.linalg.solve(covariance, difference))
    found = bayes_error(Population.of(MultivariateGaussian.of(mean, covariance)))
    assert found.method == "exact" and np.isclose(found.value, norm.sf(distance / 2), rtol=1e-9)
    three = Population.of(MultivariateGaussian.of(rng.normal(size=(3, d)), covariance), [0.5, 0.3, 0.2])
    exact, sampled = bayes_error(three), bayes_error(three, "sampling", 40_000, 0)
    assert exact.method == "quadrature"
    assert abs(exact.value - sampled.value) < 4 * sampled.standard_error
    same = Population.of(MultivariateGaussian.of(np.zeros((2, d)), covariance), [0.2, 0.8])
    assert bayes_error(same).value == pytest.approx(0.2)


def test_sampling_has_an_honest_standard_error():
    two = population([0.0, 2.0], [1.0, 1.0], [0.5, 0.5])
    draws = [bayes_error(two, "sampling", 400, seed) for seed in range(200)]
    values = np.array([d.value for d in draws])
    assert abs(values.mean() - norm.sf(1)) < 4 * values.std() / np.sqrt(200)
    assert np.isclose(values.std(), np.mean([d.standard_error for d in draws]), rtol=0.2)
    counts = Population.of(Poisson(np.array([[2.0], [6.0]])))
    found = bayes_error(counts, random_state=0)
    x = np.arange(200)
    exact = 0.5 * np.minimum(*(np.exp(counts.distribution.log_density(x[:, None].astype(float))).T)).sum()
    assert found.method == "sampling" and abs(found.value - exact) < 4 * found.standard_error


def test_discrete_features_are_summed_over_their_cells():
    p = np.array([[0.9, 0.4], [0.2, 0.5]])
    bits = bayes_error(Population.of(Bernoulli(p), [0.6, 0.4]))
    cells = [(a, b) for a in (0, 1) for b in (0, 1)]
    joint = np.array([[w * np.prod(np.where(c, q, 1 - q)) for q, w in zip(p, (0.6, 0.4), strict=True)] for c in cells])
    assert bits.method == "exact" and np.isclose(bits.value, joint.min(axis=1).sum())
    assert np.isclose(bits.value, bayes_error_of_table(joint).value)
    levels = (("a", "b", "c"), ("x", "y"))
    codes = Codes(np.random.default_rng(0).integers(0, [3, 2], (60, 2)).astype(np.int32), np.zeros(2, np.int64), levels)
    nominal = fit(CategoricalFamily(), codes, Membership.of_labels(np.arange(60) % 2, 2))
    assert isinstance(nominal, Categorical)
    exact = bayes_error(Population.of(Product((nominal,))))
    sampled = bayes_error(Population.of(nominal), "sampling", 50_000, 0)
    assert exact.method == "exact" and abs(exact.value - sampled.value) < 4 * sampled.standard_error


def test_the_error_of_a_fitted_model():
    X, y = population([0.0, 2.0], [1.0, 1.0], [0.5, 0.5]).sample(4000, 0)
    for model in (GaussianBayes().fit(X, y), NaiveBayes(kinds="gaussian").fit(X, y)):
        found = bayes_error(Population.of(model.distribution_, model.class_prior_, model.classes_))
        assert found.method == "exact" and abs(found.value - norm.sf(1)) < 0.02


def test_populations_draw_tables():
    levels = ((1, 2, 3),)
    numbers = Categorical(levels, np.log([[0.2, 0.3, 0.5]]), np.zeros((1, 1)))
    X, _ = Population.of(numbers).sample(50, 0)
    assert X.dtype == float and set(X[:, 0]) == {1, 2, 3}
    names = Categorical((("a", "b"),), np.log([[0.5, 0.5]]), np.zeros((1, 1)))
    both, y = Population.of(Product((names, Gaussian(np.zeros((1, 1)), np.ones((1, 1))))), classes=["only"]).sample(
        20, 1
    )
    assert both.shape == (20, 2) and set(both[:, 0]) == {"a", "b"} and set(y) == {"only"}


def test_regions_of_a_line_and_of_the_plane():
    line = population([10.0, 12.0], [1.0, 2.0], [0.5, 0.5])
    grid = np.linspace(0, 20, 2001)
    found = decision_regions(line, grid)
    assert found.pieces() == {0: 1, 1: 2}  # a class may own separate pieces
    changes = grid[:-1][np.diff(found.code[0]) != 0]
    assert np.allclose(changes, decision_points([10, 12], [1, 2]), atol=0.011)
    circle = Population.of(
        MultivariateGaussian.of(np.zeros((2, 2)), np.array([np.eye(2), 4 * np.eye(2)])), classes=["in", "out"]
    )
    axis = np.linspace(-5, 5, 101)
    inside = decision_regions(circle, axis, axis)
    radius = np.sqrt(8 / 3 * np.log(4))
    assert np.isclose(inside.share()["in"] * 100, np.pi * radius**2, rtol=0.05)
    assert inside.pieces() == {"in": 1, "out": 1}
    X, y = circle.sample(4000, 0)
    model = GaussianBayes().fit(X, y)
    assert (decision_regions(model, axis, axis).code == inside.code).mean() > 0.97
    wider = GaussianBayes().fit(np.column_stack([X[:, 0], np.ones(4000) * 7 + X[:, 1] * 1e-9, X[:, 1]]), y)
    held = decision_regions(wider, axis, axis, features=(0, 2), at=[0.0, 7.0, 0.0])
    assert held.code.shape == (101, 101)


def test_regions_of_a_model_that_was_fitted_on_a_frame():
    import pandas as pd
    from sklearn.linear_model import LogisticRegression

    rng = np.random.default_rng(0)
    frame = pd.DataFrame(rng.normal(size=(60, 2)), columns=["a", "b"])
    model = LogisticRegression().fit(frame, frame["a"] > 0)
    found = decision_regions(model, [-1.0, 1.0], [-1.0, 0.0, 1.0])
    assert found.code.tolist() == [[0, 1]] * 3


@pytest.mark.parametrize(
    ("call", "word"),
    [
        (lambda: bayes_error(population([0, 1], [1, 1], [0.5, 0.5]), "guess"), "unknown method"),
        (lambda: bayes_error(Population.of(Poisson(np.ones((2, 1)))), "exact"), "use method='sampling'"),
        (lambda: bayes_error(population([0, 1], [1, 1], [0.5, 0.5]), "sampling", 1), "n_samples"),
        (lambda: bayes_error_of_table([[0.5, 0.4]]), "sum to 1"),
        (lambda: gaussian_regions([0, 1], [1, -1]), "positive"),
        (lambda: gaussian_regions([0, 1], [1]), "shapes"),
        (lambda: error_of_regions([Region(0, np.inf, 0)], [0, 1], [1, 1]), "cover the line"),
        (lambda: error_of_regions([Region(-np.inf, np.inf, 5)], [0, 1], [1, 1]), "none of the 2"),
        (lambda: Population.of(Poisson(np.ones((2, 1))), [0.5, 0.6]), "sums to"),
        (lambda: population([0, 1], [1, 1], [0.5, 0.5]).draw(0), "at least one"),
        (lambda: decision_regions(population([0, 1], [1, 1], [0.5, 0.5]), []), "coordinates"),
        (lambda: decision_regions(population([0, 1], [1, 1], [0.5, 0.5]), [0.0], [0.0], at=[1.0]), "at is a row"),
    ],
)
def test_mistakes_are_told_in_words(call, word):
    with pytest.raises(InputError, match=word):
        call()


def test_quadrature_against_a_one_dimensional_integral():
    """A second feature that says nothing leaves the error of the first."""
    one = bayes_error(population([0.0, 1.0], [1.0, 2.0], [0.4, 0.6])).value
    two = Population.of(Gaussian(np.array([[0.0, 5.0], [1.0, 5.0]]), np.array([[1.0, 1.0], [4.0, 1.0]])), [0.4, 0.6])
    assert np.isclose(bayes_error(two).value, one, atol=1e-8)
    lost, _ = quad(lambda x: min(0.4 * norm.pdf(x, 0, 1), 0.6 * norm.pdf(x, 1, 2)), -30, 30, limit=500, epsabs=1e-11)
    assert np.isclose(one, lost, atol=1e-8)


def test_a_fitted_model_is_the_population_that_it_believes_in():
    X, y = population([0.0, 2.0], [1.0, 1.0], [0.5, 0.5]).sample(500, 0)
    model = GaussianBayes("shared").fit(X, np.array(["low", "high"])[y])
    believed = Population.of(model)
    assert believed.classes.tolist() == ["high", "low"]
    assert believed.prior == pytest.approx(model.class_prior_)
    assert np.exp(believed.log_posterior(X)) == pytest.approx(model.predict_proba(X))
    distance = abs(np.diff(model.means_[:, 0])[0]) / np.sqrt(model.covariances_[0, 0, 0])
    uniform = bayes_error(Population.of(model, "uniform"))
    assert (uniform.value, uniform.method) == (pytest.approx(norm.cdf(-distance / 2)), "exact")
    assert bayes_error(model).value == pytest.approx(bayes_error(believed).value)
    plane = np.column_stack([X[:, 0], np.random.default_rng(1).normal(size=500)])
    independent = bayes_error(NaiveBayes().fit(plane, y))
    assert independent.method == "quadrature"
    assert independent.value == pytest.approx(bayes_error(model).value, abs=0.02)
    sampled = bayes_error(GaussianBayes(estimation="bayes").fit(plane, y), random_state=0)
    assert sampled.method == "sampling"
    assert sampled.value == pytest.approx(independent.value, abs=0.01)
    named = [["low", "high"][c] for c in y]
    mixed = bayes_error(NaiveBayes(kinds={"n": "nominal"}).fit(pl.DataFrame({"x": X[:, 0], "n": named}), y))
    assert mixed.value < 0.01


def test_what_is_no_population_is_refused():
    from sklearn.linear_model import LogisticRegression

    model = LogisticRegression().fit([[0.0], [1.0]], [0, 1])
    for wrong in (model, [[0.0]], "gaussian"):
        with pytest.raises(InputTypeError, match="distribution with a member per class"):
            bayes_error(wrong)
    with pytest.raises(NotFittedError):
        Population.of(GaussianBayes())
    with pytest.raises(InputError, match="its own classes"):
        Population.of(GaussianBayes().fit([[0.0], [1.0], [2.0], [3.0]], [0, 0, 1, 1]), classes=["a", "b"])


def test_a_grid_of_two_among_several_features_needs_the_others():
    rng = np.random.default_rng(0)
    frame = pl.DataFrame(rng.normal(size=(60, 3)), schema=["a", "b", "c"])
    model = GaussianBayes("shared").fit(frame, frame["c"] > 0)
    axis = [-1.0, 1.0]
    with pytest.raises(InputError, match=r"3 features and the grid 2.* at="):
        decision_regions(model, axis, axis, features=(0, 2))
    with pytest.raises(InputError, match=r"3 features and the grid 1.* at="):
        decision_regions(model, axis)
    with pytest.raises(InputError, match="at has 2 values"):
        decision_regions(model, axis, axis, at=[0.0, 0.0])
    with pytest.raises(InputError, match="must be numbers"):
        decision_regions(model, axis, axis, at=["red", 0.0, 0.0])
    with pytest.raises(InputError, match="no feature 'd'"):
        decision_regions(model, axis, axis, features=("a", "d"), at=[0.0, 0.0, 0.0])
    with pytest.raises(InputError, match="at says nothing of feature 'b'"):
        decision_regions(model, axis, axis, at={"a": 0.0, "c": 0.0})
    with pytest.raises(NotFittedError):
        decision_regions(GaussianBayes(), axis, axis)
    with pytest.raises(InputTypeError, match="fitted classifier"):
        decision_regions("model", axis, axis)
    by_place = decision_regions(model, axis, axis, features=(0, 2), at=[0.0, 0.5, 0.0])
    by_name = decision_regions(model, axis, axis, features=("a", "c"), at={"a": 0.0, "b": 0.5, "c": 0.0})
    assert by_place.code.tolist() == by_name.code.tolist() == [[0, 0], [1, 1]]
