"""Worked examples of where Gaussian classes are equally likely, and of what is lost there."""

from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from likely.decisions import (
    Population,
    Region,
    bayes_error,
    conic,
    decision_points,
    error_of_regions,
    gaussian_log_odds,
    gaussian_regions,
)
from likely.distributions import Gaussian, MultivariateGaussian
from likely.examples.catalogue import Example
from likely.examples.worked import Axes, Worked, worked
from likely.figures import ClassBoundariesDisplay, DecisionRegionsDisplay, PriorRegionsDisplay, panels


def normal_classes(mean: ArrayLike, deviation: ArrayLike, prior: Any = None, classes: Any = None) -> Population:
    """Gaussian classes on a line."""
    law = Gaussian(np.array(mean, dtype=float)[:, None], np.square(deviation)[:, None])
    return Population.of(law, prior, None if classes is None else list(classes))


@worked("EX-GEN-14")
def decision_points_of_s_and_t(ex: Example) -> Worked:
    """Between which lengths is S more likely than T, for several priors?"""
    mean, sd = ex.inputs["mean"], ex.inputs["sd"]
    priors = [(1 / (1 + np.exp(-a)), 1 / (1 + np.exp(a))) for a in ex.inputs["log_prior_ratio"]]

    def figure(ax: Axes) -> None:
        for panel, prior in zip(panels(ax, len(priors)), priors, strict=True):
            ClassBoundariesDisplay.from_population(normal_classes(mean, sd, prior, "ST"), ax=panel)
            panel.set_title(f"prior of S {prior[0]:.2f}", fontsize=10)

    return Worked({"boundaries": [decision_points(mean, sd, prior) for prior in priors]}, figure, (9.6, 4.0))


@worked("EX-GEN-15")
def crossing_twice(ex: Example) -> Worked:
    """Where do two normal curves of unequal spread cross?"""
    mean, sd = [ex.inputs["mu_pos"], ex.inputs["mu_neg"]], [ex.inputs["sd_pos"], ex.inputs["sd_neg"]]
    lower, upper = decision_points(mean, sd)
    parts = gaussian_regions(mean, sd)
    (positive,) = [region for region in parts if region.member == 0]
    means, covariances = np.array(mean)[:, None], np.square(sd)[:, None, None]
    ratio = gaussian_log_odds([[1.85], [-1.85]], means, covariances)
    (boundary,) = decision_points(mean, [1, 1])
    values = {
        "lower": lower,
        "upper": upper,
        "positive_region": [positive.low, positive.high],
        "log_ratio_at_1_85": ratio[0],
        "log_ratio_at_minus_1_85": ratio[1],
        "equal_sd_boundary": boundary,
    }
    both = normal_classes(mean, sd, classes=("positive", "negative"))
    return Worked(values, lambda ax: ClassBoundariesDisplay.from_population(both, ax=ax))


@worked("EX-GEN-16")
def three_boundaries(ex: Example) -> Worked:
    """What boundary have two Gaussians in the plane: without correlation, with the same and with opposite ones?"""
    rho, rows = ex.inputs["rho"], np.array(ex.inputs["points"])
    ends = np.array([ex.inputs["mu_pos"], ex.inputs["mu_neg"]], dtype=float)
    x1, x2 = rows.T
    near, far = np.array([[1, rho], [rho, 1]]), np.array([[1, -rho], [-rho, 1]])
    along = np.array([[1, rho], [-1, -rho]])  # means on the regression line: the boundary is upright
    cases = {
        "i": (ends, np.array([np.eye(2), np.eye(2)])),
        "ii": (along, np.array([near, near])),
        "iii": (ends, np.array([near, far])),
    }
    values: dict[str, Any] = {f"{name}_log_ratio": gaussian_log_odds(rows, *case) for name, case in cases.items()}
    values |= {
        "i_formula": 2 * (x1 + x2),
        "ii_formula": 2 * x1,
        "iii_formula": 2 / (1 - rho**2) * (x1 + x2 + rho * x1 * x2 + rho),
        "iii_bottom_left": gaussian_log_odds([[-5.0, -5.0]], *cases["iii"])[0],
        "kinds": [conic(*case).kind for case in cases.values()],
    }

    def figure(ax: Axes) -> None:
        for panel, (name, (means, covariances)) in zip(panels(ax, 3), cases.items(), strict=True):
            best = Population.of(MultivariateGaussian.of(means, covariances), classes=["positive", "negative"])
            DecisionRegionsDisplay.from_population(best, limits=[(-4.5, 4.5)] * 2, aspect="equal", ax=panel)
            panel.set_title(f"({name}) {conic(means, covariances).kind}", fontsize=10)

    return Worked(values, figure, (11.0, 4.2))


