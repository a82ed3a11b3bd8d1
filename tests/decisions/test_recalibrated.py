from itertools import permutations

import numpy as np
import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from likely.decisions import recalibrate, threshold_curve
from likely.decisions.thresholds import halfway, halfway_between_ratios
from likely.errors import InputError

scores = st.lists(st.integers(-5, 5).map(float), min_size=1, max_size=25)


@given(scores, st.integers(0, 99), st.floats(0, 5), st.floats(0, 5))
@example([0.0], 0, 5e-139, 0.0)
def test_the_curve_is_the_loss_of_every_threshold(values, seed, false_positive, false_negative):
    rng = np.random.default_rng(seed)
    positive = rng.random(len(values)) < 0.5
    weight = rng.integers(1, 4, len(values)).astype(float)
    curve = threshold_curve(positive, values, false_positive, false_negative, weight)
    score = np.array(values)

    def loss(t):
        said = score > t
        return (weight * np.where(positive, ~said * false_negative, said * false_positive)).sum()

    rounding = 1e-12 * curve.loss.max()  # losses of any size are told apart
    for t, expected in zip(curve.threshold, curve.loss, strict=True):
        assert np.isclose(loss(t), expected, rtol=1e-9, atol=rounding)
    for t in (-3.5, -1.0, 0.0, 2.0, 9.0):
        assert np.isclose(curve.at(t), loss(t), rtol=1e-9, atol=rounding)
    assert np.isclose(curve.best_loss, curve.loss.min(), rtol=0, atol=rounding)
    assert loss(curve.best) <= min(loss(t) for t in np.linspace(-6, 6, 49)) + rounding
    better = curve.loss[curve.threshold < curve.best]
    assert (better > curve.loss.min() + rounding / 2).all()  # the lowest of the best


def test_middles_lie_between():
    low = np.array([-np.inf, 1.0, -np.inf, 1.0, 0.5])
    high = np.array([2.0, np.inf, np.inf, np.nextafter(1.0, 2), 1e308])
    for middle in (halfway(low, high), halfway_between_ratios(low, high)):
        assert (middle >= low).all() and (middle < high).all() and not np.isnan(middle).any()
    assert halfway(np.array([1e308]), np.array([1.5e308]))[0] == 1.25e308
    assert np.isclose(np.exp(halfway_between_ratios(np.log([2.0]), np.log([4.0]))[0]), 3)


@given(st.integers(0, 200), st.integers(2, 4))
def test_weights_never_lose_more_than_equal_ones(seed, k):
    rng = np.random.default_rng(seed)
    likelihood = rng.uniform(0.01, 1, (20, k))
    y = np.concatenate([np.arange(k), rng.integers(0, k, 20 - k)])
    fitted = recalibrate(y, np.log(likelihood))
    before = (likelihood.argmax(axis=1) != y).sum()
    after = (fitted.predict(np.log(likelihood)) != y).sum()
    assert fitted.loss_before == before and fitted.loss_after == after <= before


@pytest.mark.parametrize("seed", range(5))
def test_two_classes_have_the_best_weight_there_is(seed):
    rng = np.random.default_rng(seed)
    likelihood = rng.uniform(0.01, 1, (30, 2))
    y = (rng.random(30) < 0.3).astype(int)
    y[:2] = 0, 1
    costs = np.array([[0.0, 1.0], [4.0, 0.0]])
    fitted = recalibrate(y, np.log(likelihood), costs=costs)
    grid = np.exp(np.linspace(-8, 8, 20_001))
    said = likelihood[:, 1:] * grid > likelihood[:, :1]
    assert fitted.loss_after == np.where(y[:, None] == 1, ~said * 4, said * 1).sum(axis=0).min()
    assert fitted.weight[0] == 1


