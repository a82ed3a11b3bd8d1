"""Learning curves: without a refit equal to refitting, more rows are better, bands and optimism."""

import numpy as np
import polars as pl
import pytest
from scipy import stats
from sklearn.base import BaseEstimator, ClassifierMixin
from sklearn.datasets import load_wine
from sklearn.linear_model import RidgeClassifier
from sklearn.naive_bayes import GaussianNB
from sklearn.neighbors import KNeighborsClassifier

from likely import BayesClassifier, GaussianBayes, LikelyError, NaiveBayes
from likely.distributions import GaussianFamily, MixtureFamily
from likely.evaluation.resampling.learning_curve import learning_curve
from likely.intervals.proportions import proportion_interval

X, Y = load_wine(return_X_y=True)
RNG = np.random.default_rng(8)


@pytest.mark.parametrize("model", [NaiveBayes(), NaiveBayes("kde"), GaussianBayes("shared")], ids=repr)
@pytest.mark.parametrize("weighted", [False, True])
def test_growing_by_sums_equals_refitting(model, weighted):
    stages = RNG.integers(-1, 4, len(Y))
    weight = RNG.uniform(0.5, 2, len(Y)) if weighted else None
    got = model.growing_posteriors(X, Y, stages, sample_weight=weight)
    assert got.shape == (4, len(Y), 3)
    for stage in range(4):
        learned = (stages >= 0) & (stages <= stage)
        fitted = type(model)(**model.get_params(deep=False))
        fitted.fit(X[learned], Y[learned], sample_weight=None if weight is None else weight[learned])
        seen = stages <= stage
        assert np.abs(np.exp(got[stage, seen]) - fitted.predict_proba(X[seen])).max() < 1e-10
        assert np.isnan(got[stage, ~seen]).all()


def test_classes_and_levels_that_turn_up_later():
    frame = pl.DataFrame({"level": ["x", "y", "x", "z", "y", "x"], "number": [1.0, 2.0, 1.5, 9.0, 2.5, 1.2]})
    y = ["a", "b", "a", "c", "b", "a"]
    got = NaiveBayes().growing_posteriors(frame, y, [0, 0, 1, 1, -1, -1])
    assert np.isneginf(got[0, [4, 5], 2]).all()
    assert np.isfinite(got[1, [4, 5]]).all()
    expected = NaiveBayes().fit(frame[[0, 1]], ["a", "b"]).predict_proba(frame[[4, 5]])
    assert np.exp(got[0, [4, 5], :2]) == pytest.approx(expected)


@pytest.mark.parametrize("measure", ["accuracy", "log_loss", "roc_area"])
def test_both_ways_give_the_same_curve(measure):
    x = X[:, :3]
    exact = learning_curve(NaiveBayes(), x, Y, sizes=[30, 60, 100], repeats=3, scoring=measure)
    refit = learning_curve(GaussianNB(var_smoothing=0), x, Y, sizes=[30, 60, 100], repeats=3, scoring=measure)
    assert exact.scores == pytest.approx(refit.scores, abs=1e-8)
    assert exact.training_scores == pytest.approx(refit.training_scores, abs=1e-8)
    assert exact.sizes == refit.sizes == (30, 60, 100)
    assert (exact.withheld, exact.rows) == (59, 178)


def test_the_band_is_the_corrected_t():
    curve = learning_curve(NaiveBayes(), X[:, :3], Y, sizes=[20, 80], repeats=6, confidence=0.9)
    ratio = 59 / (178 - 59)
    for column, estimate in zip(curve.scores.T, curve.estimates, strict=True):
        half = stats.t.ppf(0.95, 5) * column.std(ddof=1) * np.sqrt(1 / 6 + ratio)
        assert estimate.value == pytest.approx(column.mean())
        assert estimate.low == pytest.approx(column.mean() - half)
        assert "splits" in estimate.method


def test_one_repeat_has_the_band_of_its_withheld_rows():
    curve = learning_curve(NaiveBayes(), X[:, :3], Y, sizes=[40, 100], repeats=1)
    assert curve.estimates[0].n == 59
    hits = round(curve.scores[0, 0] * 59)
    expected = proportion_interval(hits, 59)
    assert (curve.estimates[0].low, curve.estimates[0].high) == pytest.approx((expected.low, expected.high))
    loss = learning_curve(NaiveBayes(), X, Y, sizes=[100], repeats=1, scoring="brier").estimates[0]
    assert loss.method == "t (skewness corrected)" and 0 <= loss.low < loss.value < loss.high <= 2


@pytest.mark.parametrize("repeats", [1, 6])
def test_a_perfect_model_is_as_uncertain_as_its_rows(repeats):
    x = np.repeat([0.0, 50.0], 30)[:, None] + RNG.normal(size=(60, 1))
    curve = learning_curve(NaiveBayes(), x, x[:, 0] > 25, sizes=[40], repeats=repeats)
    assert (curve.scores == 1).all()
    judged = 20 if repeats == 1 else 60
    assert curve.estimates[0].high == 1
    assert proportion_interval(20, 20).low <= curve.estimates[0].low <= proportion_interval(judged, judged).low


@pytest.mark.parametrize("repeats", [1, 5])
def test_bands_are_about_other_groups(repeats):
    groups = np.repeat(np.arange(60), 20)
    hard = np.arange(60) % 4 == 0  # groups of which every row is wrong
    y = np.arange(1200) % 2
    x = np.where(hard[groups], 1 - y, y)[:, None] + 0.01 * RNG.normal(size=(1200, 1))
    rows = learning_curve(NaiveBayes(), x, y, sizes=[400], repeats=repeats).estimates[0]
    curve = learning_curve(NaiveBayes(), x, y, sizes=[400], repeats=repeats, groups=groups)
    whole = curve.estimates[0] if repeats == 1 else curve.over_rows[0]
    assert whole.width > 2 * rows.width
    assert curve.estimates[0].width >= whole.width
    assert "groups" in whole.method and 0.75 in whole


