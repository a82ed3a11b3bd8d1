"""The laws of families and distributions, each written once.

A family sees its data only through a sum, so its estimates obey the laws of sums; a distribution is one, so it
integrates to one, is the best of its kind where it says so, and is found again from its samples.
"""

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from fractions import Fraction
from functools import reduce
from operator import add
from typing import Any, TypeAlias

import numpy as np
from numpy.typing import ArrayLike

from likely.distributions.family import Distribution, log_ratio
from likely.statistics import Codes, Membership
from likely.testing.specimens.quadrature import Integral
from likely.testing.verdict import must

GROUPS = 3
Rows: TypeAlias = Any  # a table (n, d) of numbers, or of objects with None for a missing cell


@dataclass(frozen=True)
class Specimen:
    """A family with its options, and how to make data for it."""

    name: str
    family: Any
    rows: Callable[[np.random.Generator, Any], Rows]  # of groups: labels (n,) to a table (n, d)
    encode: Callable[[Rows, tuple[int, ...]], Any]  # a table of some columns in the form that the family takes
    integral: Integral | None = None  # nodes and their weights, given a table and what was fitted
    width: int = 3
    narrow: tuple[int, ...] = (0,)  # the columns over which it is integrated
    independent: bool = True  # each feature is estimated from its own column alone
    maximum: bool = False  # the estimate maximises the likelihood
    impossible: bool = False  # may say that a value cannot occur
    located: bool = False  # values are any real numbers, and an offset of all of them is no matter
    current: Callable[[int], Any] | None = None  # for families of many passes: the parameters of the pass
    divergence: float = 0.02  # how far from itself it may be found from 4,000 samples
    nearby: Callable[[Any, float, np.random.Generator], Iterator[Any]] | None = None  # others with parameters close by
    marginal: Callable[[Any, list[int]], Callable[[Any], Any]] | None = None  # the log density of some columns
    location: Callable[[Any], tuple[Any, Any] | None] | None = None  # mean and variance (k, d), if parameters

    def columns(self) -> tuple[int, ...]:
        return tuple(range(self.width))

    def summarize(self, rows: Rows, membership: Membership, columns: tuple[int, ...] | None = None) -> Any:
        columns = self.columns() if columns is None else columns
        x = self.encode(rows, columns)
        if self.current is not None:
            return self.family.summarize(x, membership, self.current(len(columns)))
        return self.family.summarize(x, membership)

    def fit(self, rows: Rows, labels: Any, columns: tuple[int, ...] | None = None) -> Any:
        return self.family.estimate(self.summarize(rows, members(labels), columns))

    def score(self, fitted: Distribution, rows: Rows, columns: tuple[int, ...] | None = None) -> Any:
        return fitted.log_density(self.encode(rows, self.columns() if columns is None else columns))


def members(labels: ArrayLike, weight: Any = None, groups: int = GROUPS) -> Membership:
    return Membership.of_labels(np.asarray(labels, dtype=np.int32), groups, weight)


def labels_of(rng: np.random.Generator, count: int) -> Any:
    return rng.permutation(np.arange(count) % GROUPS)


def blanked(rows: Rows, where: object) -> Rows:
    """A copy with some cells missing."""
    out = rows.copy()
    out[where] = None if rows.dtype == object else np.nan
    return out


def some_missing(rng: np.random.Generator, rows: Rows) -> Rows:
    return blanked(rows, rng.random(rows.shape) < 0.15)


def close(a: Any, b: Any, tolerance: float) -> None:
    """Equal within a tolerance, relative where the numbers are large; minus infinity equals itself."""
    must(a.shape == b.shape, f"the shapes are {a.shape} and {b.shape}")
    must(not np.isnan(a).any(), "a log density is NaN")
    same = (a == b) | (np.abs(np.where(a == b, 0.0, a) - np.where(a == b, 0.0, b)) <= tolerance * (1 + np.abs(b)))
    must(same.all(), f"{a[~same][:5]} and {b[~same][:5]}")


