"""Where scikit-learn has the same model, the posteriors are the same."""

import numpy as np
import pytest
from scipy.sparse import csr_array, csr_matrix
from sklearn import datasets
from sklearn.discriminant_analysis import LinearDiscriminantAnalysis, QuadraticDiscriminantAnalysis
from sklearn.naive_bayes import BernoulliNB, CategoricalNB, GaussianNB, MultinomialNB
from sklearn.neighbors import NearestCentroid

from likely import BayesClassifier, GaussianBayes, NaiveBayes

LOADERS = {
    "iris": datasets.load_iris,
    "wine": datasets.load_wine,
    "breast_cancer": datasets.load_breast_cancer,
    "digits": datasets.load_digits,
}


def _load(name):
    X, y = LOADERS[name](return_X_y=True)
    return X, y


@pytest.mark.parametrize("name", ["iris", "wine", "breast_cancer"])
def test_gaussian_naive_bayes(name):
    X, y = _load(name)
    peer = GaussianNB(var_smoothing=0).fit(X, y)
    for model in (NaiveBayes(), GaussianBayes("diagonal"), BayesClassifier("gaussian")):
        model.fit(X, y)
        assert np.abs(model.predict_proba(X) - peer.predict_proba(X)).max() < 1e-10
        assert np.allclose(model.predict_log_proba(X), peer.predict_log_proba(X), rtol=1e-10, atol=1e-9)


def test_weighted_gaussian_naive_bayes():
    X, y = _load("wine")
    weight = np.random.default_rng(0).uniform(0.1, 3, len(y))
    peer = GaussianNB(var_smoothing=0).fit(X, y, sample_weight=weight)
    model = NaiveBayes().fit(X, y, sample_weight=weight)
    assert np.abs(model.predict_proba(X) - peer.predict_proba(X)).max() < 1e-10


@pytest.mark.parametrize("alpha", [1.0, 0.3])
def test_categorical(alpha):
    rng = np.random.default_rng(1)
    X, y = rng.integers(0, 6, (400, 8)), rng.integers(0, 3, 400)
    X[:, 0] = (X[:, 0] + y) % 6
    peer = CategoricalNB(alpha=alpha).fit(X, y)
    for table in (X, X.astype(float), X.astype(str).astype(object)):
        model = NaiveBayes("categorical", alpha=alpha).fit(table, y)
        assert np.abs(model.predict_proba(table) - peer.predict_proba(X)).max() < 1e-10


@pytest.mark.parametrize("alpha", [1.0, 0.3])
def test_bernoulli_and_multinomial(alpha):
    import scipy.sparse

    rng = np.random.default_rng(2)
    y = rng.integers(0, 3, 300)
    counts = rng.poisson(0.5 + 0.5 * rng.random((3, 20))[y])
    bits = (counts > 0).astype(int)
    for kind, peer, X in [("multinomial", MultinomialNB, counts), ("bernoulli", BernoulliNB, bits)]:
        expected = peer(alpha=alpha).fit(X, y).predict_proba(X)
        for table in (X, scipy.sparse.csr_array(X.astype(float))):
            model = NaiveBayes(kind, alpha=alpha).fit(table, y)
            assert np.abs(model.predict_proba(table) - expected).max() < 1e-10


@pytest.mark.parametrize("name", list(LOADERS))
def test_shared_covariance_is_linear_discriminant_analysis(name):
    X, y = _load(name)
    peer = LinearDiscriminantAnalysis(solver="lsqr").fit(X, y)
    model = GaussianBayes("shared").fit(X, y)
    assert np.abs(model.predict_proba(X) - peer.predict_proba(X)).max() < 1e-8
    assert (model.predict(X) == peer.predict(X)).all()


@pytest.mark.parametrize("name", list(LOADERS))
def test_full_covariance_is_quadratic_discriminant_analysis(name):
    X, y = _load(name)
    if name == "digits":
        # Most pixels are constant within some digit, where the peer refuses; it answers on full-rank data.
        X = X + np.random.default_rng(0).normal(scale=1.0, size=X.shape)
    peer = QuadraticDiscriminantAnalysis(tol=1e-14).fit(X, y)  # its tol is a variance in the data's own units
    model = GaussianBayes("full").fit(X, y)
    assert np.abs(model.predict_proba(X) - peer.predict_proba(X)).max() < 1e-8


def test_full_covariance_answers_on_rank_deficient_digits():
    X, y = _load("digits")
    with pytest.raises(np.linalg.LinAlgError):
        QuadraticDiscriminantAnalysis().fit(X, y)
    train = np.arange(len(y)) % 2 == 0
    model = GaussianBayes("full").fit(X[train], y[train])
    assert model.score(X[~train], y[~train]) > 0.9


def test_shared_spherical_is_nearest_mean():
    X, y = _load("wine")
    model = GaussianBayes("shared_spherical", class_prior="uniform").fit(X, y)
    assert (model.predict(X) == NearestCentroid().fit(X, y).predict(X)).all()


def test_linear_discriminants_as_in_the_peer():
    X, y = _load("iris")
    peer = LinearDiscriminantAnalysis(solver="lsqr").fit(X, y)
    model = GaussianBayes("shared").fit(X, y)
    # both up to a function common to all classes
    assert np.allclose(model.coef_ - model.coef_[0], peer.coef_ - peer.coef_[0], atol=1e-8)
    assert np.allclose(model.intercept_ - model.intercept_[0], peer.intercept_ - peer.intercept_[0], atol=1e-7)
    with pytest.raises(AttributeError):
        GaussianBayes("full").fit(X, y).coef_


def test_counts_of_words_are_multinomial_without_being_told():
    rng = np.random.default_rng(0)
    y = rng.integers(0, 3, 120)
    share = rng.dirichlet(np.full(60, 0.3), 3)
    words = np.array([rng.multinomial(25, share[c]) for c in y])
    words[:, 0] += 2  # a word that every text has
    for table in (csr_matrix(words), csr_array(words.astype(float))):
        model, peer = NaiveBayes().fit(table, y), MultinomialNB().fit(table, y)
        assert set(model.kinds_.values()) == {"multinomial"}
        assert np.allclose(model.predict_proba(table), peer.predict_proba(table), rtol=1e-9, atol=1e-12)
    levels_and_age = csr_array(np.column_stack([rng.integers(0, 2, (120, 4)), rng.integers(18, 90, 120)]).astype(float))
    assert [*NaiveBayes().fit(levels_and_age, y).kinds_.values()] == ["binary"] * 4 + ["numeric"]
    assert set(NaiveBayes("poisson").fit(csr_matrix(words), y).kinds_.values()) == {"poisson"}