def test_each_step_separates_a_class_from_the_earlier_ones():
    rng = np.random.default_rng(2)
    likelihood = rng.dirichlet(np.ones(3), 40)
    y = np.array([int(rng.choice(3, p=(p + np.array([0.3, 0, 0.1])) / 1.4)) for p in likelihood])
    found = {}
    for order in permutations(range(3)):
        fitted = recalibrate(y, np.log(likelihood), order=order)
        if not fitted.log_weight.any():
            continue  # the search lost more than equal weights did
        found[order] = fitted.loss_after
        rows = np.isin(y, order[:2])
        first, second = order[:2]
        errors = []
        for w in np.exp(np.linspace(-6, 6, 4001)):
            said = likelihood[rows, second] * w > likelihood[rows, first]
            errors.append((said != (y[rows] == second)).sum())
        own = likelihood[rows, second] * fitted.weight[second] > likelihood[rows, first] * fitted.weight[first]
        assert (own != (y[rows] == second)).sum() == min(errors)
    assert found


def test_weights_of_rows_count_rows():
    rng = np.random.default_rng(0)
    likelihood = rng.uniform(0.1, 1, (12, 3))
    y = np.tile([0, 1, 2], 4)
    times = rng.integers(0, 3, 12)
    times[:3] = 1
    weighted = recalibrate(y, np.log(likelihood), sample_weight=times)
    repeated = recalibrate(np.repeat(y, times), np.log(np.repeat(likelihood, times, axis=0)), classes=[0, 1, 2])
    assert weighted.loss_after == repeated.loss_after and weighted.loss_before == repeated.loss_before
    assert np.allclose(
        weighted.score(np.log(likelihood)).argmax(1)[times > 0], weighted.choose(np.log(likelihood))[times > 0]
    )


def test_rows_that_are_impossible_on_one_side_stay_there():
    log_likelihood = np.array([[0.0, -np.inf], [-np.inf, 0.0], [-1.0, -2.0], [-1.0, -1.5], [-np.inf, -np.inf]])
    fitted = recalibrate(["a", "b", "b", "b", "a"], log_likelihood)
    assert np.isfinite(fitted.log_weight).all()
    assert fitted.predict(log_likelihood).tolist() == ["a", "b", "b", "b", "a"]
    all_certain = recalibrate(["a", "b"], log_likelihood[:2])
    assert all_certain.weight.tolist() == [1, 1]
    never = recalibrate(["a", "a", "a"], np.log([[0.5, 0.4], [0.5, 0.3], [0.5, 0.6]]), classes=["a", "b"])
    assert never.loss_after == 0 and (never.predict(np.log([[0.1, 0.9]])) == "a").all()


@pytest.mark.parametrize(
    ("arguments", "options", "word"),
    [
        (([[0.0, np.nan]], [0]), {}, "NaN"),
        (([0.0, 1.0], [0, 1]), {}, "column"),
        (([[0.0, 1.0]], [0, 1]), {}, "1 rows of likelihoods and 2"),
        (([[0.0, 1.0], [0.0, 1.0]], [0, 0]), {}, "1 classes"),
        (([[0.0, 1.0], [0.0, 1.0]], [0, 1]), {"order": [0]}, "every class once"),
        (([[0.0, 1.0], [0.0, 1.0]], [0, 1]), {"costs": np.ones((2, 2, 2))}, "one per row"),
        (([[0.0, 1.0], [0.0, 1.0]], ["a", "c"]), {"classes": ["a", "b"]}, "'c'"),
    ],
)
def test_bad_likelihoods_are_refused_in_words(arguments, options, word):
    with pytest.raises(InputError, match=word):
        recalibrate(*reversed(arguments), **options)


@pytest.mark.parametrize(
    ("score", "positive", "options", "word"),
    [
        ([], [], {}, "vector of scores"),
        ([0.1, np.nan], [0, 1], {}, "row 1 is NaN"),
        ([0.1, 0.2], [0, 2], {}, "True or False"),
        ([0.1, 0.2], [0, 1], {"false_positive": -1}, "false_positive"),
    ],
)
def test_bad_scores_are_refused_in_words(score, positive, options, word):
    with pytest.raises(InputError, match=word):
        threshold_curve(positive, score, **options)
