"""Verbs that judge say what is done: under the prior of the model, by its costs, about all of the rows."""

import json
import re

import numpy as np
import polars as pl
import pytest
from command_line import refused, run

from likely.cli.messages import in_words_of_the_command
from likely.models.traits.one_class import note_one_class


@pytest.fixture(scope="module")
def place(tmp_path_factory):
    """A model for 5 % ill, decided by costs, and rows of which 40 % are."""
    folder, rng = tmp_path_factory.mktemp("place"), np.random.default_rng(0)
    for name, n in (("first", 600), ("later", 400)):
        ill = rng.random(n) < 0.4
        x = rng.normal(size=(n, 2)) + ill[:, None]
        table = pl.DataFrame(x, ["a", "b"]).with_columns(
            when=pl.int_range(n), y=pl.Series(np.where(ill, "yes", "no")), who=pl.int_range(n) % 40
        )
        table.write_csv(folder / f"{name}.csv")
    (folder / "costs.csv").write_text("class,no,yes\nno,0,1\nyes,5,0\n")
    fit = ("fit", folder / "first.csv", "--target", "y", "--drop", "when", "--drop", "who", "-q", "-o")
    decided = ("--costs", folder / "costs.csv", "--prior", "no=0.95,yes=0.05", "--reject", "0.3")
    run(*fit, folder / "placed.likely", *decided)
    run(*fit, folder / "plain.likely")
    return folder


def cost_of(told: dict) -> float:
    return told["figures"]["mean cost"]["value"]


def test_evaluate_and_decide_tell_the_cost_under_the_prior_of_the_model(place):
    asked = ("evaluate", place / "placed.likely", place / "later.csv", "--json")
    weighed, as_they_are = json.loads(run(*asked).stdout), json.loads(run(*asked, "--prior", "observed").stdout)
    assert any("the model takes 95.0 % no, 5.0 % yes; these rows hold" in note for note in weighed["notes"])
    assert cost_of(weighed) < 0.8 * cost_of(as_they_are)
    said = run("decide", place / "placed.likely", place / "later.csv").stderr
    realised = float(re.search(r"realised cost of a row +([\d.]+)", said)[1])
    assert realised == pytest.approx(cost_of(weighed), abs=1e-3)
    assert "the rows counted above are not weighed" in said
    assert "weighed accordingly" in said and "do not hold here" not in said


def test_evaluate_takes_another_prior(place):
    told = run("evaluate", place / "plain.likely", place / "later.csv", "--prior", "no=0.9,yes=0.1", "--text").stdout
    assert "the prior given is 90.0 % no, 10.0 % yes" in told and "360.0" in told
    assert "--prior" in refused("evaluate", place / "plain.likely", place / "later.csv", "--prior", "seen")


def test_rows_of_a_class_that_the_model_does_not_know_are_mistakes(place):
    odd = place / "odd.csv"
    table = pl.read_csv(place / "later.csv")
    table.with_columns(y=pl.when(pl.int_range(pl.len()) < 3).then(pl.lit("maybe")).otherwise("y")).write_csv(odd)
    told = run("evaluate", place / "plain.likely", odd, "--json")
    assert "3 rows are of maybe, which the model does not know" in told.stderr
    assert json.loads(told.stdout)["confusion"]["matrix"][2][2] == 0
    assert "costs say nothing of" in refused("evaluate", place / "placed.likely", odd)


def test_thresholds_have_costs_where_there_are_some(place):
    asked = ("evaluate", place / "plain.likely", place / "later.csv", "--thresholds", "--csv")
    assert "cost" not in run(*asked).stdout.splitlines()[0]
    told = run(*asked, "--costs", place / "costs.csv").stdout.splitlines()
    rows = [dict(zip(told[0].split(","), line.split(","), strict=True)) for line in told[1:]]
    assert min(rows, key=lambda row: float(row["cost"]))["threshold"] in ("0.1", "0.2", "0.3")


def test_a_picture_of_costs_has_their_threshold_and_curve(place, monkeypatch):
    from matplotlib.figure import Figure

    drawn = []
    monkeypatch.setattr(Figure, "savefig", lambda self, *_, **__: drawn.append(self))
    asked = ("evaluate", place / "plain.likely", place / "later.csv", "--plot", place / "p.svg")
    run(*asked, "--text", "--costs", place / "costs.csv")
    words = [text.get_text() for ax in drawn[0].axes if ax.get_legend() for text in ax.get_legend().get_texts()]
    assert any(word.startswith("minimum risk: posterior > 0.167, cost") for word in words)
    assert any("Normalized expected cost" in ax.get_ylabel() for ax in drawn[0].axes)
    judged = json.loads(run(*asked[:3], "--json").stdout)["figures"]["calibration error"]["value"]
    gap = next(word for word in words if "calibration error" in word)
    assert f"(debiased) {judged:.3f}" in gap


def test_help_says_what_each_verb_does_with_parts():
    texts = {verb: " ".join(run(verb, "--help").stdout.split()) for verb in ("evaluate", "compare", "study")}
    assert "never on both sides" not in texts["evaluate"] and "intervals are about other groups" in texts["evaluate"]
    assert all("only later rows are judged" not in text for text in texts.values())
    assert "the last fifth is judged" in texts["study"] and "fifths of the rows by time" in texts["compare"]


def test_evaluate_over_time_says_that_all_rows_are_judged(place):
    told = run("evaluate", place / "plain.likely", place / "later.csv", "--time", "when", "--text")
    assert "all rows are judged, those too from before the model was learned" in told.stderr


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("class,no,yes\nno,0,1\nmaybe,5,0\n", "there is a row 'maybe', which is no class; the classes are no, yes"),
        ("class,no,yes\nno,0,1\n", "there is no row of class 'yes'; the classes are no, yes"),
        ("class,no,maybe\nno,0,1\nyes,5,0\n", "there is a column 'maybe', which is no class"),
    ],
)
def test_costs_are_held_against_the_classes_of_the_model(place, tmp_path, text, said):
    (tmp_path / "bad.csv").write_text(text)
    for verb in ("evaluate", "decide"):
        assert said in refused(verb, place / "plain.likely", place / "later.csv", "--costs", tmp_path / "bad.csv")


def test_update_names_the_recipe_and_suggests_only_what_the_model_did_not_learn(place, tmp_path):
    few = tmp_path / "few.csv"
    table = pl.read_csv(place / "first.csv").head(60)
    table.write_csv(few)
    shared = tmp_path / "shared.likely"
    drop = ("--drop", "when", "--drop", "who")
    run("fit", place / "first.csv", "--target", "y", *drop, "--model", "gaussian-shared", "-q", "-o", shared)
    assert run("update", shared, few).stdout.startswith("Gaussian (shared covariance), a ")
    table.select("a", "y").write_csv(few)
    said = refused("update", shared, few)
    assert "did you mean" not in said and "add it without values" in said


def test_warnings_about_one_class_speak_of_verbs():
    with pytest.warns(UserWarning, match="partial_fit") as told:
        note_one_class(["no"], later=True)
    said = in_words_of_the_command(str(told[0].message))
    assert said.endswith("until likely update or merge brings others")
