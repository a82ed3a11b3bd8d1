"""Rows without a label: learned by EM with the others, or found without any."""

import numpy as np
import polars as pl
import pytest
from scipy.sparse import csr_array
from sklearn.base import clone
from sklearn.mixture import GaussianMixture

from likely import (
    BayesClassifier,
    BoostedTrees,
    Calibrated,
    Decider,
    DecisionForest,
    DecisionTree,
    DependenceBayes,
    FisherDiscriminant,
    GaussianBayes,
    KernelPerceptron,
    LeastSquaresClassifier,
    LogisticRegression,
    NaiveBayes,
    NearestExemplar,
    NearestNeighbors,
    Perceptron,
    ProportionalOdds,
    TextBayes,
)
from likely.data.labels.target import Target
from likely.distributions import CategoricalFamily, GaussianFamily, MixtureFamily
from likely.errors import InputError
from likely.models.any_classifier.asking import take
from likely.models.generative.em.hidden import of_weight


def separable(seed, n=300, d=3, apart=4.0):
    rng = np.random.default_rng(seed)
    z = rng.integers(0, 2, n)
    return rng.normal(apart * z[:, None] / np.sqrt(d), size=(n, d)), z


def mostly_hidden(z, seed, known=3):
    rng = np.random.default_rng(seed + 100)
    y = np.full(len(z), None, dtype=object)
    for k in np.unique(z):
        y[rng.choice(np.flatnonzero(z == k), known, replace=False)] = int(k)
    return y


def rare_levels(seed, n=2000):
    rng = np.random.default_rng(seed)
    z = rng.integers(0, 2, n)
    x = (rng.random((n, 6)) < np.where(z, 0.45, 0.1)[:, None]).astype(int)
    return x, z, mostly_hidden(z, seed, 2)


@pytest.mark.parametrize("seed", range(3))
def test_levels_that_no_labelled_row_has_do_not_end_the_ascent(seed):
    x, z, y = rare_levels(seed)
    model = NaiveBayes(kinds="nominal", hidden="em").fit(x, y)
    known = y != None  # noqa: E711
    labelled = NaiveBayes(kinds="nominal").fit(x[known], y[known].astype(int))
    assert model.passes_ > 10
    assert model.log_likelihoods_[-1] > model.log_likelihoods_[0] + 100
    assert (model.predict(x) == z).mean() > max(0.8, (labelled.predict(x) == z).mean())


def test_the_returned_model_has_the_highest_log_likelihood():
    x, _, y = rare_levels(0)
    model = NaiveBayes(kinds="nominal", alpha=5.0, hidden="em").fit(x, y)
    known = np.flatnonzero(y != None)  # noqa: E711
    joint = model.log_likelihood(x) + np.log(model.class_prior_)
    rows = np.logaddexp.reduce(joint, axis=1)
    rows[known] = joint[known, y[known].astype(int)]
    assert np.isclose(rows.sum(), model.log_likelihoods_.max())


@pytest.mark.parametrize("seed", range(5))
@pytest.mark.parametrize("kind", [NaiveBayes, GaussianBayes])
def test_hidden_labels_do_not_harm_where_classes_are_apart(kind, seed):
    x, z = separable(seed)
    y = mostly_hidden(z, seed, 5)
    known = y != None  # noqa: E711
    labelled = kind().fit(x[known], y[known].astype(int)).score(x, z)
    with_hidden = kind(hidden="em").fit(x, y)
    assert with_hidden.score(x, z) >= labelled - 0.01
    assert with_hidden.score(x, z) > 0.93


@pytest.mark.parametrize("seed", range(3))
def test_the_log_likelihood_rises_from_the_first_pass(seed):
    x, z = separable(seed, apart=2.5)
    model = NaiveBayes(hidden="em").fit(x, mostly_hidden(z, seed))
    rise = np.diff(model.log_likelihoods_)
    assert rise.min() > -1e-9 * abs(model.log_likelihoods_[-1])


def test_one_labelled_row_per_class_is_enough_to_begin():
    x, z = separable(1)
    model = NaiveBayes(hidden="em").fit(x, mostly_hidden(z, 1, known=1))
    assert model.score(x, z) > 0.93


def test_a_column_that_only_unlabelled_rows_have():
    x, z = separable(2)
    y = mostly_hidden(z, 2)
    extra = np.where(y == None, x[:, 0] * 2 + 1, np.nan)  # noqa: E711
    model = NaiveBayes(hidden="em").fit(np.column_stack([x, extra]), y)
    assert np.isfinite(model.log_likelihoods_).all()
    assert np.isfinite(model.distribution_.parts[0].mean).all()
    assert model.score(np.column_stack([x, extra]), z) > 0.9


