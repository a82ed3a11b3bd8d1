"""What is asked of the model once it is chosen: which rows it finds suspicious, and whether more rows would help."""

import numpy as np

from likely.errors import LikelyError
from likely.evaluation.audit.rows import Audit, audit_of
from likely.evaluation.resampling.learning_curve import LearningCurve, learning_curve
from likely.models.any_classifier.asking import log_posteriors
from likely.models.any_classifier.inside import unwrap
from likely.models.held_out.exact_or_refit import HeldOut
from likely.models.traits.protocols import FittedClassifier
from likely.numeric.arrays import Ints
from likely.reports.choosing.choice import CRITERION
from likely.reports.choosing.clock import Clock
from likely.reports.choosing.contest import BASELINE, Entry

_LONG = 20.0  # seconds of judging a model, beyond which it is not learned again and again for a curve
_CURVE_ROWS = 60  # fewer are not enough for a learning curve
_CLASS_ROWS = 6  # of the smallest class
_SIZES = ([1 / 16, 1 / 8, 1 / 4, 1 / 2, 1.0], [1 / 4, 1 / 2, 1.0])  # shares of the rows; where few will not do, more
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


def growth_of(held: HeldOut, chosen: Entry, clock: Clock, seed: int) -> tuple[LearningCurve | None, str]:
    """The learning curve of the model kept, or why there is none: no time left, too few rows or nothing to learn."""
    rows = len(held.data.codes)
    if against := why_no_growth(chosen, held.data.codes):
        return None, against
    if not clock.allows(chosen.seconds, last=True):
        return None, "there was no time left to learn from parts of the rows"
    repeats = 3 if rows <= _REPEATED_ROWS else 1
    for sizes in _SIZES if rows >= 10 * _CURVE_ROWS else _SIZES[1:]:
        try:
            curve = learning_curve(
                chosen.model, held.data.X, held.data.y, sizes, repeats=repeats, scoring=CRITERION, random_state=seed
            )
        except LikelyError:  # of rows so few that the model cannot be learned
            continue
        if np.isfinite(curve.scores).all():
            return curve, ""
    return None, f"{chosen.name} cannot be learned from a quarter of the rows"


def why_no_growth(chosen: Entry, codes: Ints) -> str:
    """What stands against a learning curve before any clock is asked; empty: nothing."""
    fewest = int(np.bincount(codes).min())
    if chosen.name == BASELINE:
        return "the model kept learns nothing but the shares of the classes"
    if len(codes) < _CURVE_ROWS or fewest < _CLASS_ROWS:
        return f"with {len(codes):,} rows, {fewest:,} of the smallest class, there are too few to learn from a part"
    if chosen.seconds > _LONG:
        return f"judging {chosen.name} took {chosen.seconds:.0f} s, and learning it from parts takes as long again"
    return ""
