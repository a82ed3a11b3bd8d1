import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.optimize import linprog, minimize
from scipy.special import expit, log_softmax
from sklearn.calibration import _SigmoidCalibration
from sklearn.isotonic import IsotonicRegression
from sklearn.linear_model import LogisticRegression

from likely.decisions.calibration import BetaMap, GaussianScores, IsotonicMap, LogisticMap, TemperatureMap
from likely.decisions.calibration.choosing import best_map
from likely.decisions.calibration.maps.softmax_sums import sums_of_many, sums_of_one_slope
from likely.decisions.calibration.maps.temperature import UnchangedMap
from likely.decisions.calibration.pooling import pool, pool_shares
from likely.errors import InputError
from likely.numeric import logspace
from likely.numeric.logspace import all_log_odds, log_normalize, log_odds, log_of

MAPS = [LogisticMap, BetaMap, TemperatureMap, IsotonicMap]


def two_classes(n=400, seed=0, slope=0.7, offset=-0.3):
    rng = np.random.default_rng(seed)
    score = rng.normal(size=n) * 2
    return score, (rng.random(n) < expit(slope * score + offset)).astype(int)


def many_classes(n=600, k=4, seed=0, sharpness=3.0):
    rng = np.random.default_rng(seed)
    truth = rng.dirichlet(np.full(k, 0.7), n)
    y = (rng.random(n)[:, None] > truth.cumsum(axis=1)).sum(axis=1).clip(max=k - 1)
    return log_softmax(sharpness * np.log(truth + 1e-3), axis=1), y


def mean_log_loss(log_posterior, y):
    return -log_posterior[np.arange(len(y)), y].mean()


# logistic


def test_logistic_is_the_unpenalised_regression_on_the_score():
    score, y = two_classes()
    fitted = LogisticMap.fit(score, y)
    theirs = LogisticRegression(C=np.inf, tol=1e-12, max_iter=1000).fit(score[:, None], y)
    assert np.allclose(fitted.coefficients, (theirs.coef_[0, 0], theirs.intercept_[0]), rtol=1e-5)
    assert np.allclose(fitted.probability(score), theirs.predict_proba(score[:, None])[:, 1], atol=1e-6)


def test_logistic_sums_to_the_positives_and_leaves_no_correlation():
    score, y = two_classes(seed=3)
    rng = np.random.default_rng(0)
    weight = rng.uniform(0.2, 3, len(y))
    for w in (None, weight):
        p = LogisticMap.fit(score, y, w).probability(score)
        amount = np.ones(len(y)) if w is None else w
        assert np.isclose((amount * p).sum(), (amount * y).sum(), rtol=1e-10)  # CAL-03
        assert abs((amount * (y - p) * score).sum()) < 1e-7  # CAL-04


def test_a_bit_feature_is_right_on_average_where_it_is_set():
    """CAL-04 for a sparse bit: the mean prediction where it is 1 equals the share of positives there."""
    rng = np.random.default_rng(1)
    bit = (rng.random(300) < 0.2).astype(float)
    y = (rng.random(300) < np.where(bit == 1, 0.7, 0.3)).astype(int)
    p = LogisticMap.fit(bit, y).probability(bit)
    assert np.isclose(p[bit == 1].mean(), y[bit == 1].mean(), atol=1e-10)


def test_logistic_with_softened_labels_is_platts():
    score = np.array([-3.0, -2.5, -2.0, -1.0, 1.0, 2.0, 3.0])
    y = np.array([0, 0, 0, 0, 1, 1, 1])
    fitted = LogisticMap.fit(score, y)
    assert fitted.softened
    theirs = _SigmoidCalibration().fit(score, y)
    assert np.allclose(fitted.coefficients, (-theirs.a_, -theirs.b_), rtol=1e-3)
    target = np.where(y == 1, 4 / 5, 1 / 6)
    assert np.isclose(fitted.probability(score).sum(), target.sum(), rtol=1e-10)


