"""Three models of documents, each a sum of weights of the words that a document holds.

    multinomial  log p(text | c) = sum over tokens of log p_c(w)
                 p_c(w) = (occurrences of w in c + a) / (tokens of c + a |V|)
    bernoulli    log p(text | c) = sum over words present of log q_c(w) + sum over words absent of log(1 - q_c(w))
                 q_c(w) = (documents of c with w + a) / (documents of c + 2 a)
    complement   score = - sum over tokens of log r_c(w), r_c from all classes but c, smoothed as p_c is
                 (Rennie and others 2003, without their normalisation of the weights)

The multinomial is that of the words in their order, without the coefficient of the bag, which is the same for all
classes. V are the words kept: `min_df` and `max_df` bound the number (a whole number) or the share (a fraction) of
documents that hold a word, and of the rest the `max_features` most frequent stay, the first in the alphabet where they
are equally frequent. With `smooth`, V has one more place, for a word never seen: a / (tokens + a (|V| + 1)), or
a / (documents + 2 a) where it is present. Words that were seen and not kept say nothing; where no word is kept, the
prior speaks alone.

A class without data and without prior (a = 0) has all words alike.
"""

from dataclasses import dataclass
from typing import ClassVar, Literal, NamedTuple

import numpy as np

from likely.numeric.arrays import Array, Floats
from likely.numeric.kernels.texts import tokens as kernels
from likely.numeric.logspace import log_of
from likely.statistics.counting.terms import TermCounts

_SLACK = 1e-9  # of a bound: sums of weights round differently when they are added in another order

Kind = Literal["multinomial", "bernoulli", "complement"]


class Bounds(NamedTuple):
    """Which words are kept."""

    min_df: float = 1
    max_df: float = 1.0
    max_features: int | None = None

    def kept(self, seen: TermCounts) -> Array:
        """Whether each word is in the vocabulary (v,)."""
        rows = float(seen.weight.sum())
        holding = seen.by_word("documents")
        shares = [isinstance(bound, float | np.floating) for bound in (self.min_df, self.max_df)]
        low = (self.min_df * rows if shares[0] else self.min_df) * (1 - _SLACK)
        high = (self.max_df * rows if shares[1] else self.max_df) * (1 + _SLACK)
        # a word that occurs at all has the least that can be asked for, also where its document weighs less than 1
        kept = (holding > 0) & ((holding >= low) | (not shares[0] and self.min_df == 1)) & (holding <= high)
        if self.max_features is not None and kept.sum() > self.max_features:
            frequency = np.where(kept, seen.by_word("count"), -1)
            kept[np.argsort(-frequency, kind="stable")[self.max_features :]] = False
        return np.asarray(kept)


@dataclass(frozen=True)
class TermWeights:
    """What each word says of each class; the last row is that of a word never seen."""

    present: Floats  # (v + 1, k)
    absent: Floats | None  # (v + 1, k)  what its absence says; None: nothing
    stored_as: ClassVar[str] = "TermWeights"

    @property
    def once(self) -> bool:
        """Whether a word counts once however often it occurs."""
        return self.absent is not None

    def scores(self, ids: Array, ends: Array, distinct: int) -> Floats:
        """Log likelihoods (n, k) of documents, given as numbers of words below `distinct`."""
        if self.absent is None:
            return self._sums(self.present, ids, ends, distinct)
        slope, base, certain = self._presence
        out = self._sums(slope, ids, ends, distinct) + base
        if certain is not None:
            out[self._sums(certain, ids, ends, distinct) < certain.sum(axis=0)] = -np.inf
        return np.asarray(out)

    def _sums(self, weight: Floats, ids: Array, ends: Array, distinct: int) -> Floats:
        out = np.zeros((len(ends), weight.shape[1]))
        once = self.once
        if once and len(ends) == 1 and 4 * len(ids) < distinct:  # sorting a short text is quicker than stamping words
            ids = np.unique(ids)
            ends, once = np.array([len(ids)]), False
        stamps = np.zeros(distinct if once else 1, dtype=np.int64)
        kernels.score_tokens(ids, ends, weight, once, stamps, out)
        return out

    @property
    def _presence(self) -> tuple[Floats, Floats, Floats | None]:
        """The weight of presence over absence, the sum for an empty text, and words that cannot be absent."""
        known: tuple[Floats, Floats, Floats | None] | None = self.__dict__.get("_known")
        if known is None:
            assert self.absent is not None
            certain = np.isneginf(self.absent)
            absent = np.where(certain, 0.0, self.absent)
            known = self.present - absent, absent.sum(axis=0), certain.astype(np.float64) if certain.any() else None
            self.__dict__["_known"] = known
        return known


def term_weights(seen: TermCounts, kept: Array, kind: Kind, alpha: float, smooth: bool) -> TermWeights:
    """The weights of all words of a statistic; those that are not kept say nothing, unused ones are as never seen."""
    silent = ~kept
    if kind == "bernoulli":
        present, absent = _bernoulli(seen, silent, alpha)
    else:
        present, absent = _multinomial(seen, silent, smooth, alpha, kind == "complement"), None
    present[:-1][silent] = 0.0
    if absent is not None:
        absent[:-1][silent] = 0.0
        absent[-1] = 0.0
    if not smooth:
        present[-1] = 0.0
    unused = silent.copy()
    unused[seen.places[seen.documents != 0]] = False
    present[:-1][unused] = present[-1]
    return TermWeights(present, absent)


def _multinomial(seen: TermCounts, silent: Array, smooth: bool, alpha: float, complement: bool) -> Floats:
    """Log probabilities (v + 1, k), with `complement` of the counts of all other classes, negative.

    In place: with many classes and words the table is the largest thing in the model.
    """
    words = len(silent)
    table = np.zeros((words + 1, seen.groups))
    table[seen.places, seen.owners] = seen.count
    table[:-1][silent] = 0.0
    if complement:
        np.subtract(table.sum(axis=1, keepdims=True), table, out=table)
    size = words - int(silent.sum()) + smooth
    total = table.sum(axis=0) + alpha * size
    table += alpha
    with np.errstate(divide="ignore"):
        np.log(table, out=table)
    table -= log_of(np.where(total > 0, total, 1.0))
    table[:, total <= 0] = log_of(np.array(1.0 / max(size, 1)))
    return np.negative(table, out=table) if complement else table


def _bernoulli(seen: TermCounts, silent: Array, alpha: float) -> tuple[Floats, Floats]:
    """Log probabilities (v + 1, k) that a document holds each word, and that it does not."""
    rows = np.asarray(seen.weight, dtype=np.float64)
    holding = np.zeros((len(silent) + 1, len(rows)))
    holding[seen.places, seen.owners] = seen.documents
    holding[:-1][silent] = 0.0
    total = rows + 2 * alpha
    log_total = log_of(np.where(total > 0, total, 1.0))
    absent = np.maximum(rows - holding, 0.0)
    for table in (holding, absent):
        table += alpha
        with np.errstate(divide="ignore"):
            np.log(table, out=table)
        table -= log_total
        table[:, total <= 0] = log_of(np.array(0.5))
    return holding, absent
