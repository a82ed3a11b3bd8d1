import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.spatial import ConvexHull
from sklearn import metrics

from likely.errors import InputError
from likely.evaluation import RocBands, RocCurve

rows = st.lists(st.tuples(st.booleans(), st.integers(0, 8), st.integers(1, 5)), min_size=2, max_size=50).filter(
    lambda r: len({y for y, _, _ in r}) == 2
)
RNG = np.random.default_rng(0)
Y = RNG.random(400) < 0.4
SCORE = np.round(RNG.normal(size=400) + Y, 1)  # many ties


def columns(data):
    return (np.array(c) for c in zip(*data, strict=True))


@given(rows)
def test_points_agree_with_scikit_learn(data):
    y, score, weight = columns(data)
    for w in (None, weight):
        ours = RocCurve.of(y, score, sample_weight=w)
        alarm, hit, threshold = metrics.roc_curve(y, score, sample_weight=w, drop_intermediate=False)
        assert ours.false_alarm_rate == pytest.approx(alarm)
        assert ours.sensitivity == pytest.approx(hit)
        assert np.array_equal(ours.thresholds, threshold)
        assert ours.area.value == pytest.approx(metrics.roc_auc_score(y, score, sample_weight=w))


@given(rows)
def test_weights_are_repeated_rows(data):
    y, score, weight = columns(data)
    weighed = RocCurve.of(y, score, sample_weight=weight)
    repeated = RocCurve.of(np.repeat(y, weight), np.repeat(score, weight))
    assert weighed.points == pytest.approx(repeated.points)
    assert weighed.area.value == pytest.approx(repeated.area.value)
    without = RocCurve.of(np.append(y, True), np.append(score, 99), sample_weight=np.append(weight, 0))
    assert without.points == pytest.approx(weighed.points)


@given(rows, st.sampled_from([np.arctan, lambda s: s * 7.5 - 3, np.exp]))
def test_only_the_order_of_scores_matters(data, change):
    y, score, _ = columns(data)
    one, other = RocCurve.of(y, score), RocCurve.of(y, change(score.astype(float)))
    assert np.array_equal(one.points, other.points)
    assert one.area.value == other.area.value
    flipped = RocCurve.of(y, -score, pos_label=False)
    assert flipped.area.value == pytest.approx(one.area.value)


def test_infinite_and_signed_zero_scores_have_their_place():
    curve = RocCurve.of([1, 1, 0, 0], [np.inf, 0.0, -0.0, -np.inf])
    assert curve.points.tolist() == [[0, 0], [0, 0.5], [0.5, 1], [1, 1]]
    assert curve.area.value == metrics.roc_auc_score([1, 1, 0, 0], [9, 0, 0, -9])


@given(rows)
def test_hull_agrees_with_scipy(data):
    y, score, _ = columns(data)
    curve = RocCurve.of(y, score)
    assert curve.hull_area >= curve.area.value - 1e-12
    corners = {tuple(p) for p in curve.points[curve.hull]}
    around = np.vstack([curve.points, [1.0, 0.0]])
    expected = {tuple(p) for p in around[ConvexHull(around).vertices]} - {(1.0, 0.0)}
    assert corners == expected
    slopes = np.diff(curve.points[curve.hull], axis=0)
    angles = np.arctan2(slopes[:, 1], slopes[:, 0])
    assert (np.diff(angles) < 0).all()


def slow_dominates(one, other):
    """By walking along both curves at a fine grid and at both ends of every vertical step."""

    def heights(curve, x):
        ends = [y for px, y in curve.points if px == x]
        if ends:
            return min(ends), max(ends)
        left = [(px, y) for px, y in curve.points if px < x][-1]
        right = next((px, y) for px, y in curve.points if px > x)
        y = left[1] + (right[1] - left[1]) * (x - left[0]) / (right[0] - left[0])
        return y, y

    xs = sorted(set(one.false_alarm_rate) | set(other.false_alarm_rate) | set(np.linspace(0, 1, 50)))
    gaps = [a - b for x in xs for a, b in zip(heights(one, x), heights(other, x), strict=True)]
    return min(gaps) >= -1e-12 and max(gaps) > 1e-12


