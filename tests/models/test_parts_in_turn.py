"""Families that keep many values are summed part by part where side by side they would take much memory."""

import numpy as np
import pytest

from likely import NaiveBayes
from likely.distributions import KernelDensityFamily
from likely.errors import InputError
from likely.models.generative.folds import parts

RNG = np.random.default_rng(4)
Y = np.array(list("abc"))[RNG.integers(0, 3, 400)]
X = RNG.normal(size=(400, 3)) + (Y == "b")[:, None]
X[RNG.random(X.shape) < 0.05] = np.nan
FOLDS = RNG.integers(0, 5, 400)


@pytest.mark.parametrize("kind", ["histogram", "kde"])
@pytest.mark.parametrize("weight", [None, RNG.integers(0, 4, 400)])
def test_folds_are_the_same_in_turn(monkeypatch, kind, weight):
    model = NaiveBayes(kinds=kind)
    once = model.out_of_fold(X, Y, FOLDS, weight)
    twice = model.out_of_two_folds(X, Y, FOLDS, weight)
    stages = np.array([-1, 0, 3, 1, 1])[FOLDS]  # nothing is learned at stage 2
    growing = model.growing_posteriors(X, Y, stages, weight)
    monkeypatch.setattr(parts, "_MOST_COUNTS", 0)
    assert np.array_equal(model.out_of_fold(X, Y, FOLDS, weight), once)
    assert np.array_equal(model.out_of_two_folds(X, Y, FOLDS, weight), twice)
    assert np.array_equal(model.growing_posteriors(X, Y, stages, weight), growing, equal_nan=True)


def test_a_wrong_row_keeps_its_number(monkeypatch):
    wrong = np.abs(X)
    wrong[321, 1] = -5.0
    model = NaiveBayes(kinds=KernelDensityFamily(bounds=(0.0, None)))
    with pytest.raises(InputError) as before:
        model.out_of_fold(wrong, Y, FOLDS)
    monkeypatch.setattr(parts, "_MOST_COUNTS", 0)
    with pytest.raises(InputError) as now:
        model.out_of_fold(wrong, Y, FOLDS)
    assert str(now.value) == str(before.value) and "321" in str(now.value)
