"""The first screen of a report: tiles that agree with the figures, a headline when something else wins."""

from dataclasses import replace
from types import SimpleNamespace

import numpy as np
import polars as pl
import pytest

import likely
from likely.evaluation.audit.redundancy import redundancy
from likely.evaluation.measures.criteria import cost_criterion, criterion
from likely.evaluation.resampling.learning_curve import LearningCurve
from likely.intervals.estimate import Estimate
from likely.reports.clipping import Clipped
from likely.reports.looking_back import why_no_growth
from likely.reports.rendering.first_screen.answer import needs_attention
from likely.reports.rendering.first_screen.shown_figures import off_by
from likely.reports.rendering.first_screen.tiles import _trust, tiles
from likely.reports.rendering.illustrations import examples
from likely.reports.rendering.rivals import best_rival
from likely.reports.rendering.table_sections import _growth_in_words


def table(n=300, seed=0):
    rng = np.random.default_rng(seed)
    ill = rng.random(n) < 0.3
    return pl.DataFrame({"fever": rng.normal(37 + 1.2 * ill, 0.7), "state": np.where(ill, "ill", "well")})


@pytest.fixture(scope="module")
def found():
    return likely.study(table(), "state", repeats=1, cv=5, yardsticks=False, reject=0.2)


def test_five_questions_are_answered_and_in_every_form_of_the_report(found):
    shown = tiles(found)
    assert [tile.title for tile in shown] == [
        "How often right?",
        "Better than guessing?",
        "Does something else do better?",
        "Can its probabilities be trusted?",
        "Biggest worry",
    ]
    page, text, record = found.html(), found.markdown(), found.record()
    for tile in shown:
        assert tile.title in page and tile.title in text
    assert [one["answer"] for one in record["tiles"]] == [tile.figure for tile in shown]
    assert "scope=" in page and "<caption>" in page and '<nav aria-label="Contents">' in page
    assert "Not drawn" not in page and "as the model kept sees it" in page  # densities are those of the model kept


def test_the_positive_class_is_the_rarer_unless_another_is_named(found):
    assert found.evaluation.positive == "ill" and found.record()["positive"] == "ill"
    other = likely.study(table(), "state", repeats=1, cv=3, yardsticks=False, positive="well")
    assert other.evaluation.positive == "well"
    with pytest.raises(likely.LikelyError, match="no class 'wel'"):
        likely.study(table(), "state", repeats=1, cv=3, yardsticks=False, positive="wel")


def test_rows_left_unanswered_are_told(found):
    left = int(found.decision.rejected.sum())
    assert left and f"{left:,} of 300 rows are left unanswered" in found.answer[2]
    price = cost_criterion(1 - np.eye(2), 0.2).estimate(found.evaluation.said)
    assert f"With 1 for a mistake a row costs {price.short()}, leaving every row unanswered 0.2." in found.answer[2]


def test_typical_rows_are_answered_and_doubtful_ones_that_are_not_say_so(found):
    shown = examples(found)
    assert not any(one.left for one in shown if one.what.startswith("a typical"))
    assert [found.decision.rejected[one.row] for one in shown].count(True) == sum(one.left for one in shown) > 0
    assert "The model leaves it unanswered; what would cost least to say is" in found.markdown()


def test_what_is_off_by_nothing_is_off_by_at_most_something(found):
    assert "0.000" not in off_by(found.evaluation.calibration_error.debiased)


@pytest.mark.slow
def test_a_rival_that_wins_is_the_headline_and_can_be_kept():
    rng = np.random.default_rng(1)
    x = rng.normal(size=(900, 2))
    data = pl.DataFrame({"a": x[:, 0], "b": x[:, 1], "kind": np.where(x[:, 0] * x[:, 1] > 0, "same", "other")})
    usual = likely.study(data, "kind", repeats=1, cv=5, yardsticks=False)
    best = likely.study(data, "kind", repeats=1, cv=5, yardsticks=False, keep_best=True)
    assert best.choice.chosen == usual.choice.best and not best_rival(best).wins_log_loss
    beaten = type(usual)(**{**_fields(usual), "choice": _choosing(usual, "nearest mean")})
    assert best_rival(beaten).wins and needs_attention(beaten)
    assert beaten.answer[0].startswith("Something else wins: ") and "nats" in beaten.answer[0]


