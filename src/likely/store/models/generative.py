"""Generative classifiers in a file.

Of a model that learned by sums, its statistic is kept, and the distribution is estimated from it again: it is a
function of the statistic, so it comes back to the bit, and a file cannot hold two that contradict each other. Where
that gives another distribution than the model has (after EM, whose parameters belong to the pass before), the
distribution is kept as well. What else is derived (the array of classes, names of features) is derived again.
"""

from collections.abc import Callable
from typing import Any

import numpy as np

from likely.data.columns.schema import Schema
from likely.data.columns.table_form import TableForm
from likely.distributions.combined.product import Product
from likely.distributions.family import Family
from likely.errors import InputError, NotFittedError
from likely.models.generative.classifier import GenerativeClassifier
from likely.models.generative.summing.layout import MISSING, Layout
from likely.statistics import Labelled, SideBySide
from likely.store import registry
from likely.store.models.learned import (
    Learned,
    check_known,
    check_names,
    check_numbers,
    check_shares,
    check_summary,
    read_class_names,
    summary,
)
from likely.store.quoting import quoted
from likely.store.shapes import check_fit, check_statistic
from likely.store.values import Decoder, Encoder

KIND = GenerativeClassifier
_KEPT = {
    "layout_", "statistic_", "distribution_", "class_count_", "class_prior_", "like_",
    "log_likelihoods_", "log_posteriors_", "passes_", "starts_", "converged_", "slope_", "offset_",
    "learned_exponents_",
    "missing_rates_",
}  # fmt: skip
_FEW_CELLS = 2**22


def encode(model: GenerativeClassifier, node: dict[str, Any], encoder: Encoder, path: str) -> None:
    """Put the sums into the node, and the distribution where they do not give it."""
    check_known(model, _KEPT)
    layout, statistic = model.layout_, model.statistic_
    passes = getattr(model, "passes_", None)
    fitted = {
        "classes": encoder.encode(statistic.classes, f"{path}.classes"),
        "training": summary(statistic.weight, passes, encoder, path),
        "schema": encoder.encode(layout.schema, f"{path}.schema"),
        "parts": encoder.encode(layout.parts, f"{path}.parts"),
        "families": encoder.encode(layout.families, f"{path}.families"),
        "missing": layout.missing,
        "like": _kind_of_table(model.like_),
        "statistic": encoder.encode(statistic.given, f"{path}.statistic"),
        "class_prior": encoder.encode(model.class_prior_, f"{path}.class_prior"),
        "log_likelihoods": encoder.encode(getattr(model, "log_likelihoods_", None), f"{path}.log_likelihoods"),
        "log_posteriors": encoder.encode(getattr(model, "log_posteriors_", None), f"{path}.log_posteriors"),
        "distribution": None,
    }
    if hasattr(model, "starts_"):  # of a mixture
        fitted["starts"] = encoder.encode(model.starts_, f"{path}.starts")
        fitted["converged"] = encoder.encode(bool(getattr(model, "converged_", False)), f"{path}.converged")
    if hasattr(model, "missing_rates_"):
        fitted["missing_rates"] = encoder.encode(model.missing_rates_, f"{path}.missing_rates")
    if hasattr(model, "slope_"):  # a map of the model's own, learned from rows
        own_map: dict[str, Any] = {name: getattr(model, f"{name}_") for name in ("slope", "offset")}
        fitted |= {name: encoder.encode(value, f"{path}.{name}") for name, value in own_map.items()}
    if hasattr(model, "learned_exponents_"):
        powers = np.array(list(model.learned_exponents_.values()))
        fitted["exponents"] = encoder.encode(powers, f"{path}.exponents")
    node["fitted"] = fitted
    if not _same(_again(node, encoder).distribution_, model.distribution_):
        fitted["distribution"] = encoder.encode(model.distribution_, f"{path}.distribution")
        _again(node, encoder)


