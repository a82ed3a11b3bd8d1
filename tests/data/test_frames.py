"""Frames of every kind in, the same rows out."""

import datetime
import subprocess
import sys
import textwrap
from decimal import Decimal

import narwhals
import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest
import scipy.sparse
from hypothesis import given
from hypothesis import strategies as st

from likely.data.frames import column_names, from_polars, is_frame, missing, to_polars
from likely.errors import InputError, InputTypeError


def one(values, dtype=None):
    """A pandas column through `to_polars`."""
    return to_polars(pd.DataFrame({"c": pd.Series(values, dtype=dtype)}))["c"]


PANDAS_COLUMNS = {
    "float": (pd.Series([1.5, np.nan]), pl.Float64, [1.5, None]),
    "float16": (pd.Series([1.5, 2], dtype="float16"), pl.Float32, [1.5, 2.0]),
    "int": (pd.Series([1, 2]), pl.Int64, [1, 2]),
    "uint8": (pd.Series([1, 255], dtype="uint8"), pl.UInt8, [1, 255]),
    "bool": (pd.Series([True, False]), pl.Boolean, [True, False]),
    "Int64": (pd.Series([1, None], dtype="Int64"), pl.Int64, [1, None]),
    "boolean": (pd.Series([True, None], dtype="boolean"), pl.Boolean, [True, None]),
    "Float32": (pd.Series([1.5, None], dtype="Float32"), pl.Float32, [1.5, None]),
    "str": (pd.Series(["a", None]), pl.String, ["a", None]),
    "string[python]": (pd.Series(["a", None], dtype="string[python]"), pl.String, ["a", None]),
    "string[pyarrow]": (pd.Series(["a", None], dtype="string[pyarrow]"), pl.String, ["a", None]),
    "int64[pyarrow]": (pd.Series([1, None], dtype="int64[pyarrow]"), pl.Int64, [1, None]),
    "sparse": (pd.Series(pd.arrays.SparseArray([0.0, 1.0])), pl.Float64, [0.0, 1.0]),
    "ordered": (
        pd.Series(pd.Categorical(["high", None], ["low", "high"], ordered=True)),
        pl.Enum(["low", "high"]),
        ["high", None],
    ),
    "unordered": (pd.Series(pd.Categorical(["b", "a"])), pl.Categorical, ["b", "a"]),
    "ordered numbers": (
        pd.Series(pd.Categorical([3, 1], [1, 2, 3], ordered=True)),
        pl.Enum(["1", "2", "3"]),
        ["3", "1"],
    ),
    "unordered numbers": (pd.Series(pd.Categorical([3, None])), pl.Categorical, ["3", None]),
    "no category": (pd.Series(pd.Categorical([None, None])), pl.Categorical, [None, None]),
    "intervals": (pd.Series(pd.cut([1.0, 5.0], [0, 2, 6])), pl.Enum(["(0, 2]", "(2, 6]"]), ["(0, 2]", "(2, 6]"]),
    "date": (
        pd.Series(pd.to_datetime(["2020-01-02", None])),
        pl.Datetime(pd.Series(pd.to_datetime(["2020-01-02"])).dt.unit),  # of pandas 2 and 3 not the same
        [datetime.datetime(2020, 1, 2), None],
    ),
    "object text": (pd.Series(["a", np.nan, None, pd.NA], dtype=object), pl.String, ["a", None, None, None]),
    "object integers": (pd.Series([1, pd.NA, pd.NaT], dtype=object), pl.Int64, [1, None, None]),
    "object numbers": (pd.Series([1, 2.5, np.nan], dtype=object), pl.Float64, [1.0, 2.5, None]),
    "object truth": (pd.Series([True, None], dtype=object), pl.Boolean, [True, None]),
    "object bytes": (pd.Series([b"caf\xc3\xa9", None], dtype=object), pl.String, ["café", None]),
    "nothing": (pd.Series([None, np.nan, pd.NA], dtype=object), pl.Null, [None, None, None]),
    "lists": (pd.Series([[1], [2, 3]]), pl.List(pl.Int64), [[1], [2, 3]]),
}


