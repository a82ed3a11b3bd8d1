"""The ways to calibrate a candidate, judged inside the folds, and the one to take.

A model that is too sure of itself loses more by its log score than it deserves, so candidates are compared as they
would be used: each calibrated by the way that suits it, chosen by the rule of `choice` (its own probabilities, unless
a way is better by more than one standard error). The map for the rows of fold j learns from the other rows, each scored
by a model that has seen neither its own fold nor fold j. A model that learns in one pass gives these scores exactly
from sums of folds; any other is refitted inside the folds. Isotonic calibration joins where there are enough rows for
its steps, logistic calibration where there are not too many classes. What was not tried for lack of time is named: a
candidate that had no time to be calibrated is at a disadvantage.
"""

from dataclasses import dataclass, replace
from typing import Any, NamedTuple

import numpy as np

from likely.decisions.calibration import Calibrated
from likely.decisions.calibration.isotonic import IsotonicMap
from likely.decisions.calibration.logistic import LogisticMap
from likely.decisions.calibration.temperature import TemperatureMap
from likely.errors import LikelyError
from likely.evaluation.resampling.cross_validation import CrossValidation, judged_on
from likely.models.held_out.exact_or_refit import HeldOut
from likely.numeric.arrays import Floats
from likely.reports.choosing.choice import CRITERION, Choice, choose
from likely.reports.choosing.clock import Clock

AS_IT_IS = "as it is"
_MAPS: dict[str, Any] = {"temperature": TemperatureMap, "logistic": LogisticMap, "isotonic": IsotonicMap}
_WORDS = {
    AS_IT_IS: "the model's own probabilities",
    "temperature": "one slope for all log odds",
    "logistic": "a slope, and an offset per class",
    "isotonic": "a staircase per class",
}
_ISOTONIC_ROWS = 1_000
_LOGISTIC_CLASSES = 30  # an offset each: with more, few rows speak for each and Newton's method is slow
_CELLS = 5 * 10**7  # posteriors of all rows under the models without two folds that are held at a time


@dataclass(frozen=True)
class Way:
    """A way to use a candidate, and how it did."""

    name: str
    words: str
    model: Any
    result: CrossValidation


class Calibrations(NamedTuple):
    """The ways to use a candidate, its own probabilities first, and the one to take."""

    ways: tuple[Way, ...]
    choice: Choice
    untried: tuple[str, ...] = ()  # for lack of time


def calibrations(held: HeldOut, result: CrossValidation, seed: int, clock: Clock) -> Calibrations:
    """The ways to calibrate a model on the folds of its cross-validation."""
    model, data = held.model, held.data
    ways, untried = [Way(AS_IT_IS, _WORDS[AS_IT_IS], model, result)], []
    folds, fewest = result.n_folds, int(np.bincount(data.codes).min())
    inside = min(folds, int(fewest * (1 - 1 / folds)))
    held_out = _twice_held_out(held, result) if folds > 2 and clock.allows() else None
    for name, learn in _MAPS.items():
        few = name == "isotonic" and len(data.codes) < _ISOTONIC_ROWS
        many = name == "logistic" and len(data.classes) > _LOGISTIC_CLASSES
        if inside < 2 or few or many:
            continue
        if not clock.allows():
            untried.append(name)
            continue
        calibrated = Calibrated(model, name, cv=inside, random_state=seed)
        try:
            if held_out:
                judged = _from_sums(learn, result, held_out)
            else:
                judged = judged_on(HeldOut(calibrated, data), result.folds)
        except LikelyError:
            continue  # a map that cannot be learned from some fold, say of a class that it does not hold
        if np.isfinite(judged.scores(CRITERION)).all():
            ways.append(Way(name, _WORDS[name], calibrated, judged))
    choice = choose({way.name: way.result for way in ways}, {way.name: i for i, way in enumerate(ways)})
    return Calibrations(tuple(ways), choice, tuple(untried))


def as_it_is(model: Any, result: CrossValidation) -> Calibrations:
    """No calibration."""
    ways = (Way(AS_IT_IS, _WORDS[AS_IT_IS], model, result),)
    return Calibrations(ways, choose({AS_IT_IS: result}, {AS_IT_IS: 0}))


def _twice_held_out(held: HeldOut, result: CrossValidation) -> list[Floats] | None:
    """For each repeat log posteriors (f, n, k) of row i without its own fold and fold j; None: only by refits."""
    if result.n_folds * len(result.y) * len(result.classes) > _CELLS:
        return None
    found = [exact for fold in result.folds if (exact := held.exactly_twice(fold)) is not None]
    return found if len(found) == result.repeats else None


def _from_sums(learn: Any, result: CrossValidation, held_out: list[Floats]) -> CrossValidation:
    out = np.empty((result.repeats, len(result.y), len(result.classes)))
    for repeat, (folds, scores) in enumerate(zip(result.folds, held_out, strict=True)):
        for j in range(result.n_folds):
            others, own = np.flatnonzero(folds != j), np.flatnonzero(folds == j)
            fitted = learn.fit(scores[j][others], result.y[others])
            out[repeat, own] = fitted.log_posterior(scores[j][own])
    return replace(result, log_posterior=out, answers=None)
