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
from likely.distributions.conjugate.large_sample import LargeSample
from likely.errors import InputError, TierError
from likely.estimation import Beta, Dirichlet, Gamma, NormalInverseGamma, NormalInverseWishart
from likely.evaluation import description_length
from likely.models.generative import TextBayes
from likely.models.generative.uncertainty.parameter_posterior import posterior_of_part


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
            found = np.ravel(one.predictive.log_density(X))
            np.testing.assert_allclose(found, part.log_density(X)[:, k], rtol=1e-9)
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
        # under the prior of all columns that carry information; without one, this matters
        belief = model.parameter_posterior([0, 2, column])[1].marginal(2)
        mean, variance = drawn.mean[1::2, column], drawn.covariance[1::2, column, column]
        one, other = belief.of_mean, belief.of_variance
        assert stats.kstest(mean, stats.t(one.freedom, one.centre, one.scale).cdf).pvalue > 0.005
        assert stats.kstest(variance, stats.invgamma(other.shape, scale=other.scale).cdf).pvalue > 0.005
    if covariance == "shared":
        np.testing.assert_allclose(drawn.covariance[::2], drawn.covariance[1::2])


def test_a_kernel_density_has_no_parameters_to_believe_in():
    X, y = table()
    model = NaiveBayes({"wait": "kde"}).fit(X.select("wait"), y)
    with pytest.raises(InputError, match=r"column 'wait'.*no posterior in closed form; .*hist"):
        model.parameter_posterior("wait")


@pytest.mark.sample(1)
@pytest.mark.parametrize(("kind", "column"), [("negative_binomial", "calls"), ("gamma", "wait")])
def test_large_samples_give_normal_logarithms(kind, column):
    """Intervals cover the truth about as often as they say; draws follow them."""
    rng, inside = np.random.default_rng(0), []
    y = np.repeat(["a", "b"], 100)
    for _ in range(150):
        x = rng.negative_binomial(2, 0.25, 200) if kind == "negative_binomial" else rng.gamma(2.0, 3.0, 200)
        belief = NaiveBayes({column: kind}).fit(pl.DataFrame({column: x}), y).parameter_posterior(column)
        for one in belief.values():
            assert isinstance(one, LargeSample)
            truth = {"mean": 6.0, "dispersion": 0.5, "shape": 2.0}
            inside.append([low < truth[name] < high for name, (low, high) in one.interval(0.9).items()])
    np.testing.assert_allclose(np.mean(inside, axis=0), 0.9, atol=0.05)
    drawn = one.sample(4000, random_state=1)
    for name, ends in one.interval(0.8).items():
        np.testing.assert_allclose(np.quantile(drawn[name], [0.1, 0.9]), ends, rtol=0.03)
        assert np.mean(drawn[name]) == pytest.approx(one.mean[name], rel=0.02)
        assert np.std(drawn[name]) == pytest.approx(one.standard_deviation[name], rel=0.1)
    np.testing.assert_array_equal(one.sample(3, random_state=2)["mean"], one.sample(3, random_state=2)["mean"])


def test_a_dispersion_of_zero_is_not_certain():
    x = np.tile([2.0, 3.0, 4.0], 20)  # varies less than Poisson
    model = NaiveBayes({"calls": "negative_binomial"}).fit(pl.DataFrame({"calls": x}), np.repeat(["a", "b"], 30))
    one = model.parameter_posterior("calls")["a"]
    assert one.estimate["dispersion"] == 0.0
    low, high = one.interval(0.95)["dispersion"]
    # half a normal with deviation sqrt(2 / n) / m
    np.testing.assert_allclose([low, high], stats.halfnorm(scale=np.sqrt(2 / 30) / 3).ppf([0.025, 0.975]), rtol=1e-6)
    drawn = posterior_of_part(model, 0).draw(4000, np.random.default_rng(0)).dispersion[::2, 0]
    assert np.quantile(drawn, 0.975) == pytest.approx(high, rel=0.05)
    assert drawn.mean() == pytest.approx(one.mean["dispersion"], rel=0.05)
    empty = NaiveBayes({"calls": "negative_binomial"}).fit(pl.DataFrame({"calls": [0, 0, 0]}), list("aab"))
    with pytest.raises(InputError, match="nothing to be believed"):
        empty.parameter_posterior("calls")


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


