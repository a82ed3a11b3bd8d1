"""Where random draws come from: scikit-learn's `random_state` as a generator.

The rule of its default: what judges, resamples or makes a data set takes 0, so that the same call gives the same
figure; what draws (`sample`), tosses a coin over a tie, or is an estimator's own parameter takes None, as in
scikit-learn.
"""

from typing import TypeAlias

import numpy as np

from likely.errors import InputError

Seed: TypeAlias = int | np.random.Generator | np.random.RandomState | np.random.SeedSequence | None


def as_generator(random_state: Seed) -> np.random.Generator:
    """A generator from a seed, a generator, or a legacy RandomState; from None, one that differs each time.

    >>> as_generator(-1)
    Traceback (most recent call last):
    likely.errors.InputError: random_state is a whole number from 0 up, a generator or None, got -1
    """
    if isinstance(random_state, np.random.RandomState):
        return np.random.default_rng(random_state.randint(2**31))
    try:
        return np.random.default_rng(random_state)
    except (TypeError, ValueError):
        raise InputError(
            f"random_state is a whole number from 0 up, a generator or None, got {random_state!r}"
        ) from None
