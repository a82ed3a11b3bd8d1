"""Models that keep rows, or a few that stand for them, and answer by the nearest.

NearestNeighbors, NearestNeighborsRegressor     the k nearest rows vote, or their mean is the answer
NearestExemplar                                 one point, or a few, for each class
InstanceLearner                                 few of the rows: IB2, IB3, edited, condensed
attribute_weights(model, X, y)                  weights of columns, by leave-one-out or from outcomes
acceptance(correct, tries, ...)                 whether IB3 accepts an instance
cover_hart(X, y)                                bounds of the Bayes error; bayes_error_below, nearest_neighbor_limit
voronoi_cells(X, y), bisector(a, b)             where the nearest neighbour changes, in the plane
"""

from likely.models.neighbors.acceptance import Acceptance, acceptance
from likely.models.neighbors.classifier import NearestNeighbors
from likely.models.neighbors.cover_hart import CoverHart, bayes_error_below, cover_hart, nearest_neighbor_limit
from likely.models.neighbors.exemplar import LinearBoundary, NearestExemplar
from likely.models.neighbors.fitting.attribute_weights import AttributeWeights, attribute_weights
from likely.models.neighbors.instance_learner import InstanceLearner
from likely.models.neighbors.regressor import NearestNeighborsRegressor
from likely.models.neighbors.voronoi import VoronoiCells, bisector, voronoi_cells

__all__ = [
    "Acceptance",
    "AttributeWeights",
    "CoverHart",
    "InstanceLearner",
    "LinearBoundary",
    "NearestExemplar",
    "NearestNeighbors",
    "NearestNeighborsRegressor",
    "VoronoiCells",
    "acceptance",
    "attribute_weights",
    "bayes_error_below",
    "bisector",
    "cover_hart",
    "nearest_neighbor_limit",
    "voronoi_cells",
]
