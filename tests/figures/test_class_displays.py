"""Classes drawn: histograms, boundaries, priors, calibration maps, grids; what is drawn is right."""

import matplotlib

matplotlib.use("agg")

import numpy as np
import polars as pl
import pytest
from matplotlib import pyplot
from scipy import stats
from sklearn.isotonic import IsotonicRegression

from likely import Calibrated, GaussianBayes, NaiveBayes
from likely.decisions import GaussianScores, Population, Region, bayes_error, decision_points
from likely.distributions import Gaussian, MultivariateGaussian
from likely.errors import InputError, InputTypeError
from likely.figures import (
    CalibrationMapsDisplay,
    ClassBoundariesDisplay,
    ClassHistogramDisplay,
    DecisionRegionsDisplay,
    GridDisplay,
    LawDisplay,
    LineDisplay,
    PriorRegionsDisplay,
)
from likely.probability import Binomial


@pytest.fixture(autouse=True)
def close_figures():
    yield
    pyplot.close("all")


def two_classes(rows=200, seed=0):
    rng = np.random.default_rng(seed)
    y = np.repeat(["low", "high"], rows // 2)
    return rng.normal(np.where(y == "low", 10.0, 13.0), np.where(y == "low", 1.0, 2.0)), y


def normal_classes(mean, deviation, prior=None, classes=None):
    law = Gaussian(np.array(mean, dtype=float)[:, None], np.square(deviation, dtype=float)[:, None])
    return Population.of(law, prior, classes)


def area(collections, gid):
    """Of the polygons of a kind: the shoelace formula."""
    total = 0.0
    for one in collections:
        if one.get_gid() == gid:
            for path in one.get_paths():
                x, y = path.vertices.T
                total += abs(np.sum(x[:-1] * y[1:] - x[1:] * y[:-1])) / 2
    return total


def test_counts_shares_and_the_line_of_a_model():
    values, y = two_classes()
    model = GaussianBayes(class_prior="uniform").fit(values[:, None], y)
    display = ClassHistogramDisplay.from_estimator(model, values[:, None], y, bins=12, name="length", unit="cm")
    frame = display.frame()
    assert (
        frame.filter(pl.col("class") == "low")["count"].to_list()
        == np.histogram(values[y == "low"], display.edges)[0].tolist()
    )
    assert frame.group_by("class").agg(pl.col("share").sum())["share"].to_list() == pytest.approx([1, 1])
    order = model.classes_.tolist()
    expected = decision_points(model.means_[:, 0], np.sqrt(model.covariances_[:, 0, 0]))
    inside = [at for at in expected if values.min() < at < values.max()]
    assert order == ["high", "low"] and display.lines == pytest.approx(inside, abs=0.01)
    counts, shares = display.panels_
    assert (counts.get_ylabel(), shares.get_ylabel()) == ("rows", "share of the class")
    assert counts.get_xlabel() == "length (cm)"


def test_whole_numbers_have_a_bin_each_and_lines_between_them():
    values, y = np.array([4, 5, 5, 6, 6, 7, 7, 8]), list("ffffmmmm")
    model = NaiveBayes("categorical", alpha=0.5).fit(values[:, None], y)
    display = ClassHistogramDisplay.from_estimator(model, values[:, None], y, show="count")
    assert display.edges.tolist() == [3.5, 4.5, 5.5, 6.5, 7.5, 8.5]
    assert display.lines == [6.5]  # of 6 there are as many of both, and the first is said
    assert model.predict([[int(display.lines[0] - 0.5)]]) != model.predict([[int(display.lines[0] + 0.5)]])


@pytest.mark.parametrize("options", [{"bins": "many"}, {"bins": 0}, {"bins": [1.0, 1.0]}, {"show": "bars"}])
def test_histograms_that_cannot_be_drawn(options):
    with pytest.raises(InputError):
        ClassHistogramDisplay.from_values([1.0, 2.0], ["a", "b"], **options)


def test_rows_without_value_or_class_are_not_counted():
    display = ClassHistogramDisplay.from_values([1.0, np.nan, 2.0, 3.0], ["a", "a", None, "b"])
    assert display.counts.sum() == 2
    with pytest.raises(InputError, match="no row"):
        ClassHistogramDisplay.from_values([np.nan, 1.0], ["a", None])


@pytest.mark.parametrize("mean", [[0.0, 2.0], [0.0, 2.0, 5.0]])
def test_boundaries_of_gaussians_are_exact_and_the_shaded_area_is_the_error(mean):
    population = normal_classes(mean, [1.0, 2.0, 0.5][: len(mean)])
    display = ClassBoundariesDisplay.from_population(population, errors=True)
    assert display.error == pytest.approx(bayes_error(population).value, abs=1e-12)
    assert area(display.ax_.collections, "lost") == pytest.approx(display.error, rel=2e-3)
    assert f"{display.error:.4f}" in display.ax_.get_title()
    said = ClassBoundariesDisplay.from_population(population)
    assert area(said.ax_.collections, "said") == pytest.approx(1 - display.error, rel=2e-3)


def test_a_boundary_elsewhere_errs_more_and_keeps_the_classes_in_order():
    population = normal_classes([0.0, 2.0], [1.0, 1.0])
    best = ClassBoundariesDisplay.from_population(population, boundary=1.0, errors=True)
    moved = ClassBoundariesDisplay.from_population(population, boundary=2.0, errors=True)
    assert best.error == pytest.approx(stats.norm.sf(1.0))
    assert moved.error == pytest.approx(0.5 * stats.norm.sf(2.0) + 0.25) and moved.regions[0].member == 0
    three = normal_classes([0.0, 2.0, 4.0], np.ones(3))
    with pytest.raises(InputError, match="two classes"):
        ClassBoundariesDisplay.from_population(three, boundary=1.0)
    parts = [Region(-np.inf, 3.0, 0), Region(3.0, np.inf, 2)]
    assert ClassBoundariesDisplay.from_population(three, regions=parts, errors=True).error > 1 / 3


def test_boundaries_of_other_densities_agree_with_the_model():
    values, y = two_classes(400, seed=3)
    display = ClassBoundariesDisplay.from_values(values, y, family="kde", name="length")
    model = NaiveBayes("kde").fit(values[:, None], y)
    for region in display.regions[:-1]:
        if values.min() < region.high < values.max():
            p = model.predict_proba([[region.high]])[0]
            assert p == pytest.approx([0.5, 0.5], abs=1e-6)
    x = np.linspace(display.ax_.get_xlim()[0] - 5, display.ax_.get_xlim()[1] + 5, 20_001)
    joint = np.exp(model.log_likelihood(x[:, None])) * model.class_prior_
    expected = np.trapezoid(joint.min(axis=1), x)
    assert display.error == pytest.approx(expected, rel=1e-3)
    assert set(display.frame()["said"]) == {"low", "high"}


def test_boundaries_need_one_real_number():
    rng = np.random.default_rng(0)
    X, y = rng.normal(size=(40, 2)), np.arange(40) % 2
    with pytest.raises(InputError, match="one number"):
        ClassBoundariesDisplay.from_estimator(GaussianBayes().fit(X, y))
    with pytest.raises(InputError, match="whole numbers"):
        ClassBoundariesDisplay.from_estimator(NaiveBayes("poisson").fit(rng.poisson(3, (40, 1)), y))
    with pytest.raises(InputTypeError):
        ClassBoundariesDisplay.from_estimator(object())


def test_decision_points_move_with_the_prior_as_the_formula_says():
    population = normal_classes([0.0, 2.0], [1.0, 1.0], classes=["low", "high"])
    priors = [0.1, 0.5, 0.9]
    display = PriorRegionsDisplay.from_population(population, pos_label="low", priors=priors)
    expected = [decision_points([0, 2], [1, 1], (p, 1 - p))[0] for p in priors]
    assert display.frame()["at"].to_list() == pytest.approx(expected)
    edge = next(one for one in display.ax_.collections if one.get_gid() == "boundary")
    for path in edge.get_paths():
        x, p = path.vertices[:, 0], path.vertices[:, 1]
        np.testing.assert_allclose(p, 1 / (1 + np.exp(2 - 2 * x)), atol=5e-4)  # a tie at x


def test_the_prior_of_one_of_three_classes_and_the_plane():
    three = normal_classes([0.0, 2.0, 4.0], np.ones(3), classes=["a", "b", "c"])
    with pytest.raises(InputError, match="pos_label"):
        PriorRegionsDisplay.from_population(three)
    display = PriorRegionsDisplay.from_population(three, pos_label="b", priors=[0.5])
    assert len(display.frame()) == 2
    plane = Population.of(MultivariateGaussian.of(np.array([[0.0, 0.0], [2.0, 0.0]]), np.eye(2)))
    drawn = PriorRegionsDisplay.from_population(plane, priors=[0.5, 0.9])
    (lines,) = [one for one in drawn.ax_.collections if one.get_gid() == "boundary"]
    heights = [path.vertices[:, 0] for path in lines.get_paths()]
    at = sorted(float(x.mean()) for x in heights)
    assert all(np.ptp(x) < 1e-9 for x in heights)  # straight
    assert at == pytest.approx([1 - np.log(9) / 2, 1.0], abs=1e-6)
    with pytest.raises(InputError, match="between 0 and 1"):
        PriorRegionsDisplay.from_population(plane, priors=[1.0])


def test_straight_boundaries_are_drawn_straight():
    plane = Population.of(MultivariateGaussian.of(np.array([[0.0, 0.0], [2.0, 1.0]]), np.eye(2)))
    display = DecisionRegionsDisplay.from_population(plane)
    for one in display.ax_.collections:
        if one.get_gid() == "boundary":
            for path in one.get_paths():
                np.testing.assert_allclose(path.vertices @ [2.0, 1.0], 2.5, atol=1e-6)


def test_calibration_maps_over_a_sample():
    rng = np.random.default_rng(0)
    y = rng.integers(0, 2, 120)
    score = rng.normal(y, 1.0)
    display = CalibrationMapsDisplay.from_predictions(y, score, ["logistic", "gaussian", "isotonic"], smoothing=None)
    closed = GaussianScores.fit(score, y)
    assert display.boundaries["gaussian"] == pytest.approx(closed.midpoint)
    curves = {line.get_label().split(":")[0]: line for line in display.ax_.lines if line.get_gid() == "map"}
    x = curves["gaussian"].get_xdata()
    np.testing.assert_allclose(curves["gaussian"].get_ydata(), 1 / (1 + np.exp(-closed.slope * (x - closed.midpoint))))
    peer = IsotonicRegression(out_of_bounds="clip").fit(score, y)
    found = display.maps["isotonic"].probability(score)
    np.testing.assert_allclose(found, peer.predict(score), atol=1e-12)
    assert f"{np.mean((found - y) ** 2):.4f}" in curves["isotonic"].get_label()
    rows = [line for line in display.ax_.lines if line.get_gid() == "rows"]
    assert sorted(len(line.get_xdata()) for line in rows) == sorted(np.bincount(y))
    with pytest.raises(InputError, match="maps are"):
        CalibrationMapsDisplay.from_predictions(y, score, ["spline"])


def test_the_map_of_a_calibrated_model():
    values, y = two_classes()
    X = np.column_stack([values, values])  # the same evidence twice
    model = Calibrated(NaiveBayes(), "logistic").fit(X, y)
    display = CalibrationMapsDisplay.from_estimator(model, X, y)
    said = np.asarray(display.maps["logistic"].probability(display.score))
    np.testing.assert_allclose(said, model.predict_proba(X)[:, 1], atol=1e-9)
    with pytest.raises(InputTypeError, match="Calibrated"):
        CalibrationMapsDisplay.from_estimator(NaiveBayes(), X, y)


def test_grids_of_bits_of_grey_and_of_vectors():
    a, b = np.array([[0, 1], [1, 0]]), np.array([[0, 1], [1, 1]])
    display = GridDisplay.from_grids([a, b], names=("one", "two"), difference=True)
    assert display.frame().filter(differs=True).rows() == [("two", 1, 1, 1.0, True)]
    assert "1 cells differ" in display.panels_[1].get_title()
    image = display.panels_[0].images[0]
    assert image.get_array().tolist() == a.tolist() and image.get_clim() == (0, 1)
    columns = GridDisplay.from_vectors(np.array([0.0, 0.5, 1.0, 0.25]), (2, 2), "column")
    assert columns.grids.tolist() == [[[0.0, 1.0], [0.5, 0.25]]]
    assert GridDisplay.from_grids(a).ax_.images
    with pytest.raises(InputError, match="grey_levels"):
        GridDisplay.from_grids([[0, 255]])
    with pytest.raises(InputError, match="names"):
        GridDisplay.from_grids([a, b], names=["one"])


def test_a_point_asked_about_lies_so_far_off_the_line():
    display = LineDisplay.from_values([1, 2, 3, 4], [2, 3, 5, 4], query=(5.0, 3.0))
    (point,) = [line for line in display.ax_.lines if line.get_gid() == "query"]
    assert (point.get_xdata()[0], point.get_ydata()[0]) == (5.0, 3.0)
    assert f"{display.line.predict(5.0) - 3.0:.3g} below" in point.get_label()
    with pytest.raises(InputError, match="query"):
        LineDisplay.from_values([1, 2, 3], [2, 3, 5], query=(1, 2, 3))


def test_bars_beside_a_curve_keep_their_width():
    display = LawDisplay.from_laws({"binomial": Binomial(8, 0.3), "normal": stats.norm(2.4, 1.3)})
    assert {round(bar.get_width(), 9) for bar in display.ax_.patches} == {0.85}
