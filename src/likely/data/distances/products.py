"""Squared distances as a matrix product: rows become vectors whose products are distances, but for a term of the query.

    number          (u - v)^2                           u -> (u, .)                  v -> (-2 v, v^2)
    number or gap   as above where both are there, else g   u -> (u, u^2, e)  v -> (-2 v, e, v^2 - g e), plus g
    level           1 - [u = v]                         u -> indicator               v -> -indicator, plus 1
    words           1 - sum sqrt(p q)                   u -> roots of shares         v -> -the same, plus 1

with u = 0 and e = 0 where the cell is missing, else e = 1. Numbers are taken about their mean, which leaves distances
and loses no digits to it. What rounding may hide is at most `slack` of either side's length.
"""

from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np

from likely.data.distances.table_distance import Points, TableDistance
from likely.numeric.arrays import Array, Floats

_WIDEST = 1_024  # columns of the vectors: wider ones are kept sparse
_PIECE = 4_096  # rows that become vectors at once: what is made on the way stays in cache
_LARGEST = {np.dtype(np.float32): 1e15, np.dtype(np.float64): 1e120}  # whose squares can be summed


@dataclass(frozen=True, eq=False)
class Vectors:
    """Rows of one side of the product."""

    rows: Any  # (n, m)  in single or double precision; CSR where they are wide
    length: Floats  # (n,)

    def __len__(self) -> int:
        return int(self.rows.shape[0])


