"""Files in batches: the same rows whatever the format, the reader or the size of a batch; mistakes are located."""

import csv
import gzip
import io
import json
import pickle
import subprocess
import sys
import tempfile
import textwrap
from pathlib import Path

import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pyarrow.feather
import pyarrow.parquet
import pytest
from hypothesis import given
from hypothesis import strategies as st

from likely.data.sources import scan
from likely.data.sources.parsers import blocks, columnar
from likely.errors import InputError, InputTypeError, LikelyError

DATA = Path(__file__).parents[3] / "shared" / "data"


@pytest.fixture
def write(tmp_path):
    """Write text or bytes to a file of the given name, gzip-compressed if its suffix says so."""

    def written(content, name="table.csv"):
        data = content.encode() if isinstance(content, str) else content
        path = tmp_path / name
        path.write_bytes(gzip.compress(data) if path.suffix == ".gz" else data)
        return path

    return written


@pytest.fixture
def small_blocks(monkeypatch):
    """Blocks of a few lines, types from the first block: later lines are beyond the rows looked at."""
    monkeypatch.setattr(blocks, "_BLOCK", 64)
    monkeypatch.setattr(blocks, "_PREFIX_ROWS", 5)


def rows_of(source):
    return [row for batch in source.batches() for row in batch.rows()]


def example(rows=1000):
    rng = np.random.default_rng(0)
    return pl.DataFrame(
        {
            "number": rng.normal(size=rows),
            "count": rng.integers(0, 9, rows),
            "text": rng.choice(["red", "deep blue", 'say "no", twice', "two\nlines", "é"], rows),
            "truth": rng.integers(0, 2, rows).astype(bool),
            "gaps": pl.Series(rng.choice([1.5, None], rows).tolist(), dtype=pl.Float64),
        }
    )


WRITERS = {
    "t.csv": lambda frame, path: frame.write_csv(path),
    "t.csv.gz": lambda frame, path: path.write_bytes(gzip.compress(frame.write_csv().encode())),
    "t.tsv": lambda frame, path: frame.write_csv(path, separator="\t"),
    "t.tsv.gz": lambda frame, path: path.write_bytes(gzip.compress(frame.write_csv(separator="\t").encode())),
    "t.jsonl": lambda frame, path: frame.write_ndjson(path),
    "t.ndjson.gz": lambda frame, path: path.write_bytes(gzip.compress(frame.write_ndjson().encode())),
    "t.parquet": lambda frame, path: frame.write_parquet(path, row_group_size=300),
    "pa.parquet": lambda frame, path: pyarrow.parquet.write_table(frame.to_arrow(), path),
    "t.arrow": lambda frame, path: frame.write_ipc(path, compression="uncompressed"),
    "t.ipc": lambda frame, path: frame.write_ipc(path, compression="zstd"),
    "t.feather": lambda frame, path: pyarrow.feather.write_feather(frame.to_arrow(), path),
}


@pytest.mark.sample(15)
@pytest.mark.parametrize("name", WRITERS)
@pytest.mark.parametrize("batch_rows", [1, 7, 333, 1000, 1001])
def test_batches_have_exactly_the_rows_asked_for(name, batch_rows, tmp_path, monkeypatch):
    monkeypatch.setattr(blocks, "_BLOCK", 4096)
    monkeypatch.setattr(columnar, "_SLICE", 256)
    frame = example(1000 if batch_rows > 1 else 20)
    WRITERS[name](frame, tmp_path / name)
    source = scan(tmp_path / name, batch_rows=batch_rows)
    assert source.columns == frame.columns
    assert source.schema == frame.schema
    batches = list(source.batches())
    whole, rest = divmod(frame.height, batch_rows)
    assert [batch.height for batch in batches] == [batch_rows] * whole + [rest] * (rest > 0)
    assert pl.concat(batches).equals(frame)
    assert all(batch.n_chunks() == 1 for batch in batches)
    assert source.head(3).equals(frame.head(3)) and source.head(0).height == 0
    if source.addressable:
        assert source.rows == frame.height and source.n_batches == len(batches)
        assert all(source.batch(i).equals(batch) for i, batch in enumerate(batches))
    else:
        assert source.rows is None and source.n_batches is None


