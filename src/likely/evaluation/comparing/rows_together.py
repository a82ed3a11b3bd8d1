"""Differences of all rows together: what the rows alone leave open, whatever folds say."""

from dataclasses import replace

import numpy as np

from likely.evaluation.comparing.paired_rows import paired_areas, paired_interval
from likely.evaluation.measures.criteria import Criterion
from likely.evaluation.resampling.cross_validation import CrossValidation
from likely.evaluation.resampling.few_rows import wider_for_few
from likely.evaluation.resampling.pair_ranking import pair_ranking
from likely.intervals.estimate import Estimate


def of_few_rows(chosen: Criterion, a: CrossValidation, b: CrossValidation, confidence: float) -> Estimate | None:
    """A difference of all rows together where folds do not define it, as much less sure as each figure would be.

    Areas rank rows that one model judges alone, as those of each model do.
    """
    found = of_rows_together(chosen, a, b, confidence)
    ranked = [pair_ranking(result) for result in (a, b)] if chosen.name == "roc_area" else []
    if len(ranked) == 2 and ranked[0] is not None and ranked[1] is not None:
        counted = np.flatnonzero(np.ones(len(a.y)) if a.weight is None else a.weight > 0)
        first, second = ((area, moved[counted]) for area, moved in (r for r in ranked if r is not None))
        found = replace(
            paired_areas(a.said().counted(), first, second, confidence), method="leave-pair-out, paired DeLong"
        )
    if found is None:
        return None
    wider = wider_for_few(a, chosen)
    most = chosen.bounds[1] - chosen.bounds[0]
    low = max(found.value - wider * (found.value - found.low), -most)
    high = min(found.value + wider * (found.high - found.value), most)
    method = f"{found.method}, widened {wider:.2f} times"
    return replace(found, low=low, high=high, standard_error=wider * found.standard_error, method=method)


def of_rows_together(chosen: Criterion, a: CrossValidation, b: CrossValidation, confidence: float) -> Estimate | None:
    """What the rows alone leave open of a difference; of several repeats the mean of values, ends and errors."""
    found = [
        paired_interval(chosen, one, other, confidence) for one, other in zip(a.said_once(), b.said_once(), strict=True)
    ]
    each = [one for one in found if one is not None and not np.isnan(one.standard_error)]
    if not each:
        return None
    value, low, high, error = (
        float(np.mean([getattr(one, part) for one in each])) for part in ("value", "low", "high", "standard_error")
    )
    note = next((one.note for one in each if one.note), "")
    return replace(each[0], value=value, low=low, high=high, standard_error=error, note=note)