def estimates_of_parts_are_those_of_the_whole(specimen: Specimen, rng: np.random.Generator) -> None:
    labels = labels_of(rng, 40)
    rows = some_missing(rng, specimen.rows(rng, labels))
    for offset in (0.0, 1e8) if specimen.located else (0.0,):
        table = rows + offset if offset else rows
        cuts = np.sort(rng.integers(0, len(labels) + 1, size=3))
        order = rng.permutation(len(labels))
        pieces = np.split(order, cuts)
        rng.shuffle(pieces)
        total = reduce(add, [specimen.summarize(table[i], members(labels[i])) for i in pieces])
        whole = specimen.summarize(table, members(labels))
        close(
            specimen.score(specimen.family.estimate(total), table),
            specimen.score(specimen.family.estimate(whole), table),
            1e-10,
        )


def a_weight_is_that_many_rows(specimen: Specimen, rng: np.random.Generator) -> None:
    labels = labels_of(rng, 30)
    rows, times = some_missing(rng, specimen.rows(rng, labels)), rng.integers(0, 4, size=30)
    weighted = specimen.summarize(rows, members(labels, times.astype(np.float64)))
    again = np.repeat(np.arange(30), times)
    repeated = specimen.summarize(rows[again], members(labels[again]))
    close(
        specimen.score(specimen.family.estimate(weighted), rows),
        specimen.score(specimen.family.estimate(repeated), rows),
        1e-10,
    )


def a_whole_share_is_a_label(specimen: Specimen, rng: np.random.Generator) -> None:
    """Rows that belong to one group each, said in either way, and sorted by group: some groups begin late."""
    labels = np.sort(labels_of(rng, 900))
    rows = some_missing(rng, specimen.rows(rng, labels))
    for offset, tolerance in ((0.0, 1e-10), (1e8, 1e-7)) if specimen.located else ((0.0, 1e-10),):
        table = rows + offset if offset else rows
        shared = specimen.summarize(table, Membership.of_shares(members(labels).as_shares()))
        score = specimen.score(specimen.family.estimate(shared), table[::30])
        close(score, specimen.score(specimen.fit(table, labels), table[::30]), tolerance)


def relabelling_groups_permutes_members(specimen: Specimen, rng: np.random.Generator) -> None:
    labels, place = labels_of(rng, 30), rng.permutation(GROUPS)
    rows = some_missing(rng, specimen.rows(rng, labels))
    if specimen.current is not None:  # its groups are components of groups, which stay together
        statistic = specimen.summarize(rows, members(labels))
        m = statistic.groups // GROUPS
        moved = (place[:, None] * m + np.arange(m)).ravel()
        fitted = specimen.family.estimate(statistic.regrouped(moved, statistic.groups))
    else:
        fitted = specimen.fit(rows, place[labels])
    close(specimen.score(fitted, rows)[:, place], specimen.score(specimen.fit(rows, labels), rows), 1e-10)


def estimates_far_from_zero_are_exact(specimen: Specimen, rng: np.random.Generator) -> None:
    """Mean and variance at an offset of 1e8 against rational arithmetic."""
    labels = labels_of(rng, 40)
    rows = 1e8 + rng.normal(size=(40, 2))
    fitted = specimen.fit(rows, labels, (0, 1))
    found = None if specimen.location is None else specimen.location(fitted)
    if found is None or specimen.family.estimation != "ml":
        return  # a shared, pooled or smoothed estimate is not that of the group's own data
    mean, variance = found
    for g in range(GROUPS):
        for j in range(2):
            values = [Fraction(float(v)) for v in rows[labels == g, j]]
            centre = sum(values, Fraction()) / len(values)
            exact = sum(((v - centre) ** 2 for v in values), Fraction()) / (len(values) - specimen.family.ddof)
            must(abs(Fraction(float(mean[g, j])) - centre) <= Fraction(float(np.spacing(1e8))), "the mean is off")
            must(abs(Fraction(float(variance[g, j])) / exact - 1) <= Fraction(1, 10**11), "the variance is off")


