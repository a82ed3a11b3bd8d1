"""Pictures of trees: what is drawn is what the tree says."""

import matplotlib

matplotlib.use("agg")

import numpy as np
import polars as pl
import pytest
from matplotlib import pyplot
from sklearn.datasets import load_iris

from likely import Calibrated, DecisionForest, DecisionTree, NaiveBayes
from likely.errors import InputError
from likely.figures import ImportanceDisplay, ThresholdGainsDisplay, TreeDisplay, TreePartitionDisplay
from likely.models import threshold_gains
from readable import complaints

X, Y = load_iris(return_X_y=True)
PETALS = X[:, 2:]


@pytest.fixture(autouse=True)
def close_figures():
    yield
    pyplot.close("all")


def test_a_tree_is_drawn_to_a_depth_with_its_tests_and_leaves():
    model = DecisionTree().fit(X, Y)
    display = TreeDisplay.from_estimator(model, max_depth=2)
    frame = display.frame()
    assert frame["leaf"].sum() == 3 and frame.filter(pl.col("leaf"))["weight"].sum() == 150
    said = [text.get_text() for text in display.ax_.texts]
    assert said[0] == model.as_text().splitlines()[0].split(":")[0] and any(text.startswith("0\n") for text in said)
    tests = model.grove_.child[model.grove_.child >= 0]
    assert frame["hidden"].sum() == len(tests) - 2 and sum("more test" in text for text in said) == 2
    whole = TreeDisplay.from_estimator(Calibrated(DecisionTree(max_depth=3), cv=3).fit(X, Y), max_depth=None)
    assert whole.frame()["parent"].null_count() == 1
    with pytest.raises(InputError, match="only one tree"):
        TreeDisplay.from_estimator(DecisionForest(2).fit(X, Y))
    noise = np.random.default_rng(0)
    wild = DecisionTree().fit(noise.normal(size=(200, 3)), noise.integers(0, 2, 200))
    with pytest.raises(InputError, match="smaller max_depth"):
        TreeDisplay.from_estimator(wild, max_depth=None)


def test_long_names_are_told_apart_and_end_in_what_the_test_asks():
    noise = np.random.default_rng(0)
    place = noise.integers(0, 6, 300)
    rain = "the_rain_of_the_whole_year_in_millimetres_at_the_nearest_station"
    table = pl.DataFrame(
        {rain: place % 3 + noise.normal(0, 0.2, 300), "plan": [f"plan number {i} of ours" for i in place]}
    )
    y = np.array([f"a class whose name is rather long, number {i}" for i in range(6)])[place]
    display = TreeDisplay.from_estimator(DecisionTree(max_depth=3).fit(table, y))
    assert complaints(display.figure_) == []
    tests = [test for test, leaf in zip(display.words, display.leaf, strict=True) if not leaf and test.startswith(rain)]
    drawn = [text.get_text().replace("\n", " ") for text in display.ax_.texts]
    assert tests and all(any(text.endswith(test[test.index("<") :]) for text in drawn) for test in tests)
    _, (ax, _) = pyplot.subplots(1, 2, figsize=(11, 4))
    assert complaints(TreeDisplay.from_estimator(DecisionTree(max_depth=2).fit(table, y), ax=ax).figure_) == []


def test_the_rectangles_cover_the_plane_and_say_what_the_tree_says():
    model = DecisionTree(max_depth=3).fit(PETALS, Y)
    frame = TreePartitionDisplay.from_estimator(model, PETALS, Y).frame()
    area = ((frame["right"] - frame["left"]) * (frame["high"] - frame["low"])).sum()
    whole = (frame["right"].max() - frame["left"].min()) * (frame["high"].max() - frame["low"].min())
    assert area == pytest.approx(whole)
    middle = np.column_stack([frame["left"] + frame["right"], frame["low"] + frame["high"]]) / 2
    assert model.predict(middle).astype(str).tolist() == frame["says"].to_list()
    TreePartitionDisplay.from_estimator(model, PETALS)
    with pytest.raises(InputError, match="two columns of numbers"):
        TreePartitionDisplay.from_estimator(DecisionTree().fit(X, Y), X)
    with pytest.raises(InputError, match="no DecisionTree"):
        TreePartitionDisplay.from_estimator(NaiveBayes().fit(PETALS, Y), PETALS)


def test_gains_and_importances_are_those_of_the_functions():
    display = ThresholdGainsDisplay.from_values(PETALS[:, 0], Y, name="petal length")
    assert display.gains.best == threshold_gains(PETALS[:, 0], Y).best and display.ax_.get_xlabel() == "petal length"
    model = DecisionTree(max_depth=2).fit(X[::2], Y[::2])
    shown = ImportanceDisplay.from_estimator(model, X[1::2], Y[1::2], top=2, loss="errors").frame()
    assert shown.height == 2 and (shown["low"] <= shown["cost"]).all() and (shown["cost"] <= shown["high"]).all()


def test_the_gains_of_a_series_stand_under_its_name():
    import pandas as pd

    for x in (pd.Series([1.0, 2.0, 3.0], name="width"), pl.Series("width", [1.0, 2.0, 3.0])):
        assert ThresholdGainsDisplay.from_values(x, list("aab")).ax_.get_xlabel() == "width"
    assert ThresholdGainsDisplay.from_values(x, list("aab"), name="mine").ax_.get_xlabel() == "mine"
    assert ThresholdGainsDisplay.from_values(pl.Series([1.0, 2.0]), list("ab")).ax_.get_xlabel() == "x"
