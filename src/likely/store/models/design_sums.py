"""What models of a design matrix have in common in a file: the sums behind the design, and what they learned from it.

The design is made from the sums again, so a file cannot hold columns that do not fit together. What a model learned
(weights, centres, components) it gives and takes back itself, and checks.
"""

from collections.abc import Callable
from typing import Any

from likely.data.columns.schema import Schema
from likely.errors import InputError
from likely.statistics import CategoryCounts, Moments, SideBySide
from likely.statistics.counting.terms import TermCounts
from likely.store.models.learned import Learned, check_names, check_numbers
from likely.store.shapes import check_statistic
from likely.store.values import Encoder

_OF_FORM = {"real": Moments, "codes": CategoryCounts, "text": TermCounts}


def encode_design(model: Any, encoder: Encoder, path: str) -> dict[str, Any]:
    """Schema, sums and what was learned, as entries of a node."""
    return {
        "schema": encoder.encode(model.schema_, f"{path}.schema"),
        "centred": model.design_.plan.centred,
        "sums": encoder.encode(model.sums_, f"{path}.sums"),
        "learned": encoder.encode(model._parameters_learned(), f"{path}.learned"),
    }


def read_design(model: Any, learned: Learned) -> tuple[Any, SideBySide]:
    """The plan of the design of a model that has learned nothing yet, and the sums that belong to it, checked."""
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
    return plan, sums


def give_back(model: Any, learned: Learned, check: Callable[[Any], None] = lambda value: None) -> None:
    """What was learned, given back to a model whose design has begun; `check` looks at each entry before."""
    parameters = learned("learned", dict)
    try:
        check_numbers(tuple(parameters.values()))
        for value in parameters.values():
            check(value)
        model._learned_again(parameters)
    except (KeyError, TypeError, AttributeError, ValueError) as error:
        if isinstance(error, InputError):
            raise
        raise InputError("what the model learned is not what it should be") from None
