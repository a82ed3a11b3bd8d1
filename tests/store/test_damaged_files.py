"""Damaged, foreign and forged files give `LikelyError`, without a crash, a hang or much memory."""

import contextlib
import copy
import hashlib
import json
import os
import pickle
import random
import tracemalloc
import zipfile
import zlib
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from likely import BayesClassifier, GaussianBayes, NaiveBayes
from likely.decisions import Calibrated, Decider
from likely.distributions.amounts.histogram import HistogramFamily
from likely.errors import LikelyError
from likely.reports.writing import write_text
from likely.store import inspect, load, model_file, save, values
from likely.store.files import archive

X = np.array([[1.0, 0], [2, 1], [3, 1], [7, 0], [8, 1], [9, 0], [4, 1], [6, 1]])
Y = ["low", "low", "low", "high", "high", "high", "low", "high"]
SOME = [None, *Y[1:]]
MAKERS = {  # each fitted when it is needed, not when tests are collected
    "naive": lambda: NaiveBayes().fit(X, Y),
    "levels": lambda: NaiveBayes("nominal").fit(X.astype(int), Y),
    "histogram": lambda: NaiveBayes("histogram").fit(X, Y),
    "counts": lambda: NaiveBayes("negative_binomial").fit(X, Y),
    "vectors": lambda: GaussianBayes().fit(X, Y),
    "hidden": lambda: BayesClassifier().fit(X, SOME),
    "hidden kde": lambda: NaiveBayes("kde", hidden="em").fit(X, SOME),
    "calibrated": lambda: Calibrated(NaiveBayes(), "isotonic", cv=2).fit(X, Y),
    "decider": lambda: Decider(GaussianBayes("shared"), rule="recalibrated", cv=2).fit(X, Y),
}
LIMIT = 50 * 2**20


@contextlib.contextmanager
def little_memory(limit=LIMIT):
    tracemalloc.start()
    try:
        yield
        assert tracemalloc.get_traced_memory()[1] < limit
    finally:
        tracemalloc.stop()


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    folder = tmp_path_factory.mktemp("files")
    for name, make in MAKERS.items():
        save(make(), folder / name)
    return folder


def refused(place):
    """Neither load nor inspect takes the file, nor much memory."""
    for read in (load, inspect):
        with pytest.raises(LikelyError):
            read(place)


def parts(place):
    with zipfile.ZipFile(place) as found:
        manifest = json.loads(found.read("likely.json"))
        arrays = {name: found.read(f"arrays/{name}.npy") for name in manifest["arrays"]}
    return manifest, arrays


def forge(place, manifest, arrays):
    """A file whose digests are all right."""
    text = manifest if isinstance(manifest, bytes) else model_file._text(manifest)
    members = {"likely.json": text, "likely.sha256": model_file._digest_line(text)}
    members |= {f"arrays/{name}.npy": data for name, data in arrays.items()}
    archive.write_archive(place, {name: memoryview(data) for name, data in members.items()})
    return place


def signed(place, data):
    """Bytes with the digest that they should end with."""
    data = bytes(data[:-64])
    place.write_bytes(data + hashlib.sha256(data).hexdigest().encode())
    return place


def test_every_changed_byte_is_found(folder, tmp_path):
    whole, place = (folder / "naive").read_bytes(), tmp_path / "flipped"
    place.write_bytes(whole)
    with place.open("r+b", buffering=0) as file:
        for i, byte in enumerate(whole):
            file.seek(i)
            file.write(bytes([byte ^ 1 << (i % 8)]))
            with pytest.raises(LikelyError), archive.Archive.opened(place):  # as load and inspect do
                pass
            file.seek(i)
            file.write(bytes([byte]))
    assert load(place).classes_.tolist() == ["high", "low"]


def test_every_lost_or_added_byte_is_found(folder, tmp_path):
    whole, place = (folder / "naive").read_bytes(), tmp_path / "cut"
    for size in range(0, len(whole), 23):
        place.write_bytes(whole[:size])
        refused(place)
    for changed in (whole[:-1], whole[1:], whole + b"\0", b"\0" + whole, whole[:500] + whole[501:], whole + whole):
        place.write_bytes(changed)
        refused(place)


