"""The posterior of a fitted model's parameters: the same mathematics as the model's own estimates."""

import numpy as np
import polars as pl
import pytest
from scipy import stats

from likely import BayesClassifier, GaussianBayes, NaiveBayes
from likely.distributions import (
    BernoulliFamily,
    CategoricalFamily,
    ExponentialFamily,
    GaussianFamily,
    HistogramFamily,
    LogNormalFamily,
    MultinomialFamily,
    PoissonFamily,
    TextFamily,
)
from likely.errors import InputError, TierError
from likely.estimation import Beta, Dirichlet, Gamma, NormalInverseGamma, NormalInverseWishart
from likely.models.generative import TextBayes
from likely.models.generative.parameter_posterior import posterior_of_part


def table(n=40, seed=0):
    rng = np.random.default_rng(seed)
    y = np.where(rng.random(n) < 0.4, "yes", "no")
    y[:2] = ["yes", "no"]
    more = (y == "yes").astype(float)
    return (
        pl.DataFrame(
            {
                "bit": (rng.random(n) < 0.3 + 0.4 * more).astype(int),
                "level": [("low", "mid", "high")[i] for i in rng.integers(0, 3, n)],
                "size": rng.normal(size=n) + more,
                "calls": rng.poisson(2 + 3 * more),
                "wait": rng.exponential(1 + more),
            }
        ),
        y,
    )


def fitted(family, column):
    X, y = table()
    return NaiveBayes({column: family}).fit(X.select(column), y)


def test_events_and_levels_have_the_model_s_probabilities_as_means():
    model = fitted(BernoulliFamily(1.5), "bit")
    belief = model.parameter_posterior("bit")
    assert list(belief) == ["no", "yes"] and all(isinstance(one, Beta) for one in belief.values())
    np.testing.assert_allclose([one.mean for one in belief.values()], model.distribution_.parts[0].probability[:, 0])
    model = fitted(CategoricalFamily(0.7), "level")
    belief = model.parameter_posterior("level")
    for k, one in enumerate(belief.values()):
        np.testing.assert_allclose(one.mean, np.exp(model.distribution_.parts[0].log_probability[k]))
        assert one.levels == ("high", "low", "mid")
    by_place = model.parameter_posterior(0)["no"]
    np.testing.assert_array_equal(by_place.alpha, belief["no"].alpha)


def test_a_spare_level_for_whatever_was_never_seen():
    X, y = table()
    model = NaiveBayes({"level": "nominal"}, alpha=2.0, unseen="prior").fit(X.select("level"), y)
    one = model.parameter_posterior("level")["yes"]
    assert one.levels[-1] is None and one.alpha[-1] == 2.0
    part = model.distribution_.parts[0]
    np.testing.assert_allclose(one.mean, np.exp([*part.log_probability[1], part.log_unseen[1, 0]]))


@pytest.mark.parametrize("estimation", ["map", "bayes"])
def test_rates_and_normals_have_the_model_s_estimates(estimation):
    model = fitted(PoissonFamily(estimation, 2.0), "calls")
    belief, part = model.parameter_posterior("calls"), model.distribution_.parts[0]
    query = np.array([[0.0], [4.0], [11.0]])
    for k, one in enumerate(belief.values()):
        assert isinstance(one, Gamma)
        if estimation == "map":
            assert one.mode == pytest.approx(part.rate[k, 0])
        else:
            np.testing.assert_allclose(one.predictive.log_density(query)[:, 0], part.log_density(query)[:, k])
    model = fitted(ExponentialFamily(estimation, 2.0), "wait")
    belief, part = model.parameter_posterior("wait"), model.distribution_.parts[0]
    for k, one in enumerate(belief.values()):
        if estimation == "map":
            assert one.mode == pytest.approx(part.rate[k, 0])
        else:
            np.testing.assert_allclose(one.predictive.log_density(query)[:, 0], part.log_density(query)[:, k])
    model = fitted(GaussianFamily(estimation=estimation, strength=2.0), "size")
    belief, part = model.parameter_posterior("size"), model.distribution_.parts[0]
    for k, one in enumerate(belief.values()):
        if estimation == "map":
            assert one.mode == pytest.approx((part.mean[k, 0], part.variance[k, 0]))
        else:
            np.testing.assert_allclose(one.predictive.log_density(query)[:, 0], part.log_density(query)[:, k])


