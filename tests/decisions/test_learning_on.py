"""Calibrated and deciding models that go on learning: exact inside, the map learned again, classes' shares followed."""

from dataclasses import replace

import numpy as np
import polars as pl
import pytest
from sklearn.naive_bayes import GaussianNB

from likely import Calibrated, Decider, LeastSquaresClassifier, NaiveBayes
from likely.decisions import forget_rows, learn_more, merge_models
from likely.errors import InputError, TierError
from likely.models.any_classifier.asking import Training, fitted_clone
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


@pytest.mark.parametrize("order", [1, -1])
def test_the_map_of_the_model_that_knows_all_classes_serves_both(order):
    """Whichever comes first; where neither knows all, both maps are left behind, and it is said."""
    X, y = rows(300, 12)
    whole = Calibrated(NaiveBayes()).fit(X, y)
    with pytest.warns(UserWarning, match="only one class"):
        single = Calibrated(NaiveBayes()).fit(X[y == 1], y[y == 1])
    merged = merge_models(*[whole, single][::order])
    assert isinstance(merged, Calibrated) and np.array_equal(merged.map_.slope, whole.map_.slope)
    assert merged.estimator_.class_count_.tolist() == [(y == 0).sum(), 2 * (y == 1).sum()]
    with pytest.warns(UserWarning, match="left behind, and probabilities are those of the model inside"):
        other = merge_models(*[whole, Calibrated(NaiveBayes()).fit(X, y + 1)][::order])
    assert isinstance(other, NaiveBayes) and other.classes_.tolist() == [0, 1, 2]


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
    with pytest.raises(InputError, match="unknown method='sure'"):
        Decider(NaiveBayes(), calibrate="sure").fit(X, y)
    frame = pl.DataFrame(X, ["a", "b", "c", "d", "e"]).with_columns(y=pl.Series(y))
    assert Decider(NaiveBayes()).fit(frame, "y").score(frame, "y") == model.score(X, y)


@pytest.mark.parametrize("rare", [1, 7])
def test_a_class_of_few_rows_does_not_keep_the_others_from_their_map(rare):
    X, y = rows(600, 14)
    X, y = np.vstack([X, 3 + np.arange(5.0 * rare).reshape(rare, 5)]), np.append(y, np.full(rare, 2))
    model = Decider(NaiveBayes()).fit(X, y)
    assert model.estimator_.method == "temperature" and model.estimator_.map_.slope[0] < 0.5
    new, truth = rows(5_000, 13)
    assert log_loss(model, new, truth) < log_loss(Decider(NaiveBayes(), calibrate=None).fit(X, y), new, truth) - 0.1
    few = Decider(NaiveBayes()).fit(X[:16], y[:16])
    assert isinstance(few.estimator_, Calibrated)


@pytest.mark.parametrize(
    "model, options, why",
    [
        (NaiveBayes(), {"training_prior": "uniform"}, "training_prior="),
        (NaiveBayes(class_prior="uniform"), {}, "class_prior="),
        (NaiveBayes(), {"cv": "prefit"}, "prefit"),
        (Decider(NaiveBayes(), calibrate=None), {}, "calibrate='logistic'"),
        (GaussianNB(), {}, "calibrate='logistic'"),
    ],
)
def test_probabilities_that_are_off_and_stay_so_are_spoken_of_once(model, options, why):
    X, y = rows(600, 12)
    model = model.fit(X, y) if options.get("cv") == "prefit" else model
    with pytest.warns(UserWarning) as said:
        decider = Decider(model, **options).fit(X, y)
    assert type(decider.estimator_) is type(model)
    (warning,) = said
    assert "too sure" in str(warning.message) and why in str(warning.message) and warning.filename == __file__


def test_a_method_that_is_asked_for_is_learned_on_the_rows_given_to_a_fitted_model_too():
    (X, y), (more, labels) = rows(600, 12), rows(600, 15)
    fitted = NaiveBayes().fit(X, y)
    model = Decider(fitted, cv="prefit", calibrate="temperature").fit(more, labels)
    own = Calibrated(fitted, "temperature", cv="prefit").fit(more, labels)
    assert np.allclose(model.predict_proba(X), own.predict_proba(X), rtol=0, atol=1e-9)