class Told(ClassifierMixin, BaseEstimator):
    """Says, quite sure, what the first column holds."""

    def fit(self, X, y, sample_weight=None):
        self.classes_ = np.unique(y)
        return self

    def predict_proba(self, X):
        return np.eye(len(self.classes_))[X[:, 0].astype(int)]

    def predict(self, X):
        return self.classes_[X[:, 0].astype(int)]


def test_rows_of_weight_0_do_not_count_also_where_they_lose_everything():
    wrong = np.arange(len(Y)) % 5 == 0
    table, weight = np.where(wrong, (Y + 1) % 3, Y)[:, None], np.where(wrong, 0.0, 1.0)
    for repeats in (1, 3):
        options = {"sizes": [100], "scoring": "log_loss", "repeats": repeats}
        curve = learning_curve(Told(), table, Y, sample_weight=weight, **options)
        assert (curve.scores == 0).all() and (curve.training_scores == 0).all()
        assert (curve.estimates[0].low, curve.estimates[0].value) == (0, 0)
        assert learning_curve(Told(), table, Y, **options).estimates[0].value == np.inf


def test_more_rows_help_and_close_the_gap():
    y = RNG.integers(0, 3, 900)
    x = RNG.normal(size=(900, 15)) + 0.5 * RNG.normal(size=(3, 15))[y]
    curve = learning_curve(GaussianBayes("shared"), x, y, sizes=[60, 150, 600], repeats=8, scoring="log_loss")
    means = [estimate.value for estimate in curve.estimates]
    assert means == sorted(means, reverse=True)
    gaps = [gap.value for gap in curve.optimism]  # training loss less withheld loss: negative, and shrinking
    assert gaps == sorted(gaps)
    assert gaps[0] < 5 * gaps[-1] < 0
    assert curve.optimism[0].high < 0


def test_nearest_neighbour_is_perfect_on_what_it_has_seen():
    curve = learning_curve(KNeighborsClassifier(1), X, Y, sizes=[20, 60], repeats=3)
    assert (curve.training_scores == 1).all()
    assert all(gap.value == pytest.approx(1 - e.value) for gap, e in zip(curve.optimism, curve.estimates, strict=True))


@pytest.mark.slow
def test_models_of_many_passes_are_refitted():
    model = BayesClassifier(MixtureFamily(GaussianFamily()), random_state=0)
    curve = learning_curve(model, X[:, :2], Y, sizes=[60, 110], repeats=2)
    assert curve.scores.shape == (2, 2)
    assert curve.scores.mean() > 0.6


def test_sizes():
    assert learning_curve(NaiveBayes(), X, Y, sizes=[0.25, 1.0], repeats=2).sizes == (30, 119)
    default = learning_curve(NaiveBayes(), X, Y, repeats=2).sizes
    assert default[0] == 10 and default[-1] == 119 and len(default) == 8
    assert learning_curve(NaiveBayes(), X, Y, sizes=[50, 20, 50], repeats=2).sizes == (20, 50)
    for sizes, match in (([0], "above 0"), ([200], "more than the 119"), ([10.5], "whole numbers"), ([], "above 0")):
        with pytest.raises(LikelyError, match=match):
            learning_curve(NaiveBayes(), X, Y, sizes=sizes)
    with pytest.raises(LikelyError, match="repeats"):
        learning_curve(NaiveBayes(), X, Y, repeats=0)
    with pytest.raises(LikelyError, match="between 0 and 1"):
        learning_curve(NaiveBayes(), X, Y, withheld=1.2)
    with pytest.raises(LikelyError, match="a stage 0, 1"):
        NaiveBayes().growing_posteriors(X, Y, [0, 1])


def test_frames_weights_groups_and_models_without_probabilities():
    frame = pl.DataFrame({f"c{j}": X[:, j] for j in range(4)}).with_columns(wine=pl.Series(np.array(list("abc"))[Y]))
    groups = np.arange(len(Y)) // 2
    weight = RNG.uniform(0.5, 2, len(Y))
    exact = learning_curve(NaiveBayes(), frame, "wine", sizes=[50, 90], repeats=2, groups=groups, sample_weight=weight)
    refit = learning_curve(
        GaussianNB(var_smoothing=0), X[:, :4], Y, sizes=[50, 90], repeats=2, groups=groups, sample_weight=weight
    )
    assert exact.scores == pytest.approx(refit.scores)
    assert learning_curve(RidgeClassifier(), X, Y, sizes=[100], repeats=2).scores.min() > 0.8


def test_text_and_frame():
    curve = learning_curve(NaiveBayes(), X, Y, sizes=[20, 100], repeats=4)
    frame = curve.frame()
    assert frame["size"].to_list() == [20, 100]
    assert frame["value"].to_numpy() == pytest.approx(curve.scores.mean(axis=0))
    assert frame["training"].to_numpy() == pytest.approx(curve.training_scores.mean(axis=0))
    assert frame["optimism"].to_numpy() == pytest.approx((curve.training_scores - curve.scores).mean(axis=0))
    assert "59 of 178 rows withheld, 4 times" in str(curve)
    assert f"{curve.scores[:, 1].mean():.3f}" in str(curve)
