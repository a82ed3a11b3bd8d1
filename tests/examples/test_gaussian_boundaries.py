"""What must hold of the worked examples of boundaries beside their numbers (which are in test_worked)."""

import numpy as np
from catalogue import covers

from likely.decisions.optimal.boundaries import conic, decision_points, gaussian_log_odds, regions
from likely.examples import run


@covers("EX-GEN-14")
def test_s_lies_inside_the_interval(ex):
    for a in ex.inputs["log_prior_ratio"]:
        prior = (1 / (1 + np.exp(-a)), 1 / (1 + np.exp(a)))
        assert [region.member for region in regions(ex.inputs["mean"], ex.inputs["sd"], prior)] == [1, 0, 1]


@covers("EX-GEN-15")
def test_what_the_wrong_equation_solves(ex):
    assert np.allclose(decision_points([0, 0], [ex.inputs["sd_pos"], ex.inputs["sd_neg"]]), [-1.36, 1.36], atol=5e-4)


@covers("EX-GEN-16")
def test_three_bivariate_boundaries(ex):
    rho = ex.inputs["rho"]
    ends = np.array([ex.inputs["mu_pos"], ex.inputs["mu_neg"]], dtype=float)
    near, far = np.array([[1, rho], [rho, 1]]), np.array([[1, -rho], [-rho, 1]])
    assert run(ex.id).values["kinds"] == ["line", "line", "hyperbola"]

    line = conic(ends, [np.eye(2), np.eye(2)])
    assert np.allclose(line.linear, [2, 2]) and line.constant == 0  # x1 + x2 = 0

    upright = conic([[1, rho], [-1, -rho]], [near, near])  # means along the regression line
    assert np.allclose(upright.linear, [2, 0], atol=1e-12) and abs(upright.constant) < 1e-12  # x1 = 0

    scale = 2 / (1 - rho**2)
    curve = conic(ends, [near, far])
    assert np.allclose(curve.quadratic, scale * rho / 2 * np.array([[0, 1], [1, 0]]), atol=1e-12)
    assert np.allclose(curve.linear, [scale, scale])  # x1 + x2 + rho x1 x2 + rho = 0
    assert np.isclose(curve.constant, scale * rho)
    assert run(ex.id).values["iii_bottom_left"] > 0  # a positive region at the far bottom left


@covers("EX-GEN-32")
def test_unequal_covariances_make_a_circle(ex):
    found = run(ex.id).values
    assert found["kind"] == "circle"  # and no hyperbola
    mean = [ex.inputs["mu"]] * 2
    covariance = [ex.inputs["var_1"] * np.eye(2), ex.inputs["var_2"] * np.eye(2)]
    (edge,) = gaussian_log_odds([[0, -found["boundary_radius"]]], mean, covariance)
    assert abs(edge) < 1e-12
