"""Estimators in scikit-learn's convention, without importing scikit-learn.

What all of them share is here: `Classifier`, `Regressor`, `Transformer` and `Clusterer` are what an estimator of your
own is made of. The models themselves are in rooms below, which do not know each other, and the names of `likely`.

Classifier, Regressor, Transformer, Clusterer    parameters, tables, tags, score and face of an estimator
MajorityClassifier                               the commonest class, which every model has to beat
candidates(facts)                                the models that a study tries on a table of which these facts hold
attribute_weights(model, X, y)                   weights of columns for nearest neighbours, by leave-one-out or outcomes
acceptance(correct, tries, ...)                  whether IB3 accepts an instance by its record
cover_hart(X, y)                                 bounds of the Bayes error from that of the nearest neighbour;
                                                 bayes_error_below, nearest_neighbor_limit
voronoi_cells(X, y), bisector(a, b)              where the nearest neighbour changes, in the plane
unwrap(model)                                    the model inside calibration and decisions
"""

from likely.models.any_classifier.inside import unwrap
from likely.models.baseline import MajorityClassifier
from likely.models.estimator import Classifier, Clusterer, Estimator, Regressor, Transformer
from likely.models.neighbors import (
    acceptance,
    attribute_weights,
    bayes_error_below,
    bisector,
    cover_hart,
    nearest_neighbor_limit,
    voronoi_cells,
)
from likely.models.roster import Candidate, TableFacts, candidate, candidates

__all__ = [
    "Candidate",
    "Classifier",
    "Clusterer",
    "Estimator",
    "MajorityClassifier",
    "Regressor",
    "TableFacts",
    "Transformer",
    "acceptance",
    "attribute_weights",
    "bayes_error_below",
    "bisector",
    "candidate",
    "candidates",
    "cover_hart",
    "nearest_neighbor_limit",
    "unwrap",
    "voronoi_cells",
]