def test_even_a_signed_change_of_the_tables_is_found(folder, tmp_path):
    whole, place = (folder / "naive").read_bytes(), tmp_path / "signed"
    chooser, found = random.Random(0), 0
    for _ in range(200):
        changed = bytearray(whole)
        changed[chooser.randrange(len(whole) - 64)] ^= 1 << chooser.randrange(8)
        try:  # the spare bits at the end of a deflated member mean nothing
            assert save(load(signed(place, changed)), tmp_path / "same").read_bytes() == whole
        except LikelyError:
            found += 1
    assert found > 190


@given(st.binary(max_size=300))
@settings(max_examples=60)
def test_random_bytes_are_refused(tmp_path_factory, data):
    place = tmp_path_factory.getbasetemp() / "random"
    place.write_bytes(data)
    refused(place)
    refused(signed(place, b"PK\3\4" + data + bytes(64)))


def nodes(tree, found):
    """Every place of the manifest that can be changed: (container, key)."""
    entries = tree.items() if isinstance(tree, dict) else enumerate(tree) if isinstance(tree, list) else ()
    for key, value in entries:
        found.append((tree, key))
        nodes(value, found)
    return found


STRANGE = [
    None, True, -1, 0, 2**70, 1.5, "", "x", [], {}, [[]], {"array": "nothing"}, {"same": [10**9, None]}, "__import__",
    {"value": ["Gaussian", {}]}, {"float": "nan"}, {"list": []}, {"objects": [[10**12], []]}, {"estimator": None},
    {"decimal": "1e999999999"}, {"value": ["os.system", {"command": "true"}]},
]  # fmt: skip


@pytest.mark.parametrize("name", MAKERS)
def test_forged_manifests_are_refused_or_models_in_full(folder, tmp_path, name):
    manifest, arrays = parts(folder / name)
    outcomes = []
    chooser = random.Random(name)
    for _ in range(20):
        forged = copy.deepcopy(manifest)
        for _ in range(chooser.choice((1, 1, 2))):
            places = nodes(forged, [])
            tree, key = chooser.choice(places)
            other, place = chooser.choice(places)
            act = chooser.randrange(4)
            if act == 0 and isinstance(tree, dict):
                del tree[key]
            elif act == 1:
                tree[key] = copy.deepcopy(other[place])
            else:
                tree[key] = copy.deepcopy(chooser.choice(STRANGE))
        outcomes.append(outcome(tmp_path, forge(tmp_path / "forged", forged, arrays), little_memory()))
    assert outcomes.count("refused") >= 15  # what is left is a manifest that someone could have written


@pytest.mark.parametrize("name", MAKERS)
def test_forged_arrays_are_refused_or_models_in_full(folder, tmp_path, name):
    manifest, arrays = parts(folder / name)
    outcomes = []
    chooser = random.Random(name)
    odd = [float("nan"), float("inf"), -1.0, 1e300, 0.0, 1e-300]
    for _ in range(15):
        forged, data = copy.deepcopy(manifest), dict(arrays)
        key = chooser.choice(sorted(data))
        entry = forged["arrays"][key]
        values = np.frombuffer(data[key][-entry["bytes"] :] if entry["bytes"] else b"", entry["dtype"]).copy()
        if chooser.random() < 0.5 and len(values) and values.dtype.kind == "f":
            values[chooser.randrange(len(values))] = chooser.choice(odd)
        elif chooser.random() < 0.5 and len(values) and values.dtype.kind == "i":
            values[chooser.randrange(len(values))] = chooser.choice([-1, 0, 2**40, 2**62, -(2**62)])
        else:
            values = np.resize(values, chooser.choice([0, 1, len(values) + 1]))
            entry["shape"] = chooser.choice([[len(values)], [1, len(values)], [len(values), 1]])
        raw = model_file.RawArray.of(values)[0]
        entry |= {"bytes": values.nbytes, "sha256": raw.sha256}
        data[key] = model_file.RawArray.read(entry).header + values.tobytes()
        outcomes.append(outcome(tmp_path, forge(tmp_path / "forged", forged, data), little_memory(4 * LIMIT)))
    assert "refused" in outcomes


