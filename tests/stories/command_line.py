"""The command as a test runs it: in this process, or in one of its own."""

import os
import subprocess
import sys
from pathlib import Path

from click.testing import CliRunner, Result

from likely.cli import likely
from likely.data.bundled import penguins


def run(*arguments: object, code: int = 0, stdin: bytes | None = None) -> Result:
    """Run the command in this process and check how it ends."""
    result = CliRunner().invoke(likely, [str(argument) for argument in arguments], input=stdin)
    assert result.exit_code == code, (result.exit_code, result.stdout[-2000:], result.stderr)
    assert "Traceback" not in result.output
    return result


def refused(*arguments: object, stdin: bytes | None = None) -> str:
    """Run the command on a mistake in the input; give what is said about it."""
    result = run(*arguments, code=2, stdin=stdin)
    assert result.stdout == ""
    said = [line for line in result.stderr.splitlines() if line.lower().startswith("error:")]
    assert len(said) == 1, result.stderr
    return said[0]


def start(*arguments: object, **options: object) -> "subprocess.Popen[bytes]":
    """Start the command as a process of its own."""
    words = [sys.executable, "-m", "likely", *map(str, arguments)]
    environment = {**os.environ, "COLUMNS": "100", "NO_COLOR": "1"}
    pipes = {"stdin": subprocess.DEVNULL, "stdout": subprocess.PIPE, "stderr": subprocess.PIPE, "env": environment}
    return subprocess.Popen(words, **{**pipes, **options})


def birds(folder: Path, name: str = "birds.csv", rows: slice = slice(None)) -> Path:
    """The penguins as a file, in an order by chance: the original one goes by species, and by pairs of both sexes."""
    path = folder / name
    penguins().sample(fraction=1, shuffle=True, seed=1)[rows].write_csv(path)
    return path
