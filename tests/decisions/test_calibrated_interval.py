"""Intervals of calibrated probabilities: they hold how often rows come true, also where the model is wrong."""

import numpy as np
import pytest
from sklearn.linear_model import LogisticRegression
from sklearn.svm import LinearSVC

from likely import (
    BayesClassifier,
    Calibrated,
    Decider,
    DecisionTree,
    GaussianBayes,
    NaiveBayes,
    Pool,
    load,
    save,
)
from likely.decisions.calibration.uncertainty.curve import CurveDraws
from likely.decisions.calibration.uncertainty.interval import CurvesOfClasses
from likely.decisions.calibration.uncertainty.single_fit import UNKNOWN
from likely.decisions.calibration.uncertainty.track_record import GROUPS, TrackRecord
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


def none_of(rows, tail=0.025):
    """The largest chance under which none of so many rows has a probability of `tail`."""
    return 1 - tail ** (1 / rows)


def apart(n, rng, classes=2):
    """Classes so far apart that no row is on the wrong side."""
    y = np.arange(n) % classes
    return 20.0 * y[:, None] + rng.normal(size=(n, 2)), y


@pytest.mark.parametrize("classes", [2, 3])
@pytest.mark.parametrize(
    "made",
    [
        lambda: Calibrated(GaussianBayes("shared")),
        lambda: Calibrated(DecisionTree()),
        lambda: Pool([NaiveBayes(), GaussianBayes("shared")]),
    ],
    ids=["parameters", "tree", "pool"],
)
def test_no_end_is_surer_than_so_many_rows_can_show(made, classes):
    x, y = apart(90, np.random.default_rng(8), classes)
    ends = made().fit(x, y).predict_interval(x, n_draws=200)
    limit = none_of(90)
    assert (ends[..., 1] >= limit - 1e-12).all()
    assert (ends[..., 0] <= 1 - limit + 1e-12).all()
    own = ends[np.arange(90), y]
    assert (own[:, 1] == 1.0).all()  # no row speaks against certainty
    assert np.median(own[:, 0]) > 0.9  # and the limit is not wide
    assert (ends[..., 0].min(axis=1) == 0.0).all()


def test_the_limit_is_of_the_effective_rows_and_moves_with_the_prior_and_the_confidence():
    rng = np.random.default_rng(9)
    x, y = apart(80, rng)
    weight = np.where(np.arange(80) < 40, 0.9, 0.1)
    model = Calibrated(GaussianBayes("shared")).fit(x, y, sample_weight=weight)
    rows = weight.sum() ** 2 / np.square(weight).sum()
    assert np.isclose(model.record_.n, rows)
    low = model.predict_interval(x[:2], n_draws=200)[:, 1]
    assert low[0, 1] >= none_of(rows) - 1e-12 > none_of(80)
    surer = model.predict_interval(x[:2], 0.99)[:, 1]
    assert surer[0, 1] >= none_of(rows, 0.005) - 1e-12
    odds = none_of(rows) / (1 - none_of(rows)) * 4 * model.class_prior_[0] / model.class_prior_[1]
    moved = model.predict_interval(x[:2], n_draws=200, prior=[0.2, 0.8])[:, 1]
    assert moved[0, 1] >= odds / (1 + odds) - 1e-12


def test_a_record_of_counterexamples_keeps_the_near_end_from_certainty():
    said = np.log([[0.99, 0.01], [0.9, 0.1], [0.8, 0.2], [0.3, 0.7], [0.1, 0.9]] * 20)
    codes = np.array([0, 1, 0, 1, 1] * 20)
    curves = CurvesOfClasses(TrackRecord.of(said, codes), 400, 0, None)
    ends = curves.ends(said[:5], said[:5], 0.95)[:, 1]
    assert ends[0, 0] == 0.0  # none of 20 rows that were said to be at 0.01 came true
    assert (ends[1:3, 0] > 0).all()  # as sure a row as these came true
    assert ends[4, 1] == ends[3, 1] == 1.0
    assert ends[2, 1] < 1.0


@pytest.mark.sample(1)
def test_far_ends_hold_where_rows_that_were_learned_from_show_no_mistake():
    """Two normal classes of which one row in 40 is on the wrong side: some samples of 100 rows show none of them."""
    rng, held, rows = np.random.default_rng(10), 0, 0
    for _ in range(15):
        y = rng.integers(0, 2, 100)
        x = rng.normal(size=(100, 2)) + np.outer(y, [4.0, 0.0])
        new = rng.normal(size=(5_000, 2)) + np.outer(rng.integers(0, 2, 5_000), [4.0, 0.0])
        p = 1 / (1 + np.exp(-4 * (new[:, 0] - 2)))
        model = Calibrated(GaussianBayes("shared"), random_state=0).fit(x, y)
        order = np.argsort(model.predict_proba(new)[:, 1])
        places = range(100, 5_000, 400)
        ends = model.predict_interval(new[order[places]], n_draws=200)[:, 1]
        for at, (low, high) in zip(places, ends, strict=True):
            near = order[at - 30 : at + 30]
            held, rows = held + (low <= p[near].mean() <= high), rows + 1
    assert held / rows > 0.93


def test_the_record_of_a_staircase_is_of_rows_that_it_had_not_seen():
    rng = np.random.default_rng(12)
    x, y = rng.normal(size=(800, 1)), rng.integers(0, 3, 800)
    fitted = NaiveBayes().fit(x[400:], y[400:])
    for inner, cv in ((NaiveBayes(), 5), (NaiveBayes(), 20), (fitted, "prefit")):
        record = Calibrated(inner, "isotonic", cv=cv).fit(x[:400], y[:400]).record_
        said = 1 / (1 + np.exp(-record.said))
        gain = record.true * np.log(said) + (record.rows - record.true) * np.log(1 - said)
        share = record.true.sum(axis=1) / record.n
        alone = record.n * (share * np.log(share) + (1 - share) * np.log(1 - share))
        assert gain.sum() < alone.sum()  # of rows that it learned from it says more than their shares
        assert record.variance > 0
    apart = NaiveBayes().fit([[0.0], [0.1], [9.0], [9.1]], [0, 0, 1, 1])
    few = Calibrated(apart, "isotonic", cv="prefit").fit([[0.0], [0.1], [9.0]], [0, 0, 1])
    assert few.record_.fits == UNKNOWN
    assert np.isfinite(few.predict_interval([[9.0]], n_draws=100)).all()
