"""A study finds the good model, says so with intervals, and keeps to its own rules."""

import json
import re
from dataclasses import replace
from datetime import date, timedelta
from html.parser import HTMLParser

import numpy as np
import polars as pl
import pytest

import likely
from likely.data.bundled import penguins
from likely.decisions import MajorityClassifier
from likely.errors import InputError
from likely.evaluation import cross_validate
from likely.models import unwrap
from likely.models.roster import TableFacts, candidates
from likely.reports.choosing.choice import choose
from likely.reports.choosing.contest import BASELINE
from likely.reports.choosing.entrants import left_out_of_wide
from likely.reports.rendering.first_screen.first_figures import mean_cost, without_model

VOID = {"meta", "br", "hr", "img", "link", "input", "path", "use", "rect", "circle"}


@pytest.fixture(scope="module")
def birds():
    return likely.study(penguins(), "species", repeats=1, cv=5, yardsticks=False, title="penguins")


@pytest.fixture(scope="module")
def priced():
    rng = np.random.default_rng(0)
    ill = rng.random(400) < 0.3
    table = pl.DataFrame(
        {
            "fever": rng.normal(37 + ill, 0.7),
            "cough": np.where(rng.random(400) < 0.3 + 0.4 * ill, "yes", "no"),
            "state": np.where(ill, "ill", "well"),
        }
    )
    costs = {"ill": {"well": 10}, "well": {"ill": 1}}
    return likely.study(table, "state", costs=costs, prior={"ill": 0.1, "well": 0.9}, repeats=1, cv=5, yardsticks=False)


class Checker(HTMLParser):
    """Every element is closed, and nothing is fetched from elsewhere."""

    def __init__(self):
        super().__init__()
        self.open, self.fetched, self.scripts = [], [], 0

    def handle_starttag(self, tag, attributes):
        self.scripts += tag == "script"
        for name, value in attributes:
            if name in ("src", "href", "xlink:href") and not value.startswith(("#", "data:")):
                self.fetched.append(value)
        if tag not in VOID:
            self.open.append(tag)

    def handle_startendtag(self, tag, attributes):
        self.handle_starttag(tag, attributes)
        if tag not in VOID:
            self.open.pop()

    def handle_endtag(self, tag):
        if tag not in VOID:
            assert self.open.pop() == tag


def check_page(text):
    page = Checker()
    page.feed(text)
    assert not page.open and not page.fetched and not page.scripts
    assert "@media (prefers-color-scheme: dark)" in text and "@media print" in text


def test_the_model_kept_is_good_and_usable(birds):
    assert birds.result.estimate("accuracy").low > 0.95
    assert birds.model.predict(penguins().drop("species")).shape == (344,)
    assert birds.choice.chosen != BASELINE and birds.chosen.result is not None


def test_every_candidate_was_judged_on_the_same_folds_as_by_cross_validate(birds):
    folds = birds.chosen.result.folds
    for entry in birds.entries:
        assert entry.judged and np.array_equal(entry.result.folds, folds)
    again = cross_validate(birds.chosen.model, birds.data.X, birds.data.y, cv=folds)
    assert np.array_equal(again.scores("log_loss"), birds.chosen.ways[0].result.scores("log_loss"))


def test_the_choice_is_the_simplest_within_one_standard_error(birds):
    scores = {e.name: e.result.scores("log_loss") for e in birds.entries}
    ranks = {e.name: e.rank for e in birds.entries}
    best = min(scores, key=lambda name: scores[name].mean())
    for name, own in scores.items():
        apart = (own - scores[best]).ravel()
        error = apart.std(ddof=1) * np.sqrt(1 / len(apart) + birds.result.test_ratio)
        if apart.mean() <= error:
            assert (ranks[birds.choice.chosen], scores[birds.choice.chosen].mean()) <= (ranks[name], own.mean() + 1e-12)


