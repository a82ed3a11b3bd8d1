"""ROC, precision-recall, cost and threshold curves: they draw, and what they draw is right."""

import matplotlib

matplotlib.use("agg")

import numpy as np
import polars as pl
import pytest
from hypothesis import given
from hypothesis import strategies as st
from matplotlib import pyplot
from sklearn.ensemble import RandomForestClassifier
from sklearn.linear_model import LogisticRegression, RidgeClassifier
from sklearn.metrics import average_precision_score, precision_recall_curve, roc_auc_score, roc_curve
from sklearn.naive_bayes import GaussianNB
from sklearn.svm import LinearSVC

from likely import NaiveBayes, cross_validate
from likely.errors import InputError, InputTypeError
from likely.evaluation import PrecisionRecallCurve, RocBands, RocCurve, evaluate
from likely.evaluation.curves.cost_curve import CostCurve, cost_bounds
from likely.figures.curves.cost_curve import CostCurveDisplay
from likely.figures.curves.precision_recall import PrecisionRecallDisplay
from likely.figures.curves.roc import RocDisplay
from likely.figures.curves.threshold_curve import ThresholdCurveDisplay
from likely.intervals.proportions import proportion_interval
from readable import complaints

DISPLAYS = (RocDisplay, PrecisionRecallDisplay, CostCurveDisplay, ThresholdCurveDisplay)
MODELS = (NaiveBayes(), GaussianNB(), LogisticRegression(max_iter=1000), LinearSVC())


@pytest.fixture(autouse=True)
def close_figures():
    yield
    pyplot.close("all")


def blobs(classes, rows=120, seed=0):
    """Rows of overlapping classes with text names, split in two halves."""
    rng = np.random.default_rng(seed)
    codes = rng.permutation(np.arange(rows) % classes)
    X = rng.normal(size=(rows, 3)) + 1.2 * codes[:, None] * [1.0, -0.5, 0.2]
    y = np.array(["ant", "bee", "cow", "dog", "elk", "fox", "gnu", "hen", "ibex"])[codes]
    half = rows // 2
    return X[:half], y[:half], X[half:], y[half:]


HEIGHT = {  # the column of the frame that a curve shows
    RocDisplay: "sensitivity",
    PrecisionRecallDisplay: "precision",
    CostCurveDisplay: "normalized_cost",
    ThresholdCurveDisplay: "expected_cost",
}


def rendered(display):
    """Drawn readably: of every name a curve with the numbers of the frame, within the axes, and in the legend."""
    assert complaints(display.figure_) == []
    lines = [line for line in display.ax_.lines if line.get_gid() == "curve"]
    assert len(lines) == len(display.names)
    column = "mean" if getattr(display, "bands", ()) else HEIGHT[type(display)]
    entries = [text.get_text().replace("\n", " ") for text in display.ax_.get_legend().get_texts()]
    low, high = display.ax_.get_ylim()
    for name, line in zip(display.names, lines, strict=True):
        expected = display.frame().filter(curve=name)[column].to_numpy()
        height = line.get_ydata()
        extra = len(height) - len(expected)  # steps repeat their first or last value
        assert 0 <= extra <= 1
        first = type(display) is PrecisionRecallDisplay
        np.testing.assert_allclose(height[extra:] if first else height[: len(height) - extra], expected)
        assert ((height >= low) & (height <= high)).any()
        assert any(name in entry for entry in entries)
    return True


@pytest.mark.sample(6)
@pytest.mark.parametrize("display", DISPLAYS)
@pytest.mark.parametrize("classes", [2, 3, 9])
@pytest.mark.parametrize("model", MODELS, ids=lambda model: type(model).__name__)
def test_any_classifier_is_drawn_with_a_curve_per_class(display, classes, model):
    X, y, X_new, y_new = blobs(classes)
    drawn = display.from_estimator(model.fit(X, y), X_new, y_new)
    assert rendered(drawn)
    assert drawn.ax_.get_xlabel() and drawn.ax_.get_ylabel()
    names = [type(model).__name__] if classes == 2 else [f"{type(model).__name__}, {c}" for c in np.unique(y)]
    assert list(drawn.names) == names
    assert drawn.frame()["curve"].unique(maintain_order=True).to_list() == names
    shown = " ".join(drawn.ax_.get_legend_handles_labels()[1])
    assert all(name in shown for name in names)


