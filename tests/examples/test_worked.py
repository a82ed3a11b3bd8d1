"""Every worked example that the package computes, held against the catalogue."""

import importlib.util
import json
from pathlib import Path

import pytest
from catalogue import check, differs, example, ids

from likely.errors import InputError
from likely.examples import Worked, examples, find, lines, question, registered, run, worked
from likely.examples.account import account, cell, shown, verdict

# The accuracy that was reported is of a corpus that is not here.
NOT_COMPUTED = {"EX-EVA-21": {"reported_accuracy"}}
WITH_FIGURES = {  # those that the catalogue's pictures name, as far as the library computes them
    "FIG-01": ["EX-OPT-04"],
    "FIG-07": ["EX-PRB-18", "EX-GEN-15", "EX-GEN-16"],
    "FIG-08": ["EX-EST-09"],
    "FIG-09": ["EX-EST-12"],
    "FIG-10": ["EX-EST-20"],
    "FIG-11": ["EX-GEN-17", "EX-GEN-34"],
    "FIG-12": ["EX-GEN-30", "EX-GEN-31"],
    "FIG-16": ["EX-PRB-10"],
    "FIG-18": ["EX-DEC-04"],
    "FIG-19": ["EX-CAL-01"],
    "FIG-20": ["EX-EVA-15", "EX-EVA-17"],
    "FIG-21": ["EX-EVA-21"],
    "FIG-23": ["EX-GEN-02"],
    "FIG-24": ["EX-PRB-11", "EX-PRB-16"],
    "FIG-25": ["EX-EST-01", "EX-EVA-19"],
    "FIG-26": ["EX-EXF-01", "EX-EXF-02"],
    "FIG-31": ["EX-DAT-01"],
    "FIG-32": ["EX-DEC-11"],
    "FIG-33": ["EX-OPT-06"],
    "FIG-34": ["EX-EVA-08"],
}


@pytest.mark.parametrize("id", registered())
def test_values_are_those_of_the_catalogue(id):
    values = run(id).values
    assert set(example(id).expected) - set(values) == NOT_COMPUTED.get(id, set())
    for name in set(example(id).expected) & set(values):
        check(id, name, values[name])
    for name in set(example(id).printed) & set(example(id).expected):
        differs(id, name, values[name])  # and not the misprint
    assert {line.verdict for line in lines(find(id), Worked(values))} <= {
        "agrees",
        "agrees, misprint",
        "not computed",
        "extra",
    }
    assert question(id).endswith("?")


def test_whole_groups_are_computed():
    whole = ("DAT", "PRB", "EST", "GEN", "EXF", "DEC", "CAL", "EVA", "MDL", "OPT")
    groups = {id for group in whole for id in ids(f"EX-{group}-")}
    assert set(registered()) == groups | {"EX-EMM-01", "EX-EMM-02"}


def test_the_packaged_catalogue_is_the_written_one():
    place = Path(__file__).with_name("pack_catalogue.py")
    spec = importlib.util.spec_from_file_location("pack_catalogue", place)
    pack = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(pack)
    assert pack.TARGET.read_text(encoding="utf-8") == pack.packed(registered()), "run pack_catalogue.py"
    for entry in json.loads(pack.TARGET.read_text(encoding="utf-8")):
        original = example(entry["id"])
        assert entry["inputs"] == original.inputs
        assert entry["expected"] == original.expected
        assert entry.get("printed", {}) == original.printed
        assert len(entry["source"]) == len(original.seed)


@pytest.mark.sample(6)
@pytest.mark.parametrize("id", [id for id in registered() if examples()[id].figure])
def test_figures_are_drawn(id):
    from matplotlib.figure import Figure

    result = run(id)
    figure = Figure(figsize=result.size, layout="constrained")
    ax = figure.subplots()
    result.figure(ax)
    figure.canvas.draw()
    drawn = [one for panel in (ax, *ax.child_axes) for one in (*panel.lines, *panel.patches, *panel.collections)]
    assert drawn or any(panel.images for panel in (ax, *ax.child_axes))
    labelled = [panel for panel in (ax, *ax.child_axes) if panel.axison]
    assert labelled and all(panel.get_xlabel() or panel.get_ylabel() for panel in labelled)


def test_the_pictures_of_the_catalogue_are_there():
    for picture, names in WITH_FIGURES.items():
        for name in names:
            assert picture in example(name).rows
            assert find(name).figure


def test_a_wrong_value_differs():
    ex = find("EX-GEN-08")
    values = dict(run(ex.id).values) | {"lik_pos": 0.23}
    found = lines(ex, Worked(values))
    assert [line.name for line in found if line.verdict == "differs"] == ["lik_pos"]
    assert "0.23" in account(ex, found)
    assert verdict(found) == "1 of 10 values differ from what they should be: lik_pos."
    ex = find("EX-GEN-03")
    values = dict(run(ex.id).values)
    values["counts_no"]["outlook"]["sunny"] += 1
    found = {line.name: line.verdict for line in lines(ex, Worked(values))}
    assert found["counts_no.outlook.sunny"] == "differs"
    assert found["counts_no.outlook.rainy"] == "agrees"


def test_a_part_too_few_or_too_many_differs():
    ex = find("EX-GEN-34")
    rows = run(ex.id).values["points"]
    for points in (rows[:-1], [*rows, rows[0]], [{**rows[0], "more": 1}, *rows[1:]]):
        assert any(line.verdict == "differs" for line in lines(ex, Worked({"points": points})))
    assert {line.verdict for line in lines(ex, Worked({"points": rows}))} == {"agrees"}


def test_what_cannot_be_compared_is_said():
    found = lines(find("EX-EVA-21"), run("EX-EVA-21"))
    assert [line.verdict for line in found] == ["not computed", "extra", "extra"]
    assert verdict(found).startswith("No value can be compared")


@pytest.mark.parametrize("spelling", ["EX-GEN-08", "ex-gen-08", "gen-8", "EX_GEN_8", " GEN-08 "])
def test_ids_are_found_however_spelled(spelling):
    assert find(spelling).id == "EX-GEN-08"


def test_unknown_ids_get_advice():
    with pytest.raises(InputError, match="did you mean EX-GEN-"):
        find("EX-GEN-88")
    with pytest.raises(InputError, match="they run from EX-DAT-01 to EX-OPT-09"):
        find("penguins")


def test_an_example_is_computed_once():
    with pytest.raises(ValueError, match="EX-GEN-08 is computed twice"):
        worked("EX-GEN-08")(lambda ex: Worked({}))


def test_values_in_cells():
    assert shown(None) == shown(float("nan")) == "–"
    assert shown(list(range(40)), 20) == "[0, 1, 2, 3, 4, 5, …"[:18] + " …"
    assert cell([float("-inf"), float("nan"), 1.5]) == '["-inf", null, 1.5]'
    assert cell("spam") == "spam"
    assert cell(None) is None
