"""What became of a model's posterior on its way to the answer, so that the answer can be explained by the model.

    log p'(k | x) = slope log p(k | x) + offset_k + what is left, normalised

Temperature and logistic calibration and another prior are a slope and offsets, and leave nothing: evidence goes through
them exactly, every log likelihood times the slope, every log prior times the slope plus the offset. Other maps (beta,
isotonic) have a slope and offsets that come near; what these leave is a term of its own.
"""

from collections.abc import Hashable
from dataclasses import dataclass
from typing import Any

import numpy as np

from likely.data.inputs import suggest
from likely.errors import InputError
from likely.numeric.arrays import Array, Floats
from likely.numeric.logspace import log_odds

_ROUNDING = 1e-10  # of the odds, below which nothing is left
_SUM_ROUNDING = 1e-13  # of the terms that were added up
_BEYOND = 1e3  # times the odds: terms that a map has held back
_BEYOND_DIGITS = 1e6  # times the odds: terms of which nothing can be read but their proportions


@dataclass(frozen=True)
class Rescaling:
    """A slope for the log posterior and an offset per class."""

    slope: float
    offset: Floats  # (k,)

    def after(self, earlier: "Rescaling") -> "Rescaling":
        """Both, the earlier one first.

        >>> Rescaling(0.5, np.array([0.0, 1.0])).after(Rescaling(2.0, np.array([3.0, 0.0])))
        Rescaling(slope=1.0, offset=array([1.5, 1. ]))
        """
        return Rescaling(self.slope * earlier.slope, _times(self.slope, earlier.offset) + self.offset)

    def terms(self, log_likelihood: Floats) -> Floats:
        """Log likelihoods as they count in the end."""
        return _times(self.slope, log_likelihood)

    def prior(self, log_prior: Floats) -> Floats:
        """Log priors (..., k) as they count in the end."""
        return _times(self.slope, log_prior) + self.offset


@dataclass(frozen=True)
class Outcome:
    """The posterior that is printed for rows, the class that is said of each, and how both came of the model inside."""

    log_posterior: Floats  # (n, k)
    member: Array  # (n,)  place of the class spoken for
    other: int | None  # place of the class spoken against; None: all others together
    rescaling: Rescaling

    @property
    def log2_odds(self) -> Floats:
        """Of the class spoken for against the other, or against the rest (n,): what the evidence must add up to."""
        if self.other is None:
            odds = log_odds(self.log_posterior, self.member)
        else:
            rows = np.arange(len(self.member))
            odds = difference(self.log_posterior[rows, self.member], self.log_posterior[:, self.other])
        return np.asarray(odds / np.log(2.0))


def reconciled(prior: Floats, bits: Floats, log2_odds: Floats) -> tuple[Floats, Floats, Floats, Array]:
    """Prior (n,) and bits (n, d) with what they leave of the log2 odds (n,), and which rows they explain only nearly.

    Where the odds are finite although some terms are not (a map holds certainty back), these share equally what the
    others leave. Where terms are a thousand times what the map leaves of them, and do not add up to it, the bits are
    scaled down to it: else what is left would be the difference of two numbers that have no digits for it.

    >>> prior, bits, left, nearly = reconciled(np.zeros(2), np.array([[1.0, 2.0], [1.0, np.inf]]), np.array([3.5, 4.0]))
    >>> bits.tolist(), left.tolist(), nearly.tolist()
    ([[1.0, 2.0], [1.0, 3.0]], [0.5, 0.0], [True, True])
    >>> reconciled(np.zeros(1), np.array([[3e19, 1e19]]), np.array([20.0]))[1].tolist()
    [[15.0, 5.0]]
    """
    steps = np.column_stack([prior, bits])
    borne = np.isfinite(log2_odds)
    unit = 1.0 + np.where(borne, np.abs(log2_odds), 0.0)
    wild = borne & ~np.isfinite(steps).all(axis=1)
    if wild.any():
        steps[wild] = _shared(steps[wild], log2_odds[wild], unit[wild])
    said = np.where(np.isfinite(steps), np.abs(steps), 0.0).sum(axis=1)
    left = difference(log2_odds, steps.sum(axis=1))
    off = np.abs(left) > _ROUNDING * unit + _SUM_ROUNDING * said
    far = borne & ((said > _BEYOND_DIGITS * unit) | (off & (said > _BEYOND * unit)))
    if far.any():
        steps[far] = _scaled_down(steps[far], log2_odds[far], unit[far])
        left[far] = log2_odds[far] - steps[far].sum(axis=1)
        off[far] = np.abs(left[far]) > _ROUNDING * unit[far]
    lost = np.flatnonzero(borne & ~off & (np.abs(left) > _ROUNDING * unit))  # by adding up terms that nearly cancel
    steps[lost, np.abs(steps[lost]).argmax(axis=1)] += left[lost]
    left = np.where(off, left, 0.0)
    return steps[:, 0], steps[:, 1:], left, wild | far | (left != 0)


