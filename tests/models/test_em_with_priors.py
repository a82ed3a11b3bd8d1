"""EM climbs the log posterior wherever the estimate is its maximum: never down, recorded, and the top is kept."""

import numpy as np
import pytest

from likely import BayesClassifier, NaiveBayes, TextBayes, load, save
from likely.distributions import (
    BernoulliFamily,
    CategoricalFamily,
    ExponentialFamily,
    GammaFamily,
    GaussianFamily,
    HistogramFamily,
    KernelDensityFamily,
    LogNormalFamily,
    MultinomialFamily,
    MultivariateGaussianFamily,
    PoissonFamily,
)
from likely.estimation import expectation_maximization

RNG = np.random.default_rng(8)
N = 160
TRUTH = RNG.integers(0, 2, N)
Y = np.where(np.arange(N) < 8, np.array(["a", "b"])[TRUTH], None)
Y[:2] = ["a", "b"]
REAL = RNG.normal(size=(N, 3)) + 0.9 * TRUTH[:, None]
EVENTS = (RNG.random((N, 6)) < 0.3 + 0.3 * TRUTH[:, None]).astype(float)
COUNTS = RNG.poisson(1 + 2 * TRUTH[:, None], (N, 4)).astype(float)
AMOUNTS = RNG.gamma(2, 1 + TRUTH[:, None], (N, 2))
CLIMBING = [
    *((BernoulliFamily(alpha, kind), EVENTS) for alpha in (0.3, 5.0) for kind in ("map", "bayes")),
    *((CategoricalFamily(alpha, unseen=how), EVENTS) for alpha in (0.5, 4.0) for how in ("ignore", "prior")),
    (CategoricalFamily(m=6.0), EVENTS),
    (MultinomialFamily(alpha=3.0), COUNTS),
    (MultinomialFamily(alpha=3.0, estimation="map"), COUNTS),
    (PoissonFamily("map", strength=9.0), COUNTS),
    (PoissonFamily("ml"), COUNTS),
    (ExponentialFamily("map", strength=9.0), AMOUNTS),
    (GammaFamily("map", strength=9.0), AMOUNTS),
    (LogNormalFamily(estimation="map", strength=9.0), AMOUNTS),
    (GaussianFamily(), REAL),
    (GaussianFamily(estimation="map", strength=9.0), REAL),
    *(
        (MultivariateGaussianFamily(shape, estimation="map", strength=9.0), REAL)
        for shape in ("full", "shared", "diagonal", "shared_diagonal", "spherical", "shared_spherical")
    ),
]


@pytest.mark.parametrize("class_alpha", [0.0, 4.0])
@pytest.mark.parametrize(("family", "x"), CLIMBING, ids=lambda part: repr(part)[:60] if hasattr(part, "form") else "")
def test_what_is_climbed_never_falls(family, x, class_alpha):
    model = BayesClassifier(family, class_alpha=class_alpha).fit(x, Y)
    climbed = model.log_posteriors_
    assert len(climbed) == model.passes_ == len(model.log_likelihoods_)
    assert np.diff(climbed).min() > -1e-9 * abs(climbed[-1])
    assert climbed[-1] > climbed[0]


@pytest.mark.parametrize("estimation", ["map", "bayes"])
def test_the_top_of_the_posterior_is_kept_and_not_that_of_the_likelihood(estimation):
    model = BayesClassifier(BernoulliFamily(30.0, estimation)).fit(EVENTS, Y)
    assert np.diff(model.log_likelihoods_).min() < 0  # the likelihood falls on the way
    again = BayesClassifier(BernoulliFamily(30.0, estimation)).fit(EVENTS, Y)
    shares = model.predict_proba(EVENTS)
    known = np.flatnonzero(Y != None)  # noqa: E711
    shares[known] = np.array([Y[known] == "a", Y[known] == "b"]).T
    pseudo = 29.0 if estimation == "map" else 30.0
    fixed_point = (shares.T @ EVENTS + pseudo) / (shares.sum(axis=0)[:, None] + 2 * pseudo)
    assert np.allclose(model.distribution_.parts[0].probability, fixed_point, atol=1e-4)
    assert np.array_equal(model.log_posteriors_, again.log_posteriors_)


