"""Arrays as `.npy` members: which types a file may hold, and the header that goes before the numbers.

The header is written and compared by this module, not parsed: a member must begin with exactly the bytes that the type,
shape and order in the manifest call for. Nothing is allocated before its size is known to be right.
"""

import hashlib
import math
import re
from dataclasses import dataclass
from typing import Any, Self

import numpy as np

from likely.errors import InputError
from likely.numeric.arrays import Array
from likely.store.quoting import quoted

# Little-endian numbers, bits, texts of fixed length, dates and durations. No objects: they would need pickle.
_DTYPE = re.compile(r"[<|](f[248]|[iu][1248]|b1|[US][0-9]{1,7}|[Mm]8(\[[0-9]{0,4}[a-zA-Zμ]{1,7}\])?)")
_MAX_DIMENSIONS = 8
_LARGEST_SIDE = 2**48


@dataclass(frozen=True)
class RawArray:
    """What the manifest says of an array; `values` are its numbers in the order in which they lie in the file."""

    dtype: str
    shape: tuple[int, ...]
    order: str  # "C" or "F"
    sha256: str

    @classmethod
    def of(cls, array: Array) -> tuple[Self, Array]:
        """The entry of an array, and its values as a flat array of bytes."""
        array = array.astype(array.dtype.newbyteorder("<"), copy=False)
        if not _DTYPE.fullmatch(array.dtype.str):
            raise InputError(f"an array of type {array.dtype} cannot be kept in a model file")
        fortran = array.flags.f_contiguous and not array.flags.c_contiguous
        flat = np.ascontiguousarray(array.T if fortran else array).reshape(-1)
        data = flat.view(np.uint8) if flat.nbytes else np.zeros(0, dtype=np.uint8)
        return cls(array.dtype.str, array.shape, "F" if fortran else "C", hashlib.sha256(data.data).hexdigest()), data

    @classmethod
    def read(cls, entry: object) -> Self:
        """From the manifest, checked; nothing is allocated."""
        if not isinstance(entry, dict) or set(entry) != {"dtype", "shape", "order", "bytes", "sha256"}:
            raise InputError("the table of arrays is not one")
        dtype, shape, order = entry["dtype"], entry["shape"], entry["order"]
        if not isinstance(dtype, str) or not _DTYPE.fullmatch(dtype):
            raise InputError(f"arrays of type {quoted(dtype)} are refused")
        if not isinstance(shape, list) or len(shape) > _MAX_DIMENSIONS or order not in ("C", "F"):
            raise InputError(f"the shape {quoted(shape)} is refused")
        if not all(type(side) is int and 0 <= side <= _LARGEST_SIDE for side in shape):
            raise InputError(f"the shape {quoted(shape)} is refused")
        if not isinstance(entry["sha256"], str):
            raise InputError("the table of arrays is not one")
        found = cls(dtype, tuple(shape), order, entry["sha256"])
        if type(entry["bytes"]) is not int or entry["bytes"] != found.nbytes:
            raise InputError(f"an array of {shape} {dtype} takes {found.nbytes} bytes, not {quoted(entry['bytes'])}")
        return found

    @property
    def nbytes(self) -> int:
        return math.prod(self.shape) * np.dtype(self.dtype).itemsize

    @property
    def header(self) -> bytes:
        """Magic, version 1.0 and description, padded to a multiple of 64 bytes; `numpy.load` reads it."""
        order, shape = self.order == "F", self.shape
        text = f"{{'descr': {self.dtype!r}, 'fortran_order': {order}, 'shape': {shape}, }}"
        size = -(-(10 + len(text) + 1) // 64) * 64
        body = text.encode("ascii").ljust(size - 11) + b"\n"
        return b"\x93NUMPY\x01\x00" + len(body).to_bytes(2, "little") + body

    @property
    def entry(self) -> dict[str, Any]:
        """For the manifest."""
        return {
            "dtype": self.dtype,
            "shape": list(self.shape),
            "order": self.order,
            "bytes": self.nbytes,
            "sha256": self.sha256,
        }

    def restored(self, data: Array) -> Array:
        """The array from its bytes (nbytes,)."""
        if hashlib.sha256(data.data).hexdigest() != self.sha256:
            raise InputError("the numbers of an array are not those that were saved")
        dtype = np.dtype(self.dtype)
        if not data.nbytes:
            return np.zeros(self.shape, dtype=dtype)
        if dtype.kind == "b" and data.max() > 1:
            raise InputError("an array of bits holds other numbers than 0 and 1")
        if dtype.kind == "U" and data.view("<u4").max() > 0x10FFFF:
            raise InputError("an array of texts holds what is no character")
        array = data.view(dtype)
        return array.reshape(self.shape[::-1]).T if self.order == "F" else array.reshape(self.shape)