@pytest.mark.parametrize("name", PANDAS_COLUMNS)
def test_every_pandas_column_becomes_its_polars_type(name):
    column, dtype, values = PANDAS_COLUMNS[name]
    out = to_polars(pd.DataFrame({"c": column}))["c"]
    assert out.dtype == dtype
    assert [None if gone else v for v, gone in zip(out.to_list(), missing(out), strict=True)] == values


@pytest.mark.parametrize("name", PANDAS_COLUMNS)
def test_pandas_in_pandas_out_with_the_same_types(name):
    frame = pd.DataFrame({"c": PANDAS_COLUMNS[name][0]})
    back = from_polars(to_polars(frame), frame)
    if frame["c"].dtype == object:  # the spelling of a missing object is not kept
        assert back["c"].dtype == object
        assert back["c"].isna().tolist() == frame["c"].isna().tolist()
    else:
        pd.testing.assert_frame_equal(back, frame)


def test_time_zones_keep_the_instant():
    berlin = pd.DataFrame({"t": pd.to_datetime(["2020-07-01 12:00"]).tz_localize("Europe/Berlin")})
    assert to_polars(berlin)["t"].to_list() == [datetime.datetime(2020, 7, 1, 10, tzinfo=datetime.UTC)]


def test_numeric_pandas_columns_share_memory():
    frame = pd.DataFrame({"a": np.arange(5.0), "b": np.arange(5)})
    out = to_polars(frame)
    for name in frame:
        assert np.shares_memory(out[name].to_numpy(), frame[name].to_numpy())


def test_the_index_is_no_column():
    assert to_polars(pd.DataFrame({"a": [1, 2]}, index=["x", "y"])).rows() == [(1,), (2,)]


@pytest.mark.parametrize("values", [pd.period_range("2020", periods=2), pd.interval_range(0, 2)])
def test_pandas_types_without_a_meaning_here_are_refused(values):
    with pytest.raises(InputTypeError, match=r"column 'c', row 0: .*(Period|Interval)"):
        one(values)


def test_categories_that_look_alike_are_refused():
    with pytest.raises(InputError, match=r"column 'c'.*'1'"):
        one(pd.Categorical([1, "1"], categories=[1, "1"]))


def test_a_column_that_no_longer_fits_its_type_gets_the_next_one():
    like = pd.DataFrame(
        {"i": [1, 2], "b": [True, False], "c": pd.Categorical(["a", "b"]), "u": np.array([1, 2], "uint8")}
    )
    rows = pl.DataFrame({"i": [1, None], "b": [None, True], "c": ["a", "z"], "u": [1.5, 2.0], "new": ["x", "y"]})
    back = from_polars(rows, like)
    assert back["i"].dtype == np.float64 and np.isnan(back["i"][1])
    assert back["b"].tolist() == [None, True]
    assert back["c"].tolist() == ["a", "z"]  # no value is lost to a category that does not exist
    assert back["u"].tolist() == [1.5, 2.0]
    assert back["new"].tolist() == ["x", "y"]
    text = from_polars(pl.DataFrame({"n": ["x"], "new": [1]}), pd.DataFrame({"n": pd.array([1], dtype="Int64")}))
    assert text["n"].tolist() == ["x"] and text["new"].dtype == np.int64


def test_polars_in_polars_out():
    frame = pl.DataFrame({"a": [1, None], "e": pl.Series(["x", None], dtype=pl.Enum(["x", "y"]))})
    assert to_polars(frame) is frame
    assert from_polars(frame, frame) is frame
    assert to_polars(frame.lazy()).equals(frame)
    assert from_polars(frame, frame.lazy()).collect().equals(frame)


def arrow_table():
    return pa.table(
        {
            "nominal": pa.array(["x", "y", None, "x"]).dictionary_encode(),
            "ordinal": pa.DictionaryArray.from_arrays(
                pa.array([0, 1, None, 0]), pa.array(["low", "high"]), ordered=True
            ),
            "codes": pa.array([3, 4, None, 3]).dictionary_encode(),
            "text": ["a", "b", None, "d"],
            "number": [1.5, None, 2, 3],
            "small": pa.array([1, 2, 3, 4], pa.int8()),
        }
    )


