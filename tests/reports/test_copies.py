"""A study speaks of copies and contradictions only where chance makes fewer rows alike."""

import importlib

import numpy as np
import polars as pl
import pytest

import likely

studies = importlib.import_module("likely.reports.study")


@pytest.fixture(autouse=True)
def one_candidate(monkeypatch):
    every = studies.entrants
    monkeypatch.setattr(
        studies, "entrants", lambda *given: [e for e in every(*given) if e[0].name in ("majority", "naive Bayes")]
    )


def passengers(n=500, seed=0):
    rng = np.random.default_rng(seed)
    sex = rng.integers(0, 2, n)
    survived = np.where(rng.random(n) < 0.2 + 0.5 * sex, "yes", "no")
    return pl.DataFrame({"class": rng.integers(1, 4, n), "sex": sex, "survived": survived})


def studied(table, target, **options):
    return likely.study(table, target, yardsticks=False, cv=3, repeats=1, **options)


def test_few_levels_are_neither_copies_nor_contradictions():
    found = studied(passengers(), "survived")
    assert found.copies.repeated > 480 and not found.copies.copies and not found.copies.contradictions
    worry = found.record()["tiles"][-1]
    assert worry["answer"] not in ("Contradictions", "Repeated rows")
    told = " ".join(found.record()["distrust"])
    assert "they are alike by chance, not copies" in told and "flatters the figures" not in told


def test_contradicting_copies_are_the_worry():
    rng = np.random.default_rng(0)
    y = rng.integers(0, 2, 300)
    table = pl.DataFrame({"size": rng.normal(2 * y), "weight": rng.normal(size=300), "grade": np.where(y, "b", "a")})
    again = table[:60].with_columns(grade=pl.Series(np.where(y[:60], "a", "b")))
    found = studied(pl.concat([table, again]), "grade")
    assert "120 rows have a twin with another value of grade." in found.record()["tiles"][-1]["words"]


def test_rows_of_other_groups_are_only_alike():
    table = passengers().with_columns(patient=pl.Series(np.repeat(np.arange(250), 2)))
    found = studied(table, "survived", groups="patient")
    assert found.copies.named < found.copies.repeated / 2
    told = " ".join(found.record()["distrust"])
    assert "under the same patient, which no fold takes apart: the others are alike, not copies" in told
