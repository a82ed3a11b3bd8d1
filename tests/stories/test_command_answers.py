"""Asking a model from the shell: predict, decide, explain and evaluate, in every form of output."""

import io
import json
import os
import pty

import numpy as np
import polars as pl
import pytest
from click.testing import CliRunner
from command_line import birds, refused, run, start

from likely import NaiveBayes, evaluate
from likely.cli import likely
from likely.decisions import decide
from likely.store import load, save

COSTS = ",Adelie,Chinstrap,Gentoo\nAdelie,0,1,1\nChinstrap,20,0,1\nGentoo,1,1,0\n"


@pytest.fixture(scope="module")
def place(tmp_path_factory):
    folder = tmp_path_factory.mktemp("answers")
    birds(folder)
    run("fit", folder / "birds.csv", "--target", "species", "-o", folder / "m.likely", "-q")
    (folder / "costs.csv").write_text(COSTS)
    return folder


@pytest.fixture(scope="module")
def rows(place):
    return pl.read_csv(place / "birds.csv").drop("species")


def frame(text: str) -> pl.DataFrame:
    return pl.read_csv(io.StringIO(text))


def test_predictions_as_csv_json_and_file(place, rows):
    model = load(place / "m.likely")
    table = frame(run("predict", place / "m.likely", place / "birds.csv", "--keep-column", "sex").stdout)
    assert table.columns == ["sex", "class", "P(Adelie)", "P(Chinstrap)", "P(Gentoo)"]
    assert table["class"].to_list() == model.predict(rows).tolist()
    told = json.loads(run("predict", place / "m.likely", place / "birds.csv", "--json").stdout)
    assert [list(each["probabilities"].values()) for each in told] == model.predict_proba(rows).tolist()
    run("predict", place / "m.likely", place / "birds.csv", "-o", place / "out.csv", "-q")
    assert pl.read_csv(place / "out.csv").equals(table.drop("sex"))
    run("predict", place / "m.likely", place / "birds.csv", "-o", place / "out.json", "-q")
    assert json.loads((place / "out.json").read_text()) == told
    assert "P(Gentoo)" in run("predict", place / "m.likely", place / "birds.csv", "--text").stdout.splitlines()[0]


def test_another_prior_is_the_librarys(place, rows):
    model = load(place / "m.likely")
    table = frame(run("predict", place / "m.likely", place / "birds.csv", "--prior", "uniform").stdout)
    assert np.allclose(table.drop("class").to_numpy(), model.predict_proba(rows, prior="uniform"), atol=1e-12)


def test_extra_columns_are_ignored_with_one_note(place, rows):
    rows.with_columns(colour=pl.lit("red"), ring=pl.lit(3)).write_csv(place / "extra.csv")
    result = run("predict", place / "m.likely", place / "extra.csv")
    notes = [line for line in result.stderr.splitlines() if line.startswith("note:")]
    assert notes == ["note: columns that the model did not learn are ignored: colour, ring"]
    assert run("predict", place / "m.likely", place / "extra.csv", "--quiet").stderr == ""
    assert result.stdout == run("predict", place / "m.likely", place / "birds.csv").stdout


def test_a_column_that_is_carried_along_keeps_its_name(place, rows):
    rows.rename({"year": "class"}).with_columns(year=rows["year"]).write_csv(place / "named.csv")
    asked = ("predict", place / "m.likely", place / "named.csv", "-q")
    assert "rename yours" in refused(*asked, "--keep-column", "class")
    twice = frame(run(*asked, "--keep-column", "year", "--keep-column", "year", "--keep-column", "sex").stdout)
    assert twice.columns[:3] == ["year", "sex", "class"] and twice["year"].equals(rows["year"])