@pytest.mark.parametrize("scale", [1e-12, 1e-3, 1.0, 1e5, 1e200])
@pytest.mark.parametrize("offset", [0.0, 1e3])
def test_logistic_does_not_care_for_units(scale, offset):
    score, y = two_classes(200)
    here = LogisticMap.fit(score, y).probability(score)
    moved = (score + offset) * scale
    assert np.allclose(LogisticMap.fit(moved, y).probability(moved), here, atol=1e-8)


def test_a_score_that_points_the_wrong_way_is_turned_around():
    score, y = two_classes()
    assert np.allclose(LogisticMap.fit(-score, y).probability(-score), LogisticMap.fit(score, y).probability(score))
    assert LogisticMap.fit(-score, y).coefficients[0] < 0


def test_two_classes_are_the_same_as_scores_and_as_log_posteriors():
    score, y = two_classes()
    posterior = np.column_stack([-np.logaddexp(0, score), -np.logaddexp(0, -score)])
    for kind in MAPS:
        one, two = kind.fit(score, y), kind.fit(posterior, y)
        assert np.allclose(one.log_posterior(score), two.log_posterior(posterior), atol=1e-6)


def test_the_closed_form_is_that_of_two_gaussians():
    rng = np.random.default_rng(0)
    score = np.concatenate([rng.normal(-1, 1.5, 40), rng.normal(2, 1.5, 60)])
    y = np.repeat([0, 1], [40, 60])
    fitted = GaussianScores.fit(score, y)
    pooled = (39 * score[:40].var(ddof=1) + 59 * score[40:].var(ddof=1)) / 98
    m0, m1 = score[:40].mean(), score[40:].mean()
    ratio = (-((score - m1) ** 2) + (score - m0) ** 2) / (2 * pooled)
    assert np.allclose(fitted.log_odds(score), ratio)
    assert np.allclose(fitted.probability(score), expit(ratio))
    times = rng.integers(1, 4, 100)
    again = GaussianScores.fit(np.repeat(score, times), np.repeat(y, times))
    weighted = GaussianScores.fit(score, y, times)
    assert np.isclose(weighted.slope, again.slope) and np.isclose(weighted.midpoint, again.midpoint)


# more classes


@pytest.mark.parametrize(
    ("kind", "tied", "offsets"), [(LogisticMap, True, True), (TemperatureMap, True, False), (BetaMap, False, True)]
)
def test_scaling_of_many_classes_maximises_the_likelihood(kind, tied, offsets):
    z, y = many_classes()
    k = z.shape[1]
    fitted = kind.fit(z, y)

    def loss(t):
        slope = np.full(k, t[0]) if tied else t[:k]
        offset = t[-k:] if offsets else np.zeros(k)
        return mean_log_loss(log_softmax(z * slope + offset, axis=1), y)

    start = np.concatenate([np.ones(1 if tied else k), np.zeros(k if offsets else 0)])
    best = minimize(loss, start, method="BFGS", options={"gtol": 1e-9})
    assert mean_log_loss(fitted.log_posterior(z), y) <= best.fun + 1e-9
    assert np.isclose(mean_log_loss(fitted.log_posterior(z), y), best.fun, atol=1e-8)
    if offsets:
        assert np.allclose(fitted.probability(z).sum(axis=0), np.bincount(y), atol=1e-6)  # CAL-03, class by class
    assert not fitted.softened
    assert mean_log_loss(fitted.log_posterior(z), y) < mean_log_loss(z, y)  # these posteriors were over-confident


def test_temperature_recovers_the_factor_and_keeps_the_best_class():
    z, y = many_classes(20_000, sharpness=3.0)
    fitted = TemperatureMap.fit(z, y)
    assert 2.6 < fitted.temperature < 3.4
    assert (fitted.log_posterior(z).argmax(axis=1) == z.argmax(axis=1)).all()
    noise = np.log(np.random.default_rng(0).dirichlet(np.ones(3), 400))
    wrong = (noise.argmax(axis=1) + 1) % 3
    hopeless = TemperatureMap.fit(noise, wrong)
    assert hopeless.temperature == np.inf and np.allclose(hopeless.probability(noise), 1 / 3)


