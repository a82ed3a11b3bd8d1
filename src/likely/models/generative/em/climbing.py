"""EM for a mixture over a whole table: components of a product of families, each pass one sum over the batches.

    E   share of row i in component j:  t_j p(x_i | j) / sum_l t_l p(x_i | l)
    M   the component's family, estimated from the rows so shared out; t_j its part of all rows

What climbs is the log-likelihood of the observed cells plus the log prior of the components (pseudo-counts, and the
pseudo-rows that hold Gaussians open): it never falls where every family's estimate is the maximum of a posterior. The
pseudo-rows have the spread of all rows, far values drawn in to where values usually lie, so that one typing mistake
does not widen every component. Batches are held in memory, or read from a file at every pass.
"""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Self

import numpy as np

from likely import engines
from likely.data.sources import Source
from likely.distributions.combined.expectation import Ascent, Expected, expectation_maximization
from likely.distributions.combined.mixture import component_estimate, component_log_prior, component_statistic
from likely.distributions.combined.product import Product
from likely.distributions.conjugate.components import Component
from likely.distributions.family import Family, shortcut
from likely.errors import CellError
from likely.models.generative.em.hidden import EncodedRows, Parameters, shared_out
from likely.models.generative.em.seeds import Seeds, usual
from likely.models.generative.summing.layout import Layout, take_rows
from likely.numeric.arrays import Array, Floats
from likely.numeric.logspace import log_of
from likely.statistics import Codes, Membership, SideBySide

_SEED_ROWS = 20_000  # enough rows to place the first centres


@dataclass(frozen=True)
class Counted:
    """Rows, their weight, the numbers that they hold, and how much of every column is there."""

    sizes: dict[int, int]  # rows of each batch
    weight: float
    cells: int
    seen: tuple[Floats, ...]  # of each part of the table, the weight of the observed cells of its columns

    @classmethod
    def of(cls, batch: EncodedRows) -> "Counted":
        sizes, cells = {batch.number: len(batch.weight)}, sum(map(_cells, batch.rows))
        seen = tuple(_observed(part, batch.weight) for part in batch.rows)
        return cls(sizes, float(batch.weight.sum()), cells, seen)

    def __add__(self, other: Self) -> Self:
        sizes, seen = {**self.sizes, **other.sizes}, tuple(a + b for a, b in zip(self.seen, other.seen, strict=True))
        return type(self)(sizes, self.weight + other.weight, self.cells + other.cells, seen)

    @property
    def observed(self) -> bool:
        """Whether any cell is there."""
        return any(part.any() for part in self.seen)

    def missing_rates(self, layout: Layout) -> Floats:
        """The share of the rows in which each column of the table is missing (d,); 0 of what says nothing of it."""
        rates = np.zeros(layout.schema.width)
        for part, seen in zip(layout.parts, self.seen, strict=False):
            rates[list(part.columns)] = np.clip(1.0 - seen / self.weight, 0.0, 1.0)
        return rates

    @property
    def rows(self) -> int:
        return sum(self.sizes.values())


def _cells(part: Any) -> int:
    """The numbers that encoded rows of a part hold; of texts, how many they are."""
    cells = part.x if isinstance(part, Codes) else part
    return int(cells.nnz) if hasattr(cells, "nnz") else int(getattr(cells, "size", len(cells)))


def _observed(part: Any, weight: Floats) -> Floats:
    """The weight of the cells of encoded rows of a part that are there, by column; of no table of numbers, all."""
    cells = part.x if isinstance(part, Codes) else part
    if not isinstance(cells, np.ndarray) or cells.dtype.kind not in "fi":
        return np.array([weight.sum()])
    if not isinstance(part, Codes) and not np.isnan(cells.sum()):  # most tables tell at once
        return np.full(cells.shape[1], weight.sum())
    return np.asarray(weight @ (cells >= 0 if isinstance(part, Codes) else ~np.isnan(cells)))