@dataclass(frozen=True, eq=False)
class InnerProducts:
    """The training rows as vectors, and how queries become theirs."""

    distance: TableDistance
    gaps: Array  # (a,) bool  columns in which a gap may come
    centre: Floats  # (a,)
    wide: bool
    dtype: Any
    sizes: tuple[int, ...]  # (b,)  levels of each column
    known: Vectors = field(default_factory=lambda: Vectors(None, np.empty(0)))
    slack: float = 0.0  # of the product of two lengths

    @classmethod
    def of(cls, distance: TableDistance, points: Points, gaps: Array, dtype: Any) -> "InnerProducts | None":
        """None where the numbers are too large for this precision."""
        sizes = tuple(int(top) + 1 for top in points.c.max(axis=0, initial=-1))
        width = points.x.shape[1] + sum(sizes) + sum(part.shape[1] for part in points.t)
        wide = not isinstance(points.x, np.ndarray) or width > _WIDEST
        centre = np.zeros(points.x.shape[1])
        if isinstance(points.x, np.ndarray) and len(centre):
            with np.errstate(all="ignore"):
                seen = np.maximum((~np.isnan(points.x)).sum(axis=0), 1)
                centre = np.nan_to_num(np.nansum(points.x, axis=0, dtype=np.float64) / seen, posinf=0.0, neginf=0.0)
        made = cls(distance, gaps, centre, wide, np.dtype(dtype), sizes)
        known = made._vectors(points, known=True)
        if known is None:
            return None
        epsilon = float(np.finfo(dtype).eps)
        terms = (int(np.diff(known.rows.indptr).max(initial=0)) if wide else known.rows.shape[1]) + 8
        return replace(made, known=known, slack=terms * epsilon)

    def query(self, points: Points) -> Vectors | None:
        """Queries as vectors; None where their numbers are too large."""
        return self._vectors(points, known=False)

    def tile(self, queries: Vectors, start: int, stop: int, out: Array) -> Array:
        """Squared distances (q, stop - start), but for a term of the query and for rounding; `out` is room for it."""
        if not self.wide:
            return np.matmul(queries.rows, self.known.rows[start:stop].T, out=out[:, : stop - start])
        block = queries.rows.toarray() if hasattr(queries.rows, "toarray") else queries.rows
        return np.ascontiguousarray((self.known.rows[start:stop] @ block.T).T)

    def _vectors(self, points: Points, known: bool) -> Vectors | None:
        if self.wide or len(points) <= _PIECE:
            return self._piece(points, known)
        rows, length = None, np.empty(len(points))
        for start in range(0, len(points), _PIECE):
            some = slice(start, min(start + _PIECE, len(points)))
            made = self._piece(points.at(some), known)
            if made is None:
                return None
            if rows is None:
                rows = np.empty((len(points), made.rows.shape[1]), dtype=self.dtype)
            rows[some], length[some] = made.rows, made.length
        return Vectors(rows, length)

    def _piece(self, points: Points, known: bool) -> Vectors | None:
        with np.errstate(over="ignore", invalid="ignore"):  # what is too large is found below
            numbers = self._numbers(points.x, known)
        parts = [*numbers, *self._levels(points.c, known), *self._texts(points, known)]
        constant = float((self.distance.wc.sum()) + self.distance.wt.sum())
        norm = sum((part[1] for part in parts), np.full(len(points), constant) if known else np.zeros(len(points)))
        columns = [part[0] for part in parts]
        last = norm if known else np.ones(len(points))
        largest = max((float(np.abs(_data(c)).max(initial=0.0)) for c in columns), default=0.0)
        if not max(largest, float(np.abs(last).max(initial=0.0))) < _LARGEST[self.dtype]:
            return None
        if self.wide:
            from scipy.sparse import csr_matrix, hstack

            rows = hstack([*map(csr_matrix, columns), csr_matrix(last[:, None])], format="csr").astype(self.dtype)
            length = np.sqrt(np.asarray(rows.multiply(rows).sum(axis=1)).ravel().astype(np.float64))
            return Vectors(rows, length)
        dense = [c.toarray() if hasattr(c, "toarray") else c for c in columns]
        rows = np.empty((len(points), sum(c.shape[1] for c in dense) + 1), dtype=self.dtype)
        at = 0
        for column in dense:
            rows[:, at : at + column.shape[1]] = column
            at += column.shape[1]
        rows[:, -1] = last
        return Vectors(rows, np.sqrt(np.einsum("ij,ij->i", rows, rows, dtype=np.float64)))

    def _numbers(self, x: Any, known: bool) -> list[tuple[Any, Any]]:
        size = self.distance.scale * np.sqrt(self.distance.wx)
        if not isinstance(x, np.ndarray):
            from scipy.sparse import diags_array

            z = x.astype(np.float64) @ diags_array(size)
            norm = np.asarray(z.multiply(z).sum(axis=1)).ravel()
            return [(-2.0 * z, norm)] if known else [(z, 0.0)]
        if not x.shape[1]:
            return []
        z = (x - self.centre) * size
        told = ~np.isnan(z)
        z = np.where(told, z, 0.0) if self.gaps.any() else z
        norm = np.einsum("ij,ij->i", z, z) if not self.gaps.any() else (z[:, ~self.gaps] ** 2).sum(axis=1)
        found: list[tuple[Any, Any]] = [(-2.0 * z, norm)] if known else [(z, 0.0)]
        if self.gaps.any():
            u, e = z[:, self.gaps], told[:, self.gaps].astype(np.float64)
            g = (self.distance.gap**2 * self.distance.wx)[self.gaps]
            found += [(e, g.sum()), (u**2 - g * e, 0.0)] if known else [(u**2, 0.0), (e, 0.0)]
        return found

    def _levels(self, c: Array, known: bool) -> list[tuple[Any, Any]]:
        if not c.shape[1]:
            return []
        from scipy.sparse import csr_matrix

        start = np.concatenate([[0], np.cumsum(self.sizes)])
        row, column = np.nonzero((c >= 0) & (c < np.array(self.sizes)))
        value = np.ones(len(row)) if not known else -self.distance.wc[column]
        shape = (len(c), int(start[-1]))
        return [(csr_matrix((value, (row, start[column] + c[row, column])), shape=shape), 0.0)]

    def _texts(self, points: Points, known: bool) -> list[tuple[Any, Any]]:
        return [(-w * t if known else t, 0.0) for w, t in zip(self.distance.wt, points.t, strict=True)]


def _data(part: Any) -> Array:
    return np.asarray(part.data if hasattr(part, "indptr") else part)