def test_beta_contains_the_identity_and_the_logistic():
    rng = np.random.default_rng(0)
    p = rng.beta(2, 3, 100_000)
    y = (rng.random(100_000) < p).astype(int)
    a, b, c = BetaMap.fit(np.log(p / (1 - p)), y).coefficients
    assert np.allclose((a, b, c), (1, 1, 0), atol=0.1)
    q = expit(2.0 * np.log(p) - 0.5 * np.log1p(-p) + 0.4)  # scores that are wrong on one side only
    y = (rng.random(100_000) < q).astype(int)
    a, b, c = BetaMap.fit(np.log(p / (1 - p)), y).coefficients
    assert np.allclose((a, b, c), (2.0, 0.5, 0.4), atol=0.1)


def test_beta_never_falls():
    rng = np.random.default_rng(4)
    score = rng.normal(size=500)
    y = (rng.random(500) < expit(-score)).astype(int)  # the score points the wrong way
    fitted = BetaMap.fit(score, y)
    assert (fitted.slope >= 0).all()
    assert (np.diff(fitted.probability(np.linspace(-5, 5, 100))) >= -1e-15).all()
    assert np.isclose(fitted.probability(score).sum(), y.sum())


def test_separated_classes_have_a_finite_answer():
    rng = np.random.default_rng(0)
    y = np.repeat([0, 1, 2], 30)
    z = log_softmax(20 * np.eye(3)[y] + rng.normal(size=(90, 3)), axis=1)
    for kind in (LogisticMap, BetaMap, TemperatureMap):
        fitted = kind.fit(z, y)
        assert fitted.softened
        assert np.isfinite(fitted.slope).all() and np.isfinite(fitted.log_posterior(z)).all()
        own = fitted.probability(z)[np.arange(90), y]
        assert own.min() > 0.85 and own.max() < 1
    touching = LogisticMap.fit([0.0, 1.0, 1.0, 2.0], [0, 0, 1, 1])  # tied at 1: still no maximum
    assert touching.softened and np.isfinite(touching.coefficients).all()


@pytest.mark.parametrize("seed", range(30))
def test_labels_are_softened_where_the_classes_can_be_separated(seed):
    """No maximum exists where a direction leaves every margin at or above zero and some above: a linear programme."""
    rng = np.random.default_rng(seed)
    k = int(rng.integers(2, 5))
    y = np.concatenate([np.arange(k), rng.integers(0, k, 12)])
    z = log_softmax(np.round(rng.normal(size=(len(y), k)) * 2) / 2 + np.eye(k)[y] * rng.uniform(0, 4), axis=1)
    offset = np.eye(k)
    margins = np.array(
        [
            np.append(z[i, own] - z[i, c], offset[own] - offset[c])
            for i, own in enumerate(y)
            for c in range(k)
            if c != own
        ]
    )
    best = linprog(-margins.sum(axis=0), -margins, np.zeros(len(margins)), bounds=[(-1, 1)] + [(-50, 50)] * k)
    assert LogisticMap.fit(z, y).softened == (-best.fun > 1e-7)


# isotonic

labelled = st.lists(st.tuples(st.integers(-6, 6), st.booleans()), min_size=2, max_size=60).filter(
    lambda rows: len({positive for _, positive in rows}) == 2
)


@given(labelled)
def test_pooling_is_isotonic_regression(rows):
    score, y = (np.array(column, dtype=float) for column in zip(*rows, strict=True))
    theirs = IsotonicRegression().fit(score, y)
    ours = IsotonicMap.fit(score, y, smoothing=None)
    assert np.allclose(ours.probability(score), theirs.predict(score), atol=1e-12)
    assert np.isclose(ours.probability(score).sum(), y.sum(), atol=1e-9)  # CAL-03


