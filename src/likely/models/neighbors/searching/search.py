"""The nearest rows of each query: by matrix products in blocks, by a k-d tree, or one by one.

Never are all distances there at once. Whatever the way, the candidates' distances are computed again from the cells
themselves, so the answer is the same. The k places go to the nearest; rows at the same distance as the k-th share the
places that are left, so that no answer depends on the order of the rows. A row of weight w takes w places.
"""

from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property
from typing import Any, NamedTuple, TypeVar

import numpy as np

from likely import engines
from likely.data.distances.products import InnerProducts, Vectors
from likely.data.distances.table_distance import Points, TableDistance
from likely.models.neighbors.searching.curve import along_curve
from likely.numeric.arrays import Array, Floats, Ints
from likely.numeric.kernels.distances.cells import LARGEST
from likely.numeric.kernels.distances.nearest import screen, share_places, weed

T = TypeVar("T")
_BLOCK, _TILE = 512, 512  # queries and training rows of a tile, which stays in the second-level cache
_TREE_WIDTH, _TREE_ROWS = 8, 2_000  # at most so many columns, and at least so many rows, for a tree
_FEW_ROWS = 1_024  # whose distances are sorted out by NumPy: compiling kernels for them would take longer
_SMALL_GROUP = 8  # rows that do not count, which a tree can afford to find too
_TREE_BLOCK, _AT_ONCE = 8_192, 2**20  # queries that a thread asks a tree, and places of all that are asked at once


class Neighborhoods(NamedTuple):
    """The neighbours of some queries, nearest first: those of query i are start[i] to start[i + 1]."""

    start: Ints  # (q + 1,)
    row: Ints  # (m,)  numbers of training rows
    distance: Floats  # (m,)
    mass: Floats  # (m,)  the places each takes

    @property
    def owner(self) -> Ints:
        """The query of each (m,)."""
        return np.repeat(np.arange(len(self.start) - 1), np.diff(self.start))

    def of(self, queries: Ints) -> "Neighborhoods":
        """Those of some of the queries, in their order."""
        count = np.diff(self.start)[queries]
        start = np.concatenate([[0], np.cumsum(count)])
        at = np.repeat(self.start[queries] - start[:-1], count) + np.arange(int(start[-1]))
        return Neighborhoods(start, self.row[at], self.distance[at], self.mass[at])


