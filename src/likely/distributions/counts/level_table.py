"""Tables of levels: the probability of each level of each nominal feature, for k members.

    p(x) = prod_j p_j(x_j),   sum over the levels of a feature of p_j = 1

A level is its indicator vector (1-from-K): its mean is p and its variance p (1 - p).
"""

from collections.abc import Mapping
from dataclasses import dataclass, field
from itertools import pairwise
from typing import Any, ClassVar, Literal, Self

import numpy as np
from numpy.typing import ArrayLike

from likely.distributions.capabilities.linear import LinearTerms
from likely.distributions.capabilities.operators import Graph
from likely.distributions.counts.fused_table import FusedTable
from likely.distributions.support import checked_table, every_cell
from likely.errors import CellError, InputError
from likely.numeric.arrays import LOG_SHARES, Array, Floats, Ints, Ranges, Shapes, frozen
from likely.numeric.kernels.sums import counts as kernels
from likely.numeric.logspace import log_of
from likely.statistics import Codes
from likely.statistics.counting.categories import Levels, offsets

Unseen = Literal["prior", "ignore", "error"]
_LAYOUTS = 8
_SUM = 1e-9  # by how much given probabilities may miss a sum of 1


@dataclass(frozen=True)
class Categorical:
    """k members with independent nominal features.

    >>> weather = Categorical.of({"sun": [0.7, 0.2], "rain": [0.3, 0.8]})  # of two members
    >>> np.exp(weather.log_density(weather.codes(["rain", "sun", None])))
    array([[0.3, 0.8],
           [0.7, 0.2],
           [1. , 1. ]])
    """

    levels: Levels  # per feature
    log_probability: Array  # (k, total number of levels)  of every level, feature after feature
    log_unseen: Array  # (k, d)  of a level that is not in the table
    unseen: Unseen = "ignore"
    _layouts: dict[Levels, FusedTable] = field(default_factory=dict, compare=False, repr=False)
    shapes: ClassVar[Shapes] = {"log_probability": "k r", "log_unseen": "k d"}
    ranges: ClassVar[Ranges] = {"log_probability": LOG_SHARES, "log_unseen": LOG_SHARES}

    def __getstate__(self) -> dict[str, Any]:
        """Without the tables that were made for the levels of queries."""
        return {**vars(self), "_layouts": {}}

    @classmethod
    def of(cls, *features: Mapping[Any, Any], unseen: Unseen = "ignore") -> Self:
        """From the probabilities of the levels of each feature: a number for one member, or as many as there are.

        >>> Categorical.of({"red": 0.5, "blue": 0.5}, {"small": 0.9, "large": 0.1}).probability(1)["large"]
        array([0.1])
        """
        tables = [_probabilities(feature, j) for j, feature in enumerate(features)]
        members = {table.shape[1] for table in tables} or {1}
        if len(members) > 1:
            raise InputError(f"the features have probabilities of {sorted(members)} members; give as many for each")
        flat = np.concatenate([np.zeros((0, members.pop())), *tables])
        return cls(tuple(map(tuple, features)), log_of(flat.T), np.zeros((flat.shape[1], len(tables))), unseen)

    def codes(self, rows: ArrayLike) -> Codes:
        """Rows (n, d) of levels by name, or (n,) of a single feature, in the form that densities take.

        None and NaN are missing cells.
        """
        table = np.asarray(rows, dtype=object)
        table = table[:, None] if table.ndim == 1 and len(self.levels) == 1 else table
        x = np.empty(checked_table(table, len(self.levels)).shape, dtype=np.int32)
        levels = []
        for j, column in enumerate(table.T):
            cells = column.tolist()
            names = [name for name in dict.fromkeys(cells) if name is not None and name == name]
            place = dict.fromkeys(cells, -1) | {name: code for code, name in enumerate(names)}
            x[:, j] = np.fromiter(map(place.__getitem__, cells), np.int32, len(cells))
            levels.append(tuple(names))
        return Codes(x, np.zeros(len(levels), dtype=np.int64), tuple(levels), sure=True)

    def misfit(self, size: Mapping[str, int]) -> str | None:
        """The name of the first field that does not fit the others, as a damaged file may have; None: all do."""
        return None if len(self.levels) == size["d"] and sum(map(len, self.levels)) == size["r"] else "levels"

    @property
    def members(self) -> int:
        return len(self.log_probability)

    @property
    def n_parameters(self) -> int:
        return self.members * sum(max(len(names) - 1, 0) for names in self.levels)

    @property
    def mean(self) -> Floats:
        """Of the indicators of the levels (k, total number of levels): their probabilities, as samples have them.

        Where a slot is kept for levels never seen, these are the shares of the others.
        """
        p, offset = np.exp(self.log_probability), offsets(self.levels)
        for start, stop in pairwise(offset.tolist()):
            p[:, start:stop] /= p[:, start:stop].sum(axis=1, keepdims=True)
        return np.asarray(p)

    @property
    def variance(self) -> Floats:
        """Of the indicators of the levels, p (1 - p)."""
        return np.asarray(self.mean * (1.0 - self.mean))

    def log_density(self, x: Codes) -> Floats:
        self._check(x)
        out = np.zeros((len(x), self.members))
        at = self._laid_out(x.levels)
        kernels.add_table(frozen(x.x), x.base, at.stride, at.group, at.start, at.fused, out)
        return out

    def log_density_terms(self, x: Codes) -> Floats:
        self._check(x)
        at = self._laid_out(x.levels)
        code = x.x.astype(np.int64) - x.base
        return np.asarray(at.table[code + 1 + at.offset[:-1]])  # the first row of a feature is that of a missing cell

    def linear_terms(self, names: tuple[str, ...]) -> LinearTerms:
        """Linear in an indicator of each level."""
        terms = tuple(f"{name}={level}" for name, levels in zip(names, self.levels, strict=True) for level in levels)

        def design(x: Codes) -> Floats:
            offset = offsets(self.levels)
            out = np.zeros((len(x), int(offset[-1])))
            for j, levels in enumerate(x.levels):
                place = {level: i for i, level in enumerate(self.levels[j])}
                columns = np.array([place.get(level, -1) for level in levels], dtype=np.int64)
                code = columns[x.x[:, j].astype(np.int64) - x.base[j]]
                if self.unseen == "prior" and (code < 0).any():
                    raise InputError(
                        f"a level of {names[j]!r} was never seen: with unseen='prior' it has no linear form"
                    )
                rows = np.flatnonzero(code >= 0)
                out[rows, offset[j] + code[rows]] = 1.0
            return out

        return LinearTerms(self.log_probability, np.zeros(self.members), design, terms)

    def every_row(self, most: int) -> Codes | None:
        """All combinations of levels, if they are no more than so many."""
        cells = every_cell([len(names) for names in self.levels], most)
        if cells is None:
            return None
        codes = np.ascontiguousarray(cells.astype(np.int32))
        return Codes(codes, np.zeros(len(self.levels), dtype=np.int64), self.levels)

    def onnx_log_density(self, graph: Graph, columns: tuple[int, ...]) -> str:
        """Rows of each feature's table by the place of the level, with one for a gap and one for any other level."""
        offset, parts = offsets(self.levels), []
        for j, levels in enumerate(self.levels):
            own = self.log_probability[:, offset[j] : offset[j + 1]].T
            table = np.vstack([own, np.zeros(self.members), self.log_unseen[:, j]])
            place = graph.place(columns[j], levels, len(levels), len(levels) + 1)
            parts.append(graph.add("Gather", graph.constant(table), place, axis=0))
        return graph.add("Sum", *parts) if len(parts) > 1 else parts[0]

    def sample(self, member: Ints, rng: np.random.Generator) -> Codes:
        drawn = np.full((len(member), len(self.levels)), -1, dtype=np.int32)
        offset = offsets(self.levels)
        for j, names in enumerate(self.levels):
            if len(names):
                p = np.exp(self.log_probability[:, offset[j] : offset[j + 1]])
                edges = np.cumsum(p, axis=1)
                u = rng.random(len(member)) * edges[member, -1]
                drawn[:, j] = np.minimum((u[:, None] >= edges[member]).sum(axis=1), len(names) - 1)
        return Codes(drawn, np.zeros(len(self.levels), dtype=np.int64), self.levels)

    def probability(self, feature: int) -> dict[Any, Floats]:
        """Each level's probability in every member (k,)."""
        start = offsets(self.levels)[feature]
        columns = np.exp(self.log_probability[:, start : start + len(self.levels[feature])]).T
        return dict(zip(self.levels[feature], columns, strict=True))

    def check_known(self, x: Codes) -> None:
        """With unseen="error", refuse the first cell that holds a level the table does not have."""
        for j, names in enumerate(x.levels if self.unseen == "error" else ()):
            known = set(self.levels[j])
            for code, name in enumerate(names):
                if name not in known and len(rows := np.flatnonzero(x.x[:, j] == code + x.base[j])):
                    told = ", ".join(map(repr, self.levels[j][:10]))
                    raise CellError(int(rows[0]), j, f"holds {name!r}, never seen in training; known are {told}")

    def _check(self, x: Codes) -> None:
        """Refuse columns or codes that the table does not have: compiled code would read beyond its end."""
        features = len(self.levels)
        if len(x.levels) != features or len(x.base) != features:
            raise InputError(f"expected rows with {features} columns, got codes of {len(x.levels)}")
        checked_table(x.x, features)
        if not len(x) or not features:
            return
        if x.sure:
            return
        low, high = kernels.column_ranges(frozen(x.x))
        sizes = np.array([len(names) for names in x.levels])
        wrong = np.flatnonzero((high.astype(np.int64) - x.base >= sizes) | (low.astype(np.int64) - x.base < -1))
        if len(wrong):
            j = int(wrong[0])
            raise InputError(
                f"column {j} holds codes from {low[j] - x.base[j]} to {high[j] - x.base[j]}, but it has {sizes[j]} "
                "levels: codes run from 0, and -1 is a missing cell"
            )

    def _laid_out(self, levels: Levels) -> FusedTable:
        """My log probabilities laid out by other levels.

        Successive blocks of a table mostly have the same levels, so the last layouts are kept.
        """
        known = self._layouts.get(levels)
        if known is None:
            mine = offsets(self.levels)
            rows = []
            for j, names in enumerate(levels):
                place = {name: int(mine[j]) + i for i, name in enumerate(self.levels[j])}
                rows.append(np.zeros(self.members))
                for name in names:
                    column = place.get(name)
                    rows.append(self.log_unseen[:, j] if column is None else self.log_probability[:, column])
            if len(self._layouts) >= _LAYOUTS:
                self._layouts.clear()
            known = self._layouts[levels] = FusedTable.of(np.array(rows), [len(names) + 1 for names in levels])
        return known


def _probabilities(feature: Mapping[Any, Any], j: int) -> Floats:
    """Probabilities (levels, k) of one feature, checked."""
    if not isinstance(feature, Mapping) or not feature:
        raise InputError(f"feature {j} is a mapping from its levels to their probabilities, got {feature!r:.60}")
    try:
        table = np.array([np.atleast_1d(np.asarray(p, dtype=np.float64)) for p in feature.values()], dtype=np.float64)
    except (TypeError, ValueError) as error:
        raise InputError(f"feature {j}: each level has a number, or as many as there are members") from error
    if table.ndim != 2 or not (table >= 0).all():
        raise InputError(f"feature {j}: probabilities are numbers from 0 to 1, one for each member")
    wrong = np.flatnonzero(np.abs(table.sum(axis=0) - 1) > _SUM)
    if len(wrong):
        whole = float(table[:, wrong[0]].sum())
        raise InputError(f"feature {j}: the probabilities of member {wrong[0]} sum to {whole:.6g}, not to 1")
    return table