@given(labelled, st.sampled_from(["ends", "all", None]))
def test_isotonic_is_monotone_and_idempotent(rows, smoothing):
    score, y = (np.array(column, dtype=float) for column in zip(*rows, strict=True))
    fitted = IsotonicMap.fit(score, y, smoothing=smoothing)
    along = fitted.probability(np.linspace(-8, 8, 200))
    assert (np.diff(along) >= 0).all()
    if smoothing is None:
        p = fitted.probability(score)
        assert np.allclose(IsotonicMap.fit(p, y, smoothing=None).probability(p), p, atol=1e-12)
    else:
        assert along.min() > 0 and along.max() < 1  # the log-loss stays finite whatever happens


@given(labelled)
def test_only_the_order_of_the_scores_matters(rows):
    score, y = (np.array(column, dtype=float) for column in zip(*rows, strict=True))
    here = IsotonicMap.fit(score, y).probability(score)
    assert np.array_equal(IsotonicMap.fit(np.exp(score), y).probability(np.exp(score)), here)


def test_weighted_pooling_agrees_with_repeated_rows_and_scikit_learn():
    score, y = two_classes(200, seed=1)
    times = np.random.default_rng(0).integers(0, 4, 200)
    weighted = IsotonicMap.fit(score, y, times)
    repeated = IsotonicMap.fit(np.repeat(score, times), np.repeat(y, times))
    assert np.allclose(weighted.probability(score), repeated.probability(score), atol=1e-12)
    theirs = IsotonicRegression().fit(score[times > 0], y[times > 0], times[times > 0])
    inside = times > 0
    plain = IsotonicMap.fit(score, y, times, smoothing=None)
    assert np.allclose(plain.probability(score[inside]), theirs.predict(score[inside]), atol=1e-12)


def test_the_segments_are_the_convex_hull_of_the_roc_curve():
    score, y = two_classes(300, seed=2)
    cells = pool(score, y == 1)
    positive, negative = cells.positive[::-1], (cells.weight - cells.positive)[::-1]  # from the highest scores down
    x, height = np.concatenate([[0], np.cumsum(negative)]), np.concatenate([[0], np.cumsum(positive)])
    order = np.argsort(-score)
    roc_x, roc_y = np.cumsum(y[order] == 0), np.cumsum(y[order] == 1)
    hull = np.interp(roc_x, x, height)
    assert (roc_y <= hull + 1e-9).all()  # no point of the curve lies above it
    assert {(a, b) for a, b in zip(x, height, strict=True)} <= {(0, 0), *zip(roc_x, roc_y, strict=True)}
    slopes = positive / np.maximum(negative, 1e-12)
    assert (np.diff(slopes) < 1e-9).all()


def test_steps_are_halfway_and_ends_are_not_past_their_neighbours():
    fitted = IsotonicMap.fit([0.0, 1.0, 2.0, 3.0], [0, 0, 1, 1])
    assert np.allclose(fitted.probability([-9, 1.5, 1.5001, 9]), [0.25, 0.25, 0.75, 0.75])
    # one zero below a long cell of few positives: 1/3 would be past it
    score, y = [0.0, *[1.0] * 20, 2.0], [0, 1, *[0] * 19, 1]
    shares = IsotonicMap.fit(score, y).steps[0].share
    assert np.allclose(shares, [1 / 20, 1 / 20, 2 / 3])
    smoothed = IsotonicMap.fit(score, y, smoothing="all").steps[0].share
    assert (np.diff(smoothed) >= 0).all() and np.isclose(smoothed[0], 3 / 25)


@given(st.lists(st.tuples(st.floats(0, 1), st.floats(0.1, 5)), min_size=1, max_size=20))
def test_pooling_shares_is_weighted_isotonic_regression(cells):
    share, weight = (np.array(column) for column in zip(*cells, strict=True))
    theirs = IsotonicRegression().fit(np.arange(len(share)), share, weight).predict(np.arange(len(share)))
    assert np.allclose(pool_shares(share, weight), theirs, atol=1e-9)


