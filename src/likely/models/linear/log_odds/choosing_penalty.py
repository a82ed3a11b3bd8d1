"""The penalty that predicts rows best which were left out one at a time, approximately, without leaving any out.

One fit per penalty; what the scores z of row i would be without it follows from one Newton step away from it:

    z without i = z + (1 - A_i L_i)^-1 A_i r_i      A_i = X_i H^-1 X_i',  r_i = w (p - t),  L_i = w (diag p - p p')

H is the Hessian of the penalised loss of all rows (approximate leave-one-out: Rad and Maleki, J. R. Statist. Soc. B 82,
2020). It is exact for squares, and near for logistic losses; the design (means, spreads) is that of all rows. Where
weights are so many that fits of five folds take less time than Hessians, rows are left out in these; where they are so
many that no Hessian is made at all, a fifth of the rows once: it tells penalties a factor of three apart as well.

What is compared is the loss of n rows left out and of half a row that comes out as another class than its own,

    (sum_i -log p(y_i) + 1/2 mean_i -log p(not y_i)) / (n + 1/2)      the log of other classes on average

for where a weaker penalty still tells all rows, theirs alone falls to the edge of the grid: of 205 rows whose classes
do not overlap it bore log odds of 105. Penalties are tried from strong to weak, each from where the one before ended,
until this has risen twice.
"""

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import NamedTuple, Self

import numpy as np

from likely import engines
from likely.data.sources import Kept, Source
from likely.models.learning.designed import DesignedRows
from likely.models.linear.log_odds.solving import MOST_CURVED, Solved
from likely.numeric.arrays import Array, Floats
from likely.numeric.logspace import log_normalize, normalize

COARSE = np.logspace(-4, 4, 9)
MOST_LEFT_OUT = 500  # weights up to which single rows are left out by a Hessian
TOL = 1e-3  # of the gradient, at which the losses of penalties are compared
_BLOCK = 2048  # rows whose K x K systems are solved at a time
_FOLDS = 5
_SURPRISE = 0.5  # rows more than there are, which come out as another class

Fit = Callable[[Source[DesignedRows], float, Floats, bool], Solved]  # rows, C, start, whether the Hessian is wanted


class PenaltyChoice(NamedTuple):
    """The losses of rows left out for every penalty tried, and the best of them."""

    C: float
    tried: Floats  # (t,)  rising
    losses: Floats  # (t,)  mean log loss of rows left out
    approximate: bool  # one fit for each with rows left out approximately; else folds
    with_surprise: Floats  # (t,)  the same with half a row that comes out as another class: what is lowest for the best


def choose_penalty(rows: Source[DesignedRows], vectors: int, start: Floats, fit: Fit, curved: bool) -> PenaltyChoice:
    """Try penalties a factor of ten apart, then those between the best and its neighbours; `start` (vectors m,)."""
    found: dict[float, LeftOutLosses] = {}
    parts = [] if curved else _folds(rows, _FOLDS if len(start) <= MOST_CURVED else 1)
    starts = [start] * max(len(parts), 1)  # of every fit, where it ended with the penalty before

    def judged(C: float) -> LeftOutLosses:
        if curved:
            solved = fit(rows, C, starts[0], True)
            assert solved.hessian is not None
            starts[0] = solved.minimum.point
            return _losses(rows, starts[0].reshape(vectors, -1), solved.hessian)
        sums = []
        for fold, (train, test) in enumerate(parts):
            starts[fold] = fit(train, C, starts[fold], False).minimum.point
            sums.append(_losses(test, starts[fold].reshape(vectors, -1)))
        return sum(sums[1:], sums[0])

    rises, before = 0, np.inf
    for C in map(float, COARSE if curved else COARSE[1:-1]):
        found[C] = judged(C)
        rises, before = rises + 1 if found[C].with_surprise > before else 0, found[C].with_surprise
        if rises == 2:
            break  # weaker penalties only overfit more
    best = min(found, key=lambda C: found[C].with_surprise)
    for C in (best * 10**0.5, best / 10**0.5):
        found[C] = judged(C)
    tried = sorted(found)
    losses, surprised = (np.array([getattr(found[C], name) for C in tried]) for name in ("mean", "with_surprise"))
    return PenaltyChoice(tried[int(surprised.argmin())], np.array(tried), losses, curved, surprised)


@dataclass(frozen=True)
class LeftOutLosses:
    """Sums over rows left out."""

    own: float  # of w times the log loss
    others: float  # of w times what another class would have cost, on average over these
    weight: float
    squares: float  # of w
    whole: bool  # whether weights repeat rows; else they only say how much rows count beside each other

    @classmethod
    def of(cls, scores: Floats, codes: Array, weight: Floats) -> Self:
        """Of rows with scores (n, vectors)."""
        both = np.column_stack([np.zeros(len(scores)), scores]) if scores.shape[1] == 1 else scores
        log_p = log_normalize(both)
        own = log_p[np.arange(len(codes)), codes]
        others = (log_p.sum(axis=1) - own) / (log_p.shape[1] - 1)
        whole = bool((weight == np.floor(weight)).all())
        return cls(-float(weight @ own), -float(weight @ others), float(weight.sum()), float(weight @ weight), whole)

    def __add__(self, other: Self) -> Self:
        return type(self)(
            self.own + other.own,
            self.others + other.others,
            self.weight + other.weight,
            self.squares + other.squares,
            self.whole and other.whole,
        )

    @property
    def mean(self) -> float:
        """The mean log loss."""
        return self.own / self.weight

    @property
    def with_surprise(self) -> float:
        """The same where half a row more comes out as another class."""
        rows = self.weight if self.whole else self.weight**2 / self.squares
        return (rows * self.mean + _SURPRISE * self.others / self.weight) / (rows + _SURPRISE)


