import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.optimize import minimize
from scipy.stats import norm

from likely.decisions import estimate_prior, shift_prior
from likely.errors import InputError

MEANS = np.array([0.0, 1.5, 3.0])


def posterior_of(x, prior, means=MEANS):
    joint = norm.pdf(x[:, None], means) * prior
    return joint / joint.sum(axis=1, keepdims=True)


def draw(n, prior, seed, means=MEANS):
    rng = np.random.default_rng(seed)
    member = rng.choice(len(prior), n, p=prior)
    return rng.normal(means[member]), member


priors = st.lists(st.floats(0.01, 1), min_size=3, max_size=3).map(lambda p: np.array(p) / sum(p))


@given(st.integers(0, 99), priors, priors)
def test_shifting_equals_bayes_theorem_with_the_new_prior(seed, old, new):
    x, _ = draw(20, old, seed)
    assert np.allclose(shift_prior(posterior_of(x, old), old, new), posterior_of(x, new), atol=1e-12)


@given(st.integers(0, 99), priors, priors, priors)
def test_shifts_compose_and_undo_each_other(seed, a, b, c):
    p = np.random.default_rng(seed).dirichlet(np.ones(3), 10)
    assert np.allclose(shift_prior(shift_prior(p, a, b), b, c), shift_prior(p, a, c), atol=1e-10)
    assert np.allclose(shift_prior(shift_prior(p, a, b), b, a), p, atol=1e-10)
    assert np.allclose(shift_prior(p, a, a), p, atol=1e-14)


def test_shifting_in_log_space_keeps_tiny_probabilities():
    shifted = shift_prior([[0.0, -800.0]], [0.5, 0.5], [1e-6, 1 - 1e-6], form="log_posterior")
    assert np.isclose(shifted[0, 1] - shifted[0, 0], -800 + np.log((1 - 1e-6) / 1e-6))


def test_classes_without_prior():
    assert np.allclose(shift_prior([[0.2, 0.3, 0.5]], [0.2, 0.3, 0.5], [0, 0.4, 0.6]), [[0, 0.4, 0.6]])
    assert shift_prior([[0.5, 0.5, 0.0]], [0.5, 0.5, 0], [0.1, 0.9, 0])[0, 1] == pytest.approx(0.9)
    # certain of a class that cannot be: the new prior is all that is left
    assert np.allclose(shift_prior([[1.0, 0.0, 0.0]], [0.5, 0.25, 0.25], [0, 0.4, 0.6]), [[0, 0.4, 0.6]])
    with pytest.raises(InputError, match="'b' had prior 0"):
        shift_prior([[1.0, 0.0]], [1, 0], [0.5, 0.5], classes=["a", "b"])
    by_name = shift_prior([[0.5, 0.5]], "uniform", {"b": 0.9, "a": 0.1}, classes=["a", "b"])
    assert np.allclose(by_name, [[0.1, 0.9]])


@pytest.mark.parametrize("seed", range(3))
def test_the_estimate_maximises_the_likelihood(seed):
    x, _ = draw(500, [0.6, 0.1, 0.3], seed)
    old = np.array([0.2, 0.5, 0.3])
    p = posterior_of(x, old)
    found = estimate_prior(p, old)

    def loss(t):
        q = np.exp(t - t.max())
        return -np.log((p / old) @ (q / q.sum())).sum()

    best = minimize(loss, np.zeros(3), method="BFGS", options={"gtol": 1e-8})
    q = np.exp(best.x) / np.exp(best.x).sum()
    assert np.allclose(found.value, q, atol=1e-4)
    assert np.isclose(found.value.sum(), 1)
    assert (np.diff(found.log_likelihoods) >= -1e-9).all()  # EM never steps down
    assert -loss(np.log(found.value)) >= -best.fun - 1e-7
    # any prior may have been the old one: what is estimated stays the same
    other = np.array([0.7, 0.2, 0.1])
    assert np.allclose(estimate_prior(posterior_of(x, other), other).value, found.value, atol=1e-6)