def test_missing_cells_nominal_columns_and_hidden_labels_together():
    rng = np.random.default_rng(0)
    x, z = separable(3, n=400)
    colour = np.where(rng.random(400) < 0.85, np.where(z, "red", "blue"), "grey").astype(object)
    colour[rng.random(400) < 0.2] = None
    x[rng.random(x.shape) < 0.2] = np.nan
    frame = pl.DataFrame({"a": x[:, 0], "b": x[:, 1], "c": x[:, 2], "colour": colour.tolist()})
    frame = frame.with_columns(pl.col("a", "b", "c").fill_nan(None))
    for missing in ("ignore", "evidence", "impute"):
        model = NaiveBayes(missing=missing, hidden="em").fit(frame, mostly_hidden(z, 3))
        proba = model.predict_proba(frame)
        assert np.isfinite(proba).all()
        assert (proba.argmax(axis=1) == z).mean() > 0.9


def test_whole_weights_are_repetition():
    x, z = separable(4, n=150)
    y = mostly_hidden(z, 4)
    times = np.random.default_rng(4).integers(1, 4, len(x))
    weighed = NaiveBayes(hidden="em").fit(x, y, sample_weight=times)
    repeated = NaiveBayes(hidden="em").fit(np.repeat(x, times, axis=0), np.repeat(y, times))
    assert np.allclose(weighed.predict_proba(x), repeated.predict_proba(x), atol=1e-6)
    assert np.allclose(weighed.class_count_, repeated.class_count_, rtol=1e-6)


@pytest.mark.parametrize("n_components", [None, 2])
def test_the_unit_of_weights_does_not_matter(n_components):
    x, z = separable(5)
    y = mostly_hidden(z, 5) if n_components is None else None
    plain = BayesClassifier(n_components=n_components, random_state=0).fit(x, y)
    scaled = BayesClassifier(n_components=n_components, random_state=0).fit(x, y, sample_weight=np.full(len(x), 1e-3))
    assert np.allclose(np.sort(scaled.class_prior_), np.sort(plain.class_prior_), atol=1e-3)
    assert np.allclose(scaled.log_evidence(x), plain.log_evidence(x), atol=1e-2)


def test_rows_without_weight_are_absent():
    x, z = separable(6)
    y = mostly_hidden(z, 6)
    weight = (np.random.default_rng(6).random(len(x)) < 0.7).astype(float)
    weight[y != None] = 1.0  # noqa: E711
    present = weight > 0
    x[~present] *= 1e6
    weighed, without = (
        NaiveBayes(hidden="em").fit(x, y, sample_weight=weight),
        NaiveBayes(hidden="em").fit(x[present], y[present]),
    )
    assert weighed.passes_ == without.passes_
    assert np.allclose(weighed.predict_proba(x[present]), without.predict_proba(x[present]), atol=1e-9)


def test_a_class_without_weight_is_absent():
    x, z = separable(7)
    y = mostly_hidden(z, 7)
    far = np.flatnonzero(y == None)[:4]  # noqa: E711
    y[far] = 2
    weight = np.ones(len(x))
    weight[far] = 0.0
    model = NaiveBayes(hidden="em").fit(x, y, sample_weight=weight)
    keep = weight > 0
    without = NaiveBayes(hidden="em").fit(x[keep], y[keep])
    assert model.classes_.tolist() == [0, 1]
    assert model.passes_ == without.passes_
    assert np.allclose(model.predict_proba(x), without.predict_proba(x), atol=1e-9)


def test_a_target_of_weight_keeps_only_what_counts():
    target = Target(np.array([0, 1, -1, 2, -1], dtype=np.int32), ("a", "b", "c"))
    assert of_weight(target, None) is target
    assert of_weight(target, np.ones(5)) is target
    left = of_weight(target, np.array([1.0, 0, 1, 2, 0]))
    assert left.classes == ("a", "c")
    assert left.codes.tolist() == [0, 0, -1, 1, 0]
    assert of_weight(target, np.array([0.0, 0, 1, 0, 1])).classes == ()