def test_heavy_tails_and_doubtful_candidates_do_not_fool_the_choice():
    """A simple model that is off by hundreds in a few rows is within one standard error of anything."""
    rng = np.random.default_rng(2)
    y = np.arange(300) % 2
    X = rng.normal(size=(300, 2)) + 1.5 * y[:, None]
    good = cross_validate(likely.GaussianBayes("shared"), X, y, cv=5)
    said = good.log_posterior.copy()
    wild = rng.choice(300, 3, replace=False)
    said[0, wild, y[wild]], said[0, wild, 1 - y[wild]] = -900.0, 0.0
    results = {
        "majority": cross_validate(MajorityClassifier(), X, y, cv=5),
        "wild": replace(good, log_posterior=said, answers=None),
        "good": good,
        "close": cross_validate(likely.NaiveBayes(), X, y, cv=5),
    }
    ranks, seconds = (
        {"majority": 0, "wild": 1, "good": 3, "close": 2},
        {"majority": 0, "wild": 1, "good": 2, "close": 9},
    )
    simple = choose(results, ranks, "simple", "majority", seconds)
    assert simple.chosen == "close" and set(simple.passed_over) == {"wild", "majority"}
    assert "wild" in simple.words
    accurate = choose(results, ranks, "accurate", "majority", seconds)
    assert accurate.chosen == accurate.best and accurate.behind is None
    fast = choose(results, ranks, "fast", "majority", seconds)
    assert fast.chosen == min(fast.as_good, key=lambda name: seconds[name])
    if simple.behind is not None:
        assert "costs" in simple.words
    with pytest.raises(InputError, match="unknown prefer"):
        choose(results, ranks, "cheap")


def test_a_rank_decides_between_equals_and_loss_between_ranks():
    rng = np.random.default_rng(1)
    y = np.arange(200) % 2
    X = rng.normal(size=(200, 2)) + y[:, None]
    models = {"a": likely.NaiveBayes(), "b": likely.GaussianBayes("diagonal"), "c": likely.NaiveBayes("kde")}
    results = {name: cross_validate(model, X, y, cv=5) for name, model in models.items()}
    assert choose(results, {"a": 2, "b": 1, "c": 3}).chosen == "b"
    assert choose(results, {"a": 1, "b": 2, "c": 3}).chosen == "a"
    assert choose(results, {"a": 1, "b": 2, "c": 3}).optimism >= 0
    with pytest.raises(InputError, match="no model"):
        choose({}, {})


def test_luck_is_charged_to_those_that_are_picked_and_not_to_their_pool():
    """Of twelve models that are each best in some folds the best looks better than a pool that is as good."""
    rng = np.random.default_rng(3)
    y = np.arange(120) % 2
    X = rng.normal(size=(120, 2)) + 1.5 * y[:, None]
    good = cross_validate(likely.GaussianBayes("shared"), X, y, cv=5)
    results = {"majority": cross_validate(MajorityClassifier(), X, y, cv=5), "pool": good}
    for number in range(12):
        noisy = good.log_posterior + 0.3 * rng.normal(size=(1, 120, 1)) * [1, -1]
        noisy -= np.logaddexp.reduce(noisy, axis=2, keepdims=True)
        results[f"m{number}"] = replace(good, log_posterior=noisy, answers=None)
    ranks = {name: place for place, name in enumerate(results)}
    best = min(results, key=lambda name: results[name].scores("log_loss").mean())
    found = choose(results, ranks, "accurate", "majority", pool="pool")
    assert best != "pool" and found.chosen == "pool" and found.optimism == 0 and found.ahead[0] == best
    assert "luck counted" in found.words and "flatters" in found.words
    alone = choose(results, ranks, "accurate", "majority")
    assert alone.chosen == best and alone.optimism == alone.luck > 0 and alone.ahead == ()


def noise():
    rng = np.random.default_rng(2)
    return pl.DataFrame({"noise": rng.normal(size=300), "kind": rng.choice(["a", "b"], 300, p=[0.8, 0.2])})


