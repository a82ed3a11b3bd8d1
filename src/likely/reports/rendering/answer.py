"""The answer of a study in three sentences, and what to distrust about it.

what the model is worth     how often it is right about rows that it has not seen
what that is compared with  the majority class, and the best of the yardsticks
what its probabilities say  whether they come true as often as they say, and what to do with them
"""

from math import log2
from typing import TYPE_CHECKING

import numpy as np

from likely.data.printing.wording import counted, listed
from likely.evaluation.audit.rows import TOO_SURE, Audit
from likely.intervals.estimate import Estimate
from likely.reports.choosing.contest import BASELINE
from likely.reports.choosing.pooling import NAME as POOL
from likely.reports.rendering.first_figures import (
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

_WIDE = 0.10  # an interval of accuracy of this width says little
_FEW = 30  # rows of a class
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
    return [f"{c} ({n} rows)" for c, n in study.findings.classes if n < _FEW]


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


def distrust(study: "Study") -> tuple[str, ...]:
    """What could make the figures wrong, for this table."""
    doubts = [*study.findings.notes]
    doubts += [f"Column {c.name}: {c.words}" for c in study.findings.columns if c.words and c.used]
    if study.looked.alone:
        names = ", ".join(map(str, study.looked.alone))
        doubts.append(f"Classes with a single row cannot be learned and tested, and were set aside: {names}.")
    if study.tested is not None:
        doubts.append(_of_set_aside(study))
    accuracy = right(study)
    if accuracy.width > _WIDE:
        doubts.append(f"{units(study)} leave open how often it is right: {percent(accuracy)}.")
    if small := small_classes(study):
        more = f" and {len(small) - 10} more" if len(small) > 10 else ""
        doubts.append(f"Figures of small classes are uncertain: {', '.join(small[:10])}{more}.")
    if study.choice.optimism > 0:
        count = sum(entry.judged and not entry.yardstick for entry in study.entries)
        doubts.append(
            f"The model was chosen among {count} by the same folds that judge it, which flatters its log-loss by "
            f"{_little(study.choice.optimism)} nats (Tibshirani and Tibshirani 2009)."
        )
    if not study.setting.given:
        doubts += [f"{note[0].upper()}{note[1:]}." for note in study.evaluation.notes]
    if lacking := not_calibrated(study):
        doubts.append(f"{lacking}. With more time the choice may be another.")
    if study.redundancy is not None and (strong := study.redundancy.strong):
        named = "; ".join(f"{pair.first} and {pair.second} ({pair.bits:.1f} bits)" for pair in strong[:3])
        doubts.append(
            f"Columns repeat each other: within a class they share at least {study.redundancy.bits:.1f} bits, most of "
            f"all {named}. {_double(study)}"
        )
    if study.audit is not None and study.audit.duplicates.extra:
        doubts.append(f"{repeats_an_earlier_one(study.audit)}; a copy in another fold flatters the figures.")
    left_out = [f"{entry.name} ({entry.left_out})" for entry in study.entries if not entry.judged]
    if left_out:
        doubts.append(f"Not judged: {'; '.join(left_out)}.")
    doubts.append(_like_these(study))
    return tuple(doubts)


def _of_set_aside(study: "Study") -> str:
    """How rows set aside do beside folds."""
    assert study.tested is not None
    n, there, over = study.tested.n, percent(right(study)), percent(right_over_folds(study))
    off, its = (off_by(found.calibration_error.debiased) for found in (study.tested, study.evaluation))
    told = (
        f"Of the {n:,} rows set aside it is right for {there}, over folds of the rows learned for {over}; its "
        f"probabilities are off by {off} there, over folds by {its}"
    )
    if far_from_folds(study):
        return f"{told}. The rows set aside are not like those learned: do not expect of new rows what folds promise."
    return f"{told}."


def units(study: "Study") -> str:
    """What there is so many of that figures are as sure as they are: rows, or groups of them."""
    groups = judged(study).said.groups
    if groups is None:
        return f"{judged(study).n:,} rows"
    return f"{len(np.unique(groups)):,} groups of {study.arguments.get('groups')} ({judged(study).n:,} rows)"


def _like_these(study: "Study") -> str:
    """Of which rows the figures are, and what was allowed for."""
    groups, time = study.arguments.get("groups"), study.arguments.get("time")
    if groups is not None:
        return (
            f"All figures are about other values of {groups}, drawn like those of the table. If the model is used "
            "elsewhere or later, expect less."
        )
    together = "If rows belong together (the same patient, the same day)"
    if time is not None:
        return (
            f"All figures are of rows later than those learned. {together} or the model is used elsewhere, expect less."
        )
    return (
        f"All figures hold for rows drawn like those of the table. {together} or the model is used elsewhere or later, "
        "expect less."
    )


def _little(amount: float) -> str:
    """At most so much; what three digits do not show is less than their last.

    >>> _little(0.0042), _little(0.0002)
    ('up to about 0.004', 'less than 0.001')
    """
    return f"up to about {amount:.3f}" if amount >= 0.0005 else "less than 0.001"


def model_before(study: "Study") -> str:
    """What the model kept is called where it is asked without its calibration, if it has one."""
    return "the model kept, before calibration," if study.calibrated_by else "the model kept"


def _double(study: "Study") -> str:
    """What columns that repeat each other do to the model kept."""
    if study.audit is not None and study.audit.temperature < TOO_SURE:
        return "That does not make the model kept too sure, but what it says of single columns is less certain."
    return "A model that takes them for independent counts that evidence more than once."


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
            f"None of {tried} models predicts {study.target} from the {columns} columns better than always saying the "
            f"commonest class, which is right in {percent(accuracy)} of cases: the table shows no signal, which is no "
            f"proof that there is none.{also}"
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
        keep = f"by log-loss {study.choice.best} is best, which --keep-best keeps"
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


def repeats_an_earlier_one(found: Audit) -> str:
    """How many rows are copies."""
    extra = found.duplicates.extra
    return f"{counted(extra, 'row')} repeat{'s' * (extra == 1)} an earlier one"


def called_for(study: "Study") -> str:
    """What was given for decisions, and that it calls for them.

    The cost of not answering alone leaves every mistake to cost 1.
    """
    setting = study.setting
    given = [(setting.costs, "costs"), (setting.prior, "prior"), (setting.reject, "cost of not answering")]
    named = [words for what, words in given if what is not None]
    return f"the {listed(named)} given call{'' if len(named) > 1 or 'costs' in named else 's'} for"


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
            f"interval: {accuracy.method}. Rivals and pictures: {result.n_folds}-fold cross-validation{repeats} of the "
            "others."
        )
    return (
        how,
        "Rivals are judged on the same folds; differences have intervals corrected for the rows that folds share "
        "(corrected resampled t). More than 1 point or 0.01 nats counts as a difference that matters. Log-loss is the "
        "mean of -ln of the probability given to what came true, in nats: smaller is better.",
        f"Off by: the mean distance between what was said and what came true, in 15 groups of equal size, less what "
        f"chance adds (debiased calibration error; interval: {error.method}).",
    )


def _reasons(study: "Study") -> str:
    reasons = dict.fromkeys(entry.left_out for entry in study.entries if not entry.judged and not entry.yardstick)
    return "; ".join(reasons)


def _rejects(study: "Study") -> bool:
    return bool(judged(study).confusion.rejected.any())
