"""Counts so large that log-gammas cancel, against arithmetic with 60 digits."""

from decimal import Decimal, getcontext

import numpy as np
import pytest

from likely.distributions.counts.large_counts import LARGE
from likely.distributions.counts.negative_binomial import NegativeBinomial
from likely.distributions.counts.poisson import Poisson

getcontext().prec = 60
PI = Decimal("3.14159265358979323846264338327950288419716939937510582097494")


def log_gamma(z):
    """Stirling's series after moving the argument up by 60."""
    shift = sum(((z + i).ln() for i in range(60)), Decimal(0))
    z = z + 60
    rest = sum((1 / (c * z**p) for c, p in ((12, 1), (-360, 3), (1260, 5), (-1680, 7), (1188, 9))), Decimal(0))
    return (z - Decimal("0.5")) * z.ln() - z + (2 * PI).ln() / 2 + rest - shift


def exact_poisson(x, rate):
    x, rate = Decimal(float(x)), Decimal(float(rate))
    return float(x * rate.ln() - rate - log_gamma(x + 1))


def exact_negative_binomial(x, mean, dispersion):
    x, m, a = Decimal(float(x)), Decimal(float(mean)), 1 / Decimal(float(dispersion))
    rise = log_gamma(a + x) - log_gamma(a) - log_gamma(x + 1)
    return float(rise - a * (1 + m / a).ln() + x * (m / (a + m)).ln())


@pytest.mark.parametrize("rate", [0.5, 1e6, 1e10, 1e14, 1e15])
def test_poisson(rate):
    for away in (-3.0, 0.0, 0.7, 5.0):
        x = np.floor(max(rate, 1e6) + away * np.sqrt(rate))
        fitted, row = Poisson(np.array([[rate]])), np.array([[x]])
        expected = exact_poisson(x, rate)
        assert fitted.log_density(row).item() == pytest.approx(expected, rel=1e-11, abs=1e-7)
        assert fitted.log_density_terms(row).item() == pytest.approx(expected, rel=1e-11, abs=1e-7)


@pytest.mark.parametrize("mean", [3.0, 1e7, 1e12, 1e15])
@pytest.mark.parametrize("dispersion", [1e-20, 1e-12, 1e-3, 1.0, 50.0])
def test_negative_binomial(mean, dispersion):
    deviation = np.sqrt(mean + dispersion * mean**2)
    for away in (-1.0, 0.0, 0.6, 4.0):
        x = np.floor(max(mean + away * deviation, 2e6))
        fitted = NegativeBinomial(np.array([[mean]]), np.array([[dispersion]]))
        expected = exact_negative_binomial(x, mean, dispersion)
        for score in (fitted.log_density, fitted.log_density_terms):
            assert score(np.array([[x]])).item() == pytest.approx(expected, rel=1e-10, abs=1e-7)


def test_the_two_forms_meet():
    x = np.array([[LARGE - 1], [LARGE], [LARGE + 1]])
    for fitted in (Poisson(np.array([[1.001e6]])), NegativeBinomial(np.array([[1.1e6]]), np.array([[0.01]]))):
        score = fitted.log_density(x).ravel()
        assert abs(score[2] - 2 * score[1] + score[0]) < 1e-5


def test_large_and_small_counts_in_one_row_with_missing_cells():
    fitted = Poisson(np.array([[1e12, 2.0, 3.0], [1.1e12, 5.0, 3.0]]))
    x = np.array([[1e12, 4.0, np.nan], [1e300, 1.0, 2.0], [3.0, 1e9, 0.0]])
    terms = fitted.log_density_terms(x)
    assert np.isfinite(terms).all()
    assert np.allclose(terms.sum(axis=1), fitted.log_density(x), rtol=1e-12)
    assert (terms[0, 2] == 0).all()
    silent = Poisson(np.array([[np.nan, 2.0]]))
    assert silent.log_density_terms(np.array([[1e12, 1.0]]))[0, 0, 0] == 0