def terms_sum_to_the_density(specimen: Specimen, rng: np.random.Generator) -> None:
    labels = labels_of(rng, 40)
    rows = some_missing(rng, specimen.rows(rng, labels))
    fitted = specimen.fit(rows, labels)
    x = specimen.encode(rows, specimen.columns())
    terms = fitted.log_density_terms(x)
    must(fitted.members == GROUPS, f"{fitted.members} members are fitted to {GROUPS} groups")
    must(terms.shape == (40, specimen.width, GROUPS), f"terms have the shape {terms.shape}, not (n, d, k)")
    close(terms.sum(axis=1), fitted.log_density(x), 1e-9)
    missing = np.array([[v is None or v != v for v in row] for row in rows])
    must(np.all(np.abs(terms[missing]) < 1e-15), "a missing cell speaks")


def ratios_are_densities_but_for_a_common_term(specimen: Specimen, rng: np.random.Generator) -> None:
    labels = labels_of(rng, 40)
    rows = some_missing(rng, specimen.rows(rng, labels))
    fitted = specimen.fit(rows, labels)
    x = specimen.encode(rows, specimen.columns())
    density = fitted.log_density(x)
    possible = np.isfinite(density).all(axis=1)
    apart = log_ratio(fitted, x)[possible] - density[possible]
    close(apart - apart[:, :1], np.zeros_like(apart), 1e-9)


def a_missing_cell_is_the_model_without_it(specimen: Specimen, rng: np.random.Generator) -> None:
    labels = labels_of(rng, 60)
    rows = specimen.rows(rng, labels)
    if specimen.independent:
        rows = some_missing(rng, rows)
    fitted = specimen.fit(rows, labels)
    for j in range(specimen.width):
        kept = tuple(i for i in range(specimen.width) if i != j)
        query = specimen.score(fitted, blanked(rows, (slice(None), j)))
        less = rows[:, list(kept)]
        if specimen.independent:
            without = specimen.fit(less, labels, kept)
            close(query, specimen.score(without, less, kept), 1e-10)
        elif specimen.marginal is not None:
            close(query, specimen.marginal(fitted, list(kept))(specimen.encode(less, kept)), 1e-9)
    nothing = specimen.score(fitted, blanked(rows, slice(None)))
    must(np.all(np.abs(nothing) < 1e-15), "a row of which nothing is known speaks")


def a_density_integrates_to_one(specimen: Specimen, rng: np.random.Generator) -> None:
    if specimen.integral is None:
        return
    labels = labels_of(rng, 60)
    rows = specimen.rows(rng, labels)[:, list(specimen.narrow)]
    fitted = specimen.fit(rows, labels, specimen.narrow)
    nodes, weights = specimen.integral(rows, fitted)
    mass = weights @ np.exp(specimen.score(fitted, nodes, specimen.narrow))
    close(mass, np.ones(GROUPS), 1e-7)


def a_group_is_likeliest_under_its_own_estimate(specimen: Specimen, rng: np.random.Generator) -> None:
    """Whatever is learned, the rows of a group are on average likelier under it than under the estimates of others."""
    labels = labels_of(rng, 90)
    rows = specimen.rows(rng, labels)
    scores = specimen.score(specimen.fit(rows, labels), rows)
    scores = np.maximum(scores, -1e3)  # what is impossible elsewhere is unlikely enough
    own = scores[np.arange(len(labels)), labels]
    others = (scores.sum(axis=1) - own) / (GROUPS - 1)
    gain = float((own - others).mean())
    must(gain > 1e-6, f"rows are likelier under their own group than under others by {gain} nats: nothing is learned")


