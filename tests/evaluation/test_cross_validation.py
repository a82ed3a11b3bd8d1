"""Cross-validation of any classifier, against scikit-learn's on the same folds."""

import io
import sys

import numpy as np
import pandas as pd
import polars as pl
import pytest
from scipy import sparse, stats
from sklearn.base import BaseEstimator, ClassifierMixin
from sklearn.compose import ColumnTransformer
from sklearn.datasets import load_breast_cancer, load_wine
from sklearn.discriminant_analysis import LinearDiscriminantAnalysis
from sklearn.feature_extraction.text import CountVectorizer
from sklearn.linear_model import LogisticRegression, RidgeClassifier
from sklearn.metrics import balanced_accuracy_score, brier_score_loss, f1_score, log_loss, roc_auc_score
from sklearn.model_selection import PredefinedSplit, cross_val_predict, cross_val_score
from sklearn.naive_bayes import GaussianNB, MultinomialNB
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import OneHotEncoder, StandardScaler
from sklearn.svm import SVC

from likely import GaussianBayes, LikelyError, NaiveBayes
from likely.engines import progress as bars
from likely.evaluation.measures.criteria import Criterion, criterion
from likely.evaluation.resampling.cross_validation import cross_validate
from likely.evaluation.said import Said
from likely.intervals.resampled import corrected_t_interval, fold_spread
from likely.models.held_out.folds import make_folds

X, Y = load_wine(return_X_y=True)
RNG = np.random.default_rng(5)
FOLDS = make_folds(Y, 5, random_state=1)
SAME = PredefinedSplit(FOLDS)


@pytest.mark.parametrize(
    "ours, theirs",
    [
        (NaiveBayes(), GaussianNB(var_smoothing=0)),
        (GaussianBayes("shared"), LinearDiscriminantAnalysis(solver="lsqr")),
    ],
    ids=["naive", "shared"],
)
@pytest.mark.parametrize("measure, scoring", [("accuracy", "accuracy"), ("log_loss", "neg_log_loss")])
def test_scores_without_a_refit_equal_those_of_scikit_learn(ours, theirs, measure, scoring):
    result = cross_validate(ours, X, Y, cv=FOLDS)
    expected = cross_val_score(theirs, X, Y, cv=SAME, scoring=scoring)
    assert not result.refitted
    assert np.abs(result.scores(measure)[0]) == pytest.approx(np.abs(expected), abs=1e-9)


@pytest.mark.sample(1)
@pytest.mark.parametrize("scoring", ["accuracy", "balanced_accuracy", "roc_auc_ovr", "f1_macro"])
def test_refitted_pipelines_score_as_in_scikit_learn(scoring):
    model = make_pipeline(StandardScaler(), LogisticRegression())
    ours = {"roc_auc_ovr": "roc_area", "f1_macro": "F1", "balanced_accuracy": "recall"}.get(scoring, scoring)
    result = cross_validate(model, X, Y, cv=FOLDS)
    assert result.refitted
    assert result.scores(ours)[0] == pytest.approx(cross_val_score(model, X, Y, cv=SAME, scoring=scoring), abs=1e-12)
    expected = cross_val_predict(model, X, Y, cv=SAME, method="predict_proba")
    assert np.abs(result.posterior[0] - expected).max() < 1e-12


def test_measures_of_two_classes():
    x, y = load_breast_cancer(return_X_y=True)
    result = cross_validate(NaiveBayes(), x[:, :4], y, cv=4)
    fold = result.folds[0] == 2
    p, truth = result.posterior[0, fold, 1], y[fold]
    assert result.scores("balanced accuracy")[0, 2] == pytest.approx(balanced_accuracy_score(truth, p > 0.5))
    assert result.scores("F1")[0, 2] == pytest.approx(f1_score(truth, p > 0.5))
    assert result.scores("brier")[0, 2] == pytest.approx(brier_score_loss(truth, p))
    assert result.scores("log-loss")[0, 2] == pytest.approx(log_loss(truth, p))
    assert result.scores("roc_area")[0, 2] == pytest.approx(roc_auc_score(truth, p))
    assert result.scores("error") == pytest.approx(1 - result.scores("accuracy"))


