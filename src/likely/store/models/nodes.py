"""Models as nodes of the manifest: name, parameters, and what was learned.

What an estimator learned is written and read by the module of this folder whose `KIND` it is: `encode(model, node,
encoder, path)` puts it into the node, `decode(new, learned)` makes a model by `new()` and gives it back. A new kind of
estimator is a new module, and nothing else.
"""

from functools import cache
from importlib import import_module
from pkgutil import walk_packages
from typing import Any

from likely.errors import InputError
from likely.models.traits.state import as_it_is
from likely.store import models, registry
from likely.store.models.learned import Learned
from likely.store.quoting import quoted
from likely.store.values import Decoder, Encoder


def encode_estimator(model: object, encoder: Encoder, path: str) -> dict[str, Any]:
    """The node of a model, fitted or not."""
    model, name = as_it_is(model), type(model).__name__
    if registry.estimators().get(name) is not type(model) or _way_of(type(model)) is None:
        room = type(model).__module__.partition(".")[0]
        raise InputError(
            f"{path} is {room}'s {name}, which a model file cannot keep: it holds only the library's own models, so "
            f"that opening one never runs foreign code. Known are {', '.join(registry.estimators())}"
        )
    given = model.get_params(deep=False) if hasattr(model, "get_params") else {}
    encoder.patterns |= {given["token_pattern"]} if "token_pattern" in given else set()
    parameters = {key: encoder.encode(value, f"{path}.{key}") for key, value in sorted(given.items())}
    node: dict[str, Any] = {"estimator": name, "parameters": parameters, "fitted": None}
    if not hasattr(model, "__sklearn_is_fitted__") or model.__sklearn_is_fitted__():
        _way_of(type(model)).encode(model, node, encoder, path)
    return node


def decode_estimator(node: object, decoder: Decoder, depth: int = 0) -> Any:
    """The model of a node; whatever does not fit together is refused."""
    decoder.check_depth(depth)
    if not isinstance(node, dict) or set(node) != {"estimator", "parameters", "fitted"}:
        raise InputError("a model lacks its name, parameters or what it learned")
    kind = registry.estimators().get(node["estimator"]) if isinstance(node["estimator"], str) else None
    if kind is None or _way_of(kind) is None:
        raise InputError(f"{quoted(node['estimator'])} is no model of this library; it may come from a later version")
    known: list[str] = getattr(kind, "_parameter_names", list)()
    for name in node["parameters"]:
        if name not in known:
            raise InputError(f"{kind.__name__} has no parameter {quoted(name)}; it may come from a later version")
    parameters = {name: decoder.decode(body, depth + 1) for name, body in node["parameters"].items()}
    decoder.check_pattern(parameters)

    def new() -> Any:
        model = kind(**parameters)
        getattr(model, "_check_parameters", lambda: None)()  # as before learning: answers rely on them too
        return model

    if node["fitted"] is None and hasattr(kind, "fit"):
        return new()
    return _way_of(kind).decode(new, Learned(node["fitted"], decoder, depth + 1))


def _way_of(kind: type[Any]) -> Any:
    """The module that writes and reads what such a model learned; None: files hold no such model."""
    return next((way for way in _ways() if issubclass(kind, way.KIND)), None)


@cache
def _ways() -> tuple[Any, ...]:
    found = [import_module(module.name) for module in walk_packages(models.__path__, f"{models.__name__}.")]
    return tuple(module for module in found if hasattr(module, "KIND"))
