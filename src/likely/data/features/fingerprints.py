"""A number for each row that depends on what stands in it alone: the same wherever and whenever the row turns up.

    fingerprint of a row = sum over its columns of mix(name of the column, value of the cell), modulo 2^64

so the order of the columns does not matter, nor whether whole numbers come as decimal ones, an array as a frame or a
matrix as a sparse one. Missing cells are equal, and so are 0 and -0. `mix` is splitmix64 (Steele et al. 2014); names
and texts enter by their BLAKE2 digest, so that no version of a library changes the number.
"""

from collections.abc import Sequence
from hashlib import blake2b
from typing import Any

import numpy as np
from numpy.typing import NDArray

from likely.data.accepted import TableLike
from likely.data.inputs import ArrayInput, FrameInput, Input, TextInput, read_input
from likely.errors import InputError
from likely.numeric.arrays import Floats

Marks = NDArray[np.uint64]

_MISSING = np.uint64(0x6D697373696E67)  # "missing"


def fingerprints(X: TableLike, names: Sequence[str] | None = None) -> Marks:
    """A number of 64 bits for each row (n,); `names` are the columns that count, or those of a matrix without any.

    A column that counts and is not there is one of missing cells.

    >>> import polars as pl
    >>> frame = pl.DataFrame({"size": [1, 2, 1], "colour": ["red", None, "red"]})
    >>> a, b, c = fingerprints(frame).tolist()
    >>> a == c, a == b, a == int(fingerprints([["red", 1.0]], ["colour", "size"])[0])
    (True, False, True)
    """
    data: Input = read_input(X)
    match data:
        case TextInput():
            return _of_cells(_digest((names or data.names)[0]), _texts(data.documents))
        case FrameInput():
            called = data.names if data.named or names is None else names
            there = dict(zip(called, data.names, strict=True))
            absent = np.full(data.rows, _MISSING)
            total = np.zeros(data.rows, dtype=np.uint64)
            for name in called if names is None else names:
                cells = _cells(data.frame[there[name]]) if name in there else absent
                total += _of_cells(_digest(name), cells)
            return total
        case ArrayInput():
            called = data.names or names or [f"x{j}" for j in range(data.width)]
            return (_of_sparse if data.sparse else _of_dense)(data.x, [_digest(name) for name in called])
    raise InputError("fingerprints are of rows in memory: read the file first")


def _of_dense(x: Any, columns: list[np.uint64]) -> Marks:
    total = np.zeros(len(x), dtype=np.uint64)
    for j, column in enumerate(columns):
        total += _of_cells(column, _bits(np.asarray(x[:, j], dtype=np.float64)))
    return total


def _of_sparse(x: Any, columns: list[np.uint64]) -> Marks:
    """Every cell a zero, then what those that are none add to that."""
    names = np.asarray(columns, dtype=np.uint64)
    zeros = _mixed(names + _bits(np.zeros(1)))
    stored = _mixed(names[x.indices] + _bits(x.data.astype(np.float64))) - zeros[x.indices]
    ends = np.concatenate([np.zeros(1, dtype=np.uint64), np.cumsum(stored, dtype=np.uint64)])
    return np.asarray(zeros.sum(dtype=np.uint64) + ends[x.indptr[1:]] - ends[x.indptr[:-1]])


def _of_cells(column: np.uint64, cells: Marks) -> Marks:
    with np.errstate(over="ignore"):
        return _mixed(cells + column)


def _cells(column: Any) -> Marks:
    """The cells of a Polars column: numbers by their bits, everything else by how it is written."""
    import polars as pl

    if column.dtype.is_numeric() or column.dtype == pl.Boolean:
        return _bits(column.cast(pl.Float64).to_numpy())
    return _texts(column.cast(pl.String).to_list())


def _texts(texts: Sequence[str | None]) -> Marks:
    known = {text: _MISSING if text is None else _digest(text) for text in set(texts)}
    return np.fromiter((known[text] for text in texts), dtype=np.uint64, count=len(texts))


def _bits(values: Floats) -> Marks:
    gap = np.isnan(values)
    bits = (np.where(gap, 0.0, values) + 0.0).view(np.uint64)  # which makes -0 a 0
    return np.where(gap, _MISSING, bits)


def _digest(text: str) -> np.uint64:
    digest = blake2b(text.encode("utf-8", "surrogatepass"), digest_size=8).digest()
    return np.uint64(int.from_bytes(digest, "little"))


def _mixed(z: Marks) -> Marks:
    z = z + np.uint64(0x9E3779B97F4A7C15)
    z = (z ^ (z >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
    z = (z ^ (z >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
    return np.asarray(z ^ (z >> np.uint64(31)))
