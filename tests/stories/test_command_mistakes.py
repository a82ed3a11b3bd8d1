"""Every kind of bad input: one clear message, exit code 2, no traceback, nothing half-written."""

import os
from pathlib import Path

import numpy as np
import polars as pl
import pytest
from command_line import birds, refused, run

from likely.cli.inputs import tables as reading


@pytest.fixture(scope="module")
def place(tmp_path_factory):
    folder = tmp_path_factory.mktemp("mistakes")
    birds(folder)
    run("fit", folder / "birds.csv", "--target", "species", "-o", folder / "m.likely", "-q")
    return folder


@pytest.fixture
def untouched(place):
    """The folder must hold the same files with the same contents afterwards."""
    before = {path: path.read_bytes() for path in place.iterdir()}
    yield place
    assert {path: path.read_bytes() for path in place.iterdir()} == before


def test_files_that_are_not_there(untouched):
    model, data = untouched / "m.likely", untouched / "birds.csv"
    assert "none.csv" in refused("fit", untouched / "none.csv", "--target", "species")
    assert "none.csv" in refused("predict", model, untouched / "none.csv")
    assert "none.likely" in refused("predict", untouched / "none.likely", data)
    assert "none.csv" in refused("decide", model, data, "--costs", untouched / "none.csv")
    assert "none.likely" in refused("merge", model, untouched / "none.likely", "-o", untouched / "new.likely")
    assert "none.likely" in refused("diff", model, untouched / "none.likely")
    assert "no folder" in refused("predict", model, data, "-o", untouched / "none" / "out.csv")
    assert "is a folder" in refused("fit", data, "--target", "species", "-o", untouched)


def test_columns_that_are_not_there(untouched):
    model, data = untouched / "m.likely", untouched / "birds.csv"
    assert "did you mean 'species'?" in refused("fit", data, "--target", "spcies")
    assert "did you mean 'island'?" in refused("fit", data, "--target", "species", "--drop", "iland")
    assert "did you mean 'island'?" in refused("fit", data, "--target", "species", "--kind", "iland=nominal")
    assert "did you mean 'sex'?" in refused("predict", model, data, "--keep-column", "sexx")
    assert "did you mean 'species'?" in refused("update", model, data, "--target", "specis")
    assert "did you mean 'species'?" in refused("audit", data, "--target", "specis")


def test_a_table_that_lacks_a_column_of_the_model(tmp_path, place):
    pl.read_csv(place / "birds.csv").rename({"bill_depth_mm": "bill_depth"}).write_csv(tmp_path / "other.csv")
    said = refused("predict", place / "m.likely", tmp_path / "other.csv")
    assert "lacks the column 'bill_depth_mm'" in said and "did you mean 'bill_depth'?" in said


def test_classes_that_are_not_there(untouched, tmp_path):
    model, data = untouched / "m.likely", untouched / "birds.csv"
    costs = tmp_path / "costs.csv"
    costs.write_text(",Adelie,Chinstrap,Gentto\nAdelie,0,1,1\nChinstrap,2,0,1\nGentto,1,1,0\n")
    for verb in (("decide", model, data), ("fit", data, "--target", "species"), ("evaluate", model, data)):
        assert "did you mean 'Gent" in refused(*verb, "--costs", costs)
    assert "did you mean 'Gent" in refused("study", data, "--target=species", "--costs", costs, "-o", tmp_path / "out")
    assert "did you mean 'Adelie'?" in refused("explain", model, data, "--for", "Adelia")
    assert "did you mean 'Adelie'?" in refused("predict", model, data, "--prior", "Adelia=1")
    assert "did you mean 'Adelie'?" in refused("evaluate", model, data, "--positive", "Adelia")
    assert not (tmp_path / "out").exists()


def test_options_that_cannot_be(untouched):
    model, data = untouched / "m.likely", untouched / "birds.csv"
    fit = ("fit", data, "--target", "species")
    assert "COLUMN=KIND" in refused(*fit, "--kind", "sex")
    assert "did you mean 'nominal'?" in refused(*fit, "--kind", "sex=nominl")
    assert "did you mean 'naive'?" in refused(*fit, "--model", "naiv")
    assert "contradict" in refused(*fit, "--model", "gaussian-full", "--covariance", "shared")
    assert "means nothing" in refused(*fit, "--covariance", "shared")
    assert "alpha" in refused(*fit, "--alpha", "-1")
    assert "CLASS=SHARE" in refused("predict", model, data, "--prior", "a")
    assert "sums to" in refused("predict", model, data, "--prior", "Adelie=1,Chinstrap=1,Gentoo=0")
    assert "--reject" in refused("decide", model, data, "--reject", "-2")
    assert "rows 0 to 343" in refused("explain", model, data, "--row", "344")
    assert "at least two" in refused("compare", data, "--target", "species", "--models", "naive")
    assert "at least two" in refused("merge", model, "-o", untouched / "new.likely")
    assert "accuracy" in refused("compare", data, "--target=species", "--models=naive,kde", "--measure", "acuracy")
    assert "confidence" in refused("diff", model, model, "--confidence", "2")


