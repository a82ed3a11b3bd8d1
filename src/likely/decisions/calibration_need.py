"""Whether a classifier should be calibrated before decisions are taken from its probabilities, and the calibrated one.

A classifier that learns by sums gives exact scores of rows left out for next to nothing, so it can be asked. The map of
logistic calibration, a slope and an offset per class, is fitted to them; where it raises their log-likelihood by more
than its number of parameters (Akaike's criterion), the probabilities are off, and the map that suits is taken. Where
some class has fewer than ten rows, that map is temperature: one slope, which the rows of the other classes tell.

Where a map may not be learned, or would take fits, the probabilities stay as the model has them, and a model that is
seen to be off is spoken of: by rows left out where it has them, else by rows that it may have learned from. On these a
model that is right, or that fits them too closely, looks as sure as it should be or not sure enough, so that only one
that is too sure even there is off for certain.
"""

import warnings
from typing import Any

import numpy as np

from likely.decisions.calibration.calibrated import Calibrated
from likely.decisions.calibration.choosing import prior_for
from likely.decisions.calibration.maps.logistic import LogisticMap
from likely.decisions.calibration.maps.temperature import TemperatureMap
from likely.errors import InputError
from likely.models.any_classifier.asking import scores
from likely.models.held_out.cv import FoldsLike, is_number
from likely.models.held_out.exact_or_refit import HeldOut, LeftOut
from likely.models.held_out.folds import stratified_folds
from likely.models.held_out.weighing import as_rows
from likely.models.traits.protocols import Learner
from likely.numeric.arrays import Array, Floats, Ints
from likely.numeric.logspace import log_normalize
from likely.numeric.random_state import Seed

_FOLDS = 5
_FEWEST = 10  # rows of each class from which offsets can be learned without being asked for
_CLEARLY = 5.0  # nats of log-likelihood that a slope gains by luck once in a thousand times: enough to speak up
_ASKED = 4_000  # rows that a model is asked about again, to see whether it is too sure


def calibrated_where_needed(
    estimator: Learner, held: HeldOut, cv: FoldsLike, random_state: Seed, why_not: str = "", prior: Floats | None = None
) -> Calibrated | None:
    """The fitted classifier in `held`, calibrated where its own scores out of fold show the need.

    None where they do not, or where a map may not be learned: because of `why_not`, or because the user gave the prior
    of the classes, which calibration would undo. Where the probabilities are seen to be off all the same, a warning
    says so and why they stay. `prior` (k,) is what they are of, where that is not the shares of the rows.
    """
    data, fitted = held.data, held.model
    if len(data.classes) < 2:
        return None
    if not why_not and getattr(fitted, "class_prior", None) is not None:
        prior = np.asarray(fitted.class_prior_)  # type: ignore[attr-defined]
        why_not = "a map of these rows would undo class_prior=; leave it out, and say prior= where shares will differ"
    folds = min(int(cv) if is_number(cv) else _FOLDS, len(data.codes))
    if isinstance(cv, str) or held.table is None:
        refits = "to calibrate it is to fit it again for every fold, which calibrate='logistic' asks for"
        slope = _slope_of_too_sure(held, prior)
        if slope is not None:
            _warn(fitted, slope, "the rows given", why_not or refits)
        return None
    try:
        left_out = _scores_without(held, folds, random_state)
        rows, found, _ = left_out
        codes, weight = data.codes[rows], None if data.weight is None else data.weight[rows]
        if why_not:
            gain, slope = _temperature(found, codes, _under(codes, weight, data.shares(), prior))
            if gain > _CLEARLY:
                _warn(fitted, slope, "rows left out", why_not)
            return None
        few = np.bincount(data.codes, minlength=len(data.classes)).min() < _FEWEST
        if (few and _temperature(found, codes, weight)[0] <= 1) or (not few and not _is_off(found, codes, weight)):
            return None
    except InputError as cause:
        warnings.warn(
            f"whether the probabilities of {type(fitted).__name__} come true could not be seen, and they stay as they "
            f"are: {cause}",
            stacklevel=4,
        )
        return None
    method = "temperature" if few else "auto"
    return with_map(Calibrated(estimator, method, cv=folds, random_state=random_state), held, left_out)


