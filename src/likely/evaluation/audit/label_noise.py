"""How many labels are wrong, from what a model that has not seen a row says of its class.

A row's true class has the posterior p_s: the model's held-out evidence, p over the shares q of the labels, to the power
of one exponent s = 1 / T (naive Bayes counts related features as independent and is too sure), times the shares q_eps
of the true classes. A share eps of the labels was then replaced by one of the k - 1 other classes, each alike:

    q_eps(c) = (q(c) - eps / (k - 1)) / (1 - eps k / (k - 1))      the shares that such errors turn into those of labels
    p_s(c)   = q_eps(c) (p(c) / q(c))^s / sum of q_eps(j) (p(j) / q(j))^s over all classes j
    P(label l) = (1 - eps) p_s(l) + eps (1 - p_s(l)) / (k - 1)
    P(wrong | l) = eps (1 - p_s(l)) / (k - 1) / P(label l)

The power is of the evidence alone: one of all of p would call every rare label wrong where columns say nothing. There
the labels fit any eps as well, up to that which the rarest class allows: the interval says so.

eps and s are fitted jointly by maximum likelihood; of values of eps that are as likely to a hundredth of a nat, the
least is taken. eps is held between 0 and (k - 1) / k, where labels say nothing any more. P(wrong | l) is averaged over
what is not known of eps: over values of it, each with the s that suits it best, weighted by their profile likelihood
and a prior, exponential of mean 0.1 (labels of published data are wrong in a hundredth to a tenth of the rows:
Northcutt, Athalye and Mueller 2021). So no row is certain to be right because the one best eps happens to be 0.

What tells eps from s are rows of which the model is sure: there an honest posterior never disagrees with the label, and
wrong labels always do. Confident mistakes of the model itself, rows in places where it is wrong, count as wrong labels
too, so eps is a bound from above: no held-out posterior shows from how many wrong labels the doubts came. The interval
reaches from 0 to the end of the profile likelihood: the largest eps for which the best s loses no more than half a
chi-square quantile (1 degree) in log likelihood. Labels that are wrong by rule, one class mistaken for another where
the two are alike, are learned by the model and not seen at all.

How strong the evidence should be is told with no wrong label assumed, by the s of largest likelihood at eps = 0: that
of the least log-loss. The s fitted with eps is that of a world where the surprises are wrong labels: it calls evidence
too careful that no power would make better.

In simulations of naive Bayes and of one shared covariance trained on the wrong labels too (300 and 1,000 rows; eps 0,
0.02 and 0.05; the rarer class a tenth to half of the rows; columns that say nothing, little and much; Student's t of 3
degrees taken for Gaussian) eps was below the upper end in 95 to 100 % of 40 runs each.
"""

from dataclasses import dataclass, replace
from math import exp, inf, log, nan
from typing import Self

import numpy as np

from likely.errors import InputError
from likely.intervals.estimate import Estimate
from likely.intervals.quantiles import normal_quantile
from likely.numeric.arrays import Array, Floats, Ints

_METHOD = "profile likelihood, upper end"
_BOUND = "at most: what the model itself gets surely wrong counts as a wrong label"
WEAKEST = 1e-3  # the least power of the evidence that is sought
_GRID = np.linspace(log(WEAKEST), log(8.0), 13)  # of log s: from almost no confidence to much more than the model's
_COARSE = 2_000  # rows by which the grid finds the hill
_LARGEST = 700.0  # exp of more would overflow
_MOST_CELLS = 50_000  # whose likelihood is computed: rows times other classes
_STEPS = np.geomspace(1e-3, 1.0, 16)  # of the largest eps, where its hill is sought
_ALIKE = 0.01  # nats between likelihoods that count as one
_USUAL = 0.1  # the mean of eps before anything is seen
_RATES = 17  # values of eps over which a probability is averaged
_UNBELIEVED = 6.0  # in log likelihood below the best
_LEAST = 1e-12  # eps is never quite 0: a label that the model excludes must keep a likelihood


@dataclass(frozen=True)
class LabelNoise:
    """The share of wrong labels, how over-confident the model is, and the probability that each label is wrong."""

    rate: Estimate
    temperature: float  # 1 / s, fitted together with the rate: what p_mislabelled divides the evidence by
    p_mislabelled: Floats  # (n,)
    strength: Estimate  # the power s that makes the evidence honest about the labels as they are: that of eps = 0


