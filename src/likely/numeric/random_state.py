"""Where random draws come from: scikit-learn's `random_state` as a generator.

The rule of its default: what judges, resamples or makes a data set takes 0, so that the same call gives the same
figure; what draws (`sample`), tosses a coin over a tie, or is an estimator's own parameter takes None, as in
scikit-learn.
"""

from typing import Any

import numpy as np


def as_generator(random_state: Any) -> np.random.Generator:
    """A generator from a seed, a generator, or a legacy RandomState; from None, one that differs each time."""
    if isinstance(random_state, np.random.RandomState):
        return np.random.default_rng(random_state.randint(2**31))
    return np.random.default_rng(random_state)
