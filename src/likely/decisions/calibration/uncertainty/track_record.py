"""The track record of a calibrated model: how often what it said of rows that it had not seen came true.

Of every class the rows are sorted by the log-odds that were said of it, and cut into groups of equal size: the mean
log-odds, the rows and those of them that are of the class. A group is a single row as long as there are no more than
200. Records of different rows add up: groups are put in order and cut again.
"""

from dataclasses import dataclass, replace
from typing import ClassVar, Self

import numpy as np

from likely.decisions.calibration.uncertainty.answers import variance_of_answers
from likely.decisions.calibration.uncertainty.single_fit import NONE, SingleFit, variance_of_fits
from likely.models.held_out.weighing import as_rows
from likely.numeric.arrays import Array, Floats, Ints
from likely.numeric.logspace import all_log_odds, log_odds

GROUPS = 200
_SURE = 50.0  # log-odds beyond which nothing differs


@dataclass(frozen=True)
class TrackRecord:
    """What was said of each class by log-odds, and how often it came true.

    >>> said = np.log([[0.9, 0.1], [0.2, 0.8], [0.3, 0.7]])
    >>> record = TrackRecord.of(said, np.array([0, 1, 0]))
    >>> record.said[1].round(2), record.true[1], (record + record).rows.sum(axis=1)
    (array([-2.2 ,  0.85,  1.39]), array([0., 0., 1.]), array([6., 6.]))
    """

    said: Floats  # (k, m)  mean log-odds of each group, rising
    rows: Floats  # (k, m)  weight of each group
    true: Floats  # (k, m)  of which are of the class
    variance: float = 0.0  # of a single fit about the curve (`single_fit`), in squared nats of log-odds
    variance_error: float = 0.0  # its standard error; infinite: nothing is known
    answers: float = 0.0  # variance of answers about the curve of a class (`answers`), in squared nats
    answers_error: float = 0.0  # its standard error
    stored_as: ClassVar[str] = "TrackRecord"

    @classmethod
    def of(cls, log_posterior: Floats, codes: Ints, weight: Floats | None = None, fold: Ints | None = None) -> Self:
        """Of rows with log posteriors (n, k) and classes (n,); weights as of the maps.

        `fold` (n,) says which rows one fit judged; without it all were judged by the model that is asked.
        """
        k = log_posterior.shape[1]
        rows = np.ones(len(codes)) if weight is None else as_rows(weight)
        said = np.ascontiguousarray(np.clip(all_log_odds(log_posterior), -_SURE, _SURE).T)
        own = codes == np.arange(k)[:, None]
        record = cls._grouped(said, np.broadcast_to(rows, said.shape), np.where(own, rows, 0.0))
        apart = variance_of_answers(log_posterior, codes, fold)
        record = record.with_fits(NONE if fold is None else variance_of_fits(said, own, fold))
        return record.with_answers(apart)

    def __add__(self, other: Self) -> Self:
        both = self._grouped(
            np.hstack([self.said, other.said]),
            np.hstack([self.rows, other.rows]),
            np.hstack([self.true, other.true]),
        )
        larger = self if self.n >= other.n else other
        return both.with_fits(larger.fits).with_answers(larger.apart)

    @property
    def fits(self) -> SingleFit:
        """How far single fits are from the curve."""
        return SingleFit(self.variance, self.variance_error)

    def with_fits(self, fits: SingleFit) -> Self:
        """The same rows, with what is known of single fits."""
        return replace(self, variance=fits.variance, variance_error=fits.error)

    @property
    def apart(self) -> SingleFit:
        """How far answers of several classes are from the curve of one."""
        return SingleFit(self.answers, self.answers_error)

    def with_answers(self, apart: SingleFit) -> Self:
        """The same rows, with what is known of answers."""
        return replace(self, answers=apart.variance, answers_error=apart.error)

    @property
    def classes(self) -> int:
        """How many classes the record is of."""
        return len(self.said)

    @property
    def n(self) -> float:
        """How many rows it is of."""
        return float(self.rows[0].sum())

    @classmethod
    def _grouped(cls, said: Floats, rows: Floats, true: Floats) -> Self:
        order = np.argsort(said, axis=1, kind="stable")
        said, rows, true = (np.take_along_axis(x, order, axis=1) for x in (said, rows, true))
        if said.shape[1] <= GROUPS:
            return cls(said, rows, true)
        parts = [_cut(*each) for each in zip(said, rows, true, strict=True)]
        mean, weight, own = (np.array(each) for each in zip(*parts, strict=True))
        return cls(mean, weight, own)


def said_log_odds(log_posterior: Floats, place: int) -> Floats:
    """Log-odds of a class against all others (n,), finite."""
    members: Array = np.full(len(log_posterior), place)
    return np.clip(log_odds(log_posterior, members), -_SURE, _SURE)


def _cut(said: Floats, rows: Floats, true: Floats) -> tuple[Floats, Floats, Floats]:
    """Sorted values as groups of about equal weight, each of at least one of them."""
    share = (np.cumsum(rows) - rows / 2) / rows.sum()
    group = np.minimum((share * GROUPS).astype(np.int64), GROUPS - 1)
    weight, own, odds = (np.asarray(np.bincount(group, x, GROUPS), np.float64) for x in (rows, true, rows * said))
    mean = odds / np.where(weight > 0, weight, 1.0)
    empty = weight == 0  # a heavy row fills several: they stand beside it and count nothing
    mean[empty] = np.interp(np.flatnonzero(empty), np.flatnonzero(~empty), mean[~empty])
    return mean, weight, own
