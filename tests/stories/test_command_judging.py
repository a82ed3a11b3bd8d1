"""Judging data and models from the shell: compare, audit, diff and inspect."""

import io
import json

import numpy as np
import polars as pl
import pytest
from command_line import birds, refused, run

from likely import GaussianBayes, NaiveBayes, compare
from likely.evaluation.audit.rows import audit
from likely.evaluation.drift.models import model_difference
from likely.models import unwrap
from likely.store import inspect, load, save


@pytest.fixture(scope="module")
def place(tmp_path_factory):
    folder = tmp_path_factory.mktemp("judging")
    birds(folder)
    return folder


def numbers(place):
    table = pl.read_csv(place / "birds.csv").drop_nulls()
    return table.select("bill_length_mm", "bill_depth_mm", "flipper_length_mm", "species")


def test_comparison_is_the_librarys(place):
    table = numbers(place)
    table.write_csv(place / "numbers.csv")
    models = {"naive": NaiveBayes(), "gaussian-shared": GaussianBayes("shared")}
    found = compare(models, table.drop("species"), table["species"].to_numpy(), 5, 2, random_state=3)
    result = run("compare", place / "numbers.csv", "--target", "species", "--models", "naive,gaussian-shared",
                 "--folds", 5, "--repeats", 2, "--seed", 3, "--json")  # fmt: skip
    told = json.loads(result.stdout)
    assert told["differences"][0]["difference"] == found.pairs[0].difference.value
    assert told["models"]["naive"]["value"] == found.estimates["naive"].value
    assert "decimal numbers" in result.stderr  # what was guessed of the columns
    of_one = run("compare", place / "numbers.csv", "--target", "species", "--models", "naive,gaussian-shared",
                 "--folds", 3, "--measure", "f1", "--positive", "Gentoo", "--json")  # fmt: skip
    assert json.loads(of_one.stdout)["measure"] == "F1 of 'Gentoo'"


def test_models_are_compared_on_the_rows_set_aside(place):
    table = numbers(place)
    part = pl.Series("part", ["test" if i % 3 == 0 else "train" for i in range(table.height)])
    table.with_columns(part).write_csv(place / "parted.csv")
    result = run("compare", place / "parted.csv", "--target", "species", "--models", "naive,gaussian-shared",
                 "--split", "part", "--json")  # fmt: skip
    told = json.loads(result.stdout)
    learned, later = table.filter(part != "test"), table.filter(part == "test")
    right = {}
    for name, model in (("naive", NaiveBayes()), ("gaussian-shared", GaussianBayes("shared"))):
        said = model.fit(learned.drop("species"), learned["species"].to_numpy()).predict(later.drop("species"))
        right[name] = said == later["species"].to_numpy()
    (pair,) = told["differences"]
    assert pair["difference"] == pytest.approx(right["naive"].mean() - right["gaussian-shared"].mean())
    assert pair["only_first_right"] == int((right["naive"] & ~right["gaussian-shared"]).sum())
    assert pair["low"] < pair["difference"] < pair["high"] and pair["method"] == "paired rows"
    assert told["models"]["naive"]["n"] == later.height
    assert f"judged on the {later.height} rows for testing" in result.stderr


def test_a_model_for_other_tables_says_what_it_needs(place):
    said = refused("fit", place / "birds.csv", "--target", "species", "--model", "naive-bayes-complement")
    assert "'naive-bayes-complement' needs texts in one column and nothing else, and more than two classes" in said
    assert "gaussian-full" in said.split(";")[-1]


def test_all_candidates_against_a_baseline(place):
    result = run("compare", place / "birds.csv", "--target", "species", "--models", "all", "--folds", 3, "-q",
                 "--baseline", "majority", "--measure", "log_loss")  # fmt: skip
    table = pl.read_csv(io.StringIO(result.stdout))
    assert set(table["first"]) | set(table["second"]) >= {"majority", "naive-bayes", "gaussian-shared-covariance"}