@pytest.mark.parametrize("display", DISPLAYS)
def test_estimator_and_its_predictions_give_the_same_numbers(display):
    X, y, X_new, y_new = blobs(3)
    model = NaiveBayes().fit(X, y)
    whole = display.from_estimator(model, X_new, y_new, name="nb")
    again = display.from_predictions(y_new, model.predict_proba(X_new), name="nb")
    assert whole.frame().equals(again.frame())
    one = display.from_predictions(y_new, model.predict_proba(X_new)[:, 1], pos_label="bee", name="nb, bee")
    assert one.frame().equals(whole.frame().filter(curve="nb, bee"))
    assert display.from_estimator(model, X_new, y_new, pos_label="bee", name="nb, bee").frame().equals(one.frame())


@pytest.mark.parametrize("display", DISPLAYS)
def test_the_axes_given_are_used_and_a_second_curve_has_another_colour(display):
    X, y, X_new, y_new = blobs(2)
    figure, (left, right) = pyplot.subplots(1, 2)
    first = display.from_estimator(NaiveBayes().fit(X, y), X_new, y_new, ax=right)
    second = display.from_estimator(LogisticRegression().fit(X, y), X_new, y_new, ax=right)
    assert first.ax_ is second.ax_ is right and first.figure_ is figure
    assert not left.lines and pyplot.get_fignums() == [figure.number]
    curves = [line for line in right.lines if line.get_gid() == "curve"]
    assert len(curves) == 2 and curves[0].get_color() != curves[1].get_color()
    assert first.plot() is first and first.ax_ is not right


@pytest.mark.sample(1)
@pytest.mark.parametrize("display", DISPLAYS)
def test_real_data(display, shared_data):
    for name, classes in (("pima_diabetes", 2), ("glass", 6)):
        frame = pl.read_csv(shared_data / "numeric" / f"{name}.csv")
        X, y = frame[:, :-1].to_numpy().astype(float), frame[:, -1].to_numpy()
        for model in (NaiveBayes(), RandomForestClassifier(20, random_state=0)):
            drawn = display.from_estimator(model.fit(X[::2], y[::2]), X[1::2], y[1::2])
            assert rendered(drawn) and len(drawn.curves) == (1 if classes == 2 else classes)


@pytest.mark.parametrize("display", DISPLAYS)
@pytest.mark.parametrize(
    ("y", "scores", "options"),
    [
        ([0, 1, 0], [0.1, np.nan, 0.3], {}),
        ([0, 1, 0], [0.1, 0.3], {}),
        ([1, 1, 1], [0.1, 0.2, 0.3], {}),
        ([0, 1, 2], [0.1, 0.2, 0.3], {}),
        ([0, 1, 2], np.full((3, 2), 0.5), {}),
        ([0, 1, 0], [0.1, 0.2, 0.3], {"pos_label": 7}),
        ([0, 1, 0], [0.1, 0.2, 0.3], {"confidence": 95}),
        ([0, 1, None], [0.1, 0.2, 0.3], {}),
        ([0, 1, 0], [0.1, 0.2, 0.3], {"sample_weight": [1, -1, 1]}),
        ([0, 0, 0], np.full((3, 3), 1 / 3), {"classes": [0, 1, 2]}),
    ],
)
def test_bad_input_is_refused(display, y, scores, options):
    with pytest.raises(InputError):
        display.from_predictions(y, scores, **options)


