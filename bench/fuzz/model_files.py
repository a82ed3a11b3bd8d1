"""Model files with bytes changed, and files forged in the way of the library, with all digests right.

Whatever a file holds, `load` and `inspect` give a value or raise `LikelyError`, and a model that was taken answers, or
raises `LikelyError`, too.
"""

import contextlib
import copy
import hashlib
import random
from pathlib import Path
from typing import Any

import numpy as np

from bench.fuzz.stored import any_file
from likely import load, save
from likely.errors import LikelyError
from likely.store import inspect, model_file
from likely.store.files import archive

STRANGE: list[Any] = [
    None, True, -1, 0, 2**70, 10**400, 1.5, 1e308, "", "x", "\x1b[2J", [], {}, [[]], {"array": "nothing"},
    {"same": [10**9, None]}, "__import__", {"value": ["Gaussian", {}]}, {"float": "nan"}, {"float": "inf"},
    {"list": []}, {"objects": [[10**12], []]}, {"estimator": None}, {"decimal": "1e999999999"}, [1, 10**9],
    {"value": ["os.system", {"command": "true"}]}, r"(\w+)+!", {"text": "ff"}, {"bytes": "zz"}, {"scalar": "model"},
]  # fmt: skip
VERBS = ("predict_proba", "predict", "transform", "decision_function", "evidence")
ODD = [float("nan"), float("inf"), float("-inf"), -1.0, 1e300, -1e300, 0.0, 1e-300, 5e-324]


def mutated(chooser: random.Random, folder: Path) -> str | None:
    """Bytes changed, lost, added or moved; signed anew every other time, so that more than the digest is tried."""
    stored = any_file(chooser, folder)
    data = bytearray(stored.place.read_bytes())
    for _ in range(chooser.choice((1, 1, 2, 8))):
        at, size = chooser.randrange(len(data)), chooser.choice((1, 1, 2, 4, 16))
        act = chooser.randrange(4)
        if act == 0:
            data[at] ^= 1 << chooser.randrange(8)
        elif act == 1:
            del data[at : at + size]
        elif act == 2:
            data[at:at] = chooser.randbytes(size)
        else:
            data[at : at + size] = chooser.choice((b"\0", b"\xff", chooser.randbytes(1))) * size
    if chooser.random() < 0.5:
        data = bytearray(data[:-64])
        data += hashlib.sha256(data).hexdigest().encode()
    place = folder / "mutated"
    place.write_bytes(data)
    return _opened(place, stored.rows)


def forged(chooser: random.Random, folder: Path) -> str | None:
    """Values in the manifest, or numbers in an array, put in the place of others."""
    stored = any_file(chooser, folder)
    manifest, arrays = copy.deepcopy(stored.manifest), dict(stored.arrays)
    for _ in range(chooser.choice((1, 1, 2, 3))):
        (_forge_array if arrays and chooser.random() < 0.4 else _forge_manifest)(chooser, manifest, arrays)
    text = model_file._text(manifest)
    members = {"likely.json": text, "likely.sha256": model_file._digest_line(text)}
    members |= {f"arrays/{name}.npy": data for name, data in arrays.items()}
    place = folder / "forged"
    archive.write_archive(place, {name: memoryview(data) for name, data in members.items()})
    return _opened(place, stored.rows)


def _opened(place: Path, rows: Any) -> str | None:
    found: Any = None
    for read in (inspect, load):
        found = None
        try:
            found = read(place)
            told = str(found)
        except LikelyError as error:
            told = str(error)
        if len(told) > 100_000:
            return f"{read.__name__} says {len(told)} characters"
    if found is None:
        return None
    rows = (
        rows[:, : found.n_features_in_] if isinstance(rows, np.ndarray) and hasattr(found, "n_features_in_") else rows
    )
    for verb in VERBS:
        if hasattr(found, verb):
            with np.errstate(all="ignore"), contextlib.suppress(LikelyError):
                said = getattr(found, verb)(rows)
                if verb == "predict_proba" and not (said.shape == (8, len(found.classes_)) and _are_shares(said)):
                    return f"probabilities {str(said)[:100]} of {type(found).__name__}"
    with contextlib.suppress(LikelyError):
        save(found, place.with_name("again"))
    return None


def _are_shares(p: np.ndarray) -> bool:
    return bool((p >= 0).all() and np.abs(p.sum(axis=1) - 1).max() < 1e-6)


def _forge_manifest(chooser: random.Random, manifest: dict[str, Any], _: dict[str, bytes]) -> None:
    places = _nodes(manifest, [])
    tree, key = chooser.choice(places)
    other, place = chooser.choice(places)
    act = chooser.randrange(5)
    if act == 0 and isinstance(tree, dict):
        del tree[key]
    elif act == 1:
        tree[key] = copy.deepcopy(other[place])
    elif act == 2 and isinstance(tree[key], int | float):
        tree[key] = chooser.choice([tree[key] + 1, -tree[key], tree[key] * 1000, 0, 2**31, 2**63, 1e-9])
    else:
        tree[key] = copy.deepcopy(chooser.choice(STRANGE))


def _forge_array(chooser: random.Random, manifest: dict[str, Any], arrays: dict[str, bytes]) -> None:
    key = chooser.choice(sorted(arrays))
    entry = manifest.get("arrays", {}).get(key) if isinstance(manifest.get("arrays"), dict) else None
    try:
        raw = model_file.RawArray.read(entry)
        values = np.frombuffer(arrays[key][len(raw.header) :], raw.dtype).copy()
    except (LikelyError, ValueError):
        return
    shape = list(raw.shape)
    if len(values) and values.dtype.kind == "f" and chooser.random() < 0.6:
        values[chooser.randrange(len(values))] = chooser.choice(ODD)
    elif len(values) and values.dtype.kind in "iu" and chooser.random() < 0.6:
        top = int(np.iinfo(values.dtype).max)
        values[chooser.randrange(len(values))] = chooser.choice([0, 1, top, int(np.iinfo(values.dtype).min), top // 2])
    else:
        values = np.resize(values, chooser.choice([0, 1, len(values) + 1]))
        shape = chooser.choice([[len(values)], [1, len(values)], [len(values), 1]])
    data = values.tobytes()
    entry |= {"shape": shape, "bytes": values.nbytes, "sha256": hashlib.sha256(data).hexdigest()}
    arrays[key] = model_file.RawArray.read(entry).header + data


def _nodes(tree: Any, found: list[tuple[Any, Any]]) -> list[tuple[Any, Any]]:
    """Every place of the manifest that can be changed: (container, key)."""
    entries = tree.items() if isinstance(tree, dict) else enumerate(tree) if isinstance(tree, list) else ()
    for key, value in entries:
        found.append((tree, key))
        _nodes(value, found)
    return found
