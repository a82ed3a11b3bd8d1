"""What the other rows say of each row: exact cross-validation in one search, without a model for each fold.

A row's neighbours are looked for among all rows, its own fold being passed over. What the distance takes from the rows
must come from the other folds too. Of ranges that is cheap: the range without a fold is another one only where the fold
holds the smallest or largest number of a column, so nearly all folds share one distance, and each of the others has its
own. Deviations without a fold differ from those of all rows by little, which one search can bear (`own_scales`). A
distance of another kind (covariances, classes) is learned anew for every fold.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any, Self

import numpy as np

from likely.data.accepted import Prepared
from likely.data.distances.table_distance import Range
from likely.errors import InputError, TierError
from likely.models.neighbors.fitting.own_scales import OwnScales, each_by_own
from likely.models.neighbors.searching.known import Known
from likely.models.neighbors.searching.search import Neighborhoods
from likely.numeric.arrays import Array, Floats, Ints

if TYPE_CHECKING:
    from likely.models.neighbors.neighbor_model import NeighborModel

_FOLDS = 200  # that may each have a distance learned anew
_FEW_FOLDS = 20  # whose deviations may differ by much: a search for each is quicker
_DEVIATING = ("euclidean", "manhattan", "minkowski", "chebyshev")  # metrics that grow with the scales


@dataclass(frozen=True, eq=False)
class NeighborTable(Prepared):
    """Rows read once, which stand for X, y and weights in `fit` and in everything that leaves rows out."""

    model: Any  # its parameters alone are used
    known: Known
    classes: tuple[Any, ...] = ()  # none of rows with amounts

    def __len__(self) -> int:
        return len(self.known)

    @property
    def leaves_one_out(self) -> bool:
        """Whether single rows can be left out in one search."""
        return leaves_one_out(self.model, self.known)

    def at(self, rows: Ints) -> Self:
        """Some of the rows."""
        return replace(self, known=self.known.taken(rows))


def ranges_alone(model: "NeighborModel") -> bool:
    """Whether the distance takes nothing but ranges from the rows."""
    return model.metric not in ("hvdm", "mahalanobis") and model.scale != "standard"


def leaves_one_out(model: "NeighborModel", known: Known) -> bool:
    """Whether one search can judge every row by a distance learned without it."""
    return ranges_alone(model) or _deviations_alone(model, known)


def folds_to_judge_by(models: Sequence[Any], known: Known) -> Ints:
    """A fold for each row (n,): the row alone, if all models can leave one out or the rows are few, else 200 folds."""
    n = len(known)
    if n <= _FOLDS or all(leaves_one_out(model, known) for model in models):
        return np.arange(n)
    return np.random.default_rng(0).permutation(n) % _FOLDS


def each_left_out(
    model: "NeighborModel",
    known: Known,
    folds: Ints,
    work: Callable[[Ints, Neighborhoods], Floats],
    k: float | None,
) -> Floats:
    """What `work(rows, neighbourhoods)` makes of every row's neighbours in other folds: (n, ...)."""
    fold = np.unique(folds, return_inverse=True)[1].astype(np.int64)
    count = int(fold.max()) + 1
    if count < 2:
        raise InputError("to leave rows out there must be at least two folds")
    counts = np.flatnonzero(known.weight > 0)
    if len(np.unique(fold[counts])) < 2:
        raise InputError("all rows that weigh anything are in one fold: nothing is left to judge it by")
    if count > _FEW_FOLDS and _deviations_alone(model, known):
        return _by_deviations(model, known, fold, count, work, k)
    out: Array | None = None
    for rows, spans, among in _distances(model, known, fold, count):
        kept = counts if among is None else np.intersect1d(among, counts)
        among_these = known if len(kept) == len(known) else known.taken(kept)
        search = model._search_of(among_these, model._distance(among_these, spans))
        queries = search.distance.points(known.cells.taken(rows) if len(rows) < len(known) else known.cells)
        own, group = (fold[rows], fold[kept]) if among is None else (None, None)

        def judged(at: slice, near: Neighborhoods, rows: Ints = rows, kept: Ints = kept) -> Floats:
            return work(rows[at], near._replace(row=kept[near.row]))

        found = np.concatenate(search.each(queries, k, judged, own, group))
        if out is None:
            out = np.empty((len(known), *found.shape[1:]))
        out[rows] = found
    assert out is not None
    return out


def _deviations_alone(model: "NeighborModel", known: Known) -> bool:
    """Whether the distance takes nothing but deviations, and ranges for gaps, from the rows."""
    x = known.cells.numbers
    return model.scale == "standard" and isinstance(x, np.ndarray) and bool(x.shape[1]) and model.metric in _DEVIATING


def _by_deviations(
    model: "NeighborModel",
    known: Known,
    fold: Ints,
    count: int,
    work: Callable[[Ints, Neighborhoods], Floats],
    k: float | None,
) -> Floats:
    kept = np.flatnonzero(known.weight > 0)
    among = known if len(kept) == len(known) else known.taken(kept)
    search = model._search_of(among)
    x = among.cells.numbers
    ranges = Range(*(_without_each(x, fold[kept], count, side) for side in (np.minimum, np.maximum)))
    scales = OwnScales.without_each(x, fold[kept], among.weight, ranges)
    queries = search.distance.points(known.cells)

    def judged(at: slice, near: Neighborhoods) -> Floats:
        return work(np.arange(at.start, at.stop), near._replace(row=kept[near.row]))

    return np.concatenate(each_by_own(search, queries, k, judged, fold, fold[kept], scales))


def _distances(model: "NeighborModel", known: Known, fold: Ints, count: int) -> Any:
    """Rows that are judged by one distance, ranges to learn it from, and the rows to look among (None: all)."""
    everyone = np.arange(len(known))
    x = known.cells.numbers
    if ranges_alone(model):
        unused = model.scale is None or (model.scale == "auto" and known.plan.plain)
        if callable(model.metric) or model.metric == "edit" or not x.shape[1]:
            yield everyone, None, None
            return
        if unused and model.metric != "gower" and not (isinstance(x, np.ndarray) and np.isnan(x).any()):
            yield everyone, None, None
            return
        if isinstance(x, np.ndarray):
            yield from _by_range(x, fold, count)
            return
    if count > _FOLDS:
        raise TierError(f"the distance of {model!r} is learned anew for every fold, and {count:,} of them are many")
    for f in range(count):
        yield np.flatnonzero(fold == f), None, np.flatnonzero(fold != f)


def _by_range(x: Array, fold: Ints, count: int) -> Any:
    low, high = (_without_each(x, fold, count, side) for side in (np.minimum, np.maximum))
    both, kind = np.unique(np.hstack([low, high]), axis=0, return_inverse=True)
    a = x.shape[1]
    for number, row in enumerate(both):
        yield np.flatnonzero(kind.ravel()[fold] == number), Range(row[:a], row[a:]), None


def _without_each(x: Array, fold: Ints, count: int, side: Any) -> Floats:
    """The smallest (or largest) number of each column in all folds but one (count, a)."""
    worst = np.inf if side is np.minimum else -np.inf
    own = np.full((count, x.shape[1]), worst)
    side.at(own, fold, np.where(np.isnan(x), worst, x))
    before, after = np.full_like(own, worst), np.full_like(own, worst)
    before[1:] = side.accumulate(own, axis=0)[:-1]
    after[:-1] = side.accumulate(own[::-1], axis=0)[::-1][1:]
    return np.asarray(side(before, after))
