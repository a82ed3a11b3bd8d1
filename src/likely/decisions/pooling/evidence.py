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
from likely.errors import LikelyError
from likely.models.any_classifier.asking import log_posteriors
from likely.models.any_classifier.outcome import Outcome, reconciled, sides, spoken_for
from likely.models.any_classifier.posteriors import names_of, read_class_prior
from likely.models.traits.evidence import BEYOND, Evidence, weigh_evidence
from likely.models.traits.face import Section
from likely.numeric.arrays import Array, Floats
from likely.numeric.logspace import log_of

_LOG2 = float(np.log(2.0))


def pooled_evidence(pool: Any, X: Any, outcome: Outcome) -> Evidence:
    """The evidence of every row for what is said of it in the end, by the pool or by a wrapper around it."""
    names, terms, base, nearly = _terms(pool, X, len(outcome.member))
    doubt = (1.0 - pool.trust_) * log_of(pool.class_prior_) if pool.trust_ < 1 else 0.0
    log_prior = pool.trust_ * (pool.offset_ + base) + doubt
    found = weigh_evidence(pool.classes_, names, [(0, pool.trust_ * terms)], log_prior, outcome=outcome, rest=BEYOND)
    if found.approximate is not None:
        nearly = nearly | found.approximate
    return replace(found, approximate=nearly if nearly.any() else None)


def outcome_of(pool: Any, X: Any, against: Any, for_class: Any, prior: Any) -> Outcome:
    """What the pool itself says of rows."""
    log_posterior = pool.predict_log_proba(X, prior)
    own, other = sides(pool.classes_, for_class, against)
    there = pool.class_prior_ if prior is None else read_class_prior(prior, pool.classes_, "prior")
    member = spoken_for(log_posterior, log_posterior.argmax(axis=1), own, other)
    return Outcome(log_posterior, member, other, shift_rescaling(pool.class_prior_, there))


def weights_in_face(weights: dict[str, float], stale: bool, trusted: float = 1.0) -> Section:
    """The weights of the members, heaviest first."""
    rows = [(name, f"{weight:.3f}" if weight > 0 else "none") for name, weight in
            sorted(weights.items(), key=lambda pair: -pair[1])]  # fmt: skip
    if stale:
        rows.append(("(weights)", "of other rows than the members: reweigh"))
    if trusted < 1:
        rows.append(("(trust)", f"{trusted:.2f}: rows left out do not show that it beats the classes' shares"))
    return Section(("member", "weight"), rows, "members")


def _terms(pool: Any, X: Any, rows: int) -> tuple[tuple[str, ...], Floats, Floats, Array]:
    """Names of columns, what each adds to the log posterior of each class (n, d, k), and what is there before (k,).

    With them the rows of which members explain what they say only nearly (n,).
    """
    classes, rule = names_of(pool.classes_), pool.rule_of(pool.record_.n)
    k = len(classes)
    found: dict[str, Floats] = {}
    base, roughly = np.zeros(k), np.zeros(rows, dtype=bool)
    ready = pool._ready(X)
    for name, model in pool.heard().items():
        weight = pool.weights_[name]
        held = rule.floored(log_posteriors(model, ready[name], classes))
        odds = held - held[:, :1]  # for each class against the first, as the pool takes them: finite
        told = _member(model, ready[name], classes, odds / _LOG2)
        if told is None:
            found[f"({name})"] = weight * odds
            continue
        columns, bits, prior, nearly = told
        roughly |= nearly
        base += weight * prior
        for j, column in enumerate(columns):
            found[column] = found.get(column, np.zeros((rows, k))) + weight * bits[:, j]
    return tuple(found), np.stack(list(found.values()), axis=1), base, roughly


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
    names = tuple(dict.fromkeys(name for one in each for name in one.names))
    bits = np.zeros((len(each[0]), len(names), len(classes)))
    prior, roughly = np.zeros(len(classes)), np.zeros(len(each[0]), dtype=bool)
    for c, one in enumerate(each, start=1):
        before, terms, _, nearly = reconciled(one.prior, one.bits, log2_odds[:, c])
        if (before != before[0]).any():  # a prior that differs by row is no base: the member speaks as one
            return None
        roughly |= nearly
        places = [names.index(name) for name in one.names]
        bits[:, places, c] = terms * _LOG2
        prior[c] = before[0] * _LOG2
    return names, bits, prior, roughly