@pytest.mark.parametrize("display", DISPLAYS)
def test_what_is_no_classifier_or_gives_no_scores_is_refused(display):
    class Silent:
        def predict(self, X):
            return np.zeros(len(X), dtype=int)

    with pytest.raises(InputTypeError, match="from_predictions"):
        display.from_estimator([0.1, 0.2], [[0], [1]], [0, 1])
    with pytest.raises(InputError, match="no scores"):
        display.from_estimator(Silent(), [[0], [1]], [0, 1])
    with pytest.raises(InputError, match="name"):
        curves = display.from_predictions([0, 1], [0.1, 0.9])
        display(**{**{f: getattr(curves, f) for f in ("curves", "steps") if hasattr(curves, f)}, "names": ("a", "b")})


@pytest.mark.parametrize("display", [RocDisplay, CostCurveDisplay, ThresholdCurveDisplay])
@pytest.mark.parametrize(
    "options", [{"costs": [[0, 1, 1]] * 3}, {"costs": {"a": {"b": 1}, "b": {"a": 1}}}, {"prior": 2}]
)
def test_bad_costs_and_priors_are_refused(display, options):
    with pytest.raises(InputError):
        display.from_predictions([0, 1, 0, 1], [0.1, 0.2, 0.3, 0.4], **options)


@pytest.mark.sample(2)
@pytest.mark.parametrize("display", DISPLAYS)
def test_equal_scores_and_perfect_scores_are_drawn(display):
    y = np.arange(20) % 2
    assert rendered(display.from_predictions(y, np.full(20, 0.5)))
    assert rendered(display.from_predictions(y, y.astype(float)))
    assert rendered(display.from_predictions(y, np.where(y, np.inf, -np.inf)))
    assert rendered(display.from_predictions(y, np.linspace(-3, 3, 20), sample_weight=np.arange(20) % 3))


# the ROC curve


def test_roc_numbers_are_those_of_scikit_learn():
    _, _, X, y = blobs(3, 600)
    posterior = GaussianNB().fit(X, y).predict_proba(X).round(2)
    weight = np.random.default_rng(1).uniform(0.5, 2, len(y))
    drawn = RocDisplay.from_predictions(y, posterior, sample_weight=weight)
    for place, name in enumerate(np.unique(y)):
        frame = drawn.frame().filter(curve=name)
        yes = y == name
        alarms, hits, limits = roc_curve(yes, posterior[:, place], sample_weight=weight, drop_intermediate=False)
        np.testing.assert_allclose(frame["false_alarm_rate"], alarms, atol=1e-12)
        np.testing.assert_allclose(frame["sensitivity"], hits, atol=1e-12)
        np.testing.assert_array_equal(frame["threshold"], limits)
        expected = roc_auc_score(yes, posterior[:, place], sample_weight=weight)
        assert drawn.areas[place].value == pytest.approx(expected, abs=1e-12)
        line = [line for line in drawn.ax_.lines if line.get_gid() == "curve"][place]
        np.testing.assert_allclose(line.get_xydata(), np.column_stack([alarms, hits]), atol=1e-12)
        area = drawn.areas[place]
        assert f"{area.value:.3f} [{area.low:.3f}, {area.high:.3f}]" in line.get_label()
    assert "DeLong" in drawn.ax_.get_legend().get_title().get_text()


def test_map_point_is_what_the_model_answers_and_best_is_no_worse():
    X, y, X_new, y_new = blobs(2, 400)
    model = NaiveBayes().fit(X, y)
    drawn = RocDisplay.from_estimator(model, X_new, y_new)
    circle = next(line for line in drawn.ax_.lines if line.get_marker() == "o")
    star = next(line for line in drawn.ax_.lines if line.get_marker() == "*")
    judged = evaluate(model, X_new, y_new)
    rates = judged.measure("false positive rate").value, judged.measure("recall").value
    assert circle.get_xydata().tolist() == [pytest.approx(rates)]
    best = drawn.curves[0].best_point()
    assert star.get_xydata().tolist() == [[best.false_alarm_rate, best.sensitivity]]
    assert best.accuracy >= judged.accuracy.value
    assert "MAP" in circle.get_label() and f"{judged.accuracy.value:.3f}" in circle.get_label()
    unmarked = RocDisplay.from_estimator(model, X_new, y_new, mark=False)
    assert not [line for line in unmarked.ax_.lines if line.get_marker() in ("o", "*")]


