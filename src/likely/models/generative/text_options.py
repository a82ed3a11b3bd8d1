"""The options of TextBayes, checked before anything is learned."""

from typing import Any

import numpy as np

from likely.data.inputs import suggest
from likely.errors import InputError

MODELS = ("multinomial", "bernoulli", "complement")


def check_options(model: Any) -> None:
    """Refuse options that are no options, or that contradict each other; tokens are checked by the tokenizer."""
    if model.model not in MODELS:
        raise InputError(f"unknown model={model.model!r}{suggest(model.model, MODELS)}; known: {', '.join(MODELS)}")
    for name in ("alpha", "class_alpha"):
        value = getattr(model, name)
        if not isinstance(value, int | float | np.integer | np.floating) or not 0 <= value < np.inf:
            raise InputError(f"{name} must be a finite number, not negative, got {value!r}")
    if model.model == "complement" and model.alpha == 0:
        raise InputError("model='complement' needs alpha > 0: a word of one class only would weigh infinitely much")
    if model.unseen not in ("ignore", "smooth"):
        raise InputError(f"unknown unseen={model.unseen!r}; choose from ignore, smooth")
    if model.unseen == "smooth" and model.alpha == 0:
        raise InputError("unseen='smooth' needs alpha > 0: without it a word never seen is impossible")
    for name in ("min_df", "max_df"):
        value = getattr(model, name)
        whole = isinstance(value, int | np.integer) and not isinstance(value, bool) and value >= 1
        if not whole and not (isinstance(value, float) and 0 <= value <= 1):
            raise InputError(f"{name} must be a whole number from 1 up or a share from 0.0 to 1.0, got {value!r}")
    if isinstance(model.min_df, float) == isinstance(model.max_df, float) and model.max_df < model.min_df:
        raise InputError(f"max_df={model.max_df!r} is below min_df={model.min_df!r}: no word could be kept")
    most = model.max_features
    if most is not None and not (isinstance(most, int | np.integer) and most >= 1):
        raise InputError(f"max_features must be None or a whole number from 1 up, got {most!r}")
