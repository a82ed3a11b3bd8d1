"""A table of levels laid out for reading: what a row says, with as few looks into memory as there can be."""

from dataclasses import dataclass
from typing import Self

import numpy as np

from likely.numeric.arrays import Floats, Ints

_FUSED = 128  # cells of a fused table: it has to stay in the first cache


@dataclass(frozen=True)
class FusedTable:
    """A table for reading: neighbouring features with few levels are read together, from a table of all their pairs."""

    table: Floats  # (rows, k)  per feature: a missing cell, then its levels
    offset: Ints  # (d + 1,)   where each feature's rows begin
    fused: Floats  # (cells, k padded to a multiple of 4)
    group: Ints  # (g + 1,)   first feature of each group
    start: Ints  # (g,)       where each group's cells begin
    stride: Ints  # (d,)

    @classmethod
    def of(cls, table: Floats, sizes: list[int]) -> Self:
        offset = np.concatenate([[0], np.cumsum(sizes)]).astype(np.int64)
        group, start, stride, blocks = [0], [0], np.ones(len(sizes), dtype=np.int64), []
        block = table[: sizes[0]]
        for j in range(1, len(sizes)):
            own = table[offset[j] : offset[j + 1]]
            if len(block) * len(own) <= _FUSED:
                stride[j] = len(block)
                block = (own[:, None, :] + block[None, :, :]).reshape(-1, table.shape[1])
            else:
                blocks.append(block)
                group.append(j)
                start.append(start[-1] + len(block))
                block = own
        group.append(len(sizes))
        fused = np.pad(np.concatenate([*blocks, block]), ((0, 0), (0, -table.shape[1] % 4)))
        return cls(table, offset, fused, np.array(group), np.array(start), stride)
