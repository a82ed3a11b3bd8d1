"""Files of every kind in and out: compressed, spreadsheets, databases, decimal commas, large ones in batches."""

import bz2
import gzip
import lzma
import sqlite3
import sys
import zipfile
from contextlib import closing

import numpy as np
import polars as pl
import pytest
from tests.stories.command_line import refused, run

from likely import load
from likely.cli.inputs import large
from likely.data import read_table, scan
from likely.data.bundled import penguins
from likely.errors import InputError

BIRDS = penguins()
TEXT = BIRDS.write_csv()


@pytest.fixture(scope="module")
def model(tmp_path_factory):
    place = tmp_path_factory.mktemp("model")
    BIRDS.write_csv(place / "birds.csv")
    done = run("fit", place / "birds.csv", "--target", "species", "-o", place / "m.likely", "--no-calibrate")
    assert done.exit_code == 0, done.output
    return place / "m.likely"


def zstd_bytes(data):
    return pytest.importorskip("zstandard", reason="zstandard is not installed (extra `zstd`)").compress(data)


PACKED = {"gz": gzip.compress, "bz2": bz2.compress, "xz": lzma.compress, "zst": zstd_bytes}


@pytest.mark.parametrize("how", PACKED)
def test_compressed_text(how, tmp_path):
    path = tmp_path / f"birds.csv.{how}"
    path.write_bytes(PACKED[how](TEXT.encode()))
    assert read_table(path).equals(read_table(BIRDS)) and pl.concat(scan(path).batches()).height == BIRDS.height
    renamed = tmp_path / "birds"  # told by its content
    renamed.write_bytes(path.read_bytes())
    assert read_table(renamed).equals(read_table(BIRDS))
    path.write_bytes(path.read_bytes()[:-20])
    with pytest.raises(InputError, match="damaged"):
        read_table(path)


def test_zip_with_one_file(tmp_path):
    path = tmp_path / "birds.zip"
    with zipfile.ZipFile(path, "w") as archive:
        archive.writestr("inside/birds.csv", TEXT)
    assert read_table(path).equals(read_table(BIRDS))
    with zipfile.ZipFile(path, "a") as archive:
        archive.writestr("more.csv", TEXT)
    with pytest.raises(InputError, match=r"holds 2 files: 'inside/birds\.csv', 'more\.csv'"):
        read_table(path)


def test_zstandard_without_the_package(tmp_path, monkeypatch):
    monkeypatch.setitem(sys.modules, "zstandard", None)
    path = tmp_path / "x.csv.zst"
    path.write_bytes(b"\x28\xb5\x2f\xfd....")
    with pytest.raises(InputError, match=r"pip install 'likely\[zstd\]'"):
        read_table(path)


def test_decimal_commas(tmp_path):
    path = tmp_path / "shop.csv"
    path.write_text("price;town;y\n" + "1,5;Rome;a\n2;Oslo;b\n-3,25;Rome;a\n" * 20)
    assert read_table(path, decimal=",")["price"].to_list()[:3] == [1.5, 2.0, -3.25]
    assert scan(path, separator=";", decimal=",").schema["price"] == pl.Float64
    done = run("fit", path, "--target", "y", "--decimal", ",", "-o", tmp_path / "m.likely")
    assert done.exit_code == 0 and load(tmp_path / "m.likely").estimator_.schema_.kinds["price"] == "numeric"
    assert run("predict", tmp_path / "m.likely", path, "--decimal", ",").exit_code == 0
    said = run("fit", path, "--target", "y", "-o", tmp_path / "n.likely").stderr
    assert "decimal comma" in said and "--decimal ," in said
    with pytest.raises(InputError, match="cannot both"):
        read_table(path, decimal=",", separator=",")
    late = tmp_path / "late.csv"  # a cell far down decides
    late.write_text("x;y\n" + "1;a\n" * 20_000 + "2,5;b\n")
    assert read_table(late, decimal=",")["x"][-1] == 2.5


def test_missing_cells_that_are_spelled(tmp_path):
    path = tmp_path / "gaps.csv"
    path.write_text("x,y\n" + "1.5,a\nNA,b\n2.5,a\n3.5,b\n" * 10)
    said = run("fit", path, "--target", "y", "-o", tmp_path / "m.likely").stderr
    assert "'NA', which may mean missing" in said and "say --missing NA" in said and "missing=" not in said


def test_databases(tmp_path, model):
    path = tmp_path / "birds.db"
    with closing(sqlite3.connect(path)) as base, base:
        base.execute(f"create table birds ({', '.join(BIRDS.columns)})")
        base.executemany(f"insert into birds values ({', '.join('?' * BIRDS.width)})", BIRDS.rows())
    assert read_table(path).equals(read_table(BIRDS))
    assert run("predict", model, path).stdout == run("predict", model, model.parent / "birds.csv").stdout
    with closing(sqlite3.connect(path)) as base, base:
        base.execute('create table "other one" (x)')
    with pytest.raises(InputError, match=r"has 2 tables: 'birds', 'other one'\. Name one: .*::birds"):
        read_table(path)
    assert read_table(f"{path}::birds").height == BIRDS.height
    with pytest.raises(InputError, match="no table 'bird'"):
        read_table(f"{path}::bird")
    (tmp_path / "broken.sqlite").write_bytes(b"SQLite format 3\0" + b"x" * 100)
    with pytest.raises(InputError, match="cannot be read as sqlite"):
        read_table(tmp_path / "broken.sqlite")


