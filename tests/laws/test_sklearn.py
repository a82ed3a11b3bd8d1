"""Every public estimator is one of scikit-learn's in every respect, without importing it."""

import numpy as np
import pandas as pd
import pytest
from discovery import estimators, tables_only
from sklearn.base import clone
from sklearn.calibration import CalibratedClassifierCV
from sklearn.model_selection import GridSearchCV, StratifiedKFold, cross_val_predict, cross_val_score
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import FunctionTransformer, StandardScaler
from sklearn.utils import get_tags
from sklearn.utils.estimator_checks import check_dataframe_column_names_consistency, check_estimator
from specimens import ESTIMATORS

from likely.errors import LikelyError
from likely.models.learning.order_dependent import OrderDependent

# Not inheriting from BaseEstimator is what keeps scikit-learn from being imported.
pytestmark = [
    pytest.mark.filterwarnings("ignore:Estimator .* does not inherit from `sklearn.base.BaseEstimator`"),
    pytest.mark.filterwarnings("ignore:y has only one class"),  # which is what some checks fit
]

EXPECTED_SKIPS = {  # a check, and the reason why it is not run
    "check_array_api_input": "runs only where SCIPY_ARRAY_API is set, for estimators whose tags claim array API input",
}
EXPECTED_FAILURES: dict[str, str] = {}  # a check, and the reason why it cannot pass
OF_ORDER = {  # those of models that depend on the order of the rows
    f"check_sample_weight_equivalence_on_{form}_data": "a row of weight 2 is one step of twice the length, not two"
    for form in ("dense", "sparse")
}
OF_IB2 = {  # which keeps what it once mistook, noise too, and scikit-learn rounds the cells of whatever takes levels
    "check_classifiers_train": "rows are rounded until rows of several classes are the same"
}

GRIDS = (  # to search in: the first of which an estimator has all parameters
    {"class_alpha": [0.0, 1000.0], "class_prior": [None, "uniform"]},
    {"C": [0.01, 10.0]},
    {"max_depth": [1, 3], "smoothing": [0.5, 2.0]},
    {"p": [1.0, 2.0]},
    {"weight_decay": [0.1, 10.0]},
    {"learning_rate": [0.1, 1.0]},
    {"class_weight": [None, "balanced"]},
)

DEFAULTS = [pytest.param(kind, id=kind.__name__) for kind in tables_only()]
MANY_ROUNDS = ("BoostedTrees", "NeuralNetwork", "KernelPerceptron")  # a hundred fits of them take long
CHECKED = [
    pytest.param(kind, id=kind.__name__, marks=[pytest.mark.slow] * (kind.__name__ in MANY_ROUNDS))
    for kind in tables_only()
]
OF_TEXTS = [pytest.param(kind, id=kind.__name__) for kind in estimators() if kind not in tables_only()]
NUMERIC = [s for kind in estimators() for s in ESTIMATORS.get(kind, ()) if s.real]
ALL = [s for kind in estimators() for s in ESTIMATORS.get(kind, ())]


def named(specimens):
    return pytest.mark.parametrize("specimen", specimens, ids=lambda specimen: specimen.name)


def passes_every_check(estimator):
    expected = {**EXPECTED_FAILURES, **(OF_ORDER if isinstance(estimator, OrderDependent) else {})}
    expected |= OF_IB2 if getattr(estimator, "rule", "") == "IB2" else {}
    results = check_estimator(estimator, on_skip=None, on_fail=None, expected_failed_checks=expected)
    assert len(results) > 50
    failed = {r["check_name"]: r["exception"] for r in results if r["status"] == "failed"}
    assert not failed
    assert {r["check_name"] for r in results if r["status"] == "skipped"} <= set(EXPECTED_SKIPS)
    assert {r["check_name"] for r in results if r["status"] == "xfail"} <= set(expected)


@pytest.mark.parametrize("kind", CHECKED)
def test_the_default_passes_every_check(kind):
    passes_every_check(kind())


@pytest.mark.parametrize("kind", DEFAULTS)
@pytest.mark.xfail(strict=True, reason="columns in another order are aligned by name, where scikit-learn refuses them")
def test_columns_in_another_order_are_refused(kind):
    check_dataframe_column_names_consistency(kind.__name__, kind())  # not among those that check_estimator runs


@pytest.mark.parametrize("kind", DEFAULTS)
def test_columns_in_another_order_are_aligned_by_name(kind):
    X = pd.DataFrame(np.random.default_rng(0).normal(size=(30, 3)), columns=["one", "two", "three"])
    model = kind().fit(X, np.arange(30) % 3)
    assert model.feature_names_in_.tolist() == ["one", "two", "three"]
    assert np.array_equal(model.predict_proba(X[["three", "one", "two"]]), model.predict_proba(X))
    for other, said in ((X.rename(columns={"two": "tow"}), "did you mean"), (X.assign(four=1.0), "leave it out")):
        with pytest.raises(LikelyError, match=said):
            model.predict(other)
    with pytest.warns(UserWarning, match="does not have valid feature names"):
        model.predict(X.to_numpy())


