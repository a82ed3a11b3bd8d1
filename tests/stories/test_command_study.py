"""`likely study` as a user runs it: the demo, own data with costs, an interruption."""

import contextlib
import json
import os
import signal

import numpy as np
import polars as pl
import pytest
from command_line import birds, refused, run, start

from likely.reports.study import study
from likely.store import load

FILES = {"report.html", "report.md", "report.json", "model.likely"}
QUICK = ("--no-yardsticks", "--repeats", "1", "--folds", "3")


@pytest.fixture(scope="module")
def demo(tmp_path_factory):
    folder = tmp_path_factory.mktemp("demo") / "study"
    return folder, run("study", "--demo", "-o", folder, *QUICK)


def test_the_demo_answers_and_writes_a_report(demo):
    folder, result = demo
    assert {path.name for path in folder.iterdir()} == FILES
    assert "species" in result.stdout and "rows that it has not seen" in result.stdout
    assert "bill_length_mm" in result.stderr and "decimal numbers" in result.stderr  # what was guessed, and why
    assert "report.html" in result.stderr


@pytest.mark.slow
def test_the_command_is_the_library(tmp_path):
    path = birds(tmp_path, "few.csv", slice(0, 150))
    run("study", path, "--target", "species", "-o", tmp_path / "out", "--seed", 5, "--drop", "year", "-q", *QUICK)
    found = study(pl.read_csv(path), "species", random_state=5, drop=["year"], repeats=1, cv=3, yardsticks=False)
    written = json.loads((tmp_path / "out" / "report.json").read_text())
    assert written["choice"]["chosen"] == found.choice.chosen
    assert written["figures"]["accuracy"]["value"] == found.evaluation.accuracy.value
    rows = pl.read_csv(path).drop("species", "year")
    assert np.array_equal(load(tmp_path / "out" / "model.likely").predict_proba(rows), found.model.predict_proba(rows))


def test_the_studys_model_predicts_and_is_judged(demo, tmp_path):
    folder, _ = demo
    path = birds(tmp_path)
    assert run("predict", folder / "model.likely", path).stdout.count("\n") == 345
    assert run("evaluate", folder / "model.likely", path).stdout  # it knows the column that it predicts
    assert "accuracy" in run("evaluate", folder / "model.likely", path, "--target", "species").stdout
    assert run("explain", folder / "model.likely", path, "--row", 0, "--text").stdout.startswith("row 0: ")


def test_every_verb_passes_over_what_the_study_left_out(tmp_path):
    path = tmp_path / "rows.csv"
    table = pl.read_csv(birds(tmp_path)).with_row_index("id").with_columns(one=1)
    table.write_csv(path)
    model, again = tmp_path / "out" / "model.likely", tmp_path / "again.likely"
    run("study", path, "--target", "species", "--drop", "year", "-o", tmp_path / "out", "-q", *QUICK)
    for verb in (("predict", model, path), ("decide", model, path), ("explain", model, path), ("evaluate", model, path),
                 ("update", model, path, "--inner", "-o", again), ("forget", again, path, "-o", again)):  # fmt: skip
        assert "ignored" not in run(*verb).stderr
    assert "ignored: late" in run("predict", model, _with_late(table, tmp_path)).stderr


def _with_late(table, folder):
    table.with_columns(late=0).write_csv(folder / "late.csv")
    return folder / "late.csv"


@pytest.mark.slow
def test_costs_prior_and_reject_are_in_the_model(tmp_path):
    costs = tmp_path / "costs.csv"
    costs.write_text(",Adelie,Chinstrap,Gentoo\nAdelie,0,1,1\nChinstrap,20,0,1\nGentoo,1,1,0\n")
    data = birds(tmp_path, "few.csv", slice(0, 150))
    result = run("study", data, "--target", "species", "--costs", costs, "--reject", "0.2", "--prior",
                 "Adelie=0.6,Chinstrap=0.2,Gentoo=0.2", "-o", tmp_path / "out", "--json", *QUICK)  # fmt: skip
    told = json.loads(result.stdout)
    assert told["settings"]["reject"] == 0.2 and "mean cost" in told["figures"]
    assert load(tmp_path / "out" / "model.likely").reject == 0.2


