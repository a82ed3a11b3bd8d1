"""Candidates judged on the same rows and folds, as far as the time allows.

Every entry keeps its cross-validation, or the reason why it has none. A model that learns in one pass is never
refitted. Where time is limited a candidate is judged on a few rows first, and one that is refitted on one fold, and it
is left out if all would not be done in time; the first that is judged tells how much of the time to keep for the
report. One that would take a great part of the time waits for the others, and what is done only once, compiling and
importing, is no part of what a candidate takes. Of a long table a candidate that is refitted has to show on one fold
that it is worth the others (`race`).
Candidates are compared calibrated, as they would be used (`calibrating`); the baseline and yardsticks as they are.

The rows as a model takes them, encoded once, are kept of the candidate that would be chosen so far and of the best, so
that the last fit need not read them again.
"""

import os
import time
from collections.abc import Callable, Iterable, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from typing import Any, NamedTuple

import numpy as np

from likely.errors import LikelyError
from likely.evaluation.evaluation import evaluate
from likely.evaluation.resampling.cross_validation import CrossValidation, judged_on
from likely.models.any_classifier.asking import Training, fitted_clone, take
from likely.models.baseline.majority import MajorityClassifier
from likely.models.held_out.exact_or_refit import HeldOut
from likely.models.held_out.refitting import verdict_of
from likely.models.roster import Candidate
from likely.models.traits.protocols import Learner
from likely.numeric.arrays import Ints
from likely.reports.choosing.calibrating import AS_IT_IS, Way, as_it_is, calibrations
from likely.reports.choosing.choice import CRITERION, POOL, Choice, choose
from likely.reports.choosing.clock import Clock
from likely.reports.choosing.race import beaten_by, races
from likely.reports.choosing.rehearsal import seconds_for_all, seconds_of_report

BASELINE = "majority"
LAST_FIT = "fitting the chosen model"
_FEW_ROWS = 2_000  # on which a yardstick is tried before a whole fold is
_WARM_ROWS = 100
_SHARE = 4.0  # a candidate that would take more than this part of the time left waits for the others
_FITS_OF_SUMS = 6  # the time that folds and calibration take a model that learns by sums


@dataclass(frozen=True)
class Entry:
    """A candidate and how it did."""

    name: str
    rank: int
    words: str
    model: Learner
    ways: tuple[Way, ...]  # to calibrate it, its own probabilities first; none: it was not judged
    calibration: Choice | None
    seconds: float
    left_out: str = ""  # why it was not judged
    yardstick: bool = False  # shown for comparison, never chosen
    untried: tuple[str, ...] = ()  # ways to calibrate it for which there was no time
    fits: int = 0  # that judging it took; 0: none, it learns by sums

    @property
    def judged(self) -> bool:
        return bool(self.ways)

    @property
    def way(self) -> Way:
        """The way in which the candidate would be used."""
        assert self.calibration is not None
        return next(way for way in self.ways if way.name == self.calibration.chosen)

    @property
    def last_fit(self) -> float:
        """Seconds that it may take to be fitted in the end, in the way in which it would be used."""
        model: Any = self.way.model
        return self.seconds_to_fit(0 if self.calibrated_by is None else int(model.cv))

    def seconds_to_fit(self, folds: int) -> float:
        """What a fit to all rows may take, and one for each of so many folds; of a model of sums what judging took.

        The fits of folds run side by side, as they did when it was judged; the one of all rows runs alone.
        """
        alone = min(os.cpu_count() or 1, self.fits)
        return self.seconds * min((folds + alone) / self.fits, 1.0) if self.fits else self.seconds

    @property
    def calibrated_by(self) -> str | None:
        """The method of calibration; None: its own probabilities."""
        return None if not self.judged or self.way.name == AS_IT_IS else self.way.name

    @property
    def result(self) -> CrossValidation:
        """Its cross-validation in the way in which it would be used."""
        assert self.way.result is not None
        return self.way.result


