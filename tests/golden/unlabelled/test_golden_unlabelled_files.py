"""Files of clusters and components that earlier versions wrote are still read, and answer as they did."""

import json
from pathlib import Path

import numpy as np
import pytest
from make_unlabelled_files import TABLE, answers

from likely.store import inspect, load

HERE = Path(__file__).parent
FILES = sorted(HERE.glob("*.likely"))


def test_there_are_golden_files():
    assert {path.stem.rpartition("_")[0] for path in FILES} == {"kmeans", "hierarchy", "pca"}


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.stem)
def test_a_golden_file_answers_as_it_did(path):
    name, _, version = path.stem.rpartition("_")
    expected = json.loads((HERE / f"answers_{version}.json").read_text())[name]
    model = load(path)
    said, known = ([[float.fromhex(value) for value in row] for row in rows] for rows in (answers(model), expected))
    assert np.allclose(said, known, rtol=1e-10, atol=1e-12)  # another machine may round otherwise
    assert list(inspect(path).kinds) == TABLE.columns