def dated():
    day = [date(2020, 1, 1) + timedelta(days=i % 50) for i in range(90)]
    written, x = [f"{one:%d.%m.%Y}" for one in day], [float(i % 7 + 3 * (i % 3)) for i in range(90)]
    return pl.DataFrame({"day": day, "written": written, "x": x, "one": 1, "kind": list("abc") * 30})


@pytest.mark.parametrize(("table", "ignored"), [(noise().with_row_index("id"), ("id",)), (dated(), ("one", "written"))])
def test_the_model_takes_the_table_that_it_was_made_from(table, ignored, tmp_path):
    drop = [name for name in ("written",) if name in table.columns]
    found = likely.study(table, "kind", drop=drop, yardsticks=False, repeats=1, cv=3)
    found.save(tmp_path)
    model = likely.load(tmp_path / "model.likely")
    inner = unwrap(model)
    one = unwrap(next(iter(inner.estimators_.values()))) if isinstance(inner, likely.Pool) else inner
    assert (one.schema_.target, set(one.schema_.ignored)) == ("kind", set(ignored))
    told = found.model.predict_proba(found.data.X)
    for each in (table, table.drop("kind"), table.to_pandas()):
        assert np.array_equal(model.predict_proba(each), told)
    assert model.score(table, "kind") == likely.evaluate(found.model, table, "kind").accuracy.value
    with pytest.raises(InputError, match="'new' was not there when the model was fitted"):
        model.predict(table.with_columns(new=1))


def test_dates_in_texts_are_read_again_by_the_pattern_that_was_found():
    found = likely.study(dated(), "kind", yardsticks=False, repeats=1, cv=3)
    assert np.array_equal(found.model.predict_proba(dated()), found.model.predict_proba(found.data.X))
    with pytest.raises(
        InputError, match=r"row 0: '2020-01-01' is not a date written as the others are, like 31\.12\.2024"
    ):
        found.model.predict(dated().with_columns(written=pl.lit("2020-01-01")))


def test_nothing_to_learn_ends_with_the_majority():
    found = likely.study(noise(), "kind", yardsticks=False, repeats=1)
    assert found.choice.chosen == BASELINE
    assert found.answer[0].startswith("None of ") and "may be luck" in found.answer[0]
    check_page(found.html())


def test_costs_and_prior_reach_the_model_and_the_figures(priced):
    posterior = np.exp(priced.chosen.result.log_posterior[0])
    odds = posterior * (np.array([0.1, 0.9]) / priced.setting.training_prior)
    shifted = odds / odds.sum(axis=1, keepdims=True)
    expected = np.where(10 * shifted[:, 0] >= shifted[:, 1], 0, 1)
    assert np.array_equal(priced.evaluation.said.answers, expected)
    weight = np.array([0.1, 0.9])[priced.result.y] / priced.setting.training_prior[priced.result.y]
    costs = np.array([[0, 10], [1, 0]])[priced.result.y, expected]
    assert priced.evaluation.cost.value == pytest.approx((weight * costs).sum() / weight.sum())
    assert type(priced.model).__name__ == "Decider"
    assert "under the costs given" in priced.answer[2]


def test_a_calibrated_model_is_compared_as_it_is_kept():
    rng = np.random.default_rng(5)
    y = rng.integers(0, 2, 600)
    x = np.repeat(rng.normal(y, 1.5)[:, None], 4, axis=1) + rng.normal(
        0, 0.3, size=(600, 4)
    )  # the same news four times
    table = pl.DataFrame({**{f"x{j}": x[:, j] for j in range(4)}, "kind": np.where(y, "yes", "no")})
    found = likely.study(table, "kind", kinds={f"x{j}": "histogram" for j in range(4)}, yardsticks=False, repeats=1)
    assert found.choice.chosen == "naive Bayes" and found.calibrated_by is not None  # uncalibrated, it loses
    plain = found.chosen.ways[0].result.scores("log_loss").mean()
    assert plain > np.log(2) > found.comparison.estimates["naive Bayes"].value


