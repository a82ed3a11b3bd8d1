"""The options of a perceptron, checked."""

from collections.abc import Mapping
from typing import Any

from likely.errors import InputError, check_choice, check_number, check_whole
from likely.models.linear.perceptrons.multiclass import SCHEMES
from likely.models.linear.perceptrons.passes import RULES

KEEP = ("auto", "final", "averaged", "pocket")


def check_options(model: Any) -> None:
    """Refuse what a perceptron cannot do."""
    for name, known in (("rule", tuple(RULES)), ("multiclass", SCHEMES), ("keep", KEEP)):
        check_choice(name, getattr(model, name), known)
    check_number("learning_rate", model.learning_rate, above=True)
    if model.rule == "fractional" and (model.learning_rate >= 1 or model.learning_rate == 0.5):
        raise InputError(
            f"the fractional rule needs a learning_rate between 0 and 1, and not 1/2, which ends on the boundary; "
            f"got {model.learning_rate!r}"
        )
    check_number("epsilon", model.epsilon, above=True)
    check_whole("max_iter", model.max_iter)
    check_whole("history", model.history, 0)
    check_whole("posterior_folds", model.posterior_folds, 2, also=(None,))


def obstacle(given: Mapping[str, Any], summed: bool = False) -> str:
    """Why one with these parameters cannot learn more rows; empty where it can.

    >>> obstacle({"keep": "pocket"}), obstacle({"keep": "final"})
    ("keep='pocket' compares weights on all rows", '')
    """
    return "keep='pocket' compares weights on all rows" if given["keep"] == "pocket" else ""
