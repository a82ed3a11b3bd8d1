"""Odd names, pipes, links, seeds, costs and tables of two rows: a clear message or a result, never a crash."""

import os
import subprocess
import sys
import threading

import polars as pl
import pytest
from command_line import birds, refused, run, start

import likely
from likely.data import read_table
from likely.errors import InputError
from likely.store import load


@pytest.fixture
def model(tmp_path):
    run("fit", birds(tmp_path), "--target", "species", "--no-calibrate", "-o", tmp_path / "m.likely", "-q")
    return tmp_path / "m.likely"


def poured(path, content: bytes) -> None:
    """A named pipe that somebody writes into."""
    os.mkfifo(path)
    threading.Thread(target=path.write_bytes, args=(content,), daemon=True).start()


def test_pipes_are_read_like_files(tmp_path, model):
    data = tmp_path / "birds.csv"
    expected = run("predict", model, data).stdout
    poured(tmp_path / "pipe.csv", data.read_bytes())
    assert run("predict", model, tmp_path / "pipe.csv").stdout == expected
    poured(tmp_path / "untold", data.read_bytes())
    assert read_table(tmp_path / "untold").equals(read_table(data))
    poured(tmp_path / "nothing.csv", b"")
    assert "nothing.csv is empty" in refused("predict", model, tmp_path / "nothing.csv")
    poured(tmp_path / "wrong.csv", b"a,b\n1,2,3\n")
    assert f"{tmp_path / 'wrong.csv'}, line 2" in refused("predict", model, tmp_path / "wrong.csv")
    os.mkfifo(tmp_path / "costs.csv")
    (tmp_path / "costs.csv").touch()
    with pytest.raises(InputError, match="is a pipe, which can be read once only"):
        likely.scan(tmp_path / "costs.csv")
    assert "is a device" in refused("predict", model, "/dev/zero")


def test_the_shell_gives_data_by_a_pipe(tmp_path, model):
    script = "exec $PYTHON -m likely predict $MODEL <(cat $DATA) -q"
    environment = {**os.environ, "PYTHON": sys.executable, "MODEL": str(model), "DATA": str(tmp_path / "birds.csv")}
    ended = subprocess.run(["bash", "-c", script], env=environment, capture_output=True, text=True, timeout=60)
    assert ended.returncode == 0, ended.stderr
    assert ended.stdout == run("predict", model, tmp_path / "birds.csv", "-q").stdout


def test_a_model_goes_to_no_pipe_and_no_device(tmp_path, model):
    for place in ("/dev/null", "/dev/full"):
        said = refused("fit", tmp_path / "birds.csv", "--target", "species", "-o", place)
        assert "is a pipe or a device, and a model goes to a file" in said


def test_links_that_lead_nowhere_and_homes_of_nobody(tmp_path, model):
    one, other = tmp_path / "one.csv", tmp_path / "other.csv"
    one.symlink_to(other)
    other.symlink_to(one)
    data, target = tmp_path / "birds.csv", ("--target", "species")
    assert "is a link to nothing" in refused("fit", one, *target)
    assert "is a link to nothing" in refused("fit", one, *target, "--stream")
    for words in (("fit", data, *target, "-o", one), ("predict", one, data), ("predict", model, data, "-o", one)):
        assert "Too many levels of symbolic links" in refused(*words)
    home = "~nosuchuser/x.csv"
    for words in (
        ("fit", home, *target),
        ("fit", home, *target, "--stream"),
        ("fit", data, *target, "-o", home),
        ("predict", home, data),
        ("predict", model, home),
        ("predict", model, data, "-o", home),
        ("decide", model, data, "--costs", home),
        ("study", data, *target, "-o", home),
    ):
        assert "there is no user 'nosuchuser'" in refused(*words), words
    for words in (("fit", "", *target), ("fit", data, *target, "-o", ""), ("predict", model, data, "-o", "")):
        assert "the name of a file is empty" in refused(*words)


@pytest.mark.parametrize("verb", ["compare", "audit", "study", "fit"])
def test_a_seed_is_no_negative_number(tmp_path, verb):
    more = ("--models", "naive,majority") if verb == "compare" else ()
    assert "--seed" in refused(verb, birds(tmp_path), "--target", "species", "--seed", "-1", *more)


def test_a_random_state_is_refused_in_python_too():
    with pytest.raises(InputError, match="random_state is a whole number from 0 up"):
        likely.Calibrated(likely.NaiveBayes(), cv=2, random_state=-1).fit([[1.0], [2.0], [3.0], [4.0]], [0, 1, 0, 1])


@pytest.mark.parametrize("rows", ["1,a\n2,b\n", "1,a\n2,b\n3,a\n"])
def test_a_study_of_too_few_rows_says_what_it_takes(tmp_path, rows):
    (tmp_path / "d.csv").write_text("x,y\n" + rows)
    assert "two rows of two classes at least" in refused(
        "study", tmp_path / "d.csv", "--target", "y", "-o", tmp_path / "s"
    )
    assert not (tmp_path / "s").exists()


def test_costs_whose_square_is_no_number_are_refused(tmp_path, model):
    costs = tmp_path / "costs.csv"
    costs.write_text(",Adelie,Chinstrap,Gentoo\nAdelie,0,1,1e308\nChinstrap,5,0,1\nGentoo,1,1,0\n")
    data = tmp_path / "birds.csv"
    for words in (("decide", model, data), ("evaluate", model, data), ("fit", data, "--target", "species")):
        assert "1e+100 at most" in refused(*words, "--costs", costs, "-q")
    assert "1e+100 at most" in refused("decide", model, data, "--reject", "1e308")
    costs.write_text(",Adelie,Chinstrap,Gentoo\nAdelie,0,1,1e100\nChinstrap,5,0,1\nGentoo,1,1,0\n")
    told = run("evaluate", model, data, "--costs", costs).stderr
    assert "overflow" not in told


def test_numbers_that_are_told_to_be_texts_are(tmp_path):
    data = tmp_path / "d.csv"
    data.write_text("code,y\n" + "12 34,a\n56 78,b\n" * 10)
    numbers = tmp_path / "n.parquet"
    pl.DataFrame({"code": [12, 56] * 10, "y": ["a", "b"] * 10}).write_parquet(numbers)
    for path in (data, numbers):
        run("fit", path, "--target", "y", "--kind", "code=text", "--no-calibrate", "-o", tmp_path / "m.likely", "-q")
        assert load(tmp_path / "m.likely").kinds_ == {"code": "text"}
        answers = run("predict", tmp_path / "m.likely", path, "-q").stdout.splitlines()
        assert [line.split(",")[0] for line in answers[1:3]] == ["a", "b"]


def test_nothing_is_wrong_with_a_command_that_waits_for_nobody(tmp_path):
    process = start("fit", "-", "--target", "y", "-o", tmp_path / "m.likely")
    _, said = process.communicate(timeout=60)
    assert process.returncode == 2 and b"standard input is empty" in said


def test_long_names_of_classes_are_shortened_in_what_is_said(tmp_path):
    data = tmp_path / "long.csv"
    data.write_text("x,y\n" + "".join(f"{i % 7},{'ab'[i % 2]}\n" for i in range(400)) + f"1,{'L' * 20_000}\n" * 3)
    said = run("fit", data, "--target", "y", "--no-calibrate", "-o", tmp_path / "m.likely").output
    assert "LLL…" in said and max(map(len, said.splitlines())) < 300