def test_yardsticks_are_shown_and_never_chosen():
    found = likely.study(penguins(), "species", repeats=1, cv=3)
    names = [entry.name for entry in found.entries if entry.yardstick]
    assert len(names) == 2 and all("scikit-learn" in name for name in names)
    assert found.choice.chosen not in names
    assert all(entry.judged for entry in found.entries)


def test_a_time_limit_leaves_out_what_does_not_fit():
    found = likely.study(penguins(), "species", repeats=1, cv=3, time_limit=1e-9)
    assert [e.name for e in found.entries if e.judged] == [BASELINE]
    assert any("Not judged" in doubt for doubt in found.record()["distrust"])


def test_the_report_needs_nothing_else(birds, priced):
    page = birds.html()
    check_page(page)
    check_page(priced.html())
    assert page == birds.html()
    assert "<svg" in page and "0.95" not in birds.answer[0]


@pytest.mark.slow
def test_what_comes_from_the_data_is_escaped():
    rng = np.random.default_rng(3)
    evil = "<script>alert(1)</script>"
    table = pl.DataFrame({f"x {evil}": rng.normal(size=60), "kind": [evil, "b&b", "`c`"] * 20})
    table = table.with_columns(pl.col(f"x {evil}") + 2.0 * (pl.col("kind") == evil))
    found = likely.study(table, "kind", yardsticks=False, repeats=1, title=f"{evil}.csv")
    check_page(found.html())
    assert evil not in found.html()
    assert not any(evil in line for line in found.markdown().splitlines() if not line.startswith("    "))
    assert json.loads(json.dumps(found.record()))["data"]["classes"]


def test_the_record_is_json_with_intervals(birds):
    record = json.loads(json.dumps(birds.record(), allow_nan=False))
    accuracy = record["figures"]["accuracy"]
    assert accuracy["low"] <= accuracy["value"] <= accuracy["high"] and accuracy["method"] == "Wilson"
    assert {model["name"] for model in record["models"]} == {entry.name for entry in birds.entries}
    assert sum(map(sum, record["confusion"]["matrix"])) == 344


@pytest.mark.slow
def test_files_are_written_whole_and_the_model_answers_alike(birds, tmp_path):
    files = birds.save(tmp_path / "out" / "deep")
    assert sorted(file.name for file in files) == ["model.likely", "report.html", "report.json", "report.md"]
    assert sorted(p.name for p in (tmp_path / "out" / "deep").iterdir()) == sorted(file.name for file in files)
    model = likely.load(tmp_path / "out" / "deep" / "model.likely")
    X = penguins().drop("species")
    assert np.array_equal(model.predict_proba(X), birds.model.predict_proba(X))
    (tmp_path / "taken").write_text("")
    with pytest.raises(InputError, match="folder"):
        birds.save(tmp_path / "taken")


@pytest.mark.slow
def test_the_same_seed_gives_the_same_report():
    one, other = (
        likely.study(penguins(), "species", repeats=1, cv=3, yardsticks=False, random_state=4) for _ in range(2)
    )
    assert one.record()["figures"] == other.record()["figures"]
    different = likely.study(penguins(), "species", repeats=1, cv=3, yardsticks=False, random_state=5)
    assert different.record()["figures"]["log-loss"] != one.record()["figures"]["log-loss"]


def test_classes_of_a_single_row_are_set_aside_and_named():
    table = pl.DataFrame({"x": np.arange(61.0), "kind": ["a", "b"] * 30 + ["alone"]})
    found = likely.study(table, "kind", yardsticks=False, repeats=1)
    assert found.looked.alone == ("alone",) and "alone" in " ".join(found.record()["distrust"])
    assert found.model.classes_.tolist() == ["a", "b"]


