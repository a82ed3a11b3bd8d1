"""Bayes' rule for finitely many hypotheses, with evidence that arrives piece by piece.

    P(h | D) = P(D | h) P(h) / P(D),   P(D) = sum_h P(D | h) P(h)
    posterior odds = likelihood ratio x prior odds
    P(h | D1, ..., De) is proportional to P(h) prod_i P(Di | h): today's prior is yesterday's posterior

Kept: the log prior and the log likelihood of every piece of evidence. Their sums are rounded once (`math.fsum`), so the
posterior does not depend on the order of the evidence in any bit, and hundreds of likelihoods of 1e-300 do no harm.
"""

from collections.abc import Hashable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from math import exp, frexp, fsum, inf, isnan, ldexp, log
from typing import Any

import numpy as np

from likely.data.inputs import suggest
from likely.data.labels.weights import by_name
from likely.data.printing.text_table import aligned
from likely.errors import InputError
from likely.numeric.arrays import Floats, as_floats
from likely.numeric.logspace import log_normalize, log_of, log_sum_exp
from likely.probability.events.event import ImpossibleEvent
from likely.probability.given import read_distribution

_SHOWN = 12  # hypotheses that a message lists
_TIE = 1e-12  # logarithms that differ by less than this share of them are equal but for rounding


