"""Figures of few rows: classes that folds or answers lack, rows left out one by one, groups, probabilities of 0."""

import numpy as np
import pytest

from likely import GaussianBayes, NaiveBayes, NearestNeighbors, compare, cross_validate, evaluate
from likely.evaluation.measures.proper_scores import log_loss
from likely.evaluation.resampling.few_rows import fewest_units
from likely.evaluation.resampling.pair_ranking import pair_ranking

NAMES = ("accuracy", "log_loss", "brier", "roc_area", "F1", "kappa", "balanced accuracy", {0: {1: 5.0}, 1: {0: 1.0}})


def noise(seed, n=30):
    return np.random.default_rng(seed).normal(size=(n, 2)), np.arange(n) % 2


def far_apart():
    y = np.arange(30) % 2
    return np.random.default_rng(0).normal(size=(30, 2)) + 8 * y[:, None], y


def test_a_row_left_out_does_not_lower_the_area_of_noise():
    estimates = []
    for seed in range(12):
        x, y = noise(seed)
        estimates.append(cross_validate(GaussianBayes("shared"), x, y, leave_one_out=True).estimate("roc_area"))
    assert abs(np.mean([e.value for e in estimates]) - 0.5) < 0.1
    assert sum(0.5 in e for e in estimates) >= 10


def test_pairs_are_ranked_by_the_model_without_both():
    x, y = noise(3, 12)
    result = cross_validate(GaussianBayes("shared"), x, y, leave_one_out=True)
    won = []
    for i in np.flatnonzero(y == 1):
        for j in np.flatnonzero(y == 0):
            rest = np.setdiff1d(np.arange(12), [i, j])
            p = GaussianBayes("shared").fit(x[rest], y[rest]).predict_proba(x[[i, j]])[:, 1]
            won.append(p[0] > p[1])
    area, moved = pair_ranking(result)
    assert area == pytest.approx(np.mean(won)) and moved.sum() == pytest.approx(0, abs=1e-12)


def test_the_same_pairs_are_ranked_by_refits():
    x, y = noise(5, 10)
    exact = cross_validate(NaiveBayes(), x, y, leave_one_out=True)
    refitted = cross_validate(NaiveBayes(), x, y, leave_one_out=True, fit_params={"sample_weight": np.ones(10)})
    assert refitted.refitted and pair_ranking(refitted)[0] == pytest.approx(pair_ranking(exact)[0])


def test_figures_of_rows_left_out_are_no_surer_than_those_of_even_folds():
    x, y = noise(1)
    alone = cross_validate(GaussianBayes("shared"), x, y, leave_one_out=True)
    for name in NAMES[:3]:
        found, even = alone.estimate(name), alone._in_even_folds.estimate(name)
        assert found.low <= even.low and found.high >= even.high
        assert found.value == pytest.approx(alone.row_scores(name).mean())


def test_a_class_in_few_groups_widens():
    rng = np.random.default_rng(0)
    groups = np.repeat(np.arange(10), 5)
    y = np.where(groups < 8, 0, 1)
    y[:40:5] = 1  # no row of the first class in the last two groups
    result = cross_validate(NaiveBayes(), rng.normal(size=(50, 2)) + y[:, None], y, groups=groups)
    assert fewest_units(result) == pytest.approx(18**2 / (8 * 1**2 + 2 * 5**2))
    assert "groups" in result.estimate("balanced accuracy").method


def test_a_log_loss_has_no_end_where_a_class_was_given_probability_zero():
    told = log_loss([0, 1] * 20, [[0.9, 0.1], [0.0, 1.0]] * 20)
    assert np.isfinite(told.value) and told.high == np.inf and "probability 0" in told.note
    three = log_loss([0, 1, 2] * 9, [[0.8, 0.2, 0.0], [0.1, 0.8, 0.1], [0.1, 0.1, 0.8]] * 9)
    assert three.high == np.inf


def test_a_log_loss_has_no_end_where_a_class_has_few_rows():
    rng = np.random.default_rng(0)
    y = np.repeat([0, 1], [26, 4])
    result = cross_validate(NaiveBayes(), rng.normal(size=(30, 2)) + y[:, None], y)
    assert result.estimate("log_loss").high == np.inf and "4 rows" in result.estimate("log_loss").note
    assert result.estimate("log_loss", "nested").high == np.inf
    assert np.isfinite(result.estimate("brier").high)


def test_a_class_that_is_left_out_may_have_any_figure():
    p = np.eye(3)[[0, 0, 1, 1, 0, 0, 1, 1] * 5] * 0.7 + 0.1
    y = [0, 0, 1, 1, 0, 2, 1, 1] * 5
    judged = evaluate(p, y=y, classes=[0, 1, 2])
    precision = judged.measure("precision", average="macro")
    whole = judged.measure("precision", average="macro").value
    assert precision.low < 2 / 3 * whole and precision.high > 2 / 3 * whole + 1 / 3 and "left out" in precision.note
    absent = evaluate(p[:4], y=[0, 0, 1, 1], classes=[0, 1, 2]).measure("recall", average="macro")
    assert absent.value == 1 and absent.low < 2 / 3
    area = evaluate(p[:5], y=y[:5], classes=[0, 1, 2]).roc_area()
    assert area.low < 2 / 3 and "no rows" in area.note


@pytest.mark.parametrize("measure", NAMES, ids=str)
@pytest.mark.parametrize("data", [far_apart, lambda: noise(7, 60)], ids=["apart", "noise"])
def test_the_order_of_two_models_turns_the_sign_alone(measure, data):
    models = {"a": NaiveBayes(), "b": GaussianBayes("shared")}
    there, back = (
        compare(each, *data(), scoring=measure).pairs[0].difference
        for each in (models, dict(reversed(list(models.items()))))
    )
    turned = -back
    assert [there.value, there.low, there.high] == pytest.approx([turned.value, turned.low, turned.high], abs=1e-12)
    assert there.standard_error == pytest.approx(turned.standard_error) or np.isnan(there.standard_error)


def test_a_wider_difference_does_not_say_that_all_values_are_equal():
    models = {"a": NaiveBayes(), "b": GaussianBayes("shared")}
    found = compare(models, *far_apart(), scoring="log_loss").pairs[0].difference
    assert found.width > 0.1 and "equal" not in found.note


def test_models_are_compared_where_folds_lack_a_class():
    rng = np.random.default_rng(1)
    y = np.repeat([0, 1], [36, 4])
    models = {"a": NaiveBayes(), "b": NearestNeighbors(5)}
    for measure in ("roc_area", "F1"):
        found = compare(models, rng.normal(size=(40, 2)) + y[:, None], y, scoring=measure)
        one = found.pairs[0].difference
        assert one.low < one.value < one.high and "of all rows together" in one.note
        assert one.value == pytest.approx(found.estimates["a"].value - found.estimates["b"].value)
