"""A table is read and encoded once in a call, however many models of parts of its rows are asked for."""

from collections import Counter

import numpy as np
import polars as pl
import pytest

from likely import BayesClassifier, Calibrated, Decider, GaussianBayes, NaiveBayes, TextBayes, compare, cross_validate
from likely.distributions import GaussianFamily
from likely.evaluation import audit, description_length, learning_curve
from likely.models import columns
from likely.models.any_classifier.asking import Training
from likely.models.generative.summing.layout import Layout
from likely.models.held_out.exact_or_refit import HeldOut

RNG = np.random.default_rng(0)
Y = np.arange(90) % 3
TABLE = pl.DataFrame({"x": RNG.normal(size=90) + Y, "level": RNG.choice(list("abc"), 90), "z": RNG.normal(size=90)})
NUMBERS = TABLE.select("x", "z").to_numpy()


@pytest.fixture
def times(monkeypatch):
    """How often a table was read, and rows were encoded."""
    seen = Counter()
    read, encode = columns.read_input, Layout.rows

    def reading(X):
        seen["read"] += 1
        return read(X)

    def encoding(self, batch, start, learning):
        seen["encoded"] += 1
        return encode(self, batch, start, learning)

    monkeypatch.setattr(columns, "read_input", reading)
    monkeypatch.setattr(Layout, "rows", encoding)
    return seen


CALLS = {
    "repeats": lambda: cross_validate(NaiveBayes(), TABLE, Y, cv=5, repeats=4),
    "nested": lambda: cross_validate(NaiveBayes(), TABLE, Y, cv=5, repeats=3).estimate("log_loss", "nested"),
    "optimism": lambda: cross_validate(NaiveBayes(), TABLE, Y, cv=5, repeats=2).optimism(),
    "learning curve": lambda: learning_curve(NaiveBayes(), TABLE, Y, sizes=[10, 20, 40], repeats=5),
    "prequential": lambda: description_length(NaiveBayes(), TABLE, Y, "prequential"),
    "audit": lambda: audit(NaiveBayes(), TABLE, Y),
    "calibrated": lambda: Calibrated(NaiveBayes()).fit(TABLE, Y),
    "decider": lambda: Decider(NaiveBayes(), rule="recalibrated").fit(TABLE, Y),
    "two models": lambda: compare({"a": NaiveBayes(), "b": NaiveBayes(alpha=2.0)}, TABLE, Y, cv=4, method="nested"),
    "two families": lambda: compare(
        {"a": GaussianBayes("full"), "b": GaussianBayes("shared")}, NUMBERS, Y, cv=4, repeats=2
    ),
}


@pytest.mark.parametrize("call", CALLS)
def test_once(call, times):
    CALLS[call]()
    assert times == {"read": 1, "encoded": 1}


TEXTS = [" ".join(RNG.choice(["aa", "bb", "cc", "dd", "only"], 4)) for _ in Y]
MODELS = {
    "mixed": (NaiveBayes(), TABLE),
    "general": (BayesClassifier(GaussianFamily(), n_components=3), NUMBERS),
    "imputed": (NaiveBayes(missing="impute"), TABLE),
    "numbers": (GaussianBayes("full"), NUMBERS),
    "texts": (TextBayes("bernoulli", min_df=2), TEXTS),
    "texts in a frame": (NaiveBayes({"text": "text"}), TABLE.with_columns(text=pl.Series(TEXTS))),
}


@pytest.mark.parametrize("weight", [None, RNG.uniform(0.5, 2.0, 90)], ids=["plain", "weighted"])
@pytest.mark.parametrize("name", MODELS)
def test_the_model_of_the_encoded_table_is_that_of_a_fit(name, weight):
    model, X = MODELS[name]
    found = HeldOut(model, Training.of(X, Y, weight)).fitted()
    fitted = type(model)(**model.get_params(deep=False)).fit(X, Y, sample_weight=weight)
    assert type(found) is type(fitted) and found.get_params() == fitted.get_params()
    assert vars(found).keys() == vars(fitted).keys() and found._learned().keys() == fitted._learned().keys()
    np.testing.assert_array_equal(found.predict_log_proba(X), fitted.predict_log_proba(X))
    learned = HeldOut(model, Training.of(X, Y, weight)).learned().log_posterior
    np.testing.assert_allclose(learned, fitted.predict_log_proba(X), atol=1e-10)
    assert found.summary() == fitted.summary()


def test_tables_are_shared_only_where_rows_are_taken_alike():
    data = Training.of(TABLE, Y, None)
    first = HeldOut(NaiveBayes(), data)
    same = HeldOut(NaiveBayes(alpha=3.0), data, first.table)
    other = HeldOut(NaiveBayes({"x": "histogram"}), data, first.table)
    assert same.table.encoded is first.table.encoded and other.table.encoded is not first.table.encoded
    folds = Y[None] % 3 + np.arange(90)[None] % 2
    for held in (same, other):
        alone = HeldOut(held.model, data).once(folds)[0].log_posterior
        np.testing.assert_array_equal(held.once(folds)[0].log_posterior, alone)
    words = Training.of(TEXTS, Y, None)
    cut = HeldOut(TextBayes(), words).table
    assert HeldOut(TextBayes("bernoulli"), words, cut).table.encoded is cut.encoded
    assert HeldOut(TextBayes(stop_words=["aa"]), words, cut).table.encoded is not cut.encoded
