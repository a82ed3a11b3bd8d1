"""Estimators in scikit-learn's convention, without importing scikit-learn.

What all of them share is here: `Classifier`, `Regressor`, `Transformer` and `Clusterer` are what an estimator of your
own is made of. The models themselves are in rooms below, which do not know each other, and the names of `likely`.

Classifier, Regressor, Transformer, Clusterer    parameters, tables, tags, score and face of an estimator
MajorityClassifier                               the commonest class, which every model has to beat
candidates(facts)                                the models that a study tries on a table of which these facts hold
column_gain, threshold_gains                     what a column tells of the classes, and each threshold of a number
permutation_importance(model, X, y)              what a tree or forest loses when a column is shuffled, with intervals
Grove, Rule                                      the nodes of trees; the way to a leaf
unwrap(model)                                    the model inside calibration and decisions
"""

from likely.models.any_classifier.inside import unwrap
from likely.models.baseline import MajorityClassifier
from likely.models.estimator import Classifier, Clusterer, Estimator, Regressor, Transformer
from likely.models.roster import Candidate, TableFacts, candidate, candidates
from likely.models.trees import Grove, Rule, column_gain, permutation_importance, threshold_gains

__all__ = [
    "Candidate",
    "Classifier",
    "Clusterer",
    "Estimator",
    "Grove",
    "MajorityClassifier",
    "Regressor",
    "Rule",
    "TableFacts",
    "Transformer",
    "candidate",
    "candidates",
    "column_gain",
    "permutation_importance",
    "threshold_gains",
    "unwrap",
]
