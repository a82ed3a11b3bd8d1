"""The answer of a study in three sentences, and what to distrust about it.

what the model is worth     how often it is right about rows that it has not seen
what that is compared with  the majority class, and the best of the yardsticks
what its probabilities say  whether they come true as often as they say, and what to do with them
"""

from typing import TYPE_CHECKING

from likely.data.printing.wording import counted, listed
from likely.evaluation.audit.rows import Audit
from likely.intervals.estimate import Estimate
from likely.reports.choosing.choice import POOL
from likely.reports.choosing.contest import BASELINE
from likely.reports.judging import price_of, ranked_rivals
from likely.reports.rendering.first_screen.first_figures import (
    NO_ANSWER,
    by_costs,
    commonest,
    far_from_folds,
    gain,
    guess,
    judged,
    mean_cost,
    plain_name,
    right,
    right_over_folds,
    some_left,
    without_model,
)
from likely.reports.rendering.first_screen.shown_figures import off_by, percent
from likely.reports.rendering.first_screen.which_rows import of_the_same
from likely.reports.rendering.options import option
from likely.reports.rendering.rivals import Rival

if TYPE_CHECKING:
    from likely.reports.study import Study

WIDE = 0.10  # an interval of accuracy of this width says little
FEW = 30  # rows of a class
_SHOWN = 0.0005  # of a share or of nats: less is 0 to the digits that are shown


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
    return [f"{c} ({counted(n, 'row')})" for c, n in study.findings.classes if n < FEW]


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


