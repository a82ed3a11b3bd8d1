"""Candidates judged on the same rows and folds, as far as the time allows.

Every entry keeps its cross-validation, or the reason why it has none. A model that learns in one pass is never
refitted; of any other one fold is timed first, and the model is left out if all its folds would not be done in time.
Candidates are compared calibrated, as they would be used (`calibrating`); the baseline and yardsticks as they are.
"""

import time
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from likely.errors import LikelyError
from likely.evaluation.resampling.cross_validation import CrossValidation, judged_on
from likely.models.any_classifier.asking import Training, fitted_clone, take
from likely.models.baseline.majority import MajorityClassifier
from likely.models.held_out.exact_or_refit import HeldOut
from likely.models.held_out.refitting import verdict_of
from likely.models.roster import Candidate
from likely.numeric.arrays import Ints
from likely.reports.choosing.calibrating import AS_IT_IS, Way, as_it_is, calibrations
from likely.reports.choosing.choice import CRITERION, Choice
from likely.reports.choosing.clock import Clock

BASELINE = "majority"


@dataclass(frozen=True)
class Entry:
    """A candidate and how it did."""

    name: str
    rank: int
    words: str
    model: Any
    ways: tuple[Way, ...]  # to calibrate it, its own probabilities first; none: it was not judged
    calibration: Choice | None
    seconds: float
    left_out: str = ""  # why it was not judged
    yardstick: bool = False  # shown for comparison, never chosen
    untried: tuple[str, ...] = ()  # ways to calibrate it for which there was no time

    @property
    def judged(self) -> bool:
        return bool(self.ways)

    @property
    def way(self) -> Way:
        """The way in which the candidate would be used."""
        assert self.calibration is not None
        return next(way for way in self.ways if way.name == self.calibration.chosen)

    @property
    def calibrated_by(self) -> str | None:
        """The method of calibration; None: its own probabilities."""
        return None if not self.judged or self.way.name == AS_IT_IS else self.way.name

    @property
    def result(self) -> CrossValidation:
        """Its cross-validation in the way in which it would be used."""
        return self.way.result


def baseline() -> Candidate:
    """What every model must beat."""
    return Candidate(
        BASELINE, 0, "always the commonest class; its probabilities are the classes' shares", MajorityClassifier()
    )


def judge(
    entrants: Sequence[tuple[Candidate, bool]],
    data: Training,
    folds: Ints,
    clock: Clock,
    seed: int = 0,
    report: Callable[[str], None] = lambda name: None,
) -> tuple[Entry, ...]:
    """Cross-validate candidates, each with whether it is a yardstick, in order; `report` hears what comes next."""
    entries = []
    table = None
    for candidate, yardstick in entrants:
        report(candidate.name)
        held = HeldOut(candidate.model, data, table)
        entries.append(_judged(candidate, yardstick, held, folds, clock, seed))
        table = vars(held).get("table") or table  # if it was asked for: one that had no time is not encoded
    return tuple(entries)


def judged(entries: Iterable[Entry], yardsticks: bool = False) -> dict[str, CrossValidation]:
    """The results by name, of the candidates or of the yardsticks too, of those that were judged."""
    return {entry.name: entry.result for entry in entries if entry.judged and (yardsticks or not entry.yardstick)}


def _judged(candidate: Candidate, yardstick: bool, held: HeldOut, folds: Ints, clock: Clock, seed: int) -> Entry:
    name, rank, words, model = candidate
    data = held.data
    begin = time.monotonic()

    def left_out(reason: str) -> Entry:
        return Entry(name, rank, words, model, (), None, time.monotonic() - begin, reason, yardstick)

    if name != BASELINE and not clock.allows():
        return left_out("no time left")
    try:
        if name != BASELINE and not hasattr(model, "out_of_fold"):
            seconds = _one_fold(model, data, folds) * int(folds.max() + 1) * len(folds)
            if not clock.allows(seconds):
                return left_out(f"would take about {seconds:.0f} s, more than the time that is left")
        result = replace(judged_on(held, folds), held_out=HeldOut(model, data))  # which keeps no table
        if not np.isfinite(result.scores(CRITERION)).all():
            return left_out("gave a class that came true the probability 0, so its log score is infinite")
        plain = yardstick or name == BASELINE
        found = as_it_is(model, result) if plain else calibrations(held, result, seed, clock)
    except LikelyError as wrong:
        return left_out(str(wrong))
    except (ValueError, ArithmeticError) as wrong:  # of a yardstick, in its own words
        if not yardstick:
            raise
        return left_out(str(wrong).splitlines()[0])
    seconds = time.monotonic() - begin
    return Entry(name, rank, words, model, found.ways, found.choice, seconds, "", yardstick, found.untried)


def _one_fold(model: Any, data: Training, folds: Ints) -> float:
    begin = time.monotonic()
    inside = folds[0] != 0
    fitted = fitted_clone(model, data.taken(np.flatnonzero(inside)))
    verdict_of(fitted, take(data.X, np.flatnonzero(~inside)), data.classes)
    return time.monotonic() - begin
