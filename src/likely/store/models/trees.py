"""Trees and forests in a file: their nodes, and how cells become numbers.

Compiled code walks the nodes without looking, so a file is believed only after every test leads on to later nodes of
the same trees, asks a column that there is, and finds the bits of its levels.
"""

from collections.abc import Callable
from dataclasses import astuple
from typing import Any

import numpy as np

from likely.data.columns.schema import Schema
from likely.data.labels.target import class_array
from likely.errors import InputError
from likely.intervals import Estimate
from likely.models.learning.training_curves import check_curves
from likely.models.trees.boosted_trees import BoostedTrees, History
from likely.models.trees.classifier import TreeClassifier
from likely.models.trees.grove import Grove
from likely.models.trees.growing.coding import Coding, check_kinds
from likely.store.files.hashes import check_hashes
from likely.store.models.learned import (
    Learned,
    check_names,
    check_summary,
    heading,
    read_class_names,
)
from likely.store.values import Encoder

KIND = TreeClassifier
_WHOLE = ("roots", "feature", "child", "gaps_left", "mask_at")  # kept as int64
_TYPES = {"roots": np.int64, "feature": np.int32, "child": np.int32, "gaps_left": np.uint8, "mask_at": np.int32}
_FIGURES = ("oob_accuracy_", "oob_log_loss_")


def encode(model: TreeClassifier, node: dict[str, Any], encoder: Encoder, path: str) -> None:
    """Put nodes, levels and classes into the node of the manifest."""
    grove = model.grove_
    nodes: dict[str, Any] = {name: getattr(grove, name).astype(np.int64) for name in _WHOLE}
    nodes |= {name: getattr(grove, name).astype(np.float64) for name in ("threshold", "counts", "gain", "test_bits")}
    nodes |= {"masks": grove.masks.view(np.int64), "smoothing": float(grove.smoothing)}
    figures = {name: astuple(getattr(model, name)) for name in _FIGURES if hasattr(model, name)}
    node["fitted"] = {
        **heading(model, encoder, path),
        "levels": encoder.encode(model.coding_.levels, f"{path}.levels"),
        "nodes": encoder.encode(nodes, f"{path}.nodes"),
        "class_count": encoder.encode(model.class_count_, f"{path}.class_count"),
        "class_prior": encoder.encode(model.class_prior_, f"{path}.class_prior"),
        "figures": encoder.encode(figures, f"{path}.figures"),
        "out_of_bag": encoder.encode(getattr(model, "oob_decision_function_", None), f"{path}.out_of_bag"),
    }
    if isinstance(model, BoostedTrees):
        kept = (model.value_, model.baseline_, *model.history_)
        node["fitted"]["boosting"] = encoder.encode(kept, f"{path}.boosting")


def decode(new: Callable[[], TreeClassifier], learned: Learned) -> TreeClassifier:
    """The model of a node."""
    model = new()
    names, schema = read_class_names(learned), learned("schema", Schema)
    check_names(schema)
    check_kinds(schema)
    count, prior = learned.amounts("class_count", len(names)), learned.shares("class_prior", len(names))
    check_summary(learned, count)
    coding = Coding(schema, _levels(learned("levels", tuple), schema))
    boosted = isinstance(model, BoostedTrees)
    grove = _grove(learned("nodes", dict), coding, 1 if boosted else len(names))
    state: dict[str, Any] = {"classes_": class_array(names), "class_count_": count, "class_prior_": prior}
    if "out_of_bag" in learned:
        state["oob_decision_function_"] = _out_of_bag(learned("out_of_bag", np.ndarray), len(names))
    if boosted:
        state |= _boosting(learned("boosting", tuple), grove, len(names))
    model._become({**state, "coding_": coding, "grove_": grove, **_figures(learned("figures", dict))})
    model._remember(schema)
    return model


def _levels(levels: tuple[Any, ...], schema: Schema) -> Any:
    if len(levels) != schema.width or not all(isinstance(each, tuple) for each in levels):
        raise InputError("its levels are not those of its columns")
    for column, each in zip(schema.columns, levels, strict=True):
        check_hashes(each)
        if len(set(each)) != len(each) or (each and column.kind not in ("nominal", "ordinal")):
            raise InputError(f"the levels of column {column.name!r} are not different names")
    return levels


