"""The answer of a study in three sentences, and what to distrust about it.

what the model is worth     how often it is right about rows that it has not seen
what that is compared with  the majority class, and the best of the yardsticks
what its probabilities say  whether they come true as often as they say, and what to do with them
"""

from math import log2
from typing import TYPE_CHECKING

from likely.evaluation.comparing.verdict_words import in_words
from likely.intervals.estimate import Estimate
from likely.intervals.proportions import proportion_interval
from likely.reports.choosing.contest import BASELINE, Entry

if TYPE_CHECKING:
    from likely.reports.study import Study

_WIDE = 0.10  # an interval of accuracy of this width says little
_FEW = 30  # rows of a class
_HUGE = 1_000_000  # a ratio beyond which digits say nothing


def answer(study: "Study") -> tuple[str, ...]:
    """Three sentences."""
    return _worth(study), _compared(study), _probabilities(study)


def needs_attention(study: "Study") -> bool:
    """Whether to think twice: the model is not shown to be better than the majority, or a column may be the answer."""
    leaks = any(column.warning == "leak" and column.used for column in study.findings.columns)
    return leaks or not (beats_majority(study) or _right_more_often(study))


def _right_more_often(study: "Study") -> bool:
    """Whether the model's accuracy lies above the majority's, interval above interval.

    A log-loss has no bound: after no mistake in a few rows, one that a sure model has yet to make may outweigh all.
    """
    accuracy = {entry.name: accuracy_of(entry) for entry in study.entries if entry.judged}
    chosen = study.choice.chosen
    return chosen != BASELINE and accuracy[chosen].low > accuracy[BASELINE].high


def beats_majority(study: "Study") -> bool:
    """Whether the log-loss of the model kept is better than the majority's, beyond the interval of the difference."""
    if study.choice.chosen == BASELINE:
        return False
    return study.against_majority.low > 0  # the majority's less the model's


def distrust(study: "Study") -> tuple[str, ...]:
    """What could make the figures wrong, for this table."""
    doubts = [*study.findings.notes]
    doubts += [f"Column {c.name}: {c.words}" for c in study.findings.columns if c.words and c.used]
    if study.looked.alone:
        names = ", ".join(map(str, study.looked.alone))
        doubts.append(f"Classes with a single row cannot be learned and tested, and were set aside: {names}.")
    accuracy = study.result.estimate("accuracy")
    if accuracy.width > _WIDE:
        doubts.append(f"{study.facts.rows} rows leave the accuracy uncertain: {percent(accuracy)}.")
    small = [f"{c} ({n} rows)" for c, n in study.findings.classes if n < _FEW]
    if small:
        doubts.append(f"Figures of small classes are uncertain: {', '.join(small[:10])}.")
    if study.choice.optimism > 0:
        count = sum(entry.judged and not entry.yardstick for entry in study.entries)
        doubts.append(
            f"The model was chosen among {count} by the same folds that judge it, which flatters its log-loss by up to "
            f"about {study.choice.optimism:.3f} nats (Tibshirani and Tibshirani 2009)."
        )
    if not study.setting.given:
        doubts += [f"{note[0].upper()}{note[1:]}." for note in study.evaluation.notes]
    if lacking := not_calibrated(study):
        doubts.append(f"{lacking}. With more time the choice may be another.")
    left_out = [f"{entry.name} ({entry.left_out})" for entry in study.entries if not entry.judged]
    if left_out:
        doubts.append(f"Not judged: {'; '.join(left_out)}.")
    doubts.append(
        "All figures hold for rows drawn like those of the table. If rows belong together (the same patient, the same "
        "day) or the model is used elsewhere or later, expect less."
    )
    return tuple(doubts)


def not_calibrated(study: "Study") -> str:
    """Which candidates were compared without the calibration that others had, for lack of time; empty: none."""
    told = [f"{' and '.join(entry.untried)} of {entry.name}" for entry in study.entries if entry.untried]
    if not told:
        return ""
    tried = "For lack of time these calibrations were not tried, which may be to the candidates' disadvantage"
    return f"{tried}: {'; '.join(told)}"


def accuracy_of(entry: Entry) -> Estimate:
    """How often a judged entry was right, out of fold.

    Folds are stratified, so the majority is right equally often in all of them, and their spread says nothing.
    """
    if entry.name != BASELINE:
        return entry.result.estimate("accuracy")
    right = entry.result.row_scores("accuracy")[0]
    return proportion_interval(int(right.sum()), len(right))


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
    leaks = [column.name for column in study.findings.columns if column.warning == "leak" and column.used]
    beware = (
        f" But is {' and '.join(leaks)} known before {study.target} is? It may give the class away." if leaks else ""
    )
    told = study.result.spread_in_words("accuracy")
    spread = f"; {told}" if told and not study.setting.given else ""
    if study.setting.given:
        accuracy = study.evaluation.accuracy
        what = "deciding as the costs, prior and reject given call for, it is right about"
    else:
        what = f"from {columns} column{'s' * (columns != 1)} it predicts {study.target} right for"
    return (
        f"The model kept is {study.choice.chosen}{how}: {what} {percent(accuracy)} of rows that it has not seen "
        f"({accuracy.method}, n={accuracy.n:.0f}{spread}).{beware}"
    )


def _compared(study: "Study") -> str:
    by_name = {entry.name: entry for entry in study.entries if entry.judged}
    majority = percent(accuracy_of(by_name[BASELINE]))
    parts = [f"In the table, always saying the commonest class would be right for {majority}"]
    if study.choice.chosen != BASELINE and not beats_majority(study):
        parts.append("by log-loss the model kept is not shown to be better than that")
    yardsticks = [entry for entry in by_name.values() if entry.yardstick]
    if yardsticks:
        estimates = study.comparison.estimates
        best = min(yardsticks, key=lambda entry: estimates[entry.name].value)
        pair = study.comparison.between(best.name, study.choice.chosen)
        comparison = study.comparison
        words = in_words(pair, comparison.criterion, comparison.rope, comparison.confidence, len(comparison.pairs))
        parts.append(f"against the better yardstick, by log-loss: {words}")
    return "; ".join(parts) + "."


def _probabilities(study: "Study") -> str:
    error = study.evaluation.calibration_error.debiased
    state = f"On average its probabilities are off by {error.short()} (debiased calibration error, {error.method})"
    if study.setting.costs is None:
        return f"{state}; without costs, each row is given its most probable class."
    if _rejects(study) and study.setting.reject is None:
        return f"{state}."
    cost, name, constant = study.evaluation.cost, *study.best_constant
    return (
        f"{state}; under the costs given a decision costs {cost.short()} on average ({cost.method}), against "
        f"{constant.short()} if {name} were always said."
    )


def _reasons(study: "Study") -> str:
    reasons = dict.fromkeys(entry.left_out for entry in study.entries if not entry.judged and not entry.yardstick)
    return "; ".join(reasons)


def _rejects(study: "Study") -> bool:
    return bool(study.evaluation.confusion.rejected.any())
