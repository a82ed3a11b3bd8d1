"""The share of wrong labels: in simulations, against a search over all values, in degenerate cases."""

import numpy as np
import pytest

from likely import NaiveBayes
from likely.errors import InputError
from likely.evaluation.audit.label_noise import label_noise


def simulated(rng, rows, k, rate, related=0.0):
    """Held-out posteriors of naive Bayes that was trained on the wrong labels too."""
    centres = np.random.default_rng(1).normal(size=(k, 5)) * 2
    true = rng.integers(0, k, rows)
    X = rng.normal(size=(rows, 5)) + related * rng.normal(size=(rows, 1)) + centres[true]
    labels = np.where(rng.random(rows) < rate, (true + rng.integers(1, k, rows)) % k, true)
    return NaiveBayes(kinds="gaussian").out_of_fold(X, labels, np.arange(rows)), labels


@pytest.mark.sample(1)
@pytest.mark.parametrize("k, rate, related", [(2, 0.05, 0.0), (3, 0.05, 1.0), (3, 0.15, 1.0), (4, 0.0, 0.5)])
def test_the_rate_is_unbiased_and_its_interval_covers(k, rate, related):
    runs = [label_noise(*simulated(np.random.default_rng(seed), 500, k, rate, related)).rate for seed in range(30)]
    assert np.mean([run.value for run in runs]) == pytest.approx(rate, abs=0.01)
    assert np.mean([rate in run for run in runs]) >= 0.8


@pytest.mark.parametrize("rate", [0.0, 0.05])
def test_confident_mistakes_of_a_wrong_model_do_not_lift_the_interval_off_the_truth(rate):
    """Student's t of 3 degrees taken for Gaussian: the profile's own lower end is above the truth in most runs."""
    runs = []
    for seed in range(20):
        rng = np.random.default_rng(seed)
        true = rng.integers(0, 2, 1000)
        X = rng.standard_t(3, size=(1000, 3)) + 1.5 * true[:, None]
        labels = np.where(rng.random(1000) < rate, 1 - true, true)
        runs.append(label_noise(NaiveBayes(kinds="gaussian").out_of_fold(X, labels, np.arange(1000)), labels).rate)
    assert np.mean([run.value for run in runs]) > rate + 0.05
    assert np.mean([rate in run for run in runs]) >= 0.9
    assert "at most" in str(runs[0])


def test_no_other_rate_and_temperature_are_more_likely():
    log_p, labels = simulated(np.random.default_rng(7), 300, 3, 0.1)
    found = label_noise(log_p, labels)
    q = (np.bincount(labels) + 0.5) / (300 + 1.5)

    def likelihood(rate, temperature):  # of the evidence, not of the classes' shares; these are of the true classes
        log_q = np.log(np.maximum(q - rate / 2, 1e-12 * q))
        p = np.exp(log_q + (log_p - np.log(q)) / temperature)
        own = (p / p.sum(axis=1, keepdims=True))[np.arange(300), labels]
        return np.log((1 - rate) * own + rate * (1 - own) / 2).sum()

    best = likelihood(found.rate.value, found.temperature)
    around = [(r, t) for r in np.linspace(1e-6, 0.6, 60) for t in np.geomspace(0.2, 20, 60)]
    assert max(likelihood(r, t) for r, t in around) <= best + 1e-6
    profile = max(likelihood(found.rate.high, t) for t in np.geomspace(0.05, 50, 2000))
    assert 2 * (best - profile) == pytest.approx(3.8415, abs=0.01)


def test_the_mean_probability_of_a_wrong_label_is_about_the_rate():
    found = label_noise(*simulated(np.random.default_rng(2), 400, 3, 0.1))
    assert found.rate.value > 0
    assert found.p_mislabelled.mean() == pytest.approx(found.rate.value, rel=0.1)


def test_a_weight_of_zero_is_absence_and_scale_is_irrelevant():
    log_p, labels = simulated(np.random.default_rng(4), 300, 2, 0.1)
    weight = np.r_[np.full(200, 3.0), np.zeros(100)]
    weighted, plain = label_noise(log_p, labels, weight), label_noise(log_p[:200], labels[:200])
    for figure in ("value", "low", "high", "n"):
        assert getattr(weighted.rate, figure) == pytest.approx(getattr(plain.rate, figure), rel=1e-4)


def test_a_model_of_one_confidence_cannot_tell_noise_from_doubt():
    sure = np.log([[0.999, 0.001], [0.001, 0.999]])
    true = np.array([0, 1] * 50)
    labels = np.r_[1 - true[:4], true[4:]]
    rate = label_noise(sure[true], labels).rate
    assert rate.low == 0 and 0.04 < rate.high < 0.15