def test_own_measures():
    result = cross_validate(NaiveBayes(), X, Y, cv=FOLDS)

    def cost(y, posterior):
        return 1.0 - posterior[np.arange(len(y)), y]

    rows = 1 - result.posterior[0, np.arange(len(Y)), Y]
    assert result.row_scores(cost)[0] == pytest.approx(rows)
    assert result.scores(cost)[0, 1] == pytest.approx(rows[FOLDS == 1].mean())
    assert result.scores(log_loss) == pytest.approx(result.scores("log_loss"))
    ready = Criterion("doubt", False, rows=lambda said: 1 - np.exp(said.log_posterior.max(axis=1)))
    assert result.scores(ready)[0, 0] == pytest.approx((1 - result.posterior[0].max(axis=1))[FOLDS == 0].mean())
    with pytest.raises(LikelyError, match="no value for each row"):
        result.row_scores(log_loss)
    with pytest.raises(LikelyError, match="not a mean over rows"):
        result.row_scores("roc_area")
    with pytest.raises(LikelyError, match="did you mean 'accuracy'"):
        result.scores("acuracy")


def test_predict_decides_what_was_said_even_against_the_probabilities():
    class Contrary(GaussianNB):
        def predict(self, X):
            return self.classes_[super().predict_proba(X).argmin(axis=1)]

    result = cross_validate(Contrary(), X, Y, cv=FOLDS)
    assert result.scores()[0] == pytest.approx(cross_val_score(Contrary(), X, Y, cv=SAME))
    assert result.scores().mean() < 0.2


@pytest.mark.parametrize("model", [RidgeClassifier(), SVC()], ids=repr)
def test_a_model_without_probabilities_has_an_accuracy_only(model):
    result = cross_validate(model, X, Y, cv=FOLDS)
    assert result.scores()[0] == pytest.approx(cross_val_score(model, X, Y, cv=SAME))
    assert np.array_equal(result.predictions[0], cross_val_predict(model, X, Y, cv=SAME))
    assert "accuracy" in str(result) and "log_loss" not in str(result)
    with pytest.raises(LikelyError, match="no predict_proba"):
        result.scores("log_loss")
    with pytest.raises(LikelyError, match="no predict_proba"):
        result.posterior


def test_rejected_rows_are_not_right_and_have_no_class():
    class Shy(GaussianNB):
        def predict(self, X):
            said = super().predict(X).astype(object)
            said[super().predict_proba(X).max(axis=1) < 0.9] = None
            return said

    result = cross_validate(Shy(), X, Y, cv=FOLDS)
    sure = result.posterior[0].max(axis=1) >= 0.9
    assert not sure.all()
    assert [said is None for said in result.predictions[0]] == (~sure).tolist()
    expected = (result.posterior[0].argmax(axis=1) == Y) & sure
    assert np.array_equal(result.row_scores()[0], expected.astype(float))


def test_tables_of_every_kind_give_the_same_folds_and_scores():
    names = np.array(["barbera", "barolo", "grignolino"])[Y]
    expected = cross_validate(NaiveBayes(), X, names, cv=4, random_state=3)
    frame = pd.DataFrame(X, columns=[f"c{j}" for j in range(X.shape[1])])
    for table in (frame, pl.from_pandas(frame), X.tolist(), frame.to_dict("list")):
        result = cross_validate(NaiveBayes(), table, names.tolist(), cv=4, random_state=3)
        assert np.array_equal(result.folds, expected.folds)
        assert np.abs(result.posterior - expected.posterior).max() < 1e-12
    for table in (frame.assign(wine=names), pl.from_pandas(frame).with_columns(wine=pl.Series(names))):
        for model in (NaiveBayes(), GaussianNB()):
            result = cross_validate(model, table, "wine", cv=4, random_state=3)
            assert result.classes.tolist() == ["barbera", "barolo", "grignolino"]
            assert result.scores("accuracy").mean() > 0.9
    assert set(expected.predictions.ravel()) <= set(names)


def test_columns_of_a_frame_are_encoded_inside_the_folds():
    n = 120
    y = RNG.choice(["no", "yes"], n)
    frame = pd.DataFrame(
        {
            "size": RNG.normal(size=n) + (y == "yes"),
            "place": RNG.choice(list("abcdefgh"), n),
            "spare": RNG.normal(size=n),
        }
    )
    steps = ColumnTransformer(
        [("number", StandardScaler(), ["size", "spare"]), ("level", OneHotEncoder(handle_unknown="ignore"), ["place"])]
    )
    model = make_pipeline(steps, LogisticRegression())
    result = cross_validate(model, frame, y, cv=6)
    expected = cross_val_predict(model, frame, y, cv=PredefinedSplit(result.folds[0]), method="predict_proba")
    assert np.abs(result.posterior[0] - expected).max() < 1e-12
    assert not hasattr(steps, "transformers_")  # the user's own object is left alone


