"""JSON lines: one object a line, keys are columns; parsed a block at a time, and mistakes are located."""

import json
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import polars as pl

from likely.data.sources.mistakes import FAILURES, not_utf8, reason, type_to_give
from likely.data.sources.parsers.blocks import read_blocks, read_prefix
from likely.data.sources.parsers.column_types import final_types, typed
from likely.errors import InputError

_LONGEST_ARRAY = 1 << 28  # bytes


@dataclass(frozen=True)
class JsonLines:
    """One JSON object a line."""

    path: Path
    own: pl.Schema  # Null: no value among the first rows
    all_keys: bool = True  # refuse a key that is no column
    rows: None = None

    @classmethod
    def open(cls, path: Path) -> "JsonLines":
        data = read_prefix(path, None)
        kinds: dict[str, set[type]] = {}
        for line, text in enumerate(data.split(b"\n"), start=1):
            for name, value in _object(path, line, text).items() if text.strip() else ():
                wide = type(value) is int and value.bit_length() > 63
                kinds.setdefault(name, set()).add(float if wide else type(value))
        own = {name: _type_of(name, seen - {type(None)}, data) for name, seen in kinds.items()}
        return cls(path, pl.Schema(own))

    def frames(self, dtypes: pl.Schema) -> Iterator[pl.DataFrame]:
        """The rows in order, a block at a time."""
        for line, block in read_blocks(self.path, None):
            try:
                frame = _parse(block, dtypes)
            except FAILURES as error:
                raise self._located(line, block, dtypes, error) from None
            if self.all_keys:
                self._check_keys(line, block, frame)
            yield typed(frame, final_types(dtypes))

    def _check_keys(self, line: int, data: bytes, frame: pl.DataFrame) -> None:
        """Refuse a key that is no column. If every key leads to a cell, counting keys is enough to know."""
        keys = data.count(b'":') - data.count(b'\\":')
        nulls = data.count(b'":null') + data.count(b'": null')
        if keys == frame.height * frame.width - sum(frame.null_count().row(0)) + nulls:
            return
        known = set(frame.columns)
        for i, text in enumerate(data.split(b"\n")):
            if text.strip() and (extra := json.loads(text).keys() - known):
                name = min(extra)
                raise InputError(
                    f"{self.path}, line {line + i:,}: the key {name!r} is in none of the first rows, so its type is "
                    f"not known. Give it (schema_overrides={{{name!r}: polars.String}}), or list the columns to read "
                    "(columns=[...])."
                )

    def _located(self, line: int, data: bytes, dtypes: pl.Schema, error: BaseException) -> InputError:
        """What is wrong in a block that polars refuses: the shortest beginning that it refuses ends in the mistake."""
        lines = data.split(b"\n")
        low, high = 0, len(lines)  # the first `low` lines are fine, the first `high` are not
        while high - low > 1:
            middle = (low + high) // 2
            low, high = (middle, high) if _is_readable(b"\n".join(lines[low:middle]), dtypes) else (low, middle)
        row = _object(self.path, line + low, lines[low])
        for name, dtype in dtypes.items():
            if not _is_readable(lines[low], pl.Schema({name: dtype})):
                value = row.get(name)
                what = "the first value of a column that was empty before" if dtype == pl.Null else f"not {dtype}"
                return InputError(
                    f"{self.path}, line {line + low:,}, column {name!r}: {value!r} is {what}. Correct it, or give the "
                    f"column another type (schema_overrides={{{name!r}: {type_to_give(value)}}})."
                )
        return InputError(f"{self.path}, line {line + low:,} cannot be read: {reason(error)}")


def lines_of_array(path: Path) -> bytes:
    """The objects of a file that holds one JSON array of them, a line each. The file must fit into memory."""
    text = b""
    for _, block in read_blocks(path, None):
        text += block
        if len(text) > _LONGEST_ARRAY:
            raise InputError(
                f"{path} is an array of more than {_LONGEST_ARRAY >> 20} MB. JSON lines expected: one object per line."
            )
    try:
        rows = json.loads(text.decode(), parse_constant=_refuse_constant)
    except UnicodeDecodeError as problem:
        raise not_utf8(path, 1 + text.count(b"\n", 0, problem.start), problem) from None
    except (ValueError, RecursionError) as problem:
        raise InputError(
            f"{path} is not JSON: {problem}. JSON lines expected: one object per line, or one array of objects."
        ) from None
    if not isinstance(rows, list) or not rows:
        raise InputError(f"{path} holds no array of objects. JSON lines expected: one object per line.")
    for i, row in enumerate(rows):
        if not isinstance(row, dict):
            raise InputError(
                f"{path}: element {i} of the array is {str(row)[:40]!r} and no object. Give one object {{...}} per row."
            )
    return "".join(json.dumps(row, ensure_ascii=False) + "\n" for row in rows).encode(errors="surrogatepass")


def _object(path: Path, line: int, text: bytes) -> dict[str, Any]:
    try:
        row = json.loads(text.decode(), parse_constant=_refuse_constant)
    except UnicodeDecodeError as problem:
        raise not_utf8(path, line, problem) from None
    except (ValueError, RecursionError) as problem:
        raise InputError(f"{path}, line {line:,} is not JSON: {problem}. Give one JSON object per line.") from None
    if not isinstance(row, dict):
        raise InputError(f"{path}, line {line:,} is not a JSON object. Give one object {{...}} per line.") from None
    return row


def _refuse_constant(name: str) -> None:
    raise ValueError(f"{name} is no JSON value; write null for a missing one")


def _type_of(name: str, seen: set[type], data: bytes) -> pl.DataType:
    """The type of a column that holds values of these Python types: text if they do not go together."""
    if not seen:
        return pl.Null()
    if seen <= {int, float}:
        return pl.Float64() if float in seen else pl.Int64()
    if seen in ({list}, {dict}):
        alone = (json.dumps({name: json.loads(text).get(name)}) for text in data.split(b"\n") if text.strip())
        try:
            return pl.read_ndjson("\n".join(alone).encode(), infer_schema_length=None).schema[name]
        except FAILURES:
            return pl.String()
    return pl.Boolean() if seen == {bool} else pl.String()


def _parse(lines: bytes, dtypes: pl.Schema) -> pl.DataFrame:
    # polars' JSON reader knows the widest types only, and panics at others.
    return typed(pl.read_ndjson(lines, schema={name: _widest(dtype) for name, dtype in dtypes.items()}), dtypes)


def _is_readable(lines: bytes, dtypes: pl.Schema) -> bool:
    try:
        _parse(lines, dtypes)
    except FAILURES:
        return False
    return True


def _widest(dtype: pl.DataType) -> pl.DataType:
    if dtype.is_integer():
        return pl.Int64()
    if dtype.is_numeric():
        return pl.Float64()
    return dtype if dtype.is_nested() or dtype in (pl.Boolean, pl.Null) else pl.String()
