"""What is easily handed in by mistake is told in a line, and with what would be right."""

import numpy as np
import pandas as pd
import polars as pl
import pytest

import likely
from likely import DecisionTree, GaussianBayes, LogisticRegression, NaiveBayes, NearestNeighborsRegressor
from likely.errors import InputError

FRAME = pd.DataFrame({"age": np.arange(20.0), "sex": ["f", "m"] * 10})
Y = ["no", "yes", "yes", "no"] * 5
TEXTS = pd.Series([f"a letter of many words, number {i}, " * 40 for i in range(20)])


@pytest.mark.parametrize("model", [NaiveBayes(), LogisticRegression(), DecisionTree()], ids=repr)
@pytest.mark.parametrize("texts", [TEXTS, TEXTS.tolist(), pl.Series(TEXTS.tolist()), TEXTS.to_numpy()], ids=type)
def test_texts_alone_are_for_models_of_texts(model, texts):
    with pytest.raises(InputError, match=r"1D array instead: 20 texts, .*TextBayes") as wrong:
        model.fit(texts, Y)
    assert len(str(wrong.value)) < 300 and "reshape" not in str(wrong.value)


def test_many_numbers_alone_are_not_all_printed():
    with pytest.raises(InputError, match="Expected 2D array, got 1D array instead") as wrong:
        NaiveBayes().fit(np.arange(900.0), Y)
    assert len(str(wrong.value)) < 300 and "array.reshape(-1, 1)" in str(wrong.value)


@pytest.mark.parametrize("y", [0, 2.5, {"no": 1}, {"yes"}, len], ids=str)
@pytest.mark.parametrize("model", [NaiveBayes(), LogisticRegression(), NearestNeighborsRegressor()], ids=repr)
def test_what_is_no_column_of_labels(model, y):
    with pytest.raises(InputError, match=r"^y is .* give one label per row, or the name of a column of X"):
        model.fit(FRAME, y)


def test_groups_by_a_name():
    for judge in (
        lambda: likely.cross_validate(NaiveBayes(), FRAME, Y, groups="sex"),
        lambda: likely.evaluate(NaiveBayes().fit(FRAME, Y), FRAME, Y, groups="sex"),
        lambda: likely.compare({"a": NaiveBayes(), "b": DecisionTree()}, FRAME, Y, groups="sex"),
    ):
        with pytest.raises(InputError, match=r"groups is the name 'sex': give one group per row, as X\['sex'\]"):
            judge()


def test_a_model_of_numbers_does_not_speak_as_if_it_had_kinds():
    with pytest.raises(InputError, match=r"leave the column out, .* by a model with `kinds` \(NaiveBayes") as wrong:
        GaussianBayes("shared").fit(FRAME, Y)
    assert "kinds={'sex': 'nominal'}" in str(wrong.value)
