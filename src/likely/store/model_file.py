"""Saving, loading and looking into a model file; see `archive` for its bytes and `values` for its contents."""

import hashlib
import json
import os
import re
import warnings
from pathlib import Path
from typing import Any, TypeAlias

import numpy as np

from likely._version import __version__
from likely.data.sources.places.user_paths import user_path
from likely.data.text.patterns import takes_linear_time
from likely.decisions.recalibrated import RecalibratedLikelihood
from likely.errors import InputError, LikelyError, NotFittedError
from likely.numeric.arrays import Array
from likely.store.abilities import abilities
from likely.store.description import Description
from likely.store.files.archive import MAX_MANIFEST, MAX_MEMBERS, MAX_SIZE, Archive, write_archive
from likely.store.files.hashes import check_hashes
from likely.store.files.raw_arrays import RawArray
from likely.store.models.nodes import decode_estimator, encode_estimator
from likely.store.quoting import listed, quoted, shortened
from likely.store.values import Decoder, Encoder

FORMAT = "likely model"
FORMAT_VERSION = 1

_MANIFEST, _DIGEST = "likely.json", "likely.sha256"
_NAME = re.compile(r"[A-Za-z0-9_.]{1,200}")
_MESSAGE = 500  # letters of an error: it may quote what is in the file
_MAX_TOKENS = 2_000_000  # entries of arrays and objects in the manifest

Name: TypeAlias = str | os.PathLike[str]


def save(model: object, path: Name) -> Path:
    """Keep a fitted model in one file, conventionally named `.likely`; give back its path.

    The file holds the statistic, so the loaded model can go on learning, merge and forget. The same model gives the
    same bytes. A file of that name is replaced at once when the new one is complete, and otherwise stays as it was.

    Parameters
    ----------
    model : a fitted model

    >>> import tempfile
    >>> from likely import NaiveBayes
    >>> model = NaiveBayes().fit([[1.0], [2.0], [5.0], [6.5]], ["low", "low", "high", "high"])
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     again = load(save(model, f"{folder}/small.likely"))
    >>> again.predict([[5.5]]), again.partial_fit([[3.0]], ["middle"]).classes_
    (array(['high'], dtype='<U4'), array(['high', 'low', 'middle'], dtype='<U6'))
    """
    place = _path(path)
    fitted = getattr(model, "__sklearn_is_fitted__", None)
    if callable(fitted) and not isinstance(model, type) and not fitted():
        raise NotFittedError(f"this {type(model).__name__} has not learned anything yet; fit it before it is saved")
    encoder = Encoder()
    node = encode_estimator(model, encoder, "model")
    arrays = dict(sorted(encoder.arrays.items()))
    manifest = _text(
        {
            "format": FORMAT,
            "format_version": FORMAT_VERSION,
            "library_version": __version__,
            "model": node,
            "arrays": {name: raw.entry for name, (raw, _) in arrays.items()},
        }
    )
    _check_manifest(manifest)
    if len(arrays) + 2 > MAX_MEMBERS or not all(_NAME.fullmatch(name) for name in arrays):
        raise InputError(f"the model has {len(arrays)} arrays, more than a model file can hold")
    members = {_MANIFEST: memoryview(manifest), _DIGEST: memoryview(_digest_line(manifest))}
    for name, (raw, data) in arrays.items():
        members[f"arrays/{name}.npy"] = np.concatenate([np.frombuffer(raw.header, dtype=np.uint8), data]).data
    write_archive(place, members)
    for pattern in sorted(encoder.patterns):
        if not takes_linear_time(pattern):
            warnings.warn(
                f"the token pattern {quoted(pattern)} may take very long on some texts, so the file is opened only by "
                "load(path, any_pattern=True)",
                stacklevel=2,
            )
    return place


def load(path: Name, max_size: int = MAX_SIZE, any_pattern: bool = False) -> Any:
    """The model of a file, as it was saved.

    Nothing that the file names is imported or run, and no file can make it allocate more than a small multiple of
    `max_size` bytes, the most that the file and its arrays may have. A damaged or foreign file raises `LikelyError`,
    and so does one whose token pattern is not proven to be quick on every text, unless `any_pattern` says to take it.

    Parameters
    ----------
    max_size : the most bytes that the file and its arrays may have
    any_pattern : whether to take a token pattern that is not proven to be quick on every text

    >>> import tempfile
    >>> from pathlib import Path
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     place = Path(folder, "broken.likely")
    ...     _ = place.write_bytes(b"PK and then nothing of use")
    ...     try:
    ...         load(place)
    ...     except LikelyError as error:
    ...         print(str(error).replace(folder, "folder"))
    folder/broken.likely cannot be opened as a model: it is no .likely file, or its beginning is lost
    """
    place = _path(path)
    with Archive.opened(place, max_size) as archive:
        manifest, arrays = _read_manifest(archive)
        try:
            decoder = Decoder(_Arrays(archive, arrays), archive.unfolded, any_pattern)
            model = decode_estimator(manifest["model"], decoder)
        except LikelyError as error:
            raise InputError(shortened(str(error), _MESSAGE)) from None
        except Exception as error:
            raise InputError(f"its contents do not make a model ({type(error).__name__}: {error!s:.200})") from error
        if not isinstance(model, RecalibratedLikelihood) and not model.__sklearn_is_fitted__():
            raise InputError("its model has learned nothing")
        return model


