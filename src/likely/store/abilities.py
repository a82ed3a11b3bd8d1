"""What the model of a file can go on to do: learn more rows, merge, forget; told from its node, without rebuilding it.

A model that calibrates or decides can what the model inside can; a pool, what all of its members can exactly.
"""

from typing import Any

from likely.store import registry

_METHODS = {"update": "partial_fit", "merge": "merge", "forget": "forget"}


def abilities(node: dict[str, Any]) -> dict[str, bool]:
    """Whether the model of a node can be updated, merged, and made to forget."""
    fitted = node["fitted"]
    if "member 0" in fitted:
        members = [one for name, one in fitted.items() if name.startswith("member ")]
        exact = all(hasattr(_kind(one), "parted") for one in members)
        told = [abilities(one) for one in members]
        return {verb: all(one[verb] for one in told) and (exact or verb == "update") for verb in _METHODS}
    if inside := fitted.get("estimator") or node["parameters"].get("estimator"):
        return abilities(inside.get("estimator") if isinstance(inside.get("estimator"), dict) else inside)
    training = fitted.get("training")
    climbed = isinstance(training, dict) and training.get("passes") is not None  # by EM
    at_once = _of_all_rows(node)
    return {verb: not (climbed or at_once) and _has(_kind(node), method) for verb, method in _METHODS.items()}


def _of_all_rows(node: dict[str, Any]) -> bool:
    """Whether this model, though its class can learn on, was learned from all rows at once."""
    if node["estimator"] == "LogisticRegression":
        return bool(node["parameters"]["C"] == "auto")
    return node["estimator"] == "PCA" and ["statistic", None] in node["fitted"]["learned"]["dict"]


def _kind(node: dict[str, Any]) -> type[Any]:
    return registry.estimators()[node["estimator"]]


def _has(kind: type[Any], method: str) -> bool:
    return callable(getattr(kind, method, None))  # where a class takes back what it inherits, it is a property