def test_without_a_prior_the_reference_prior_speaks():
    X, y = table()
    own = X.filter(pl.Series(y == "yes"))
    bit, calls, wait, size = (own[name].to_numpy().astype(float) for name in ("bit", "calls", "wait", "size"))
    for family in (BernoulliFamily(estimation="ml"), BernoulliFamily(0.0)):
        assert fitted(family, "bit").parameter_posterior("bit")["yes"] == Beta.reference().update(bit)
    assert fitted("poisson", "calls").parameter_posterior("calls")["yes"] == Gamma.reference().update(calls)
    one = fitted("exponential", "wait").parameter_posterior("wait")["yes"]
    expected = Gamma.reference("exponential").update(wait)
    assert (one.shape, one.rate) == pytest.approx((expected.shape, expected.rate))
    one = fitted("gaussian", "size").parameter_posterior("size")["yes"]
    expected = NormalInverseGamma.reference().update(size)
    assert one.of_mean.interval() == pytest.approx(expected.of_mean.interval(), rel=1e-12)
    assert one.of_variance.interval() == pytest.approx(expected.of_variance.interval(), rel=1e-12)
    levels = fitted(CategoricalFamily(0.0), "level").parameter_posterior("level")["yes"]
    counts = [int((own["level"] == name).sum()) for name in levels.levels]
    np.testing.assert_array_equal(levels.alpha, Dirichlet.reference(3).update(counts).alpha)


def test_logarithms_and_bins():
    X, y = table()
    one = fitted(LogNormalFamily(), "wait").parameter_posterior("wait")["no"]
    logs = np.log(X["wait"].to_numpy()[y == "no"])
    assert one.of_mean.centre == pytest.approx(logs.mean())
    model = fitted(HistogramFamily(bins=4, alpha=0.5), "size")
    belief = model.parameter_posterior("size")["no"]
    np.testing.assert_allclose(belief.mean, model.distribution_.parts[0].probability(0)[0])
    assert len(belief.levels) == 4 and belief.levels[0][1] == belief.levels[1][0]


def test_shares_of_a_vector_of_counts():
    X, y = np.array([[2, 1, 0], [1, 0, 0], [0, 0, 3], [1, 1, 1]]), ["a", "a", "b", "b"]
    model = BayesClassifier(MultinomialFamily(alpha=0.5)).fit(X, y)
    probability = model.distribution_.parts[0].probability
    together = model.parameter_posterior([0, 1, 2])
    for k, name in enumerate("ab"):
        np.testing.assert_allclose(together[name].mean, probability[k])
        assert model.parameter_posterior("x1")[name].mean == pytest.approx(probability[k, 1])
    some = model.parameter_posterior(["x0", "x2"])["a"]
    np.testing.assert_allclose(some.alpha, [3.5, 0.5])
    assert some.levels == ("x0", "x2")


def vectors(n=30, d=3, seed=1):
    rng = np.random.default_rng(seed)
    y = np.arange(n) % 2
    return rng.normal(size=(n, d)) @ rng.normal(size=(d, d)) + y[:, None], y


@pytest.mark.parametrize("covariance", ["full", "shared"])
@pytest.mark.parametrize("estimation", ["map", "bayes"])
def test_vectors_have_the_model_s_estimates(covariance, estimation):
    X, y = vectors()
    model = GaussianBayes(covariance, estimation=estimation, strength=1.5).fit(X, y)
    part = model.distribution_.parts[0]
    whole = model.parameter_posterior([0, 1, 2])
    for k, name in enumerate([0, 1]):
        one = whole[name]
        assert isinstance(one, NormalInverseWishart)
        np.testing.assert_allclose(one.centre, part.mean[k])
        if estimation == "map" and covariance == "full":
            np.testing.assert_allclose(one.mode.covariance, model.covariances_[k])
        if estimation == "bayes":
            np.testing.assert_allclose(one.predictive.log_density(X)[:, 0], part.log_density(X)[:, k], rtol=1e-9)
        alone, marginal = model.parameter_posterior(1)[name], one.marginal(1)
        for field in ("centre", "strength", "shape", "scale"):
            assert getattr(alone, field) == pytest.approx(getattr(marginal, field))