@worked("EX-GEN-32")
def circle(ex: Example) -> Worked:
    """What boundary have two Gaussians with one mean and different spreads?"""
    mean = [ex.inputs["mu"]] * 2
    covariance = [ex.inputs["var_1"] * np.eye(2), ex.inputs["var_2"] * np.eye(2)]
    curve = conic(mean, covariance)
    centre, far = gaussian_log_odds([[0, 0], [5, 0]], mean, covariance)
    values = {
        "boundary_radius": float(np.sqrt(-curve.constant / curve.quadratic[0, 0])),
        "log_ratio_at_centre": centre,
        "log_ratio_far": far,
        "kind": curve.kind,
    }

    def figure(ax: Axes) -> None:
        law = MultivariateGaussian.of(np.array(mean, dtype=float), np.array(covariance))
        both = Population.of(law, classes=["class 1", "class 2"])
        DecisionRegionsDisplay.from_population(both, limits=[(-5, 5)] * 2, aspect="equal", ax=ax)

    return Worked(values, figure, (5.2, 4.8))


@worked("EX-DEC-04")
def movable_boundary(ex: Example) -> Worked:
    """How large is the error of a boundary between two overlapping normal curves, and where is it least?"""
    mean, deviation, prior = ex.inputs["mean"], [ex.inputs["sd"]] * 2, ex.inputs["prior"]
    (best,) = decision_points(mean, deviation, prior)

    def cut(at: float) -> list[Region]:
        return [Region(-np.inf, at, 0), Region(at, np.inf, 1)]

    def error(at: float) -> float:
        return float(error_of_regions(cut(at), mean, deviation, prior).sum())

    values = {
        "best_boundary": best,
        "error_at_best": error(best),
        "error_elsewhere": [error(at) for at in ex.inputs["other_boundaries"]],
    }

    def figure(ax: Axes) -> None:
        shown = (best, ex.inputs["other_boundaries"][-1])
        for panel, at in zip(panels(ax, 2), shown, strict=True):
            both = normal_classes(mean, deviation, prior, ("class 1", "class 2"))
            ClassBoundariesDisplay.from_population(both, boundary=at, errors=True, ax=panel)

    return Worked(values, figure, (9.6, 4.0))


@worked("EX-DEC-05")
def bayes_error_of_s_and_t(ex: Example) -> Worked:
    """How often is the best rule for S and T wrong?"""
    mean, deviation = ex.inputs["mean"], ex.inputs["sd"]
    prior = [ex.inputs["prior_S"], 1 - ex.inputs["prior_S"]]
    both = normal_classes(mean, deviation, prior, "ST")
    return Worked(
        {"bayes_error": bayes_error(both).value},
        lambda ax: ClassBoundariesDisplay.from_population(both, errors=True, ax=ax),
    )


@worked("EX-DEC-11")
def boundary_and_prior(ex: Example) -> Worked:
    """How does the boundary between two classes move with the prior?"""
    deviation = [np.sqrt(ex.inputs["var"])] * 2

    def boundary(p: float) -> float:
        return float(decision_points(ex.inputs["mu"], deviation, (p, 1 - p))[0])

    found = [boundary(p) for p in ex.inputs["p1"]]

    def figure(ax: Axes) -> None:
        both = normal_classes(ex.inputs["mu"], deviation, classes=("class 1", "class 2"))
        PriorRegionsDisplay.from_population(both, pos_label="class 1", priors=ex.inputs["p1"], ax=ax)

    return Worked({"boundary": found}, figure)
