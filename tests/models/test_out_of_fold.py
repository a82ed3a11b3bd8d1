"""Cross-validation without a refit equals the naive loop of refits."""

import numpy as np
import polars as pl
import pytest
from sklearn.datasets import load_wine

from likely import BayesClassifier, GaussianBayes, LikelyError, NaiveBayes
from likely.distributions import GaussianFamily, MixtureFamily
from likely.models.generative.folds import left_out as out_of_fold

X, Y = load_wine(return_X_y=True)
RNG = np.random.default_rng(0)
FOLDS = RNG.integers(0, 7, len(Y))


def _naive(model, X, y, folds, weight=None):
    classes = np.unique(y)
    out = np.full((len(y), len(classes)), -np.inf)
    for fold in np.unique(folds):
        train, test = np.flatnonzero(folds != fold), np.flatnonzero(folds == fold)
        fitted = type(model)(**model.get_params(deep=False))
        fitted.fit(X[train], y[train], sample_weight=None if weight is None else weight[train])
        out[np.ix_(test, np.searchsorted(classes, fitted.classes_))] = fitted.predict_log_proba(X[test])
    return out


def _mixed(n=150):
    y = RNG.choice(["a", "b", "c"], n, p=[0.6, 0.35, 0.05])
    frame = pl.DataFrame(
        {
            "number": np.where(RNG.random(n) < 0.1, np.nan, RNG.normal(size=n) + (y == "b")),
            "rare": RNG.choice([f"level {i}" for i in range(40)], n),  # many levels occur in one fold only
            "flag": RNG.random(n) < 0.5,
            "visits": RNG.poisson(2, n),
        }
    )
    return frame, y


@pytest.mark.parametrize(
    "model",
    [
        NaiveBayes(),
        NaiveBayes("kde"),
        NaiveBayes("histogram"),
        NaiveBayes("log_normal"),
        GaussianBayes("full"),
        GaussianBayes("shared"),
        GaussianBayes("spherical"),
        BayesClassifier("gaussian", class_prior="uniform"),
    ],
    ids=repr,
)
@pytest.mark.parametrize("weighted", [False, True])
def test_equals_refitting(model, weighted):
    weight = RNG.uniform(0.5, 2, len(Y)) if weighted else None
    got = model.out_of_fold(X, Y, FOLDS, sample_weight=weight)
    assert np.abs(np.exp(got) - np.exp(_naive(model, X, Y, FOLDS, weight))).max() < 1e-10


@pytest.mark.parametrize("options", [{}, {"missing": "evidence"}, {"unseen": "prior"}], ids=str)
def test_levels_and_classes_of_one_fold_do_not_leak(options):
    frame, y = _mixed()
    folds = np.arange(len(y)) % 5
    folds[y == "c"] = 0  # a class that only one fold has
    model = NaiveBayes(**options)
    got, expected = model.out_of_fold(frame, y, folds), _naive(model, frame, y, folds)
    assert np.array_equal(np.isneginf(got), np.isneginf(expected))
    assert np.abs(np.exp(got) - np.exp(expected)).max() < 1e-10
    assert np.isneginf(got[folds == 0, 2]).all()


@pytest.mark.parametrize("model", [NaiveBayes(), GaussianBayes("shared")], ids=repr)
def test_leave_one_out(model, monkeypatch):
    rows = np.arange(len(Y))
    expected = _naive(model, X, Y, rows)
    assert np.abs(np.exp(model.out_of_fold(X, Y, rows)) - np.exp(expected)).max() < 1e-10
    monkeypatch.setattr(out_of_fold, "_GROUPS", 30)  # chunks of ten rows
    assert np.abs(np.exp(model.out_of_fold(X, Y, rows)) - np.exp(expected)).max() < 1e-10


@pytest.mark.parametrize("ddof", [0, 1])
@pytest.mark.parametrize("weighted", [False, True])
def test_leave_one_out_of_gaussian_features_in_closed_form(ddof, weighted):
    table = np.column_stack([X[:, :4], np.full(len(Y), 7.0), Y == 1, np.where(np.arange(len(Y)) == 3, 5.0, 1.0)])
    table[RNG.random(table.shape) < 0.1] = np.nan  # a constant column, one constant in classes, one row that differs
    weight = RNG.choice([0.0, 0.5, 1.0, 2.0], len(Y)) if weighted else None
    model = NaiveBayes("gaussian", ddof=ddof)
    got = model.out_of_fold(table, Y, np.arange(len(Y)), sample_weight=weight)
    expected = _naive(model, table, Y, np.arange(len(Y)), weight)
    assert np.abs(np.exp(got) - np.exp(expected)).max() < 1e-10


def test_leave_one_out_of_rows_far_out(monkeypatch):
    monkeypatch.setattr("likely.data.inputs._BATCH_ROWS", 16)
    monkeypatch.setattr("likely.data.inputs._BATCH_CELLS", 16)
    table = np.r_[RNG.normal(size=(60, 2)), [[1e7, 0.0], [0.0, -1e8]]]
    labels = np.r_[np.arange(60) % 2, 1, 0]
    rows = np.arange(len(labels))
    got, expected = NaiveBayes().out_of_fold(table, labels, rows), _naive(NaiveBayes(), table, labels, rows)
    assert np.abs(np.exp(got) - np.exp(expected)).max() < 1e-8


def test_refusals():
    with pytest.raises(LikelyError, match="one fold per row"):
        NaiveBayes().out_of_fold(X, Y, [0, 1])
    with pytest.raises(LikelyError, match="two folds"):
        NaiveBayes().out_of_fold(X, Y, np.zeros(len(Y)))
    with pytest.raises(LikelyError, match="many passes"):
        BayesClassifier(MixtureFamily(GaussianFamily())).out_of_fold(X, Y, FOLDS)
    hidden = Y.astype(float)
    hidden[0] = np.nan
    with pytest.raises(LikelyError, match="many passes"):
        NaiveBayes().out_of_fold(X, hidden, FOLDS)


def test_the_model_is_not_changed():
    model = NaiveBayes().fit(X[::3], Y[::3])
    before = model.predict_proba(X)
    model.out_of_fold(X, Y, FOLDS)
    assert np.array_equal(model.predict_proba(X), before)


@pytest.mark.parametrize("model", [NaiveBayes(), GaussianBayes("full"), GaussianBayes("shared")], ids=repr)
def test_a_value_far_off_costs_the_other_folds_no_digits(model):
    table = X[:, :5] + 1e6
    for row in (0, 60, 140):  # the first of each class, in different folds
        table[row, row % 5] = 1e11
    table[RNG.random(table.shape) < 0.05] = np.nan
    table[FOLDS == 2, 3] = np.nan  # a column that one fold does not have
    got = model.out_of_fold(table, Y, FOLDS)
    assert np.abs(np.exp(got) - np.exp(_naive(model, table, Y, FOLDS))).max() < 1e-7