def test_map_point_has_wilson_bars():
    y, p = np.repeat([0, 1], 50), np.linspace(0.05, 0.95, 100)
    drawn = RocDisplay.from_predictions(y, p)
    segments = [s for bars in drawn.ax_.containers for c in bars[2] for s in c.get_segments()]
    hits = proportion_interval(int((p[50:] >= 0.5).sum()), 50)
    assert any(np.allclose(s[:, 1], [hits.low, hits.high]) for s in segments)


@given(st.floats(0.05, 0.95), st.floats(0.1, 10), st.floats(0.1, 10))
def test_theoretical_threshold_minimises_the_risk_under_the_shifted_prior(prior, alarm, miss):
    curve = RocCurve.of([0, 0, 0, 1], [0.1, 0.2, 0.6, 0.7])  # a quarter is positive
    t = curve.posterior_threshold([[0, alarm], [miss, 0]], prior)
    moved = np.array([(1 - t) * (1 - prior) / 0.75, t * prior / 0.25])
    moved /= moved.sum()
    assert moved[0] * alarm == pytest.approx(moved[1] * miss)  # both answers cost the same there


def test_array_of_costs_is_in_the_order_of_the_classes_whatever_is_positive():
    X, y, X_new, y_new = blobs(2, 400)
    model = NaiveBayes().fit(X, y)
    named = {"ant": {"bee": 5}, "bee": {"ant": 1}}
    for positive in ("ant", "bee"):
        options = {"pos_label": positive, "mark": True}
        by_name = RocDisplay.from_estimator(model, X_new, y_new, costs=named, **options)
        by_place = RocDisplay.from_estimator(model, X_new, y_new, costs=[[0, 5], [1, 0]], **options)
        marks = [next(ln for ln in d.ax_.lines if ln.get_marker() == "*").get_label() for d in (by_name, by_place)]
        assert marks[0] == marks[1] and "cost" in marks[0]
        limit = by_name.curves[0].posterior_threshold(by_name.costs)
        assert limit == pytest.approx(1 / 6 if positive == "ant" else 5 / 6)


def test_hull_and_isometrics_are_drawn_when_asked_for():
    X, y, X_new, y_new = blobs(2)
    model = LogisticRegression().fit(X, y)
    plain = RocDisplay.from_estimator(model, X_new, y_new)
    hull = RocDisplay.from_estimator(model, X_new, y_new, hull=True)
    curve = hull.curves[0]
    added = [line for line in hull.ax_.lines if line.get_linestyle() == ":"]
    np.testing.assert_array_equal(added[0].get_xydata(), curve.points[curve.hull])
    assert hull.frame()["hull"].sum() == len(curve.hull)
    lines = RocDisplay.from_estimator(model, X_new, y_new, isometrics=True, costs=[[0, 1], [3, 0]], prior=0.4)
    slope = curve.isometric_slope([[0, 1], [3, 0]], 0.4)
    extra = [line.get_xydata() for line in lines.ax_.lines if line.get_linewidth() == 0.6]
    assert len(extra) >= 3 and len(lines.ax_.lines) > len(plain.ax_.lines) + 3
    for ends in extra:
        assert (ends[1, 1] - ends[0, 1]) / (ends[1, 0] - ends[0, 0]) == pytest.approx(slope, rel=1e-6)
    for text in lines.ax_.texts:  # each line says what it costs
        x, y = text.xy
        assert 0.6 * x + 0.4 * 3 * (1 - y) == pytest.approx(float(text.get_text()), abs=5e-3)
    level = RocDisplay.from_estimator(model, X_new, y_new, isometrics=True, prior=0.0)
    assert rendered(level)  # vertical lines


