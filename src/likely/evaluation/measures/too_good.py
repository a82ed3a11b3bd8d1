"""Whether a model does better than its own probabilities say: a sign that it is judged on rows that it learned.

Calibrated probabilities are those of rows left out. Of rows that were learned the model is right more often than they
say. Were they right for these rows, the mistakes of the most probable class would be a sum of independent events with
the probabilities 1 - max P, whose lower tail is below that of the Poisson law of the same mean (Hoeffding 1956;
Anderson and Samuels 1967).
"""

import numpy as np

from likely.evaluation.said import Said
from likely.intervals.means import mean_interval

LEVEL = 0.01  # how often rows that are new may be taken for learned ones


def too_good(said: Said, level: float = LEVEL) -> bool:
    """Whether so few mistakes would come by chance less often than `level`, were the probabilities right.

    >>> sure, doubtful = np.tile([[0.99, 0.01]], (50, 1)), np.tile([[0.8, 0.2]], (50, 1))
    >>> too_good(Said.of(["a"] * 50, sure, ("a", "b"))), too_good(Said.of(["a"] * 50, doubtful, ("a", "b")))
    (False, True)
    """
    from scipy.special import pdtr

    if not said.has_probabilities or not len(said):
        return False
    posterior = said.probabilities("whether it is too good")
    doubt = 1 - posterior.max(axis=1)
    wrong = (posterior.argmax(axis=1) != said.y).astype(np.float64)
    expected, seen = float(doubt.sum()), float(wrong.sum())
    if not (seen < expected and pdtr(seen, expected) < level):
        return False
    if said.groups is None:
        return True
    return mean_interval(wrong - doubt, 1 - 2 * level, groups=said.groups).high < 0  # rows of a group err together
