"""What must hold of the worked examples of group EVA beside their numbers (which are in test_worked)."""

import numpy as np
import pytest
from catalogue import check, covers, differs

from likely.decisions.calibration.pooling import recalibrated
from likely.evaluation import (
    Confusion,
    RocCurve,
    brier_score,
    error_difference,
    mean_law,
    normal_quantile,
    proportion_interval,
)
from likely.intervals.quantiles import CENTRAL_TABLE, UPPER_TAIL_TABLE


@covers("EX-EVA-01")
def test_true_error_is_a_weighted_one(ex):
    weighed = Confusion.of(ex.inputs["f"], ex.inputs["h"], sample_weight=ex.inputs["D"])
    check(ex.id, "error", weighed.error.value)


@covers("EX-EVA-02")
def test_correlation_is_that_of_deviations(ex):
    coefficient = Confusion.of_counts(**ex.inputs).measure("CC").value
    check(ex.id, "cc_from_deviations", coefficient)
    differs(ex.id, "cc_from_deviations", coefficient)


@covers("EX-EVA-03")
def test_micro_accuracy_is_accuracy(ex):
    confusion = Confusion(tuple(ex.inputs["classes"]), np.array(ex.inputs["matrix"]))
    assert confusion.measure("accuracy", average="micro").value == confusion.accuracy.value


@covers("EX-EVA-04")
def test_a_class_that_is_rarely_chosen_is_noted(ex):
    confusion = Confusion((1, 2, 3), np.array(ex.inputs["matrix"]))
    assert any("class 2 is rarely chosen" in note for note in confusion.imbalance)


@covers("EX-EVA-06")
def test_normal_interval_from_the_printed_table(ex):
    printed = proportion_interval(ex.inputs["errors"], ex.inputs["n"], method="normal", table="printed-central")
    check(ex.id, "interval_95", [printed.low, printed.high])


@covers("EX-EVA-08")
def test_printed_tables_give_what_is_printed(ex):
    # slips included
    assert normal_quantile(0.95, side="upper", table="printed") == pytest.approx(ex.printed["z_upper_005"])
    assert normal_quantile(0.68, table="printed-central") == pytest.approx(ex.printed["z_central_68"])
    assert [tail for tail, _ in UPPER_TAIL_TABLE] == ex.inputs["upper_tail"]
    assert [share for share, _ in CENTRAL_TABLE] == [c / 100 for c in ex.inputs["central"]]


@covers("EX-EVA-09")
def test_linear_interpolation_in_the_packaged_table(ex):
    check(ex.id, "z_interpolated", normal_quantile(ex.inputs["confidence"], table="printed"))


@covers("EX-EVA-10")
def test_an_upper_bound_has_no_lower_one(ex):
    e, n = ex.inputs["error"], ex.inputs["n"]
    assert proportion_interval(e * n, n, 0.975, method="normal", side="upper").low == 0.0


@covers("EX-EVA-11")
def test_difference_of_error_rates_is_just_not_shown(ex):
    result = error_difference(**ex.inputs)
    assert not result.larger(0.05)
    assert result.larger(0.0501)


@covers("EX-EVA-18")
def test_useless_accuracy_is_noted(ex):
    confusion = Confusion.of_counts(**ex.inputs)
    assert any("no better than always saying 'rest'" in note for note in confusion.imbalance)
    assert any("'positive'" in note and "recall is 0" in note for note in confusion.imbalance)


@covers("EX-EVA-22")
def test_mean_of_uniform_draws(ex):
    low, high, n = ex.inputs["low"], ex.inputs["high"], ex.inputs["n"]
    law = mean_law((low + high) / 2, (high - low) ** 2 / 12, n)
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


@covers("EX-EVA-16")
def test_dominance_implies_a_larger_area_but_not_the_other_way_round(ex):
    curves = {name: RocCurve.of(ex.inputs["labels"], scores) for name, scores in ex.inputs["scores"].items()}
    assert curves["h"].dominates(curves["g"]) and curves["h"].area.value > curves["g"].area.value
    assert curves["k"].area.value > curves["g"].area.value and not curves["k"].dominates(curves["g"])
