"""K-means by running means: centres that move as rows arrive, one by one ("online") or a few at a time ("mini_batch").

    m <- m + (x - m) w / n        n: what the rows of the centre have weighed so far, x included

Every row moves its centre by its share of all that the centre has seen, so a centre is the mean of the rows that it was
given at their time, and the longer it learns, the less it moves. In the end all rows are given to their nearest centres
once more.
"""

from collections.abc import Callable, Iterator

import numpy as np

from likely import engines
from likely.data.sources import Source
from likely.models.clustering.batch import KEPT, History, Run
from likely.models.clustering.passes import Pass, Passed
from likely.models.learning.unlabelled import NumberedRows
from likely.numeric.arrays import Array, Floats, frozen
from likely.numeric.kernels.clusters.running import run_through
from likely.numeric.nearest import nearest, own_squares

_FEW = 4096  # products: so few are not worth compiling for


def through(x: Array, weight: Floats | None, centres: Floats, count: Floats) -> tuple[Array, float]:
    """Rows x (n, d) one by one; `centres` and `count` (k, d) change. Labels, and the sum of squares when they came."""
    labels = np.empty(len(x), dtype=np.int32)
    given = np.empty(0) if weight is None else weight
    work = run_through.function if x.size * len(centres) <= _FEW else run_through
    total = work(frozen(np.ascontiguousarray(x)), frozen(given), centres, count, labels)
    return labels, float(total)


def at_once(x: Array, weight: Floats | None, centres: Floats, count: Floats) -> tuple[Array, float]:
    """Rows x (n, d) to their nearest centres first, then all centres by the running mean of theirs."""
    labels = nearest(x, centres)
    share = np.ones(len(x)) if weight is None else weight
    total = float(share @ own_squares(x, centres, labels))
    told = ~np.isnan(x)
    filled = np.where(told, x, 0.0)
    for c in np.unique(labels):
        own = labels == c
        seen = share[own] @ told[own]
        count[c] += seen
        moved = share[own] @ filled[own] - seen * centres[c]
        centres[c] += np.divide(moved, count[c], out=np.zeros_like(moved), where=count[c] > 0)
    return labels.astype(np.int32), total


def run_online(rows: Source[NumberedRows], start: Floats, origin: Floats, max_iter: int, tol: float) -> Run:
    """Row by row, in the order of the table."""

    def once(centres: Floats, count: Floats) -> tuple[float, float]:
        total = weight = 0.0
        for batch in rows.batches():
            x = dense(batch.x) - origin
            total += through(x, batch.weight, centres, count)[1]
            weight += float(len(x) if batch.weight is None else batch.weight.sum())
        return total, weight

    return _passes(once, rows, start, origin, max_iter, tol)


def run_mini_batch(
    rows: Source[NumberedRows],
    start: Floats,
    origin: Floats,
    max_iter: int,
    tol: float,
    batch_size: int,
    rng: np.random.Generator,
) -> Run:
    """`batch_size` rows at a time, in an order drawn anew for every pass."""

    def once(centres: Floats, count: Floats) -> tuple[float, float]:
        total = weight = 0.0
        for batch in _shuffled(rows, rng):
            order = rng.permutation(batch.x.shape[0])
            for at in range(0, len(order), batch_size):
                some = order[at : at + batch_size]
                share = None if batch.weight is None else batch.weight[some]
                total += at_once(dense(batch.x[some]) - origin, share, centres, count)[1]
                weight += float(len(some) if share is None else share.sum())
        return total, weight

    return _passes(once, rows, start, origin, max_iter, tol)


def dense(x: object) -> Array:
    """Rows as an array of double precision."""
    return np.asarray(x.toarray() if hasattr(x, "toarray") else x, dtype=np.float64)


def _shuffled(rows: Source[NumberedRows], rng: np.random.Generator) -> Iterator[NumberedRows]:
    """The batches in random order where they can be asked for by number."""
    if rows.n_batches is None:
        return iter(rows.batches())
    return (rows.batch(int(number)) for number in rng.permutation(rows.n_batches))


def _passes(
    once: Callable[[Floats, Floats], tuple[float, float]],
    rows: Source[NumberedRows],
    start: Floats,
    origin: Floats,
    max_iter: int,
    tol: float,
) -> Run:
    centres, count, converged = start.copy(), np.zeros_like(start), False
    errors: list[float] = []
    trace: list[Floats] = []
    for _ in range(max_iter):
        trace += [centres.copy()] if centres.size <= KEPT else []
        total, weight = once(centres, count)
        errors.append(total / weight)
        if len(errors) > 1 and errors[-2] - errors[-1] <= tol * errors[-2]:
            converged = True
            break
    last: Passed = engines.current().fold(rows, Pass(centres, origin, False, np.zeros(len(centres))))
    kept = np.array(trace) if trace else np.empty((0, *start.shape))
    history = History(np.array(errors), np.empty(0, dtype=np.int64), kept)
    error = last.error / float(last.weight.sum())
    return Run(centres, last.labels, last.observed, last.weight, error, history, converged, 0)