@pytest.mark.parametrize("estimation", ["map", "bayes"])
@pytest.mark.parametrize("covariance", ["diagonal", "shared_diagonal", "spherical", "shared_spherical"])
def test_variances_that_are_shared(covariance, estimation):
    X, y = vectors()
    model = GaussianBayes(covariance, estimation=estimation, strength=1.5).fit(X, y)
    part = model.distribution_.parts[0]
    query = X[:5].copy()
    query[:, [0, 2]] = np.nan
    for k in (0, 1):
        one = model.parameter_posterior(1)[k]
        assert one.centre == pytest.approx(part.mean[k, 1])
        if estimation == "bayes":
            expected = part.log_density(query)[:, k]
            np.testing.assert_allclose(one.predictive.log_density(query[:, 1:2])[:, 0], expected, rtol=1e-10)
        else:  # the joint mode of the means and the variance divides by one half for each mean more
            variance = np.broadcast_to(part.variance, part.mean.shape)[k, 1]
            means = (2 if "shared" in covariance else 1) * (3 if "spherical" in covariance else 1)
            assert one.scale / (one.shape + 1 + means / 2) == pytest.approx(variance)


@pytest.mark.parametrize("covariance", ["full", "shared"])
def test_vectors_without_a_prior(covariance):
    X, y = vectors()
    model = GaussianBayes(covariance).fit(X, y)
    one = model.parameter_posterior([0, 1, 2])[1]
    if covariance == "full":
        expected = NormalInverseWishart.reference(3).update(X[y == 1])
    else:
        scatter = sum(np.cov(X[y == k].T, ddof=0) * (y == k).sum() for k in (0, 1))
        expected = NormalInverseWishart(X[y == 1].mean(axis=0), 15, 28, scatter)
    np.testing.assert_allclose(one.centre, expected.centre)
    np.testing.assert_allclose(one.scale, expected.scale, rtol=1e-9)
    assert (one.strength, one.freedom) == (expected.strength, expected.freedom)


def test_classes_too_small_for_the_reference_prior_have_one_pseudo_row():
    X, y = np.array([[1.0], [2.0], [4.0], [7.0]]), np.array(["a", "a", "a", "b"])
    one = NaiveBayes("gaussian").fit(X, y).parameter_posterior(0)["b"]
    prior = NormalInverseGamma(X.mean(), 1.0, 0.5, X.var() / 2)
    expected = prior.update([7.0])
    assert (one.centre, one.scale, one.shape) == pytest.approx((expected.centre, expected.scale, expected.shape))
    X, y = vectors(7)
    one = GaussianBayes("full").fit(X, y).parameter_posterior([0, 1, 2])[1]  # three rows of three columns
    assert one.freedom == 1 + 3 + 3 - 1 and np.isfinite(one.predictive.log_density(X)).all()
    nothing = NaiveBayes("poisson").fit([[1.0], [3.0], [np.nan]], ["a", "a", "b"]).parameter_posterior(0)["b"]
    assert nothing == Gamma(2.0, 1.0)


def test_constant_and_repeated_columns():
    X, y = vectors(20, 2)
    X = np.column_stack([X, 3 * X[:, 0] + 1, np.full(20, 4.0)])
    model = GaussianBayes("full").fit(X, y)
    first, copy = (model.parameter_posterior(j)[0] for j in (0, 2))
    assert copy.of_variance.mean == pytest.approx(9 * first.of_variance.mean)
    with pytest.raises(InputError, match="improper"):
        _ = model.parameter_posterior(3)[0].of_mean


def test_words():
    texts, y = ["free money now", "free prize", "lunch at noon", "noon call"], ["spam", "spam", "ham", "ham"]
    model = TextBayes(alpha=0.5).fit(texts, y)
    belief = model.parameter_posterior(0)["spam"]
    assert belief.marginal("free").a == 2.5
    p = np.exp(model.log_likelihood(["free"]))[0]
    assert belief.marginal("free").mean == pytest.approx(p[1])
    X = pl.DataFrame({"text": texts, "bit": [1, 1, 0, 0]})
    mixed = NaiveBayes({"text": TextFamily("bernoulli"), "bit": "bernoulli"}).fit(X, y)
    assert mixed.parameter_posterior("text")["ham"]["noon"] == Beta(3, 1)
    with pytest.raises(InputError, match="complement"):
        TextBayes("complement").fit(texts, y).parameter_posterior(0)


def test_the_class_prior():
    X, y = table()
    belief = NaiveBayes(class_alpha=2.0).fit(X, y).parameter_posterior()
    assert belief.levels == ("no", "yes")
    np.testing.assert_allclose(belief.alpha, [(y == "no").sum() + 2, (y == "yes").sum() + 2])
    np.testing.assert_allclose(NaiveBayes().fit(X, y).parameter_posterior().alpha.sum(), len(y) + 1)
    with pytest.raises(InputError, match="given, not learned"):
        NaiveBayes(class_prior="uniform").fit(X, y).parameter_posterior()


