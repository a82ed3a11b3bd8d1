"""Intervals of calibrated probabilities: they hold how often rows come true, also where the model is wrong."""

import numpy as np
import pytest
from sklearn.linear_model import LogisticRegression
from sklearn.svm import LinearSVC

from likely import BayesClassifier, Calibrated, Decider, GaussianBayes, NaiveBayes, load, save
from likely.decisions.calibration.curve import CurveDraws
from likely.decisions.calibration.track_record import GROUPS, TrackRecord
from likely.errors import InputError, InputTypeError


def repeated(n, rng, shift=1.0):
    """Six features that all but repeat each other, and the true probability of the second class."""
    y = rng.integers(0, 2, n)
    x = rng.normal(size=(n, 1)) + shift * y[:, None] + 0.3 * rng.normal(size=(n, 6))
    return x, y, 1 / (1 + np.exp(-shift * (x.mean(axis=1) - shift / 2) / (1 + 0.09 / 6)))


def three(n, rng):
    y = rng.integers(0, 3, n)
    return rng.normal(size=(n, 1)) + y[:, None] + 0.3 * rng.normal(size=(n, 4)), y


def test_rows_that_naive_bayes_is_sure_of_come_true_as_often_as_the_interval_says():
    """Six copies of the same evidence: sure rows come true far less often than the parameters' interval says."""
    rng = np.random.default_rng(0)
    x, y, _ = repeated(600, rng)
    new, truth, _ = repeated(50_000, rng)
    model = Calibrated(NaiveBayes()).fit(x, y)
    sure = model.estimator_.predict_proba(new)[:, 1] > 0.95
    came_true = truth[sure].mean()
    assert came_true < 0.9
    some = new[sure][:200]
    assert came_true < model.estimator_.predict_interval(some)[:, 1, 0].mean() - 0.05  # it promised more
    ends = model.predict_interval(some, n_draws=400)[:, 1].mean(axis=0)
    assert ends[0] - 0.02 < came_true < ends[1] + 0.02  # one training set: see the next test for many


@pytest.mark.sample(1)
@pytest.mark.parametrize("heavy", [False, True])
def test_the_true_probability_is_held_under_a_wrong_model(heavy):
    rng = np.random.default_rng(3)
    held, rows = 0, 0
    for _ in range(8):
        x, y, _ = repeated(150, rng)
        new, _, p = repeated(5_000, rng)
        if heavy:
            x, new = np.sign(x) * np.abs(x) ** 1.5, np.sign(new) * np.abs(new) ** 1.5
        model = Calibrated(NaiveBayes()).fit(x, y)
        order = np.argsort(model.predict_proba(new)[:, 1])
        places = range(250, 5_000, 500)
        ends = model.predict_interval(new[order[places]], n_draws=200)[:, 1]
        for at, (low, high) in zip(places, ends, strict=True):
            near = order[at - 100 : at + 100]  # rows with answers nearest to this one's
            held, rows = held + (low <= p[near].mean() <= high), rows + 1
    assert held / rows > 0.85  # of 80, in 8 training sets; 0.95 on average


def test_it_takes_in_what_is_said_and_narrows_with_rows():
    rng = np.random.default_rng(1)
    new, _, _ = repeated(50, rng)
    width = []
    for n in (60, 6_000):
        x, y, _ = repeated(n, rng)
        for method in ("logistic", "isotonic", "temperature", "beta"):
            model = Calibrated(NaiveBayes(), method).fit(x, y)
            ends, said = model.predict_interval(new, n_draws=200), model.predict_proba(new)
            assert ends.shape == (50, 2, 2)
            assert ((ends[..., 0] <= said) & (said <= ends[..., 1])).all()
            assert ((ends >= 0) & (ends <= 1)).all()
            assert np.allclose(ends[:, 0, 0], 1 - ends[:, 1, 1])  # two classes are each other's rest
        width.append((ends[..., 1] - ends[..., 0]).mean())
    assert width[1] < width[0] / 3
    wider, same = model.predict_interval(new, 0.99), model.predict_interval(new, 0.99)
    assert (wider[..., 1] - wider[..., 0]).mean() > (ends[..., 1] - ends[..., 0]).mean()
    assert np.array_equal(wider, same)


def test_more_classes_and_another_prior():
    rng = np.random.default_rng(2)
    x, y = three(300, rng)
    new, truth = three(30_000, rng)
    model = Calibrated(GaussianBayes("diagonal")).fit(x, y)
    some = new[:60]
    said, ends = model.predict_proba(new), model.predict_interval(some, n_draws=200)
    for k in range(3):
        near = np.argsort(np.abs(said[:, k] - 0.5))[:2_000]
        own = model.predict_interval(new[near[:1]], n_draws=400)[0, k]
        assert own[0] <= (truth[near] == k).mean() <= own[1]
    prior = [0.8, 0.1, 0.1]
    shifted = model.predict_interval(some, n_draws=200, prior=prior)
    assert shifted[:, 0].mean() > ends[:, 0].mean()
    decided = Decider(model, prior=prior, cv="prefit", training_prior=model.class_prior_).fit(x, y)
    assert np.allclose(decided.predict_interval(some, n_draws=200), shifted)
    assert np.allclose(decided.predict_interval(some, n_draws=200, prior=model.class_prior_), ends)


