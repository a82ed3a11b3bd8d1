"""The rows that a descent passes over many times, in portions that suit its sums, and a part of them to begin with.

Sparse batches of a wide table are very thin: they are put together to a size that is worth a product. Dense ones are
cut, so that threads end together and what a portion makes stays in cache. Neither depends on the number of threads.
"""

from collections.abc import Iterator
from dataclasses import replace
from itertools import pairwise

import numpy as np

from likely.data.sources import Kept, Source
from likely.models.learning.designed import DesignedRows
from likely.models.linear.log_odds.penalties import Penalty

_SPARSE_CELLS = 2**20  # cells that are not 0 in a batch of a sparse matrix
_DENSE_ROWS = 2**13  # rows in a portion,
_DENSE_WEIGHTS = 1_000  # for so many weights, whose sums are small beside those rows
_PART = 16  # one row in so many is solved for first,
_PART_ROWS = 40  # or so many for each column, if these are more,
_PART_PORTION = 2**11  # in portions of so many
_MANY_CELLS = 2**22  # cells of a table whose part is worth it


def portioned(rows: Source[DesignedRows], weights: int) -> Source[DesignedRows]:
    """Batches that are held, put together or cut to a good size for sums of so many weights; others as they are."""
    if not isinstance(rows, Kept) or not rows.held:
        return rows
    if not hasattr(rows.held[0].x, "indptr"):
        return _cut(rows, _DENSE_ROWS) if weights <= _DENSE_WEIGHTS else rows
    groups: list[list[DesignedRows]] = [[]]
    for batch in rows.held:
        if sum(other.x.nnz for other in groups[-1]) >= _SPARSE_CELLS:
            groups.append([])
        groups[-1].append(batch)
    return Kept(tuple(group[0] if len(group) == 1 else _joined(group) for group in groups))


def part_of(rows: Source[DesignedRows]) -> int:
    """One row in how many makes a part that is worth solving first; 1: there are too few."""
    if not isinstance(rows, Kept):
        return 1
    count, width = sum(batch.x.shape[0] for batch in rows.held), rows.held[0].x.shape[1]
    return min(_PART, max(1, count // (_PART_ROWS * width))) if count * width >= _MANY_CELLS else 1


def thinned(rows: Source[DesignedRows], every: int) -> Source[DesignedRows]:
    """One row in so many, the same ones however the rows are cut into batches."""
    thin, seen = [], 0
    for batch in rows.batches():
        thin.append(_some(batch, slice(-seen % every, None, every)))
        seen += len(batch.codes)
    return Kept(tuple(thin)) if hasattr(thin[0].x, "indptr") else _cut(Kept((_joined(thin),)), _PART_PORTION)


def lightened(penalty: Penalty, every: int) -> Penalty:
    """The penalty that weighs as much beside a part of the rows."""
    return replace(penalty, squares=penalty.squares / every, tie=penalty.tie / every)


def _cut(rows: Kept[DesignedRows], size: int) -> Kept[DesignedRows]:
    """Portions of about equal numbers of rows, at most `size`, which are views."""

    def cut(batch: DesignedRows) -> Iterator[DesignedRows]:
        count = len(batch.codes)
        ends = np.linspace(0, count, -(-count // size) + 1).astype(int).tolist()
        return (_some(batch, slice(start, end)) for start, end in pairwise(ends))

    return Kept(tuple(portion for batch in rows.held for portion in cut(batch)))


def _some(rows: DesignedRows, which: slice) -> DesignedRows:
    return DesignedRows(rows.x[which], rows.codes[which], None if rows.weight is None else rows.weight[which])


def _joined(group: list[DesignedRows]) -> DesignedRows:
    if hasattr(group[0].x, "indptr"):
        from scipy.sparse import vstack

        x = vstack([rows.x for rows in group], format="csr")
    else:
        x = np.concatenate([rows.x for rows in group])
    weights = [rows.weight for rows in group if rows.weight is not None]
    return DesignedRows(x, np.concatenate([rows.codes for rows in group]), np.concatenate(weights) if weights else None)
