"""Rows that are alike because the table has few columns of few levels are not taken for copies."""

import numpy as np
import polars as pl
import pytest

from likely import NaiveBayes
from likely.evaluation.audit.alike_by_chance import NONE, alike_by_chance
from likely.evaluation.audit.duplicates import duplicate_rows
from likely.evaluation.audit.rows import audit


def few_levels(n=600, seed=0):
    rng = np.random.default_rng(seed)
    columns = {"class": rng.integers(1, 4, n), "age": rng.integers(0, 2, n), "sex": rng.integers(0, 2, n)}
    return pl.DataFrame(columns), (rng.random(n) < 0.2 + 0.2 * columns["sex"]).astype(int)


def copied(n=300, seed=0):
    rng = np.random.default_rng(seed)
    table, y = pl.DataFrame({"size": rng.normal(size=n), "weight": rng.normal(size=n)}), rng.integers(0, 2, n)
    return pl.concat([table, table[:40]]), np.concatenate([y, 1 - y[:40]])


def test_twelve_patterns_of_levels_are_no_copies():
    X, y = few_levels()
    alike, chance = duplicate_rows(X), alike_by_chance(X, y)
    assert alike.extra == 588 and chance.repeated == pytest.approx(588, abs=1)
    assert chance.copies(alike.extra) == 0
    assert chance.contradictions(int(alike.contradictory(y).sum())) == 0


def test_copies_of_measured_rows_are_beyond_chance():
    X, y = copied()
    alike, chance = duplicate_rows(X), alike_by_chance(X, y)
    assert chance == NONE
    assert chance.copies(alike.extra) == 40
    assert chance.contradictions(int(alike.contradictory(y).sum())) == 80


def test_copies_among_rows_that_are_alike_by_chance_are_counted_apart():
    rng = np.random.default_rng(1)
    X = pl.DataFrame({"a": rng.integers(0, 60, 900), "b": rng.integers(0, 60, 900)})
    X, y = pl.concat([X, X[:300]]), np.zeros(1200, dtype=int)
    found = alike_by_chance(X, y).copies(duplicate_rows(X).extra)
    assert 200 < found < 350


def test_texts_are_never_alike_by_chance():
    texts = [f"the same long message about parcel {i % 150} was sent to you" for i in range(200)]
    assert alike_by_chance(pl.DataFrame({"text": texts}), np.zeros(200, dtype=int)) == NONE


def test_equal_seeds_give_equal_counts():
    X, y = few_levels()
    assert alike_by_chance(X, y) == alike_by_chance(X, y)


def test_rows_of_other_names_are_no_copies():
    X, _ = copied()
    alike = duplicate_rows(X)
    assert alike.within(np.arange(X.height)).extra == 0
    assert alike.within(np.concatenate([np.arange(300), np.arange(40)])).extra == 40


def test_an_audit_says_how_many_rows_chance_makes_alike():
    X, y = few_levels()
    assert "588 rows repeat an earlier one (shuffled columns: 588)" in audit(NaiveBayes(), X, y).summary()
    X, y = copied()
    assert "40 rows repeat an earlier one; 80 rows contradict" in audit(NaiveBayes(), X, y).summary()


def test_renamings_of_a_column_make_no_rows_differ_by_chance():
    X, y = few_levels()
    rng = np.random.default_rng(3)
    X = X.with_columns(far=rng.choice([0.1, 0.3, 0.7, 1.9, 2.4], X.height))
    more = X.with_columns(near=5 - pl.col("far"), beyond_one=pl.col("far") > 1, constant=1)
    found, plain = alike_by_chance(more, y), alike_by_chance(X, y)
    assert duplicate_rows(more).extra == duplicate_rows(X).extra
    assert found.repeated == pytest.approx(plain.repeated, abs=2)
    assert found.against == pytest.approx(plain.against, abs=20)


def test_a_column_of_nearly_unique_cells_explains_no_copies():
    rng = np.random.default_rng(1)
    X = pl.DataFrame({"size": rng.normal(size=300), "sex": rng.integers(0, 2, 300)})
    X, y = pl.concat([X, X[:40]]), np.zeros(340, dtype=int)
    assert alike_by_chance(X, y).copies(duplicate_rows(X).extra) > 10
