"""What every estimator has from `likely.models.estimator`, shown on the smallest of each kind."""

import numpy as np
import pandas as pd
import polars as pl
import pytest
from sklearn.base import clone, is_clusterer, is_regressor
from sklearn.compose import make_column_transformer
from sklearn.linear_model import LinearRegression
from sklearn.metrics import r2_score
from sklearn.model_selection import GridSearchCV, cross_val_score
from sklearn.pipeline import make_pipeline
from sklearn.utils.estimator_checks import check_estimator
from small_estimators import Centres, Line, Units

from likely import Calibrated, Decider, LikelyError, NaiveBayes
from likely.data.labels.target import read_amounts
from likely.models import MajorityClassifier

pytestmark = pytest.mark.filterwarnings("ignore:Estimator .* does not inherit from `sklearn.base.BaseEstimator`")
SPECIMENS = [Line(), Units(), Centres()]


def a_table(n=60, seed=0):
    rng = np.random.default_rng(seed)
    X = rng.normal(size=(n, 3)) * [1, 10, 100] + [0, 5, 500]
    return X, X @ [2.0, 0.5, -0.01] + 7 + rng.normal(size=n) * 0.1


@pytest.mark.parametrize("specimen", SPECIMENS, ids=repr)
def test_every_check_of_scikit_learn_passes(specimen):
    results = check_estimator(specimen, on_fail=None, on_skip=None)
    failed = {r["check_name"]: r["exception"] for r in results if r["status"] == "failed"}
    assert len(results) >= 40 and not failed
    assert {r["check_name"] for r in results if r["status"] == "skipped"} <= {"check_array_api_input"}


@pytest.mark.parametrize("specimen", SPECIMENS, ids=repr)
def test_columns_are_remembered_aligned_by_name_and_forgotten(specimen):
    X, y = a_table()
    frame = pd.DataFrame(X, columns=["one", "two", "three"])
    model = clone(specimen).fit(frame, y)
    ask = model.transform if hasattr(model, "transform") else model.predict
    assert model.n_features_in_ == 3 and model.feature_names_in_.tolist() == ["one", "two", "three"]
    assert np.array_equal(ask(frame[["three", "one", "two"]]), ask(frame))
    with pytest.raises(LikelyError, match="did you mean 'tow'"):
        ask(frame.rename(columns={"two": "tow"}))
    with pytest.raises(LikelyError, match="infinity"):
        model.fit(np.full((4, 2), np.inf), np.arange(4.0))
    assert not model.__sklearn_is_fitted__() and not hasattr(model, "feature_names_in_")
    assert not model._learned() and set(vars(model)) == set(model.get_params(deep=False))


def test_a_regressor_predicts_amounts():
    X, y = a_table()
    model, theirs = Line(1e-12).fit(X, y), LinearRegression().fit(X, y)
    assert is_regressor(model)
    assert np.allclose(model.predict(X), theirs.predict(X), rtol=1e-6)
    weight = np.random.default_rng(1).uniform(0.5, 2, len(y))
    assert model.score(X, y, weight) == pytest.approx(r2_score(y, model.predict(X), sample_weight=weight), abs=1e-12)
    assert cross_val_score(Line(), X, y, cv=3, error_score="raise").min() > 0.99
    assert GridSearchCV(Line(), {"ridge": [1e-9, 10.0]}, cv=3).fit(X, y).best_params_ == {"ridge": 1e-9}


def test_the_score_of_a_regressor_where_all_amounts_are_equal():
    model = Line().fit([[0.0], [1.0]], [3.0, 3.0])
    assert model.score([[0.0], [1.0]], [3.0, 3.0]) == 1
    assert model.score([[0.0], [1.0]], [4.0, 4.0]) == 0


def test_a_regressor_takes_its_target_from_a_frame_or_a_file(tmp_path):
    from likely import scan

    X, y = a_table()
    frame = pl.DataFrame({"a": X[:, 0], "b": X[:, 1], "c": X[:, 2], "y": y})
    model = Line().fit(frame, "y")
    assert model.score(frame, "y") == pytest.approx(model.score(frame.drop("y"), y), abs=1e-12)
    frame.write_csv(tmp_path / "rows.csv")
    assert model.score(scan(tmp_path / "rows.csv"), "y") == pytest.approx(model.score(frame, "y"), abs=1e-12)


@pytest.mark.parametrize(
    ("y", "said"),
    [
        (None, "requires y to be passed"),
        ([1.0, np.nan], "row 1 of y holds nan"),
        ([1.0, np.inf], "row 1 of y holds inf"),
        ([1.0, None], "row 1 of y has no amount"),
        (["1", "2"], "row 0 of y holds '1', which is no number"),
        ([1.0, "much"], "row 1 of y holds 'much', which is no number"),
        ([1j, 2], "no number"),
        ([1.0, 2.0, 3.0], "X has 2 rows and y has 3"),
        ([[1.0, 2.0], [3.0, 4.0]], "1d array"),
    ],
)
def test_amounts_that_are_none(y, said):
    with pytest.raises(LikelyError, match=said):
        read_amounts(y, 2)