@pytest.mark.parametrize("estimation", ["ml", "map", "bayes"])
@pytest.mark.parametrize("covariance", ["full", "shared", "diagonal", "shared_diagonal"])
@pytest.mark.parametrize("missing", ["ignore", "impute"])
def test_a_column_of_vectors_rests_on_its_own_cells(covariance, estimation, missing):
    """As the same column does by itself."""
    X, y = vectors(200, 2)
    X[10:, 1] = np.nan  # five cells in each class
    model = GaussianBayes(covariance, estimation=estimation, missing=missing).fit(X, y)
    one = model.parameter_posterior(1)[0]
    few = GaussianBayes(covariance.replace("full", "diagonal"), estimation=estimation).fit(X[:10, 1:], y[:10])
    expected = few.parameter_posterior(0)[0]
    for field in ("centre", "strength", "shape", "scale"):
        assert getattr(one, field) == pytest.approx(getattr(expected, field)), field
    if estimation == "ml":
        assert (one.strength, one.shape) == (5, 4 if "shared" in covariance else 2)
    full = model.parameter_posterior(0)[0]
    assert full.strength == 100 + (estimation != "ml")


def test_intervals_of_a_variance_seen_in_few_rows_cover_it():
    rng, inside = np.random.default_rng(3), []
    y = np.repeat(np.arange(40), 50)
    for _ in range(15):
        X = rng.normal(size=(2000, 2))
        X[np.arange(2000) % 50 >= 10, 1] = np.nan
        belief = GaussianBayes("full").fit(X, y).parameter_posterior(1)
        inside += [low < 1 < high for low, high in (one.of_variance.interval(0.95) for one in belief.values())]
    assert 0.92 < np.mean(inside) < 0.98


@pytest.mark.parametrize("covariance", ["full", "shared"])
def test_several_columns_together_are_as_sure_as_the_pair_seen_least(covariance):
    X, y = vectors(200, 3)
    X[16:, 1] = np.nan
    X[:6, 2] = np.nan  # with the second column, five rows of each class
    one = GaussianBayes(covariance).fit(X, y).parameter_posterior([0, 1, 2])[0]
    assert one.strength == 8 and one.freedom == (8 if covariance == "shared" else 4)
    pair = GaussianBayes(covariance).fit(X, y).parameter_posterior([0, 2])[0]
    assert pair.strength == 97 and pair.freedom == (192 if covariance == "shared" else 96)


@pytest.mark.parametrize("missing", ["ignore", "impute"])
def test_draws_of_a_column_seen_in_few_rows_are_as_wide_as_its_posterior(missing):
    """The full column is drawn as before: only the one with gaps is unsure."""
    X, y = vectors(200, 2)
    X[24:, 0] = np.nan
    model = GaussianBayes("full", missing=missing).fit(X, y)
    drawn = posterior_of_part(model, 0).draw(4000, np.random.default_rng(6))
    for column, rows in ((0, 12), (1, 100)):
        variance, mean = drawn.covariance[::2, column, column], drawn.mean[::2, column]
        spread = np.std(np.log(variance))
        assert spread == pytest.approx(np.sqrt(2 / rows), rel=0.25)
        assert np.std(mean) == pytest.approx(np.sqrt(np.median(variance) / rows), rel=0.25)
    # Regression of the first column on the second has the twelve rows of a class to go by, and so has its residual.
    own = X[:24][y[:24] == 0]
    centred = own - own.mean(axis=0)
    slope = drawn.covariance[::2, 0, 1] / drawn.covariance[::2, 1, 1]
    residual = np.square(
        centred[:, 0] - centred[:, 1] * (centred[:, 0] @ centred[:, 1]) / np.square(centred[:, 1]).sum()
    ).sum()
    error = np.sqrt(residual / 10 / np.square(centred[:, 1]).sum())
    assert np.std(slope) == pytest.approx(error, rel=0.5)


def test_imputed_cells_are_no_evidence():
    X, y = table()
    kinds = {"size": GaussianFamily(estimation="map"), "bit": "bernoulli", "level": "nominal"}
    gaps = X.with_columns(
        pl.when(pl.int_range(pl.len()) % 5 == 0).then(None).otherwise(pl.col(n)).alias(n) for n in kinds
    )
    known = np.arange(len(y)) % 5 != 0
    model = NaiveBayes(kinds, missing="impute").fit(gaps.select(*kinds), y)
    less = NaiveBayes(kinds).fit(X.select(*kinds).filter(pl.Series(known)), y[known])
    for column in kinds:
        for name in ("no", "yes"):
            one, expected = (m.parameter_posterior(column)[name] for m in (model, less))
            for field in ("centre", "strength", "shape", "scale", "a", "b", "alpha"):
                if hasattr(expected, field):
                    np.testing.assert_allclose(getattr(one, field), getattr(expected, field), err_msg=field)