def samples_lead_back(specimen: Specimen, rng: np.random.Generator) -> None:
    """Sample, summarise, estimate: the divergence of what is found from what was sampled is small, either way."""
    labels = labels_of(rng, 300)
    fitted = specimen.fit(specimen.rows(rng, labels), labels)
    member = np.repeat(np.arange(GROUPS), 4000)
    drawn = fitted.sample(member, rng)
    args = () if specimen.current is None else (fitted,)
    found = specimen.family.estimate(specimen.family.summarize(drawn, members(member), *args))
    own = fitted.log_density(drawn)[np.arange(len(member)), member]
    other = found.log_density(drawn)[np.arange(len(member)), member]
    must(np.isfinite(own).all(), "a sample is impossible")
    divergence = (own - other).reshape(GROUPS, -1).mean(axis=1)
    words = f"what is found from samples lies {divergence} nats from what was sampled"
    must(np.all(np.abs(divergence) < specimen.divergence), words)


def moments_are_those_of_samples(specimen: Specimen, rng: np.random.Generator) -> None:
    """Where a distribution states its mean and variance, they are those of its samples, to eight standard errors."""
    labels = labels_of(rng, 120)
    fitted = specimen.fit(specimen.rows(rng, labels), labels)
    if not hasattr(fitted, "mean") or not hasattr(fitted, "variance"):
        return
    mean, variance, n = fitted.mean, fitted.variance, 4000
    for g in range(GROUPS):
        drawn = fitted.sample(np.full(n, g), rng)
        parts = zip(drawn, mean, variance, strict=True) if isinstance(drawn, tuple) else [(drawn, mean, variance)]
        for rows, centre, spread in parts:
            x = _as_numbers(rows)
            m, v = (np.broadcast_to(figure, (GROUPS, x.shape[1]))[g] for figure in (centre, spread))
            usual = np.isfinite(m) & np.isfinite(v)  # a heavy tail has no moments to be seen in samples
            squares = (x[:, usual] - m[usual]) ** 2
            allowed = 8 * np.sqrt(v[usual] / n) + 1e-9 * np.abs(m[usual])
            must(np.all(np.abs(x[:, usual].mean(axis=0) - m[usual]) <= allowed), f"the mean of member {g} is off")
            allowed = 8 * squares.std(axis=0) / np.sqrt(n) + 1e-9 * v[usual]
            must(np.all(np.abs(squares.mean(axis=0) - v[usual]) <= allowed), f"the variance of member {g} is off")


def _as_numbers(rows: object) -> Any:
    """Samples as a table of numbers: nominal ones as the indicators of their levels."""
    if not isinstance(rows, Codes):
        return np.asarray(rows, dtype=np.float64)
    places = [np.arange(len(names)) + base for names, base in zip(rows.levels, rows.base, strict=True)]
    return np.hstack([(rows.x[:, [j]] == place).astype(np.float64) for j, place in enumerate(places)])


def no_nearby_parameter_is_likelier(specimen: Specimen, rng: np.random.Generator) -> None:
    if specimen.nearby is None:
        return
    labels = labels_of(rng, 60)
    rows = specimen.rows(rng, labels)
    fitted = specimen.fit(rows, labels)
    x = specimen.encode(rows, specimen.columns())

    def likelihood(distribution: Any) -> float:
        return float(distribution.log_density(x)[np.arange(60), labels].sum())

    best = likelihood(fitted)
    must(np.isfinite(best), "the data are impossible under their own estimate")
    tried = 0
    for step in (1e-3, 1e-2, 0.1):
        for _ in range(4):
            for there in specimen.nearby(fitted, step, rng):
                must(likelihood(there) <= best + 1e-9 * (1 + abs(best)), f"{there}")
                tried += 1
    must(tried >= 12, "hardly any parameters nearby were tried")


def passes_climb(specimen: Specimen, rng: np.random.Generator) -> None:
    """Of a family that learns in many passes: none makes the data less likely."""
    labels = labels_of(rng, 90)
    rows = some_missing(rng, specimen.rows(rng, labels))
    x = specimen.encode(rows, specimen.columns())
    if specimen.current is None:
        return
    fitted, before = specimen.current(specimen.width), -np.inf
    for _ in range(40):
        likelihood = float(fitted.log_density(x)[np.arange(90), labels].sum())
        must(likelihood >= before - 1e-9 * abs(likelihood), f"a pass fell from {before} to {likelihood}")
        fitted, before = specimen.family.estimate(specimen.family.summarize(x, members(labels), fitted)), likelihood