def test_arrow_tables_and_record_batches():
    table = arrow_table()
    for source in (table, table.to_batches()[0], pa.concat_tables([table.slice(0, 1), table.slice(1)])):
        out = to_polars(source)
        assert out["ordinal"].dtype == pl.Enum(["low", "high"])
        assert out["nominal"].dtype == out["codes"].dtype == pl.Categorical
        assert out["small"].dtype == pl.Int8
        assert out["codes"].to_list() == ["3", "4", None, "3"]
        assert out["ordinal"].to_list() == ["low", "high", None, "low"]
        assert out["number"].to_list() == [1.5, None, 2, 3]


def test_arrow_in_arrow_out_with_the_same_types():
    table = arrow_table()
    back = from_polars(to_polars(table), table)
    assert back.schema == table.schema
    assert back.equals(table)
    batch = from_polars(to_polars(table), table.to_batches()[0])
    assert isinstance(batch, pa.RecordBatch) and batch.num_rows == 4
    assert from_polars(to_polars(table)[:0], batch).num_rows == 0
    changed = pl.DataFrame({"small": [1.5], "new": ["z"]})
    assert from_polars(changed, table).to_pylist() == [{"small": 1.5, "new": "z"}]


def test_frames_of_narwhals():
    frame = narwhals.from_native(pd.DataFrame({"a": [1.5], "b": pd.Categorical(["x"])}))
    assert is_frame(frame)
    assert column_names(frame) == ["a", "b"]
    assert to_polars(frame).dtypes == [pl.Float64, pl.Categorical]
    back = from_polars(to_polars(frame), frame)
    assert isinstance(back, narwhals.DataFrame)
    pd.testing.assert_frame_equal(back.to_native(), frame.to_native())
    assert to_polars(narwhals.from_native(pl.LazyFrame({"a": [1]}))).rows() == [(1,)]


def test_columns_in_a_dict():
    columns = {
        "list": [1, 2],
        "array": np.array(["x", "y"]),
        "polars": pl.Series([1, None]),
        "pandas": pd.Series(["q", None]),
        "arrow": pa.array([None, 2.5]),
        "range": range(2),
        "decimal": (Decimal("1.5"), None),
    }
    out = to_polars(columns)
    assert out.columns == list(columns)
    assert out.rows() == [(1, "x", 1, "q", None, 0, 1.5), (2, "y", None, None, 2.5, 1, None)]
    assert from_polars(out, columns)["pandas"] == ["q", None]
    with pytest.raises(InputError, match="'a' has 2, 'b' has 1"):
        to_polars({"a": [1, 2], "b": [1]})
    for values in (3, "abc"):
        with pytest.raises(InputTypeError, match="column 'a'"):
            to_polars({"a": values})


def test_rows_in_lists_and_object_arrays():
    rows = [[1, "red", None, True], [2.5, None, np.nan, False]]
    for X in (rows, [tuple(row) for row in rows], np.array(rows, dtype=object)):
        out = to_polars(X)
        assert out.schema == {"x0": pl.Float64, "x1": pl.String, "x2": pl.Null, "x3": pl.Boolean}
        assert out.rows() == [(1.0, "red", None, True), (2.5, None, None, False)]
        assert from_polars(out, X).tolist() == [list(row) for row in out.rows()]


def test_arrays_of_strings():
    mixed = np.array([[1.5, "red", "01", 7], [np.nan, "blue", "2", 8]])  # NumPy has made text of everything
    out = to_polars(mixed)
    assert out.dtypes == [pl.Float64, pl.String, pl.String, pl.Int64]
    assert missing(out["x0"]).to_list() == [False, True]
    assert out["x2"].to_list() == ["01", "2"]
    assert to_polars(np.array([[b"1", b"x"]])).rows() == [("1", "x")]


