"""How likely is each class, and what should I do about it?

Probabilistic classification in which everything learns by adding up statistics. The public names are
imported when they are first used, so that `import likely` stays quick.
"""

import importlib
from typing import Any

from likely._version import __version__

_HOME = {
    "NaiveBayes": "likely.models.generative",
    "GaussianBayes": "likely.models.generative",
    "BayesClassifier": "likely.models.generative",
    "TextBayes": "likely.models.generative",
    "Calibrated": "likely.decisions",
    "Decider": "likely.decisions",
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
    "data",
    "decisions",
    "distributions",
    "engines",
    "errors",
    "estimation",
    "evaluation",
    "examples",
    "figures",
    "intervals",
    "models",
    "optimize",
    "probability",
    "reports",
    "statistics",
    "store",
    "testing",
)

__all__ = ["__version__", *_HOME, *_ROOMS]


def __getattr__(name: str) -> Any:
    if name in _HOME:
        return getattr(importlib.import_module(_HOME[name]), name)
    if name in _ROOMS:
        return importlib.import_module(f"likely.{name}")
    raise AttributeError(f"module 'likely' has no attribute {name!r}")


def __dir__() -> list[str]:
    return sorted(__all__)