@pytest.mark.slow
@pytest.mark.parametrize("name", ["t.csv", "t.parquet"])
def test_a_batch_of_many_columns_has_fewer_rows(name, tmp_path):
    frame = pl.DataFrame({f"x{j}": np.arange(2500) for j in range(2000)})
    WRITERS[name](frame, tmp_path / name)
    wide = scan(tmp_path / name)
    assert [batch.height for batch in wide.batches()] == [1048, 1048, 404]
    assert wide.head(2).equals(frame.head(2))
    assert scan(tmp_path / name, columns=["x0"], target="x1").batch_rows == 65_536
    assert scan(tmp_path / name, batch_rows=2000).batch_rows == 2000


def test_batch_numbers(tmp_path, write):
    example(10).write_parquet(tmp_path / "t.parquet")
    source = scan(tmp_path / "t.parquet", batch_rows=4)
    for i in (-1, 3):
        with pytest.raises(InputError, match=f"no batch {i}; there are 3"):
            source.batch(i)
    with pytest.raises(InputError, match="no random access"):
        scan(write("a\n1\n")).batch(0)


def test_several_files_are_one_table(tmp_path):
    frame = example(100)
    for i, (start, name) in enumerate([(0, "t.parquet"), (33, "t.parquet"), (66, "t.parquet")]):
        WRITERS[name](frame[start : start + 33 + (start == 66)], tmp_path / f"part-{i}.parquet")
    source = scan(str(tmp_path / "part-*.parquet"), batch_rows=40)
    batches = list(source.batches())
    assert pl.concat(batches).equals(frame)
    assert all(source.batch(i).equals(batch) for i, batch in enumerate(batches))
    assert source.rows == 100
    assert repr(source) == "Source(part-0.parquet and 2 more: 100 rows, 5 columns)"
    backwards = [tmp_path / f"part-{i}.parquet" for i in (2, 1, 0)]
    assert rows_of(scan(backwards)) == [*frame[66:].rows(), *frame[33:66].rows(), *frame[:33].rows()]


def test_files_whose_types_differ(write, tmp_path):
    one, two = write("a,b,c\n1,x,\n", "1.csv"), write("c,b,a\n7,5,2.5\n", "2.csv")
    source = scan([one, two])
    assert source.schema == {"a": pl.Float64(), "b": pl.String(), "c": pl.Int64()}
    assert rows_of(source) == [(1.0, "x", None), (2.5, "5", 7)]
    pl.DataFrame({"a": [300]}, schema={"a": pl.UInt16}).write_parquet(tmp_path / "1.parquet")
    pl.DataFrame({"a": [-1]}, schema={"a": pl.Int8}).write_parquet(tmp_path / "2.parquet")
    assert rows_of(scan(tmp_path / "?.parquet")) == [(300,), (-1,)]
    pl.DataFrame({"a": ["x"]}).write_parquet(tmp_path / "3.parquet")
    with pytest.raises(InputError, match=r"column 'a' is Int32 in .*1\.parquet and String in .*3\.parquet"):
        scan(tmp_path / "?.parquet")
    assert rows_of(scan(tmp_path / "?.parquet", schema_overrides={"a": str})) == [("300",), ("-1",), ("x",)]


def test_files_whose_columns_differ(write):
    one = write("a,b\n1,x\n", "1.csv")
    with pytest.raises(InputError, match=r"2\.csv has not the columns of .*1\.csv: it lacks 'b' and also has 'c'"):
        scan([one, write("a,c\n1,2\n", "2.csv")])
    keys = [write('{"a":1}\n', "1.jsonl"), write('{"a":"q","b":2}\n', "2.jsonl")]
    assert rows_of(scan(keys)) == [("1", None), ("q", 2)]


