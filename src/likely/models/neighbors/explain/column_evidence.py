"""What each column adds to the votes of neighbours, in bits that sum to the log odds of the answer.

Without any column all rows are equally near, and their votes are the classes' shares: that is the prior. What a column
does to the probability of a class, on its way from there to the answer, is taken as the mean of two figures:

    alone    the neighbours by this column only, less the prior
    last     the neighbours by all columns, less those by all columns but this one

Of columns that say the same the first is too large and the last too small; of columns that say something only together
it is the other way round. What these means leave of the whole way is divided among the columns in proportion to their
size, so a column that changes nothing has nothing, and their order is no matter. As the whole way is one of
probabilities, each is divided by the logarithmic mean of the probability before and after it.

It takes two searches a column. The scales stay those of the model.
"""

from collections.abc import Hashable, Iterator
from dataclasses import replace
from typing import TYPE_CHECKING

import numpy as np

from likely.data.accepted import TableLike
from likely.data.distances.table_distance import Points, TableDistance
from likely.errors import InputError
from likely.models.any_classifier.outcome import Outcome, Rescaling, sides, spoken_for
from likely.models.neighbors.searching.search import Neighborhoods, Search
from likely.models.traits.evidence import Evidence, log_steps, weigh_evidence
from likely.numeric.arrays import Array, Floats, Ints
from likely.numeric.logspace import log_of

if TYPE_CHECKING:
    from likely.models.neighbors.classifier import NearestNeighbors
    from likely.models.neighbors.exemplar import NearestExemplar

_QUERIES = 8_192  # rows that are explained at a time
_MOST = 1_000  # columns, each of which takes two searches


def weighed(model: "NearestNeighbors", X: TableLike, outcome: Outcome) -> Evidence:
    """The evidence of a fitted classifier of neighbours for what was said of rows in the end."""
    points = model._points(X)
    _check(model.distance_, points)
    base = before_any(model)

    def blocks() -> Iterator[tuple[int, Floats]]:
        for first in range(0, len(points), _QUERIES):
            some = points.at(slice(first, first + _QUERIES))
            told = shares_by(model, model.search_, some)
            yield first, log_steps(_steps(model, some, told, base), base, told)

    return weigh_evidence(model.classes_, model.schema_.names, blocks(), log_of(base), outcome=outcome)


def asked_for(
    model: "NearestNeighbors | NearestExemplar",
    log_posterior: Floats,
    answers: Array,
    for_class: Hashable,
    against: Hashable,
    shift: Floats,
) -> Outcome:
    """What evidence is asked for: the class that is said of each row, or the ones named."""
    chosen, other = sides(model.classes_, for_class, against)
    member = spoken_for(log_posterior, np.searchsorted(model.classes_, answers), chosen, other)
    return Outcome(log_posterior, member, other, Rescaling(1.0, shift))


def before_any(model: "NearestNeighbors") -> Floats:
    """Probabilities of the classes when no column is compared (k,): all rows share the places."""
    share = model.class_count_ / model.class_count_.sum()
    if not model.alpha:
        return np.asarray(share)
    total = float(model.class_count_.sum())
    places = total if model._k is None else min(model._k, total)
    return np.asarray((places * share + model.alpha) / (places + model.alpha * len(share)))


def shares_by(model: "NearestNeighbors", search: Search, points: Points) -> Floats:
    """Posteriors (q, k) by another search of the same rows."""
    return np.concatenate(search.each(points, model._k, lambda _, near: model._shares(near)))


def _steps(model: "NearestNeighbors", points: Points, told: Floats, base: Floats) -> Floats:
    """What each column did to the probabilities on the way from `base` (k,) to `told` (q, k): (q, d, k)."""
    distance, order = model.distance_, model.known_.plan.order
    a, b = len(distance.wx), len(distance.wc)
    weight = np.concatenate([distance.wx, distance.wc, distance.wt])
    whole = told - base
    out = np.zeros((len(points), len(order), len(base)))
    counts = np.flatnonzero(weight > 0)
    if len(order) == 1:
        return whole[:, None, :]
    for place in counts.tolist():
        alone = _alone(model, points, place) - base
        if len(counts) == 1:
            out[:, order[place]] = whole
            break
        rest = np.where(np.arange(len(weight)) == place, 0.0, weight)
        without = replace(distance, wx=rest[:a], wc=rest[a : a + b], wt=rest[a + b :])
        search = Search(without, model.search_.points, model.known_.weight, model.algorithm)
        out[:, order[place]] = (alone + told - shares_by(model, search, points)) / 2
    size = np.abs(out)
    total = size.sum(axis=1, keepdims=True)
    used = np.zeros(len(order))
    used[[order[place] for place in counts.tolist()]] = 1 / max(len(counts), 1)
    part = np.where(total > 1e-12, size / np.where(total > 1e-12, total, 1.0), used[None, :, None])
    return np.asarray(out + part * (whole - out.sum(axis=1))[:, None, :])


