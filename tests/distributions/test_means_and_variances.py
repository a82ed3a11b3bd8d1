"""Means and variances that the distributions state, beside SciPy's and closed forms."""

import numpy as np
import pytest
from scipy import stats

from likely.distributions import (
    Bernoulli,
    Categorical,
    ExponentialDistribution,
    GammaDistribution,
    Gaussian,
    Histogram,
    KernelDensity,
    LogNormal,
    MixtureDistribution,
    Multinomial,
    MultivariateGaussian,
    MultivariateStudent,
    NegativeBinomial,
    Poisson,
    Product,
    StudentDistribution,
)
from likely.distributions.amounts.lomax import Lomax
from likely.distributions.counts.polya import Polya
from likely.errors import InputError
from likely.estimation import Beta, Gamma


def one(*values):
    return [np.array([[float(value)]]) for value in values]


@pytest.mark.parametrize(
    "law, peer",
    [
        (Bernoulli(*one(0.3)), stats.bernoulli(0.3)),
        (Poisson(*one(2.5)), stats.poisson(2.5)),
        (NegativeBinomial(*one(4.0, 0.5)), stats.nbinom(2.0, 1 / 3)),
        (ExponentialDistribution(*one(0.2)), stats.expon(scale=5.0)),
        (GammaDistribution(*one(6.0, 3.0)), stats.gamma(3.0, scale=2.0)),
        (Gaussian(*one(-1.0, 4.0)), stats.norm(-1.0, 2.0)),
        (LogNormal(Gaussian(*one(0.3, 0.5))), stats.lognorm(np.sqrt(0.5), scale=np.exp(0.3))),
        (StudentDistribution(*one(1.0, 2.0, 5.0)), stats.t(5.0, 1.0, 2.0)),
        (StudentDistribution(*one(1.0, 2.0, 1.5)), stats.t(1.5, 1.0, 2.0)),
        (Lomax(*one(3.5, 2.0)), stats.lomax(3.5, scale=2.0)),
        (Lomax(*one(1.5, 2.0)), stats.lomax(1.5, scale=2.0)),
        (Beta(3, 2).predictive, stats.bernoulli(0.6)),
        (Gamma(14, 4).predictive, stats.nbinom(14, 4 / 5)),
    ],
    ids=lambda value: type(value).__name__,
)
def test_moments_are_scipys(law, peer):
    assert np.allclose(np.ravel(law.mean), peer.mean(), rtol=1e-12)
    assert np.allclose(np.ravel(law.variance), peer.var(), rtol=1e-12)


def test_a_tail_without_a_mean_says_so():
    assert np.isposinf(Lomax(*one(1.0, 2.0)).mean) and np.isposinf(Lomax(*one(1.0, 2.0)).variance)
    heavy = LogNormal(StudentDistribution(*one(0.0, 1.0, 30.0)))
    assert np.isposinf(heavy.mean) and np.isposinf(heavy.variance)
    assert np.isnan(Poisson(np.array([[np.nan]])).mean)


def test_counts_of_a_known_number_are_multinomial():
    p = np.array([[0.4, 0.3, 0.3]])
    law = Multinomial(p, mean_length=np.array([10.0]))
    peer = stats.multinomial(10, p[0])
    assert np.allclose(law.mean[0], peer.mean()) and np.allclose(law.covariance(10)[0], peer.cov())
    # of a number that is Poisson: the law of total variance, within and between the numbers
    assert np.allclose(law.variance[0], np.diag(peer.cov()) + 10 * p[0] ** 2)
    with pytest.raises(InputError, match="not negative"):
        law.covariance(-1)


def test_counts_of_polya_spread_more():
    a, length = np.array([[2.0, 1.0, 5.0]]), 6.0
    law = Polya(a, mean_length=np.array([length]))
    numbers = np.arange(60)
    chance = stats.poisson(length).pmf(numbers)
    peers = [stats.dirichlet_multinomial(a[0], int(n)) for n in numbers[1:]]
    means = np.array([np.zeros(3), *[peer.mean() for peer in peers]])
    within = np.array([np.zeros(3), *[peer.var() for peer in peers]])
    mean = chance @ means
    assert np.allclose(law.mean[0], mean)
    assert np.allclose(law.variance[0], chance @ within + chance @ (means - mean) ** 2)


def test_bins_vary_within_and_between():
    law = Histogram((np.array([0.0, 1.0, 3.0]),), np.log([[0.25, 0.75]]))
    peer = stats.rv_histogram((np.array([0.25, 0.75]), np.array([0.0, 1.0, 3.0])), density=False)
    assert law.mean.item() == pytest.approx(peer.mean()) and law.variance.item() == pytest.approx(peer.var())
    far = Histogram((np.array([0.0, 1.0, 3.0]) + 1e8,), np.log([[0.25, 0.75]]))
    assert far.variance.item() == pytest.approx(law.variance.item(), rel=1e-12)


