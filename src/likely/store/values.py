"""Values as JSON and arrays, and back: exactly, and without asking the file what to do.

    None, bool, int, finite float, text     as they are
    tuple                                   a JSON array
    everything else                         an object with one key, the form:

    float   "nan", "inf" or "-inf"          text      UTF-8 in hexadecimal, where a text holds lone surrogates
    bytes   in hexadecimal                  scalar    a NumPy scalar: the name of an array of no dimensions
    list    an array                        dict      pairs of key and value, in order
    array   the name of an array            objects   shape and values of an array of Python objects
    date, datetime, timedelta, decimal      as written
    value   tag and fields of one of the library's own frozen values
    estimator   a model inside a model

and for long tuples

    texts     names of two arrays: UTF-8, and where each text begins
    numbers   name of an array of whole numbers, or of decimal ones
    same      length and the one text, truth value or None
    records   tag, length, and a tuple per field, of many values of one class

The decoder builds only these. Classes come from the registry by their tag, their fields are checked against their
annotations, and the number and depth of values are limited: a value costs one, and one more for every few bytes that it
copies, and a file can pay for as many as it has bytes. No value but an array is shared, so none unfolds when it is
hashed or written.
"""

import itertools
from collections.abc import Callable, Iterable, Mapping
from dataclasses import MISSING, Field, fields
from datetime import date, datetime, timedelta, timezone
from decimal import Decimal
from typing import Any

import numpy as np

from likely.data.text.patterns import takes_linear_time
from likely.errors import InputError
from likely.numeric.arrays import Array
from likely.store import registry
from likely.store.field_types import check_field
from likely.store.files.hashes import check_hashes
from likely.store.files.raw_arrays import RawArray
from likely.store.quoting import quoted

MAX_DEPTH = 40
MAX_VALUES = 20_000_000
_FREE = 2**20  # values that any file may have
_COPIED = 8  # bytes of a text that cost as much as a value
_LONGEST_WHOLE = 1024  # bits, those of the largest float
_SHARED = 256  # bytes of an array that is named once more
_LONG = 32  # a tuple of so many entries is packed
_LISTED = ("Column", "Part")  # of these there may be many, and their fields can be compared
_HALF = range(0xD800, 0xE000)


