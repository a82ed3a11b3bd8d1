"""Whether something else does better than the model kept: in how often it is right and in log-loss, or in its costs.

A rival wins where the 95 % interval of the difference leaves out 0 and the difference is large enough to matter: more
than a point, or more than 0.01 nats. Where costs or the cost of not answering are given, both decide by them, and a
rival wins by costing less, by more than a hundredth of what the model kept costs. Both are asked about the same rows:
those of the folds, or where rows were set aside those, of which the rival that was best over folds is asked alone;
where there was no time to ask it, both are compared over the folds of the rows learned, and the words say so. Where
nothing was shown, since choosing the best of so many makes such leads by chance, no candidate wins.
"""

from dataclasses import dataclass, replace
from math import isfinite
from typing import TYPE_CHECKING

from likely.evaluation.evaluation import Evaluation
from likely.intervals.estimate import Estimate
from likely.reports.choosing.contest import Entry
from likely.reports.judging import difference, figure, price_of, ranked_rivals, used_in

if TYPE_CHECKING:
    from likely.reports.study import Study

_POINT = 0.01  # of accuracy
_NATS = 0.01  # of log-loss
_CHEAPER = 0.01  # of the cost of the model kept
_SHOWN = 0.0005  # of a share, a log-loss or a cost: less is 0 to the digits that are shown


@dataclass(frozen=True)
class Rival:
    """Another model against the one kept, on the same rows."""

    entry: Entry
    accuracy: Estimate  # the rival's less that of the model kept
    log_loss: Estimate  # of the model kept less the rival's: above 0 the rival is better
    right: float  # how often the rival is right
    cost: Estimate | None = None  # of the model kept less the rival's; None: no costs were given
    costs: float = 0.0  # the rival's
    by_chance: bool = False  # whether choosing the best of so many explains its lead
    over_folds: bool = False  # whether it was compared over folds although rows were set aside, for lack of time

    @property
    def wins(self) -> bool:
        """Whether it is better by more than luck, and by enough to matter."""
        if self.cost is not None:
            return self.wins_cost and not self.by_chance
        return (self.wins_accuracy or self.wins_log_loss) and not self.by_chance

    @property
    def wins_accuracy(self) -> bool:
        return self.accuracy.low > 0 and self.accuracy.value > _POINT

    @property
    def wins_log_loss(self) -> bool:
        return self.log_loss.low > 0 and self.log_loss.value > _NATS

    @property
    def wins_cost(self) -> bool:
        return (
            self.cost is not None and self.cost.low > 0 and self.cost.value > _CHEAPER * (self.cost.value + self.costs)
        )

    @property
    def ahead(self) -> bool:
        """Whether it does better in anything that is compared, to the digits that are shown, be it by luck."""
        if self.cost is not None:
            return self.cost.value >= _SHOWN
        return self.accuracy.value >= _SHOWN or self.log_loss.value >= _SHOWN

    @property
    def words(self) -> str:
        """How it does against the model kept, each difference with its interval."""
        if self.cost is not None:
            return f"costs {self.costs:.3f} a row, {in_costs(-self.cost)}"
        return f"is right {in_points(self.accuracy)}, with {in_nats(self.log_loss)}"

    @property
    def behind(self) -> bool:
        """Whether it is shown to do worse."""
        return self.cost.high < 0 if self.cost is not None else self.log_loss.high < 0

    @property
    def trails(self) -> bool:
        """Whether it does worse by figures that luck can explain: the lead of the model kept is not shown."""
        apart = self.log_loss if self.cost is None else self.cost
        return not self.ahead and not self.behind and apart.value <= -_SHOWN


def in_points(apart: Estimate) -> str:
    """How much more often a rival is right.

    >>> in_points(Estimate(0.012, -0.01, 0.034, 0.95, "t", 10)), in_points(Estimate(0.0, -0.01, 0.01, 0.95, "t", 10))
    ('1.2 points more often (+1.2 [-1.0, +3.4])', 'equally often (0.0 [-1.0, +1.0] points)')
    """
    shown = "{:+z.1f} [{:+z.1f}, {:+z.1f}]".format(*(100 * end for end in (apart.value, apart.low, apart.high)))
    if max(map(abs, (apart.low, apart.high))) < _SHOWN:
        return "equally often"
    if abs(apart.value) < _SHOWN:
        return f"equally often ({shown[1:]} points)"
    return f"{100 * abs(apart.value):.1f} points {'more' if apart.value > 0 else 'less'} often ({shown})"


