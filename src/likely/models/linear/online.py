"""One row at a time: stochastic approximation, and the step sizes with which it arrives.

w <- w - rho_t gradient of one row          converges (Robbins and Monro) where

rho_t -> 0,   sum_t rho_t = infinity (any distance can be gone),   sum_t rho_t^2 < infinity (the noise dies out)
"""

from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from likely.data.sources import Source
from likely.errors import InputError
from likely.models.learning.designed import DesignedRows
from likely.numeric.arrays import Floats
from likely.numeric.kernels.row_by_row.online_rules import online_pass
from likely.numeric.random_state import Seed, as_generator

_CELLS = 2**22  # of a sparse batch that are made dense at a time


@dataclass(frozen=True)
class StepSizes:
    """Step sizes first / t ** power, t = 1, 2, ...; `allowed` says whether online learning converges with them.

    >>> StepSizes(1.0).allowed, StepSizes(0.5).allowed, StepSizes(0.0).allowed
    (True, False, False)
    >>> StepSizes(1.0, 0.5)(4)
    array([0.5       , 0.25      , 0.16666667, 0.125     ])
    """

    power: float  # how fast they fall; 0: all are equal
    first: float = 1.0  # the first of them

    def __post_init__(self) -> None:
        if not (self.power >= 0 and 0 < self.first < np.inf):
            raise InputError(f"step sizes need a power of at least 0 and a positive first one, got {self}")

    def __call__(self, count: int) -> Floats:
        """The first so many."""
        return np.asarray(self.first / np.arange(1.0, count + 1.0) ** self.power)

    @property
    def sum(self) -> float:
        """Of all of them: infinite up to a power of 1."""
        return self.first * _zeta(self.power)

    @property
    def sum_of_squares(self) -> float:
        """Of all of them: finite above a power of 1/2."""
        return self.first**2 * _zeta(2 * self.power)

    @property
    def allowed(self) -> bool:
        """Whether they tend to 0, their sum is infinite and that of their squares finite."""
        return self.power > 0 and bool(np.isinf(self.sum)) and bool(np.isfinite(self.sum_of_squares))


class OnlineRun(NamedTuple):
    """Where passes over the rows have led."""

    weights: Floats  # (vectors, m)
    losses: Floats  # (passes,)  of each row as it was met, summed
    steps: int  # rows met so far


def online_passes(
    rows: Source[DesignedRows],
    targets: Floats,
    start: Floats,
    decay_weights: Floats,
    rate: float,
    decay: float,
    steps: int,
    passes: int,
    kind: int,
    shuffle: Seed,
) -> OnlineRun:
    """Correct weights row by row, in the order of the rows, or shuffled within batches by a seed in every pass."""
    w = np.array(start, dtype=np.float64)
    out = np.empty(len(w))
    rng = None if shuffle is None else as_generator(shuffle)
    losses = []
    for _ in range(passes):
        loss = 0.0
        for batch in rows.batches():
            for part in _dense_parts(batch):
                n = len(part.codes)
                order = np.arange(n) if rng is None else rng.permutation(n)
                weight = np.empty(0) if part.weight is None else np.ascontiguousarray(part.weight, dtype=np.float64)
                steps, more = online_pass(
                    np.ascontiguousarray(part.x), order, np.ascontiguousarray(part.codes, dtype=np.int32), targets,
                    weight, decay_weights, float(rate), float(decay), steps, kind, w, out,
                )  # fmt: skip
                loss += more
        losses.append(loss)
        if not np.isfinite(w).all():
            raise InputError(
                f"the weights grew without bound at learning_rate={rate:g}: take a smaller one, or standardise columns"
            )
    return OnlineRun(w, np.array(losses), steps)


def _dense_parts(batch: DesignedRows) -> list[DesignedRows]:
    if not hasattr(batch.x, "indptr"):
        return [batch]
    size = max(1, _CELLS // max(batch.x.shape[1], 1))
    cuts = [slice(start, start + size) for start in range(0, batch.x.shape[0], size)]
    return [
        DesignedRows(batch.x[at].toarray(), batch.codes[at], None if batch.weight is None else batch.weight[at])
        for at in cuts
    ]


def _zeta(power: float) -> float:
    """The sum of t ** -power."""
    from scipy.special import zeta

    return float(zeta(power)) if power > 1 else float("inf")