def test_draws_follow_the_posteriors():
    X, y = table(30)
    kinds = {"bit": "bernoulli", "level": "nominal", "size": "gaussian", "calls": "poisson", "wait": "exponential"}
    model = NaiveBayes(kinds, alpha=0.8).fit(X, y)
    rng, n = np.random.default_rng(4), 1500
    for i, part in enumerate(model.layout_.parts):
        drawn = posterior_of_part(model, i).draw(n, rng)
        name = model.layout_.schema.columns[part.columns[0]].name
        belief = model.parameter_posterior(name)["yes"]
        match name:
            case "bit":
                values, law = drawn.probability[1::2, 0], stats.beta(belief.a, belief.b)
            case "level":
                one = belief.marginal("low")
                values, law = np.exp(drawn.log_probability[1::2, 1]), stats.beta(one.a, one.b)
            case "size":
                one = belief.of_mean
                values, law = drawn.mean[1::2, 0], stats.t(one.freedom, one.centre, one.scale)
            case _:
                values, law = drawn.rate[1::2, 0], stats.gamma(belief.shape, scale=1 / belief.rate)
        assert stats.kstest(values, law.cdf).pvalue > 0.005, name


@pytest.mark.parametrize("covariance", ["full", "shared"])
@pytest.mark.parametrize("estimation", ["ml", "bayes"])
def test_drawn_vectors_follow_their_posteriors(covariance, estimation):
    X, y = vectors(16)
    X = np.column_stack([X, X[:, 0] - X[:, 1]])  # a column that follows from others
    model = GaussianBayes(covariance, estimation=estimation).fit(X, y)
    drawn = posterior_of_part(model, 0).draw(3000, np.random.default_rng(5))
    for column in (1, 3):
        belief = model.parameter_posterior(column)[1]
        mean, variance = drawn.mean[1::2, column], drawn.covariance[1::2, column, column]
        one, other = belief.of_mean, belief.of_variance
        assert stats.kstest(mean, stats.t(one.freedom, one.centre, one.scale).cdf).pvalue > 0.005
        assert stats.kstest(variance, stats.invgamma(other.shape, scale=other.scale).cdf).pvalue > 0.005
    if covariance == "shared":
        np.testing.assert_allclose(drawn.covariance[::2], drawn.covariance[1::2])


@pytest.mark.parametrize(
    ("kind", "advice"), [("negative_binomial", "poisson"), ("gamma", "log_normal"), ("kde", "hist")]
)
def test_families_without_a_closed_form_say_so(kind, advice):
    X, y = table()
    column = "calls" if kind == "negative_binomial" else "wait"
    model = NaiveBayes({column: kind}).fit(X.select(column), y)
    with pytest.raises(InputError, match=f"column '{column}'.*no posterior in closed form; .*{advice}"):
        model.parameter_posterior(column)


def test_mistakes_are_named():
    X, y = table()
    model = NaiveBayes().fit(X, y)
    with pytest.raises(InputError, match="did you mean 'level'"):
        model.parameter_posterior("levle")
    with pytest.raises(InputError, match="one at a time"):
        model.parameter_posterior(["level", "size"])
    with pytest.raises(InputError, match="one at a time"):
        NaiveBayes("gaussian").fit(np.eye(4), [0, 0, 1, 1]).parameter_posterior([0, 1])
    hidden = BayesClassifier("gaussian").fit([[1.0], [1.5], [0.5], [9.0], [9.5]], ["a", "a", None, "b", "b"])
    with pytest.raises(TierError, match="learned hidden labels"):
        hidden.parameter_posterior("x0")
    with pytest.raises(AttributeError):
        NaiveBayes().parameter_posterior("x0")


def test_imputed_cells_count_as_the_model_counts_them():
    X, y = table()
    X = X.with_columns(size=pl.when(pl.int_range(pl.len()) % 5 == 0).then(None).otherwise(pl.col("size")))
    model = NaiveBayes({"size": GaussianFamily(estimation="map")}, missing="impute").fit(X.select("size"), y)
    one = model.parameter_posterior("size")["no"]
    assert one.strength == (y == "no").sum() + 1
    assert one.mode.variance == pytest.approx(model.distribution_.parts[0].variance[0, 0])