def test_isotonic_of_many_classes_is_one_against_the_rest_normalised():
    z, y = many_classes()
    fitted = IsotonicMap.fit(z, y)
    p = np.exp(z)
    each = np.column_stack(
        [
            IsotonicMap.fit(np.log(p[:, k] / (1 - p[:, k])), y == k).probability(np.log(p[:, k] / (1 - p[:, k])))
            for k in range(4)
        ]
    )
    assert np.allclose(fitted.probability(z), each / each.sum(axis=1, keepdims=True), atol=1e-9)
    assert np.allclose(fitted.probability(z).sum(axis=1), 1)


# all maps


@pytest.mark.parametrize("kind", MAPS)
def test_certain_models_have_a_finite_answer(kind):
    score = np.array([-np.inf, -1.0, 0.5, 2.0, np.inf, -np.inf, np.inf, 1.0])
    y = np.array([0, 0, 1, 0, 1, 1, 1, 0])
    fitted = kind.fit(score, y)
    p = fitted.probability([-np.inf, -3.0, 0.0, 3.0, np.inf])
    assert (np.diff(p) >= 0).all() and p[0] > 0 and p[-1] < 1
    unseen = kind.fit(score[1:4], y[1:4]).probability([-np.inf, np.inf])
    assert np.isfinite(unseen).all()
    z = log_of([[1, 0, 0], [0.5, 0.5, 0], [0.2, 0.3, 0.5], [0, 1, 0], [0.1, 0, 0.9], [0.6, 0.2, 0.2]])
    many = kind.fit(z, [0, 1, 2, 1, 0, 2])
    assert np.isfinite(many.log_posterior(z)).all()


@pytest.mark.parametrize("kind", MAPS)
def test_weights_count_rows(kind):
    z, y = many_classes(120, k=3)
    times = np.random.default_rng(1).integers(0, 3, 120)
    weighted = kind.fit(z, y, times).log_posterior(z)
    repeated = kind.fit(np.repeat(z, times, axis=0), np.repeat(y, times)).log_posterior(z)
    assert np.allclose(weighted, repeated, atol=1e-7)


@pytest.mark.parametrize("kind", [LogisticMap, BetaMap, TemperatureMap, UnchangedMap])
def test_weights_count_rows_in_what_rows_can_bear_out(kind):
    z, y = many_classes(60, k=3)
    sure, times = log_softmax(40 * z, axis=1), np.random.default_rng(1).integers(1, 9, 60)
    weighted = kind.fit(sure, y, times, prior=1.0)
    repeated = kind.fit(np.repeat(sure, times, axis=0), np.repeat(y, times), prior=1.0)
    assert weighted.floor == repeated.floor > sure.min()
    assert np.allclose(weighted.log_posterior(sure), repeated.log_posterior(sure), atol=1e-7)


@pytest.mark.parametrize("kind", MAPS)
def test_renaming_classes_renames_probabilities(kind):
    z, y = many_classes(200, k=3)
    names = np.array(["b", "c", "a"])[y]
    there = kind.fit(z[:, [2, 0, 1]], names).log_posterior(z[:, [2, 0, 1]])
    assert np.allclose(there, kind.fit(z, y).log_posterior(z)[:, [2, 0, 1]], atol=1e-6)


@pytest.mark.parametrize("kind", MAPS)
def test_scores_without_information_give_the_shares(kind):
    y = np.array([0] * 30 + [1] * 10)
    p = kind.fit(np.full(40, 2.0), y).probability([2.0, 5.0])
    # a temperature cannot turn a score around: one that speaks for the rarer class is not believed at all
    assert p[0] == pytest.approx(0.5 if kind is TemperatureMap else 0.25, abs=1e-6)


@pytest.mark.parametrize("kind", MAPS)
@pytest.mark.parametrize(
    ("score", "y", "word"),
    [
        ([0.1, np.nan], [0, 1], "row 1 is NaN"),
        ([0.1, 0.2], [1, 1], "1 class"),
        ([0.1, 0.2, 0.3], [0, 1, 2], "all 2"),
        ([[0.1, 0.2, 0.3]] * 2, [0, 1], "3 classes"),
        (np.zeros((2, 2, 2)), [0, 1], "shape"),
        (["a", "b"], [0, 1], "numbers"),
        ([0.1, 0.2], [0, None], "missing"),
        ([0.1, 0.2], [0, 1, 1], "inconsistent"),
        ([[-np.inf, -np.inf, -np.inf]] * 3, [0, 1, 2], "impossible"),
    ],
)
def test_bad_scores_are_refused_in_words(kind, score, y, word):
    with pytest.raises(InputError, match=word):
        kind.fit(score, y)


