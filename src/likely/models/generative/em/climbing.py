"""EM for a mixture over a whole table: components of a product of families, each pass one sum over the batches.

    E   share of row i in component j:  t_j p(x_i | j) / sum_l t_l p(x_i | l)
    M   the component's family, estimated from the rows so shared out; t_j its part of all rows

What climbs is the log-likelihood of the observed cells plus the log prior of the components (pseudo-counts, and the
pseudo-rows that hold Gaussians open): it never falls where every family's estimate is the maximum of a posterior.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from likely import engines
from likely.data.sources import Kept
from likely.distributions.combined.expectation import Ascent, expectation_maximization
from likely.distributions.combined.mixture import component_estimate, component_log_prior, component_statistic
from likely.distributions.combined.product import Product
from likely.distributions.conjugate.components import Component
from likely.distributions.family import Family
from likely.errors import CellError
from likely.models.generative.em.hidden import EncodedRows, Expected, Parameters, shared_out
from likely.numeric.arrays import Array, Floats
from likely.numeric.logspace import log_of
from likely.statistics import Codes, Membership, SideBySide, sum_of

_SEED_ROWS = 20_000  # enough rows to place the first centres


@dataclass(frozen=True)
class Climb:
    """How a mixture of m components of these families is learned from batches."""

    families: tuple[Family, ...]
    batches: tuple[EncodedRows, ...]
    components: int
    how: Component
    max_iter: int
    tol: float

    def from_start(self, start: Parameters) -> Ascent[Parameters, SideBySide]:
        """EM from these parameters: at most `max_iter` M steps."""
        engine = engines.current()
        kept = engine.keep(Kept(self.batches))

        def expect(at: Parameters) -> tuple[SideBySide, float]:
            expected: Expected = engine.fold(kept, _Expectation(self.families, at))
            return expected.statistic, expected.log_likelihood

        return expectation_maximization(
            expect, self.maximize, start, self.max_iter + 1, self.tol, log_prior=self._log_prior
        )

    def maximize(self, statistic: SideBySide) -> Parameters:
        """The M step."""
        pairs = zip(self.families, statistic.parts, strict=True)
        parts = tuple(component_estimate(family, part, self.how) for family, part in pairs)
        weight = np.asarray(statistic.weight, dtype=np.float64)
        return Parameters(Product(parts), log_of(weight / weight.sum()))

    def start(self, shares: Sequence[Floats]) -> Parameters:
        """Parameters from the rows' shares (n, m) of every batch."""
        sums = [_summary(self.families, b, s * b.weight[:, None]) for b, s in zip(self.batches, shares, strict=True)]
        return self.maximize(sum_of(sums))

    def seeded(self, rng: np.random.Generator) -> Parameters:
        """Rows with the nearest of m rows far apart from each other (k-means++), of up to so many."""
        sizes = [len(batch.weight) for batch in self.batches]
        total = sum(sizes)
        chosen = np.arange(total) if total <= _SEED_ROWS else np.sort(rng.permutation(total)[:_SEED_ROWS])
        begins = np.cumsum(sizes) - sizes
        ours = [chosen[(chosen >= b) & (chosen < b + n)] - b for b, n in zip(begins, sizes, strict=True)]
        seeds = _Seeds.of(self.batches, ours)
        if not seeds.real.shape[1] + seeds.levels.shape[1]:  # texts, or counts in a sparse matrix: nothing is near
            return self.shared_at_random(rng)
        places = seeds.places(self.components, rng)
        return self.start([seeds.nearest(batch, places, self.components) for batch in self.batches])

    def shared_at_random(self, rng: np.random.Generator) -> Parameters:
        """Every row shared out at random."""
        return self.start([rng.dirichlet(np.ones(self.components), size=len(b.weight)) for b in self.batches])

    def _log_prior(self, at: Parameters, statistic: SideBySide) -> float:
        triples = zip(self.families, statistic.parts, at.distribution.parts, strict=True)
        logs = [component_log_prior(family, part, fitted, self.how) for family, part, fitted in triples]
        return 0.0 if any(one is None for one in logs) else float(sum(one for one in logs if one is not None))


@dataclass(frozen=True)
class _Expectation:
    """The E step of a batch."""

    families: tuple[Family, ...]
    at: Parameters

    def __call__(self, batch: EncodedRows) -> Expected:
        membership, log_likelihood = shared_out(batch, self.at)
        parts = []
        triples = zip(self.families, batch.rows, self.at.distribution.parts, strict=True)
        for family, rows, current in triples:
            parts.append(component_statistic(family, rows, membership, current))
        return Expected(SideBySide(membership.totals(), tuple(parts)), log_likelihood)


