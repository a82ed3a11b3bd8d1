"""How models are judged in a study: as they are used, and against each other on the same rows.

    as used      posteriors under the prior given, decisions by it and by the costs, rows as frequent as it says
    difference   of two cross-validations over the same folds (corrected t, and no surer than the rows), or of answers
                 about the same rows that were set aside
    saving       by what share decisions cost less than something else does, about the same rows

So one story is told everywhere: what the picture compares is what the table counts.
"""

from collections.abc import Iterable
from dataclasses import replace
from typing import TYPE_CHECKING, Any, TypeAlias

import numpy as np

from likely.data.findings.target_column import labels_of
from likely.evaluation.comparing.comparison import compare_results
from likely.evaluation.comparing.paired_rows import paired_interval
from likely.evaluation.evaluation import Evaluation, evaluate
from likely.evaluation.measures.criteria import Criterion, cost_criterion, criterion, row_values
from likely.evaluation.resampling.cross_validation import CrossValidation
from likely.evaluation.said import Said
from likely.intervals.estimate import Estimate
from likely.intervals.means import mean_interval
from likely.numeric.arrays import Floats
from likely.reports.choosing.choice import CRITERION
from likely.reports.choosing.contest import BASELINE, Entry
from likely.reports.choosing.setting import Setting

if TYPE_CHECKING:
    from likely.reports.study import Study

Judged: TypeAlias = CrossValidation | Said  # over folds, or of rows that were set aside


def as_used(result: CrossValidation, setting: Setting) -> CrossValidation:
    """A cross-validation as the model would be used: under the prior given, deciding as it and the costs call for."""
    if not setting.given or result.log_posterior is None:
        return result
    shifted = np.stack([setting.shifted(once) for once in result.log_posterior])
    said = [setting.decide(once) for once in result.log_posterior]
    answers = np.stack([np.where(one.rejected, -1, one.code) for one in said])
    return replace(result, log_posterior=shifted, answers=answers, weight=setting.weights(result.y))


def used_in(study: "Study", entry: Entry, over_folds: bool = False) -> Judged:
    """What an entry of a study said of the rows that judge: over folds, or of the rows set aside."""
    if study.tested is None or over_folds:
        return as_used(entry.result, study.setting)
    asked = study.tested if entry.name == study.choice.chosen else study.rival_tested
    assert asked is not None
    return asked.said


def of_later(study: "Study", model: Any) -> Evaluation:
    """Every figure of a model on the rows that were set aside or came later."""
    looked, setting = study.looked, study.setting
    found = evaluate(
        model,
        looked.later.drop(study.target),
        labels_of(looked.later[study.target]).to_numpy(),
        pos_label=study.positive_of(tuple(study.result.classes.tolist())),
        costs=setting.costs,
        reject_cost=setting.reject,
    )
    weight = setting.weights(found.said.y)  # the rows set aside, too, are to be as frequent as the prior says
    return replace(found, said=replace(found.said, weight=weight, groups=looked.later_groups))


def always(judged: Judged, place: int) -> Judged:
    """The same rows, each answered by the class at this place."""
    if isinstance(judged, Said):
        return replace(judged, answers=np.full(len(judged), place), log_posterior=None, posterior=None)
    return replace(judged, answers=np.full(judged.folds.shape, place), log_posterior=None)


def difference(measure: Any, first: Judged, second: Judged, confidence: float = 0.95) -> Estimate:
    """A measure of the first less that of the second, about the same rows.

    >>> said = Said.of([0, 1] * 20, [0.1, 0.8] * 20)
    >>> print(difference("accuracy", said, always(said, 0)))
    0.500 [0.311, 0.641] 95 % paired rows, n=40
    """
    chosen = criterion(measure)
    if isinstance(first, Said) and isinstance(second, Said):
        found = paired_interval(chosen, first, second, confidence)
        assert found is not None
        return found
    assert isinstance(first, CrossValidation) and isinstance(second, CrossValidation)
    both = {"first": first, "second": second}
    return compare_results(both, chosen, "second", confidence=confidence).between("first", "second").difference


def figure(measure: Any, judged: Judged) -> float:
    """A measure without an interval: the mean over the folds, or of the rows."""
    chosen = criterion(measure)
    return chosen.figure(judged) if isinstance(judged, Said) else float(judged.scores(chosen).mean())


def price_of(setting: Setting) -> Criterion | None:
    """What a row costs, where costs or the cost of not answering are given; without costs every mistake costs 1."""
    if setting.costs is None and setting.reject is None:
        return None
    return cost_criterion(setting.matrix, setting.reject)


def saving(price: Criterion, said: Said, other: Said | float, confidence: float = 0.95) -> Estimate:
    """By what share the answers cost less than other answers about the same rows, or than a cost that is given.

    The interval is that of the mean of other - (1 - share) x own costs, to first order.

    >>> said = Said.of([0, 1] * 20, [0.1, 0.8] * 18 + [0.9, 0.8] * 2)
    >>> price = cost_criterion([[0, 1], [1, 0]])
    >>> print(saving(price, said, always(said, 0)))
    0.900 [0.293, 1.000] 95 % paired rows, n=40
    """
    own = row_values(price, said)
    theirs: Floats = np.full(len(said), other) if isinstance(other, float) else row_values(price, other)
    mean, against = (float(np.average(values, weights=said.weight)) for values in (own, theirs))
    ratio = mean / against
    apart = (own - ratio * theirs) / against
    found = mean_interval(apart, confidence, sample_weight=said.weight, groups=said.groups)
    low, high = 1 - ratio - found.high, min(1 - ratio - found.low, 1.0)
    return Estimate(1 - ratio, low, high, confidence, "paired rows", found.n, found.standard_error)


def ranked_rivals(entries: Iterable[Entry], chosen: str, setting: Setting) -> list[Entry]:
    """The other models that were judged, the best over folds first: by what they cost, where that is known."""
    price = price_of(setting)
    others = [entry for entry in entries if entry.judged and entry.name not in (chosen, BASELINE)]

    def loss(entry: Entry) -> float:
        return figure(price or CRITERION, as_used(entry.result, setting))

    return sorted(others, key=loss)
