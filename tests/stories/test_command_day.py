"""What an analyst expects of a day: rows that belong together or come later, costs, pictures, options in a file."""

import json
from datetime import datetime, timedelta

import numpy as np
import polars as pl
import pytest

import likely
from likely.evaluation import audit
from stories.command_line import refused, run


@pytest.fixture
def day(tmp_path):
    rng = np.random.default_rng(0)
    n = 200
    ill = rng.random(n) < 0.3
    table = pl.DataFrame(
        {
            "x": rng.normal(ill),
            "z": rng.normal(size=n),
            "when": [datetime(2023, 1, 1) + timedelta(hours=37 * i) for i in range(n)],
            "who": rng.integers(0, 30, n),
            "split": np.where(rng.random(n) < 0.25, "test", "train"),
            "y": np.where(ill, "ill", "well"),
        }
    )
    table.write_parquet(tmp_path / "t.parquet")
    table.drop("z").write_parquet(tmp_path / "less.parquet")
    (tmp_path / "costs.csv").write_text(",ill,well\nill,0,10\nwell,1,0\n")
    run("fit", tmp_path / "t.parquet", "--target", "y", "--drop", "who", "-o", tmp_path / "m.likely", "-q")
    return tmp_path, table


def test_evaluate_decides_by_costs_and_parts_the_rows(day):
    place, table = day
    told = run("evaluate", place / "m.likely", place / "t.parquet", "--split", "split", "--groups", "who", "--costs",
               place / "costs.csv", "--thresholds", "--json", "--time", "when", "--plot", place / "e.svg")  # fmt: skip
    found = json.loads(told.stdout)
    assert found["rows"] == (table["split"] == "test").sum()
    assert "cluster bootstrap" in found["figures"]["accuracy"]["method"]
    assert found["best_constant"][0] == "ill" and len(found["thresholds"]) == 11 and len(found["periods"]) == 5
    own = run("evaluate", place / "m.likely", place / "t.parquet", "--split", "split", "--json")
    ours = json.loads(own.stdout)["confusion"]["matrix"]
    assert np.sum(found["confusion"]["matrix"], axis=0)[0] > np.sum(ours, axis=0)[0]  # more are called ill
    assert (place / "e.svg").read_text().startswith("<?xml")
    assert "ends in .png" in refused("evaluate", place / "m.likely", place / "t.parquet", "--plot", "e.txt")


def test_a_column_that_is_absent_counts_as_missing_with_a_note(day):
    place, table = day
    told = run("predict", place / "m.likely", place / "less.parquet", "-o", place / "p.csv")
    assert "lacks 'z'" in told.stderr and "counted as missing" in told.stderr
    said = likely.load(place / "m.likely").predict(
        table.drop("y", "split", "who").with_columns(z=pl.lit(None, dtype=pl.Float64))
    )
    assert pl.read_csv(place / "p.csv")["class"].to_list() == said.tolist()
    assert "lacks the column 'z'" in refused("update", place / "m.likely", place / "less.parquet")


def test_decide_ends_with_a_summary_and_forget_replaces_the_model(day):
    place, table = day
    told = run("decide", place / "m.likely", place / "t.parquet", "--reject", "0.1", "-o", place / "d.csv").stderr
    assert "200 rows: " in told and "left to somebody else" in told
    table.head(20).write_parquet(place / "few.parquet")
    run("forget", place / "m.likely", place / "few.parquet")
    assert likely.load(place / "m.likely").estimator_.class_count_.sum() == 180


def test_compare_takes_the_parts_and_options_from_a_file(day, monkeypatch):
    place, _ = day
    with monkeypatch.context() as there:
        there.chdir(place)
        (place / "likely.toml").write_text('[compare]\ntarget = "y"\nmodels = "naive,majority"\ntime = "when"\n')
        told = run("compare", "t.parquet", "--text", "--plot", "c.png")
        assert "when" in told.stderr and "not learned: what grows with time" in told.stderr
        assert "when: year" not in told.stderr.split("not learned")[1]
        assert "5-fold" in told.stdout and "likely.toml sets --target" in told.stderr and (place / "c.png").exists()
        (place / "likely.toml").write_text('[compare]\ntargt = "y"\n')
        said = refused("compare", "t.parquet")
        assert "likely.toml, line 2: " in said and "has no option --targt; did you mean 'target'?" in said
        (place / "likely.toml").write_text("[compre]\n")
        assert "likely.toml, line 1: there is no verb 'compre'" in refused("compare", "t.parquet")