def test_data_that_are_no_table(untouched, tmp_path):
    model = untouched / "m.likely"
    for name, content in {
        "empty.csv": b"",
        "header.csv": b"a,b\n",
        "blank.csv": b"\n\n",
        "binary.csv": bytes(range(256)) * 9,
        "broken.parquet": b"PAR1 and no more",
        "broken.csv.gz": b"\x1f\x8b\x08 and no more",
        "ragged.csv": b"a,b\n1,2\n1,2,3\n",
        "broken.jsonl": b'{"a": 1}\n{"a": \n',
    }.items():
        path = tmp_path / name
        path.write_bytes(content)
        assert name in refused("predict", model, path)
        refused("fit", path, "--target", "a", "-o", tmp_path / "new.likely")
        refused("study", path, "--target", "a", "-o", tmp_path / "out")
    assert "standard input" in refused("predict", model, "-", stdin=b"")
    assert not (tmp_path / "new.likely").exists() and not (tmp_path / "out").exists()


def test_a_target_that_names_no_classes(untouched, tmp_path):
    path = tmp_path / "one.csv"
    path.write_text("x,y,z\n1,a,0.5\n2,a,1.5\n3,a,2.25\n")
    assert "one class only" in refused("study", path, "--target", "y", "-o", tmp_path / "out")
    assert "decimal" in refused("fit", path, "--target", "z")


def test_classes_of_another_type_than_the_models(tmp_path):
    path, model = tmp_path / "d.csv", tmp_path / "m.likely"
    path.write_text("x,y\n" + "".join(f"{i / 8},{i % 2}\n" for i in range(40)))
    run("fit", path, "--target", "y", "-o", model, "-q")
    path.write_text("x,y\n1.5,1\n2.5,yes\n")
    assert "column 'y', row 1: 'yes' is not a whole number" in refused("update", model, path)
    assert "'yes' is not a whole number" in refused("evaluate", model, path)
    path.write_text("x,y\n1.5,1\n2.5,1\n")
    run("update", model, path, "-q")


