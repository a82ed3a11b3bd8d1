"""A text that is written after the fact is asked about; a model that is almost never wrong makes the worry tile ask."""

import importlib

import numpy as np
import polars as pl
import pytest

import likely

studies = importlib.import_module("likely.reports.study")


@pytest.fixture(autouse=True)
def few_candidates(monkeypatch):
    every = studies.entrants
    monkeypatch.setattr(
        studies, "entrants", lambda *given: [e for e in every(*given) if e[0].name in ("majority", "naive Bayes")]
    )


def applications(n=300, told=True, seed=0):
    rng = np.random.default_rng(seed)
    declined = rng.random(n) < 0.3
    ways = rng.choice(["by phone today", "in the branch again", "by letter last week"], n)
    said = np.where(declined & told, "declined", "granted")
    notes = [
        f"customer was told the loan is {what} {way} case {i}"
        for i, (what, way) in enumerate(zip(said, ways, strict=True))
    ]
    income = rng.normal(size=n) - declined
    return pl.DataFrame({"income": income, "note": notes, "deny": np.where(declined, "yes", "no")})


def studied(table):
    return likely.study(table, "deny", yardsticks=False, cv=3, repeats=1)


def test_a_note_written_after_the_decision_is_asked_about():
    found = studied(applications())
    note = next(column for column in found.findings.columns if column.name == "note")
    assert note.warning == "leak" and "is it known before the class is?" in note.words
    assert found.record()["tiles"][-1]["answer"] == "A column may give it away"


def test_a_note_that_tells_nothing_is_not():
    found = studied(applications(told=False))
    assert not [column.name for column in found.findings.columns if column.warning == "leak"]


def test_a_table_of_one_text_has_nothing_to_hold_it_against_but_the_worry_asks():
    found = studied(applications().drop("income"))
    assert not [column.name for column in found.findings.columns if column.warning == "leak"]
    worry = found.record()["tiles"][-1]
    assert worry["answer"] == "Almost never wrong" and "note says most" in worry["words"]


def test_features_are_weighed_once(monkeypatch):
    from likely.reports.rendering import illustrations

    asked, weigh = [], illustrations.weigh_features
    monkeypatch.setattr(illustrations, "weigh_features", lambda study: asked.append(1) or weigh(study))
    found = studied(applications(told=False))
    found.record(), found.markdown()
    assert asked == [1]


def test_of_long_texts_a_stated_sample_is_weighed(monkeypatch):
    from likely.reports.rendering import illustrations

    monkeypatch.setattr(illustrations, "_WEIGHED_CHARACTERS", 1)
    monkeypatch.setattr(illustrations, "_WEIGHED_TEXTS", 100)
    found = studied(applications(told=False))
    assert len(illustrations.weighed_rows(found)) == 100
