"""Every public clusterer and transformer is one of scikit-learn's, comes back from files, and obeys its laws."""

import warnings

import numpy as np
import pandas as pd
import polars as pl
import pytest
from discovery import unlabelled
from samples import everything, numeric, numeric_with_gaps
from sklearn.base import clone
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler
from sklearn.utils import get_tags
from sklearn.utils.estimator_checks import check_estimator

from likely import PCA, Hierarchy, KMeans
from likely.errors import LikelyError, NotFittedError
from likely.store import inspect as look_into
from likely.store import load, save

pytestmark = [
    pytest.mark.filterwarnings("ignore:Estimator .* does not inherit from `sklearn.base.BaseEstimator`"),
    pytest.mark.filterwarnings("ignore:.* clusters? ha(ve|s) no rows"),
]

SPECIMENS = {  # by name: how it is made, and a table for it
    "kmeans": (lambda: KMeans(3, random_state=0), numeric_with_gaps),
    "kmeans-mixed": (lambda: KMeans(3, standardize=True, random_state=0, kinds={"visits": "count"}), everything),
    "kmeans-online": (lambda: KMeans(3, algorithm="online", n_init=2, random_state=0), numeric),
    "kmeans-mini-batch": (lambda: KMeans(3, algorithm="mini_batch", n_init=2, random_state=0), numeric),
    "hierarchy": (lambda: Hierarchy("average", n_clusters=3), numeric_with_gaps),
    "hierarchy-mixed": (lambda: Hierarchy("ward", n_clusters=3, kinds={"visits": "count"}), everything),
    "hierarchy-divisive": (lambda: Hierarchy(direction="divisive", n_clusters=3), numeric),
    "pca": (lambda: PCA(2), numeric_with_gaps),
    "pca-mixed": (lambda: PCA(2, standardize=True, kinds={"visits": "count"}), everything),
    "pca-randomized": (lambda: PCA(2, solver="randomized", random_state=0), numeric),
}
EACH = pytest.mark.parametrize("name", SPECIMENS)


def made(name, rows=60, seed=0):
    make, table = SPECIMENS[name]
    X = table(np.random.default_rng(seed), np.arange(rows) % 3)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        return make().fit(X), X


def answer(model, X):
    return np.asarray(model.predict(X) if hasattr(model, "predict") else model.transform(X))


def test_every_public_one_has_a_specimen():
    assert set(unlabelled()) == {type(make()) for make, _ in SPECIMENS.values()}


@pytest.mark.parametrize("kind", unlabelled())
def test_the_default_passes_every_check(kind):
    results = check_estimator(kind(), on_skip=None, on_fail=None)
    assert len(results) >= 40
    assert not {r["check_name"]: r["exception"] for r in results if r["status"] == "failed"}
    assert {r["check_name"] for r in results if r["status"] == "skipped"} <= {"check_array_api_input"}


@pytest.mark.slow
@pytest.mark.parametrize(
    "model",
    [
        KMeans(algorithm="mini_batch"),
        Hierarchy("average"),
        Hierarchy("single"),
        Hierarchy(direction="divisive"),
        PCA(2, standardize=True, whiten=True),
    ],
    ids=repr,
)
def test_other_options_pass_every_check(model):
    weights = "check_sample_weight_equivalence_on_{}_data"
    running = {weights.format(form): "a mini-batch holds other rows" for form in ("dense", "sparse")}
    expected = running if getattr(model, "algorithm", "batch") != "batch" else {}
    results = check_estimator(model, on_skip=None, on_fail=None, expected_failed_checks=expected)
    assert not {r["check_name"]: r["exception"] for r in results if r["status"] == "failed"}


@EACH
def test_a_file_brings_it_back_to_the_bit(name, tmp_path):
    model, X = made(name)
    again = load(save(model, tmp_path / "model.likely"))
    assert repr(again) == repr(model) and str(again) == str(model)
    assert np.array_equal(answer(again, X), answer(model, X))
    for attribute in ("labels_", "cluster_centers_", "joins_", "components_", "errors_", "loadings_"):
        if hasattr(model, attribute):
            assert np.array_equal(getattr(again, attribute), getattr(model, attribute)), attribute
    held = look_into(tmp_path / "model.likely")
    assert held.estimator == type(model).__name__ and len(held.kinds) == model.n_features_in_
    if name == "pca":
        half = X[:20]
        assert np.array_equal((again + again).forget(half).components_, (model + model).forget(half).components_)
    if name.startswith("kmeans"):
        assert np.array_equal(again.partial_fit(X).cluster_centers_, model.partial_fit(X).cluster_centers_)


@EACH
def test_the_order_of_columns_and_the_kind_of_frame_do_not_matter(name):
    model, X = made(name)
    said = answer(model, X)
    if isinstance(X, np.ndarray):
        frame = pl.DataFrame(X, schema=[f"c{j}" for j in range(X.shape[1])])
        model = SPECIMENS[name][0]().fit(frame)
        assert np.allclose(answer(model, frame), said, atol=1e-9)
        X = frame
    turned = X.select(X.columns[::-1])
    assert np.array_equal(answer(model, turned), answer(model, X))
    assert np.allclose(answer(model, X.to_pandas()), answer(model, X))
    with pytest.raises(LikelyError):
        answer(model, X.rename({X.columns[0]: "another"}))


@EACH
def test_not_fitted_cloned_and_shown(name):
    make, _ = SPECIMENS[name]
    with pytest.raises(NotFittedError):
        answer(make(), [[0.0]])
    assert clone(make()).get_params() == make().get_params()
    model, _ = made(name)
    assert type(model).__name__ in model._repr_html_()


def test_the_tags_tell_the_truth():
    assert get_tags(KMeans()).estimator_type == get_tags(Hierarchy()).estimator_type == "clusterer"
    assert get_tags(PCA()).transformer_tags is not None and get_tags(KMeans()).transformer_tags is not None
    for kind in unlabelled():
        tags = get_tags(kind())
        assert tags.input_tags.allow_nan and tags.input_tags.sparse and not tags.target_tags.required


def test_in_a_pipeline_with_names():
    X = pd.DataFrame(np.random.default_rng(0).normal(size=(50, 4)), columns=list("abcd"))
    piped = make_pipeline(StandardScaler(), PCA(2), KMeans(2, random_state=0)).fit(X)
    assert piped.predict(X).shape == (50,)
    out = PCA(2).set_output(transform="pandas").fit(X).transform(X)
    assert out.columns.tolist() == ["pca0", "pca1"]


def test_a_forged_file_is_refused(tmp_path):
    from likely.store.models.learned import Learned

    model, _ = made("kmeans")
    assert Learned is not None
    for change in (
        {"centres": model.centres_[:, :1]},
        {"labels": model.labels_ + 9},
        {"history": (1,)},
        {"centres": np.full_like(model.centres_, np.inf)},
    ):
        with pytest.raises((LikelyError, AttributeError, TypeError)):
            KMeans(3)._learned_again({**model._parameters_learned(), **change})
    tree, _ = made("hierarchy-divisive")
    joins = tree.joins_.copy()
    joins[0, 0] = joins[1, 0]
    with pytest.raises(LikelyError, match="do not make a tree"):
        other = Hierarchy(direction="divisive", n_clusters=3)
        other._become({"design_": tree.design_, "sums_": tree.sums_})
        other._learned_again({**tree._parameters_learned(), "joins": joins})