def baseline() -> Candidate:
    """What every model must beat."""
    return Candidate(
        BASELINE, 0, "always the commonest class; its probabilities are the classes' shares", MajorityClassifier()
    )


class Contest(NamedTuple):
    """The entries, and the encoded tables of those that may be chosen, by name."""

    entries: tuple[Entry, ...]
    tables: dict[str, Any]


def judge(
    entrants: Sequence[tuple[Candidate, bool]],
    data: Training,
    folds: Ints,
    clock: Clock,
    seed: int = 0,
    report: Callable[[str], None] = lambda name: None,
) -> Contest:
    """Cross-validate candidates, each with whether it is a yardstick, in order; `report` hears what comes next.

    One that would take more than a quarter of the time that is left waits for all others.
    """
    found: dict[int, Entry] = {}
    tables: dict[str, Any] = {}
    table, yet_unknown = None, True
    waiting = [(place, candidate, yardstick, None) for place, (candidate, yardstick) in enumerate(entrants)]
    long: list[tuple[int, Candidate, bool, float | None]] = []
    while waiting or long:
        place, candidate, yardstick, known = (waiting or long).pop(0)
        if known is None:
            report(candidate.name)
        held = HeldOut(candidate.model, data, table)
        entries = list(found.values())
        outcome = _judged(candidate, yardstick, held, folds, clock, seed, entries, known, bool(waiting))
        if isinstance(outcome, float):
            long.append((place, candidate, yardstick, outcome))
            continue
        found[place] = outcome
        entries.append(outcome)
        if clock.limit is not None and yet_unknown and candidate.name != BASELINE and outcome.judged:
            clock.keep("the report", _report_of(outcome.result))
            yet_unknown = False
        if clock.limit is not None and outcome.judged and not yardstick:
            clock.keep(LAST_FIT, entry_of(entries, chosen_of(entries).chosen).last_fit)
        own = vars(held).get("table")  # if it was asked for: one that had no time is not encoded
        if own is not None and outcome.judged:
            table = tables[candidate.name] = own
            so_far = chosen_of(entries)
            tables = {name: kept for name, kept in tables.items() if name in (so_far.best, so_far.chosen)}
    return Contest(tuple(found[place] for place in sorted(found)), tables)


def chosen_of(entries: Sequence[Entry], prefer: str = "simple", guarded: bool = False) -> Choice:
    """Which of the entries is chosen; `guarded`: only of those that are shown to beat the baseline, if any is."""
    ranks, seconds = ({entry.name: getattr(entry, what) for entry in entries} for what in ("rank", "seconds"))
    return choose(judged(entries), ranks, prefer, BASELINE if guarded else None, seconds, POOL)


def entry_of(entries: Iterable[Entry], name: str) -> Entry:
    """The entry of this name."""
    return next(entry for entry in entries if entry.name == name)


def judged(entries: Iterable[Entry], yardsticks: bool = False) -> dict[str, CrossValidation]:
    """The results by name, of the candidates or of the yardsticks too, of those that were judged."""
    return {entry.name: entry.result for entry in entries if entry.judged and (yardsticks or not entry.yardstick)}


def _judged(
    candidate: Candidate,
    yardstick: bool,
    held: HeldOut,
    folds: Ints,
    clock: Clock,
    seed: int,
    before: Sequence[Entry],
    known: float | None = None,
    others_wait: bool = False,
) -> Entry | float:
    """How a candidate did; or what it would take, where that is so long that others come first."""
    name, rank, words, model = candidate
    data = held.data
    begin = time.monotonic()

    def left_out(reason: str) -> Entry:
        return Entry(name, rank, words, model, (), None, time.monotonic() - begin, reason, yardstick)

    if name != BASELINE and not clock.allows():
        return left_out("no time left")
    try:
        if name != BASELINE and clock.limit is not None:
            seconds = _expected(candidate, yardstick, held, folds, clock, seed) if known is None else known
            if others_wait and not clock.allows(_SHARE * seconds):
                return seconds
            if not clock.allows(seconds):
                return left_out(f"would take about {seconds:.0f} s, more than the time that is left")
            begin = time.monotonic()  # trying it on a few rows, and compiling, is no part of what it takes
        if not yardstick and (beaten := _beaten(model, data, before)):
            return left_out(beaten)
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
    fits = 0 if held.exact else int(folds.max() + 1) * len(folds)
    return Entry(name, rank, words, model, found.ways, found.choice, seconds, "", yardstick, found.untried, fits)


