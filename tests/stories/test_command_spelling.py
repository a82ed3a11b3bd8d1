"""Codes keep their spelling: what a model learned as text is text in every later file, verb and format."""

import io
import json

import polars as pl
import pytest
from click.testing import CliRunner
from command_line import refused, run

from likely import NaiveBayes, NearestNeighbors, Pool
from likely.cli import likely
from likely.cli.recipes import NAMES
from likely.data import read_table, scan
from likely.errors import InputError
from likely.models import unwrap
from likely.models.any_classifier.inside import know_table, name_target
from likely.store import load, save

CODES = {"1.1": "007", "1.10": "008", "2.x": "M"}
LATER = "version,zip,x,y\n1.1,01234,1,007\n1.10,1234,2,008\n"  # every cell looks like a number


@pytest.fixture
def learned(tmp_path):
    """A model of codes among which are letters, and a later file without any."""
    rows = [(code, ("01234", "1234", "AB")[i % 3], i % 5, CODES[code]) for i, code in enumerate([*CODES] * 40)]
    pl.DataFrame(rows, ["version", "zip", "x", "y"], orient="row").write_csv(tmp_path / "first.csv")
    (tmp_path / "later.csv").write_text(LATER)
    run("fit", tmp_path / "first.csv", "--target", "y", "--no-calibrate", "-o", tmp_path / "m.likely", "-q")
    return tmp_path / "m.likely", tmp_path / "later.csv"


def said(result) -> list[str]:
    return pl.read_csv(io.StringIO(result.stdout), infer_schema=False)["class"].to_list()


def test_every_verb_reads_codes_as_they_were_learned(learned, tmp_path):
    model, later = learned
    assert said(run("predict", model, later)) == ["007", "008"]
    assert said(run("predict", model, "-", stdin=later.read_bytes())) == ["007", "008"]
    decided = pl.read_csv(io.StringIO(run("decide", model, later).stdout), infer_schema=False)
    assert decided["decision"].to_list() == ["007", "008"]
    found = json.loads(run("evaluate", model, later, "--json").stdout)
    assert found["rows"] == 2 and sum(map(sum, found["confusion"]["matrix"])) == 2
    explained = json.loads(run("explain", model, later, "--for", "007", "--json").stdout)
    assert explained[0]["log2_odds"] > 5 and explained[1]["log2_odds"] < -5
    run("update", model, later, "-o", tmp_path / "more.likely")
    assert unwrap(load(tmp_path / "more.likely")).class_count_.tolist() == [41.0, 41.0, 40.0]
    run("forget", tmp_path / "more.likely", later, "-o", tmp_path / "less.likely")
    assert (tmp_path / "less.likely").read_bytes() == model.read_bytes()


def test_carried_columns_are_written_as_they_were_read(learned):
    model, later = learned
    table = run("predict", model, later, "--keep-column", "zip", "--keep-column", "version").stdout
    assert [line.split(",")[:2] for line in table.splitlines()[1:]] == [["01234", "1.1"], ["1234", "1.10"]]
    rows = json.loads(run("predict", model, later, "--keep-column", "x", "--keep-column", "zip", "--json").stdout)
    assert [(row["x"], row["zip"]) for row in rows] == [(1, "01234"), (2, "1234")]


def test_a_model_without_names_reads_codes_by_their_place(tmp_path):
    model = NaiveBayes().fit([["1.1", 1.0], ["1.10", 1.0], ["2.x", 2.0]] * 5, ["a", "b", "c"] * 5)
    save(model, tmp_path / "m.likely")
    (tmp_path / "q.csv").write_text("v,x\n1.1,1.0\n1.10,1.0\n")
    assert said(run("predict", tmp_path / "m.likely", tmp_path / "q.csv")) == ["a", "b"]


