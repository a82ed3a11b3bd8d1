import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from sklearn import metrics
from sklearn.isotonic import IsotonicRegression

from likely.decisions.calibration.pooling import recalibrated
from likely.errors import InputError
from likely.evaluation import brier_score, decompose, evaluate, log_loss, mean_interval, proportion_interval

RNG = np.random.default_rng(0)
N = 300
Y2 = RNG.random(N) < 0.4
P2 = np.clip(RNG.beta(2, 3, N) + 0.3 * Y2, 0.01, 0.99)
Y3 = RNG.integers(0, 3, N)
P3 = RNG.dirichlet([1, 1, 1], N) * 0.7 + 0.3 * np.eye(3)[Y3]
WEIGHT = RNG.random(N)
WEIGHTS = [None, WEIGHT]

rows = st.lists(
    st.tuples(st.booleans(), st.sampled_from([0.05, 0.2, 0.35, 0.5, 0.8, 0.95]), st.integers(1, 3)),
    min_size=2,
    max_size=40,
)


@pytest.mark.parametrize("weight", WEIGHTS)
def test_values_agree_with_scikit_learn(weight):
    given_weight = {"sample_weight": weight}
    assert log_loss(Y2, P2, **given_weight).value == pytest.approx(metrics.log_loss(Y2, P2, **given_weight))
    assert log_loss(Y3, P3, **given_weight).value == pytest.approx(metrics.log_loss(Y3, P3, **given_weight))
    assert brier_score(Y2, P2, **given_weight).value == pytest.approx(metrics.brier_score_loss(Y2, P2, **given_weight))
    three = metrics.brier_score_loss(Y3, P3, labels=[0, 1, 2], **given_weight)
    assert brier_score(Y3, P3, **given_weight).value == pytest.approx(three)


def test_the_scale_of_the_brier_score():
    half, whole = brier_score(Y2, P2), brier_score(Y2, P2, scale_by_half=False)
    assert whole.value == pytest.approx(2 * half.value)
    assert whole.high == pytest.approx(2 * half.high)
    assert half.value == pytest.approx(np.mean((P2 - Y2) ** 2))
    assert brier_score(Y3, P3, scale_by_half=True).value == pytest.approx(brier_score(Y3, P3).value / 2)