def test_intervals_do_not_narrow_for_cells_that_were_filled_in():
    X, y = table(60)
    gaps = X.select(pl.when(pl.int_range(pl.len()) < 40).then(None).otherwise(pl.col("calls")).alias("calls"))
    filled, left = (
        NaiveBayes({"calls": "negative_binomial"}, missing=how).fit(gaps, y) for how in ("impute", "ignore")
    )
    for name in ("no", "yes"):
        assert filled.parameter_posterior("calls")[name] == left.parameter_posterior("calls")[name]
    query = X.select("calls")[:15]
    ends, own = (model.predict_interval(query, prior=[0.5, 0.5]) for model in (filled, left))
    assert ((ends[..., 0] <= own[..., 0]) & (own[..., 1] <= ends[..., 1])).all()


def test_shares_are_as_sure_as_what_was_counted():
    """A column counted in 3 rows of 50, 6 times, is no surer than 6 counts, whatever the model fills in."""
    rng = np.random.default_rng(0)
    X = rng.poisson(2.0, (100, 3)).astype(float)
    X[3:50, 0] = np.nan
    X[:3, 0] = 2.0
    model = BayesClassifier(MultinomialFamily(alpha=1.0)).fit(X, np.repeat(["a", "b"], 50))
    one, share = model.parameter_posterior(0)["a"], model.distribution_.parts[0].probability[0]
    assert one.mean == pytest.approx(share[0])
    assert one.standard_deviation == pytest.approx(one.mean * (1 - one.mean) / np.sqrt(7), rel=0.05)
    drawn = posterior_of_part(model, 0).draw(6000, np.random.default_rng(1)).probability[::2]
    np.testing.assert_allclose(drawn.mean(axis=0), share, rtol=0.05)
    for column in range(3):
        belief = model.parameter_posterior(column)["a"]
        assert np.std(drawn[:, column]) == pytest.approx(belief.standard_deviation, rel=0.1)
    together = model.parameter_posterior([0, 1, 2])["a"]
    np.testing.assert_allclose(together.mean, share)
    assert together.alpha[0] == pytest.approx(7.0)
    assert model.parameter_posterior([1, 2])["a"].alpha.sum() == pytest.approx(X[:50, 1:].sum() + 2)


def test_a_level_without_a_share_in_the_prior_is_impossible_until_seen():
    X, y = np.array([["u"], ["u"], ["v"], ["w"], ["u"]], dtype=object), list("aaabb")
    family = CategoricalFamily(m=3.0, p={"u": 0.5, "v": 0.5, "w": 0.0})
    model = NaiveBayes({0: family}).fit(X, y)
    table_of = np.exp(model.distribution_.parts[0].log_probability)
    for k, (name, levels) in enumerate([("a", ("u", "v")), ("b", ("u", "v", "w"))]):
        one = model.parameter_posterior(0)[name]
        assert one.levels == levels
        np.testing.assert_allclose(one.mean, table_of[k, : len(levels)])
    ends = model.predict_interval(np.array([["w"], ["v"]], dtype=object))
    np.testing.assert_array_equal(ends[0, 0], [0.0, 0.0])
    assert np.isfinite(ends).all() and ends[1, 0, 0] < ends[1, 0, 1]


def test_cuts_that_the_labels_chose_are_parameters():
    """As many as are told: probabilities of all bins but one in each class, the cuts, and the class prior."""
    rng = np.random.default_rng(0)
    y = np.arange(300) % 3
    X = pl.DataFrame({"x": rng.normal(size=300) + 3 * y})
    model = NaiveBayes({"x": HistogramFamily(rule="mdl")}).fit(X, y)
    cuts = len(model.distribution_.parts[0].edges[0]) - 2
    assert cuts >= 2 and model.n_parameters_ == 3 * cuts + cuts + 2
    assert description_length(model, X, y).model_bits == pytest.approx((4 * cuts + 2) / 2 * np.log2(300))
    even = NaiveBayes({"x": HistogramFamily(bins=5)}).fit(X, y)
    assert even.n_parameters_ == 3 * 4 + 2  # without a look at the labels


@pytest.mark.parametrize("rows", [2, 3, 10])
def test_intervals_of_amounts_hold_after_few_rows(rows):
    rng, held, runs = np.random.default_rng(0), np.zeros(2), 300
    for _ in range(runs):
        sample = rng.gamma(3.0, 2.0, size=(2 * rows, 1))
        model = NaiveBayes("gamma").fit(sample, np.arange(2 * rows) % 2)
        ends = model.parameter_posterior(0)[1].interval()
        held += [ends["mean"].low <= 6.0 <= ends["mean"].high, ends["shape"].low <= 3.0 <= ends["shape"].high]
    assert (held / runs > 0.95 - 4 * np.sqrt(0.95 * 0.05 / runs)).all(), held / runs