def test_files_that_are_no_models(untouched, tmp_path):
    data = untouched / "birds.csv"
    whole = (untouched / "m.likely").read_bytes()
    damaged = bytearray(whole)
    damaged[len(whole) // 3] ^= 4
    for content in (b"", b"PK", data.read_bytes(), whole[:-40], bytes(damaged)):
        path = tmp_path / "bad.likely"
        path.write_bytes(content)
        for verb in (("predict", path, data), ("update", path, data), ("inspect", path), ("diff", path, path)):
            assert "bad.likely cannot be opened as a model" in refused(*verb)
        assert path.read_bytes() == content


def test_rows_that_were_never_learned_cannot_be_forgotten(untouched, tmp_path):
    run("fit", birds(tmp_path, "few.csv", slice(0, 60)), "--target", "species", "-o", tmp_path / "few.likely", "-q")
    said = refused("forget", tmp_path / "few.likely", untouched / "birds.csv", "-o", tmp_path / "left.likely")
    assert "forg" in said or "removed" in said
    assert not (tmp_path / "left.likely").exists()


def test_models_of_different_columns_cannot_be_added(untouched, tmp_path):
    data, other = untouched / "birds.csv", tmp_path / "other.likely"
    run("fit", data, "--target", "species", "--drop", "sex", "-o", other, "-q")
    assert "other.likely" in refused("merge", untouched / "m.likely", other, "-o", tmp_path / "sum.likely")
    assert "sex" in refused("diff", untouched / "m.likely", other)
    run("fit", data, "--target", "species", "--model", "majority", "-o", other, "-q")
    assert "MajorityClassifier" in refused("update", other, data, "--target", "species")


def test_mistakes_in_costs_name_their_file(untouched, tmp_path):
    model, data, costs = untouched / "m.likely", untouched / "birds.csv", tmp_path / "prices.csv"
    verbs = (("decide", model, data), ("evaluate", model, data), ("fit", data, "--target", "species"),
             ("study", data, "--target", "species", "-o", tmp_path / "out"))  # fmt: skip
    for text, message in (
        (",Adelie,Chinstrap,Gentoo\nAdelie,0,1,x\nChinstrap,1,0,1\nGentoo,1,1,0\n", "is 'x'; a cost is a number"),
        ("0,1\n5,0\n", "of 2 classes, but there are 3"),
        ("0,1,2\n5,0\n", "row 1 has 3 costs"),
        ("", "empty"),
    ):
        costs.write_text(text)
        for verb in verbs:
            said = refused(*verb, "--costs", costs)
            assert f"--costs {costs}: " in said and message in said
            assert said.count("prices.csv") == 1 + (text == "")


def test_options_are_checked_before_the_columns_are_shown(untouched, tmp_path):
    data, costs = untouched / "birds.csv", tmp_path / "costs.csv"
    costs.write_text("0,1\n5,0\n")
    fit = ("fit", data, "--target", "species", "-o", tmp_path / "new.likely")
    study = ("study", data, "--target", "species", "-o", tmp_path / "out")
    for arguments in (
        (*fit, "--model", "naiv"),
        (*fit, "--prior", "Adelia=1"),
        (*fit, "--kind", "sx=nominal"),
        (*fit, "--costs", costs),
        (*fit, "--reject", "-1"),
        (*study, "--prior", "Adelia=1"),
        (*study, "--kind", "sx=nominal"),
        (*study, "--costs", costs),
        (*study, "--reject", "-1"),
        (*study, "--folds", "500"),
        ("compare", data, "--target", "species", "--models", "naive,naiv"),
        ("audit", data, "--target", "species", "--model", "naiv"),
    ):
        result = run(*arguments, code=2)
        assert "error:" in result.stderr and "bill_depth_mm  " not in result.stderr, arguments
    assert not (tmp_path / "out").exists()


def test_a_hint_ends_its_message(untouched, tmp_path):
    model, data = untouched / "m.likely", untouched / "birds.csv"
    pl.read_csv(data).rename({"sex": "sexx"}).write_csv(tmp_path / "other.csv")
    fit = ("fit", data, "--target")
    for arguments in (
        ("predict", model, tmp_path / "other.csv"),
        (*fit, "specis"),
        (*fit, "species", "--model", "naiv"),
        (*fit, "species", "--kind", "sex=nominl"),
        ("update", model, data, "--target", "specis"),
        ("explain", model, data, "--for", "Adelia"),
    ):
        assert refused(*arguments).endswith("?")


def test_kinds_that_differ_are_named_with_what_to_do(tmp_path):
    rng = np.random.default_rng(0)
    y = rng.choice(["bad", "good"], 60)
    counts = pl.DataFrame({"a": rng.normal(size=60), "A15": rng.poisson(1.2, 60) * rng.integers(0, 2, 60) * 2, "y": y})
    counts.write_csv(tmp_path / "counts.csv")
    counts.with_columns(A15=pl.Series(rng.normal(size=60))).write_csv(tmp_path / "numbers.csv")
    for name in ("counts", "numbers"):
        run("fit", tmp_path / f"{name}.csv", "--target", "y", "-o", tmp_path / f"{name}.likely", "-q")
    first, second = tmp_path / "counts.likely", tmp_path / "numbers.likely"
    for said in (
        refused("merge", first, second, "-o", tmp_path / "sum.likely"),
        refused("diff", first, second),
        refused("update", first, tmp_path / "numbers.csv"),
        refused("predict", first, tmp_path / "numbers.csv"),
    ):
        assert "column 'A15'" in said and "count" in said and "numeric" in said and "--kind A15=numeric" in said
        assert "Family" not in said and "'a'" not in said
    run("update", second, tmp_path / "counts.csv", "-q")  # counts are numbers


def test_places_that_may_not_be_written(untouched, tmp_path):
    closed = tmp_path / "closed"
    if os.geteuid() == 0:  # root may write anywhere but there
        closed = Path("/proc")
    else:
        closed.mkdir(mode=0o500)
    model, data = untouched / "m.likely", untouched / "birds.csv"
    assert "cannot" in refused("predict", model, data, "-o", closed / "out.csv")
    assert "cannot" in refused("fit", data, "--target", "species", "-o", closed / "new.likely")
    assert "cannot" in refused("study", data, "--target", "species", "-o", closed / "out" / "deep")


def test_a_folder_is_no_file(untouched):
    refused("predict", untouched / "m.likely", untouched)
    refused("predict", untouched, untouched / "birds.csv")


def test_a_mistake_of_our_own_asks_for_a_report_and_debug_shows_where(untouched, monkeypatch):
    def fail(*_: object) -> None:
        raise ZeroDivisionError("a planted mistake")

    monkeypatch.setattr(reading, "open_model", fail)
    result = run("predict", untouched / "m.likely", untouched / "birds.csv", code=3)
    assert "a planted mistake" in result.stderr and "please report" in result.stderr
    from click.testing import CliRunner

    from likely.cli import likely

    shown = CliRunner().invoke(likely, ["predict", str(untouched / "m.likely"), "x.csv", "--debug"])
    assert shown.exit_code == 3 and "Traceback" in shown.stderr and "in fail" in shown.stderr
