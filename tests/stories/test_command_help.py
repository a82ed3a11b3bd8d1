"""Help that answers at once, with examples, and nothing heavy behind it."""

import re
import subprocess
import sys

import pytest
from command_line import refused, run

from likely.cli.command import VERBS

HEAVY = {"numpy", "scipy", "numba", "polars", "sklearn", "pandas", "rich", "matplotlib", "narwhals"}


@pytest.mark.parametrize(
    "arguments", [["--help"], ["fit", "--help"], ["predict", "--help"], ["study", "-h"], ["--version"]]
)
def test_help_imports_nothing_heavy(arguments):
    words = [sys.executable, "-X", "importtime", "-m", "likely", *arguments]
    done = subprocess.run(words, capture_output=True, text=True, check=True)
    loaded = {line.rsplit("|", 1)[-1].strip().split(".")[0] for line in done.stderr.splitlines() if "|" in line}
    assert "click" in loaded and not loaded & HEAVY


@pytest.mark.parametrize("verb", VERBS)
def test_every_verb_explains_itself_with_examples(verb):
    text = run(verb, "--help").stdout
    assert "Examples:" in text and f"likely {verb} " in text
    assert "--quiet" in text


def test_the_list_of_verbs_and_codes():
    text = run("--help").stdout
    assert all(re.search(rf"^  {verb} ", text, re.MULTILINE) for verb in VERBS)
    assert "Exit codes: 0 done, 1" in text and "_LIKELY_COMPLETE=bash_source" in text


def test_mistyped_verbs_and_options_are_recognised():
    assert "did you mean 'predict'?" in refused("predct")
    assert "the verbs are study, fit" in refused("xyzzy")
    assert "--target" in refused("fit", "data.csv", "--traget", "y")


def test_the_shell_can_complete_verbs(monkeypatch):
    monkeypatch.setenv("_LIKELY_COMPLETE", "bash_complete")
    monkeypatch.setenv("COMP_WORDS", "likely ex")
    monkeypatch.setenv("COMP_CWORD", "1")
    assert run().stdout.split() == ["plain,explain", "plain,examples"]
