"""Estimators in scikit-learn's convention, without importing scikit-learn.

What all of them share is here: `Classifier`, `Regressor`, `Transformer` and `Clusterer` are what an estimator of your
own is made of. The models themselves are in rooms below, which do not know each other, and the names of `likely`.

Classifier, Regressor, Transformer, Clusterer    parameters, tables, tags, score and face of an estimator
MajorityClassifier                               the commonest class, which every model has to beat
candidates(facts)                                the models that a study tries on a table of which these facts hold
unwrap(model)                                    the model inside calibration and decisions
linear_separation, mistake_bound, stacked_rows   whether hyperplanes part classes, and what it means for perceptrons
perceptron_trace, perceptron_update              a perceptron one row at a time; PerceptronStep
HardAnswers, binary_problems                     several classes by perceptrons of two
ThresholdUnit, ThresholdNetwork, GATES           threshold neurons; count_threshold_functions, winner_take_all
Layers, Optimizer, ACTIVATIONS                   pieces of networks; activation_values
"""

import importlib
from typing import TYPE_CHECKING, Any

from likely.models.any_classifier.inside import unwrap
from likely.models.baseline import MajorityClassifier
from likely.models.estimator import Classifier, Clusterer, Estimator, Regressor, Transformer
from likely.models.roster import Candidate, TableFacts, candidate, candidates

if TYPE_CHECKING:  # what type checkers and editors see of the names below
    from likely.models.networks import ACTIVATIONS as ACTIVATIONS
    from likely.models.networks import Layers as Layers
    from likely.models.networks import Optimizer as Optimizer
    from likely.models.networks import activation_values as activation_values
    from likely.models.perceptrons import GATES as GATES
    from likely.models.perceptrons import HardAnswers as HardAnswers
    from likely.models.perceptrons import PerceptronStep as PerceptronStep
    from likely.models.perceptrons import Separation as Separation
    from likely.models.perceptrons import ThresholdNetwork as ThresholdNetwork
    from likely.models.perceptrons import ThresholdUnit as ThresholdUnit
    from likely.models.perceptrons import binary_problems as binary_problems
    from likely.models.perceptrons import count_threshold_functions as count_threshold_functions
    from likely.models.perceptrons import linear_separation as linear_separation
    from likely.models.perceptrons import mistake_bound as mistake_bound
    from likely.models.perceptrons import perceptron_trace as perceptron_trace
    from likely.models.perceptrons import perceptron_update as perceptron_update
    from likely.models.perceptrons import stacked_rows as stacked_rows
    from likely.models.perceptrons import winner_take_all as winner_take_all

_HOME = {  # of what is imported when it is first used
    "ACTIVATIONS": "networks",
    "Layers": "networks",
    "Optimizer": "networks",
    "activation_values": "networks",
    "GATES": "perceptrons",
    "HardAnswers": "perceptrons",
    "PerceptronStep": "perceptrons",
    "Separation": "perceptrons",
    "ThresholdNetwork": "perceptrons",
    "ThresholdUnit": "perceptrons",
    "binary_problems": "perceptrons",
    "count_threshold_functions": "perceptrons",
    "linear_separation": "perceptrons",
    "mistake_bound": "perceptrons",
    "perceptron_trace": "perceptrons",
    "perceptron_update": "perceptrons",
    "stacked_rows": "perceptrons",
    "winner_take_all": "perceptrons",
}

__all__ = [
    "ACTIVATIONS",
    "GATES",
    "Candidate",
    "Classifier",
    "Clusterer",
    "Estimator",
    "HardAnswers",
    "Layers",
    "MajorityClassifier",
    "Optimizer",
    "PerceptronStep",
    "Regressor",
    "Separation",
    "TableFacts",
    "ThresholdNetwork",
    "ThresholdUnit",
    "Transformer",
    "activation_values",
    "binary_problems",
    "candidate",
    "candidates",
    "count_threshold_functions",
    "linear_separation",
    "mistake_bound",
    "perceptron_trace",
    "perceptron_update",
    "stacked_rows",
    "unwrap",
    "winner_take_all",
]


if not TYPE_CHECKING:  # to a type checker, a name that is not above is a mistake

    def __getattr__(name: str) -> Any:
        if name in _HOME:
            return getattr(importlib.import_module(f"likely.models.{_HOME[name]}"), name)
        raise AttributeError(f"module 'likely.models' has no attribute {name!r}")