def outcome(tmp_path, path, memory):
    """Whether a file is refused, or taken: then its model gives probabilities, and saved again it gives the same."""
    with memory, np.errstate(all="ignore"):
        try:
            model = load(path)
        except LikelyError:
            return "refused"
        rows = X if model.n_features_in_ == 2 else X[:, :1]
        said = model.predict_proba(rows)
        np.testing.assert_array_equal(load(save(model, tmp_path / "again")).predict_proba(rows), said)
    told = ~np.isnan(said).any(axis=1)  # where a forged value is no number, neither is what it says
    assert (said[told] >= 0).all()
    np.testing.assert_allclose(said[told].sum(axis=1), 1.0, rtol=1e-6)
    return "taken"


def test_a_later_format_is_named(folder, tmp_path):
    manifest, arrays = parts(folder / "naive")
    manifest["format_version"] = 2
    with pytest.raises(LikelyError, match=r"format version 2.*reads version 1"):
        load(forge(tmp_path / "later", manifest, arrays))


def test_objects_and_pickles_are_refused(folder, tmp_path):
    manifest, arrays = parts(folder / "naive")
    for dtype in ("|O", "O8", "<c16", ">f8", "|V8", [["a", "<f8"]]):
        forged = copy.deepcopy(manifest)
        next(iter(forged["arrays"].values()))["dtype"] = dtype
        refused(forge(tmp_path / "objects", forged, arrays))
    place = tmp_path / "pickle.likely"
    place.write_bytes(pickle.dumps(MAKERS["naive"]()))
    refused(place)


@pytest.mark.parametrize("shape", [[2**40], [2**31, 2**31], [-1], [2.0], [2**48] * 8, [1] * 9, "2"])
def test_a_declared_size_is_checked_before_it_is_allocated(folder, tmp_path, shape):
    manifest, arrays = parts(folder / "naive")
    entry = next(iter(manifest["arrays"].values()))
    for size in (entry["bytes"], 2**43):
        entry |= {"shape": shape, "bytes": size}
        with little_memory():
            refused(forge(tmp_path / "large", manifest, arrays))


def test_bombs_are_refused(folder, tmp_path, monkeypatch):
    manifest, arrays = parts(folder / "naive")
    monkeypatch.setattr(archive, "UNFOLDING", 10**9)
    zeros = bytes(100 * 2**20)
    place = forge(tmp_path / "bomb", b" " * (30 * 2**20) + model_file._text(manifest), {**arrays, "zeros": zeros})
    monkeypatch.undo()
    assert place.stat().st_size < 2**20
    deep = forge(tmp_path / "deep", b"[" * 100_000 + b"]" * 100_000, arrays)
    many = forge(tmp_path / "many", b"[" + b"[]," * 3_000_000 + b"[]]", arrays)
    with little_memory():
        for each in (place, deep, many):
            refused(each)
    with pytest.raises(LikelyError, match="max_size"):
        load(folder / "naive", max_size=1000)


def test_a_member_that_unfolds_to_more_than_it_says_is_refused(folder, tmp_path, monkeypatch):
    manifest, arrays = parts(folder / "naive")
    real = archive._packed

    def lying(data):
        packed, method = real(data)
        more = zlib.compressobj(6, zlib.DEFLATED, -15)
        return (more.compress(bytes(data) * 1000) + more.flush(), 8) if method == 8 else (packed, method)

    monkeypatch.setattr(archive, "_packed", lying)
    refused(forge(tmp_path / "lying", manifest, arrays))


def test_too_many_bins_are_refused(tmp_path):
    model = NaiveBayes(HistogramFamily(bins=4)).fit(X, Y)
    manifest, arrays = parts(save(model, tmp_path / "bins"))
    text = model_file._text(manifest).replace(b'"bins":4', b'"bins":400000000000')
    with pytest.raises(LikelyError, match="bins"):
        load(forge(tmp_path / "bins", json.loads(text), arrays))


