"""Files of models without labels that earlier versions wrote are still read, and answer as they did."""

import json
from pathlib import Path

import numpy as np
import pytest
from make_unlabelled_files import TABLE, answers

from likely.store import inspect, load

HERE = Path(__file__).parent
FILES = sorted(HERE.glob("*.likely"))


def test_there_are_golden_files():
    known = {"kmeans", "hierarchy", "pca", "mixture", "recommender"}
    assert {path.stem.rpartition("_")[0] for path in FILES} == known


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.stem)
def test_a_golden_file_answers_as_it_did(path):
    name, _, version = path.stem.rpartition("_")
    expected = json.loads((HERE / f"answers_{version}.json").read_text())[name]
    model = load(path)
    said, known = ([[float.fromhex(value) for value in row] for row in rows] for rows in (answers(model), expected))
    assert np.allclose(said, known, rtol=1e-10, atol=1e-12)  # another machine may round otherwise
    assert list(inspect(path).kinds) == ([] if name == "recommender" else TABLE.columns)


def test_a_golden_recommender_goes_on_learning():
    model = load(HERE / "recommender_1.likely").forget({"Dan": {"Alien": 5}})
    assert "Dan" not in model.users_ and len(model.ratings_) == 9
