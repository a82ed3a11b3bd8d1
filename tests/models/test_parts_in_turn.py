"""Families that keep many values are summed part by part where side by side they would take much memory."""

import tracemalloc

import numpy as np
import pytest

from likely import DependenceBayes, NaiveBayes
from likely.distributions import KernelDensityFamily
from likely.errors import InputError
from likely.models.generative.folds import left_out, parts
from likely.statistics.counting import triple_counts

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


@pytest.mark.parametrize("options", [{}, {"structure": "tree"}, {"n_parents": 2}], ids=str)
@pytest.mark.parametrize(
    "weight", [None, RNG.integers(0, 4, 400), RNG.uniform(0.5, 2, 400)], ids=["none", "int", "any"]
)
def test_joint_counts_are_taken_away_fold_by_fold(monkeypatch, options, weight):
    model, cells = DependenceBayes(kinds="nominal", calibrate=False, **options), RNG.integers(0, 4, (400, 4))
    cells[:3] += 9  # levels that one fold alone has
    stages = np.array([-1, 0, 3, 1, 1])[FOLDS]

    def answers():
        everyone = FOLDS if options else np.arange(400)
        yield model.out_of_fold(cells, Y, np.stack([FOLDS, (FOLDS + np.arange(400)) % 5]), weight)
        yield model.out_of_fold(cells, Y, everyone, weight)
        yield model.out_of_two_folds(cells, Y, FOLDS, weight)
        yield model.growing_posteriors(cells, Y, stages, weight)

    expected = list(answers())
    monkeypatch.setattr(parts, "_MOST_COUNTS", 1)
    monkeypatch.setattr(left_out, "_CELLS", 1)
    for before, now in zip(expected, answers(), strict=True):
        assert np.allclose(now, before, rtol=1e-9, atol=1e-12, equal_nan=True)


def test_joint_counts_of_the_folds_do_not_stand_in_memory_together(monkeypatch):
    monkeypatch.setattr(parts, "_MOST_COUNTS", 2**18)
    cells, model = RNG.integers(0, 60, (3000, 8)), DependenceBayes(kinds="nominal", calibrate=False)
    y, folds = np.arange(3000) % 3, np.arange(3000) % 10

    def most(work):
        work()
        tracemalloc.start()
        work()
        peak = tracemalloc.get_traced_memory()[1]
        tracemalloc.stop()
        return peak

    once = most(lambda: model.fit(cells, y))
    assert most(lambda: model.out_of_fold(cells, y, folds)) < 2 * once
    assert most(lambda: model.out_of_two_folds(cells, y, folds)) < 2 * once


def test_what_is_too_much_is_said_of_the_classes_alone(monkeypatch):
    monkeypatch.setattr(triple_counts, "MOST_CELLS", 100)
    monkeypatch.setattr(parts, "_MOST_COUNTS", 100)  # the same, so that what stands side by side is never refused
    model = DependenceBayes(n_parents=2, kinds="nominal", calibrate=False)
    with pytest.raises(InputError, match="for 3 classes"):
        model.out_of_fold(RNG.integers(0, 4, (400, 4)), Y, FOLDS)
