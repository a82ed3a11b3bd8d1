"""Which hypothesis, or rather all of them: MAP, maximum likelihood, and the Bayes optimal vote.

    P(h | D) is proportional to P(D | h) P(h)
    MAP hypothesis  argmax_h P(D | h) P(h);   equal priors: maximum likelihood, argmax_h P(D | h)
    Bayes optimal   argmax_v sum_h P(v | h) P(h | D)

The vote of all hypotheses need not agree with the best of them, and no other use of the same hypotheses errs less.
"""

from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from likely.data.accepted import ClassNames, PriorLike
from likely.decisions.decision import Decision
from likely.decisions.rules import Ties, choose, decide
from likely.errors import InputError
from likely.models.any_classifier.posteriors import read_class_prior, read_log_posterior
from likely.numeric.arrays import Floats
from likely.numeric.logspace import log_joint, log_normalize, log_of, log_sum_exp
from likely.numeric.random_state import Seed


def hypothesis_posterior(log_likelihood: ArrayLike, prior: PriorLike = "uniform") -> Floats:
    """The posterior P(h | D) of each hypothesis (m,) from ln P(D | h) and the prior.

    Parameters
    ----------
    log_likelihood : ln P(D | h) of each hypothesis (m,)
    prior : P(h) of each hypothesis

    >>> hypothesis_posterior(np.log([0.2, 0.1]), prior=[0.25, 0.75]).round(3)
    array([0.4, 0.6])
    """
    return np.asarray(np.exp(log_normalize(_log_joint(log_likelihood, prior))[0]))


def map_hypothesis(
    log_likelihood: ArrayLike, prior: PriorLike = "uniform", ties: Ties = "first", random_state: Seed = None
) -> int:
    """The maximum a posteriori (MAP) hypothesis: the place of the highest P(D | h) P(h).

    Parameters
    ----------
    log_likelihood : ln P(D | h) of each hypothesis (m,)
    prior : P(h) of each hypothesis

    >>> map_hypothesis(np.log([0.2, 0.1]), prior=[0.25, 0.75])
    1
    """
    return int(choose(_log_joint(log_likelihood, prior), ties, random_state)[0])


def ml_hypothesis(log_likelihood: ArrayLike, ties: Ties = "first", random_state: Seed = None) -> int:
    """The maximum likelihood hypothesis: the place of the highest P(D | h).

    Parameters
    ----------
    log_likelihood : ln P(D | h) of each hypothesis (m,)

    >>> ml_hypothesis(np.log([0.2, 0.1]))
    0
    """
    return map_hypothesis(log_likelihood, "uniform", ties, random_state)


def average_models(posteriors: ArrayLike, weight: ArrayLike) -> Floats:
    """Bayesian model averaging: class probabilities (n, k) from those of m models.

    posteriors: (m, n, k), or (m, k) for one case.
    weight: P(h | D) of each model (m,).

    >>> average_models([[1.0, 0.0], [0.0, 1.0], [0.0, 1.0]], [0.4, 0.3, 0.3])
    array([[0.4, 0.6]])
    """
    p = np.asarray(posteriors, dtype=np.float64)
    if p.ndim == 2:
        p = p[:, None, :]
    if p.ndim != 3:
        raise InputError(f"posteriors of m models are (m, n, k), or (m, k) for one case; got shape {p.shape}")
    shares = read_class_prior(weight, np.arange(len(p)), "weights of the models")
    log_posterior = np.stack([read_log_posterior(one) for one in p])
    return np.asarray(np.exp(log_normalize(log_sum_exp(log_posterior + log_of(shares)[:, None, None], axis=0))))


def bayes_optimal(posteriors: ArrayLike, weight: ArrayLike, classes: ClassNames = None, **options: Any) -> Decision:
    """The Bayes optimal classification, by all models together; options are those of `decide`.

    Parameters
    ----------
    posteriors : of m models (m, n, k), or of one case (m, k)
    weight : P(h | D) of each model (m,)

    >>> bayes_optimal([[1.0, 0.0], [0.0, 1.0], [0.0, 1.0]], [0.4, 0.3, 0.3], ["+", "-"]).best
    array(['-'], dtype='<U1')
    """
    return decide(average_models(posteriors, weight), classes, **options)


def _log_joint(log_likelihood: ArrayLike, prior: PriorLike) -> Floats:
    score = np.asarray(log_likelihood, dtype=np.float64)
    if score.ndim != 1 or len(score) == 0 or np.isnan(score).any() or np.isposinf(score).any():
        raise InputError("each hypothesis has one log likelihood, a number that is not NaN or infinite")
    return log_joint(score, log_of(read_class_prior(prior, np.arange(len(score)), "prior of the hypotheses")))[None]