def test_texts_and_sparse_matrices():
    texts = [f"good {w} day" if i % 2 else f"bad {w} night" for i, w in enumerate(["sun", "rain", "snow", "fog"] * 6)]
    y = np.arange(24) % 2
    model = make_pipeline(CountVectorizer(), MultinomialNB())
    for X_ in (texts, pd.Series(texts), np.array(texts)):
        assert cross_validate(model, X_, y, cv=4).scores().mean() == 1
    counts = CountVectorizer().fit_transform(texts)
    refitted = cross_validate(MultinomialNB(), counts, y, cv=4)
    exact = cross_validate(NaiveBayes("multinomial"), sparse.csr_array(counts), y, cv=4)
    assert np.abs(refitted.posterior - exact.posterior).max() < 1e-12
    dense = cross_validate(NaiveBayes("gaussian"), counts.toarray(), y, cv=4)
    late = cross_validate(NaiveBayes("gaussian"), counts, y, cv=4)  # a family that wants its rows dense
    assert np.abs(dense.posterior - late.posterior).max() < 1e-12


def test_repeats_have_other_folds_and_the_same_seed_the_same():
    result = cross_validate(NaiveBayes(), X, Y, cv=5, repeats=3, random_state=9)
    again = cross_validate(NaiveBayes(), X, Y, cv=5, repeats=3, random_state=9)
    assert result.scores().shape == (3, 5)
    assert len(np.unique(result.folds, axis=0)) == 3
    assert np.array_equal(result.folds, again.folds)
    assert np.array_equal(result.posterior, again.posterior)
    one = cross_validate(NaiveBayes(), X, Y, cv=result.folds)
    assert np.array_equal(one.posterior, result.posterior)
    named = cross_validate(NaiveBayes(), X, Y, cv=np.array(list("abcde"))[result.folds[1]])
    assert np.array_equal(named.posterior[0], result.posterior[1])


def test_unstratified_and_grouped_folds():
    groups = np.arange(len(Y)) // 3
    result = cross_validate(NaiveBayes(), X, Y, cv=5, repeats=2, groups=groups)
    for fold in result.folds:
        assert all(len(set(fold[groups == g])) == 1 for g in set(groups))
    assert np.array_equal(result.groups, groups)
    loose = cross_validate(NaiveBayes(), X, Y, cv=5, stratify=False)
    counts = np.stack([np.bincount(loose.folds[0][c == Y], minlength=5) for c in range(3)])
    assert (counts.max(axis=1) - counts.min(axis=1) > 1).any()


def test_leave_one_out_of_both_kinds():
    rows = np.r_[0:12, 60:75, 140:150]
    exact = cross_validate(NaiveBayes(), X[rows], Y[rows], leave_one_out=True)
    refitted = cross_validate(GaussianNB(var_smoothing=0), X[rows], Y[rows], leave_one_out=True)
    assert exact.scores().shape == refitted.scores().shape == (1, len(rows))
    assert np.abs(exact.posterior - refitted.posterior).max() < 1e-8


@pytest.mark.parametrize("refit", [False, True])
def test_weights_count_in_fitting_and_in_judging(refit):
    model = GaussianNB(var_smoothing=0) if refit else NaiveBayes()
    weight = RNG.integers(0, 3, len(Y)).astype(float)
    result = cross_validate(model, X, Y, cv=FOLDS, sample_weight=weight)
    train, test = FOLDS != 2, FOLDS == 2
    expected = GaussianNB(var_smoothing=0).fit(X[train], Y[train], sample_weight=weight[train])
    assert np.abs(result.posterior[0, test] - expected.predict_proba(X[test])).max() < 1e-8
    score = expected.score(X[test], Y[test], sample_weight=weight[test])
    assert result.scores()[0, 2] == pytest.approx(score)
    roc = roc_auc_score(Y[test], expected.predict_proba(X[test]), sample_weight=weight[test], multi_class="ovr")
    assert result.scores("roc_area")[0, 2] == pytest.approx(roc)


def test_weights_reach_the_last_step_of_a_pipeline():
    weight = RNG.uniform(0.1, 3, len(Y))
    result = cross_validate(make_pipeline(StandardScaler(), LogisticRegression()), X, Y, FOLDS, sample_weight=weight)
    train, test = FOLDS != 0, FOLDS == 0
    scale = StandardScaler().fit(X[train])
    model = LogisticRegression().fit(scale.transform(X[train]), Y[train], sample_weight=weight[train])
    assert np.abs(result.posterior[0, test] - model.predict_proba(scale.transform(X[test]))).max() < 1e-9