@pytest.mark.parametrize(
    ("options", "said"),
    [
        ({"target": "specie"}, "species"),
        ({"drop": ["islan"]}, "island"),
        ({"keep": ["islan"]}, "island"),
        ({"costs": [[0, 1], [1, 0]]}, "3"),
        ({"prior": {"Adelie": 0.5}}, "prior"),
        ({"reject": -1.0}, "0 or more"),
        ({"cv": 1}, "cv"),
        ({"kinds": {"island": "gausian"}}, "gaussian|kind"),
    ],
)
def test_mistakes_are_named(options, said):
    with pytest.raises(InputError, match=said):
        likely.study(penguins(), options.pop("target", "species"), yardsticks=False, **options)


def test_what_is_not_tried_because_a_table_is_wide_is_named():
    wide = TableFacts({f"x{i}": "numeric" for i in range(784)}, 4_000, 10, 400, False)
    entries = left_out_of_wide(wide)
    assert {"boosted trees", "neural network", "dependence (averaged parents)"} <= {entry.name for entry in entries}
    assert not {entry.name for entry in entries} & {candidate.name for candidate in candidates(wide)}
    assert all(not entry.judged and "too wide: it needs" in entry.left_out for entry in entries)
    table = pl.DataFrame(np.random.default_rng(0).normal(size=(40, 101)).round(2)).with_columns(
        y=pl.Series(list("ab") * 20)
    )
    found = likely.study(table, "y", yardsticks=False, cv=2, repeats=1)
    told = next(line for line in found.markdown().splitlines() if line.startswith("- Not judged: "))
    assert re.search(r"dependence \(a tree of columns\)[^;]*\(the table is too wide: it needs", told)


def test_the_roster_fits_the_table():
    numbers = TableFacts({"a": "numeric", "b": "numeric"}, 100, 2, 40, False)
    words = TableFacts({"a": "nominal"}, 100, 2, 40, True)
    few = TableFacts({f"x{i}": "numeric" for i in range(30)}, 60, 3, 10, False)
    names = [{c.name for c in candidates(facts)} for facts in (numbers, words, few)]
    assert {"Gaussian (full covariance)", "Gaussian (shared covariance)", "naive Bayes"} <= names[0]
    of_levels = {
        "naive Bayes",
        "naive Bayes (gaps as evidence)",
        "logistic regression",
        "decision tree",
        "decision forest",
        "nearest neighbours",
    }
    assert of_levels <= names[1]
    assert not any("Gaussian" in name for name in names[1])
    assert "Gaussian (full covariance)" not in names[2]
    assert [c.rank for c in candidates(numbers)] == sorted(c.rank for c in candidates(numbers))


def test_probabilities_are_judged_under_the_prior_given(priced):
    odds = np.exp(priced.chosen.result.log_posterior[0]) * (np.array([0.1, 0.9]) / priced.setting.training_prior)
    shifted = odds / odds.sum(axis=1, keepdims=True)
    weight = priced.setting.weights(priced.result.y)
    loss = -np.log(shifted[np.arange(400), priced.result.y])
    assert priced.evaluation.log_loss.value == pytest.approx((weight * loss).sum() / weight.sum())
    fever = np.linspace(36, 39, 7)
    query = pl.DataFrame({"fever": fever, "cough": ["no"] * 7})
    assert priced.model.predict_proba(query)[:, 0].max() < 1  # the saved model's probabilities are shifted as well
    assert np.all(priced.model.predict_proba(query)[:, 0] < priced.model.estimator_.predict_proba(query)[:, 0])


def test_the_best_constant_answer_stands_beside_the_cost(priced):
    name, cost = priced.evaluation.best_constant
    assert name == "ill" and cost.value == pytest.approx(0.9)
    assert "for always saying ill" in priced.answer[2]


def test_nothing_judged_is_not_nothing_found():
    found = likely.study(penguins(), "species", repeats=1, cv=3, time_limit=1e-9, yardsticks=False)
    assert found.answer[0].startswith("No model could be judged (no time left)")


