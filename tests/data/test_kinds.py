"""Decimal numbers that are 0 and 1 alone are levels, however they were encoded."""

import numpy as np
import pandas as pd
import polars as pl
import pytest
from scipy import sparse
from sklearn.preprocessing import OneHotEncoder

from likely import NaiveBayes, cross_validate, scan
from likely.data.bundled import penguins
from likely.data.columns.kinds import guess_kind, guess_kinds


@pytest.mark.parametrize(
    "values, kind",
    [
        ([0.0, 1.0, 1.0], "binary"),
        ([0.0, np.nan, 1.0, 1.0], "binary"),
        ([0.0, 0.0, 0.0], "numeric"),  # nothing says that it is a level
        ([0.0, 1.0, 0.5], "numeric"),
        ([0.0, 1.0, np.inf], "numeric"),
        ([0.0, 1.0, -1.0], "numeric"),
        ([0.0, 1.0], "numeric"),  # two rows say nothing
    ],
)
def test_zeros_and_ones_are_binary(values, kind):
    assert guess_kind(pl.Series("x", values)) == kind
    for type_ in (np.float64, np.float32):
        assert guess_kinds(np.array(values, dtype=type_)[:, None]) == [kind]


def test_a_late_exception_is_seen():
    column = np.r_[np.tile([0.0, 1.0], 20_000), 0.25]
    assert guess_kinds(column[:, None]) == ["numeric"]


def test_one_hot_encoded_levels_judge_as_the_levels_do():
    table = penguins().to_pandas()
    y = table.pop("species")
    islands = OneHotEncoder(sparse_output=False).set_output(transform="pandas").fit_transform(table[["island", "sex"]])
    encoded = pd.concat([islands, table.select_dtypes("number")], axis=1)
    asis = cross_validate(NaiveBayes(), table, y, cv=10).estimate("accuracy").value
    found = cross_validate(NaiveBayes(), encoded, y, cv=10).estimate("accuracy").value
    as_numbers = cross_validate(NaiveBayes("numeric"), encoded, y, cv=10).estimate("accuracy").value
    assert abs(found - asis) < 0.01 < found - as_numbers


def test_a_sparse_matrix_of_one_hot_encoded_levels_is_learned_as_the_dense_one():
    table = penguins().to_pandas()
    y = table.pop("species")
    codes = OneHotEncoder().fit_transform(table[["island", "sex"]])
    numbers = table[["bill_length_mm", "body_mass_g"]].fillna(0).to_numpy()
    for matrix in (codes, sparse.hstack([numbers, codes], format="csc"), sparse.csr_array(codes)[:, [0, 1, 1]]):
        here, there = NaiveBayes().fit(matrix, y), NaiveBayes().fit(matrix.toarray(), y)
        assert here.kinds_ == there.kinds_ and list(here.kinds_.values()).count("binary") >= 3
        assert np.allclose(here.predict_log_proba(matrix), there.predict_log_proba(matrix.toarray()), rtol=1e-9)
    rare = codes.tocsr()[100:200, [0, 1, 1]]  # a level twice is no news, and constant columns are no numbers here
    assert set(NaiveBayes().fit(rare, y[100:200]).kinds_.values()) == {"binary"}
    assert set(NaiveBayes().fit(codes * 2.5, y).kinds_.values()) == {"numeric"}


def test_cells_of_a_sparse_matrix_that_are_stored_in_parts_are_their_sum():
    twice = sparse.csr_array(([0.75, 0.75, 1, 1, 1], [0, 0, 1, 1, 0], [0, 2, 3, 4, 5]), shape=(4, 2))
    y = [0, 1, 0, 1]
    kept = twice.nnz
    assert np.allclose(
        NaiveBayes().fit(twice, y).predict_proba(twice),
        NaiveBayes("numeric").fit(twice, y).predict_proba(twice.toarray()),
    )
    assert NaiveBayes().fit(twice, y).kinds_ == {"x0": "numeric", "x1": "binary"} and twice.nnz == kept


@pytest.mark.parametrize("suffix", ["parquet", "csv"])
def test_kinds_of_a_file_fit_rows_that_come_late_as_those_of_the_table_do(suffix, tmp_path):
    n = 12_000
    whole = np.tile([0.0, 1.0, 0.0, 3.0, 0.0, 7.0], n // 6)
    table = pl.DataFrame(
        {
            "flag": np.r_[np.tile([0.0, 1.0], n // 2)[:-1], 0.25],  # a fraction within the range of the others
            "events": [None, *whole[1:-1].tolist(), 0.5],  # decimal numbers that gaps have made of whole ones
            "code": np.r_[np.tile([0, 1], n // 2)[:-1], 2],
            "switch": np.tile([0.0, 1.0, 1.0], n // 3),
            "y": np.tile(["a", "b", "b", "a"], n // 4),
        }
    )
    path = tmp_path / f"table.{suffix}"
    getattr(table, f"write_{suffix}")(path)
    model, there = NaiveBayes().fit(scan(path, batch_rows=5_000), "y"), NaiveBayes().fit(table, "y")
    assert (
        model.kinds_ == there.kinds_ == {"flag": "numeric", "events": "numeric", "code": "numeric", "switch": "binary"}
    )
    asked = table.tail(9).drop("y")
    assert np.allclose(model.predict_log_proba(asked), there.predict_log_proba(asked), rtol=1e-9)
