"""What each threshold on the probability of a class finds, and what it calls by mistake."""

from dataclasses import replace
from typing import TYPE_CHECKING

import numpy as np
import polars as pl

from likely.evaluation.measures.decision_costs import cost_of
from likely.intervals.proportions import proportion_interval

if TYPE_CHECKING:
    from likely.evaluation.evaluation import Evaluation

THRESHOLDS = (0.05, 0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9, 0.95)


def threshold_table(judged: "Evaluation", at: tuple[float, ...] = THRESHOLDS) -> pl.DataFrame:
    """One threshold a row: the share called positive, recall, precision and the share wrong with Wilson intervals.

    A row is called positive where its probability is the threshold or more. With weights, intervals are those of the
    effective number of rows. They take rows one by one, where there are groups, too. With costs of two classes, also
    the mean cost of a row that is called so.

    >>> from likely import evaluate
    >>> judged = evaluate([0.1, 0.4, 0.8, 0.6], y=["no", "no", "yes", "yes"])
    >>> threshold_table(judged, (0.3, 0.5))["recall", "precision", "wrong"].rows()
    [(1.0, 0.6666666666666666, 0.25), (1.0, 1.0, 0.0)]
    """
    said = judged.said
    place = list(judged.classes).index(judged.positive)
    posterior = np.asarray(said.posterior)
    p, truth = posterior[:, place], said.y == place
    weight = np.ones(len(p)) if said.weight is None else said.weight
    rows = [_row(threshold, p >= threshold, truth, weight) for threshold in at]
    if judged.costs is None or len(judged.classes) > 2:
        return pl.DataFrame(rows)
    return pl.DataFrame([row | _cost(judged, p >= threshold, place) for row, threshold in zip(rows, at, strict=True)])


def _cost(judged: "Evaluation", called: np.ndarray, place: int) -> dict[str, float | None]:
    """What a row costs, called positive or else the other class."""
    assert judged.costs is not None
    said = replace(judged.said, answers=np.where(called, place, 1 - place))
    found = cost_of(said, judged.costs, None, judged.confidence)
    return {"cost": found.value, "cost_low": found.low, "cost_high": found.high}


def _row(threshold: float, called: np.ndarray, truth: np.ndarray, weight: np.ndarray) -> dict[str, float | None]:
    found: dict[str, float | None] = {"threshold": threshold, "called": float(weight[called].sum() / weight.sum())}
    everywhere = np.ones(len(truth), dtype=bool)
    counted = {"recall": (truth, called), "precision": (called, truth), "wrong": (everywhere, called != truth)}
    for name, (among, which) in counted.items():
        own = weight[among]
        total, hits = float(own.sum()), float(weight[among & which].sum())
        rows = total**2 / float((own * own).sum()) if total else 0.0
        share = proportion_interval(hits / total * rows, rows) if total else None
        found[name] = None if share is None else hits / total
        found[f"{name}_low"] = None if share is None else share.low
        found[f"{name}_high"] = None if share is None else share.high
    return found
