"""Answers of several classes that repeat are off the curve of one class, and intervals hold by how much."""

import numpy as np
import pytest
from scipy.special import expit

from likely import Calibrated, GaussianBayes, NaiveBayes, Pool, load, save
from likely.decisions import learn_more
from likely.decisions.calibration.uncertainty.answers import about, variance_of_answers
from likely.decisions.calibration.uncertainty.interval import CurvesOfClasses
from likely.decisions.calibration.uncertainty.single_fit import NONE
from likely.decisions.calibration.uncertainty.track_record import TrackRecord

SHARES = np.array([0.4, 0.25, 0.2, 0.1, 0.05])
LEVELS = np.random.default_rng(7).dirichlet(np.full(4, 1.2), (5, 5))  # (class, column, level)


def of_levels(n, rng):
    y = rng.choice(5, n, p=SHARES)
    return (rng.random((n, 5, 1)) > LEVELS[y].cumsum(axis=2)).sum(axis=2).astype(float), y


def said(n, deviation, rng, answers=40):
    """Log posteriors of three classes with so many answers, and classes whose log-odds are off by this much."""
    log_posterior = np.log(rng.dirichlet(np.full(3, 2.0), answers))
    true = np.exp(log_posterior + deviation * rng.normal(size=log_posterior.shape))
    true /= true.sum(axis=1, keepdims=True)
    which = rng.integers(0, answers, n)
    codes = (rng.random((n, 1)) > true[which].cumsum(axis=1)).sum(axis=1)
    return log_posterior[which], np.minimum(codes, 2)


def test_how_far_answers_are_off_is_found_where_they_repeat():
    rng = np.random.default_rng(0)
    fold = np.arange(2_000) % 5
    right = [variance_of_answers(*said(2_000, 0.0, rng), fold) for _ in range(10)]
    off = [variance_of_answers(*said(2_000, 1.0, rng), fold) for _ in range(10)]
    assert abs(np.mean([each.variance for each in right])) < 0.1
    assert all(each.variance > each.error + 0.2 for each in off)
    assert variance_of_answers(*said(2_000, 1.0, rng, answers=2_000), np.arange(2_000)) == NONE  # single rows
    continuous = np.log(rng.dirichlet(np.full(3, 2.0), 2_000))
    assert variance_of_answers(continuous, rng.integers(0, 3, 2_000), fold) == NONE
    two = np.log(np.repeat([[0.2, 0.8], [0.7, 0.3]], 50, axis=0))
    assert variance_of_answers(two, np.arange(100) % 2, None) == NONE


def test_what_comes_true_on_average_stays_that_of_the_curve():
    rng = np.random.default_rng(1)
    for odds in (-4.0, -1.0, 0.0, 2.0):
        for deviation in (0.5, 1.5):
            drawn = about(
                np.full((1, 200_000), odds), np.full(200_000, deviation), deviation * rng.normal(size=200_000)
            )
            assert expit(drawn).mean() == pytest.approx(expit(odds), rel=0.2)


def test_intervals_of_five_classes_hold_more_of_the_chances_of_their_answers():
    held, without = [], []
    for seed in range(3):
        rng = np.random.default_rng(seed)
        x, y = of_levels(500, rng)
        model = Calibrated(NaiveBayes(), "logistic").fit(x, y)
        asked, _ = of_levels(200, rng)
        truth = SHARES * np.prod([LEVELS[:, j, asked[:, j].astype(int)].T for j in range(5)], axis=0)
        truth /= truth.sum(axis=1, keepdims=True)
        for found in (held, without):
            ends = model.predict_interval(asked, n_draws=200)
            found.append((ends[..., 0] <= truth) & (truth <= ends[..., 1]))
            model._become({"record_": model.record_.with_answers(NONE)})
    assert np.mean(held) > np.mean(without) + 0.1


def test_two_classes_and_columns_of_numbers_have_nothing_to_hold():
    rng = np.random.default_rng(2)
    y = rng.integers(0, 3, 300)
    x = rng.normal(size=(300, 2)) + y[:, None]
    assert Calibrated(NaiveBayes()).fit(x, y).record_.apart == NONE
    assert Pool([NaiveBayes(), GaussianBayes("shared")]).fit(x, y).record_.apart == NONE
    levels, classes = of_levels(300, rng)
    assert Calibrated(NaiveBayes()).fit(levels, classes > 0).record_.apart == NONE


def test_it_is_kept_with_the_record(tmp_path):
    rng = np.random.default_rng(3)
    x, y = of_levels(500, rng)
    model = Calibrated(NaiveBayes(), "temperature").fit(x, y)
    apart = model.record_.apart
    save(model, tmp_path / "model.likely")
    again = load(tmp_path / "model.likely")
    assert again.record_.apart == apart and apart.variance > 0
    assert np.array_equal(again.predict_interval(x[:3]), model.predict_interval(x[:3]))
    assert learn_more(model, x[:50], y[:50]).record_.apart == apart
    assert (model.record_ + TrackRecord.of(np.log([[0.2, 0.3, 0.1, 0.2, 0.2]]), np.array([0]))).apart == apart


def test_an_answer_may_be_far_from_what_comes_true_on_average():
    rng = np.random.default_rng(4)
    log_posterior, codes = said(3_000, 1.5, rng)
    record = TrackRecord.of(log_posterior, codes, None, np.arange(3_000) % 5)
    wide, narrow = (
        CurvesOfClasses(each, 500, 0, None).ends(log_posterior[:20], log_posterior[:20], 0.95)
        for each in (record, record.with_answers(NONE))
    )
    assert np.all(np.ptp(wide, axis=-1) > np.ptp(narrow, axis=-1))
