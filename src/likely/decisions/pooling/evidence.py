"""What each column says in a pool: the weighted sum of what it says to the members.

Every member's evidence is taken for each class against the first one, which is a difference of log odds and adds up
over columns; times the weights these are the pool's terms, and what the pooled posterior is beyond their sum (log
posteriors below the floor) stands beside them. A class that a member holds for impossible is as far below as the floor
in the pool, so its columns' endless bits share what the floor leaves of them.
"""

from dataclasses import replace
from typing import Any

import numpy as np

from likely.decisions.priors import shift_rescaling
from likely.errors import InputError, LikelyError
from likely.models.any_classifier.asking import log_posteriors
from likely.models.any_classifier.inside import schema_inside
from likely.models.any_classifier.outcome import Outcome, reconciled, sides, spoken_for
from likely.models.any_classifier.posteriors import names_of, read_class_prior
from likely.models.traits.evidence import BEYOND, Evidence, weigh_evidence
from likely.models.traits.words import (
    Spoken,
    TextEvidence,
    columns_of_words,
    weigh_words,
    word_evidence,
)
from likely.numeric.arrays import Array, Floats
from likely.numeric.logspace import log_of

WHOLE = "(the text as a whole)"  # what it says to members that do not weigh words
_LOG2 = float(np.log(2.0))
_ROUNDING = 1e-9


def pooled_evidence(pool: Any, X: Any, outcome: Outcome) -> Evidence:
    """The evidence of every row for what is said of it in the end, by the pool or by a wrapper around it."""
    names, terms, base, nearly, _ = _terms(pool, X, len(outcome.member))
    blocks = [(0, pool.trust_ * terms)]
    found = weigh_evidence(pool.classes_, names, blocks, _before(pool, base), outcome=outcome, rest=BEYOND)
    if found.approximate is not None:
        nearly = nearly | found.approximate
    return replace(found, approximate=nearly if nearly.any() else None)


def pooled_words(pool: Any, X: Any, column: str | None, outcome: Outcome) -> TextEvidence:
    """The words of a column of texts: what each of them says to the members that weigh words, times their weights.

    With the rest of what the column says, to members that take a text as a whole, they sum to the column's bits.
    """
    column = _column_of_texts(pool, column)
    rows, trusted = len(outcome.member), pool.trust_
    names, terms, base, _, told = _terms(pool, X, rows)
    place = names.index(column)
    others = _before(pool, base) + trusted * np.delete(terms, place, axis=1).sum(axis=1)
    said: list[dict[str, tuple[int, Floats]]] = [{} for _ in range(rows)]
    absent = np.zeros((rows, len(base)))
    for name in told:
        _add_words(said, absent, pool.heard()[name], X, column, trusted * pool.weights_[name], names_of(pool.classes_))
    spoken = []
    for row, words in enumerate(said):
        counts = [count for count, _ in words.values()]
        bits = np.array([one for _, one in words.values()]).reshape(-1, len(base))
        left = trusted * terms[row, place] - absent[row] - bits.sum(axis=0)
        known = list(words)
        if np.abs(left).max() > _ROUNDING * (1 + np.abs(terms[row, place]).max()):
            known, counts, bits = [*known, WHOLE], [*counts, 1], np.vstack([bits, left])
        spoken.append(Spoken(known, np.array(counts, dtype=np.int64), bits, absent[row]))
    found = weigh_words(pool.classes_, spoken, others, outcome=outcome, rest=BEYOND)
    return found if len(names) == 1 else replace(found, before="prior and other columns")


def _add_words(
    said: list[dict[str, tuple[int, Floats]]],
    absent: Floats,
    model: Any,
    X: Any,
    column: str,
    weight: float,
    classes: tuple[Any, ...],
) -> None:
    """Add the words of one member, for each class against the first, to those of all."""
    for c, name in enumerate(classes[1:], start=1):
        found = word_evidence(model, X, for_class=name, against=classes[0]).get(column)
        if found is None:
            return
        finite = np.isfinite(found.bits[:, 0])  # endless bits stay with the text as a whole, which the floor bounds
        absent[finite, c] += weight * _LOG2 * found.absent[finite]
        for row in np.flatnonzero(finite).tolist():
            for word in found.words[row]:
                count, bits = said[row].get(word.word, (0, np.zeros(len(classes))))
                bits[c] += weight * _LOG2 * word.bits
                said[row][word.word] = max(count, word.count), bits


