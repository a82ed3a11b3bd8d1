import numpy as np
import pytest
import scipy.sparse
from hypothesis import given
from hypothesis import strategies as st
from scipy import stats
from sklearn.naive_bayes import BernoulliNB

from likely import NaiveBayes
from likely.distributions.counts.bernoulli import Bernoulli, BernoulliFamily
from likely.errors import InputError
from likely.numeric.logspace import normalize
from likely.statistics import Membership


@pytest.fixture
def rng():
    return np.random.default_rng(1)


@pytest.fixture
def table(rng):
    y = rng.integers(0, 3, 200)
    x = (rng.random((200, 6)) < rng.uniform(0.05, 0.95, (3, 6))[y]).astype(float)
    return x, y, Membership.of_labels(y, 3)


def fit(family, x, groups):
    return family.estimate(family.summarize(x, groups))


@pytest.mark.parametrize("alpha", [0.01, 1.0, 3.5])
def test_posteriors_are_those_of_scikit_learn(table, alpha):
    x, y, groups = table
    reference = BernoulliNB(alpha=alpha).fit(x, y)
    joint = fit(BernoulliFamily(alpha), x, groups).log_density(x) + np.log(np.bincount(y) / len(y))
    np.testing.assert_allclose(normalize(joint), reference.predict_proba(x), atol=1e-10)
    np.testing.assert_allclose(joint, reference.predict_joint_log_proba(x), rtol=1e-10)


def test_weights_are_those_of_scikit_learn(table, rng):
    x, y, _ = table
    weight = rng.uniform(0, 3, len(y))
    reference = BernoulliNB(alpha=1.0, fit_prior=False).fit(x, y, sample_weight=weight)
    ours = fit(BernoulliFamily(), x, Membership.of_labels(y, 3, weight))
    np.testing.assert_allclose(normalize(ours.log_density(x)), reference.predict_proba(x), atol=1e-10)


@pytest.mark.parametrize("kind", [scipy.sparse.csr_array, scipy.sparse.csr_matrix, scipy.sparse.csc_array])
@pytest.mark.parametrize("membership", ["labels", "weights", "shares"])
def test_sparse_rows_are_dense_rows(table, rng, kind, membership):
    x, y, groups = table
    x[rng.random(x.shape) < 0.05] = np.nan
    if membership == "weights":
        groups = Membership.of_labels(y, 3, rng.uniform(0, 2, len(y)))
    elif membership == "shares":
        groups = Membership.of_shares(rng.dirichlet(np.ones(3), len(y)))
    for estimation in ("bayes", "ml"):
        family = BernoulliFamily(estimation=estimation)
        dense, sparse = family.summarize(x, groups), family.summarize(kind(x), groups)
        np.testing.assert_allclose(sparse.count, dense.count, rtol=1e-14)
        np.testing.assert_allclose(sparse.sum, dense.sum, rtol=1e-13)
        assert sparse.sum.dtype == dense.sum.dtype
        fitted = family.estimate(dense)
        np.testing.assert_allclose(fitted.log_density(kind(x)), fitted.log_density(x), rtol=1e-12, atol=1e-12)


def test_estimates_by_hand():
    x = np.array([[1.0], [1.0], [1.0], [0.0], [np.nan]])
    groups = Membership.of_labels(np.array([0, 0, 0, 0, 0]), 2)
    probability = {e: fit(BernoulliFamily(2.0, e), x, groups).probability[:, 0] for e in ("ml", "map", "bayes")}
    np.testing.assert_allclose(probability["ml"], [3 / 4, 1 / 2])
    np.testing.assert_allclose(probability["map"], [(3 + 1) / (4 + 2), 1 / 2])
    np.testing.assert_allclose(probability["bayes"], [(3 + 2) / (4 + 4), 1 / 2])
    # a prior with alpha below 1 has its mode at the ends; it counts as flat
    np.testing.assert_allclose(fit(BernoulliFamily(0.5, "map"), x, groups).probability[:, 0], [3 / 4, 1 / 2])


def test_ml_says_that_a_value_never_seen_is_impossible():
    x = np.array([[1.0, 0.0], [1.0, 1.0], [0.0, 1.0]])
    fitted = fit(BernoulliFamily(estimation="ml"), x, Membership.of_labels(np.array([0, 0, 1]), 2))
    probe = np.array([[1.0, 1.0], [0.0, 1.0], [np.nan, 0.0]])
    np.testing.assert_allclose(np.exp(fitted.log_density(probe)), [[0.5, 0.0], [0.0, 1.0], [0.5, 0.0]])
    np.testing.assert_array_equal(fitted.log_density_terms(probe).sum(axis=1), fitted.log_density(probe))