def label_noise(
    log_posterior: Array, codes: Array, weight: Array | None = None, confidence: float = 0.95
) -> LabelNoise:
    """From log posteriors (n, k) of rows under models that have not seen them, and the codes of their labels (n,).

    A row whose label no other row has cannot be judged: it is left out of the fit, and its probability of being
    mislabelled is what is expected of the rate. Of more than 50,000 rows of two classes, fewer of more, the fit is that
    of so many drawn by chance: the n of the rate.

    >>> rng = np.random.default_rng(0)
    >>> x, true = rng.normal(size=400) * 6, np.zeros(400, dtype=int)
    >>> true[rng.random(400) < 1 / (1 + np.exp(-x))] = 1
    >>> labels = np.where(rng.random(400) < 0.1, 1 - true, true)
    >>> log_posterior = -np.logaddexp(0, np.column_stack([x, -x]))
    >>> 0.1 in label_noise(log_posterior, labels).rate
    True
    """
    odds = _log_odds_against(log_posterior, codes)
    k = odds.shape[1] + 1
    quantile = normal_quantile(confidence)
    alone = np.bincount(codes, weights=None if weight is None else weight > 0, minlength=k)[codes] <= 1
    share = (~alone).astype(np.float64) if weight is None else np.where(alone, 0.0, weight)
    if not share.any():
        unknown = Estimate(nan, 0.0, (k - 1) / k, confidence, _METHOD, 0, note="no two rows have the same label")
        return LabelNoise(unknown, nan, np.full(len(codes), nan), replace(unknown, high=inf))
    used = _some_of(np.flatnonzero(share > 0), k)
    rows = float(share[used].sum() ** 2 / (share[used] @ share[used]))
    said = _Said.of(odds, codes, share)
    fit = _Fit.of(said.taken(used), share[used] * (rows / share[used].sum()))
    rate, log_exponent, best = fit.maximum()
    high = fit.profile_end(rate, best - quantile**2 / 2)
    estimate = Estimate(rate, 0.0, max(high, rate), confidence, _METHOD, rows, note=_BOUND)
    rates, exponents, trust = fit.plausible(rate, best)
    wrong = np.zeros(len(codes))
    for at, exponent, share_of_belief in zip(rates, exponents, trust, strict=True):
        wrong += share_of_belief * _probability_of_wrong(said.own_posterior(exponent, at), at, k)
    strength = fit.strength(confidence, rows)
    return LabelNoise(estimate, exp(-log_exponent), np.where(alone, float(rates @ trust), wrong), strength)