@dataclass(frozen=True)
class Climb:
    """How a mixture of m components of these families is learned from batches."""

    families: tuple[Family, ...]
    batches: Source[EncodedRows]
    counted: Counted
    components: int
    how: tuple[Component, ...]  # for each family
    max_iter: int
    tol: float

    @classmethod
    def over(
        cls,
        families: tuple[Family, ...],
        batches: Source[EncodedRows],
        counted: Counted,
        components: int,
        how: Component,
        max_iter: int,
        tol: float,
    ) -> "Climb":
        """With the spread of pseudo-rows that far values do not decide, nor what is expected of missing cells."""
        plain = cls(families, batches, counted, components, (how,) * len(families), max_iter, tol)
        some = plain._some(np.random.default_rng(0))
        ends = tuple(
            usual(np.concatenate([np.asarray(b.rows[i], dtype=np.float64) for b in some])) if _amounts(family, some, i)
            else None
            for i, family in enumerate(families)
        )  # fmt: skip
        if all(each is None for each in ends):
            return plain
        found: _Odd = engines.current().fold(batches, _Look(ends))
        if not found.any:  # then all components together have the same spread at every pass
            return plain
        drawn: _Drawn = engines.current().fold(batches, _DrawIn(families, ends))
        opened = tuple(how if part is None else how._replace(whole=part) for part in drawn.parts)
        return cls(families, batches, counted, components, opened, max_iter, tol)

    def from_start(self, start: Parameters, told: Callable[..., None]) -> Ascent[Parameters, SideBySide]:
        """EM from these parameters: at most `max_iter` M steps; `told` is called after every pass."""
        engine = engines.current()

        def expect(at: Parameters) -> tuple[SideBySide, float]:
            expected: Expected[SideBySide] = engine.fold(self.batches, _Expectation(self.families, at))
            told()
            return expected.statistic, expected.log_likelihood

        return expectation_maximization(
            expect, self.maximize, start, self.max_iter + 1, self.tol, log_prior=self._log_prior
        )

    def maximize(self, statistic: SideBySide) -> Parameters:
        """The M step."""
        triples = zip(self.families, statistic.parts, self.how, strict=True)
        parts = tuple(component_estimate(family, part, how) for family, part, how in triples)
        weight = np.asarray(statistic.weight, dtype=np.float64)
        return Parameters(Product(parts), log_of(weight / weight.sum()))

    def seeded(self, rng: np.random.Generator) -> Parameters:
        """Rows with the nearest of m rows far apart from each other (k-means++), of up to so many."""
        seeds = Seeds.of(self._some(rng))
        if not seeds.real.shape[1] + seeds.levels.shape[1]:  # texts, or counts in a sparse matrix: nothing is near
            return self.shared_at_random(rng)
        return self._from(_Nearest(seeds, seeds.places(self.components, rng)))

    def shared_at_random(self, rng: np.random.Generator) -> Parameters:
        """Every row shared out at random."""
        return self._from(_AtRandom(int(rng.integers(2**62)), self.components))

    def _from(self, shares: Callable[[EncodedRows], Floats]) -> Parameters:
        """Parameters from the rows' shares (n, m)."""
        return self.maximize(engines.current().fold(self.batches, _Start(self.families, shares)))

    def _some(self, rng: np.random.Generator) -> list[EncodedRows]:
        """Up to so many of all rows, drawn at random."""
        sizes, total = self.counted.sizes, self.counted.rows
        chosen = np.arange(total) if total <= _SEED_ROWS else np.sort(rng.permutation(total)[:_SEED_ROWS])
        numbers = sorted(sizes)
        begins = np.cumsum([0, *(sizes[n] for n in numbers)])
        ours = {
            n: chosen[(chosen >= b) & (chosen < e)] - b for n, b, e in zip(numbers, begins, begins[1:], strict=False)
        }
        taken: _Taken = engines.current().fold(self.batches, _Take(ours))
        return [taken.parts[n] for n in sorted(taken.parts)]

    def _log_prior(self, at: Parameters, statistic: SideBySide) -> float:
        each = zip(self.families, statistic.parts, at.distribution.parts, self.how, strict=True)
        logs = [component_log_prior(family, part, fitted, how) for family, part, fitted, how in each]
        return 0.0 if any(one is None for one in logs) else float(sum(one for one in logs if one is not None))


def _amounts(family: Family, some: list[EncodedRows], place: int) -> bool:
    """Whether a part of the rows is numbers, of a family that is held open by their spread."""
    spread = getattr(family, "held_by_spread", False)
    return spread and all(isinstance(batch.rows[place], np.ndarray) for batch in some)