def test_neutral_silences_a_feature_that_never_varies(table):
    x, y, _ = table
    x = np.column_stack([x, np.zeros(len(y)), np.ones(len(y)), np.full(len(y), np.nan)])
    rare = np.where(y == 2, -1, y)
    rare[0] = 2  # a class of one row: through the prior alone it would lean to 1/2 in the constant columns
    groups = Membership.of_labels(rare, 3)
    plain, neutral = fit(BernoulliFamily(), x, groups), fit(BernoulliFamily(neutral=True), x, groups)
    probe = np.nan_to_num(x)
    probe[0, 6] = 1.0  # also a value that was never seen
    assert np.all(neutral.log_density_terms(probe)[:, 6:] == 0)
    assert np.ptp(plain.log_density_terms(probe)[:, 6], axis=1).min() > 0.1
    np.testing.assert_allclose(neutral.log_density(probe), plain.log_density_terms(probe)[:, :6].sum(axis=1))
    assert np.isnan(neutral.sample(np.array([0, 1]), np.random.default_rng(0))[:, 6:]).all()
    assert np.isnan(
        BernoulliFamily(neutral=True).standard_errors(BernoulliFamily().summarize(x, groups))["probability"][:, 6:]
    ).all()


def test_neutral_survives_weights_that_do_not_cancel(rng):
    x = np.ones((50, 1))
    family = BernoulliFamily(neutral=True)
    groups = Membership.of_labels(rng.integers(0, 2, 50), 2, rng.uniform(0.1, 1.0, 50))
    extra = Membership.of_labels(np.zeros(3), 2, np.array([0.1, 0.7, 0.3]))
    seen = family.summarize(x, groups) + family.summarize(np.zeros((3, 1)), extra)
    assert not np.isnan(family.estimate(seen).probability).any()
    left = seen.without(family.summarize(np.zeros((3, 1)), extra))
    assert np.isnan(family.estimate(left).probability).all()


@given(st.lists(st.lists(st.sampled_from([0.0, 1.0, float("nan")]), min_size=3, max_size=3), min_size=1, max_size=12))
def test_the_probabilities_of_all_rows_sum_to_one(rows):
    fitted = fit(BernoulliFamily(), np.array(rows), Membership.whole(len(rows)))
    every = np.array(np.meshgrid(*[[0.0, 1.0]] * 3)).reshape(3, -1).T.copy()
    assert np.exp(fitted.log_density(every)).sum() == pytest.approx(1, abs=1e-12)


def test_standard_errors_are_those_of_the_posterior_and_of_the_binomial(table, rng):
    x, _, groups = table
    statistic = BernoulliFamily().summarize(x, groups)
    ones, rows = statistic.sum, statistic.count
    bayes = BernoulliFamily(2.0).standard_errors(statistic)["probability"]
    np.testing.assert_allclose(bayes, stats.beta(ones + 2, rows - ones + 2).std(), rtol=1e-12)
    ml = BernoulliFamily(estimation="ml").standard_errors(statistic)["probability"]
    np.testing.assert_allclose(ml, stats.binom(rows, ones / rows).std() / rows, rtol=1e-12)


def test_samples_give_the_parameters_back(rng):
    true = Bernoulli(np.array([[0.1, 0.5, 0.9], [0.3, 0.0, 1.0]]))
    member = np.repeat([0, 1], 20_000)
    family = BernoulliFamily(estimation="ml")
    again = fit(family, true.sample(member, rng), Membership.of_labels(member, 2)).probability
    np.testing.assert_allclose(again, true.probability, atol=0.015)


def test_linear_weights_give_the_log_density(table):
    x, _, groups = table
    fitted = fit(BernoulliFamily(), x, groups)
    weight, constant = fitted.linear()
    np.testing.assert_allclose(x @ weight.T + constant, fitted.log_density(x), rtol=1e-12)
    with pytest.raises(InputError, match="no finite weight"):
        Bernoulli(np.array([[0.0, 0.5]])).linear()


@pytest.mark.parametrize("value", [0.5, 2.0, -1.0])
def test_other_values_are_named(value):
    x = np.zeros((4, 3))
    x[2, 1] = value
    for rows in (x, scipy.sparse.csr_array(x)):
        with pytest.raises(InputError, match=rf"row 2, column 1 holds {value:g}: values must be 0 or 1"):
            BernoulliFamily().summarize(rows, Membership.whole(4))
    with pytest.raises(InputError, match="two axes"):
        BernoulliFamily().summarize(np.zeros(3), Membership.whole(3))


def test_a_third_value_that_is_asked_about_says_nothing():
    """As a level of a nominal column that was never seen; what is learned has two values, and direct use is strict."""
    x, y = np.array([[0.0, 1.0], [1.0, 0.5], [1.0, 2.0], [0.0, 0.1]]), ["a", "b", "b", "a"]
    late, gap = ([[value, 1.5]] for value in (2.0, np.nan))
    for kinds in ({"x0": "binary"}, {"x0": "bernoulli"}):
        model = NaiveBayes({**kinds, "x1": "gaussian"}).fit(x, y)
        assert np.array_equal(model.predict_proba(late), model.predict_proba(gap))
        assert np.array_equal(model.evidence(late).bits, model.evidence(gap).bits)
    strict = NaiveBayes({"x0": "binary", "x1": "gaussian"}, unseen="error").fit(x, y)
    with pytest.raises(InputError, match="column 'x0', row 0 holds 2: values must be 0 or 1"):
        strict.predict(late)
    with pytest.raises(InputError, match="values must be 0 or 1"):
        NaiveBayes({"x0": "binary", "x1": "gaussian"}).fit([[2.0, 1.0], *x.tolist()], ["a", *y])