def test_profile_intervals_end_where_the_likelihood_has_fallen_by_chi_square():
    x, _ = draw(300, [0.6, 0.1, 0.3], 7)
    old = np.full(3, 1 / 3)
    p = posterior_of(x, old)
    found = estimate_prior(p, old, confidence=0.9)

    def profile(k, share):
        def loss(t):
            rest = np.exp(t - t.max())
            q = np.insert((1 - share) * rest / rest.sum(), k, share)
            return -np.log((p / old) @ q).sum()

        return -minimize(loss, np.zeros(2), method="Nelder-Mead", options={"xatol": 1e-8, "fatol": 1e-9}).fun

    top = np.log((p / old) @ found.value).sum()
    for k in range(3):
        for end in (found.low[k], found.high[k]):
            if 0 < end < 1:
                assert np.isclose(2 * (top - profile(k, end)), norm.ppf(0.95) ** 2, atol=1e-3)
    assert (found.low <= found.value).all() and (found.value <= found.high).all()


@pytest.mark.sample(1)
@pytest.mark.parametrize(
    ("prior", "interval", "draws", "least"),
    [
        ([0.8, 0.2], "likelihood", 250, 0.91),
        ([0.97, 0.03], "likelihood", 150, 0.9),
        ([0.5, 0.5], "bootstrap", 40, 0.85),
    ],
)
def test_intervals_cover(prior, interval, draws, least):
    means = np.array([0.0, 2.0])
    old = np.array([0.5, 0.5])
    hits = 0
    for seed in range(draws):
        x, _ = draw(200, prior, seed, means)
        found = estimate_prior(
            posterior_of(x, old, means), old, interval=interval, n_bootstrap=60, tol=1e-7, random_state=seed
        )
        hits += bool(found.low[1] <= prior[1] <= found.high[1])
    assert least <= hits / draws < 1  # of 95 %, but for the luck of the draws


def test_edges_have_an_answer():
    certain = estimate_prior([[1.0, 0.0]] * 20, [0.5, 0.5])
    assert certain.value.tolist() == pytest.approx([1, 0], abs=1e-6)
    assert certain.high[0] == 1 and 0 < certain.high[1] < 0.2 and certain.low[1] == 0
    mixed = estimate_prior([[1.0, 0.0]] * 3 + [[0.0, 1.0]], [0.5, 0.5])
    assert mixed.value.tolist() == pytest.approx([0.75, 0.25])
    silent = estimate_prior([[0.5, 0.5]] * 10, [0.5, 0.5])
    assert silent.low.tolist() == [0, 0] and silent.high.tolist() == [1, 1]  # rows that say nothing
    single = estimate_prior(np.ones((4, 1)), [1.0])
    assert (single.value, single.low, single.high) == (1, 1, 1)
    assert "bootstrap of 20" in str(estimate_prior([[0.3, 0.7]] * 9, [0.5, 0.5], interval="bootstrap", n_bootstrap=20))


@pytest.mark.parametrize(
    ("posterior", "old", "options", "word"),
    [
        (np.zeros((0, 2)), [0.5, 0.5], {}, "no rows"),
        ([[0.5, 0.5]], [0.5, 0.6], {}, "old prior"),
        ([[0.5, 0.5]], [0.5, 0.5], {"confidence": 1}, "confidence"),
        ([[0.5, 0.5]], [0.5, 0.5], {"interval": "wald"}, "interval"),
        ([[0.5, 0.5]], [0.5, 0.5], {"interval": "bootstrap", "n_bootstrap": 1}, "n_bootstrap"),
        ([[0.5, 0.5]], [0.5, 0.5], {"form": "log_likelihood"}, "likelihoods"),
    ],
)
def test_bad_priors_are_refused_in_words(posterior, old, options, word):
    with pytest.raises(InputError, match=word):
        estimate_prior(posterior, old, **options)


def test_posteriors_of_zero_and_one_have_a_prior_without_a_warning():
    said = np.eye(3)[np.random.default_rng(0).integers(0, 3, 300)]  # of neighbours that all agree
    found = estimate_prior(said, [0.3, 0.3, 0.4])
    assert found.value == pytest.approx(said.mean(axis=0), abs=1e-6)
    assert (found.low < found.value).all() and (found.value < found.high).all()
