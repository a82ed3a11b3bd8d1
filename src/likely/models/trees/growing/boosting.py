"""Rounds of boosting: each adds, for every class, a tree of the slopes of the log-loss at the scores so far.

    g = w (p - y)    h = w p (1 - p)    a leaf adds  - learning_rate * sum g / (sum h + l2)

Rows are put in an order that depends on their cells alone, and equal ones become one row of their weight: so the order
of the rows is no matter, and a row of weight 2 is a row that stands there twice.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise
from math import frexp
from typing import NamedTuple, Self

import numpy as np

from likely import engines
from likely.models.trees.grove import Grove
from likely.models.trees.growing.coding import Binned
from likely.numeric.arrays import Array, Floats
from likely.numeric.kernels.trees.boosting import (
    CHILD,
    FEATURE,
    GAIN,
    GAPS_LEFT,
    LAST,
    NEXT,
    SECOND,
    VALUE,
    add_slopes,
    grow_boosted,
    pack_slopes,
)
from likely.numeric.kernels.trees.marking import hash_rows

_KEPT = 1 << 26  # bytes of sums that are kept for subtracting
_MANY = 1 << 18  # cells from which threads share the sums of a table
_PARTS = 4  # into which they share its columns


@dataclass(frozen=True)
class Steps:
    """How a tree of slopes is grown."""

    learning_rate: float
    max_leaf_nodes: int | None
    max_depth: int | None
    min_samples_leaf: float
    min_hessian: float
    l2: float
    smoothing: float  # of the order of levels
    columns_tried: int


class BoostedRows(NamedTuple):
    """Rows as boosting learns them, equal ones together."""

    table: Binned
    nominal: Array  # (d,) bool
    codes: Array  # (n,) int32  classes
    weight: Floats  # (n,)  those of the classes included
    n_classes: int

    @classmethod
    def of(cls, table: Binned, nominal: Array, codes: Array, weight: Floats, k: int) -> Self:
        """In an order that depends on the cells alone, and equal rows as one."""
        mark = np.empty(len(codes), dtype=np.uint64)
        hash_rows(table.codes, mark)
        size = np.bincount(codes, weight * (mark >> np.uint64(11)).astype(np.float64), k)
        order = np.lexsort((size[codes], mark))
        cells, codes, weight = np.ascontiguousarray(table.codes[:, order]), codes[order], weight[order]
        new = np.concatenate([[True], codes[1:] != codes[:-1]])
        new[1:] |= mark[order][1:] != mark[order][:-1]
        same = np.flatnonzero(~new)
        new[same[(cells[:, same] != cells[:, same - 1]).any(axis=0)]] = True
        if not new.all():
            weight = np.add.reduceat(weight, np.flatnonzero(new))
            cells, codes = np.ascontiguousarray(cells[:, new]), codes[new]
        found = Binned(cells.ravel(), cells.shape[1], table.bins, table.low, table.high)
        return cls(found, nominal, codes.astype(np.int32), weight, k)

    def folds(self, count: int) -> Floats:
        """The weight of each row that is in each of so many folds (folds, n), every class in its share."""
        whole = bool((self.weight == np.floor(self.weight)).all())
        unit = 1.0 if whole else float(self.weight.mean())
        out = np.zeros((count, len(self.codes)))
        start = 0.0
        seen, first = np.unique(self.codes, return_index=True)
        for c in seen[first.argsort()]:  # as they come: their names are no matter
            own = np.flatnonzero(self.codes == c)
            end = start + np.cumsum(self.weight[own]) / unit
            begin = np.concatenate([[start], end[:-1]])
            for fold in range(count):
                out[fold, own] = unit * (_covered(end, fold, count) - _covered(begin, fold, count))
            start = float(end[-1])
        return out


class Grown(NamedTuple):
    """A tree and what its nodes add to the score of its class."""

    nodes: Grove
    value: Floats  # (nodes,)


class Booster:
    """Scores of rows, some of whose weight may be held out, and the rounds that have made them."""

    def __init__(self, rows: BoostedRows, held: Floats | None, steps: Steps, alone: bool = False) -> None:
        self.rows, self.held, self.steps = rows, held, steps
        self.weight = rows.weight if held is None else rows.weight - held
        self.alone = alone
        self.trees: list[Grown] = []
        self.loss: list[float] = []  # mean log-loss of the rows learned, before each round and after the last
        self.held_loss: list[float] = []  # sum over those held out
        k, n = rows.n_classes, len(rows.codes)
        count = np.bincount(rows.codes, self.weight, k)
        count[count <= 0] = 0.5 * self.weight.mean()  # all rows of the class are held out: it is not impossible
        base = np.log(count / count.sum())
        self.base = base[1:] - base[:1] if k == 2 else base  # of two classes the log odds of the second
        self.scores = np.repeat(self.base[:, None], n, axis=1)
        total = float(self.weight.sum())
        self.scale = np.array([_power(23, total), min(_power(62, total), 2.0**40)])
        self.workplaces: list[Workplace] = []
        self.p = np.empty_like(self.scores)
        self._answer()

    def learn(self, seeds: Sequence[int]) -> None:
        """So many more rounds."""
        for seed in seeds:
            draws = [seed] * len(self.scores)  # the same for every class, so that their names are no matter
            if self.alone and self.p.size * len(self.rows.table.bins) >= _MANY:
                grown = engines.current().map(enumerate(draws), self._one)
            else:
                grown = [self._one(item) for item in enumerate(draws)]
            self.trees += [tree for tree in grown if tree is not None]
            self._answer()

    def _answer(self) -> None:
        """The probabilities, and the losses."""
        own = self.rows.codes
        if len(self.scores) == 1:
            score = self.scores[0]
            with np.errstate(over="ignore"):
                self.p[0] = 1.0 / (1.0 + np.exp(-score))
            loss = np.logaddexp(0.0, np.where(own == 1, -score, score))
        else:
            top = self.scores.max(axis=0)
            np.exp(self.scores - top, out=self.p)
            total = self.p.sum(axis=0)
            self.p /= total
            loss = np.log(total) + top - self.scores[own, np.arange(len(own))]
        self.loss.append(float(loss @ self.weight) / float(self.weight.sum()))
        if self.held is not None:
            self.held_loss.append(float(loss @ self.held))

    def _one(self, item: tuple[int, int]) -> Grown | None:
        """A tree for a class (of two, the second), which moves its scores."""
        c, seed = item
        place = self.workplaces.pop() if self.workplaces else Workplace(self.rows, self.steps)
        table = self.rows.table
        fine = pack_slopes(
            self.p[c], self.rows.codes, c if len(self.scores) > 1 else 1, self.weight, self.scale, place.slopes
        )
        place.rows[:] = place.start
        sums = place.tables[0]
        sums[:] = 0
        d, n = table.codes.shape
        shared = self.alone and len(self.scores) == 1 and n * d >= _MANY
        bounds = np.linspace(0, d, _PARTS + 1 if shared else 2).astype(int).tolist()

        def add(part: tuple[int, int]) -> None:
            add_slopes(table.codes, *part, place.rows, place.slopes, 0, n, place.offset, sums)

        parts = list(pairwise(bounds))
        if shared:
            engines.current().map(parts, add)
        else:
            add(parts[0])
        unit = np.array([1.0 / self.scale[1], 1.0 / fine])
        steps = self.steps
        least = max(steps.min_samples_leaf * self.scale[0], 1.0)
        limits = np.array([steps.l2, least, steps.min_hessian, steps.smoothing, steps.learning_rate])
        nodes = grow_boosted(
            table.codes, table.bins, place.offset, self.rows.nominal, place.rows, place.slopes, unit, limits,
            place.most, np.uint64(seed), place.tables, place.whole, place.real, place.masks, self.scores[c],
            *place.work,
        )  # fmt: skip
        tree = place.tree(nodes, table, self.rows.nominal, self.scale[0]) if self.held is None else None
        self.workplaces.append(place)
        return tree


def held_loss(boosters: Sequence[Booster]) -> Floats:
    """Mean log-loss of all rows held out, before the first round and after each; empty where none were."""
    if not boosters:
        return np.empty(0)
    weight = sum(float(one.held.sum()) for one in boosters if one.held is not None)
    return np.asarray(np.sum([one.held_loss for one in boosters], axis=0) / weight)


def no_test() -> Grown:
    """A tree that is a leaf, and adds nothing."""
    leaf, zero = np.full(1, -1, dtype=np.int32), np.zeros(1)
    none, gaps = np.empty(0, dtype=np.uint64), np.zeros(1, dtype=np.uint8)
    grove = Grove(
        np.zeros(1, dtype=np.int64), leaf, np.full(1, np.nan), leaf, gaps, leaf, none, zero[:, None], zero, zero, 0.0
    )
    return Grown(grove, zero)


class Workplace:
    """The arrays that a tree is grown in."""

    def __init__(self, rows: BoostedRows, steps: Steps) -> None:
        d, n = rows.table.codes.shape
        bins = rows.table.bins
        leaves = min(n, steps.max_leaf_nodes or n)
        depth = 10**9 if steps.max_depth is None else int(steps.max_depth)
        leaves = max(1, min(leaves, 2**depth if depth < 31 else leaves))
        nodes = 2 * leaves - 1
        self.offset = np.concatenate([[0], np.cumsum(bins + 1)])
        size = 2 * int(self.offset[-1])
        kept = max(0, min(leaves, _KEPT // (8 * size)))
        self.start = np.arange(n, dtype=np.uint32)
        self.rows = self.start.copy()
        self.slopes = np.empty((n, 2), dtype=np.int64)
        self.tables = np.empty((kept + 1, size), dtype=np.int64)
        self.whole = np.zeros((nodes, 11), dtype=np.int64)
        self.real = np.zeros((nodes, 2))
        words = int(bins[rows.nominal].max(initial=0)) // 64 + 1
        self.masks = np.zeros((nodes if rows.nominal.any() else 1, words), dtype=np.uint64)
        self.most = np.array([steps.max_leaf_nodes or 0, depth, steps.columns_tried])
        most = int(bins.max(initial=1)) + 1
        self.work = (
            np.empty(most, dtype=np.int64), np.empty(most), np.empty(d, dtype=np.int64), np.empty(3, dtype=np.int64),
            np.empty(kept + 1, dtype=np.int64), np.empty(nodes, dtype=np.int64), np.empty(n, dtype=np.uint32),
            np.empty((n, 2), dtype=np.int64),
        )  # fmt: skip

    def tree(self, nodes: int, table: Binned, nominal: Array, scale: float) -> Grown:
        """The tree that was grown, its thresholds in the table's own numbers."""
        whole, real = self.whole[:nodes], self.real[:nodes]
        feature = whole[:, FEATURE].astype(np.int32)
        inner = feature >= 0
        of_levels = inner & nominal[np.maximum(feature, 0)]
        threshold, mask_at = np.full(nodes, np.nan), np.full(nodes, -1, dtype=np.int32)
        asked, named = np.flatnonzero(inner & ~of_levels), np.flatnonzero(of_levels)
        if len(asked):
            threshold[asked] = table.thresholds(feature[asked], whole[asked, LAST], whole[asked, NEXT])
        mask_at[named] = np.arange(len(named)) * self.masks.shape[1]
        weight = (whole[:, SECOND] & ((1 << 24) - 1)) / scale
        grove = Grove(
            np.zeros(1, dtype=np.int64),
            feature,
            threshold,
            whole[:, CHILD].astype(np.int32),
            np.where(inner, whole[:, GAPS_LEFT], 0).astype(np.uint8),
            mask_at,
            self.masks[named].ravel(),
            weight[:, None],
            real[:, GAIN].copy(),
            np.zeros(nodes),
            0.0,
        )
        return Grown(grove, real[:, VALUE].copy())


def _covered(x: Floats, fold: int, count: int) -> Floats:
    """How much of the numbers from 0 to x is in the unit pieces of a fold, which come in turn."""
    turns = np.floor(x / count)
    return np.asarray(turns + np.clip(x - turns * count - fold, 0.0, 1.0))


def _power(bits: int, total: float) -> float:
    """The largest power of two that `total` can be multiplied by and stay below 2^bits."""
    return 2.0 ** (bits - frexp(total)[1])