@pytest.mark.slow
def test_a_table_of_few_rows_has_as_many_folds(tmp_path):
    path = tmp_path / "few.csv"
    path.write_text("x,y\n" + "".join(f"{i + 0.5},{'ab'[i // 4]}\n" for i in range(8)))
    run("study", path, "--target", "y", "-o", tmp_path / "out", "--no-yardsticks", "-q", code=1)  # 8 rows show little
    assert load(tmp_path / "out" / "model.likely").predict(pl.DataFrame({"x": [1.0, 7.0]})).tolist() == ["a", "b"]
    run("compare", path, "--target", "y", "--models", "naive,majority", "-q")


@pytest.mark.slow
def test_an_infinite_cell_does_not_lose_the_models(tmp_path):
    table = pl.read_csv(birds(tmp_path)).with_columns(pl.col("body_mass_g").cast(pl.Float64))
    wild = pl.Series([np.inf, 1e200, *table["body_mass_g"][2:]], dtype=pl.Float64)
    table.with_columns(body_mass_g=wild).write_csv(tmp_path / "wild.csv")
    result = run("study", tmp_path / "wild.csv", "--target", "species", "-o", tmp_path / "out", *QUICK)
    assert "infinite number; it is treated as missing" in result.stderr and "too large to be squared" in result.stderr
    assert load(tmp_path / "out" / "model.likely").predict(table.drop("species")).tolist()[:2]


def test_a_table_that_says_nothing_asks_for_attention(tmp_path):
    rng = np.random.default_rng(1)
    path = tmp_path / "noise.csv"
    pl.DataFrame({"x": rng.normal(size=120), "y": rng.choice(["a", "b"], 120, p=[0.7, 0.3])}).write_csv(path)
    result = run("study", path, "--target", "y", "-o", tmp_path / "out", "-q", *QUICK, code=1)
    assert "may be luck" in result.stdout
    assert "accuracy" in run("evaluate", tmp_path / "out" / "model.likely", path).stdout  # it knows its target


def test_what_to_study_must_be_said(tmp_path):
    path = birds(tmp_path)
    assert "--target" in refused("study", path)
    assert "--demo" in refused("study")
    assert "leave it out" in refused("study", path, "--demo")
    assert "did you mean 'species'?" in refused("study", path, "--target", "specie")
    assert "is no time" in refused("study", path, "--target", "species", "--time-limit", "soon")
    assert "is a file" in refused("study", path, "--target", "species", "-o", path)
    assert "drop" in refused("study", path, "--target", "species", "--drop", "colour")
    assert not (tmp_path / "study").exists()


def read_to_the_end(terminal):
    """What comes until the other side is closed, which some systems call an error."""
    parts = []
    with contextlib.suppress(OSError):
        while part := os.read(terminal, 65536):
            parts.append(part)
    return b"".join(parts)


def test_an_interruption_leaves_nothing_half_written_and_says_what_was_finished(tmp_path):
    rng = np.random.default_rng(1)
    path = tmp_path / "wide.csv"
    columns = {f"x{j}": rng.normal(size=4_000) for j in range(30)}
    pl.DataFrame({**columns, "y": rng.choice(["a", "b", "c"], 4_000)}).write_csv(path)
    terminal, own = os.openpty()  # on which the progress is shown, and with it that the long work has begun
    process = start("study", path, "--target", "y", "-o", tmp_path / "out", "--no-yardsticks", stderr=own)
    os.close(own)
    with process:
        said = b""
        while b"\x1b[" not in said:  # the cursor moves: the bar is drawn
            said += os.read(terminal, 65536)
        process.send_signal(signal.SIGINT)
        said = (said + read_to_the_end(terminal)).decode(errors="replace")
    os.close(terminal)
    assert process.returncode == 130, said
    assert "interrupted: finished" in said and "nothing was written" in said and "Traceback" not in said
    assert not (tmp_path / "out").exists()