@pytest.mark.parametrize("bounds", [(-np.inf, np.inf), (0, np.inf), (-np.inf, 2.5), (0.0, 2.5), (0.0, 2.0)])
@pytest.mark.parametrize("width", [0.01, 0.7, 5.0, 50.0])
def test_kernels_are_reflected_at_the_bounds(bounds, width):
    points, share = np.array([0.0, 0.5, 2.0]), np.array([0.2, 0.5, 0.3])
    law = KernelDensity(points, share, np.array([0, 3]), np.array([[width]]), np.array([[3.0]]), bounds)
    low, high = np.maximum(bounds[0], -9 * width - 1), np.minimum(bounds[1], 9 * width + 3)
    x, step = np.linspace(low, high, 40_001, retstep=True)
    density = np.exp(law.log_density(x[:, None])[:, 0])
    weight = np.full(len(x), step)
    weight[[0, -1]] /= 2
    assert weight @ density == pytest.approx(1, abs=1e-5)
    mean = weight @ (density * x)
    assert law.mean.item() == pytest.approx(mean, abs=2e-4 * (1 + width))
    assert law.variance.item() == pytest.approx(weight @ (density * (x - mean) ** 2), rel=5e-4)


def test_mixtures_vary_within_and_between():
    weights, parts = np.array([[0.25, 0.75]]), Gaussian(np.array([[0.0], [4.0]]), np.array([[1.0], [2.0]]))
    law = MixtureDistribution(weights, parts)
    assert law.mean.item() == 3.0
    assert law.variance.item() == pytest.approx(0.25 * (1 + 9) + 0.75 * (2 + 1))
    both = MixtureDistribution(weights, MultivariateGaussian.of(np.array([[0.0, 1], [4, 1]]), np.diag([1.0, 2])))
    assert np.allclose(both.mean, [[3, 1]]) and np.allclose(both.variance, [[1 + 3, 2]])


def test_vectors_and_products():
    covariance = np.array([[4.0, 1.2], [1.2, 1.0]])
    assert np.allclose(MultivariateGaussian.of([0.0, 1.0], covariance).variance, [[4, 1]])
    student = MultivariateStudent.of(np.array([[0.0, 1.0]]), covariance, np.array([6.0]))
    assert np.allclose(student.variance, [[6, 1.5]])
    both = Product((Poisson(*one(2.0)), Categorical.of({"a": 0.25, "b": 0.75})))
    assert [part.tolist() for part in both.mean] == [[[2.0]], [[0.25, 0.75]]]
    assert [part.tolist() for part in both.variance] == [[[2.0]], [[0.1875, 0.1875]]]
    with pytest.raises(InputError, match="has no mean"):
        _ = Product((both,)).parts and Product((object(),)).mean


@pytest.mark.parametrize("freedom", [None, 4.0])
def test_a_single_point_is_a_vector(freedom):
    mean, covariance = np.array([[1.0, -1.0], [0.0, 0.0]]), np.array([[1.0, 1.2], [1.2, 4.0]])
    law = (
        MultivariateGaussian.of(mean, covariance)
        if freedom is None
        else MultivariateStudent.of(mean, covariance, np.full(2, freedom))
    )
    point = [1.5, 0.2]
    assert np.array_equal(law.log_density(point), law.log_density(np.array([point]))[0])
    for wrong in ([1.0], [1.0, 2.0, 3.0], [[1.0], [2.0]], np.zeros((1, 1, 2)), 1.0):
        with pytest.raises(InputError):
            law.log_density(wrong)


def test_a_table_of_levels_is_made_from_probabilities():
    table = Categorical.of({"sun": [0.7, 0.2], "rain": [0.3, 0.8]}, {1: [0.5, 0.1], "x": [0.5, 0.9]})
    rows = [["sun", 1], ["rain", "x"], [None, 1], ["snow", "x"]]
    found = np.exp(table.log_density(table.codes(rows)))
    assert np.allclose(found, [[0.35, 0.02], [0.15, 0.72], [0.5, 0.1], [0.5, 0.9]])
    assert table.members == 2 and table.probability(0)["rain"].tolist() == pytest.approx([0.3, 0.8])
    drawn = table.sample(np.repeat([0, 1], 4000), np.random.default_rng(0))
    assert np.mean(drawn.x[4000:, 1] == 0) == pytest.approx(0.1, abs=0.02)
    for call, message in (
        (lambda: Categorical.of({"a": 0.5, "b": 0.4}), "member 0 sum to 0.9"),
        (lambda: Categorical.of({"a": -0.5, "b": 1.5}), "from 0 to 1"),
        (lambda: Categorical.of({"a": [0.5, 0.5], "b": 0.5}), "as many as there are members"),
        (lambda: Categorical.of({"a": 1.0}, {"b": [1.0, 1.0]}), r"\[1, 2\] members"),
        (lambda: Categorical.of([0.5, 0.5]), "mapping"),
        (lambda: table.codes([["sun"]]), "2 columns"),
    ):
        with pytest.raises(InputError, match=message):
            call()
