"""Estimators in scikit-learn's convention, without importing scikit-learn.

What all of them share is here: `Classifier`, `Regressor`, `Transformer` and `Clusterer` are what an estimator of your
own is made of. The models themselves are in rooms below, which do not know each other, and the names of `likely`.

Classifier, Regressor, Transformer, Clusterer    parameters, tables, tags, score and face of an estimator
MajorityClassifier                               the commonest class, which every model has to beat
candidates(facts)                                the models that a study tries on a table of which these facts hold
unwrap(model)                                    the model inside calibration and decisions
choose_clusters, ClusterNumbers                  what speaks for every number of clusters, and whether there are any
silhouette, Silhouettes, adjusted_rand           how well rows sit in clusters, how alike two clusterings are
Compression                                      what a code book of centres saves and loses
project, explained_share                         rows along directions, and the variance that directions keep
"""

import importlib
from typing import TYPE_CHECKING, Any

from likely.models.any_classifier.inside import unwrap
from likely.models.baseline import MajorityClassifier
from likely.models.estimator import Classifier, Clusterer, Estimator, Regressor, Transformer
from likely.models.roster import Candidate, TableFacts, candidate, candidates

if TYPE_CHECKING:  # what type checkers and editors see of the names below
    from likely.models.clustering import ClusterNumbers as ClusterNumbers
    from likely.models.clustering import Compression as Compression
    from likely.models.clustering import Silhouettes as Silhouettes
    from likely.models.clustering import adjusted_rand as adjusted_rand
    from likely.models.clustering import choose_clusters as choose_clusters
    from likely.models.clustering import silhouette as silhouette
    from likely.models.components import explained_share as explained_share
    from likely.models.components import project as project

_HOME = {  # of what is imported when it is first used
    "ClusterNumbers": "clustering",
    "Compression": "clustering",
    "Silhouettes": "clustering",
    "adjusted_rand": "clustering",
    "choose_clusters": "clustering",
    "silhouette": "clustering",
    "explained_share": "components",
    "project": "components",
}

__all__ = [
    "Candidate",
    "Classifier",
    "ClusterNumbers",
    "Clusterer",
    "Compression",
    "Estimator",
    "MajorityClassifier",
    "Regressor",
    "Silhouettes",
    "TableFacts",
    "Transformer",
    "adjusted_rand",
    "candidate",
    "candidates",
    "choose_clusters",
    "explained_share",
    "project",
    "silhouette",
    "unwrap",
]


if not TYPE_CHECKING:  # to a type checker, a name that is not above is a mistake

    def __getattr__(name: str) -> Any:
        if name in _HOME:
            return getattr(importlib.import_module(f"likely.models.{_HOME[name]}"), name)
        raise AttributeError(f"module 'likely.models' has no attribute {name!r}")
