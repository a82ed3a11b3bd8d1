"""A whole table from anything: the same rows whatever holds them, and clear words for what is no table."""

import gzip
import io
import json
import sys
from types import SimpleNamespace

import pandas as pd
import polars as pl
import pytest
from hypothesis import given
from hypothesis import strategies as st

from likely.data.frames.tables import read_table
from likely.data.sources import scan
from likely.data.sources.parsers import json_lines
from likely.errors import InputError, LikelyError

FRAME = pl.DataFrame({"size": [1.5, None, 3.0], "n": [1, 2, 3], "colour": ["red", "deep blue", "red"]})


def packed(frame, form):
    buffer = io.BytesIO()
    if form == "parquet":
        frame.write_parquet(buffer)
    elif form == "arrow":
        frame.write_ipc(buffer)
    elif form == "jsonl":
        frame.write_ndjson(buffer)
    elif form == "arff":
        rows = "\n".join(",".join("?" if v is None else f"'{v}'" for v in row) for row in frame.rows())
        head = "@relation t\n@attribute size real\n@attribute n numeric\n@attribute colour {red,'deep blue'}\n@data\n"
        buffer.write((head + rows).encode())
    else:
        frame.write_csv(buffer, separator=form)
    return buffer.getvalue()


FORMS = [",", ";", "\t", "|", "jsonl", "arff", "parquet", "arrow"]


@pytest.mark.parametrize("form", FORMS)
@pytest.mark.parametrize("name", ["table", "table.txt", "table.data"])
def test_the_content_tells_the_format(form, name, tmp_path):
    path = tmp_path / name
    path.write_bytes(packed(FRAME, form))
    assert read_table(path).equals(FRAME)


@pytest.mark.parametrize(
    ("form", "zipped"),
    [(form, zipped) for form in FORMS for zipped in (False, True) if not (zipped and form[0] in "pa")]
    + [("arff", True)],
)
def test_standard_input(form, zipped, monkeypatch):
    data = packed(FRAME, form)
    stream = io.BytesIO(gzip.compress(data) if zipped else data)
    monkeypatch.setattr(sys, "stdin", SimpleNamespace(buffer=stream))
    assert read_table("-").equals(FRAME)


def test_frames_pass_through_and_options_hold():
    assert read_table(FRAME).equals(FRAME)
    assert read_table(FRAME.to_dict(as_series=False)).equals(FRAME)
    assert read_table(FRAME.to_arrow()).equals(FRAME)
    assert read_table(pd.DataFrame({"a": ["x", "NA"]}), missing="NA").rows() == [("x",), (None,)]
    assert read_table(FRAME, columns="n", max_rows=2).rows() == [(1,), (2,)]
    with pytest.raises(InputError, match=r"no column 'colur'\. There are 'colour'"):
        read_table(FRAME, columns=["colur"])


def test_several_files_columns_and_rows(tmp_path):
    for i in range(3):
        (tmp_path / f"p{i}.csv").write_bytes(packed(FRAME, ";"))
    assert read_table(str(tmp_path / "p*.csv")).equals(pl.concat([FRAME] * 3))
    assert read_table([tmp_path / "p0.csv"], columns=["n"], max_rows=2).rows() == [(1,), (2,)]
    (tmp_path / "p3.csv").write_bytes(packed(FRAME, ","))
    with pytest.raises(InputError, match="separates its cells by"):
        read_table(str(tmp_path / "p*.csv"))


def test_a_late_decimal_or_word_widens_the_type(tmp_path):
    path = tmp_path / "t.csv"
    path.write_text("a,b,c\n" + "1,2,\n" * 400_000 + "1.5,x,7\n" + "1,2,\n" * 400_000)
    frame = read_table(path)
    assert frame.schema == {"a": pl.Float64, "b": pl.String, "c": pl.Int64}
    assert frame.row(400_000) == (1.5, "x", 7)


