"""`likely examples` as a user runs it: the list, one example, its figure, and mistakes."""

import csv
import io
import json
import subprocess
import sys
from xml.etree import ElementTree

import pytest
from click.testing import CliRunner

from likely.cli import likely
from likely.examples import Worked, registered


def run(*arguments):
    return CliRunner().invoke(likely, ["examples", *arguments])


def test_the_list_is_csv_where_nobody_reads_it():
    done = run()
    assert done.exit_code == 0
    rows = list(csv.DictReader(io.StringIO(done.stdout)))
    assert len(rows) == len(registered())
    assert rows[0] == {
        "id": "EX-DAT-01",
        "title": "8x8 ink grids of a digit as bit vectors",
        "group": "Data and representation",
        "figure": "true",
    }


def test_the_list_to_read_has_every_example():
    done = run("--text")
    assert done.exit_code == 0
    assert [line.split()[0] for line in done.stdout.splitlines() if line.startswith("EX-")] == [
        row["id"] for row in json.loads(run("--json").stdout)
    ]
    assert "EX-GEN-08  Spam by bit vector (1, 1, 0)" in done.stdout


def test_an_example_is_told_with_its_numbers():
    done = run("EX-GEN-08", "--text")
    assert done.exit_code == 0
    assert "Question: Is a mail that has the first two of three words spam" in done.stdout
    assert "theta_pos   [0.5, 0.666667, 0.333333]" in done.stdout
    (line,) = [line.split() for line in done.stdout.splitlines() if line.startswith("lik_pos ")]
    assert line == ["lik_pos", "0.222222", "0.222", "0.222222", "agrees"]
    assert "Erratum: UNSW, slides on supervised classification says" in done.stdout
    assert done.stdout.endswith("All 10 values agree.\n")


def test_a_misprint_is_explained():
    done = run("eva-5", "--text")
    assert done.exit_code == 0
    (line,) = [line for line in done.stdout.splitlines() if line.startswith("total ")]
    assert line.split(maxsplit=4) == ["total", "497", "500", "497", "agrees, misprint"]
    assert "The nine printed test counts sum to 497, not 500" in done.stdout
    assert "the source misprints 2 of them, see the erratum" in done.stdout


def test_values_as_csv_and_json(tmp_path):
    rows = {row["name"]: row for row in csv.DictReader(io.StringIO(run("EX-GEN-15", "--csv").stdout))}
    assert rows["lower"]["printed"] == "-1.85"
    assert rows["lower"]["verdict"] == "agrees, misprint"
    assert float(rows["lower"]["computed"]) == pytest.approx(-0.848, abs=1e-3)
    place = tmp_path / "fifteen.json"
    done = run("EX-GEN-15", "-o", str(place))
    assert done.exit_code == 0 and done.stdout == "" and f"wrote {place}" in done.stderr
    record = json.loads(place.read_text())
    assert record["agrees"] is True and record["title"] == "Two Gaussians with unequal spread cross twice"
    assert {line["name"] for line in record["values"]} == set(rows)


def test_infinities_survive_json():
    record = json.loads(run("EX-DEC-07", "--json").stdout)
    (table,) = [line["computed"] for line in record["values"] if line["name"] == "errors_by_threshold"]
    assert table[0] == ["-inf", 5.0]


@pytest.mark.parametrize("id", ["EX-GEN-15", "EX-EVA-03"])
def test_figures_are_saved(id, tmp_path):
    image, drawing = tmp_path / "figure.png", tmp_path / "figure.SVG"
    done = run(id, "--text", "--figure", str(image))
    assert done.exit_code == 0 and f"wrote {image}" in done.stderr
    assert image.read_bytes().startswith(b"\x89PNG") and image.stat().st_size > 10_000
    assert run(id, "--figure", str(drawing), "--quiet").stderr == ""
    assert ElementTree.parse(drawing).getroot().tag.endswith("svg")


def test_a_figure_is_offered():
    assert "--figure EX-GEN-15.png" in run("EX-GEN-15").stderr
    assert run("EX-GEN-15", "--quiet").stderr == ""
    assert run("EX-GEN-08").stderr == ""


def test_a_value_that_differs_asks_for_attention(monkeypatch):
    monkeypatch.setitem(registered(), "EX-GEN-12", lambda ex: Worked({"density": 0.134}))
    done = run("EX-GEN-12", "--text")
    assert done.exit_code == 1
    assert "1 of 1 values differ from what they should be: density." in done.stdout
    assert json.loads(run("EX-GEN-12", "--json").stdout)["agrees"] is False


@pytest.mark.parametrize(
    "arguments, said",
    [
        (["EX-GEN-80"], "there is no worked example 'EX-GEN-80'; did you mean EX-GEN-"),
        (["EX-GEN-80"], "They run from EX-GEN-01 to EX-GEN-34"),
        (["EX-GNE-15"], "did you mean EX-GEN-15"),
        (["penguins"], "they run from EX-DAT-01 to EX-OPT-09"),
        (["--figure", "a.png"], "--figure draws one example; name it"),
        (["EX-GEN-08", "--figure", "a.png"], "EX-GEN-08 has no figure"),
        (["EX-GEN-15", "--figure", "a.bmp"], "the name must end in .png, .svg or .pdf"),
        (["EX-GEN-15", "--figure", "no/such/a.png"], "there is no folder no/such"),
        (["EX-GEN-15", "-o", "no/such/a.csv"], "there is no folder no/such"),
        (["EX-GEN-15", "EX-GEN-16"], "unexpected extra argument"),
        (["--figures"], "No such option"),
    ],
)
def test_mistakes_are_said_plainly(arguments, said, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    done = run(*arguments)
    assert done.exit_code == 2
    assert said in done.stderr
    assert done.stdout == "" and "Traceback" not in done.stderr
    assert not list(tmp_path.iterdir())


def test_help_has_examples_and_imports_nothing_heavy():
    code = (
        "import sys\nfrom likely.cli import likely\n"
        "try: likely.main(['examples', '--help'])\nexcept SystemExit: pass\n"
        "assert not {'numpy', 'polars', 'scipy', 'matplotlib'} & set(sys.modules), 'heavy'\n"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    assert "likely examples EX-GEN-08" in done.stdout and "--figure FILE" in done.stdout


def test_ids_complete_in_the_shell():
    from click.shell_completion import ShellComplete

    found = ShellComplete(likely, {}, "likely", "_LIKELY_COMPLETE").get_completions(["examples"], "ex-cal")
    assert [item.value for item in found] == ["EX-CAL-01", "EX-CAL-02"]