@pytest.mark.parametrize("stream", [(), ("--stream",)])
def test_classes_with_zeros_in_front_and_nominal_codes_keep_them_when_learned(tmp_path, stream):
    data = tmp_path / "d.csv"
    data.write_text("version,y\n" + "1.1,007\n1.10,7\n" * 5)
    for kind in ("nominal", "text"):
        run("fit", data, "--target", "y", "--kind", f"version={kind}", "-o", tmp_path / "m.likely", "-q", *stream)
        assert load(tmp_path / "m.likely").classes_.tolist() == ["007", "7"]
    run("fit", data, "--target", "y", "--kind", "version=nominal", "-o", tmp_path / "m.likely", "-q", *stream)
    assert said(run("predict", tmp_path / "m.likely", data))[:2] == ["007", "7"]


@pytest.mark.parametrize("stream", [(), ("--stream",)])
def test_features_with_zeros_in_front_are_codes_unless_told(tmp_path, stream):
    data = tmp_path / "d.csv"
    data.write_text("zip,size,y\n" + "01234,0.50,a\n1234,1.5,b\n90210,2.50,a\n" * 10)
    told = run("fit", data, "--target", "y", "-o", tmp_path / "m.likely", *stream).stderr
    assert "whole numbers with zeros in front, such as '01234': codes, unless told" in told
    assert unwrap(load(tmp_path / "m.likely")).kinds_ == {"zip": "nominal", "size": "numeric"}
    assert said(run("predict", tmp_path / "m.likely", data))[:3] == ["a", "b", "a"]
    run("fit", data, "--target", "y", "--kind", "zip=numeric", "-o", tmp_path / "n.likely", *stream)
    assert unwrap(load(tmp_path / "n.likely")).kinds_ == {"zip": "numeric", "size": "numeric"}
    said(run("predict", tmp_path / "n.likely", data))


def test_zeros_in_front_far_down_are_not_lost(tmp_path):
    path, numbers = tmp_path / "late.csv", "".join(f'{i},"{i}",{i % 7}.5,05\n' for i in range(300_000))
    path.write_text("late,quoted,x,code\n" + numbers + '007,"1",1.5,06\n')
    assert read_table(path).dtypes == [pl.String, pl.Int64, pl.Float64, pl.String]
    with pytest.raises(InputError, match=r"line 300,002, column 'late': '007' has zeros in front"):
        list(scan(path).batches())
    as_told = scan(path, schema_overrides={"late": pl.Int64})
    assert list(as_told.batches())[-1]["late"][-1] == 7
    assert list(scan(path, schema_overrides={"late": pl.String}).batches())[-1]["late"][-1] == "007"
    path.write_text("late,quoted,x,code\n" + numbers + '7,"0012",1.5,06\n')
    with pytest.raises(InputError, match="column 'quoted': '0012'"):
        list(scan(path).batches())


def test_plain_whole_numbers_are_still_numbers_as_classes(tmp_path):
    (tmp_path / "d.csv").write_text("x,y\n" + "1.5,0\n2.5,1\n0.5,10\n" * 5)
    for stream in ((), ("--stream",)):
        run("fit", tmp_path / "d.csv", "--target", "y", "-o", tmp_path / "m.likely", "-q", *stream)
        assert load(tmp_path / "m.likely").classes_.tolist() == [0, 1, 10]


def test_a_stream_refuses_classes_that_begin_to_have_zeros_in_front(tmp_path):
    (tmp_path / "d.csv").write_text("x,y\n" + f"1.5{'0' * 300},7\n2.5,8\n" * 15_000 + "1.5,007\n" * 70_000)
    assert "zeros in front" in refused("fit", tmp_path / "d.csv", "--target=y", "--stream", "-q", "-o", tmp_path / "m")


def test_numbers_of_a_typed_file_become_text_with_a_note(learned, tmp_path):
    model, _ = learned
    pl.DataFrame({"version": [1.1], "zip": [1234], "x": [1]}).write_parquet(tmp_path / "q.parquet")
    result = run("predict", model, tmp_path / "q.parquet")
    assert said(result) == ["007"] and "column 'version' holds numbers, and the model learned text" in result.stderr


