"""Candidates that one fold shows to be beaten: of a long table they are not fitted again for the others.

A model that learns in one pass is judged on all folds for about the price of one fit. Any other is fitted for every
fold, and of a long table a forest takes longer than all other candidates together. One fold of so many rows tells
whether it can still win: it is judged there as if its best calibration were known, with maps that learn from the very
rows they are judged on, and is beaten where the leader's log-loss on the same rows is lower by more than does not
matter and by more than three standard errors (a race, Maron and Moore 1994). The pool goes without it.
What the fold showed is said in its place, and how many rows it was does not depend on the machine: the same table gives
the same report.
"""

from math import sqrt

import numpy as np

from likely.errors import LikelyError
from likely.evaluation.resampling.cross_validation import CrossValidation
from likely.models.any_classifier.asking import Training, fitted_clone, log_posteriors, take
from likely.models.traits.protocols import Learner
from likely.numeric.arrays import Floats, Ints
from likely.reports.choosing.calibrating import MAPS
from likely.reports.choosing.choice import ROPE

_LONG = 50_000  # rows beyond which a candidate that is fitted for every fold races first
_ERRORS = 3.0  # standard errors by which it must be behind


def races(model: Learner, data: Training, leader: CrossValidation) -> bool:
    """Whether a candidate has to show on one fold that it is worth the others."""
    if len(data.codes) <= _LONG or hasattr(model, "out_of_fold") or leader.log_posterior is None:
        return False
    return not np.isnan(leader.log_posterior[0]).any()  # where rows are parted as told, folds are not alike


def beaten_by(name: str, leader: CrossValidation, model: Learner, data: Training) -> str:
    """What the first fold showed, if a candidate is beaten there by the leader of this name; else nothing."""
    assert leader.log_posterior is not None
    test, train = np.flatnonzero(leader.folds[0] == 0), np.flatnonzero(leader.folds[0] != 0)
    fitted, codes = fitted_clone(model, data.taken(train)), data.codes[test]
    said = log_posteriors(fitted, take(data.X, test), tuple(data.classes))
    own, its = _best_losses(said, codes), _losses(leader.log_posterior[0][test], codes)
    apart = own - its
    behind, error = float(apart.mean()), float(apart.std(ddof=1)) / sqrt(len(apart))
    if not behind > max(ROPE, _ERRORS * error):
        return ""
    return (
        f"beaten on the first of {leader.n_folds} folds, and not fitted for the others: of its {len(test):,} rows the "
        f"log-loss is {own.mean():.3f}, however calibrated, that of {name} {its.mean():.3f} (difference {behind:.3f}, "
        f"standard error {error:.4f})"
    )


def _best_losses(log_posterior: Floats, codes: Ints) -> Floats:
    """The losses (m,) under the map that does best on these very rows, or under none."""
    found = [_losses(log_posterior, codes)]
    for learn in MAPS.values():
        try:
            found.append(_losses(learn.fit(log_posterior, codes).log_posterior(log_posterior), codes))
        except LikelyError:
            continue  # a map that these rows do not define
    return min(found, key=lambda losses: float(losses.mean()))


def _losses(log_posterior: Floats, codes: Ints) -> Floats:
    return np.asarray(-log_posterior[np.arange(len(codes)), codes])
