"""Tables of other makers are read by the names of their columns: streams, relations, partitions, rows as mappings."""

import enum
from pathlib import Path

import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest
from sklearn.base import clone

from likely import (
    DecisionTree,
    DependenceBayes,
    GaussianBayes,
    InstanceLearner,
    LogisticRegression,
    NaiveBayes,
    NearestExemplar,
    NearestNeighbors,
    Pool,
    TextBayes,
    cross_validate,
    evaluate,
)
from likely.data import read_table
from likely.errors import InputError, InputTypeError

rng = np.random.default_rng(0)
Y = np.array(["a", "b"])[rng.integers(0, 2, 60)]
FRAME = pd.DataFrame(
    {"z": rng.normal(size=60), "a": rng.normal(size=60) + 3 * (Y == "a"), "c": rng.choice(["u", "v"], 60)}
)
OTHER = FRAME[["c", "a", "z"]]  # the same columns in another order


class Capsule:
    """An Arrow stream of somebody else's."""

    def __init__(self, table):
        self.table = table

    def __arrow_c_stream__(self, requested=None):
        return self.table.__arrow_c_stream__(requested)


OPEN = []


def dask_frame():
    dd = pytest.importorskip("dask.dataframe", reason="Dask is not installed (extra `tools`)")
    return dd.from_pandas(OTHER, npartitions=3)


def relation():
    duckdb = pytest.importorskip("duckdb", reason="DuckDB is not installed (extra `duckdb`)")
    OPEN.append(duckdb.connect())  # a relation does not keep its connection
    return OPEN[-1].from_df(OTHER)


TABLES = {
    "capsule": lambda: Capsule(pa.Table.from_pandas(OTHER)),
    "reader": lambda: pa.Table.from_pandas(OTHER).to_reader(),
    "batch": lambda: pa.Table.from_pandas(OTHER).to_batches()[0],
    "mappings": lambda: OTHER.to_dict("records"),
    "structured": lambda: np.array(
        list(OTHER.itertuples(index=False)), dtype=[("c", "U1"), ("a", float), ("z", float)]
    ),
    "records": lambda: OTHER.astype({"c": "U1"}).to_records(index=False),
    "lazy": lambda: pl.from_pandas(OTHER).lazy(),
    "dask": dask_frame,
    "relation": relation,
}


OTHERS = [DependenceBayes(), LogisticRegression(), DecisionTree(), NearestNeighbors(), NearestExemplar(),
          InstanceLearner(), Pool([NaiveBayes(), DecisionTree()])]  # fmt: skip


@pytest.mark.parametrize("make", TABLES.values(), ids=TABLES)
@pytest.mark.filterwarnings("ignore:.*np.find_common_type:DeprecationWarning")
def test_columns_are_taken_by_name(make):
    known = NaiveBayes().fit(FRAME, Y)
    assert np.array_equal(known.predict_proba(make()), known.predict_proba(FRAME))
    learned = NaiveBayes().fit(make(), Y)
    assert learned.feature_names_in_.tolist() == ["c", "a", "z"]
    assert np.allclose(learned.predict_proba(FRAME), known.predict_proba(FRAME))
    assert read_table(make()).columns == ["c", "a", "z"]
    ours, theirs = (cross_validate(NaiveBayes(), table, Y, cv=3).estimate() for table in (make(), OTHER))
    assert ours.value == theirs.value
    assert evaluate(known, make(), Y).figures == evaluate(known, FRAME, Y).figures


@pytest.mark.parametrize("form", ["reader", "mappings", "lazy", "dask", "relation"])
@pytest.mark.parametrize("model", OTHERS, ids=repr)
def test_every_estimator_takes_columns_by_name(model, form):
    known = clone(model).fit(FRAME, Y)
    assert np.allclose(known.predict_proba(TABLES[form]()), known.predict_proba(FRAME))
    assert clone(model).fit(TABLES[form](), Y).feature_names_in_.tolist() == ["c", "a", "z"]


def test_partitions_are_batches():
    dd = pytest.importorskip("dask.dataframe", reason="Dask is not installed (extra `tools`)")
    parts = dd.from_pandas(FRAME.assign(y=Y), npartitions=4)
    for model in (NaiveBayes(), LogisticRegression()):
        whole = type(model)().fit(FRAME, Y)
        assert np.allclose(model.fit(parts, "y").predict_proba(parts.drop(columns="y")), whole.predict_proba(FRAME))
        assert np.allclose(
            model.fit(parts.drop(columns="y"), parts["y"]).predict_proba(FRAME), whole.predict_proba(FRAME)
        )
    texts = dd.from_pandas(pd.DataFrame({"t": ["one two"] * 30 + ["three"] * 30}), npartitions=2)
    assert list(TextBayes().fit(texts, Y).vocabulary_) == ["one", "three", "two"]
    wrong = dd.from_pandas(pd.DataFrame({"x": [1.0, 2.0, np.inf, 4.0], "y": list("aabb")}), npartitions=2)
    with pytest.raises(InputError, match="row 2"):
        GaussianBayes().fit(wrong, "y")


def test_a_path_is_a_file(tmp_path):
    path = tmp_path / "rows.csv"
    FRAME.assign(y=Y).to_csv(path, index=False)
    fitted = NaiveBayes().fit(Path(path), "y")
    assert np.allclose(fitted.predict_proba(FRAME), NaiveBayes().fit(FRAME, Y).predict_proba(FRAME))
    assert len(fitted.predict(path)) == 60
    (tmp_path / "rows.json").write_text(pl.read_csv(path).write_json())
    assert np.allclose(fitted.predict_proba(tmp_path / "rows.json"), fitted.predict_proba(FRAME))
    with pytest.raises(InputTypeError, match=r"pathlib.Path\(name\)"):
        fitted.predict(str(path))


def test_whole_numbers_of_128_bits():
    wide = pl.DataFrame({"x": pl.Series(range(60), dtype=pl.Int128), "c": FRAME["c"].tolist()})
    plain = wide.with_columns(pl.col("x").cast(pl.Int64))
    expected = NaiveBayes().fit(plain, Y).predict_proba(plain)
    assert np.array_equal(NaiveBayes().fit(wide, Y).predict_proba(wide), expected)
    labels = pl.Series([1, 2] * 30, dtype=pl.Int128)
    assert NaiveBayes().fit(FRAME, labels).classes_.tolist() == [1, 2]
    huge = pl.Series("big", [2**100, 1] * 30, dtype=pl.Int128)
    with pytest.raises(InputError, match="row 0 holds 1267650600228229401496703205376"):
        NaiveBayes().fit(FRAME, huge)
    with pytest.raises(InputError, match="'big' has type Int128"):
        NaiveBayes().fit(huge.to_frame(), Y)


def test_members_of_an_enumeration_are_no_labels():
    class Colour(enum.Enum):
        RED = 1
        BLUE = 2

    with pytest.raises(
        InputError, match=r"\(Colour\), which cannot name a class; give .* \[label.name for label in y\]"
    ):
        NaiveBayes().fit(FRAME, [Colour.RED, Colour.BLUE] * 30)


def test_rows_as_mappings_may_lack_cells():
    rows = [{"a": 1.0, "b": "x"}, {"b": "y"}, {"a": 3.0}, {"a": 2.5, "b": "x"}]
    fitted = NaiveBayes().fit(rows, ["p", "q", "q", "p"])
    assert np.allclose(fitted.predict_proba([{"b": "y", "a": None}]), fitted.predict_proba({"a": [None], "b": ["y"]}))
