"""Specimens of the perceptrons."""

from typing import Any

from one_estimator import KINDS, Estimator, estimator
from samples import everything, numeric, numeric_with_gaps

from likely import KernelPerceptron, Perceptron

FACTS: dict[str, Any] = {"silent": False, "tier": "order"}


def perceptron(name: str, table: Any, options: dict[str, Any], **facts: Any) -> Estimator:
    return estimator(name, Perceptron, table, {"random_state": 0, **options}, **FACTS, **facts)


def kernel_perceptron(name: str, table: Any, options: dict[str, Any], **facts: Any) -> Estimator:
    return estimator(name, KernelPerceptron, table, {"random_state": 0, **options}, **FACTS, **facts)


ESTIMATORS: dict[type[Any], tuple[Estimator, ...]] = {
    Perceptron: (
        perceptron("perceptron", numeric_with_gaps, {}, scale_free=True, real=True),
        perceptron("perceptron-mixed", everything, KINDS, scale_free=True),
        perceptron("perceptron-rest", numeric, {"multiclass": "one_vs_rest", "keep": "pocket"}),
        perceptron("perceptron-pairs", numeric, {"multiclass": "one_vs_one", "keep": "final", "max_iter": 5}),
    ),
    KernelPerceptron: (
        kernel_perceptron("kernel-perceptron", numeric_with_gaps, {}, scale_free=True, real=True),
        kernel_perceptron("kernel-perceptron-mixed", everything, {**KINDS, "kernel": "polynomial", "degree": 2}),
    ),
}