def test_a_model_of_an_array_takes_columns_by_their_place(tmp_path, rows):
    numbers = rows.select("bill_length_mm", "bill_depth_mm").drop_nulls()
    labels = (numbers["bill_depth_mm"] > 17).cast(int)
    model = NaiveBayes().fit(numbers.to_numpy(), labels.to_numpy())
    save(model, tmp_path / "array.likely")
    numbers.write_csv(tmp_path / "numbers.csv")
    result = run("predict", tmp_path / "array.likely", tmp_path / "numbers.csv")
    assert frame(result.stdout)["class"].to_list() == model.predict(numbers.to_numpy()).tolist() and not result.stderr
    prior = run("predict", tmp_path / "array.likely", tmp_path / "numbers.csv", "--prior", "0=0.5,1=0.5").stdout
    assert np.allclose(frame(prior)["P(1)"], model.predict_proba(numbers.to_numpy(), prior="uniform")[:, 1])
    rows.select("bill_length_mm", "bill_depth_mm", "year").write_csv(tmp_path / "wide.csv")
    assert "the table has 3" in refused("predict", tmp_path / "array.likely", tmp_path / "wide.csv")


def test_decisions_are_the_librarys(place, rows):
    model = load(place / "m.likely")
    result = run("decide", place / "m.likely", place / "birds.csv", "--costs", place / "costs.csv", "--reject", "0.05")
    table = frame(result.stdout)
    said = decide(model.predict_log_proba(rows), model.classes_, place / "costs.csv", reject=0.05, form="log_posterior")
    assert table["rejected"].to_list() == said.rejected.tolist()
    assert table["decision"].to_list() == said.answers().tolist()
    assert np.array_equal(table["expected_cost"].to_numpy(), said.expected_cost)
    assert 0 < table["rejected"].sum() < table.height
    plain = json.loads(run("decide", place / "m.likely", place / "birds.csv", "--json").stdout)
    assert [each["decision"] for each in plain] == model.predict(rows).tolist()


@pytest.mark.slow
@pytest.mark.parametrize("name", ["bare.csv", "bare.cost"])
def test_costs_without_names_say_their_order(place, name, tmp_path):
    rows = "0 1 1\n20 0 1\n1 1 0\n"
    (tmp_path / name).write_text(f"3 3\n{rows}" if name.endswith("cost") else rows.replace(" ", ","))
    for verb in (
        ("decide", place / "m.likely", place / "birds.csv"),
        ("evaluate", place / "m.likely", place / "birds.csv"),
        ("fit", place / "birds.csv", "--target", "species", "-o", tmp_path / "new.likely"),
        ("study", place / "birds.csv", "--target", "species", "-o", tmp_path / "out", "--no-yardsticks", "--folds=2",
         "--repeats=1"),
    ):  # fmt: skip
        bare = run(*verb, "--costs", tmp_path / name)
        order = "costs without names are taken in the order Adelie, Chinstrap, Gentoo: costs[truth][said]"
        assert bare.stderr.count(order) == 1
        if verb[0] in ("decide", "evaluate"):
            named = run(*verb, "--costs", place / "costs.csv")
            assert named.stdout == bare.stdout and "without names" not in named.stderr
    assert load(tmp_path / "new.likely").costs.classes == ("Adelie", "Chinstrap", "Gentoo")


def test_a_file_that_holds_what_its_name_does_not_say_is_noted(place, tmp_path):
    asked = ("predict", place / "m.likely", place / "birds.csv", "-o")
    assert "out.csv holds JSON, which its name does not say" in run(*asked, tmp_path / "out.csv", "--json").stderr
    for name, form in (("out.csv", "--csv"), ("out.json", "--json"), ("out.txt", "--text"), ("out", "--csv")):
        assert "does not say" not in run(*asked, tmp_path / name, form).stderr
    assert "out.dat holds CSV" in run(*asked, tmp_path / "out.dat").stderr