def _worth(study: "Study") -> str:
    how = f", calibrated ({study.calibrated_by})" if study.calibrated_by else ""
    baseline = study.choice.chosen == BASELINE
    columns = len(study.facts.kinds)
    if baseline:
        missed = sum(not entry.judged and not entry.yardstick for entry in study.entries)
        tried = sum(entry.judged and not entry.yardstick for entry in study.entries) - 1
        if not tried:
            return f"No model could be judged ({_reasons(study)}), so only the commonest class is left to say."
        also = f" {missed} more could not be judged ({_reasons(study)})." if missed else ""
        return (
            f"None of {tried} models is shown to predict {study.target} from the {counted(columns, 'column')} better "
            f"than always saying the commonest class, which is right in {percent(right(study))} of cases: whatever "
            f"they found may be luck. More rows, or other columns, may show more.{also}"
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
    best, asked = best_of(study), option(study, "keep_best")
    keep = f"keep it with {asked}"
    if rival.entry.yardstick:
        keep = "it is a yardstick of scikit-learn"
    elif best == study.choice.chosen:
        keep = f"over folds, which choose, {best} is best"
    elif rival.entry.name != best:
        by = "by costs" if price_of(study.setting) is not None else "by log-loss"
        among = by if study.tested is None else f"over folds, which choose, {by}"
        keep = f"{among} {best} is best, which {asked} keeps"
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
        more = ", more often than the model" if study.choice.chosen != BASELINE and gain(study).value < -_SHOWN else ""
        parts.append(f"{said}{',' * (', ' in said)} would be right for {percent(guess(study)[1])}{there}{more}")
    if study.choice.chosen != BASELINE and not beats_majority(study):
        parts.append(
            f"by log-loss it is open whether the model kept is better than the classes' shares{_flattered(study)}"
        )
    if (rival := study.rival) is not None:
        told = f"the best rival, {rival.entry.name}, {rival.words}{of_the_same(study)}{verdict(rival)}"
        parts.append(f"{told}{_why_kept(study, rival)}")
    told = "; ".join(parts) or "nothing else was judged"
    return f"{told[0].upper()}{told[1:]}."


def _why_kept(study: "Study", rival: Rival) -> str:
    """Why a model is kept whose lead over a simpler one luck can explain."""
    choice, kept = study.choice, study.chosen
    simpler = not rival.entry.yardstick and rival.entry.rank < kept.rank
    none = "no simpler one comes near enough, allowing for the luck of picking one of many by its score"
    if not (rival.trails and simpler and choice.prefer == "simple") or choice.asked or choice.best != kept.name:
        return ""
    return f", and the {POOL if kept.name == POOL else 'model'} is kept because {none}"


def best_of(study: "Study") -> str:
    """The candidate that is best over folds, which `keep_best` keeps: by what it costs, where that is known."""
    if price_of(study.setting) is None:
        return study.choice.best
    candidates = [entry for entry in study.entries if not entry.yardstick]
    ranked = ranked_rivals(candidates, "", study.setting)
    return ranked[0].name if ranked else study.choice.best


def _flattered(study: "Study") -> str:
    """That a lead which is shown by itself may have come of choosing the best of many."""
    if study.against_majority.low <= 0 or study.choice.optimism < _SHOWN:
        return ""
    return (
        f": of its lead of {study.against_majority.short()} nats choosing among so many models may have made "
        f"{study.choice.optimism:.3f}"
    )


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
    """Whether a rival's lead is one, or that of the model kept over it."""
    if rival.wins:
        return ", which is more than luck"
    if rival.trails:
        return ": luck can explain that"
    return ": luck can explain that, or it is too little to matter" if rival.ahead else ""


def _probabilities(study: "Study") -> str:
    state = f"On average its probabilities are off by {off_by(judged(study).calibration_error.debiased)}"
    left = _left_unanswered(study)
    if study.setting.costs is None:
        said = "" if study.setting.given else "; each row is given its most probable class"
        return f"{state}{said}.{left}"
    if not by_costs(study):
        return f"{state}."
    cost, name, constant = mean_cost(study), *without_model(study)
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
    found = judged(study)
    table, rejected = found.confusion, int((found.said.labels < 0).sum())
    share, answered = 100 * table.coverage.value, table.selective_accuracy
    left = f"{rejected:,} of {found.n:,} rows are left unanswered; the {share:.1f} % that are answered"
    if found.said.weight is not None:  # shares and figures are of the rows as frequent as the prior says
        left = f"With classes as frequent as the prior says {100 - share:.1f} % of the rows are left unanswered; others"
    right_in = percent(answered) if answered.defined else "no case"
    return f" {left} are right in {right_in}{_hardly_found(study)}.{_costs_of_leaving(study)}"


def _costs_of_leaving(study: "Study") -> str:
    """What a row costs where a mistake costs 1, beside one answer for all rows and none for any."""
    reject, each = f"{study.setting.reject:g}", ""
    if study.setting.costs is None:
        name, constant = without_model(study)
        each = f" With 1 for a mistake a row costs {mean_cost(study).short()}"
        if name != NO_ANSWER:
            each += f", {name} {_cost_of(constant)}"
        return f"{each}, leaving every row unanswered {reject}."
    said = by_costs(study) and without_model(study)[0] == NO_ANSWER  # by the comparison of costs
    return "" if said else f" Leaving every row unanswered would cost {reject} a row."


def _hardly_found(study: "Study") -> str:
    """How few of the answered rows of the positive class are called so, where that is fewer than half."""
    found = judged(study)
    if found.positive is None:
        return ""
    place = found.classes.index(found.positive)
    answered = float(found.confusion.support[place] - found.confusion.rejected[place])
    if not answered:
        return f", none of which is {plain_name(found.positive)}"
    hit = float(found.confusion.matrix[place, place]) / answered
    return (
        ""
        if hit >= 0.5
        else f", but of those that are {plain_name(found.positive)} only {100 * hit:.1f} % are called so"
    )


def _reasons(study: "Study") -> str:
    reasons = dict.fromkeys(entry.left_out for entry in study.entries if not entry.judged and not entry.yardstick)
    return "; ".join(reasons)


def _rejects(study: "Study") -> bool:
    return bool(judged(study).confusion.rejected.any())