def _alone(model: "NearestNeighbors", points: Points, place: int) -> Floats:
    """Posteriors (q, k) by one column: rows with the same cell are put together, on both sides."""
    distance, known = _of_column(model.distance_, model.search_.points, place)
    _, queries = _of_column(model.distance_, points, place)
    first, member = _groups(known)
    asked, owner = _groups(queries)
    k = len(model.classes_)
    mass = np.bincount(member * k + model.known_.y, model.known_.weight, len(first) * k).reshape(-1, k)
    total = mass.sum(axis=1)
    share = mass / total[:, None]
    search = Search(distance, known.at(first), total, model.algorithm)

    def posterior(_: slice, near: Neighborhoods) -> Floats:
        size, count = model._weigh(near), len(near.start) - 1
        votes = [np.bincount(near.owner, size * share[near.row, c], count) for c in range(k)]
        return np.asarray(model._smoothed(np.column_stack(votes), near))

    return np.concatenate(search.each(queries.at(asked), model._k, posterior))[owner]


def _of_column(distance: TableDistance, points: Points, place: int) -> tuple[TableDistance, Points]:
    """The distance and the rows of one column."""
    a, b = len(distance.wx), len(distance.wc)
    none, rows = np.empty(0), len(points)
    alone = replace(
        distance, scale=none, gap=none, wx=none, wc=none, wt=none, size=none.astype(np.int64), table=none, words=()
    )
    empty = np.empty((rows, 0)), np.empty((rows, 0), dtype=np.int32)
    if place < a:
        at = [place]
        alone = replace(alone, scale=distance.scale[at], gap=distance.gap[at], wx=distance.wx[at])
        return alone, Points(np.ascontiguousarray(points.x[:, at]), empty[1])
    if place < a + b:
        j = place - a
        alone = replace(alone, wc=distance.wc[[j]])
        if len(distance.size):
            start = int((distance.size[:j] ** 2).sum())
            table = distance.table[start : start + int(distance.size[j]) ** 2]
            alone = replace(alone, size=distance.size[[j]], table=table)
        return alone, Points(empty[0], np.ascontiguousarray(points.c[:, [j]]))
    j = place - a - b
    return replace(alone, wt=distance.wt[[j]]), Points(*empty, (points.t[j],))


def _groups(points: Points) -> tuple[Ints, Ints]:
    """Of rows of one column: the first row of each cell that occurs, and the number of each row's cell."""
    if points.t:
        return np.arange(len(points)), np.arange(len(points))
    if points.c.shape[1]:
        cells = points.c[:, 0].astype(np.int64)
    else:
        x = points.x[:, 0].astype(np.float64)
        cells = (np.where(np.isnan(x), np.nan, x) + 0.0).view(np.int64)  # one NaN, and no negative zero
    _, first, member = np.unique(cells, return_index=True, return_inverse=True)
    return first, member


def column_parts(distance: TableDistance, q: Points, points: Points, q_row: Ints, row: Ints) -> Floats:
    """What each column has of the distance of pairs of rows, before the root (m, d), in the order of the cells."""
    if callable(distance.metric) or distance.metric in ("mahalanobis", "edit"):
        if len(distance.wx) + len(distance.wc) + len(distance.wt) > 1:
            raise InputError(f"the metric {distance.metric!r} does not compare column by column: no column has a part")
        return np.ones((len(row), 1))
    a, b = len(distance.wx), len(distance.wc)
    weight = np.concatenate([distance.wx, distance.wc, distance.wt])
    found = []
    for place in range(len(weight)):
        only = np.where(np.arange(len(weight)) == place, weight, 0.0)
        alone = replace(distance, wx=only[:a], wc=only[a : a + b], wt=only[a + b :])
        found.append(alone.pairs(q, points, q_row, row))
    return np.column_stack(found)


def _check(distance: TableDistance, points: Points) -> None:
    columns = len(distance.wx) + len(distance.wc) + len(distance.wt)
    if columns > 1 and (callable(distance.metric) or distance.metric == "mahalanobis"):
        raise InputError(
            f"the metric {distance.metric!r} does not compare column by column, so no column can be left out; "
            "`neighbors` shows the rows behind each answer"
        )
    if columns > 1 and (not isinstance(points.x, np.ndarray) or columns > _MOST):
        raise InputError(
            f"each of {columns:,} columns would have to be left out once, which takes too long for a sparse matrix or "
            f"more than {_MOST:,} columns; `neighbors` shows the rows behind each answer"
        )
