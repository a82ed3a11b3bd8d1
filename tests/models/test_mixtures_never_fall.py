"""What EM of a mixture climbs never falls: over gaps, with weights, of any family, whatever holds components open."""

import warnings

import numpy as np
import pytest

from likely import BayesClassifier, Mixture
from likely.distributions import MixtureFamily, MultivariateGaussianFamily, NegativeBinomialFamily
from likely.distributions.combined.mixture import component_estimate, component_log_prior
from likely.distributions.conjugate.components import Component
from likely.distributions.names import family_named
from likely.statistics import Membership


def worst_fall(model):
    reached = np.asarray(model.log_posteriors_)
    return np.diff(reached).min(initial=0.0) / max(1.0, np.abs(reached).max())


def with_gaps(x, share, seed=0):
    return np.where(np.random.default_rng(seed).random(x.shape) < share, np.nan, x)


def climbed(x, **options):
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # of components that shrink, of passes that are too few
        return Mixture(3, n_init=1, max_iter=30, **options).fit(x)


@pytest.mark.parametrize("pseudo_rows", [0.01, 10.0])
@pytest.mark.parametrize("covariance", ["full", "shared", "diagonal"])
@pytest.mark.parametrize("table", ["binary", "two groups", "heavy tails"])
def test_gaussian_vectors_over_gaps(table, covariance, pseudo_rows):
    rng = np.random.default_rng(3)
    x = {
        "binary": (rng.random((120, 4)) < 0.3).astype(float),
        "two groups": rng.normal(size=(120, 3)) + 3.0 * (np.arange(120) % 2)[:, None],
        "heavy tails": np.exp(3 * rng.normal(size=(120, 3))),
    }[table]
    for share in (0.2, 0.5):
        for init in ("random", "k-means++"):
            model = climbed(
                with_gaps(x, share), covariance=covariance, pseudo_rows=pseudo_rows, init=init, random_state=1
            )
            assert worst_fall(model) > -1e-12


TABLES = {
    "rare": lambda rng: rng.poisson(0.3, (100, 2)),
    "counts": lambda rng: rng.poisson(1e5, (100, 2)),
    "few values": lambda rng: rng.integers(1, 4, (100, 2)),
    "amounts": lambda rng: rng.gamma(0.7, 3.0, (100, 2)) * [1e-8, 1e8],
    "tails": lambda rng: np.exp(3 * rng.normal(size=(100, 2))),
}
OF = {
    "exponential": ("rare", "few values", "amounts"),
    "gamma": ("few values", "amounts", "tails"),
    "log_normal": ("few values", "amounts", "tails"),
    "negative_binomial": ("rare", "counts", "few values"),
    "poisson": ("rare", "few values"),
    "gaussian": ("rare", "few values"),
}


@pytest.mark.parametrize(("family", "table"), [(name, table) for name, tables in OF.items() for table in tables])
def test_every_family(family, table):
    rng = np.random.default_rng(len(table))
    x, weight = TABLES[table](rng).astype(float), 10.0 ** rng.uniform(-2, 2, 100)
    for seed in range(3):
        options = {"pseudo_rows": (0.01, 10.0)[seed % 2], "init": ("k-means++", "random")[seed // 2]}
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            model = Mixture(3, family, n_init=1, max_iter=25, random_state=seed, **options)
            model.fit(with_gaps(x, 0.2 * (seed % 2)), sample_weight=weight if seed else None)
        assert worst_fall(model) > -1e-11


@pytest.mark.parametrize("family", ["exponential", "gamma", "log_normal", "negative_binomial"])
def test_components_are_the_most_probable_ones(family):
    rng = np.random.default_rng(0)
    x = rng.integers(1, 6, (40, 1)).astype(float)
    own, how = family_named(family), Component(2.0)
    shares = rng.dirichlet(np.ones(2), 40)
    seen = own.summarize(x, Membership.of_shares(shares))
    found = component_estimate(own, seen, how)

    def height(at):
        return float((shares * at.log_density(x)).sum()) + component_log_prior(own, seen, at, how)

    for other in (component_estimate(own, seen, Component(rows)) for rows in (0.5, 1.8, 2.2, 10.0)):
        assert height(other) < height(found)


def test_zeros_do_not_make_a_component_of_infinite_rate():
    x = np.random.default_rng(0).poisson(0.3, (200, 1)).astype(float)
    model = climbed(x, family="exponential", random_state=0)
    assert model.distribution_.parts[0].rate.max() < 1e5 / x.mean()


@pytest.mark.slow
def test_mixtures_inside_of_classes_over_gaps():
    rng = np.random.default_rng(2)
    y = np.repeat([0, 1], 60)
    x = with_gaps(rng.normal(size=(120, 3)) + 2.0 * y[:, None] + (np.arange(120) % 2)[:, None] * [3.0, 0.0, -3.0], 0.4)
    family = MixtureFamily(MultivariateGaussianFamily(), 2, pseudo_rows=10.0)
    model = BayesClassifier(family, random_state=0).fit(x, y)
    reached = np.asarray(model.log_posteriors_)
    assert (np.diff(reached) > -1e-12 * np.abs(reached).max()).all()
    everyone = [(x, Membership.of_labels(y, 2))]
    assert family.settled(everyone).whole.groups == 1 and family.settled([(np.nan_to_num(x), everyone[0][1])]) == family


def test_dispersions_of_large_counts_are_no_rounding():
    rng = np.random.default_rng(1)
    x = rng.poisson(1e5 * rng.gamma(1e5, 1e-5, (400, 1))).astype(float)  # dispersion 1e-5
    weight = np.where(rng.random(400) < 0.5, 1.0, 1e-3)
    family = NegativeBinomialFamily("ml")
    found = family.estimate(family.summarize(x, Membership.whole(400, weight))).dispersion
    assert found[0, 0] == pytest.approx(1e-5, rel=0.3)