def test_models_whose_parameters_are_not_known_have_the_curve_alone():
    rng = np.random.default_rng(4)
    x, y, _ = repeated(200, rng)
    for inner in (LogisticRegression(), LinearSVC(), BayesClassifier("gaussian")):
        hidden = np.where(np.arange(200) % 10 == 0, np.nan, y) if isinstance(inner, BayesClassifier) else y
        fitted = inner.fit(x, hidden)
        model = Calibrated(fitted, cv="prefit").fit(x, y)
        ends = model.predict_interval(x[:5], n_draws=200)
        assert ((ends[..., 0] >= 0) & (ends[..., 0] < ends[..., 1]) & (ends[..., 1] <= 1)).all()
    with pytest.raises(InputTypeError, match="around Calibrated"):
        Decider(LogisticRegression()).fit(x, y).predict_interval(x)
    with pytest.raises(InputError, match="n_draws"):
        model.predict_interval(x, n_draws=1)


def test_separated_constant_and_few_rows_have_an_answer():
    apart = Calibrated(NaiveBayes(), cv=2).fit([[0.0], [0.1], [9.0], [9.1]], [0, 0, 1, 1])
    low, high = apart.predict_interval([[9.0]], n_draws=100)[0, 1]
    assert low < 0.9 < high  # four rows promise little
    constant = Calibrated(NaiveBayes(), cv=2).fit(np.ones((40, 1)), np.arange(40) % 2)
    low, high = constant.predict_interval([[1.0]])[0, 1]
    assert 0.1 < low < 0.5 < high < 0.9
    far = apart.predict_interval([[1e300], [-1e300]], n_draws=100)
    assert np.isfinite(far).all()


def test_kept_in_the_file(tmp_path):
    x, y, _ = repeated(300, np.random.default_rng(5))
    model = Calibrated(NaiveBayes()).fit(x, y)
    save(model, tmp_path / "m.likely")
    assert np.array_equal(load(tmp_path / "m.likely").predict_interval(x[:9]), model.predict_interval(x[:9]))
    del model.record_
    with pytest.raises(InputError, match="fit it again"):
        model.predict_interval(x)


def test_records_add_up_and_weights_repeat_rows():
    rng = np.random.default_rng(6)
    said, codes = np.log(rng.dirichlet([1, 1, 1], 1_000)), rng.integers(0, 3, 1_000)
    whole = TrackRecord.of(said, codes)
    both = TrackRecord.of(said[:150], codes[:150]) + TrackRecord.of(said[150:], codes[150:])
    assert whole.said.shape == (3, GROUPS)
    assert whole.n == both.n == 1_000
    assert np.allclose(whole.true.sum(axis=1), np.bincount(codes))
    assert np.allclose(both.true.sum(axis=1), np.bincount(codes))
    assert np.allclose((whole.said * whole.rows).sum(axis=1), (both.said * both.rows).sum(axis=1))
    times = rng.integers(1, 4, 100)
    once = TrackRecord.of(said[:100], codes[:100], times.astype(float))
    assert once.n == times.sum()
    assert (np.diff(whole.said, axis=1) >= 0).all()


def test_the_curve_finds_a_departure_that_no_line_has():
    rng = np.random.default_rng(7)
    said = rng.normal(scale=2.0, size=20_000)
    truth = 1.5 * np.sin(said)
    record = TrackRecord.of(
        np.column_stack([-np.logaddexp(0, said), -np.logaddexp(0, -said)]),
        (rng.random(20_000) < 1 / (1 + np.exp(-truth))).astype(int),
    )
    curve = CurveDraws.of(record.said[1], record.rows[1], record.true[1], 400, rng)
    at = np.linspace(-3, 3, 13)
    low, high = np.quantile(curve.at(at), [0.005, 0.995], axis=1)
    assert (low - 0.1 < 1.5 * np.sin(at)).all()
    assert (1.5 * np.sin(at) < high + 0.1).all()
    assert (high - low).max() < 0.8


@pytest.mark.parametrize("around", [lambda model: model, Decider])
def test_one_class_has_come_true_every_time(around):
    with pytest.warns(UserWarning, match="only one class"):
        model = around(Calibrated(NaiveBayes())).fit(np.arange(12.0)[:, None], ["a"] * 12)
    assert model.predict_interval([[3.0], [50.0]]).tolist() == [[[1.0, 1.0]], [[1.0, 1.0]]]
