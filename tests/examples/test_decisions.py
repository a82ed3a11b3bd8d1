"""The worked examples of decisions, calibration, and classifying by bits."""

import numpy as np
from catalogue import check, covered, covers, differs, ids

from likely.decisions import (
    CostMatrix,
    MajorityClassifier,
    average_models,
    bayes_error,
    bayes_error_of_table,
    bayes_optimal,
    conditional_error,
    decide,
    decision_points,
    description_length,
    map_hypothesis,
    ratio_threshold,
    recalibrate,
    threshold_curve,
)
from likely.decisions.bayes_error import error_of_regions, gaussian_regions
from likely.decisions.boundaries import Region
from likely.decisions.calibration import GaussianScores, IsotonicMap, LogisticMap
from likely.decisions.population import Population
from likely.decisions.rules import choose
from likely.distributions import Gaussian


@covers("EX-DEC-01")
def test_minimum_risk_against_minimum_error(ex):
    p, prior, costs = np.array(ex.inputs["posterior"]), np.array(ex.inputs["prior"]), ex.inputs["cost"]
    check(ex.id, "risks", CostMatrix.of(costs).risks([p])[0])
    check(ex.id, "min_risk_class", int(decide([p], [1, 2], costs).best[0]))
    check(ex.id, "min_error_class", int(decide([p], [1, 2], costs, rule="error").best[0]))
    ratio = (p[0] / prior[0]) / (p[1] / prior[1])
    check(ex.id, "likelihood_ratio", ratio)
    check(ex.id, "lr_threshold", ratio_threshold(costs, prior))
    check(ex.id, "lr_rule_class", 1 if ratio > ratio_threshold(costs, prior) else 2)


@covers("EX-DEC-02")
def test_bayes_optimal_vote(ex):
    weight, plus = np.array(ex.inputs["p_h"]), np.array(ex.inputs["p_plus_given_h"], dtype=float)
    posteriors = np.column_stack([plus, 1 - plus])
    p_plus, p_minus = average_models(posteriors, weight)[0]
    check(ex.id, "p_plus", p_plus)
    check(ex.id, "p_minus", p_minus)
    check(ex.id, "bayes_optimal", str(bayes_optimal(posteriors, weight, ["+", "-"]).best[0]))
    best = map_hypothesis(np.zeros(3), weight)  # the weights are posteriors: the data are in them already
    check(ex.id, "map_hypothesis", best + 1)
    check(ex.id, "map_prediction", str(decide(posteriors[[best]], ["+", "-"]).best[0]))


@covers("EX-DEC-03")
def test_averaging_over_models(ex):
    weight, positive = np.array(ex.inputs["p_model"]), np.array(ex.inputs["p_pos_given_model"])
    posteriors = np.column_stack([positive, 1 - positive])
    check(ex.id, "averaged", average_models(posteriors, weight)[0, 0])
    check(ex.id, "averaged_class", str(bayes_optimal(posteriors, weight, ["+", "-"]).best[0]))
    best = map_hypothesis(np.zeros(3), weight)
    check(ex.id, "map_model_says", positive[best])
    check(ex.id, "map_class", str(decide(posteriors[[best]], ["+", "-"]).best[0]))


@covers("EX-DEC-04")
def test_the_error_depends_on_the_boundary(ex):
    mean, deviation, prior = ex.inputs["mean"], [ex.inputs["sd"]] * 2, ex.inputs["prior"]
    (boundary,) = decision_points(mean, deviation, prior)
    check(ex.id, "best_boundary", boundary)

    def error(at):
        return float(error_of_regions([Region(-np.inf, at, 0), Region(at, np.inf, 1)], mean, deviation, prior).sum())

    check(ex.id, "error_at_best", error(boundary))
    check(ex.id, "error_elsewhere", [error(at) for at in ex.inputs["other_boundaries"]])
    law = Gaussian(np.array(mean, dtype=float)[:, None], np.square(deviation)[:, None])
    least = bayes_error(Population.of(law, prior)).value
    check(ex.id, "error_at_best", least)
    assert all(error(at) >= least - 1e-12 for at in np.linspace(-3, 5, 81))


