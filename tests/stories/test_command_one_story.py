"""`likely explain` explains what `likely predict` says: its class, and the odds of its probability."""

import io
import json

import numpy as np
import polars as pl
import pytest
from command_line import birds, run

import likely


def table_of(*arguments):
    return pl.read_csv(io.StringIO(run(*arguments, "--csv").stdout))


def hold_the_story(model, data, *options):
    """The class and the probability of predict are those that explain adds up to, in CSV, JSON and text."""
    said = table_of("predict", model, data, *options)
    told = json.loads(run("explain", model, data, "--json", *options).stdout)
    assert [each["class"] for each in told] == said["class"].to_list()
    p = np.array([row[f"P({row['class']})"] for row in said.to_dicts()])
    odds = np.array([each["prior"] + sum(each["bits"].values()) for each in told])
    assert np.allclose(odds, np.log2(p) - np.log2(1 - p), atol=1e-6, rtol=1e-6)
    lines = table_of("explain", model, data, *options)
    if "word" in lines.columns:
        words = lines.group_by("row", maintain_order=True).agg(pl.col("bits").sum())["bits"]
        assert np.allclose(words, odds)
    else:
        assert lines["(class)"].to_list() == said["class"].to_list() and np.allclose(lines["(log2 odds)"], odds)
    shown = run("explain", model, data, "--row", 3, "--text", *options).stdout
    assert shown.startswith(f"row 3: {said['class'][3]} against ") and f": {odds[3]:.2f} bits" in shown
    return told


@pytest.mark.parametrize("method", ["logistic", "temperature", "isotonic", "beta"])
def test_a_calibrated_model_that_decides_by_costs(tmp_path, method):
    data, model, costs = birds(tmp_path), tmp_path / "m.likely", tmp_path / "costs.csv"
    pl.read_csv(data)["species", "island", "bill_depth_mm", "body_mass_g"].write_csv(
        data
    )  # not so much that every answer is certain
    costs.write_text(",Adelie,Chinstrap,Gentoo\nAdelie,0,1,1\nChinstrap,20,0,1\nGentoo,1,1,0\n")
    run("fit", data, "--target=species", "--calibrate", method, "-o", model, "-q")
    told = hold_the_story(model, data)
    rough = np.mean([bool(each["approximate"]) for each in told])
    assert rough > 0 if method in ("isotonic", "beta") else rough < 1  # odds beyond any that were borne out
    hold_the_story(model, data, "--prior", "Adelie=0.2,Chinstrap=0.2,Gentoo=0.6")
    run("fit", data, "--target=species", "--calibrate", method, "--costs", costs, "--prior=uniform", "-o", model, "-q")
    hold_the_story(model, data)


@pytest.mark.parametrize("method", ["logistic", "isotonic"])
def test_texts(tmp_path, method):
    rng = np.random.default_rng(0)
    words = {"ham": ["lunch", "noon", "notes", "free"], "spam": ["free", "money", "win", "noon"]}
    kinds = ["ham", "spam"] * 60
    texts = [" ".join(rng.choice(words[kind], 30)) + " the end of it" for kind in kinds]
    size = rng.normal(size=120)
    for name, columns in (("alone", {}), ("beside", {"size": size})):
        data, model = tmp_path / f"{name}.parquet", tmp_path / f"{name}.likely"
        pl.DataFrame({"body": texts, **columns, "kind": kinds}).write_parquet(data)
        run("fit", data, "--target=kind", "--kind=body=text", "--calibrate", method, "-o", model, "-q")
        hold_the_story(model, data)


def test_a_pool_that_decides_by_costs(tmp_path):
    data, model = birds(tmp_path), tmp_path / "m.likely"
    table = pl.read_csv(data)["species", "island", "bill_depth_mm", "body_mass_g"].drop_nulls()
    table.write_csv(data)
    costs = [[0, 1, 1], [20, 0, 1], [1, 1, 0]]
    pool = likely.Pool([likely.NaiveBayes(), likely.DependenceBayes()])
    likely.save(likely.Decider(pool, costs, prior=[0.2, 0.2, 0.6]).fit(table, "species"), model)
    hold_the_story(model, data)
    assert (
        run("predict", model, data, "--interval").stderr == ""
    )  # it has a record of rows left out, as calibration has


def test_the_majority_and_its_thresholds_answer_for_themselves(tmp_path):
    rng = np.random.default_rng(0)
    data, model = tmp_path / "noise.csv", tmp_path / "majority.likely"
    table = pl.DataFrame(
        {"x": rng.normal(size=60), "state": ["ill", "well", "well"] * 20, "patient": list(range(20)) * 3}
    )
    table.write_csv(data)
    likely.save(likely.decisions.MajorityClassifier().fit(table.drop("state"), table["state"]), model)
    said = table_of("predict", model, data, "--interval")
    assert said.height == 60 and said["low(well)"].n_unique() == 1
    shown = run("evaluate", model, data, "--target=state", "--groups=patient", "--thresholds", "--text").stdout
    assert "intervals of this table take rows one by one, those above count groups" in shown
    alone = run("evaluate", model, data, "--target=state", "--thresholds", "--text").stdout
    assert "one by one" not in alone
