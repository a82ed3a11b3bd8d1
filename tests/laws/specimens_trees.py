"""Specimens of trees and forests: tests of numbers and levels, gaps where they belong."""

from typing import Any

from one_estimator import KINDS, Estimator, estimator
from samples import everything, numeric_with_gaps

from likely import BoostedTrees, DecisionForest, DecisionTree

FACTS: dict[str, Any] = {"silent": False, "tier": "many passes"}
HISTORY: dict[str, Any] = {"silent": False, "tier": "order"}
FEW: dict[str, Any] = {"n_estimators": 5, "random_state": 0}

ESTIMATORS: dict[type[Any], tuple[Estimator, ...]] = {
    DecisionTree: (
        estimator("tree", DecisionTree, numeric_with_gaps, scale_free=True, real=True, **FACTS),
        estimator("tree-mixed", DecisionTree, everything, {**KINDS, "criterion": "gini"}, **FACTS),
        estimator("tree-pruned", DecisionTree, everything, {**KINDS, "mdl_pruning": True}, **FACTS),
        estimator("tree-ratio", DecisionTree, everything, {**KINDS, "criterion": "gain_ratio"}, **FACTS),
    ),
    DecisionForest: (
        estimator("forest", DecisionForest, numeric_with_gaps, {**FEW, "n_estimators": 20}, real=True, **FACTS),
        estimator("forest-mixed", DecisionForest, everything, {**KINDS, **FEW}, **FACTS),
    ),
    BoostedTrees: (
        estimator(
            "boosted", BoostedTrees, numeric_with_gaps, {"max_iter": 30, "random_state": 0}, real=True, **HISTORY
        ),
        estimator(
            "boosted-mixed",
            BoostedTrees,
            everything,
            {**KINDS, "early_stopping": False, "max_iter": 5, "random_state": 0},
            **HISTORY,
        ),
    ),
}
