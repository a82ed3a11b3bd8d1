"""Estimators in scikit-learn's convention, without importing scikit-learn.

What all of them share is here: `Classifier`, `Regressor`, `Transformer` and `Clusterer` are what an estimator of your
own is made of. The models themselves are in rooms below, which do not know each other, and the names of `likely`.

Classifier, Regressor, Transformer, Clusterer    parameters, tables, tags, score and face of an estimator
of_one_state                                     a verb that answers from one state, whatever other threads learn
MajorityClassifier                               the commonest class, which every model has to beat
candidates(facts)                                the models that a study tries on a table of which these facts hold
attribute_weights(model, X, y)                   weights of columns for nearest neighbours, by leave-one-out or outcomes
acceptance(correct, tries, ...)                  whether IB3 accepts an instance by its record
cover_hart(X, y)                                 bounds of the Bayes error from that of the nearest neighbour;
                                                 bayes_error_below, nearest_neighbor_limit
voronoi_cells(X, y), bisector(a, b)              where the nearest neighbour changes, in the plane
unwrap(model)                                    the model inside calibration and decisions
Ratings, read_ratings                            ratings of items by users, for `Recommender`, which answers with
                                                 Neighbour, Recommendation and Contribution
mixture_path(X, numbers)                         mixtures of 1, 2, 3, ... components, and the criteria to choose by
ProportionalOdds                                 logistic regression of ordered classes
RadialBasis, PolynomialBasis, SplineBasis        fixed functions of the columns, for what is linear in them
Hyperplane, LinearFunctions                      planes between classes
zero_one_loss, squared_loss, logistic_loss       what a margin is charged
logistic, logit, softmax_jacobian                scores and probabilities
fisher_direction, fisher_ratio, StepSizes        of known classes; of online learning
choose_clusters, ClusterNumbers                  what speaks for every number of clusters, and whether there are any
silhouette, Silhouettes, adjusted_rand           how well rows sit in clusters, how alike two clusterings are
Compression                                      what a code book of centres saves and loses
project, explained_share                         rows along directions, and the variance that directions keep
column_gain, threshold_gains                     what a column tells of the classes, and each threshold of a number
permutation_importance(model, X, y)              what a tree or forest loses when a column is shuffled, with intervals
Grove, Rule                                      the nodes of trees; the way to a leaf
linear_separation, mistake_bound, stacked_rows   whether hyperplanes part classes, and what it means for perceptrons
perceptron_trace, perceptron_update              a perceptron one row at a time; PerceptronStep
HardAnswers, binary_problems                     several classes by perceptrons of two
ThresholdUnit, ThresholdNetwork, GATES           threshold neurons; count_threshold_functions, winner_take_all
Layers, Optimizer, ACTIVATIONS                   pieces of networks; activation_values
"""

from typing import TYPE_CHECKING

from likely._late import in_order, late
from likely.models.any_classifier.inside import unwrap as unwrap
from likely.models.baseline import MajorityClassifier as MajorityClassifier
from likely.models.estimator import Classifier as Classifier
from likely.models.estimator import Clusterer as Clusterer
from likely.models.estimator import Estimator as Estimator
from likely.models.estimator import Regressor as Regressor
from likely.models.estimator import Transformer as Transformer
from likely.models.roster import Candidate as Candidate
from likely.models.roster import TableFacts as TableFacts
from likely.models.roster import candidate as candidate
from likely.models.roster import candidates as candidates
from likely.models.traits.state import of_one_state as of_one_state

