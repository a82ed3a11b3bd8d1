"""Rows that are all called right: no figure is certain, and no two models are known to be equal."""

import numpy as np
import pytest
from statsmodels.stats.proportion import proportion_confint

from likely import GaussianBayes, NaiveBayes, compare, cross_validate, evaluate
from likely.evaluation import learning_curve
from likely.evaluation.comparing.paired_rows import paired_interval
from likely.evaluation.measures.criteria import _BY_NAME, criterion
from likely.evaluation.said import Said

RNG = np.random.default_rng(0)
Y = np.repeat([0, 1], 15)
X = RNG.normal(size=(30, 2)) + 10 * Y[:, None]
MEASURES = list(dict.fromkeys(known.name for known in _BY_NAME.values()))
PAIR = {"naive": NaiveBayes(), "full": GaussianBayes()}


def right_share(y, p):
    return float(np.mean(p.argmax(axis=1) == y))


@pytest.fixture(scope="module", params=[None, np.arange(30) // 2, np.arange(30) // 3], ids=["rows", "pairs", "threes"])
def perfect(request):
    return cross_validate(NaiveBayes(), X, Y, groups=request.param)


@pytest.mark.parametrize(
    "measure", [*MEASURES, right_share, {0: {1: 5}, 1: {0: 1}}], ids=lambda m: getattr(m, "__name__", str(m))
)
def test_perfect_folds_leave_an_interval(perfect, measure):
    found = perfect.estimate(measure)
    best = criterion(measure)
    worse = found.high > found.value + 0.02 if not best.larger_is_better else found.low < found.value - 0.02
    assert worse, found


def test_perfect_rows_leave_an_interval(perfect):
    judged = evaluate(perfect)
    for name, figure in judged.figures.items():
        if name != "calibration error":
            assert figure.width > 0.02, f"{name} {figure}"
    assert judged.confusion.kappa.low < 0.9 and judged.average_precision.low < 0.9


def test_nested_intervals_after_no_mistake():
    result = cross_validate(NaiveBayes(), X, Y, cv=5)
    assert result.estimate("accuracy", "nested").low == pytest.approx(proportion_confint(30, 30, method="wilson")[0])
    assert result.estimate("log_loss", "nested").high > 0.02


@pytest.mark.parametrize(
    "measure", ["accuracy", "roc_area", "f1", "kappa", "balanced accuracy", "precision", "mcc", "brier"]
)
def test_models_without_a_mistake_are_not_known_to_be_equal(measure):
    pair = compare(PAIR, X, Y, cv=5, scoring=measure).pairs[0]
    assert pair.difference.low < -0.05 and pair.difference.high > 0.05
    assert pair.bayesian.inside < 0.9


def test_the_floor_of_a_difference_is_that_of_bonett_and_price():
    rng = np.random.default_rng(1)
    y = rng.integers(0, 2, 80)
    answers = [np.where(rng.random(80) < 0.1, 1 - y, y) for _ in range(2)]
    first, second = (Said((0, 1), y, None, a) for a in answers)
    only_first, only_second = (int(((a == y) & (b != y)).sum()) for a, b in (answers, answers[::-1]))
    p, q = (only_first + 1) / 82, (only_second + 1) / 82
    half = 1.959963984540054 * np.sqrt((p + q - (p - q) ** 2) / 82)
    found = paired_interval(criterion("accuracy"), first, second)
    assert (found.low, found.high) == pytest.approx((p - q - half, p - q + half))
    doubled = [
        Said((0, 1), np.repeat(y, 2), None, np.repeat(a, 2), groups=np.repeat(np.arange(80), 2)) for a in answers
    ]
    again = paired_interval(criterion("accuracy"), *doubled)  # a row twice in one group tells no more than once
    assert (again.low, again.high) == pytest.approx((found.low, found.high))


@pytest.mark.parametrize("measure", ["accuracy", "f1", "kappa", "roc_area"])
def test_the_floor_agrees_with_the_bootstrap_where_there_are_mistakes(measure):
    rng = np.random.default_rng(2)
    n = 600
    y = rng.integers(0, 2, n)
    shared = rng.normal(size=n) + 1.2 * y
    said = [Said.of(y, 1 / (1 + np.exp(0.6 - shared - s * rng.normal(size=n)))) for s in (0.3, 1.0)]
    chosen = criterion(measure)
    drawn = [rng.integers(0, n, n) for _ in range(400)]
    replicates = [chosen.figure(said[0].take(rows)) - chosen.figure(said[1].take(rows)) for rows in drawn]
    found = paired_interval(chosen, *said)
    assert found.standard_error == pytest.approx(np.std(replicates, ddof=1), rel=0.15)
    assert found.value == pytest.approx(chosen.figure(said[0]) - chosen.figure(said[1]))


@pytest.mark.parametrize("measure", ["roc_area", "f1", "accuracy"])
def test_learning_curves_without_a_mistake_have_bands(measure):
    for groups in (None, np.arange(30) // 2):
        curve = learning_curve(NaiveBayes(), X, Y, sizes=[20], repeats=4, scoring=measure, groups=groups)
        assert curve.estimates[-1].low < 0.9


def test_the_spread_of_folds_stands_beside_the_interval():
    x, y = X[:, :1] - 10 * Y[:, None] + Y[:, None], Y
    result = cross_validate(NaiveBayes(), x, y, cv=5)
    deviation = result.scores().std(ddof=1)
    assert f"; deviation of folds {deviation:.3f}" in str(result).splitlines()[1]
    assert "deviation of folds" in str(result).splitlines()[2]
    assert str(compare(PAIR, x, y, cv=5)).count("deviation of folds") == 2


def test_a_fold_without_a_class_leaves_the_figure_of_all_rows():
    y = np.r_[np.zeros(26, dtype=int), np.ones(4, dtype=int)]
    result = cross_validate(NaiveBayes(), X + 3 * y[:, None], y)
    found = result.estimate("roc_area")
    assert "folds: of all rows together" in found.note and found.width > 0.02
    recall = result.estimate("recall")
    alone = evaluate(result).measure("recall")
    assert recall.value == alone.value and recall.confidence == 0.95
    assert recall.low < alone.low and "widened 1.15 times for a class of 4 rows" in recall.method


def test_a_mean_without_variance_has_no_upper_end():
    rng = np.random.default_rng(0)
    y = rng.integers(0, 2, 400)
    model = NaiveBayes().fit(rng.standard_t(2, (400, 2)) + y[:, None], y)
    far = rng.standard_t(2, (2_000, 2)) + 1.0
    found = evaluate(model, far, np.ones(2_000, dtype=int)).log_loss
    assert found.high == np.inf and found.low > 0 and "rows far out" in found.note
    near = evaluate(model, np.clip(far, -3, 3), np.ones(2_000, dtype=int)).log_loss
    assert np.isfinite(near.high) and not near.note
