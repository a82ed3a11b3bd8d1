"""What is told of the rows of a pandas or Arrow table is a table of that library, with the labels of its rows."""

import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest

from likely import (
    Calibrated,
    DecisionTree,
    LogisticRegression,
    NaiveBayes,
    NearestNeighbors,
    Perceptron,
    Pool,
    TextBayes,
)
from likely.evaluation import audit

Y = np.array(["a", "b"] * 10)
TABLE = pd.DataFrame({"u": np.arange(20.0) + 9 * (Y == "b"), "v": ["x", "y", "y", "x"] * 5}, index=range(100, 120))
MODELS = [
    NaiveBayes(),
    Calibrated(NaiveBayes(), cv=2),
    Pool([NaiveBayes(), LogisticRegression()], cv=2),
    LogisticRegression(),
    DecisionTree(),
    NearestNeighbors(),
    Perceptron(random_state=0),
]


@pytest.mark.parametrize("model", MODELS, ids=lambda model: type(model).__name__)
def test_evidence_of_pandas_is_pandas(model):
    found = model.fit(TABLE, Y).evidence(TABLE[3:6])
    told = found.frame()
    assert isinstance(told, pd.DataFrame) and list(told.index) == [103, 104, 105]
    assert list(told["(class)"]) == list(found.classes)
    assert np.array_equal(told["(log2 odds)"], found.log2_odds)
    assert list(found.of_row(1).frame().index) == [104]


def test_evidence_of_other_tables():
    model = NaiveBayes().fit(TABLE, Y)
    arrow = model.evidence(pa.Table.from_pandas(TABLE, preserve_index=False)).frame()
    assert isinstance(arrow, pa.Table) and arrow.num_rows == 20 and arrow.column_names[-1] == "(log2 odds)"
    polars = model.evidence(pl.from_pandas(TABLE)).frame()
    assert isinstance(polars, pl.DataFrame) and polars.rows() == pl.from_arrow(arrow).rows()


def test_words_of_a_series_are_pandas():
    texts = pd.Series(["free money now", "lunch at noon"], index=["p", "q"])
    told = TextBayes().fit(texts, ["spam", "ham"]).evidence(texts).frame()
    assert isinstance(told, pd.DataFrame) and list(told.index) == ["p"] * 3 + ["q"] * 3


def test_audit_of_pandas_is_pandas_and_names_the_rows():
    wrong = Y.copy()
    wrong[4] = "b"
    found = audit(NaiveBayes(), TABLE, wrong)
    told = found.frame()
    assert isinstance(told, pd.DataFrame) and sorted(told.index) == list(TABLE.index)
    assert np.array_equal(told.index, told["row"] + 100)
    assert list(found.suspicious(3).index) == list(told.index[:3])
    assert "audit of 20 rows" in str(found) and "<table" in found._repr_html_()
    assert isinstance(audit(NaiveBayes(), pl.from_pandas(TABLE), wrong).frame(), pl.DataFrame)
