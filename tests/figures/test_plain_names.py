"""Names from the data are drawn as they are, and formulas that a user adds later as formulas."""

import matplotlib.pyplot as plt
import numpy as np
import polars as pl
import pytest

from likely import NaiveBayes
from likely.figures import ClassDensitiesDisplay, ConfusionDisplay, DecisionRegionsDisplay, RocDisplay


@pytest.mark.parametrize("display", [ConfusionDisplay, DecisionRegionsDisplay, RocDisplay])
def test_a_dollar_sign_in_a_name_begins_no_formula(display):
    rng = np.random.default_rng(0)
    table = pl.DataFrame({"a$x^$": rng.normal(size=40), "$b_{$": rng.normal(size=40)})
    labels = ["$k^$", "$l_$"] * 20
    figure, ax = plt.subplots()
    ax.set_title(r"$\beta$")
    drawn = display.from_estimator(NaiveBayes().fit(table, labels), table, labels, ax=ax)
    figure.canvas.draw()
    assert ax.title.get_parse_math()
    drawn.ax_.set_title(r"$\alpha$")
    figure.canvas.draw()
    plt.close(figure)


@pytest.mark.parametrize("classes", [2, 6])
def test_names_of_classes_in_strips_and_legends_begin_no_formula(classes):
    figure, ax = plt.subplots()
    names = [f"$k^{i}$ of many names, of which this is the last $_{{" for i in range(classes)] * 10
    cells = [f"$b_{{$ {i % 4}" if i % 5 else None for i in range(len(names))]
    for values in (cells, np.arange(len(names)) ** 1.5):
        ClassDensitiesDisplay.from_values(values, names, name="$x_{", ax=ax)
        figure.canvas.draw()
    plt.close(figure)