class Encoder:
    """Turns values into JSON, and collects the arrays; equal arrays are kept once."""

    def __init__(self) -> None:
        self.arrays: dict[str, tuple[RawArray, Array]] = {}
        self.patterns: set[str] = set()  # that cut texts
        self._names: dict[RawArray, str] = {}

    def encode(self, value: object, path: str) -> Any:
        """`path` says where the value is: it names arrays, and the culprit in messages."""
        if isinstance(value, np.generic):
            return {"scalar": self._array(np.asarray(value), path)}
        if value is None or isinstance(value, bool):
            return value
        if isinstance(value, str):
            halves = any(ord(character) in _HALF for character in value)
            return {"text": value.encode("utf-8", "surrogatepass").hex()} if halves else str(value)
        if isinstance(value, int):
            return int(value)
        if isinstance(value, float):
            return float(value) if np.isfinite(value) else {"float": repr(float(value))}
        if isinstance(value, tuple | range):
            return self._tuple(tuple(value), path)
        if isinstance(value, list):
            return {"list": self._each(value, path)}
        if isinstance(value, Mapping):
            keys, entries = self._each(list(value), f"{path}.keys"), self._each(list(value.values()), f"{path}.values")
            return {"dict": [list(pair) for pair in zip(keys, entries, strict=True)]}
        if isinstance(value, np.ndarray) and type(value) is np.ndarray:
            if value.dtype.hasobject:
                return {"objects": [list(value.shape), self._each(list(value.ravel()), path)]}
            return {"array": self._array(value, path)}
        return self._other(value, path)

    def _other(self, value: Any, path: str) -> Any:
        kind = type(value)
        if isinstance(value, bytes):
            return {"bytes": value.hex()}
        if kind is Decimal:
            return {"decimal": str(value)}
        if kind is datetime and (value.tzinfo is None or type(value.tzinfo) is timezone):
            return {"datetime": [value.isoformat(), value.fold]}
        if kind is date:
            return {"date": value.isoformat()}
        if kind is timedelta:
            return {"timedelta": [value.days, value.seconds, value.microseconds]}
        if registry.knows(kind):
            self.patterns |= {value.token_pattern} if hasattr(value, "token_pattern") else set()
            kept = {
                field.name: self.encode(getattr(value, field.name), f"{path}.{field.name}") for field in _kept(kind)
            }
            return {"value": [registry.tag(kind), kept]}
        if hasattr(value, "get_params") and not isinstance(value, type):
            from likely.store.models.nodes import encode_estimator

            return {"estimator": encode_estimator(value, self, path)}
        raise InputError(_why_not(value, path))

    def _tuple(self, value: tuple[Any, ...], path: str) -> Any:
        if len(value) < _LONG:
            return self._each(value, path)
        kinds = set(map(type, value))
        kind = next(iter(kinds))
        if len(kinds) > 1:
            return self._each(value, path)
        if kind in (str, bool, type(None)) and value.count(value[0]) == len(value):
            return {"same": [len(value), self.encode(value[0], path)]}
        if kind is str:
            raw = [text.encode("utf-8", "surrogatepass") for text in value]
            begin = np.concatenate([[0], np.cumsum([len(text) for text in raw])]).astype(np.int64)
            joined = np.frombuffer(b"".join(raw), dtype=np.uint8)
            return {"texts": [self._array(joined, f"{path}.texts"), self._array(begin, f"{path}.begin")]}
        if kind is float or (kind is int and min(value) >= -(2**63) and max(value) < 2**63):
            return {"numbers": self._array(np.array(value, dtype=np.float64 if kind is float else np.int64), path)}
        if kind.__name__ in _LISTED and registry.knows(kind):
            columns = {
                field.name: self.encode(tuple(getattr(one, field.name) for one in value), f"{path}.{field.name}")
                for field in _kept(kind)
            }
            return {"records": [kind.__name__, len(value), columns]}
        return self._each(value, path)

    def _each(self, values: list[Any] | tuple[Any, ...], path: str) -> list[Any]:
        return [self.encode(value, f"{path}.{i}") for i, value in enumerate(values)]

    def _array(self, array: Array, path: str) -> str:
        try:
            raw, data = RawArray.of(array)
        except InputError as error:
            raise InputError(f"{path}: {error}") from None
        name = self._names.setdefault(raw, path)
        self.arrays[name] = (raw, data)
        return name


