import numpy as np
import pytest
from sklearn.calibration import calibration_curve

from likely.errors import InputError
from likely.evaluation import calibration_error

RNG = np.random.default_rng(0)
P = RNG.random(2000)
Y = RNG.random(2000) < P**1.5
P3 = RNG.dirichlet([1, 1, 1], 600)
Y3 = np.array([RNG.choice(3, p=p) for p in P3])


@pytest.mark.parametrize("strategy", ["uniform", "quantile"])
def test_bins_agree_with_scikit_learn(strategy):
    ours = calibration_error(Y, P, n_bins=10, strategy=strategy)
    share, mean = calibration_curve(Y, P, n_bins=10, strategy=strategy)
    (bins,) = ours.bins
    assert bins.share == pytest.approx(share, abs=0.006)  # a row at an edge may fall on either side
    assert bins.probability == pytest.approx(mean, abs=0.006)
    assert ours.plain == pytest.approx(bins.weight / 2000 @ np.abs(bins.share - bins.probability))
    assert bins.weight.sum() == 2000
    assert (bins.low <= bins.probability).all()
    assert (bins.probability <= bins.high).all()


def test_quantile_bins_hold_equally_many_rows_and_keep_ties_together():
    (bins,) = calibration_error(Y, P, n_bins=8).bins
    assert bins.rows == pytest.approx(np.full(8, 250), abs=1)
    tied = np.repeat([0.2, 0.7], [1500, 500])
    (bins,) = calibration_error(Y, tied, n_bins=8).bins
    assert bins.rows.tolist() == [1500, 500]
    assert bins.low.tolist() == [0.2, 0.7]


def test_norms_and_events():
    l1, l2 = calibration_error(Y, P, norm="l1"), calibration_error(Y, P, norm="l2")
    assert l2.plain >= l1.plain
    top = calibration_error(Y3, P3)
    said = P3.argmax(axis=1)
    by_hand = calibration_error(said == Y3, P3.max(axis=1))
    assert top.plain == pytest.approx(by_hand.plain)
    assert top.rule == "15 quantile bins, l1, of the answer given"
    each = calibration_error(Y3, P3, event="classwise")
    expected = np.mean([calibration_error(c == Y3, P3[:, c]).plain for c in range(3)])
    assert each.plain == pytest.approx(expected)
    assert len(each.bins) == 3
    one = calibration_error(Y3, P3, pos_label=2)
    assert one.plain == pytest.approx(calibration_error(Y3 == 2, P3[:, 2]).plain)
    assert each.frame().height == sum(len(b.weight) for b in each.bins)


def test_weights_are_effective_rows():
    doubled = calibration_error(Y, P, sample_weight=np.full(2000, 2.0))
    once = calibration_error(Y, P)
    assert doubled.plain == pytest.approx(once.plain)
    assert doubled.debiased.high == pytest.approx(once.debiased.high)
    part = np.repeat([1.0, 0.0], 1000)
    assert calibration_error(Y, P, sample_weight=part).plain == pytest.approx(
        calibration_error(Y[:1000], P[:1000]).plain
    )


@pytest.mark.parametrize("norm", ["l1", "l2"])
def test_bias_is_taken_out(norm):
    """The plain error of calibrated probabilities is far from 0 by chance alone."""
    rng = np.random.default_rng(1)
    plain, debiased, held = [], [], 0
    for _ in range(50):
        p = rng.random(300)
        result = calibration_error(rng.random(300) < p, p, n_bins=10, norm=norm)
        plain.append(result.plain)
        debiased.append(result.debiased.value)
        held += 0 in result.debiased
    assert held >= 44  # 47.5 are meant; fewer than 44 have a chance of 1 in 80
    assert np.mean(plain) > 0.05
    assert np.mean(debiased) < 0.45 * np.mean(plain)
    many = rng.random(200_000)
    skew = calibration_error(rng.random(200_000) < many**2, many, n_bins=10, norm=norm)
    assert skew.debiased.value == pytest.approx(skew.plain, abs=1e-3)  # nothing to take out
    assert skew.plain == pytest.approx(1 / 6 if norm == "l1" else np.sqrt(1 / 30), abs=0.003)


@pytest.mark.parametrize("rows", [30, 100, 1000])
def test_probabilities_that_are_right_are_seldom_called_wrong(rows):
    """0 was left out by a third of the intervals at 30 rows, and by a tenth at 1,000."""
    rng = np.random.default_rng(rows)
    left_out = 0
    for _ in range(60):
        p = rng.random(rows)
        left_out += 0 not in calibration_error(rng.random(rows) < p, p).debiased
    assert left_out <= 5  # 1 or 2 are meant, and 6 or more have a chance of 1 in 300


@pytest.mark.parametrize("rows", [30, 300])
def test_errors_that_are_there_are_inside(rows):
    rng = np.random.default_rng(rows)
    held = 0
    for _ in range(60):
        p = rng.random(rows)
        q = 0.25 + p / 2
        found = calibration_error(rng.random(rows) < q, p, n_bins=10)
        place = np.searchsorted(found.bins[0].low, p, side="right") - 1
        held += np.abs(np.bincount(place, weights=q - p)).sum() / rows in found.debiased
    assert held >= 52
    sure = calibration_error([True] * 30, np.full(30, 1 - 1e-9), classes=[False, True])
    assert sure.debiased.low == 0 and 0.05 < sure.debiased.high < 0.2  # no mistake seen is not none to come


def test_degenerate_bins_have_an_answer():
    single = calibration_error([True, False], [0.9, 0.2])
    assert np.isfinite([single.plain, single.debiased.value, single.debiased.high]).all()
    constant = calibration_error(Y, np.full(2000, 0.4))
    assert len(constant.bins[0].weight) == 1
    sure = calibration_error([True] * 50, np.ones(50), classes=[False, True])
    assert sure.plain == 0


def test_what_is_refused():
    with pytest.raises(InputError, match="unknown strategy"):
        calibration_error(Y, P, strategy="equal")
    with pytest.raises(InputError, match="unknown event"):
        calibration_error(Y, P, event="all")
    with pytest.raises(InputError, match="n_bins must be a whole number from 1 up"):
        calibration_error(Y, P, n_bins=0)


def test_less_than_chance_would_show_is_no_certainty():
    p = np.repeat([0.25, 0.5, 0.75], 100)
    event = np.concatenate([np.arange(100) < count for count in (25, 50, 75)])  # exactly as often as was said
    found = calibration_error(event, p, n_bins=3).debiased
    assert found.value == found.low == 0.0 and 0.005 < found.high < 0.1


def test_so_many_rows_cannot_tell_a_small_error_from_none():
    """Shares nearer to what was said than chance leaves them: the upper end is not below that of ordinary draws."""
    n = 10_000
    p = np.random.default_rng(0).random(n)
    order = np.argsort(p)
    event = np.zeros(n, dtype=bool)
    event[order] = np.diff(np.floor(np.r_[0.0, np.cumsum(p[order])])) > 0  # as often as was said, wherever one looks
    usual = calibration_error(np.random.default_rng(1).random(n) < p, p).debiased
    found = calibration_error(event, p).debiased
    assert found.low == 0 and usual.high / 3 < found.high <= usual.high