def _some_of(rows: Ints, k: int) -> Ints:
    """All rows, or as many of them by chance as two parameters can be learned from in a moment."""
    most = max(_MOST_CELLS // (k - 1), _COARSE)
    if len(rows) <= most:
        return rows
    return np.sort(np.random.default_rng(0).choice(rows, most, replace=False))


@dataclass(frozen=True)
class _Said:
    """What the columns say of each row, apart from the shares of the classes."""

    evidence: Floats  # (n, k - 1)  log p(other) / q(other) - log p(label) / q(label)
    codes: Array  # (n,)  of the labels
    share: Floats  # (k,)  q, half a row added to every class

    @classmethod
    def of(cls, odds: Floats, codes: Array, weight: Floats) -> Self:
        k = odds.shape[1] + 1
        q = np.bincount(codes, weights=weight, minlength=k) + 0.5
        return cls(odds - _against(np.log(q))[codes], codes, q / q.sum())

    def taken(self, rows: Ints) -> Self:
        return replace(self, evidence=self.evidence[rows], codes=self.codes[rows])

    def own_posterior(self, log_exponent: float, rate: float) -> Floats:
        """p_s of the label (n,)."""
        k = len(self.share)
        true = np.maximum(self.share - rate / (k - 1), self.share * _LEAST)  # its sum cancels in the odds
        ratio = np.minimum(_against(np.log(true))[self.codes] + exp(log_exponent) * self.evidence, _LARGEST)
        np.exp(ratio, out=ratio)
        return np.asarray(1.0 / (1.0 + ratio.sum(axis=1)))


@dataclass(frozen=True)
class _Fit:
    """The log likelihood of eps and s."""

    said: _Said
    weight: Floats  # (n,)
    coarse: Ints  # rows by which the hill of s is found

    @classmethod
    def of(cls, said: _Said, weight: Floats) -> Self:
        return cls(said, weight, _evenly(len(weight), _COARSE))

    @property
    def highest(self) -> float:
        k = len(self.said.share)
        return (k - 1) / k

    def maximum(self) -> tuple[float, float, float]:
        """Eps, the log of s and the log likelihood, where it is largest."""
        from scipy.optimize import minimize_scalar

        rates = np.concatenate([[_LEAST], self.highest * _STEPS])
        heights = np.array([self.profile(rate) for rate in rates.tolist()])
        place = int(np.argmax(heights >= heights.max() - _ALIKE))
        bounds = rates[max(place - 1, 0)], rates[min(place + 1, len(rates) - 1)]
        found = minimize_scalar(lambda at: -self.profile(at), bounds=bounds, method="bounded", options={"xatol": 1e-6})
        rate = float(found.x)
        if self.profile(_LEAST) >= -found.fun - _ALIKE:
            rate = _LEAST
        log_exponent, best = self._profiled(rate, 1e-6)
        return (0.0 if rate == _LEAST else rate), log_exponent, best

    def profile(self, rate: float) -> float:
        """The log likelihood of eps with the s that suits it best."""
        return self._profiled(rate)[1]

    def plausible(self, rate: float, best: float) -> tuple[Floats, Floats, Floats]:
        """Values of eps that the rows leave open, the log of s that goes with each, and what each is believed."""
        last = self.profile_end(rate, best - _UNBELIEVED)
        first = 0.0
        if rate > 0 and self.profile(_LEAST) < best - _UNBELIEVED:
            first = rate - min(rate, last - rate)  # about as far below the best as above it
        rates = np.linspace(first, last, _RATES) if last > first else np.array([rate])
        found = [self._profiled(at) for at in rates.tolist()]
        height = np.array([one[1] for one in found]) - rates / _USUAL
        belief = np.exp(height - height.max())
        if len(rates) > 1:
            belief[[0, -1]] /= 2  # the trapezoidal rule
        return rates, np.array([one[0] for one in found]), np.asarray(belief / belief.sum())

    def profile_end(self, rate: float, level: float) -> float:
        """Where between the best eps and the highest the profile falls to `level`; the highest if it does not."""
        from scipy.optimize import brentq

        if self.highest == rate or self.profile(self.highest) >= level:
            return self.highest
        return float(brentq(lambda at: self.profile(at) - level, rate, self.highest, xtol=1e-7, rtol=1e-4))

    def strength(self, confidence: float, rows: float) -> Estimate:
        """The s that suits the labels best were none of them wrong, with its likelihood interval."""
        log_exponent, best = self._profiled(_LEAST, 1e-6)
        low, high = self.exponent_ends(_LEAST, log_exponent, best - normal_quantile(confidence) ** 2 / 2)
        return Estimate(exp(log_exponent), exp(low), exp(high), confidence, "likelihood, no label wrong", rows)

    def exponent_ends(self, rate: float, log_exponent: float, level: float) -> tuple[float, float]:
        """Between which logs of s the log likelihood at this eps stays above `level`, as far as s is sought."""
        from scipy.optimize import brentq

        def above(at: float) -> float:
            return _log_likelihood(self.said, self.weight, at, rate) - level

        ends = []
        for edge in (float(_GRID[0]), float(_GRID[-1])):
            inside = above(edge) >= 0 or above(log_exponent) <= 0
            ends.append(edge if inside else float(brentq(above, edge, log_exponent, xtol=1e-4)))
        return min(ends[0], log_exponent), max(ends[1], log_exponent)

    def _profiled(self, rate: float, tolerance: float = 1e-3) -> tuple[float, float]:
        """The log of the s that suits eps best, and their log likelihood.

        A coarse grid of some rows finds the hill, as there may be two.
        """
        from scipy.optimize import minimize_scalar

        some, weight = self.said.taken(self.coarse), self.weight[self.coarse]
        place = int(np.argmax([_log_likelihood(some, weight, at, rate) for at in _GRID]))
        bounds = _GRID[max(place - 1, 0)], _GRID[min(place + 1, len(_GRID) - 1)]

        def loss(log_exponent: float) -> float:
            return -_log_likelihood(self.said, self.weight, log_exponent, rate)

        found = minimize_scalar(loss, bounds=bounds, method="bounded", options={"xatol": tolerance})
        return float(found.x), float(-found.fun)


def _log_likelihood(said: _Said, weight: Floats, log_exponent: float, rate: float) -> float:
    own, rate = said.own_posterior(log_exponent, rate), max(rate, _LEAST)
    return float(weight @ np.log((1 - rate) * own + rate * (1 - own) / said.evidence.shape[1]))


def _evenly(n: int, most: int) -> Ints:
    return np.unique(np.linspace(0, n - 1, min(n, most)).round().astype(np.int64))


def _log_odds_against(log_posterior: Array, codes: Array) -> Floats:
    """The difference log p(other) - log p(label) of each other class (n, k - 1); large numbers for infinite ones."""
    log_p = np.asarray(log_posterior, dtype=np.float64)
    if log_p.ndim != 2 or len(log_p) != len(codes) or log_p.shape[1] < 2:
        raise InputError(f"expected log posteriors of {len(codes)} rows and two classes or more, got {log_p.shape}")
    n, k = log_p.shape
    own = log_p[np.arange(n), codes]
    others = log_p[np.arange(k) != codes[:, None]].reshape(n, k - 1)
    with np.errstate(invalid="ignore"):
        odds = others - own[:, None]
    odds[np.isneginf(others)] = -inf  # also where the label is excluded too
    return np.asarray(np.clip(odds, -1e9, 1e9))


def _against(log_share: Floats) -> Floats:
    """Of each label the differences to the other classes (k, k - 1)."""
    k = len(log_share)
    others = np.broadcast_to(log_share, (k, k))[~np.eye(k, dtype=bool)].reshape(k, k - 1)
    return np.asarray(others - log_share[:, None])


def _probability_of_wrong(own: Floats, rate: float, k: int) -> Floats:
    swapped = rate * (1 - own) / (k - 1)
    return np.asarray(swapped / ((1 - rate) * own + swapped)) if rate > 0 else np.zeros(len(own))
