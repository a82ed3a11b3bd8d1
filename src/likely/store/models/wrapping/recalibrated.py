"""Recalibrated likelihoods in a file: they are values, kept whole."""

from collections.abc import Callable
from typing import Any

from likely.decisions.recalibrated import RecalibratedLikelihood
from likely.errors import InputError
from likely.store.files.hashes import check_hashes
from likely.store.models.learned import Learned, check_numbers
from likely.store.values import Encoder

KIND = RecalibratedLikelihood


def encode(model: RecalibratedLikelihood, node: dict[str, Any], encoder: Encoder, path: str) -> None:
    """Put the value into the node."""
    check_recalibrated(model, len(model.classes))
    node["fitted"] = {"value": encoder.encode(model, path)}


def decode(new: Callable[[], Any], learned: Learned) -> RecalibratedLikelihood:
    """The value of a node."""
    found: RecalibratedLikelihood = learned("value", RecalibratedLikelihood)
    check_recalibrated(found, len(found.classes))
    return found


def check_recalibrated(found: object, k: int) -> None:
    """That the weights are those of k classes."""
    if not isinstance(found, RecalibratedLikelihood) or found.classes.shape != (k,):
        raise InputError(f"the weights of the likelihoods are not those of {k} classes")
    check_numbers(found)
    check_hashes(found.classes.tolist())
    if found.log_weight.shape != (k,) or sorted(found.order.tolist()) != list(range(k)):
        raise InputError(f"the weights of the likelihoods are not those of {k} classes")
