"""What figures of cross-validation owe to few rows: of a class, of groups, or left out one by one."""

from dataclasses import replace
from typing import TYPE_CHECKING

import numpy as np

from likely.evaluation.measures.criteria import Criterion
from likely.evaluation.resampling.pair_ranking import ranked_in_pairs
from likely.intervals.estimate import Estimate
from likely.intervals.means import effective_size
from likely.intervals.quantiles import normal_quantile, t_quantile

if TYPE_CHECKING:
    from likely.evaluation.resampling.cross_validation import CrossValidation

_TOO_FEW = 5  # rows of a class, of which a log-loss has no upper end


def of_few(result: "CrossValidation", chosen: Criterion, confidence: float) -> Estimate:
    """A measure of all rows together, where a class has so few that whole folds have none.

    A fold that holds one of m rows of a class leaves m - 1 to learn from, a large part less. As in the corrected
    resampled t the variance is larger by 1 / (m - 1), the rows left out to those learned; with groups, m is how
    many groups would tell as much of the class that is in fewest. Areas, which rank rows that one model judges
    alone (`pair_ranking`), and figures of groups are larger by the rows that folds learn in common too, as all of
    that t are.
    """
    from scipy.special import ndtr

    fewest, wider = fewest_units(result), wider_for_few(result, chosen)
    ranked = ranked_in_pairs(result, confidence, wider) if chosen.name == "roc_area" else None
    if ranked is None:
        reach = normal_quantile(confidence)
        if result.groups is not None:
            reach = t_quantile(confidence, max(len(np.unique(result.groups)) - 1, 1))
        ranked = replace(result.pooled(chosen, 1 - 2 * float(ndtr(-wider * reach))), confidence=confidence)
    units = "rows" if result.groups is None else "groups"
    told = f"widened {wider:.2f} times for a class of {fewest:.3g} {units}"
    return replace(ranked, method=f"{ranked.method}, {told}" if wider > 1 else ranked.method)


def wider_for_few(result: "CrossValidation", chosen: Criterion) -> float:
    """By how much a figure of all rows together is less sure than its rows."""
    alike = result.groups is not None or chosen.name == "roc_area"
    shared = result.test_ratio * result.n_folds if alike else 0.0
    fewest = fewest_units(result)
    return float(np.sqrt(1 + shared + (1 / (fewest - 1) if fewest > 1 else 0.0)))


def fewest_units(result: "CrossValidation") -> float:
    """Rows of the smallest class, or with groups the effective number of those that hold a class."""
    units = np.arange(len(result.y)) if result.groups is None else result.groups
    held = [np.bincount(units[result.y == c]).astype(np.float64) for c in range(len(result.classes))]
    return min(effective_size(rows[rows > 0], 0) for rows in held)


def without_an_end(result: "CrossValidation", found: Estimate) -> Estimate:
    """A log-loss without an upper end where a class has few rows: who learned so few may be very sure and wrong."""
    counted = np.bincount(
        result.y if result.weight is None else result.y[result.weight > 0], minlength=len(result.classes)
    )
    fewest = int(counted.argmin())
    if counted[fewest] >= _TOO_FEW or not found.high < np.inf:
        return found
    told = f"class {result.classes[fewest].item()!r} has {counted[fewest]} row{'' if counted[fewest] == 1 else 's'}"
    note = f"{told}, too few to tell how sure models of them may be where they are wrong: no upper end"
    return replace(found, high=np.inf, note="; ".join(filter(None, (found.note, note))))


def no_surer_than(found: Estimate, folds: Estimate) -> Estimate:
    """A figure of rows left out one by one, whose interval holds that of folds with even shares of the classes."""
    if not (found.defined and folds.defined) or (folds.low >= found.low and folds.high <= found.high):
        return found
    method = f"{found.method}, no surer than folds with even classes"
    return replace(found, low=min(found.low, folds.low), high=max(found.high, folds.high), method=method)
