"""The answer of a study in three sentences, and what to distrust about it.

what the model is worth     how often it is right about rows that it has not seen
what that is compared with  the majority class, and the best of the yardsticks
what its probabilities say  whether they come true as often as they say, and what to do with them
"""

from math import log2
from typing import TYPE_CHECKING

import numpy as np

from likely.data.printing.wording import counted, listed
from likely.evaluation.audit.rows import Audit
from likely.intervals.estimate import Estimate
from likely.reports.choosing.choice import POOL
from likely.reports.choosing.contest import BASELINE
from likely.reports.judging import price_of
from likely.reports.rendering.first_screen.first_figures import (
    NO_ANSWER,
    accuracy_of,
    by_costs,
    commonest,
    far_from_folds,
    gain,
    guess,
    judged,
    mean_cost,
    right,
    right_over_folds,
    some_left,
    without_model,
)
from likely.reports.rendering.rivals import Rival

if TYPE_CHECKING:
    from likely.reports.study import Study

WIDE = 0.10  # an interval of accuracy of this width says little
FEW = 30  # rows of a class
_HUGE = 1_000_000  # a ratio beyond which digits say nothing


def answer(study: "Study") -> tuple[str, ...]:
    """Three sentences."""
    return _worth(study), _compared(study), _probabilities(study)


def needs_attention(study: "Study") -> bool:
    """Whether to think twice: no better than the majority, something else wins, a column may be the answer, or rows set
    aside do worse than folds.
    """
    rival = study.rival
    beaten = rival is not None and rival.wins
    return bool(leaking_columns(study)) or beaten or far_from_folds(study) or not is_useful(study)


def is_useful(study: "Study") -> bool:
    """Whether the model kept is shown to be better than guessing: on rows set aside, where there are some."""
    if study.tested is None:
        return beats_majority(study) or right_more_often(study)
    found = study.tested
    return gain(study).low > 0 or found.log_loss.high < found.log_loss_of_shares


def leaking_columns(study: "Study") -> list[str]:
    """Columns in use that may give the class away."""
    return [column.name for column in study.findings.columns if column.warning == "leak" and column.used]


def in_time(study: "Study", columns: list[str]) -> str:
    """The question whether columns are known when the model is asked."""
    return f"{'are' if len(columns) > 1 else 'is'} {listed(columns)} known before {study.target} is?"


def small_classes(study: "Study") -> list[str]:
    """Classes of few rows, with how many."""
    return [f"{c} ({n} rows)" for c, n in study.findings.classes if n < FEW]


def off_by(error: Estimate) -> str:
    """How far probabilities are off: with an interval, or where that reaches down to 0, at most so far.

    >>> off_by(Estimate(0.0, 0.0, 0.0058, 0.95, "bins", 100)), off_by(Estimate(0.04, 0.03, 0.05, 0.95, "bins", 100))
    ('at most 0.006', '0.040 [0.030, 0.050]')
    """
    return f"at most {error.high:.3f}" if error.low < 0.0005 else error.short()


def right_more_often(study: "Study") -> bool:
    """Whether the model is shown to be right more often than always saying the commonest class, of the same rows.

    A log-loss has no bound: after no mistake in a few rows, one that a sure model has yet to make may outweigh all.
    """
    return study.choice.chosen != BASELINE and gain(study).low > 0


def beats_majority(study: "Study") -> bool:
    """Whether the log-loss of the model kept is better than the majority's, beyond the interval of the difference."""
    if study.choice.chosen == BASELINE:
        return False
    return study.against_majority.low > study.choice.optimism  # the majority's less the model's: choosing flatters it


def units(study: "Study") -> str:
    """What there is so many of that figures are as sure as they are: rows, or groups of them."""
    groups = judged(study).said.groups
    if groups is None:
        return f"{judged(study).n:,} rows"
    return f"{len(np.unique(groups)):,} groups of {study.arguments.get('groups')} ({judged(study).n:,} rows)"


def model_before(study: "Study") -> str:
    """What the model kept is called where it is asked without its calibration, if it has one."""
    return "the model kept, before calibration," if study.calibrated_by else "the model kept"


def not_calibrated(study: "Study") -> str:
    """Which candidates were compared without the calibration that others had, for lack of time; empty: none."""
    told = [f"{' and '.join(entry.untried)} of {entry.name}" for entry in study.entries if entry.untried]
    if not told:
        return ""
    tried = "For lack of time these calibrations were not tried, which may be to the candidates' disadvantage"
    return f"{tried}: {'; '.join(told)}"


def percent(figure: Estimate) -> str:
    """A share as a percentage with its interval."""
    return f"{100 * figure.value:.1f} % [{100 * figure.low:.1f}, {100 * figure.high:.1f}]"


