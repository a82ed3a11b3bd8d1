"""Where a perceptron is on its way, so that it can learn more rows from there.

Rows of a later part are judged before they are learned: their scores are honest, and the slope of the posterior follows
them by steps of Newton's method whose curvature is that of all rows so far. It is held in units of the length of the
weights, which goes on growing.
"""

from typing import Any, NamedTuple

import numpy as np

from likely.errors import InputError
from likely.models.linear.perceptrons.passes import Learned
from likely.models.linear.perceptrons.posterior import inside_targets, slope_of_loss
from likely.numeric.arrays import Array, Floats

_FADING = 4  # rows that worse weights have judged count less: as if the last fifth of the rows had been judged


class Running(NamedTuple):
    """Weights on the way, and the slope of the posterior so far."""

    final: Floats  # (v, m + 1)
    averaged: Floats  # (v, m + 1)
    clock: Floats  # (problems,)  rows shown
    rows: int  # learned from
    slope: float  # times the length of the weights
    curvature: float  # of the loss of the rows that the slope was learned from, by its logarithm


def running_of(found: list[Learned], rows: int, slope: float, curvature: float, unit: float) -> Running:
    """Where problems were left, and the slope of scores whose weights have this length."""
    return Running(
        np.vstack([one.final for one in found]),
        np.vstack([one.averaged for one in found]),
        np.array([one.clock for one in found]),
        rows,
        slope * unit,
        curvature,
    )


def length(weights: Floats) -> float:
    """Of all weights together; 1 where all are 0."""
    largest = float(np.abs(weights).max(initial=0.0))
    return largest * float(np.linalg.norm(weights / largest)) if largest > 0 else 1.0


def followed(before: Running, scores: Floats, codes: Array, weight: Floats | None, count: Array) -> tuple[float, float]:
    """The slope after scores (n, k) of rows not learned yet, and the curvature of all; `count` weighs the classes."""
    targets = inside_targets(codes, count, scores.shape[1])
    share = np.ones(len(codes)) if weight is None else weight
    gradient, bend = slope_of_loss(1.0, before.slope * scores, targets, share)
    total = before.curvature * (before.rows / (before.rows + len(codes))) ** _FADING + bend
    step = gradient / total if total > 0 else 0.0
    return before.slope * (1 - float(np.clip(step, -1.0, 0.5))), total


def running_from_file(given: Any, weights: Floats, problems: int) -> Running:
    """What a file has; the weights that answer where it has nothing."""
    if given is None:
        return Running(weights, weights, np.zeros(problems), 0, 1.0, 0.0)
    found = Running(*given)
    fits = found.final.shape == found.averaged.shape == weights.shape and found.clock.shape == (problems,)
    if not fits or not all(np.isfinite(part).all() for part in found[:3]):
        raise InputError("its weights on the way are not one finite number for each column")
    if not (0 < found.slope < np.inf and 0 <= found.curvature < np.inf and found.rows >= 0 <= found.clock.min()):
        raise InputError("the slope of its posterior is not a positive number")
    return found