def _shared(steps: Floats, log2_odds: Floats, unit: Floats) -> Floats:
    """Terms (n, 1 + d) of which the endless share equally what the others leave, and the far ones with them."""
    with np.errstate(invalid="ignore"):
        endless = ~(np.abs(steps) <= _BEYOND * unit[:, None])
    rest = log2_odds - np.where(endless, 0.0, steps).sum(axis=1)
    return np.where(endless, (rest / endless.sum(axis=1))[:, None], steps)


def _scaled_down(steps: Floats, log2_odds: Floats, unit: Floats) -> Floats:
    """Terms (n, 1 + d) whose bits add up to the odds less the prior; where these contradict it, of that size only."""
    bits = steps[:, 1:]
    largest = np.maximum(np.abs(bits).max(axis=1), np.finfo(np.float64).tiny)[:, None]
    relative = bits / largest  # no sum overflows
    total, size = relative.sum(axis=1), np.abs(relative).sum(axis=1)
    with np.errstate(divide="ignore", invalid="ignore"):
        scale = (log2_odds - steps[:, 0]) / total
        agree = (scale >= 0) & (scale * size <= _BEYOND * unit)
    scale = np.where(agree, scale, unit / np.maximum(size, 1.0))
    return np.column_stack([steps[:, 0], relative * scale[:, None]])


def difference(a: Any, b: Any) -> Floats:
    """The difference a - b; 0 where both are minus infinity: what is impossible either way speaks for neither."""
    with np.errstate(invalid="ignore"):
        found = np.asarray(a - b)
    return np.where(np.isnan(found), 0.0, found)


def sides(classes: Array, for_class: Hashable, against: Hashable) -> tuple[int | None, int | None]:
    """The numbers of the class that evidence is asked for and of the one against it; None: not named."""
    if len(classes) < 2:
        raise InputError("evidence speaks for one class against others, and this model knows only one class")
    chosen = None if for_class is None else place_of(for_class, classes)
    other = None if against is None else place_of(against, classes)
    if other is not None and other == chosen:
        raise InputError(f"evidence for {for_class!r} against itself is always 0 bits; name two classes")
    return chosen, other


def spoken_for(log_posterior: Floats, said: Array, own: int | None, other: int | None) -> Array:
    """The class of each row that evidence speaks for (n,): the one named, else the one said.

    Where that is the one spoken against, it is the best of the others.

    >>> spoken_for(np.log([[0.7, 0.2, 0.1], [0.2, 0.7, 0.1]]), np.array([0, 1]), None, 0).tolist()
    [1, 1]
    """
    if own is not None:
        return np.full(len(said), own)
    if other is None:
        return said
    best = np.where(np.arange(log_posterior.shape[1]) == other, -np.inf, log_posterior).argmax(axis=1)
    best = np.where(best == other, int(other == 0), best)  # where all others are impossible
    return np.where(said == other, best, said)


def place_of(name: Hashable, classes: Array) -> int:
    """The number of a class."""
    at = np.flatnonzero(classes == name)
    if not len(at):
        raise InputError(f"{name!r} is no class of this model{suggest(name, classes.tolist())}")
    return int(at[0])


def _times(slope: float, x: Floats) -> Floats:
    """A slope of 0 makes nothing of everything, also of infinity."""
    return np.zeros_like(x) if slope == 0 else np.asarray(x * slope)
