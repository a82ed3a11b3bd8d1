"""Rows of the training table, spread over it, as a model's families take them: what is learned beside the sums.

A slope, a few offsets or an exponent for each column need no million rows. The rows are in the sums already; what they
are judged by has to leave them out.
"""

from collections.abc import Iterator
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from likely.data.inputs import Input
from likely.data.labels.target import Target
from likely.models.generative.answers.fitted import FittedGenerative
from likely.models.generative.summing.layout import take_rows
from likely.models.learning.batches import Tasks
from likely.numeric.arrays import Array, Floats, Ints
from likely.numeric.logspace import log_of

if TYPE_CHECKING:
    from likely.models.generative.classifier import GenerativeClassifier


class SpreadRows(NamedTuple):
    """Some rows of a batch."""

    x: tuple[Any, ...]  # one entry per part of the layout
    codes: Array  # (n,)  of the model's classes
    amount: Floats | None  # (n,)  their weights; None: 1 each
    left_out: Floats | None  # (n,)  how much of each is left out: where weights repeat rows, one of them


def spread_rows(
    model: FittedGenerative, data: Input, target: Target | str, weight: Floats | None, most: int
) -> Iterator[SpreadRows]:
    """Rows with a class and a weight, about so many, batch by batch. Rows with weights are all taken."""
    classes = model.classes_.tolist()
    total = float(model.class_count_.sum())
    part = most / total if weight is None else 1.0
    repeats = weight is not None and bool((weight == np.floor(weight)).all())
    for start, batch, labels, share in Tasks(data, target, weight).batches():
        place = np.array([classes.index(name) if name in classes else -1 for name in labels.classes], dtype=np.int32)
        own = np.where(labels.codes < 0, -1, place[labels.codes])
        rows = np.flatnonzero((own >= 0) & (np.ones(len(own), dtype=bool) if share is None else share > 0))
        rows = rows[evenly(start + rows) < part]
        if not len(rows):
            continue
        amount = None if share is None else share[rows]
        out = amount if amount is None or not repeats else np.ones(len(rows))
        yield SpreadRows(take_rows(model.layout_.rows(batch, start, learning=True), rows), own[rows], amount, out)


def evenly(place: Ints) -> Floats:
    """Numbers from 0 to 1 for rows by their places (n,), spread evenly over any stretch of rows and any period.

    Multiples of the golden section, without their whole part. (Every second row of a table in which two classes take
    turns is of one class.)

    >>> evenly(np.arange(3)).round(3), int((evenly(np.arange(0, 1000, 2)) < 0.5).sum())
    (array([0.   , 0.618, 0.236]), 252)
    """
    return np.asarray((place.astype(np.uint64) * np.uint64(0x9E3779B97F4A7C15)) / 2.0**64)


def log_prior_without(model: "GenerativeClassifier", rows: SpreadRows) -> tuple[Floats, Array]:
    """The log class prior (n, k) without each row, and which rows leave something of every class (n,)."""
    total = model.class_count_.astype(np.float64)
    left = np.repeat(total[None], len(rows.codes), axis=0)
    left[np.arange(len(left)), rows.codes] -= 1.0 if rows.left_out is None else rows.left_out
    left = np.maximum(left, 0.0)
    known = np.asarray((left > 0.0).all(axis=1))
    if not model._estimates_prior:
        return np.broadcast_to(log_of(model.class_prior_), left.shape), known
    left = left + model.class_alpha
    return log_of(left / np.maximum(left.sum(axis=1, keepdims=True), np.finfo(np.float64).tiny)), known
