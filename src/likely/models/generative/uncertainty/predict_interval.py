"""Credible intervals of predicted probabilities: how sure the probability of each class of each row is.

    p(class | x, parameters),   parameters drawn from their posterior given the training data

A prediction plugs one estimate of the parameters in. With few training rows others are nearly as likely, and each
predicts something else: the interval holds all but the outer parts of these predictions. It says how well the model's
own probability is known if the model is true, and nothing about whether it is:
`likely.decisions.calibration.uncertainty.interval` has the interval that measures how often such rows come true. It is
wide where few rows support the answer and narrows like one over the square root of their number.

The parameters of all classes are drawn together from the posteriors of `parameter_posterior`; those of families
without one from their shape in large samples (negative binomial, gamma) or by the Bayesian bootstrap (kernel density).
The ends are quantiles of the draws, extended where needed to take in the model's own prediction, which under maximum
likelihood may be extreme (a probability of 0 where nothing was counted). An end that is exceeded once in a thousand
draws needs thousands of them: at least 20 / (1 - confidence) are made.

How often the interval holds the true probability is known by simulation. Under maximum likelihood 95 % are 94 to 96 %
for classes of 15 rows, whole vectors of up to 8 columns included (for which `vector_posterior` has the reason). Some
intervals are too sure where classes have few rows for their columns. Of 95 % intervals of vectors, 89 % hold the truth
with 15 rows of 5 columns of which one cell in seven is missing, and 87 % with a prior (estimation="map" or "bayes") and
30 rows of 8 columns: a prior's intervals are right on average over the truths that it holds for likely, not for each of
them. Of 90 % intervals of 5 independent normal columns 90 % hold the truth with 15 rows in each class, but 86 % with 15
in one and 60 in the other: what few rows leave open of a mean makes every row look further from it.

So far from all training rows that the log densities of two classes cannot be told apart in double precision, nothing is
known of either: the interval is [0, 1].
"""

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import cache
from typing import Any

import numpy as np

from likely import engines
from likely.data.accepted import PriorLike
from likely.data.inputs import Input, SourceInput, whole_table
from likely.data.labels.weights import read_prior
from likely.distributions.combined.powered import Powered
from likely.distributions.combined.product import Product
from likely.distributions.family import Distribution
from likely.models.any_classifier.drawn import Ends, draws_needed, ends_of, taking_in
from likely.models.generative.answers.fitted import FittedGenerative
from likely.models.generative.answers.scoring import query_rows
from likely.models.generative.uncertainty.parameter_posterior import (
    check_known_labels,
    class_posterior,
    posterior_of_part,
)
from likely.numeric.arrays import Array, Floats
from likely.numeric.logspace import log_joint, log_normalize, log_of, normalize, softmax_rows
from likely.numeric.random_state import Seed, as_generator
from likely.numeric.shares import draw_log_shares

_MEMBERS = 512  # of distributions drawn together; their scores stay in cache
_PARAMETERS = 2**22  # of drawn parameters that are kept
_SCORES = 2**20  # of the rows of a block by members
_PREDICTIONS = 2**22  # (rows, draws, classes) held at a time
_LOST = 1e-2  # rounding of a log density from which on it hides which class is the likelier


def predict_interval(
    model: FittedGenerative, data: Input, confidence: float, random_state: Seed, n_draws: int, prior: PriorLike | None
) -> Floats:
    """Credible interval (n, k, 2) of the probability of each class; classes in the order of `classes_`.

    `prior` replaces the class prior, which then is certain. The same seed gives the same answer. There are `n_draws`
    draws of the parameters, or 20 / (1 - confidence) if that is more.

    >>> from likely import NaiveBayes
    >>> few = NaiveBayes("bernoulli").fit([[1], [1], [0], [0]], ["a", "a", "b", "b"])
    >>> many = NaiveBayes("bernoulli").fit([[1], [1], [0], [0]] * 1000, ["a", "a", "b", "b"] * 1000)
    >>> few.predict_interval([[1]])[0, 0].round(1), many.predict_interval([[1]])[0, 0].round(1)
    (array([0.2, 1. ]), array([1., 1.]))
    """
    draws = draws_needed(n_draws, confidence)

    def ends(joint: Floats, own: Floats) -> Floats:
        softmax_rows(joint.reshape(-1, joint.shape[2]))
        return taking_in(ends_of(joint, confidence), normalize(own))

    return over_draws(model, data, draws, random_state, prior, ends)


def knows_parameters(model: FittedGenerative) -> bool:
    """Whether the posterior of all parameters is known, so that they can be drawn."""
    return not hasattr(model, "passes_") and all(
        hasattr(family, "parameter_posterior") for family in model.layout_.family.parts
    )


def over_draws(
    model: FittedGenerative,
    data: Input,
    n_draws: int,
    random_state: Seed,
    prior: PriorLike | None,
    ends: Ends,
) -> Floats:
    """Intervals (n, k, 2) that `ends` makes of log joints under drawn parameters, block by block.

    It gets them (rows, draws, k), and those under the model's own parameters (rows, k), and may write into both. Where
    rounding hides which class is the likelier, the interval is [0, 1].
    """
    log_prior = log_of(_class_prior(model, prior))

    def make(joint: Floats, lost: Array, rows: tuple[Any, ...]) -> Floats:
        own = log_joint(model.distribution_.log_ratio(rows), log_prior)
        return np.where(lost[:, :, None], [0.0, 1.0], ends(joint, own))

    return np.concatenate(_blocks_of_draws(model, data, n_draws, random_state, prior, make))


