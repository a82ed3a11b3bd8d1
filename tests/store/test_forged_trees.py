"""Forged trees: compiled code walks them without looking, so what does not lead to a leaf is refused."""

import numpy as np
import polars as pl
import pytest
from test_damaged_files import forge, parts
from test_forged_files import put, with_array

from likely import BoostedTrees, DecisionForest, load, save
from likely.errors import LikelyError

ORDER = ["roots", "feature", "child", "gaps_left", "mask_at", "threshold", "counts", "gain", "test_bits", "masks"]
TABLE = pl.DataFrame({"town": ["a", "b", "c", "a", "b", None] * 5, "x": np.arange(30.0)})


@pytest.fixture(scope="module")
def kept(tmp_path_factory):
    model = DecisionForest(3, random_state=0).fit(TABLE, np.arange(30) // 7 % 2)
    assert len(model.grove_.masks)
    return save(model, tmp_path_factory.mktemp("t") / "m")


@pytest.mark.parametrize(
    ("array", "value"),
    [
        ("child", 0),  # back to the root
        ("child", 10**6),
        ("feature", 7),
        ("feature", -1),
        ("roots", 1),
        ("roots", -5),
        ("roots", 2**63 - 1),  # counts of so many nodes would not fit, and NumPy would write where nothing is
        ("roots", 2**40),
        ("child", 2**63 - 1),
        ("mask_at", 2**63 - 1),
        ("mask_at", 10**6),
        ("counts", -1.0),
        ("counts", np.nan),
        ("gaps_left", 2),
        ("gain", np.nan),
    ],
)
def test_a_forged_tree_is_refused(kept, tmp_path, array, value):
    manifest, arrays = with_array(*parts(kept), f"nodes.values.{ORDER.index(array)}", put(value))
    with pytest.raises(LikelyError):
        load(forge(tmp_path / "m", manifest, arrays))


def test_what_is_not_forged_answers(kept):
    assert np.isfinite(load(kept).predict_proba(TABLE)).all()


@pytest.fixture(scope="module")
def boosted(tmp_path_factory):
    model = BoostedTrees(max_iter=3, early_stopping=False, random_state=0).fit(TABLE, np.arange(30) // 7 % 2)
    assert model.grove_.n_nodes > 3
    return save(model, tmp_path_factory.mktemp("b") / "m")


@pytest.mark.parametrize(
    ("array", "value"),
    [("boosting.0", np.nan), ("boosting.1", np.inf), ("boosting.2", np.nan), ("nodes.values.2", 0),
     ("nodes.values.6", -1.0)],
)  # fmt: skip
def test_a_forged_round_is_refused(boosted, tmp_path, array, value):
    manifest, arrays = with_array(*parts(boosted), array, put(value))
    with pytest.raises(LikelyError):
        load(forge(tmp_path / "m", manifest, arrays))


def test_boosted_trees_come_back_as_they_were(boosted):
    model = load(boosted)
    assert model.n_iter_ == 3 and len(model.history_.loss) == 4