@given(rows, st.randoms(use_true_random=False))
def test_dominance_agrees_with_a_walk_along_the_curves(data, random):
    y, score, _ = columns(data)
    one = RocCurve.of(y, score)
    worse = score - 3 * (y & np.array([random.random() < 0.3 for _ in y]))
    other = RocCurve.of(y, worse)
    for a, b in ((one, other), (other, one), (one, one)):
        assert a.dominates(b) == slow_dominates(a, b)
        if a.dominates(b):
            assert a.area.value > b.area.value
            assert not b.dominates(a)


def test_costs_and_prior_choose_the_cheapest_point():
    curve = RocCurve.of(Y, SCORE)
    costs = np.array([[-1.0, 7.0], [3.0, 0.5]])
    for prior in (None, 0.0, 0.1, 0.9, 1.0):
        p = Y.mean() if prior is None else prior
        expected = [
            (1 - p) * ((1 - f) * costs[0, 0] + f * costs[0, 1]) + p * ((1 - s) * costs[1, 0] + s * costs[1, 1])
            for f, s in curve.points
        ]
        best = curve.best_point(costs, prior)
        assert best.expected_cost == pytest.approx(min(expected))
        accuracy = curve.best_point(prior=prior)
        assert accuracy.accuracy == pytest.approx(curve.accuracies(prior).max())
        assert accuracy.expected_cost == pytest.approx(1 - accuracy.accuracy)
    # the best point lies on the hull, and no point lies above its isometric
    slope = curve.isometric_slope(costs)
    best = curve.best_point(costs)
    above = curve.sensitivity - (best.sensitivity + slope * (curve.false_alarm_rate - best.false_alarm_rate))
    assert above.max() <= 1e-12
    assert curve.isometric_slope() == pytest.approx((~Y).sum() / Y.sum())
    assert curve.isometric_slope(prior=0.0) == np.inf


def test_costs_by_name_and_their_mistakes():
    curve = RocCurve.of(["ill", "well", "ill", "well"], [3, 2, 1, 0], pos_label="ill")
    named = {"ill": {"well": 10}, "well": {"ill": 1}}
    assert curve.best_point(named) == curve.best_point([[0, 1], [10, 0]])
    assert curve.best_point(named).threshold == 1
    with pytest.raises(InputError, match="say nothing of class 'ill'"):
        curve.best_point({"i": {"well": 10}, "well": {"i": 1}})
    with pytest.raises(InputError, match="square matrix"):
        curve.best_point([[0, 1, 2], [1, 0, 2]])
    with pytest.raises(InputError, match="not one per row"):
        curve.best_point(np.zeros((4, 2, 2)))
    with pytest.raises(InputError, match="probability of 'ill'"):
        curve.best_point(prior=1.5)
    with pytest.raises(InputError, match="costs the same"):
        curve.isometric_slope([[1, 1], [1, 1]])


def test_the_highest_threshold_wins_a_tie():
    curve = RocCurve.of([1, 0, 1, 0], [4, 3, 2, 1])
    assert curve.best_point().threshold == 4  # 3 of 4 right there, and at 2 as well
    assert curve.at(2).accuracy == curve.best_point().accuracy


