"""Reliability, confusion, learning curve and comparison as pictures: their numbers, their axes, what they refuse."""

from collections.abc import Iterator
from itertools import pairwise
from pathlib import Path
from typing import Any

import matplotlib
import numpy as np
import polars as pl
import pytest
from matplotlib import pyplot
from sklearn.calibration import calibration_curve
from sklearn.datasets import make_classification
from sklearn.linear_model import LogisticRegression
from sklearn.metrics import brier_score_loss, confusion_matrix
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler
from sklearn.svm import LinearSVC
from statsmodels.stats.proportion import proportion_confint

from likely import Decider, GaussianBayes, NaiveBayes, compare, cross_validate
from likely.decisions import reliability
from likely.errors import InputError, InputTypeError
from likely.evaluation import Confusion, LearningCurve, brier_score, learning_curve
from likely.evaluation.measures.criteria import criterion
from likely.figures.classes.densities import ClassDensitiesDisplay
from likely.figures.comparison import ComparisonDisplay
from likely.figures.confusion import ConfusionDisplay
from likely.figures.curves.learning_curve import LearningCurveDisplay
from likely.figures.curves.reliability import ReliabilityDisplay
from likely.figures.explaining.evidence import EvidenceDisplay

matplotlib.use("agg")

Data = tuple[Any, Any, Any, Any]


@pytest.fixture(autouse=True)
def _closed() -> Iterator[None]:
    yield
    pyplot.close("all")


def halves(k: int, n: int = 600) -> Data:
    X, y = make_classification(
        n, 6, n_informative=4, n_redundant=0, n_classes=k, n_clusters_per_class=1, class_sep=0.8, random_state=k
    )
    return X[::2], y[::2], X[1::2], y[1::2]


def real(folder: Path, name: str) -> Data:
    frame = pl.read_csv(folder / "numeric" / f"{name}.csv")
    X, y = frame.drop("class").to_numpy().astype(float), frame["class"].to_numpy()
    return X[::2], y[::2], X[1::2], y[1::2]


def drawn(display: Any) -> Any:
    """Render for good: layout, text and all."""
    display.figure_.canvas.draw()
    assert display.ax_.figure is display.figure_
    return display


MODELS = {
    "own": NaiveBayes,
    "scikit-learn": lambda: make_pipeline(StandardScaler(), LogisticRegression()),
}


