"""The worked examples of group EVA on measures, intervals and curves, and the mean squared errors of EX-CAL-01."""

import math

import numpy as np
import pytest
from catalogue import check, covered, covers, differs

from likely.evaluation import (
    Confusion,
    PrecisionRecallCurve,
    RocCurve,
    binomial_law,
    brier_score,
    error_difference,
    mean_law,
    normal_is_valid,
    normal_quantile,
    proportion_interval,
    relative_change,
    standard_error,
    true_error,
)
from likely.evaluation.isotonic import recalibrated
from likely.evaluation.quantiles import CENTRAL_TABLE, UPPER_TAIL_TABLE


def value_or_undefined(estimate):
    return "undefined" if math.isnan(estimate.value) else estimate.value


@covers("EX-EVA-01")
def test_true_error_under_a_known_law(ex):
    law = ex.inputs
    check(ex.id, "error", true_error(law["D"], said=law["h"], truth=law["f"]))
    weighed = Confusion.of(law["f"], law["h"], sample_weight=law["D"])
    check(ex.id, "error", weighed.error.value)


@covers("EX-EVA-02")
def test_one_class_against_the_rest(ex):
    confusion = Confusion.of_counts(**ex.inputs)
    names = {
        "accuracy": "accuracy",
        "sensitivity": "sensitivity",
        "specificity_tnr": "specificity",
        "precision": "precision",
        "false_alarm_fpr": "false alarm rate",
        "false_alarm_fdr": "false alarm ratio",
        "cc": "correlation coefficient",
    }
    for expected, name in names.items():
        check(ex.id, expected, confusion.measure(name).value)
    check(ex.id, "N", int(confusion.total))
    counts = confusion.counts["positive"]
    check(ex.id, "p_class_and_label", counts["TP"] / confusion.total)
    truth = np.repeat([1.0, 0.0, 1.0, 0.0], [counts[c] for c in ("TP", "FP", "FN", "TN")])
    said = np.repeat([1.0, 1.0, 0.0, 0.0], [counts[c] for c in ("TP", "FP", "FN", "TN")])
    check(ex.id, "cc_as_correlation", np.corrcoef(truth, said)[0, 1])
    deviations = ((truth - truth.mean()) * (said - said.mean())).mean() / (truth.std() * said.std())
    check(ex.id, "cc_from_deviations", deviations)
    differs(ex.id, "cc_from_deviations", confusion.measure("CC").value)


@covers("EX-EVA-03")
def test_micro_and_macro_averages(ex):
    confusion = Confusion(tuple(ex.inputs["classes"]), np.array(ex.inputs["matrix"]))
    check(ex.id, "correct", int(confusion.correct))
    check(ex.id, "total", int(confusion.total))
    check(ex.id, "accuracy", confusion.accuracy.value)
    per_class = [
        {
            "counts_tp_fp_fn_tn": [confusion.counts[c][name] for name in ("TP", "FP", "FN", "TN")],
            "recall": confusion.measure("recall", of=c).value,
            "precision": confusion.measure("precision", of=c).value,
            "cc": confusion.measure("correlation", of=c).value,
        }
        for c in confusion.classes
    ]
    check(ex.id, "per_class", per_class)
    for average in ("micro", "macro"):
        for name, called in (("precision", "precision"), ("recall", "recall"), ("cc", "correlation")):
            check(ex.id, f"{average}_{name}", confusion.measure(called, average=average).value)
    check(ex.id, "micro_false_alarm_fpr", confusion.measure("false alarm rate", average="micro").value)
    check(ex.id, "micro_false_alarm_as_printed", confusion.measure("false alarm ratio", average="micro").value)
    assert confusion.measure("accuracy", average="micro").value == confusion.accuracy.value


@covers("EX-EVA-04")
def test_head_injuries_training_set(ex):
    confusion = Confusion((1, 2, 3), np.array(ex.inputs["matrix"]))
    check(ex.id, "total", int(confusion.total))
    check(ex.id, "correct", int(confusion.correct))
    check(ex.id, "accuracy", confusion.accuracy.value)
    check(ex.id, "row_totals", confusion.support)
    check(ex.id, "class1_as_3", confusion.matrix[0, 2] / confusion.total)
    assert any("class 2 is rarely chosen" in note for note in confusion.imbalance)


@covers("EX-EVA-05")
def test_head_injuries_test_set(ex):
    confusion = Confusion((1, 2, 3), np.array(ex.inputs["matrix"]))
    check(ex.id, "total", int(confusion.total))
    check(ex.id, "correct", int(confusion.correct))
    check(ex.id, "accuracy", confusion.accuracy.value)
    check(ex.id, "row_totals", confusion.support)
    differs(ex.id, "total", confusion.total)
    differs(ex.id, "accuracy", confusion.accuracy.value)
    of_500 = confusion.correct / 500
    check(ex.id, "accuracy_if_total_were_500", of_500)
    check(ex.id, "relative_gain_if_500", relative_change(ex.inputs["train_accuracy"], of_500).value)