def test_audit_finds_planted_mistakes_by_their_row_and_asks_for_attention(place):
    table = numbers(place)
    wrong = [5, 40, 77, 120, 200, 260]
    labels = table["species"].to_list()
    for row in wrong:
        labels[row] = "Gentoo" if labels[row] != "Gentoo" else "Adelie"
    # Rows without a label come first: the numbers of the rows are those of the file all the same.
    bad = pl.concat(
        [table.head(4).with_columns(species=pl.lit(None, pl.String)), table.with_columns(species=pl.Series(labels))]
    )
    bad.write_csv(place / "bad.csv")
    result = run("audit", place / "bad.csv", "--target", "species", "--top", 6, code=1)
    rows = pl.read_csv(io.StringIO(result.stdout))
    assert set(rows["row"]) == {row + 4 for row in wrong}
    assert "more probably wrong than right" in result.stderr
    named = ["--target=species", "--model=naive"]
    told = json.loads(run("audit", place / "bad.csv", *named, "--all", "--json", "-q", code=1).stdout)
    found = audit(NaiveBayes(), table.drop("species"), np.array(labels))
    assert [each["bits"] for each in told["suspicious"]] == found.frame()["bits"].to_list()
    assert "audit of 333 rows" in run("audit", place / "bad.csv", "--target", "species", "--text", "-q", code=1).stdout
    run("audit", place / "birds.csv", "--target", "species", "-q")  # nothing wrong there


def test_diff_finds_what_changed_and_nothing_else(place):
    table = pl.read_csv(place / "birds.csv")
    drop = ("--drop", "year", "--drop", "island", "-q")
    first, second = table.filter(pl.int_range(pl.len()) % 2 == 0), table.filter(pl.int_range(pl.len()) % 2 == 1)
    moved = second.with_columns(bill_depth_mm=pl.col("bill_depth_mm") + 2)
    for name, part in (("a", first), ("b", second), ("moved", moved)):
        part.write_csv(place / f"{name}.csv")
        run("fit", place / f"{name}.csv", "--target", "species", "-o", place / f"{name}.likely", *drop)
    run("diff", place / "a.likely", place / "b.likely")
    told = json.loads(run("diff", place / "a.likely", place / "moved.likely", "--json", code=1).stdout)
    shown = [each for each in told["comparisons"] if each["significant"]]
    assert {each["feature"] for each in shown} == {"bill_depth_mm"} and len(shown) == 3
    found = model_difference(*(unwrap(load(place / name)) for name in ("a.likely", "moved.likely")))
    assert told["changes"] == list(found.changes)
    assert "bill_depth_mm" in run("diff", place / "a.likely", place / "moved.likely", "--text", code=1).stdout


def test_rows_in_between_are_a_model(place):
    table = pl.read_csv(place / "birds.csv").drop("year", "island")
    table[:200].write_csv(place / "early.csv")
    table[200:].write_csv(place / "late.csv")
    before, after, between = (place / f"{name}.likely" for name in ("before", "after", "between"))
    run("fit", place / "early.csv", "--target", "species", "-o", before, "-q")
    run("update", before, place / "late.csv", "-o", after, "-q")
    run("diff", before, after, "--since", "--between", between, "-q")
    assert (
        unwrap(load(between)).class_count_.tolist()
        == table[200:]["species"].value_counts().sort("species")["count"].to_list()
    )
    assert "needs --since" in refused("diff", before, after, "--between", between)


def test_inspection_is_the_librarys_and_tells_a_damaged_file(place):
    path = place / "inspected.likely"
    save(NaiveBayes(alpha=0.5).fit(numbers(place), "species"), path)
    held = inspect(path)
    assert json.loads(run("inspect", path, "--json").stdout) == held.as_dict()
    page = run("inspect", path, "--text").stdout
    assert "alpha: 0.5\n" in page and "class_prior: none\n" in page and held.sha256 in page
    assert f"columns      {len(held.kinds)} numeric: 'bill_length_mm', " in page
    pairs = dict(pl.read_csv(io.StringIO(run("inspect", path).stdout)).rows())
    assert pairs["estimator"] == "NaiveBayes" and pairs["target"] == "species"
    damaged = bytearray(path.read_bytes())
    damaged[len(damaged) // 2] ^= 1
    (place / "damaged.likely").write_bytes(bytes(damaged))
    assert "damaged.likely cannot be opened" in refused("inspect", place / "damaged.likely")