def test_arrays_of_numbers():
    assert to_polars(np.arange(4).reshape(2, 2)).rows() == [(0, 1), (2, 3)]
    assert to_polars(np.arange(4).reshape(2, 2).astype(">f4")).dtypes == [pl.Float32, pl.Float32]
    assert to_polars(np.ones((1, 1), dtype=np.longdouble)).dtypes == [pl.Float64]
    assert to_polars(np.ma.array([[1, 2], [3, 4]], mask=[[0, 1], [0, 0]])).rows() == [(1, None), (3, 4)]
    records = np.array([(1, b"x"), (2, b"y")], dtype=[("a", "i4"), ("b", "S3")])
    assert is_frame(records)
    assert to_polars(records).rows(named=True) == [{"a": 1, "b": "x"}, {"a": 2, "b": "y"}]
    assert to_polars(np.array([["2020-01-01T00:00:01"]], dtype="M8[s]")).dtypes == [pl.Datetime("us")]
    assert to_polars(np.empty((0, 2))).shape == (0, 2)


@pytest.mark.parametrize(
    ("X", "message"),
    [
        ([[1, "a"], [None, "b"], ["x", "c"]], "column 'x0' mixes numbers and text: row 0 holds 1, row 2 holds 'x'"),
        ({"a": [None, "x", True]}, "column 'a' mixes text and numbers: row 1 holds 'x', row 2 holds True"),
        ({"a": ["x", b"y"]}, "column 'a' mixes text and bytes"),
        ({"a": [b"caf\xe9"]}, "column 'a' holds text that is not valid UTF-8"),
        ({"a": ["\ud800"]}, "column 'a' holds text that is not valid UTF-8"),
        ({"a": [10**400]}, "column 'a' holds an integer too large"),
        (np.ones((2, 2), dtype=complex), "column 'x0': Complex data not supported"),
        ([[1, 2], [3]], "row 1 has 1 cells and row 0 has 2"),
        ([], "empty list"),
        ([1, 2], "Expected 2D array, got 1D list instead"),
        (["ab", "cd"], "Expected 2D array, got 1D list instead"),
        (np.arange(3), "Expected 2D array, got 1D array instead"),
        ({"a": np.zeros((2, 2))}, "column 'a' has 2 dimensions"),
        (pd.Series([1]), "Expected a 2-dimensional container but got pandas.*Series"),
        (pl.Series([1]), "Expected a 2-dimensional container"),
    ],
)
def test_what_is_no_table_is_refused(X, message):
    with pytest.raises(InputError, match=message):
        to_polars(X)


@pytest.mark.parametrize(
    ("X", "message"),
    [
        (np.array([[1, 2], [{"foo": "bar"}, 3]], dtype=object), "argument must be .* string.* number"),
        ([[object()]], "column 'x0', row 0.*'object'"),
        ({"a": np.zeros(1, dtype=[("b", "i4")])}, "column 'a' holds NumPy records"),
        (scipy.sparse.eye(2), "is not a table"),
        ("text", "is not a table"),
        (3, "is not a table"),
    ],
)
def test_objects_of_no_use_are_refused(X, message):
    with pytest.raises(InputTypeError, match=message):
        to_polars(X)
    if not is_frame(X) and not isinstance(X, np.ndarray | list):
        with pytest.raises(InputTypeError):
            from_polars(pl.DataFrame({"a": [1]}), X)


def test_large_integers_become_floats():
    assert to_polars({"a": [10**20, 1]})["a"].to_list() == [1e20, 1.0]


def test_names_of_columns():
    assert column_names(np.zeros((2, 2))) is None
    assert column_names(pd.DataFrame([[1, 2]])) is None  # scikit-learn: names that are no strings are no names
    assert column_names(pd.DataFrame([[1, 2]], columns=["a", ""])) == ["a", ""]
    assert to_polars(pd.DataFrame([[1, 2]], columns=["a", ""])).columns == ["a", ""]
    numbered = pd.DataFrame([[1, 2]], columns=[5, 7])
    assert to_polars(numbered).columns == ["x0", "x1"]
    assert from_polars(to_polars(numbered), numbered).columns.tolist() == [5, 7]
    assert from_polars(to_polars(numbered).select("x1"), numbered).columns.tolist() == [7]
    assert column_names(pl.LazyFrame({"a": [1]})) == ["a"]
    assert column_names(arrow_table())[:2] == ["nominal", "ordinal"]


