"""A slope and offsets of a model's own, learned from leave-one-out posteriors of the rows that it learned from.

    log p'(class | x) = slope log p(class | x) + offset_class, normalised

Every row is scored by the counts without it, exactly and without a refit; of many rows, so many that are spread over
the table are enough for a slope and a few offsets.
"""

from typing import Any, NamedTuple

import numpy as np

from likely.data.inputs import Input
from likely.data.labels.target import Target
from likely.models.generative.summing.spread_rows import log_prior_without, spread_rows
from likely.models.held_out.weighing import floored, weigh
from likely.numeric.arrays import Floats
from likely.numeric.logspace import log_joint, log_normalize
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
    scores, codes, shares = [], [], []
    for rows in spread_rows(model, data, target, weight, _ROWS):
        found = family.leave_one_out(seen, rows.x[0], Membership.of_labels(rows.codes, k, rows.left_out))
        log_prior, known = log_prior_without(model, rows)
        known &= np.isfinite(found).all(axis=1)
        scores.append(log_normalize(log_joint(found[known], log_prior[known])))
        codes.append(rows.codes[known])
        shares.append(np.ones(int(known.sum())) if rows.amount is None else rows.amount[known])
    if not scores or sum(map(len, codes)) < _FEWEST:
        return plain
    terms, truth, amount = floored(np.concatenate(scores))[:, None, :], np.concatenate(codes), np.concatenate(shares)
    found = weigh(terms, truth, None if weight is None else amount, centre=np.ones(1), most_rows=_ROWS)
    return OwnMap(float(found.weights[0]), found.offset)
