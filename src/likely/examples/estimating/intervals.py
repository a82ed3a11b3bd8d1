"""Worked examples of how sure an error rate is, and of the laws behind it."""

import numpy as np

from likely.distributions import Gaussian
from likely.evaluation import (
    error_difference,
    mean_interval,
    mean_law,
    normal_is_valid,
    normal_quantile,
    paired_t,
    proportion_interval,
    standard_error,
    t_quantile,
)
from likely.examples.catalogue import Example
from likely.examples.worked import Axes, Worked, worked
from likely.figures import LawDisplay, panels
from likely.intervals import fold_spread
from likely.probability import Binomial


@worked("EX-EVA-06")
def eight_in_a_hundred(ex: Example) -> Worked:
    """Between which bounds is the true error when 8 of 100 answers are wrong?"""
    errors, n = ex.inputs["errors"], ex.inputs["n"]
    estimate = proportion_interval(errors, n, method="normal", table=[(0.025, ex.inputs["z"]), (0.5, 0)])
    values = {
        "error": estimate.value,
        "standard_error": standard_error(errors / n, n),
        "interval_95": [estimate.low, estimate.high],
        "npq": Binomial(n, errors / n).variance,
        "normal_ok": normal_is_valid(errors / n, n),
    }
    return Worked(values)


@worked("EX-EVA-07")
def score_interval(ex: Example) -> Worked:
    """Between which bounds is the true accuracy when 750 of 1000 answers are right, by the score interval?"""
    p, n, z = ex.inputs["p"], ex.inputs["n"], ex.inputs["z"]
    estimate = proportion_interval(p * n, n, ex.inputs["confidence"], table="printed")
    values = {
        "low": estimate.low,
        "high": estimate.high,
        "width": estimate.width,
        "numerators": [end * (1 + z * z / n) for end in (estimate.low, estimate.high)],
    }
    return Worked(values)


@worked("EX-EVA-08")
def normal_table(ex: Example) -> Worked:
    """How many deviations from the mean of a normal law cut off a tail, or enclose a central share?"""
    tails, central = ex.inputs["upper_tail"], [c / 100 for c in ex.inputs["central"]]
    values = {
        "z_upper": [normal_quantile(1 - tail, side="upper") for tail in tails],
        "z_central": [normal_quantile(c) for c in central],
        "z_upper_005": normal_quantile(0.95, side="upper"),
        "z_central_68": normal_quantile(0.68),
    }

    def figure(ax: Axes) -> None:
        standard = Gaussian(np.zeros((1, 1)), np.ones((1, 1)))
        for panel, share in zip(panels(ax, 2), (0.68, 0.95), strict=True):
            LawDisplay.from_law(standard, central=share, name="standard deviations from the mean", ax=panel)

    return Worked(values, figure, (10.0, 3.8))


@worked("EX-EVA-09")
def interpolation(ex: Example) -> Worked:
    """What quantile does a printed table give between its lines?"""
    confidence = ex.inputs["confidence"]
    values = {
        "tail": (1 - confidence) / 2,
        "z_interpolated": normal_quantile(confidence, table=ex.inputs["table"]),
        "z_exact": normal_quantile(confidence),
    }
    return Worked(values)


@worked("EX-EVA-10")
def one_sided(ex: Example) -> Worked:
    """What is the upper bound of an error, and how sure is it?"""
    e, n, confidence = ex.inputs["error"], ex.inputs["n"], ex.inputs["two_sided_confidence"]
    both = proportion_interval(e * n, n, confidence, method="normal")
    upper = proportion_interval(e * n, n, 1 - (1 - confidence) / 2, method="normal", side="upper")
    values = {
        "two_sided": [both.low, both.high],
        "upper_bound": upper.high,
        "upper_bound_confidence": upper.confidence,
    }
    return Worked(values)


@worked("EX-EVA-11")
def difference_of_errors(ex: Example) -> Worked:
    """Is one of two hypotheses, tested on different rows, really worse?"""
    result = error_difference(**ex.inputs)
    values = {
        "d": result.difference.value,
        "sigma": result.standard_error,
        "z": result.z,
        "p_d_positive": result.probability,
        "interval_95": [result.difference.low, result.difference.high],
        "p_value_one_sided": result.p_value,
    }
    return Worked(values)


@worked("EX-EVA-12")
def paired_over_folds(ex: Example) -> Worked:
    """Is one of two learners, compared on the same folds, really worse?"""
    a, b = np.array(ex.inputs["errors_a"]), np.array(ex.inputs["errors_b"])
    test = paired_t(a, b)
    values = {
        "delta": a - b,
        "mean": test.difference.value,
        "psi": test.standard_error,
        "t_95": t_quantile(0.95, test.degrees),
        "interval_95": [test.difference.low, test.difference.high],
        "t_statistic": test.t,
        "p_value": test.p_value,
    }
    return Worked(values)


@worked("EX-EVA-19")
def number_of_errors(ex: Example) -> Worked:
    """How probable is each number of errors on a test set of forty rows?"""
    n, p = ex.inputs["n"], ex.inputs["p"]
    law = Binomial(n, p)
    values = {
        "pmf": law.pmf(ex.inputs["r"]),
        "mean": law.mean,
        "sd": law.standard_deviation,
        "sd_of_rate": standard_error(p, n),
        "npq": law.variance,
    }

    def figure(ax: Axes) -> None:
        normal = Gaussian(np.array([[law.mean]]), np.array([[law.variance]]))
        laws = {f"binomial({n}, {p:g})": law, "normal with its mean and deviation": normal}
        LawDisplay.from_laws(laws, name="errors", ax=ax)

    return Worked(values, figure)


@worked("EX-EVA-20")
def spread_over_folds(ex: Example) -> Worked:
    """How good is a classifier over folds, and how sure is that?"""
    spread = fold_spread(ex.inputs["accuracies"])
    interval = mean_interval(ex.inputs["accuracies"], method="t")
    values = {"mean": spread.mean, "sd": spread.deviation, "interval_95_t": [interval.low, interval.high]}
    return Worked(values)


@worked("EX-EVA-22")
def mean_of_uniforms(ex: Example) -> Worked:
    """What law has the mean of many uniform draws?"""
    low, high, n = ex.inputs["low"], ex.inputs["high"], ex.inputs["n"]
    law = mean_law((low + high) / 2, (high - low) ** 2 / 12, n)
    values = {"mean": law.mean, "variance_of_mean": law.variance, "sd_of_mean": law.standard_deviation}
    return Worked(values)