@covers("EX-EVA-06")
def test_normal_interval_of_an_error(ex):
    estimate = proportion_interval(
        ex.inputs["errors"], ex.inputs["n"], method="normal", table=[(0.025, ex.inputs["z"]), (0.5, 0)]
    )
    check(ex.id, "error", estimate.value)
    check(ex.id, "standard_error", standard_error(0.08, 100))
    check(ex.id, "interval_95", [estimate.low, estimate.high])
    check(ex.id, "npq", binomial_law(100, 0.08).variance)
    check(ex.id, "normal_ok", normal_is_valid(0.08, 100))
    printed = proportion_interval(ex.inputs["errors"], ex.inputs["n"], method="normal", table="printed-central")
    check(ex.id, "interval_95", [printed.low, printed.high])


@covers("EX-EVA-07")
def test_score_interval(ex):
    p, n, z = ex.inputs["p"], ex.inputs["n"], ex.inputs["z"]
    estimate = proportion_interval(p * n, n, ex.inputs["confidence"], table="printed")
    check(ex.id, "low", estimate.low)
    check(ex.id, "high", estimate.high)
    check(ex.id, "width", estimate.width)
    check(ex.id, "numerators", [end * (1 + z * z / n) for end in (estimate.low, estimate.high)])
    differs(ex.id, "low", estimate.low)
    differs(ex.id, "high", estimate.high)


@covers("EX-EVA-08")
def test_normal_tables(ex):
    tails, central = ex.inputs["upper_tail"], [c / 100 for c in ex.inputs["central"]]
    check(ex.id, "z_upper", [normal_quantile(1 - tail, side="upper") for tail in tails])
    check(ex.id, "z_central", [normal_quantile(c) for c in central])
    check(ex.id, "z_upper_005", normal_quantile(0.95, side="upper"))
    check(ex.id, "z_central_68", normal_quantile(0.68))
    differs(ex.id, "z_upper_005", normal_quantile(0.95, side="upper"))
    differs(ex.id, "z_central_68", normal_quantile(0.68))
    # The printed tables give what is printed, slips included.
    assert normal_quantile(0.95, side="upper", table="printed") == pytest.approx(ex.printed["z_upper_005"])
    assert normal_quantile(0.68, table="printed-central") == pytest.approx(ex.printed["z_central_68"])
    assert [tail for tail, _ in UPPER_TAIL_TABLE] == tails
    assert [share for share, _ in CENTRAL_TABLE] == central


@covers("EX-EVA-09")
def test_linear_interpolation(ex):
    confidence = ex.inputs["confidence"]
    check(ex.id, "tail", (1 - confidence) / 2)
    check(ex.id, "z_interpolated", normal_quantile(confidence, table=ex.inputs["table"]))
    check(ex.id, "z_interpolated", normal_quantile(confidence, table="printed"))
    check(ex.id, "z_exact", normal_quantile(confidence))


@covers("EX-EVA-10")
def test_one_sided_interval(ex):
    e, n, confidence = ex.inputs["error"], ex.inputs["n"], ex.inputs["two_sided_confidence"]
    both = proportion_interval(e * n, n, confidence, method="normal")
    check(ex.id, "two_sided", [both.low, both.high])
    upper = proportion_interval(e * n, n, 1 - (1 - confidence) / 2, method="normal", side="upper")
    check(ex.id, "upper_bound", upper.high)
    check(ex.id, "upper_bound_confidence", upper.confidence)
    assert upper.low == 0.0


@covers("EX-EVA-11")
def test_difference_of_error_rates(ex):
    result = error_difference(**ex.inputs)
    check(ex.id, "d", result.difference.value)
    check(ex.id, "sigma", result.standard_error)
    check(ex.id, "z", result.z)
    check(ex.id, "p_d_positive", result.probability)
    check(ex.id, "interval_95", [result.difference.low, result.difference.high])
    check(ex.id, "p_value_one_sided", result.p_value)
    assert not result.larger(0.05)
    assert result.larger(0.0501)


