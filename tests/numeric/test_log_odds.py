"""Log-odds of every class at once: against those of one after the other."""

import numpy as np
import pytest

from likely.numeric.logspace import all_log_odds, log_normalize, log_odds


@pytest.mark.parametrize("k", [1, 2, 3, 40])
@pytest.mark.parametrize("spread", [0.0, 1.0, 30.0, 1e4])
def test_of_every_class_as_of_each(k, spread):
    said = log_normalize(np.random.default_rng(0).normal(size=(200, k)) * spread)
    with np.errstate(invalid="ignore"):
        each = np.stack([log_odds(said, np.full(200, c)) for c in range(k)], axis=1)
    np.testing.assert_allclose(all_log_odds(said), each, rtol=1e-13, atol=1e-13)


def test_certain_and_impossible_classes():
    said = np.array([[0.0, -np.inf, -np.inf], [np.log(0.5), np.log(0.5), -np.inf]])
    np.testing.assert_allclose(all_log_odds(said), [[np.inf, -np.inf, -np.inf], [0.0, 0.0, -np.inf]], atol=1e-15)