@dataclass(frozen=True)
class _Expectation:
    """The E step of a batch."""

    families: tuple[Family, ...]
    at: Parameters

    def __call__(self, batch: EncodedRows) -> Expected[SideBySide]:
        whole = shortcut(self.families[0], "share_out") if len(self.families) == 1 else None
        if whole is not None:
            found = whole(batch.rows[0], batch.weight, self.at.distribution.parts[0], self.at.log_prior)
            if found is not None:
                return Expected(SideBySide(found[0].weight, (found[0],)), found[1])
        membership, log_likelihood = shared_out(batch, self.at)
        parts = []
        triples = zip(self.families, batch.rows, self.at.distribution.parts, strict=True)
        for family, rows, current in triples:
            parts.append(component_statistic(family, rows, membership, current))
        return Expected(SideBySide(membership.totals(), tuple(parts)), log_likelihood)


@dataclass(frozen=True)
class _Start:
    """The first statistic of a batch, its rows shared out by a rule."""

    families: tuple[Family, ...]
    shares: Callable[[EncodedRows], Floats]

    def __call__(self, batch: EncodedRows) -> SideBySide:
        shares = self.shares(batch) * batch.weight[:, None]
        membership = Membership.of_shares(np.ascontiguousarray(shares))
        parts = []
        for i, (family, rows) in enumerate(zip(self.families, batch.rows, strict=True)):
            try:
                parts.append(family.summarize(rows, membership))
            except CellError as error:
                error.part = i
                error.row += batch.start
                raise
        return SideBySide(membership.totals(), tuple(parts))


@dataclass(frozen=True)
class _Nearest:
    seeds: Seeds
    places: Array

    def __call__(self, batch: EncodedRows) -> Floats:
        return self.seeds.nearest(batch, self.places)


@dataclass(frozen=True)
class _AtRandom:
    seed: int
    components: int

    def __call__(self, batch: EncodedRows) -> Floats:
        rng = np.random.default_rng([self.seed, batch.number])
        return rng.dirichlet(np.ones(self.components), size=len(batch.weight))


@dataclass(frozen=True)
class _Taken:
    """Some rows of each batch."""

    parts: dict[int, EncodedRows]

    def __add__(self, other: Self) -> Self:
        return type(self)({**self.parts, **other.parts})


@dataclass(frozen=True)
class _Take:
    chosen: dict[int, Array]

    def __call__(self, batch: EncodedRows) -> _Taken:
        at = self.chosen[batch.number]
        if len(at) == len(batch.weight):
            return _Taken({batch.number: batch})
        some = EncodedRows(take_rows(batch.rows, at), batch.codes[at], batch.weight[at], batch.number, batch.start)
        return _Taken({batch.number: some})


@dataclass(frozen=True)
class _Odd:
    """Whether any cell is missing, or lies beyond where values usually lie."""

    any: bool

    def __add__(self, other: Self) -> Self:
        return type(self)(self.any or other.any)


@dataclass(frozen=True)
class _Look:
    ends: tuple[Floats | None, ...]  # (d, 2)

    def __call__(self, batch: EncodedRows) -> _Odd:
        return _Odd(any(_odd(rows, ends) for rows, ends in zip(batch.rows, self.ends, strict=True)))


def _odd(rows: Any, ends: Floats | None) -> bool:
    if ends is None or not len(rows):
        return False
    least, most = rows.min(axis=0), rows.max(axis=0)  # NaN where a cell is missing
    return not bool(((least >= ends[:, 0]) & (most <= ends[:, 1])).all())


@dataclass(frozen=True)
class _Drawn:
    """The statistics of families held open, of rows whose far cells are drawn in."""

    parts: tuple[Any, ...]  # None of other families

    def __add__(self, other: Self) -> Self:
        pairs = zip(self.parts, other.parts, strict=True)
        return type(self)(tuple(None if a is None else a + b for a, b in pairs))


@dataclass(frozen=True)
class _DrawIn:
    families: tuple[Family, ...]
    ends: tuple[Floats | None, ...]  # (d, 2)  between which values usually lie

    def __call__(self, batch: EncodedRows) -> _Drawn:
        whole = Membership.of_shares(np.ascontiguousarray(batch.weight[:, None]))
        triples = zip(self.families, batch.rows, self.ends, strict=True)
        return _Drawn(tuple(None if e is None else f.summarize(np.clip(x, *e.T), whole) for f, x, e in triples))