def test_intervals_are_those_of_means_of_rows():
    losses = -np.log(P3[np.arange(N), Y3])
    ours, expected = log_loss(Y3, P3), mean_interval(losses)
    assert (ours.low, ours.high) == pytest.approx((expected.low, expected.high))
    assert ours.standard_error == pytest.approx(losses.std(ddof=1) / np.sqrt(N))
    plain = log_loss(Y3, P3, method="t", confidence=0.9)
    assert plain.confidence == 0.9
    assert plain.low == pytest.approx(mean_interval(losses, 0.9, "t").low)
    grouped = brier_score(Y2, P2, groups=np.arange(N) // 10)
    assert grouped.method == "cluster bootstrap (BCa) over 30 groups"


def test_labels_are_matched_with_columns_by_class():
    names = np.array(["cat", "ant", "bee"])
    ours = log_loss(names[Y3], P3, classes=["cat", "ant", "bee"])
    assert ours.value == pytest.approx(log_loss(Y3, P3).value)
    only = log_loss(["ant"], [[0.2, 0.3, 0.5]], classes=["cat", "ant", "bee"])
    assert only.value == pytest.approx(-np.log(0.3))


def test_probability_zero_for_the_truth_is_told_honestly():
    p = P2.copy()
    p[[3, 7]] = np.where(Y2[[3, 7]], 0.0, 1.0)
    ours = log_loss(Y2, p)
    assert (ours.value, ours.low, ours.high) == (np.inf, np.inf, np.inf)
    assert ours.note == f"2 of {N} rows gave their true class probability 0, the first is row 3"
    assert "inf" in str(ours)
    parts = decompose(Y2, p, "log-loss")
    assert parts.miscalibration.value == np.inf
    assert np.isfinite(parts.discrimination.value)
    ignored = np.ones(N)
    ignored[[3, 7]] = 0  # rows of weight 0 are not there
    assert np.isfinite(log_loss(Y2, p, sample_weight=ignored).value)
    assert np.isfinite(decompose(Y2, p, "log-loss", sample_weight=ignored).miscalibration.value)
    assert np.isfinite(brier_score(Y2, p).value)


@pytest.mark.parametrize("score", ["Brier", "log-loss"])
@pytest.mark.parametrize("weight", WEIGHTS)
@pytest.mark.parametrize("y, p", [(Y2, P2), (Y3, P3)])
def test_parts_add_up_to_the_score(score, weight, y, p):
    parts = decompose(y, p, score, sample_weight=weight)
    total = parts.miscalibration.value - parts.discrimination.value + parts.uncertainty.value
    assert parts.score.value == pytest.approx(total)
    assert parts.discrimination.value >= 0
    whole = brier_score if score == "Brier" else log_loss
    assert parts.score == whole(y, p, sample_weight=weight)
    shares = np.bincount(y, weights=weight) / (N if weight is None else weight.sum())
    told = whole(y, np.tile(shares, (N, 1)), sample_weight=weight)
    assert parts.uncertainty.value == pytest.approx(told.value)
    assert str(parts).splitlines()[1].startswith("miscalibration  0.")


@given(rows)
def test_isotonic_fit_agrees_with_scikit_learn(data):
    y, p, weight = (np.array(c) for c in zip(*data, strict=True))
    for w in (None, weight.astype(float)):
        theirs = IsotonicRegression(out_of_bounds="clip").fit(p, y, sample_weight=w)
        assert recalibrated(y, p, w) == pytest.approx(theirs.predict(p), abs=1e-6)


@given(rows)
def test_miscalibration_of_two_classes_is_never_negative(data):
    y, p, _ = (np.array(c) for c in zip(*data, strict=True))
    for score in ("Brier", "log-loss"):
        parts = decompose(y, np.column_stack([1 - p, p]), score, classes=[False, True])
        assert parts.miscalibration.value >= -1e-12
        assert parts.discrimination.value >= -1e-12
        assert parts.uncertainty.value >= 0


def test_the_parts_of_right_probabilities_hold_what_is_true():
    """The fit flatters itself: without allowing for it, no interval of a miscalibration held 0."""
    rng = np.random.default_rng(3)
    held = np.zeros(3)
    truths = {"Brier": (0, 1 / 12, 1 / 4), "log-loss": (0, np.log(2) - 0.5, np.log(2))}
    for score in ["Brier", "log-loss"] * 15:
        p = rng.random(200)
        parts = decompose(rng.random(200) < p, p, score)
        found = (parts.miscalibration, parts.discrimination, parts.uncertainty)
        held += [truth in part for truth, part in zip(truths[score], found, strict=True)]
    assert (held >= 25).all(), held


def test_what_the_parts_mean():
    rng = np.random.default_rng(1)
    p = rng.random(20_000)
    y = rng.random(20_000) < p
    calibrated, timid = decompose(y, p), decompose(y, 0.25 + p / 2)
    assert calibrated.miscalibration.value < 0.002
    assert calibrated.discrimination.value == pytest.approx(1 / 12, abs=0.005)  # variance of p
    assert calibrated.uncertainty.value == pytest.approx(0.25, abs=0.001)
    assert timid.miscalibration.value == pytest.approx(1 / 48, abs=0.003)  # mean of (p/2 - 1/4)^2
    assert timid.discrimination == calibrated.discrimination  # the order is the same
    useless = decompose(y, np.full(20_000, 0.5))
    assert useless.discrimination.value == pytest.approx(0, abs=1e-12)


@pytest.mark.parametrize(
    "y, p, options, message",
    [
        ([0, 1], [0.2], {}, "2 labels in y but 1 rows"),
        ([0, 1], [0.2, np.nan], {}, "row 1 of the probabilities.*no probability"),
        ([0, 1], [0.2, 1.5], {}, "row 1 of the probabilities"),
        ([0, 1], [[0.2, 0.8], [0.5, 0.6]], {}, r"row 1 of the probabilities.*sums to 1\.1"),
        ([0, 1, 2], [[0.2, 0.8]] * 3, {}, r"3 classes, so probabilities have the shape \(n, 3\)"),
        ([0, 0], [0.2, 0.3], {}, r"1 classes.*Give `classes`"),
        (["a", "z"], [0.1, 0.2], {"classes": ["a", "b"]}, "row 1 of y is of class 'z', which is not among"),
        ([0, 1], ["x", "y"], {}, "probabilities are numbers"),
        ([0, 1], [0.2, 0.3], {"sample_weight": [0, 0]}, "at least one non-zero"),
    ],
)
def test_what_is_refused(y, p, options, message):
    for function in (log_loss, brier_score, decompose):
        with pytest.raises(InputError, match=message):
            function(y, p, **options)
    with pytest.raises(InputError, match="unknown score"):
        decompose([0, 1], [0.2, 0.3], "spherical")


@pytest.mark.parametrize(("score", "even"), [("Brier", 0.25), ("log-loss", np.log(2))])
def test_no_shares_are_more_uncertain_than_equal_ones(score, even):
    y = np.arange(40) % 5 < 2
    found = decompose(y, np.full(40, 0.4), score).uncertainty
    assert found.low < found.value < found.high == pytest.approx(even)
    three = decompose(np.arange(30) % 3, np.full((30, 3), 1 / 3), score).uncertainty
    assert three.high == pytest.approx(three.value) == pytest.approx(np.log(3) if score == "log-loss" else 2 / 3)


def separated(doubt, rows=30):
    """All right, with the same doubt about every row."""
    y = np.arange(rows) % 2
    return y, np.where(y, 1 - doubt, doubt)


def test_losses_after_no_mistake_allow_for_one():
    y, p = separated(0.01)
    share = proportion_interval(0, 30).high  # of mistakes that there may be
    assert log_loss(y, p).high == pytest.approx(-np.log(0.99) + share * np.log(99))
    assert brier_score(y, p).high == pytest.approx(0.01**2 + share * (0.99**2 - 0.01**2))
    judged = evaluate(p, y=y, costs=[[0, 1], [5, 0]])
    assert judged.cost.high == pytest.approx(share * 3)  # half of the mistakes cost 1, half of them 5
    in_groups = log_loss(y, p, groups=np.arange(30) // 3)
    assert in_groups.high == pytest.approx(-np.log(0.99) + proportion_interval(0, 10).high * np.log(99))


def test_certainties_that_were_right_have_no_upper_end():
    y, p = separated(0.0)
    assert log_loss(y, p).high == np.inf
    assert brier_score(y, p).high == pytest.approx(proportion_interval(0, 30).high)


def test_rows_of_weight_0_are_no_rows_for_unseen_mistakes():
    y, p = separated(0.01)
    more = log_loss(np.r_[y, 1], np.r_[p, 0.0], sample_weight=np.r_[np.ones(30), 0.0])
    assert (more.low, more.high) == pytest.approx((log_loss(y, p).low, log_loss(y, p).high))


def test_many_mistakes_speak_for_themselves():
    y, p = separated(0.1, 100)
    wrong = np.where(np.arange(100) < 10, 1 - p, p)
    assert log_loss(y, wrong).high == mean_interval(-np.log(np.where(y, wrong, 1 - wrong)), bounds=(0, np.inf)).high