def test_in_python_levels_of_another_type_are_refused():
    text = NaiveBayes().fit(pl.DataFrame({"v": ["1.1", "1.10", "2.x"] * 4}), ["a", "b", "c"] * 4)
    for column in ([1.1], [1], [True]):
        with pytest.raises(InputError, match=r"column 'v' holds numbers .* the model learned text"):
            text.predict(pl.DataFrame({"v": column}))
    with pytest.raises(InputError, match="learned text"):
        text.partial_fit(pl.DataFrame({"v": [1.1]}), ["a"])
    numbers = NaiveBayes(kinds={"v": "nominal"}).fit(pl.DataFrame({"v": [1, 2, 3] * 4}), ["a", "b", "c"] * 4)
    assert numbers.predict(pl.DataFrame({"v": [2.0]})).tolist() == ["b"]
    with pytest.raises(InputError, match=r"holds text .* the model learned numbers"):
        numbers.predict(pl.DataFrame({"v": ["2"]}))
    assert len(text.predict(pl.DataFrame({"v": [None]}))) == 1
    other = NaiveBayes(kinds={"v": "nominal"}).fit(pl.DataFrame({"v": ["1", "2"] * 4}), ["a", "b"] * 4)
    with pytest.raises(InputError, match="the levels of 'v' are text in one and numbers in the other"):
        numbers.merge(other)


def test_in_python_scanned_files_are_read_as_the_model_learned(learned):
    model, later = load(learned[0]), scan(learned[1], target="y")
    assert later.schema["version"] == pl.Float64
    assert model.predict(later).tolist() == ["007", "008"]
    assert model.score(later, "y") == 1.0
    assert model.partial_fit(later, "y").class_count_.tolist() == [41.0, 41.0, 40.0]
    assert model.forget(later, "y").class_count_.tolist() == [40.0, 40.0, 40.0]


def test_a_late_cell_of_another_type_makes_its_column_text_and_no_other(tmp_path):
    path = tmp_path / "late.csv"
    rows = "".join(f"{i},{i},true,red\n" for i in range(300_000))
    path.write_text("late,number,truth,colour\n" + rows + "x,1,FALSE,blue\n")
    table = read_table(path, as_text="number")
    assert table.dtypes == [pl.String, pl.String, pl.Boolean, pl.String]
    assert read_table(path, columns=["late", "number"]).dtypes == [pl.String, pl.Int64]


def test_a_stream_says_which_rows_it_left_out_and_counts_those_it_learned(tmp_path):
    path = tmp_path / "d.csv"
    rows = "1.5,a\n2.5,b\n" * 6_000
    path.write_text("x,y\n" + rows + "1.0,\n" * 70 + "1.0,a\n" * 130_000 + "1e300,a\ninf,\n")
    told = run("fit", path, "--target", "y", "--stream", "-o", tmp_path / "m.likely")
    assert "71 of 142,072 rows have no class and are left out" in told.stderr
    assert "learned 142,001 rows" in told.stderr and "NaiveBayes of 142,001 rows" in told.stdout
    assert "2 cells are infinite or too large" in told.stderr


def test_a_pool_reads_codes_as_its_members_learned_them(learned, tmp_path):
    _, later = learned
    first = read_table(tmp_path / "first.csv", as_text=["version", "zip", "y"])
    model = know_table(name_target(Pool([NaiveBayes(), NearestNeighbors()]).fit(first, "y"), "y"), first.columns)
    place = save(model, tmp_path / "pool.likely")
    assert said(run("predict", place, later)) == ["007", "008"]
    assert json.loads(run("evaluate", place, later, "--json").stdout)["rows"] == 2
    for verb in ("decide", "inspect"):
        run(verb, place, *([] if verb == "inspect" else [later]))


@pytest.mark.slow
@pytest.mark.parametrize("model", NAMES)
def test_every_model_of_the_command_reads_codes_as_it_learned_them(learned, tmp_path, model):
    _, later = learned
    options = ("--target", "y", "--model", model, "--kind", "x=numeric", "-o", tmp_path / "m.likely", "-q")
    if CliRunner().invoke(likely, ["fit", str(tmp_path / "first.csv"), *map(str, options)]).exit_code == 2:
        return  # it is for other tables, and says so
    answers = said(run("predict", tmp_path / "m.likely", later))
    assert answers == ["007", "008"] or (model == "majority" and set(answers) == {"007"})
