import numpy as np
import pytest
import scipy.sparse
from hypothesis import given
from hypothesis import strategies as st
from scipy import stats
from sklearn.naive_bayes import MultinomialNB

from likely.distributions.counts.multinomial import Multinomial, MultinomialFamily
from likely.distributions.counts.polya import Polya
from likely.errors import InputError
from likely.numeric.logspace import normalize
from likely.statistics import Membership


@pytest.fixture
def rng():
    return np.random.default_rng(2)


@pytest.fixture
def documents(rng):
    y = rng.integers(0, 3, 150)
    x = np.array([rng.multinomial(rng.poisson(12), p) for p in rng.dirichlet(np.ones(8), 3)[y]], dtype=float)
    return x, y, Membership.of_labels(y, 3)


def fit(family, x, groups):
    return family.estimate(family.summarize(x, groups))


@pytest.mark.parametrize("alpha", [0.01, 1.0, 2.5])
@pytest.mark.parametrize("sparse", [False, True])
def test_posteriors_are_those_of_scikit_learn(documents, alpha, sparse):
    x, y, groups = documents
    rows = scipy.sparse.csr_array(x) if sparse else x
    reference = MultinomialNB(alpha=alpha).fit(x, y)
    joint = fit(MultinomialFamily(alpha), rows, groups).log_density(rows) + np.log(np.bincount(y) / len(y))
    np.testing.assert_allclose(normalize(joint), reference.predict_proba(x), atol=1e-10)


def test_fractions_and_weights_are_those_of_scikit_learn(documents, rng):
    x, y, _ = documents
    x = x * rng.uniform(0, 1, x.shape)  # as tf-idf weights are
    weight = rng.uniform(0, 3, len(y))
    reference = MultinomialNB(fit_prior=False).fit(x, y, sample_weight=weight)
    ours = fit(MultinomialFamily(), x, Membership.of_labels(y, 3, weight))
    np.testing.assert_allclose(normalize(ours.log_density(x)), reference.predict_proba(x), atol=1e-10)


def test_log_density_is_that_of_scipy(documents):
    x, _, groups = documents
    fitted = fit(MultinomialFamily(), x, groups)
    expected = [[stats.multinomial(int(row.sum()), p).logpmf(row) for p in fitted.probability] for row in x]
    np.testing.assert_allclose(fitted.log_density(x), expected, rtol=1e-11, atol=1e-12)


def test_the_predictive_distribution_is_that_of_scipy(documents):
    x, _, groups = documents
    fitted = fit(MultinomialFamily(0.3, "bayes"), x, groups)
    assert isinstance(fitted, Polya)
    np.testing.assert_allclose(fitted.pseudo_count, MultinomialFamily().summarize(x, groups).sum + 0.3)
    expected = [[stats.dirichlet_multinomial(a, int(row.sum())).logpmf(row) for a in fitted.pseudo_count] for row in x]
    np.testing.assert_allclose(fitted.log_density(x), expected, rtol=1e-9, atol=1e-9)


def test_the_predictive_distribution_is_a_product_of_one_step_predictions(rng):
    """Chain rule: the probability of a sequence of draws, each predicted from the pseudo-counts so far."""
    a = np.array([0.2, 3.0, 40.0, 1e9])
    draws = rng.integers(0, 4, 30)
    log_sequence, seen = 0.0, a.copy()
    for t in draws:
        log_sequence += np.log(seen[t] / seen.sum())
        seen[t] += 1
    x = np.bincount(draws, minlength=4).astype(float)
    coefficient = stats.multinomial(30, np.full(4, 0.25)).logpmf(x) - 30 * np.log(0.25)
    one = Polya(a[None], mean_length=np.array([30.0]))
    assert one.log_density(x[None])[0, 0] == pytest.approx(log_sequence + coefficient, rel=1e-12)


def test_many_pseudo_counts_make_the_predictive_distribution_multinomial(documents):
    x, _, _ = documents
    p = np.linspace(1, 8, 8) / 36
    plain = Multinomial(p[None], np.array([10.0])).log_density(x)
    for size in (1e8, 1e12, 1e250):
        np.testing.assert_allclose(
            Polya(p[None] * size, np.array([10.0])).log_density(x), plain, atol=1e4 / size + 1e-10
        )


