"""Files that earlier versions wrote are still read, and their models answer as they did."""

import json
from pathlib import Path

import numpy as np
import pytest
from make_model_files import PLAY, TABLE

from likely.store import inspect, load

HERE = Path(__file__).parent
FILES = sorted(HERE.glob("*.likely"))


def test_there_are_golden_files():
    assert {int(path.stem.rpartition("_")[2]) for path in FILES} >= {1}


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.stem)
def test_a_golden_file_answers_as_it_did(path):
    name, _, version = path.stem.rpartition("_")
    expected = json.loads((HERE / f"answers_{version}.json").read_text())[name]
    model = load(path)
    found = model.predict_proba(TABLE.select(model.feature_names_in_.tolist()))
    # another machine's logarithms may differ in the last bits
    assert np.allclose(found, [[float.fromhex(value) for value in row] for row in expected], rtol=1e-12, atol=0)
    assert inspect(path).classes == ("no", "yes")


def test_a_golden_model_goes_on_learning():
    model = load(HERE / "naive_bayes_1.likely")
    assert (model + model).class_count_.tolist() == [8, 8]
    assert model.forget(TABLE[:2], PLAY[:2]).class_count_.tolist() == [2, 4]


def test_counts_of_words_in_tables_of_all_classes_are_still_read():
    seen = load(HERE / "words_1.likely").statistic_.given.parts[0]
    assert seen.table("count").tolist() == [[0, 1, 2], [2, 1, 1]] and seen.words.tolist() == [
        "overcast",
        "rainy",
        "sunny",
    ]
    assert len(seen.places) == 5 and (seen + seen).table("documents").tolist() == [[0, 2, 4], [4, 2, 2]]
