"""What each column says in a pool: the weighted sum of what it says to the members.

Every member's evidence is taken for each class against the first one, which is a difference of log odds and adds up
over columns; times the weights these are the pool's terms, and what the pooled posterior is beyond their sum (log
posteriors below the floor) stands beside them.
"""

from typing import Any

import numpy as np

from likely.errors import LikelyError
from likely.models.any_classifier.asking import log_posteriors
from likely.models.any_classifier.outcome import Outcome, Rescaling, sides
from likely.models.any_classifier.posteriors import names_of, read_class_prior
from likely.models.traits.evidence import Evidence, weigh_evidence
from likely.models.traits.face import Section
from likely.numeric.arrays import Floats
from likely.numeric.logspace import log_of

_LOG2 = float(np.log(2.0))


def pooled_evidence(pool: Any, X: Any, against: Any, for_class: Any, prior: Any) -> Evidence:
    """The evidence of every row for what the pool says of it."""
    log_posterior = pool.predict_log_proba(X, prior)
    own, other = sides(pool.classes_, for_class, against)
    member = log_posterior.argmax(axis=1) if own is None else np.full(len(log_posterior), own)
    if own is None and other is not None:
        others = np.where(np.arange(len(pool.classes_)) == other, -np.inf, log_posterior)
        member = np.where(member == other, others.argmax(axis=1), member)
    names, terms, base = _terms(pool, X, len(log_posterior))
    shift = np.zeros(len(pool.classes_))
    if prior is not None:
        shift = log_of(read_class_prior(prior, pool.classes_, "prior")) - log_of(pool.class_prior_)
    doubt = (1.0 - pool.trust_) * log_of(pool.class_prior_) if pool.trust_ < 1 else 0.0
    log_prior = pool.trust_ * (pool.offset_ + base) + doubt + shift
    outcome = Outcome(log_posterior, member, other, Rescaling(1.0, np.zeros(len(pool.classes_))))
    return weigh_evidence(pool.classes_, names, [(0, pool.trust_ * terms)], log_prior, outcome=outcome)


def weights_in_face(weights: dict[str, float], stale: bool, trusted: float = 1.0) -> Section:
    """The weights of the members, heaviest first."""
    rows = [(name, f"{weight:.3f}" if weight > 0 else "dropped") for name, weight in
            sorted(weights.items(), key=lambda pair: -pair[1])]  # fmt: skip
    if stale:
        rows.append(("(weights)", "of other rows than the members: reweigh"))
    if trusted < 1:
        rows.append(("(trust)", f"{trusted:.2f}: rows left out do not show that it beats the classes' shares"))
    return Section(("member", "weight"), rows, "members")


def _terms(pool: Any, X: Any, rows: int) -> tuple[tuple[str, ...], Floats, Floats]:
    """Names of columns, what each adds to the log posterior of each class (n, d, k), and what is there before (k,)."""
    classes = names_of(pool.classes_)
    k = len(classes)
    found: dict[str, Floats] = {}
    base = np.zeros(k)
    for name, model in pool.estimators_.items():
        weight = pool.weights_[name]
        told = _member(model, X, classes)
        if told is None:
            said = log_posteriors(model, X, classes)
            found[f"({name})"] = weight * (said - said[:, :1])
            continue
        columns, bits, prior = told
        base += weight * prior
        for j, column in enumerate(columns):
            found[column] = found.get(column, np.zeros((rows, k))) + weight * bits[:, j]
    return tuple(found), np.stack(list(found.values()), axis=1), base


def _member(model: Any, X: Any, classes: tuple[Any, ...]) -> tuple[tuple[str, ...], Floats, Floats] | None:
    """Columns, their log odds for each class against the first (n, d, k) and those before (k,); None: it has none."""
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
    prior = np.zeros(len(classes))
    for c, one in enumerate(each, start=1):
        places = [names.index(name) for name in one.names]
        bits[:, places, c] = one.bits * _LOG2
        spread = one.prior - one.prior[0]
        prior[c] = one.prior[0] * _LOG2
        if spread.any():  # a prior that differs by row is no base: it goes to the first column of its own
            return None
    return names, bits, prior
