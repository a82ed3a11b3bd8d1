"""Cells that are missing and values that were never seen."""

import inspect

import numpy as np
import pandas as pd
import polars as pl
import pytest
from scipy import integrate

import likely
from likely import BayesClassifier, GaussianBayes, LikelyError, NaiveBayes
from likely.distributions import MultivariateGaussianFamily

RNG = np.random.default_rng(3)


def _table(n=200):
    y = RNG.choice(["p", "q", "r"], n)
    shift = np.array([{"p": 0.0, "q": 1.5, "r": 3.0}[label] for label in y])
    frame = pl.DataFrame(
        {
            "size": np.where(RNG.random(n) < 0.2, np.nan, RNG.normal(shift)),
            "colour": [None if RNG.random() < 0.2 else RNG.choice(["red", "blue", "grey"]) for _ in range(n)],
            "visits": RNG.poisson(1 + shift),
            "member": [None if RNG.random() < 0.1 else bool(RNG.random() < 0.3 + shift[i] / 5) for i in range(n)],
        }
    )
    return frame, y


@pytest.mark.parametrize("column", ["size", "colour", "visits", "member"])
def test_a_missing_cell_equals_the_model_without_the_feature(column):
    frame, y = _table()
    model = NaiveBayes().fit(frame, y)
    without = NaiveBayes().fit(frame.drop(column), y)
    blanked = frame.with_columns(pl.lit(None).cast(frame.schema[column]).alias(column))
    assert np.abs(model.predict_proba(blanked) - without.predict_proba(frame.drop(column))).max() < 1e-12
    assert (model.evidence(blanked).bits[:, frame.columns.index(column)] == 0).all()


def test_a_row_with_nothing_gives_the_prior():
    frame, y = _table()
    model = NaiveBayes().fit(frame, y)
    nothing = pl.DataFrame({name: pl.Series([None], dtype=dtype) for name, dtype in frame.schema.items()})
    assert np.allclose(model.predict_proba(nothing)[0], model.class_prior_, atol=1e-15)


@pytest.mark.parametrize("null", [None, np.nan, pd.NA])
def test_every_spelling_of_missing_is_the_same(null):
    frame = pd.DataFrame({"a": ["x", "y", null, "x"], "b": pd.Series([1.5, null, 2.5, 3.0], dtype=object)})
    y = ["u", "v", "u", "v"]
    same = pl.DataFrame({"a": ["x", "y", None, "x"], "b": [1.5, None, 2.5, 3.0]})
    got = NaiveBayes().fit(frame, y).predict_proba(frame)
    assert np.array_equal(got, NaiveBayes().fit(same, y).predict_proba(same))


def test_lists_of_mixed_rows_keep_their_missing_cells():
    model = NaiveBayes().fit([[1.0, "red"], [2.0, float("nan")], [3.0, "blue"]], ["u", "v", "u"])
    assert model.kinds_ == {"x0": "numeric", "x1": "nominal"}
    assert model.distribution_.parts[1].levels == (("blue", "red"),)


def test_full_covariance_marginalises_missing_cells():
    X = RNG.multivariate_normal([0, 1, 2], [[2, 0.8, 0.3], [0.8, 1, -0.2], [0.3, -0.2, 1.5]], 300)
    y = RNG.integers(0, 2, 300)
    X[y == 1] += [1, 0, -1]
    model = GaussianBayes("full").fit(X, y)
    query = np.array([0.5, np.nan, 1.0])

    def density(v, k):
        return np.exp(model.log_likelihood([[0.5, v, 1.0]])[0, k])

    for k in range(2):
        expected, _ = integrate.quad(density, -30, 30, args=(k,), limit=200)
        assert np.exp(model.log_likelihood(query[None])[0, k]) == pytest.approx(expected, rel=1e-6)