@covers("EX-DEC-05")
def test_bayes_error_of_s_and_t(ex):
    mean, deviation = ex.inputs["mean"], ex.inputs["sd"]
    prior = [ex.inputs["prior_S"], 1 - ex.inputs["prior_S"]]
    law = Gaussian(np.array(mean, dtype=float)[:, None], np.square(deviation)[:, None])
    check(ex.id, "bayes_error", bayes_error(Population.of(law, prior)).value)
    found = gaussian_regions(mean, deviation, prior)
    assert np.allclose([region.high for region in found[:-1]], ex.inputs["breaks"][1:-1], atol=1e-9)


@covers("EX-DEC-06")
def test_bayes_error_of_a_table(ex):
    p_x, first = np.array(ex.inputs["p_x"]), np.array(ex.inputs["p_class1_given_x"])
    posterior = np.column_stack([first, 1 - first])
    check(ex.id, "error", bayes_error_of_table(p_x[:, None] * posterior).value)
    check(ex.id, "error", float(p_x @ conditional_error(posterior)))  # the sum is over x, weighted by P(x)
    check(ex.id, "choices", decide(posterior, ["class1", "class2"], rule="error", ties="last").best.tolist())


@covers("EX-DEC-07")
def test_recalibrated_likelihood_of_two_classes(ex):
    ratio, labels = np.array(ex.inputs["scores"]), np.array(ex.inputs["labels"])
    curve = threshold_curve(ratio, labels)
    check(ex.id, "errors_by_threshold", np.column_stack([curve.threshold, curve.loss]))
    check(ex.id, "best_threshold", curve.best)
    check(ex.id, "best_errors", curve.best_loss)
    check(ex.id, "errors_at_ml", curve.at(1.0))
    check(ex.id, "errors_at_map", curve.at(ex.inputs["neg_over_pos"]))
    log_likelihood = np.column_stack([np.zeros(len(ratio)), np.log(ratio)])
    fitted = recalibrate(log_likelihood, labels)
    check(ex.id, "best_threshold", fitted.weight[0] / fitted.weight[1])  # t = w- / w+
    check(ex.id, "best_errors", int((fitted.predict(log_likelihood) != labels).sum()))


@covers("EX-DEC-08")
def test_weights_one_class_at_a_time(ex):
    log_likelihood, labels = np.log(ex.inputs["likelihoods"]), np.array(ex.inputs["labels"])
    fitted = recalibrate(log_likelihood, labels)
    check(ex.id, "weights", fitted.weight)
    check(ex.id, "errors_after", int((fitted.predict(log_likelihood) != labels).sum()))
    check(ex.id, "errors_before", int((log_likelihood.argmax(axis=1) != labels).sum()))
    assert fitted.loss_after <= fitted.loss_before


@covers("EX-DEC-09")
def test_monotone_maps_leave_decisions_alone(ex):
    p = np.array(ex.inputs["posterior"])
    check(ex.id, "by_p", decide(p, rule="map").code)
    check(ex.id, "by_log", decide(np.log(p), rule="map", form="log_posterior").code)
    check(ex.id, "by_cube", choose(p**3))


@covers("EX-DEC-10")
def test_majority_baseline(ex):
    train, test = (np.repeat([1, 2, 3], ex.inputs[name]) for name in ("train_class_totals", "test_class_totals"))
    model = MajorityClassifier().fit(np.zeros((len(train), 1)), train)
    check(ex.id, "majority_class", int(model.predict([[0.0]])[0]))
    check(ex.id, "train_accuracy", model.score(np.zeros((len(train), 1)), train))
    check(ex.id, "test_accuracy", model.score(np.zeros((len(test), 1)), test))


@covers("EX-DEC-11")
def test_the_boundary_moves_with_the_prior(ex):
    deviation = [np.sqrt(ex.inputs["var"])] * 2
    points = [float(decision_points(ex.inputs["mu"], deviation, (p, 1 - p))[0]) for p in ex.inputs["p1"]]
    check(ex.id, "boundary", points)
    assert (np.diff(points) < 0).all()  # class 1 lies above: a larger prior enlarges its region


