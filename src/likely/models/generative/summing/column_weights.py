"""How much each column of naive Bayes counts: an exponent for each, or which of them count at all.

    log p(class | x) = log p(class) + sum_j w_j log p(x_j | class), normalised,    w_j >= 0

Columns that repeat each other are counted twice by naive Bayes. The exponents maximise the likelihood of the labels
given what the columns say of rows that are left out, with a ridge towards 1 (`held_out.weighing`): few rows leave naive
Bayes as it is. With "subset" they are 0 or 1: from all columns, and from none, the one column whose change gains most
is put in or left out until none gains a nat, and the better end is kept.

What a column says of a row is exact: the family takes the row out of its estimate, all other cells missing. A family
that has no closed form for it is estimated from the sums of ten folds without the row's. Columns that a family takes
as one vector have one exponent together.
"""

from collections.abc import Sequence
from typing import Any, Literal, NamedTuple, TypeAlias

import numpy as np

from likely.data.inputs import Input
from likely.data.labels.target import Target
from likely.distributions.combined.powered import Powered
from likely.distributions.combined.product import Product
from likely.distributions.family import shortcut
from likely.models.generative.summing.layout import Layout, take_rows
from likely.models.generative.summing.spread_rows import SpreadRows, evenly, log_prior_without, spread_rows
from likely.models.held_out.weighing import as_rows, floored, weigh
from likely.numeric.arrays import Array, Floats, Ints, Matrix
from likely.numeric.logspace import log_normalize
from likely.statistics import Codes, Membership, all_but_one, sum_of

Weighting: TypeAlias = Literal["exponents", "subset"]
WEIGHTINGS = ("exponents", "subset")
_ROWS = 10_000
_CELLS = 2**25  # terms of rows by columns by classes that are held
_FEWEST = 500  # rows, however many columns
_FOLDS = 10
_GAIN = 1.0  # nats that another column must gain


class _Unit(NamedTuple):
    """What has an exponent: the parts of the product and the places in them."""

    columns: tuple[int, ...]  # of the table
    places: tuple[tuple[int, tuple[int, ...]], ...]  # part, its columns