def test_columns_target_and_types_can_be_chosen(write, tmp_path):
    table = pl.DataFrame({"a": ["01", "02"], "b": [1.5, None], "c": ["x", "y"]})
    table.write_parquet(tmp_path / "t.parquet")
    for path in (write(table.write_csv()), write(table.write_ndjson(), "t.jsonl"), tmp_path / "t.parquet"):
        source = scan(path, columns=["b"], target="c")
        assert source.columns == ["b", "c"] and source.features == ["b"] and source.target == "c"
        assert rows_of(source) == [(1.5, "x"), (None, "y")]
        typed = scan(path, columns="b", schema_overrides={"b": pl.Float32})
        assert typed.schema == {"b": pl.Float32()} and rows_of(typed) == [(1.5,), (None,)]
    assert rows_of(scan(write(table.write_csv()), columns=["a"])) == [("01",), ("02",)]
    levels = pl.Enum(["y", "x"])
    assert scan(write(table.write_csv()), schema_overrides={"a": str, "c": levels}).head(1).row(0) == ("01", 1.5, "x")
    for option in ({"target": "klass"}, {"columns": ["klass"]}, {"schema_overrides": {"klass": int}}):
        with pytest.raises(InputError, match=f"{next(iter(option))}: there is no column 'klass'. Did you mean 'class'"):
            scan(write("class,b\n1,2\n"), **option)
    with pytest.raises(InputTypeError, match="schema_overrides"):
        scan(path, schema_overrides={"a": "float"})


@pytest.mark.parametrize("options", [{"batch_rows": 0}, {"batch_rows": 2.5}, {"separator": ";;"}, {"quote": ""}])
def test_options_that_cannot_be(options, write):
    with pytest.raises(InputError, match=next(iter(options))):
        scan(write("a\n1\n"), **options)


def test_a_source_can_be_sent_to_a_worker(tmp_path, write):
    example(10).write_parquet(tmp_path / "t.parquet")
    for path in (tmp_path / "t.parquet", write("a,b\n1,\n"), write('{"a":1}\n', "t.jsonl")):
        source = scan(path)
        assert rows_of(pickle.loads(pickle.dumps(source))) == rows_of(source)


@pytest.mark.parametrize(
    ("text", "rows"),
    [
        ("a,b\n1,x\n,y\n3,\n", [(1, "x"), (None, "y"), (3, None)]),
        ('a,b\n"",x\n1,""\n', [(None, "x"), (1, None)]),
        ("a,b\r\n1,x\r\n\r\n,y\r\n", [(1, "x"), (None, "y")]),
        ("\n\na,b\n\n1,x\n\n\n2,y\n\n", [(1, "x"), (2, "y")]),
        ("a,b\n1,x\n,", [(1, "x"), (None, None)]),
        ("a\n1\n\n3\n", [(1,), (None,), (3,)]),
        ("\ufeffa,b\n1,x", [(1, "x")]),
        ("a,b\n1,x \n+2, y\n", [(1, "x "), (2, " y")]),
        ("a,b,c\n01,1.10,00.5\n2,1.1,10.5\n", [("01", 1.1, 0.5), ("2", 1.1, 10.5)]),  # codes are text, decimals numbers
        ("a,b\n1,2\n1.5,-.5\n", [(1.0, 2.0), (1.5, -0.5)]),
        ("a,b\ninf,true\n-1e3,False\n", [(np.inf, True), (-1000.0, False)]),
        ("a\n99999999999999999999\n1\n", [(1e20,), (1.0,)]),
        ('a,b\n1,"x\n\ny"\n2,"he said ""hi"", ok"\n', [(1, "x\n\ny"), (2, 'he said "hi", ok')]),
        ("^a.*$,*,\n1,2,3\n", [(1, 2, 3)]),
        ("a,b\n", []),
    ],
)
def test_delimited_text(text, rows, write):
    assert rows_of(scan(write(text))) == rows
    assert rows_of(scan(write(text, "t.csv.gz"))) == rows


def test_nan_is_a_float_that_is_missing(write):
    source = scan(write("a\n1.5\nnan\nNaN\n"))
    assert source.schema == {"a": pl.Float64()}
    assert np.isnan(source.head(3)["a"].to_numpy()).tolist() == [False, True, True]


def test_dialects(write):
    assert rows_of(scan(write("a;b\n1;2,5\n"), separator=";")) == [(1, "2,5")]
    assert rows_of(scan(write("a\tb\n1\t\n\t2\n", "T.TSV"))) == [(1, None), (None, 2)]
    assert rows_of(scan(write("a,b\n1,?\nNA,2\n"), missing=["NA", "?"])) == [(1, None), (None, 2)]
    assert rows_of(scan(write("a,b\n1,?\n"), missing="?")) == [(1, None)]
    pipes = 'a,b\n1,5" pipe\n2,"z\n'
    assert rows_of(scan(write(pipes), quote=None)) == [(1, '5" pipe'), (2, '"z')]
    assert rows_of(scan(write("a,b\n1,'x,y'\n"), quote="'")) == [(1, "x,y")]


