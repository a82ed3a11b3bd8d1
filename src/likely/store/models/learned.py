"""What a model learned, in and out of a file: pieces of their types, and checks that every kind of model shares."""

from typing import Any

import numpy as np

from likely.data.schema import Schema
from likely.errors import InputError
from likely.statistics.categories import union_of
from likely.store.hashes import check_hashes
from likely.store.values import Decoder, Encoder

_DERIVED = {"n_features_in_", "feature_names_in_", "classes_"}


class Learned:
    """What was learned, decoded piece by piece; each piece must be of its type."""

    def __init__(self, node: Any, decoder: Decoder, depth: int) -> None:
        if not isinstance(node, dict):
            raise InputError("what the model learned is not in it")
        self._node, self._decoder, self._depth = node, decoder, depth

    def __contains__(self, name: str) -> bool:
        return self._node.get(name) is not None

    def __call__(self, name: str, kind: type[Any]) -> Any:
        if name not in self._node:
            raise InputError(f"it does not say {name!r} of the model")
        value = self._decoder.decode(self._node[name], self._depth)
        if not isinstance(value, kind):
            raise InputError(f"{name!r} of the model is not what it should be")
        return value

    def shares(self, name: str, k: int) -> Any:
        """Probabilities (k,)."""
        value = self(name, np.ndarray)
        if value.shape != (k,) or value.dtype != np.float64 or not (np.isfinite(value) & (value >= 0)).all():
            raise InputError(f"{name!r} of the model is not one probability per class")
        return value

    def estimator(self, name: str) -> Any:
        from likely.store.models.nodes import decode_estimator

        return decode_estimator(self._node[name], self._decoder, self._depth + 1)


def check_known(model: Any, kept: set[str]) -> None:
    """Refuse fitted state that would be lost."""
    for name in vars(model):
        if name.endswith("_") and name not in kept | _DERIVED:
            raise InputError(f"{type(model).__name__}.{name} is not kept by this version of the format")


def summary(weight: Any, passes: int | None, encoder: Encoder, path: str) -> dict[str, Any]:
    """What `inspect` says of the training without reading the sums."""
    return {"weight": encoder.encode(tuple(weight.tolist()), f"{path}.training.weight"), "passes": passes}


def check_summary(learned: Learned, weight: Any) -> None:
    """That the summary of the training is that of the sums."""
    training = learned._node.get("training")
    if not isinstance(training, dict) or set(training) != {"weight", "passes"}:
        raise InputError("its summary of the training is not one")
    if Learned(training, learned._decoder, learned._depth)("weight", tuple) != tuple(weight.tolist()):
        raise InputError("its summary of the training is not that of its statistic")


def read_class_names(learned: Learned) -> tuple[Any, ...]:
    """The classes: different names, in order."""
    names: tuple[Any, ...] = learned("classes", tuple)
    check_hashes(names)
    if not names or union_of(names, ()) != names:
        raise InputError("its classes are not different names in order")
    return names


def check_names(schema: Schema) -> None:
    """That the columns have different names."""
    if len(set(schema.names)) != schema.width or not schema.width:
        raise InputError("its columns do not have different names")
