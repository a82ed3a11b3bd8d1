"""Mistakes in the input: each is a LikelyError that says what, where and what to do."""

import warnings

import numpy as np
import pandas as pd
import polars as pl
import pytest

import likely
from likely import BayesClassifier, GaussianBayes, LikelyError, NaiveBayes

X = np.array([[1.0, 2.0], [2.0, 1.0], [5.0, 6.0], [6.0, 5.0]])
Y = np.array(["a", "a", "b", "b"])
FRAME = pl.DataFrame({"age": [31, 47, None, 22], "city": ["Ulm", "Bonn", "Ulm", None]})


def _with(value, row=2, column=1):
    changed = X.astype(type(value) if not isinstance(value, float) else float)
    changed[row, column] = value
    return changed


ESTIMATORS = [NaiveBayes(), GaussianBayes(), BayesClassifier()]


@pytest.mark.parametrize("model", ESTIMATORS, ids=lambda m: type(m).__name__)
@pytest.mark.parametrize(
    ("data", "target", "says"),
    [
        (np.empty((0, 2)), np.empty(0), ["0 sample"]),
        (np.empty((4, 0)), Y, ["0 feature"]),
        (X, Y[:3], ["inconsistent", "4", "3"]),
        (X, None, ["y"]),
        (X, [None] * 4, ["every label is missing"]),
        (X, [0.5, 1.2, 0.1, 2.0], ["continuous", "Row 0", "0.5"]),
        (X, [0, 1, np.inf, 0], ["infinity", "row 2"]),
        (_with(np.inf), Y, ["'x1'", "row 2", "inf"]),
        (_with(-1e200), Y, ["'x1'", "row 2", "-1e+200", "rescale"]),
        (X[0], Y, ["1D array", "reshape"]),
        (X[None], Y, ["dim 3"]),
        ("table", Y, ["str"]),
        (X.astype(complex), Y, ["Complex"]),
    ],
)
def test_tables_that_cannot_be_learned(model, data, target, says):
    with pytest.raises(LikelyError) as error:
        model.fit(data, target)
    for words in says:
        assert words in str(error.value)


@pytest.mark.parametrize(
    ("weight", "says"),
    [
        ([1, 1, -1, 1], ["row 2", "-1"]),
        ([1, np.nan, 1, 1], ["row 1", "nan"]),
        ([1, 1], ["(2,)", "(4,)"]),
        ([0, 0, 0, 0], ["non-zero"]),
    ],
)
def test_weights(weight, says):
    with pytest.raises(LikelyError) as error:
        NaiveBayes().fit(X, Y, sample_weight=weight)
    for words in says:
        assert words in str(error.value)


@pytest.mark.parametrize(
    ("parameters", "says"),
    [
        ({"kinds": "gausian"}, ["gausian", "did you mean 'gaussian'"]),
        ({"kinds": {"agee": "numeric"}}, ["agee", "did you mean 'age'"]),
        ({"missing": "drop"}, ["drop", "ignore"]),
        ({"unseen": "drop"}, ["drop", "prior"]),
        ({"alpha": -1}, ["alpha", "-1"]),
        ({"class_alpha": -1}, ["class_alpha"]),
        ({"ddof": 2}, ["ddof"]),
        ({"class_prior": [0.5, 0.6]}, ["sums to 1.1"]),
        ({"class_prior": [0.5, 0.3, 0.2]}, ["3", "2 classes"]),
        ({"class_prior": [1.5, -0.5]}, ["no probability"]),
        ({"class_prior": {"yes": 0.5, "no": 0.3, "maybe": 0.2}}, ["'maybe'"]),
        ({"class_prior": {"yes": 1.0}}, ["'no'"]),
        ({"class_prior": "flat"}, ["flat", "uniform"]),
    ],
)
def test_parameters(parameters, says):
    with pytest.raises(LikelyError) as error:
        NaiveBayes(**parameters).fit(FRAME, ["yes", "no", "no", "yes"])
    for words in says:
        assert words in str(error.value)


def test_text_in_a_numeric_column_names_the_cell():
    table = pl.DataFrame({"age": ["31", "unknown", "22"]})
    with pytest.raises(LikelyError, match=r"column 'age', row 1 holds 'unknown', which is not a number"):
        NaiveBayes({"age": "numeric"}).fit(table, ["a", "b", "a"])


@pytest.mark.parametrize(
    ("kind", "column", "says"),
    [
        ("bernoulli", [0.0, 1.0, 2.0], ["2"]),
        ("poisson", [1.0, -3.0, 2.0], ["-3"]),
        ("multinomial", [1.0, -3.0, 2.0], ["-3"]),
        ("log_normal", [1.0, 0.0, 2.0], ["0"]),
        ("gamma", [1.0, -1.0, 2.0], ["-1"]),
    ],
)
def test_kinds_that_do_not_fit_the_data(kind, column, says):
    with pytest.raises(LikelyError) as error:
        NaiveBayes(kind).fit(np.array(column)[:, None], ["a", "b", "a"])
    for words in says:
        assert words in str(error.value)