@dataclass(frozen=True, eq=False)
class Posterior:
    """A posterior over hypotheses: what is believed after the evidence so far; made by `bayes`.

    Two are equal where the names, the priors and the evidence, in its order, are.

    >>> coin = bayes({"fair": 0.5, "two heads": 0.5}, {"fair": 0.5, "two heads": 1.0})
    >>> coin.joint, coin.evidence, coin.best
    ({'fair': 0.25, 'two heads': 0.5}, 0.75, ('two heads',))
    >>> coin == bayes("uniform", {"fair": 0.5, "two heads": 1.0})
    True
    """

    names: tuple[Hashable, ...]
    log_prior: Floats  # (k,)  before all evidence
    log_likelihoods: Floats  # (e, k)  of each piece of evidence, in the order in which they came

    def update(self, likelihood: Any, log: bool = False) -> "Posterior":
        """The belief after more evidence: a likelihood per hypothesis, or rows of them for several pieces.

        >>> coin = bayes({"fair": 0.5, "two heads": 0.5}, {"fair": 0.5, "two heads": 1.0})
        >>> round(coin.update({"fair": 0.5, "two heads": 1.0}).p("two heads"), 3)
        0.8
        """
        more = _read_likelihood(likelihood, self.names, log)
        belief = Posterior(self.names, self.log_prior, np.concatenate([self.log_likelihoods, more]))
        if np.isneginf(belief._log_joint).all():
            at = int(np.flatnonzero(np.isneginf(belief._log_joints).all(axis=1))[0])
            raise ImpossibleEvent(
                f"the evidence contradicts every hypothesis: after piece {at - 1} (from 0) none of those that had a "
                "prior probability has a likelihood above 0; check the evidence, or add a hypothesis that allows it"
            )
        return belief

    @property
    def probabilities(self) -> dict[Hashable, float]:
        """P(h | evidence) by name."""
        return dict(zip(self.names, self.values.tolist(), strict=True))

    @cached_property
    def values(self) -> Floats:
        """P(h | evidence) (k,), in the order of the names."""
        return np.asarray(np.exp(self.log_values))

    @cached_property
    def log_values(self) -> Floats:
        """Ln P(h | evidence) (k,), exact also where the probability is too small for a number."""
        return np.asarray(log_normalize(self._log_joint[None])[0])

    @cached_property
    def log_likelihood(self) -> Floats:
        """Ln P(all evidence | h) (k,)."""
        return np.array([fsum(column) for column in self.log_likelihoods.T.tolist()])

    @property
    def log_evidence(self) -> float:
        """Ln P(D), of all evidence together."""
        return float(log_sum_exp(self._log_joint))

    @property
    def evidence(self) -> float:
        """P(D) = sum_h P(D | h) P(h); `log_evidence` where that is too small for a number."""
        return exp(self.log_evidence)

    @property
    def joint(self) -> dict[Hashable, float]:
        """P(D | h) P(h) by name."""
        return dict(zip(self.names, np.exp(self._log_joint).tolist(), strict=True))

    @cached_property
    def trace(self) -> Floats:
        """Posteriors (e + 1, k): before any evidence, and after each piece.

        >>> bayes("uniform", [{"fair": 0.5, "two heads": 1.0}] * 2).trace.round(3).tolist()
        [[0.5, 0.5], [0.333, 0.667], [0.2, 0.8]]
        """
        rows = np.exp(log_normalize(self._log_joints))
        rows[-1] = self.values
        return rows

    @property
    def best(self) -> tuple[Hashable, ...]:
        """The maximum a posteriori hypotheses: all of them where several are equally probable."""
        largest = self._log_joint.max()
        top = self._log_joint >= largest - _TIE * max(1.0, abs(largest))
        return tuple(name for name, is_top in zip(self.names, top.tolist(), strict=True) if is_top)

    def p(self, name: Hashable) -> float:
        """P(name | evidence).

        >>> round(bayes({"ill": 0.01, "well": 0.99}, {"ill": 0.9, "well": 0.09}).p("ill"), 4)
        0.0917
        """
        return float(self.values[self._place(name)])

    def odds(self, name: Hashable, against: Hashable | None = None) -> float:
        """Posterior odds of a hypothesis against another, or against all others.

        >>> bayes({"a": 0.25, "b": 0.75}, {"a": 0.8, "b": 0.4}).odds("a", "b")
        0.666...
        """
        return _exp(self.log_odds(name, against, base=np.e))

    def log_odds(self, name: Hashable, against: Hashable | None = None, base: float = 2.0) -> float:
        """Logarithm of the odds; in bits unless another base is given.

        >>> bayes("uniform", {"a": 0.8, "b": 0.1}).log_odds("a", "b")
        3.0
        """
        return self._log_ratio(self._log_joint, name, against) / log(base)

    def prior_odds(self, name: Hashable, against: Hashable | None = None) -> float:
        """Odds before the evidence.

        >>> bayes({"a": 0.25, "b": 0.75}, {"a": 0.8, "b": 0.4}).prior_odds("a", "b")
        0.333...
        """
        return _exp(self._log_ratio(self.log_prior, name, against))

    def likelihood_ratio(self, name: Hashable, against: Hashable | None = None) -> float:
        """How many times as probable the evidence is under a hypothesis as under another, or under all others.

        All others together weigh with their prior probabilities: it is the Bayes factor, posterior to prior odds.

        >>> round(bayes({"ill": 0.01, "well": 0.99}, {"ill": 0.9, "well": 0.09}).likelihood_ratio("ill"), 9)
        10.0
        """
        return _exp(self.evidence_for(name, against, base=np.e))

    def evidence_for(self, name: Hashable, against: Hashable | None = None, base: float = 2.0) -> float:
        """Logarithm of the likelihood ratio: bits of evidence for a hypothesis against another, or all others.

        >>> round(bayes({"a": 0.25, "b": 0.75}, {"a": 0.8, "b": 0.1}).evidence_for("a"), 9)
        3.0
        """
        if against is not None:
            return self._log_ratio(self.log_likelihood, name, against) / log(base)
        before = self._log_ratio(self.log_prior, name, None)
        if np.isinf(before):
            raise InputError(f"the prior of {name!r} is certain, so evidence cannot change its odds against the rest")
        return (self._log_ratio(self._log_joint, name, None) - before) / log(base)

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Posterior):
            return NotImplemented
        return (
            self.names == other.names
            and np.array_equal(self.log_prior, other.log_prior)
            and np.array_equal(self.log_likelihoods, other.log_likelihoods)
        )

    def __hash__(self) -> int:
        return hash((self.names, self.log_prior.tobytes()))

    def __str__(self) -> str:
        rows = [["", "prior", "log2 likelihood", "posterior"]]
        bits = self.log_likelihood / np.log(2)
        for i, name in enumerate(self.names):
            rows.append([str(name), f"{np.exp(self.log_prior[i]):.4g}", f"{bits[i]:.3f}", f"{self.values[i]:.4g}"])
        pieces = len(self.log_likelihoods)
        tied = "" if len(self.best) == 1 else f" ({len(self.best)} tie)"
        said = f"most probable after {pieces} piece{'s' * (pieces != 1)} of evidence{tied}: "
        return "\n".join([aligned(rows), said + ", ".join(map(str, self.best))])

    @cached_property
    def _log_joint(self) -> Floats:
        columns = np.vstack([self.log_prior, self.log_likelihoods]).T
        return np.array([fsum(column) for column in columns.tolist()])

    @property
    def _log_joints(self) -> Floats:
        return np.cumsum(np.vstack([self.log_prior, self.log_likelihoods]), axis=0)

    def _place(self, name: Hashable) -> int:
        if name not in self.names:
            known = ", ".join(map(repr, self.names[:_SHOWN])) + (", ..." if len(self.names) > _SHOWN else "")
            advice = suggest(name, list(self.names)) or "."
            raise InputError(f"there is no hypothesis {name!r}{advice} The hypotheses are {known}.")
        return self.names.index(name)

    def _log_ratio(self, score: Floats, name: Hashable, against: Hashable | None) -> float:
        own = self._place(name)
        if against is None:
            rest = np.delete(score, own)
            other = float(log_sum_exp(rest)) if len(rest) else -inf
        else:
            other = float(score[self._place(against)])
        if score[own] == -inf == other:
            raise InputError(f"{name!r} and what it is held against are both impossible, so there is no ratio of them")
        return float(score[own]) - other