@dataclass(frozen=True, eq=False)
class Search:
    """Training rows that can be searched."""

    distance: TableDistance
    points: Points
    weight: Floats  # (n,)
    algorithm: str = "auto"

    @cached_property
    def of_rows(self) -> "Search":
        """The same, where every row takes one place whatever it weighs; kept, as its tree is worth keeping."""
        if np.all(self.weight == 1):
            return self
        return Search(self.distance, self.points, np.ones(len(self.points)), self.algorithm)

    def each(
        self,
        queries: Points,
        k: float | None,
        work: Callable[[slice, Neighborhoods], T],
        own: Ints | None = None,
        group: Ints | None = None,
    ) -> list[T]:
        """What `work` makes of the neighbourhoods of a block of queries, for all blocks; k None: all rows.

        For query i, the rows whose group is own[i] do not count.
        """
        if k is not None and self._by_tree(k, group):
            size = max(_TREE_BLOCK, _AT_ONCE // int(k))
            some = [slice(start, min(start + size, len(queries))) for start in range(0, len(queries), size)]
            return [found for rows in some for found in self._asked(queries, rows, k, work, own, group)]
        size = _BLOCK if k is not None else max(1, min(_BLOCK, 2**20 // max(len(self.points), 1)))
        starts = range(0, len(queries), size)

        def block(start: int) -> T:
            rows = slice(start, min(start + size, len(queries)))
            some = None if own is None else own[rows]
            return work(rows, self._neighborhoods(queries.at(rows), k, some, group))

        return engines.current().map(starts, block)

    def _asked(
        self,
        queries: Points,
        rows: slice,
        k: float,
        work: Callable[[slice, Neighborhoods], T],
        own: Ints | None,
        group: Ints | None,
    ) -> list[T]:
        """What `work` makes of some queries, which a tree is asked in an order that keeps its nodes at hand."""
        order = rows.start + along_curve(self._axes(queries.x[rows]))
        blocks = range(0, len(order), _TREE_BLOCK)

        def near(start: int) -> Neighborhoods:
            at = order[start : start + _TREE_BLOCK]
            return self._neighborhoods(queries.at(at), k, None if own is None else own[at], group)

        found = _joined(engines.current().map(blocks, near))
        place = np.empty(len(order), dtype=np.int64)
        place[order - rows.start] = np.arange(len(order))

        def worked(start: int) -> T:
            at = place[start : start + _TREE_BLOCK]
            return work(slice(rows.start + start, rows.start + start + len(at)), found.of(at))

        return engines.current().map(blocks, worked)

    def _neighborhoods(self, q: Points, k: float | None, own: Ints | None, group: Ints | None) -> Neighborhoods:
        if k is None:
            return self._all_rows(q, own, group)
        if own is None:
            count = np.full(len(q), len(self.points))
        else:
            assert group is not None
            count = len(self.points) - _rows_of(own, group)
        if self._by_tree(k, group):
            start, index, apart = self._from_tree(q, int(k), own, group)
        else:
            start, index, apart = self._screened(q, self._places(k), own, group, count)
        near = nearest_of(start, index, apart, self.weight, k)
        return near._replace(distance=self.distance.root(near.distance))

    def _places(self, k: float) -> int:
        """How many rows have to be found so that they weigh k."""
        least = float(self.weight.min())
        return int(min(np.ceil(k / min(least, 1.0)), len(self.points)))

    def _all_rows(self, q: Points, own: Ints | None, group: Ints | None) -> Neighborhoods:
        n = len(self.points)
        apart = self.distance.root(self.distance.tile(q, self.points))
        counts = np.ones(apart.shape, dtype=bool) if own is None else np.asarray(group)[None] != own[:, None]
        order = np.argsort(np.where(counts, apart, np.inf), axis=1, kind="stable")
        kept = counts.sum(axis=1)
        some = np.arange(n) < kept[:, None]
        index = order[some]
        return Neighborhoods(
            np.concatenate([[0], np.cumsum(kept)]), index, np.take_along_axis(apart, order, 1)[some], self.weight[index]
        )

    def _by_tree(self, k: float | None, group: Ints | None) -> bool:
        if k is None or self.algorithm == "brute" or (group is not None and _largest(group) > _SMALL_GROUP):
            return False
        x, rule = self.points.x, self.distance
        fits = isinstance(x, np.ndarray) and not self.points.c.shape[1] and not self.points.t and not self.points.plain
        fits = fits and not callable(rule.metric) and rule.metric not in ("gower", "hamming", "zero_norm")
        fits = fits and (rule.metric != "minkowski" or rule.p >= 1)
        if self.algorithm != "kd_tree":
            fits = fits and x.shape[1] <= _TREE_WIDTH and len(x) >= _TREE_ROWS and k <= 64
        return fits and self._finite and float(self.weight.min()) >= 1

    @cached_property
    def _finite(self) -> bool:
        return bool(np.isfinite(self._tree_rows).all())

    @cached_property
    def _tree_rows(self) -> Floats:
        return np.ascontiguousarray(self._axes(self.points.x))

    def _axes(self, x: Array) -> Floats:
        """Rows on axes on which the plain distance is the weighted one."""
        power = 1.0 if self.distance.rule == LARGEST else self.distance._rule[1]
        return np.asarray(x * (self.distance.scale * self.distance.wx ** (1 / power)), dtype=np.float64)

    @cached_property
    def _tree(self) -> Any:
        from scipy.spatial import KDTree

        return KDTree(self._tree_rows, balanced_tree=False, compact_nodes=False)

    def _from_tree(self, q: Points, k: int, own: Ints | None, group: Ints | None) -> tuple[Ints, Ints, Floats]:
        n, order = len(self.points), np.inf if self.distance.rule == LARGEST else self.distance._rule[1]
        axes = self._axes(q.x)
        if not np.isfinite(axes).all():
            count = np.full(len(q), n) if own is None or group is None else n - _rows_of(own, group)
            return self._screened(q, k, own, group, count)
        owners, rows = list[Ints](), list[Ints]()
        left = np.arange(len(q))
        wanted = min(k + 1 + (0 if group is None else _largest(group)), n)
        while len(left):
            apart, index = self._tree.query(axes[left], k=np.arange(1, wanted + 1), p=order)
            counts = np.ones(index.shape, dtype=bool)
            if own is not None and group is not None:
                counts = group[index] != own[left, None]
            place = np.cumsum(counts, axis=1)
            last = np.where(counts & (place <= k), apart, -np.inf).max(axis=1)  # of those that have a place
            clear = ((apart[:, -1] > last * (1 + 1e-9)) & (place[:, -1] >= k)) | (wanted == n)
            some = counts & clear[:, None]
            owners.append(np.repeat(left[clear], counts[clear].sum(axis=1)))
            rows.append(index[some])
            left, wanted = left[~clear], min(2 * wanted + 8, n)
        owner, row = np.concatenate(owners), np.concatenate(rows)
        if len(owners) > 1:
            by = np.argsort(owner, kind="stable")
            owner, row = owner[by], row[by]
        start = np.concatenate([[0], np.cumsum(np.bincount(owner, minlength=len(q)))])
        return start, row.astype(np.int64), self.distance.pairs(q, self.points, owner, row)

    def _screened(
        self, q: Points, k: int, own: Ints | None, group: Ints | None, count: Ints
    ) -> tuple[Ints, Ints, Floats]:
        """Candidates by tiles of distances, then their distances from the cells."""
        for dtype in (np.float32, np.float64) if len(self.points) > _FEW_ROWS else ():
            product = self._product(q, dtype)
            queries = None if product is None else product.query(q)
            if product is None or queries is None:
                continue
            found = self._candidates(q, k, own, group, count, product, queries, few=dtype == np.float32)
            if found is not None:
                break
        else:
            found = self._candidates(q, k, own, group, count, None, None, few=False)
        assert found is not None
        start, index = found
        owner = np.repeat(np.arange(len(q)), np.diff(start))
        return start, index, self.distance.pairs(q, self.points, owner, index)

    def _candidates(
        self,
        q: Points,
        k: int,
        own: Ints | None,
        group: Ints | None,
        count: Ints,
        product: InnerProducts | None,
        queries: Vectors | None,
        few: bool,
    ) -> tuple[Ints, Ints] | None:
        n, room = len(self.points), 4 * k + 64
        mine = np.full(len(q), -1, dtype=np.int64) if own is None else own
        groups = self._no_group if group is None else group
        if product is None or queries is None:
            slack = np.zeros(len(q))
        else:
            slack = 2 * product.slack * queries.length * float(product.known.length.max(initial=0.0))
        places = int(min(k, count.max(initial=0)))
        if n <= _FEW_ROWS:
            tile = self.distance.tile(q, self.points)
            return _smallest(tile, groups[None] != mine[:, None], max(places, 1))
        buffer = np.empty((len(q), _TILE), dtype=np.float64 if product is None else product.dtype)
        limit = np.empty(1, dtype=buffer.dtype)
        while True:
            heap, filled = np.empty((len(q), max(places, 1))), np.zeros(len(q), dtype=np.int64)
            index, value = np.empty((len(q), room), dtype=np.int64), np.empty((len(q), room))
            held = np.zeros(len(q), dtype=np.int64)
            fits = True
            for start in range(0, n, _TILE):
                stop = min(start + _TILE, n)
                if product is None or queries is None:
                    tile = self.distance.tile(q, self.points.at(slice(start, stop)))
                else:
                    tile = product.tile(queries, start, stop, buffer)
                fits = screen(tile, start, mine, groups, slack, max(places, 1), heap, filled, index, value, held, limit)
                if not fits:
                    break
            if fits:
                break
            if few and room >= 16 * k + 1_024:
                return None
            room = min(8 * room, n)
        weed(heap, filled, slack, max(places, 1), index, value, held)
        some = np.arange(room) < held[:, None]
        return np.concatenate([[0], np.cumsum(held)]), index[some]

    def _product(self, q: Points, dtype: Any) -> InnerProducts | None:
        if not self.distance.quadratic:
            return None
        x = q.x
        gaps = self._gaps | np.isnan(x).any(axis=0) if isinstance(x, np.ndarray) else self._gaps
        key = gaps.tobytes(), np.dtype(dtype).char
        if key not in self._products:
            self._products[key] = InnerProducts.of(self.distance, self.points, gaps, dtype)
        return self._products[key]

    @cached_property
    def _products(self) -> dict[Any, InnerProducts | None]:
        return {}

    @cached_property
    def _gaps(self) -> Array:
        x = self.points.x
        return np.asarray(np.isnan(x).any(axis=0)) if isinstance(x, np.ndarray) else np.zeros(x.shape[1], bool)

    @cached_property
    def _no_group(self) -> Ints:
        return np.zeros(len(self.points), dtype=np.int64)


def _joined(parts: list[Neighborhoods]) -> Neighborhoods:
    """The neighbourhoods of the queries of all parts, one part after the other."""
    ends = np.cumsum([0, *(part.start[-1] for part in parts)])
    starts = [part.start[:-1] + end for part, end in zip(parts, ends, strict=False)]
    rest = (np.concatenate(each) for each in list(zip(*parts, strict=True))[1:])
    return Neighborhoods(np.concatenate([*starts, ends[-1:]]), *rest)


def nearest_of(start: Ints, row: Ints, apart: Floats, weight: Floats, k: float) -> Neighborhoods:
    """The k nearest of the rows start[i] to start[i + 1] of each query; they are brought into their order in place."""
    share, kept = share_places(start, apart, row, weight, float(k))
    end = np.concatenate([[0], np.cumsum(kept)])
    at = np.repeat(start[:-1] - end[:-1], kept) + np.arange(int(end[-1]))
    return Neighborhoods(end, row[at], apart[at], share[at] * weight[row[at]])


def _smallest(tile: Floats, counts: Array, k: int) -> tuple[Ints, Ints]:
    """Of each row of exact distances, those that count and are among the k smallest, or equal to the k-th."""
    known = np.where(counts, tile, np.inf)
    last = np.partition(known, min(k, known.shape[1]) - 1, axis=1)[:, min(k, known.shape[1]) - 1, None]
    chosen = counts & (known <= last * (1 + 1e-12))
    return np.concatenate([[0], np.cumsum(chosen.sum(axis=1))]), np.nonzero(chosen)[1]


def _largest(group: Ints) -> int:
    """Rows of the largest group; groups are numbered from 0."""
    return int(np.bincount(group).max())


def _rows_of(own: Ints, group: Ints) -> Ints:
    """How many rows each of these groups has; groups are numbered from 0."""
    return np.asarray(np.bincount(group, minlength=int(own.max(initial=0)) + 1)[own])
