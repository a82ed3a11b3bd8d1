"""The options of a perceptron, checked."""

from typing import Any

import numpy as np

from likely.errors import InputError
from likely.models.linear.perceptrons.multiclass import SCHEMES
from likely.models.linear.perceptrons.passes import RULES
from likely.models.linear.perceptrons.posterior import check_folds

KEEP = ("auto", "final", "averaged", "pocket")


def check_options(model: Any) -> None:
    """Refuse what a perceptron cannot do."""
    for name, known in (("rule", tuple(RULES)), ("multiclass", SCHEMES), ("keep", KEEP)):
        if getattr(model, name) not in known:
            raise InputError(f"unknown {name}={getattr(model, name)!r}; choose from {', '.join(known)}")
    if not (isinstance(model.learning_rate, int | float | np.number) and 0 < model.learning_rate < np.inf):
        raise InputError(f"learning_rate must be a positive number, got {model.learning_rate!r}")
    if model.rule == "fractional" and (model.learning_rate >= 1 or model.learning_rate == 0.5):
        raise InputError(
            f"the fractional rule needs a learning_rate between 0 and 1, and not 1/2, which ends on the boundary; "
            f"got {model.learning_rate!r}"
        )
    if not model.epsilon > 0:
        raise InputError(f"epsilon must be a positive number, got {model.epsilon!r}")
    for name, least in (("max_iter", 1), ("history", 0)):
        value = getattr(model, name)
        if not isinstance(value, int | np.integer) or isinstance(value, bool) or value < least:
            raise InputError(f"{name} must be a whole number from {least} up, got {value!r}")
    check_folds(model.posterior_folds)