def test_labels_that_are_excluded_or_alone_have_an_answer():
    log_p = np.array([[0.0, -np.inf, -np.inf]] * 5 + [[-np.inf, 0.0, -np.inf]] * 5)
    labels = np.array([0, 0, 0, 0, 1, 1, 1, 1, 1, 2])
    found = label_noise(log_p, labels)
    assert np.isfinite(found.p_mislabelled).all() and np.isfinite(found.rate.width)
    assert found.p_mislabelled[9] == pytest.approx(found.rate.value, abs=0.01) and found.rate.n == 9
    assert np.isnan(label_noise(np.log(np.full((2, 2), 0.5)), np.array([0, 1])).rate.value)


def test_shapes_that_do_not_fit_are_refused():
    with pytest.raises(InputError, match="two classes"):
        label_noise(np.zeros((3, 1)), np.zeros(3, dtype=int))


def test_the_probability_of_a_wrong_label_averages_over_the_rate():
    """Where honest doubt explains every label the best rate is 0; nobody knows that it is, and P(wrong) is above 0."""
    log_posterior, labels = simulated(np.random.default_rng(7), 100, 2, 0.0)
    found = label_noise(log_posterior, labels)
    assert found.rate.value < 1e-6
    surprise = -log_posterior[np.arange(100), labels]
    assert 0.001 < found.p_mislabelled[surprise.argmax()] < 0.9
    for label in (0, 1):
        own = np.flatnonzero(labels == label)
        assert (np.diff(found.p_mislabelled[own[np.argsort(surprise[own])]]) >= -1e-12).all()


def test_a_model_without_evidence_calls_no_rare_label_wrong():
    rng = np.random.default_rng(7)
    labels = (rng.random(600) < 0.25).astype(int)
    log_p = NaiveBayes().out_of_fold(rng.normal(size=(600, 3)), labels, np.arange(600))
    found = label_noise(log_p, labels)
    share = labels.mean()
    assert found.rate.value < 0.02 and found.rate.high == pytest.approx(share, abs=0.05)  # all rare labels may be wrong
    assert found.p_mislabelled.max() < 0.3  # one power of all log odds would call every rare label wrong, for certain


@pytest.mark.parametrize("signal, share", [(0.8, 0.2), (2.5, 0.1)])
def test_the_interval_covers_where_classes_are_unequal_and_columns_say_little(signal, share):
    """The shares of the labels are those of the wrong ones too: taken for the true ones, half of the intervals miss."""
    runs = []
    for seed in range(20):
        rng = np.random.default_rng(seed)
        true = (rng.random(1000) < share).astype(int)
        X = rng.normal(size=(1000, 4)) + signal / 2 * true[:, None]
        labels = np.where(rng.random(1000) < 0.05, 1 - true, true)
        runs.append(label_noise(NaiveBayes(kinds="gaussian").out_of_fold(X, labels, np.arange(1000)), labels).rate)
    assert np.mean([0.05 in run for run in runs]) >= 0.9
    assert np.mean([run.value for run in runs]) == pytest.approx(0.05, abs=0.02)


def test_averaging_changes_little_where_the_rate_is_known():
    rng = np.random.default_rng(0)
    x = rng.normal(size=4000) * 6
    true = (rng.random(4000) < 1 / (1 + np.exp(-x))).astype(int)
    swapped = rng.random(4000) < 0.1
    labels = np.where(swapped, 1 - true, true)
    found = label_noise(-np.logaddexp(0, np.column_stack([x, -x])), labels)
    assert abs(found.p_mislabelled.mean() - swapped.mean()) < 0.02
    sure = found.p_mislabelled > 0.9
    assert swapped[sure].mean() > 0.85


def test_the_strength_of_the_evidence_takes_no_label_for_wrong():
    rng = np.random.default_rng(3)
    x = rng.normal(size=400) * 2
    labels = (rng.random(400) < 0.1 + 0.8 / (1 + np.exp(-3 * x))).astype(int)  # never surer than nine in ten
    log_p = -np.logaddexp(0, np.column_stack([x, -x]))
    found = label_noise(log_p, labels)
    q = (np.bincount(labels) + 0.5) / 401

    def loss(strength):
        p = np.log(q) + strength * (log_p - np.log(q))
        return -(p[np.arange(400), labels] - np.logaddexp(*p.T)).sum()

    grid = np.geomspace(0.05, 8, 4000)
    losses = np.array([loss(s) for s in grid])
    assert found.strength.value == pytest.approx(grid[losses.argmin()], rel=0.01)
    inside = grid[losses <= losses.min() + 3.8415 / 2]
    assert (found.strength.low, found.strength.high) == pytest.approx((inside[0], inside[-1]), rel=0.01)
    assert 1 / found.temperature > 1.2 * found.strength.value