def test_what_was_learned_for_two_classes_is_not_asked_of_three():
    score, y = two_classes(50)
    for kind in MAPS:
        with pytest.raises(InputError, match="2 classes"):
            kind.fit(score, y).log_posterior(np.zeros((2, 3)))
    z, y = many_classes(60, k=3)
    with pytest.raises(InputError, match="two classes"):
        _ = LogisticMap.fit(z, y).coefficients
    with pytest.raises(InputError, match="two classes"):
        _ = BetaMap.fit(z, y).coefficients
    with pytest.raises(InputError, match="two classes"):
        GaussianScores.fit(z, y)
    with pytest.raises(InputError, match="do not vary"):
        GaussianScores.fit([1.0, 1.0, 2.0, 2.0], [0, 0, 1, 1])
    with pytest.raises(InputError, match="finite"):
        GaussianScores.fit([1.0, np.inf, 2.0, 2.5], [0, 0, 1, 1])
    with pytest.raises(InputError, match="smoothing"):
        IsotonicMap.fit([1.0, 2.0], [0, 1], smoothing="some")


# weights and extremes


@pytest.mark.parametrize("smoothing", ["ends", "all", None])
def test_the_unit_of_weights_does_not_matter_to_the_staircase(smoothing):
    rng = np.random.default_rng(0)
    score = rng.normal(size=60)
    y, weight = score + rng.normal(size=60) / 3 > 0, rng.uniform(0.5, 2, 60)
    plain = IsotonicMap.fit(score, y, weight, smoothing)
    assert len(plain.steps[0].share) > 3
    for unit in (1e-170, 1e-3, 1e3, 1e170):
        assert IsotonicMap.fit(score, y, weight * unit, smoothing).probability(score) == pytest.approx(
            plain.probability(score), abs=1e-12
        )
    equal = IsotonicMap.fit(score, y, np.full(60, 0.1), smoothing).probability(score)
    assert equal == pytest.approx(IsotonicMap.fit(score, y, None, smoothing).probability(score), abs=1e-12)


@pytest.mark.parametrize("unit", [1e-170, 1e170])
def test_cells_of_extreme_weights_are_those_of_their_ratios(unit):
    score, positive = np.arange(8.0), np.array([0, 1, 0, 0, 1, 0, 1, 1], dtype=bool)
    weight = np.linspace(1, 2, 8)
    assert pool(score, positive, weight * unit).share == pytest.approx(pool(score, positive, weight).share)


@pytest.mark.parametrize("kind", [LogisticMap, BetaMap, TemperatureMap])
def test_the_unit_of_weights_does_not_matter_to_softened_labels(kind):
    score, y, weight = np.array([-2.0, -1.0, 1.0, 2.0]), [0, 0, 1, 1], np.array([0.53, 1.51, 1.23, 0.37])
    plain = kind.fit(score, y, weight)
    assert plain.softened
    for unit in (1e-170, 1e-3, np.pi * 1e3, 1e170):
        assert kind.fit(score, y, weight * unit).probability(score) == pytest.approx(plain.probability(score))
    repeated = kind.fit(np.repeat(score, [1, 3, 2, 4]), np.repeat(y, [1, 3, 2, 4]))
    assert kind.fit(score, y, [1, 3, 2, 4]).probability(score) == pytest.approx(repeated.probability(score))


