"""A row that is impossible under every class has the prior as its posterior (catalogue Q-15), whoever is asked."""

import numpy as np
import pytest

from likely import BayesClassifier, NaiveBayes
from likely.decisions import Population, decide, hypothesis_posterior
from likely.distributions import Bernoulli, BernoulliFamily, MixtureDistribution, posterior
from likely.models.any_classifier.posteriors import read_log_posterior

PRIOR = np.array([0.25, 0.75])
LAW = Bernoulli(np.array([[0.0], [0.0]]))  # of two classes that never had the feature
ROW = np.array([[1.0]])


def fitted():
    x, y = np.zeros((8, 1)), np.repeat([0, 1], [2, 6])
    return BayesClassifier(BernoulliFamily(estimation="ml")).fit(x, y)


@pytest.mark.parametrize(
    "answer",
    [
        lambda: posterior(LAW, PRIOR, ROW),
        lambda: np.exp(read_log_posterior([[-np.inf, -np.inf]], "log_likelihood", PRIOR)),
        lambda: np.exp(Population.of(LAW, PRIOR).log_posterior(ROW)),
        lambda: hypothesis_posterior([-np.inf, -np.inf], PRIOR)[None],
        lambda: MixtureDistribution(PRIOR[None], LAW).shares(ROW)[:, 0],
        lambda: fitted().predict_proba(ROW),
        lambda: np.exp(fitted().predict_log_proba(ROW)),
        lambda: fitted().predict_proba(ROW, prior=PRIOR[::-1])[:, ::-1],
    ],
)
def test_what_is_left_is_the_prior(answer):
    assert answer() == pytest.approx(PRIOR[None], rel=1e-14)


def test_the_class_is_the_priors_too():
    assert fitted().predict(ROW).tolist() == [1]
    assert decide([[-np.inf, -np.inf]], form="log_likelihood", prior=PRIOR).best.tolist() == [1]
    assert fitted().evidence(ROW).log2_odds == pytest.approx([np.log2(3)])


@pytest.mark.parametrize("folds", [np.arange(6) % 2, np.arange(6)])
def test_held_out_rows_have_the_prior_of_the_others(folds):
    x, y = np.array([[0.0], [0], [0], [0], [0], [1]]), np.array([0, 0, 0, 0, 1, 1])
    found = NaiveBayes(kinds="bernoulli", alpha=0.0, class_alpha=1.0).out_of_fold(x, y, folds)
    left = np.bincount(y[folds != folds[-1]], minlength=2) + 1
    assert np.exp(found[-1]) == pytest.approx(left / left.sum())
