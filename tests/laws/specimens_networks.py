"""Specimens of the networks: short trainings, so that rounding stays rounding."""

from typing import Any

from one_estimator import KINDS, Estimator, estimator
from samples import everything, numeric, numeric_with_gaps

from likely import NeuralNetwork

FACTS: dict[str, Any] = {"silent": False, "tier": "order"}


def network(name: str, table: Any, options: dict[str, Any], **facts: Any) -> Estimator:
    given = {"random_state": 0, "epochs": 40, **options}
    return estimator(name, NeuralNetwork, table, given, **FACTS, **facts)


ESTIMATORS: dict[type[Any], tuple[Estimator, ...]] = {
    NeuralNetwork: (
        network("network", numeric_with_gaps, {"hidden": (8,)}, scale_free=True, real=True),
        network("network-mixed", everything, {**KINDS, "hidden": (6, 4), "activation": "tanh"}, scale_free=True),
        network("network-squares", numeric, {"hidden": (), "output": "linear", "loss": "squares", "optimizer": "sgd"}),
        network(
            "network-sigmoid",
            numeric,
            {"hidden": (5,), "activation": "sigmoid", "output": "sigmoid", "optimizer": "gradient"},
        ),
    ),
}