def test_json_lines(write):
    text = '{"a":1,"b":"x"}\n\n{"b" : "y"}\r\n{"a":null,"b":""}\n{"a": 2.5, "b": "\\":"}'
    for path in (write(text, "t.jsonl"), write("\ufeff" + text, "t.ndjson.gz")):
        assert rows_of(scan(path)) == [(1.0, "x"), (None, "y"), (None, ""), (2.5, '":')]
    mixed = write('{"a":1,"b":1,"c":[1]}\n{"a":"x","b":true,"c":[2,3]}\n', "t.jsonl")
    assert rows_of(scan(mixed)) == [("1", "1", [1]), ("x", "true", [2, 3])]
    large = write('{"a":99999999999999999999}\n{"a":1}\n', "t.jsonl")
    assert rows_of(scan(large)) == [(1e20,), (1.0,)]


TABLES = st.integers(1, 4).flatmap(
    lambda width: st.lists(
        st.lists(
            st.sampled_from(["", "a", "x,y", 'q"q', "l\nm", "\n\n", '""', "1", "2.5", "é", '",\n"', " s ", "\r\nz"]),
            min_size=width,
            max_size=width,
        ),
        max_size=10,
    )
)


@given(
    rows=TABLES,
    block=st.sampled_from([1, 3, 20, 1000]),
    batch_rows=st.integers(1, 5),
    end=st.sampled_from(["\n", "\r\n"]),
    quoting=st.sampled_from([csv.QUOTE_MINIMAL, csv.QUOTE_ALL]),
)
def test_any_table_is_read_as_the_csv_module_writes_it(rows, block, batch_rows, end, quoting):
    names = [f"n{j}" for j in range(len(rows[0]) if rows else 2)]
    buffer = io.StringIO(newline="")
    writer = csv.writer(buffer, lineterminator=end, quoting=quoting)
    writer.writerows([names, *rows])
    with tempfile.TemporaryDirectory() as folder, pytest.MonkeyPatch.context() as patch:
        patch.setattr(blocks, "_BLOCK", block)
        path = Path(folder, "t.csv")
        path.write_bytes(buffer.getvalue().encode())
        source = scan(path, batch_rows=batch_rows, schema_overrides=dict.fromkeys(names, str))
        assert rows_of(source) == [tuple(cell or None for cell in row) for row in rows]


@given(
    st.lists(st.dictionaries(st.sampled_from("ab"), st.none() | st.sampled_from(["", "x", '":', "null", "é\n"]))),
    st.sampled_from([(",", ":"), (", ", ": "), (" , ", " : ")]),
    st.sampled_from([1, 20, 1000]),
)
def test_any_objects_are_read_as_the_json_module_writes_them(objects, separators, block):
    objects = [{"a": None, "b": "first"}, *objects]
    with tempfile.TemporaryDirectory() as folder, pytest.MonkeyPatch.context() as patch:
        patch.setattr(blocks, "_BLOCK", block)
        path = Path(folder, "t.jsonl")
        path.write_text("\n".join(json.dumps(row, separators=separators) for row in objects))
        source = scan(path, schema_overrides={"a": str})
        assert rows_of(source) == [(row.get("a"), row.get("b")) for row in objects]


NUMBERS = "a,b\n" + "1,x\n" * 50


@pytest.mark.parametrize(
    ("late", "message"),
    [
        ("oops,y\n", r"line 52, column 'a': 'oops' is not Int64.*schema_overrides=\{'a': polars\.String\}"),
        ("1.5,y\n", r"line 52, column 'a': '1\.5' is not Int64.*schema_overrides=\{'a': polars\.Float64\}"),
        ("NA,y\n", r"line 52, column 'a': 'NA'.*missing=\['NA'\]"),
        ("2,z\n3\n", "line 53: the number of cells is 1, in the header 2"),
        ("2,z,3\n", "line 52: the number of cells is 3, in the header 2"),
        (b"2,caf\xe9\n", "line 52: byte 0xe9 is not UTF-8"),
        ('2,"two\nlines"\noops,y\n', "line 54, column 'a': 'oops'"),
        ('2,5" pipe\n3,6" pipe\n', 'line 52: a " inside a cell.*quote=None'),
        ('2,"never closed\n3,x\n', "line 52 is never closed"),
    ],
)
def test_a_late_mistake_in_delimited_text_is_located(late, message, write, small_blocks):
    data = NUMBERS.encode() + (late.encode() if isinstance(late, str) else late)
    for path in (write(data), write(data, "t.csv.gz")):
        source = scan(path)
        assert source.schema["a"] == pl.Int64
        with pytest.raises(InputError, match=message) as caught:
            rows_of(source)
        assert str(path) in str(caught.value)
        assert caught.value.__context__ is None or caught.value.__suppress_context__  # nothing of polars' own