def test_a_class_that_is_not_there_in_training_has_probability_zero():
    y = Y.copy()
    y[0] = 7
    fold = FOLDS.copy()
    for model in (NaiveBayes(), GaussianNB()):
        result = cross_validate(model, X, y, cv=fold)
        assert result.log_posterior[0, 0, 3] == -np.inf
        assert np.isinf(result.scores("log_loss")[0, fold[0]])
        assert result.estimate("log_loss").value == np.inf
        assert np.isfinite(result.estimate("accuracy").width)


def test_the_corrected_interval_is_the_published_formula():
    result = cross_validate(NaiveBayes(), X, Y, cv=5, repeats=4)
    scores = result.scores().ravel()
    estimate = result.estimate("accuracy", confidence=0.9)
    sizes = np.bincount(result.folds[0])
    ratio = (sizes / (len(Y) - sizes)).mean()
    assert ratio == pytest.approx(1 / 4, rel=1e-3)
    half = stats.t.ppf(0.95, 19) * np.sqrt((1 / 20 + ratio) * scores.var(ddof=1))
    assert estimate.value == pytest.approx(scores.mean())
    assert estimate.value - estimate.low == pytest.approx(half)
    assert estimate.high == pytest.approx(min(1, estimate.value + half))
    assert estimate.n == len(Y)


def test_the_deviation_of_folds_is_not_called_an_interval():
    spread = cross_validate(NaiveBayes(), X, Y, cv=5).spread()
    scores = cross_validate(NaiveBayes(), X, Y, cv=5).scores()[0]
    assert (spread.mean, spread.deviation) == pytest.approx((scores.mean(), scores.std(ddof=1)))
    assert "[" not in str(spread) and "%" not in str(spread) and "deviation" in str(spread)


def test_degenerate_scores():
    assert corrected_t_interval([0.9, 0.9, 0.9], 0.5).width == 0
    assert "same score" in corrected_t_interval([0.9, 0.9, 0.9], 0.5).note
    one = corrected_t_interval([0.9], 0.5, bounds=(0, 1))
    assert (one.low, one.high) == (0, 1)
    assert np.isnan(fold_spread([0.9]).deviation)
    with pytest.raises(LikelyError, match="fold 1 is not defined"):
        corrected_t_interval([0.9, np.nan], 0.5)
    with pytest.raises(LikelyError, match="test_ratio"):
        corrected_t_interval([0.9, 0.8], 0)
    with pytest.raises(LikelyError, match=r"did you mean 0\.95"):
        corrected_t_interval([0.9, 0.8], 0.5, confidence=95)


def test_optimism_of_the_training_rows():
    from sklearn.neighbors import KNeighborsClassifier

    result = cross_validate(make_pipeline(StandardScaler(), KNeighborsClassifier(1)), X, Y, cv=5, repeats=2)
    optimism = result.optimism()
    assert optimism.training == 1
    assert optimism.held_out.value == pytest.approx(result.scores().mean())
    assert optimism.bias.value == pytest.approx(1 - result.scores().mean())
    assert optimism.bias.low > 0
    error = result.optimism("error")
    assert error.bias.value == pytest.approx(-optimism.bias.value)
    assert "training rows 1.000" in str(optimism)
    for found in (optimism, error):  # a loss has a negative bias, and looks better all the same
        assert found.in_words == f"on its training rows the model looks better by {optimism.bias.value:.3g}"
        assert str(found).endswith(found.in_words)


class Told(ClassifierMixin, BaseEstimator):
    """Says, quite sure, what the first column holds."""

    def fit(self, X, y, sample_weight=None):
        self.classes_ = np.unique(y)
        return self

    def predict_proba(self, X):
        return np.eye(len(self.classes_))[X[:, 0].astype(int)]

    def predict(self, X):
        return self.classes_[X[:, 0].astype(int)]