def test_duckdb_files(tmp_path):
    duckdb = pytest.importorskip("duckdb", reason="DuckDB is not installed (extra `duckdb`)")
    path = tmp_path / "birds.db"  # as SQLite's are called too
    with duckdb.connect(str(path)) as base:
        base.register("given", BIRDS.to_arrow())
        base.execute("create table birds as select * from given")
    assert read_table(path).equals(read_table(BIRDS))


def test_spreadsheets(tmp_path, model):
    pytest.importorskip("fastexcel", reason="fastexcel is not installed (extra `excel`)")
    pytest.importorskip("xlsxwriter", reason="xlsxwriter is not installed (extra `excel`)")
    path = tmp_path / "birds.xlsx"
    BIRDS.write_excel(path)
    found = read_table(path)
    assert found.columns == BIRDS.columns and found["species"].equals(BIRDS["species"])
    assert run("predict", model, path, "-o", tmp_path / "said.xlsx").exit_code == 0
    assert read_table(tmp_path / "said.xlsx")["class"].to_list()[0] == "Adelie"
    (tmp_path / "bad.xlsx").write_bytes(b"PK\3\4 nothing")
    with pytest.raises(InputError, match="spreadsheet"):
        read_table(tmp_path / "bad.xlsx")


def test_spreadsheets_without_their_packages(tmp_path, model, monkeypatch):
    monkeypatch.setitem(sys.modules, "fastexcel", None)
    monkeypatch.setitem(sys.modules, "xlsxwriter", None)
    (tmp_path / "x.xlsx").write_bytes(b"PK\3\4")
    with pytest.raises(InputError, match=r"pip install 'likely\[excel\]'"):
        read_table(tmp_path / "x.xlsx")
    assert "likely[excel]" in refused("predict", model, model.parent / "birds.csv", "-o", tmp_path / "y.xlsx")
    assert not (tmp_path / "y.xlsx").exists()


@pytest.mark.parametrize(
    "suffix, read",
    [
        ("parquet", pl.read_parquet),
        ("arrow", pl.read_ipc),
        ("jsonl", pl.read_ndjson),
        ("csv", pl.read_csv),
        ("tsv", lambda text: pl.read_csv(text, separator="\t")),
    ],
)
def test_results_by_the_name_of_their_file(suffix, read, model, tmp_path):
    place = tmp_path / f"said.{suffix}"
    done = run("predict", model, model.parent / "birds.csv", "-o", place)
    assert done.exit_code == 0, done.output
    place = place.read_bytes()
    assert read(place).columns[0] == "class" and read(place).height == BIRDS.height
    assert done.stdout == ""
    printed = run("predict", model, model.parent / "birds.csv", "-o", "-").stdout
    assert printed.startswith("class,")


@pytest.mark.slow  # a connection is tried again for a while before it is given up
def test_addresses_that_cannot_be_reached(model):
    assert "cannot be read" in refused("predict", model, "https://localhost:1/rows.csv")
    assert "Fetch the file" in refused("predict", model, "s3://bucket/rows.xml")


@pytest.fixture
def everything_is_large(monkeypatch):
    monkeypatch.setattr(large, "LARGE", 0)


@pytest.mark.parametrize("suffix", ["csv", "parquet", "jsonl"])
def test_large_files_are_answered_in_batches(suffix, model, tmp_path, monkeypatch):
    path = tmp_path / f"birds.{suffix}"
    {"csv": BIRDS.write_csv, "parquet": BIRDS.write_parquet, "jsonl": BIRDS.write_ndjson}[suffix](path)
    whole = run("predict", model, path, "--keep-column", "island")
    monkeypatch.setattr(large, "LARGE", 0)
    parts = run("predict", model, path, "--keep-column", "island")
    assert parts.exit_code == 0 and "is large" in parts.stderr
    assert parts.stdout == whole.stdout and len(whole.stdout.splitlines()) == BIRDS.height + 1
    assert run("predict", model, path, "-o", tmp_path / "said.csv", "--keep-column", "island").stdout == ""
    assert (tmp_path / "said.csv").read_text() == whole.stdout
    judged = run("evaluate", model, path, "--json")
    monkeypatch.undo()
    assert judged.stdout == run("evaluate", model, path, "--json").stdout


def test_large_files_are_learned_in_batches(model, tmp_path, monkeypatch):
    path = model.parent / "birds.csv"
    assert run("update", model, path, "-o", tmp_path / "whole.likely").exit_code == 0
    monkeypatch.setattr(large, "LARGE", 0)
    assert run("update", model, path, "-o", tmp_path / "parts.likely").exit_code == 0
    assert np.array_equal(*(load(tmp_path / f"{name}.likely").class_count_ for name in ("whole", "parts")))


def test_a_mistake_far_down_names_its_row(model, tmp_path, everything_is_large):
    path = tmp_path / "far.csv"
    lines = TEXT.splitlines()
    wrong = lines[1].split(",")
    wrong[BIRDS.columns.index("body_mass_g")] = "heavy"
    path.write_text("\n".join([*lines, *lines[1:] * 200, ",".join(wrong)]) + "\n")
    said = refused("predict", model, path, "-o", tmp_path / "said.csv")
    assert "heavy" in said and "in rows 65,536 to" in said
    assert not (tmp_path / "said.csv").exists()