def nested(value, depth, times=150):
    for _ in range(depth):
        value = {"same": [times, value]}
    return value


@pytest.mark.parametrize("value", [0, "x", None, [1], {"same": [40, "x"]}], ids=str)
@pytest.mark.parametrize("read", [load, inspect])
def test_repeated_values_do_not_unfold(folder, tmp_path, value, read):
    manifest, arrays = parts(folder / "naive")
    many = nested(value, 6)
    for forged in (
        many,
        {"dict": [[many, 1]]},
        {"value": ["Column", {"name": many, "kind": "numeric"}]},
        {"records": ["Column", 1, {"name": [many], "kind": ["numeric"]}]},
        {"same": [10**7, "long" * 1000]},
    ):
        manifest["model"]["parameters"]["alpha"] = forged
        with little_memory(), pytest.raises(LikelyError) as error:
            read(forge(tmp_path / "nested", manifest, arrays))
        assert len(str(error.value)) < 1000


@pytest.mark.parametrize(
    ("body", "array"),
    [
        ({"texts": ["big", "edges"]}, np.full(2**16, 97, dtype=np.uint8)),
        ({"numbers": "big"}, np.zeros(2**13)),
        ({"scalar": "big"}, np.array("x" * 2**14)),
        ({"array": "big"}, np.zeros(2**13)),
    ],
    ids=lambda value: next(iter(value)) if isinstance(value, dict) else "",
)
def test_an_array_named_often_is_paid_for_each_time(folder, tmp_path, monkeypatch, body, array):
    monkeypatch.setattr(values, "_FREE", 2**14)
    manifest, arrays = parts(folder / "naive")
    for name, one in {"big": array, "edges": np.array([0, 2**16])}.items():
        raw, data = model_file.RawArray.of(one)
        manifest["arrays"][name] = raw.entry
        arrays[name] = raw.header + data.tobytes()
    manifest["model"]["parameters"]["alpha"] = {"list": [body] * 5000}
    place = forge(tmp_path / "often", manifest, arrays)
    for read in (load, inspect):
        with little_memory(LIMIT // 5), pytest.raises(LikelyError, match="too many for its size"):
            read(place)


def test_messages_quote_little_of_a_large_value(folder, tmp_path):
    manifest, arrays = parts(folder / "naive")
    for large in ("x" * 10**6, list(range(10**5)), {"same": [10**5, "x"]}, {"list": [[["x" * 1000]] * 100] * 10}):
        for forged in (large, {"value": ["GaussianFamily", {"strength": large}]}):
            manifest["model"]["parameters"]["alpha"] = forged
            with pytest.raises(LikelyError) as error:
                load(forge(tmp_path / "large", manifest, arrays))
            assert len(str(error.value)) < 1000
        manifest["model"]["parameters"]["alpha"] = large
        assert len(str(inspect(forge(tmp_path / "large", manifest, arrays)))) < 20_000


def test_models_in_models_are_limited_in_depth(folder, tmp_path):
    manifest, arrays = parts(folder / "naive")
    bare = {"estimator": "NaiveBayes", "parameters": {}, "fitted": None}
    by_parameter, by_fit = bare, manifest["model"]
    for _ in range(50):
        by_parameter = {
            "estimator": "Decider",
            "parameters": {"estimator": {"estimator": by_parameter}},
            "fitted": None,
        }
        by_fit = {
            "estimator": "Decider",
            "parameters": {"estimator": {"estimator": bare}},
            "fitted": {"estimator": by_fit},
        }
    manifest["model"]["parameters"]["alpha"] = {"list": [{"estimator": by_parameter}]}
    refused(forge(tmp_path / "deep", manifest, arrays))
    manifest["model"] = by_fit
    with pytest.raises(LikelyError, match="nested"):
        load(forge(tmp_path / "deep", manifest, arrays))


def test_names_of_one_hash_are_refused(folder, tmp_path):
    same = [k * (2**61 - 1) for k in range(1, 5000)]
    for put in ("parameter", "classes"):
        manifest, arrays = parts(folder / "naive")
        if put == "parameter":
            manifest["model"]["parameters"]["alpha"] = {"dict": [[k, 0] for k in same]}
        else:
            manifest["model"]["fitted"]["classes"] = same
        for read in (load, inspect):
            with pytest.raises(LikelyError, match="hash"):
                read(forge(tmp_path / "hash", manifest, arrays))


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="this system has no named pipes")
def test_a_pipe_is_refused_at_once(tmp_path):
    os.mkfifo(tmp_path / "pipe")
    for read in (load, inspect):
        with pytest.raises(LikelyError, match="pipe"):
            read(tmp_path / "pipe")
    with pytest.raises(LikelyError, match="device"):
        load("/dev/zero")