def degenerate_data_have_an_answer(specimen: Specimen, rng: np.random.Generator) -> None:
    queries = specimen.rows(rng, labels_of(rng, 12))
    queries = np.concatenate([queries, blanked(queries[:1], slice(None))])
    for what, rows, labels in degenerate(specimen, rng):
        statistic = specimen.summarize(rows, members(labels))
        fitted = specimen.family.estimate(statistic)
        for table in (queries, rows):
            x = specimen.encode(table, specimen.columns())
            for scores in (fitted.log_density(x), fitted.log_density_terms(x), log_ratio(fitted, x)):
                must(not np.isnan(scores).any(), f"{what}")
                must(np.all(scores < np.inf), f"{what}")
                must(specimen.impossible or np.all(scores > -np.inf), f"{what}")
        must(isinstance(fitted.n_parameters, int) and fitted.n_parameters >= 0, f"{what}")
        fitted.sample(np.repeat(np.arange(GROUPS), 5), rng)
        for name, error in specimen.family.standard_errors(statistic).items():
            must(np.all(np.isnan(error) | (error >= 0)), f"{what}: {name}")


def far_away_is_finite(specimen: Specimen, rng: np.random.Generator) -> None:
    labels = labels_of(rng, 40)
    rows = specimen.rows(rng, labels)
    fitted = specimen.fit(rows, labels)
    for value in (1e300, -1e300, float(np.finfo(np.float64).max), 1e-300):
        table = np.concatenate([np.full((1, specimen.width), value), rows[:1]])
        table[1, 0] = value
        x = specimen.encode(table, specimen.columns())
        for scores in (fitted.log_density(x), fitted.log_density_terms(x), log_ratio(fitted, x)):
            must(not np.isnan(scores).any() and np.all(scores < np.inf), f"{value}")
            must(specimen.impossible or np.all(scores > -np.inf), f"{value}")


Law = Callable[[Specimen, np.random.Generator], None]
OFTEN: tuple[Law, ...] = (  # cheap: many seeds
    estimates_of_parts_are_those_of_the_whole,
    a_weight_is_that_many_rows,
    relabelling_groups_permutes_members,
    terms_sum_to_the_density,
    ratios_are_densities_but_for_a_common_term,
    a_missing_cell_is_the_model_without_it,
)
ONCE: tuple[Law, ...] = (
    a_group_is_likeliest_under_its_own_estimate,
    a_whole_share_is_a_label,
    a_density_integrates_to_one,
    samples_lead_back,
    moments_are_those_of_samples,
    degenerate_data_have_an_answer,
)
LOCATED: tuple[Law, ...] = (estimates_far_from_zero_are_exact, far_away_is_finite)


def degenerate(specimen: Specimen, rng: np.random.Generator) -> Iterator[tuple[str, Rows, Any]]:
    """Data that say little or nothing of some parameters."""
    labels = labels_of(rng, 12)
    rows = specimen.rows(rng, labels)
    first, everything = (slice(None), 0), slice(None)
    alike = rows.copy()
    alike[first] = rows[0, 0]
    alike_in_one = rows.copy()
    alike_in_one[labels == 1, 0] = rows[0, 0]
    repeated = rows.copy()
    repeated[:, -1] = rows[:, 0]
    yield "no row", rows[:0], labels[:0]
    yield "one row", rows[:1], labels[:1]
    yield "one row in each group", rows[[list(labels).index(g) for g in range(GROUPS)]], np.arange(GROUPS)
    yield "an empty group", rows[labels > 0], labels[labels > 0]
    yield "a constant column", alike, labels
    yield "a column constant in one group", alike_in_one, labels
    yield "all rows alike", np.repeat(rows[:1], 12, axis=0), labels
    yield "a column that is another", repeated, labels
    yield "a column missing", blanked(rows, first), labels
    yield "a column missing in one group", blanked(rows, (labels == 1, 0)), labels
    yield "everything missing", blanked(rows, everything), labels
