"""The likelihood-ratio test and the intervals: calibrated, by enumeration and by simulation; and consistency."""

import numpy as np
import pytest
from scipy import stats

from likely.errors import InputError
from likely.estimation import likelihood_ratio_test, maximum_likelihood
from likely.statistics import Membership, Moments


def test_the_test_is_that_of_scipy():
    counts = [18, 25, 30, 27]
    test = maximum_likelihood(dict(enumerate(counts)), "categorical").test([0.25] * 4)
    g, p = stats.power_divergence(counts, lambda_="log-likelihood")
    assert (test.deviance, test.p_value, test.degrees) == pytest.approx((g, p, 3))
    assert test.likelihood_ratio == pytest.approx(np.exp(-g / 2))
    multinomial = maximum_likelihood(counts, "multinomial").test([0.25] * 4)
    assert multinomial.deviance == pytest.approx(g)


def test_the_test_of_a_mean_is_a_function_of_t():
    x = np.array([9.1, 10.4, 11.2, 12.0, 8.7, 10.9])
    t = stats.ttest_1samp(x, 9.5).statistic
    test = maximum_likelihood(x, "gaussian").test({"mean": 9.5})
    assert test.deviance == pytest.approx(len(x) * np.log1p(t**2 / (len(x) - 1)))
    both = maximum_likelihood(x, "gaussian").test((9.5, 1.0))
    assert both.degrees == 2 and both.deviance > test.deviance


def test_two_log_likelihoods_by_statsmodels():
    import statsmodels.api as sm

    rng = np.random.default_rng(0)
    X = sm.add_constant(rng.normal(size=(80, 2)))
    y = (rng.random(80) < 1 / (1 + np.exp(-X[:, 1]))).astype(float)
    full = sm.Logit(y, X).fit(disp=0)
    null = maximum_likelihood(y, "bernoulli").log_likelihood
    test = likelihood_ratio_test(null, full.llf, degrees=2)
    assert (test.deviance, test.p_value) == pytest.approx((full.llr, full.llr_pvalue))
    assert str(test).endswith(f"2 degrees of freedom, p = {test.p_value:.3g}")


def test_bad_log_likelihoods_are_refused():
    for restricted, full, degrees in (
        (-1.0, -2.0, 1),
        (-2.0, -1.0, 0),
        (np.nan, -1.0, 1),
        (-1.0, np.nan, 1),
        (-1.0, np.inf, 1),
    ):
        with pytest.raises(InputError):
            likelihood_ratio_test(restricted, full, degrees)
    assert likelihood_ratio_test(-np.inf, -1.0, 1).p_value == 0
    assert likelihood_ratio_test(-1.0, -1.0 - 1e-12, 1).deviance == 0


def coverage(ends, values, weight):
    """How often intervals, one an outcome, hold each value: (values,), the outcomes weighing (outcomes, values)."""
    low, high = np.transpose(ends)[:, :, None]
    return (((low <= values) & (values <= high)) * weight).sum(axis=0)


@pytest.mark.parametrize("n", [15, 60])
def test_intervals_of_a_proportion_cover_it_as_often_as_they_say(n):
    """Over all outcomes, each with its probability; single values of p cover more or less, as for any such interval."""
    fits = [maximum_likelihood((s, n), "binomial") for s in range(n + 1)]
    p = np.linspace(0.05, 0.95, 181)
    weight = stats.binom.pmf(np.arange(n + 1)[:, None], n, p)
    covered = coverage([fit.interval(0.95)["probability"] for fit in fits], p, weight)
    assert covered.mean() == pytest.approx(0.95, abs=0.01) and covered.min() > 0.8
    within = fits[1:-1]  # at the ends Wald's is a point, which covers nothing
    plain = coverage([fit.interval(0.95, method="wald")["probability"] for fit in within], p, weight[1:-1])
    assert plain.mean() < covered.mean() - 0.005 and plain.min() < covered.min()


def test_intervals_of_a_rate_cover_it_as_often_as_they_say():
    rate, counts = np.linspace(3.0, 30.0, 271), np.arange(90)
    ends = [maximum_likelihood([count], "poisson").interval(0.9)["rate"] for count in counts]
    covered = coverage(ends, rate, stats.poisson.pmf(counts[:, None], rate))
    assert covered.mean() == pytest.approx(0.9, abs=0.01) and covered.min() > 0.8


def test_the_size_of_the_test_of_a_proportion():
    n = 100
    p_values = np.array([maximum_likelihood((s, n), "binomial").test(0.4).p_value for s in range(n + 1)])
    assert stats.binom.pmf(np.arange(n + 1), n, 0.4) @ (p_values < 0.05) == pytest.approx(0.05, abs=0.012)


def test_simulated_intervals_and_tests_of_gaussian_data():
    rng = np.random.default_rng(11)
    runs, n = 400, 40
    x = rng.normal(3.0, 2.0, (n, runs))
    seen = Moments.of(np.ascontiguousarray(x), Membership.whole(n))  # a run a column
    covered, rejected = np.zeros(4), 0.0
    for run in range(runs):
        fit = maximum_likelihood(seen, "gaussian", feature=run)
        for place, method in enumerate(("likelihood", "wald")):
            ends = fit.interval(0.9, method)
            covered[2 * place : 2 * place + 2] += [
                low <= true <= high for (low, high), true in ((ends["mean"], 3.0), (ends["variance"], 4.0))
            ]
        rejected += fit.test((3.0, 4.0)).p_value < 0.1
    deviation = np.sqrt(0.9 * 0.1 / runs)
    assert np.abs(covered[[0, 1, 2]] / runs - 0.9).max() < 3 * deviation
    assert covered[1] >= covered[3]  # the variance has a skew likelihood, which Wald's interval does not see
    assert abs(rejected / runs - 0.1) < 3 * deviation


def test_the_size_of_the_test_of_several_shares():
    rng = np.random.default_rng(5)
    shares = np.array([0.2, 0.3, 0.5])
    draws = rng.multinomial(80, shares, 600)
    kept = np.array([maximum_likelihood(counts, "multinomial").test(shares).p_value >= 0.05 for counts in draws])
    assert abs(kept.mean() - 0.95) < 3 * np.sqrt(0.05 * 0.95 / 600)


def test_maximum_likelihood_is_consistent_and_reaches_the_bound():
    rng = np.random.default_rng(0)
    last = np.inf
    for n in (10, 100, 1000):
        counts = np.bincount(rng.binomial(n, 0.3, 4000), minlength=n + 1)
        estimates = [maximum_likelihood((s, n), "binomial").estimate["probability"] for s in np.flatnonzero(counts)]
        weight = counts[counts > 0] / 4000
        error = weight @ (np.array(estimates) - 0.3) ** 2
        bound = maximum_likelihood((0.3 * n, n), "binomial").covariance[0, 0]
        assert error == pytest.approx(bound, rel=0.1) and bound == pytest.approx(0.21 / n)
        assert abs(weight @ estimates - 0.3) < 4 * np.sqrt(bound / 4000)
        assert error < last
        last = error


def test_standardised_estimates_become_normal():
    rng = np.random.default_rng(2)
    z = []
    for _ in range(300):
        fit = maximum_likelihood(rng.gamma(3.0, 2.0, 200), "gamma")
        z.append(
            [
                (fit.estimate["mean"] - 6) / fit.standard_errors["mean"],
                (fit.of(lambda m, s: np.log(s)).value - np.log(3)) / fit.of(lambda m, s: np.log(s)).standard_error,
            ]
        )
    for column in np.transpose(z):
        assert stats.kstest(column, "norm").pvalue > 0.01
