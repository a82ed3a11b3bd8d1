"""Where random draws come from: scikit-learn's `random_state` as a generator."""

from typing import Any

import numpy as np


def as_generator(random_state: Any) -> np.random.Generator:
    """A generator from a seed, a generator, or a legacy RandomState."""
    if isinstance(random_state, np.random.RandomState):
        return np.random.default_rng(random_state.randint(2**31))
    return np.random.default_rng(random_state)
