"""Rows that cannot have been learned are not forgotten, and the model stays as it was."""

import numpy as np
import polars as pl
import pytest

from likely import GaussianBayes, NaiveBayes, TextBayes
from likely.errors import InputError

RNG = np.random.default_rng(3)
Y = np.array(list("aabb") * 5)
TABLES = {
    "gaussian": RNG.normal(size=(20, 2)),
    "categorical": RNG.integers(0, 3, (20, 2)).astype(float),
    "bernoulli": RNG.integers(0, 2, (20, 2)).astype(float),
    "poisson": RNG.poisson(3, (20, 2)).astype(float),
    "gamma": RNG.gamma(2, size=(20, 2)),
    "histogram": RNG.normal(size=(20, 2)),
    "kde": RNG.normal(size=(20, 2)),
    "log_normal": RNG.gamma(2, size=(20, 2)),
    "negative_binomial": RNG.poisson(3, (20, 2)).astype(float),
}


def _refuses(model, X, y, queries):
    before = model.predict_proba(queries)
    with pytest.raises(InputError, match="cannot be forgotten"):
        model.forget(X, y)
    assert np.array_equal(model.predict_proba(queries), before)


@pytest.mark.parametrize("kind", TABLES)
def test_a_row_whose_cells_are_all_missing(kind):
    x = TABLES[kind]
    model = NaiveBayes(kind).fit(x, Y)
    _refuses(model, np.full((1, 2), np.nan), ["a"], x)
    _refuses(model, np.array([[x[0, 0], np.nan]]), ["a"], x)


@pytest.mark.parametrize("covariance", ["full", "shared", "diagonal"])
def test_a_row_whose_cells_are_all_missing_among_vectors(covariance):
    x = TABLES["gaussian"]
    _refuses(GaussianBayes(covariance).fit(x, Y), np.full((1, 2), np.nan), ["a"], x)


def test_a_row_with_weights():
    x, weight = TABLES["gaussian"], RNG.uniform(0.5, 2, 20)
    model = NaiveBayes("gaussian").fit(x, Y, sample_weight=weight)
    with pytest.raises(InputError, match="cannot be forgotten"):
        model.forget(np.full((1, 2), np.nan), ["a"], sample_weight=[0.7])
    model.forget(x[:3], Y[:3], sample_weight=weight[:3])


def test_texts():
    texts = np.where(Y == "a", "red dog", "blue cat")
    model = TextBayes().fit(texts, Y)
    _refuses(model, ["green"], ["a"], texts)
    _refuses(model, ["dog"], ["a"], texts)
    frame = pl.DataFrame({"words": texts, "size": TABLES["gaussian"][:, 0]})
    both = NaiveBayes({"words": "text", "size": "gaussian"}).fit(frame, Y)
    _refuses(both, pl.DataFrame({"words": [None], "size": frame["size"][:1]}, schema=frame.schema), ["a"], frame)


def test_a_row_of_missing_cells_that_was_learned_is_forgotten():
    x = TABLES["gaussian"].copy()
    x[4] = np.nan
    model = NaiveBayes("gaussian").fit(x, Y)
    model.forget(x[4:5], Y[4:5])
    assert model.class_count_.sum() == 19


@pytest.mark.parametrize("kind", ["bernoulli", "poisson", "exponential", "multinomial"])
def test_values_that_were_never_learned(kind):
    x, y = np.ones((4, 2)), list("aabb")
    model = NaiveBayes(kind).fit(x, y)
    wrong = np.zeros((2, 2)) if kind != "exponential" else np.full((2, 2), 0.5)
    _refuses(model, wrong, ["a", "b"] if kind == "bernoulli" else ["a", "a"], x)
