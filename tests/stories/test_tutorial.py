"""The commands of the tutorial, run one after the other on its table, do what the page says."""

import re
import shlex
from pathlib import Path

import polars as pl
import pytest

from stories.command_line import run

PAGE = (Path(__file__).parents[2] / "docs" / "tutorial.md").read_text()


def _commands():
    lines = [line.split("  #")[0] for line in PAGE.splitlines() if line.startswith("likely ")]
    return [shlex.split(line)[1:] for line in lines]


@pytest.mark.slow
def test_the_commands_of_the_tutorial_run(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    source = re.search(r"```python\n(>>> import numpy.*?)```", PAGE, re.DOTALL)[1]
    names = {}
    exec("\n".join(line[4:] for line in source.splitlines() if line.startswith((">>>", "..."))), names)
    names["clinic"].write_csv("clinic.csv")
    names["later"].write_csv("later.csv")
    names["later"].drop("sick").write_csv("new.csv")
    Path("costs.csv").write_text("truth,no,yes\nno,0,1\nyes,10,0\n")
    commands = _commands()
    assert [command[0] for command in commands[:2]] == ["study", "evaluate"] and len(commands) == 9
    for command in commands:
        quick = ["--folds", "3", "--repeats", "1", "--no-yardsticks"]
        run(*command, *(quick if command[0] == "study" else []))
    assert Path("study/report.html").exists() and Path("judged.png").exists()
    assert len(pl.read_csv("todo.csv")) == 150
