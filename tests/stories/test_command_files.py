"""Files that the command writes: never over what it reads, one change at a time, and with the access that they had."""

import json
import os
import stat
import subprocess

import pytest
from command_line import birds, refused, run, start

from likely.data.sources.places.unfinished import remove_unfinished, unfinished
from likely.errors import InputError
from likely.models import unwrap
from likely.store import load
from likely.store.files.guarding import guarded
from likely.store.files.replacing import replacing


@pytest.fixture
def model(tmp_path):
    path = tmp_path / "m.likely"
    run("fit", birds(tmp_path), "--target", "species", "-o", path, "-q")
    return path


def test_no_verb_writes_over_what_it_reads(tmp_path, model):
    data, target = tmp_path / "birds.csv", ("--target", "species")
    costs = tmp_path / "costs.csv"
    costs.write_text(",Adelie,Chinstrap,Gentoo\nAdelie,0,1,1\nChinstrap,5,0,1\nGentoo,1,1,0\n")
    linked, hard = tmp_path / "linked.csv", tmp_path / "hard.csv"
    linked.symlink_to(data)
    os.link(data, hard)
    before = {path: path.read_bytes() for path in (data, costs, model)}
    for words in (
        ("fit", data, *target, "-o", data),
        ("fit", linked, *target, "-o", data),
        ("fit", data, *target, "-o", linked),
        ("fit", data, *target, "-o", hard),
        ("fit", tmp_path / "bir*.csv", *target, "-o", data),
        ("fit", data, *target, "--costs", costs, "-o", costs),
        ("predict", model, data, "-o", data),
        ("predict", model, data, "-o", model),
        ("decide", model, data, "--costs", costs, "-o", costs),
        ("explain", model, data, "-o", data),
        ("evaluate", model, data, "-o", model),
        ("audit", data, *target, "-o", data),
        ("compare", data, *target, "--models", "naive,majority", "-o", data),
        ("inspect", model, "-o", model),
        ("merge", model, model, "-o", model),
        ("diff", model, model, "-o", model),
        ("diff", model, model, "--since", "--between", model),
        ("update", model, data, "-o", data),
        ("update", model, model),
        ("forget", model, data, "-o", data),
    ):
        assert "would be lost" in refused(*words), words
    assert before == {path: path.read_bytes() for path in before}


def test_standard_input_and_studies_do_not_write_over_what_they_read(tmp_path, model):
    data = tmp_path / "birds.csv"
    with data.open("rb") as rows:
        process = start("fit", "-", "--target", "species", "-o", data, stdin=rows)
        _, said = process.communicate(timeout=60)
    assert process.returncode == 2 and b"would be lost" in said
    table = tmp_path / "report.json"
    table.write_text("".join(json.dumps({"x": i, "y": "ab"[i % 2]}) + "\n" for i in range(30)))
    assert "would be lost" in refused("study", table, "--format", "jsonl", "--target", "y", "-o", tmp_path)


def test_a_model_goes_to_a_file(tmp_path, model):
    data = tmp_path / "birds.csv"
    for words in (("fit", data, "--target", "species"), ("merge", model, model), ("forget", model, data)):
        assert "a model goes to a file" in refused(*words, "-o", "-")


def test_update_and_forget_may_replace_their_model_and_keep_its_access(tmp_path, model):
    data = birds(tmp_path, "some.csv", slice(0, 50))
    model.chmod(0o600)
    run("update", model, data, "-q")
    run("forget", model, data, "-o", model, "-q")
    run("update", model, data, "-o", model, "-q")
    assert unwrap(load(model)).class_count_.sum() == 394
    assert stat.S_IMODE(model.stat().st_mode) == 0o600
    model.chmod(0o640)
    run("fit", data, "--target", "species", "-o", model, "-q")
    assert stat.S_IMODE(model.stat().st_mode) == 0o640


@pytest.mark.skipif(os.name != "posix" or os.geteuid() != 0, reason="only root gives files away")
def test_the_owner_of_a_replaced_file_stays(tmp_path):
    place = tmp_path / "answers.csv"
    place.write_text("old")
    os.chown(place, 12345, 23456)
    place.chmod(0o604)
    with replacing(place) as file:
        file.write(b"new")
    told = place.stat()
    assert (told.st_uid, told.st_gid, stat.S_IMODE(told.st_mode), place.read_text()) == (12345, 23456, 0o604, "new")


def test_four_updates_at_once_lose_no_rows(tmp_path, model):
    data = birds(tmp_path, "some.csv", slice(0, 50))
    processes = [start("update", model, data) for _ in range(4)]
    ends = [process.communicate(timeout=120) for process in processes]
    assert [process.returncode for process in processes] == [0] * 4, ends
    assert unwrap(load(model)).class_count_.sum() == 344 + 4 * 50
    assert not list(tmp_path.glob(".likely-*"))


def test_a_change_without_a_lock_is_found_out(tmp_path):
    place = tmp_path / "m.likely"
    place.write_text("1")
    with pytest.raises(InputError, match="changed by something else meanwhile"), guarded(place) as unchanged:
        unchanged()
        place.write_text("another")
        unchanged()
    with guarded(place) as unchanged:
        unchanged()


def test_a_lock_is_waited_for_and_the_new_file_is_taken(tmp_path):
    place, waited = tmp_path / "m.likely", []
    place.write_text("1")
    script = (
        "import sys, time; from pathlib import Path; from likely.store.files.guarding import guarded\n"
        "from likely.store.files.replacing import replacing\n"
        "place = Path(sys.argv[1])\n"
        "with guarded(place):\n"
        "    print('held', flush=True); sys.stdin.readline()\n"
        "    with replacing(place) as file: file.write(b'2')\n"
    )
    other = subprocess.Popen(
        [os.sys.executable, "-c", script, str(place)], stdin=subprocess.PIPE, stdout=subprocess.PIPE
    )
    assert other.stdout.readline() == b"held\n"

    def let_go() -> None:
        waited.append(True)
        other.stdin.write(b"\n")
        other.stdin.close()

    with guarded(place, let_go):
        assert place.read_text() == "2" and waited
    other.wait()
    other.stdout.close()


def test_what_is_unfinished_can_be_taken_away_at_once(tmp_path):
    with unfinished(tmp_path / "half.tmp") as file, unfinished(tmp_path / "folder") as folder:
        file.write_text("half")
        folder.mkdir()
        (folder / "inside").write_text("x")
        remove_unfinished()
        assert not list(tmp_path.iterdir())
