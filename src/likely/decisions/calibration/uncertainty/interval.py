"""Intervals of calibrated probabilities: how often rows come true of which a model says what it says of this one.

    what is said of the row  ->  the calibration curve of rows left out, drawn  ->  how often that comes true

The interval holds three things: what the map from scores to probabilities could be, being learned from so many rows;
how far the probabilities of rows left out were measured to be off, whatever the map's form (`curve`); and what another
fit would have said: where the model inside knows how unsure its parameters are, by draws of them, else by how far fits
were seen to be from their common curve (`single_fit`, which has figures of trees). So it does not take the model for
true. Where the features depend on each other or tails are heavy it is as wide as the rows left out call for.

Curves go on as they began, and rows that were all right leave a slope open upwards alone. So no end is surer than so
many rows can show whatever the form: of n rows without a counterexample a chance may still be 1 - (a/2)^(1/n), with
1 - a the confidence (Clopper and Pearson's limit). And where no row that was at least as sure was a counterexample,
nothing speaks against certainty, and the near end is 0 or 1.

What it should hold is the frequency among rows that get the same answer. Simulated at 95 % (`docs/coverage.md` has the
table), it does so on average over rows, with models that are true, with six features that all but repeat each other and
with heavy tails taken for normal, from 30 rows up; the interval of the parameters alone in 4 to 35 of 100 where
features repeat each other. Where the model is true both what is not known of the map and of the parameters is counted,
and it holds more often than it says. The probability of the single row, given all its features, it holds where the
model ranks rows rightly: no calibration sees what the score leaves out.

Of more than two classes each class has its own curve, against all others, and where whole answers repeat, the interval
holds how far they are from it (`answers`). The ends take in the probability that is
said. Another prior moves its log-odds by as much as it moves those that are said.
"""

import numpy as np
from scipy.special import expit

from likely.decisions.calibration.uncertainty.answers import about
from likely.decisions.calibration.uncertainty.curve import CurveDraws
from likely.decisions.calibration.uncertainty.single_fit import NONE, SingleFit
from likely.decisions.calibration.uncertainty.track_record import TrackRecord, said_log_odds
from likely.models.any_classifier.drawn import ends_of
from likely.models.any_classifier.outcome import difference
from likely.numeric.arrays import Array, Floats
from likely.numeric.logspace import log_odds
from likely.numeric.random_state import Seed, as_generator

_DRAWN = 2**22  # probabilities (rows, draws, classes) held at a time


class CurvesOfClasses:
    """Drawn calibration curves of every class, and the intervals that they make of what is said."""

    def __init__(
        self,
        record: TrackRecord,
        draws: int,
        random_state: Seed,
        log_shift: Floats | None,
        fits: SingleFit | None = None,
    ) -> None:
        """`fits`: how far the model's fit may be from the curve; None: as far as the record says."""
        rng = as_generator(random_state)
        two = record.classes == 2  # the curve of the second class is that of the first, turned around
        self._of = [
            CurveDraws.of(record.said[c], record.rows[c], record.true[c], draws, rng)
            for c in range(1 if two else 0, record.classes)
        ]
        self._record, self._draws, self._log_shift = record, draws, log_shift
        fits = record.fits if fits is None else fits
        self._apart = [fits.drawn(draws, rng) for _ in self._of]
        self._answers = None if record.apart == NONE else [_drawn(record.apart, draws, rng) for _ in self._of]

    def ends(self, log_posterior: Floats, own: Floats, confidence: float) -> Floats:
        """Intervals (n, k, 2) where log posteriors (n, k), or under each draw (n, draws, k), are said.

        `own` (n, k) is what the model says of the rows, by which is told how sure it is of each.
        """
        size = max(1, _DRAWN // (self._draws * log_posterior.shape[-1]))
        parts = [log_posterior[i : i + size] for i in range(0, len(log_posterior), size)]
        found = np.concatenate([ends_of(self.drawn(part), confidence) for part in parts])
        return self._borne_out(found, own, confidence)

    def _borne_out(self, ends: Floats, own: Floats, confidence: float) -> Floats:
        """Intervals (n, k, 2) no surer than the rows of the record can show."""
        k, record = own.shape[-1], self._record
        tail, places = (1 - confidence) / 2, range(k - len(self._of), k)
        out = ends.copy()
        for c in places:
            said, moved = said_log_odds(own, c), self._moved_by(own, c)
            for side, sign in ((1, 1.0), (0, -1.0)):  # a chance that is small, and a large one turned around
                counter = record.true[c] if side else record.rows[c] - record.true[c]
                first = (sign * record.said[c])[counter > 0].min(initial=np.inf)
                limit = expit(sign * moved + _log_odds_of_none(record.n, tail))
                far, near = (out[:, c, 1], out[:, c, 0]) if side else (1 - out[:, c, 0], 1 - out[:, c, 1])
                far, near = np.maximum(far, limit), np.where(sign * said < first, 0.0, near)
                out[:, c] = np.stack([near, far] if side else [1 - far, 1 - near], axis=-1)
        if k > len(places):
            out[:, 0] = 1 - out[:, 1, ::-1]
        return out

    def drawn(self, log_posterior: Floats) -> Floats:
        """Probabilities (n, draws, k)."""
        k = log_posterior.shape[-1]
        flat, shape = log_posterior.reshape(-1, k), log_posterior.shape[:-1]
        odds = []
        for c, curve, apart in zip(range(k - len(self._of), k), self._of, self._apart, strict=True):
            found = curve.at(said_log_odds(flat, c).reshape(shape)) + apart
            if self._answers is not None:
                found = about(found, *self._answers[c])
            moved = self._moved_by(flat, c).reshape(shape)
            found = found + (moved if moved.ndim == 2 else moved[:, None])
            odds.append(found)
        return np.asarray(expit(np.stack([-odds[0], *odds] if len(self._of) < k else odds, axis=-1)))

    def _moved_by(self, log_posterior: Floats, place: int) -> Floats:
        """By how much another prior moves the log-odds of a class (n,); the others stand to each other as is said."""
        if self._log_shift is None:
            return np.zeros(len(log_posterior))
        members: Array = np.full(len(log_posterior), place)
        return difference(log_odds(log_posterior + self._log_shift, members), log_odds(log_posterior, members))


def _drawn(apart: SingleFit, draws: int, rng: np.random.Generator) -> tuple[Floats, Floats]:
    """How far answers are from the curve in each draw, and by how much this one is."""
    deviation = apart.deviations(draws, rng)
    return deviation, np.asarray(deviation * rng.standard_normal(draws))


def _log_odds_of_none(rows: float, tail: float) -> float:
    """Log-odds of the largest chance under which none of so many rows has a probability of `tail`."""
    log_rest = np.log(tail) / max(rows, 1.0)  # of the chance not to be
    return float(np.log(-np.expm1(log_rest)) - log_rest)
