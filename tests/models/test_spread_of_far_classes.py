"""What a class varies by is what its own values say, however far away other classes or outliers are."""

import numpy as np
import pytest

from likely import GaussianBayes, NaiveBayes
from likely.distributions import (
    GammaFamily,
    GaussianFamily,
    KernelDensityFamily,
    LogNormalFamily,
    MultivariateGaussianFamily,
)
from likely.statistics import Membership

RNG = np.random.default_rng(4)
LABELS = np.repeat([0, 1], 500)
NOISE = RNG.normal(size=(1000, 2))
COVARIANCES = ("full", "shared", "diagonal", "shared_diagonal", "spherical", "shared_spherical")


def _fitted(family, x):
    return family.estimate(family.summarize(x, Membership.of_labels(LABELS, 2)))


@pytest.mark.parametrize("away", [1e7, 1e9, 1e12])
def test_two_clusters_far_apart(away):
    x = NOISE + away * LABELS[:, None]
    own = np.array([(part - part[0]).var(axis=0) for part in (x[:500], x[500:])])
    assert np.allclose(_fitted(GaussianFamily(), x).variance, own, rtol=1e-9)
    for covariance, expected in (
        ("diagonal", own),
        ("shared_diagonal", own.mean(axis=0)),
        ("spherical", own.mean(axis=1, keepdims=True)),
        ("shared_spherical", own.mean()),
    ):
        assert np.allclose(_fitted(MultivariateGaussianFamily(covariance), x).variance, expected, rtol=1e-9)


@pytest.mark.parametrize("away", [(1e7, 0.0), (1e7, 1e7), (1e7, -3e6), (1e9, 1e9)], ids=str)
@pytest.mark.parametrize("covariance", ["full", "shared"])
def test_covariances_of_clusters_far_apart(away, covariance):
    x = NOISE @ [[1.0, 0.6], [0.0, 0.8]] + LABELS[:, None] * np.array(away)
    parts = [part - part[0] for part in (x[:500], x[500:])]
    own = np.stack([np.cov(part.T, ddof=0) for part in parts])
    found = _fitted(MultivariateGaussianFamily(covariance), x).covariance
    assert np.allclose(found, own if covariance == "full" else own.mean(axis=0), rtol=1e-6, atol=1e-6)


@pytest.mark.parametrize(
    "model", [NaiveBayes("gaussian"), NaiveBayes("kde"), *map(GaussianBayes, ("full", "diagonal"))], ids=repr
)
def test_an_outlier_in_one_class_leaves_the_other_its_spread(model):
    x = NOISE + 3.0 * LABELS[:, None]
    x[0] = 2e7
    density = model.fit(x, LABELS).log_likelihood(x[500:])[:, 1]
    alone = type(model)(**model.get_params()).fit(np.vstack([NOISE[:500], x[500:]]), LABELS)
    expected = alone.log_likelihood(x[500:])[:, 1]
    assert np.allclose(density, expected, rtol=1e-6, atol=1e-6)
    assert model.score(x[500:], LABELS[500:]) > 0.9


def test_other_families_keep_the_spread_of_a_class():
    x = np.abs(NOISE[:, :1]) + 1.0
    far = np.where(LABELS[:, None] == 0, x, x * 1e-3 + 1e7)
    own = far[500:, 0].std()
    for family in (KernelDensityFamily(), GammaFamily(), LogNormalFamily()):
        drawn = _fitted(family, far).sample(np.ones(4000, dtype=np.int64), np.random.default_rng(0))
        assert drawn.std() == pytest.approx(own, rel=0.2), family


def test_values_that_differ_by_rounding_are_equal():
    x = np.where(LABELS == 0, np.where(np.arange(1000) % 2, 0.1 + 0.2, 0.3), NOISE[:, 0])[:, None]
    for family in (GaussianFamily(), MultivariateGaussianFamily("diagonal"), MultivariateGaussianFamily()):
        fitted = _fitted(family, x)
        variance = fitted.covariance[:, 0, 0] if hasattr(fitted, "covariance") else fitted.variance[:, 0]
        assert variance[0] == pytest.approx(x.var() / 501, rel=1e-6)


@pytest.mark.parametrize("covariance", COVARIANCES)
def test_leaving_one_out_of_clusters_far_apart_equals_a_fit_without_it(covariance):
    x = np.ascontiguousarray((NOISE + 1e7 * LABELS[:, None])[470:530])
    y = LABELS[470:530]
    got = GaussianBayes(covariance).out_of_fold(x, y, np.arange(60))
    some = [0, 7, 35]
    for i in some:
        rest = np.arange(60) != i
        expected = GaussianBayes(covariance).fit(x[rest], y[rest]).predict_log_proba(x[i : i + 1])[0]
        assert np.allclose(np.exp(got[i]), np.exp(expected), atol=1e-9)
