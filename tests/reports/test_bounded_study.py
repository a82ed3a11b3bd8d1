"""A study keeps within its time and memory: what it leaves out for that it says, and what it estimates is close."""

import re
from dataclasses import replace
from importlib import import_module

import numpy as np
import polars as pl
import pytest

import likely
from likely import LogisticRegression, NaiveBayes
from likely.evaluation.resampling.cross_validation import judged_on, read_training
from likely.models.any_classifier.asking import Training
from likely.models.generative.summing.layout import Layout
from likely.models.held_out.cv import read_folds
from likely.models.held_out.exact_or_refit import HeldOut
from likely.models.roster import Candidate
from likely.models.trees.decision_forest import DecisionForest
from likely.reports.choosing import calibrating, contest, pooling, race, rehearsal, yardsticks
from likely.reports.choosing.clock import Clock
from likely.reports.rendering import pictures
from likely.reports.rendering.document import Document, Picture, Pictures, Section, Text
from likely.reports.rendering.formats.page import page


def table(n=600, seed=0):
    rng = np.random.default_rng(seed)
    y = rng.integers(0, 2, n)
    return pl.DataFrame(
        {
            "size": rng.normal(y, 1.0),
            "again": rng.normal(y, 1.0),
            "colour": np.where(rng.random(n) < 0.3 + 0.3 * y, "red", "blue"),
            "kind": np.where(y, "yes", "no"),
        }
    )


def test_the_last_fit_and_the_audit_encode_nothing(monkeypatch):
    encoded, stage = {}, [""]
    rows = Layout.rows

    def counted(self, *arguments, learning=False, **options):
        encoded[stage[0]] = encoded.get(stage[0], 0) + learning
        return rows(self, *arguments, learning=learning, **options)

    monkeypatch.setattr(Layout, "rows", counted)
    monkeypatch.setattr(
        import_module("likely.reports.study"), "pooled", lambda *arguments, **options: None
    )  # a pool fits its members
    found = likely.study(
        table(), "kind", yardsticks=False, repeats=1, cv=5, report=lambda name: stage.__setitem__(0, name)
    )
    assert encoded["naive Bayes"] == 1
    assert not any(encoded.get(name, 0) for name in ("fitting the chosen model", "looking for wrong labels"))
    again = type(found.inner)(**found.inner.get_params()).fit(found.data.X, found.data.y)
    assert np.array_equal(again.predict_proba(found.data.X), found.inner.predict_proba(found.data.X))


def test_an_audit_for_which_there_is_no_time_is_said_to_be_missing():
    found = likely.study(table(), "kind", yardsticks=False, repeats=1, cv=3, time_limit=1e-9)
    assert found.audit is None
    assert "no time left to look for rows with a wrong label" in found.markdown()
    record = found.record()
    assert record["suspicious_rows"] == [] and record["label_errors"] is None


def test_a_limit_that_ran_out_before_the_report_still_gives_one_whose_pictures_are_named(tmp_path):
    found = likely.study(table(), "kind", yardsticks=False, repeats=1, cv=3, time_limit=600.0)
    assert "<svg" in found.html() and "for lack of time" not in found.html()
    late = replace(found, seconds=600.0)  # nothing is left for the report
    written = late.save(tmp_path)
    assert sorted(path.name for path in written) == ["model.likely", "report.html", "report.json", "report.md"]
    text = (tmp_path / "report.html").read_text()
    assert text.count("<svg") == 1  # the few bars of the answer
    named = re.findall(r"Not drawn, for lack of time(?:: (.*?)|\.)</p>", text)
    assert any(words.startswith("Reliability") for words in named)
    assert f"{len(named)} pictures were left out, for the time limit of 600 s was reached" in text
    assert text.count("A doubtful row: row ") == 3  # what a sentence in place of a picture says is said once
    assert (tmp_path / "report.md").read_text() == late.markdown()  # tables and sentences are all there
    matrix = text[text.index("Not drawn, for lack of time: Confusion matrix") :]
    assert matrix.index("<table") < matrix.index("</section>")  # what is drawn in numbers is told in numbers


def test_pictures_are_drawn_as_long_as_one_like_the_longest_so_far_is_done_in_time(monkeypatch):
    now = [0.0]
    monkeypatch.setattr(Clock, "elapsed", property(lambda self: now[0]))
    drawn = []

    def drawing(draw, caption, width, height):
        now[0] += float(caption)
        drawn.append(caption)
        return pictures.tag("figure", caption)

    monkeypatch.setattr(pictures, "picture", drawing)
    shown = [Picture(len, caption) for caption in ("1.0", "4.0", "0.5", "0.25")]
    text = Picture(len, "0.125", instead=Text("in words"))
    document = Document("t", "s", ["a"], False, [Section("all", [Pictures(shown), text])], picture=Picture(len, "2.0"))
    whole = page(document, Clock(9.0))
    assert drawn == ["2.0", "1.0", "4.0"]  # after 7 seconds one of 4 more would be late
    assert "Not drawn, for lack of time: 0.5" in whole and "in words" in whole
    assert "3 pictures were left out" in whole
    drawn.clear()
    assert "left out" not in page(document) and len(drawn) == 6