def decode(new: Callable[[], GenerativeClassifier], learned: Learned) -> GenerativeClassifier:
    """The model of a node."""
    model = new()
    classes = read_class_names(learned)
    model.layout_ = layout = _read_layout(learned)
    model._check_parameters()  # again: some are for each column
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
    check_summary(learned, statistic.weight)
    with np.errstate(all="ignore"):
        model._settle(Labelled(classes, statistic))
    if hasattr(model, "calibrate"):
        model._become(_read_map(learned, k))
    if "exponents" in learned:
        model._take_exponents(_read_exponents(learned, layout))  # type: ignore[attr-defined]
    model.class_prior_ = learned.shares("class_prior", k)
    if "distribution" in learned:
        model.distribution_ = _read_distribution(learned, model.distribution_, k, widths)
    if "log_likelihoods" in learned:
        passes = learned("log_likelihoods", np.ndarray)
        climbed = (
            learned("log_posteriors", np.ndarray) if "log_posteriors" in learned else passes
        )  # older files have none
        check_numbers(passes)
        check_numbers(climbed)
        if climbed.shape != passes.shape:
            raise InputError("the log posteriors are not as many as the log likelihoods")
        model._keep_passes(passes, climbed)
    if "starts" in learned:
        heights = learned("starts", np.ndarray)
        check_numbers(heights)
        model._become({"starts_": heights, "converged_": learned("converged", bool)})
    if "missing_rates" in learned:
        rates = learned("missing_rates", np.ndarray)
        check_numbers(rates)
        if rates.shape != (layout.schema.width,) or ((rates < 0) | (rates > 1)).any():
            raise InputError("the shares of missing cells are not one for each column")
        model._become({"missing_rates_": rates})
    model.like_ = _table_of_kind(learned("like", str))
    model._remember(layout.schema)
    return model


def _read_map(learned: Learned, k: int) -> dict[str, Any]:
    """The slope and the offsets of a model with a map of its own."""
    slope, offset = learned("slope", float), learned("offset", np.ndarray)
    if not 0 <= slope < np.inf or offset.shape != (k,) or offset.dtype != np.float64 or not np.isfinite(offset).all():
        raise InputError("its slope and offsets are not those of a calibration")
    return {"slope_": slope, "offset_": offset}


def _read_exponents(learned: Learned, layout: Layout) -> dict[str, float]:
    """The exponents of the columns of a weighted naive Bayes."""
    powers = learned("exponents", np.ndarray)
    if powers.shape != (layout.schema.width,) or powers.dtype != np.float64:
        raise InputError("its exponents are not one for each column")
    if not (np.isfinite(powers) & (powers >= 0)).all():
        raise InputError("its exponents are not numbers from 0 up")
    return dict(zip(layout.schema.names, powers.tolist(), strict=True))


def _read_layout(learned: Learned) -> Layout:
    schema, parts = learned("schema", Schema), learned("parts", tuple)
    families, missing = learned("families", tuple), learned("missing", str)
    check_names(schema)
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


def _read_distribution(learned: Learned, estimated: Product, k: int, widths: list[int]) -> Product:
    fitted: Product = learned("distribution", Product)
    if [type(part) for part in fitted.parts] != [type(part) for part in estimated.parts]:
        raise InputError("the distribution is not one of the model's families")
    for part, other, width in zip(fitted.parts, estimated.parts, widths, strict=False):
        check_fit(part, k, width)
        inner, its = getattr(part, "components", part), getattr(other, "components", other)
        if type(inner) is not type(its) or inner.members != its.members:
            raise InputError("the distribution is not one of the model's families")
        for shares in getattr(part, "weights", ()) if part is not inner else ():  # of the components of each class
            check_shares(shares, len(shares), "weights")
    return fitted


def _check_effort(family: Family, statistic: Any) -> None:
    """A histogram has as many bins as a number says: it must not say too many."""
    inner = getattr(family, "family", family)
    if not hasattr(inner, "cells"):
        return
    cells = inner.cells(statistic)
    if cells * statistic.groups > max(_FEW_CELLS, 64 * statistic.count.size):
        raise InputError(f"{type(inner).__name__} with {cells} cells is refused")


def _kind_of_table(like: TableForm | None) -> str:
    """What `sample` gives rows back as; a pandas or Arrow table comes back as a Polars frame."""
    if like is None:
        return "matrix"
    return like.kind if like.kind in ("mapping", "array") else "frame"


def _table_of_kind(kind: str) -> TableForm | None:
    tables = {
        "matrix": None,
        "frame": TableForm("polars"),
        "mapping": TableForm("mapping"),
        "array": TableForm("array"),
    }
    if kind not in tables:
        raise InputError(f"{quoted(kind)} is no kind of table")
    return tables[kind]


def _again(node: dict[str, Any], encoder: Encoder) -> Any:
    """The model as it will come back from the file."""
    from likely.store.models.nodes import decode_estimator

    def array(name: str) -> Any:
        raw, data = encoder.arrays[name]
        return raw.restored(data)

    try:
        size = sum(raw.nbytes for raw, _ in encoder.arrays.values())
        return decode_estimator(node, Decoder(array, size, any_pattern=True))
    except NotFittedError:
        raise
    except InputError as error:
        raise InputError(f"this model would not come back from a file: {error}") from None


def _same(a: object, b: object) -> bool:
    """To the bit."""
    one, two = Encoder(), Encoder()
    same = one.encode(a, "") == two.encode(b, "")
    return same and {n: raw for n, (raw, _) in one.arrays.items()} == {n: raw for n, (raw, _) in two.arrays.items()}