def test_where_nothing_can_be_seen_it_is_said():
    X, y = rows(600, 14)
    two = [np.flatnonzero(y == 0)[0], np.flatnonzero(y == 1)[0]]
    with pytest.warns(UserWarning, match="could not be seen"):
        Decider(NaiveBayes()).fit(X[two], y[two])


def test_the_map_is_learned_again_from_rows_as_they_were_judged_before_they_were_learned():
    """The columns repeat each other in the first rows alone: the slope that suits them is far too small later."""
    X, y = rows(400, 20)
    rng = np.random.default_rng(21)
    labels = rng.integers(0, 2, 4_000)
    more = rng.normal(labels[:, None], 1.5, size=(4_000, 5))  # five times new evidence
    model = Calibrated(NaiveBayes(), "temperature").fit(X, y)
    taught = learn_more(model, more, labels)
    assert taught.kept_.n == 4_400 and taught.map_.slope[0] > 2 * model.map_.slope[0]
    found = taught.estimator_.predict_log_proba(more)
    kept = taught.map_.log_posterior(found)[np.arange(4_000), labels]
    old = model.map_.log_posterior(found)[np.arange(4_000), labels]
    assert kept.mean() > old.mean() + 0.02


@pytest.mark.parametrize("inner", [NaiveBayes(), LeastSquaresClassifier()])
def test_parts_in_any_order_merged_or_learned_keep_the_same_rows_and_forget_them(inner):
    (X, y), (more, labels) = rows(6_000, 22), rows(6_000, 23)
    one, two = (Calibrated(inner, "logistic").fit(*each) for each in ((X, y), (more, labels)))
    merged = [merge_models(one, two), merge_models(two, one)]
    taught = learn_more(one, more, labels)
    for each in merged:
        assert np.array_equal(each.kept_.mark, taught.kept_.mark) and each.kept_.n == 12_000
        assert len(each.kept_.mark) <= 8_192 and np.array_equal(each.kept_.code, taught.kept_.code)
    assert np.allclose(merged[0].map_.slope, merged[1].map_.slope, atol=1e-12)
    left = forget_rows(merged[0], more, labels)
    assert np.isin(left.kept_.mark, one.kept_.mark).all() and left.kept_.n == 6_000
    assert left.kept_.weight.sum() == pytest.approx(6_000 * left.kept_.below, rel=0.05)


def test_equal_rows_are_one_score_and_leave_one_by_one():
    X, y = np.repeat([[0.0], [1.0], [2.0]], 20, axis=0), np.tile([0, 1, 1, 0, 0, 1], 10)
    model = Calibrated(NaiveBayes(), "temperature").fit(X, y)
    assert len(model.kept_.mark) == 6 and model.kept_.n == 60
    less = forget_rows(model, X[:3], y[:3])
    assert less.kept_.n == less.kept_.weight.sum() == 57
    assert learn_more(less, X[:3], y[:3]).kept_.weight.tolist() == model.kept_.weight.tolist()


def test_a_map_learned_from_a_table_in_parts_keeps_scores_too():
    """As a study fits what it keeps: encoded once. Of some rows alone it does not know the cells, and keeps none."""
    X, y = rows(200, 4)
    training = Training.of(X, y, None)
    table = HeldOut(NaiveBayes(), training).table
    model = fitted_clone(Calibrated(NaiveBayes()), replace(training, X=table))
    direct = Calibrated(NaiveBayes()).fit(X, y)
    assert np.array_equal(model.kept_.mark, direct.kept_.mark) and model.kept_.n == direct.kept_.n == 200
    assert forget_rows(model, X[:20], y[:20]).kept_.n == 180
    some = np.arange(150)
    part = replace(training.taken(some), X=table.at(some))
    assert not hasattr(fitted_clone(Calibrated(NaiveBayes()), part), "kept_")
