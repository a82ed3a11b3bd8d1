"""Whether something else does better than the model kept: in how often it is right, and in log-loss.

A rival wins where the 95 % interval of the difference on the same folds leaves out 0 and the difference is large enough
to matter: more than a point, or more than 0.01 nats. Where nothing was shown, since choosing the best of so many makes
such leads by chance, no candidate wins.
"""

from dataclasses import dataclass
from typing import TYPE_CHECKING

from likely.evaluation.comparing.significance import corrected_resampled_t
from likely.intervals.estimate import Estimate
from likely.reports.choosing.contest import BASELINE, Entry

if TYPE_CHECKING:
    from likely.reports.study import Study

_POINT = 0.01  # of accuracy
_NATS = 0.01  # of log-loss


@dataclass(frozen=True)
class Rival:
    """Another model against the one kept, on the same folds."""

    entry: Entry
    accuracy: Estimate  # the rival's less that of the model kept
    log_loss: Estimate  # of the model kept less the rival's: above 0 the rival is better
    by_chance: bool = False  # whether choosing the best of so many explains its lead

    @property
    def wins(self) -> bool:
        """Whether it is better by more than luck, and by enough to matter."""
        return (self.wins_accuracy or self.wins_log_loss) and not self.by_chance

    @property
    def wins_accuracy(self) -> bool:
        return self.accuracy.low > 0 and self.accuracy.value > _POINT

    @property
    def wins_log_loss(self) -> bool:
        return self.log_loss.low > 0 and self.log_loss.value > _NATS


def best_rival(study: "Study") -> Rival | None:
    """The other model of the smallest log-loss, or one that wins where that does not; None: there is no other."""
    others = [entry for entry in study.entries if entry.judged and entry.name not in (study.choice.chosen, BASELINE)]
    estimates = study.comparison.estimates
    rivals = [_against(study, entry) for entry in sorted(others, key=lambda entry: estimates[entry.name].value)]
    return next((rival for rival in rivals if rival.wins), rivals[0] if rivals else None)


def _against(study: "Study", entry: Entry) -> Rival:
    kept, other, ratio = study.result, entry.result, study.result.test_ratio
    accuracy, loss = ((kept.scores(name), other.scores(name)) for name in ("accuracy", "log_loss"))
    return Rival(
        entry,
        corrected_resampled_t(accuracy[1], accuracy[0], ratio).difference,
        corrected_resampled_t(loss[0], loss[1], ratio).difference,
        study.choice.nothing_shown and not entry.yardstick,
    )
