"""Estimators in scikit-learn's convention, without importing scikit-learn.

What all of them share is here: `Classifier`, `Regressor`, `Transformer` and `Clusterer` are what an estimator of your
own is made of. The models themselves are in rooms below, which do not know each other, and the names of `likely`.

Classifier, Regressor, Transformer, Clusterer    parameters, tables, tags, score and face of an estimator
MajorityClassifier                               the commonest class, which every model has to beat
candidates(facts)                                the models that a study tries on a table of which these facts hold
unwrap(model)                                    the model inside calibration and decisions
Ratings, read_ratings                            ratings of items by users, for `Recommender`, which answers with
                                                 Neighbour, Recommendation and Contribution
mixture_path(X, numbers)                         mixtures of 1, 2, 3, ... components, and the criteria to choose by
RadialBasis, PolynomialBasis, SplineBasis        fixed functions of the columns, for what is linear in them
Hyperplane, LinearFunctions                      planes between classes
zero_one_loss, squared_loss, logistic_loss       what a margin is charged
logistic, logit, softmax_jacobian                scores and probabilities
fisher_direction, fisher_ratio, StepSizes        of known classes; of online learning
"""

import importlib
from typing import TYPE_CHECKING, Any

from likely.models.any_classifier.inside import unwrap
from likely.models.baseline import MajorityClassifier
from likely.models.estimator import Classifier, Clusterer, Estimator, Regressor, Transformer
from likely.models.roster import Candidate, TableFacts, candidate, candidates

if TYPE_CHECKING:  # what type checkers and editors see of the names below
    from likely.models.generative.mixture_path import MixturePath as MixturePath
    from likely.models.generative.mixture_path import mixture_path as mixture_path
    from likely.models.linear import Hyperplane as Hyperplane
    from likely.models.linear import LinearFunctions as LinearFunctions
    from likely.models.linear import PolynomialBasis as PolynomialBasis
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
    from likely.models.recommend import Contribution as Contribution
    from likely.models.recommend import Neighbour as Neighbour
    from likely.models.recommend import Ratings as Ratings
    from likely.models.recommend import Recommendation as Recommendation
    from likely.models.recommend import read_ratings as read_ratings

_HOME = {  # of what is imported when it is first used
    "Contribution": "recommend",
    "Hyperplane": "linear",
    "LinearFunctions": "linear",
    "MixturePath": "generative.mixture_path",
    "Neighbour": "recommend",
    "PolynomialBasis": "linear",
    "RadialBasis": "linear",
    "Ratings": "recommend",
    "Recommendation": "recommend",
    "SplineBasis": "linear",
    "StepSizes": "linear",
    "fisher_direction": "linear",
    "fisher_ratio": "linear",
    "logistic": "linear",
    "logistic_loss": "linear",
    "logit": "linear",
    "mixture_path": "generative.mixture_path",
    "read_ratings": "recommend",
    "softmax_jacobian": "linear",
    "squared_loss": "linear",
    "zero_one_loss": "linear",
}

__all__ = [
    "Candidate",
    "Classifier",
    "Clusterer",
    "Contribution",
    "Estimator",
    "Hyperplane",
    "LinearFunctions",
    "MajorityClassifier",
    "MixturePath",
    "Neighbour",
    "PolynomialBasis",
    "RadialBasis",
    "Ratings",
    "Recommendation",
    "Regressor",
    "SplineBasis",
    "StepSizes",
    "TableFacts",
    "Transformer",
    "candidate",
    "candidates",
    "fisher_direction",
    "fisher_ratio",
    "logistic",
    "logistic_loss",
    "logit",
    "mixture_path",
    "read_ratings",
    "softmax_jacobian",
    "squared_loss",
    "unwrap",
    "zero_one_loss",
]


if not TYPE_CHECKING:  # to a type checker, a name that is not above is a mistake

    def __getattr__(name: str) -> Any:
        if name in _HOME:
            return getattr(importlib.import_module(f"likely.models.{_HOME[name]}"), name)
        raise AttributeError(f"module 'likely.models' has no attribute {name!r}")
