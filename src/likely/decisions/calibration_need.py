"""Whether a classifier should be calibrated before decisions are taken from its probabilities, and the calibrated one.

A classifier that learns by sums gives exact scores of rows left out for next to nothing, so it can be asked. The map of
logistic calibration, a slope and an offset per class, is fitted to them; where it raises their log-likelihood by more
than its number of parameters (Akaike's criterion), the probabilities are off, and the map is taken.
"""

import numpy as np

from likely.decisions.calibration.calibrated import Calibrated
from likely.decisions.calibration.maps.logistic import LogisticMap
from likely.errors import InputError
from likely.models.held_out.cv import FoldsLike, is_number
from likely.models.held_out.exact_or_refit import HeldOut, LeftOut
from likely.models.held_out.weighing import as_rows
from likely.models.traits.protocols import Learner
from likely.numeric.arrays import Floats, Ints
from likely.numeric.logspace import log_normalize
from likely.numeric.random_state import Seed

_FOLDS = 5
_FEWEST = 10  # rows of each class from which a map can be learned without being asked for


def calibrated_where_needed(estimator: Learner, held: HeldOut, cv: FoldsLike, random_state: Seed) -> Calibrated | None:
    """The fitted classifier in `held` with logistic calibration, where its own scores out of fold show the need.

    None where they do not, where they would take refits, or where some class has fewer than ten rows; and where the
    user gave the prior of the classes, which calibration would undo.
    """
    data, fitted = held.data, held.model
    counts = np.bincount(data.codes, minlength=len(data.classes))
    folds = int(cv) if is_number(cv) else _FOLDS
    if getattr(fitted, "class_prior", None) is not None:
        return None
    if len(counts) < 2 or counts.min() < _FEWEST or not 2 <= folds <= len(data.codes) or held.table is None:
        return None
    try:
        left_out = held.scores(folds, random_state)
        rows, found, _ = left_out
        if not _is_off(found, data.codes[rows], None if data.weight is None else data.weight[rows]):
            return None
    except InputError:  # a fold without a class, scores without a map: nothing can be said
        return None
    return with_map(Calibrated(estimator, cv=folds, random_state=random_state), held, left_out)


def with_map(model: Calibrated, held: HeldOut, left_out: LeftOut) -> Calibrated:
    """A calibration fitted around a fitted classifier, from scores of rows left out."""
    with model._anew():
        model._take_over(held.model)  # type: ignore[arg-type]
        model._learn(left_out, held.data)
    return model


def _is_off(found: Floats, codes: Ints, weight: Floats | None) -> bool:
    own = log_normalize(found)[np.arange(len(codes)), codes]
    told = LogisticMap.fit(found, codes, weight, rising=True).log_posterior(found)[np.arange(len(codes)), codes]
    amount = np.ones(len(codes)) if weight is None else as_rows(weight)
    gain = float(amount @ (told - own))  # infinite where a row was impossible
    return bool(gain > found.shape[1])