@pytest.mark.parametrize("y", [None, "none", "nan"])
def test_without_labels_the_classes_are_a_mixture(y):
    x, z = separable(8)
    labels = {"none": [None] * len(x), "nan": np.full(len(x), np.nan)}.get(y)
    model = BayesClassifier("gaussian", n_components=2, random_state=0).fit(x, labels)
    theirs = GaussianMixture(2, covariance_type="diag", n_init=5, reg_covar=0, tol=1e-10, max_iter=500, random_state=0)
    theirs.fit(x)
    assert np.isclose(model.log_likelihoods_.max() / len(x), theirs.score(x), rtol=1e-6)
    assert np.allclose(model.log_evidence(x), theirs.score_samples(x), atol=1e-3)
    assert np.allclose(np.sort(model.class_prior_), np.sort(theirs.weights_), atol=1e-3)
    agreement = (model.predict(x) == z).mean()
    assert max(agreement, 1 - agreement) > 0.93
    assert model.class_prior is None


def test_classes_are_found_in_a_column_of_missing_labels():
    x, _ = separable(9)
    frame = pl.DataFrame({"a": x[:, 0], "b": x[:, 1], "label": [None] * len(x)})
    model = BayesClassifier(n_components=2, random_state=0).fit(frame, "label")
    assert model.n_features_in_ == 2
    assert model.classes_.tolist() == [0, 1]


def test_classes_are_found_among_nominal_columns():
    x, z, _ = rare_levels(1)
    model = BayesClassifier(CategoricalFamily(), n_components=2, random_state=0).fit(x)
    agreement = (model.predict(x) == z).mean()
    assert max(agreement, 1 - agreement) > 0.8
    assert np.isclose(model.class_count_.sum(), len(x))


def test_the_class_prior_of_found_classes():
    x, _ = separable(10)
    model = BayesClassifier(n_components=2, class_prior="uniform", random_state=0).fit(x)
    assert model.class_prior == "uniform"
    assert np.allclose(model.class_prior_, 0.5)
    smooth = BayesClassifier(n_components=2, class_alpha=1e9, random_state=0).fit(x)
    assert np.allclose(smooth.class_prior_, 0.5, atol=1e-6)


def test_labels_come_before_a_number_of_components():
    x, z = separable(0)
    assert np.array_equal(BayesClassifier(n_components=5).fit(x, z).predict(x), BayesClassifier().fit(x, z).predict(x))
    hidden = mostly_hidden(z, 0)
    assert BayesClassifier(n_components=5).fit(x, hidden).classes_.tolist() == np.unique(z).tolist()


@pytest.mark.parametrize("labels", [None, "missing"])
def test_nothing_to_learn_classes_from(labels):
    x, _ = separable(0)
    with pytest.raises(InputError, match=r"(labels|label).*n_components"):
        BayesClassifier().fit(x, None if labels is None else [None] * len(x))


@pytest.mark.parametrize("count", [0, 2.5, "two", True])
def test_a_whole_number_of_classes(count):
    x, _ = separable(0)
    with pytest.raises(InputError, match="n_components must be a whole number"):
        BayesClassifier(n_components=count).fit(x)
    with pytest.raises(InputError, match="n_init must be a whole number"):
        BayesClassifier(n_components=2, n_init=count).fit(x)


def test_a_failing_fit_leaves_nothing_behind():
    x, _ = separable(0)
    model = BayesClassifier(n_components=2, class_prior=[0.3, 0.7], random_state=0).fit(x)
    wrong = [
        (x, np.ones(3)),  # weights of another length
        (np.full((5, 2), np.inf), None),
    ]
    for table, weight in wrong:
        with pytest.raises(InputError):
            model.fit(table, sample_weight=weight)
        assert model.class_prior == [0.3, 0.7]
        assert not model._learned()
    model.set_params(class_prior=[0.2, 0.3, 0.5])
    with pytest.raises(InputError, match="class prior"):
        model.fit(x)
    assert not model.__sklearn_is_fitted__()


@pytest.mark.slow
def test_a_mixture_in_every_class():
    rng = np.random.default_rng(11)
    x = rng.normal(size=(200, 1))
    z = rng.integers(0, 2, 200)
    x[z == 1] += rng.choice([-5.0, 5.0], ((z == 1).sum(), 1))  # around the other class
    model = BayesClassifier(MixtureFamily(GaussianFamily(), 2), n_init=2, random_state=0).fit(x, z)
    assert model.score(x, z) > 0.97
    assert np.diff(model.log_likelihoods_).min() > -1e-6
    y = mostly_hidden(z, 11, known=30)
    assert BayesClassifier(MixtureFamily(GaussianFamily(), 2), n_init=2, random_state=0).fit(x, y).score(x, z) > 0.95


