"""Exact cross-validation of texts: they are cut into words once, and judged by models that have not seen them.

Vocabulary, counts and class prior of such a model come from the texts it may see alone, counted anew from the numbers
of their words: that costs less than holding the counts of every fold, class and word side by side.
"""

import numpy as np

from likely.distributions.texts.term_weights import with_prior
from likely.errors import InputError
from likely.models.generative.folds import left_out as general
from likely.models.generative.folds.parts import PartedTable
from likely.numeric.arrays import Array, Floats, Ints
from likely.numeric.logspace import log_normalize, log_of
from likely.statistics.membership import Membership

_MANY = 100  # folds; with more, and above all with one for each text, single texts are taken out of the counts


def held_out_posteriors(table: PartedTable, folds: Array) -> Floats:
    """Log posteriors (n, k), for several repeats of folds (r, n, k); minus infinity for a class not learned."""
    places = np.asarray(folds)
    if places.ndim not in (1, 2) or places.shape[-1] != len(table):
        raise InputError(f"folds has shape {places.shape}, expected ({len(table)},): one fold per text")
    out = np.full((*places.shape, table.classes), -np.inf)
    for repeat, answers in zip(np.atleast_2d(places), out.reshape(-1, *out.shape[-2:]), strict=True):
        if len(np.unique(repeat)) > _MANY:
            answers[:] = general.held_out_posteriors(table, repeat)
            continue
        for held in _folds(repeat, 2):
            _judge(table, ~held, np.flatnonzero(held), answers)
    return out


def twice_held_out_posteriors(table: PartedTable, folds: Array) -> Floats:
    """Log posteriors (f, n, k): [j, i] is text i under the model that has seen neither its fold nor fold j."""
    named = np.asarray(folds)
    if named.shape != (len(table),):
        raise InputError(f"folds has shape {named.shape}, expected ({len(table)},): one fold per text")
    held = _folds(named, 3)
    out = np.full((len(held), len(table), table.classes), -np.inf)
    for i, mine in enumerate(held):
        _judge(table, ~mine, np.flatnonzero(mine), out[i])
        for j in range(i + 1, len(held)):
            both = mine | held[j]
            found = np.full((len(table), table.classes), -np.inf)
            _judge(table, ~both, np.flatnonzero(both), found)
            out[j, mine], out[i, held[j]] = found[mine], found[held[j]]
    return out


def growing_posteriors(table: PartedTable, stages: Array) -> Floats:
    """Log posteriors (s, n, k): [s, i] is text i under the model of the stages up to s, NaN for those of later ones."""
    stage = np.asarray(stages)
    count = int(stage.max(initial=-1)) + 1
    if stage.shape != (len(table),) or count < 1 or stage.min() < -1:
        raise InputError(f"stages has shape {stage.shape}, expected ({len(table)},): -1 or a stage 0, 1, ... per text")
    out = np.full((count, len(table), table.classes), np.nan)
    for s in range(count):
        judged = np.flatnonzero(stage <= s)
        out[s, judged] = -np.inf
        _judge(table, (stage >= 0) & (stage <= s), judged, out[s])
    return out


def _folds(names: Array, least: int) -> list[Array]:
    """Which texts each fold holds."""
    distinct = np.unique(names)
    if len(distinct) < least:
        raise InputError(f"there are {len(distinct)} folds; at least {least} are needed")
    return [names == name for name in distinct]


def _judge(table: PartedTable, learned: Array, rows: Ints, out: Floats) -> None:
    """Write the log posteriors of some texts under the model of those that may be learned from."""
    model, tokens = table.model, table.encoded[0]
    family = model.layout_.families[0]
    membership = Membership.of_labels(np.where(learned, table.target.codes, -1), table.classes, table.weight)
    weight = membership.totals()
    present = np.flatnonzero(weight != 0)
    if not len(present):
        raise InputError("without one of the folds no text is left to learn from; use more folds")
    fitted = family.estimate(family.summarize(tokens, membership).taken(present))
    prior = model._prior_from(weight[present], tuple(table.target.classes[i] for i in present))
    out[np.ix_(rows, present)] = log_normalize(with_prior(fitted.log_density(tokens[rows]), log_of(prior)))
