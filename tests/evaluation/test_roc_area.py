import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import stats
from sklearn import metrics

from likely.errors import InputError
from likely.evaluation import RocCurve, area_difference, multiclass_area

RNG = np.random.default_rng(0)
rows = st.lists(
    st.tuples(st.booleans(), st.integers(0, 6), st.integers(0, 6), st.integers(1, 4)), min_size=4, max_size=40
).filter(lambda r: min(sum(y for y, *_ in r), sum(not y for y, *_ in r)) >= 2)


def slow_delong(y, *scores):
    """Areas and their covariance from the matrix of all pairs, as in the article of 1988."""
    v10, v01, areas = [], [], []
    for score in scores:
        yes, no = score[y], score[~y]
        won = (yes[:, None] > no) + 0.5 * (yes[:, None] == no)
        v10.append(won.mean(axis=1))
        v01.append(won.mean(axis=0))
        areas.append(won.mean())
    covariance = np.atleast_2d(np.cov(v10)) / y.sum() + np.atleast_2d(np.cov(v01)) / (~y).sum()
    return np.array(areas), covariance


@given(rows)
def test_interval_agrees_with_all_pairs(data):
    y, score, *_ = (np.array(c) for c in zip(*data, strict=True))
    area, covariance = slow_delong(y, score)
    ours = RocCurve.of(y, score).area_interval(scale="linear")
    assert ours.value == pytest.approx(area[0])
    if covariance[0, 0] > 1e-15:
        error = np.sqrt(covariance[0, 0])
        assert ours.standard_error == pytest.approx(error)
        assert ours.low == pytest.approx(max(area[0] - 1.959964 * error, 0), abs=1e-6)
        logit = RocCurve.of(y, score).area
        assert logit.standard_error == pytest.approx(error)
        assert 0 <= logit.low <= logit.value <= logit.high <= 1
    else:
        assert ours.method == "Newcombe"


def test_published_interval():
    """Hanley and McNeil's (1982) tomography ratings; the interval is that of Stata's roctab, which is DeLong's."""
    normal, abnormal = [33, 6, 6, 11, 2], [3, 2, 2, 11, 33]
    y = np.repeat([0, 1], [58, 51])
    rating = np.concatenate([np.repeat(np.arange(1, 6), counts) for counts in (normal, abnormal)])
    ours = RocCurve.of(y, rating).area_interval(scale="linear")
    assert ours.value == pytest.approx(0.8932, abs=5e-5)
    assert ours.standard_error == pytest.approx(0.0307, abs=5e-5)
    assert (ours.low, ours.high) == pytest.approx((0.83295, 0.95339), abs=5e-6)


@given(rows)
def test_difference_agrees_with_the_covariance_of_all_pairs(data):
    y, first, second, _ = (np.array(c) for c in zip(*data, strict=True))
    areas, covariance = slow_delong(y, first, second)
    variance = covariance[0, 0] + covariance[1, 1] - 2 * covariance[0, 1]
    ours = area_difference(y, first, second)
    assert (ours.first, ours.second) == pytest.approx(tuple(areas))
    if variance > 1e-12:
        assert ours.difference.standard_error == pytest.approx(np.sqrt(variance), rel=1e-6)
        z = (areas[0] - areas[1]) / np.sqrt(variance)
        assert ours.z == pytest.approx(z, rel=1e-6, abs=1e-9)
        fewest = min(y.sum(), (~y).sum()) - 1  # degrees of freedom lie between this and those of all rows together
        assert 2 * stats.t.sf(abs(z), len(y) - 2) * (1 - 1e-6) <= ours.p_value
        assert ours.p_value <= 2 * stats.t.sf(abs(z), fewest) * (1 + 1e-6)
    mirrored = area_difference(y, second, first)
    assert mirrored.difference.value == pytest.approx(-ours.difference.value)
    assert area_difference(y, first, first).p_value == 1.0


def test_a_single_positive_proves_nothing():
    scores = np.r_[25.5, np.arange(50)], np.r_[10.5, np.arange(50)]
    found = area_difference([1] + [0] * 50, *scores)
    assert found.difference.value == pytest.approx(0.3)
    assert (found.difference.low, found.difference.high, found.p_value) == (-1, 1, 1)
    assert "single row" in found.difference.note


def test_placements_that_do_not_vary_are_not_certain():
    found = area_difference([1, 1, 0, 0], [4, 3, 2, 1], [1, 2, 3, 4])
    assert found.difference.value == 1
    assert found.difference.low < 0
    assert found.p_value > 0.05
    assert found.difference.note
    y, score = np.repeat([0, 1], 30), np.arange(60)
    turned = area_difference(y, score, -score)
    assert turned.difference.low > 0.5
    assert turned.p_value < 1e-6
    both_perfect = area_difference(y, score, np.r_[score[:30][::-1], score[30:]])
    assert both_perfect.difference.low < -0.01 < 0.01 < both_perfect.difference.high
    assert both_perfect.p_value == 1