def test_infinite_cells_are_missing_ones(place, rows, tmp_path):
    table = pl.read_csv(place / "birds.csv")
    gaps = table.with_columns(body_mass_g=pl.Series([None, None, *table["body_mass_g"][2:]], dtype=pl.Float64))
    wild = table.with_columns(body_mass_g=pl.Series([np.inf, 1e200, *table["body_mass_g"][2:]], dtype=pl.Float64))
    gaps.write_csv(tmp_path / "gaps.csv")
    wild.write_csv(tmp_path / "wild.csv")
    result = run("predict", place / "m.likely", tmp_path / "wild.csv")
    assert "column 'body_mass_g': 2 cells are infinite or too large" in result.stderr
    assert result.stdout == run("predict", place / "m.likely", tmp_path / "gaps.csv").stdout
    for name in ("gaps", "wild"):
        run("fit", tmp_path / f"{name}.csv", "--target", "species", "-o", tmp_path / f"{name}.likely", "-q")
        run("update", place / "m.likely", tmp_path / f"{name}.csv", "-o", tmp_path / f"{name}2.likely", "-q")
    for form in ("", "2"):
        one, two = (load(tmp_path / f"{name}{form}.likely").predict_proba(rows) for name in ("gaps", "wild"))
        assert np.array_equal(one, two)


@pytest.mark.sample(6)
@pytest.mark.parametrize("name", ["count", "rows", "times", "class", "(row)", "", "P(a)", 'a"b', "a\nb", "x" * 300])
@pytest.mark.parametrize("role", ["number", "text", "target"])
def test_any_name_of_a_column_passes_through_every_verb(name, role, tmp_path):
    rng = np.random.default_rng(0)
    values = {
        "number": rng.normal(size=60),
        "text": rng.choice(["p", "P", "q"], 60),
        "target": rng.choice(["a", "b"], 60),
    }
    data, model = tmp_path / "d.csv", tmp_path / "m.likely"
    pl.DataFrame({name if each == role else each: column for each, column in values.items()}).write_csv(data)
    target = name if role == "target" else "target"
    run("fit", data, f"--target={target}", "-o", model, "-q")
    for verb in ("predict", "decide", "evaluate", "explain", "update"):
        run(verb, model, data, "-q")
    run("inspect", model, "--text")
    run("compare", data, f"--target={target}", "--models=naive,majority", "--folds=2", "-q")
    audited = CliRunner().invoke(likely, ["audit", str(data), f"--target={target}", "-q"])
    assert audited.exit_code in (0, 1)  # 1: a label is probably wrong


def test_explanations_add_up_and_are_drawn(place, rows):
    model = load(place / "m.likely")
    table = frame(run("explain", place / "m.likely", place / "birds.csv").stdout)
    assert np.allclose(table["(log2 odds)"].to_numpy(), model.evidence(rows).log2_odds)
    told = json.loads(run("explain", place / "m.likely", place / "birds.csv", "--row", 7, "--row", 2, "--for", "Gentoo",
                          "--against", "Adelie", "--json").stdout)  # fmt: skip
    assert [(each["row"], each["class"], each["against"]) for each in told] == [(7, "Gentoo", "Adelie")] * 1 + [
        (2, "Gentoo", "Adelie")
    ]
    for each in told:
        assert np.isclose(each["log2_odds"], each["prior"] + sum(each["bits"].values()))
    text = run("explain", place / "m.likely", place / "birds.csv", "--row", 7, "--text", "--top", 2).stdout
    assert text.startswith("row 7: ") and "█" in text and "columns that say less" in text


def test_evaluation_is_the_librarys(place, rows):
    model = load(place / "m.likely")
    found = evaluate(model, rows, pl.read_csv(place / "birds.csv")["species"])
    told = json.loads(run("evaluate", place / "m.likely", place / "birds.csv", "--json").stdout)
    assert told["figures"]["accuracy"]["value"] == found.accuracy.value
    assert told["confusion"]["matrix"] == found.confusion.matrix.tolist()
    assert frame(run("evaluate", place / "m.likely", place / "birds.csv").stdout)["measure"][0] == "accuracy"
    text = run("evaluate", place / "m.likely", place / "birds.csv", "--text", "--costs", place / "costs.csv").stdout
    assert "mean cost" in text and "Wilson" in text


