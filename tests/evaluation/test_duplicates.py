"""Duplicate rows, against comparing every pair."""

import numpy as np
import pandas as pd
import polars as pl
from hypothesis import given
from hypothesis import strategies as st
from scipy import sparse

from likely.evaluation.audit.duplicates import duplicate_rows

CELLS = st.sampled_from([0.0, -0.0, 1.0, np.nan])
TABLES = st.integers(1, 3).flatmap(lambda d: st.lists(st.lists(CELLS, min_size=d, max_size=d), min_size=1, max_size=12))


def first_alike(rows):
    keys = [tuple(None if v != v else v for v in row) for row in rows]
    return [keys.index(key) for key in keys]


@given(TABLES, st.data())
def test_duplicates_are_those_of_comparing_all_pairs(rows, data):
    x = np.array(rows)
    expected = first_alike(rows)
    codes = np.array(data.draw(st.lists(st.integers(0, 1), min_size=len(x), max_size=len(x))))
    for table in (x, pd.DataFrame(x), pl.DataFrame(x, orient="row")):
        found = duplicate_rows(table)
        assert found.first.tolist() == expected
    alike = np.array(expected)[:, None] == np.array(expected)
    assert found.contradictory(codes).tolist() == (alike & (codes[:, None] != codes)).any(axis=1).tolist()
    others = alike & ~np.eye(len(x), dtype=bool)
    assert found.other.tolist() == [int(np.flatnonzero(o)[0]) if o.any() else -1 for o in others]
    assert found.extra == len(x) - len(set(expected))
    groups = {tuple(g.tolist()) for g in found.groups()}
    assert groups == {tuple(np.flatnonzero(row).tolist()) for row in alike if row.sum() > 1}


@given(st.lists(st.lists(st.sampled_from([0.0, 0.0, 1.0, 2.0]), min_size=3, max_size=3), min_size=1, max_size=10))
def test_sparse_rows_are_alike_where_dense_ones_are(rows):
    assert duplicate_rows(sparse.csr_matrix(np.array(rows))).first.tolist() == first_alike(rows)


def test_texts():
    assert duplicate_rows(["spam", "ham", "spam"]).first.tolist() == [0, 1, 0]
    assert duplicate_rows(pd.Series(["spam", "ham", "spam"])).first.tolist() == [0, 1, 0]
