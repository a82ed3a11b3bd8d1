"""Models as nodes of the manifest: name, parameters, and what was learned.

Of a model that learned by sums, its statistic is kept, and the distribution is estimated from it again: it is a
function of the statistic, so it comes back to the bit, and a file cannot hold two that contradict each other. Where
that gives another distribution than the model has (after EM, whose parameters belong to the pass before), the
distribution is kept as well. What else is derived (the array of classes, names of features) is derived again.
"""

from collections.abc import Mapping
from typing import Any

import numpy as np

from likely.data.schema import Schema
from likely.data.target import class_array
from likely.decisions.calibration.isotonic import IsotonicMap
from likely.decisions.calibration.posterior_scaling import Scaling
from likely.decisions.recalibrated import RecalibratedLikelihood
from likely.distributions.combined.product import Product
from likely.errors import InputError, NotFittedError
from likely.models.any_classifier.wrapper import Wrapper
from likely.models.baseline.majority import MajorityClassifier
from likely.models.generative.classifier import GenerativeClassifier
from likely.models.generative.layout import MISSING, Layout
from likely.statistics import Labelled, SideBySide
from likely.statistics.categories import union_of
from likely.store import registry
from likely.store.hashes import check_hashes
from likely.store.quoting import quoted
from likely.store.shapes import check_fit, check_statistic
from likely.store.values import Decoder, Encoder

_DERIVED = {"n_features_in_", "feature_names_in_", "classes_"}
_GENERATIVE = {
    "layout_", "statistic_", "distribution_", "class_count_", "class_prior_", "like_", "log_likelihoods_", "passes_",
}  # fmt: skip
_MAJORITY = {"class_count_", "class_prior_", "schema_"}
_LEARNED = ("class_prior_", "error_threshold_", "map_", "recalibrated_", "training_prior_")  # by wrappers
_FEW_CELLS = 2**22


def encode_estimator(model: Any, encoder: Encoder, path: str) -> dict[str, Any]:
    """The node of a model, fitted or not."""
    name = type(model).__name__
    if registry.estimators().get(name) is not type(model):
        room = type(model).__module__.partition(".")[0]
        raise InputError(
            f"{path} is {room}'s {name}, which a model file cannot keep: it holds only the library's own models, so "
            f"that opening one never runs foreign code. Known are {', '.join(registry.estimators())}"
        )
    if isinstance(model, RecalibratedLikelihood):
        _check_recalibrated(model, len(model.classes))
        return {"estimator": name, "parameters": {}, "fitted": {"value": encoder.encode(model, path)}}
    given = model.get_params(deep=False)
    parameters = {key: encoder.encode(value, f"{path}.{key}") for key, value in sorted(given.items())}
    node: dict[str, Any] = {"estimator": name, "parameters": parameters, "fitted": None}
    if model.__sklearn_is_fitted__():
        if isinstance(model, Wrapper):
            node["fitted"] = _encode_wrapper(model, encoder, path)
        elif isinstance(model, MajorityClassifier):
            node["fitted"] = _encode_majority(model, encoder, path)
        else:
            _encode_generative(model, node, encoder, path)
    return node


def decode_estimator(node: Any, decoder: Decoder, depth: int = 0) -> Any:
    """The model of a node; whatever does not fit together is refused."""
    decoder.check_depth(depth)
    if not isinstance(node, dict) or set(node) != {"estimator", "parameters", "fitted"}:
        raise InputError("a model lacks its name, parameters or what it learned")
    kind = registry.estimators().get(node["estimator"]) if isinstance(node["estimator"], str) else None
    if kind is None:
        raise InputError(f"{quoted(node['estimator'])} is no model of this library; it may come from a later version")
    if kind is RecalibratedLikelihood:
        found = decoder.decode(node["fitted"]["value"], depth + 1)
        if not isinstance(found, RecalibratedLikelihood):
            raise InputError("there are no weights of likelihoods in it")
        _check_recalibrated(found, len(found.classes))
        return found
    known = kind._parameter_names()
    for name in node["parameters"]:
        if name not in known:
            raise InputError(f"{kind.__name__} has no parameter {quoted(name)}; it may come from a later version")
    model = kind(**{name: decoder.decode(body, depth + 1) for name, body in node["parameters"].items()})
    if node["fitted"] is not None:
        learned = _Learned(node["fitted"], decoder, depth + 1)
        if isinstance(model, Wrapper):
            _decode_wrapper(model, learned)
        elif isinstance(model, MajorityClassifier):
            _decode_majority(model, learned)
        else:
            _decode_generative(model, learned)
    return model


class _Learned:
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
        return decode_estimator(self._node[name], self._decoder, self._depth + 1)


