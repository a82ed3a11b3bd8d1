"""Predictions of a new value against SciPy's distributions."""

import numpy as np
import pytest
from scipy import stats

from likely.errors import InputError
from likely.estimation import (
    Beta,
    Dirichlet,
    Gamma,
    NormalInverseGamma,
    NormalInverseWishart,
    Predictive,
    PredictiveLevel,
    StudentT,
)


@pytest.mark.parametrize(("shape", "rate"), [(0.3, 2.0), (14.0, 4.0), (900.0, 0.5), (2.0, 1e-3)])
def test_counts_are_those_of_a_negative_binomial(shape, rate):
    new, theirs = Gamma(shape, rate).predictive, stats.nbinom(shape, rate / (1 + rate))
    assert new.mean == pytest.approx(theirs.mean())
    for confidence in (0.5, 0.9, 0.999):
        assert new.interval(confidence) == theirs.interval(confidence)
    for k in (0, 1, 5, 1000):
        assert new.probability(above=k) == pytest.approx(theirs.sf(k), rel=1e-9)
        assert new.probability(below=k) == pytest.approx(theirs.cdf(k - 1), rel=1e-9)
        assert new.probability(below=k + 0.5) == pytest.approx(theirs.cdf(k), rel=1e-9)
        assert new.probability(above=k, below=k + 2) == pytest.approx(theirs.pmf(k + 1), rel=1e-6, abs=1e-12)
    assert new.probability(above=-1) == 1 and new.probability(below=0) == 0
    assert new.density(3) == pytest.approx(theirs.pmf(3)) and isinstance(new.density(3), float)
    np.testing.assert_allclose(new.log_density([0, 2]), theirs.logpmf([0, 2]))
    assert new.quantile([0.0, 0.3]).tolist() == [0.0, theirs.ppf(0.3)] and new.quantile(1) == np.inf


def test_waiting_times_are_those_of_lomax():
    new, theirs = Gamma(3, 2, "exponential").predictive, stats.lomax(3, scale=2)
    assert new.interval(0.9) == pytest.approx(theirs.interval(0.9))
    assert new.probability(above=1, below=4) == pytest.approx(theirs.cdf(4) - theirs.cdf(1))
    assert new.probability(above=1e30) == pytest.approx(theirs.sf(1e30)) and new.mean == pytest.approx(1.0)
    np.testing.assert_allclose(new.quantile([0, 0.25, 1 - 1e-9]), theirs.ppf([0, 0.25, 1 - 1e-9]), rtol=1e-7)
    assert Gamma(1, 2, "exponential").predictive.mean == np.inf
    drawn = new.sample(2000, random_state=1)
    assert drawn.shape == (2000,) and stats.kstest(drawn, theirs.cdf).pvalue > 0.01


def test_trials():
    new = Beta(3, 1).predictive
    assert isinstance(new, Predictive) and new.mean == 0.75
    assert (new.probability(above=0), new.probability(below=1), new.probability(above=1)) == (0.75, 0.25, 0)
    assert new.interval(0.9) == (0, 1) and new.quantile([0.2, 0.3]).tolist() == [0, 1]
    assert set(new.sample(50, random_state=0)) == {0.0, 1.0}
    assert new.density([0.5, -1, 2, np.inf]).tolist() == [0, 0, 0, 0] and np.isnan(new.density(np.nan))
    assert Gamma(2, 3).predictive.log_density([-1, 1.5]).tolist() == [-np.inf, -np.inf]
    assert Gamma(2, 3, "exponential").predictive.density(-0.5) == 0


def test_numbers_have_student_s_t():
    belief = NormalInverseGamma(9.0, 2, 1, 1)
    new, theirs = belief.predictive, stats.t(2, 9, np.sqrt(1.5))
    assert isinstance(new, StudentT) and isinstance(new.log_density(9.0), float)
    assert new.log_density(9.0) == pytest.approx(theirs.logpdf(9.0))
    np.testing.assert_allclose(new.log_density([8, 10]), theirs.logpdf([8, 10]))
    assert new.interval(0.9) == pytest.approx(theirs.interval(0.9))
    assert new.probability(above=10) == pytest.approx(theirs.sf(10)) and new.sample(3, 0).shape == (3,)


def test_rows_have_student_s_t_of_vectors():
    belief = NormalInverseWishart([1, 2], 2, 5, [[3, 1], [1, 2]])
    new, theirs = belief.predictive, stats.multivariate_t([1, 2], np.array([[3, 1], [1, 2]]) / 4 * 1.5, 4)
    assert new.log_density([0, 1]) == pytest.approx(theirs.logpdf([0, 1]))
    assert new.density([[0, 1], [1, 1]]) == pytest.approx(theirs.pdf([[0, 1], [1, 1]]))
    assert new.sample(3, random_state=0).shape == (3, 2) and new.freedom == 4
    assert new.interval(0.9)[1] == pytest.approx(stats.t(4, 2, np.sqrt(0.75)).interval(0.9))
    np.testing.assert_allclose(belief.marginal(1).predictive.interval(0.9), new.interval(0.9)[1])
    np.testing.assert_allclose(new.covariance, theirs.shape * 2)
    with pytest.raises(InputError, match="none at 2"):
        new.marginal(2)


def test_levels():
    new = Dirichlet([2, 1, 5], levels=("a", 1, None)).predictive
    assert isinstance(new, PredictiveLevel) and new.probabilities == pytest.approx({"a": 0.25, 1: 0.125, None: 0.625})
    assert new.density(1) == pytest.approx(0.125) and new.density(["a", None]) == pytest.approx([0.25, 0.625])
    assert new.log_density(np.array(["a"])).shape == (1,)
    assert set(new.sample(200, random_state=0)) == {"a", 1, None}
    assert set(Dirichlet([1, 1]).predictive.sample(50, random_state=0)) == {0, 1}
    for unknown in ("b", ["a", "b"], [["a"]]):
        with pytest.raises(InputError, match="no level"):
            new.density(unknown)


@pytest.mark.parametrize("wrong", [1.5, -0.1, "a", np.nan])
def test_quantiles_of_probabilities_only(wrong):
    with pytest.raises(InputError):
        Gamma(1, 1).predictive.quantile(wrong)
    with pytest.raises(InputError):
        Gamma(1, 1).quantile([0.5, wrong])