def times(bits: float) -> str:
    """A ratio, given by its log2, in three digits.

    >>> times(1.0), times(11.7205), times(-6.0), times(40.0), times(-40.0)
    ('2', '3,370', '0.0156', 'over 1,000,000', 'under 0.001')
    """
    if bits > log2(_HUGE):
        return f"over {_HUGE:,}"
    ratio = 2.0**bits
    if ratio < 0.001:
        return "under 0.001"
    return f"{float(f'{ratio:.3g}'):,.0f}" if ratio >= 100 else f"{ratio:.3g}"


def _worth(study: "Study") -> str:
    how = f", calibrated ({study.calibrated_by})" if study.calibrated_by else ""
    baseline = study.choice.chosen == BASELINE
    accuracy = accuracy_of(study.chosen) if baseline else study.result.estimate("accuracy")
    columns = len(study.facts.kinds)
    if baseline:
        missed = sum(not entry.judged and not entry.yardstick for entry in study.entries)
        tried = sum(entry.judged and not entry.yardstick for entry in study.entries) - 1
        if not tried:
            return f"No model could be judged ({_reasons(study)}), so only the commonest class is left to say."
        also = f" {missed} more could not be judged ({_reasons(study)})." if missed else ""
        return (
            f"None of {tried} models is shown to predict {study.target} from the {columns} columns better than always "
            f"saying the commonest class, which is right in {percent(accuracy)} of cases: the table shows no signal "
            f"that luck cannot explain, which is no proof that there is none.{also}"
        )
    leaks = leaking_columns(study)
    beware = (
        f" But {in_time(study, leaks)} {'They' if len(leaks) > 1 else 'It'} may give the class away." if leaks else ""
    )
    unseen = "of rows that it has not seen"
    if study.tested is not None:
        folds = percent(right_over_folds(study))
        unseen = f"of the {study.tested.n:,} rows set aside (over folds of the rows learned: {folds})"
    accuracy = right(study)
    if study.setting.given:
        what = f"deciding as {called_for(study)}, it is right about"
        if _rejects(study) and judged(study).confusion.selective_accuracy.defined:
            what, unseen = "it is right about", "of the rows that it answers, none of which it has seen"
    else:
        what = f"from {columns} column{'s' * (columns != 1)} it predicts {study.target} right for"
    rival = study.rival
    first = _beaten(study, rival) if rival is not None and rival.wins else ""
    kept = f"the {POOL}" if study.choice.chosen == POOL else study.choice.chosen
    return f"{first}The model kept is {kept}{how}: {what} {percent(accuracy)} {unseen}.{beware}"


def _beaten(study: "Study", rival: Rival) -> str:
    """The headline where something else does better."""
    keep = "keep it with --keep-best"
    if rival.entry.yardstick:
        keep = "it is a yardstick of scikit-learn"
    elif rival.entry.name != study.choice.best:
        among = "by log-loss" if study.tested is None else "over folds, which choose, by log-loss"
        keep = f"{among} {study.choice.best} is best, which --keep-best keeps"
    if rival.cost is None and study.tested is None and not study.setting.given:
        loss, kept = (study.comparison.estimates[name].value for name in (rival.entry.name, study.choice.chosen))
        known = f"; log-loss {loss:.3f} against {kept:.3f} nats"
    else:
        known = ""
    share = "" if rival.cost is not None else f"right for {100 * rival.right:.1f} %, "
    return f"Something else wins: {rival.entry.name} {share}{rival.words.removeprefix('is ')}{known}; {keep}. "


def _compared(study: "Study") -> str:
    parts = []
    if not by_costs(study):  # else what is always said is compared by its cost
        there = "" if study.tested is None else f" of the {study.tested.n:,} rows set aside"
        there = " of the rows that it answers" if some_left(study) else there
        said = commonest(study)
        parts.append(f"{said}{',' * (', ' in said)} would be right for {percent(guess(study)[1])}{there}")
    if study.choice.chosen != BASELINE and not beats_majority(study):
        parts.append("by log-loss it is open whether the model kept is better than the classes' shares")
    if (rival := study.rival) is not None:
        parts.append(f"the best rival, {rival.entry.name}, {rival.words}{of_the_same(study)}{verdict(rival)}")
    told = "; ".join(parts) or "nothing else was judged"
    return f"{told[0].upper()}{told[1:]}."


def of_the_same(study: "Study") -> str:
    """Of which rows, and under what, two models are compared, where that is not what one would think."""
    where = "" if study.tested is None else f", of the same {study.tested.n:,} rows set aside"
    return where + (", under the prior given" if study.setting.prior is not None else "")


def hurried_past(study: "Study") -> list[str]:
    """The candidates that were not judged for lack of time."""
    missed = (entry for entry in study.entries if not entry.judged and not entry.yardstick)
    return [entry.name for entry in missed if "time" in entry.left_out]