@pytest.mark.parametrize("positives", [2, 3, 5, 20])
def test_equal_areas_are_seldom_told_apart_however_few_the_positives(positives):
    rng, times = np.random.default_rng(positives), 400
    y, rejected = np.r_[np.ones(positives), np.zeros(50)], 0
    for _ in range(times):
        common = rng.normal(size=len(y)) + y / 2
        first, second = (common + rng.normal(size=len(y)) for _ in range(2))
        rejected += area_difference(y, first, second).p_value < 0.05
    assert rejected / times < 0.05 + 3 * np.sqrt(0.05 * 0.95 / times)


@pytest.mark.slow
def test_weights_are_effective_rows():
    y, score = RNG.random(300) < 0.4, RNG.normal(size=300)
    score = score + y
    once = RocCurve.of(y, score).area
    twice = RocCurve.of(y, score, sample_weight=np.full(300, 2.0)).area
    assert (twice.value, twice.low, twice.high) == pytest.approx((once.value, once.low, once.high))
    weight = RNG.exponential(size=300)
    uneven = RocCurve.of(y, score, sample_weight=weight).area
    assert uneven.value == pytest.approx(metrics.roc_auc_score(y, score, sample_weight=weight))
    drawn = []
    rng = np.random.default_rng(1)
    for _ in range(400):
        i = rng.integers(0, 300, 300)
        drawn.append(metrics.roc_auc_score(y[i], score[i], sample_weight=weight[i]))
    assert uneven.standard_error == pytest.approx(np.std(drawn), rel=0.15)


def test_separated_classes_and_single_rows_are_not_certain():
    perfect = RocCurve.of([0] * 10 + [1] * 10, np.arange(20)).area
    assert (perfect.value, perfect.high) == (1, 1)
    assert 0.7 < perfect.low < 0.9
    worst = RocCurve.of([1] * 10 + [0] * 10, np.arange(20)).area
    assert (worst.value, worst.low) == (0, 0)
    assert worst.high == pytest.approx(1 - perfect.low)
    single = RocCurve.of([0, 0, 0, 1], [1, 2, 4, 3]).area
    assert single.method == "Newcombe"
    assert single.low < 0.3
    assert single.high > 0.9


def test_newcombe_solves_its_own_equation():
    m = n = 10
    low = RocCurve.of([0] * n + [1] * m, np.arange(m + n)).area.low
    middle = (m + n) / 2 - 1
    variance = low * (1 - low) * (1 + middle * ((1 - low) / (2 - low) + low / (1 + low))) / (m * n)
    assert 1 - low == pytest.approx(stats.norm.isf(0.025) * np.sqrt(variance))


@pytest.fixture(scope="module")
def three():
    y = RNG.integers(0, 3, 400)
    logits = RNG.normal(size=(400, 3)) + 1.2 * np.eye(3)[y]
    p = np.exp(logits)
    return y, p / p.sum(axis=1, keepdims=True)


@pytest.mark.parametrize("average", ["macro", "weighted", "hand-till"])
@pytest.mark.parametrize("weighted", [False, True])
def test_several_classes_agree_with_scikit_learn(three, average, weighted):
    y, p = three
    weight = np.random.default_rng(5).random(400) if weighted else None
    ours = multiclass_area(y, p, average=average, sample_weight=weight)
    if average == "hand-till":
        if weighted:
            return  # scikit-learn has no weights here
        expected = metrics.roc_auc_score(y, p, multi_class="ovo")
    else:
        expected = metrics.roc_auc_score(y, p, multi_class="ovr", average=average, sample_weight=weight)
    assert ours.value == pytest.approx(expected)
    rng, drawn = np.random.default_rng(2), []
    for _ in range(150):
        i = rng.integers(0, 400, 400)
        part = None if weight is None else weight[i]
        drawn.append(multiclass_area(y[i], p[i], average=average, sample_weight=part).value)
    assert ours.standard_error == pytest.approx(np.std(drawn), rel=0.25)


def test_two_classes_are_the_simple_case():
    y, p = RNG.random(100) < 0.5, RNG.random(100)
    both = np.column_stack([1 - p, p])
    for average in ("macro", "hand-till"):
        assert multiclass_area(y, both, average=average).value == pytest.approx(RocCurve.of(y, p).area.value)


def test_classes_without_rows_are_left_out(three):
    y, p = three
    some = y < 2
    ours = multiclass_area(y[some], p[some], classes=[0, 1, 2])
    assert ours.note == "no rows, left out: class 2"
    separated = multiclass_area([0, 1, 2], np.eye(3))
    assert separated.value == 1
    assert separated.low < 0.5
    with pytest.raises(InputError, match="only one class, 0"):
        multiclass_area([0, 0], p[:2], classes=[0, 1, 2])
    with pytest.raises(InputError, match="unknown average"):
        multiclass_area(y, p, average="micro")
    with pytest.raises(InputError, match="unknown scale"):
        RocCurve.of([0, 1], [0, 1]).area_interval(scale="log")


@pytest.mark.parametrize("size", [1e-200, 1e200])
def test_the_size_of_weights_does_not_matter_to_a_difference(size):
    rng = np.random.default_rng(8)
    y, weight = np.arange(40) % 2, rng.integers(1, 5, 40)
    one, other = y + rng.normal(size=40), y + rng.normal(size=40)
    plain, ours = (area_difference(y, one, other, sample_weight=w) for w in (weight, size * weight))
    assert (ours.p_value, ours.difference.low) == pytest.approx((plain.p_value, plain.difference.low))
