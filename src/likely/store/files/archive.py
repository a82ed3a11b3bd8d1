"""The ZIP around a model: written deterministically and whole, read strictly and within limits.

    likely.json          the manifest
    likely.sha256        its digest, as `sha256sum` writes it
    arrays/<name>.npy    raw arrays
    comment              "likely sha256:" and the digest of every byte of the file before those 64 digits

Each byte of the file is under the digest in the comment, the ZIP's own tables too: a byte that was changed, lost or
added is found before anything is read. Digests find accidents, not forgers, who can compute them again; so the reader
trusts no number. It takes a ZIP only as this module writes it (no encryption, no extra fields, no gaps), compares the
declared sizes with each other and with the limits before it allocates, and bounds what little data can unfold to.
"""

import hashlib
import os
import stat
import struct
import zlib
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from io import BufferedReader
from pathlib import Path
from typing import Self

import numpy as np

from likely.errors import InputError
from likely.numeric.arrays import Array
from likely.store.files.replacing import replacing

MAX_SIZE = 2**32 - 2**16  # bytes of a file, and of all it unfolds to: what a ZIP can say without extensions
MAX_MANIFEST = 2**25
MAX_MEMBERS = 10_000
UNFOLDING = 32  # a member is at most this many times its size in the file,
SLACK = 2**20  # or this small

_MARK = b"likely sha256:"
_DIGITS = 64
_STORED, _DEFLATED = 0, 8
_VERSION, _FLAGS = 20, 0
_DATE = (1 << 5) | 1  # the first day of 1980, where the ZIP calendar begins
_LOCAL = struct.Struct("<4s5H3L2H")
_CENTRAL = struct.Struct("<4s6H3L5H2L")
_END = struct.Struct("<4s4H2LH")
_SAMPLE = 2**16


@dataclass(frozen=True)
class Member:
    """A member's place and size."""

    name: str
    method: int
    crc: int
    packed: int  # bytes in the file
    size: int
    offset: int  # of its local header

    @property
    def local(self) -> bytes:
        name = self.name.encode("ascii")
        sizes = (self.crc, self.packed, self.size)
        return _LOCAL.pack(b"PK\3\4", _VERSION, _FLAGS, self.method, 0, _DATE, *sizes, len(name), 0) + name

    @property
    def central(self) -> bytes:
        name = self.name.encode("ascii")
        sizes = (self.crc, self.packed, self.size)
        fixed = (_VERSION, _VERSION, _FLAGS, self.method, 0, _DATE)
        return _CENTRAL.pack(b"PK\1\2", *fixed, *sizes, len(name), 0, 0, 0, 0, 0, self.offset) + name

    @property
    def end(self) -> int:
        """Where the next member begins."""
        return self.offset + len(self.local) + self.packed


def write_archive(path: Path, members: Mapping[str, memoryview]) -> None:
    """Write members in their order; the file is replaced only when all of it is on the disk."""
    with replacing(path) as file:
        whole = hashlib.sha256()

        def put(data: bytes | memoryview) -> None:
            whole.update(data)
            file.write(data)

        placed: list[Member] = []
        offset = 0
        for name, data in members.items():
            packed, method = _packed(data)
            size = len(data)
            member = Member(name, method, zlib.crc32(data), len(packed), size, offset)
            offset = member.end
            if offset > MAX_SIZE or size > MAX_SIZE:
                raise InputError(f"the model is larger than a model file can be ({MAX_SIZE / 1e9:.1f} GB)")
            put(member.local)
            put(packed)
            placed.append(member)
        tables = b"".join(member.central for member in placed)
        put(tables + _ending(len(placed), len(tables), offset) + _MARK)
        file.write(whole.hexdigest().encode())


@dataclass(frozen=True)
class Archive:
    """An open file whose digest and tables are right."""

    file: BufferedReader
    members: dict[str, Member]
    size: int  # of the whole file
    sha256: str  # of the whole file, its last 64 digits too

    @classmethod
    @contextmanager
    def opened(cls, path: Path, max_size: int = MAX_SIZE) -> Iterator[Self]:
        """Open and check; every error names the file."""
        try:
            with open(path, "rb", opener=_without_waiting) as file:
                status = os.fstat(file.fileno())
                size = status.st_size
                if not stat.S_ISREG(status.st_mode):
                    raise InputError("it is a pipe or a device; write what comes from it to a file and open that")
                if size > max_size:
                    raise InputError(f"it is {size} bytes long, more than max_size={max_size}")
                sha256 = _checked_digest(file, size)
                members = _read_tables(file, size)
                _check_sizes(members, size, max_size)
                yield cls(file, {member.name: member for member in members}, size, sha256)
        except OSError as error:
            raise InputError(f"{path} cannot be read: {error.strerror or error}") from None
        except InputError as error:
            raise InputError(f"{path} cannot be opened as a model: {error}") from None

    @property
    def unfolded(self) -> int:
        """Bytes of all members."""
        return sum(member.size for member in self.members.values())

    def read(self, name: str) -> Array:
        """The bytes of a member."""
        member = self.members[name]
        data = np.empty(member.packed, dtype=np.uint8)
        self.file.seek(member.offset + len(member.local))
        if self.file.readinto(data.data) != member.packed:
            raise InputError(f"its member {name} is cut short")
        if member.method == _DEFLATED:
            data = _unfolded(data, member.size)
        if len(data) != member.size or zlib.crc32(data.data) != member.crc:
            raise InputError(f"its member {name} is damaged")
        return data


