"""What a verb is doing is told on a terminal, and only there; results stay clean."""

import io
import os
import pty
import re
import subprocess
import sys
import threading
import time

import pytest

from likely.cli.stages import Stages, doing
from likely.data.bundled import penguins
from likely.engines import progress as bars
from likely.reports.looking import look
from likely.reports.study import stages_of, study_of


class Terminal(io.StringIO):
    def isatty(self):
        return True


def at_a_terminal(monkeypatch):
    """Standard error as a terminal, from inside a test: pytest sets its own between fixtures and tests."""
    monkeypatch.setenv("TERM", "xterm")
    monkeypatch.setattr(bars, "_PATIENCE", 0.0)
    monkeypatch.setattr(sys, "stderr", Terminal())
    return sys.stderr


def shown(board):
    deadline = time.monotonic() + 10
    while board.shown is None and time.monotonic() < deadline:
        time.sleep(0.001)
    assert board.shown is not None


def test_the_stages_of_a_study_are_those_that_are_counted():
    looked = look(penguins(), "species")
    heard = []
    arguments = {
        "costs": None, "prior": None, "reject": None, "cv": 3, "repeats": 1, "time_limit": None, "seed": 0,
        "kinds": {}, "keep": [], "drop": [],
    }  # fmt: skip
    with Stages(*stages_of(looked, False), "writing") as stages:
        study_of(looked, arguments, False, report=lambda stage: (heard.append(stage), stages(stage)))
        stages("writing")
    assert tuple(heard) == stages_of(looked, False)
    assert stages.done == stages.total == len(heard) + 1  # the bar is full


def test_a_stage_and_the_pieces_inside_it_are_told_on_a_terminal(monkeypatch):
    terminal = at_a_terminal(monkeypatch)
    with Stages("reading", "judging") as stages:
        stages("reading")
        shown(stages._board)
        stages("judging")
        with bars.progress(3, "folds") as done:
            done()
            done()
            stages._board.shown.refresh()
    told = terminal.getvalue()
    assert "reading" in told and "judging" in told and "1/2" in told
    assert "folds" in told and "2/3" in told
    plain = re.sub(r"\x1b\[[0-9;?]*[A-Za-z]", "", told)
    assert re.search(r"1/2 +[\d:]+ so far, \S+ left", plain)  # time that has passed is not called time left
    assert bars._board is None and not bars._terminal.locked()


def test_nothing_is_told_elsewhere(monkeypatch, capsys):
    monkeypatch.setattr(bars, "_PATIENCE", 0.0)
    with Stages() as stages:
        doing("reading")
        assert stages._board is None
    assert capsys.readouterr().err == ""
    doing("nothing, outside a verb")


def test_a_failure_leaves_the_bar_where_it_was(monkeypatch):
    at_a_terminal(monkeypatch)
    with pytest.raises(RuntimeError), Stages("reading", "judging") as stages:
        stages("reading")
        raise RuntimeError
    assert stages.done == 0 and stages._board.shown is None


def test_results_go_to_standard_output_whatever_is_told(tmp_path):
    """Standard error is a terminal, standard output a file: the one has the line, the other the result alone."""
    program = (
        "import sys, time\n"
        "from likely.engines import progress as bars\n"
        "bars._PATIENCE = 0.0\n"
        "from likely.cli import stages\n"
        "with stages.Stages('reading', 'answering') as told:\n"
        "    told('reading')\n"
        "    while told._board.shown is None: time.sleep(0.001)\n"
        "    print('a,b')\n"
    )
    ours, theirs = pty.openpty()
    told = []

    def listen():
        while True:
            try:
                part = os.read(ours, 4096)
            except OSError:  # the other end is closed
                return
            if not part:
                return
            told.append(part)

    listener = threading.Thread(target=listen)
    listener.start()
    with (tmp_path / "out.csv").open("w") as out:
        environment = {**os.environ, "TERM": "xterm"}
        code = subprocess.run([sys.executable, "-c", program], stdout=out, stderr=theirs, env=environment).returncode
    os.close(theirs)
    listener.join(10)
    os.close(ours)
    assert code == 0
    assert (tmp_path / "out.csv").read_text() == "a,b\n"
    assert b"reading" in b"".join(told)