def test_evidence_makes_missingness_a_feature():
    n = 400
    y = np.repeat(["sick", "well"], n // 2)
    value = RNG.normal(size=n)
    value[(y == "sick") & (RNG.random(n) < 0.7)] = np.nan  # a test that is not done on the sick
    X = pd.DataFrame({"test": value, "never": RNG.normal(size=n)})
    query = pd.DataFrame({"test": [np.nan], "never": [0.0]})
    ignoring, weighing = NaiveBayes().fit(X, y), NaiveBayes(missing="evidence").fit(X, y)
    assert abs(ignoring.predict_proba(query)[0, 0] - 0.5) < 0.1
    assert weighing.predict_proba(query)[0, 0] > 0.95
    assert weighing.evidence(query, for_class="sick").bits[0, 0] > 3
    # a column that is never missing says nothing when it is
    both = weighing.evidence(pd.DataFrame({"test": [np.nan], "never": [np.nan]}), for_class="sick")
    assert both.bits[0, 1] == 0


def test_impute_fills_class_means_and_overall_means():
    X = np.array([[1, 10], [3, np.nan], [np.nan, 14], [7, 2], [9, np.nan]])
    y = np.array(list("aaabb"))
    filled = np.array([[1, 10], [3, 12], [2, 14], [7, 2], [9, 2]], dtype=float)
    model = NaiveBayes(missing="impute").fit(X, y)
    plain = NaiveBayes().fit(filled, y)
    query = np.array([[np.nan, 5], [4, np.nan]])
    query_filled = np.array([[5, 5], [4, 26 / 3]])
    assert np.allclose(model.predict_proba(query), plain.predict_proba(query_filled), atol=1e-12)
    for shape in ("full", "shared", "diagonal"):
        model = GaussianBayes(shape, missing="impute").fit(X, y)
        plain = GaussianBayes(shape).fit(filled, y)
        assert np.allclose(model.means_, plain.means_)
        if shape != "full":  # class b has one row's worth of spread: the degenerate rule knows the overall spread
            assert np.allclose(model.predict_proba(query), plain.predict_proba(query_filled), atol=1e-9)
    nominal = pl.DataFrame({"c": ["u", "u", None, "v", "v", None, "v"]})
    labels = list("aaabbbb")
    same = pl.DataFrame({"c": ["u", "u", "u", "v", "v", "v", "v"]})
    model = NaiveBayes(missing="impute").fit(nominal, labels)
    ask = pl.DataFrame({"c": pl.Series([None], dtype=pl.String)})
    expected = NaiveBayes().fit(same, labels).predict_proba(pl.DataFrame({"c": ["v"]}))
    assert np.allclose(model.predict_proba(ask), expected)
    with pytest.raises(LikelyError, match="impute"):
        NaiveBayes("poisson", missing="impute").fit(np.array([[1.0], [2.0]]), [0, 1])


def test_unseen_levels():
    X = pl.DataFrame({"c": ["u", "u", "v", "v", "v"]})
    y = list("aabbb")
    new = pl.DataFrame({"c": ["w"]})
    ignoring = NaiveBayes().fit(X, y)
    assert np.allclose(ignoring.predict_proba(new)[0], ignoring.class_prior_)
    prior = NaiveBayes(unseen="prior").fit(X, y)
    # a spare slot: (0 + 1) / (2 + 3) against (0 + 1) / (3 + 3)
    odds = 0.4 * (1 / 5) / (0.6 * (1 / 6))
    assert prior.predict_proba(new)[0, 0] == pytest.approx(odds / (1 + odds))
    with pytest.raises(LikelyError, match=r"column 'c', row 0 holds 'w', never seen in training; known are 'u', 'v'"):
        NaiveBayes(unseen="error").fit(X, y).predict(new)


def test_declared_levels_of_an_ordinal_column_count():
    order = pl.Enum(["low", "middle", "high"])
    X = pl.DataFrame({"c": pl.Series(["low", "low", "high"], dtype=order)})
    model = NaiveBayes().fit(X, ["a", "a", "b"])
    assert model.kinds_ == {"c": "ordinal"}
    p = model.distribution_.parts[0].probability(0)
    assert list(p) == ["low", "middle", "high"]  # in their order, the unseen one included
    assert p["low"][0] > p["middle"][0] > p["high"][0] > 0  # neighbours of what was seen are likelier than the rest
    drawn, _ = model.sample(20, random_state=0)
    assert drawn.schema["c"] == order


SIZES = pl.DataFrame({"size": ["s", "m", "l", "xl"] * 10, "n": np.arange(40.0)})
KINDED = [
    name
    for name in likely.__all__
    if inspect.isclass(kind := getattr(likely, name)) and "kinds" in inspect.signature(kind.__init__).parameters
]


@pytest.mark.parametrize("name", KINDED)
def test_no_model_takes_the_alphabet_for_the_order_of_texts(name):
    model = getattr(likely, name)(kinds={"size": "ordinal"})
    target = SIZES["n"] if name.endswith("Regressor") else ["small", "small", "large", "large"] * 10
    with pytest.raises(LikelyError, match="column 'size' is said to be ordinal, but texts do not tell their order"):
        model.fit(SIZES, target)
    model.fit(SIZES.with_columns(pl.col("size").cast(pl.Enum(["s", "m", "l", "xl"]))), target)


def test_a_study_does_not_either():
    table = SIZES.with_columns(y=pl.Series(["small", "small", "large", "large"] * 10))
    with pytest.raises(LikelyError, match="texts do not tell their order"):
        likely.study(table, "y", kinds={"size": "ordinal"})


def test_missing_rates_are_reported():
    frame, y = _table()
    model = NaiveBayes().fit(frame, y)
    assert "missing" in model.summary()
    assert "missing" in model._repr_html_()


def _rows_without_a_cell(seed):
    rng = np.random.default_rng(seed)
    y = rng.integers(0, 3, 90)
    X = rng.normal(size=(90, 3)) + 0.7 * y[:, None]
    X[y == 2, 1] = 0.3  # constant within a class
    X[rng.random(90) < 0.2] = np.nan
    return X, y


@pytest.mark.parametrize("partly", [False, True])
@pytest.mark.parametrize("kind", ["full", "shared", "diagonal", "spherical"])
def test_rows_without_any_cell_say_nothing_about_the_features(kind, partly):
    X, y = _rows_without_a_cell(0)
    if partly:
        X[::7, 0] = np.nan
    seen = ~np.isnan(X).all(axis=1)
    rest = ~seen
    model = BayesClassifier(MultivariateGaussianFamily(kind), class_prior="uniform")
    with_them = model.fit(X, y).predict_proba(X[seen])
    without = model.fit(X[seen], y[seen]).predict_proba(X[seen])
    assert rest.sum() > 10
    assert np.abs(with_them - without).max() < 1e-12


@pytest.mark.parametrize("seed", range(3))
def test_rows_without_any_cell_are_left_out_of_folds_like_others(seed):
    X, y = _rows_without_a_cell(seed)
    folds = np.arange(len(y)) % 5
    got = np.exp(GaussianBayes("full").out_of_fold(X, y, folds))
    for fold in range(5):
        fitted = GaussianBayes("full").fit(X[folds != fold], y[folds != fold])
        assert np.abs(got[folds == fold] - fitted.predict_proba(X[folds == fold])).max() < 1e-10