def inspect(path: Name, max_size: int = MAX_SIZE) -> Description:
    """What a file holds, without estimating anything.

    Parameters
    ----------
    max_size : the most bytes that the file and its arrays may have

    >>> import tempfile
    >>> from likely import NaiveBayes
    >>> model = NaiveBayes(alpha=0.5).fit([[1], [2], [5], [7]], ["low", "low", "high", "high"])
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     held = inspect(save(model, f"{folder}/small.likely"))
    >>> held.estimator, held.parameters["alpha"], held.kinds, held.training
    ('NaiveBayes', 0.5, {'x0': 'numeric'}, {'high': 2, 'low': 2})
    """
    with Archive.opened(_path(path), max_size) as archive:
        manifest, arrays = _read_manifest(archive)
        try:
            decoder = Decoder(_Arrays(archive, arrays), archive.unfolded, any_pattern=True)  # none is run
            return Description(
                format_version=manifest["format_version"],
                library_version=manifest["library_version"],
                estimator=_of_text(manifest["model"]["estimator"]),
                parameters={k: _setting(v, decoder) for k, v in manifest["model"]["parameters"].items()},
                **_learned(manifest["model"], decoder),
                goes_on=abilities(manifest["model"]),
                arrays=len(arrays),
                array_bytes=sum(raw.nbytes for raw in arrays.values()),
                size=archive.size,
                sha256=archive.sha256,
            )
        except LikelyError as error:
            raise InputError(shortened(str(error), _MESSAGE)) from None
        except Exception as error:
            raise InputError(f"its contents do not make a model ({type(error).__name__}: {error!s:.200})") from error


class _Arrays:
    """The arrays of an archive by name, each read once; sizes were checked before."""

    def __init__(self, archive: Archive, table: dict[str, RawArray]) -> None:
        self._archive, self._table = archive, table
        self._read: dict[str, Array] = {}

    def __call__(self, name: str) -> Array:
        if name not in self._table:
            raise InputError(f"there is no array {quoted(name)} in it")
        if name not in self._read:
            raw, data = self._table[name], self._archive.read(f"arrays/{name}.npy")
            size = len(raw.header)
            if data[:size].tobytes() != raw.header:
                raise InputError(f"its array {name} does not begin as the manifest says")
            self._read[name] = raw.restored(data[size:])
        return self._read[name]


def _read_manifest(archive: Archive) -> tuple[dict[str, Any], dict[str, RawArray]]:
    if _MANIFEST not in archive.members or _DIGEST not in archive.members:
        raise InputError(f"it has no {_MANIFEST}: it is a ZIP of something else")
    if archive.members[_MANIFEST].size > MAX_MANIFEST or archive.members[_DIGEST].size > 200:
        raise InputError(f"its manifest is longer than {MAX_MANIFEST} bytes")
    text = archive.read(_MANIFEST).tobytes()
    if archive.read(_DIGEST).tobytes() != _digest_line(text):
        raise InputError("its manifest is not the one that was saved")
    _check_manifest(text)
    try:
        manifest = json.loads(text)
        written = _text(manifest)
    except (ValueError, RecursionError) as error:
        raise InputError(f"its manifest cannot be read: {error!s:.100}") from None
    if not isinstance(manifest, dict) or manifest.get("format") != FORMAT:
        raise InputError("its manifest is not that of a model")
    version = manifest.get("format_version")
    if type(version) is not int or version != FORMAT_VERSION:
        raise InputError(
            f"it has format version {quoted(version)}, and likely {__version__} reads version {FORMAT_VERSION}; "
            "open it with the version of the library that wrote it, or a later one"
        )
    keys = {"format", "format_version", "library_version", "model", "arrays"}
    if written != text or set(manifest) != keys or not isinstance(manifest["arrays"], dict):
        raise InputError("its manifest is not as this library writes it")
    _of_text(manifest["library_version"])
    return manifest, _read_table(manifest["arrays"], archive)


