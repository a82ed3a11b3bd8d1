"""What is learned in many passes, by EM: classes of rows without a label, and components of mixtures.

E step: each unlabelled row is shared out among the classes by its posterior under the current model; rows with a label
belong to their class. M step: estimate from the sum. The statistic at rest and every pass's log-likelihood are kept.
"""

from dataclasses import dataclass
from typing import Any

import numpy as np

from likely import engines
from likely.data.inputs import Input, SourceInput
from likely.data.target import Target
from likely.distributions.expectation import Ascent, expectation_maximization
from likely.distributions.family import many_passes
from likely.distributions.product import Product, ProductFamily
from likely.errors import InputError
from likely.models.generative.layout import Layout
from likely.models.generative.learning import encoded_batches
from likely.numeric.arrays import Array, Floats
from likely.numeric.logspace import log_normalize, log_of, log_sum_exp
from likely.statistics import Joint, Membership

MAX_ITERATIONS = 1000
TOLERANCE = 1e-9


@dataclass(frozen=True)
class Parameters:
    """A current model: the distribution and the class prior."""

    distribution: Product
    log_prior: Floats


@dataclass(frozen=True)
class _Batch:
    rows: tuple[Any, ...]
    codes: Array  # (n,)  -1: hidden
    weight: Floats  # (n,)


def learn_in_passes(model: Any, data: Input, target: Target, weight: Floats | None) -> Ascent[Parameters, Joint]:
    """EM over hidden labels and mixture components together, from the best of the model's starts."""
    if isinstance(data, SourceInput):
        raise InputError("hidden labels and mixtures take many passes over data in memory: read the file first")
    if not target.classes:
        raise InputError(
            "y names no class: every label is missing. Give some labels, or BayesClassifier(n_components=...)"
        )
    layout: Layout = model.layout_
    family = layout.family
    encoded = encoded_batches(data, target, weight, layout)
    batches = [_Batch(rows, labels.codes, share) for rows, labels, share in encoded]

    def expect(at: Parameters) -> tuple[Joint, float]:
        likelihoods: dict[int, float] = {}

        def summarize(numbered: tuple[int, _Batch]) -> Joint:
            number, batch = numbered
            membership, likelihoods[number] = _shared_out(batch, at)
            return family.summarize(batch.rows, membership, at.distribution)

        statistic = engines.current().fold(enumerate(batches), summarize)
        return statistic, sum(likelihoods[i] for i in sorted(likelihoods))

    def maximize(statistic: Joint) -> Parameters:
        fitted = family.estimate(layout.for_estimating(statistic))
        return Parameters(fitted, log_of(model._prior_from(statistic.weight, target.classes)))

    best: Ascent[Parameters, Joint] | None = None
    for rng in _starts(model, family):
        start = _start(model, family, batches, target, rng)
        ascent = expectation_maximization(expect, maximize, start, MAX_ITERATIONS, TOLERANCE)
        if best is None or ascent.log_likelihoods[-1] > best.log_likelihoods[-1]:
            best = ascent
    assert best is not None
    return best


def _starts(model: Any, family: ProductFamily) -> list[np.random.Generator]:
    """One generator per start; only mixtures depend on where they start."""
    count = getattr(model, "n_init", 1) if many_passes(family) else 1
    return np.random.default_rng(_seed(model.random_state)).spawn(count)


def _seed(random_state: Any) -> Any:
    return random_state.randint(2**31) if isinstance(random_state, np.random.RandomState) else random_state


def _start(
    model: Any, family: ProductFamily, batches: list[_Batch], target: Target, rng: np.random.Generator
) -> Parameters:
    """From the labelled rows alone; the class prior from their counts."""
    k = len(target.classes)
    known = [(b.rows, Membership.of_labels(b.codes, k, b.weight)) for b in batches]
    weights = sum(membership.totals() for _, membership in known)
    return Parameters(family.start(known, rng), log_of(model._prior_from(np.asarray(weights), target.classes)))


def _shared_out(batch: _Batch, at: Parameters) -> tuple[Membership, float]:
    joint = at.distribution.log_density(batch.rows) + at.log_prior
    hidden = batch.codes < 0
    shares = np.exp(log_normalize(joint))
    known = np.flatnonzero(~hidden)
    shares[known] = 0.0
    shares[known, batch.codes[known]] = 1.0
    row = log_sum_exp(joint, axis=1)
    row[known] = joint[known, batch.codes[known]]
    return Membership.of_shares(shares * batch.weight[:, None]), float(batch.weight @ row)
