"""What is asked of the model once it is chosen: which rows it finds suspicious, and whether more rows would help."""

import numpy as np

from likely.errors import LikelyError
from likely.evaluation.audit.rows import Audit, audit_of
from likely.evaluation.resampling.learning_curve import LearningCurve, learning_curve
from likely.models.any_classifier.asking import log_posteriors
from likely.models.any_classifier.inside import unwrap
from likely.models.held_out.exact_or_refit import HeldOut
from likely.models.traits.protocols import FittedClassifier
from likely.reports.choosing.choice import CRITERION
from likely.reports.choosing.clock import Clock
from likely.reports.choosing.contest import BASELINE, Entry

_LONG = 20.0  # seconds of judging a model, beyond which it is not learned again and again for a curve
_CURVE_ROWS = 60  # fewer are not enough for a learning curve
_REPEATED_ROWS = 5_000  # with more rows the luck of the draw is small


def suspicious_rows_of(held: HeldOut, chosen: Entry, model: FittedClassifier, clock: Clock, seed: int) -> Audit | None:
    """The audit of the rows by the model kept; None where there is no time left: it takes less than judging it did.

    A model that leaves no single row out was judged on folds already: their answers serve, and those of the last fit.
    """
    if not clock.allows(chosen.seconds, last=True):
        return None
    own = chosen.ways[0].result
    judged = None if own is None else own.log_posterior
    if judged is None or np.isnan(judged[0]).any():
        return audit_of(held, random_state=seed)
    once = judged[0]
    return audit_of(
        held,
        random_state=seed,
        known=lambda: (once, log_posteriors(unwrap(model), held.data.X, tuple(held.data.classes))),
    )


def growth_of(held: HeldOut, chosen: Entry, clock: Clock, seed: int) -> LearningCurve | None:
    """The learning curve of the model kept; None where there is no time left, too few rows or nothing to learn."""
    rows = len(held.data.codes)
    fewest = int(np.bincount(held.data.codes).min())
    if chosen.name == BASELINE or rows < _CURVE_ROWS or fewest < 6 or not clock.allows(chosen.seconds, last=True):
        return None
    if chosen.seconds > _LONG:
        return None
    sizes = [1 / 16, 1 / 8, 1 / 4, 1 / 2, 1.0] if rows >= 10 * _CURVE_ROWS else [1 / 4, 1 / 2, 1.0]
    repeats = 3 if rows <= _REPEATED_ROWS else 1
    try:
        curve = learning_curve(
            chosen.model, held.data.X, held.data.y, sizes, repeats=repeats, scoring=CRITERION, random_state=seed
        )
    except LikelyError:  # of rows so few that some model cannot be learned
        return None
    return curve if np.isfinite(curve.scores).all() else None
