"""Recommendation from the shell: lists, reasons, somebody new, files, mistakes."""

import io
import json

import numpy as np
import polars as pl
import pytest
from command_line import refused, run

from likely import Recommender
from likely.evaluation import evaluate_recommender, split_ratings
from likely.store import load

CRITICS = {
    "Puig": {"Australia": 5, "Body": 6, "Burn": 8, "Hancock": 5, "Milk": 9, "Road": 8},
    "Turan": {"Australia": 7, "Body": 7, "Burn": 8, "Hancock": 4, "Milk": 7, "Road": 8},
    "Denby": {"Australia": 3, "Body": 7, "Burn": 4, "Hancock": 9, "Milk": 9, "Road": 7},
}
ME = ["--rated", "Body=6", "--rated", "Burn=9", "--rated", "Road=6"]


@pytest.fixture(scope="module")
def place(tmp_path_factory):
    folder = tmp_path_factory.mktemp("ratings")
    rows = [(user, item, rating) for user, given in CRITICS.items() for item, rating in given.items()]
    pl.DataFrame(rows, schema=["who", "film", "stars"], orient="row").write_csv(folder / "critics.csv")
    rng = np.random.default_rng(0)
    many = [(u, i, int(rng.integers(1, 6))) for u in range(30) for i in range(12) if rng.random() < 0.7]
    pl.DataFrame(many, schema=["user", "item", "rating"], orient="row").write_csv(folder / "many.csv")
    plain = ("--similarity", "euclidean", "--normalize", "none", "-k", 0, "--shrinkage", 0)
    run("recommend", folder / "critics.csv", *plain, "--model", folder / "c.likely", "-o", folder / "lists.csv")
    return folder


def table(*arguments):
    return pl.read_csv(io.StringIO(run("recommend", *arguments, "-q").stdout))


def test_somebody_new_has_a_list_with_reasons_from_the_file(place):
    found = table(place / "c.likely", *ME, "-n", 1)
    assert found["item"].to_list() == ["Milk"] and round(found["score"][0], 2) == 8.24 and found["support"][0] == 3
    assert found["low"][0] <= found["score"][0] <= found["high"][0]
    reasons = table(place / "c.likely", *ME, "--because", "Milk")
    assert reasons["user"].to_list() == ["Puig", "Turan", "Denby"] and abs(reasons["share"].sum() - 1) < 1e-9
    assert table(place / "c.likely", *ME, "--alike")["user"][0] == "Puig"
    assert table(place / "c.likely", "--like", "Milk")["item"].to_list()[:1] == ["Road"]
    assert pl.read_csv(place / "lists.csv").height == 0  # everybody has rated everything


def test_lists_and_pairs_are_those_of_python(place):
    model = Recommender("item").fit(pl.read_csv(place / "many.csv"))
    lists = table(place / "many.csv", "--by", "item", "-n", 2)
    assert lists.equals(model.recommend_all(2))
    pl.read_csv(place / "many.csv").select(a="user", b="item").head(5).write_csv(place / "pairs.csv")
    found = table(place / "many.csv", "--by", "item", "--pairs", place / "pairs.csv", "--confidence", 0.8)
    assert found.columns == ["a", "b", "expected", "low", "high"]
    expected = model.predict_interval(pl.read_csv(place / "pairs.csv"), 0.8)
    assert np.allclose(found["low"], [each.low for each in expected])
    assert table(place / "many.csv", "--user", 3, "-n", 2)["item"].to_list() == [
        each.item for each in Recommender().fit(pl.read_csv(place / "many.csv")).recommend(3, 2)
    ]


def test_learning_and_forgetting_change_the_file_exactly(place):
    frame = pl.read_csv(place / "many.csv")
    for name, part in (("first", frame[:100]), ("more", frame[100:]), ("gone", frame[:20])):
        part.write_csv(place / f"{name}.csv")
    run("recommend", place / "first.csv", "--learn", place / "more.csv", "--forget", place / "gone.csv", "--model",
        place / "m.likely", "-q")  # fmt: skip
    assert load(place / "m.likely").ratings_ == Recommender().fit(frame[20:]).ratings_
    assert "Recommender" in run("inspect", place / "m.likely").stdout


def test_it_is_judged_on_held_out_ratings(place):
    told = json.loads(run("recommend", place / "many.csv", "--evaluate", "-n", 3, "--json").stdout)
    learned, held = split_ratings(pl.read_csv(place / "many.csv"), 0.2, 0)
    report = evaluate_recommender(Recommender().fit(learned), held, 3)
    assert told["rmse"]["value"] == pytest.approx(report.rmse.value) and told["ndcg"]["low"] < told["ndcg"]["high"]


def test_mistakes_are_said_in_words(place):
    critics, kept = place / "critics.csv", place / "c.likely"
    assert "did you mean 'Puig'" in refused("recommend", critics, "--user", "Puigg")
    assert "say ITEM=RATING" in refused("recommend", kept, "--rated", "Milk")
    assert "no rating is of the item 'Jaws'" in refused("recommend", kept, "--rated", "Jaws=3")
    assert "say of whom" in refused("recommend", kept, "--because", "Milk")
    assert "different questions" in refused("recommend", kept, "--evaluate", "--like", "Milk")
    assert "not both" in refused("recommend", kept, "--user", "Puig", "--rated", "Milk=2")
    assert "there is no column 'star'" in refused("recommend", critics, "--columns", "who,film,star")
    assert "was never learned" in refused("recommend", kept, "--forget", place / "many.csv")
    assert "twice" in refused("recommend", kept, "--learn", critics)
    assert "must be numbers" in refused("recommend", critics, "--columns", "who,stars,film")
    assert "settings are those of the model" in run("recommend", kept, "--by", "item", *ME).stderr


def test_few_held_out_ratings_have_errors_and_no_lists(tmp_path):
    rows = [f"u{k},i{j},{1 + j * k % 5}" for k in range(8) for j in range(6)]
    (tmp_path / "few.csv").write_text("\n".join(["user,item,rating", *rows]))
    told = run("recommend", tmp_path / "few.csv", "--evaluate", "--text").stdout
    assert "RMSE" in told and "undefined" in told and "nobody has two held-out" in told
    done = run("recommend", tmp_path / "few.csv", "--evaluate", "--csv")
    assert "ndcg,,," in done.stdout and "rmse,1" in done.stdout
    assert "note: precision and NDCG: nobody has two held-out ratings" in done.stderr
    (tmp_path / "fewer.csv").write_text("\n".join(["user,item,rating", *(r for r in rows if r[-3] in "0123")]))
    assert "no user has five" in refused("recommend", tmp_path / "fewer.csv", "--evaluate")