def _encode_generative(model: GenerativeClassifier, node: dict[str, Any], encoder: Encoder, path: str) -> None:
    _check_known(model, _GENERATIVE)
    layout, statistic = model.layout_, model.statistic_
    passes = getattr(model, "passes_", None)
    fitted = {
        "classes": encoder.encode(statistic.classes, f"{path}.classes"),
        "training": _summary(statistic.weight, passes, encoder, path),
        "schema": encoder.encode(layout.schema, f"{path}.schema"),
        "parts": encoder.encode(layout.parts, f"{path}.parts"),
        "families": encoder.encode(layout.families, f"{path}.families"),
        "missing": layout.missing,
        "like": _kind_of_table(model.like_),
        "statistic": encoder.encode(statistic.given, f"{path}.statistic"),
        "class_prior": encoder.encode(model.class_prior_, f"{path}.class_prior"),
        "log_likelihoods": encoder.encode(getattr(model, "log_likelihoods_", None), f"{path}.log_likelihoods"),
        "distribution": None,
    }
    node["fitted"] = fitted
    if not _same(_again(node, encoder).distribution_, model.distribution_):
        fitted["distribution"] = encoder.encode(model.distribution_, f"{path}.distribution")
        _again(node, encoder)


def _decode_generative(model: GenerativeClassifier, learned: _Learned) -> None:
    classes = _read_class_names(learned)
    model.layout_ = layout = _read_layout(learned)
    model._check_parameters()
    statistic = learned("statistic", SideBySide)
    k = len(classes)
    parts: tuple[Any, ...] = layout.family.parts
    check_statistic(statistic, k, layout.schema.width)
    if len(statistic.parts) != len(parts):
        raise InputError("the statistic has not one part for each family")
    widths = [len(part.columns) for part in layout.parts] + [layout.schema.width]
    for part, family, width in zip(statistic.parts, parts, widths, strict=False):
        groups = k * getattr(family, "n_components", 1)
        check_statistic(part, groups, width)
        _check_effort(family, part)
    _check_summary(learned, statistic.weight)
    with np.errstate(all="ignore"):
        model._settle(Labelled(classes, statistic))
    model.class_prior_ = learned.shares("class_prior", k)
    if "distribution" in learned:
        model.distribution_ = _read_distribution(learned, model.distribution_, k, widths)
    if "log_likelihoods" in learned:
        model._keep_passes(learned("log_likelihoods", np.ndarray))
    model.like_ = _table_of_kind(learned("like", str), layout.schema.width)
    model._remember(layout.schema)


def _read_layout(learned: _Learned) -> Layout:
    schema, parts = learned("schema", Schema), learned("parts", tuple)
    families, missing = learned("families", tuple), learned("missing", str)
    _check_names(schema)
    kinds = [type(one) for one in families]
    if missing not in MISSING or not all(registry.is_family(kind) and registry.knows(kind) for kind in kinds):
        raise InputError("the families of the columns are not what they should be")
    columns = sorted(j for part in parts for j in part.columns)
    if len(parts) != len(families) or columns != list(range(schema.width)):
        raise InputError("the columns are not shared out among the families")
    groups = [(family, part.columns) for family, part in zip(families, parts, strict=True)]
    layout = Layout.of(schema, groups, missing)
    if layout.parts != parts:
        raise InputError("the columns do not have the form that their families take")
    return layout


def _read_distribution(learned: _Learned, estimated: Product, k: int, widths: list[int]) -> Product:
    fitted: Product = learned("distribution", Product)
    if [type(part) for part in fitted.parts] != [type(part) for part in estimated.parts]:
        raise InputError("the distribution is not one of the model's families")
    for part, other, width in zip(fitted.parts, estimated.parts, widths, strict=False):
        check_fit(part, k, width)
        inner, its = getattr(part, "components", part), getattr(other, "components", other)
        if type(inner) is not type(its) or inner.members != its.members:
            raise InputError("the distribution is not one of the model's families")
    return fitted


def _check_effort(family: Any, statistic: Any) -> None:
    """A histogram has as many bins as a number says: it must not say too many."""
    inner = getattr(family, "family", family)
    if not hasattr(inner, "cells"):
        return
    cells = inner.cells(statistic)
    if cells * statistic.groups > max(_FEW_CELLS, 64 * statistic.count.size):
        raise InputError(f"{type(inner).__name__} with {cells} cells is refused")


def _encode_majority(model: MajorityClassifier, encoder: Encoder, path: str) -> dict[str, Any]:
    _check_known(model, _MAJORITY)
    names = tuple(model.classes_.tolist())
    return {
        "classes": encoder.encode(names, f"{path}.classes"),
        "training": _summary(model.class_count_, None, encoder, path),
        "schema": encoder.encode(model.schema_, f"{path}.schema"),
        "class_count": encoder.encode(model.class_count_, f"{path}.class_count"),
        "class_prior": encoder.encode(model.class_prior_, f"{path}.class_prior"),
    }


