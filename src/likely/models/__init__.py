"""Estimators in scikit-learn's convention, without importing scikit-learn.

What all of them share is here: `Classifier`, `Regressor`, `Transformer` and `Clusterer` are what an estimator of your
own is made of. The models themselves are in rooms below, which do not know each other, and the names of `likely`.

Classifier, Regressor, Transformer, Clusterer    parameters, tables, tags, score and face of an estimator
MajorityClassifier                               the commonest class, which every model has to beat
candidates(facts)                                the models that a study tries on a table of which these facts hold
unwrap(model)                                    the model inside calibration and decisions
mixture_path(X, numbers)                         mixtures of 1, 2, 3, ... components, and the criteria to choose by
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

_HOME = {  # of what is imported when it is first used
    "MixturePath": "generative.mixture_path",
    "mixture_path": "generative.mixture_path",
}

__all__ = [
    "Candidate",
    "Classifier",
    "Clusterer",
    "Estimator",
    "MajorityClassifier",
    "MixturePath",
    "Regressor",
    "TableFacts",
    "Transformer",
    "candidate",
    "candidates",
    "mixture_path",
    "unwrap",
]


if not TYPE_CHECKING:  # to a type checker, a name that is not above is a mistake

    def __getattr__(name: str) -> Any:
        if name in _HOME:
            return getattr(importlib.import_module(f"likely.models.{_HOME[name]}"), name)
        raise AttributeError(f"module 'likely.models' has no attribute {name!r}")
