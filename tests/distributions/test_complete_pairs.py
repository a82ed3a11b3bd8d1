"""Covariances from the pairs of cells that are complete: the truth with many rows, positive definite with few."""

import numpy as np
import pytest

from likely import GaussianBayes
from likely.distributions import MultivariateGaussianFamily
from likely.numeric.linear.covariance import correlation, is_positive_definite
from likely.statistics import Membership


def _correlations(x, covariance="full"):
    family = MultivariateGaussianFamily(covariance)
    return correlation(family.estimate(family.summarize(x, Membership.whole(len(x)))).covariance[0])


def _with_gaps(x, share, seed):
    return np.where(np.random.default_rng(seed).random(x.shape) < share, np.nan, x)


@pytest.mark.parametrize("covariance", ["full", "shared"])
@pytest.mark.parametrize("truth", [0.5, 0.9, 0.99, -0.9])
def test_many_rows_give_the_truth_however_many_cells_are_missing(truth, covariance):
    x = np.random.default_rng(1).multivariate_normal([3, -2], [[1, truth], [truth, 1]], 100_000)
    assert _correlations(_with_gaps(x, 0.3, 2), covariance)[0, 1] == pytest.approx(truth, abs=0.006)


def test_pairs_that_are_positive_definite_are_taken_as_they_are():
    x = np.random.default_rng(3).multivariate_normal([0, 0, 0], [[1, 0.8, 0.3], [0.8, 1, 0], [0.3, 0, 1]], 4000)
    x = _with_gaps(x, 0.25, 4)
    sums = MultivariateGaussianFamily().summarize(x, Membership.whole(len(x)))
    pairs = sums.deviations[0] / sums.count[0]
    assert np.allclose(_correlations(x), correlation(pairs), rtol=0, atol=1e-12)


def test_posteriors_are_nearly_as_good_as_without_gaps():
    rng = np.random.default_rng(5)
    y = rng.integers(0, 2, 20_000)
    tight = rng.multivariate_normal([0, 0], [[1, 0.9], [0.9, 1]], len(y))
    x = np.where(y[:, None] == 0, tight, rng.multivariate_normal([0.5, -0.5], [[1, -0.2], [-0.2, 1]], len(y)))

    def log_loss(rows):
        posterior = GaussianBayes().fit(rows, y).predict_proba(x)
        return -np.log(posterior[np.arange(len(y)), y]).mean()

    assert log_loss(_with_gaps(x, 0.3, 6)) < log_loss(x) + 0.004


@pytest.mark.parametrize("n", [6, 12, 30, 100])
@pytest.mark.parametrize("share", [0.1, 0.3, 0.6])
def test_few_rows_stay_positive_definite(n, share):
    rng = np.random.default_rng(n)
    x = rng.normal(size=(n, 2)) @ rng.normal(size=(2, 4)) + 0.01 * rng.normal(size=(n, 4))
    found = _correlations(_with_gaps(x, share, 7))
    assert is_positive_definite(found)
    assert (np.abs(found) <= 1 + 1e-12).all()


def test_pairs_that_contradict_each_other_are_mended():
    rng = np.random.default_rng(8)
    common = rng.normal(size=3000)
    x = common[:, None] + 0.1 * rng.normal(size=(3000, 3))
    x[:1000, 2], x[1000:2000, 1], x[2000:, 0] = np.nan, np.nan, np.nan
    x[2000:, 2] *= -1  # columns 1 and 2 agree with column 0, and are opposites where they meet
    found = _correlations(x)
    assert is_positive_definite(found)
    assert np.sign(found)[[0, 0, 1], [1, 2, 2]].tolist() == [1, 1, -1]
