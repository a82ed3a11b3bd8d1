"""Calibrated and deciding models that go on learning: exact inside, the map kept, classes' shares followed."""

import numpy as np
import polars as pl
import pytest

from likely import Calibrated, Decider, NaiveBayes
from likely.decisions import forget_rows, learn_more, merge_models
from likely.decisions.calibration.need import calibrated_where_needed
from likely.errors import InputError, TierError
from likely.models.any_classifier.asking import Training
from likely.models.held_out.exact_or_refit import HeldOut


def rows(n, seed, share=0.5):
    """The same evidence five times: naive Bayes is far too sure."""
    rng = np.random.default_rng(seed)
    y = (rng.random(n) < share).astype(int)
    return np.repeat(rng.normal(y, 1.5)[:, None], 5, axis=1) + 0.1 * rng.normal(size=(n, 5)), y


def log_loss(model, X, y):
    return -model.predict_log_proba(X)[np.arange(len(y)), y].mean()


@pytest.mark.parametrize("method", ["logistic", "temperature", "beta", "isotonic"])
def test_the_model_inside_is_exact_and_the_old_one_untouched(method):
    (X, y), (more, labels) = rows(300, 0), rows(200, 1)
    model = Calibrated(NaiveBayes(), method).fit(X, y)
    before = model.predict_proba(more)
    taught = learn_more(model, more, labels)
    inside = NaiveBayes().fit(X, y).partial_fit(more, labels)
    assert np.array_equal(taught.estimator_.predict_proba(more), inside.predict_proba(more))
    assert np.array_equal(model.predict_proba(more), before)
    assert taught.record_.n == 500
    back = forget_rows(taught, more, labels)
    assert np.allclose(back.predict_proba(more), before, atol=1e-9)
    whole = Calibrated(NaiveBayes(), method).fit(np.vstack([X, more]), np.concatenate([y, labels]))
    new, truth = rows(5_000, 2)
    assert log_loss(taught, new, truth) < log_loss(whole, new, truth) + 0.02
    assert log_loss(taught, new, truth) < log_loss(inside, new, truth) - 0.1


def test_merged_maps_are_those_of_both():
    (X, y), (more, labels) = rows(400, 3), rows(200, 4)
    one, two = (Calibrated(NaiveBayes(), "logistic").fit(*each) for each in ((X, y), (more, labels)))
    merged = merge_models(one, two)
    inside = one.estimator_.merge(two.estimator_)
    new, truth = rows(5_000, 5)
    assert np.array_equal(merged.estimator_.predict_proba(new), inside.predict_proba(new))
    slopes = [each.map_.slope[0] for each in (one, two)]
    assert min(slopes) < merged.map_.slope[0] < max(slopes)
    assert merged.record_.n == 600
    assert log_loss(merged, new, truth) < log_loss(inside, new, truth) - 0.1
    half = merge_models(two.estimator_, one)  # one of them is not calibrated
    assert isinstance(half, Calibrated) and half.map_.slope[0] == one.map_.slope[0]


def test_the_shares_of_the_classes_are_followed():
    """More ill rows later: the calibrated probabilities move by their prior odds, although the map's slope is small."""
    (X, y), (more, labels) = rows(2_000, 6), rows(6_000, 7, share=0.9)
    model = Calibrated(NaiveBayes()).fit(X, y)
    taught = learn_more(model, more, labels)
    new, truth = rows(20_000, 8, share=(1_000 + 5_400) / 8_000)
    assert taught.predict_proba(new)[:, 1].mean() == pytest.approx(truth.mean(), abs=0.03)
    assert model.predict_proba(new)[:, 1].mean() < truth.mean() - 0.1
    given = Calibrated(NaiveBayes(class_prior="uniform")).fit(X, y)
    assert learn_more(given, more, labels).predict_proba(new)[:, 1].mean() == pytest.approx(truth.mean(), abs=0.03)


def test_new_classes_leave_the_map_behind_and_costs_are_not_guessed():
    X, y = rows(100, 9)
    model = Calibrated(NaiveBayes()).fit(X, y)
    with pytest.warns(UserWarning, match="the calibration knows others: it is left behind"):
        assert isinstance(learn_more(model, X[:3], [2, 2, 2]), NaiveBayes)
    decider = Decider(NaiveBayes(), costs=[[0, 1], [5, 0]], calibrate="logistic").fit(X, y)
    with pytest.warns(UserWarning), pytest.raises(InputError, match="costs and priors are of the old ones"):
        learn_more(decider, X[:3], [2, 2, 2])
    from sklearn.linear_model import LogisticRegression

    with pytest.raises(TierError, match="cannot learn more rows"):
        learn_more(Calibrated(LogisticRegression()).fit(X, y), X, y)


def test_deciders_go_on_with_their_costs():
    (X, y), (more, labels) = rows(300, 10), rows(300, 11, share=0.8)
    model = Decider(NaiveBayes(), costs=[[0, 1], [5, 0]]).fit(X, y)
    taught = learn_more(model, more, labels)
    assert isinstance(taught, Decider) and isinstance(taught.estimator_, Calibrated)
    assert taught.training_prior_[1] == pytest.approx(np.concatenate([y, labels]).mean())
    assert taught.decide(X).expected_cost.mean() > 0
    other = Decider(NaiveBayes(), costs=[[0, 1], [9, 0]]).fit(X, y)
    with pytest.raises(InputError, match="different costs"):
        merge_models(model, other)
    assert isinstance(merge_models(model, model), Decider)


def test_a_decider_calibrates_what_is_too_sure_and_leaves_what_is_right():
    X, y = rows(600, 12)
    model = Decider(NaiveBayes()).fit(X, y)
    assert isinstance(model.estimator_, Calibrated)
    new, truth = rows(5_000, 13)
    raw = Decider(NaiveBayes(), calibrate=None).fit(X, y)
    assert isinstance(raw.estimator_, NaiveBayes)
    for each, off in ((model, 0.03), (raw, 0.1)):
        said = each.decide(new)
        gap = (said.code != truth).mean() - said.expected_cost.mean()
        assert (abs(gap) < off) == (each is model)
    right = Decider(NaiveBayes()).fit(X[:, :1], y)
    assert isinstance(right.estimator_, NaiveBayes)  # one Gaussian column needs no map
    forced = Decider(NaiveBayes(), calibrate="beta").fit(X[:, :1], y)
    assert forced.estimator_.method == "beta"
    assert np.allclose(
        forced.predict_proba(new[:, :1]), Calibrated(NaiveBayes(), "beta").fit(X[:, :1], y).predict_proba(new[:, :1])
    )
    for options in ({"rule": "likelihood"}, {"training_prior": "uniform"}):
        assert isinstance(Decider(NaiveBayes(), **options).fit(X, y).estimator_, NaiveBayes)
    given = Decider(NaiveBayes(class_prior="uniform")).fit(X, y)
    assert isinstance(given.estimator_, NaiveBayes)
    with pytest.raises(InputError, match="unknown method='sure'"):
        Decider(NaiveBayes(), calibrate="sure").fit(X, y)
    frame = pl.DataFrame(X, ["a", "b", "c", "d", "e"]).with_columns(y=pl.Series(y))
    assert Decider(NaiveBayes()).fit(frame, "y").score(frame, "y") == model.score(X, y)


def test_where_nothing_can_be_said_nothing_is_done():
    X, y = rows(600, 14)
    for few in (slice(0, 12),):
        data = Training.of(X[few], y[few], None)
        assert calibrated_where_needed(NaiveBayes(), HeldOut(NaiveBayes().fit(X[few], y[few]), data), 5, None) is None