def _without_waiting(path: str, flags: int) -> int:
    """Open a pipe too without waiting for someone to write to it."""
    return os.open(path, flags | getattr(os, "O_NONBLOCK", 0))


def _packed(data: memoryview) -> tuple[memoryview | bytes, int]:
    """Deflated where that saves a tenth and the reader will unfold it; a sample tells whether it is worth trying."""
    middle = len(data) // 2
    sample = bytes(data[: _SAMPLE // 2]) + bytes(data[middle : middle + _SAMPLE // 2])
    if len(zlib.compress(sample, 6)) < 0.9 * len(sample):
        coder = zlib.compressobj(6, zlib.DEFLATED, -15)
        packed = coder.compress(data) + coder.flush()
        if len(packed) < 0.9 * len(data) and _may_unfold(len(packed), len(data)):
            return packed, _DEFLATED
    return data, _STORED


def _may_unfold(packed: int, size: int) -> bool:
    return size <= max(UNFOLDING * packed, SLACK)


def _unfolded(data: Array, size: int) -> Array:
    decoder = zlib.decompressobj(-15)
    try:
        found = decoder.decompress(data.data, size + 1)
    except zlib.error as error:
        raise InputError(f"a member cannot be unpacked: {error}") from None
    if len(found) != size or not decoder.eof or decoder.unused_data:
        raise InputError("a member does not unfold to the size that it declares")
    out = np.empty(size, dtype=np.uint8)  # writable, unlike the bytes
    out[:] = np.frombuffer(found, dtype=np.uint8)
    return out


def _ending(members: int, size: int, offset: int) -> bytes:
    return _END.pack(b"PK\5\6", 0, 0, members, members, size, offset, len(_MARK) + _DIGITS)


def _checked_digest(file: BufferedReader, size: int) -> str:
    least = _END.size + len(_MARK) + _DIGITS
    if size < least or file.read(4) != b"PK\3\4":
        raise InputError("it is no .likely file, or its beginning is lost")
    file.seek(0)
    whole, left = hashlib.sha256(), size - _DIGITS
    while left:
        piece = file.read(min(left, 2**20))
        if not piece:
            raise InputError("it became shorter while it was read")
        whole.update(piece)
        left -= len(piece)
    digits = file.read(_DIGITS)
    if whole.hexdigest().encode() != digits:
        file.seek(size - _DIGITS - len(_MARK))
        if file.read(len(_MARK)) != _MARK:
            raise InputError("it does not end as a .likely file does: it was cut off, added to, or is something else")
        raise InputError("it is damaged: its bytes are not those that were saved (their digest differs)")
    whole.update(digits)
    return whole.hexdigest()


def _read_tables(file: BufferedReader, size: int) -> list[Member]:
    """The members; the tables must be what the writer would have written for them."""
    at = size - _DIGITS - len(_MARK) - _END.size
    file.seek(at)
    _, _, _, count, _, table_size, offset, _ = _END.unpack(file.read(_END.size))
    file.seek(at)
    if file.read(_END.size) != _ending(count, table_size, offset) or offset + table_size != at:
        raise InputError("its table of members is not where it should be")
    if count > MAX_MEMBERS or table_size > MAX_MEMBERS * (_CENTRAL.size + 300):
        raise InputError(f"it has more than {MAX_MEMBERS} members")
    file.seek(offset)
    table = file.read(table_size)
    members: list[Member] = []
    place = 0
    for _ in range(count):
        if place + _CENTRAL.size > len(table):
            raise InputError("its table of members is cut short")
        (_, _, _, _, method, _, _, crc, packed, full, length, _, _, _, _, _, begin) = _CENTRAL.unpack_from(table, place)
        raw = table[place + _CENTRAL.size : place + _CENTRAL.size + length]
        if not raw.isascii():
            raise InputError("the name of a member is not plain text")
        member = Member(raw.decode("ascii"), method, crc, packed, full, begin)
        file.seek(begin)
        same_table = table.startswith(member.central, place)
        if not same_table or file.read(len(member.local)) != member.local or method not in (_STORED, _DEFLATED):
            raise InputError(f"its member {member.name!r:.60} is not as this library writes it")
        if begin != (members[-1].end if members else 0):
            raise InputError(f"its member {member.name!r:.60} is not where it should be")
        place += len(member.central)
        members.append(member)
    if place != len(table) or (members[-1].end if members else 0) != offset:
        raise InputError("there are bytes in it that belong to no member")
    if len({member.name for member in members}) < len(members):
        raise InputError("two of its members have the same name")
    return members


def _check_sizes(members: list[Member], size: int, max_size: int) -> None:
    whole = sum(member.size for member in members)
    if whole > max_size:
        raise InputError(f"it unfolds to {whole} bytes, more than max_size={max_size}")
    if whole > UNFOLDING * size + SLACK:
        raise InputError(f"{size} bytes that unfold to {whole} are refused")
    for member in members:
        if not _may_unfold(member.packed, member.size) or (member.method == _STORED and member.packed != member.size):
            raise InputError(f"its member {member.name!r:.60} declares a size of {member.size}, which is refused")