def in_nats(apart: Estimate) -> str:
    """How much smaller the log-loss of a rival is; its own less that of the model kept in brackets.

    >>> in_nats(Estimate(0.0123, 0.001, 0.0236, 0.95, "t", 10))
    'a log-loss 0.012 nats smaller (-0.012 [-0.024, -0.001])'
    >>> in_nats(Estimate(-0.0002, float("-inf"), 0.001, 0.95, "t", 10))
    'the same log-loss to 0.001 nats (0.000 [-0.001, no end])'
    >>> in_nats(Estimate(0.0, 0.0, 0.0, 0.95, "t", 10))
    'the same log-loss to 0.001 nats'
    """
    turned = -apart
    ends = (f"{end:+z.3f}" if isfinite(end) else "no end" for end in (turned.low, turned.high))
    shown = f"{turned.value:+z.3f} [{', '.join(ends)}]"
    if max(map(abs, (apart.low, apart.high))) < _SHOWN:
        return "the same log-loss to 0.001 nats"
    if abs(apart.value) < _SHOWN:
        return f"the same log-loss to 0.001 nats ({shown[1:]})"
    return f"a log-loss {abs(apart.value):.3f} nats {'smaller' if apart.value > 0 else 'larger'} ({shown})"


def in_costs(apart: Estimate) -> str:
    """How much more a rival costs.

    >>> in_costs(Estimate(-0.021, -0.05, 0.008, 0.95, "t", 10))
    '0.021 less (-0.021 [-0.050, +0.008])'
    """
    shown = f"{apart.value:+z.3f} [{apart.low:+z.3f}, {apart.high:+z.3f}]"
    if abs(apart.value) < _SHOWN:
        return f"as much ({shown[1:]})"
    return f"{abs(apart.value):.3f} {'more' if apart.value > 0 else 'less'} ({shown})"


def best_rival(study: "Study") -> Rival | None:
    """The other model that is best over folds, or one that wins where that does not; None: there is no other.

    Of rows set aside it is the one that was best over folds; where there was no time to ask it, it is compared there.
    """
    entries = ranked_rivals(study.entries, study.choice.chosen, study.setting)
    if not entries:
        return None
    if study.tested is not None:
        if study.rival_aside is None:
            return _against(study, entries[0], over_folds=True)
        return next((_against(study, entry) for entry in entries if entry.name == study.rival_aside[0]), None)
    rivals = (_against(study, entry) for entry in entries if _leads(study, entry))
    return next((rival for rival in rivals if rival.wins), None) or _against(study, entries[0])


def _leads(study: "Study", entry: Entry) -> bool:
    """Whether a model does so much better over folds that it may win: the intervals of few need to be found."""
    kept, other, price = used_in(study, study.chosen), used_in(study, entry), price_of(study.setting)
    if price is not None:
        return figure(price, kept) - figure(price, other) > 0
    more, less = (figure(name, other) - figure(name, kept) for name in ("accuracy", "log_loss"))
    return more > _POINT or -less > _NATS


def _against(study: "Study", entry: Entry, over_folds: bool = False) -> Rival:
    price = price_of(study.setting)
    kept, other = (used_in(study, one, over_folds) for one in (study.chosen, entry))
    own, right = (shown_accuracy(study, one, over_folds) for one in (study.chosen, entry))
    cost, costs = None, 0.0
    if price is not None:
        costs = figure(price, evaluation_of(study, entry, over_folds).said)
        apart = figure(price, evaluation_of(study, study.chosen, over_folds).said) - costs
        cost = recentred(-difference(price, other, kept), apart)
    return Rival(
        entry,
        recentred(difference("accuracy", other, kept), round(right, 3) - round(own, 3)),
        -difference("log_loss", other, kept),  # in the direction of the comparison, for one figure everywhere
        right,
        cost,
        costs,
        study.choice.nothing_shown and not entry.yardstick,
        over_folds,
    )


def shown_accuracy(study: "Study", entry: Entry, over_folds: bool = False) -> float:
    """How often an entry is right, as the report shows it: of the rows that judge, deciding as it is used."""
    if (over_folds or study.tested is None) and not study.setting.given:
        return entry.result.estimate("accuracy").value
    return evaluation_of(study, entry, over_folds).accuracy.value


def evaluation_of(study: "Study", entry: Entry, over_folds: bool = False) -> Evaluation:
    """Every figure of an entry, of the rows that judge, or over folds."""
    if study.tested is None or over_folds:
        return study.evaluation if entry.name == study.choice.chosen else study.evaluation_of(entry.result)
    found = study.tested if entry.name == study.choice.chosen else study.rival_tested
    assert found is not None
    return found


def recentred(apart: Estimate, value: float) -> Estimate:
    """A difference as a reader finds it by subtracting the two figures that are shown, with the width it has."""
    return replace(apart, value=value, low=apart.low + value - apart.value, high=apart.high + value - apart.value)