def with_map(model: Calibrated, held: HeldOut, left_out: LeftOut) -> Calibrated:
    """A calibration fitted around a fitted classifier, from scores of rows left out."""
    with model._anew():
        model._take_over(held.model)  # type: ignore[arg-type]
        model._learn(left_out, held.data)
    return model


def of_the_rows_given(held: HeldOut) -> LeftOut:
    """What a fitted classifier makes of rows that it has not seen, by the word of who gave them."""
    data = held.data
    return LeftOut(np.arange(len(data.codes)), scores(held.model, data.X, data.classes), None)  # type: ignore[arg-type]


def _scores_without(held: HeldOut, folds: int, random_state: Seed) -> LeftOut:
    """Scores of rows left out; the only row of a class, which no model can be left without, is scored as learned."""
    data = held.data
    only = np.flatnonzero(np.bincount(data.codes, minlength=len(data.classes))[data.codes] < 2)
    if not len(only):
        return held.scores(folds, random_state)
    if len(only) == len(data.codes):
        raise InputError("no class has two rows")
    dealt = np.asarray(stratified_folds(data.codes, folds, random_state))
    found = held.once(dealt[None])[0].log_posterior
    if found is None:
        raise InputError("the model gives no log posteriors of rows left out")
    out: Any = np.array(found[0])
    out[only] = scores(held.model, data.taken(only).X, data.classes)  # type: ignore[arg-type]
    return LeftOut(np.arange(len(dealt)), out, dealt)


def _slope_of_too_sure(held: HeldOut, prior: Floats | None) -> float | None:
    """By rows that the model may have learned from; None: nothing is seen."""
    data: Any = held.data
    if isinstance(held.model, Calibrated) or not hasattr(held.model, "predict_proba"):
        return None
    if len(data.codes) > _ASKED:
        data = data.taken(np.linspace(0, len(data.codes) - 1, _ASKED).astype(np.int64))
    if not np.bincount(data.codes, minlength=len(data.classes)).all():
        return None
    shares = held.data.shares()
    try:
        found = scores(held.model, data.X, data.classes)  # type: ignore[arg-type]
        gain, slope = _temperature(found, data.codes, _under(data.codes, data.weight, shares, prior))
    except InputError:  # as of one that rules out what came true: there is no map of it
        return None
    return slope if slope < 1 and gain > _CLEARLY else None


def _warn(fitted: object, slope: float, rows: str, why_not: str) -> None:
    off = "too sure" if slope < 1 else "not sure enough"
    warnings.warn(
        f"the probabilities of {type(fitted).__name__} are {off}, as {rows} show (their log-odds would come true times "
        f"{slope:.2g}), and they stay as they are: {why_not}",
        stacklevel=5,
    )


def _under(codes: Array, weight: Floats | None, shares: Floats, prior: Floats | None) -> Floats | None:
    """Weights of rows as they would be, were the classes as frequent as this prior says."""
    if prior is None:
        return weight
    amount = np.ones(len(codes)) if weight is None else weight
    return np.asarray(amount * (prior / np.where(shares > 0, shares, 1.0))[codes])


def _temperature(found: Floats, codes: Ints, weight: Floats | None) -> tuple[float, float]:
    """By how much one slope raises the log-likelihood, and the slope."""
    fitted = TemperatureMap.fit(found, codes, weight, prior_for(found), rising=True)
    told = fitted.log_posterior(found)[np.arange(len(codes)), codes]
    return _gain(told, found, codes, weight), float(fitted.slope[0])


def _is_off(found: Floats, codes: Ints, weight: Floats | None) -> bool:
    told = LogisticMap.fit(found, codes, weight, rising=True).log_posterior(found)[np.arange(len(codes)), codes]
    return bool(_gain(told, found, codes, weight) > found.shape[1])


def _gain(told: Floats, found: Floats, codes: Ints, weight: Floats | None) -> float:
    own = log_normalize(found)[np.arange(len(codes)), codes]
    amount = np.ones(len(codes)) if weight is None else as_rows(weight)
    return float(amount @ (told - own))  # infinite where a row was impossible
