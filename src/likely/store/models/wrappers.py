"""Calibrated classifiers and deciders in a file: the model that they hold, and what they learned besides."""

from collections.abc import Callable
from typing import Any

import numpy as np

from likely.decisions.calibration.isotonic import IsotonicMap
from likely.decisions.calibration.posterior_scaling import Scaling
from likely.errors import InputError
from likely.models.any_classifier.wrapper import Wrapper
from likely.store import registry
from likely.store.models.learned import Learned, check_known
from likely.store.models.recalibrated import check_recalibrated
from likely.store.values import Encoder

KIND = Wrapper
_LEARNED = ("class_prior_", "error_threshold_", "map_", "recalibrated_", "training_prior_")


def encode(model: Wrapper, node: dict[str, Any], encoder: Encoder, path: str) -> None:
    """Put what the wrapper holds into the node."""
    from likely.store.models.nodes import encode_estimator

    check_known(model, {"estimator_", *_LEARNED})
    _check_wrapper(model)
    kept = {name: getattr(model, name) for name in _LEARNED if hasattr(model, name)}
    shared = model.estimator_ is model.estimator
    node["fitted"] = {
        "estimator": None if shared else encode_estimator(model.estimator_, encoder, f"{path}.estimator_"),
        **{name: encoder.encode(value, f"{path}.{name}") for name, value in kept.items()},
    }


def decode(new: Callable[[], Wrapper], learned: Learned) -> Wrapper:
    """The wrapper of a node."""
    model = new()
    held = learned.estimator("estimator") if "estimator" in learned else model.estimator
    if not hasattr(held, "classes_") or type(held) not in registry.estimators().values():
        raise InputError(f"{type(model).__name__} holds no fitted model")
    model._take_over(held)
    for name in _LEARNED:
        if name in learned:
            setattr(model, name, learned(name, object))
    _check_wrapper(model)
    return model


def _check_wrapper(model: Any) -> None:
    """That what a wrapper learned is of the classes of the model that it holds."""
    k = len(model.classes_)
    for name in ("class_prior_", "training_prior_"):
        if hasattr(model, name) and np.shape(getattr(model, name)) != (k,):
            raise InputError(f"{name} has not one probability per class")
    if not hasattr(model, "training_prior_") and not (hasattr(model, "map_") and hasattr(model, "class_prior_")):
        raise InputError(f"what {type(model).__name__} learned is incomplete")
    if hasattr(model, "map_"):
        _check_map(model.map_, k)
    if hasattr(model, "recalibrated_"):
        check_recalibrated(model.recalibrated_, k)
    if not isinstance(getattr(model, "error_threshold_", 0.0), float | int):
        raise InputError("error_threshold_ is no number")


def _check_map(found: Any, k: int) -> None:
    if isinstance(found, IsotonicMap):
        whole = len(found.steps) == (1 if k == 2 else k)
        fits = whole and all(s.share.ndim == 1 and s.cut.shape == (len(s.share) - 1,) for s in found.steps)
    else:
        fits = isinstance(found, Scaling) and found.slope.shape == found.offset.shape == (k,)
    if not fits:
        raise InputError(f"the calibration map is not one of {k} classes")