def repeats_an_earlier_one(found: Audit) -> str:
    """How many rows are copies."""
    extra = found.duplicates.extra
    return f"{counted(extra, 'row')} repeat{'s' * (extra == 1)} an earlier one"


def called_for(study: "Study") -> str:
    """What was given for decisions, and that it calls for them.

    The cost of not answering alone leaves every mistake to cost 1.
    """
    named = _given(study)
    return f"the {listed(named)} given call{'' if len(named) > 1 or 'costs' in named else 's'} for"


def _given(study: "Study") -> list[str]:
    setting = study.setting
    given = [(setting.costs, "costs"), (setting.prior, "prior"), (setting.reject, "cost of not answering")]
    return [words for what, words in given if what is not None]


def verdict(rival: Rival) -> str:
    """Whether a rival's lead is one."""
    if rival.wins:
        return ", which is more than luck"
    return ": luck can explain that, or it is too little to matter" if rival.ahead else ""


def _probabilities(study: "Study") -> str:
    state = f"On average its probabilities are off by {off_by(judged(study).calibration_error.debiased)}"
    left = _left_unanswered(study)
    if study.setting.costs is None:
        said = "" if study.setting.given else "; each row is given its most probable class"
        return f"{state}{said}.{left}"
    if not by_costs(study):
        return f"{state}."
    cost, name, constant = judged(study).cost, *without_model(study)
    return (
        f"{state}; under the costs given a decision costs {cost.short()} on average, against "
        f"{_cost_of(constant)} for {name}.{left}"
    )


def _cost_of(cost: Estimate) -> str:
    """A cost with its interval, if it is not one that was given."""
    return cost.short() if cost.width else f"{cost.value:g}"


def _left_unanswered(study: "Study") -> str:
    """With a cost of not answering: how many rows are left, how often the others are right, what leaving all costs."""
    if study.setting.reject is None:
        return ""
    table = judged(study).confusion
    rejected = int((judged(study).said.labels < 0).sum())
    share, answered = 100 * table.coverage.value, table.selective_accuracy
    said = by_costs(study) and without_model(study)[0] == NO_ANSWER  # by the comparison of costs
    each = "" if study.setting.costs is not None else f" With 1 for a mistake a row costs {mean_cost(study).short()}."
    all_left = "" if said else f"{each} Leaving every row unanswered would cost {study.setting.reject:g} a row."
    return (
        f" {rejected:,} of {judged(study).n:,} rows are left unanswered; the {share:.1f} % that are answered are "
        f"right in {percent(answered) if answered.defined else 'no case'}.{all_left}"
    )


def footnotes(study: "Study") -> tuple[str, ...]:
    """How the figures of the answer were found."""
    accuracy, error = right(study), judged(study).calibration_error.debiased
    spread = "" if study.setting.given else study.result.spread_in_words("accuracy")
    result = study.result
    repeats = "" if result.repeats == 1 else f", {result.repeats} times"
    how = (
        f"How often right: {result.n_folds}-fold cross-validation{repeats}, each row judged by a model that had not "
        f"seen it; 95 % interval: {accuracy.method}, n={accuracy.n:,.0f}{f'; {spread}' if spread else ''}."
    )
    if study.tested is not None:
        how = (
            f"How often right, and off by: of the {study.tested.n:,} rows set aside, which were not learned; 95 % "
            f"interval: {accuracy.method}. What was chosen was chosen by {result.n_folds}-fold "
            f"cross-validation{repeats} of the others."
        )
    return (
        how,
        f"{_how_rivals(study)} Log-loss is the mean of -ln of the probability given to what came true, in nats: "
        "smaller is better.",
        f"Off by: the mean distance between what was said and what came true, in 15 groups of equal size, less what "
        f"chance adds (debiased calibration error; interval: {error.method}).",
    )


def _how_rivals(study: "Study") -> str:
    """On which rows rivals are judged, and by what."""
    where = (
        "Rivals are judged on the same folds; differences have intervals corrected for the rows that folds share "
        "(corrected resampled t), and no narrower than the rows leave them."
    )
    if study.tested is not None:
        where = (
            "The rival that was best over folds was asked about the same rows set aside; differences have intervals of "
            "the rows, pair by pair."
        )
    if price_of(study.setting) is not None:
        return f"{where} Both decide as {called_for(study)}; a hundredth of the cost counts as a difference."
    return f"{where} More than 1 point or 0.01 nats counts as a difference that matters."


def _reasons(study: "Study") -> str:
    reasons = dict.fromkeys(entry.left_out for entry in study.entries if not entry.judged and not entry.yardstick)
    return "; ".join(reasons)


def _rejects(study: "Study") -> bool:
    return bool(judged(study).confusion.rejected.any())
