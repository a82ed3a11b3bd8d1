"""The model to keep: the simplest that does about as well as the best.

Whoever picks the best of several by their scores sees a score that is too good. By how much is found by drawing the
rows anew (`luck_of_the_best`). This luck is charged to every single candidate, and not to the pool of all of them,
which picks none and is judged by rows that neither its members nor its weights had learned.

The best has the smallest mean log-loss over the folds, luck included. Another model is as good if it is worse by no
more than one standard error of the difference on the same folds (the corrected one of resampled folds), and by no more
than 5 % of the best's loss, and of its lead over the classes' shares: a loss with heavy tails has a large mean and a
larger standard error still, and would be within one of anything; and where columns say little, 5 % of the loss is most
of what there is to win. A model whose interval does not exclude that it is worse than always saying the classes' shares
is passed over while there is one that is surely better by more than does not matter. (A tree that never splits says the
shares too, a little more carefully: on eight rows that is surely better, by a hundredth of a nat, and is no reason to
pass over models that tell the classes apart.)

What is preferred among those that are as good: "simple" takes the one of lowest rank, and of equal rank the one of
smaller log-loss; "fast" the one that took the least time to judge; "accurate" the best, whatever comes near it.

A model whose lead over the classes' shares, less its luck, is within its standard error is passed over for one as good
that has more of a lead; where none has, as with a dozen rows, nothing is shown, and the shares are kept.

Both times the shares are those of all rows. The rows of a fold lower the share of their own classes in the others: of
eight rows, four of each class, every row left out is of the class that is then the rarer, and shares without it cost
.847 nats where a coin costs .693. Whoever says next to nothing would be surely better than that.
"""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace

import numpy as np

from likely.data.printing.wording import listed
from likely.errors import InputError, check_choice
from likely.evaluation.comparing.comparison import compare_results
from likely.evaluation.comparing.significance import TTest, corrected_resampled_t
from likely.evaluation.resampling.cross_validation import CrossValidation
from likely.intervals.estimate import Estimate
from likely.models.held_out.trust import log_shares
from likely.reports.choosing.luck import luck_of_the_best

CRITERION = "log_loss"
POOL = "pool of the candidates"
ROPE = 0.01  # nats of log-loss that do not matter
PREFERENCES = ("simple", "accurate", "fast")
_SHARE = 0.05  # of the best's log-loss, and of its lead over the shares, by which another may be worse
_LEAST = 0.002  # nats that never matter
_ALONE = {
    "simple": ", and no simpler model comes near enough, allowing for the luck of picking one of many by its score",
    "fast": ", and no faster model comes near enough, allowing for the luck of picking one of many by its score",
    "accurate": "",
}
_WORDS = {"simple": "simpler", "fast": "faster", "accurate": "preferred"}


@dataclass(frozen=True)
class Choice:
    """Which model was chosen, and how it compares with the best."""

    best: str
    chosen: str
    behind: TTest | None  # log-loss of the chosen less that of the best; None: it is the best
    as_good: tuple[str, ...]  # within one standard error of the best, simplest first
    optimism: float  # log-loss that choosing may have hidden, in nats; none of a pool, which picks nobody
    prefer: str = "simple"
    passed_over: tuple[str, ...] = ()  # not shown to be better than the classes' shares, while others are
    asked: str = ""  # why the user's wish, and not the rule, has it kept
    nothing_shown: bool = False  # no model has a lead over the shares that choosing among so many could not have made
    luck: float = 0.0  # nats that are charged to every single candidate
    ahead: tuple[str, ...] = ()  # candidates with a better score than the best, by no more than that

    @property
    def words(self) -> str:
        """The rule and what it came to."""
        if self.nothing_shown:
            return (
                f"No model is shown to be better than the classes' shares: the lead of the best, {self.best}, is no "
                f"more than choosing the best of {len(self.passed_over)} models makes by chance. More rows are needed."
            )
        over = self._of_luck
        if len(self.passed_over) > 1:  # the last one is the baseline itself
            over += (
                " Not shown to be better than the classes' shares, by the interval of the difference or once what "
                f"choosing among so many makes by chance is taken off it: {', '.join(self.passed_over[:-1])}."
            )
        if self.asked:
            return f"{self.chosen} {self.asked}; {self.best} has the best log score.{over}"
        if self.behind is None:
            others = [name for name in self.as_good if name != self.chosen]
            many = len(others) > 1
            why = f"which {'are' if many else 'is'} {'no simpler' if self.prefer == 'simple' else 'not preferred'}"
            also = f"; {listed(others)} came within one standard error, {why}" if others else _ALONE[self.prefer]
            counted = " with luck counted" if self.ahead else ""
            return f"{self.chosen} has the best log score{counted}{also}.{over}"
        return (
            f"{self.best} has the best log score; {self.chosen} is {_WORDS[self.prefer]} and within one standard error "
            f"of it. That choice costs {self.behind.difference.value:+.4f} nats a row (standard error "
            f"{self.behind.standard_error:.4f}).{over}"
        )

    @property
    def _of_luck(self) -> str:
        """Who has a lower log-loss yet, and why that does not count; empty: nobody."""
        if not self.ahead:
            return ""
        first, others = self.ahead[0], len(self.ahead) - 1
        more = "" if not others else f" and {others} other model{'s' if others > 1 else ''}"
        have = "have" if others else "has"
        return (
            f" {first[0].upper()}{first[1:]}{more} {have} a lower log-loss, by less than the {self.luck:.3f} nats that "
            "picking the best of so many by their scores flatters it; the pool picks none."
        )