def _summary(families: tuple[Family, ...], batch: EncodedRows, shares: Floats) -> SideBySide:
    membership = Membership.of_shares(np.ascontiguousarray(shares))
    parts = []
    for i, (family, rows) in enumerate(zip(families, batch.rows, strict=True)):
        try:
            parts.append(family.summarize(rows, membership))
        except CellError as error:
            error.part = i
            raise
    return SideBySide(membership.totals(), tuple(parts))


@dataclass(frozen=True)
class _Seeds:
    """Rows among which the first centres are chosen: numbers in units of their deviations, levels by equality.

    A missing cell lies at the mean, and differs from every level. Texts and counts of words say nothing here.
    """

    real: Floats  # (n, d)  standardised
    levels: Array  # (n, c)  codes
    weight: Floats  # (n,)
    mean: Floats  # (d,)
    deviation: Floats  # (d,)
    book: dict[Any, int]  # numbers of the levels

    @classmethod
    def of(cls, batches: Sequence[EncodedRows], chosen: Sequence[Array]) -> "_Seeds":
        book: dict[Any, int] = {}
        tables = [_table(batch.rows, rows, book) for batch, rows in zip(batches, chosen, strict=True)]
        real, levels = (np.concatenate(side) for side in zip(*tables, strict=True))
        weight = np.concatenate([batch.weight[rows] for batch, rows in zip(batches, chosen, strict=True)])
        seen = ~np.isnan(real)
        count = np.maximum(weight @ seen, np.finfo(np.float64).tiny)
        mean = weight @ np.where(seen, real, 0.0) / count
        deviation = np.sqrt(weight @ np.where(seen, real - mean, 0.0) ** 2 / count)
        deviation = np.where(deviation > 0, deviation, 1.0)
        z = _standard(real, mean, deviation)
        order = np.lexsort([*levels.T, *z.T, weight])  # so that seeds depend on the rows, not on their order
        return cls(z[order], levels[order], weight[order], mean, deviation, book)

    def places(self, m: int, rng: np.random.Generator) -> Array:
        """Which rows are the seeds: each with a chance as its squared distance from those before."""
        distance = np.full(len(self.weight), np.inf)
        places = []
        for c in range(m):
            chance = self.weight if c == 0 else self.weight * distance
            chance = chance if chance.any() else self.weight  # every row is a seed already
            places.append(int(rng.choice(len(chance), p=chance / chance.sum())))
            distance = np.minimum(distance, _apart(self.real, self.levels, self, places[-1]))
        return np.array(places)

    def nearest(self, batch: EncodedRows, places: Array, m: int) -> Floats:
        """Each row of a batch wholly to its nearest seed (n, m)."""
        real, levels = _table(batch.rows, np.arange(len(batch.weight)), self.book)
        z = _standard(real, self.mean, self.deviation)
        distance = np.column_stack([_apart(z, levels, self, place) for place in places])
        return np.asarray(np.eye(m)[distance.argmin(axis=1)])


def _table(rows: tuple[Any, ...], chosen: Array, book: dict[Any, int]) -> tuple[Floats, Array]:
    """Numbers (n, d) and codes of levels (n, c) of some rows; `book` numbers the levels of all batches alike."""
    n = len(chosen)
    real = [np.asarray(part[chosen], dtype=np.float64) for part in rows if isinstance(part, np.ndarray)]
    levels = [_level_numbers(part, chosen, book) for part in rows if isinstance(part, Codes)]
    return np.column_stack(real or [np.zeros((n, 0))]), np.column_stack(levels or [np.zeros((n, 0), dtype=np.int64)])


def _level_numbers(part: Codes, chosen: Array, book: dict[Any, int]) -> Array:
    """Numbers that are the same for the same level in every batch; -1 where the cell is missing."""
    out = np.full((len(chosen), part.x.shape[1]), -1, dtype=np.int64)
    for j, names in enumerate(part.levels):
        code = part.x[chosen, j].astype(np.int64) - int(part.base[j])
        numbers = np.array([book.setdefault(name, len(book)) for name in names] or [0], dtype=np.int64)
        out[:, j] = np.where(code >= 0, numbers[np.clip(code, 0, None)], -1)
    return out


def _standard(real: Floats, mean: Floats, deviation: Floats) -> Floats:
    return np.where(np.isnan(real), 0.0, (real - mean) / deviation)


def _apart(real: Floats, levels: Array, seeds: _Seeds, place: int) -> Floats:
    """Squared distance of rows from a seed; levels that differ count 1."""
    apart = ((real - seeds.real[place]) ** 2).sum(axis=1)
    return np.asarray(apart + (levels != seeds.levels[place]).sum(axis=1))
