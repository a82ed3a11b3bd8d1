"""Log-losses that can be compared although a true class was given probability 0.

One such row makes the loss of its fold infinite, and no difference is defined then. scikit-learn's own log_loss moves
these probabilities to 2.2e-16, the smallest part of 1 that a double holds, and so is done here: the model pays 36 nats
for the row.
"""

import warnings
from dataclasses import replace

import numpy as np

from likely.data.printing.wording import counted
from likely.evaluation.measures.criteria import Criterion
from likely.evaluation.measures.proper_scores import log_losses
from likely.evaluation.resampling.cross_validation import CrossValidation
from likely.numeric.logspace import log_normalize

LEAST = float(np.finfo(np.float64).eps)


def with_finite_losses(name: str, result: CrossValidation, chosen: Criterion) -> CrossValidation:
    """A cross-validation whose log-loss is finite; what had to be moved for that is told in a warning."""
    if chosen.rows is not log_losses or result.log_posterior is None:
        return result
    given = result.log_posterior[:, np.arange(len(result.y)), result.y]
    impossible = np.isneginf(given)
    if not impossible.any():
        return result
    rows = counted(int(impossible.any(axis=0).sum()), "row")
    warnings.warn(
        f"{name!r} gives the true class of {rows} the probability 0, whose log-loss is infinite: it counts as "
        f"{LEAST:.1e} there, as in scikit-learn's log_loss. likely.Calibrated around it gives none of 0 to a class "
        "that it learned",
        stacklevel=4,
    )
    log_posterior = result.log_posterior.copy()
    log_posterior[impossible] = log_normalize(np.maximum(log_posterior[impossible], np.log(LEAST)))
    return replace(result, log_posterior=log_posterior)