@pytest.mark.sample(2)
@pytest.mark.parametrize("classes", [2, 3])
@pytest.mark.parametrize("model", [NaiveBayes(), GaussianNB()], ids=["own", "scikit-learn"])
def test_bands_over_folds(classes, model):
    _, _, X, y = blobs(classes, 300)
    result = cross_validate(model, X, y, cv=5, repeats=2)
    drawn = RocDisplay.from_cross_validation(result, name="model")
    assert rendered(drawn) and len(drawn.bands) == (1 if classes == 2 else 3)
    place = 1 if classes == 2 else 0
    curves = [
        RocCurve.of(y[fold == f] == np.unique(y)[place], result.posterior[r][fold == f, place])
        for r, fold in enumerate(result.folds)
        for f in range(5)
    ]
    expected = RocBands.of(curves)
    np.testing.assert_allclose(drawn.bands[0].mean, expected.mean)
    frame = drawn.frame().filter(curve=drawn.names[0])
    np.testing.assert_allclose(frame["mean"], expected.mean)
    np.testing.assert_allclose(frame["high"], np.minimum(expected.mean + expected.standard_deviation, 1))
    if classes == 2:
        estimate = result.estimate("roc_area")
        assert (drawn.areas[0].value, drawn.areas[0].low) == pytest.approx((estimate.value, estimate.low))
    title = drawn.ax_.get_legend().get_title().get_text()
    assert "over 10 folds" in title and "not a confidence band" in title
    widest = RocDisplay.from_cross_validation(result, spread="range").frame()
    assert (widest["high"] == widest["highest"]).all() and (widest["low"] == widest["lowest"]).all()


def test_folds_that_have_no_curve_are_refused():
    _, _, X, y = blobs(2, 40)
    with pytest.raises(InputError, match="fold 0"):
        RocDisplay.from_cross_validation(cross_validate(NaiveBayes(), X, y, leave_one_out=True))
    with pytest.raises(InputError, match="predict_proba"):
        RocDisplay.from_cross_validation(cross_validate(RidgeClassifier(), X, y, cv=3))
    with pytest.raises(InputTypeError, match="cross_validate"):
        RocDisplay.from_cross_validation([0.1, 0.2])
    with pytest.raises(InputError, match="spread"):
        RocDisplay.from_cross_validation(cross_validate(NaiveBayes(), X, y, cv=3), spread="wide")


@pytest.mark.sample(4)
@pytest.mark.parametrize("display", DISPLAYS)
@pytest.mark.parametrize("classes", [2, 3, 6, 9])
def test_curves_of_few_and_many_classes_can_be_read(display, classes):
    X, y, X_new, y_new = blobs(classes, 180)
    drawn = display.from_estimator(NaiveBayes().fit(X, y), X_new, y_new)
    assert complaints(drawn.figure_) == []
    legend, axes = drawn.ax_.get_legend().get_window_extent(), drawn.ax_.bbox
    if legend.x0 >= axes.x1:  # beside
        assert axes.width > 0.4 * drawn.figure_.bbox.width


@pytest.mark.parametrize("display", DISPLAYS)
def test_two_models_on_the_same_axes_can_be_read(display):
    X, y, X_new, y_new = blobs(2, 300)
    first = display.from_estimator(NaiveBayes().fit(X, y), X_new, y_new, name="a model with a long name")
    both = display.from_estimator(LogisticRegression().fit(X, y), X_new, y_new, name="another one", ax=first.ax_)
    assert complaints(both.figure_) == []
    size = both.figure_.get_size_inches().tolist()
    again = display.from_estimator(LogisticRegression().fit(X, y), X_new, y_new, name="another one", ax=first.ax_)
    assert again.figure_.get_size_inches()[1] < size[1] + 0.9  # grown by the new lines of the legend, not once more