def test_the_remedies_work(write, small_blocks):
    path = write(NUMBERS + "1.5,y\n")
    assert rows_of(scan(path, schema_overrides={"a": pl.Float64}))[-1] == (1.5, "y")
    assert rows_of(scan(write(NUMBERS + "NA,y\n"), missing=["NA"]))[-1] == (None, "y")


def test_a_column_that_was_empty_is_not_guessed(write, small_blocks):
    path = write("a,b\n" + "1,\n" * 50 + "1,2.5\n")
    assert scan(path).schema == {"a": pl.Int64(), "b": pl.String()}
    with pytest.raises(InputError, match=r"line 52, column 'b': '2\.5' is the first value.*polars\.Float64"):
        rows_of(scan(path))
    assert rows_of(scan(path, schema_overrides={"b": float}))[-1] == (1, 2.5)
    assert rows_of(scan(path, columns=["a"]))[-1] == (1,)
    path = write('{"a":1,"b":null}\n' * 50 + '{"a":1,"b":2.5}\n', "t.jsonl")
    with pytest.raises(InputError, match=r"line 51, column 'b': 2\.5 is the first value"):
        rows_of(scan(path))


@pytest.mark.parametrize(
    ("late", "message"),
    [
        ('{"a":"oops"}', r"line 51, column 'a': 'oops' is not Int64.*polars\.String"),
        ('{"a":1.5}', r"line 51, column 'a': 1\.5 is not Int64.*polars\.Float64"),
        ('{"a":true}', "line 51, column 'a': True is not Int64"),
        ('{"a":[1]}', r"line 51, column 'a': \[1\] is not Int64"),
        ('\n{"a":', "line 52 is not JSON: Expecting value"),
        ('{"a":NaN}', "line 51 is not JSON: NaN is no JSON value; write null"),
        ("[1]", "line 51 is not a JSON object"),
        ('{"a":1,"zz":2}', "line 51: the key 'zz' is in none of the first rows"),
        (b'{"b":"caf\xe9"}', "line 51: byte 0xe9 is not UTF-8"),
    ],
)
def test_a_late_mistake_in_json_is_located(late, message, write, small_blocks):
    data = b'{"a":1,"b":"x"}\n' * 50 + (late.encode() if isinstance(late, str) else late) + b"\n"
    for path in (write(data, "t.jsonl"), write(data, "t.jsonl.gz")):
        with pytest.raises(InputError, match=message) as caught:
            rows_of(scan(path))
        assert str(path) in str(caught.value)
        assert caught.value.__context__ is None or caught.value.__suppress_context__


def test_a_late_key_can_be_announced_or_left_out(write, small_blocks):
    path = write('{"a":1}\n' * 50 + '{"a":1,"zz":2}\n', "t.jsonl")
    assert rows_of(scan(path, schema_overrides={"zz": int}))[-1] == (1, 2)
    assert rows_of(scan(path, columns=["a"]))[-1] == (1,)


