"""A table is read and encoded once in a call, however many models of parts of its rows are asked for."""

import inspect
from collections import Counter

import numpy as np
import polars as pl
import pytest
from scipy.sparse import csr_array
from sklearn.base import BaseEstimator, ClassifierMixin
from sklearn.naive_bayes import GaussianNB

import likely
from likely import (
    PCA,
    BayesClassifier,
    Calibrated,
    Decider,
    DecisionForest,
    DependenceBayes,
    GaussianBayes,
    KMeans,
    LeastSquaresClassifier,
    LogisticRegression,
    NaiveBayes,
    NearestExemplar,
    NearestNeighbors,
    Perceptron,
    Pool,
    TextBayes,
    compare,
    cross_validate,
    evaluate,
)
from likely.data.columns.schema import Column
from likely.data.design.design import Design
from likely.data.distances.cells import CellPlan
from likely.data.inputs import Input
from likely.distributions import GaussianFamily
from likely.evaluation import audit, description_length, learning_curve
from likely.models import columns
from likely.models.any_classifier.asking import Training
from likely.models.generative import bayes_classifier, text_bayes
from likely.models.generative.summing.layout import Layout
from likely.models.held_out.exact_or_refit import HeldOut
from likely.models.trees.growing.coding import Coding

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
        seen["read"] += not isinstance(X, Input)
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


def _classifies(kind):
    """Whether a public name is a classifier that is fitted by itself."""
    if not hasattr(kind, "fit") or getattr(kind, "_estimator_type", None) != "classifier":
        return False
    return not {"estimator", "estimators"} & {*inspect.signature(kind).parameters}


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


@pytest.fixture
def passes(monkeypatch):
    """How often a table was read that was not so before, and how many rows were encoded, by any encoder."""
    seen = Counter()

    def counted(where, name):
        read = getattr(where, name)

        def reading(X):
            seen["read"] += not isinstance(X, Input)
            return read(X)

        monkeypatch.setattr(where, name, reading)

    def encoder(kind, name):
        encode = getattr(kind, name)

        def encoding(self, batch, *rest, **options):
            seen["rows"] += (
                batch.rows if isinstance(batch, Input) else batch.shape[0] if hasattr(batch, "shape") else len(batch)
            )
            return encode(self, batch, *rest, **options)

        monkeypatch.setattr(kind, name, encoding)

    for module in (columns, text_bayes, bayes_classifier):
        counted(module, "read_input")
    counted(text_bayes, "read_documents")
    for kind, name in ((Layout, "rows"), (Design, "matrix"), (CellPlan, "cells"), (Coding, "numbers")):
        encoder(kind, name)
    return seen


NUMERIC = RNG.normal(size=(90, 3)) + Y[:, None]
ASKED = {
    **{kind.__name__: kind() for kind in (getattr(likely, name) for name in likely.__all__) if _classifies(kind)},
    "penalty": LeastSquaresClassifier(alpha="auto"),
    "calibrated": Calibrated(NaiveBayes()),
    "calibrated texts": Calibrated(TextBayes()),
    "calibrated squares": Calibrated(LeastSquaresClassifier()),
    "calibrated neighbours": Calibrated(NearestNeighbors()),
    "decider": Decider(NaiveBayes()),
    "decider around calibrated": Decider(Calibrated(NaiveBayes())),
    "calibrated exemplars": Calibrated(NearestExemplar()),
    "calibrated log-odds": Calibrated(LogisticRegression()),
    "calibrated votes": Calibrated(Perceptron(multiclass="one_vs_one", random_state=0)),
    "calibrated forest": Calibrated(DecisionForest(5, random_state=0)),
    "calibrated dependence": Calibrated(DependenceBayes()),
    "calibrated pool": Calibrated(Pool([NaiveBayes(), NearestNeighbors()])),
    "pool of wrappers": Pool([Calibrated(NaiveBayes()), Decider(GaussianBayes())]),
    "pool": Pool([NaiveBayes(), NearestNeighbors()]),
    "pool with refits": Pool([NaiveBayes(), DependenceBayes()]),
}
VERBS = ("fit", "predict", "predict_proba", "predict_log_proba", "evaluate", "evidence", "predict_interval")
MAPPED = "the map is learned from rows left out of the counts, once these are known"
ABOVE = {  # passes of encoding above one, and why; reading has no exception
    ("DependenceBayes", "fit"): (2, MAPPED),
}
MEMBERS = {"pool": 2, "pool with refits": 2, "calibrated pool": 2, "pool of wrappers": 2}  # each encodes in its own way
REFITS = {*MEMBERS, *(f"calibrated {name}" for name in ("exemplars", "log-odds", "votes", "forest", "dependence"))}