@pytest.mark.sample(2)
@pytest.mark.parametrize("name", ["count", "rows", "times", "len", "literal"])
def test_any_name_will_do_for_a_column(name):
    rng = np.random.default_rng(6)
    table = pl.DataFrame({name: rng.normal(size=40), "y": ["a", "b"] * 20})
    assert likely.study(table, "y", yardsticks=False, repeats=1).facts.kinds == {name: "numeric"}
    other = pl.DataFrame({"x": rng.normal(size=40), name: ["a", "b"] * 20})
    assert likely.study(other, name, yardsticks=False, repeats=1).target == name


def test_a_table_of_few_rows_has_fewer_folds():
    table = pl.DataFrame({"x": [1.0, 2.0, 3.0, 4.0, 5.0, 6.0], "y": list("aaabbb")})
    assert likely.study(table, "y", yardsticks=False).result.n_folds == 6


def test_what_cannot_be_drawn_does_not_lose_the_report():
    rng = np.random.default_rng(7)
    y = ["a", "b"] * 30
    table = pl.DataFrame({"x": rng.normal(size=60), "never": pl.Series([None] * 60, dtype=pl.Float64), "y": y})
    check_page(likely.study(table, "y", keep=["never"], yardsticks=False, repeats=1).html())


def test_what_the_report_says_to_type_does_it_again(tmp_path):
    """The call in the report is one that `likely.study` takes, and gives the same figures."""
    table = tmp_path / "table.csv"
    rng = np.random.default_rng(8)
    y = np.repeat(["no", "yes"], 40)
    pl.DataFrame({"x": rng.normal(size=80) + (y == "yes"), "z": rng.normal(size=80), "y": y}).write_csv(table)
    options = {"cv": 4, "repeats": 1, "yardsticks": False, "random_state": 3, "drop": ["z"], "reject": 0.2}
    found = likely.study(str(table), "y", **options)
    text = found.markdown()
    typed = next(line for line in text.splitlines() if "likely.study(" in line)
    names = {"likely": likely}
    exec(typed.strip(), names)  # what a reader would do with it
    assert names["found"].answer == found.answer
    command = next(line for line in text.splitlines() if line.strip().startswith("likely study "))
    for option in ("--folds 4", "--repeats 1", "--no-yardsticks", "--seed 3", "--drop z", "--reject 0.2"):
        assert option in command
    assert "prefer" not in typed and "--prefer" not in command  # what would be so anyway is not said


def test_words_of_calibration_and_priors_are_said_where_there_are_some(birds, priced):
    told = [found.markdown().split("## The evidence")[1].split("|")[0] for found in (birds, priced)]
    assert [("calibration (" in words) for words in told] == [bool(birds.calibrated_by), bool(priced.calibrated_by)]
    assert ["the prior given" in words for words in told] == [False, True]
    plain = replace(birds.chosen, calibration=replace(birds.chosen.calibration, chosen="as it is"))
    found = replace(birds, entries=tuple(plain if entry is birds.chosen else entry for entry in birds.entries))
    assert found.calibrated_by is None and "before calibration" not in found.markdown()
    assert "before calibration" in birds.markdown()


def test_answered_rows_are_held_against_guessing_on_the_same_rows():
    rng = np.random.default_rng(9)
    ill = rng.random(300) < 0.4
    table = pl.DataFrame({"fever": rng.normal(37 + ill, 0.6), "state": np.where(ill, "+", "-")})
    found = likely.study(table, "state", reject=0.1, repeats=1, cv=3, yardsticks=False)
    always, never = without_model(found)[1].value, 0.1
    assert without_model(found)[0] == "leaving every row unanswered" and always == never
    shown = next(tile for tile in found.document.tiles if tile.title == "Better than guessing?")
    assert f"With 1 for a mistake, a decision costs {mean_cost(found).short()}, leaving every row" in shown.words
    assert "commonest class" not in found.answer[1]  # what is compared is the price
    assert "the cost of not answering given calls for" in found.markdown()  # costs and prior were not given


