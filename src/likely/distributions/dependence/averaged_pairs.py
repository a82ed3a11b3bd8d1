"""Averaged two-dependence estimators (Webb, Boughton, Zheng, Ting & Salem 2012, "Learning by extrapolation").

    p(x | k) = 1/p sum_(i < j) p(x_i, x_j | k) prod_(l != i, j) p(x_l | k, x_i, x_j)     over the p pairs observed

Every two features in turn are the parents of all others. There are many more numbers than with one parent, so it takes
more rows to gain by them. Of a row with one observed feature it is p(x_i | k).
"""

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from itertools import combinations
from typing import ClassVar

import numpy as np

from likely.distributions.dependence.averaged import _drawn
from likely.distributions.dependence.table import logs_of_pairs, places
from likely.numeric.arrays import Array, Floats, Ints, Shapes, frozen
from likely.numeric.kernels.densities.pairs_of_parents import (
    average_over_pairs,
    log_conditionals_of_triples,
    terms_of_pairs,
)
from likely.statistics import Codes
from likely.statistics.counting.categories import Levels, offsets
from likely.statistics.counting.joint_counts import by_feature
from likely.statistics.counting.triple_counts import TripleCounts, block_starts, cells_of


@dataclass(frozen=True)
class AveragedPairs:
    """k members, each an average over the pairs of features as parents."""

    levels: Levels  # per feature
    pair: Array  # (T, T, k)  log p(u, v | k), log p(u | k) on the diagonal
    table: Array  # (C, 3, k)  log probability of each of three levels given the two others
    unseen: ClassVar[str] = "ignore"  # a level that is not in the table says nothing
    shapes: ClassVar[Shapes] = {"pair": "r r k", "table": "q c k"}

    def misfit(self, size: Mapping[str, int]) -> str | None:
        sizes = self.sizes
        if len(sizes) != size["d"] or sum(sizes) != size["r"]:
            return "levels"
        return None if size["q"] == cells_of(sizes) and size["c"] == 3 else "table"

    @property
    def sizes(self) -> tuple[int, ...]:
        return tuple(map(len, self.levels))

    @property
    def members(self) -> int:
        return int(self.pair.shape[2])

    @property
    def n_parameters(self) -> int:
        """The free probabilities of one of the models that are averaged: all have about as many."""
        sizes = np.array(self.sizes, dtype=np.float64)
        each = [
            max(a * b - 1, 0) + a * b * (np.maximum(sizes - 1, 0).sum() - max(a - 1, 0) - max(b - 1, 0))
            for a, b in combinations(sizes, 2)
        ]
        return int(self.members * np.ceil(np.mean(each) if each else np.maximum(sizes - 1, 0).sum()))

    def log_density(self, x: Codes) -> Floats:
        return np.asarray(average_over_pairs(*self._looked_up(x)))

    def log_density_terms(self, x: Codes) -> Floats:
        """What each feature adds: its mean log probability under the pairs by their shares in the average.

        Of a pair's own probability each of the two has one half; what the average gains over the mean is shared out
        equally among the observed features.
        """
        return np.asarray(terms_of_pairs(*self._looked_up(x)))

    def sample(self, member: Ints, rng: np.random.Generator) -> Codes:
        """Rows: two parents by chance, their levels, then all others given these."""
        able = [j for j in range(len(self.levels)) if len(self.levels[j])]
        x = np.full((len(member), len(self.levels)), -1, dtype=np.int32)
        pairs = list(combinations(able, 2))
        drawn = rng.integers(len(pairs), size=len(member)) if pairs else np.zeros(len(member), dtype=np.int64)
        at, sizes = offsets(self.levels), self.sizes
        for number, (i, j) in enumerate(pairs):
            rows = np.flatnonzero(drawn == number)
            if not len(rows):
                continue
            own = member[rows]
            both = self.pair[at[i] : at[i + 1], at[j] : at[j + 1]].reshape(sizes[i] * sizes[j], -1)
            level = _drawn(both[:, own], rng)
            x[rows, i], x[rows, j] = level // sizes[j], level % sizes[j]
            for child in able:
                if child not in (i, j):
                    x[rows, child] = _drawn(self._given(child, i, j, x[rows, i], x[rows, j], own), rng)
        if len(able) == 1:
            (j,) = able
            alone = np.diagonal(self.pair[at[j] : at[j + 1], at[j] : at[j + 1]], axis1=0, axis2=1).T
            x[:, j] = _drawn(alone[:, member], rng)
        return Codes(x, np.zeros(len(self.levels), dtype=np.int64), self.levels, sure=True)

    def _given(self, child: int, i: int, j: int, a: Ints, b: Ints, member: Ints) -> Floats:
        """Log probabilities (L, n) of the child's levels given levels a of feature i and b of feature j."""
        order = sorted((child, i, j))
        sizes, place = self.sizes, order.index(child)
        code = {i: a[None, :].astype(np.int64), j: b[None, :].astype(np.int64), child: np.arange(sizes[child])[:, None]}
        one, two, three = order
        cell = self._start[one, two, three] + (code[one] * sizes[two] + code[two]) * sizes[three] + code[three]
        return np.asarray(self.table[cell, place, member[None, :]])

    @cached_property
    def _start(self) -> Ints:
        return block_starts(self.sizes)

    def _looked_up(self, x: Codes) -> tuple[Array, ...]:
        u = places(x, self.levels)
        return frozen(u), frozen(offsets(self.levels)), self._start, frozen(self.pair), frozen(self.table)