def _read_table(entries: dict[str, Any], archive: Archive) -> dict[str, RawArray]:
    """The table of arrays, in which sizes are compared with those of the members before anything is allocated."""
    table: dict[str, RawArray] = {}
    for name, entry in entries.items():
        if not _NAME.fullmatch(name):
            raise InputError(f"an array cannot be named {quoted(name)}")
        try:
            raw = RawArray.read(entry)
            expected = len(raw.header) + raw.nbytes
        except (TypeError, ValueError, OverflowError) as error:
            raise InputError(f"array {name}: {error}") from None
        member = archive.members.get(f"arrays/{name}.npy")
        if member is None or member.size != expected:
            raise InputError(f"its array {name} is missing or not of the size that the manifest declares")
        table[name] = raw
    if len(archive.members) != len(table) + 2:
        raise InputError("it has members of which its manifest says nothing")
    return table


def _text(manifest: object) -> bytes:
    return json.dumps(manifest, sort_keys=True, separators=(",", ":"), allow_nan=False).encode("ascii")


def _digest_line(manifest: bytes) -> bytes:
    return f"{hashlib.sha256(manifest).hexdigest()}  {_MANIFEST}\n".encode()


def _check_manifest(text: bytes) -> None:
    tokens = text.count(b",") + text.count(b"[") + text.count(b"{")
    if len(text) > MAX_MANIFEST or tokens > _MAX_TOKENS:
        raise InputError(f"a manifest of {len(text)} bytes and {tokens} entries is larger than a model file can have")


def _path(path: object) -> Path:
    if not isinstance(path, str | os.PathLike) or not str(path) or "\0" in str(path):
        raise InputError(f"the path of a model file is a text, got {quoted(path)}")
    return user_path(path)


def _of_text(value: object) -> str:
    if not isinstance(value, str):
        raise InputError(f"{quoted(value)} stands where a text should")
    return value


def _setting(body: object, decoder: Decoder) -> Any:
    """A parameter; a model inside the model in words."""
    if isinstance(body, dict) and "estimator" in body:
        return _Words(_in_words(body["estimator"], decoder))
    return decoder.decode(body)


def _in_words(node: Any, decoder: Decoder) -> str:
    settings = ", ".join(f"{name}={listed(_setting(body, decoder))}" for name, body in node["parameters"].items())
    return f"{_of_text(node['estimator'])}({settings})"


class _Words(str):
    """A text that shows itself without quotation marks."""

    __slots__ = ()

    def __repr__(self) -> str:
        return str(self)


def _learned(node: Any, decoder: Decoder) -> dict[str, Any]:
    """Classes, columns and training of the model at the core."""
    fitted = node["fitted"]
    if "value" in fitted:
        classes = tuple(decoder.decode(fitted["value"]).classes.tolist())
        return {"classes": classes, "kinds": {}, "target": None, "training": {}, "passes": None}
    if "users" in fitted:  # ratings have neither classes nor columns
        return {"classes": (), "kinds": {}, "target": None, "training": {}, "passes": None}
    if "classes" not in fitted:  # a wrapper, mostly
        if "member 0" in fitted:  # of a pool, what its first member learned
            return {**_learned(fitted["member 0"], decoder), **_weighed(fitted, decoder)}
        if "estimator" in fitted:
            return _learned(fitted["estimator"] or node["parameters"]["estimator"]["estimator"], decoder)
        schema = decoder.decode(fitted["schema"])  # a model of amounts
        return {"classes": (), "kinds": schema.kinds, "target": schema.target, "training": {}, "passes": None}
    classes, schema = decoder.decode(fitted["classes"]), decoder.decode(fitted["schema"])
    weight, passes = decoder.decode(fitted["training"]["weight"]), fitted["training"]["passes"]
    check_hashes(classes)
    _check_training(weight, passes)
    return {
        "classes": classes,
        "kinds": schema.kinds,
        "target": schema.target,
        "training": dict(zip(classes, weight, strict=True)),
        "passes": passes,
    }


def _weighed(fitted: dict[str, Any], decoder: Decoder) -> dict[str, Any]:
    """The weights of a pool's members, and whether its members have learned other rows since."""
    names, weights = decoder.decode(fitted["weighed"]), decoder.decode(fitted["weights"])
    if not isinstance(fitted["stale"], bool) or len(names) != weights.size or not all(type(n) is str for n in names):
        raise InputError("the weights of the pool are not one amount for each member")
    return {"members": dict(zip(names, map(float, weights), strict=True)), "stale": fitted["stale"]}


def _check_training(weight: object, passes: object) -> None:
    """That the summary of the training is of numbers that a float can hold."""
    if not isinstance(weight, tuple) or not all(type(one) in (int, float) and 0 <= one < 2.0**1000 for one in weight):
        raise InputError("its summary of the training is not one amount per class")
    if passes is not None and (type(passes) is not int or not 0 <= passes < 2**63):
        raise InputError(f"{quoted(passes)} is no number of passes")