def _decode_majority(model: MajorityClassifier, learned: _Learned) -> None:
    names = _read_class_names(learned)
    schema = learned("schema", Schema)
    _check_names(schema)
    model.class_count_ = learned.shares("class_count", len(names))
    model.class_prior_ = learned.shares("class_prior", len(names))
    _check_summary(learned, model.class_count_)
    model.classes_ = class_array(names)
    model._remember(schema)


def _encode_wrapper(model: Wrapper, encoder: Encoder, path: str) -> dict[str, Any]:
    _check_known(model, {"estimator_", *_LEARNED})
    _check_wrapper(model)
    kept = {name: getattr(model, name) for name in _LEARNED if hasattr(model, name)}
    shared = model.estimator_ is model.estimator
    return {
        "estimator": None if shared else encode_estimator(model.estimator_, encoder, f"{path}.estimator_"),
        **{name: encoder.encode(value, f"{path}.{name}") for name, value in kept.items()},
    }


def _decode_wrapper(model: Wrapper, learned: _Learned) -> None:
    held = learned.estimator("estimator") if "estimator" in learned else model.estimator
    if not hasattr(held, "classes_") or type(held) not in registry.estimators().values():
        raise InputError(f"{type(model).__name__} holds no fitted model")
    model._take_over(held)
    for name in _LEARNED:
        if name in learned:
            setattr(model, name, learned(name, object))
    _check_wrapper(model)


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
        _check_recalibrated(model.recalibrated_, k)
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


def _check_recalibrated(found: Any, k: int) -> None:
    if not isinstance(found, RecalibratedLikelihood) or found.classes.shape != (k,):
        raise InputError(f"the weights of the likelihoods are not those of {k} classes")
    check_hashes(found.classes.tolist())
    if found.log_weight.shape != (k,) or sorted(found.order.tolist()) != list(range(k)):
        raise InputError(f"the weights of the likelihoods are not those of {k} classes")


def _check_known(model: Any, kept: set[str]) -> None:
    """Refuse fitted state that would be lost."""
    for name in vars(model):
        if name.endswith("_") and name not in kept | _DERIVED:
            raise InputError(f"{type(model).__name__}.{name} is not kept by this version of the format")


def _summary(weight: Any, passes: int | None, encoder: Encoder, path: str) -> dict[str, Any]:
    return {"weight": encoder.encode(tuple(weight.tolist()), f"{path}.training.weight"), "passes": passes}


def _check_summary(learned: _Learned, weight: Any) -> None:
    training = learned._node.get("training")
    if not isinstance(training, dict) or set(training) != {"weight", "passes"}:
        raise InputError("its summary of the training is not one")
    if _Learned(training, learned._decoder, learned._depth)("weight", tuple) != tuple(weight.tolist()):
        raise InputError("its summary of the training is not that of its statistic")


def _read_class_names(learned: _Learned) -> tuple[Any, ...]:
    names: tuple[Any, ...] = learned("classes", tuple)
    check_hashes(names)
    if not names or union_of(names, ()) != names:
        raise InputError("its classes are not different names in order")
    return names


def _check_names(schema: Schema) -> None:
    if len(set(schema.names)) != schema.width or not schema.width:
        raise InputError("its columns do not have different names")


def _kind_of_table(like: Any) -> str:
    """What `sample` gives rows back as; a pandas or Arrow table comes back as a Polars frame."""
    if like is None:
        return "matrix"
    if isinstance(like, Mapping):
        return "mapping"
    return "array" if isinstance(like, list | tuple | np.ndarray) else "frame"


def _table_of_kind(kind: str, width: int) -> Any:
    if kind == "frame":
        import polars as pl

        return pl.DataFrame()
    tables: dict[str, Any] = {"matrix": None, "mapping": {}, "array": np.empty((0, width), dtype=object)}
    if kind not in tables:
        raise InputError(f"{quoted(kind)} is no kind of table")
    return tables[kind]


def _again(node: dict[str, Any], encoder: Encoder) -> Any:
    """The model as it will come back from the file."""

    def array(name: str) -> Any:
        raw, data = encoder.arrays[name]
        return raw.restored(data)

    try:
        size = sum(raw.nbytes for raw, _ in encoder.arrays.values())
        return decode_estimator(node, Decoder(array, size))
    except NotFittedError:
        raise
    except InputError as error:
        raise InputError(f"this model would not come back from a file: {error}") from None


def _same(a: Any, b: Any) -> bool:
    """To the bit."""
    one, two = Encoder(), Encoder()
    same = one.encode(a, "") == two.encode(b, "")
    return same and {n: raw for n, (raw, _) in one.arrays.items()} == {n: raw for n, (raw, _) in two.arrays.items()}
