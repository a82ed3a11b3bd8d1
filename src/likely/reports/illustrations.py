"""What a study shows of single rows and features: typical and doubtful rows, and the features that tell most.

    typical row of a class    of the rows of that class that were called right, the one with the median posterior
    doubtful rows             those with the smallest lead of the best answer over the next, by expected cost
    telling feature           many bits for the predicted class, on average over the rows

Rows are judged by out-of-fold posteriors; bits are those of the model kept, fitted on all rows.
"""

from collections.abc import Hashable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from likely.decisions.classifiers import take
from likely.errors import LikelyError
from likely.evaluation.estimate import Estimate
from likely.evaluation.means import mean_interval

if TYPE_CHECKING:
    from likely.reports.study import Study

_WEIGHED_ROWS = 20_000  # the mean bits of a feature are known well enough from as many


@dataclass(frozen=True)
class Example:
    """A row worth looking at."""

    what: str
    row: int  # in the rows that were learned from
    truth: Hashable
    said: Hashable
    probability: float  # of what was said, out of fold
    evidence: Any  # None where the model gives none


def examples(study: "Study", doubtful: int = 3, most_classes: int = 6) -> tuple[Example, ...]:
    """A typical row of each class (of the first few) and the most doubtful rows."""
    p, y = study.posterior, study.result.y
    said, names = study.decision.code, study.result.classes.tolist()
    picked = []
    for k, name in enumerate(names[:most_classes]):
        right = np.flatnonzero((y == k) & (said == k))
        if len(right):
            order = right[np.argsort(p[right, k], kind="stable")]
            picked.append((f"a typical {name}", int(order[len(order) // 2])))
    picked += [("a doubtful row", int(row)) for row in np.argsort(study.decision.margin, kind="stable")[:doubtful]]
    found = []
    for what, row in picked:
        evidence = _evidence(study.inner, take(study.data.X, np.array([row])), for_class=names[said[row]])
        found.append(Example(what, row, names[y[row]], names[said[row]], float(p[row, said[row]]), evidence))
    return tuple(found)


def telling_features(study: "Study", top: int = 6) -> tuple[tuple[str, Estimate], ...]:
    """The features with the most bits for the predicted class, each with the mean over the rows."""
    n = len(study.data.codes)
    step = max(1, n // _WEIGHED_ROWS)
    evidence = _evidence(study.inner, take(study.data.X, np.arange(0, n, step)))
    if evidence is None:
        return ()
    bits = np.clip(evidence.bits, -1000.0, 1000.0)  # what is impossible has infinitely many
    order = np.argsort(-bits.mean(axis=0), kind="stable")[:top]
    return tuple((evidence.names[j], mean_interval(bits[:, j])) for j in order)


def _evidence(model: Any, X: Any, for_class: Any = None) -> Any:
    if not hasattr(model, "evidence"):
        return None
    try:
        return model.evidence(X, for_class=for_class)
    except LikelyError:
        return None  # a family that cannot tell what each feature says
