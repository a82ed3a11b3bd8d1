"""Worked examples of decisions: risks, votes of models, thresholds, bits."""

from typing import Any

import numpy as np
from numpy.typing import NDArray

from likely.decisions import (
    CostMatrix,
    MajorityClassifier,
    average_models,
    bayes_error_of_table,
    bayes_optimal,
    bits_by_class,
    decide,
    map_hypothesis,
    ratio_threshold,
    recalibrate,
    threshold_curve,
)
from likely.examples.catalogue import Example
from likely.examples.worked import Axes, Worked, worked
from likely.figures import INK, canvas, colour, legend

_SIGNS = ["+", "-"]


@worked("EX-DEC-01")
def minimum_risk(ex: Example) -> Worked:
    """Which class costs the least, and is it the most probable one?"""
    p, prior, costs = np.array(ex.inputs["posterior"]), np.array(ex.inputs["prior"]), ex.inputs["cost"]
    ratio, limit = (p[0] / prior[0]) / (p[1] / prior[1]), ratio_threshold(costs, prior)
    values = {
        "risks": CostMatrix.of(costs).risks([p])[0],
        "min_risk_class": int(decide([p], [1, 2], costs).best[0]),
        "min_error_class": int(decide([p], [1, 2], costs, rule="error").best[0]),
        "likelihood_ratio": ratio,
        "lr_threshold": limit,
        "lr_rule_class": 1 if ratio > limit else 2,
    }
    return Worked(values)


@worked("EX-DEC-02")
def vote_of_hypotheses(ex: Example) -> Worked:
    """What do three hypotheses say together, and what the most probable of them alone?"""
    weight, plus = np.array(ex.inputs["p_h"]), np.array(ex.inputs["p_plus_given_h"], dtype=float)
    posteriors = np.column_stack([plus, 1 - plus])
    p_plus, p_minus = average_models(posteriors, weight)[0]
    best = map_hypothesis(np.zeros(len(weight)), weight)  # the weights are posteriors: the data are in them already
    values = {
        "p_plus": p_plus,
        "p_minus": p_minus,
        "bayes_optimal": str(bayes_optimal(posteriors, weight, _SIGNS).best[0]),
        "map_hypothesis": best + 1,
        "map_prediction": str(decide(posteriors[[best]], _SIGNS).best[0]),
    }
    return Worked(values)


@worked("EX-DEC-03")
def average_of_models(ex: Example) -> Worked:
    """What is the probability of the positive class averaged over models, and by the best model alone?"""
    weight, positive = np.array(ex.inputs["p_model"]), np.array(ex.inputs["p_pos_given_model"])
    posteriors = np.column_stack([positive, 1 - positive])
    best = map_hypothesis(np.zeros(len(weight)), weight)
    values = {
        "averaged": average_models(posteriors, weight)[0, 0],
        "averaged_class": str(bayes_optimal(posteriors, weight, _SIGNS).best[0]),
        "map_model_says": positive[best],
        "map_class": str(decide(posteriors[[best]], _SIGNS).best[0]),
    }
    return Worked(values)


@worked("EX-DEC-06")
def bayes_error_table(ex: Example) -> Worked:
    """How often is the best rule wrong when x has few values?"""
    p_x, first = np.array(ex.inputs["p_x"]), np.array(ex.inputs["p_class1_given_x"])
    posterior = np.column_stack([first, 1 - first])
    values = {
        "error": bayes_error_of_table(p_x[:, None] * posterior).value,
        "choices": decide(posterior, ["class1", "class2"], rule="error", ties="last").best,
    }
    return Worked(values)