@pytest.mark.sample(3)
@named(NUMERIC)
def test_every_recipe_for_numbers_passes_every_check(specimen):
    passes_every_check(specimen.make())


@pytest.mark.parametrize("kind", DEFAULTS)
def test_the_tags_tell_the_truth(kind):
    tags = get_tags(kind())
    assert tags.estimator_type == "classifier" and tags.target_tags.required
    assert tags.input_tags.allow_nan and tags.input_tags.sparse


@named(NUMERIC)
def test_in_a_pipeline(specimen):
    X, y = specimen.data(np.random.default_rng(0))
    piped = make_pipeline(StandardScaler(), specimen.make()).fit(X, y)
    alone = specimen.fitted(StandardScaler().fit_transform(X), y)
    assert np.array_equal(piped.predict_proba(X), alone.predict_proba(StandardScaler().fit_transform(X)))
    assert piped.score(X, y) == alone.score(StandardScaler().fit_transform(X), y)
    assert piped.classes_.tolist() == alone.classes_.tolist()


@pytest.mark.sample(8)
@named(ALL)
def test_in_cross_validation_and_a_grid_search(specimen):
    X, y = specimen.data(np.random.default_rng(1))
    X = X.to_pandas() if hasattr(X, "to_pandas") else X
    folds = StratifiedKFold(3)
    scores = cross_val_score(specimen.make(), X, y, cv=folds, error_score="raise")
    assert scores.shape == (3,) and np.all((scores >= 0) & (scores <= 1))
    posteriors = cross_val_predict(specimen.make(), X, y, cv=folds, method="predict_proba")
    assert np.allclose(posteriors.sum(axis=1), 1)
    known = specimen.make().get_params()
    grid = next(grid for grid in GRIDS if set(grid) <= set(known))
    search = GridSearchCV(specimen.make(), grid, cv=folds, scoring="neg_log_loss", error_score="raise").fit(X, y)
    best = specimen.fitted(X, y, **search.best_params_)
    assert np.array_equal(search.predict_proba(X), best.predict_proba(X))


@pytest.mark.sample(6)
@named(NUMERIC)
@pytest.mark.parametrize("method", ["sigmoid", "isotonic"])
def test_calibrated(specimen, method):
    X, y = specimen.data(np.random.default_rng(2))
    model = CalibratedClassifierCV(specimen.make(), method=method, cv=3).fit(X, y)
    posteriors = model.predict_proba(X)
    assert model.classes_.tolist() == ["ash", "birch", "cedar"]
    assert np.isfinite(posteriors).all() and np.allclose(posteriors.sum(axis=1), 1)
    assert model.score(X, y) > 0.4


MAILS = ["free money now", "free prize, claim it now", "lunch at noon?", "minutes of the meeting at noon"] * 6
MAIL_KINDS = np.array(["spam", "spam", "ham", "ham"] * 6)


@pytest.mark.parametrize("kind", OF_TEXTS)
def test_the_tags_of_a_learner_of_texts(kind):
    tags = get_tags(kind())
    assert tags.estimator_type == "classifier" and tags.target_tags.required
    assert tags.input_tags.string and tags.input_tags.one_d_array and not tags.input_tags.sparse


@pytest.mark.parametrize("kind", OF_TEXTS)
@pytest.mark.parametrize("form", [list, np.array, pd.Series], ids=["list", "array", "series"])
def test_texts_in_pipelines_grids_and_folds(kind, form):
    texts = form(MAILS)
    piped = make_pipeline(FunctionTransformer(), kind()).fit(texts, MAIL_KINDS)
    assert piped.score(texts, MAIL_KINDS) == 1
    again = clone(kind(alpha=0.5))
    assert again.get_params() == kind(alpha=0.5).get_params()
    scores = cross_val_score(kind(), texts, MAIL_KINDS, cv=StratifiedKFold(3), error_score="raise")
    assert scores.shape == (3,) and (scores == 1).all()
    grid = {"alpha": [0.01, 1.0], "min_df": [1, 2]}
    search = GridSearchCV(kind(), grid, cv=StratifiedKFold(3), scoring="neg_log_loss", error_score="raise")
    best = kind(**search.fit(texts, MAIL_KINDS).best_params_).fit(texts, MAIL_KINDS)
    assert np.array_equal(search.predict_proba(texts), best.predict_proba(texts))
    calibrated = CalibratedClassifierCV(kind(), cv=3).fit(texts, MAIL_KINDS)
    assert np.allclose(calibrated.predict_proba(texts).sum(axis=1), 1)
    assert calibrated.score(texts, MAIL_KINDS) == 1


def test_an_estimator_is_of_no_use_before_it_is_fitted():
    from sklearn.exceptions import NotFittedError
    from sklearn.utils.validation import check_is_fitted

    for kind in estimators():
        with pytest.raises(NotFittedError):
            check_is_fitted(kind())
        with pytest.raises(NotFittedError):
            kind().predict([[0.0]] if kind in tables_only() else ["a text"])