@pytest.mark.parametrize("display", [CostCurveDisplay, ThresholdCurveDisplay])
def test_the_legend_of_two_models_lies_below_the_axes_and_their_label(display):
    X, y, X_new, y_new = blobs(2, 300)
    first = display.from_estimator(NaiveBayes().fit(X, y), X_new, y_new)
    height = first.figure_.get_figheight()
    display.from_estimator(LogisticRegression().fit(X, y), X_new, y_new, ax=first.ax_)
    third = display.from_estimator(GaussianNB().fit(X, y), X_new, y_new, ax=first.ax_)
    assert height < third.figure_.get_figheight() < height + 2  # made higher once
    third.figure_.canvas.draw()
    text, page = third.ax_.get_legend().get_window_extent(), third.figure_.bbox
    assert text.y1 < third.ax_.xaxis.label.get_window_extent().y0
    assert page.x0 <= text.x0 and text.x1 <= page.x1 and page.y0 <= text.y0
    assert third.ax_.bbox.height > 0.3 * page.height


# precision and recall


def test_two_models_of_the_same_rows_have_one_line_of_chance_in_the_legend():
    X, y, X_new, y_new = blobs(2)
    first = PrecisionRecallDisplay.from_estimator(NaiveBayes().fit(X, y), X_new, y_new)
    PrecisionRecallDisplay.from_estimator(LogisticRegression().fit(X, y), X_new, y_new, ax=first.ax_)
    shown = first.ax_.get_legend_handles_labels()[1]
    assert sum(text.startswith("all called positive") for text in shown) == 1
    assert len(shown) == 3


def test_precision_and_recall_are_those_of_scikit_learn():
    _, _, X, y = blobs(3, 600)
    posterior = GaussianNB().fit(X, y).predict_proba(X).round(2)
    drawn = PrecisionRecallDisplay.from_predictions(y, posterior)
    for place, name in enumerate(np.unique(y)):
        frame = drawn.frame().filter(curve=name)
        precision, recall, limits = precision_recall_curve(y == name, posterior[:, place])
        np.testing.assert_allclose(frame["precision"], precision[-2::-1])
        np.testing.assert_allclose(frame["recall"], recall[-2::-1])
        np.testing.assert_allclose(frame["threshold"], limits[::-1])
        figure = drawn.curves[place].average_precision
        assert figure.value == pytest.approx(average_precision_score(y == name, posterior[:, place]))
        line = [line for line in drawn.ax_.lines if line.get_gid() == "curve"][place]
        assert f"{figure.value:.3f} [{figure.low:.3f}, {figure.high:.3f}]" in line.get_label()
        x, height = line.get_xydata().T  # the area under the steps is the average precision
        assert np.diff(x) @ height[1:] == pytest.approx(figure.value)


def test_precision_band_is_wilson_and_the_line_is_the_prevalence():
    X, y, X_new, y_new = blobs(2)
    drawn = PrecisionRecallDisplay.from_estimator(NaiveBayes().fit(X, y), X_new, y_new, confidence=0.9)
    row = drawn.frame().row(7, named=True)
    interval = proportion_interval(row["TP"], row["TP"] + row["FP"], 0.9)
    assert (row["precision_low"], row["precision_high"]) == pytest.approx((interval.low, interval.high))
    dotted = next(line for line in drawn.ax_.lines if line.get_linestyle() == ":")
    assert dotted.get_ydata()[0] == np.mean(y_new == "bee")
    assert len(drawn.ax_.collections) == 1 and "90 %" in drawn.ax_.get_legend().get_title().get_text()
    bare = PrecisionRecallDisplay.from_estimator(NaiveBayes().fit(X, y), X_new, y_new, band=False)
    assert not bare.ax_.collections
    assert isinstance(bare.curves[0], PrecisionRecallCurve)


# costs