def _column_of_texts(pool: Any, given: str | None) -> str:
    names = columns_of_words(pool)
    if given is None and len(names) != 1:
        raise InputError(f"there are {len(names)} columns of texts; choose column= from {', '.join(names) or 'none'}")
    if given is not None and given not in names:
        raise InputError(f"{given!r} is no column of which members weigh the words; there are {', '.join(names)}")
    return names[0] if given is None else given


def _before(pool: Any, base: Floats) -> Floats:
    """What stands before the columns (k,): the offsets, the members' priors, and what it goes towards if in doubt."""
    doubt = (1.0 - pool.trust_) * log_of(pool.class_prior_) if pool.trust_ < 1 else 0.0
    return np.asarray(pool.trust_ * (pool.offset_ + base) + doubt)


def outcome_of(pool: Any, X: Any, against: Any, for_class: Any, prior: Any) -> Outcome:
    """What the pool itself says of rows."""
    log_posterior = pool.predict_log_proba(X, prior)
    own, other = sides(pool.classes_, for_class, against)
    there = pool.class_prior_ if prior is None else read_class_prior(prior, pool.classes_, "prior")
    member = spoken_for(log_posterior, log_posterior.argmax(axis=1), own, other)
    return Outcome(log_posterior, member, other, shift_rescaling(pool.class_prior_, there))


def _terms(pool: Any, X: Any, rows: int) -> tuple[tuple[str, ...], Floats, Floats, Array, list[str]]:
    """Names of columns, what each adds to the log posterior of each class (n, d, k), and what is there before (k,).

    With them the rows of which members explain what they say only nearly (n,), and the members that weigh their columns
    one by one.
    """
    classes, rule = names_of(pool.classes_), pool.rule_of(pool.record_.n)
    k = len(classes)
    found: dict[str, Floats] = {}
    base, roughly = np.zeros(k), np.zeros(rows, dtype=bool)
    weighing = list[str]()
    ready = pool._ready(X)
    for name, model in pool.heard().items():
        weight = pool.weights_[name]
        held = rule.floored(log_posteriors(model, ready[name], classes))
        odds = held - held[:, :1]  # for each class against the first, as the pool takes them: finite
        told = _member(model, ready[name], classes, odds / _LOG2)
        if told is None:
            found[f"({name})"] = weight * odds
            continue
        weighing.append(name)
        columns, bits, prior, nearly = told
        roughly |= nearly
        base += weight * prior
        for j, column in enumerate(columns):
            found[column] = found.get(column, np.zeros((rows, k))) + weight * bits[:, j]
    return tuple(found), np.stack(list(found.values()), axis=1), base, roughly, weighing


def _member(
    model: Any, X: Any, classes: tuple[Any, ...], log2_odds: Floats
) -> tuple[tuple[str, ...], Floats, Floats, Array] | None:
    """Columns, their log odds for each class against the first (n, d, k), those before (k,), and the rows (n,) of which
    they are so only nearly; None: it has none.
    """
    if not hasattr(model, "evidence"):
        return None
    each = []
    for name in classes[1:]:
        try:
            each.append(model.evidence(X, for_class=name, against=classes[0]))
        except (LikelyError, TypeError):
            return None
    own = [one.names for one in each]
    if isinstance(each[0], TextEvidence):  # of a model of texts alone, whose column has a name
        column = schema_inside(model).columns[0].name
        own = [tuple(column if name == "text" else name for name in names) for names in own]
    names = tuple(dict.fromkeys(name for one in own for name in one))
    bits = np.zeros((len(each[0]), len(names), len(classes)))
    prior, roughly = np.zeros(len(classes)), np.zeros(len(each[0]), dtype=bool)
    for c, one in enumerate(each, start=1):
        before, terms, _, nearly = reconciled(one.prior, one.bits, log2_odds[:, c])
        if (before != before[0]).any():  # a prior that differs by row is no base: the member speaks as one
            return None
        roughly |= nearly
        places = [names.index(name) for name in own[c - 1]]
        bits[:, places, c] = terms * _LOG2
        prior[c] = before[0] * _LOG2
    return names, bits, prior, roughly
