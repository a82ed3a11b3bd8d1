"""Scaling in log space: what logistic, beta and temperature calibration have in common.

    log p'(k | x) = a_k s_k(x) + b_k  minus the log of the sum over k of exp of the same,    s_k = log p(k | x)

They differ in what is free: one slope for all classes or one each, offsets or none. The parameters maximise the
likelihood of the labels by Newton's method: every step adds up loss, gradient and Hessian over the rows. Where offsets
are free their equations say that the probabilities of each class sum to its number of rows, and a free slope's that
sum (t - p) s = 0: both hold at the maximum.

When the scores separate the classes there is no maximum: the slope grows without end. Then the labels are softened as
Platt (1999) does, to (n_k + 1) / (n_k + 2) for the own class of the n_k rows of class k, the rest in equal parts for
the others, and the maximum of that is taken. (With a whole part for each of hundreds of others labels would say
nothing.) Softened labels and log odds in the hundreds do not go together: one row that the model was sure of then asks
for a slope near 0. Where scores are log posteriors there is a better way out, a prior of the parameters in their own
units, normal about no change at all:

    a_k ~ N(1, 1 / prior),   b_k ~ N(0, 1 / prior)

With a `prior` above 0 there is always one maximum, labels are never softened, and few rows change little. Slopes are
not negative then: a model that rows left out contradict has learned nothing, and is not right when turned around. (Of
noise it names the class that is the more frequent without the row, which is the wrong one: that is how it looks.) The
same goes for a decision function, which points to the second class; it has no unit for a prior, and `rising` alone
keeps its slope from falling below 0. A log posterior below -2 ln(n + 1), and below -25 in any case, then counts as
that: n rows cannot bear out more, and a model that is off by hundreds in a few of them would take the slope from all.

Whether two classes are separated is seen from the sorted scores, exactly; of more classes, from a search that runs away
to where the data say no more. n_k counts rows; with weights see `scores`. Scores that differ by less than 1e-290 count
as equal: their slope could not be written.

A model that was certain gives a score of minus infinity. It counts as one nat below the lowest finite one.
"""

from dataclasses import dataclass
from typing import Any, ClassVar, Self

import numpy as np
from numpy.typing import ArrayLike

from likely.decisions.calibration.maps.softmax_sums import sums_of_many, sums_of_one_slope, sums_of_two
from likely.decisions.calibration.scores import Scored, read_scores
from likely.errors import InputError
from likely.models.any_classifier.outcome import Rescaling
from likely.models.any_classifier.posteriors import log_posterior_of
from likely.models.held_out.weighing import borne_out
from likely.numeric.arrays import Array, Floats, Ints, PerRow, frozen
from likely.numeric.logspace import log_normalize
from likely.optimize.newton import newton
from likely.optimize.objectives import Expansion

_FAR = 1e300  # stands for an infinite score where training saw none
_ALIKE = 1e-290  # spread of scores below which they are equal
_ROUNDING = 1e-14  # of their mean
_STEPS = 100
_TOL = 1e-12  # of the slope of the mean loss
_GONE = 1e-9  # of the information at the start, below which nothing is left


