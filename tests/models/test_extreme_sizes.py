"""Values and weights too large or too small to be computed with are answered rightly or refused, never in silence."""

import numpy as np
import pytest

import likely
from likely import PCA, GaussianBayes, Hierarchy, KMeans, LikelyError, NaiveBayes, TextBayes
from likely.errors import InputError

RNG = np.random.default_rng(0)
Y = np.repeat([0, 1], 30)
X = np.abs(RNG.normal(size=(60, 2)) + 3 * Y[:, None]) + 0.1
COUNTS = np.round(3 * X)
AMOUNTS = ("gaussian", "log_normal", "gamma", "exponential", "histogram", "kde")
COUNTED = ("poisson", "bernoulli", "categorical", "multinomial", "negative_binomial")
MODELS = (
    *((NaiveBayes(kind), X) for kind in AMOUNTS),
    *((NaiveBayes(kind), (COUNTS > 5) * 1.0 if kind == "bernoulli" else COUNTS) for kind in COUNTED),
    *((GaussianBayes(shape), X) for shape in ("full", "shared", "diagonal", "shared_spherical")),
    (TextBayes(), np.where(Y == 1, "red dog", "blue cat")),
    (TextBayes(model="bernoulli"), np.where(Y == 1, "red dog", "blue cat")),
)


def _right_or_refused(model, x, weight=None):
    """Whether the model learned; then its posteriors are numbers and as right as those of ordinary rows."""
    usual = type(model)(**model.get_params()).fit(X, Y).score(X, Y)
    try:
        posterior = model.fit(x, Y, sample_weight=weight).predict_proba(x)
    except LikelyError as error:
        assert "multiply" in str(error) or "rescale" in str(error) or "divide" in str(error)
        return False
    assert np.allclose(posterior.sum(axis=1), 1)
    assert (posterior.argmax(axis=1) == Y).mean() > usual - 0.05
    return True


@pytest.mark.parametrize("size", [1e-200, 1e-140, 1e140, 1e200, 1e305])
@pytest.mark.parametrize("model", [model for model, x in MODELS if x is X], ids=repr)
def test_values_of_any_size(model, size):
    learned = _right_or_refused(model, X * size)
    assert learned or not 1e-150 < size < 1e150


@pytest.mark.parametrize("weight", [1e-300, 1e-90, 1e-6, 1e90, 1e300, 1e308])
@pytest.mark.parametrize(("model", "x"), MODELS, ids=lambda part: repr(part) if hasattr(part, "fit") else "")
def test_weights_of_any_size(model, x, weight):
    weights = np.full(60, weight)
    if 1e-100 < weight < 1e100:  # a prior may outweigh, or be outweighed by, such rows
        assert np.allclose(model.fit(x, Y, sample_weight=weights).predict_proba(x).sum(axis=1), 1)
    else:
        with pytest.raises(LikelyError, match="divide all weights"):
            model.fit(x, Y, sample_weight=weights)


def test_a_row_of_no_weight_to_speak_of_is_no_mistake():
    weight = np.ones(60)
    weight[3] = 1e-300
    assert _right_or_refused(NaiveBayes("gaussian"), X, weight)


def test_large_weights_of_large_values_are_refused():
    with pytest.raises(LikelyError, match="too large"):
        NaiveBayes("gaussian").fit(X * 1e140, Y, sample_weight=np.full(60, 1e90))


SQUARING = (
    "LogisticRegression", "LeastSquaresClassifier", "FisherDiscriminant", "Perceptron", "KernelPerceptron",
    "NeuralNetwork", "NearestNeighbors", "NearestExemplar", "InstanceLearner", "KMeans", "PCA",
)  # fmt: skip


@pytest.mark.parametrize("name", SQUARING)
def test_numbers_too_small_to_be_squared_are_refused_by_every_model_that_squares_them(name):
    kind = getattr(likely, name)
    with pytest.raises(LikelyError, match="multiply the column by a large number"):
        kind(2).fit(X * 1e-200) if name in ("KMeans", "PCA") else kind().fit(X * 1e-200, Y)


@pytest.mark.parametrize("name", ["DecisionTree", "DecisionForest", "BoostedTrees", "DependenceBayes"])
def test_models_that_only_compare_numbers_learn_from_any(name):
    assert (getattr(likely, name)().fit(X * 1e-200, Y).predict(X * 1e-200) == Y).mean() > 0.9


@pytest.mark.parametrize("model", [NaiveBayes(), GaussianBayes("diagonal"), GaussianBayes("spherical")], ids=repr)
@pytest.mark.parametrize("size", [1e100, 1e155, 1e200, 1.7e308])
def test_a_row_however_far_is_of_the_wider_class(model, size):
    rng = np.random.default_rng(0)
    fitted = model.fit(np.concatenate([rng.normal(0, 1, (40, 2)), rng.normal(6, 1.5, (40, 2))]), np.repeat([0, 1], 40))
    far = np.array([[size, 0.0], [-size, size], [np.nan, size]])
    assert fitted.predict_proba(far)[:, 1].tolist() == [1.0, 1.0, 1.0]
    assert np.isfinite(fitted.log_likelihood(far)).all()
    assert np.allclose(fitted.evidence(far).log2_odds, -fitted.evidence(far, for_class=0).log2_odds)


@pytest.mark.parametrize("scale", [1e-200, 1e-310, 1e200])
@pytest.mark.parametrize("model", [KMeans(2), PCA(1), PCA(1, solver="randomized"), Hierarchy("ward")], ids=repr)
def test_distances_beyond_the_range_of_numbers_are_refused_in_words(model, scale):
    rows = np.random.default_rng(0).normal(size=(20, 2)) * scale
    with pytest.raises(InputError, match=r"too large to be squared|multiply the column by a large number"):
        model.fit(rows)


def test_components_and_clusters_near_the_ends_of_the_range():
    rng = np.random.default_rng(0)
    x = np.concatenate([rng.normal(size=(30, 3)), rng.normal(size=(30, 3)) + 8])
    plain, labels = PCA(2).fit(x), KMeans(2, random_state=0).fit(x).labels_
    for scale in (1e-150, 1e150):
        found = PCA(2).fit(x * scale)
        assert np.allclose(found.explained_variance_ratio_, plain.explained_variance_ratio_)
        shares = [(each.low, each.high) for each in found.share_intervals()]
        assert np.allclose(shares, [(each.low, each.high) for each in plain.share_intervals()], atol=0.01)
        assert np.array_equal(KMeans(2, random_state=0).fit(x * scale).labels_, labels)
