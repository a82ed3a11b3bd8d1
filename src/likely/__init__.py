"""How likely is each class, and what should I do about it?

Probabilistic classification in which everything learns by adding up statistics. The public names are
imported when they are first used, so that `import likely` stays quick.
"""

# Nothing else is imported here either: the command begins with this file, and until it has taken over the signals an
# interrupt ends in a traceback.

from likely._version import __version__

TYPE_CHECKING = bool()  # noqa: UP018 - editors would believe a plain False; `typing` takes time to import

if TYPE_CHECKING:  # what type checkers and editors see of the names below
    from likely import data as data
    from likely import decisions as decisions
    from likely import distributions as distributions
    from likely import engines as engines
    from likely import errors as errors
    from likely import estimation as estimation
    from likely import evaluation as evaluation
    from likely import examples as examples
    from likely import figures as figures
    from likely import intervals as intervals
    from likely import models as models
    from likely import optimize as optimize
    from likely import probability as probability
    from likely import reports as reports
    from likely import statistics as statistics
    from likely import store as store
    from likely import testing as testing
    from likely.data import scan as scan
    from likely.decisions import Calibrated as Calibrated
    from likely.decisions import Decider as Decider
    from likely.decisions import Pool as Pool
    from likely.errors import LikelyError as LikelyError
    from likely.evaluation import compare as compare
    from likely.evaluation import cross_validate as cross_validate
    from likely.evaluation import evaluate as evaluate
    from likely.models.clustering import Hierarchy as Hierarchy
    from likely.models.clustering import KMeans as KMeans
    from likely.models.components import PCA as PCA
    from likely.models.generative import BayesClassifier as BayesClassifier
    from likely.models.generative import DependenceBayes as DependenceBayes
    from likely.models.generative import GaussianBayes as GaussianBayes
    from likely.models.generative import Mixture as Mixture
    from likely.models.generative import NaiveBayes as NaiveBayes
    from likely.models.generative import TextBayes as TextBayes
    from likely.models.linear import FisherDiscriminant as FisherDiscriminant
    from likely.models.linear import LeastSquaresClassifier as LeastSquaresClassifier
    from likely.models.linear import LogisticRegression as LogisticRegression
    from likely.models.linear import ProportionalOdds as ProportionalOdds
    from likely.models.linear.perceptrons import KernelPerceptron as KernelPerceptron
    from likely.models.linear.perceptrons import Perceptron as Perceptron
    from likely.models.neighbors import InstanceLearner as InstanceLearner
    from likely.models.neighbors import NearestExemplar as NearestExemplar
    from likely.models.neighbors import NearestNeighbors as NearestNeighbors
    from likely.models.neighbors import NearestNeighborsRegressor as NearestNeighborsRegressor
    from likely.models.networks import NeuralNetwork as NeuralNetwork
    from likely.models.networks import NeuralNetworkRegressor as NeuralNetworkRegressor
    from likely.models.recommend import Recommender as Recommender
    from likely.models.trees import BoostedTrees as BoostedTrees
    from likely.models.trees import DecisionForest as DecisionForest
    from likely.models.trees import DecisionTree as DecisionTree
    from likely.reports.study import study as study
    from likely.store import load as load
    from likely.store import save as save

_HOME = {
    "NaiveBayes": "likely.models.generative",
    "GaussianBayes": "likely.models.generative",
    "BayesClassifier": "likely.models.generative",
    "TextBayes": "likely.models.generative",
    "Mixture": "likely.models.generative",
    "DependenceBayes": "likely.models.generative",
    "LogisticRegression": "likely.models.linear",
    "NearestNeighbors": "likely.models.neighbors",
    "NearestExemplar": "likely.models.neighbors",
    "InstanceLearner": "likely.models.neighbors",
    "NearestNeighborsRegressor": "likely.models.neighbors",
    "LeastSquaresClassifier": "likely.models.linear",
    "FisherDiscriminant": "likely.models.linear",
    "ProportionalOdds": "likely.models.linear",
    "NeuralNetwork": "likely.models.networks",
    "NeuralNetworkRegressor": "likely.models.networks",
    "Perceptron": "likely.models.linear.perceptrons",
    "KernelPerceptron": "likely.models.linear.perceptrons",
    "DecisionTree": "likely.models.trees",
    "DecisionForest": "likely.models.trees",
    "BoostedTrees": "likely.models.trees",
    "KMeans": "likely.models.clustering",
    "Hierarchy": "likely.models.clustering",
    "PCA": "likely.models.components",
    "Recommender": "likely.models.recommend",
    "Calibrated": "likely.decisions",
    "Decider": "likely.decisions",
    "Pool": "likely.decisions",
    "evaluate": "likely.evaluation",
    "cross_validate": "likely.evaluation",
    "compare": "likely.evaluation",
    "LikelyError": "likely.errors",
    "study": "likely.reports",
    "save": "likely.store",
    "load": "likely.store",
    "scan": "likely.data",
}
_ROOMS = (
    "data", "decisions", "distributions", "engines", "errors", "estimation", "evaluation", "examples", "figures",
    "intervals", "models", "optimize", "probability", "reports", "statistics", "store", "testing",
)  # fmt: skip

__all__ = ["__version__", *_HOME, *_ROOMS]


if not TYPE_CHECKING:  # to a type checker, a name that is not above is a mistake

    def __getattr__(name: str) -> object:
        import importlib

        if name in _HOME:
            return getattr(importlib.import_module(_HOME[name]), name)
        if name in _ROOMS:
            return importlib.import_module(f"likely.{name}")
        raise AttributeError(f"module 'likely' has no attribute {name!r}")


def __dir__() -> list[str]:
    return sorted(__all__)
