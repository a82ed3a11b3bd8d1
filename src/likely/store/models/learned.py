"""What a model learned, in and out of a file: pieces of their types, and checks that every kind of model shares."""

from dataclasses import fields, is_dataclass
from typing import Any

import numpy as np

from likely.data.columns.schema import Schema
from likely.errors import InputError
from likely.models.traits.state import Stateful
from likely.statistics.counting.categories import union_of
from likely.store.files.hashes import check_hashes
from likely.store.values import Decoder, Encoder

_ROUNDING = 1e-6  # how far from 1 a sum of probabilities may be
_DERIVED = {"n_features_in_", "feature_names_in_", "classes_"}


class Learned:
    """What was learned, decoded piece by piece; each piece must be of its type."""

    def __init__(self, node: object, decoder: Decoder, depth: int) -> None:
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

    def amounts(self, name: str, k: int) -> Any:
        """Weights (k,): finite, not negative."""
        value = self(name, np.ndarray)
        if value.shape != (k,) or value.dtype != np.float64 or not (np.isfinite(value) & (value >= 0)).all():
            raise InputError(f"{name!r} of the model is not one amount per class")
        return value

    def shares(self, name: str, k: int) -> Any:
        """Probabilities (k,)."""
        value = self(name, np.ndarray)
        check_shares(value, k, name)
        return value

    def estimator(self, name: str) -> Any:
        from likely.store.models.nodes import decode_estimator

        return decode_estimator(self._node[name], self._decoder, self._depth + 1)


def check_shares(value: Any, k: int, name: str) -> None:
    """That these are k probabilities: finite, not negative, and one in all."""
    fits = isinstance(value, np.ndarray) and value.shape == (k,) and value.dtype == np.float64
    if not fits or not (value >= 0).all() or not abs(float(value.sum()) - 1) <= _ROUNDING:
        raise InputError(f"{name!r} of the model is not one probability per class, which sum to 1")


def check_numbers(value: Any) -> None:
    """Refuse a value, made of arrays and other values, in which a number is NaN."""
    if isinstance(value, np.ndarray) and value.dtype.kind == "f":
        if np.isnan(value).any():
            raise InputError("it holds NaN where a number should be")
    elif isinstance(value, float) and value != value:
        raise InputError("it holds NaN where a number should be")
    elif isinstance(value, tuple):
        for one in value:
            check_numbers(one)
    elif is_dataclass(value):
        for field in fields(value):
            if not field.metadata.get("gaps"):
                check_numbers(getattr(value, field.name))


def check_known(model: Stateful, kept: set[str]) -> None:
    """Refuse fitted state that would be lost."""
    for name in model._learned():
        if name not in kept | _DERIVED:
            raise InputError(f"{type(model).__name__}.{name} is not kept by this version of the format")


def summary(weight: Any, passes: int | None, encoder: Encoder, path: str) -> dict[str, Any]:
    """What `inspect` says of the training without reading the sums."""
    return {"weight": encoder.encode(tuple(weight.tolist()), f"{path}.training.weight"), "passes": passes}


def heading(model: Any, encoder: Encoder, path: str) -> dict[str, Any]:
    """What the file says of every classifier: its classes, the training in short, its columns."""
    return {
        "classes": encoder.encode(tuple(model.classes_.tolist()), f"{path}.classes"),
        "training": summary(model.class_count_, None, encoder, path),
        "schema": encoder.encode(model.schema_, f"{path}.schema"),
    }


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
    if len({isinstance(name, str) for name in names}) > 1:  # no model learns from a mixture
        raise InputError("its classes are texts and numbers at once")
    return names


def check_names(schema: Schema) -> None:
    """That the columns have different names."""
    if len(set(schema.names)) != schema.width or not schema.width:
        raise InputError("its columns do not have different names")
