"""Another prior than that of the rows a classifier learned from: label shift, once for all that learn a posterior.

    p'(c | x)  is proportional to  p(c | x) p'(c) / p(c)

A class that had prior 0 cannot come back: nothing is known of it. A row that is impossible under every class of the new
prior has the new prior as its posterior.
"""

import numpy as np

from likely.data.accepted import PriorLike
from likely.data.labels.weights import read_prior
from likely.errors import InputError
from likely.models.any_classifier.outcome import difference
from likely.numeric.arrays import Array, Floats
from likely.numeric.logspace import log_normalize, log_of


class PriorShift:
    """A classifier whose posteriors hold for the classes' shares among the rows it learned."""

    classes_: Array  # (k,)
    class_prior_: Floats  # (k,)

    def _shift(self, prior: PriorLike | None) -> Floats:
        """What another prior adds to log posteriors (k,)."""
        if prior is None:
            return np.zeros(len(self.classes_))
        return log_shift(self.class_prior_, read_prior(prior, self.classes_), self.classes_)

    def _shifted(self, scores: Floats, prior: PriorLike | None) -> Floats:
        """Log posteriors (n, k), known up to a term common to the classes, under another prior; up to such a term."""
        if prior is None:
            return scores
        return shifted_joint(scores, self.class_prior_, read_prior(prior, self.classes_), self.classes_)


def log_shift(old: Floats, new: Floats, classes: Array) -> Floats:
    """What another prior adds to log posteriors (k,).

    >>> log_shift(np.array([0.5, 0.5]), np.array([0.5, 0.5]), np.arange(2)).tolist()
    [0.0, 0.0]
    """
    lost = (old == 0) & (new > 0)
    if lost.any():
        raise InputError(
            f"class {classes.tolist()[int(np.flatnonzero(lost)[0])]!r} had prior 0, so nothing is known of it; "
            "it cannot be given a prior now"
        )
    return difference(log_of(new), log_of(old))


def shifted_joint(scores: Floats, old: Floats, new: Floats, classes: Array) -> Floats:
    """Log posteriors (n, k) up to a term common to the classes, under checked priors; they are left as they are."""
    joint = np.where(new > 0, scores + log_shift(old, new, classes), -np.inf)
    joint[np.isneginf(joint).all(axis=1)] = log_of(new)
    return joint


def shift_log_posterior(log_posterior: Floats, old: Floats, new: Floats, classes: Array) -> Floats:
    """Normalised log posteriors (n, k) under another prior.

    >>> found = shift_log_posterior(np.log([[0.5, 0.5]]), np.array([0.5, 0.5]), np.array([0.9, 0.1]), np.arange(2))
    >>> np.exp(found).round(4).tolist()
    [[0.9, 0.1]]
    """
    return log_normalize(shifted_joint(log_posterior, old, new, classes))