def test_an_error_while_writing_leaves_the_old_file(folder, tmp_path, monkeypatch):
    place = save(MAKERS["naive"](), tmp_path / "kept.likely")
    before = place.read_bytes()

    def full(*_):
        raise OSError(28, "No space left on device")

    for name in ("fsync", "replace"):
        with monkeypatch.context() as patch:
            patch.setattr(os if name == "fsync" else Path, name, full)
            with pytest.raises(LikelyError, match="No space left"):
                save(MAKERS["vectors"](), place)
        assert place.read_bytes() == before
    with monkeypatch.context() as patch:
        patch.setattr(archive, "_packed", lambda data: 1 / 0)
        with pytest.raises(ZeroDivisionError):
            save(MAKERS["vectors"](), place)
    assert place.read_bytes() == before
    assert [one.name for one in tmp_path.iterdir()] == ["kept.likely"]


def test_places_that_cannot_be_written_or_read_are_named(tmp_path):
    for place in (tmp_path, tmp_path / "none" / "m.likely", tmp_path / ("n" * 300), 3, ""):
        with pytest.raises(LikelyError):
            save(MAKERS["naive"](), place)
    for place in (tmp_path, tmp_path / "none", None, "a\0b"):
        with pytest.raises(LikelyError):
            load(place)


@pytest.mark.parametrize("name", ["n" * 255, "é" * 127])
def test_a_name_may_be_as_long_as_the_system_allows(tmp_path, name):
    assert load(save(MAKERS["naive"](), tmp_path / name)).classes_.tolist() == ["high", "low"]
    write_text(tmp_path / name, "text")
    assert [one.name for one in tmp_path.iterdir()] == [name]


def test_a_report_is_written_as_a_model_is(tmp_path, monkeypatch):
    (tmp_path / "link").symlink_to(tmp_path / "target")
    write_text(tmp_path / "link", "caf\u00e9 \ud800\r\n")
    assert (tmp_path / "link").is_symlink()
    assert (tmp_path / "target").read_bytes() == "caf\u00e9 \ud800\r\n".encode("utf-8", "surrogatepass")
    settled = []
    real = os.fsync
    monkeypatch.setattr(os, "fsync", lambda handle: settled.append(handle) or real(handle))
    write_text(tmp_path / "link", "more")
    assert len(settled) == 2  # the file and its folder
    for place in (tmp_path, tmp_path / "none" / "report.md"):
        with pytest.raises(LikelyError, match="folder"):
            write_text(place, "")


@pytest.mark.skipif(not Path("/dev/null").exists(), reason="this system has no devices as files")
def test_a_device_is_written_and_not_replaced():
    for write in (lambda: save(MAKERS["naive"](), "/dev/null"), lambda: write_text(Path("/dev/null"), "text")):
        write()
        assert Path("/dev/null").is_char_device()


def test_a_link_stays_a_link(tmp_path):
    (tmp_path / "link").symlink_to(tmp_path / "target")
    save(MAKERS["naive"](), tmp_path / "link")
    assert (tmp_path / "link").is_symlink() and load(tmp_path / "target").classes_.tolist() == ["high", "low"]