@given(st.lists(st.tuples(st.booleans(), st.integers(0, 6)), min_size=2, max_size=30))
def test_the_envelope_is_the_lowest_of_all_lines(rows):
    y, score = np.array([r[0] for r in rows]), np.array([r[1] for r in rows], dtype=float)
    if y.all() or not y.any():
        return
    curve = CostCurve(RocCurve.of(y, score, pos_label=True))
    frame = curve.frame()
    x = frame["probability_cost"].to_numpy()
    f, miss = [], []
    for limit in [np.inf, *np.unique(score)]:
        f.append(np.mean(score[~y] >= limit))
        miss.append(np.mean(score[y] < limit))
    lowest = ((1 - x)[:, None] * f + x[:, None] * miss).min(axis=1)
    np.testing.assert_allclose(frame["normalized_cost"], lowest, atol=1e-12)
    assert (frame["low"] <= frame["normalized_cost"] + 1e-12).all()
    assert (frame["high"] >= frame["normalized_cost"] - 1e-12).all()
    assert (frame["low"] >= -1e-12).all()


def test_the_envelope_at_an_operating_condition_is_the_best_point_of_the_roc_curve():
    X, y, X_new, y_new = blobs(2, 400)
    costs, prior = [[0, 2], [7, 0]], 0.3
    drawn = CostCurveDisplay.from_estimator(NaiveBayes().fit(X, y), X_new, y_new, costs=costs, prior=prior)
    curve = drawn.curves[0]
    at = curve.probability_cost(drawn.costs, prior)
    assert at == pytest.approx(0.3 * 7 / (0.3 * 7 + 0.7 * 2))
    worst = 0.3 * 7 + 0.7 * 2
    assert float(curve.cost(at)) == pytest.approx(curve.steps.best_point(costs, prior).expected_cost / worst)
    label = next(text for text in drawn.ax_.get_legend_handles_labels()[1] if text.startswith("at "))
    assert f"at {at:.3g}: {float(curve.cost(at)):.3f}" in label
    with pytest.raises(InputError, match="between 0 and 1"):
        curve.cost(1.5)


def test_options_of_the_cost_curve_change_the_picture():
    X, y, X_new, y_new = blobs(3)
    model = NaiveBayes().fit(X, y)
    plain, lines, bare = (
        CostCurveDisplay.from_estimator(model, X_new, y_new, **options)
        for options in ({}, {"lines": True}, {"band": False})
    )
    assert len(lines.ax_.collections) > len(plain.ax_.collections) > len(bare.ax_.collections) == 0


def test_interval_of_the_cost_is_wilson_for_one_rate_and_covers_for_two():
    steps = RocCurve.of(np.repeat([0, 1], [40, 60]), np.concatenate([np.arange(40.0), np.arange(10.0, 70.0)]))
    step = np.array([30])
    low, high = cost_bounds(steps, step, np.zeros(1), np.ones(1))
    missed = proportion_interval(float(steps.hits[-1] - steps.hits[30]), 60)
    assert (float(low[0]), float(high[0])) == pytest.approx((missed.low, missed.high))
    low, high = cost_bounds(steps, np.array([0, len(steps.hits) - 1]), np.ones(2), np.ones(2))
    assert low.tolist() == high.tolist() == [1.0, 1.0]  # the same said of all rows is certain

    rng, covered = np.random.default_rng(3), []
    y = np.repeat([0, 1], [60, 40])
    truth = 0.6 * 0.2 + 0.4 * 3 * 0.3  # false alarms of 0.2 and misses of 0.3
    for _ in range(600):
        # three scores: 0 or 1 by the rates at the threshold of 1, and one row of either class beyond, so that the
        # step of the threshold is not one of the two trivial ones
        said = np.where(rng.random(100) < np.where(y, 0.7, 0.2), 1.0, 0.0)
        steps = RocCurve.of(np.append(y, [0, 1]), np.append(said, [-1.0, 2.0]), sample_weight=[1.0] * 100 + [1e-9] * 2)
        place = int(np.flatnonzero(steps.thresholds == 1.0)[0])
        low, high = cost_bounds(steps, np.array([place]), np.array([0.6]), np.array([1.2]))
        covered.append(low[0] <= truth <= high[0])
    assert 0.93 <= np.mean(covered) <= 0.975