@worked("EX-DEC-07")
def threshold_on_the_ratio(ex: Example) -> Worked:
    """Which threshold on the likelihood ratio makes the fewest errors on these rows?"""
    ratio, labels = np.array(ex.inputs["scores"]), np.array(ex.inputs["labels"])
    curve = threshold_curve(labels, ratio)
    values = {
        "errors_by_threshold": np.column_stack([curve.threshold, curve.loss]),
        "best_threshold": curve.best,
        "best_errors": curve.best_loss,
        "errors_at_ml": curve.at(1.0),
        "errors_at_map": curve.at(ex.inputs["neg_over_pos"]),
    }

    def figure(ax: Axes) -> None:
        canvas(ax)
        edges = np.concatenate([[0.1], ratio, [ratio.max() * 2]])
        ax.stairs(curve.loss, edges, baseline=None, color=colour(0), lw=1.8, label="errors")
        ax.axvline(1.0, color=INK, lw=1, ls=":", label="ratio 1 (maximum likelihood)")
        ax.plot(
            curve.best, curve.best_loss, "*", color=colour(1), markersize=12, label=f"best threshold {curve.best:g}"
        )
        ax.set(xscale="log", xlabel="threshold on the likelihood ratio", ylabel=f"errors of {len(labels)} rows")
        ax.set_ylim(0, None)
        legend(ax, loc="upper center")

    return Worked(values, figure)


@worked("EX-DEC-08")
def weights_of_classes(ex: Example) -> Worked:
    """Which weights of the classes, found one class at a time, make the fewest errors?"""
    log_likelihood, labels = np.log(ex.inputs["likelihoods"]), np.array(ex.inputs["labels"])
    fitted = recalibrate(labels, log_likelihood)
    values = {
        "weights": fitted.weight,
        "errors_after": int((fitted.predict(log_likelihood) != labels).sum()),
        "errors_before": int((log_likelihood.argmax(axis=1) != labels).sum()),
    }
    return Worked(values)


@worked("EX-DEC-09")
def monotone_maps(ex: Example) -> Worked:
    """Does it matter whether one decides by probabilities, by their logarithms or by their cubes?"""
    p = np.array(ex.inputs["posterior"])
    values = {
        "by_p": decide(p, rule="map").code,
        "by_log": decide(np.log(p), rule="map", form="log_posterior").code,
        "by_cube": decide(np.log(p**3), rule="map", form="log_posterior").code,
    }
    return Worked(values)


@worked("EX-DEC-10")
def majority(ex: Example) -> Worked:
    """How good is a rule that always says the most frequent class?"""
    train, test = (np.repeat([1, 2, 3], ex.inputs[name]) for name in ("train_class_totals", "test_class_totals"))
    model = MajorityClassifier().fit(np.zeros((len(train), 1)), train)
    values = {
        "majority_class": int(model.predict([[0.0]])[0]),
        "train_accuracy": model.score(np.zeros((len(train), 1)), train),
        "test_accuracy": model.score(np.zeros((len(test), 1)), test),
    }
    return Worked(values)


@worked("EX-DEC-12")
def normaliser(ex: Example) -> Worked:
    """Is the product of prior and likelihood a posterior?"""
    prior, likelihood = np.array(ex.inputs["prior"]), np.array(ex.inputs["lik"])
    found = decide([np.log(likelihood)], prior=prior, form="log_likelihood", rule="error")
    values = {
        "posterior_1": 1 - found.error[0],
        "joint_1": prior[0] * likelihood[0],
        "conditional_error": found.error[0],
    }
    return Worked(values)


@worked("EX-MDL-02")
def fewest_bits(ex: Example) -> Worked:
    """Under which class does a mail take the fewest bits to describe?"""
    names = ["spam", "ham"]
    present = np.array([ex.inputs["p_viagra"][name] for name in names])
    equal, skewed = (np.array([ex.inputs[prior][name] for name in names]) for prior in ("uniform", "skewed"))

    def by_name(values: NDArray[Any]) -> dict[str, float]:
        return dict(zip(names, values.tolist(), strict=True))

    def bits(likelihood: NDArray[Any], prior: NDArray[Any]) -> NDArray[Any]:
        found: NDArray[Any] = bits_by_class([np.log(likelihood)], prior)[0]
        return found

    def says(likelihood: NDArray[Any], prior: NDArray[Any]) -> str:
        return names[int(bits(likelihood, prior).argmin())]

    values = {
        "ic1": by_name(bits(present, equal) - 1),  # equal priors take one bit
        "ic0": by_name(bits(1 - present, equal) - 1),
        "uniform_1": says(present, equal),
        "uniform_0": says(1 - present, equal),
        "skewed_prior_bits": by_name(bits(np.ones(2), skewed)),
        "skewed_1": says(present, skewed),
        "skewed_totals_1": by_name(bits(present, skewed)),
    }
    return Worked(values)