def drawn_log_posteriors(model: FittedGenerative, data: Input, n_draws: int, random_state: Seed) -> Floats:
    """Log posteriors (n, draws, k) of few rows under drawn parameters, with the class prior as it was learned."""
    prior = model.class_prior_
    found = np.concatenate(_blocks_of_draws(model, data, n_draws, random_state, prior, lambda joint, *_: joint))
    return log_normalize(found.reshape(-1, found.shape[2])).reshape(found.shape)


def _blocks_of_draws(
    model: FittedGenerative,
    data: Input,
    n_draws: int,
    random_state: Seed,
    prior: PriorLike | None,
    make: Callable[[Floats, Array, tuple[Any, ...]], Floats],
) -> list[Floats]:
    """What `make` makes of log joints (rows, draws, k), of the classes that rounding hides, and of encoded rows."""
    check_known_labels(model)
    draws = _Draws.of(model, n_draws, as_generator(random_state), prior)

    def work(block: tuple[int, int, Any]) -> Floats:
        start, stop, rows = block
        with model.layout_.naming_cells(range(start, stop)):
            encoded = query_rows(model, rows, start)
            return make(*draws.joints(encoded, stop - start), encoded)

    blocks = _blocks(data, max(1, _PREDICTIONS // (n_draws * len(model.classes_) * _terms_held(model))))
    return list(engines.current().map(blocks, work))


@dataclass(frozen=True)
class _Draws:
    """Drawn parameters, a batch of draws at a time; every batch has a generator of its own, so it can be made again."""

    batch: Callable[[int], Product]  # (draws of the batch times classes) members
    log_prior: Floats  # (draws, k)
    sizes: list[int]  # draws of each batch

    @classmethod
    def of(cls, model: FittedGenerative, n: int, rng: np.random.Generator, prior: PriorLike | None) -> "_Draws":
        k, fitted = len(model.classes_), model.distribution_.parts
        parts = [posterior_of_part(model, i) for i in range(len(fitted))]
        sizes = [
            part.size if hasattr(part, "size") else own.n_parameters for part, own in zip(parts, fitted, strict=True)
        ]
        parameters = max(sum(sizes), 1)
        size = max(1, min(_MEMBERS // k, _PARAMETERS // parameters))
        sizes = [min(size, n - start) for start in range(0, n, size)]
        if prior is None and model.class_prior is None:
            log_prior = draw_log_shares(class_posterior(model).alpha[None], n, rng)
        else:
            log_prior = np.tile(log_of(_class_prior(model, prior)), (n, 1))
        seeds = rng.integers(2**63, size=len(sizes))

        def batch(i: int) -> Product:
            own = np.random.default_rng(seeds[i])
            return Product(tuple(_drawn(part, of, sizes[i], own) for part, of in zip(parts, fitted, strict=True)))

        kept = cache(batch) if parameters * n <= _PARAMETERS else batch
        return cls(kept, log_prior, sizes)

    def joints(self, rows: tuple[Any, ...], n: int) -> tuple[Floats, Array]:
        """Log joints of rows in the families' form under every draw (n, draws, k); which classes rounding hides."""
        draws, k = self.log_prior.shape
        out, lost = np.empty((n, draws, k)), np.zeros((n, k), dtype=bool)
        start = 0
        for i, size in enumerate(self.sizes):
            log_prior = self.log_prior[start : start + size]
            joint = log_joint(self.batch(i).log_ratio(rows).reshape(n, size, k), log_prior)
            lost |= _lost(joint)
            out[:, start : start + size] = joint
            start += size
        return out, lost


def _class_prior(model: FittedGenerative, prior: PriorLike | None) -> Floats:
    return model.class_prior_ if prior is None else read_prior(prior, model.classes_)


def _terms_held(model: FittedGenerative) -> int:
    """Numbers for each row, draw and class: with exponents, one for each feature."""
    return max(len(of.exponents) if isinstance(of, Powered) else 1 for of in model.distribution_.parts)


def _drawn(posterior: Any, fitted: Distribution, n: int, rng: np.random.Generator) -> Distribution:
    """N draws of a part; where its features have exponents, these are taken for known."""
    if isinstance(fitted, Powered):
        return Powered(posterior.draw(n, rng), fitted.exponents)
    drawn: Distribution = getattr(posterior, "draw_by_row", posterior.draw)(n, rng)
    return drawn


def _lost(joint: Floats) -> Array:
    """The classes (n, k) of which some draw (n, draws, k) cannot say whether they are the likeliest."""
    largest = joint.max(axis=2)
    rounding = 8 * np.finfo(np.float64).eps * np.abs(largest)
    hidden = np.flatnonzero((rounding > _LOST).any(axis=1))
    lost = np.zeros((len(joint), joint.shape[2]), dtype=bool)
    if len(hidden):
        near = joint[hidden] >= (largest - rounding)[hidden][:, :, None]
        lost[hidden] = (near & (near.sum(axis=2, keepdims=True) > 1) & (rounding > _LOST)[hidden][:, :, None]).any(
            axis=1
        )
    return lost


def _blocks(data: Input, size: int) -> Iterator[tuple[int, int, Any]]:
    """Rows to be scored together: the numbers of the first and of the one after the last, and the rows."""
    size = max(1, min(size, _SCORES // _MEMBERS))
    for first, table in data.batches() if isinstance(data, SourceInput) else [(0, whole_table(data))]:
        rows = table.height if isinstance(data, SourceInput) else data.rows
        for start in range(0, rows, size):
            stop = min(start + size, rows)
            yield first + start, first + stop, table[start:stop]