def test_an_enormous_cost_blurs_only_the_points_that_pay_it():
    curve = RocCurve.of([1, 1, 1, 0, 1, 0, 0, 0], [8, 7, 6, 5, 4, 3, 2, 1])
    best = curve.best_point(costs=[[0, 1e13], [1, 0]])  # no false alarm at any price, then most hits
    assert (best.false_alarm_rate, best.sensitivity, best.threshold) == (0, 0.75, 6)
    best = curve.best_point(costs=[[0, 1], [1e13, 0]])
    assert (best.false_alarm_rate, best.sensitivity, best.threshold) == (0.25, 1, 4)
    many = RocCurve.of(np.arange(3000) % 3 == 0, np.arange(3000) // 3)  # every point costs the same
    assert many.best_point(costs=[[0, 1e13], [2e13, 0]]).threshold == np.inf


@pytest.mark.parametrize("size", [1e-200, 1e-80, 1e200, 1e-310])
def test_the_size_of_weights_does_not_matter(size):
    y, score, weight = Y[:60], SCORE[:60], RNG.integers(1, 5, 60)
    small, plain = RocCurve.of(y, score, sample_weight=size * weight), RocCurve.of(y, score, sample_weight=weight)
    assert small.points == pytest.approx(plain.points)
    figures = [[c.area.value, c.area.low, c.area.high, c.area.n] for c in (small, plain)]
    assert figures[0] == pytest.approx(figures[1], rel=1e-3 if size < 1e-300 else 1e-9)
    assert small.best_point().threshold == plain.best_point().threshold


def test_the_confusion_at_a_threshold():
    curve = RocCurve.of(Y, SCORE)
    for threshold in (-np.inf, -0.3, 0.0, 0.55, 1.2, 99.0, np.inf):
        said = threshold <= SCORE
        matrix = metrics.confusion_matrix(Y, said, labels=[False, True])
        assert np.array_equal(curve.confusion(threshold).matrix, matrix)
        assert curve.at(threshold).accuracy == pytest.approx(np.mean(said == Y))
    weight = RNG.random(400)
    weighed = RocCurve.of(Y, SCORE, sample_weight=weight).confusion(0.2)
    expected = metrics.confusion_matrix(Y, SCORE >= 0.2, sample_weight=weight)
    assert weighed.matrix == pytest.approx(expected)
    assert weighed.n == pytest.approx(weight.sum() ** 2 / (weight**2).sum())


def test_several_classes_are_one_against_the_rest():
    y = np.array(["a", "b", "c"])[RNG.integers(0, 3, 90)]
    score = RNG.normal(size=90)
    curve = RocCurve.of(y, score, pos_label="b")
    assert curve.area.value == pytest.approx(metrics.roc_auc_score(y == "b", score))
    assert curve.negative is None
    assert "'b'" in str(curve)
    assert curve.confusion(0.0).classes == ("rest", "b")
    assert curve.frame().columns == ["threshold", "false_alarm_rate", "sensitivity", "alarms", "hits"]


def test_bands_average_vertically():
    folds = np.arange(400) % 5
    curves = [RocCurve.of(Y[folds == f], SCORE[folds == f]) for f in range(5)]
    bands = RocBands.of(curves, points=11)
    heights = np.array([[c.sensitivity_at(x) for x in bands.false_alarm_rate] for c in curves])
    assert bands.mean == pytest.approx(heights.mean(axis=0))
    assert bands.standard_deviation == pytest.approx(heights.std(axis=0, ddof=1))
    assert bands.lowest == pytest.approx(heights.min(axis=0))
    assert bands.areas == pytest.approx([c.area.value for c in curves])
    assert bands.mean[-1] == 1
    assert RocBands.of(curves[:1]).standard_deviation.max() == 0
    assert bands.frame().height == 11
    with pytest.raises(InputError, match="need a curve"):
        RocBands.of([])


@pytest.mark.parametrize(
    "y, score, options, message",
    [
        ([0, 1], [0.1], {}, "2 labels in y but 1 scores"),
        ([0, 1], [0.1, np.nan], {}, r"score of row 1 is NaN \(1 of 2 are\)"),
        ([1, 1], [0.1, 0.2], {}, "only one class, 1"),
        (["a", "b", "c"], [1, 2, 3], {}, "3 classes, 'a', 'b', 'c': say which one is positive"),
        (["ham", "spam"], [1, 2], {"pos_label": "spm"}, r"'spm' is no class of y; did you mean 'spam'\?"),
        ([0, 1], [[1, 2], [3, 4]], {}, "one number per row"),
        ([0, 1], ["x", "y"], {}, "scores are numbers"),
        ([0, 1, None], [1, 2, 3], {}, "label of row 2 of y is missing"),
        ([0, 1], [1, 2], {"sample_weight": [1, 0]}, "no row of 0|no row of 1"),
        ([], [], {}, "empty"),
    ],
)
def test_what_is_refused(y, score, options, message):
    with pytest.raises(InputError, match=message):
        RocCurve.of(y, score, **options)
