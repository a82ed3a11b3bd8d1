"""Fingerprints of rows: of what stands in them alone."""

import numpy as np
import polars as pl
from scipy import sparse

from likely.data.features.fingerprints import fingerprints
from likely.data.inputs import TextInput


def test_they_do_not_depend_on_how_the_table_is_held():
    rng = np.random.default_rng(0)
    x = rng.integers(-2, 3, size=(50, 4)).astype(float)
    names = ["a", "b", "c", "d"]
    frame = pl.DataFrame(x, schema=names)
    marks = fingerprints(x, names)
    assert np.array_equal(fingerprints(sparse.csr_array(x), names), marks)
    assert np.array_equal(fingerprints(frame), marks)
    assert np.array_equal(fingerprints(frame[["c", "a", "d", "b"]].cast(pl.Int32)), marks)
    assert np.array_equal(fingerprints(frame.with_columns(more=pl.lit("x")), names), marks)
    assert np.array_equal(fingerprints(frame.to_pandas().astype(np.float32)), marks)
    assert np.array_equal(fingerprints(np.where(x == 0, -0.0, x), names), marks)


def test_rows_that_differ_in_a_cell_differ_and_gaps_are_equal():
    rng = np.random.default_rng(1)
    x = rng.normal(size=(2_000, 3))
    swapped = x[:, [1, 0, 2]]
    assert len(np.unique(np.concatenate([fingerprints(x), fingerprints(swapped)]))) == 4_000
    gaps = pl.DataFrame({"n": [None, float("nan"), 1.0], "t": [None, None, "1.0"]}, strict=False)
    a, b, c = fingerprints(gaps).tolist()
    assert a == b != c
    assert np.array_equal(fingerprints(gaps.drop("t"), ["n", "t"])[:2], fingerprints(gaps)[:2])


def test_texts_are_known_again_in_a_list_and_in_a_column():
    texts = ["free money", None, "lunch?", "free money", "\ud800 broken"]
    marks = fingerprints(TextInput(texts))
    assert marks[0] == marks[3] and len(set(marks.tolist())) == 4
    assert np.array_equal(fingerprints(pl.DataFrame({"text": texts[:4]})), marks[:4])


def test_the_numbers_stay_the_same_from_version_to_version():
    assert fingerprints(pl.DataFrame({"size": [1.5], "colour": ["red"]})).tolist() == [5523614843716971327]
