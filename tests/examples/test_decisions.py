"""What must hold of the worked examples of decisions and calibration beside their numbers (see test_worked)."""

import numpy as np
from catalogue import check, covers

from likely.decisions import bayes_error, bits_by_class, conditional_error, decide, recalibrate
from likely.decisions.optimal.bayes_error import error_of_regions, gaussian_regions
from likely.decisions.optimal.boundaries import Region
from likely.decisions.optimal.population import Population
from likely.distributions import Gaussian
from likely.examples import run


@covers("EX-DEC-04")
def test_no_boundary_has_a_smaller_error(ex):
    mean, deviation, prior = ex.inputs["mean"], [ex.inputs["sd"]] * 2, ex.inputs["prior"]

    def error(at):
        return float(error_of_regions([Region(-np.inf, at, 0), Region(at, np.inf, 1)], mean, deviation, prior).sum())

    law = Gaussian(np.array(mean, dtype=float)[:, None], np.square(deviation)[:, None])
    least = bayes_error(Population.of(law, prior)).value
    check(ex.id, "error_at_best", least)
    assert all(error(at) >= least - 1e-12 for at in np.linspace(-3, 5, 81))


@covers("EX-DEC-05")
def test_regions_of_s_and_t(ex):
    prior = [ex.inputs["prior_S"], 1 - ex.inputs["prior_S"]]
    found = gaussian_regions(ex.inputs["mean"], ex.inputs["sd"], prior)
    assert np.allclose([region.high for region in found[:-1]], ex.inputs["breaks"][1:-1], atol=1e-9)


@covers("EX-DEC-06")
def test_the_sum_is_over_x_weighted_by_its_probability(ex):
    p_x, first = np.array(ex.inputs["p_x"]), np.array(ex.inputs["p_class1_given_x"])
    check(ex.id, "error", float(p_x @ conditional_error(np.column_stack([first, 1 - first]))))


@covers("EX-DEC-07")
def test_recalibrated_likelihood_of_two_classes(ex):
    ratio, labels = np.array(ex.inputs["scores"]), np.array(ex.inputs["labels"])
    log_likelihood = np.column_stack([np.zeros(len(ratio)), np.log(ratio)])
    fitted = recalibrate(labels, log_likelihood)
    check(ex.id, "best_threshold", fitted.weight[0] / fitted.weight[1])  # t = w- / w+
    check(ex.id, "best_errors", int((fitted.predict(log_likelihood) != labels).sum()))


@covers("EX-DEC-08")
def test_weights_do_not_raise_the_loss(ex):
    fitted = recalibrate(np.array(ex.inputs["labels"]), np.log(ex.inputs["likelihoods"]))
    assert fitted.loss_after <= fitted.loss_before


@covers("EX-DEC-11")
def test_a_larger_prior_enlarges_the_region(ex):
    assert (np.diff(run(ex.id).values["boundary"]) < 0).all()  # class 1 lies above


@covers("EX-DEC-12")
def test_the_choice_needs_no_normaliser(ex):
    prior, likelihood = np.array(ex.inputs["prior"]), np.array(ex.inputs["lik"])
    found = decide([np.log(likelihood)], prior=prior, form="log_likelihood", rule="error")
    assert found.code[0] == int(np.argmax(prior * likelihood))


@covers("EX-CAL-01")
def test_what_calibrations_keep(ex):
    found = run(ex.id).values
    maps = [found[name] for name in ("logistic_regression", "logistic_calibration", "isotonic")]
    assert found["isotonic"]["mse"] == min(values["mse"] for values in maps)
    assert abs(found["logistic_calibration"]["sum"] - 20) > 0.1  # it need not sum to the number of positives
    assert abs(found["isotonic"]["residual_times_x"]) > 0.01  # zero for logistic regression only


@covers("EX-MDL-02")
def test_fewest_bits_are_the_most_probable(ex):
    names = ["spam", "ham"]
    present = np.array([ex.inputs["p_viagra"][name] for name in names])
    for prior in (np.array([ex.inputs[which][name] for name in names]) for which in ("uniform", "skewed")):
        for likelihood in (np.log(present), np.log(1 - present)):
            fewest = names[int(bits_by_class([likelihood], prior)[0].argmin())]
            for rule in ("bits", "map"):
                assert decide([likelihood], names, rule=rule, prior=prior, form="log_likelihood").best[0] == fewest