@pytest.mark.parametrize("y", [[1, 2], [True, False], np.array([1.5, 2], dtype=np.float32), pl.Series([1, 2])], ids=str)
def test_amounts_of_any_kind_of_number(y):
    found = read_amounts(y, 2)
    assert found.dtype == np.float64 and found.tolist() == [float(v) for v in y]


def test_a_transformer_gives_arrays_or_frames():
    X, _ = a_table()
    frame = pd.DataFrame(X, columns=["one", "two", "three"], index=np.arange(60) + 100)
    array = Units().fit_transform(frame)
    assert isinstance(array, np.ndarray) and np.allclose(array.mean(axis=0), 0) and np.allclose(array.std(axis=0), 1)
    model = Units().set_output(transform="pandas").fit(frame)
    assert model.get_feature_names_out().tolist() == ["units0", "units1", "units2"]
    given = clone(model).fit(frame).transform(frame)
    assert given.index.equals(frame.index) and given.columns.tolist() == ["units0", "units1", "units2"]
    assert np.array_equal(given.to_numpy(), array)
    told = model.set_output(transform="polars").transform(frame)
    assert isinstance(told, pl.DataFrame) and np.array_equal(told.to_numpy(), array)
    assert isinstance(model.set_output(transform="default").transform(frame), np.ndarray)
    with pytest.raises(LikelyError, match="choose from default, pandas, polars"):
        model.set_output(transform="arrow")


def test_a_transformer_in_pipelines_of_scikit_learn():
    X, y = a_table()
    frame = pd.DataFrame(X, columns=["one", "two", "three"])
    both = make_column_transformer((Units(), ["one", "two"]), remainder="passthrough").set_output(transform="pandas")
    assert both.fit_transform(frame).columns.tolist() == ["units__units0", "units__units1", "remainder__three"]
    assert make_pipeline(Units(), Line()).fit(frame, y).score(frame, y) > 0.99


def test_a_clusterer_finds_groups():
    rng = np.random.default_rng(0)
    X = np.concatenate([rng.normal(size=(20, 2)), rng.normal(size=(20, 2)) + 50])
    model = Centres()
    labels = model.fit_predict(X)
    assert is_clusterer(model) and np.array_equal(labels, model.labels_) and np.array_equal(labels, model.predict(X))
    assert len(set(labels[:20])) == len(set(labels[20:])) == 1 and labels[0] != labels[-1]


COLUMNS = [f"  {name:<20} numeric" for name in ("x0", "x1", "x2")]


def test_the_majority_has_the_evidence_of_its_prior_alone():
    most = MajorityClassifier().fit([[1.0], [2.0], [3.0]], ["a<b", "c", "c"])
    told = most.evidence([[1.0], [5.0]])
    assert np.allclose(told.prior, 1.0) and told.bits.tolist() == [[0.0], [0.0]] and told.classes.tolist() == ["c", "c"]
    assert most.evidence([[1.0]], for_class="a<b", prior="uniform").prior.tolist() == [0.0]
    assert np.allclose(
        Decider(most, prior=[0.2, 0.8], cv="prefit").fit([[1.0], [2.0]], ["c", "a<b"]).evidence([[1.0]]).log2_odds, 2.0
    )


def test_every_estimator_has_a_face():
    X, y = a_table()
    assert str(Line()) == repr(Line()) == "Line()"
    assert str(Line(ridge=0.5).fit(X, y)) == "\n".join(["Line(ridge=0.5)", "  3 features", *COLUMNS])
    assert Line()._repr_html_() == "<pre>Line() (not fitted)</pre>"
    shown = Line().fit(X, y)._repr_html_()
    assert shown.startswith("<div><pre>Line()</pre><p>3 features</p><table>") and ">numeric</td>" in shown
    most = MajorityClassifier().fit([[1.0], [2.0], [3.0]], ["a<b", "c", "c"])
    assert str(most).startswith("MajorityClassifier()\n  3 rows, 1 feature\n  classes  a<b (1), c (2)\n  x0 ")
    assert ">a&lt;b</td><td>1</td>" in most._repr_html_()
    with pytest.raises(LikelyError, match="not fitted"):
        Line().summary()


def test_the_face_of_a_wrapper_is_that_of_the_model_inside():
    X, y = a_table()
    model = Calibrated(NaiveBayes(), cv=2).fit(X, (y > y.mean()).astype(int))
    title, *rest = str(model).splitlines()
    assert title == repr(model)
    assert rest == [*str(model.estimator_).splitlines()[1:], "  calibration  none is better"]
    from sklearn.linear_model import LogisticRegression

    theirs = Calibrated(LogisticRegression(), cv=2).fit(X, (y > y.mean()).astype(int))
    assert str(theirs).splitlines()[1:] == ["  3 features", "  classes  0, 1", "  calibration  temperature"]
