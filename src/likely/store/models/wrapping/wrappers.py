"""Calibrated classifiers and deciders in a file: the model that they hold, and what they learned besides."""

from collections.abc import Callable
from typing import Any

import numpy as np

from likely.decisions.calibration.kept_scores import MOST, KeptScores
from likely.decisions.calibration.maps.isotonic import IsotonicMap, Staircase
from likely.decisions.calibration.maps.posterior_scaling import Scaling
from likely.decisions.calibration.pooling import Cells
from likely.decisions.calibration.uncertainty.track_record import TrackRecord
from likely.errors import InputError
from likely.models.any_classifier.wrapper import Wrapper
from likely.models.traits.protocols import FittedClassifier
from likely.store import registry
from likely.store.models.learned import Learned, check_known, check_numbers, check_shares
from likely.store.models.wrapping.recalibrated import check_recalibrated
from likely.store.values import Encoder

KIND = Wrapper
_LEARNED = ("class_prior_", "error_threshold_", "kept_", "map_", "recalibrated_", "record_", "training_prior_")


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


def _check_wrapper(model: FittedClassifier) -> None:
    """That what a wrapper learned is of the classes of the model that it holds."""
    k = len(model.classes_)
    for name in ("class_prior_", "training_prior_"):
        if hasattr(model, name):
            check_shares(getattr(model, name), k, name)
    needed = {"error_threshold_"} if getattr(model, "max_error", None) is not None else set()
    needed |= {"recalibrated_"} if getattr(model, "rule", None) == "recalibrated" else set()
    if not all(hasattr(model, name) for name in needed):
        raise InputError(f"what {type(model).__name__} learned is incomplete")
    if not hasattr(model, "training_prior_") and not (hasattr(model, "map_") and hasattr(model, "class_prior_")):
        raise InputError(f"what {type(model).__name__} learned is incomplete")
    if hasattr(model, "map_"):
        _check_map(model.map_, k)
    if hasattr(model, "record_"):
        check_record(model.record_, k)
    if hasattr(model, "kept_"):
        _check_kept(model.kept_, k)
    if hasattr(model, "recalibrated_"):
        check_recalibrated(model.recalibrated_, k)
    limit = getattr(model, "error_threshold_", 0.0)
    if not isinstance(limit, float | int) or limit != limit:
        raise InputError("error_threshold_ is no number")


def _check_map(found: Any, k: int) -> None:
    if isinstance(found, IsotonicMap):
        fits = len(found.steps) == (1 if k == 2 else k) and all(map(_rises, found.steps))
    else:
        fits = isinstance(found, Scaling) and found.slope.shape == found.offset.shape == (k,)
        fits = fits and bool(np.isfinite(found.slope).all() and np.isfinite(found.offset).all())
    if not fits:
        raise InputError(f"the calibration map is not one of {k} classes")
    check_numbers(found)


def _rises(step: Staircase) -> bool:
    """Whether it is a staircase: shares from 0 to 1 that do not fall, between scores that do not either."""
    if step.share.ndim != 1 or not len(step.share) or step.cut.shape != (len(step.share) - 1,):
        return False
    if not _are_cells(step.cells, len(step.share)):
        return False
    shares = bool(((step.share >= 0) & (step.share <= 1)).all() and (step.share[1:] >= step.share[:-1]).all())
    return shares and bool((step.cut[1:] >= step.cut[:-1]).all())


def _are_cells(cells: Cells, steps: int) -> bool:
    """Whether each step has its rows: some, no more positives than rows, between a lowest and a highest score."""
    parts = (cells.positive, cells.weight, cells.first, cells.last)
    if not all(part.shape == (steps,) and part.dtype == np.float64 for part in parts):
        return False
    rows = np.isfinite(cells.weight) & (cells.weight > 0)
    slack = 1e-9 * cells.weight  # sums of weights in another order
    within = (cells.positive >= -slack) & (cells.positive <= cells.weight + slack)
    return bool((rows & within & (cells.first <= cells.last)).all())


def _check_kept(found: Any, k: int) -> None:
    """That kept scores are of k classes: finite weights above zero, no score that is no number, fingerprints rising."""
    fits = isinstance(found, KeptScores) and found.mark.ndim == 1 and len(found.mark) <= MOST
    fits = fits and found.code.shape == found.weight.shape == found.mark.shape == found.score.shape[:1]
    if not fits or found.score.shape[1:] not in ((), (k,)) or (found.score.ndim == 1 and k != 2):
        raise InputError(f"the kept scores of the calibration are not of {k} classes")
    known = (found.code >= 0).all() and (found.code < k).all() and (found.mark[1:] >= found.mark[:-1]).all()
    amounts = np.isfinite(found.weight).all() and (found.weight > 0).all() and 0 <= found.n < np.inf
    if (
        not known
        or not amounts
        or not 0 < found.below <= 1
        or np.isnan(found.score).any()
        or np.isposinf(found.score).any()
    ):
        raise InputError("the kept scores of the calibration count what cannot be")


def check_record(found: Any, k: int) -> None:
    """That a track record is one of k classes, with rows, and no more of them true than there are."""
    fits = isinstance(found, TrackRecord) and found.said.ndim == 2 and found.said.shape == found.rows.shape
    if not fits or found.true.shape != found.said.shape or len(found.said) != k:
        raise InputError(f"the track record of the calibration is not one of {k} classes")
    amounts = np.isfinite([found.said, found.rows, found.true]).all() and (found.rows >= found.true).all()
    if not amounts or (found.true < 0).any() or not found.rows.sum(axis=1).all():
        raise InputError("the track record of the calibration counts what cannot be")