@dataclass(frozen=True)
class Scaling:
    """A slope and an offset for the log posterior of each class."""

    tied: ClassVar[bool] = True  # one slope for all classes
    offsets: ClassVar[bool] = True  # free, else zero
    least_slope: ClassVar[float | None] = None

    slope: Floats  # (k,)  by which the log posterior of each class is multiplied
    offset: Floats  # (k,)  what is then added to it
    floor: float = -_FAR  # lowest log posterior; of two classes the lowest log-odds and, negated, the highest
    softened: bool = False  # whether the scores separated the classes, and the labels were softened

    @classmethod
    def fit(
        cls, score: ArrayLike, y: Any, sample_weight: PerRow = None, prior: float = 0.0, rising: bool = False
    ) -> Self:
        """From log-odds (n,) of two classes or log posteriors (n, k), and labels whose sorted names are the columns.

        The labels come second, as in scikit-learn's fit(X, y). `prior` is the precision of slopes about 1 and offsets
        about 0; 0 is maximum likelihood. With `rising`, or a prior, no slope is negative: it is known where the scores
        point.
        """
        if not 0 <= prior < np.inf:
            raise InputError(f"the precision of the prior is a finite number, not negative, got {prior}")
        data = Scored.of(score, y, sample_weight)
        floor = lowest_borne_out(data) if prior > 0 else lowest_of(data.score)
        columns = cls._columns(data.score, floor)
        problem = _Problem.of(columns, data, cls.tied, cls.offsets, prior)
        if prior > 0:
            return cls(*problem.restored(problem.maximise(False, 0.0)[0]), floor)
        least = 0.0 if rising else cls.least_slope
        softened = cls._has_no_maximum(data, columns, least)
        theta, ran_away = problem.maximise(softened, least)
        if ran_away and not softened and data.classes > 2:
            softened = True
            theta, _ = problem.maximise(softened, least)
        return cls(*problem.restored(theta), floor, softened)

    @property
    def classes(self) -> int:
        """How many classes the map is of."""
        return len(self.slope)

    @property
    def rescaling(self) -> Rescaling:
        """The one slope and the offsets; of slopes that differ, their mean, which leaves (a_k - mean) s_k."""
        return Rescaling(float(self.slope.mean()), self.offset)

    def log_posterior(self, score: ArrayLike) -> Floats:
        """Calibrated log posteriors (n, k), from scores (n,) of two classes or log posteriors (n, k)."""
        return log_normalize(self._joint(read_scores(score, self.classes)))

    def probability(self, score: ArrayLike) -> Floats:
        """Of the second of two classes (n,), or of every class (n, k)."""
        if self.classes > 2:
            return np.exp(self.log_posterior(score))
        from scipy.special import expit

        x = read_scores(score, self.classes)
        if not self.tied:
            joint = self._joint(x)
            return np.asarray(expit(joint[:, 1] - joint[:, 0]))
        odds = np.clip(x, self.floor, -self.floor)  # the other column is 0: see `_columns`
        with np.errstate(over="ignore"):
            odds *= self.slope[1]
            odds += self.offset[1] - self.offset[0]
        return np.asarray(expit(odds, out=odds))

    def _joint(self, x: Floats) -> Floats:
        """Log posteriors but for a term common to the classes (n, k), finite."""
        with np.errstate(over="ignore"):
            joint = self._columns(x, self.floor) * self.slope + self.offset
        return np.clip(joint, -_FAR, _FAR)

    @classmethod
    def _columns(cls, score: Floats, floor: float) -> Floats:
        """Finite scores of every class (n, k)."""
        if score.ndim == 2:
            return np.maximum(score, floor)
        if not cls.tied:
            return log_posterior_of(np.clip(score, floor, -floor))
        # with one slope only the difference counts, and 0 against the log-odds gives it without rounding
        columns = np.zeros((len(score), 2), order="F")
        np.clip(score, floor, -floor, out=columns[:, 1])
        return columns

    @classmethod
    def _has_no_maximum(cls, data: Scored, columns: Floats, least_slope: float | None) -> bool:
        """Whether the classes are separated, as far as the scores alone tell."""
        if not cls.offsets:
            return bool((_margin(columns, data.code) >= 0).all())
        if data.classes > 2 or data.score.min() == data.score.max():
            return False
        negative, positive = data.score[data.code == 0], data.score[data.code == 1]
        falling = least_slope is None and positive.max() <= negative.min()
        return bool(falling or negative.max() <= positive.min())