@pytest.mark.parametrize("estimation", ["mean", "ml", "map", "bayes"])
@pytest.mark.parametrize("membership", ["labels", "weights", "shares"])
def test_sparse_rows_are_dense_rows(documents, rng, estimation, membership):
    x, y, groups = documents
    x[rng.random(x.shape) < 0.1] = np.nan
    x[3] = np.nan
    x[4] = 0.0
    if membership == "weights":
        groups = Membership.of_labels(y, 3, rng.uniform(0, 2, len(y)))
    elif membership == "shares":
        groups = Membership.of_shares(rng.dirichlet(np.ones(3), len(y)))
    family, sparse = MultinomialFamily(1.5, estimation), scipy.sparse.csr_array(x)
    np.testing.assert_allclose(family.summarize(sparse, groups).sum, family.summarize(x, groups).sum, rtol=1e-13)
    np.testing.assert_allclose(family.summarize(sparse, groups).count, family.summarize(x, groups).count, rtol=1e-13)
    fitted = fit(family, x, groups)
    np.testing.assert_allclose(fitted.log_density(sparse), fitted.log_density(x), rtol=1e-11, atol=1e-11)
    np.testing.assert_allclose(fitted.log_density_terms(sparse), fitted.log_density_terms(x), rtol=1e-12)


def test_a_sparse_matrix_is_never_made_dense():
    """A million columns for ten thousand rows would be 80 GB."""
    rng = np.random.default_rng(0)
    x = scipy.sparse.random_array((10_000, 1_000_000), density=1e-5, format="csr", rng=rng)
    groups = Membership.of_labels(rng.integers(0, 2, 10_000), 2)
    for estimation in ("mean", "bayes"):
        fitted = fit(MultinomialFamily(estimation=estimation), x, groups)
        assert np.isfinite(fitted.log_density(x)).all()


def test_duplicate_entries_of_a_sparse_matrix_are_one_cell():
    twice = scipy.sparse.csr_array((np.array([1.0, 1.0, 3.0]), np.array([0, 0, 1]), np.array([0, 3])), shape=(1, 2))
    fitted = Multinomial(np.array([[0.4, 0.6]]), np.array([5.0]))
    np.testing.assert_allclose(fitted.log_density(twice), fitted.log_density(np.array([[2.0, 3.0]])))
    assert twice.nnz == 3  # the caller's matrix is as it was


def test_estimates_by_hand():
    x = np.array([[3.0, 1.0, 0.0]])
    groups = Membership.of_labels(np.array([0]), 2)
    np.testing.assert_allclose(fit(MultinomialFamily(2.0), x, groups).probability, [[0.5, 0.3, 0.2], [1 / 3] * 3])
    np.testing.assert_allclose(
        fit(MultinomialFamily(2.0, "map"), x, groups).probability, [[4 / 7, 2 / 7, 1 / 7], [1 / 3] * 3]
    )
    ml = fit(MultinomialFamily(2.0, "ml"), x, groups)
    np.testing.assert_allclose(ml.probability, [[0.75, 0.25, 0], [1 / 3] * 3])
    probe = np.array([[1.0, 0.0, 1.0], [1.0, 1.0, 0.0], [0.0, 0.0, 0.0]])
    np.testing.assert_allclose(np.exp(ml.log_density(probe)), [[0, 2 / 9], [2 * 0.75 * 0.25, 2 / 9], [1, 1]])
    np.testing.assert_allclose(np.exp(ml.log_density_terms(probe).sum(axis=1)), np.exp(ml.log_density(probe)))


def test_ml_with_only_impossible_columns_observed():
    ml = Multinomial(np.array([[1.0, 0.0, 0.0], [0.2, 0.4, 0.4]]), np.array([1.0, 1.0]))
    probe = np.array([[np.nan, 1.0, 0.0], [np.nan, 0.0, 0.0], [np.nan, np.nan, np.nan]])
    np.testing.assert_allclose(np.exp(ml.log_density(probe)), [[0, 0.5], [1, 1], [1, 1]])
    np.testing.assert_allclose(np.exp(ml.log_density(scipy.sparse.csr_array(probe))), [[0, 0.5], [1, 1], [1, 1]])