def _losses(rows: Source[DesignedRows], weights: Floats, hessian: Floats | None = None) -> LeftOutLosses:
    """Of rows that the weights (vectors, m) have not seen; with the Hessian of a fit to them, each without itself."""
    found: LeftOutLosses = engines.current().fold(
        rows, _Judging(weights, None if hessian is None else _inverse(hessian))
    )
    return found


@dataclass(frozen=True)
class _Judging:
    weights: Floats  # (vectors, m)
    inverse: Floats | None  # (vectors m, vectors m)

    def __call__(self, rows: DesignedRows) -> LeftOutLosses:
        n = rows.x.shape[0]
        first, *rest = (self._block(rows, slice(start, start + _BLOCK)) for start in range(0, max(n, 1), _BLOCK))
        return sum(rest, first)

    def _block(self, rows: DesignedRows, at: slice) -> LeftOutLosses:
        x, codes = rows.x[at], rows.codes[at]
        weight = np.ones(len(codes)) if rows.weight is None else rows.weight[at]
        if self.inverse is None:
            return LeftOutLosses.of(np.asarray(x @ self.weights.T), codes, weight)
        x = np.asarray(x.toarray() if hasattr(x, "indptr") else x)
        return LeftOutLosses.of(left_out_scores(x, codes, weight, self.weights, self.inverse), codes, weight)


def left_out_scores(x: Floats, codes: Array, weight: Floats, weights: Floats, inverse: Floats) -> Floats:
    """The scores (n, vectors) of rows without themselves, approximately."""
    vectors, m = weights.shape
    z = x @ weights.T
    if vectors == 1:
        p = normalize(np.column_stack([np.zeros(len(z)), z[:, 0]]))[:, 1]
        reach = ((x @ inverse) * x).sum(axis=1)
        bend = weight * p * (1 - p)
        step = weight * (p - (codes == 1)) * reach / np.maximum(1 - bend * reach, 1e-8)
        return np.asarray(z + step[:, None])
    p = normalize(z)
    residual = p.copy()
    residual[np.arange(len(codes)), codes] -= 1.0
    residual *= weight[:, None]
    reach = np.empty((len(x), vectors, vectors))
    blocks = inverse.reshape(vectors, m, vectors, m)
    for c in range(vectors):
        for b in range(c, vectors):
            reach[:, c, b] = reach[:, b, c] = ((x @ blocks[c, :, b]) * x).sum(axis=1)
    bend = weight[:, None, None] * (np.eye(vectors) * p[:, :, None] - p[:, :, None] * p[:, None, :])
    step = np.linalg.solve(np.eye(vectors) * (1 + 1e-10) - reach @ bend, reach @ residual[:, :, None])
    return np.asarray(z + step[:, :, 0])


def _inverse(hessian: Floats) -> Floats:
    size = np.sqrt(np.maximum(np.diagonal(hessian), np.finfo(np.float64).tiny))
    scaled = hessian / size[:, None] / size
    scaled[np.diag_indices(len(size))] += 1e-13
    return np.asarray(np.linalg.inv(scaled) / size[:, None] / size)


@dataclass(frozen=True)
class _FoldOf(Source[DesignedRows]):
    """Every fifth row of each batch, or the others: batches of a file are read anew, and none is held."""

    rows: Source[DesignedRows]
    fold: int
    out: bool  # the rows left out

    @property
    def n_batches(self) -> int | None:
        return self.rows.n_batches

    def batch(self, number: int) -> DesignedRows:
        return self._some(self.rows.batch(number))

    def batches(self) -> Iterator[DesignedRows]:
        return map(self._some, self.rows.batches())

    def _some(self, batch: DesignedRows) -> DesignedRows:
        at = np.flatnonzero((np.arange(batch.x.shape[0]) % _FOLDS == self.fold) == self.out)
        return DesignedRows(batch.x[at], batch.codes[at], None if batch.weight is None else batch.weight[at])


def _folds(rows: Source[DesignedRows], count: int) -> list[tuple[Source[DesignedRows], Source[DesignedRows]]]:
    """Every fifth row of each batch left out in turn, so many times: rows for learning, and for judging; held where all
    are.
    """

    def some(fold: int, out: bool) -> Source[DesignedRows]:
        part = _FoldOf(rows, fold, out)
        return engines.current().keep(part) if isinstance(rows, Kept) else part

    return [(some(fold, False), some(fold, True)) for fold in range(count)]
