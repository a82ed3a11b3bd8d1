"""Do 95 % intervals cover the truth in 95 % of the samples?

In the default suite 400 samples of each size, within the error of such a simulation; all 2,000 with the slow ones.
"""

import numpy as np
import pytest
from scipy.special import ndtr, ndtri

from likely.evaluation import Confusion, PrecisionRecallCurve, RocCurve, log_loss

SIZES = (30, 100, 1000)
SHIFT = 1.3  # of normal scores between the classes
PRIOR = 0.4


def draw(rng, n):
    y = rng.random(n) < PRIOR
    return y, rng.normal(size=n) + SHIFT * y


def posterior(score):
    """The true posterior of a score, by which the log-loss has a known mean."""
    odds = PRIOR / (1 - PRIOR) * np.exp(SHIFT * score - SHIFT**2 / 2)
    return odds / (1 + odds)


def truths():
    """The figures in the population: threshold 0.8 for shares, integrals over the score for the others."""
    t = 0.8
    recall, alarm = 1 - ndtr(t - SHIFT), 1 - ndtr(t)
    x = np.linspace(-12, 14, 400_001)
    step = x[1] - x[0]
    no, yes = (np.exp(-((x - m) ** 2) / 2) / np.sqrt(2 * np.pi) * step for m in (0, SHIFT))
    p = posterior(x)
    precision = PRIOR * (1 - ndtr(x - SHIFT)) / (PRIOR * (1 - ndtr(x - SHIFT)) + (1 - PRIOR) * (1 - ndtr(x)) + 1e-300)
    said = PRIOR * recall + (1 - PRIOR) * alarm
    covariance = PRIOR * recall - PRIOR * said
    return {
        "accuracy": PRIOR * recall + (1 - PRIOR) * (1 - alarm),
        "recall": recall,
        "precision": PRIOR * recall / said,
        "F1": 2 * PRIOR * recall / (PRIOR + said),
        "correlation": covariance / np.sqrt(PRIOR * (1 - PRIOR) * said * (1 - said)),
        "ROC area": ndtr(SHIFT / np.sqrt(2)),
        "average precision": float(yes @ precision),
        "log-loss": float(-PRIOR * yes @ np.log(p) - (1 - PRIOR) * no @ np.log1p(-p)),
    }


def figures(y, score):
    confusion = Confusion.of(y, score >= 0.8, classes=[False, True])
    found = {name: confusion.measure(name) for name in ("recall", "precision", "F1", "correlation")}
    return {
        **found,
        "accuracy": confusion.accuracy,
        "ROC area": RocCurve.of(y, score).area,
        "average precision": PrecisionRecallCurve.of(y, score).average_precision,
        "log-loss": log_loss(y, posterior(score), classes=[False, True]),
    }


def coverage(samples, n, seed):
    rng, truth = np.random.default_rng(seed), truths()
    covered = dict.fromkeys(truth, 0)
    drawn = 0
    while drawn < samples:
        y, score = draw(rng, n)
        if y.all() or not y.any():
            continue
        drawn += 1
        for name, figure in figures(y, score).items():
            covered[name] += truth[name] in figure
    return {name: count / samples for name, count in covered.items()}


def test_the_population_figures_are_right():
    y, score = draw(np.random.default_rng(0), 400_000)
    truth, found = truths(), figures(y, score)
    for name, figure in found.items():
        assert figure.value == pytest.approx(truth[name], abs=5 * figure.width), name
        assert figure.width < 0.02
    assert truth["ROC area"] == pytest.approx(ndtr(ndtri(truth["ROC area"])))


@pytest.mark.parametrize("n", SIZES)
def test_coverage(n):
    slack = 2.5 * np.sqrt(0.95 * 0.05 / 400)  # of the simulation itself
    for name, share in coverage(400, n, seed=n).items():
        assert 0.93 - slack <= share <= 0.97 + slack, f"{name} at n = {n}: {share:.3f}"


@pytest.mark.slow
@pytest.mark.parametrize("n", SIZES)
def test_coverage_over_two_thousand_samples(n):
    for name, share in coverage(2000, n, seed=n + 1).items():
        assert 0.93 <= share <= 0.97, f"{name} at n = {n}: {share:.3f}"
