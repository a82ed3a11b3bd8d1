"""The E step of Gaussian vectors in one pass gives what its steps give."""

import numpy as np
import pytest

from likely.distributions import MultivariateGaussian, MultivariateGaussianFamily
from likely.distributions.vectors.capabilities.sharing import shared_scatter
from likely.numeric.logspace import share_out
from likely.statistics import Membership


def given(d, members=5, far=0.0, rows=301):
    """Rows about the members of a mixture, a log prior with an empty member, and weights."""
    rng = np.random.default_rng(d)
    mean = rng.normal(size=(members, d)) * 3 + far * np.arange(members)[:, None]
    root = rng.normal(size=(members, d, d))
    covariance = root @ root.transpose(0, 2, 1) + 0.1 * np.eye(d)
    x = mean[rng.integers(members, size=rows)] + rng.normal(size=(rows, d))
    log_prior = np.log(np.arange(members) / np.arange(members).sum(), where=np.arange(members) > 0,
                       out=np.full(members, -np.inf))  # fmt: skip
    return x, rng.uniform(0.1, 2, rows), mean, covariance, log_prior


@pytest.mark.parametrize("d", [1, 2, 5, 12])
@pytest.mark.parametrize("shared", [False, True])
def test_one_pass_and_its_steps_agree(d, shared):
    x, weight, mean, covariance, log_prior = given(d)
    current = MultivariateGaussian.of(mean, covariance[0] if shared else covariance)
    statistic, reached = shared_scatter(x, weight, current, log_prior)
    shares = current.log_density(x)
    evidence = share_out(shares, log_prior)
    steps = MultivariateGaussianFamily().summarize(x, Membership.of_shares(shares * weight[:, None]))
    assert reached == pytest.approx(weight @ evidence, rel=1e-13)
    assert statistic.weight == pytest.approx(steps.weight, rel=1e-12, abs=1e-300)
    some = steps.weight > 0
    assert statistic.mean[some] == pytest.approx(steps.mean[some], rel=1e-10, abs=1e-10)
    assert statistic.deviations[some] == pytest.approx(steps.deviations[some], rel=1e-9, abs=1e-9)


def test_what_takes_more_care_is_left_to_the_steps():
    x, weight, mean, covariance, log_prior = given(3)
    current = MultivariateGaussian.of(mean, covariance)
    assert shared_scatter(np.where(x == x[7, 1], np.nan, x), weight, current, log_prior) is None
    assert shared_scatter(np.where(x == x[7, 1], 1e120, x), weight, current, log_prior) is None
    apart = MultivariateGaussian.of(given(3, far=1e6)[2], covariance)
    assert shared_scatter(x, weight, apart, log_prior) is None
    flat = covariance.copy()
    flat[:, 1] = flat[:, :, 1] = 0.0
    assert shared_scatter(x, weight, MultivariateGaussian.of(mean, flat), log_prior) is None
    x, weight, mean, covariance, log_prior = given(25)
    assert shared_scatter(x, weight, MultivariateGaussian.of(mean, covariance), log_prior) is None