@pytest.mark.parametrize("option", [{"groups": "who"}, {"time": "when"}, {"split": "split"}, {}])
def test_a_study_parts_the_rows(day, option):
    _, table = day
    found = likely.study(table, "y", cv=3, repeats=1, yardsticks=False, **option)
    parts = {"when: weekday"} if "time" in option else {"when: month", "when: weekday"}  # later months are others
    assert "split" not in found.facts.kinds and parts <= set(found.facts.kinds)
    if "groups" in option:
        fold = found.result.folds[0]
        assert all(len(set(fold[table["who"].to_numpy() == who])) == 1 for who in table["who"].unique())
        assert "cluster bootstrap" in found.evaluation.accuracy.method
    elif option:
        assert found.tested is not None and found.tested.n + found.facts.rows == 200
        assert "Rows set aside" in found.markdown() and found.record()["rows_set_aside"]
    else:
        assert any("--split split" in note for note in found.findings.notes)
    if "time" in option:
        assert found.looked.later["when"].min() > table["when"].sort()[159]
    assert len(found.model.predict(table)) == 200


def test_results_in_a_notebook_are_tables_and_in_text_no_arrays(day):
    _, table = day
    X, y = table.select("x", "z"), table["y"].to_numpy()
    model = likely.NaiveBayes().fit(X, y)
    shown = [
        likely.evaluate(model, X, y),
        likely.compare({"a": likely.NaiveBayes(), "b": likely.GaussianBayes()}, X, y, cv=3),
        likely.cross_validate(likely.NaiveBayes(), X, y, cv=3),
        model.evidence(X),
        audit(likely.NaiveBayes(), X, y),
    ]
    for one in shown:
        page = one._repr_html_()
        assert "array(" not in repr(one) and "<" in page and "None" not in page and "False" not in page
    assert "the first 5 of" in shown[3]._repr_html_()


def test_models_of_tables_merge_where_a_column_is_constant_in_one(tmp_path):
    rng = np.random.default_rng(5)
    ill = rng.random(120) < 0.4
    table = pl.DataFrame(
        {
            "fever": rng.normal(37 + ill, 0.6),
            "ward": np.where(np.arange(120) < 50, "north", np.where(rng.random(120) < 0.3 + 0.4 * ill, "east", "west")),
            "state": np.where(ill, "ill", "well"),
        }
    )
    for name, rows in (("one", table[:50]), ("two", table[50:]), ("all", table)):
        rows.write_csv(tmp_path / f"{name}.csv")
        model = tmp_path / f"{name}.likely"
        said = run("fit", tmp_path / f"{name}.csv", "--target", "state", "--no-calibrate", "-o", model).stderr
        assert ("ward: learned all the same" in said) == (name == "one")
    run("merge", tmp_path / "one.likely", tmp_path / "two.likely", "-o", tmp_path / "both.likely")
    both, whole = (likely.load(tmp_path / f"{name}.likely") for name in ("both", "all"))
    query = table.drop("state")
    assert np.allclose(both.predict_proba(query), whole.predict_proba(query), rtol=1e-9)


def test_a_date_that_is_absent_is_one_column_and_counts_as_missing(tmp_path):
    days = pl.datetime_range(datetime(2024, 1, 1), datetime(2024, 3, 1), "12h", eager=True)
    ill = np.arange(len(days)) % 3 == 0
    rows = pl.DataFrame({"when": days, "x": np.arange(len(days)) % 7 + 2.0 * ill, "y": np.where(ill, "ill", "well")})
    rows.with_columns(pl.col("when").dt.strftime("%Y-%m-%d %H:%M")).write_csv(tmp_path / "all.csv")
    rows.drop("when").write_csv(tmp_path / "part.csv")
    run("fit", tmp_path / "all.csv", "--target", "y", "-q", "-o", tmp_path / "m.likely")
    asked = run("predict", tmp_path / "m.likely", tmp_path / "part.csv")
    assert "'when: hour'" in asked.stderr and "counted as missing" in asked.stderr
