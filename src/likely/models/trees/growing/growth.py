"""Trees grown from the codes of a table: arrays for the kernel, and thresholds in the table's own numbers."""

from collections.abc import Callable
from dataclasses import dataclass
from functools import lru_cache
from math import log

import numpy as np

from likely.models.trees.grove import Grove
from likely.models.trees.growing.coding import Binned
from likely.numeric.arrays import Array, Floats
from likely.numeric.kernels.trees.growing import GAIN, GINI, RATIO, grow_tree

CRITERIA = {"gain": GAIN, "gain_ratio": RATIO, "normalized_gain": GAIN, "gini": GINI}
_TABLE = 1 << 17  # whole numbers whose x ln x is looked up
_KEPT = 1 << 26  # bytes of counts that are kept for subtracting


@dataclass(frozen=True)
class Rules:
    """When a node is split, and how."""

    criterion: str
    max_depth: int | None
    min_samples_split: float
    min_samples_leaf: float
    min_gain: float
    columns_tried: int
    smoothing: float


class Places:
    """Room to grow trees in, kept for the next tree: as many as grow at the same time."""

    def __init__(self) -> None:
        self.free: list[tuple[Array, ...]] = []

    def take(self, made: Callable[[], tuple[Array, ...]]) -> tuple[Array, ...]:
        """One that is free, or a new one; all of them are of the same sizes."""
        try:
            return self.free.pop()
        except IndexError:
            return made()


def grow(
    table: Binned,
    nominal: Array,
    codes: Array,
    weight: Floats,
    k: int,
    rules: Rules,
    seed: int,
    places: Places | None = None,
) -> Grove:
    """A tree of rows with classes `codes` (n,) and weights (n,); rows of weight 0 are left out."""
    n, d = table.rows, len(table.bins)
    rows = np.flatnonzero(weight > 0).astype(np.uint32)
    own, mass = codes[rows].astype(np.uint32), weight[rows]
    depth = 10**9 if rules.max_depth is None else int(rules.max_depth)
    capacity = 2 * n + 1 if depth > 40 else min(2 * n + 1, 2 ** (depth + 1) + 1)
    most = int(table.bins.max(initial=1)) + 1
    named = table.bins[nominal]
    words = (int(named.max(initial=0)) // 64 + 1) * capacity if len(named) else 1
    offset = np.concatenate([[0], np.cumsum(table.bins + 1)])
    whole = bool((mass == np.floor(mass)).all()) and float(mass.sum()) < 2**53
    wanted = int(np.log2(max(n, 2))) + 3
    size = k * int(offset[-1])
    slots = max(0, min(wanted, _KEPT // (8 * size))) if whole and rules.columns_tried >= d else 0

    def made(kind: type, *shape: int) -> Array:
        return np.empty(shape, dtype=kind)

    def place() -> tuple[Array, ...]:
        return (
            made(np.int32, capacity), made(np.int32, capacity, 2), made(np.int32, capacity), made(np.uint8, capacity),
            made(np.int32, capacity), made(np.uint64, words), made(np.float64, capacity, k),
            made(np.float64, capacity), made(np.float64, capacity), made(np.int64, wanted + 64, 5),
            made(np.uint64, wanted + 64), made(np.int64, d), made(np.uint32, n), made(np.uint32, n),
            made(np.float64, n), np.zeros(most * k), np.zeros(most // 64 + 1, np.uint64),
            np.zeros(most // 4096 + 1, np.uint64), made(np.int64, most), made(np.int64, most), made(np.int64, most),
            made(np.float64, most * k), made(np.float64, most * (k + 1)), made(np.float64, most),
            made(np.float64, k + 1), made(np.float64, k), made(np.float64, k), made(np.float64, k),
            made(np.float64, 2 * k), made(np.float64, d), made(np.float64, d), made(np.int64, 3), made(np.uint8, most),
        )  # fmt: skip

    places = places or Places()
    room = places.take(place)
    nodes, n_words = grow_tree(
        table.laid, n, table.bins, nominal, rows, own, mass, k, CRITERIA[rules.criterion], depth,
        float(rules.min_samples_split), float(rules.min_samples_leaf),
        float(rules.min_gain) * (1.0 if rules.criterion == "gini" else log(2)),
        int(rules.columns_tried), np.uint64(seed), whole, made(np.float64, (slots + 1) * size),
        _x_log_x(int(min(float(mass.sum()) + 2, _TABLE))), offset, made(np.int64, slots + 1), *room,
    )  # fmt: skip
    feature, cut, child, gaps_left, mask_at, _, counts, gain, test_bits = (x[:nodes] for x in room[:9])
    threshold = np.full(nodes, np.nan)
    asked = np.flatnonzero((feature >= 0) & (mask_at < 0))
    threshold[asked] = table.thresholds(feature[asked], cut[asked, 0], cut[asked, 1])
    grown = Grove(
        np.zeros(1, dtype=np.int64),
        feature.copy(),
        threshold,
        child.copy(),
        np.where(feature >= 0, gaps_left, 0).astype(np.uint8),
        mask_at.copy(),
        room[5][:n_words].copy(),
        counts.copy(),
        gain / (1.0 if rules.criterion == "gini" else log(2)),
        np.where(feature >= 0, test_bits, 0.0),
        float(rules.smoothing),
    )
    places.free.append(room)
    return grown


@lru_cache(maxsize=2)
def _x_log_x(size: int) -> Floats:
    """The table of x ln x of whole numbers below so many."""
    x = np.arange(size, dtype=np.float64)
    return np.asarray(x * np.log(np.maximum(x, 1.0)))
