"""A slope and offsets of a model's own, learned from leave-one-out posteriors of the rows that it learned from.

    log p'(class | x) = slope log p(class | x) + offset_class, normalised

Every row is scored by the counts without it, exactly and without a refit; of many rows, so many that are spread over
the table are enough for a slope and a few offsets.
"""

from typing import Any, NamedTuple

import numpy as np

from likely.data.inputs import Input
from likely.data.labels.target import Target
from likely.models.generative.summing.layout import take_rows
from likely.models.held_out.weighing import floored, weigh
from likely.models.learning.batches import Tasks
from likely.numeric.arrays import Floats
from likely.numeric.logspace import log_joint, log_normalize, log_of
from likely.statistics import Membership

_ROWS = 10_000
_FEWEST = 2  # rows of every class that is to have an offset


class OwnMap(NamedTuple):
    """What is done to the log posterior."""

    slope: float
    offset: Floats  # (k,)


def learn_map(model: Any, data: Input, target: Target | str, weight: Floats | None) -> OwnMap:
    """The map of a fitted model of one family, from rows that are in its sums."""
    classes = model.classes_.tolist()
    k, total = len(classes), model.class_count_.astype(np.float64)
    plain = OwnMap(1.0, np.zeros(k))
    if k < 2 or (total <= 0).any():
        return plain
    (family,), (seen,) = model.layout_.family.parts, model.statistic_.given.parts
    step = max(1, int(np.ceil(total.sum() / _ROWS))) if weight is None else 1
    repeats = weight is not None and bool((weight == np.floor(weight)).all())
    scores, codes, shares = [], [], []
    for start, batch, labels, share in Tasks(data, target, weight).batches():
        place = np.array([classes.index(name) if name in classes else -1 for name in labels.classes], dtype=np.int32)
        own = place[labels.codes]
        own = np.where(labels.codes < 0, -1, own)
        rows = np.flatnonzero((own >= 0) & (np.ones(len(own), dtype=bool) if share is None else share > 0))
        rows = rows[(start + rows) % step == 0]
        if not len(rows):
            continue
        (x,) = take_rows(model.layout_.rows(batch, start, learning=True), rows)
        amount = None if share is None else share[rows]
        out = amount if amount is None or not repeats else np.ones(len(rows))  # one of the rows that a weight repeats
        found = family.leave_one_out(seen, x, Membership.of_labels(own[rows], k, out))
        left = np.repeat(total[None], len(rows), axis=0)
        left[np.arange(len(rows)), own[rows]] -= 1.0 if out is None else out
        left = np.maximum(left, 0.0) + model.class_alpha
        if model.class_prior is None:
            log_prior = log_of(left / np.maximum(left.sum(axis=1, keepdims=True), np.finfo(np.float64).tiny))
        else:
            log_prior = np.broadcast_to(log_of(model.class_prior_), left.shape)
        known = np.isfinite(found).all(axis=1) & (left > model.class_alpha).all(axis=1)
        scores.append(log_normalize(log_joint(found[known], log_prior[known])))
        codes.append(own[rows][known])
        shares.append(np.ones(int(known.sum())) if amount is None else amount[known])
    if not scores or sum(map(len, codes)) < _FEWEST:
        return plain
    terms, truth, amount = floored(np.concatenate(scores))[:, None, :], np.concatenate(codes), np.concatenate(shares)
    found = weigh(terms, truth, None if weight is None else amount, centre=np.ones(1), most_rows=_ROWS)
    return OwnMap(float(found.weights[0]), found.offset)