def _grove(nodes: dict[str, Any], coding: Coding, k: int) -> Grove:
    """The trees, if walking them ends in a leaf whatever the row."""
    try:
        whole = {name: np.asarray(nodes[name]) for name in (*_WHOLE, "masks")}
        real = {name: np.asarray(nodes[name]) for name in ("threshold", "counts", "gain", "test_bits")}
        smoothing = float(nodes["smoothing"])
    except (KeyError, TypeError, ValueError):
        raise InputError("its trees are incomplete") from None
    if any(x.dtype != np.int64 or x.ndim != 1 for x in whole.values()) or any(
        x.dtype != np.float64 for x in real.values()
    ):
        raise InputError("the nodes of its trees are not of the right type")
    size, child, feature = len(whole["feature"]), whole["child"], whole["feature"]
    shapes = {"threshold": (size,), "gain": (size,), "test_bits": (size,), "counts": (size, k)}
    if any(real[name].shape != shape for name, shape in shapes.items()):
        raise InputError("its trees do not fit together")
    if any(len(whole[name]) != size for name in ("child", "gaps_left", "mask_at")) or not 0 < size < 2**31:
        raise InputError("its trees do not fit together")
    inner, at = child >= 0, np.arange(size)
    if ((child[inner] <= at[inner]) | (child[inner] > size - 2)).any() or (child < -1).any():
        raise InputError("a test of its trees leads back, or nowhere")
    roots = whole["roots"]
    if not len(roots) or (roots < 0).any() or (roots >= size).any():
        raise InputError("its trees do not begin at nodes of theirs")
    parents = np.bincount(np.concatenate([child[inner], child[inner] + 1, roots]), minlength=size)  # never beyond size
    if (parents != 1).any():
        raise InputError("its nodes are not those of trees")
    if ((feature >= 0) != inner).any() or (feature >= coding.schema.width).any():
        raise InputError("a test of its trees is of no column")
    _check_tests(whole, real, coding, inner)
    counts = real["counts"]
    if not (np.isfinite(counts) & (counts >= 0)).all() or not 0 <= smoothing < np.inf:
        raise InputError("its leaves count fewer than none")
    typed = {name: whole[name].astype(kind) for name, kind in _TYPES.items()}
    return Grove(**typed, **real, masks=whole["masks"].view(np.uint64), smoothing=smoothing)


def _check_tests(whole: dict[str, Any], real: dict[str, Any], coding: Coding, inner: Any) -> None:
    """That tests of numbers have a threshold, and tests of levels the bits of all levels."""
    levels, nominal = np.array([len(each) for each in coding.levels]), coding.nominal
    asked, column = np.flatnonzero(inner), whole["feature"][inner]
    of_levels = whole["mask_at"][asked] >= 0
    if (of_levels != nominal[column]).any() or np.isnan(real["threshold"][asked[~of_levels]]).any():
        raise InputError("a test of its trees is not of the kind of its column")
    room = len(whole["masks"]) - levels[column[of_levels]] // 64 - 1  # no sum that could overflow
    if (whole["mask_at"][asked[of_levels]] > room).any() or not np.isin(whole["gaps_left"], (0, 1)).all():
        raise InputError("a test of its trees has no bits for its levels")
    if np.isnan(real["gain"]).any() or np.isnan(real["test_bits"]).any():
        raise InputError("it holds NaN where a number should be")


def _out_of_bag(said: Any, k: int) -> Any:
    known = said[~np.isnan(said).all(axis=1)] if said.ndim == 2 and said.dtype == np.float64 else None
    if (
        known is None
        or said.shape[1] != k
        or not ((known >= 0) & (np.abs(known.sum(axis=1, keepdims=True) - 1) < 1e-6)).all()
    ):
        raise InputError("its out-of-bag posteriors are not probabilities")
    return said


def _boosting(kept: tuple[Any, ...], grove: Grove, k: int) -> dict[str, Any]:
    """What nodes add to scores, and how the rounds went, if they fit the trees."""
    check_curves(kept, 4)
    value, baseline, loss, held = kept
    scores = 1 if k == 2 else k
    if value.shape != (grove.n_nodes,) or baseline.shape != (scores,) or grove.n_trees % scores:
        raise InputError("its rounds do not fit its trees")
    if any(x.dtype != np.float64 or not np.isfinite(x).all() for x in kept):
        raise InputError("its trees add what is no number")
    rounds = grove.n_trees // scores if grove.n_nodes > grove.n_trees or value.any() else 0
    if len(loss) <= rounds or len(held) not in (0, len(loss)):
        raise InputError("the history of its training does not fit together")
    return {"value_": value, "baseline_": baseline, "history_": History(loss, held), "n_iter_": rounds}


def _figures(kept: dict[str, Any]) -> dict[str, Any]:
    found: dict[str, Any] = {}
    for name, parts in kept.items():
        if name not in _FIGURES or not isinstance(parts, tuple) or len(parts) != 8:
            raise InputError("its out-of-bag figures are not estimates")
        if not all(isinstance(part, float | int) for part in (*parts[:4], *parts[5:7])):
            raise InputError("its out-of-bag figures are not estimates")
        if not isinstance(parts[4], str) or not isinstance(parts[7], str):
            raise InputError("its out-of-bag figures are not estimates")
        found[name] = Estimate(*parts)
    if "oob_accuracy_" in found:
        found["oob_score_"] = float(found["oob_accuracy_"].value)
    return found