def bayes(prior: Any, likelihood: Any, log: bool = False) -> Posterior:
    """The posterior of hypotheses from their prior and the likelihood of the evidence.

    `prior` is a mapping from name to probability, a sequence of them, "uniform", or a `Posterior` to go on from.
    `likelihood` is P(evidence | h), or a density, in the same form: one number per hypothesis, or rows (e, k) of them
    (a mapping: lists; or a list of mappings) for e pieces of evidence that are independent given the hypothesis. With
    `log` they are natural logarithms. Evidence that no hypothesis allows raises `ImpossibleEvent`.

    >>> test = bayes({"cancer": 0.008, "healthy": 0.992}, {"cancer": 0.98, "healthy": 0.03})
    >>> round(test.p("cancer"), 4), test.best, round(test.evidence, 4)
    (0.2085, ('healthy',), 0.0376)
    >>> print(test)
             prior  log2 likelihood  posterior
    cancer   0.008           -0.029     0.2085
    healthy  0.992           -5.059     0.7915
    most probable after 1 piece of evidence: healthy
    >>> two = bayes("uniform", [{"fair": 0.5, "two heads": 1.0}, {"fair": 0.5, "two heads": 1.0}])
    >>> round(two.p("two heads"), 3)
    0.8
    """
    if isinstance(prior, Posterior):
        return prior.update(likelihood, log)
    if isinstance(prior, str):
        if prior != "uniform":
            raise InputError(f"unknown prior {prior!r}; give 'uniform', probabilities, or a mapping from name to them")
        one = likelihood[0] if _are_mappings(likelihood) else likelihood
        names = tuple(one) if isinstance(one, Mapping) else tuple(range(np.shape(one)[-1]))
        p = np.full(len(names), 1.0 / len(names))
    else:
        names, p = read_distribution(prior, "the prior probabilities")
    return Posterior(names, log_of(p), np.empty((0, len(names)))).update(likelihood, log)


def posterior_odds(prior_odds: float, *likelihood_ratios: float) -> float:
    """Posterior odds: prior odds times one likelihood ratio (Bayes factor) after another.

    The product neither overflows nor vanishes on the way.

    Parameters
    ----------
    prior_odds : for the hypothesis, before the evidence
    likelihood_ratios : of each piece of evidence, under the hypothesis over under the other

    >>> posterior_odds(1 / 4, 8.0, 0.5)
    1.0
    >>> posterior_odds(1e-300, 1e-300, 1e300, 1e300)
    1.0
    """
    factors = [float(factor) for factor in (prior_odds, *likelihood_ratios)]
    wrong = next((factor for factor in factors if isnan(factor) or factor < 0), None)
    if wrong is not None:
        raise InputError(f"odds and likelihood ratios are numbers from 0 up, got {wrong:g}")
    if 0.0 in factors and inf in factors:
        raise InputError("one factor is 0 and another infinite: what is impossible cannot be certain as well")
    if 0.0 in factors or inf in factors:
        return 0.0 if 0.0 in factors else inf
    mantissa, exponent = 1.0, 0
    for factor in factors:
        mantissa, shift = frexp(mantissa * frexp(factor)[0])
        exponent += shift + frexp(factor)[1]
    return ldexp(mantissa, exponent) if exponent <= 1024 else inf


def _read_likelihood(likelihood: Any, names: tuple[Hashable, ...], log: bool) -> Floats:
    """Log likelihoods (e, k) in the order of the names."""
    if _are_mappings(likelihood):
        return np.concatenate([_read_likelihood(piece, names, log) for piece in likelihood])
    if isinstance(likelihood, Mapping):
        columns = by_name(likelihood, names, "the likelihood", "hypothesis with a prior")
        if len({np.shape(column) for column in columns}) > 1:
            raise InputError(
                "every hypothesis needs a likelihood for each piece of evidence: the lists differ in length"
            )
        likelihood = np.asarray(columns, dtype=np.float64).T
    rows = np.atleast_2d(as_floats(likelihood, "likelihoods"))
    if rows.ndim != 2 or rows.shape[1] != len(names):
        raise InputError(
            f"there are {len(names)} hypotheses, but the likelihoods have the shape {np.shape(likelihood)}"
        )
    wrong = np.isnan(rows) | np.isposinf(rows) | (False if log else rows < 0)
    if wrong.any():
        piece, at = np.argwhere(wrong)[0]
        form = (
            "a log likelihood is a number that is not +infinite" if log else "a likelihood is finite and not negative"
        )
        raise InputError(f"piece {piece} has {rows[piece, at]:g} for {names[at]!r}: {form}")
    return rows if log else log_of(rows)


def _are_mappings(likelihood: Any) -> bool:
    several = isinstance(likelihood, Sequence) and len(likelihood) > 0
    return several and all(isinstance(piece, Mapping) for piece in likelihood)


def _exp(x: float) -> float:
    return exp(x) if x < 709.78 else inf
