"""Nearest exemplars in a file: the exemplars, and the scales of the distance."""

from collections.abc import Callable
from typing import Any

import numpy as np

from likely.data.columns.schema import Schema
from likely.data.distances.cells import CellPlan
from likely.errors import InputError
from likely.models.neighbors.exemplar import NearestExemplar
from likely.store.models.distances.table_distances import decode_cells, decode_distance, encode_cells, encode_distance
from likely.store.models.learned import Learned, check_known, check_names, check_summary, heading, read_class_names
from likely.store.values import Encoder

KIND = NearestExemplar
_KEPT = {
    "plan_", "distance_", "exemplars_", "exemplar_codes_", "exemplar_classes_", "class_count_", "class_prior_",
    "schema_", "scale_",
}  # fmt: skip


def encode(model: NearestExemplar, node: dict[str, Any], encoder: Encoder, path: str) -> None:
    """Put exemplars and distance into the node."""
    check_known(model, _KEPT)
    node["fitted"] = {
        **heading(model, encoder, path),
        "cells": encode_cells(model.exemplars_, encoder, f"{path}.cells"),
        "codes": encoder.encode(model.exemplar_codes_, f"{path}.codes"),
        "class_count": encoder.encode(model.class_count_, f"{path}.class_count"),
        "spread": encoder.encode(model.scale_, f"{path}.spread"),
        "distance": encode_distance(model.distance_, encoder, f"{path}.distance"),
    }


def decode(new: Callable[[], NearestExemplar], learned: Learned) -> NearestExemplar:
    """The model of a node."""
    model = new()
    names, schema = read_class_names(learned), learned("schema", Schema)
    check_names(schema)
    plan = CellPlan.of(schema)
    cells, codes, spread = decode_cells(learned, plan), learned("codes", np.ndarray), learned("spread", float)
    ordered = codes.shape == (len(cells),) and codes.dtype == np.int64 and bool((np.diff(codes) >= 0).all())
    if not ordered or np.unique(codes).tolist() != list(range(len(names))) or not 0 < spread < np.inf:
        raise InputError("its exemplars do not have one class each")
    count = learned.amounts("class_count", len(names))
    check_summary(learned, count)
    distance = decode_distance(learned, cells, model.metric, model.p)
    model._settle(plan, distance, cells, codes, names, count)
    model.scale_ = spread
    return model