def test_names_of_mixed_types_are_refused_as_scikit_learn_does():
    frame = pd.DataFrame([[1, 2]], columns=["a", 1])
    with pytest.raises(InputTypeError, match="only supported if all input features have string names"):
        to_polars(frame)
    sklearn_names = pytest.importorskip("sklearn.utils.validation")._get_feature_names
    with pytest.raises(TypeError, match="only supported if all input features have string names"):
        sklearn_names(frame)


@pytest.mark.parametrize(
    "X", [pd.DataFrame([[1, 2, 3]], columns=["a", "b", "a"]), pa.table([[1], [2], [3]], names=["a", "b", "a"])]
)
def test_names_that_repeat_are_named(X):
    with pytest.raises(InputError, match="more than once: 'a'"):
        to_polars(X)


def test_missing_cells():
    assert missing(pl.Series([1.0, None, np.nan])).to_list() == [False, True, True]
    assert missing(pl.Series(["", None])).to_list() == [False, True]


CELLS = {
    "integers": st.integers(-(2**63), 2**63 - 1),
    "floats": st.floats(allow_nan=False),
    "texts": st.text(st.characters(exclude_categories=["Cs"])),
    "truths": st.booleans(),
}


@given(st.data())
def test_columns_of_objects_keep_every_value(data):
    kinds = data.draw(st.lists(st.sampled_from(sorted(CELLS)), min_size=1, max_size=4))
    height = data.draw(st.integers(1, 8))
    columns = [data.draw(st.lists(st.none() | CELLS[k], min_size=height, max_size=height)) for k in kinds]
    rows = [list(cells) for cells in zip(*columns, strict=True)]
    assert [list(column) for column in to_polars(rows).iter_columns()] == columns
    table = pd.DataFrame({f"x{j}": pd.Series(cells, dtype=object) for j, cells in enumerate(columns)})
    assert to_polars(table).equals(to_polars(rows))
    assert from_polars(to_polars(table), table).to_dict("list") == table.to_dict("list")


def run_alone(script):
    done = subprocess.run(
        [sys.executable, "-W", "error", "-c", textwrap.dedent(script)], capture_output=True, text=True
    )
    assert done.returncode == 0, done.stderr


def test_without_pyarrow():
    run_alone(
        """
        import sys
        sys.modules["pyarrow"] = None  # an import of it fails
        import numpy as np, pandas as pd, polars as pl
        from likely.data.frames import from_polars, is_frame, to_polars
        frame = pd.DataFrame({
            "x": [1.5, np.nan], "s": ["a", None], "o": pd.Series(["b", np.nan], dtype=object),
            "i": pd.array([1, None], dtype="Int64"), "b": pd.array([True, None], dtype="boolean"),
            "c": pd.Categorical(["hi", None], ["lo", "hi"], ordered=True), "u": pd.Categorical(["p", "q"]),
        })
        out = to_polars(frame)
        levels = pl.Enum(["lo", "hi"])
        assert out.dtypes == [pl.Float64, pl.String, pl.String, pl.Int64, pl.Boolean, levels, pl.Categorical]
        assert out.row(0) == (1.5, "a", "b", 1, True, "hi", "p")
        assert out.row(1)[1:] == (None, None, None, None, None, "q")
        back = from_polars(out, frame)
        pd.testing.assert_frame_equal(back.drop(columns="o"), frame.drop(columns="o"))
        assert back["o"].tolist() == ["b", None]
        """
    )


def test_no_library_of_frames_is_imported_to_recognise_one():
    run_alone(
        """
        import sys
        import numpy as np
        from likely.data.frames import is_frame, to_polars
        class Table:
            columns = ["a"]
        assert not is_frame(Table()) and not is_frame(np.zeros((2, 2))) and is_frame({"a": [1]})
        to_polars({"a": [1, None]})
        assert not {"pandas", "pyarrow"} & set(sys.modules)
        """
    )
