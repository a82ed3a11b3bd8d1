"""Clusters and components from the shell."""

import io
import json

import numpy as np
import polars as pl
import pytest
from command_line import birds, refused, run

from likely import PCA, KMeans
from likely.models.clustering import adjusted_rand
from likely.store import load, save


@pytest.fixture(scope="module")
def place(tmp_path_factory):
    folder = tmp_path_factory.mktemp("groups")
    birds(folder)
    table = pl.read_csv(folder / "birds.csv").drop_nulls()
    table.select("bill_length_mm", "bill_depth_mm", "flipper_length_mm", "species").write_csv(folder / "few.csv")
    return folder


def test_rows_come_back_with_their_clusters(place):
    out = place / "out.csv"
    done = run("cluster", place / "few.csv", "-k", 3, "--drop", "species", "-o", out, "--model", place / "g.likely")
    assert "mean squared error" in done.stderr and "starts  10, of errors from" in done.stderr
    assert "clusters  0 (" in done.stderr
    found, table = pl.read_csv(out), pl.read_csv(place / "few.csv")
    assert found.columns == [*table.columns, "cluster", "distance"]
    model = KMeans(3, standardize=True, random_state=0).fit(table.drop("species"))
    assert np.array_equal(found["cluster"], model.labels_)
    assert adjusted_rand(found["cluster"], table["species"]) > 0.6
    again = run("cluster", place / "few.csv", "--with", place / "g.likely", "-q").stdout
    assert pl.read_csv(io.StringIO(again))["cluster"].to_list() == found["cluster"].to_list()
    assert isinstance(load(place / "g.likely"), KMeans)
    assert "KMeans" in run("inspect", place / "g.likely").stdout


def test_a_hierarchy_and_raw_numbers(place):
    told = json.loads(
        run("cluster", place / "few.csv", "-k", 2, "--method", "average", "--raw", "--drop=species", "--json").stdout
    )
    assert len(told["clusters"]) == 2 and told["error"] is None and len(told["rows"]) > 300
    run("cluster", place / "few.csv", "-k", 2, "--method", "divisive", "-q")
    pl.DataFrame({"id": [f"r{i}" for i in range(20)], "x": range(20)}).write_csv(place / "ids.csv")
    assert "id: every cell is another name" in run("cluster", place / "ids.csv", "-k", 2).stderr


def test_the_number_is_chosen_and_none_is_said(place):
    rng = np.random.default_rng(0)
    rows = rng.normal(size=(60, 2))
    pl.DataFrame(rows, schema=["a", "b"]).write_csv(place / "cloud.csv")
    said = run("cluster", place / "cloud.csv", "--choose", 3, code=1).stderr
    assert "no clusters: one cloud would show as much" in said
    pl.DataFrame(rows + 9.0 * (np.arange(60) % 2)[:, None], schema=["a", "b"]).write_csv(place / "two.csv")
    two = run("cluster", place / "two.csv", "--choose", 3)
    assert "chosen by bic 2" in two.stderr
    assert pl.read_csv(io.StringIO(two.stdout))["cluster"].n_unique() == 2


def test_components_of_a_table(place):
    done = run("components", place / "few.csv", "-n", 2, "--keep-column", "species", "--figure", place / "p.png",
               "--model", place / "c.likely")  # fmt: skip
    assert "component 1:" in done.stderr and "so far" in done.stderr and "flipper_length_mm +" in done.stderr
    scores = pl.read_csv(io.StringIO(done.stdout))
    assert scores.columns == ["species", "component_1", "component_2"]
    assert (place / "p.png").stat().st_size > 1000
    assert np.allclose(
        load(place / "c.likely").transform(pl.read_csv(place / "few.csv").drop("species"))[:, 0], scores["component_1"]
    )
    told = json.loads(run("components", place / "few.csv", "--share", 0.9, "--drop", "species", "--json").stdout)
    assert told["shares"][-1]["value"] >= 0.9 and "bill_depth_mm" in told["loadings"]


def test_mistakes_are_named(place):
    pl.DataFrame({"height": [1.0, 2.0]}).write_csv(place / "heights.csv")
    assert "say one of -k" in refused("cluster", place / "few.csv")
    assert "say one of -k" in refused("cluster", place / "few.csv", "-k", 2, "--choose", 3)
    assert "there is no feature 'specie'" in refused("cluster", place / "few.csv", "-k", 2, "--drop", "specie")
    assert "--drop leaves none" in refused("cluster", place / "heights.csv", "-k", 2, "--drop", "height")
    assert "n_samples=" in refused("cluster", place / "few.csv", "-k", 100000)
    assert "not both" in refused("components", place / "few.csv", "-n", 1, "--share", 0.5)
    run("cluster", place / "few.csv", "-k", 2, "-o", place / "once.csv", "-q")
    assert "have a column 'cluster' already" in refused("cluster", place / "once.csv", "-k", 2)
    save(PCA(1).fit([[1.0], [2.0]]), place / "pca.likely")
    assert "has no clusters" in refused("cluster", place / "few.csv", "--with", place / "pca.likely")
    save(KMeans(2).fit(pl.DataFrame({"height": [1.0, 2.0]})), place / "other.likely")
    assert "none of the columns of" in refused("cluster", place / "few.csv", "--with", place / "other.likely")
    assert "--starts is of K-means" in refused("cluster", place / "few.csv", "-k", 2, "--method", "ward", "--starts", 2)
    raw = run("cluster", place / "heights.csv", "--with", place / "other.likely", "--raw")
    assert "the settings are those of the model" in raw.stderr


def test_a_mixture_gives_shares(place):
    out, model = place / "mixed.csv", place / "mixture.likely"
    done = run("cluster", place / "few.csv", "--choose", 4, "--method", "mixture", "--starts", 2, "--drop", "species",
               "-o", out, "--model", model)  # fmt: skip
    assert "best by BIC: 3 components" in done.stderr and "log-likelihood" in done.stderr
    found = pl.read_csv(out)
    shares = found.select(f"share_{j}" for j in range(3)).to_numpy()
    assert np.allclose(shares.sum(axis=1), 1) and np.array_equal(shares.argmax(axis=1), found["cluster"])
    assert adjusted_rand(found["cluster"], found["species"]) > 0.8
    again = run("cluster", place / "few.csv", "--with", model, "-q").stdout
    assert pl.read_csv(io.StringIO(again))["cluster"].to_list() == found["cluster"].to_list()
    named = ("--method", "mixture", "-k", 2, "--starts", 1, "--kind", "flipper_length_mm=nominal", "-q", "--json")
    assert len(json.loads(run("cluster", place / "few.csv", *named).stdout)["clusters"]) == 2
    for option in ("--raw", "--init=extremes"):
        assert "is of K-means" in refused("cluster", place / "few.csv", "-k", 2, "--method", "mixture", option)
    assert "already: rename it" in refused("cluster", out, "-k", 2, "--method", "mixture")
