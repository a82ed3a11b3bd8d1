"""What is learned in many passes, by EM: classes of rows without a label, and components of mixtures.

E step: each unlabelled row is shared out among the classes by its posterior under the current model; rows with a label
belong to their class. M step: estimate from the sum. What climbs is the log-likelihood of the observed cells and
labels plus the log prior of the estimates (pseudo-counts, pseudo-rows, `class_alpha`): it never falls, and decides when
to stop and which pass is kept. Both are recorded of every pass. Where an estimate is the maximum of no posterior
(histograms, kernel densities, predictive distributions, ddof=1, covariances of pairs), the log-likelihood alone is
watched: it may fall, as it may by the rule for a class without spread, and the best of all passes is kept.

Start: the labelled rows, and one row's weight in every class that all unlabelled rows share equally, so that every
level, column and spread of the data is known from the first pass on. A row of weight 0 is absent.
"""

import warnings
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from likely import engines
from likely.data.inputs import Batch, Input, SourceInput, taken
from likely.data.labels.target import Target
from likely.data.printing.wording import counted
from likely.data.sources import Kept, Source
from likely.distributions.combined.expectation import Ascent, Expected, best_ascent
from likely.distributions.combined.product import Product, ProductFamily
from likely.distributions.family import many_passes
from likely.engines.local import one_blas_thread
from likely.engines.progress import progress
from likely.errors import InputError
from likely.models.generative.summing.layout import Layout, len_of, take_rows
from likely.models.learning.batches import Tasks
from likely.numeric.arrays import Array, Floats
from likely.numeric.logspace import log_of, share_out, weighted_logs
from likely.numeric.random_state import Seed
from likely.statistics import Membership, SideBySide

MAX_ITERATIONS = 1000
TOLERANCE = 1e-9
_TAKEN_BACK = 0.25  # of the log-likelihood gained, from which a prior rules
_MUCH = 10.0  # nats


@dataclass(frozen=True)
class Parameters:
    """A current model: the distribution and the class prior."""

    distribution: Product
    log_prior: Floats


@dataclass(frozen=True)
class EncodedRows:
    """A batch in the families' form; of a hidden class, or of one."""

    rows: tuple[Any, ...]
    codes: Array  # (n,)  -1: hidden
    weight: Floats  # (n,)
    number: int = 0  # of the batch
    start: int = 0  # of its first row


def learn_in_passes(
    layout: Layout,
    data: Input,
    target: Target,
    weight: Floats | None,
    prior: Callable[[Array], Floats],
    random_state: Seed,
    n_init: int = 1,
    class_alpha: float = 0.0,
) -> Ascent[Parameters, SideBySide]:
    """EM over hidden labels and mixture components together, from the best of several starts.

    `prior` gives the class prior from the sums of weights (k,), with `class_alpha` pseudo-rows for each class.
    """
    if isinstance(data, SourceInput):
        raise InputError("hidden labels and mixtures take many passes over data in memory: read the file first")
    if not target.classes:
        raise InputError(
            "y names no class: every label is missing. Give some labels, or BayesClassifier(n_components=...)"
        )
    batches = encoded_rows(Tasks(data, target, weight), layout)
    rows = sum(len(batch.weight) for batch in batches)
    row_weight = min(1.0, sum(float(batch.weight.sum()) for batch in batches) / rows)  # a whole number counts rows
    everyone = [(batch.rows, Membership.of_shares(batch.weight[:, None])) for batch in batches]
    family = _with_row_weight(layout.family, row_weight).settled(everyone)

    def prior_of(weights: Array) -> Floats:
        return log_of(prior(weights))

    engine = engines.current()
    kept = engine.keep(Kept(tuple(batches)))

    def expect(at: Parameters) -> tuple[SideBySide, float]:
        expected: Expected[SideBySide] = engine.fold(kept, _Expectation(family, at))
        told()
        return expected.statistic, expected.log_likelihood

    def maximize(statistic: SideBySide) -> Parameters:
        fitted = family.estimate(layout.for_estimating(statistic))
        return Parameters(fitted, prior_of(statistic.weight))

    def log_prior(at: Parameters, statistic: SideBySide) -> float:
        of_parameters = family.log_prior(layout.for_estimating(statistic), at.distribution)
        if of_parameters is None:  # the maximum of nothing: the likelihood alone is watched
            return 0.0
        return of_parameters + weighted_logs(np.array(class_alpha), at.log_prior)

    def starts() -> Iterator[Parameters]:
        known, first = _first_memberships(batches, len(target.classes), row_weight)
        for rng in _starts(family, random_state, n_init):
            start = Parameters(family.start(first, rng), prior_of(known))
            # which features a family selects depends on the rows' weights, which are not yet whole at the start
            selects = any(getattr(one, "selects_features", False) for one in layout.families)
            yield maximize(expect(start)[0]) if selects else start

    with progress(None, "passes of EM") as told, one_blas_thread():  # its solves are small, and would wait for threads
        rest = best_ascent(expect, maximize, starts(), MAX_ITERATIONS, TOLERANCE, log_prior)
    _warn_of_a_ruling_prior(rest.log_likelihoods)
    return rest


