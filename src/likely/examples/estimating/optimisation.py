"""Worked examples of minima, lines and linear systems."""

from typing import Any

import numpy as np
from numpy.typing import NDArray

from likely.data import linear_map
from likely.estimation import Line, fit_line
from likely.examples.catalogue import Example
from likely.examples.worked import Axes, Worked, worked
from likely.figures import LineDisplay, panels
from likely.optimize import gradient_descent, minimum_of_quadratic, solve_linear, taylor
from likely.probability import log_sum_exp, normalize
from likely.statistics import determinant, is_positive_definite


@worked("EX-OPT-01")
def parabola(ex: Example) -> Worked:
    """Where is a parabola lowest, and how low?"""
    lowest = minimum_of_quadratic(2 * ex.inputs["a"], ex.inputs["b"], ex.inputs["c"])
    return Worked({"x": float(lowest.point[0]), "value": lowest.value})


@worked("EX-OPT-02")
def bowl(ex: Example) -> Worked:
    """Where is a quadratic function of two variables lowest?"""
    a, b, c, d, e, f = (float(ex.inputs[name]) for name in "abcdef")
    Q = [[2 * a, c], [c, 2 * b]]  # whose determinant is 4ab - c^2
    replaced = ([[-d, c], [-e, 2 * b]], [[2 * a, -d], [c, -e]])
    values = {
        "by_formula": [determinant(one) / determinant(Q) for one in replaced],  # Cramer's rule for Q x = -r
        "by_solving": minimum_of_quadratic(Q, [d, e], f).point,
        "condition_c2_below_4ab": is_positive_definite(Q),
    }
    return Worked(values)


@worked("EX-OPT-03")
def many_variables(ex: Example) -> Worked:
    """Where is a quadratic function of three variables lowest?"""
    lowest = minimum_of_quadratic(ex.inputs["Q"], ex.inputs["r"])
    return Worked({"x": lowest.point, "gradient_at_x": lowest.gradient, "value": lowest.value})


@worked("EX-OPT-04")
def critics(ex: Example) -> Worked:
    """How well does one critic's rating of a film follow another's?"""
    ratings = dict(zip(ex.inputs["critics"], np.array(ex.inputs["ratings"], dtype=float), strict=True))
    lines = {(one, other): fit_line(ratings[one], ratings[other]) for one, other in ex.inputs["pairs"]}
    values = {
        f"{one}->{other}": {"slope": line.slope, "intercept": line.intercept, "mse": line.noise_variance}
        for (one, other), line in lines.items()
    }

    def figure(ax: Axes) -> None:
        for panel, ((one, other), line) in zip(panels(ax, len(lines)), lines.items(), strict=True):
            options: dict[str, Any] = {"names": ex.inputs["films"], "labels": (one, other), "band": False}
            LineDisplay.from_line(line, ratings[one], ratings[other], ax=panel, **options)

    return Worked(values, figure, (11.0, 4.6))


@worked("EX-OPT-05")
def both_ways(ex: Example) -> Worked:
    """How does the regression of x on y differ from that of y on x?"""
    line = fit_line(ex.inputs["x"], ex.inputs["y"])
    values = {
        "slope": line.slope,
        "intercept": line.intercept,
        "slope_x_on_y": line.swapped.slope,
        "intercept_x_on_y": line.swapped.intercept,
        "product_of_slopes": line.slope * line.swapped.slope,
        "squared_correlation": line.correlation**2,
    }
    return Worked(values)


@worked("EX-OPT-06")
def gaussian_noise(ex: Example) -> Worked:
    """Which line is the most likely one if the points lie off it by Gaussian noise, and how likely is it?"""
    x, y = (np.array(ex.inputs[name], dtype=float) for name in "xy")
    line = fit_line(x, y)
    left = line.residuals(x, y)
    values = {
        "a": line.intercept,
        "b": line.slope,
        "noise_variance": line.noise_variance,
        "unbiased_noise_variance": line.unbiased_noise_variance,
        "nll": line.negative_log_likelihood(),
        "nll_at_other_variance": line.negative_log_likelihood(1.5 * line.noise_variance),
        "sum_residuals": float(left.sum()),
        "sum_residuals_x": float(left @ x),
    }
    return Worked(values, lambda ax: _noisy_line(ax, line))


def _noisy_line(ax: Axes, true: Line) -> None:
    """Were this line the true one: points drawn from it, and the line that is fitted to them."""
    rng = np.random.default_rng(6)
    x = rng.uniform(0.0, 2 * true.mean_x, 20)
    y = rng.normal(true.predict(x), np.sqrt(true.unbiased_noise_variance))
    LineDisplay.from_values(x, y, true=(true.intercept, true.slope), ax=ax)


@worked("EX-OPT-07")
def descent(ex: Example) -> Worked:
    """Where do five steps down the gradient of a parabola lead?"""
    a, b = float(ex.inputs["a"]), float(ex.inputs["b"])

    def objective(x: NDArray[np.float64]) -> tuple[float, NDArray[np.float64]]:
        return float(a * x[0] ** 2 + b * x[0]), 2 * a * x + b

    rest = gradient_descent(objective, ex.inputs["start"], ex.inputs["eta"], max_iter=ex.inputs["steps"])
    far = gradient_descent(objective, ex.inputs["start"], ex.inputs["eta"], tol=1e-12)
    return Worked({"trace": rest.trace.points[1:, 0], "minimum": float(far.point[0])})


@worked("EX-OPT-08")
def tangent(ex: Example) -> Worked:
    """How close is the tangent to a smooth function near where it touches?"""
    x0, x = np.array([float(ex.inputs["x0"])]), np.array([float(ex.inputs["x"])])

    def softplus(z: NDArray[np.float64]) -> float:
        return float(log_sum_exp(np.append(0.0, z)))

    def logistic(z: NDArray[np.float64]) -> NDArray[np.float64]:
        return normalize(np.append(0.0, z)[None])[0, 1:]

    values = {
        "value": softplus(x0),
        "slope": float(logistic(x0)[0]),
        "approximation": taylor(softplus, logistic, x0)(x),
        "exact": softplus(x),
    }
    return Worked(values)


@worked("EX-OPT-09")
def constraints(ex: Example) -> Worked:
    """Which points meet two linear constraints at once?"""
    A, b = (np.array(ex.inputs[name], dtype=float) for name in "Ab")
    solution = solve_linear(A, b)
    values = {
        "residual_at_candidate": linear_map(A, ex.inputs["candidate"]) - b,
        "rank": solution.rank,
        "image_of_direction": linear_map(A, ex.inputs["direction"]),
        "shortest_solution": solution.point,
    }
    return Worked(values)
