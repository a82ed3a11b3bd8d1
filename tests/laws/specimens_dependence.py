"""Specimens of the models of dependent features: the raw posterior, which is a function of the counts alone."""

from typing import Any

from one_estimator import Estimator, estimator
from samples import level_numbers

from likely import DependenceBayes

RAW = {"calibrate": False, "kinds": "nominal"}

ESTIMATORS: dict[type[Any], tuple[Estimator, ...]] = {
    DependenceBayes: (
        estimator("dependence", DependenceBayes, level_numbers, RAW, exact=True, naive=True),
        estimator("dependence-pairs", DependenceBayes, level_numbers, {**RAW, "n_parents": 2}, exact=True, naive=True),
        estimator("dependence-tree", DependenceBayes, level_numbers, {**RAW, "structure": "tree"}, exact=True),
    ),
}