def log_pairs(seen: TripleCounts, m: float) -> Floats:
    """Log p(u, v | k) at [u, v, k], log p(u | k) at [u, u, k]; 0 for two levels of one feature (T, T, k)."""
    own = np.repeat(np.arange(len(seen.levels)), seen.sizes)
    sizes = np.array(seen.sizes, dtype=np.float64)
    cells = np.where(np.eye(len(own), dtype=bool), sizes[own], sizes[own][:, None] * sizes[own][None, :])
    whole = observed_together(seen)[:, own][:, :, own] + m
    p = (np.maximum(seen.count, 0) + m / np.maximum(cells, 1.0)) / whole
    return logs_of_pairs(p, own)


def observed_together(seen: TripleCounts) -> Floats:
    """Rows in which two features are both observed (k, d, d)."""
    each = by_feature(seen.count.astype(np.float64), seen.offset)  # (k, T, d)
    return np.maximum(by_feature(each.transpose(0, 2, 1), seen.offset), 0.0)


def log_triples(seen: TripleCounts, m: float) -> Floats:
    """Log probability of each of three levels given the two others, at every cell (C, 3, k)."""
    counts = frozen(np.ascontiguousarray(seen.triple, dtype=np.float64))
    size = np.array(seen.sizes, dtype=np.int64)
    return np.asarray(log_conditionals_of_triples(counts, frozen(size), block_starts(seen.sizes), m))


def errors_of_pairs(seen: TripleCounts, m: float) -> dict[str, Array]:
    """Deviations of the Dirichlet posteriors, sqrt(p (1 - p) / (N + m + 1)), of both tables."""
    own = np.repeat(np.arange(len(seen.levels)), seen.sizes)
    pair, p = np.exp(log_pairs(seen, m)), np.exp(log_triples(seen, m))
    together = (observed_together(seen)[:, own][:, :, own] + m + 1).transpose(1, 2, 0)
    cells = np.maximum(seen.triple, 0).T[:, None, :]
    sizes = _child_sizes(seen.sizes)[:, :, None]
    whole = (cells + m / sizes) / p + 1  # from p = (n + m / L) / (N + m)
    return {"pair": np.sqrt(pair * (1 - pair) / together), "table": np.sqrt(p * (1 - p) / whole)}


def _child_sizes(sizes: tuple[int, ...]) -> Ints:
    """Levels of each of the three features of every cell (C, 3)."""
    each = [
        np.tile(three, (int(np.prod(three)), 1))
        for three in combinations([size for size in sizes if size], 3)
    ]  # fmt: skip
    return np.concatenate([np.zeros((0, 3), dtype=np.int64), *each])