@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize("name", ASKED)
def test_every_classifier_reads_its_table_once_in_a_call(name, passes):
    model = ASKED[name]
    X = TEXTS if "Text" in repr(model) else NUMERIC
    for verb in VERBS:
        if verb not in ("fit", "evaluate") and not hasattr(model, verb):
            continue
        passes.clear()
        if verb == "evaluate":
            evaluate(model, X, Y)
        elif verb == "fit":
            model.fit(X, Y)
        else:
            getattr(model, verb)(X)
        assert passes["read"] == 1, verb
        most, _ = ABOVE.get((name, verb), (1, ""))
        most *= MEMBERS.get(name, 1)
        if verb != "fit" or name not in REFITS:
            assert passes["rows"] <= 90 * most, verb
        if (name, verb) in ABOVE:
            assert passes["rows"] == 90 * most, f"{verb} has become better: take it from the list"


@pytest.mark.parametrize("model", [KMeans(2), PCA(1)], ids=["KMeans", "PCA"])
def test_learning_and_transforming_reads_once(model, passes):
    found = model.fit_transform(NUMERIC)
    assert passes["read"] == 1
    np.testing.assert_array_equal(found, model.transform(NUMERIC))


def test_models_of_different_kinds_are_compared_on_one_reading(passes):
    compare({"a": NaiveBayes(), "b": NearestNeighbors()}, TABLE, Y, cv=4)
    assert passes["read"] == 1


class Mine(NaiveBayes):
    """A user's subclass that changes nothing."""


class Contrary(NaiveBayes):
    """A user's subclass with an answer of its own, which looks at the table as it was given."""

    def predict(self, X, prior=None):
        return np.where(np.asarray(X)[:, 0] > 0, self.classes_[0], self.classes_[-1])


def test_a_subclass_is_judged_as_its_parent_where_it_changes_nothing():
    far = NUMERIC * np.array([1e3, 1.0, 1.0])
    own, other = (evaluate(kind().fit(NUMERIC, Y), far, Y).log_loss for kind in (NaiveBayes, Mine))
    assert own.value == other.value and np.isfinite(own.value)


def test_a_subclass_that_looks_at_the_table_itself_is_shown_it():
    model = Calibrated(Contrary()).fit(NUMERIC, Y)
    np.testing.assert_allclose(
        model.evidence(NUMERIC, for_class=2).bits,
        Calibrated(NaiveBayes()).fit(NUMERIC, Y).evidence(NUMERIC, for_class=2).bits,
    )


def test_an_answer_of_a_users_own_is_heard():
    model = Contrary().fit(NUMERIC, Y)
    right = np.mean(model.predict(NUMERIC) == Y)
    assert evaluate(model, NUMERIC, Y).accuracy.value == right != Mine().fit(NUMERIC, Y).score(NUMERIC, Y)


class Certain(ClassifierMixin, BaseEstimator):
    """Its logarithm does not belong to its probabilities."""

    def fit(self, X, y):
        self.classes_ = np.unique(y)
        return self

    def predict(self, X):
        return np.repeat(self.classes_[:1], len(X))

    def predict_proba(self, X):
        return np.tile([0.5, 0.25, 0.25], (len(X), 1))

    def predict_log_proba(self, X):
        return np.zeros((len(X), 3))


def test_logarithms_of_models_from_elsewhere_count_where_they_agree():
    exact = evaluate(GaussianNB().fit(NUMERIC, Y), NUMERIC * 100, Y)
    assert np.isfinite(exact.log_loss.value) and (exact.said.posterior == 0).any()
    odd = evaluate(Certain().fit(NUMERIC, Y), NUMERIC, Y)
    np.testing.assert_allclose(odd.log_loss.value, (np.log(2) + 2 * np.log(4)) / 3)


def test_a_table_that_is_encoded_already_stands_for_x_in_wrappers():
    table = HeldOut(NaiveBayes(), Training.of(TABLE, Y, None)).table
    found = Calibrated(NaiveBayes()).fit(table, Y).predict_log_proba(TABLE)
    np.testing.assert_array_equal(found, Calibrated(NaiveBayes()).fit(TABLE, Y).predict_log_proba(TABLE))


@pytest.mark.parametrize("kinds", ["auto", "multinomial", GaussianFamily(), {"x1": "gaussian"}], ids=str)
def test_a_column_of_a_wide_matrix_is_made_once(monkeypatch, kinds):
    made, init = Counter(), Column.__init__

    def counted(self, name, *given, **named):
        made[name] += 1
        init(self, name, *given, **named)

    monkeypatch.setattr(Column, "__init__", counted)
    model = NaiveBayes(kinds).fit(csr_array([[0, 2, 0, 0], [1, 0, 0, 0], [0, 0, 3, 0], [0, 0, 0, 1.0]]), [0, 1, 0, 1])
    assert made == dict.fromkeys(["x0", "x1", "x2", "x3"], 1)
    assert model.kinds_["x1"] == {"auto": "multinomial", "multinomial": "multinomial"}.get(
        str(kinds), "GaussianFamily" if isinstance(kinds, GaussianFamily) else "gaussian"
    )