def _warn_of_a_ruling_prior(log_likelihoods: Floats) -> None:
    """Say so where a prior took back much of what the passes had gained in likelihood.

    Pseudo-counts of many words or levels are the smaller a burden the emptier a class is: the posterior may be highest
    where one class has lost its rows, however much better they fitted it.
    """
    highest = float(np.max(log_likelihoods))
    climb, fall = highest - float(log_likelihoods[0]), highest - float(log_likelihoods[-1])
    if fall > max(_MUCH, _TAKEN_BACK * climb):
        warnings.warn(
            f"EM came to rest {fall:,.0f} nats of log-likelihood below pass {int(np.argmax(log_likelihoods)) + 1}: "
            "pseudo-counts weigh more than the rows; a smaller alpha, or fewer words or levels, lets the rows decide",
            stacklevel=4,
        )


def _starts(family: ProductFamily, random_state: Seed, n_init: int) -> list[np.random.Generator]:
    """One generator per start; only mixtures depend on where they start."""
    return np.random.default_rng(_seed(random_state)).spawn(n_init if many_passes(family) else 1)


def _seed(random_state: Seed) -> Any:
    return random_state.randint(2**31) if isinstance(random_state, np.random.RandomState) else random_state


def of_weight(target: Target, weight: Floats | None) -> Target:
    """The target without classes that no weight is on.

    Rows of weight 0 count nowhere; they have the code of the first class, so that none of them is taken for hidden.

    >>> of_weight(Target(np.array([0, 1, -1, 2, -1]), ("a", "b", "c")), np.array([0.0, 1, 1, 2, 0]))
    Target(codes=array([ 0,  0, -1,  1,  0], dtype=int32), classes=('b', 'c'))
    """
    if weight is None or weight.all():
        return target
    known = target.codes >= 0
    present = np.bincount(target.codes[known], weight[known], len(target.classes)) > 0
    if not present.any():
        return Target(np.full(len(target.codes), -1, dtype=np.int32), ())
    place = np.cumsum(present) - 1
    codes = np.where(known, place[target.codes], -1)
    codes[weight == 0] = 0
    classes = tuple(name for name, kept in zip(target.classes, present, strict=True) if kept)
    return Target(codes.astype(np.int32), classes)


def with_labels(data: Input, target: Target, weight: Floats | None) -> tuple[Input, Target, Floats | None]:
    """The rows that have a label; that others are left out is said in a warning."""
    rows = np.flatnonzero(target.codes >= 0)
    if not len(rows):
        raise InputError("y names no class: every label is missing")
    left = len(target.codes) - len(rows)
    warnings.warn(
        f"{counted(left, 'row')} without a label {'is' if left == 1 else 'are'} left out; with hidden='em', or by "
        "BayesClassifier, they are learned from too",
        stacklevel=4,
    )
    known = Target(target.codes[rows], target.classes)
    return taken(data, rows), known, None if weight is None else weight[rows]


