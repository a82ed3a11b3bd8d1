import numpy as np
import pytest

from likely.decisions import IsotonicMap, LogisticMap
from likely.errors import InputError
from likely.evaluation import calibration_sums


def test_logistic_calibration_has_both_properties_and_isotonic_the_first():
    rng = np.random.default_rng(0)
    score = rng.normal(size=200)
    y = (rng.random(200) < 1 / (1 + np.exp(-score))).astype(int)
    logistic = calibration_sums(y, LogisticMap.fit(score, y).probability(score), score)
    assert logistic.expected == pytest.approx(logistic.observed, rel=1e-6) and logistic.observed == y.sum()
    assert logistic.residuals == pytest.approx(0.0, abs=1e-4)
    isotonic = calibration_sums(y, IsotonicMap.fit(score, y, smoothing=None).probability(score), score)
    assert isotonic.expected == pytest.approx(y.sum())


def test_weights_count_rows():
    y, p, x = ["no", "yes", "yes"], [0.2, 0.6, 0.9], [[1.0, 2.0], [3.0, 0.0], [1.0, 1.0]]
    twice = calibration_sums([*y, "yes"], [*p, 0.9], [*x, x[2]])
    weighted = calibration_sums(y, p, x, sample_weight=[1, 1, 2])
    assert (weighted.expected, weighted.observed) == pytest.approx((twice.expected, twice.observed))
    assert np.allclose(weighted.residuals, twice.residuals)
    assert calibration_sums(y, p, pos_label="no").observed == 1


def test_what_is_refused():
    with pytest.raises(InputError, match="between 0 and 1"):
        calibration_sums([0, 1], [0.2, 1.2])
    with pytest.raises(InputError, match="3 rows"):
        calibration_sums([0, 1], [0.2, 0.8], [[1], [2], [3]])
