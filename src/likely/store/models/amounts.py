"""Networks of amounts in a file: the sums behind the design, the weights, and the scale of the amounts."""

from collections.abc import Callable
from typing import Any

import numpy as np

from likely.data.columns.schema import Schema
from likely.errors import InputError
from likely.models.networks.regressor import NeuralNetworkRegressor
from likely.statistics import SideBySide
from likely.store.models.designed import _OF_FORM
from likely.store.models.learned import Learned, check_names, check_numbers
from likely.store.shapes import check_statistic
from likely.store.values import Encoder

KIND = NeuralNetworkRegressor


def encode(model: NeuralNetworkRegressor, node: dict[str, Any], encoder: Encoder, path: str) -> None:
    """Put sums and weights into the node."""
    node["fitted"] = {
        "schema": encoder.encode(model.schema_, f"{path}.schema"),
        "centred": model.design_.plan.centred,
        "sums": encoder.encode(model.sums_, f"{path}.sums"),
        "learned": encoder.encode(model._parameters_learned(), f"{path}.learned"),
    }


def decode(new: Callable[[], NeuralNetworkRegressor], learned: Learned) -> NeuralNetworkRegressor:
    """The model of a node."""
    model = new()
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
    model._begin(plan, sums)
    parameters = learned("learned", dict)
    try:
        check_numbers(tuple(np.asarray(value) for value in parameters.values() if isinstance(value, np.ndarray)))
        model._learned_again(parameters)
    except (KeyError, TypeError, AttributeError, ValueError) as error:
        if isinstance(error, InputError):
            raise
        raise InputError("what the model learned is not what it should be") from None
    return model