def _of_losses(like, losses):
    """A cross-validation whose folds have these log-losses."""
    out = np.full_like(like.log_posterior, np.nan)
    for fold, loss in enumerate(losses):
        own = like.folds[0] == fold
        true = np.exp(-loss)
        out[0, own] = np.log((1 - true) / (len(like.classes) - 1))
        out[0, np.flatnonzero(own), like.y[own]] = -loss
    return replace(like, log_posterior=out, answers=None)


def test_what_the_best_has_shown_is_not_denied_for_a_simpler_one(birds):
    """The simplest of those as good may lead the shares by no more than luck; the best may lead by more."""
    rng = np.random.default_rng(12)
    base = np.full(5, 0.60)
    best = base - 0.05 + 0.01 * rng.normal(size=5)
    simple = best + np.array([0.06, -0.03, 0.05, -0.03, 0.04])
    results = {name: _of_losses(birds.result, x) for name, x in (("b", best), ("s", simple), ("majority", base))}
    found = choose(results, {"majority": 0, "s": 1, "b": 2}, "simple", "majority")
    assert found.best == "b" and found.chosen == "b" and not found.nothing_shown
    assert "s" in found.passed_over and "Not shown to be better than the classes' shares, by" in found.words


def test_no_signal_is_not_found_by_choosing_among_many(birds):
    from likely.reports.rendering.first_screen.answer import beats_majority

    assert beats_majority(birds)
    flattered = replace(birds, choice=replace(birds.choice, optimism=birds.against_majority.low + 0.01))
    assert not beats_majority(flattered)


def test_what_a_learning_curve_cannot_have_is_told_as_it_is(monkeypatch):
    from likely.errors import LikelyError
    from likely.reports import looking_back

    def refuse(*arguments, **options):
        raise LikelyError("too few")

    monkeypatch.setattr(looking_back, "learning_curve", refuse)
    rng = np.random.default_rng(10)
    y = np.repeat(["a", "b"], 50)
    table = pl.DataFrame({"x": rng.normal(size=100) + 3 * (y == "b"), "y": y})
    found = likely.study(table, "y", repeats=1, cv=3, yardsticks=False)
    assert found.growth is None and found.no_growth.endswith("cannot be learned from a quarter of the rows")
    assert f"This is not known: {found.no_growth}." in found.markdown()  # and not that there was no time


def test_keep_best_is_not_promised_to_keep_another_model(birds):
    from likely.reports.rendering.first_screen.answer import _beaten
    from likely.reports.rendering.rivals import best_rival

    rival = best_rival(birds)
    assert rival is not None
    best = replace(birds, choice=replace(birds.choice, best=rival.entry.name))
    assert "; keep it with keep_best=True" in _beaten(best, rival)
    commanded = replace(best, arguments={**birds.arguments, "reading": {}})
    assert "; keep it with --keep-best" in _beaten(commanded, rival)
    other = replace(birds, choice=replace(birds.choice, best="another"))
    assert "by log-loss another is best, which keep_best=True keeps" in _beaten(other, rival)


def test_a_coin_is_no_match_for_the_shares_of_all_rows():
    """Of eight rows each one left out is of the class that is then the rarer: shares without it lose to a coin."""
    y = np.arange(8) % 2
    shares = cross_validate(MajorityClassifier(), np.zeros((8, 1)), y, cv=8)
    coin = replace(shares, log_posterior=np.full(shares.posterior.shape, np.log(0.5)), answers=None)
    assert shares.scores("log_loss").mean() == pytest.approx(-np.log(3 / 7))
    for prefer in ("simple", "accurate", "fast"):
        choice = choose({BASELINE: shares, "coin": coin}, {BASELINE: 0, "coin": 1}, prefer, BASELINE)
        assert choice.chosen == BASELINE and choice.nothing_shown