def test_rows_of_weight_0_do_not_count_whatever_their_values():
    wrong = np.arange(len(Y)) % 5 == 0
    table, weight = np.where(wrong, (Y + 1) % 3, Y)[:, None], np.where(wrong, 0.0, 1.0)
    result = cross_validate(Told(), table, Y, cv=4, sample_weight=weight)

    def of_rows(y, p):
        with np.errstate(divide="ignore"):
            return -np.log(p[np.arange(len(y)), y])

    def sum_of_loss(y, p):
        return float(of_rows(y, p).sum())

    for measure in ("log_loss", of_rows, sum_of_loss):
        assert result.scores(measure) == pytest.approx(np.zeros((1, 4)), abs=1e-9)
    assert result.estimate("log_loss").value == pytest.approx(0, abs=1e-9)
    optimism = result.optimism("log_loss")
    assert (optimism.training, optimism.held_out.value, optimism.bias.value) == pytest.approx((0, 0, 0), abs=1e-9)


def test_the_brier_score_of_two_classes_ends_at_1():
    two = Y < 2
    x, y = X[two][:, :1], Y[two]
    result = cross_validate(NaiveBayes(), x[::6], y[::6], cv=2)
    for method in ("corrected_t", "nested"):
        if method == "nested":
            result = cross_validate(NaiveBayes(), x[::6], y[::6], cv=3)
        assert result.estimate("brier", method, confidence=0.9999).high <= 1
    assert criterion("brier").limits(2) == (0, 1) and criterion("brier").limits(3) == (0, 2)


def test_functions_get_class_names_as_they_are():
    said = Said(("b", 1), np.array([0, 1, 1]), np.log(np.full((3, 2), 0.5)))
    seen = []
    criterion(lambda y, p: float(seen.extend(y.tolist()) is None)).figure(said)
    assert seen == ["b", 1, 1]


def test_refusals():
    with pytest.raises(LikelyError, match="only one class"):
        cross_validate(NaiveBayes(), X, np.zeros(len(Y)))
    with pytest.raises(LikelyError, match="label of row 3"):
        cross_validate(NaiveBayes(), X, np.where(np.arange(len(Y)) == 3, np.nan, Y))
    with pytest.raises(LikelyError, match="repeats"):
        cross_validate(NaiveBayes(), X, Y, repeats=0)
    with pytest.raises(LikelyError, match="at least 2"):
        cross_validate(NaiveBayes(), X, Y, cv=1)
    with pytest.raises(LikelyError, match="178"):
        cross_validate(NaiveBayes(), X, Y, cv=179)
    with pytest.raises(LikelyError, match="one fold per row"):
        cross_validate(NaiveBayes(), X, Y, cv=[0, 1])
    with pytest.raises(LikelyError, match="fit and predict"):
        cross_validate(NaiveBayes, X, Y)
    with pytest.raises(LikelyError, match="fit and predict"):
        cross_validate(StandardScaler(), X, Y)
    with pytest.raises(LikelyError, match="unknown method"):
        cross_validate(NaiveBayes(), X, Y).estimate(method="naive")
    with pytest.raises(LikelyError, match="weight 0"):
        cross_validate(NaiveBayes(), X, Y, FOLDS, sample_weight=(FOLDS != 1).astype(float)).scores()


def test_an_error_in_a_fold_says_where_it_was():
    class Fragile(GaussianNB):
        def fit(self, X, y):
            raise RuntimeError("no luck")

    with pytest.raises(RuntimeError, match="no luck") as caught:
        cross_validate(Fragile(), X, Y, cv=FOLDS)
    assert "in split" in caught.value.__notes__[0]


class Terminal(io.StringIO):
    def isatty(self):
        return True


def test_a_bar_is_drawn_only_on_a_terminal(monkeypatch, capsys):
    monkeypatch.setattr(bars, "_PATIENCE", 0.0)
    with bars.progress(3, "folds") as done:
        done()
    assert capsys.readouterr().err == ""
    monkeypatch.setenv("TERM", "xterm")
    monkeypatch.setattr(sys, "stderr", Terminal())
    with bars.progress(3, "folds") as done:
        done()
        done()
    shown = sys.stderr.getvalue()
    assert "folds" in shown and "2/3" in shown and "/s" in shown
    sys.stderr.seek(0)
    sys.stderr.truncate()
    monkeypatch.setattr(bars, "_PATIENCE", 60.0)
    cross_validate(GaussianNB(), X, Y, cv=3)  # done before anybody could look
    assert sys.stderr.getvalue() == ""


def test_nothing_is_drawn_without_rich(monkeypatch):
    monkeypatch.setattr(bars, "_PATIENCE", 0.0)
    monkeypatch.setattr(sys, "stderr", Terminal())
    monkeypatch.setitem(sys.modules, "rich", None)
    with bars.progress(3, "folds") as done:
        done()
    assert sys.stderr.getvalue() == ""