@dataclass(frozen=True)
class _Expectation:
    """The E step of a batch."""

    family: ProductFamily
    at: Parameters

    def __call__(self, batch: EncodedRows) -> Expected[SideBySide]:
        membership, log_likelihood = shared_out(batch, self.at)
        return Expected(self.family.summarize(batch.rows, membership, self.at.distribution), log_likelihood)


def encoded_rows(tasks: Tasks, layout: Layout) -> list[EncodedRows]:
    """The rows that have any weight, in the family's form."""
    out: list[EncodedRows] = []
    for start, batch, labels, share in tasks.batches():
        rows = layout.rows(batch, start, learning=True)
        weight = np.ones(len_of(rows)) if share is None else np.asarray(share)
        if weight.any():
            out.append(_of_weight(EncodedRows(rows, labels.codes, weight, len(out), start)))
    return out


@dataclass(frozen=True)
class FileRows(Source[EncodedRows]):
    """The batches of a file in the families' form, read anew at every pass; nothing is known of their classes."""

    data: SourceInput
    layout: Layout

    @property
    def n_batches(self) -> int | None:
        return self.data.n_batches

    def batch(self, number: int) -> EncodedRows:
        return self._encoded(number, self.data.batch(number))

    def batches(self) -> Iterator[EncodedRows]:
        return (self._encoded(number, batch) for number, batch in enumerate(self.data.batches()))

    def _encoded(self, number: int, batch: Batch) -> EncodedRows:
        start, table = batch
        rows = self.layout.rows(table, start, learning=True)
        n = len_of(rows)
        return EncodedRows(rows, np.full(n, -1, dtype=np.int32), np.ones(n), number, start)


def _of_weight(batch: EncodedRows) -> EncodedRows:
    if batch.weight.all():
        return batch
    index = np.flatnonzero(batch.weight)
    taken_rows = take_rows(batch.rows, index)
    return EncodedRows(taken_rows, batch.codes[index], batch.weight[index], batch.number, batch.start)


def _with_row_weight(family: ProductFamily, row_weight: float) -> ProductFamily:
    def weighing(part: Any) -> Any:
        return replace(part, row_weight=row_weight) if hasattr(part, "row_weight") else part

    return ProductFamily(tuple(weighing(part) for part in family.parts))


def _first_memberships(
    batches: list[EncodedRows], k: int, row_weight: float
) -> tuple[Array, list[tuple[tuple[Any, ...], Membership]]]:
    """The labelled weight of each class, and the rows with their shares at the start."""
    labelled = [Membership.of_labels(b.codes, k, b.weight) for b in batches]
    known = np.asarray(sum(membership.totals() for membership in labelled))
    hidden = sum(float(b.weight[b.codes < 0].sum()) for b in batches)
    if not hidden:
        return known, [(b.rows, membership) for b, membership in zip(batches, labelled, strict=True)]
    out = []
    for batch, membership in zip(batches, labelled, strict=True):
        shares = membership.as_shares()
        unlabelled = np.flatnonzero(batch.codes < 0)
        shares[unlabelled] = (batch.weight[unlabelled] * min(1.0, row_weight / hidden))[:, None]
        out.append((batch.rows, Membership.of_shares(shares)))
    return known, out


def shared_out(batch: EncodedRows, at: Parameters) -> tuple[Membership, float]:
    """Rows of hidden classes shared out by their posteriors, and the log-likelihood of all rows."""
    shares = at.distribution.log_density(batch.rows)
    known = np.flatnonzero(batch.codes >= 0)
    own = shares[known, batch.codes[known]] + at.log_prior[batch.codes[known]]
    row = share_out(shares, at.log_prior)
    shares[known] = 0.0
    shares[known, batch.codes[known]] = 1.0
    row[known] = own
    shares *= batch.weight[:, None]
    return Membership.of_shares(shares), float(batch.weight @ row)