def _beaten(model: Learner, data: Training, before: Sequence[Entry]) -> str:
    """What shows that a candidate is beaten by the best before it; nothing where it is not, or need not race."""
    if not judged(before):
        return ""
    name = chosen_of(before).best
    leader = judged(before)[name]
    return beaten_by(name, leader, model, data) if races(model, data, leader) else ""


def _expected(candidate: Candidate, yardstick: bool, held: HeldOut, folds: Ints, clock: Clock, seed: int) -> float:
    """Seconds that judging a candidate would take, once what it needs is compiled and imported."""
    data, fits = held.data, int(folds.max() + 1) * len(folds)
    refits = True  # of the model for each fold, as far as is known

    def rehearse(some: Training, their_folds: Ints) -> None:
        nonlocal refits
        among = HeldOut(candidate.model, some)
        refits = not among.exact
        calibrations(among, judged_on(among, their_folds), seed, Clock(None))

    _warm_up(candidate.model, data, seed)
    if yardstick:  # a few rows tell the least that it would take
        few = _spread(data, _FEW_ROWS)
        seconds = fits * _one_fold(candidate.model, data.taken(few), folds[:, few])
    else:
        seconds = seconds_for_all(rehearse, data, folds, clock.allows)
        if not seconds and held.exact:  # of a table that is not long, in as few fits as its folds' sums take
            fits = min(fits, _FITS_OF_SUMS)
    if not refits or not clock.allows(seconds):
        return seconds
    once = _one_fold(candidate.model, data, folds)
    if not clock.allows(_SHARE * fits * once) and clock.allows(once):
        once = min(once, _one_fold(candidate.model, data, folds))  # some is only done the first time
    return fits * once


def _warm_up(model: Learner, data: Training, seed: int) -> None:
    """Have done on a few rows what is done only once: compiling, importing."""
    few = data.taken(_spread(data, _WARM_ROWS))
    with suppress(LikelyError, ValueError, ArithmeticError):  # of so few rows; what is wrong is said where it is judged
        held = HeldOut(model, few)
        calibrations(held, judged_on(held, np.arange(len(few.codes))[None, :] % 3), seed, Clock(None))


def _spread(data: Training, rows: int) -> Ints:
    """About so many rows, evenly spread over the table."""
    return np.flatnonzero(np.arange(len(data.codes)) % max(1, len(data.codes) // rows) == 0)


def _report_of(result: CrossValidation) -> float:
    """Seconds that the report of a model judged like this would take."""
    assert result.log_posterior is not None
    posterior, y = np.exp(result.log_posterior[0]), result.classes[result.y]
    known = np.flatnonzero(~np.isnan(posterior[:, 0]))  # where rows are parted as told, not all are judged

    def figures(some: Ints) -> None:
        found = evaluate(posterior[known[some]], y=y[known[some]], classes=result.classes.tolist())
        found.figures, found.decomposition()

    try:
        return seconds_of_report(figures, len(known))
    except LikelyError:
        return 0.0  # of so few rows; all of them may do


def _one_fold(model: Learner, data: Training, folds: Ints) -> float:
    begin = time.monotonic()
    inside = folds[0] != 0
    fitted = fitted_clone(model, data.taken(np.flatnonzero(inside)))
    verdict_of(fitted, take(data.X, np.flatnonzero(~inside)), data.classes)
    return time.monotonic() - begin
