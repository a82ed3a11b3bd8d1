"""Pools in a file: the fitted members that are left, the weights of all, and the record of rows left out."""

from collections.abc import Callable
from typing import Any

import numpy as np

from likely.decisions.calibration.uncertainty.track_record import TrackRecord
from likely.decisions.pooling import Pool
from likely.errors import InputError
from likely.store import registry
from likely.store.models.learned import Learned, check_known, check_shares
from likely.store.models.wrapping.wrappers import check_record
from likely.store.values import Encoder

KIND = Pool
_KEPT = {"estimators_", "weights_", "offset_", "trust_", "record_", "class_prior_", "class_count_", "stale_"}


def encode(model: Pool, node: dict[str, Any], encoder: Encoder, path: str) -> None:
    """Put members and weights into the node."""
    from likely.store.models.nodes import encode_estimator

    check_known(model, _KEPT)
    members = model.estimators_
    node["fitted"] = {
        "names": encoder.encode(tuple(members), f"{path}.names"),
        "weighed": encoder.encode(tuple(model.weights_), f"{path}.weighed"),
        "weights": encoder.encode(np.array(list(model.weights_.values())), f"{path}.weights"),
        "offset": encoder.encode(model.offset_, f"{path}.offset"),
        "record": encoder.encode(model.record_, f"{path}.record"),
        "class_prior": encoder.encode(model.class_prior_, f"{path}.class_prior"),
        "class_count": encoder.encode(model.class_count_, f"{path}.class_count"),
        "stale": model.stale_,
        "trust": float(model.trust_),
        **{f"member {i}": encode_estimator(one, encoder, f"{path}.{i}") for i, one in enumerate(members.values())},
    }


def decode(new: Callable[[], Pool], learned: Learned) -> Pool:
    """The pool of a node."""
    model = new()
    names, weighed = learned("names", tuple), learned("weighed", tuple)
    members = {name: learned.estimator(f"member {i}") for i, name in enumerate(names)}
    if not members or not all(type(one) in registry.estimators().values() for one in members.values()):
        raise InputError("the pool holds no fitted models")
    first = next(iter(members.values()))
    if not all(hasattr(one, "classes_") and np.array_equal(one.classes_, first.classes_) for one in members.values()):
        raise InputError("the members of the pool do not know the same classes")
    k, weights = len(first.classes_), learned("weights", np.ndarray)
    known = weights.shape == (len(weighed),) and weights.dtype == np.float64
    if not known or not (np.isfinite(weights) & (weights >= 0)).all() or not set(names) <= set(weighed):
        raise InputError("the weights of the pool are not one amount for each member")
    offset, record = learned("offset", np.ndarray), learned("record", TrackRecord)
    if offset.shape != (k,) or offset.dtype != np.float64 or not np.isfinite(offset).all():
        raise InputError("the offsets of the pool are not one number for each class")
    check_record(record, k)
    trusted = learned("trust", float)
    if not 0 <= trusted <= 1:
        raise InputError("the trust in the pool is no share")
    prior = learned("class_prior", np.ndarray)
    check_shares(prior, k, "class_prior")
    own = ("n_features_in_", "feature_names_in_")
    model._become(
        {
            "estimators_": members,
            "weights_": dict(zip(weighed, map(float, weights), strict=True)),
            "offset_": offset,
            "record_": record,
            "class_prior_": prior,
            "class_count_": learned.amounts("class_count", k),
            "trust_": trusted,
            "stale_": learned("stale", bool),
            "classes_": np.asarray(first.classes_),
            **{name: getattr(first, name) for name in own if hasattr(first, name)},
        }
    )
    return model
