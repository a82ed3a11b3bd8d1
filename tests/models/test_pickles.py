"""A fitted model holds plain values: its pickle and its skops file need no pandas, and rows come back as they were."""

import io
import pickle
import subprocess
import sys

import numpy as np
import pandas as pd
import polars as pl
import pytest

from likely import Calibrated, Decider, GaussianBayes, NaiveBayes, TextBayes

Y = ["a", "b", "a", "b", "a", "b"]
FRAME = pd.DataFrame({
    "x": [1.0, 2.0, 1.5, 2.5, 0.5, 3.0], "n": pd.array([1, 2, 3, 4, None, 6], dtype="Int64"),
    "who": pd.Categorical(["p", "q", "p", "q", "p", "q"], categories=["p", "q", "r"], ordered=True),
    "text": ["u", "v", "u", "v", "u", "v"], "yes": [True, False, True, False, True, False],
})  # fmt: skip


def refers_to(model):
    """Libraries whose names a pickle needs."""
    named = set()

    class Reader(pickle.Unpickler):
        def find_class(self, module, name):
            named.add(module.partition(".")[0])
            return super().find_class(module, name)

    Reader(io.BytesIO(pickle.dumps(model))).load()
    return named


@pytest.mark.parametrize("kind", [lambda m: m, Calibrated, Decider], ids=["alone", "calibrated", "decider"])
def test_a_pickle_names_no_library_of_frames(kind):
    model = kind(NaiveBayes()) if kind is not Calibrated else Calibrated(NaiveBayes(), cv=2)
    model.fit(FRAME, Y)
    model.predict(FRAME)  # what is made for queries is no part of a model
    assert not refers_to(model) & {"pandas", "pyarrow", "polars", "narwhals"}
    again = pickle.loads(pickle.dumps(model))
    assert np.array_equal(again.predict_proba(FRAME), model.predict_proba(FRAME))


def test_what_is_made_for_queries_is_no_part_of_a_model():
    fresh, asked = NaiveBayes().fit(FRAME, Y), NaiveBayes().fit(FRAME, Y)
    asked.predict(FRAME)
    assert len(pickle.dumps(asked)) == len(pickle.dumps(fresh))


def test_a_pickle_of_a_pandas_model_answers_without_pandas(tmp_path):
    model = NaiveBayes().fit(FRAME[["x", "text"]], Y)
    (tmp_path / "model.pkl").write_bytes(pickle.dumps(model))
    code = (
        "import sys, pickle; sys.modules['pandas'] = None; model = pickle.load(open(sys.argv[1], 'rb'));"
        "print(model.predict({'x': [1.0, 3.0], 'text': ['u', 'v']}).tolist(), type(model.sample(2, 0)[0]).__module__)"
    )
    done = subprocess.run([sys.executable, "-c", code, str(tmp_path / "model.pkl")], capture_output=True, text=True)
    assert done.stdout.strip() == "['a', 'b'] polars.dataframe.frame", done.stderr


def test_rows_come_back_in_the_kind_of_the_table():
    model = pickle.loads(pickle.dumps(NaiveBayes().fit(FRAME, Y)))
    drawn, _ = model.sample(20, 0)
    assert drawn.dtypes.astype(str).tolist() == FRAME.dtypes.astype(str).tolist()
    assert drawn["who"].cat.categories.tolist() == ["p", "q", "r"] and drawn.columns.tolist() == FRAME.columns.tolist()
    pa = pytest.importorskip("pyarrow")
    table = pa.table({"x": pa.array([1.0, 2, 3], pa.float32()), "k": pa.array(["a", "b", "a"]).dictionary_encode()})
    assert NaiveBayes().fit(table, [0, 1, 0]).sample(4, 0)[0].schema.equals(table.schema)
    assert isinstance(NaiveBayes().fit(pl.DataFrame({"x": [1.0, 2, 3]}), [0, 1, 0]).sample(2, 0)[0], pl.DataFrame)
    assert isinstance(NaiveBayes().fit({"x": [1.0, 2, 3]}, [0, 1, 0]).sample(2, 0)[0], dict)


@pytest.mark.slow
@pytest.mark.parametrize(
    "model, X",
    [(NaiveBayes(), FRAME), (GaussianBayes("shared"), FRAME[["x"]]), (TextBayes(), list(FRAME["text"] * 3))],
    ids=["naive", "gaussian", "text"],
)
def test_skops_keeps_a_model(model, X, tmp_path):
    skops = pytest.importorskip("skops.io", reason="skops is not installed")
    model.fit(X, Y)
    skops.dump(model, tmp_path / "model.skops")
    own = skops.get_untrusted_types(file=tmp_path / "model.skops")
    assert own and all(name.startswith("likely.") for name in own)  # the recipe: trust this library alone
    again = skops.load(tmp_path / "model.skops", trusted=own)
    assert np.array_equal(again.predict_proba(X), model.predict_proba(X))


@pytest.mark.parametrize("protocol", range(pickle.HIGHEST_PROTOCOL + 1))
def test_every_protocol_of_pickle(protocol):
    model = Calibrated(NaiveBayes(), cv=2).fit(FRAME, Y)
    again = pickle.loads(pickle.dumps(model, protocol))
    assert np.array_equal(again.predict_proba(FRAME), model.predict_proba(FRAME))
    assert repr(pickle.loads(pickle.dumps(NaiveBayes(alpha=2.0), protocol)).fit(FRAME, Y)) == "NaiveBayes(alpha=2.0)"