@pytest.mark.parametrize("kind", [LogisticMap, BetaMap, TemperatureMap])
@pytest.mark.parametrize("unit", [1e-320, 1e-308, 1e-280, 1e300])
def test_scores_of_any_size_have_a_finite_answer(kind, unit):
    score = np.array([-1.0, 1, 1, -1, 1]) * unit
    fitted = kind.fit(score, [0, 1, 0, 1, 1])
    assert np.isfinite(fitted.slope).all()
    p = fitted.probability([*score, -np.inf, 0.0, np.inf])
    assert ((p >= 0) & (p <= 1)).all()


@pytest.mark.parametrize("overlap", [1e-3, 1e-7, 1e-10])
def test_a_narrow_overlap_is_no_separation(overlap):
    score = np.r_[np.linspace(-3, -0.1, 40), overlap, -overlap, np.linspace(0.1, 3, 40)]
    y = np.repeat([0, 1], 41)
    fitted = LogisticMap.fit(score, y)
    p = fitted.probability(score)
    assert not fitted.softened
    assert p.sum() == pytest.approx(y.sum())
    assert np.abs(((y - p) * score).sum()) < 1e-9


@pytest.mark.parametrize("kind", [LogisticMap, BetaMap, TemperatureMap])
def test_posteriors_are_not_turned_around(kind):
    """Of noise a row left out is of the class that is rarer without it, so posteriors seem to point the wrong way."""
    z, y = many_classes(90, k=3)
    backwards = kind.fit(log_softmax(-z, axis=1), y, prior=1.0)
    assert np.allclose(backwards.slope, 0)
    assert np.allclose(np.exp(backwards.log_posterior(z)), 1 / 3, atol=0.1)


def test_log_odds_of_all_classes_are_made_at_once(monkeypatch):
    rng = np.random.default_rng(0)
    said = log_normalize(rng.normal(0, 30, (200, 12)))
    said[0] = np.where(np.arange(12) == 3, 0.0, -np.inf)
    said[1], said[2, :6] = -np.log(12), -np.inf
    said = log_normalize(said)
    expected = np.stack([log_odds(said, np.full(200, k)) for k in range(12)], axis=1)
    sums, counted = [], logspace.log_sum_exp
    monkeypatch.setattr(logspace, "log_sum_exp", lambda a, axis=-1: (sums.append(a.size), counted(a, axis))[1])
    assert np.allclose(all_log_odds(said), expected, rtol=1e-14, atol=1e-14)
    y = np.arange(200) % 12
    IsotonicMap.fit(said, y).log_posterior(said)
    assert sums == [said.size] * 3  # not once for every class


def test_staircases_of_very_many_classes_are_not_tried(monkeypatch):
    rng = np.random.default_rng(0)
    y = np.arange(360) % 60
    said = log_normalize(rng.normal(size=(360, 60)) + 3 * np.eye(60)[y])
    monkeypatch.setattr(IsotonicMap, "fit", None)
    assert best_map(said, y)[0] in ("none", "temperature", "logistic")


@pytest.mark.parametrize("softened", [False, True])
def test_one_slope_without_a_matrix_has_the_sums_of_the_matrix(softened):
    rng = np.random.default_rng(8)
    z, code, weight = np.asfortranarray(rng.normal(size=(90, 4))), np.arange(90) % 4, rng.uniform(0.5, 2.0, 90)
    target = np.where(np.eye(4) > 0, 0.85, 0.05) if softened else np.eye(4)
    aim = (target[code] * z).sum(axis=1)
    loss, gradient, hessian = sums_of_many(z, code, weight, np.full(4, 1.7), np.zeros(4), target)
    expected = (loss, gradient[:4].sum(), hessian[:4, :4].sum())
    assert np.allclose(sums_of_one_slope(z, aim, weight, 1.7), expected, rtol=1e-10)


def test_perfect_scores_of_many_classes_keep_their_slope():
    """Softened labels of 500 classes gave each of the others a part as large as the own class, and took matrices."""
    code = np.arange(600) % 200
    score = np.random.default_rng(9).normal(size=(600, 200))
    score[np.arange(600), code] = score.max(axis=1) + 5.0
    fitted = TemperatureMap.fit(log_normalize(score), code)
    assert fitted.softened and 0.5 < fitted.slope[0] < 1.5