def test_missing_counts_are_filled_with_the_mean_of_the_observed():
    x = np.array([[4.0, 2.0], [np.nan, 2.0], [np.nan, 2.0]])
    fitted = fit(MultinomialFamily(0.0), x, Membership.whole(3))
    np.testing.assert_allclose(fitted.probability, [[4 / 6, 2 / 6]])
    assert fitted.mean_length == pytest.approx(6)


@given(st.lists(st.lists(st.integers(0, 4), min_size=3, max_size=3), min_size=1, max_size=8), st.integers(0, 5))
def test_the_probabilities_of_all_rows_of_one_length_sum_to_one(rows, length):
    every = np.array([[a, b, length - a - b] for a in range(length + 1) for b in range(length - a + 1)], dtype=float)
    for estimation in ("mean", "bayes"):
        fitted = fit(MultinomialFamily(0.7, estimation), np.array(rows, dtype=float), Membership.whole(len(rows)))
        assert np.exp(fitted.log_density(every)).sum() == pytest.approx(1, abs=1e-11)


@pytest.mark.parametrize("estimation", ["mean", "bayes"])
def test_samples_give_the_parameters_back(rng, estimation):
    p = np.array([[0.5, 0.3, 0.2], [0.1, 0.1, 0.8]])
    length = np.array([4.0, 9.0])
    true = Multinomial(p, length) if estimation == "mean" else Polya(p * 5, length)
    member = np.repeat([0, 1], 20_000)
    x = true.sample(member, rng)
    again = fit(MultinomialFamily(), x, Membership.of_labels(member, 2))
    np.testing.assert_allclose(again.probability, p, atol=0.01)
    np.testing.assert_allclose(again.mean_length, length, rtol=0.02)
    if estimation == "bayes":  # the counts spread more than a multinomial's: by (A + n) / (A + 1)
        of_nine = x[(member == 1) & (x.sum(axis=1) == 9)][:, 2]
        assert of_nine.var() == pytest.approx(9 * 0.8 * 0.2 * (5 + 9) / (5 + 1), rel=0.1)


def test_tiny_pseudo_counts_can_be_sampled(rng):
    drawn = Polya(np.array([[1e-12, 1e-12, 2e-12]]), np.array([6.0])).sample(np.zeros(4000, dtype=int), rng)
    drawn = drawn[drawn.sum(axis=1) > 0]
    assert np.all((drawn > 0).sum(axis=1) == 1)  # all on one column
    np.testing.assert_allclose((drawn > 0).mean(axis=0), [0.25, 0.25, 0.5], atol=0.03)


def test_standard_errors_are_those_of_the_posterior_and_of_the_multinomial(documents):
    x, _, groups = documents
    statistic = MultinomialFamily().summarize(x, groups)
    bayes = MultinomialFamily(2.0).standard_errors(statistic)["probability"]
    expected = [np.sqrt(stats.dirichlet(c + 2.0).var()) for c in statistic.sum]
    np.testing.assert_allclose(bayes, expected, rtol=1e-12)
    ml = MultinomialFamily(estimation="ml").standard_errors(statistic)["probability"]
    totals = statistic.sum.sum(axis=1, keepdims=True)
    expected = [
        np.sqrt(np.diag(stats.multinomial(n, c / n).cov())) / n
        for c, n in zip(statistic.sum, totals[:, 0], strict=True)
    ]
    np.testing.assert_allclose(ml, expected, rtol=1e-12)


def test_linear_weights_give_the_posterior(documents):
    x, _, groups = documents
    fitted = fit(MultinomialFamily(), x, groups)
    weight, constant = fitted.linear()
    np.testing.assert_allclose(normalize(x @ weight.T + constant), normalize(fitted.log_density(x)), atol=1e-12)
    with pytest.raises(InputError, match="no finite weight"):
        Multinomial(np.array([[0.0, 1.0]]), np.array([1.0])).linear()


def test_negative_counts_are_named():
    x = scipy.sparse.csr_array(np.array([[0.0, 1.0], [0.0, -2.0]]))
    with pytest.raises(InputError, match="row 1, column 1 holds -2"):
        MultinomialFamily().summarize(x, Membership.whole(2))