@pytest.mark.parametrize(
    ("name", "content", "message"),
    [
        ("t.csv", b"", "is empty"),
        ("t.csv", b"\n\n", "is empty"),
        ("t.csv", b"a,b\n", "2 columns and no rows"),
        ("t.csv", b"a,b\n1,2\n1,2,3\n", "line 3: the number of cells is 3"),
        ("t.csv", b"a,a\n1,2\n", "more than once: 'a'"),
        ("t.csv", "name,b\nJos\u00e9,1\n".encode("latin1"), "line 2: byte 0xe9 is not UTF-8.*iconv"),
        ("t.csv", b"PK\x03\x04\x00\x00", "damaged ZIP"),
        ("t.csv", "a,b\n1,2\n".encode("utf-16"), "no text"),
        ("t.dat", bytes(range(256)), "no text"),
        ("t.csv", b"PAR1\x00", "holds parquet and not csv"),
    ],
)
def test_what_is_no_table(name, content, message, tmp_path, monkeypatch):
    path = tmp_path / name
    path.write_bytes(content)
    with pytest.raises(InputError, match=message):
        read_table(path)
    if name == "t.csv" and not content.startswith(b"PAR1"):
        monkeypatch.setattr(sys, "stdin", SimpleNamespace(buffer=io.BytesIO(content)))
        with pytest.raises(InputError, match=f"^standard input.*{message}"):
            read_table("-")


@pytest.mark.parametrize("indent", [None, 2])
@pytest.mark.parametrize("name", ["t.json", "t.json.gz", "t.txt"])
def test_a_json_array_of_objects_is_a_table(name, indent, tmp_path, monkeypatch):
    text = json.dumps(FRAME.to_dicts(), indent=indent).encode()
    (tmp_path / name).write_bytes(gzip.compress(text) if name.endswith("gz") else text)
    assert read_table(tmp_path / name).equals(FRAME)
    (tmp_path / "more.jsonl").write_bytes(packed(FRAME, "jsonl"))
    assert read_table([tmp_path / name, tmp_path / "more.jsonl"]).equals(pl.concat([FRAME, FRAME]))
    monkeypatch.setattr(sys, "stdin", SimpleNamespace(buffer=io.BytesIO(text)))
    assert read_table("-", max_rows=2).equals(FRAME.head(2))


def test_json_lines_may_be_called_json(tmp_path):
    (tmp_path / "t.json").write_bytes(packed(FRAME, "jsonl"))
    assert read_table(tmp_path / "t.json").equals(FRAME)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("[1, 2]", "element 0 of the array is '1' and no object"),
        ('[{"a": 1}, [2]]', "element 1 of the array"),
        ("[]", "JSON lines expected: one object per line"),
        ('[{"a": 1},', "not JSON.*JSON lines expected"),
        ("a,b\n1,2\n", "not JSON. JSON lines expected"),
        ('[{"a": 1}, {"a": NaN}]', "NaN is no JSON value"),
        ("[" * 100_000, "not JSON"),
    ],
)
def test_json_that_is_no_table_is_refused_in_few_words(text, message, tmp_path):
    (tmp_path / "t.json").write_text(text)
    with pytest.raises(InputError, match=message) as refusal:
        read_table(tmp_path / "t.json")
    assert len(str(refusal.value)) < 400 and "likely-" not in str(refusal.value)
    with pytest.raises(InputError, match="JSON lines expected: one object per line"):
        scan(tmp_path / "t.json")


def test_an_array_that_does_not_fit_into_memory_is_refused(tmp_path, monkeypatch):
    monkeypatch.setattr(json_lines, "_LONGEST_ARRAY", 50)
    (tmp_path / "t.json").write_text(json.dumps(FRAME.to_dicts()))
    with pytest.raises(InputError, match="JSON lines expected"):
        read_table(tmp_path / "t.json")


def test_a_column_without_a_name_keeps_it(tmp_path):
    (tmp_path / "t.csv").write_text(",a\n0,x\n1,y\n")
    assert read_table(tmp_path / "t.csv").columns == ["", "a"]
    assert read_table(FRAME.rename({"n": ""})).columns == ["size", "", "colour"]


def test_a_near_miss_is_suggested(tmp_path):
    (tmp_path / "weather.csv").write_text("a\n1\n")
    with pytest.raises(InputError, match=r"Did you mean weather\.csv"):
        read_table(tmp_path / "wether.csv")
    with pytest.raises(InputError, match="format must be one of"):
        read_table(tmp_path / "weather.csv", format="excel")


@given(st.binary(max_size=80) | st.text(max_size=80).map(str.encode))
def test_any_bytes_give_a_table_or_our_error(tmp_path_factory, data):
    path = tmp_path_factory.mktemp("table") / "t"
    path.write_bytes(data)
    try:
        frame = read_table(path)
    except LikelyError:
        return
    assert frame.height > 0
