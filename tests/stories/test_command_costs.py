"""Costs and intervals from the shell: what was expected, what came, and how far a probability can be trusted."""

import io
import json

import numpy as np
import polars as pl
import pytest
from command_line import birds, refused, run

from likely.decisions import decide
from likely.errors import InputError
from likely.evaluation import decision_costs
from likely.store import load


@pytest.fixture(scope="module")
def copies(tmp_path_factory):
    """The same evidence five times, which naive Bayes takes for five witnesses; and later rows."""
    folder, rng = tmp_path_factory.mktemp("costs"), np.random.default_rng(0)
    for name, n in (("first", 2_000), ("later", 800)):
        y = rng.integers(0, 2, n)
        x = rng.normal(y, 1.5)[:, None] + 0.1 * rng.normal(size=(n, 5))
        table = pl.DataFrame(x, [f"x{i}" for i in range(5)]).with_columns(y=pl.Series(np.where(y, "ill", "well")))
        table.write_csv(folder / f"{name}.csv")
    (folder / "costs.csv").write_text(",ill,well\nill,0,4\nwell,1,0\n")
    fit = ("fit", folder / "first.csv", "--target", "y", "-q", "-o")
    run(*fit, folder / "m.likely")
    run(*fit, folder / "raw.likely", "--no-calibrate")
    return folder


def figures(said: str) -> dict[str, list[float]]:
    lines = [line for line in said.splitlines() if "cost of a row" in line]
    return {line[:8]: [float(x.strip("[],")) for x in line[22:].split()[:3]] for line in lines}


def test_decide_tells_expected_and_realised_costs(copies):
    costs = ("--costs", copies / "costs.csv")
    honest = run("decide", copies / "m.likely", copies / "later.csv", *costs).stderr
    assert honest.count("of a row") == 2 and "do not hold here" not in honest
    expected, realised = (figures(honest)[name] for name in ("expected", "realised"))
    assert realised[1] < expected[0] < realised[2]
    raw = run("decide", copies / "raw.likely", copies / "later.csv", *costs).stderr
    assert "the probabilities, or the shares of the classes, do not hold here" in raw
    assert figures(raw)["expected"][0] < figures(raw)["realised"][1] - 0.1  # what nobody was told
    assert "these rows cost more than expected" in raw
    known = copies / "known.csv"  # rows of which the model is less sure than it should be, as of those that it learned
    table = pl.read_csv(copies / "later.csv")
    table.with_columns(y=pl.Series(load(copies / "m.likely").predict(table.drop("y")))).write_csv(known)
    assert "cost less than expected, by more than chance: the model learned from them" in (
        run("decide", copies / "m.likely", known).stderr
    )
    no_labels = copies / "new.csv"
    pl.read_csv(copies / "later.csv").drop("y").write_csv(no_labels)
    said = run("decide", copies / "m.likely", no_labels, *costs).stderr
    assert "expected cost of a row" in said and "realised" not in said
    some = copies / "some.csv"
    pl.read_csv(copies / "later.csv").with_columns(
        y=pl.when(pl.int_range(pl.len()) < 10)
        .then(None)
        .when(pl.int_range(pl.len()) < 12)
        .then(pl.lit("odd"))
        .otherwise(pl.col("y"))
    ).write_csv(some)
    assert "costs are of 788 rows: the class of 12 is missing" in run("decide", copies / "m.likely", some).stderr
    assert "of a row" not in run("decide", copies / "m.likely", some, "-q").stderr


def test_the_figures_are_the_librarys(copies):
    later = pl.read_csv(copies / "later.csv")
    found = load(copies / "m.likely").predict_log_proba(later.drop("y"))
    decision = decide(found, ["ill", "well"], [[0, 4], [1, 0]], form="log_posterior", reject=0.4)
    told = decision_costs(decision, later["y"], [[0, 4], [1, 0]], reject=0.4)
    said = run("decide", copies / "m.likely", copies / "later.csv", "--costs", copies / "costs.csv", "--reject", "0.4")
    assert str(told).splitlines() == [
        line for line in said.stderr.splitlines() if "expected" in line[:26] or "realised" in line[:10]
    ]
    truth, answers = later["y"].to_numpy(), decision.answers("none")
    paid = np.where(answers == "none", 0.4, np.where(truth == answers, 0.0, np.where(truth == "ill", 4.0, 1.0)))
    assert told.realised.value == pytest.approx(paid.mean())
    assert told.expected.value == pytest.approx(decision.expected_cost.mean())
    assert told.excess.value == pytest.approx(told.realised.value - told.expected.value)
    with pytest.raises(InputError, match="800 decisions, but y has 3"):
        decision_costs(decision, ["ill", "well", "ill"])


def test_intervals_come_with_the_probabilities(copies):
    later = copies / "later.csv"
    table = pl.read_csv(io.StringIO(run("predict", copies / "m.likely", later, "--interval", "--csv").stdout))
    ends = load(copies / "m.likely").predict_interval(pl.read_csv(later).drop("y"))
    assert np.allclose(table.select("low(ill)", "high(ill)").to_numpy(), ends[:, 0])
    record = json.loads(run("predict", copies / "m.likely", later, "--interval", "--json").stdout)[3]
    assert record["intervals"]["well"] == pytest.approx(ends[3, 1].tolist())
    narrower = run("predict", copies / "m.likely", later, "--interval", "--confidence", "0.5").stdout
    narrower = pl.read_csv(io.StringIO(narrower))
    assert (narrower["high(ill)"] - narrower["low(ill)"]).mean() < (table["high(ill)"] - table["low(ill)"]).mean() / 2
    raw = run("predict", copies / "raw.likely", later, "--interval")
    assert "of its parameters alone, if the model were true" in raw.stderr
    sure = (
        pl.read_csv(io.StringIO(raw.stdout)).with_columns(truth=pl.read_csv(later)["y"]).filter(pl.col("P(ill)") > 0.95)
    )
    came_true = (sure["truth"] == "ill").mean()
    held = table.filter(pl.Series(pl.read_csv(io.StringIO(raw.stdout))["P(ill)"] > 0.95))
    assert came_true < sure["low(ill)"].mean()  # what the parameters alone promise does not come true
    chance = 2 * (came_true * (1 - came_true) / len(sure)) ** 0.5  # of the share itself
    assert held["low(ill)"].mean() - chance < came_true < held["high(ill)"].mean() + chance
    assert "between 0 and 1" in refused("predict", copies / "m.likely", later, "--interval", "--confidence", "1.5")


def test_intervals_of_the_majority_are_those_of_the_shares(tmp_path):
    path, model = birds(tmp_path), tmp_path / "m.likely"
    run("fit", path, "--target", "species", "--model", "majority", "-o", model, "-q")
    assert "the same for every row" in run("predict", model, path, "--interval").stderr


def test_fit_says_what_it_learned_and_how_it_is_calibrated(copies, tmp_path):
    def said(*options: str) -> str:
        return run("fit", copies / "first.csv", "--target=y", "-q", "-o", tmp_path / "m.likely", *options).stdout

    of = "of 2,000 rows and 5 columns"
    assert said("--no-calibrate").startswith(f"NaiveBayes {of}")
    assert said("--calibrate=beta").startswith(f"NaiveBayes, calibrated on rows left out (beta), {of}")
    assert said("--calibrate=beta", "--prior=uniform").startswith(
        f"NaiveBayes, calibrated on rows left out (beta), in a Decider, {of}"
    )
    by_default = said()
    assert f"calibrated on rows left out ({load(tmp_path / 'm.likely').method_})" in by_default