def learn_exponents(
    model: Any, data: Input, target: Target | str, weight: Floats | None, how: Weighting
) -> dict[str, float]:
    """The exponent of each column of a fitted model, from rows that are in its sums."""
    layout, k = model.layout_, len(model.classes_)
    names = layout.schema.names
    plain = dict.fromkeys(names, 1.0)
    if k < 2:
        return plain
    units = _units(layout)
    most = int(np.clip(_CELLS // (k * max(len(units), 1)), _FEWEST, _ROWS))
    batches = list(spread_rows(model, data, target, weight, most))
    if not batches:
        return plain
    terms = _terms(model, batches, units)
    priors = [log_prior_without(model, rows) for rows in batches]
    prior, known = (np.concatenate(each) for each in zip(*priors, strict=True))
    codes = np.concatenate([rows.codes for rows in batches])
    known &= np.isfinite(terms).all(axis=(1, 2))
    amount = None if weight is None else np.concatenate([rows.amount for rows in batches if rows.amount is not None])
    terms, prior, codes = floored(terms[known]), prior[known], codes[known]
    amount = None if amount is None else amount[known]
    if not len(codes):
        return plain
    if how == "exponents":
        centre = np.ones(len(units))
        found = weigh(terms, codes, amount, centre, offsets=False, most_rows=len(codes), beside=prior).weights
    else:
        found = best_subset(terms, prior, codes, np.ones(len(codes)) if amount is None else as_rows(amount)).astype(
            np.float64
        )
    power = {j: float(w) for unit, w in zip(units, found, strict=True) for j in unit.columns}
    return {name: power[j] for j, name in enumerate(names)}


def powered(fitted: Product, exponents: Floats, layout: Layout) -> Product:
    """The product with an exponent for each column of the table (d,)."""
    every = tuple(range(layout.schema.width))
    columns = [part.columns for part in layout.parts] + [every] * (len(fitted.parts) - len(layout.parts))
    return Product(tuple(Powered(part, exponents[list(own)]) for part, own in zip(fitted.parts, columns, strict=True)))


def best_subset(terms: Floats, beside: Floats, codes: Array, amount: Floats) -> Array:
    """Which of the terms (n, m, k) tell the classes `codes` best together: booleans (m,)."""
    ends = [_improved(np.full(terms.shape[1], full), terms, beside, codes, amount) for full in (True, False)]
    return min(ends, key=lambda end: end[1])[0]


def _improved(chosen: Array, terms: Floats, beside: Floats, codes: Array, amount: Floats) -> tuple[Array, float]:
    """The end of single changes that each gain a nat, and its loss."""
    rows = np.arange(len(codes))

    def loss(total: Floats) -> float:
        return -float(amount @ log_normalize(total)[rows, codes])

    total = beside + terms[:, chosen].sum(axis=1)
    now = loss(total)
    while True:
        sign = np.where(chosen, -1.0, 1.0)
        each = np.array([loss(total + sign[j] * terms[:, j]) for j in range(len(chosen))])
        j = int(each.argmin())
        if not each[j] < now - _GAIN:
            return chosen, now
        total, now = total + sign[j] * terms[:, j], float(each[j])
        chosen = chosen.copy()
        chosen[j] = not chosen[j]


def _units(layout: Layout) -> list[_Unit]:
    gaps = len(layout.parts) if layout.missing == "evidence" else None

    def unit(columns: Sequence[int], part: int, places: Sequence[int]) -> _Unit:
        absent = () if gaps is None else ((gaps, tuple(columns)),)
        return _Unit(tuple(columns), ((part, tuple(places)), *absent))

    found = []
    for i, (part, family) in enumerate(zip(layout.parts, layout.families, strict=True)):
        if getattr(family, "of_vectors", False):
            found.append(unit(part.columns, i, range(len(part.columns))))
        else:
            found += [unit([j], i, [place]) for place, j in enumerate(part.columns)]
    return found


def _terms(model: Any, batches: list[SpreadRows], units: list[_Unit]) -> Floats:
    """What each unit says of each row that is left out (n, units, k)."""
    families, sums = model.layout_.family.parts, model.statistic_.given.parts
    widths = [len(part.columns) for part in model.layout_.parts] + [model.layout_.schema.width]
    rows = sum(len(one.codes) for one in batches)
    out = np.zeros((rows, len(units), len(model.classes_)))
    for i, (family, seen) in enumerate(zip(families, sums, strict=True)):
        own = [(u, places) for u, unit in enumerate(units) for part, places in unit.places if part == i]
        if shortcut(family, "leave_one_out") and family.leaves_one_out:
            said = [_without_own_row(family, seen, i, one, own, widths[i]) for one in batches]
            found = np.concatenate(said)
        else:
            each = _without_own_fold(family, i, batches, len(model.classes_))
            found = np.stack([each[:, list(places)].sum(axis=1) for _, places in own], axis=1)
        for at, (u, _) in enumerate(own):
            out[:, u] += found[:, at]
    return out


def _without_own_row(
    family: Any, seen: Any, part: int, rows: SpreadRows, own: list[tuple[int, tuple[int, ...]]], width: int
) -> Floats:
    """Exactly: (n, units of the part, k)."""
    groups = Membership.of_labels(rows.codes, seen.groups, rows.left_out)
    x = rows.x[part]
    return np.stack(
        [
            family.leave_one_out(seen, x if len(places) == width else _only(x, places), groups)
            for _, places in own
        ],
        axis=1,
    )  # fmt: skip


def _only(x: Matrix, places: tuple[int, ...]) -> Any:
    """Rows with all other cells missing."""
    if isinstance(x, Codes):
        hidden = np.broadcast_to((x.base - 1).astype(x.x.dtype), x.x.shape).copy()
        hidden[:, list(places)] = x.x[:, list(places)]
        return Codes(hidden, x.base, x.levels)
    dense = x.toarray() if hasattr(x, "toarray") else x
    alone = np.full(dense.shape, np.nan)
    alone[:, list(places)] = dense[:, list(places)]
    return alone


def _without_own_fold(family: Any, part: int, batches: list[SpreadRows], k: int) -> Floats:
    """The terms (n, columns of the part, k) of each row by the sums of the other folds."""
    folds: list[Ints] = []
    start = 0
    for one in batches:
        folds.append((_FOLDS * evenly(start + np.arange(len(one.codes)))).astype(np.int64))
        start += len(one.codes)

    def of_fold(number: int) -> Any:
        parts = []
        for one, dealt in zip(batches, folds, strict=True):
            rows = np.flatnonzero(dealt == number)
            (x,) = take_rows((one.x[part],), rows)
            amount = None if one.amount is None else one.amount[rows]
            parts.append(family.summarize(x, Membership.of_labels(one.codes[rows], k, amount)))
        return sum_of(parts)

    found: list[Any] = [None] * len(batches)
    for number, rest in enumerate(all_but_one([of_fold(number) for number in range(_FOLDS)])):
        fitted = family.estimate(rest.canonical())
        for b, (one, dealt) in enumerate(zip(batches, folds, strict=True)):
            rows = np.flatnonzero(dealt == number)
            (x,) = take_rows((one.x[part],), rows)
            terms = fitted.log_density_terms(x)
            found[b] = np.full((len(dealt), *terms.shape[1:]), np.nan) if found[b] is None else found[b]
            found[b][rows] = terms
    return np.concatenate(found)
