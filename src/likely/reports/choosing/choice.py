"""The model to keep: the simplest that does about as well as the best.

The best has the smallest mean log-loss over the folds. A simpler model is as good if its mean log-loss on the same
folds is worse by no more than one standard error of the difference (the corrected one of resampled folds). Of those
the one of lowest rank is chosen, and of equal rank the one of smaller log-loss.

Whoever picks the best of several by their scores sees a score that is too good. By how much is estimated from the
folds (Tibshirani and Tibshirani 2009): the mean over the folds of the chosen model's loss less that of the model that
is best in that very fold.
"""

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np

from likely.errors import InputError
from likely.evaluation.comparing.significance import TTest, corrected_resampled_t
from likely.evaluation.resampling.cross_validation import CrossValidation

CRITERION = "log_loss"


@dataclass(frozen=True)
class Choice:
    """Which model was chosen, and how it compares with the best."""

    best: str
    chosen: str
    behind: TTest | None  # log-loss of the chosen less that of the best; None: it is the best
    as_good: tuple[str, ...]  # within one standard error of the best, simplest first
    optimism: float  # log-loss that choosing may have hidden, in nats

    @property
    def words(self) -> str:
        """The rule and what it came to."""
        if self.behind is None:
            others = [name for name in self.as_good if name != self.chosen]
            also = f"; {', '.join(others)} came within one standard error, but simpler it is not" if others else ""
            return f"{self.chosen} has the best log score{also}."
        return (
            f"{self.best} has the best log score; {self.chosen} is simpler and within one standard error of it "
            f"({self.behind.difference.value:+.4f} nats, standard error {self.behind.standard_error:.4f})."
        )


def choose(results: Mapping[str, CrossValidation], ranks: Mapping[str, int]) -> Choice:
    """Choose among cross-validations on the same folds."""
    if not results:
        raise InputError("no model could be judged, so there is none to choose")
    scores = {name: result.scores(CRITERION) for name, result in results.items()}
    best = min(scores, key=lambda name: (scores[name].mean(), ranks[name]))
    ratio = results[best].test_ratio
    tests = {name: corrected_resampled_t(scores[name], scores[best], ratio) for name in scores}
    near = [name for name, test in tests.items() if test.difference.value <= test.standard_error + 1e-12]
    near.sort(key=lambda name: (ranks[name], scores[name].mean()))
    chosen = near[0]
    folds = np.stack([scores[name].ravel() for name in scores])
    optimism = float((scores[chosen].ravel() - folds.min(axis=0)).mean()) if len(scores) > 1 else 0.0
    return Choice(best, chosen, None if chosen == best else tests[chosen], tuple(near), optimism)