def test_the_time_that_the_report_takes_is_kept_for_it(monkeypatch):
    kept = []
    monkeypatch.setattr(contest, "seconds_of_report", lambda figures, rows: figures(np.arange(50)) or 7.0)
    monkeypatch.setattr(Clock, "keep", lambda self, what, seconds: kept.append((what, seconds)))
    likely.study(table(), "kind", yardsticks=False, repeats=1, cv=3, time_limit=600.0)
    assert [seconds for what, seconds in kept if what == "the report"] == [7.0]  # by the first candidate judged
    assert [what for what, seconds in kept if seconds == 0.0] == [contest.LAST_FIT]  # once it is fitted
    assert sum(what == contest.LAST_FIT for what, _ in kept) > 2
    monkeypatch.undo()
    now = [0.0]
    monkeypatch.setattr(rehearsal.time, "monotonic", lambda: now[0])

    def figures(some):
        now[0] += 1e-4 * len(some)

    foreseen = rehearsal.seconds_of_report(figures, 1_000_000)
    assert 100.0 < foreseen < 1000.0
    assert rehearsal.seconds_of_report(figures, 500) < 10.0


def test_a_candidate_that_would_take_too_long_is_left_out_with_a_word(monkeypatch):
    monkeypatch.setattr(contest, "seconds_for_all", lambda judge, data, folds, allows: 12_345.0)
    found = likely.study(table(), "kind", yardsticks=False, repeats=1, cv=3, time_limit=600.0)
    reasons = {entry.left_out for entry in found.entries if not entry.judged}
    assert reasons == {"would take about 12345 s, more than the time that is left"}
    assert [entry.name for entry in found.entries if entry.judged] == [contest.BASELINE]
    assert np.array_equal(found.model.predict(table()), found.model.predict(found.data.X))  # it knows its target


def test_what_all_rows_would_take_is_foreseen_from_a_few(monkeypatch):
    now = [0.0]
    monkeypatch.setattr(rehearsal.time, "monotonic", lambda: now[0])
    rng = np.random.default_rng(0)
    codes = rng.choice(3, 200_000, p=[0.6, 0.399, 0.001])
    data = Training(np.zeros((200_000, 1)), codes, ("a", "b", "rare"), None)
    seen = []

    def judge(some, folds):
        seen.append(some.classes)
        assert len(some.codes) == folds.shape[1] == len(some.X)
        compiling = 3.0 if len(seen) == 1 else 0.0
        now[0] += compiling + 0.5 + 2e-5 * len(some.codes)

    expected = 0.5 + 2e-5 * 200_000
    found = rehearsal.seconds_for_all(judge, data, np.zeros((1, 200_000), dtype=int))
    assert expected <= found <= 1.3 * expected
    assert set(seen) == {("a", "b")}  # of rare classes so few rows say nothing
    seen.clear()
    far_off = rehearsal.seconds_for_all(judge, data, np.zeros((1, 200_000), dtype=int), lambda seconds: seconds < 1.0)
    assert len(seen) == 2 and far_off > 10.0  # the third sample could only say the same


def test_maps_of_very_many_rows_learn_from_rows_scored_once(monkeypatch):
    frame = table(4_000, seed=3)
    data = read_training(frame.drop("kind"), frame["kind"].to_numpy())
    held = HeldOut(likely.NaiveBayes(), data)
    result = judged_on(held, read_folds(10, data))
    twice = calibrating.calibrations(held, result, 0, Clock(None))
    monkeypatch.setattr(calibrating, "_CELLS", 1)
    monkeypatch.setattr(calibrating, "_KEPT_CELLS", 1)
    monkeypatch.setattr(calibrating, "_MAP_ROWS", 3_000)
    once = calibrating.calibrations(held, result, 0, Clock(None))
    assert [way.name for way in once.ways] == [way.name for way in twice.ways]
    assert once.choice.chosen == twice.choice.chosen
    for one, other in zip(once.ways, twice.ways, strict=True):
        assert one.loss.value == pytest.approx(other.loss.value, abs=1e-3)
        assert (one.result is None) == (one.name != once.choice.chosen)


def test_yardsticks_learn_from_so_many_rows_and_say_so(monkeypatch):
    pytest.importorskip("sklearn")
    monkeypatch.setattr(yardsticks, "_MOST_ROWS", 100)
    found = likely.study(table(), "kind", repeats=1, cv=3)
    shown = [entry for entry in found.entries if entry.yardstick]
    assert len(shown) == 2 and all(entry.judged for entry in shown)
    assert all("of each fold it learned 100 rows, chosen by chance" in entry.words for entry in shown)
    assert "learned 100 rows, chosen by chance" in found.markdown()
    fitted = yardsticks.FromSomeRows(likely.NaiveBayes(), 100).fit(found.data.X, found.data.y)
    assert fitted.estimator_.class_count_.sum() == 100


