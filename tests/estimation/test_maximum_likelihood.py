"""Maximum likelihood: estimates, information and intervals, against SciPy, statsmodels, searches and differences."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import optimize, stats

from likely import NaiveBayes, distributions
from likely.errors import InputError, InputTypeError
from likely.estimation import (
    Beta,
    Dirichlet,
    Gamma,
    NormalInverseGamma,
    NormalInverseWishart,
    maximum_a_posteriori,
    maximum_likelihood,
    observed_information,
)
from likely.estimation.likelihoods.parameters import by_name
from likely.statistics import CategoryCounts, Codes, Membership, Moments, Scatter, Totals

rng = np.random.default_rng(7)
VALUES = rng.gamma(2.5, 3.0, 40)
COUNTS = rng.poisson(3.0, 40)
BITS = (rng.random(40) < 0.3).astype(float)
LEVELS = rng.choice(["red", "green", "blue"], 40, p=[0.5, 0.3, 0.2]).tolist()
VECTORS = rng.multivariate_normal([1.0, -2.0, 1e3], [[2, 0.6, 1], [0.6, 1, 3], [1, 3, 40]], 40)
TERMS = rng.multinomial(12, [0.2, 0.3, 0.5], 9)
CASES = {
    "bernoulli": BITS,
    "binomial": np.column_stack([rng.binomial(10, 0.4, 6), np.full(6, 10)]),
    "categorical": LEVELS,
    "multinomial": TERMS,
    "poisson": COUNTS,
    "exponential": VALUES,
    "gaussian": VALUES,
    "log-normal": VALUES,
    "gamma": VALUES,
    "multivariate gaussian": VECTORS,
    "negative binomial": rng.poisson(rng.gamma(1.5, 3.0, 60)),
}


def log_probability(family, estimate):
    """The log probability of the rows of a case, by SciPy."""
    data = CASES[family]
    if family == "bernoulli":
        return stats.bernoulli.logpmf(data, estimate["probability"]).sum()
    if family == "binomial":
        return stats.binom.logpmf(data[:, 0], data[:, 1], estimate["probability"]).sum()
    if family == "categorical":
        shares = dict(zip(sorted(set(data)), estimate["probability"], strict=True))
        return sum(np.log(shares[level]) for level in data)
    if family == "multinomial":
        return stats.multinomial.logpmf(data, 12, estimate["probability"]).sum()
    if family == "poisson":
        return stats.poisson.logpmf(data, estimate["rate"]).sum()
    if family == "negative binomial":
        size = 1 / estimate["dispersion"]
        return stats.nbinom.logpmf(data, size, size / (size + estimate["mean"])).sum()
    if family == "exponential":
        return stats.expon.logpdf(data, scale=1 / estimate["rate"]).sum()
    if family == "gaussian":
        return stats.norm.logpdf(data, estimate["mean"], estimate["variance"] ** 0.5).sum()
    if family == "log-normal":
        return stats.lognorm.logpdf(data, estimate["variance"] ** 0.5, scale=np.exp(estimate["mean"])).sum()
    if family == "gamma":
        return stats.gamma.logpdf(data, estimate["shape"], scale=estimate["mean"] / estimate["shape"]).sum()
    return stats.multivariate_normal.logpdf(data, estimate["mean"], estimate["covariance"]).sum()


def expanded(likelihood, free):
    """All parameters from the freely varying ones."""
    theta = np.full(len(likelihood.best), np.nan)
    theta[likelihood.free] = free
    if "covariance" in likelihood.shapes:
        d = likelihood.shapes["mean"][0]
        table = theta[d:].reshape(d, d)
        table[:] = np.where(np.isnan(table), table.T, table)
    elif np.isnan(theta).any():
        theta[np.isnan(theta)] = 1 - np.nansum(theta)
    return theta


@pytest.mark.parametrize("family", CASES)
def test_the_log_likelihood_is_that_of_scipy(family):
    fit = maximum_likelihood(CASES[family], family)
    assert fit.log_likelihood == pytest.approx(log_probability(family, fit.estimate), rel=1e-10)
    assert fit.log_likelihood_at(fit.estimate) == pytest.approx(fit.log_likelihood, rel=1e-14)
    assert fit.complete and not fit.on_boundary
    likelihood = fit.observed.likelihood
    for share in (0.97, 1.02):  # and elsewhere
        other = by_name(likelihood, expanded(likelihood, share * likelihood.best[likelihood.free]))
        if "covariance" in other:
            other = {**other, "mean": fit.estimate["mean"] + 0.1}
        assert fit.log_likelihood_at(other) == pytest.approx(log_probability(family, other), rel=1e-10)


@pytest.mark.parametrize("family", CASES)
def test_no_nearby_parameter_is_more_likely(family):
    fit = maximum_likelihood(CASES[family], family)
    likelihood = fit.observed.likelihood
    best = likelihood.best[likelihood.free]
    errors = np.sqrt(np.diagonal(np.linalg.inv(fit.information)))
    draw = np.random.default_rng(0)
    for _ in range(200):
        theta = expanded(likelihood, best + draw.normal(0, 0.3, len(best)) * errors)
        if ((theta >= likelihood.low) & (theta <= likelihood.high)).all():
            assert likelihood.log_likelihood(theta) <= likelihood.log_likelihood(likelihood.best)


@pytest.mark.parametrize("family", CASES)
def test_the_information_is_minus_the_second_derivatives(family):
    fit = maximum_likelihood(CASES[family], family)
    likelihood = fit.observed.likelihood

    def of_free(free):
        return likelihood.log_likelihood(expanded(likelihood, free))

    found = observed_information(of_free, likelihood.best[likelihood.free])
    scale = np.sqrt(np.diagonal(fit.information))
    np.testing.assert_allclose(found / np.outer(scale, scale), fit.information / np.outer(scale, scale), atol=1e-6)
    np.testing.assert_allclose(
        fit.covariance[np.ix_(likelihood.free, likelihood.free)], np.linalg.inv(fit.information), rtol=1e-8, atol=1e-12
    )
    np.testing.assert_allclose(
        np.concatenate([np.ravel(e) for e in fit.standard_errors.values()]) ** 2, np.diagonal(fit.covariance)
    )


def test_estimates_are_those_of_scipy():
    shape, _, scale = stats.gamma.fit(VALUES, floc=0)
    gamma = maximum_likelihood(VALUES, "gamma").estimate
    assert (gamma["shape"], gamma["mean"]) == pytest.approx((shape, shape * scale), rel=1e-6)
    mean, deviation = stats.norm.fit(VALUES)
    gaussian = maximum_likelihood(VALUES, "gaussian").estimate
    assert (gaussian["mean"], gaussian["variance"]) == pytest.approx((mean, deviation**2))
    spread, _, middle = stats.lognorm.fit(VALUES, floc=0)
    logs = maximum_likelihood(VALUES, "log_normal").estimate
    assert (logs["mean"], logs["variance"]) == pytest.approx((np.log(middle), spread**2), rel=1e-5)
    assert maximum_likelihood(VALUES, "exponential").estimate["rate"] == pytest.approx(
        1 / stats.expon.fit(VALUES, floc=0)[1]
    )
    vectors = maximum_likelihood(VECTORS, "multivariate gaussian").estimate
    np.testing.assert_allclose(vectors["mean"], VECTORS.mean(axis=0))
    np.testing.assert_allclose(vectors["covariance"], np.cov(VECTORS.T, ddof=0))


def test_log_odds_and_log_rate_are_those_of_statsmodels():
    import statsmodels.api as sm

    logit = sm.Logit(BITS, np.ones(len(BITS))).fit(disp=0)
    odds = maximum_likelihood(BITS, "bernoulli").of(lambda p: np.log(p / (1 - p)))
    assert (odds.value, odds.standard_error) == pytest.approx((logit.params[0], logit.bse[0]), rel=1e-6)
    assert odds.interval(0.9, "wald") == pytest.approx(tuple(logit.conf_int(0.1)[0]), rel=1e-6)
    assert maximum_likelihood(BITS, "bernoulli").log_likelihood == pytest.approx(logit.llf)
    poisson = sm.Poisson(COUNTS, np.ones(len(COUNTS))).fit(disp=0)
    rate = maximum_likelihood(COUNTS, "poisson").of(np.log)
    assert (rate.value, rate.standard_error) == pytest.approx((poisson.params[0], poisson.bse[0]), rel=1e-6)
    assert maximum_likelihood(COUNTS, "poisson").log_likelihood == pytest.approx(poisson.llf)


def test_dispersion_is_that_of_statsmodels():
    import statsmodels.api as sm

    data = CASES["negative binomial"]
    theirs = sm.NegativeBinomial(data, np.ones(len(data))).fit(disp=0, method="newton")
    fit = maximum_likelihood(data, "negative binomial")
    assert fit.log_likelihood == pytest.approx(theirs.llf)
    assert (fit.estimate["dispersion"], fit.of(lambda m, f: np.log(m)).value) == pytest.approx(
        (theirs.params[1], theirs.params[0]), rel=1e-4
    )
    assert fit.standard_errors["dispersion"] == pytest.approx(theirs.bse[1], rel=1e-3)
    assert fit.of(lambda m, f: np.log(m)).standard_error == pytest.approx(theirs.bse[0], rel=1e-3)
    poisson = maximum_likelihood(data, "poisson")
    assert fit.test({"dispersion": 0}).deviance == pytest.approx(2 * (fit.log_likelihood - poisson.log_likelihood))


def test_counts_no_wider_than_poissons_have_no_dispersion():
    fit = maximum_likelihood([3, 4, 4, 5, 4], "negative binomial")
    assert fit.on_boundary and fit.estimate == {"mean": 4.0, "dispersion": 0.0}
    assert fit.log_likelihood == pytest.approx(maximum_likelihood([3, 4, 4, 5, 4], "poisson").log_likelihood)
    low, high = fit.interval()["dispersion"]
    assert low == 0 and fit.test({"dispersion": high}).p_value == pytest.approx(0.05)


def test_a_function_of_several_parameters_by_the_delta_method():
    fit = maximum_likelihood(VALUES, "gaussian")
    n, mean, variance = len(VALUES), VALUES.mean(), VALUES.var()
    variation = fit.of(lambda m, v: v**0.5 / m)  # the coefficient of variation
    assert variation.value == pytest.approx(variance**0.5 / mean)
    by_hand = (variance / mean**4 * variance / n + 1 / (4 * variance * mean**2) * 2 * variance**2 / n) ** 0.5
    assert variation.standard_error == pytest.approx(by_hand, rel=1e-8)
    several = fit.of(lambda m, v: np.array([m, v, m + v]))
    np.testing.assert_allclose(
        several.standard_error,
        [fit.standard_errors["mean"], fit.standard_errors["variance"], np.sqrt(np.trace(fit.covariance))],
        rtol=1e-8,
    )
    assert several.interval().shape == (3, 2)
    correlation = maximum_likelihood(VECTORS, "multivariate gaussian").of(
        lambda mean, covariance: covariance[0, 1] / np.sqrt(covariance[0, 0] * covariance[1, 1])
    )
    r = np.corrcoef(VECTORS[:, 0], VECTORS[:, 1])[0, 1]
    assert (correlation.value, correlation.standard_error) == pytest.approx((r, (1 - r**2) / np.sqrt(40)), rel=1e-7)


@pytest.mark.parametrize("family", [*CASES])
def test_ends_of_likelihood_intervals_have_the_deviance_of_the_confidence(family):
    fit = maximum_likelihood(CASES[family], family)
    for name, ends in fit.interval(0.9).items():
        shape = np.shape(fit.estimate[name])
        for index in np.ndindex(shape):
            low, high = np.asarray(ends)[index]
            assert low < np.asarray(fit.estimate[name])[index] < high
            for end in (low, high):
                given = np.full(shape, np.nan)
                given[index] = end
                assert fit.test({name: given}).p_value == pytest.approx(0.1, rel=1e-6)


@pytest.mark.parametrize("family", ["gaussian", "gamma", "categorical", "negative binomial", "multivariate gaussian"])
def test_the_others_are_refitted_when_one_parameter_is_fixed(family):
    fit = maximum_likelihood(VECTORS[:, :2] if family == "multivariate gaussian" else CASES[family], family)
    likelihood = fit.observed.likelihood
    best = likelihood.best[likelihood.free]
    errors = np.sqrt(np.diagonal(np.linalg.inv(fit.information)))
    for place in range(len(best)):
        value = best[place] + 1.3 * errors[place]
        fixed = np.full(len(likelihood.best), np.nan)
        fixed[likelihood.free[place]] = value
        found = likelihood.log_likelihood(likelihood.restricted(fixed))
        others = np.delete(np.arange(len(best)), place)

        def fall(z, others=others, place=place, value=value):
            theta = best.copy()
            theta[others] += z * errors[others]
            theta[place] = value
            whole = expanded(likelihood, theta)
            inside = ((whole >= likelihood.low) & (whole <= likelihood.high)).all()
            down = likelihood.log_likelihood(whole) if inside else -np.inf
            return likelihood.log_likelihood(likelihood.best) - down if np.isfinite(down) else 1e6

        options = {"xatol": 1e-7, "fatol": 1e-11, "maxiter": 20000, "maxfev": 20000, "adaptive": True}
        start = np.zeros(len(others))
        best_by_search = optimize.minimize(fall, start, method="Nelder-Mead", options=options)
        assert likelihood.log_likelihood(likelihood.best) - found == pytest.approx(best_by_search.fun, abs=1e-4)
        assert found >= likelihood.log_likelihood(likelihood.best) - best_by_search.fun - 1e-9


def test_vectors_with_fixed_means():
    fit = maximum_likelihood(VECTORS, "multivariate gaussian")
    mean, covariance, n = VECTORS.mean(axis=0), np.cov(VECTORS.T, ddof=0), len(VECTORS)
    away = np.array([0.3, -0.2, 1.0])
    for held in ([0], [0, 2], [0, 1, 2]):
        given = np.full(3, np.nan)
        given[held] = (mean + away)[held]
        distance = away[held] @ np.linalg.solve(
            covariance[np.ix_(held, held)], away[held]
        )  # Hotelling's T^2 over n - 1
        test = fit.test({"mean": given})
        assert test.deviance == pytest.approx(n * np.log1p(distance), rel=1e-8)
        assert test.degrees == len(held)
    whole = fit.test({"mean": mean + away, "covariance": 2 * covariance})
    assert whole.degrees == 9
    known = fit.log_likelihood_at({"mean": [mean[0] + 0.3, np.nan, np.nan], "covariance": covariance})
    assert fit.log_likelihood - known == pytest.approx(n / 2 * 0.09 / covariance[0, 0])
    with pytest.raises(InputError, match="whole covariance or one entry"):
        fit.test({"covariance": np.diag([1.0, 1.0, np.nan])})
    with pytest.raises(InputError, match="symmetric"):
        fit.test({"covariance": covariance + np.triu(np.ones((3, 3)), 1)})
    with pytest.raises(InputError, match="positive definite"):
        fit.test({"covariance": np.ones((3, 3))})


# what the data may be


def statistic_of(family, data):
    rows = (
        np.ascontiguousarray(np.asarray(data, dtype=float).reshape(len(data), -1)) if family != "categorical" else None
    )
    everyone = Membership.whole(len(data))
    if family == "categorical":
        levels = tuple(sorted(set(data)))
        codes = np.array([[levels.index(level)] for level in data], dtype=np.int32)
        return CategoryCounts.of(Codes(codes, np.zeros(1, dtype=np.int64), (levels,)), everyone)
    families = {
        "bernoulli": distributions.BernoulliFamily(),
        "poisson": distributions.PoissonFamily(),
        "exponential": distributions.ExponentialFamily(),
        "gaussian": distributions.GaussianFamily(),
        "log-normal": distributions.LogNormalFamily(),
        "gamma": distributions.GammaFamily(),
        "negative binomial": distributions.NegativeBinomialFamily(),
        "multinomial": distributions.MultinomialFamily(),
        "multivariate gaussian": distributions.MultivariateGaussianFamily(),
    }
    return families[family].summarize(rows, everyone)


@pytest.mark.parametrize("family", [name for name in CASES if name != "binomial"])
def test_a_statistic_and_a_sum_of_statistics_serve_as_the_data_do(family):
    data = CASES[family]
    fit = maximum_likelihood(data, family)
    parts = [
        statistic_of(family, data[:k]) if part == 0 else statistic_of(family, data[k:]) for k in (5,) for part in (0, 1)
    ]
    for statistic in (statistic_of(family, data), parts[0] + parts[1]):
        other = maximum_likelihood(statistic, family)
        for name, value in fit.estimate.items():
            np.testing.assert_allclose(other.estimate[name], value, rtol=1e-12)
            np.testing.assert_allclose(other.standard_errors[name], fit.standard_errors[name], rtol=1e-11)
        assert other.complete == (family not in ("poisson", "multinomial"))
        if other.complete:
            assert other.log_likelihood == pytest.approx(fit.log_likelihood, rel=1e-12)
        hypothesis = {name: 1.01 * np.asarray(value) for name, value in fit.estimate.items() if name != "probability"}
        if hypothesis:
            assert other.test(hypothesis).deviance == pytest.approx(fit.test(hypothesis).deviance, rel=1e-9)


@given(st.permutations(range(40)))
def test_the_order_of_the_rows_does_not_matter(order):
    for family in ("bernoulli", "poisson", "categorical"):
        data = CASES[family]
        shuffled = maximum_likelihood([data[i] for i in order], family)
        fit = maximum_likelihood(data, family)
        np.testing.assert_array_equal(*(np.asarray(list(f.estimate.values())) for f in (shuffled, fit)))
        assert shuffled.log_likelihood == pytest.approx(fit.log_likelihood, rel=1e-13)


@given(st.floats(1e-6, 1e6), st.floats(-1e6, 1e6))
def test_a_gaussian_in_other_units_is_the_same(scale, shift):
    fit, other = maximum_likelihood(VALUES, "gaussian"), maximum_likelihood(VALUES * scale + shift, "gaussian")
    low, high = fit.interval()["mean"]
    precision = 1e-9 + 1e-15 * abs(shift) / scale
    assert other.interval()["mean"] == pytest.approx((low * scale + shift, high * scale + shift), rel=precision)
    assert other.interval()["variance"] == pytest.approx(
        [end * scale**2 for end in fit.interval()["variance"]], rel=1e3 * precision
    )
    assert other.test({"mean": 7 * scale + shift}).deviance == pytest.approx(
        fit.test({"mean": 7}).deviance, rel=1e4 * precision
    )


@given(st.lists(st.integers(0, 9), min_size=2, max_size=5).filter(lambda counts: sum(n > 0 for n in counts) > 1))
def test_counts_are_as_good_as_values(counts):
    values = np.repeat(np.arange(len(counts)), counts)
    for family in ("gaussian", "poisson", "categorical"):
        one = maximum_likelihood(values.tolist(), family)
        two = maximum_likelihood({i: n for i, n in enumerate(counts) if n}, family)
        for name, value in one.estimate.items():
            np.testing.assert_allclose(two.estimate[name], value, rtol=1e-12)
        assert two.log_likelihood == pytest.approx(one.log_likelihood, rel=1e-12)
        assert two.rows == one.rows


@given(st.integers(1, 30), st.integers(1, 30))
def test_likelihood_intervals_do_not_depend_on_the_parametrisation(successes, failures):
    fit = maximum_likelihood({1: successes, 0: failures}, "bernoulli")
    low, high = fit.interval()["probability"]
    odds = fit.of(lambda p: p / (1 - p)).interval(method="likelihood")
    assert odds == pytest.approx((low / (1 - low), high / (1 - high)))
    against = fit.of(lambda p: 1 - p).interval(method="likelihood")
    assert against == pytest.approx((1 - high, 1 - low))
    swapped = maximum_likelihood({0: successes, 1: failures}, "bernoulli").interval()["probability"]
    assert swapped == pytest.approx((1 - high, 1 - low))


def test_log_normal_values_are_gaussian_logarithms():
    logs, plain = maximum_likelihood(VALUES, "log-normal"), maximum_likelihood(np.log(VALUES), "gaussian")
    assert logs.estimate == pytest.approx(plain.estimate)
    assert logs.log_likelihood == pytest.approx(plain.log_likelihood - np.log(VALUES).sum())


def test_missing_values_are_left_out():
    assert maximum_likelihood([1, np.nan, 0, 1], "bernoulli").estimate["probability"] == pytest.approx(2 / 3)
    assert maximum_likelihood(["a", None, "b", "a"], "categorical").estimate["probability"].tolist() == [2 / 3, 1 / 3]
    assert maximum_likelihood([1.0, np.nan, 3.0], "poisson").log_likelihood == pytest.approx(
        stats.poisson.logpmf([1, 3], 2).sum()
    )


def test_values_of_any_kind_are_counted():
    for data in (np.array([["x"], ["y"], ["x"]]), "xyx", ("x", "y", "x"), {"x": 2, "y": 1}, iter("xyx")):
        fit = maximum_likelihood(data, "categorical")
        assert fit.levels == ("x", "y") and fit.estimate["probability"].tolist() == [2 / 3, 1 / 3]
    mixed = maximum_likelihood([1, "a", 2.5, "a", float("nan"), float("nan")], "categorical")
    assert mixed.levels == (1, 2.5, "a") and mixed.rows == 4
    many = maximum_likelihood(np.arange(10**5) % 7, "categorical")  # counted, not looped over
    assert many.n_parameters == 6 and many.rows == 10**5
    with pytest.raises(InputError, match="one column"):
        maximum_likelihood(np.array([["x", "y"]]), "categorical")


def test_a_model_gives_the_statistic_of_its_columns():
    X = np.column_stack([VALUES, VALUES[::-1] ** 2])
    y = np.arange(40) % 2
    model = NaiveBayes("gaussian").fit(X, y)
    statistic = model.statistic_.given.parts[0]
    fit = maximum_likelihood(statistic, "gaussian", group=1, feature=1)
    assert fit.estimate["mean"] == pytest.approx(X[y == 1, 1].mean())
    assert fit.estimate["variance"] == pytest.approx(model.distribution_.parts[0].variance[1, 1])
    with pytest.raises(InputError, match="group"):
        maximum_likelihood(statistic, "gaussian", feature=1)
    with pytest.raises(InputError, match="feature"):
        maximum_likelihood(statistic, "gaussian", group=0)
    assert maximum_likelihood(statistic.merged(), "gaussian", feature=0).estimate["mean"] == pytest.approx(
        VALUES.mean()
    )


@pytest.mark.parametrize(
    "family",
    [
        distributions.BernoulliFamily(alpha=5),
        distributions.CategoricalFamily(),
        distributions.MultinomialFamily(),
        distributions.PoissonFamily("bayes"),
        distributions.ExponentialFamily("map"),
        distributions.GaussianFamily(ddof=1, estimation="map"),
        distributions.LogNormalFamily(),
        distributions.GammaFamily("map"),
        distributions.NegativeBinomialFamily("map"),
        distributions.MultivariateGaussianFamily(ddof=1),
    ],
)
def test_a_family_is_named_or_given(family):
    fit = maximum_likelihood(CASES[maximum_likelihood_name(family)], family)
    named = maximum_likelihood(CASES[fit.family], fit.family)
    for name, value in named.estimate.items():
        np.testing.assert_array_equal(fit.estimate[name], value)


def maximum_likelihood_name(family):
    words = type(family).__name__.removesuffix("Family")
    several = {
        "LogNormal": "log-normal",
        "NegativeBinomial": "negative binomial",
        "MultivariateGaussian": "multivariate gaussian",
    }
    return several.get(words, words.lower())


def test_declared_levels_are_estimated_too():
    family = distributions.CategoricalFamily(levels=(("a", "b", "c"),))
    fit = maximum_likelihood(["a", "b", "a", "a"], family)
    assert fit.levels == ("a", "b", "c") and fit.estimate["probability"].tolist() == [0.75, 0.25, 0.0]
    assert fit.on_boundary and fit.interval()["probability"][2] == pytest.approx([0, 1 - np.exp(-1.9207294 / 4)])
    assert fit.test({"c": 0.2}).deviance == pytest.approx(-8 * np.log(0.8))
    assert fit.test({"a": 0.5, "b": 0.25, "c": 0.25}).degrees == 2


# the boundary, and data without an estimate


@pytest.mark.parametrize("n", [1, 10, 1000])
def test_no_success_and_no_failure(n):
    none = maximum_likelihood((0, n), "binomial")
    cut = stats.chi2.ppf(0.95, 1)
    assert none.estimate["probability"] == 0 and none.on_boundary
    assert np.isinf(none.information).all() and none.standard_errors["probability"] == 0
    assert none.interval()["probability"] == pytest.approx((0, 1 - np.exp(-cut / (2 * n))))
    every = maximum_likelihood((n, n), "binomial")
    assert every.interval()["probability"] == pytest.approx((np.exp(-cut / (2 * n)), 1))
    assert every.log_likelihood == none.log_likelihood == 0
    for fit in (none, every):
        with pytest.raises(InputError, match="boundary"):
            fit.interval(method="wald")
        with pytest.raises(InputError, match="boundary"):
            fit.of(lambda p: p**2).interval(method="wald")
        assert "(at the edge: no standard error)" in str(fit) and "0.0" not in str(fit)
        assert str(fit.of(lambda p: p**2)).endswith("(at the edge: no standard error)")
    assert none.of(lambda p: np.log(p / (1 - p))).value == -np.inf
    assert every.of(lambda p: p / (1 - p)).value == np.inf
    assert none.of(lambda p: p / (1 - p)).interval(method="likelihood")[0] == 0
    assert none.test(0.0).p_value == 1 and every.test(0.0).p_value == 0


def test_counts_of_zero():
    none = maximum_likelihood([0, 0, 0], "poisson")
    assert none.estimate["rate"] == 0 and np.isinf(none.information).all()
    assert none.interval()["rate"] == pytest.approx((0, stats.chi2.ppf(0.95, 1) / 6))
    assert none.test(0.5).deviance == pytest.approx(3.0)


def test_large_and_small_numbers():
    rare = maximum_likelihood((3, 10**12), "binomial")
    assert rare.interval()["probability"] == pytest.approx(
        tuple(end / 1e12 for end in maximum_likelihood([3], "poisson").interval()["rate"]), rel=1e-6
    )
    far = maximum_likelihood(VALUES + 1e8, "gaussian")
    assert far.estimate["variance"] == pytest.approx(VALUES.var(), rel=1e-7)
    tiny = maximum_likelihood(VALUES * 1e-150, "exponential")
    plain = maximum_likelihood(VALUES, "exponential")
    assert tiny.interval()["rate"] == pytest.approx([end * 1e150 for end in plain.interval()["rate"]])


@pytest.mark.sample(5)
@pytest.mark.parametrize("family", ["gaussian", "log-normal", "gamma", "exponential", "multivariate gaussian"])
@pytest.mark.parametrize("scale", [1e-140, 1e-9, 1e9, 1e140])
def test_any_unit_will_do(family, scale):
    columns = np.array([scale, 1.0, 1.0]) if family == "multivariate gaussian" else scale
    shifted = np.log(scale) if family == "log-normal" else 0.0
    name = {"exponential": "rate"}.get(family, "mean")
    plain, other = (maximum_likelihood(data, family) for data in (CASES[family], CASES[family] * columns))
    ends, others = (np.asarray(fit.interval()[name]) for fit in (plain, other))
    errors = np.asarray(plain.standard_errors[name])
    if family == "multivariate gaussian":
        np.testing.assert_allclose(others, ends * columns[:, None], rtol=1e-8)
        table, tables = (fit.interval()["covariance"] for fit in (plain, other))
        np.testing.assert_allclose(tables, table * np.outer(columns, columns)[:, :, None], rtol=1e-7)
    elif family == "log-normal":
        np.testing.assert_allclose(others, ends + shifted, rtol=1e-9)
    else:
        power = -1 if family == "exponential" else 1
        np.testing.assert_allclose(others, ends * scale**power, rtol=1e-9)
        np.testing.assert_allclose(other.standard_errors[name], errors * scale**power, rtol=1e-9)
        double = other.of(lambda first, *_: 2 * first)
        assert double.standard_error == pytest.approx(2 * errors * scale**power, rel=1e-6)


def test_an_only_outcome_is_certain():
    fit = maximum_likelihood(["a", "a"], "categorical")
    assert fit.n_parameters == 0 and fit.information.shape == (0, 0)
    assert fit.interval()["probability"].tolist() == [[1.0, 1.0]] and fit.log_likelihood == 0


@pytest.mark.parametrize(
    ("data", "family", "why"),
    [
        ([], "gaussian", "no value"),
        ([np.nan], "poisson", "no value"),
        ([], "categorical", "no value"),
        ((0, 0), "binomial", "no value"),
        ([3.0], "gaussian", "equal"),
        ([3.0, 3.0], "gaussian", "equal"),
        ([3.0, 3.0], "log-normal", "equal"),
        ([3.0, 3.0], "gamma", "equal"),
        ([0.0, 0.0], "exponential", "all values are 0"),
        ([0, 0], "negative binomial", "every dispersion"),
        ([[1.0, 2.0], [3.0, 5.0]], "multivariate gaussian", "directions"),
        ([[1.0, 2.0], [2.0, 4.0], [3.0, 6.0]], "multivariate gaussian", "directions"),
        ([[1.0, 7.0], [2.0, 7.0], [3.0, 7.0]], "multivariate gaussian", "directions"),
    ],
)
def test_data_without_a_highest_likelihood_are_refused(data, family, why):
    with pytest.raises(InputError, match=f"no maximum-likelihood estimate.*{why}"):
        maximum_likelihood(data, family)


@pytest.mark.parametrize(
    ("data", "family"),
    [
        ([0.5], "bernoulli"),
        ([-1, 2], "poisson"),
        ([1.5], "poisson"),
        ([-1.0, 2.0], "exponential"),
        ([0.0, 1.0], "gamma"),
        ([1, 2], "cauchy"),
        (["a", "b"], "gaussian"),
        ([np.inf, 1.0], "gaussian"),
        ([[1.0, 2.0], [3.0, 4.0]], "gaussian"),
        ((5, 3), "binomial"),
        ((-1, 3), "binomial"),
        ([1, 2, 3], "binomial"),
        ({1: -1, 0: 2}, "bernoulli"),
        ({"a": -1}, "categorical"),
        ([[1.0, np.nan]], "multinomial"),
        ([1.0, 2.0, 3.0], "multivariate gaussian"),
        ([[1.0, np.nan], [2.0, 3.0]], "multivariate gaussian"),
        (np.ones((2, 2)), distributions.MultivariateGaussianFamily("shared")),
    ],
)
def test_bad_data_are_refused(data, family):
    with pytest.raises(InputError):
        maximum_likelihood(data, family)


def test_bad_types_are_refused():
    with pytest.raises(InputTypeError, match="observed_information"):
        maximum_likelihood([1.0], distributions.HistogramFamily())
    with pytest.raises(InputTypeError, match="Moments"):
        maximum_likelihood(Totals.of(np.ones((3, 1)), Membership.whole(3)), "gaussian")
    holes = Scatter.of(np.array([[1.0, np.nan], [2.0, 3.0], [4.0, 1.0]]), Membership.whole(3))
    with pytest.raises(InputError, match="missing"):
        maximum_likelihood(holes, "multivariate gaussian")


@pytest.mark.parametrize(
    "theta",
    [{"mean": 1.0, "sd": 2.0}, {"variance": -1.0}, {}, [1.0], 3.0, {"mean": np.inf}, {"mean": [1.0, 2.0]}, ["a", 1]],
)
def test_bad_parameters_are_refused(theta):
    with pytest.raises(InputError):
        maximum_likelihood(VALUES, "gaussian").test(theta)


def test_bad_options_are_refused():
    fit = maximum_likelihood(BITS, "bernoulli")
    for wrong in (0, 1, 95, np.nan):
        with pytest.raises(InputError, match="confidence"):
            fit.interval(wrong)
    with pytest.raises(InputError, match="method"):
        fit.interval(method="bayes")
    with pytest.raises(InputError, match="method"):
        fit.of(np.log).interval(method="bayes")
    with pytest.raises(InputError, match="rises and falls"):
        fit.of(lambda p: (p - fit.estimate["probability"]) ** 2).interval(method="likelihood")
    with pytest.raises(InputError, match="one parameter"):
        maximum_likelihood(VALUES, "gaussian").of(lambda m, v: m).interval(method="likelihood")
    with pytest.raises(InputError, match="sum to 1"):
        maximum_likelihood(LEVELS, "categorical").test([0.5, 0.5, 0.5])


def test_what_is_printed():
    fit = maximum_likelihood(VALUES, "gaussian")
    assert str(fit).startswith(f"mean {VALUES.mean():.4g} (standard error") and "n=40" in str(fit)
    assert "blue" in maximum_likelihood(LEVELS, "categorical").levels


# observed information of any function


@pytest.mark.parametrize(("mean", "deviation"), [(0.0, 1.0), (1e-5, 1e3), (1e8, 1.0), (5.0, 1e-6)])
def test_observed_information_in_any_unit(mean, deviation):
    x = mean + deviation * stats.norm.ppf((np.arange(50) + 0.5) / 50)
    m, v = x.mean(), x.var()

    def log_likelihood(theta):
        return -25 * np.log(theta[1]) - ((x - theta[0]) ** 2).sum() / (2 * theta[1]) if theta[1] > 0 else -np.inf

    found = observed_information(log_likelihood, [m, v])
    unit = np.sqrt([50 / v, 25 / v**2])
    np.testing.assert_allclose(found / np.outer(unit, unit), np.eye(2), atol=2e-7)


def test_observed_information_of_a_rare_event():
    n = 10**6
    found = observed_information(lambda p: np.log(p) + (n - 1) * np.log1p(-p), at=1 / n)
    assert found == pytest.approx(maximum_likelihood((1, n), "binomial").information[0, 0], rel=1e-7)


def test_observed_information_is_refused_at_the_edge():
    with pytest.raises(InputError, match="both sides"):
        observed_information(lambda p: 10 * np.log1p(-p) if p >= 0 else np.nan, at=0.0)
    with pytest.raises(InputError, match="finite"):
        observed_information(np.log, at=0.0)
    for wrong in ([], [[1.0]], np.nan):
        with pytest.raises(InputError):
            observed_information(np.log, at=wrong)


# maximum a posteriori


def test_maximum_a_posteriori_is_the_mode_of_the_families():
    x, everyone = VALUES[:, None], Membership.whole(40)
    bits = distributions.BernoulliFamily(alpha=3, estimation="map")
    assert maximum_a_posteriori(BITS, "bernoulli", Beta(3, 3)).estimate["probability"] == pytest.approx(
        bits.estimate(bits.summarize(BITS[:, None], everyone)).probability[0, 0]
    )
    levels = maximum_a_posteriori(LEVELS, "categorical", Dirichlet([2, 2, 2])).estimate["probability"]
    counts = np.array([LEVELS.count(name) for name in sorted(set(LEVELS))])
    np.testing.assert_allclose(levels, (counts + 1) / (40 + 3))
    terms = maximum_a_posteriori(TERMS, "multinomial", Dirichlet([2, 2, 2])).estimate["probability"]
    np.testing.assert_allclose(terms, (TERMS.sum(axis=0) + 1) / (TERMS.sum() + 3))
    gaussian = distributions.GaussianFamily(estimation="map")
    fitted = gaussian.estimate(gaussian.summarize(x, everyone))
    prior = NormalInverseGamma(VALUES.mean(), 1.0, 0.5, VALUES.var() / 2)
    found = maximum_a_posteriori(VALUES, "gaussian", prior).estimate
    assert (found["mean"], found["variance"]) == pytest.approx((fitted.mean[0, 0], fitted.variance[0, 0]))


def test_flat_priors_give_maximum_likelihood():
    assert maximum_a_posteriori((7, 10), "binomial", Beta(1, 1)).estimate == pytest.approx({"probability": 0.7})
    assert maximum_a_posteriori(COUNTS, "poisson", Gamma(1, 0)).estimate["rate"] == pytest.approx(COUNTS.mean())
    assert maximum_a_posteriori(VALUES, "exponential", Gamma(1, 0, "exponential")).estimate["rate"] == pytest.approx(
        1 / VALUES.mean()
    )


def test_maximum_a_posteriori_of_few_data_and_of_statistics():
    prior = NormalInverseGamma(0.0, 1.0, 2.0, 2.0)
    one = maximum_a_posteriori([3.0], "gaussian", prior)  # there is no maximum of the likelihood
    assert one.posterior == prior.update([3.0]) and set(one.estimate) == {"mean", "variance"}
    statistic = Moments.of(np.array([[3.0, 1.0]]), Membership.whole(1))
    assert maximum_a_posteriori(statistic, "gaussian", prior, feature=0).estimate == pytest.approx(one.estimate)
    vectors = maximum_a_posteriori(VECTORS, "multivariate gaussian", NormalInverseWishart(np.zeros(3), 1, 4, np.eye(3)))
    assert vectors.estimate["covariance"].shape == (3, 3)


def test_a_prior_of_another_family_is_refused():
    with pytest.raises(InputTypeError, match="Beta"):
        maximum_a_posteriori(BITS, "bernoulli", Gamma(1, 1))
    with pytest.raises(InputError, match="likelihood='exponential'"):
        maximum_a_posteriori(VALUES, "exponential", Gamma(1, 1))
    with pytest.raises(InputError, match="conjugate"):
        maximum_a_posteriori(VALUES, "gamma", Gamma(1, 1))