class Decoder:
    """Turns JSON back into values; `array` gives the array of a name, `size` is that of the whole file, unpacked.

    Patterns that cut texts are run over texts, so only those are taken that are proven to be quick on every one, unless
    `any_pattern` takes all.
    """

    def __init__(self, array: Callable[[str], Array], size: int, any_pattern: bool = False) -> None:
        self._array, self._any_pattern = array, any_pattern
        self._seen: set[str] = set()
        self._most = self._left = min(_FREE + size, MAX_VALUES)
        self._forms: dict[str, Callable[[Any, int], Any]] = {
            "float": self._float,
            "text": lambda body, _: bytes.fromhex(_of(str, body)).decode("utf-8", "surrogatepass"),
            "bytes": lambda body, _: bytes.fromhex(_of(str, body)),
            "list": lambda body, depth: list(self._each(_of(list, body), depth)),
            "dict": self._dict,
            "scalar": self._scalar,
            "array": lambda body, _: self._named(body),
            "objects": self._objects,
            "date": lambda body, _: date.fromisoformat(_of(str, body)),
            "datetime": lambda body, _: datetime.fromisoformat(body[0]).replace(fold=body[1]),
            "timedelta": lambda body, _: timedelta(*body),
            "decimal": lambda body, _: Decimal(_of(str, body)[:1000]),
            "value": self._value,
            "records": self._records,
            "texts": self._texts,
            "numbers": self._numbers,
            "same": self._same,
            "estimator": self._estimator,
        }

    def decode(self, body: object, depth: int = 0) -> Any:
        self._spend(1)
        self.check_depth(depth)
        if isinstance(body, int) and body.bit_length() > _LONGEST_WHOLE:
            raise InputError(f"it holds a whole number of {body.bit_length()} bits, more than any number has")
        if body is None or isinstance(body, bool | int | float | str):
            return body
        if isinstance(body, list):
            return self._each(body, depth)
        if not isinstance(body, dict) or len(body) != 1:
            raise InputError("a value has no form")
        ((form, inside),) = body.items()
        if form not in self._forms:
            raise InputError(f"there is no form of values {quoted(form)}")
        return self._forms[form](inside, depth + 1)

    def check_depth(self, depth: int) -> None:
        if depth > MAX_DEPTH:
            raise InputError(f"values are nested more than {MAX_DEPTH} deep")

    def check_pattern(self, given: Mapping[str, Any]) -> None:
        pattern = given.get("token_pattern")
        if isinstance(pattern, str) and not self._any_pattern and not takes_linear_time(pattern):
            raise InputError(
                f"its token pattern {quoted(pattern)} may take very long on some texts; if you trust whoever made the "
                "model, open it by likely.load(path, any_pattern=True)"
            )

    def _spend(self, values: int) -> None:
        self._left -= values
        if self._left < 0:
            raise InputError(f"it unfolds to more than {self._most} values, too many for its size")

    def _each(self, bodies: list[Any], depth: int) -> tuple[Any, ...]:
        return tuple([self.decode(body, depth + 1) for body in bodies])

    def _named(self, name: Any) -> Array:
        array = self._array(_of(str, name))
        if name in self._seen:
            self._spend(array.nbytes // _SHARED)
        self._seen.add(name)
        return array

    def _scalar(self, body: object, _: int) -> Any:
        array = self._named(body)
        if array.ndim:
            raise InputError("an array stands where a single value should")
        self._spend(array.nbytes // _COPIED)
        return array[()]

    def _float(self, body: object, _: int) -> float:
        if body not in ("nan", "inf", "-inf"):
            raise InputError(f"{quoted(body)} is no number")
        return float(body)

    def _dict(self, body: object, depth: int) -> dict[Any, Any]:
        pairs = [(self.decode(key, depth), self.decode(value, depth)) for key, value in _of(list, body)]
        check_hashes([key for key, _ in pairs])
        return dict(pairs)

    def _objects(self, body: Any, depth: int) -> Array:
        shape, entries = body
        values = self._each(_of(list, entries), depth)
        array = np.empty(len(values), dtype=object)
        for i, value in enumerate(values):
            array[i] = value
        return array.reshape([_of(int, side) for side in _of(list, shape)])

    def _value(self, body: Any, depth: int) -> Any:
        tag, inside = body
        kind = _registered(tag)
        given = {name: self.decode(value, depth) for name, value in _of(dict, inside).items()}
        self.check_pattern(given)
        return _built(kind, given)

    def _records(self, body: Any, depth: int) -> tuple[Any, ...]:
        tag, length, inside = body
        kind = _registered(tag)
        columns = {name: _of(tuple, self.decode(value, depth)) for name, value in _of(dict, inside).items()}
        self._spend(_of(int, length))
        if any(len(column) != length for column in columns.values()) or not columns:
            raise InputError(f"the records of {tag} are not of one length")
        names = list(columns)
        _check_fields(kind, {name: {id(one): one for one in column}.values() for name, column in columns.items()})
        return tuple(kind(**dict(zip(names, row, strict=True))) for row in zip(*columns.values(), strict=True))

    def _texts(self, body: Any, _: int) -> tuple[str, ...]:
        joined, begin = (self._named(name) for name in body)
        if joined.dtype != np.uint8 or begin.dtype != np.int64 or begin.ndim != 1:
            raise InputError("packed texts are not as they should be")
        self._spend(len(begin) + joined.nbytes // _COPIED)
        whole, edges = joined.tobytes(), begin.tolist()
        if edges[:1] != [0]:
            raise InputError("packed texts are not as they should be")
        if edges[-1] != len(whole) or (np.diff(begin) < 0).any():
            raise InputError("packed texts are not as they should be")
        return tuple(whole[a:b].decode("utf-8", "surrogatepass") for a, b in itertools.pairwise(edges))

    def _numbers(self, body: object, _: int) -> tuple[int | float, ...]:
        array = self._named(body)
        if array.ndim != 1 or array.dtype not in (np.int64, np.float64):
            raise InputError("packed numbers are not as they should be")
        self._spend(len(array))
        return tuple(array.tolist())

    def _same(self, body: Any, depth: int) -> tuple[Any, ...]:
        length: int = _of(int, body[0])
        value = self.decode(body[1], depth)
        if not isinstance(value, str | bool | None):
            raise InputError(f"{quoted(value)} cannot be repeated")
        size = len(value) if isinstance(value, str) else 0
        self._spend(abs(length) * (1 + size // _COPIED))
        return (value,) * length

    def _estimator(self, body: object, depth: int) -> Any:
        from likely.store.models.nodes import decode_estimator

        return decode_estimator(body, self, depth)


def _kept(kind: type[Any]) -> list[Field[Any]]:
    """The fields that make the value; those left out of comparisons are caches."""
    return [field for field in fields(kind) if field.compare]


def _built(kind: type[Any], given: dict[str, Any]) -> Any:
    if hasattr(kind, "upgraded"):  # it was laid out in another way once
        given = kind.upgraded(given)
    _check_fields(kind, {name: (value,) for name, value in given.items()})
    return kind(**given)


def _check_fields(kind: type[Any], given: dict[str, Iterable[Any]]) -> None:
    """Refuse fields that the class does not have, or lacks, and values that they cannot hold."""
    known = {field.name: field for field in _kept(kind)}
    for name, entries in given.items():
        if name not in known:
            raise InputError(f"{kind.__name__} has no field {quoted(name)}")
        for value in entries:
            check_field(kind, name, value)
    for name, field in known.items():
        if name not in given and field.default is MISSING and field.default_factory is MISSING:
            raise InputError(f"{kind.__name__} lacks its field {name!r}")


def _registered(tag: Any) -> type[Any]:
    kind = registry.class_of(_of(str, tag))
    if kind is None:
        hint = "; register its class before: likely.store.register(...)" if tag.startswith("own.") else ""
        raise InputError(f"{quoted(tag)} is nothing that a model is made of{hint}")
    return kind


def _of(kind: type[Any], value: object) -> Any:
    if type(value) is not kind:
        raise InputError(f"{quoted(value)} stands where {kind.__name__} should")
    return value


def _why_not(value: object, path: str) -> str:
    kind = type(value)
    named = f"{path} holds {kind.__module__.partition('.')[0]}'s {kind.__name__}"
    if isinstance(value, np.random.Generator | np.random.RandomState):
        return f"{path} is a random generator, whose position a file does not keep; give a whole number as the seed"
    if hasattr(value, "fit") or hasattr(value, "split") or hasattr(value, "estimate"):
        return (
            f"{named}, which a model file cannot keep: it holds only the library's own classes, so that opening one "
            "never runs foreign code. A family of your own and its statistic can be registered: likely.store.register"
        )
    return f"{named}, which a model file cannot keep; use texts, numbers, dates, arrays, and lists or mappings of them"
