"""Decision trees and forests: tests on one column at a time.

DecisionTree, DecisionForest             the classifiers: one tree, the mean of many,
BoostedTrees                             a sum of many, each of which corrects those before it
column_gain, threshold_gains             what one column tells of the classes, and each threshold of a column of numbers
permutation_importance                   what a model loses when a column is shuffled, with intervals
Rule, Grove                              the way to a leaf; the nodes of trees
"""

from likely.models.trees.boosted_trees import BoostedTrees
from likely.models.trees.decision_forest import DecisionForest
from likely.models.trees.decision_tree import DecisionTree
from likely.models.trees.grove import Grove
from likely.models.trees.growing.gains import ColumnGain, ThresholdGains, column_gain, threshold_gains
from likely.models.trees.growing.pruning import TreeLength
from likely.models.trees.importance import Importance, permutation_importance
from likely.models.trees.reading import Rule

__all__ = [
    "BoostedTrees",
    "ColumnGain",
    "DecisionForest",
    "DecisionTree",
    "Grove",
    "Importance",
    "Rule",
    "ThresholdGains",
    "TreeLength",
    "column_gain",
    "permutation_importance",
    "threshold_gains",
]
