"""Classifiers that learn from a design matrix, in a file.

The sums behind the design are kept, and the design is made from them again, so a file cannot hold columns that do not
fit together. What the model learned besides (weights) it gives and takes back itself, and checks.
"""

from collections.abc import Callable
from typing import Any

import numpy as np

from likely.data.columns.schema import Schema
from likely.errors import InputError
from likely.models.learning.designed import MatrixClassifier
from likely.statistics import Additive, CategoryCounts, Moments, SideBySide
from likely.statistics.counting.terms import TermCounts
from likely.store.models.learned import (
    Learned,
    check_names,
    check_numbers,
    check_summary,
    read_class_names,
    summary,
)
from likely.store.shapes import check_statistic
from likely.store.values import Encoder

KIND = MatrixClassifier
_OF_FORM = {"real": Moments, "codes": CategoryCounts, "text": TermCounts}


def encode(model: MatrixClassifier, node: dict[str, Any], encoder: Encoder, path: str) -> None:
    """Put sums and weights into the node."""
    names = tuple(model.classes_.tolist())
    parameters = model._parameters_learned()
    node["fitted"] = {
        "classes": encoder.encode(names, f"{path}.classes"),
        "training": summary(model.class_count_, None, encoder, path),
        "schema": encoder.encode(model.schema_, f"{path}.schema"),
        "centred": model.design_.plan.centred,
        "sums": encoder.encode(model.sums_, f"{path}.sums"),
        "class_count": encoder.encode(model.class_count_, f"{path}.class_count"),
        "class_prior": encoder.encode(model.class_prior_, f"{path}.class_prior"),
        "learned": encoder.encode(parameters, f"{path}.learned"),
    }


def decode(new: Callable[[], MatrixClassifier], learned: Learned) -> MatrixClassifier:
    """The model of a node."""
    model = new()
    names = read_class_names(learned)
    schema, sums = learned("schema", Schema), learned("sums", SideBySide)
    check_names(schema)
    plan = model._plan(schema, learned("centred", bool))
    check_statistic(sums, 1, schema.width)
    if len(sums.parts) != len(plan.parts):
        raise InputError("the sums have not one part for each group of columns")
    for part, seen in zip(plan.parts, sums.parts, strict=True):
        if not isinstance(seen, _OF_FORM[part.form]):
            raise InputError("the sums are not those of the columns")
        check_statistic(seen, 1, len(part.columns))
        check_numbers(seen)
    count = learned("class_count", np.ndarray)
    if count.shape != (len(names),) or count.dtype.kind not in "if" or not (np.isfinite(count) & (count >= 0)).all():
        raise InputError("the weights of its classes are not one for each")
    check_summary(learned, count)
    model._begin(plan, sums, names, count, learned.shares("class_prior", len(names)))
    parameters = learned("learned", dict)
    try:
        check_numbers(tuple(parameters.values()))
        for value in parameters.values():
            if isinstance(value, Additive):
                check_statistic(value, len(names), getattr(value, "features", schema.width))
        model._learned_again(parameters)
    except (KeyError, TypeError, AttributeError, ValueError) as error:
        if isinstance(error, InputError):
            raise
        raise InputError("what the model learned is not what it should be") from None
    return model
