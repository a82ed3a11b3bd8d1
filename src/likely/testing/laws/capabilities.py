"""The laws of what a family may be able to do beyond its contract: each asks only a family that says it can.

A capability is a shorter or a further way to something that `summarize`, `estimate` and `log_density` define, so it is
held to them.
"""

from typing import Any

import numpy as np

from likely.testing.laws.densities import GROUPS, Law, Specimen, blanked, close, labels_of, members, some_missing
from likely.testing.verdict import must

_DRAWS = 40  # of parameters from their posterior
_TIMES = 30  # that samples of one population are compared


def a_row_left_out_is_the_estimate_without_it(specimen: Specimen, rng: np.random.Generator) -> None:
    """`leave_one_out` against summarising all other rows, but for a term common to the groups; NaN where it passes."""
    family = specimen.family
    if not hasattr(family, "leave_one_out") or not getattr(family, "leaves_one_out", True):
        return
    labels = labels_of(rng, 24)
    complete = specimen.rows(rng, labels)
    for rows, weight in (
        (complete, None),
        (some_missing(rng, complete), None),
        (complete, rng.integers(1, 4, size=24).astype(np.float64)),
    ):
        x, membership = specimen.encode(rows, specimen.columns()), members(labels, weight)
        found = family.leave_one_out(family.summarize(x, membership), x, membership)
        must(found.shape == (24, GROUPS), f"it has the shape {found.shape}, not (n, k)")
        told = ~np.isnan(found).any(axis=1)
        must(rows is not complete or weight is not None or told.sum() >= 12, "it passes on most rows of ordinary data")
        for i in np.flatnonzero(told):
            others = np.delete(np.arange(24), i)
            share = None if weight is None else weight[others]
            left = family.estimate(specimen.summarize(rows[others], members(labels[others], share)))
            score = specimen.score(left, rows[[i]])
            close(_but_for_a_common_term(found[[i]]), _but_for_a_common_term(score), 1e-8)


def a_filled_cell_is_typical_of_its_group(specimen: Specimen, rng: np.random.Generator) -> None:
    """`filled` against summarising a table whose missing cells hold what is `typical` of the group of their row."""
    family = specimen.family
    if not hasattr(family, "filled"):
        return
    labels = labels_of(rng, 40)
    complete = specimen.rows(rng, labels)
    whole = specimen.summarize(complete, members(labels))
    query = specimen.encode(complete, specimen.columns())
    same = family.estimate(family.filled(whole)).log_density(query)
    close(same, family.estimate(whole).log_density(query), 1e-10)
    where = rng.random(complete.shape) < 0.15
    statistic = specimen.summarize(blanked(complete, where), members(labels))
    table = complete.copy()
    for g in range(GROUPS):
        usual = family.typical(statistic.taken(np.array([g])))
        for j in range(specimen.width):
            table[where[:, j] & (labels == g), j] = usual[j]
    by_hand = family.estimate(specimen.summarize(table, members(labels)))
    close(family.estimate(family.filled(statistic)).log_density(query), by_hand.log_density(query), 1e-9)


def a_posterior_lies_about_the_estimate(specimen: Specimen, rng: np.random.Generator) -> None:
    """Parameters drawn from `parameter_posterior` tell the data nearly as well as the estimate, each group its own.

    Draws of p parameters from n rows are less likely than the best by p / 2n nats a row on average; a posterior that is
    too wide, about another place or in another order is off by much more, one that is a point by nothing.
    """
    family = specimen.family
    if not hasattr(family, "parameter_posterior"):
        return
    labels = labels_of(rng, 300)
    rows = specimen.rows(rng, labels)
    statistic = specimen.summarize(rows, members(labels))
    fitted, drawn = family.estimate(statistic), family.parameter_posterior(statistic).draw(_DRAWS, rng)
    must(drawn.members == _DRAWS * GROUPS, f"{_DRAWS} draws of {GROUPS} groups have {drawn.members} members")
    x, place = specimen.encode(rows, specimen.columns()), np.arange(len(labels))
    best = fitted.log_density(x)[place, labels]
    score = drawn.log_density(x).reshape(len(labels), _DRAWS, GROUPS)[place, :, labels]
    gap = np.array([(best[labels == g, None] - score[labels == g]).mean() for g in range(GROUPS)])
    scale = fitted.n_parameters / 2 / len(labels)
    words = f"draws lie {gap} nats a row from the estimate, where {scale:.2g} on average is expected"
    must(0.1 * scale < gap.mean() < 4 * scale and gap.max() < 8 * scale, words)


def samples_of_one_population_are_seldom_told_apart(specimen: Specimen, rng: np.random.Generator) -> None:
    """`compare` is a test: samples of one member seldom have small p-values, in either order; those of two groups do.

    It may say in a word why few rows cannot be compared.
    """
    family = specimen.family
    if not hasattr(family, "compare"):
        return
    labels = labels_of(rng, 150)
    fitted = specimen.fit(specimen.rows(rng, labels), labels)

    def sample(group: int, count: int) -> Any:
        return family.summarize(fitted.sample(np.full(count, group), rng), members(np.zeros(count), groups=1))

    small = 0
    for _ in range(_TIMES):
        group, j = int(rng.integers(GROUPS)), int(rng.integers(specimen.width))
        a, b = sample(group, 70), sample(group, 50)
        one, other = family.compare(a, b, j, j), family.compare(b, a, j, j)
        must(isinstance(one, str) == isinstance(other, str), f"{one}, and the other way round {other}")
        if isinstance(one, str):
            continue
        must(0.0 <= one.p <= 1.0 and one.divergence >= -1e-12, f"p = {one.p}, divergence = {one.divergence}")
        must(abs(one.p - other.p) <= 1e-9, f"p is {one.p}, and {other.p} the other way round")
        small += one.p <= 0.05
    must(small <= 8, f"{small} of {_TIMES} pairs of samples of one member have a p-value of 0.05 or less")
    found = [family.compare(sample(0, 400), sample(1, 400), j, j) for j in range(specimen.width)]
    withheld = [one for one in found if isinstance(one, str)]
    must(not withheld, f"two samples of 400 rows are not compared: {withheld[:1]}")
    must(min(one.p for one in found) < 0.05, "two groups that differ are not told apart by 400 rows of each")


def _but_for_a_common_term(score: Any) -> Any:
    largest = score.max(axis=1, keepdims=True)
    return score - np.where(np.isfinite(largest), largest, 0.0)


CAPABILITIES: tuple[Law, ...] = (
    a_row_left_out_is_the_estimate_without_it,
    a_filled_cell_is_typical_of_its_group,
    a_posterior_lies_about_the_estimate,
    samples_of_one_population_are_seldom_told_apart,
)