def _fields(study):
    return {name: getattr(study, name) for name in type(study).__dataclass_fields__}


def _choosing(study, name):
    from dataclasses import replace

    return replace(study.choice, chosen=name)


def test_a_yardstick_that_says_never_is_judged_all_the_same():
    from sklearn.tree import DecisionTreeClassifier

    data = table()
    model = Clipped(DecisionTreeClassifier()).fit(data.select("fever"), data["state"].to_numpy())
    p = model.predict_proba(data.select("fever"))
    assert p.min() > 0 and np.allclose(p.sum(axis=1), 1)
    assert model.predict(data.select("fever")).tolist() == model.classes_[p.argmax(axis=1)].tolist()


def test_the_same_answer_counted_seven_times_is_found():
    rng = np.random.default_rng(2)
    y = rng.integers(0, 2, 1_000)
    x = rng.normal(y)
    alone = redundancy(np.column_stack([rng.normal(y) for _ in range(4)]), y)
    seven = redundancy(np.column_stack([x + 0.01 * rng.normal(size=1_000) for _ in range(7)]), y)
    assert alone.bits < 0.2 and not alone.strong
    assert seven.bits > 6 * 2 and len(seven.strong) == 6
    assert "share at least" in str(seven)


def test_redundancy_takes_levels_gaps_and_constants():
    frame = pl.DataFrame({"a": ["x", None, "y"] * 40, "b": ["x", None, "y"] * 40, "c": [1] * 120, "d": [None] * 120})
    found = redundancy(frame, ["p", "q"] * 60)
    assert found.columns == 2 and found.strong[0].bits > 1


def test_a_study_in_a_notebook_shows_its_first_screen(found):
    shown = found._repr_html_()
    assert "How often right?" in shown and "<svg" in shown and "<script" not in shown
    style = shown[shown.index("<style>") + 7 : shown.index("</style>")].strip()
    assert style.startswith(".likely {") and "\nbody" not in style and ":root" not in style and "12rem" not in style


def test_a_report_names_the_intervals_that_it_shows_and_one_accuracy(found):
    page = found.html()
    assert "of F1: Wilson" in page and "delta method" not in page and "accuracy 0." not in page.split("Its probab")[0]


def test_what_is_missing_or_without_an_end_is_said_in_words(found):
    one = LearningCurve(criterion("log_loss"), (100, 200), np.array([[0.6, 0.5]]), np.array([[0.6, 0.5]]), 90, 300)
    assert "changed by -0.100 nats in the one split" in _growth_in_words(one)
    assert "took 21 s" in why_no_growth(replace(found.chosen, seconds=21.4), found.result.y)
    assert "too few" in why_no_growth(found.chosen, found.result.y[:40])


def _moved(n=240):
    """Rows of which the later ones have their fever the wrong way round."""
    rows = table(n).with_columns(part=pl.Series(["train"] * (n - 80) + ["test"] * 80))
    turned = pl.when(pl.col("part") == "test").then(74 - pl.col("fever")).otherwise(pl.col("fever"))
    return rows.with_columns(fever=turned)


@pytest.mark.parametrize(
    "error, figure, tone",
    [((0.01, 0.0, 0.02), "Yes", "good"), ((0.05, 0.0, 0.3), "Roughly", "fair"), ((0.12, 0.07, 0.2), "With care", "bad"),
     ((0.27, 0.22, 0.32), "No", "bad")],
)  # fmt: skip
def test_probabilities_that_are_surely_far_off_are_not_to_be_trusted(found, monkeypatch, error, figure, tone):
    far = Estimate(*error, 0.95, "bins", 300)
    judged = SimpleNamespace(calibration_error=replace(found.evaluation.calibration_error, debiased=far))
    monkeypatch.setattr("likely.reports.rendering.first_screen.tiles.judged", lambda study: judged)
    shown = _trust(found)
    assert (shown.figure, shown.tone) == (figure, tone) and off_by(far) in shown.words


