"""How large a calibration error can be, given the one that was found: tests of what the true shares may be.

If events come true in bin b with probability q_b, their number is binomial, and the plain error found from such numbers
has a law that can be drawn from. An error is possible if the plain error that was found lies between the quantiles
a / 2 and 1 - a / 2 of that law, and the interval holds all that are. Of the many q with the same error three lines are
tried, all from the probabilities p that were said, where the error is 0 and events vary by p (1 - p):

    the gaps found          q = p + s (o - p)          the same bins are off by more or by less, o the shares found
    gaps of one size        q = p +- s sqrt(p (1 - p)) all bins are off alike, to the side where they were found: little
                                                       of such gaps is chance, and none of them cancels
    mistakes not yet seen   q = p + s (1 - 2p)         events happen against what was said; o cannot show it if p is
                                                       0 or 1 in almost every row

The value is the error, on the first line, at which the plain error is on average the one that was found: 0 where right
probabilities would do as badly. What chance alone makes is so taken out (Broecker and Smith 2007 draw the same null).

Where less was found than right probabilities show by chance (of rows that a map was fitted to), hardly any error would
be possible by this, and so many rows cannot tell so little: the upper end is that of what right probabilities show at
one deviation below their median (a power-constrained limit: Cowan, Cranmer, Gross and Vitells 2011), and at the least
that of mistakes of which none was seen.

Coverage stands in docs/coverage.md: of an error of 0, 97.5 % by construction, whatever the number of rows.
"""

from math import sqrt
from typing import Literal, NamedTuple, TypeAlias

import numpy as np

from likely.decisions.calibration.reliability import Bins
from likely.numeric.arrays import Floats, Ints

Norm: TypeAlias = Literal["l1", "l2"]

_DRAWS = 500
_STEPS = 12  # along a line, from no error to more than can be
_BELOW = 0.1587  # of a normal law lies more than one deviation below the median


class ErrorRange(NamedTuple):
    """A calibration error with the ends of its interval."""

    value: float
    low: float
    high: float


def error_range(bins: Bins, norm: Norm, confidence: float) -> ErrorRange:
    """The calibration error of some bins, without what chance makes, and between which ends it lies.

    >>> p = np.repeat([0.1, 0.4, 0.8], 100)
    >>> event = np.concatenate([np.arange(100) < count for count in (10, 42, 79)])
    >>> found = error_range(Bins.of(p, event, None, np.linspace(0, 1, 4)), "l1", 0.95)
    >>> found.value, found.low, found.high < 0.08
    (0.0, 0.0, True)
    """
    found = float(plain_error(bins.share, bins, norm))
    gap = bins.share - bins.probability
    alike = np.sign(gap) * np.sqrt(bins.probability * (1 - bins.probability))
    away = 1 - 2 * bins.probability
    lines = [_line(bins, way, norm, found) for way in (gap, alike, away) if np.abs(way).any()]
    tail = (1 - confidence) / 2
    lows, highs = [], []
    for line in lines:
        below, above = np.quantile(line.drawn, [tail, 1 - tail], axis=1)
        lows.append(_crossing(line.error, above, found, first=True))
        highs.append(_crossing(line.error, below, max(found, float(np.quantile(line.drawn[0], _BELOW))), first=False))
    if not lines:  # all probabilities are 1/2 and half of the events came true
        return ErrorRange(0.0, 0.0, 0.5)
    value = _crossing(lines[0].error, lines[0].drawn.mean(axis=1), found, first=True)
    unseen = 1 - tail ** (1 / max(float(bins.rows.sum()), 1.0))  # mistakes that so many rows need not have shown
    low, high = min(lows), max([*highs, unseen])
    return ErrorRange(min(max(value, low), high), low, high)


def plain_error(share: Floats, bins: Bins, norm: Norm) -> Floats:
    """The error of shares of events (..., b) in the bins, l1 or l2."""
    weight, gap = bins.weight / bins.weight.sum(), np.abs(share - bins.probability)
    return np.asarray(gap @ weight if norm == "l1" else np.sqrt(gap**2 @ weight))[()]


class _Line(NamedTuple):
    error: Floats  # (s,)  true errors along the line, rising
    drawn: Floats  # (s, draws)  plain errors of numbers of events drawn at each


def _line(bins: Bins, way: Floats, norm: Norm, found: float) -> _Line:
    p, rows = bins.probability, np.maximum(np.rint(bins.rows), 1).astype(np.int64)
    reach = found + 8 * sqrt(0.25 / rows.sum()) + 6 / rows.sum()
    size = float(plain_error(p + way, bins, norm))
    step = reach / size * np.linspace(0, 1, _STEPS) ** 1.5  # closer together where errors are small
    q = np.clip(p + step[:, None] * way, 0.0, 1.0)
    return _Line(plain_error(q, bins, norm), plain_error(_events(rows, q).transpose(0, 2, 1) / rows, bins, norm))


def _events(rows: Ints, q: Floats) -> Floats:
    """Numbers of events (s, b, draws) of so many rows (b,), which come true with probability q (s, b).

    The normal law, in whole numbers, where rows q (1 - q) >= 5, from the same draws for all steps.
    """
    rng = np.random.default_rng(0)
    mean, variance = rows * q, rows * q * (1 - q)
    normal = rng.standard_normal((len(rows), _DRAWS))
    out = np.rint(mean[:, :, None] + np.sqrt(variance)[:, :, None] * normal)
    step, b = np.nonzero(variance < 5)
    out[step, b] = rng.binomial(rows[b][:, None], q[step, b][:, None], (len(b), _DRAWS))
    return np.clip(out, 0, rows[:, None])


def _crossing(error: Floats, at: Floats, found: float, first: bool) -> float:
    """The error at which a rising curve reaches what was found: at the first step that does, or after the last below.

    Errors of which nothing is found by chance end the line.
    """
    at = np.maximum.accumulate(at)
    if first:
        if at[0] >= found:
            return 0.0
        k = int(np.argmax(at >= found)) if (at >= found).any() else len(at) - 1
    else:
        if at[-1] <= found:
            return float(error[-1])
        k = int(np.argmax(at > found))
        if k == 0:
            return 0.0
    rise = at[k] - at[k - 1]
    share = min(max((found - at[k - 1]) / rise, 0.0), 1.0) if rise > 0 else 1.0
    return float(error[k - 1] + share * (error[k] - error[k - 1]))
