import numpy as np
import pandas as pd
import polars as pl
import pytest
from scipy import sparse
from sklearn.linear_model import LogisticRegression

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


def test_smoothing_gives_the_exact_sum_up_by_less_than_a_row():
    rng = np.random.default_rng(1)
    for n in (5, 50, 500):
        score = rng.normal(size=n)
        y = (rng.random(n) < 1 / (1 + np.exp(-3 * score))).astype(int)
        y[score.argmin()], y[score.argmax()] = 0, 1
        sums = {
            smoothing: calibration_sums(y, IsotonicMap.fit(score, y, smoothing=smoothing).probability(score))
            for smoothing in (None, "ends", "all")
        }
        assert sums[None].sum_holds()
        assert not sums["ends"].sum_holds() or n == 5
        assert abs(sums["ends"].expected - sums["ends"].observed) < 1


def test_logistic_regression_explains_all_of_its_features_bit_by_bit():
    """On its training rows, without a penalty: the mean prediction where a bit is 1 is the share of positives there."""
    rng = np.random.default_rng(2)
    n = 400
    bits = (rng.random((n, 3)) < [0.5, 0.1, 0.02]).astype(float)
    x = np.column_stack([rng.normal(50, 10, n), bits])
    y = (rng.random(n) < 1 / (1 + np.exp(-(x @ [0.05, 1, -1, 2] - 2.5)))).astype(int)
    model = LogisticRegression(C=np.inf, tol=1e-12, max_iter=10_000).fit(x, y)
    p = model.predict_proba(x)[:, 1]
    found = calibration_sums(y, p, x)
    assert found.sum_holds(1e-5) and found.features_hold(1e-5)
    assert np.isnan(found.said[0]) and np.allclose(found.said[1:], found.came_true[1:], atol=1e-4)
    for j in (1, 2, 3):
        assert found.said[j] == pytest.approx(p[x[:, j] == 1].mean()) and found.sizes[j] == x[:, j].sum()
    wrong = calibration_sums(y, np.full(n, y.mean()), x)
    assert wrong.sum_holds() and not wrong.features_hold() and abs(wrong.feature_z[1]) > 3


@pytest.mark.parametrize("kind", ["matrix", "sparse", "pandas", "polars"])
def test_every_kind_of_table_gives_the_same_sums(kind):
    rng = np.random.default_rng(3)
    x = rng.integers(0, 2, (60, 3)).astype(float)
    y, p = rng.integers(0, 2, 60), rng.random(60)
    made = {
        "matrix": lambda: x,
        "sparse": lambda: sparse.csr_array(x),
        "pandas": lambda: pd.DataFrame(x, columns=list("abc")),
        "polars": lambda: pl.DataFrame(x.astype(bool), schema=list("abc")),
    }[kind]()
    found, plain = calibration_sums(y, p, made), calibration_sums(y, p, x)
    for field in ("residuals", "errors", "sizes", "said", "came_true"):
        assert np.allclose(getattr(found, field), getattr(plain, field))
    assert found.features == (("0", "1", "2") if kind in ("matrix", "sparse") else ("a", "b", "c"))


def test_levels_are_bits_and_missing_cells_are_left_out():
    rng = np.random.default_rng(4)
    colour = rng.choice(np.array(["red", "green", None], dtype=object), 80)
    height = np.where(rng.random(80) < 0.2, np.nan, rng.normal(size=80))
    y, p = rng.integers(0, 2, 80), rng.random(80)
    found = calibration_sums(y, p, pl.DataFrame({"colour": colour.tolist(), "height": height}))
    assert found.features == ("colour=green", "colour=red", "height")
    red = colour == "red"
    assert found.residuals[1] == pytest.approx((y - p)[red].sum())
    assert (found.said[1], found.came_true[1]) == (pytest.approx(p[red].mean()), pytest.approx(y[red].mean()))
    seen = ~np.isnan(height)
    assert found.residuals[2] == pytest.approx(((y - p) * height)[seen].sum())


def test_z_is_standard_normal_where_the_probabilities_are_right():
    rng = np.random.default_rng(5)
    x = np.column_stack([rng.normal(size=200), rng.random(200) < 0.3])
    p = 1 / (1 + np.exp(-x @ [1.0, -0.5]))
    runs = [calibration_sums(rng.random(200) < p, p, x) for _ in range(400)]
    z = np.array([[run.z, *run.feature_z] for run in runs])
    assert np.abs(z.mean(axis=0)).max() < 4 / np.sqrt(400)
    assert np.abs(z.std(axis=0) - 1).max() < 4 / np.sqrt(2 * 400)
    assert np.abs((np.abs(z) > 1.96).mean(axis=0) - 0.05).max() < 4 * np.sqrt(0.05 * 0.95 / 400)


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