@pytest.mark.parametrize("kind", MODELS)
@pytest.mark.parametrize("k", [2, 4])
class TestEveryDisplay:
    def test_reliability(self, kind: str, k: int) -> None:
        X, y, V, w = halves(k)
        model = MODELS[kind]().fit(X, y)
        p = model.predict_proba(V)
        display = drawn(ReliabilityDisplay.from_estimator(model, V, w))
        table = reliability(w, p)
        frame = display.frame()
        for column in ("low", "high", "count", "mean_prediction", "share", "share_low", "share_high"):
            np.testing.assert_allclose(frame[column], getattr(table, column), atol=1e-12)
        assert display.brier.value == pytest.approx(brier_score(w, p).value)
        same = ReliabilityDisplay.from_predictions(w, p, name="same")
        assert same.frame().drop("of").to_numpy() == pytest.approx(frame.drop("of").to_numpy())
        assert display.score_frame()["count"].sum() == len(w)

    def test_confusion(self, kind: str, k: int) -> None:
        X, y, V, w = halves(k)
        model = MODELS[kind]().fit(X, y)
        display = drawn(ConfusionDisplay.from_estimator(model, V, w))
        said = model.predict(V)
        counts = confusion_matrix(w, said)
        frame = display.frame()
        assert frame["count"].to_numpy().reshape(k, k).tolist() == counts.tolist()
        np.testing.assert_allclose(
            frame["share"].to_numpy().reshape(k, k), confusion_matrix(w, said, normalize="true"), atol=1e-12
        )
        low, high = proportion_confint(counts, counts.sum(axis=1, keepdims=True), method="wilson")
        np.testing.assert_allclose(frame["low"].to_numpy().reshape(k, k), low, atol=1e-9)
        np.testing.assert_allclose(frame["high"].to_numpy().reshape(k, k), high, atol=1e-9)
        first = frame.row(0, named=True)
        shown = display.text_[0, 0].get_text().split("\n")
        assert shown[0] == str(first["count"])
        assert shown[1] == f"{100 * first['share']:.1f} %"
        assert ConfusionDisplay.from_predictions(w, said).frame().equals(frame)

    def test_learning_curve(self, kind: str, k: int) -> None:
        X, y, _, _ = halves(k)
        options: dict[str, Any] = {"sizes": [30, 60, 150], "repeats": 4}
        display = drawn(LearningCurveDisplay.from_estimator(MODELS[kind](), X, y, **options))
        curve = learning_curve(MODELS[kind](), X, y, **options)
        frame, expected = display.frame(), curve.frame()
        for column in ("size", "value", "low", "high", "training"):
            np.testing.assert_allclose(frame[column], expected[column], atol=1e-12)
        assert (frame["training_low"] <= frame["training"]).all()
        assert (frame["training_high"] >= frame["training"]).all()
        assert len(display.ax_.collections) == 2  # a band each

    def test_comparison(self, kind: str, k: int) -> None:
        X, y, _, _ = halves(k)
        models = {"other": MODELS[kind](), "shared": GaussianBayes("shared"), "full": GaussianBayes("full")}
        display = drawn(ComparisonDisplay.from_estimators(models, X, y, cv=5))
        result, frame = compare(models, X, y, cv=5), display.frame()
        assert frame["model"].to_list() == list(result.ranking)
        assert display.reference == result.ranking[0]
        for row in frame.iter_rows(named=True):
            estimate = result.estimates[row["model"]]
            assert (row["value"], row["low"], row["high"]) == pytest.approx(
                (estimate.value, estimate.low, estimate.high)
            )
            if row["model"] == display.reference:
                assert row["difference"] == 0.0
                continue
            gap = estimate.value - result.estimates[display.reference].value
            assert row["difference"] == pytest.approx(gap)
            assert row["difference_low"] <= gap <= row["difference_high"]
            assert row["holm_p"] == pytest.approx(result.between(row["model"], display.reference).holm)


@pytest.mark.sample(1)
@pytest.mark.parametrize("name", ["pima_diabetes", "iris", "wine"])
def test_displays_of_real_data(shared_data: Path, name: str) -> None:
    X, y, V, w = real(shared_data, name)
    for model in (NaiveBayes().fit(X, y), MODELS["scikit-learn"]().fit(X, y)):
        confusion = drawn(ConfusionDisplay.from_estimator(model, V, w))
        assert confusion.frame()["count"].sum() == len(w)
        table = drawn(ReliabilityDisplay.from_estimator(model, V, w)).frame()
        assert table["count"].sum() == len(w)
        assert table["share_low"].to_numpy() == pytest.approx(np.minimum(table["share_low"], table["share"]))
    curve = drawn(LearningCurveDisplay.from_estimator(NaiveBayes(), X, y, repeats=3))
    assert curve.frame()["size"].is_sorted()
    models = {"naive": NaiveBayes(), "logistic": MODELS["scikit-learn"]()}
    assert drawn(ComparisonDisplay.from_estimators(models, X, y, cv=4)).frame().height == 2