@pytest.mark.slow
def test_rows_set_aside_have_the_last_word():
    found = likely.study(_moved(), "state", repeats=1, cv=3, yardsticks=False, split="part")
    assert found.tested is not None and found.tested.n == 80
    said = f"{100 * found.tested.accuracy.value:.1f} %"
    shown = {tile.title: tile for tile in tiles(found)}
    assert shown["How often right?"].figure == said and shown["How often right?"].tone == "bad"
    assert shown["Better than guessing?"].figure in ("No", "Not shown")
    assert said in found.answer[0] and "of the 80 rows set aside" in found.answer[0]
    assert found.document.picture.caption.count(said) == 1
    assert needs_attention(found)
    worse = found.tested.calibration_error.debiased
    assert off_by(worse) in shown["Can its probabilities be trusted?"].words


@pytest.mark.slow
def test_with_costs_the_first_screen_is_about_costs():
    costs = {"ill": {"well": 10}, "well": {"ill": 1}}
    found = likely.study(table(240), "state", repeats=1, cv=3, yardsticks=False, costs=costs)
    label, constant = found.evaluation.best_constant
    against = next(tile for tile in tiles(found) if tile.title == "Better than guessing?")
    assert f"A decision costs {found.evaluation.cost.short()}, always saying {label}" in against.words
    assert f"always saying {label} {constant.value:.3f}" in found.document.picture.caption
    assert not any("would be right for" in sentence for sentence in found.answer)
    rival = best_rival(found)
    assert f"{found.evaluation_of(rival.entry.result).cost.value:.3f}" in found.document.picture.caption


@pytest.mark.slow
def test_leaving_every_row_is_what_costs_least_without_a_model(monkeypatch):
    costs = {"ill": {"well": 3}, "well": {"ill": 1}}
    found = likely.study(table(400), "state", repeats=1, cv=3, yardsticks=False, costs=costs, reject=0.25)
    shown = {tile.title: tile for tile in tiles(found)}
    cost = found.evaluation.cost.value
    assert found.evaluation.best_constant[1].value > 0.25 > cost
    assert shown["Better than guessing?"].words.startswith(
        f"A decision costs {found.evaluation.cost.short()}, leaving every row unanswered 0.25."
    )
    assert shown["Better than guessing?"].figure == f"{100 * (1 - cost / 0.25):.0f} % cheaper"
    assert "leaving every row unanswered 0.250" in found.document.picture.caption
    assert (
        "0.25 for leaving every row unanswered" in found.answer[2] and "would cost" not in found.answer[2]
    )  # told once
    assert "Every row is answered. Of thresholds that cost the same" in found.html()
    assert "a row, " in shown["Does something else do better?"].words  # compared by what they cost
    assert "right of the rows answered" in found.html()
    monkeypatch.setattr("likely.reports.rendering.first_screen.tiles.is_useful", lambda study: False)
    worry = tiles(found)[-1]
    assert worry.figure == "Open in log-loss" and "than leaving every row" in worry.words


@pytest.mark.parametrize("covariance", ["full", "shared", "shared_diagonal"])
def test_a_column_by_itself_is_the_marginal_of_the_model(covariance):
    from likely.figures import ClassDensitiesDisplay

    rng = np.random.default_rng(3)
    y = np.repeat(["a", "b"], 60)
    first = rng.normal(size=120) + (y == "b")
    X = pl.DataFrame({"u": first, "v": first + rng.normal(size=120)})
    model = likely.GaussianBayes(covariance).fit(X, y)
    drawn = ClassDensitiesDisplay.from_estimator(model, X, y, "v").frame().filter(pl.col("class") == "b")
    spread = np.var(X["v"].to_numpy()[60:])
    if covariance != "full":
        spread = (spread + np.var(X["v"].to_numpy()[:60])) / 2
    x, mean = drawn["x"].to_numpy(), X["v"].to_numpy()[60:].mean()
    normal = np.exp(-((x - mean) ** 2) / (2 * spread)) / np.sqrt(2 * np.pi * spread)
    assert np.allclose(drawn["density"].to_numpy(), normal, rtol=1e-6)
    with pytest.raises(likely.LikelyError, match="no column 'w'"):
        ClassDensitiesDisplay.from_estimator(model, X, y, "w")