@pytest.mark.parametrize("leads", [False, True])
def test_of_a_long_table_a_candidate_is_fitted_for_all_folds_only_if_one_does_not_show_it_beaten(leads, monkeypatch):
    monkeypatch.setattr(race, "_LONG", 500)
    rng = np.random.default_rng(0)
    x = rng.normal(size=(3_000, 3))
    told = x[:, 0] * x[:, 1] if leads else x.sum(axis=1) + rng.normal(size=3_000)  # for trees, or for sums
    fits, grown = [], DecisionForest.fit
    monkeypatch.setattr(DecisionForest, "fit", lambda self, *rows: fits.append(1) or grown(self, *rows))
    data = read_training(x, np.where(told > 0, "yes", "no"), None)
    folds = read_folds(3, data, 1, random_state=0)
    models = {"naive Bayes": NaiveBayes(), "forest": DecisionForest(5, random_state=0)}
    entrants = [(contest.Candidate(name, 1, "", model), False) for name, model in models.items()]
    _, forest = contest.judge(entrants, data, folds, Clock(None)).entries
    assert forest.judged is leads and len(fits) == (4 if leads else 1)
    if not leads:
        expected = "beaten on the first of 3 folds, and not fitted for the others: of its 1,000 rows the log-loss is"
        assert forest.left_out.startswith(expected) and "that of naive Bayes 0." in forest.left_out
    monkeypatch.setattr(race, "_LONG", 3_000)  # a table that is not long has no race
    assert contest.judge(entrants, data, folds, Clock(None)).entries[1].judged


@pytest.mark.parametrize("limit", ["10s", 0, -1.0, float("nan")])
def test_a_time_limit_that_is_no_number_of_seconds_is_refused(limit):
    with pytest.raises(likely.LikelyError, match="time_limit, in seconds"):
        likely.study(table(), "kind", time_limit=limit)


def test_the_last_fit_of_a_candidate_that_is_refitted_is_kept_time_for_too(monkeypatch):
    kept = []
    monkeypatch.setattr(Clock, "keep", lambda self, what, seconds: kept.append((what, seconds)))
    refitted = Candidate("refitted", 1, "", LogisticRegression())
    data = Training.of(table(90).select("size", "again"), table(90)["kind"], None)
    entries, _ = contest.judge(
        [(contest.baseline(), False), (refitted, False)], data, np.arange(90)[None] % 3, Clock(600.0)
    )
    last = [seconds for what, seconds in kept if what == contest.LAST_FIT][-1]
    assert entries[1].fits == 3 and contest.chosen_of(entries).chosen == "refitted"
    assert 0 < last == entries[1].last_fit <= entries[1].seconds
    alone = replace(entries[1], seconds=60.0, fits=30)
    assert 0 < alone.seconds_to_fit(0) < alone.seconds_to_fit(5) <= 60.0 == replace(alone, fits=0).seconds_to_fit(5)


def test_a_pool_whose_last_fit_would_be_late_is_not_tried(monkeypatch):
    found = likely.study(table(), "kind", yardsticks=False, repeats=1, cv=3, time_limit=600.0)
    assert pooling.pooled(found.entries, 0, Clock(600.0)) is not None
    slow = [replace(entry, seconds=100.0) for entry in found.entries]
    assert pooling.pooled(slow, 0, Clock(600.0)) is None and pooling.pooled(slow, 0, Clock(None)) is not None
    spared = Clock(10_000.0)
    spared.keep(contest.LAST_FIT, 5_000.0)
    assert pooling.pooled(slow, 0, spared) is not None  # it would be fitted instead


def test_a_candidate_that_would_take_most_of_the_time_waits_for_the_others(monkeypatch):
    names = ["slow", "quick", "quicker"]
    entrants = [(Candidate(name, 1, "nothing", NaiveBayes()), False) for name in names]
    foreseen = {"slow": 900.0, "quick": 1.0, "quicker": 1.0}
    monkeypatch.setattr(contest, "_expected", lambda candidate, *rest: foreseen[candidate.name])
    asked, judging = [], contest.judged_on
    monkeypatch.setattr(contest, "judged_on", lambda held, folds: asked.append(1) or judging(held, folds))
    heard, data = [], read_training(table(120).drop("kind"), table(120)["kind"].to_numpy(), None)
    found = contest.judge(entrants, data, read_folds(3, data), Clock(1_200.0), report=heard.append)
    assert [entry.name for entry in found.entries] == names == heard
    assert len(asked) == 3 and all(entry.judged for entry in found.entries)
    late = contest.judge(entrants, data, read_folds(3, data), Clock(700.0))
    assert "would take about 900 s" in late.entries[0].left_out
    assert late.entries[1].judged and late.entries[2].judged
