"""Models of neighbours in a file: the rows that they keep.

The distance and what is searched are functions of the rows, so they are made again. How a model was tuned is not kept.
"""

from collections.abc import Callable
from typing import Any

import numpy as np

from likely.data.columns.schema import Schema
from likely.data.distances.cells import CellPlan
from likely.errors import InputError
from likely.models.neighbors.classifier import NearestNeighbors
from likely.models.neighbors.instance_learner import InstanceLearner
from likely.models.neighbors.neighbor_model import NeighborModel
from likely.models.neighbors.searching.known import Known
from likely.store.models.distances.table_distances import decode_cells, decode_distance, encode_cells, encode_distance
from likely.store.models.learned import Learned, check_known, check_names, check_summary, read_class_names, summary
from likely.store.values import Encoder

KIND = NeighborModel
_KEPT = {"known_", "search_", "class_count_", "class_prior_", "schema_", "tuning_"}
_RECORDS = ("stored_", "stored_codes_", "trace_", "right_", "tries_", "seen_")


def encode(model: Any, node: dict[str, Any], encoder: Encoder, path: str) -> None:
    """Put the rows into the node."""
    learner = isinstance(model, InstanceLearner)
    check_known(model, _KEPT | (set(_RECORDS) if learner else set()))
    known = model.known_
    fitted: dict[str, Any] = {
        "schema": encoder.encode(model.schema_, f"{path}.schema"),
        "cells": encode_cells(known.cells, encoder, f"{path}.cells"),
        "classes": encoder.encode((), f"{path}.classes"),  # of amounts there are none
        "training": summary(np.empty(0), None, encoder, path),
        "y": encoder.encode(known.y, f"{path}.y"),
        "weight": encoder.encode(known.weight, f"{path}.weight"),
    }
    if hasattr(model, "classes_"):
        fitted["classes"] = encoder.encode(tuple(model.classes_.tolist()), f"{path}.classes")
        fitted["training"] = summary(model.class_count_, None, encoder, path)
        fitted["class_count"] = encoder.encode(model.class_count_, f"{path}.class_count")
    if learner:
        fitted["distance"] = encode_distance(model.search_.distance, encoder, f"{path}.distance")
        fitted |= {name: encoder.encode(getattr(model, name), f"{path}.{name}") for name in _RECORDS}
    node["fitted"] = fitted


def decode(new: Callable[[], Any], learned: Learned) -> Any:
    """The model of a node."""
    model = new()
    schema = learned("schema", Schema)
    check_names(schema)
    plan = CellPlan.of(schema)
    cells = decode_cells(learned, plan)
    y, weight = learned("y", np.ndarray), learned("weight", np.ndarray)
    if weight.shape != (len(cells),) or weight.dtype != np.float64 or not (np.isfinite(weight) & (weight > 0)).all():
        raise InputError("its rows do not have one weight each")
    if not hasattr(type(model), "predict_proba"):
        if y.shape != (len(cells),) or y.dtype != np.float64 or not np.isfinite(y).all():
            raise InputError("its rows do not have one amount each")
        model._settle(Known(plan, cells, y, weight))
        return model
    names = read_class_names(learned)
    if y.shape != (len(cells),) or y.dtype != np.int64 or not ((y >= 0) & (y < len(names))).all():
        raise InputError("its rows do not have one class each")
    known = Known(plan, cells, y, weight)
    check_summary(learned, learned.amounts("class_count", len(names)))
    if isinstance(model, NearestNeighbors):
        model._settle(known, names)
        return model
    _take_records(model, known, names, learned)
    return model


def _take_records(model: InstanceLearner, known: Known, names: tuple[Any, ...], learned: Learned) -> None:
    """What an InstanceLearner knows besides the rows that answer, and the scales it learned from all rows."""
    records = {name: learned(name, np.ndarray) for name in _RECORDS}
    stored, codes = records["stored_"], records["stored_codes_"]
    fits = stored.ndim == 1 and stored.dtype == np.int64 and codes.shape == stored.shape and codes.dtype == np.int64
    fits = fits and bool(((codes >= 0) & (codes < len(names))).all()) and records["seen_"].shape == (len(names) + 1,)
    counts = [records[name] for name in ("right_", "tries_", "seen_")]
    fits = fits and all(part.dtype == np.float64 and np.isfinite(part).all() and (part >= 0).all() for part in counts)
    if not fits or records["trace_"].dtype.kind != "U" or counts[0].shape != counts[1].shape:
        raise InputError("what it stored and its records do not fit together")
    distance = decode_distance(learned, known.cells, model.metric, model.p)
    model._keep(known, model._search_of(known, distance), names, learned.amounts("class_count", len(names)))
    model._become(records)
