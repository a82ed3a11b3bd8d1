"""The options of a logistic regression, checked."""

from typing import Any

import numpy as np

from likely.errors import InputError, check_choice, check_number
from likely.models.linear.log_odds.solving import SOLVERS

PENALTIES = ("l2", "l1", "elasticnet", None)


def check_options(model: Any) -> None:
    """Refuse what a logistic regression cannot do."""
    check_choice("penalty", model.penalty, PENALTIES)
    check_choice("solver", model.solver, ("auto", *SOLVERS))
    if isinstance(model.C, float) and np.isinf(model.C):
        raise InputError("C must be finite, got inf; for no penalty use penalty=None")
    check_number("C", model.C, above=True, also=("auto",))
    check_number("prior_variance", model.prior_variance, above=True, also=(None,))
    if model.C == "auto" and model.prior_variance is None and model.penalty not in ("l2", None):
        raise InputError("C='auto' is found from slopes that an L1 penalty has not: give a number for C")
    if isinstance(model.start, str) and model.start != "generative":
        raise InputError(f"unknown start={model.start!r}; choose from None, generative, or give weights")
    check_number("decay", model.decay)
    check_number("l1_ratio", model.l1_ratio, high=1.0)
    if model.solver == "momentum" and model.learning_rate is None:
        raise InputError("solver='momentum' needs a learning_rate")