if TYPE_CHECKING:  # what type checkers and editors see of the names below
    from likely.models.clustering import ClusterNumbers as ClusterNumbers
    from likely.models.clustering import Compression as Compression
    from likely.models.clustering import Silhouettes as Silhouettes
    from likely.models.clustering import adjusted_rand as adjusted_rand
    from likely.models.clustering import choose_clusters as choose_clusters
    from likely.models.clustering import silhouette as silhouette
    from likely.models.components import explained_share as explained_share
    from likely.models.components import project as project
    from likely.models.generative.em.mixture_path import MixturePath as MixturePath
    from likely.models.generative.em.mixture_path import mixture_path as mixture_path
    from likely.models.linear import Hyperplane as Hyperplane
    from likely.models.linear import LinearFunctions as LinearFunctions
    from likely.models.linear import PolynomialBasis as PolynomialBasis
    from likely.models.linear import ProportionalOdds as ProportionalOdds
    from likely.models.linear import RadialBasis as RadialBasis
    from likely.models.linear import SplineBasis as SplineBasis
    from likely.models.linear import StepSizes as StepSizes
    from likely.models.linear import fisher_direction as fisher_direction
    from likely.models.linear import fisher_ratio as fisher_ratio
    from likely.models.linear import logistic as logistic
    from likely.models.linear import logistic_loss as logistic_loss
    from likely.models.linear import logit as logit
    from likely.models.linear import softmax_jacobian as softmax_jacobian
    from likely.models.linear import squared_loss as squared_loss
    from likely.models.linear import zero_one_loss as zero_one_loss
    from likely.models.linear.perceptrons import GATES as GATES
    from likely.models.linear.perceptrons import HardAnswers as HardAnswers
    from likely.models.linear.perceptrons import PerceptronStep as PerceptronStep
    from likely.models.linear.perceptrons import Separation as Separation
    from likely.models.linear.perceptrons import ThresholdNetwork as ThresholdNetwork
    from likely.models.linear.perceptrons import ThresholdUnit as ThresholdUnit
    from likely.models.linear.perceptrons import binary_problems as binary_problems
    from likely.models.linear.perceptrons import count_threshold_functions as count_threshold_functions
    from likely.models.linear.perceptrons import linear_separation as linear_separation
    from likely.models.linear.perceptrons import mistake_bound as mistake_bound
    from likely.models.linear.perceptrons import perceptron_trace as perceptron_trace
    from likely.models.linear.perceptrons import perceptron_update as perceptron_update
    from likely.models.linear.perceptrons import stacked_rows as stacked_rows
    from likely.models.linear.perceptrons import winner_take_all as winner_take_all
    from likely.models.neighbors import bayes_error_below as bayes_error_below
    from likely.models.neighbors import bisector as bisector
    from likely.models.neighbors import nearest_neighbor_limit as nearest_neighbor_limit
    from likely.models.neighbors import voronoi_cells as voronoi_cells
    from likely.models.neighbors.acceptance import acceptance as acceptance
    from likely.models.neighbors.cover_hart import cover_hart as cover_hart
    from likely.models.neighbors.fitting.attribute_weights import attribute_weights as attribute_weights
    from likely.models.networks import ACTIVATIONS as ACTIVATIONS
    from likely.models.networks import Layers as Layers
    from likely.models.networks import Optimizer as Optimizer
    from likely.models.networks import activation_values as activation_values
    from likely.models.recommend import Contribution as Contribution
    from likely.models.recommend import Neighbour as Neighbour
    from likely.models.recommend import Ratings as Ratings
    from likely.models.recommend import Recommendation as Recommendation
    from likely.models.recommend import read_ratings as read_ratings
    from likely.models.trees import Grove as Grove
    from likely.models.trees import Rule as Rule
    from likely.models.trees import column_gain as column_gain
    from likely.models.trees import permutation_importance as permutation_importance
    from likely.models.trees import threshold_gains as threshold_gains

_HERE = (
    "Candidate", "Classifier", "Clusterer", "Estimator", "MajorityClassifier", "Regressor", "TableFacts",
    "Transformer", "candidate", "candidates", "of_one_state", "unwrap",
)  # fmt: skip
_LATE = {
    "clustering": ("ClusterNumbers", "Compression", "Silhouettes", "adjusted_rand", "choose_clusters", "silhouette"),
    "components": ("explained_share", "project"),
    "generative.em.mixture_path": ("MixturePath", "mixture_path"),
    "linear": (
        "Hyperplane", "LinearFunctions", "PolynomialBasis", "ProportionalOdds", "RadialBasis", "SplineBasis",
        "StepSizes", "fisher_direction", "fisher_ratio", "logistic", "logistic_loss", "logit", "softmax_jacobian",
        "squared_loss", "zero_one_loss",
    ),
    "linear.perceptrons": (
        "GATES", "HardAnswers", "PerceptronStep", "Separation", "ThresholdNetwork", "ThresholdUnit", "binary_problems",
        "count_threshold_functions", "linear_separation", "mistake_bound", "perceptron_trace", "perceptron_update",
        "stacked_rows", "winner_take_all",
    ),
    "neighbors": ("bayes_error_below", "bisector", "nearest_neighbor_limit", "voronoi_cells"),
    "neighbors.acceptance": ("acceptance",),
    "neighbors.fitting.attribute_weights": ("attribute_weights",),
    "neighbors.cover_hart": ("cover_hart",),
    "networks": ("ACTIVATIONS", "Layers", "Optimizer", "activation_values"),
    "recommend": ("Contribution", "Neighbour", "Ratings", "Recommendation", "read_ratings"),
    "trees": ("Grove", "Rule", "column_gain", "permutation_importance", "threshold_gains"),
}  # fmt: skip

__all__ = in_order([*_HERE, *(name for names in _LATE.values() for name in names)])

if not TYPE_CHECKING:  # to a type checker, a name that is not above is a mistake
    __getattr__, __dir__ = late(__name__, __all__, _LATE)
