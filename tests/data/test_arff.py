"""ARFF: every form that Weka writes is read, mistakes are located, and scipy reads the same."""

import gzip
import io
from datetime import date, datetime

import numpy as np
import polars as pl
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.io import arff as scipy_arff

from likely.data.frames.tables import read_table
from likely.data.sources import scan
from likely.data.sources.parsers import blocks
from likely.errors import InputError, LikelyError

HEADER = """% Weather
@RELATION 'the weather'

@attribute outlook {sunny, 'no sun', "rain\\"y"} % of } three
@ATTRIBUTE 'degrees F' numeric
@attribute n integer
@attribute note string
@attribute day date "yyyy-MM-dd"
@attribute at DATE
@data
"""
ROWS = """sunny, 85, 3, its me, 2001-01-02, '2001-01-02T03:04:05'
'no sun',?,4.0,'it\\'s, \\u00e9 ?', "2001-01-02", ? % done, well
% comment

"rain\\"y" 1e3 -5 '?' 2001-01-02 ?
{3 x, 4 2001-01-03,5 ?}
"""


@pytest.fixture
def write(tmp_path):
    def written(content, name="t.arff"):
        data = content.encode() if isinstance(content, str) else content
        path = tmp_path / name
        path.write_bytes(gzip.compress(data) if name.endswith(".gz") else data)
        return path

    return written


@pytest.mark.parametrize("name", ["t.arff", "t.arff.gz"])
def test_every_form(name, write):
    day = date(2001, 1, 2)
    assert scan(write(HEADER + ROWS, name)).head(9).rows() == [
        ("sunny", 85.0, 3, "its me", day, datetime(2001, 1, 2, 3, 4, 5)),
        ("no sun", None, 4, "it's, é ?", day, None),
        ('rain"y', 1000.0, -5, "?", day, None),
        ("sunny", 0.0, 0, "x", date(2001, 1, 3), None),
    ]


def quoted(value):
    text = str(value)
    return "?" if value is None else "'" + text.replace("\\", "\\\\").replace("'", "\\'") + "'"


def as_arff(frame, quote_all):
    lines = ["@relation t"]
    for column in frame:
        nominal = column.dtype == pl.String
        levels = ",".join(map(quoted, column.drop_nulls().unique(maintain_order=True))) if nominal else ""
        lines.append(f"@attribute {quoted(column.name)} {'{' + levels + '}' if nominal else 'numeric'}")
    cell = quoted if quote_all else (lambda value: "?" if value is None else str(value))
    return "\n".join([*lines, "@data", *(",".join(map(cell, row)) for row in frame.rows())]) + "\n"


@pytest.mark.sample(1)
@pytest.mark.parametrize("quote_all", [True, False])
@pytest.mark.parametrize("name", ["mixed/german_credit.csv.gz", "mixed/soybean.csv.gz", "mixed/weather_numeric.csv"])
def test_real_tables_come_back_equal(name, quote_all, shared_data, write, monkeypatch):
    frame = read_table(shared_data / name)
    frame = frame.with_columns(pl.col(pl.Boolean).cast(pl.String))  # ARFF has no truth values, only levels
    monkeypatch.setattr(blocks, "_BLOCK", 5000)
    assert read_table(write(as_arff(frame, quote_all))).equals(frame)


def test_scipy_reads_the_same(shared_data, write):
    frame = read_table(shared_data / "numeric/iris.csv")
    text = as_arff(frame, False)
    data, _ = scipy_arff.loadarff(io.StringIO(text))
    ours = scan(write(text)).head(1000)
    assert ours["class"].to_list() == [label.decode() for label in data["class"]]
    for name in ours.columns[:-1]:
        np.testing.assert_array_equal(ours[name].to_numpy(), data[name])


@pytest.mark.parametrize(
    ("rows", "message"),
    [
        ("a,1\nc,2\n", "line 6: attribute 'x': 'c' is not among the values declared: 'a', 'b'"),
        ("a,1\n'c',2\n", "line 6: attribute 'x': 'c' is not among"),
        ("a,1\n\na,one\n", "line 7: attribute 'y': 'one' is not Float64"),
        ("a,1\na,2,3\n", "line 6: the number of cells is 3, of attributes 2"),
        ("a,1\na\n", "line 6: the number of cells is 1"),
        ("a,\n", "line 5: the cell of 'y' is empty"),
        ("'a,1\n", "line 5: a quote that is never closed"),
        ("a,1,{3}\n", "line 5: a row with a weight"),
        ("{2 1}\n", "line 5: there is no attribute 2"),
        ("{1 1, 1 2}\n", "line 5: attribute 1 is given twice"),
        ("{1}\n", "line 5: not a sparse row"),
        (b"a,1\n\xe9,2\n", "line 6: byte 0xe9 is not UTF-8"),
    ],
)
def test_mistakes_are_located(rows, message, write):
    head = b"@relation t\n@attribute x {a,b}\n@attribute y numeric\n@data\n"
    with pytest.raises(InputError, match=message):
        scan(write(head + (rows if isinstance(rows, bytes) else rows.encode()))).head(99)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("@relation t\n@attribute x numeric\n", "no line @data"),
        ("@relation t\n@data\n1\n", "declares no attributes"),
        ("@attribute x numeric\n@attribute x real\n@data\n", "line 2: the attribute 'x' is declared twice"),
        ("@attribute x complex\n@data\n", "line 1: attribute 'x' has the type 'complex'"),
        ("@attribute x {a,a}\n@data\n", "declares the value 'a' twice"),
        ("@attribute x relational\n@data\n", "Relations within a row are not read"),
        ("@attribute x date 'yyyy Q'\n@data\n", "date pattern"),
        ("hello\n@data\n", "line 1: 'hello' is no line of a header"),
    ],
)
def test_headers_that_cannot_be_read(text, message, write):
    with pytest.raises(InputError, match=message):
        scan(write(text))


@pytest.mark.slow
@given(st.binary(max_size=60) | st.text(max_size=60).map(str.encode))
def test_hostile_rows_give_nothing_but_our_errors(tmp_path_factory, rows):
    path = tmp_path_factory.mktemp("arff") / "t.arff"
    path.write_bytes(b"@relation t\n@attribute x {a,b}\n@attribute y numeric\n@attribute z string\n@data\n" + rows)
    try:
        frame = scan(path).head(99)
    except LikelyError:
        return
    assert frame.schema == {"x": pl.String, "y": pl.Float64, "z": pl.String}
    assert set(frame["x"].drop_nulls()) <= {"a", "b"}