def test_columns_follow_the_model_whatever_type_the_file_shows(tmp_path):
    data, model = tmp_path / "d.csv", tmp_path / "m.likely"
    days = [f"2024-{1 + i % 12:02d}-{1 + i % 28:02d}" for i in range(60)]
    table = pl.DataFrame(
        {
            "when": days,
            "code": [["1", "2", "B"][i % 3] for i in range(60)],
            "on": [["true", "false"][i % 2] for i in range(60)],
            "size": [i / 4 for i in range(60)],
            "y": [["no", "yes"][(i // 3) % 2] for i in range(60)],
        }
    )
    table.write_csv(data)
    run("fit", data, "--target", "y", "-o", model, "-q")
    later = table.filter(pl.col("code") != "B").drop("y")
    forms = {
        "text": later,
        "numbers": later.with_columns(pl.col("code").cast(pl.Int64), on=(pl.col("on") == "true").cast(pl.Int64)),
        "dates": later.with_columns(pl.col("when").str.to_date(), pl.col("size").cast(pl.String)),
        "truth": later.with_columns(pl.col("on") == "true", pl.col("code").cast(pl.Float64)),
    }
    answers = set()
    for name, form in forms.items():
        form.write_parquet(tmp_path / f"{name}.parquet")
        answers.add(run("predict", model, tmp_path / f"{name}.parquet").stdout)
    later.write_csv(tmp_path / "later.csv")
    answers.add(run("predict", model, tmp_path / "later.csv").stdout)
    assert len(answers) == 1
    table.with_columns(size=pl.lit("big")).write_csv(tmp_path / "bad.csv")
    assert "column 'size', row 0: 'big' is not a number" in refused("predict", model, tmp_path / "bad.csv")
    table.with_columns(on=pl.lit("perhaps")).write_csv(tmp_path / "bad.csv")
    assert "'perhaps' is not true or false" in refused("predict", model, tmp_path / "bad.csv")
    table.with_columns(code=pl.lit("Z")).write_csv(tmp_path / "new.csv")
    assert "has not seen: 'Z'" in run("predict", model, tmp_path / "new.csv").stderr


def test_numbers_and_dates_that_are_cut_into_bins_have_no_levels(tmp_path):
    days = [f"2024-{1 + i % 12:02}-{1 + i % 28:02}" for i in range(60)]
    table = pl.DataFrame({"size": [i * 0.25 for i in range(60)], "when": days, "y": ["a", "b", "b"] * 20})
    table.write_csv(tmp_path / "cut.csv")
    run("fit", tmp_path / "cut.csv", "--target", "y", "--model", "dependence", "-o", tmp_path / "m.likely", "-q")
    table.with_columns(size=pl.col("size") + 0.1).write_csv(tmp_path / "new.csv")
    answered = run("predict", tmp_path / "m.likely", tmp_path / "new.csv")
    assert "has not seen" not in answered.stderr and frame(answered.stdout).height == 60


@pytest.mark.slow
def test_a_terminal_sees_a_table_and_no_colour_where_none_is_wanted(place):
    main, other = pty.openpty()
    process = start("explain", place / "m.likely", place / "birds.csv", stdout=other)
    os.close(other)
    seen = b""
    try:
        while block := os.read(main, 4096):
            seen += block
    except OSError:  # how Linux says that the other end is closed
        pass
    finally:
        os.close(main)
    assert process.wait() == 0 and process.stderr is not None
    process.stderr.close()
    assert process.stdout is None
    text = seen.decode()
    assert text.startswith("row 0: ") and "|" in text and "\x1b" not in text


def test_a_reader_that_has_seen_enough_is_no_failure(place):
    table = pl.read_csv(place / "birds.csv")
    pl.concat([table] * 60).write_csv(place / "many.csv")
    with start("predict", place / "m.likely", place / "many.csv") as process:
        assert process.stdout is not None and process.stderr is not None
        assert process.stdout.readline() == b"class,P(Adelie),P(Chinstrap),P(Gentoo)\n"
        process.stdout.close()
        assert process.stderr.read() == b""
    assert process.returncode == 0


def test_a_model_that_mixes_its_columns_names_others_that_explain(place):
    model, path = place / "mixed.likely", place / "birds.csv"
    run("fit", path, "--target", "species", "--model", "kernel-perceptron", "-o", model, "-q", "--no-calibrate")
    said = refused("explain", model, path, "--row", "0")
    assert "KernelPerceptron, which does not weigh the columns" in said and "--model logistic" in said
