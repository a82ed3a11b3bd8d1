"""The pool of all candidates as one more of them.

Its members are the candidates that were judged, as they are: the weights calibrate. They were all judged on the same
folds, so the pool costs no fit: the weights for a fold learn from the posteriors of the other folds.
"""

import time
from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from likely.decisions.pooling import Pool
from likely.decisions.pooling.rule import RIDGE, PoolingRule
from likely.reports.choosing.calibrating import as_it_is
from likely.reports.choosing.choice import POOL
from likely.reports.choosing.clock import Clock
from likely.reports.choosing.contest import BASELINE, LAST_FIT, Entry

RANK = 9
_WORDS = "all candidates answer together, each with the weight that its answers about rows left out have earned"
_FOLDS = 5


def pooled(entries: Sequence[Entry], seed: int, clock: Clock | None = None) -> Entry | None:
    """The pool of the candidates that were judged; None where there are none to pool, or no time for its last fit."""
    begin = time.monotonic()
    members = [entry for entry in entries if entry.judged and not entry.yardstick and entry.name != BASELINE]
    last = sum(entry.seconds_to_fit(_FOLDS) for entry in members)  # fits each of them, and again for its weights
    if clock is not None and not clock.allows(last, instead_of=LAST_FIT):
        return None
    said = [entry.ways[0].result for entry in members]
    known = [
        (e, r.log_posterior)
        for e, r in zip(members, said, strict=True)
        if r is not None and r.log_posterior is not None
    ]
    if len(known) < 2:
        return None
    result = next(r for r in said if r is not None)
    rule = PoolingRule("log", RIDGE, float(len(result.y)))
    out = np.empty((result.repeats, len(result.y), len(result.classes)))
    for repeat, folds in enumerate(result.folds):
        said_by_all = np.stack([posterior[repeat] for _, posterior in known], axis=1)
        for fold in range(result.n_folds):
            own, others = np.flatnonzero(folds == fold), np.flatnonzero(folds != fold)
            out[repeat, own] = rule.answers(said_by_all[others], result.y[others], None)(said_by_all[own])
    pool = Pool([(entry.name, entry.model) for entry, _ in known], cv=_FOLDS, random_state=seed)
    judged = replace(result, log_posterior=out, answers=None)
    ways = as_it_is(pool, judged)
    seconds = time.monotonic() - begin + sum(entry.seconds for entry, _ in known)
    return Entry(POOL, RANK, _WORDS, pool, ways.ways, ways.choice, seconds)