@covers("EX-EVA-15")
def test_roc_curve_and_area(ex):
    y, score = ex.inputs["labels"], ex.inputs["scores"]
    curve = RocCurve.of(y, score)
    check(ex.id, "points", curve.points)
    check(ex.id, "auc", curve.area.value)
    pairs = [(a > b) + 0.5 * (a == b) for a, s in zip(score, y, strict=True) if s for b in _negatives(score, y)]
    check(ex.id, "auc_by_pairs", float(np.mean(pairs)))
    along = PrecisionRecallCurve.of(y, score)
    check(ex.id, "precision_recall", np.column_stack([along.thresholds, along.precision, along.recall]))
    at_half = curve.at(0.5)  # posterior ratio 1
    check(ex.id, "posterior_ratio_threshold_1", [at_half.false_alarm_rate, at_half.sensitivity])


def _negatives(score, y):
    return [s for s, label in zip(score, y, strict=True) if not label]


@covers("EX-EVA-16")
def test_dominance(ex):
    curves = {name: RocCurve.of(ex.inputs["labels"], score) for name, score in ex.inputs["scores"].items()}
    check(ex.id, "auc", {name: curve.area.value for name, curve in curves.items()})
    for one, other in (("h", "g"), ("g", "h"), ("k", "g"), ("g", "k")):
        check(ex.id, f"{one}_dominates_{other}", curves[one].dominates(curves[other]))


@covers("EX-EVA-17")
def test_best_operating_point(ex):
    curve = RocCurve.of(ex.inputs["labels"], ex.inputs["scores"])
    check(ex.id, "accuracies", curve.accuracies())
    best = curve.best_point()
    check(ex.id, "best_point", [best.false_alarm_rate, best.sensitivity])
    check(ex.id, "best_accuracy", best.accuracy)
    check(ex.id, "isometric_slope", curve.isometric_slope())


@covers("EX-EVA-18")
def test_high_accuracy_that_is_useless(ex):
    confusion = Confusion.of_counts(**ex.inputs)
    for expected, name in (
        ("accuracy", "accuracy"),
        ("sensitivity", "recall"),
        ("precision", "precision"),
        ("cc", "CC"),
    ):
        check(ex.id, expected, value_or_undefined(confusion.measure(name)))
    assert any("no better than always saying 'rest'" in note for note in confusion.imbalance)
    assert any("'positive'" in note and "recall is 0" in note for note in confusion.imbalance)


@covers("EX-EVA-19")
def test_number_of_errors_is_binomial(ex):
    n, p = ex.inputs["n"], ex.inputs["p"]
    law = binomial_law(n, p)
    check(ex.id, "pmf", law.probability(ex.inputs["r"]))
    check(ex.id, "mean", law.mean)
    check(ex.id, "sd", law.standard_deviation)
    check(ex.id, "sd_of_rate", standard_error(p, n))
    check(ex.id, "npq", law.variance)


@covers("EX-EVA-22")
def test_mean_of_uniform_draws(ex):
    low, high, n = ex.inputs["low"], ex.inputs["high"], ex.inputs["n"]
    law = mean_law((low + high) / 2, (high - low) ** 2 / 12, n)
    check(ex.id, "mean", law.mean)
    check(ex.id, "variance_of_mean", law.variance)
    check(ex.id, "sd_of_mean", law.standard_deviation)
    means = np.random.default_rng(0).uniform(low, high, (20_000, n)).mean(axis=1)
    assert np.mean(means < 0.6) == pytest.approx(law.below(0.6), abs=0.005)


@covers("EX-CAL-01")
def test_mean_squared_errors_of_calibrated_scores(ex):
    pos, neg = ex.inputs["pos"], ex.inputs["neg"]
    x, y = np.array(pos + neg), np.repeat([1, 0], [len(pos), len(neg)])

    def mse(p):
        return brier_score(y, p).value

    expected = ex.expected
    slope, bias = expected["logistic_weights"]["value"][1], expected["logistic_weights"]["value"][0]
    logistic = 1 / (1 + np.exp(-(bias + slope * x)))
    assert mse(logistic) == pytest.approx(expected["logistic_regression"]["value"]["mse"], abs=1e-9)
    steep, middle = expected["slope_calibrated"]["value"], expected["midpoint"]["value"]
    calibrated = 1 / (1 + np.exp(-steep * (x - middle)))
    assert mse(calibrated) == pytest.approx(expected["logistic_calibration"]["value"]["mse"], abs=1e-9)
    isotonic = recalibrated(y == 1, x)
    assert mse(isotonic) == pytest.approx(expected["isotonic"]["value"]["mse"], abs=1e-9)
    assert isotonic.sum() == pytest.approx(expected["isotonic"]["value"]["sum"])
    assert mse(isotonic) < min(mse(logistic), mse(calibrated))


def test_the_examples_of_this_half_are_covered():
    numbers = [*range(1, 12), *range(15, 20), 22]
    assert covered(globals()) == {f"EX-EVA-{i:02d}" for i in numbers} | {"EX-CAL-01"}
