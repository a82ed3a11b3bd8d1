"""When the nearest mean is the best rule."""

import numpy as np
import pytest

from likely import GaussianBayes, NaiveBayes
from likely.decisions import Population, nearest_mean
from likely.distributions import MultivariateGaussian
from likely.errors import InputError, LikelyError
from likely.estimation import mean_given_covariance

MEANS = np.array([[0.0, 0.0], [2.0, 1.0]])
TILTED = np.array([[1.0, 0.8], [0.8, 1.0]])


def population(covariance, prior=None):
    return Population.of(MultivariateGaussian.of(MEANS, covariance), prior)


@pytest.mark.parametrize(
    ("covariance", "prior", "optimal", "whitened", "reason"),
    [
        (2.5 * np.eye(2), None, True, True, None),
        (TILTED, None, False, True, "correlated"),
        (np.diag([1.0, 9.0]), None, False, True, "between the features"),
        (np.array([np.eye(2), 4 * np.eye(2)]), None, False, False, "between the classes"),
        (np.eye(2), [0.9, 0.1], False, False, "priors"),
    ],
)
def test_the_conditions_and_the_loss_agree(covariance, prior, optimal, whitened, reason):
    found = nearest_mean(population(covariance, prior))
    assert (found.optimal, found.after_whitening) == (optimal, whitened)
    assert (found.shortfall < 1e-9) == optimal and (found.shortfall_whitened < 1e-9) == whitened
    assert reason is None or any(reason in text for text in found.reasons)
    assert ("is the best rule" in str(found)) == whitened


def test_a_fitted_model_is_asked_as_if_it_were_true():
    X, y = population(TILTED).sample(2000, random_state=0)
    full = nearest_mean(GaussianBayes("full").fit(X, y))
    assert not full.optimal and full.shortfall > 10 * full.shortfall_whitened
    exact = nearest_mean(GaussianBayes("shared_spherical", class_prior="uniform").fit(X, y))
    assert exact.optimal and exact.reasons == ()
    with pytest.raises(InputError, match="Gaussian"):
        nearest_mean(NaiveBayes("kde").fit(X, y))


def test_the_mean_is_nearest_whatever_the_covariance():
    rng = np.random.default_rng(0)
    rows = rng.normal(size=(30, 2))
    for covariance in (np.eye(2), TILTED):
        found = mean_given_covariance(rows, covariance)
        np.testing.assert_allclose(found.mean, rows.mean(axis=0))
        away = np.array([0.3, -0.2])
        added = 30 * away @ np.linalg.inv(covariance) @ away
        assert found.total_at(found.mean + away) - found.total == pytest.approx(added)
        np.testing.assert_allclose(found.covariance, covariance / 30)
    for wrong, covariance in (([[1, 2]], np.eye(3)), ([[1, np.nan]], np.eye(2)), (rows, [[1, 2], [2, 1]])):
        with pytest.raises(LikelyError):
            mean_given_covariance(wrong, covariance)