def test_dates_are_refused_with_a_remedy():
    table = pl.DataFrame({"when": ["2020-01-01", "2020-01-02"]}).with_columns(pl.col("when").str.to_date())
    with pytest.raises(LikelyError, match="'when'"):
        NaiveBayes().fit(table, ["a", "b"])


class TestAtPrediction:
    model = NaiveBayes().fit(FRAME, ["yes", "no", "no", "yes"])

    def test_columns_in_another_order_are_aligned_by_name(self):
        swapped = FRAME.select("city", "age")
        assert (self.model.predict_proba(swapped) == self.model.predict_proba(FRAME)).all()
        assert (self.model.predict_proba(swapped.to_pandas()) == self.model.predict_proba(FRAME)).all()

    def test_unknown_column(self):
        with pytest.raises(LikelyError, match=r"'height' was not there when the model was fitted"):
            self.model.predict(FRAME.with_columns(height=pl.lit(1.8)))

    def test_absent_column_with_a_near_miss(self):
        with pytest.raises(LikelyError, match=r"'city' is missing from the table.*did you mean 'City'"):
            self.model.predict(FRAME.rename({"city": "City"}))

    @pytest.mark.parametrize("library", ["polars", "pandas"])
    def test_absent_column_that_cannot_be_had(self, library):
        less = FRAME.drop("city") if library == "polars" else FRAME.drop("city").to_pandas()
        with pytest.raises(LikelyError, match=r"'city' is missing from the table.*add it with every cell missing"):
            self.model.predict(less)
        added = less.with_columns(city=None) if library == "polars" else less.assign(city=None)
        unknown = FRAME.with_columns(city=pl.lit(None, dtype=pl.String))
        assert (self.model.predict_proba(added) == self.model.predict_proba(unknown)).all()

    def test_wrong_width(self):
        with pytest.raises(LikelyError, match="3 features, but NaiveBayes is expecting 2"):
            NaiveBayes().fit(X, Y).predict(np.zeros((1, 3)))

    def test_names_come_and_go_with_a_warning(self):
        named = NaiveBayes().fit(pd.DataFrame(X, columns=["a", "b"]), Y)
        with pytest.warns(UserWarning, match="does not have valid feature names"):
            named.predict(X)
        with pytest.warns(UserWarning, match="has feature names"):
            NaiveBayes().fit(X, Y).predict(pd.DataFrame(X, columns=["a", "b"]))

    def test_infinity(self):
        with pytest.raises(LikelyError, match=r"column 'x0', row 0 holds inf"):
            NaiveBayes().fit(X, Y).predict([[np.inf, 1.0]])

    def test_unfitted(self):
        for method in ("predict", "predict_proba", "log_likelihood", "evidence"):
            with pytest.raises(LikelyError, match="not fitted yet"):
                getattr(NaiveBayes(), method)(X)

    def test_prior_of_another_shape(self):
        with pytest.raises(LikelyError, match="3 entries for 2 classes"):
            self.model.predict_proba(FRAME, prior=[0.2, 0.3, 0.5])

    def test_evidence_for_a_class_that_is_none(self):
        with pytest.raises(LikelyError, match="'yess' is no class of this model; did you mean 'yes'"):
            self.model.evidence(FRAME, for_class="yess")

    def test_missing_cells_can_be_refused(self):
        strict = NaiveBayes(missing="error").fit(FRAME.drop_nulls(), ["yes", "no"])
        with pytest.raises(LikelyError, match=r"column 'age', row 2 is missing"):
            strict.predict(FRAME)


def test_files_need_a_target_column(tmp_path):
    FRAME.with_columns(y=pl.Series(["a", "b", "a", "b"])).write_csv(tmp_path / "t.csv")
    source = likely.scan(tmp_path / "t.csv")
    with pytest.raises(LikelyError, match="name its target column"):
        NaiveBayes().fit(source, [1, 2, 3, 4])
    with pytest.raises(LikelyError, match="no target column 'yy'"):
        NaiveBayes().fit(source, "yy")


def test_models_of_different_tables_do_not_merge():
    a = NaiveBayes().fit(FRAME, ["yes", "no", "no", "yes"])
    b = NaiveBayes({"age": "poisson"}).fit(FRAME, ["yes", "no", "no", "yes"])
    with pytest.raises(LikelyError, match="same columns"):
        a + b
    with pytest.raises(LikelyError, match="cannot merge NaiveBayes with GaussianBayes"):
        NaiveBayes().fit(X, Y).merge(GaussianBayes().fit(X, Y))
    with pytest.raises(LikelyError, match="cannot merge NaiveBayes with int"):
        NaiveBayes().fit(X, Y).merge(3)


def test_a_failed_fit_leaves_no_warning_and_no_half_model():
    model = NaiveBayes()
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        with pytest.raises(LikelyError):
            model.fit(_with(np.inf), Y)
    with pytest.raises(LikelyError, match="not fitted"):
        model.predict(X)
