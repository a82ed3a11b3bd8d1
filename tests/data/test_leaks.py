"""Columns that give the class away: planted ones are named, honest ones are not."""

import json

import numpy as np
import polars as pl
import pytest
from hypothesis import given
from hypothesis import strategies as st

from likely.data.findings.leaks import _mistakes_by_range, _mistakes_by_value
from likely.data.findings.table import examine

N = 300
RNG = np.random.default_rng(5)
Y = np.array(["kept", "lent", "sold"])[RNG.integers(0, 3, N)]
SOLD = Y == "sold"
BASE = {"size": RNG.normal(size=N) + (Y == "lent"), "spots": RNG.integers(0, 9, N), "kind": RNG.choice(list("abcd"), N)}

PLANTED = {
    "a flag": SOLD.astype(int),
    "a level": np.where(SOLD, "paid", RNG.choice(["open", "late"], N)),
    "several levels": np.where(SOLD, RNG.choice(["cash", "card"], N), RNG.choice(["open", "late"], N)),
    "a range of numbers": np.where(SOLD, RNG.normal(size=N), RNG.normal(size=N) + 40 * RNG.choice([-1, 1], N)),
    "one number of many": np.where(SOLD, 0.0, RNG.normal(size=N)),
    "missing numbers": pl.Series(RNG.normal(size=N)).set(pl.Series(SOLD), None),
    "missing levels": pl.Series(RNG.choice(list("uvw"), N)).set(pl.Series(SOLD), None),
    "there for one class": pl.Series(RNG.normal(size=N)).set(pl.Series(~SOLD), None),
    "infinite for one class": np.where(SOLD, np.inf, RNG.normal(size=N)),
}


def leaks(classes, **columns):
    findings = examine(pl.DataFrame({**BASE, **columns, "y": classes}), "y")
    return {column.name: column.words for column in findings.columns if column.warning == "leak"}


@pytest.mark.parametrize("name", PLANTED)
def test_a_column_that_gives_one_class_of_three_away(name):
    found = leaks(Y, column=pl.Series("column", PLANTED[name]))
    assert set(found) == {"column"}
    assert "'sold'" in found["column"]


def test_a_block_of_columns_that_is_missing_for_one_of_two_classes():
    two = np.where(SOLD, "yes", "no")
    block = {f"b{j}": pl.Series(RNG.normal(size=N)).set(pl.Series(SOLD), None) for j in range(9)}
    assert set(leaks(two, **block)) == set(block)


def test_a_count_that_is_almost_never_wrong_about_a_rare_class():
    rng = np.random.default_rng(0)
    declined = rng.random(2_400) < 0.12
    calls = np.where(declined, rng.poisson(3, 2_400), (rng.random(2_400) < 0.005).astype(int))
    other = {"income": rng.normal(size=2_400) - declined, "age": rng.integers(20, 70, 2_400)}
    found = examine(pl.DataFrame({**other, "calls": calls, "declined": np.where(declined, "yes", "no")}), "declined")
    assert [column.name for column in found.columns if column.warning == "leak"] == ["calls"]


def test_what_is_no_leak():
    nearly = SOLD ^ (RNG.random(N) < 0.03)  # wrong for 3 % of the rows
    gone = pl.Series(RNG.normal(size=N)).set(pl.Series(RNG.random(N) < 0.3), None)
    assert not leaks(Y, nearly=nearly.astype(int), gone=gone)
    easy = {f"petal {j}": RNG.normal(size=N) + 90 * SOLD for j in range(3)}  # a class that is that far away
    assert not leaks(Y, **easy)
    names = np.arange(N) * 7 % 1_000  # a column of different values
    assert not leaks(Y, names=names.astype(float) + 0.5)


def test_few_rows_of_a_class_say_nothing():
    rare = np.where(np.arange(N) < 9, "rare", np.where(SOLD, "yes", "no"))
    flag, gone = (rare == "rare").astype(int), pl.Series(RNG.normal(size=N)).set(pl.Series(rare == "rare"), None)
    assert not leaks(rare, flag=flag, gone=gone)


def test_many_rows_are_looked_at_by_chance_and_repeated_columns_confirmed_on_all(monkeypatch):
    monkeypatch.setattr("likely.data.findings.table._MOST_ROWS", 100)
    again = [*BASE["spots"][:-1], 77]  # another in the last row alone
    table = {**BASE, "again": BASE["spots"], "nearly": again, "sold": SOLD.astype(int), "y": Y}
    found = {column.name: column.warning for column in examine(pl.DataFrame(table), "y").columns}
    assert found == {**dict.fromkeys(BASE), "again": "duplicate", "nearly": None, "sold": "leak"}


@given(st.lists(st.tuples(st.integers(0, 4), st.integers(0, 2)), min_size=3, max_size=40))
def test_mistakes_equal_a_plain_count(rows):
    codes, labels = np.array(rows).T
    labels[:3] = [0, 1, 2]
    by_value, by_range = _mistakes_by_value(codes, labels), _mistakes_by_range(pl.Series(codes), labels)
    for place in range(3):
        own = labels == place
        wrong = 0
        for value in np.unique(codes[own]):
            inside, outside = int((own & (codes == value)).sum()), int((~own & (codes == value)).sum())
            margin = inside - outside
            wrong += outside if margin >= 2 else inside if margin <= -2 else inside + outside
        assert by_value[place] == wrong
        low, high = codes[own].min(), codes[own].max()
        assert by_range[place] == (~own & (codes >= low) & (codes <= high)).sum()


SAID = {
    "mixed/mushroom.csv.gz": {"odor"},
    "mixed/soybean.csv.gz": {"crop-hist", "plant-growth", "stem", "int-discolor"},
    "mixed/nursery.csv.gz": {"health"},
}  # columns that do identify a class: by the smell, by cells that nobody filled, by a rule of those who chose


QUIET = ("mixed/zoo.csv", "mixed/car.csv", "numeric/wine.csv", "mixed/audiology.csv", "numeric/satimage.csv.gz")


@pytest.mark.sample(4)
@pytest.mark.parametrize("path", [*SAID, *QUIET])
def test_real_tables(path, shared_data):
    about = json.loads((shared_data / "datasets.json").read_text())
    target = next(each["target"] for each in about if path in each["files"])
    found = examine(shared_data / path, target)
    assert {column.name for column in found.columns if column.warning == "leak"} == SAID.get(path, set())


def test_a_column_known_in_one_class_alone_is_a_leak():
    rng = np.random.default_rng(0)
    died = rng.random(600) < 0.6
    known = died & (rng.random(600) < 0.3)
    table = pl.DataFrame({"body": np.where(known, rng.permutation(600), np.nan), "age": rng.normal(size=600)})
    found = examine(table.with_columns(state=pl.Series(np.where(died, "died", "lived"))), "state")
    body = next(column for column in found.columns if column.name == "body")
    assert body.warning == "leak" and body.used
    assert f"known in {int(known.sum())} rows, all of class 'died'" in body.words
    few = table.with_columns(pl.when(pl.int_range(600) < 30).then(pl.col("body")).otherwise(None))
    found = examine(few.with_columns(state=pl.Series(np.where(died, "died", "lived"))), "state")
    assert all(column.warning != "leak" for column in found.columns)  # a handful of cells is chance