# thresholds


@pytest.mark.parametrize("costs", [None, [[0, 1], [5, 0]], [[-1, 2], [6, 1]]])
@pytest.mark.parametrize("prior", [None, 0.2])
def test_cost_of_every_threshold(costs, prior):
    X, y, X_new, y_new = blobs(2, 200)
    p = GaussianNB().fit(X, y).predict_proba(X_new)[:, 1].round(2)
    drawn = ThresholdCurveDisplay.from_predictions(y_new, p, costs=costs, prior=prior)
    matrix = 1 - np.eye(2) if costs is None else np.array(costs)
    yes = y_new == "bee"
    share = yes.mean() if prior is None else prior
    for row in drawn.frame().iter_rows(named=True):
        said = p > row["threshold"]
        hit, alarm = said[yes].mean(), said[~yes].mean()
        assert (row["sensitivity"], row["specificity"]) == pytest.approx((hit, 1 - alarm))
        cost = share * ([1 - hit, hit] @ matrix[1]) + (1 - share) * ([1 - alarm, alarm] @ matrix[0])
        assert row["expected_cost"] == pytest.approx(cost)
        assert row["low"] - 1e-12 <= cost <= row["high"] + 1e-12
    curve = drawn.curves[0]
    assert curve.best_loss == pytest.approx(drawn.frame()["expected_cost"].min())
    star = next(line for line in drawn.ax_.lines if line.get_marker() == "*")
    assert star.get_xydata().tolist() == [[curve.best, curve.best_loss]]
    circle = next(line for line in drawn.ax_.lines if line.get_marker() == "o")
    assert circle.get_xdata()[0] == drawn.steps[0].posterior_threshold(costs, prior)
    assert drawn.ax_.get_ylabel() == ("Error rate" if costs is None else "Expected cost per row")


def test_rates_are_drawn_on_an_axis_of_their_own_for_one_class():
    X, y, X_new, y_new = blobs(3)
    model = LogisticRegression().fit(X, y)
    drawn = ThresholdCurveDisplay.from_estimator(model, X_new, y_new, pos_label="cow", rates=True)
    assert rendered(drawn) and drawn.rates_ax_ is not None
    sensitivity = drawn.rates_ax_.lines[0].get_ydata()
    np.testing.assert_allclose(sensitivity[:-1], drawn.frame()["sensitivity"])
    labels = drawn.ax_.get_legend_handles_labels()[1]
    assert "sensitivity (right)" in labels and "specificity (right)" in labels
    with pytest.raises(InputError, match="one class"):
        ThresholdCurveDisplay.from_estimator(model, X_new, y_new, rates=True)


def test_a_decision_function_has_no_theoretical_threshold():
    X, y, X_new, y_new = blobs(2)
    drawn = ThresholdCurveDisplay.from_estimator(LinearSVC().fit(X, y), X_new, y_new)
    assert not drawn.posterior and not [line for line in drawn.ax_.lines if line.get_marker() == "o"]
    left, right = drawn.ax_.get_xlim()
    score = drawn.curves[0].score
    assert left < score[0] and score[-1] < right
    with pytest.raises(InputError, match="wrong answer"):
        ThresholdCurveDisplay.from_predictions([0, 1], [0.1, 0.9], costs=[[1, 0], [1, 0]])


def test_bands_of_many_thresholds_are_left_out_unless_asked_for():
    X, y, X_new, y_new = blobs(5)
    model = NaiveBayes().fit(X, y)
    assert not ThresholdCurveDisplay.from_estimator(model, X_new, y_new).ax_.collections
    assert len(ThresholdCurveDisplay.from_estimator(model, X_new, y_new, band=True).ax_.collections) == 5
