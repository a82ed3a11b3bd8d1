"""The worked examples of the boundary between two Gaussians."""

import numpy as np
from catalogue import check, covered, covers, differs

from likely.decisions.boundaries import conic, decision_points, log_likelihood_ratio, log_odds, regions


@covers("EX-GEN-14")
def test_decision_points_of_s_and_t(ex):
    mean, sd = ex.inputs["mean"], ex.inputs["sd"]
    priors = [(1 / (1 + np.exp(-a)), 1 / (1 + np.exp(a))) for a in ex.inputs["log_prior_ratio"]]
    check(ex.id, "boundaries", [decision_points(mean, sd, prior) for prior in priors])
    for prior in priors:
        assert [region.member for region in regions(mean, sd, prior)] == [1, 0, 1]  # S inside the interval


@covers("EX-GEN-15")
def test_unequal_spreads_cross_twice(ex):
    mean, sd = [ex.inputs["mu_pos"], ex.inputs["mu_neg"]], [ex.inputs["sd_pos"], ex.inputs["sd_neg"]]
    lower, upper = decision_points(mean, sd)
    check(ex.id, "lower", lower)
    check(ex.id, "upper", upper)
    differs(ex.id, "lower", lower)
    differs(ex.id, "upper", upper)
    (positive,) = [region for region in regions(mean, sd) if region.member == 0]
    check(ex.id, "positive_region", [positive.low, positive.high])
    means, covariances = np.array(mean)[:, None], np.square(sd)[:, None, None]
    ratio = log_likelihood_ratio([[1.85], [-1.85]], means, covariances)
    check(ex.id, "log_ratio_at_1_85", ratio[0])
    check(ex.id, "log_ratio_at_minus_1_85", ratio[1])
    (boundary,) = decision_points(mean, [1, 1])
    check(ex.id, "equal_sd_boundary", boundary)
    assert np.allclose(decision_points([0, 0], sd), [-1.360, 1.360], atol=5e-4)  # what the wrong equation solves


@covers("EX-GEN-16")
def test_three_bivariate_boundaries(ex):
    rho, points = ex.inputs["rho"], np.array(ex.inputs["points"])
    ends = np.array([ex.inputs["mu_pos"], ex.inputs["mu_neg"]], dtype=float)
    x1, x2 = points.T
    near, far = np.array([[1, rho], [rho, 1]]), np.array([[1, -rho], [-rho, 1]])

    one = (ends, [np.eye(2), np.eye(2)])
    check(ex.id, "i_log_ratio", log_likelihood_ratio(points, *one))
    check(ex.id, "i_formula", 2 * (x1 + x2))
    line = conic(*one)
    assert line.kind == "line"
    assert np.allclose(line.linear, [2, 2]) and line.constant == 0  # x1 + x2 = 0

    two = ([[1, rho], [-1, -rho]], [near, near])  # means along the regression line: the boundary is upright
    check(ex.id, "ii_log_ratio", log_likelihood_ratio(points, *two))
    check(ex.id, "ii_formula", 2 * x1)
    upright = conic(*two)
    assert upright.kind == "line"
    assert np.allclose(upright.linear, [2, 0], atol=1e-12) and abs(upright.constant) < 1e-12  # x1 = 0

    three = (ends, [near, far])
    scale = 2 / (1 - rho**2)
    check(ex.id, "iii_log_ratio", log_likelihood_ratio(points, *three))
    check(ex.id, "iii_formula", scale * (x1 + x2 + rho * x1 * x2 + rho))
    curve = conic(*three)
    assert curve.kind == "hyperbola"
    assert np.allclose(curve.quadratic, scale * rho / 2 * np.array([[0, 1], [1, 0]]), atol=1e-12)
    assert np.allclose(curve.linear, [scale, scale])  # x1 + x2 + rho x1 x2 + rho = 0
    assert np.isclose(curve.constant, scale * rho)

    (bottom_left,) = log_odds([[-5.0, -5.0]], *three)
    check(ex.id, "iii_bottom_left", bottom_left)
    assert bottom_left > 0  # a positive region at the far bottom left


@covers("EX-GEN-32")
def test_unequal_covariances_make_a_circle(ex):
    mean = [ex.inputs["mu"]] * 2
    covariance = [ex.inputs["var_1"] * np.eye(2), ex.inputs["var_2"] * np.eye(2)]
    circle = conic(mean, covariance)
    assert circle.kind == "circle"  # and no hyperbola
    radius = float(np.sqrt(-circle.constant / circle.quadratic[0, 0]))
    check(ex.id, "boundary_radius", radius)
    centre, far, edge = log_likelihood_ratio([[0, 0], [5, 0], [0, -radius]], mean, covariance)
    check(ex.id, "log_ratio_at_centre", centre)
    check(ex.id, "log_ratio_far", far)
    assert abs(edge) < 1e-12


def test_every_example_is_covered():
    assert covered(globals()) == {"EX-GEN-14", "EX-GEN-15", "EX-GEN-16", "EX-GEN-32"}