def choose(
    results: Mapping[str, CrossValidation],
    ranks: Mapping[str, int],
    prefer: str = "simple",
    baseline: str | None = None,
    seconds: Mapping[str, float] | None = None,
    pool: str | None = None,
) -> Choice:
    """Choose among cross-validations on the same folds; `baseline` is the one that every other must beat, `pool` the
    one of all others together.
    """
    check_choice("prefer", prefer, PREFERENCES)
    if not results:
        raise InputError("no model could be judged, so there is none to choose")
    scores = {name: result.scores(CRITERION) for name, result in results.items()}
    ratio = next(iter(results.values())).test_ratio
    picked = [result for name, result in results.items() if name not in (baseline, pool)]
    luck = dict.fromkeys(scores, luck_of_the_best(picked, CRITERION))
    luck |= {name: 0.0 for name in (baseline, pool) if name in scores}

    def mean(name: str) -> float:
        return float(scores[name].mean()) + luck[name]

    def lowest(names: Iterable[str]) -> str:
        return min(names, key=lambda name: (mean(name), ranks[name]))

    shares = None if baseline is None or baseline not in results else _shares_of_all(results[baseline])
    passed_over = _not_better(results, baseline, shares)
    running = [name for name in scores if name not in passed_over]
    best, first = lowest(running), lowest(scores)
    if best != first:  # of a few rows the surest may be sure of next to nothing
        behind_first = corrected_resampled_t(scores[best], scores[first], ratio)
        if behind_first.difference.value > behind_first.standard_error:
            passed_over, running, best = (), list(scores), first
    tests = {name: corrected_resampled_t(scores[name], scores[best], ratio) for name in running}
    lead = mean(best) if shares is None else float(shares.scores(CRITERION).mean()) - mean(best)
    most = _SHARE * max(min(mean(best), lead), 0.0) + _LEAST
    near = [name for name in running if mean(name) - mean(best) <= min(tests[name].standard_error, most) + 1e-12]
    near.sort(key=lambda name: (ranks[name], mean(name)))

    def preferred(names: list[str]) -> str:
        if prefer == "accurate":
            return lowest(names)
        return names[0] if prefer == "simple" or seconds is None else min(names, key=lambda n: (seconds[n], ranks[n]))

    def leads(name: str) -> bool:
        least = scores[name] if shares is None else shares.scores(CRITERION)
        lead = corrected_resampled_t(least, scores[name], ratio)
        return bool(lead.difference.value - luck[name] > lead.standard_error)

    chosen = preferred(near)
    if baseline in scores and chosen != baseline and not leads(chosen):
        leading = [name for name in near if name != baseline and leads(name)]
        if not leading:
            unsure = tuple(name for name in scores if name != baseline)
            return Choice(best, baseline, None, (baseline,), 0.0, prefer, unsure, nothing_shown=True)
        trailing = (name for name in near if name not in (*leading, baseline))
        passed_over = (*trailing, *(passed_over or (baseline,)))
        near, chosen = leading, preferred(leading)
    behind = None if chosen == best else tests[chosen]
    lower = [name for name in running if scores[name].mean() < scores[best].mean()] if best == pool else []
    lower.sort(key=lambda name: float(scores[name].mean()))
    charged = max(luck.values())
    return Choice(
        best, chosen, behind, tuple(near), luck[chosen], prefer, passed_over, luck=charged, ahead=tuple(lower)
    )


def _shares_of_all(result: CrossValidation) -> CrossValidation:
    """The baseline as if it had known the classes' shares of all rows, where that is harder to beat."""
    if result.log_posterior is None:
        return result
    told = log_shares(result.y, result.weight, len(result.classes))
    known = replace(result, log_posterior=np.where(np.isnan(result.log_posterior), np.nan, told), answers=None)
    return min(known, result, key=lambda one: float(one.scores(CRITERION).mean()))


def _not_better(
    results: Mapping[str, CrossValidation], baseline: str | None, shares: CrossValidation | None
) -> tuple[str, ...]:
    """The models that may be worse than the baseline, itself last, if some other is clearly better."""
    if baseline is None or shares is None:
        return ()
    results = {**results, baseline: shares}
    others = [name for name in results if name != baseline]
    least = {name: ahead_of(results, baseline, name).low for name in others}
    unsure = tuple(name for name, low in least.items() if not low > 0)
    return (*unsure, baseline) if any(low > ROPE for low in least.values()) else ()


def ahead_of(results: Mapping[str, CrossValidation], baseline: str, name: str) -> Estimate:
    """Log-loss of the baseline less that of a model: one question, whatever else is compared."""
    both = {one: results[one] for one in dict.fromkeys((baseline, name))}
    return compare_results(both, CRITERION, name, ROPE).between(baseline, name).difference