@pytest.mark.parametrize(
    ("name", "content", "message"),
    [
        ("t.csv", "", "is empty"),
        ("t.csv", "\n\n", "is empty"),
        ("t.csv.gz", "", "is empty"),
        ("t.jsonl", "\n", "is empty"),
        ("t.jsonl", "{}\n", "has no columns"),
        ("t.jsonl", '[{"a":1}]', "line 1 is not a JSON object"),
        ("t.jsonl", '{\n "a": 1\n}\n', "line 1 is not JSON"),
        ("t.jsonl", '{"a":' + "[" * 9000, "line 1 is not JSON"),
        ("t.csv", "a,b,a,b\n1,2,3,4\n", "the header names columns more than once: 'a', 'b'"),
        ("t.csv", "a,b\r1,2\r", "carriage returns"),
        ("t.csv", 'a"\n",b\n1,2\n', "the header cannot be read"),
        ("t.csv", 'a,b\n1,"abc"def\n', 'line 2: a " inside a cell'),
        ("t.csv", 'a,b\n1,""abc\n', "lines 2 to 3 cannot be read"),
        ("t.csv", "a,b\n1,2\n".encode("utf-16"), "not UTF-8"),
        ("t.csv", bytes(range(128, 256)), "not UTF-8"),
        ("t.parquet", b"PAR1 garbage PAR1", "cannot be read as Parquet"),
        ("t.parquet", b"", "is empty"),
        ("t.arrow", b"garbage", "cannot be read as Arrow"),
        ("t.xml", "x", r"These do: \.csv, .*\.parquet"),
        ("t.xlsx", "x", "Read it by read_table"),
        ("t.parquet.gz", "x", "suffix"),
        ("t", "x", "suffix"),
    ],
)
def test_files_that_cannot_be_read(name, content, message, write):
    with pytest.raises(InputError, match=message):
        rows_of(scan(write(content, name)))


def test_damaged_files(tmp_path, write):
    packed = gzip.compress(example(50).write_csv().encode())
    for data in (packed[:-10], packed[:400] + b"\0\0\0\0" + packed[404:], b"plain text"):
        (tmp_path / "t.csv.gz").write_bytes(data)
        with pytest.raises(InputError, match=r"t\.csv\.gz is damaged gzip"):
            rows_of(scan(tmp_path / "t.csv.gz"))
    (tmp_path / "two.csv.gz").write_bytes(gzip.compress(b"a\n1\n") + gzip.compress(b"2\n"))
    assert rows_of(scan(tmp_path / "two.csv.gz")) == [(1,), (2,)]
    (tmp_path / "named.csv").write_bytes(packed)  # compressed, though its name does not say so
    assert len(rows_of(scan(tmp_path / "named.csv"))) == 50
    pl.DataFrame({"a": [1]}).write_ipc_stream(tmp_path / "t.arrow")
    with pytest.raises(InputError, match="Arrow streams are not read"):
        scan(tmp_path / "t.arrow")


def test_flipped_bits_raise_nothing_but_our_errors(tmp_path, capfd):
    rng = np.random.default_rng(0)
    for name in ("t.parquet", "t.arrow", "t.csv.gz", "t.jsonl"):
        WRITERS[name](example(30), tmp_path / name)
        sound = (tmp_path / name).read_bytes()
        for _ in range(25):
            damaged = bytearray(sound)
            for place in rng.integers(0, len(sound), 3):
                damaged[place] ^= 1 << rng.integers(0, 8)
            (tmp_path / name).write_bytes(damaged)
            try:
                assert sum(batch.height for batch in scan(tmp_path / name).batches()) >= 0
            except LikelyError as error:
                assert name in str(error)


def test_a_file_that_changes_or_goes_while_it_is_read(tmp_path, write):
    example(100).write_parquet(tmp_path / "t.parquet")
    source = scan(tmp_path / "t.parquet")
    example(50).write_parquet(tmp_path / "t.parquet")
    with pytest.raises(InputError, match="changed while it was being read"):
        rows_of(source)
    path = write(NUMBERS)
    source = scan(path)
    path.unlink()
    with pytest.raises(InputError, match="cannot be read: No such file"):
        rows_of(source)


def test_files_that_are_not_there(tmp_path, write):
    write("a\n1\n", "titanic.csv")
    with pytest.raises(InputError, match=r"does not exist. Did you mean titanic\.csv"):
        scan(tmp_path / "titanik.csv")
    with pytest.raises(InputError, match="nor does the folder"):
        scan(tmp_path / "nowhere" / "t.csv")
    with pytest.raises(InputError, match="is a folder"):
        scan(tmp_path)
    with pytest.raises(InputError, match="no file matches"):
        scan(str(tmp_path / "*.parquet"))
    with pytest.raises(InputError, match="the list is empty"):
        scan([])
    odd = write("a\n1\n", "odd[1].csv")
    assert rows_of(scan(odd)) == [(1,)]