@dataclass(frozen=True)
class _Problem:
    """Standardised scores z = (s - centre) / unit, and how the free parameters make slopes and offsets of them."""

    z: Floats  # (n, k)  columns contiguous
    code: Ints  # (n,)
    weight: Floats  # (n,)
    centre: Floats  # (k,)
    unit: Floats  # (k,)
    design: Floats  # (2 k, parameters)  slopes, then offsets
    slopes: int  # how many of the parameters are slopes; they come first
    prior: float = 0.0  # precision of slopes about 1 and offsets about 0, in the units of the scores

    @classmethod
    def of(cls, s: Floats, data: Scored, tied: bool, offsets: bool, prior: float = 0.0) -> Self:
        k = s.shape[1]
        weight = np.ones(len(s)) if data.weight is None else data.weight
        total = weight.sum()
        z = np.array(s, order="F")  # sums over the rows of a column read memory in order
        centre = weight @ z / total if offsets else np.zeros(k)
        z -= centre
        size = np.maximum(np.maximum(z.max(axis=0), -z.min(axis=0)), np.finfo(np.float64).tiny)
        z /= size  # no square overflows
        z[:, size <= np.maximum(_ALIKE, _ROUNDING * np.abs(centre))] = 0.0  # what rounding left of equal scores
        spread = size * np.sqrt(weight @ np.square(z) / total)
        unit = np.full(k, spread.max()) if tied else spread
        unit = np.where(unit > 0, unit, 1.0)
        z *= size / unit
        slope = np.ones((k, 1)) if tied else np.eye(k)
        parts = [np.vstack([slope, np.zeros((k, slope.shape[1]))])]
        if offsets:
            parts.append(np.vstack([np.zeros((k, k)), np.eye(k)]))
        return cls(z, data.code, weight, centre, unit, np.hstack(parts), slope.shape[1], prior)

    def maximise(self, softened: bool, least_slope: float | None) -> tuple[Floats, bool]:
        """The best parameters, and whether there are none: the search ran away to where the data say no more.

        Slopes that would fall below the least are held there (Kull et al. 2017).
        """
        target = self._target(softened)
        held = np.zeros(self.design.shape[1], dtype=bool)
        while True:
            theta, ran_away = self._newton(target, held, least_slope or 0.0)
            if least_slope is None:
                return theta, ran_away
            below = ~held & (theta < least_slope) & (np.arange(len(theta)) < self.slopes)
            if not below.any():
                return theta, ran_away
            held |= below

    def restored(self, theta: Floats) -> tuple[Floats, Floats]:
        """Slopes and offsets for scores as they were; the offsets sum to zero."""
        k = len(self.unit)
        full = self.design @ theta
        slope = full[:k] / self.unit
        offset = full[k:] - slope * self.centre
        free = self.design.shape[1] > self.slopes
        return slope, np.asarray(offset - offset.mean() if free else np.zeros(k))

    def _newton(self, target: Floats, held: Array, least: float) -> tuple[Floats, bool]:
        free = self.design[:, ~held]
        theta = np.where(held, least, 0.0)
        if held.all():
            return theta, False
        start, total, curvatures = self.design @ theta, float(self.weight.sum()), []
        units = self._in_units()
        own, off = units @ free, self._unchanged() - units @ start

        def mean_loss(x: Floats) -> Expansion:
            loss, gradient, hessian = self._reduced(start + free @ x, free, target)
            if self.prior > 0:
                ask = own @ x - off
                loss += 0.5 * self.prior * float(ask @ ask)
                gradient, hessian = gradient + self.prior * (own.T @ ask), hessian + self.prior * (own.T @ own)
            curvatures.append(hessian / total)
            return Expansion(loss / total, gradient / total, curvatures[-1])

        theta[~held] = newton(mean_loss, theta[~held], tol=_TOL, max_iter=_STEPS, keep_points=False).point
        return theta, _vanished(curvatures[0], curvatures[-1])

    def _in_units(self) -> Floats:
        """What makes slopes and offsets for scores as they were of those for z; a slope that is shared counts once."""
        k = len(self.unit)
        slope = np.diag(1 / self.unit)
        offset = np.hstack([-np.diag(self.centre / self.unit), np.eye(k)])
        slopes = np.hstack([slope, np.zeros((k, k))])[: self.slopes]
        return np.vstack([slopes, offset - offset.mean(axis=0)])

    def _unchanged(self) -> Floats:
        """Slopes of 1 and offsets of 0."""
        return np.repeat([1.0, 0.0], [self.slopes, len(self.unit)])

    def _reduced(self, parameters: Floats, free: Floats, target: Floats) -> tuple[float, Floats, Floats]:
        """Loss, gradient and Hessian by the free parameters."""
        k = len(self.unit)
        if self.design.shape[1] == 1 and k > 2:  # one slope, which needs no matrix
            loss, first, second = sums_of_one_slope(self.z, self._aim(target), self.weight, parameters[0])
            return loss, np.array([first]), np.array([[second]])
        loss, gradient, hessian = self._pass(parameters, target)
        return loss, free.T @ gradient, free.T @ hessian @ free

    def _pass(self, parameters: Floats, target: Floats) -> tuple[float, Floats, Floats]:
        """Loss, gradient (2 k,) and Hessian (2 k, 2 k), summed over the rows."""
        k = len(self.unit)
        slope, offset = frozen(parameters[:k].copy()), frozen(parameters[k:].copy())
        rows = frozen(self.z), frozen(self.code), frozen(self.weight)
        add_up = sums_of_two if k == 2 else sums_of_many
        loss, gradient, hessian = add_up(*rows, slope, offset, frozen(target))
        return loss, gradient, hessian

    def _aim(self, target: Floats) -> Floats:
        """The mean of the scores of each row under its target (n,), in which all other classes are alike."""
        own, others = target[self.code, self.code], target[self.code, self.code - 1]
        score = self.z[np.arange(len(self.code)), self.code]
        return np.asarray(own * score + others * (self.z.sum(axis=1) - score))

    def _target(self, softened: bool) -> Floats:
        """What the rows of each class (first axis) should say of every class."""
        k = len(self.unit)
        if not softened:
            return np.eye(k)
        rows = np.bincount(self.code, weights=self.weight, minlength=k)[:, None]
        return np.where(np.eye(k, dtype=bool), (rows + 1) / (rows + 2), 1 / (rows + 2) / (k - 1))


def _vanished(before: Floats, after: Floats) -> bool:
    """Whether information that there was at the start is gone in some direction: the loss falls there without end."""
    values, axes = np.linalg.eigh(after)
    at_start = np.einsum("ij,ik,kj->j", axes, before, axes)
    known = at_start > 1e-9 * max(float(at_start.max()), np.finfo(np.float64).tiny)
    return bool((values[known] < _GONE * at_start[known]).any())


def lowest_borne_out(data: Scored) -> float:
    """The lowest log posterior that so many rows, with such scores, can bear out."""
    rows = len(data.score) if data.weight is None else float(data.weight.sum())
    return max(lowest_of(data.score), -borne_out(rows))


def lowest_of(score: Floats) -> float:
    """What stands for an infinite score: one nat below the lowest finite one; nothing where all are finite."""
    if np.isfinite(score).all():
        return -_FAR
    finite = score[np.isfinite(score)]
    lowest = -np.abs(finite).max() if score.ndim == 1 and len(finite) else finite.min(initial=0.0)
    return float(lowest - 1.0)


def _margin(score: Floats, code: Ints) -> Floats:
    """How far the own class is ahead of the best other."""
    rows = np.arange(len(code))
    others = score.copy()
    others[rows, code] = -np.inf
    return np.asarray(score[rows, code] - others.max(axis=1))
