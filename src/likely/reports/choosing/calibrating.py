"""The ways to calibrate a candidate, judged inside the folds, and the one to take.

A model that is too sure of itself loses more by its log score than it deserves, so candidates are compared as they
would be used: each calibrated by the way with the lowest log-loss, its own probabilities among them. The map for the
rows of fold j learns from the other rows, each scored by a model that has seen neither its own fold nor fold j. A model
that learns in one pass gives these scores exactly from sums of folds. Of very many rows, and of any other model, which
would have to be fitted again for every pair of folds, the map learns from rows scored without their own fold alone: its
few numbers then know something of fold j, far less than the figures show. It learns from 100,000 rows, chosen by chance
where there are more: plenty for a few slopes, offsets or steps. The map of the model that is kept learns from all.
Isotonic calibration joins where there are enough rows for its steps, logistic calibration where there are not too many
classes. What was not tried for lack of time is named: a candidate that had no time to be calibrated is at a
disadvantage.
"""

from dataclasses import dataclass, replace
from typing import Any, NamedTuple

import numpy as np

from likely.decisions.calibration import Calibrated
from likely.decisions.calibration.choosing import prior_for
from likely.decisions.calibration.maps.isotonic import IsotonicMap
from likely.decisions.calibration.maps.logistic import LogisticMap
from likely.decisions.calibration.maps.temperature import TemperatureMap
from likely.errors import LikelyError
from likely.evaluation.resampling.cross_validation import CrossValidation, judged_on
from likely.intervals.estimate import Estimate
from likely.models.held_out.exact_or_refit import HeldOut
from likely.models.traits.protocols import Learner
from likely.numeric.arrays import Floats, Ints
from likely.reports.choosing.choice import CRITERION, Choice, choose
from likely.reports.choosing.clock import Clock

AS_IT_IS = "as it is"
MAPS: dict[str, Any] = {"temperature": TemperatureMap, "logistic": LogisticMap, "isotonic": IsotonicMap}
_WORDS = {
    AS_IT_IS: "the model's own probabilities",
    "temperature": "one slope for all log odds",
    "logistic": "a slope, and an offset per class",
    "isotonic": "a staircase per class",
}
ISOTONIC_ROWS = 1_000
LOGISTIC_CLASSES = 30  # an offset each: with more, few rows speak for each and Newton's method is slow
_CELLS = 10**7  # posteriors of all rows under the models without two folds: beyond it, without one
_MAP_ROWS = 100_000  # from which a map learns while ways are compared
_KEPT_CELLS = 10**6  # posteriors of a way that is not taken, beyond which they are not kept


@dataclass(frozen=True)
class Way:
    """A way to use a candidate, and how it did."""

    name: str
    words: str
    model: Learner
    loss: Estimate  # log-loss
    result: CrossValidation | None  # None: the way is not taken, and the table is too long to keep what it said


class Calibrations(NamedTuple):
    """The ways to use a candidate, its own probabilities first, and the one to take."""

    ways: tuple[Way, ...]
    choice: Choice
    untried: tuple[str, ...] = ()  # for lack of time


def calibrations(held: HeldOut, result: CrossValidation, seed: int, clock: Clock) -> Calibrations:
    """The ways to calibrate a model on the folds of its cross-validation."""
    model, data = held.model, held.data
    ways, untried = [_way(AS_IT_IS, model, result)], []
    folds, fewest = result.n_folds, int(np.bincount(data.codes).min())
    inside = min(folds, int(fewest * (1 - 1 / folds)))
    held_out = _scores_to_learn_from(held, result) if folds > 2 and clock.allows() else None
    spent = 0.0  # by the last map
    for name, learn in MAPS.items():
        few = name == "isotonic" and len(data.codes) < ISOTONIC_ROWS
        many = name == "logistic" and len(data.classes) > LOGISTIC_CLASSES
        if inside < 2 or few or many:
            continue
        if not clock.allows(spent):
            untried.append(name)
            continue
        calibrated, begin = Calibrated(model, name, cv=inside, random_state=seed), clock.elapsed
        try:
            if held_out:
                judged = _from_sums(learn, result, held_out)
            else:
                judged = judged_on(HeldOut(calibrated, data), result.folds)
        except LikelyError:
            continue  # a map that cannot be learned from some fold, say of a class that it does not hold
        spent = clock.elapsed - begin
        if np.isfinite(judged.scores(CRITERION)).all():
            ways.append(_way(name, calibrated, judged))
    choice = choose(
        {way.name: way.result for way in ways if way.result}, {way.name: i for i, way in enumerate(ways)}, "accurate"
    )
    long = result.repeats * len(result.y) * len(result.classes) > _KEPT_CELLS
    kept = (replace(way, result=None) if long and way.name != choice.chosen else way for way in ways)
    return Calibrations(tuple(kept), choice, tuple(untried))


def as_it_is(model: Learner, result: CrossValidation) -> Calibrations:
    """No calibration."""
    return Calibrations((_way(AS_IT_IS, model, result),), choose({AS_IT_IS: result}, {AS_IT_IS: 0}))


def _way(name: str, model: Learner, result: CrossValidation) -> Way:
    return Way(name, _WORDS[name], model, result.estimate(CRITERION), result)


def _scores_to_learn_from(held: HeldOut, result: CrossValidation) -> list[Floats] | None:
    """For each repeat log posteriors (f, n, k) of row i without its own fold and fold j; None: it gives none.

    Of very many, and of a model that would have to be refitted, they are without the row's own fold alone.
    """
    if result.log_posterior is None:
        return None
    once = [np.broadcast_to(one, (result.n_folds, *one.shape)) for one in result.log_posterior]
    if result.n_folds * len(result.y) * len(result.classes) > _CELLS:
        return once
    found = [exact for fold in result.folds if (exact := held.exactly_twice(fold)) is not None]
    return found if len(found) == result.repeats else once


def _from_sums(learn: Any, result: CrossValidation, held_out: list[Floats]) -> CrossValidation:
    out = np.empty((result.repeats, len(result.y), len(result.classes)))
    for repeat, (folds, scores) in enumerate(zip(result.folds, held_out, strict=True)):
        for j in range(result.n_folds):
            others, own = _some_of(np.flatnonzero(folds != j)), np.flatnonzero(folds == j)
            options = {} if learn is IsotonicMap else {"prior": prior_for(scores[j])}
            fitted = learn.fit(scores[j][others], result.y[others], **options)
            out[repeat, own] = fitted.log_posterior(scores[j][own])
    return replace(result, log_posterior=out, answers=None)


def _some_of(rows: Ints) -> Ints:
    """The rows, of very many as many by chance as a map needs."""
    if len(rows) <= _MAP_ROWS:
        return rows
    return np.sort(np.random.default_rng(0).choice(rows, _MAP_ROWS, replace=False))