def test_texts_converge():
    words = np.array(["good", "fine", "bad", "poor", "the", "a", "of", "film"])
    chance = np.where(
        TRUTH[:, None] == 1, [0.2, 0.15, 0.02, 0.03, 0.2, 0.2, 0.1, 0.1], [0.02, 0.03, 0.2, 0.15, 0.2, 0.2, 0.1, 0.1]
    )
    texts = [" ".join(RNG.choice(words, 5, p=p)) for p in chance]
    for kind in ("multinomial", "bernoulli"):
        for unseen in ("ignore", "smooth"):
            model = TextBayes(model=kind, alpha=20.0, unseen=unseen, hidden="em").fit(texts, Y)
            assert np.diff(model.log_posteriors_).min() > -1e-9 * abs(model.log_posteriors_[-1])
            assert abs(np.diff(model.log_posteriors_)[-1]) < 1e-5


def test_pseudo_counts_that_empty_a_class_are_told():
    """Of many words one pseudo-count each outweighs the rows, and a tenth of one does not."""
    rng = np.random.default_rng(0)
    words = np.array([f"w{i}" for i in range(2000)])
    chance = 1 / np.arange(1, 2001)
    chance /= chance.sum()
    told = (np.arange(600) + (rng.random(600) < 0.3)) % 2
    texts = [" ".join([*rng.choice(words, 15, p=chance), ("bad", "good")[i]]) for i in told]
    y = np.array([str(i % 2) if i < 60 else None for i in range(600)], dtype=object)
    with pytest.warns(UserWarning, match="pseudo-counts weigh more than the rows"):
        ruled = TextBayes(hidden="em").fit(texts, y)
    free = TextBayes(alpha=0.05, hidden="em").fit(texts, y)
    assert ruled.class_count_.min() < 150 < 200 < free.class_count_.min()
    assert np.diff(ruled.log_posteriors_).min() > -1e-9 * abs(ruled.log_posteriors_[-1])


@pytest.mark.parametrize("family", [HistogramFamily(), KernelDensityFamily(), GaussianFamily(ddof=1)], ids=repr)
def test_an_estimate_that_is_no_maximum_keeps_the_likeliest_pass(family):
    model = BayesClassifier(family).fit(REAL, Y)
    assert np.array_equal(model.log_posteriors_, model.log_likelihoods_)
    known = np.flatnonzero(Y != None)  # noqa: E711
    rows = model.log_evidence(REAL)
    joint = model.log_likelihood(REAL) + np.log(model.class_prior_)
    rows[known] = joint[known, (Y[known] == "b").astype(int)]
    assert rows.sum() == pytest.approx(model.log_likelihoods_.max(), rel=1e-9)


def test_kinds_mix_and_models_are_kept(tmp_path):
    x = np.column_stack([REAL[:, 0], EVENTS[:, 0], COUNTS[:, 0]])
    model = NaiveBayes({0: "gaussian", 1: "bernoulli", 2: "poisson"}, hidden="em").fit(x, Y)
    assert np.diff(model.log_posteriors_).min() > -1e-9 * abs(model.log_posteriors_[-1])
    save(model, tmp_path / "m.likely")
    assert np.array_equal(load(tmp_path / "m.likely").log_posteriors_, model.log_posteriors_)


def test_a_prior_of_ones_own():
    heads, pseudo = 3.0, 2.0  # of ten throws; half of five further ones are hidden

    def e_step(p):
        hidden = 5 * p
        return heads + hidden, heads * np.log(p) + (10 - heads) * np.log(1 - p)

    def m_step(seen):
        return (seen + pseudo) / (15 + 2 * pseudo)

    def log_prior(p, _):
        return pseudo * (np.log(p) + np.log(1 - p))

    rest = expectation_maximization(e_step, m_step, 0.9, tol=1e-14, log_prior=log_prior)
    assert rest.parameters == pytest.approx((heads + pseudo) / (10 + 2 * pseudo), abs=1e-6)
    assert (np.diff(rest.log_posteriors) > -1e-12).all()
    assert rest.log_likelihood == rest.log_likelihoods[np.argmax(rest.log_posteriors)]