def test_a_record_without_end_does_not_fill_the_memory(write, monkeypatch):
    monkeypatch.setattr(blocks, "_BLOCK", 100)
    monkeypatch.setattr(blocks, "_LONGEST", 1000)
    with pytest.raises(InputError, match="begins on line 2 does not end within"):
        scan(write('a,b\n1,"' + "x\n" * 5000))
    with pytest.raises(InputError, match="line of its own"):
        scan(write("[" + '{"a":1},' * 5000, "t.jsonl"))


def shared(name):
    path = DATA / name
    if not path.exists():
        pytest.skip(f"the shared data sets are not here: {path}")
    return path


@pytest.mark.parametrize(
    "name",
    [
        "mixed/titanic.csv.gz",
        "mixed/soybean.csv.gz",
        "mixed/heart_disease.csv",
        "mixed/penguins.csv",
        "mixed/adult.csv.gz",
        "numeric/iris.csv",
    ],
)
def test_real_tables_agree_with_pandas(name):
    path = shared(name)
    ours = pl.concat(scan(path, batch_rows=97).batches())
    theirs = pd.read_csv(path, keep_default_na=False, na_values=[""])
    assert ours.columns == theirs.columns.tolist()
    for column in ours:
        other = theirs[column.name]
        assert column.is_null().to_list() == other.isna().tolist()
        assert column.dtype.is_numeric() == pd.api.types.is_numeric_dtype(other) or column.dtype == pl.Boolean
        kept = column.drop_nulls()
        if column.dtype.is_numeric():
            np.testing.assert_array_equal(kept.to_numpy(), other.dropna().to_numpy())
        elif column.dtype == pl.String:
            assert kept.to_list() == other.dropna().astype(str).tolist()


@pytest.mark.parametrize("name", ["text/sms_spam.jsonl.gz", "text/rt_polarity.jsonl.gz"])
def test_real_text_agrees_with_the_json_module(name):
    path = shared(name)
    with gzip.open(path, "rt", encoding="utf-8") as lines:
        expected = [tuple(json.loads(line).values()) for line in lines]
    assert rows_of(scan(path, batch_rows=1000)) == expected


def test_a_real_large_table_agrees_with_pyarrow():
    path = shared("large/covertype.parquet")
    source = scan(path, target="Cover_Type", columns=["Elevation"])
    assert source.rows == 581_012 and source.n_batches == 9
    table = pa.parquet.read_table(path, columns=["Elevation", "Cover_Type"])
    assert source.batch(8).equals(pl.from_arrow(table.slice(8 * 65_536)))
    assert (
        sum(int(batch["Elevation"].sum()) for batch in source.batches()) == pa.compute.sum(table["Elevation"]).as_py()
    )


PEAK = """
    import resource, sys
    from likely.data.sources import scan
    source = scan(sys.argv[1])
    source.head()
    rows = sum(batch.height for batch in source.batches())
    print(rows, resource.getrusage(resource.RUSAGE_SELF).ru_maxrss)
"""


@pytest.mark.slow
@pytest.mark.parametrize("name", ["t.csv", "t.csv.gz", "t.jsonl", "t.jsonl.gz", "t.parquet"])
def test_memory_does_not_grow_with_the_file(name, tmp_path):
    frame = pl.concat([example(50_000)] * 2)
    peaks = []
    for copies in (5, 40):  # 40 copies of the text are about 200 MB
        path = tmp_path / f"{copies}-{name}"
        if name == "t.parquet":
            pl.concat([frame] * copies).write_parquet(path)
        else:
            header, body = (frame.head(0).write_csv(), frame.write_csv(include_header=False))
            if "json" in name:
                header, body = "", frame.write_ndjson()
            pack = gzip.compress if name.endswith(".gz") else bytes
            with path.open("wb") as file:  # gzip files may be concatenated
                file.write(pack(header.encode()))
                packed = pack(body.encode())
                for _ in range(copies):
                    file.write(packed)
        command = [sys.executable, "-c", textwrap.dedent(PEAK), str(path)]
        rows, peak = map(int, subprocess.check_output(command).split())
        assert rows == copies * frame.height
        peaks.append(peak / 1024)
    assert peaks[1] - peaks[0] < 60  # MB
