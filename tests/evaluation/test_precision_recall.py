import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from sklearn import metrics
from statsmodels.stats.proportion import proportion_confint

from likely.evaluation import PrecisionRecallCurve

rows = st.lists(st.tuples(st.booleans(), st.integers(0, 8), st.integers(1, 5)), min_size=2, max_size=50).filter(
    lambda r: len({y for y, _, _ in r}) == 2
)
RNG = np.random.default_rng(0)
Y = RNG.random(500) < 0.3
SCORE = np.round(RNG.normal(size=500) + 1.2 * Y, 1)


@given(rows)
def test_agrees_with_scikit_learn(data):
    y, score, weight = (np.array(c) for c in zip(*data, strict=True))
    for w in (None, weight):
        ours = PrecisionRecallCurve.of(y, score, sample_weight=w)
        precision, recall, threshold = metrics.precision_recall_curve(y, score, sample_weight=w)
        assert np.array_equal(ours.thresholds[::-1], threshold)
        assert ours.precision[::-1] == pytest.approx(precision[:-1])
        assert ours.recall[::-1] == pytest.approx(recall[:-1])
        average = metrics.average_precision_score(y, score, sample_weight=w)
        assert ours.average_precision.value == pytest.approx(average)
        assert 0 <= ours.average_precision.low <= average + 1e-12
        assert average - 1e-12 <= ours.average_precision.high <= 1


@pytest.mark.parametrize("weighted", [False, True])
def test_standard_error_agrees_with_resampling(weighted):
    weight = RNG.exponential(size=500) if weighted else None
    ours = PrecisionRecallCurve.of(Y, SCORE, sample_weight=weight).average_precision
    rng, drawn = np.random.default_rng(1), []
    for _ in range(400):
        i = rng.integers(0, 500, 500)
        w = None if weight is None else weight[i]
        drawn.append(metrics.average_precision_score(Y[i], SCORE[i], sample_weight=w))
    assert ours.standard_error == pytest.approx(np.std(drawn), rel=0.15)


def test_a_perfect_ranking_is_not_certain():
    perfect = PrecisionRecallCurve.of([0] * 10 + [1] * 10, np.arange(20)).average_precision
    assert (perfect.value, perfect.high) == (1, 1)
    assert perfect.low == pytest.approx(proportion_confint(10, 10, method="wilson")[0])


def test_table_of_thresholds():
    curve = PrecisionRecallCurve.of(Y, SCORE)
    at = [2.0, 0.55, -9.0, 99.0]
    table = curve.table(at)
    for row, threshold in zip(table.to_dicts(), at, strict=True):
        tn, fp, fn, tp = metrics.confusion_matrix(Y, threshold <= SCORE).ravel()
        assert (row["TP"], row["FP"], row["FN"], row["TN"]) == (tp, fp, fn, tn)
        assert row["recall"] == pytest.approx(tp / (tp + fn))
        low, high = proportion_confint(tp, tp + fn, method="wilson")
        assert (row["recall_low"], row["recall_high"]) == pytest.approx((max(low, 0), high), abs=1e-12)
    assert np.isnan(table["precision"][3])  # nothing is called positive
    assert (table["precision_low"][3], table["precision_high"][3]) == (0, 1)
    assert curve.table().height == len(curve.thresholds)
    doubled = PrecisionRecallCurve.of(Y, SCORE, sample_weight=np.full(500, 2.0)).table(at)
    assert doubled["recall_low"].to_numpy() == pytest.approx(table["recall_low"].to_numpy())
    assert "average precision" in str(curve)


def test_the_interval_holds_under_heavy_tails():
    rng = np.random.default_rng(0)

    def average(n):
        y = np.arange(n) % 2
        return PrecisionRecallCurve.of(y, rng.standard_t(3, size=n) + 2.5 * y).average_precision

    truth = average(200_000).value
    held = [found.low <= truth <= found.high for found in (average(100) for _ in range(500))]
    assert np.mean(held) > 0.91
