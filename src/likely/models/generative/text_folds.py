"""Exact cross-validation of texts: they are cut into words once, and each fold is judged by a model of the others.

Vocabulary, counts and class prior of that model come from the other folds alone, counted anew from the numbers of the
words, so the answers are those of a fit on the other folds' texts.
"""

from typing import Any

import numpy as np

from likely.data.target import Target
from likely.errors import InputError
from likely.models.generative.classifier import _class_array
from likely.models.generative.text_weights import with_prior
from likely.numeric.arrays import Array, Floats
from likely.numeric.logspace import log_normalize, log_of
from likely.statistics.membership import Membership
from likely.statistics.terms import TermCounts, Tokens


def held_out_posteriors(model: Any, documents: list[str], target: Target, folds: Any, weight: Floats | None) -> Floats:
    """Log posteriors (n, k), for several repeats of folds (r, n, k); minus infinity for a class not learned."""
    places = np.asarray(folds)
    if places.ndim not in (1, 2) or places.shape[-1] != len(documents):
        raise InputError(f"folds have the shape {places.shape}; give {len(documents)} texts a fold each")
    tokens = model._tokenizer().tokens(documents)
    out = np.full((*places.shape, len(target.classes)), -np.inf)
    for repeat, answers in zip(np.atleast_2d(places), out.reshape(-1, *out.shape[-2:]), strict=True):
        names = np.unique(repeat)
        if len(names) < 2:
            raise InputError("there is only one fold; at least two are needed to learn from one and judge another")
        for name in names:
            held = repeat == name
            columns, posteriors = _hold_out(model, tokens, target, weight, held)
            answers[np.ix_(held, columns)] = posteriors
    return out


def _hold_out(model: Any, tokens: Tokens, target: Target, weight: Floats | None, held: Array) -> tuple[Array, Floats]:
    """The classes that the other documents have, and their log posteriors for the documents held out."""
    codes = np.where(held, -1, target.codes)
    seen = TermCounts.of(tokens, Membership.of_labels(codes, len(target.classes), weight))
    present = np.flatnonzero(seen.weight != 0)
    if not len(present):
        raise InputError("without one of the folds no text is left to learn from; use more folds")
    known = seen.taken(present)
    weights = model._weights(known, model._bounds().kept(known))
    prior = model._prior_from(known.weight, _class_array(tuple(target.classes[i] for i in present)))
    _, mine, its = known.words.united(tokens.words)  # mine is a part of its
    number = np.arange(len(tokens.words), dtype=np.int32) + np.int32(len(mine))  # of words never seen
    number[np.searchsorted(its, mine)] = np.arange(len(mine), dtype=np.int32)
    ids, ends = _documents_of(tokens, np.flatnonzero(held))
    scores = weights.scores(number[ids], ends, len(mine) + len(its) + 1)
    return present, log_normalize(with_prior(scores, log_of(prior)))


def _documents_of(tokens: Tokens, rows: Array) -> tuple[Array, Array]:
    """The numbers of the words of some documents, and where each document ends."""
    begins = np.concatenate([[0], tokens.ends[:-1]])[rows]
    lengths = tokens.ends[rows] - begins
    ends = np.cumsum(lengths)
    return tokens.ids[np.repeat(begins - (ends - lengths), lengths) + np.arange(int(ends[-1]))], ends