def test_a_mixture_of_found_classes_of_mixtures_is_refused():
    x, _ = separable(0)
    with pytest.raises(InputError, match="mixture of mixtures"):
        BayesClassifier(MixtureFamily(GaussianFamily(), 2), n_components=2).fit(x)


FRAME = pl.DataFrame({"a": [0.0, 1.0, 5.0, 6.0, 2.0, 5.5], "b": list("uuvvuv")})
GAPS = ["x", "x", "y", "y", None, None]


@pytest.mark.parametrize(
    ("model", "X"),
    [
        (NaiveBayes(), FRAME),
        (NaiveBayes(), FRAME.to_pandas()),
        (GaussianBayes("shared"), FRAME["a"].to_numpy()[:, None]),
        (NaiveBayes("multinomial"), csr_array(np.array([[1, 0], [2, 1], [0, 3], [0, 2], [5, 5], [9, 0]]))),
        (TextBayes(), ["aa bb", "aa", "cc", "cc dd", "aa cc", "ee"]),
        (TextBayes("complement"), ["aa bb", "aa", "cc", "cc dd", "aa cc", "ee"]),
        (Calibrated(NaiveBayes(), cv=2), FRAME),
        (Decider(NaiveBayes(), cv=2), FRAME),
    ],
    ids=repr,
)
def test_rows_without_a_label_are_left_out_and_it_is_said(model, X):
    with pytest.warns(UserWarning, match="2 rows without a label are left out"):
        found = clone(model).fit(X, GAPS)
    rows = take(X, np.arange(4))
    without = clone(model).fit(rows, GAPS[:4])
    assert np.array_equal(found.predict_proba(rows), without.predict_proba(rows))
    if hasattr(found, "merge"):
        assert np.array_equal(found.class_count_, [2, 2]) and found.merge(without).class_count_.sum() == 8
        with pytest.warns(UserWarning, match="2 rows without a label are left out"):
            assert found.partial_fit(X, GAPS).class_count_.sum() == 8
    with pytest.raises(InputError, match="every label is missing"):
        clone(model).fit(X, [None] * 6)


TABLES = (
    NaiveBayes, GaussianBayes, DependenceBayes, LogisticRegression, ProportionalOdds, LeastSquaresClassifier,
    FisherDiscriminant, Perceptron, KernelPerceptron, DecisionTree, DecisionForest, BoostedTrees, NearestNeighbors,
    NearestExemplar,
)  # fmt: skip


@pytest.mark.filterwarnings("ignore:.*without a label|.*converge")
@pytest.mark.parametrize("kind", TABLES, ids=lambda kind: kind.__name__)
def test_what_is_left_out_has_no_say_in_anything(kind):
    """Not in cut points, levels, kinds, scales or folds either."""
    rng = np.random.default_rng(0)
    x, known = rng.normal(size=(120, 2)), rng.random(120) < 0.6
    labels = np.where(x[:, 0] + rng.normal(size=120) > 0, "up", "down")
    x[~known] = 1_000 * x[~known] + 0.5
    y = np.where(known, labels, None)
    seeded = {"random_state": 0} if "random_state" in kind().get_params() else {}
    found, without = kind(**seeded).fit(x, y), kind(**seeded).fit(x[known], labels[known])
    assert np.array_equal(found.predict_proba(x), without.predict_proba(x))


def test_weights_stay_with_their_rows_and_em_must_be_asked_for():
    weight = np.array([1.0, 2.0, 0.0, 1.0, 5.0, 1.0])
    with pytest.warns(UserWarning, match="2 rows without a label"):
        found = NaiveBayes().fit(FRAME, GAPS, sample_weight=weight)
    assert found.class_count_.tolist() == [3.0, 1.0]
    with pytest.warns(UserWarning, match="2 rows without a label"):
        held = Calibrated(NaiveBayes(), cv=[([0, 2, 4], [1, 3, 5]), ([1, 3, 5], [0, 2, 4])]).fit(FRAME, GAPS)
    assert held.class_prior_.tolist() == [0.5, 0.5]
    assert NaiveBayes(hidden="em").fit(FRAME, GAPS).class_count_.sum() == pytest.approx(6)
    with pytest.raises(InputError, match="unknown hidden='drop'"):
        NaiveBayes(hidden="drop").fit(FRAME, GAPS)