@covers("EX-DEC-12")
def test_posteriors_need_the_normaliser(ex):
    prior, likelihood = np.array(ex.inputs["prior"]), np.array(ex.inputs["lik"])
    found = decide([np.log(likelihood)], prior=prior, form="log_likelihood", rule="error")
    posterior = 1 - found.error[0]
    check(ex.id, "posterior_1", posterior)
    check(ex.id, "joint_1", prior[0] * likelihood[0])
    check(ex.id, "conditional_error", found.error[0])
    differs(ex.id, "posterior_1", posterior)
    assert found.code[0] == int(np.argmax(prior * likelihood))  # the choice is the same


@covers("EX-CAL-01")
def test_logistic_and_isotonic_calibration(ex):
    score = np.array([*ex.inputs["pos"], *ex.inputs["neg"]])
    y = np.repeat([1, 0], [len(ex.inputs["pos"]), len(ex.inputs["neg"])])

    def facts(p):
        return {
            "mse": float(((y - p) ** 2).mean()),
            "sum": float(p.sum()),
            "residual_times_x": float(((y - p) * score).sum()),
        }

    logistic, closed, steps = (
        LogisticMap.fit(score, y),
        GaussianScores.fit(score, y),
        IsotonicMap.fit(score, y, smoothing=None),
    )
    slope, offset = logistic.coefficients
    check(ex.id, "logistic_weights", [offset, slope])
    check(ex.id, "boundary_logistic", -offset / slope)
    check(ex.id, "slope_calibrated", closed.slope)
    check(ex.id, "midpoint", closed.midpoint)
    found = {
        "logistic_regression": facts(logistic.probability(score)),
        "logistic_calibration": facts(closed.probability(score)),
        "isotonic": facts(steps.probability(score)),
    }
    for name, values in found.items():
        check(ex.id, name, values)
    assert found["isotonic"]["mse"] == min(values["mse"] for values in found.values())
    assert abs(found["logistic_calibration"]["sum"] - 20) > 0.1  # it need not sum to the number of positives
    assert abs(found["isotonic"]["residual_times_x"]) > 0.01  # zero for logistic regression only


@covers("EX-CAL-02")
def test_pooling_adjacent_violators(ex):
    score, y = ex.inputs["scores"], ex.inputs["labels"]
    calibrated = IsotonicMap.fit(score, y, smoothing=None).probability(score)
    check(ex.id, "calibrated", calibrated)
    check(ex.id, "sum", calibrated.sum())
    check(ex.id, "smoothed", IsotonicMap.fit(score, y, smoothing="all").probability(score))


@covers("EX-MDL-02")
def test_classify_by_bits(ex):
    names = ["spam", "ham"]
    present = np.array([ex.inputs["p_viagra"][name] for name in names])
    equal, skewed = (np.array([ex.inputs[prior][name] for name in names]) for prior in ("uniform", "skewed"))

    def by_name(values):
        return dict(zip(names, values.tolist(), strict=True))

    def says(likelihood, prior):
        fewest = names[int(description_length([np.log(likelihood)], prior)[0].argmin())]
        by_rule = decide([np.log(likelihood)], names, rule="bits", prior=prior, form="log_likelihood")
        assert (
            by_rule.best[0]
            == fewest
            == decide([np.log(likelihood)], names, rule="map", prior=prior, form="log_likelihood").best[0]
        )
        return fewest

    one_bit = description_length([np.log(present)], equal)[0] - 1  # equal priors take one bit
    check(ex.id, "ic1", by_name(one_bit))
    check(ex.id, "ic0", by_name(description_length([np.log(1 - present)], equal)[0] - 1))
    check(ex.id, "uniform_1", says(present, equal))
    check(ex.id, "uniform_0", says(1 - present, equal))
    check(ex.id, "skewed_prior_bits", by_name(description_length([[0.0, 0.0]], skewed)[0]))
    check(ex.id, "skewed_1", says(present, skewed))
    check(ex.id, "skewed_totals_1", by_name(description_length([np.log(present)], skewed)[0]))


def test_every_example_is_covered():
    assert covered(globals()) == {*ids("EX-DEC-"), *ids("EX-CAL-"), "EX-MDL-02"}