class TestReliability:
    def test_bins_are_those_of_scikit_learn(self) -> None:
        rng = np.random.default_rng(3)
        p = rng.random(1000)
        y = rng.random(1000) < p**2
        display = ReliabilityDisplay.from_predictions(y, p)
        share, mean = calibration_curve(y, p, n_bins=10, strategy="quantile")
        np.testing.assert_allclose(display.frame()["share"], share, atol=1e-12)
        np.testing.assert_allclose(display.frame()["mean_prediction"], mean, atol=1e-12)
        assert display.brier.value == pytest.approx(brier_score_loss(y, p))
        low, high = proportion_confint(share * 100, 100, method="beta")
        np.testing.assert_allclose(display.frame()["share_low"], low, atol=1e-9)
        np.testing.assert_allclose(display.frame()["share_high"], high, atol=1e-9)
        uniform = ReliabilityDisplay.from_predictions(y, p, strategy="uniform", n_bins=5)
        share, mean = calibration_curve(y, p, n_bins=5)
        np.testing.assert_allclose(uniform.frame()["share"], share, atol=1e-12)
        np.testing.assert_allclose(uniform.frame()["mean_prediction"], mean, atol=1e-12)

    def test_the_points_and_bars_drawn_are_those_of_the_frame(self) -> None:
        X, y, V, w = halves(2)
        display = drawn(ReliabilityDisplay.from_estimator(NaiveBayes().fit(X, y), V, w, n_bins=6))
        line, _, (bars,) = display.ax_.containers[0].lines
        frame = display.frame()
        np.testing.assert_allclose(line.get_ydata(), frame["share"])
        np.testing.assert_allclose([s[:, 1] for s in bars.get_segments()], frame.select("share_low", "share_high"))
        label = display.ax_.get_legend().get_texts()[0].get_text()
        assert "NaiveBayes" in label
        assert "Clopper-Pearson" in label
        assert f"{display.calibration_error.debiased.value:.3f}" in label
        assert display.strip_.patches[0].get_data().values.tolist() == display.score_frame()["count"].to_list()

    def test_every_class_its_curve(self) -> None:
        X, y, V, w = halves(3)
        model = NaiveBayes().fit(X, y)
        display = drawn(ReliabilityDisplay.from_estimator(model, V, w, event="classwise", n_bins=5))
        assert list(display.tables) == ["0", "1", "2"]
        p = model.predict_proba(V)
        for place in range(3):
            share, mean = calibration_curve(w == place, p[:, place], n_bins=5, strategy="quantile")
            mine = display.frame().filter(pl.col("of") == str(place))
            np.testing.assert_allclose(mine["share"], share, atol=1e-12)
            np.testing.assert_allclose(mine["mean_prediction"], mean, atol=1e-12)
        one = ReliabilityDisplay.from_estimator(model, V, w, pos_label=1, n_bins=5)
        assert one.frame().equals(display.frame().filter(pl.col("of") == "1"))

    def test_a_vector_is_of_the_positive_class(self) -> None:
        rng = np.random.default_rng(0)
        p = rng.random(200)
        y = np.where(rng.random(200) < p, "a", "b")
        first = ReliabilityDisplay.from_predictions(y, p, pos_label="a").frame()
        second = ReliabilityDisplay.from_predictions(y, 1 - p, pos_label="b").frame()
        np.testing.assert_allclose(first["share"], 1 - second["share"].reverse(), atol=1e-12)
        both = ReliabilityDisplay.from_predictions(y, np.column_stack([p, 1 - p]), pos_label="a").frame()
        np.testing.assert_allclose(both["share"], first["share"])

    def test_two_models_share_axes_and_strip(self) -> None:
        X, y, V, w = halves(2)
        _, ax = pyplot.subplots()
        one = ReliabilityDisplay.from_estimator(NaiveBayes().fit(X, y), V, w, ax=ax)
        two = drawn(ReliabilityDisplay.from_estimator(LogisticRegression().fit(X, y), V, w, ax=ax))
        assert one.ax_ is two.ax_ is ax
        assert one.strip_ is two.strip_
        assert len(ax.containers) == 2
        colours = {container.lines[0].get_color() for container in ax.containers}
        assert len(colours) == 2
        assert len(ax.get_legend().get_texts()) == 2

    def test_out_of_fold(self) -> None:
        X, y, _, _ = halves(2)
        result = cross_validate(NaiveBayes(), X, y, cv=4, repeats=2)
        display = drawn(ReliabilityDisplay.from_cross_validation(result, repeat=1))
        np.testing.assert_allclose(display.frame()["share"], reliability(y, result.posterior[1]).share)
        assert display.name == "NaiveBayes"
        grouped = cross_validate(NaiveBayes(), X, y, cv=4, groups=np.arange(len(y)) // 3)
        assert "groups ignored" in (
            drawn(ReliabilityDisplay.from_cross_validation(grouped)).ax_.get_legend().get_texts()[0].get_text()
        )

    def test_certain_predictions(self) -> None:
        display = drawn(ReliabilityDisplay.from_predictions([0, 1, 1, 0], [0.0, 1.0, 1.0, 0.0]))
        assert display.frame()["share"].to_list() == [0.0, 1.0]

    def test_what_is_refused(self) -> None:
        X, y, V, w = halves(2)
        model = NaiveBayes().fit(X, y)
        with pytest.raises(InputError, match="no probabilities"):
            ReliabilityDisplay.from_estimator(LinearSVC().fit(X, y), V, w)
        with pytest.raises(InputTypeError, match="fitted classifier"):
            ReliabilityDisplay.from_estimator(w, V, w)
        with pytest.raises(InputError, match="labels in y"):
            ReliabilityDisplay.from_predictions(w[:-1], model.predict_proba(V))
        with pytest.raises(InputError, match="no probability"):
            ReliabilityDisplay.from_predictions([0, 1], [0.2, np.nan])
        with pytest.raises(InputError, match="unknown event"):
            ReliabilityDisplay.from_estimator(model, V, w, event="every")
        with pytest.raises(InputError, match="unknown strategy"):
            ReliabilityDisplay.from_estimator(model, V, w, strategy="even")
        with pytest.raises(InputError, match="n_bins"):
            ReliabilityDisplay.from_estimator(model, V, w, n_bins=0)
        with pytest.raises(InputError, match="pos_label"):
            ReliabilityDisplay.from_estimator(model, V, w, pos_label="yes")
        with pytest.raises(InputError, match="confidence"):
            ReliabilityDisplay.from_estimator(model, V, w, confidence=95)
        result = cross_validate(NaiveBayes(), X, y, cv=3)
        with pytest.raises(InputError, match="no repeat 1"):
            ReliabilityDisplay.from_cross_validation(result, repeat=1)
        with pytest.raises(InputTypeError, match="cross_validate"):
            ReliabilityDisplay.from_cross_validation([result])  # type: ignore[arg-type]
        assert not pyplot.get_fignums()  # nothing half drawn is left behind

    def test_rows_count_with_their_weights(self):
        p, y = np.array([0.1, 0.2, 0.4, 0.6, 0.7, 0.9]), np.array([0, 1, 0, 1, 0, 1])
        weight = np.array([1, 2, 3, 1, 2, 1])
        one, twice = (
            ReliabilityDisplay.from_predictions(np.repeat(y, n), np.repeat(p, n), sample_weight=w, n_bins=2)
            for n, w in ((1, weight), (weight, None))
        )
        (first,), (second,) = one.tables.values(), twice.tables.values()
        assert np.allclose(first.share, second.share) and np.allclose(first.mean_prediction, second.mean_prediction)
        assert first.count.sum() == 6 and second.count.sum() == 10
        assert np.allclose(one.scores["1"], twice.scores["1"]) and one.brier.value == pytest.approx(twice.brier.value)
        assert "rows weighted" in one.ax_.get_legend().get_texts()[0].get_text()
        pyplot.close("all")


class TestConfusion:
    def test_rejected_rows_have_a_column(self) -> None:
        X, y, V, w = halves(2)
        decider = Decider(NaiveBayes(), reject=0.2).fit(X, y)
        display = drawn(ConfusionDisplay.from_estimator(decider, V, w))
        assert display.confusion.matrix.shape == (2, 3)
        rejected = display.frame().filter(pl.col("said") == "rejected")
        assert rejected["count"].to_list() == display.confusion.rejected.tolist()
        assert [t.get_text() for t in display.ax_.get_xticklabels()] == ["0", "1", "rejected"]

    @pytest.mark.slow
    def test_many_classes_keep_their_counts_and_lose_their_intervals(self) -> None:
        rng = np.random.default_rng(1)
        y = rng.integers(0, 26, 4000)
        said = np.where(rng.random(4000) < 0.7, y, rng.integers(0, 26, 4000))
        display = drawn(ConfusionDisplay.from_predictions(y, said))
        texts = [text.get_text() for text in display.text_.ravel()]
        assert not any("[" in text for text in texts)
        assert [text.split("\n")[0] for text in texts] == [
            str(count) if count else "" for count in confusion_matrix(y, said).ravel()
        ]
        assert display.frame().height == 26**2
        boxes = [text.get_window_extent() for text in display.text_[0] if text.get_text()]
        assert all(left.x1 <= right.x0 for left, right in pairwise(boxes))  # nothing overlaps

    def test_text_stays_in_its_cell(self) -> None:
        X, y, V, w = halves(3)
        display = drawn(ConfusionDisplay.from_estimator(NaiveBayes().fit(X, y), V, w))
        assert "[" in display.text_[0, 0].get_text()
        width = display.ax_.get_window_extent().width / 3
        assert all(text.get_window_extent().width < width for text in display.text_.ravel())

    def test_a_class_without_rows_has_no_share(self) -> None:
        display = drawn(ConfusionDisplay.from_predictions(["a", "b"], ["a", "c"], classes=["a", "b", "c"]))
        last = display.frame().filter(pl.col("truth") == "c")
        assert last["share"].is_nan().all()
        assert display.text_[2, 2].get_text() == "0"

    def test_weights_and_groups_reach_the_intervals(self) -> None:
        y, said = [0, 0, 0, 1, 1, 1], [0, 0, 1, 1, 1, 0]
        weighted = drawn(ConfusionDisplay.from_predictions(y, said, sample_weight=[1, 2, 3, 1, 1, 1.5]))
        assert weighted.frame()["count"].to_list() == [3.0, 3.0, 1.5, 2.0]
        assert weighted.frame()["n"][0] == pytest.approx(36 / 14)
        grouped = drawn(ConfusionDisplay.from_predictions(y * 10, said * 10, groups=np.arange(60) // 4))
        assert "bootstrap" in grouped.frame()["method"][0]
        assert grouped.confusion.by_group is not None

    def test_out_of_fold_and_probabilities(self) -> None:
        X, y, _, _ = halves(3)
        for model in (NaiveBayes(), LinearSVC()):
            result = cross_validate(model, X, y, cv=4)
            display = drawn(ConfusionDisplay.from_cross_validation(result))
            expected = confusion_matrix(y, result.predictions[0])
            assert display.confusion.matrix.tolist() == expected.tolist()
        p = cross_validate(NaiveBayes(), X, y, cv=4).posterior[0]
        table = ConfusionDisplay.from_predictions(y, p).confusion.matrix
        assert table.tolist() == confusion_matrix(y, p.argmax(axis=1)).tolist()

    def test_given_axes_are_used_and_the_colour_scale_is_optional(self) -> None:
        figure, axes = pyplot.subplots(1, 2)
        display = drawn(ConfusionDisplay.from_predictions([0, 1], [0, 1], ax=axes[1], name="both right"))
        assert display.ax_ is axes[1]
        assert len(figure.axes) == 3
        assert "both right" in axes[1].get_title(loc="left")
        alone = drawn(ConfusionDisplay(Confusion((0, 1), np.eye(2, dtype=int))).plot(axes[0], colorbar=False))
        assert alone.ax_ is axes[0]
        assert len(figure.axes) == 3

    def test_what_is_refused(self) -> None:
        X, y, V, w = halves(2)
        with pytest.raises(InputError, match="give one per row"):
            ConfusionDisplay.from_predictions(w, w[:-1])
        with pytest.raises(InputError, match="never equal"):
            ConfusionDisplay.from_predictions([0, 1], ["0", "1"])
        with pytest.raises(InputError, match="not among the known classes"):
            ConfusionDisplay.from_estimator(NaiveBayes().fit(X, y), V, w + 5)
        with pytest.raises(InputTypeError, match="fitted classifier"):
            ConfusionDisplay.from_estimator(w, V, w)
        with pytest.raises(InputTypeError, match="cross_validate"):
            ConfusionDisplay.from_cross_validation(None)  # type: ignore[arg-type]
        with pytest.raises(InputError, match="no repeat"):
            ConfusionDisplay.from_cross_validation(cross_validate(NaiveBayes(), X, y, cv=3), repeat=-1)


class TestLearningCurve:
    def test_scale_of_the_sizes(self) -> None:
        X, y, _, _ = halves(2)
        curve = learning_curve(NaiveBayes(), X, y, sizes=[10, 50, 190], repeats=3)
        assert drawn(LearningCurveDisplay.from_curve(curve)).ax_.get_xscale() == "log"
        assert drawn(LearningCurveDisplay.from_curve(curve, scale="linear")).ax_.get_xscale() == "linear"
        short = learning_curve(NaiveBayes(), X, y, sizes=[50, 100], repeats=3)
        assert drawn(LearningCurveDisplay.from_curve(short)).ax_.get_xscale() == "linear"
        assert drawn(LearningCurveDisplay.from_curve(short, scale="log")).ax_.get_xscale() == "log"

    def test_one_repeat_has_no_band_on_learned_rows(self) -> None:
        X, y, _, _ = halves(2)
        display = drawn(LearningCurveDisplay.from_estimator(NaiveBayes(), X, y, sizes=[20, 100], repeats=1))
        assert len(display.ax_.collections) == 1

    def test_the_band_of_learned_rows_allows_for_rows_in_common(self) -> None:
        X, y, _, _ = halves(2)
        display = LearningCurveDisplay.from_estimator(NaiveBayes(), X, y, sizes=[50, 150], repeats=8)
        scores, n = display.curve.training_scores, len(y)
        error = scores.std(axis=0, ddof=1) * np.sqrt(1 / 8 + np.array([50, 150]) / (n - np.array([50, 150])))
        assert [e.standard_error for e in display.training] == pytest.approx(error.tolist())

    def test_curves_of_two_models_on_the_same_axes(self) -> None:
        X, y, _, _ = halves(2)
        _, ax = pyplot.subplots()
        for model in (NaiveBayes(), GaussianBayes("shared")):
            display = drawn(LearningCurveDisplay.from_estimator(model, X, y, sizes=[20, 60], repeats=3, ax=ax))
            assert display.ax_ is ax
        assert len({line.get_color() for line in ax.lines}) == 2
        names = ax.get_legend_handles_labels()[1]
        assert len(names) == 4
        assert all("corrected resampled t" in name for name in names)

    def test_an_infinite_loss_leaves_a_gap(self) -> None:
        scores = np.array([[np.inf, 0.5, 0.4], [2.0, 0.6, 0.5]])
        curve = LearningCurve(criterion("log_loss"), (10, 20, 40), scores, scores / 2, 20, 60)
        display = drawn(LearningCurveDisplay.from_curve(curve))
        assert np.isnan(display.ax_.lines[0].get_ydata()[0])
        assert np.isfinite(display.ax_.lines[0].get_ydata()[1:]).all()
        assert display.ax_.get_ylabel() == "log loss (nats)"
        assert display.frame()["value"][0] == np.inf

    def test_what_is_refused(self) -> None:
        X, y, _, _ = halves(2)
        with pytest.raises(InputError, match="unknown scale"):
            LearningCurveDisplay.from_estimator(NaiveBayes(), X, y, scale="square")  # type: ignore[arg-type]
        with pytest.raises(InputTypeError, match="learning_curve"):
            LearningCurveDisplay.from_curve([1, 2])  # type: ignore[arg-type]
        with pytest.raises(InputError, match="unknown measure"):
            LearningCurveDisplay.from_estimator(NaiveBayes(), X, y, scoring="beauty")


class TestComparison:
    @staticmethod
    def models() -> dict[str, Any]:
        return {"naive": NaiveBayes(), "shared": GaussianBayes("shared"), "full": GaussianBayes("full")}

    def test_the_baseline_is_the_reference(self) -> None:
        X, y, _, _ = halves(2)
        result = compare(self.models(), X, y, cv=5, baseline="naive")
        assert drawn(ComparisonDisplay.from_comparison(result)).reference == "naive"
        with pytest.raises(InputError, match="were not compared"):
            ComparisonDisplay.from_comparison(result, reference="full")
        two = {name: self.models()[name] for name in ("naive", "full")}
        assert ComparisonDisplay.from_estimators(two, X, y, cv=5, baseline="full").reference == "full"

    def test_differences_are_the_model_less_the_reference(self) -> None:
        X, y, _, _ = halves(3)
        result = compare(self.models(), X, y, cv=5)
        to_full = ComparisonDisplay.from_comparison(result, reference="full").differences
        to_naive = ComparisonDisplay.from_comparison(result, reference="naive").differences
        assert to_full["naive"].value == -to_naive["full"].value
        assert (to_full["naive"].low, to_full["naive"].high) == (-to_naive["full"].high, -to_naive["full"].low)
        assert to_full["naive"] == result.between("naive", "full").difference

    def test_the_bars_drawn_are_the_intervals(self) -> None:
        X, y, _, _ = halves(2)
        display = drawn(ComparisonDisplay.from_estimators(self.models(), X, y, cv=5, rope=0.02))
        scores, differences = display.panels_
        frame = display.frame()
        bars = [line.get_xdata() for line in scores.lines if len(line.get_xdata()) == 2]
        np.testing.assert_allclose(bars, frame.select("low", "high"))
        apart = frame.filter(pl.col("model") != display.reference)
        bars = [line.get_xdata() for line in differences.lines[1:] if len(line.get_xdata()) == 2]
        np.testing.assert_allclose(bars, 100 * apart.select("difference_low", "difference_high").to_numpy())
        rope = differences.patches[0].get_extents().transformed(differences.transData.inverted())
        assert (rope.x0, rope.x1) == pytest.approx((-2.0, 2.0))
        assert [text.get_text() for text in scores.get_yticklabels()] == frame["model"].to_list()

    def test_a_difference_without_an_end_is_drawn_as_far_as_it_goes(self) -> None:
        rng = np.random.default_rng(3)
        y = np.arange(150) % 2
        X = rng.standard_t(3, size=(150, 2)) + 1.5 * y[:, None]
        models = {"naive": NaiveBayes(), "shared": GaussianBayes("shared")}
        display = drawn(ComparisonDisplay.from_estimators(models, X, y, scoring="log_loss"))
        assert np.isposinf(display.differences["naive"].high)
        differences = display.panels_[1]
        assert all(np.isfinite(line.get_xdata()).all() for line in differences.lines)
        assert any("no end]" in text.get_text() for text in differences.texts)

    def test_losses_are_better_when_smaller(self) -> None:
        X, y, _, _ = halves(2)
        display = drawn(ComparisonDisplay.from_estimators(self.models(), X, y, cv=5, scoring="log_loss", rope=0))
        assert display.frame()["value"].is_sorted()
        label = display.panels_[1].get_xlabel().replace("\n", " ")
        assert "right is worse" in label
        assert "shaded" not in label
        assert not display.panels_[1].patches

    def test_given_axes_are_used(self) -> None:
        X, y, _, _ = halves(2)
        figure, axes = pyplot.subplots(2)
        display = drawn(ComparisonDisplay.from_estimators(self.models(), X, y, cv=3, ax=axes[0]))
        assert display.ax_ is axes[0]
        assert display.figure_ is figure
        assert set(display.panels_) == set(axes[0].child_axes)

    def test_what_is_refused(self) -> None:
        X, y, _, _ = halves(2)
        with pytest.raises(InputError, match="at least two"):
            ComparisonDisplay.from_estimators({"naive": NaiveBayes()}, X, y)
        with pytest.raises(InputError, match="not among the models"):
            ComparisonDisplay.from_estimators(self.models(), X, y, cv=3, reference="naiv")
        with pytest.raises(InputTypeError, match="compare"):
            ComparisonDisplay.from_comparison("naive")  # type: ignore[arg-type]


@pytest.mark.parametrize("bits", [(-5.7, 0.8, -0.7, -2.9), (20.0, -0.4, 3.0, 0.1), (-30.0, -12.0, -1.0, -0.1)])
def test_numbers_beside_bars_of_evidence_do_not_meet_the_names(bits: tuple[float, ...]) -> None:
    names = ("petal length", "petal width", "sepal length", "(prior)")
    display = drawn(EvidenceDisplay(names, bits, sum(bits), "setosa", "the rest").plot())
    left = display.ax_.bbox.x0
    for text in display.ax_.texts:
        assert text.get_window_extent().x0 > left
        assert text.get_window_extent().x1 < display.figure_.bbox.x1


def test_turned_names_of_levels_end_at_their_ticks() -> None:
    levels = np.array([f"a long level, number {i}" for i in range(8)])
    rng = np.random.default_rng(0)
    values = levels[rng.integers(0, 8, 200)].tolist()
    display = drawn(ClassDensitiesDisplay.from_values(values, rng.integers(0, 2, 200), kind="nominal"))
    labels = display.ax_.get_xticklabels()
    assert {(label.get_ha(), label.get_rotation_mode()) for label in labels} == {("right", "anchor")}
    assert len({label.get_text() for label in labels}) == 8  # the ends that tell them apart are not cut off
    few = ClassDensitiesDisplay.from_values(list("aabb" * 5), list("xyxy" * 5), kind="nominal")
    assert {label.get_rotation() for label in few.ax_.get_xticklabels()} == {0}


def test_a_family_says_what_kind_of_column_it_is_drawn_as():
    counts, classes = [0, 1, 2, 3] * 5, list("xyxy" * 5)
    assert ClassDensitiesDisplay.from_values(counts, classes, kind="poisson").levels  # as counts that are guessed
    assert not ClassDensitiesDisplay.from_values(counts, classes, kind="gaussian").levels


@pytest.mark.parametrize("classes", [3, 9])
def test_the_legend_of_a_reliability_diagram_leaves_the_curves_free(classes: int) -> None:
    rng = np.random.default_rng(0)
    p = rng.dirichlet(np.ones(classes), 400)
    y = (rng.random(400)[:, None] > p.cumsum(axis=1)).sum(axis=1).clip(max=classes - 1)
    display = drawn(ReliabilityDisplay.from_predictions(y, p, event="classwise"))
    text, axes, page = display.ax_.get_legend().get_window_extent(), display.ax_.bbox, display.figure_.bbox
    assert text.x0 >= axes.x1 if classes > 6 else text.y0 >= axes.y1
    assert page.x0 <= text.x0 and text.x1 <= page.x1 and page.y0 <= text.y0 and text.y1 <= page.y1


def test_a_number_that_many_rows_have_is_told_and_does_not_flatten_the_density() -> None:
    rng = np.random.default_rng(11)
    gains = np.concatenate([np.zeros(700), rng.gamma(2.0, 100.0, 297), [1e6, 2e6, 3e6]])
    classes = np.tile(["poor", "rich"], 500)
    for kind, families in (("numeric", None), ("gaussian", ()), ("numeric", ("kde",))):
        display = drawn(ClassDensitiesDisplay.from_values(gains, classes, kind=kind, families=families))
        legend = [text.get_text() for text in display.ax_.get_legend().get_texts()]
        assert legend[0].startswith("poor") and "70 % are 0" in legend[0]
        assert "3 rows farther out are not drawn" in display.ax_.get_xlabel()
        assert display.ax_.get_xlim()[1] < 5_000
        if families is None:
            heights = display.density["rows"]
            edges = display._drawn.edges
            assert heights[:, 0] @ np.diff(edges) == pytest.approx(0.3, abs=0.01)  # shares of all rows of the class


def test_rows_alone_are_shares_and_nothing_is_smoothed() -> None:
    levels = ["a"] * 6 + ["b"] * 2 + [None] * 2
    display = drawn(ClassDensitiesDisplay.from_values(levels, ["x"] * 8 + ["y"] * 2, kind="nominal", families=None))
    shares = display.frame().filter(pl.col("class") == "x")
    assert shares["density"].to_list() == [0.75, 0.25]
    assert display.frame().filter(pl.col("class") == "y")["density"].to_list() == [0.0, 0.0]
    few = ClassDensitiesDisplay.from_values([1.0, 2.0, 2.0, 4.0] * 5, ["x", "y"] * 10, kind="numeric", families=None)
    assert few.levels and [text.get_text() for text in few.ax_.get_xticklabels()] == ["1", "2", "4"]


def test_whole_numbers_that_have_bins_of_their_own_are_all_drawn() -> None:
    years = np.repeat(np.arange(1.0, 17.0), 10)
    years[:60] = 9.0
    display = drawn(ClassDensitiesDisplay.from_values(years, ["x", "y"] * 80, kind="gaussian"))
    assert [text.get_text() for text in display.ax_.get_legend().get_texts()] == ["x", "y"]
