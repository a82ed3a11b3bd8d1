"""Laws that every family of counts and amounts keeps, whatever its formula."""

from dataclasses import fields, replace
from itertools import pairwise

import numpy as np
import pytest

from likely.distributions.amounts.exponential import ExponentialFamily
from likely.distributions.amounts.gamma import GammaFamily
from likely.distributions.amounts.log_normal import LogNormalFamily
from likely.distributions.counts.bernoulli import BernoulliFamily
from likely.distributions.counts.multinomial import MultinomialFamily
from likely.distributions.counts.negative_binomial import NegativeBinomialFamily
from likely.distributions.counts.poisson import PoissonFamily
from likely.errors import InputError
from likely.statistics import Membership

FAMILIES = [
    *(BernoulliFamily(estimation=e, alpha=1.5) for e in ("ml", "map", "bayes")),
    BernoulliFamily(neutral=True),
    *(MultinomialFamily(estimation=e, alpha=1.5) for e in ("mean", "ml", "map", "bayes")),
    *(PoissonFamily(estimation=e) for e in ("ml", "map", "bayes")),
    *(NegativeBinomialFamily(estimation=e) for e in ("ml", "map")),
    *(ExponentialFamily(estimation=e) for e in ("ml", "map", "bayes")),
    *(GammaFamily(estimation=e) for e in ("ml", "map")),
    *(LogNormalFamily(estimation=e) for e in ("ml", "map", "bayes")),
]
WHOLE = (BernoulliFamily, MultinomialFamily, PoissonFamily, NegativeBinomialFamily)


def name(family):
    return f"{type(family).__name__}-{family.estimation}{'-neutral' if getattr(family, 'neutral', False) else ''}"


def data(family, rng, n=60, d=4, missing=0.0):
    if isinstance(family, BernoulliFamily):
        x = (rng.random((n, d)) < rng.uniform(0.2, 0.8, d)).astype(float)
    elif isinstance(family, WHOLE):
        x = rng.negative_binomial(2, 0.3, (n, d)).astype(float)
    else:
        x = rng.gamma(1.5, 2.0, (n, d))
    x[rng.random((n, d)) < missing] = np.nan
    return x


def labelled(rng, n, k=3, weight=None):
    return Membership.of_labels(rng.integers(0, k, n), k, weight)


def parameters(distribution):
    """Every array of a distribution, those of its parts included."""
    arrays = []
    for f in fields(distribution):
        value = getattr(distribution, f.name)
        arrays.extend([value] if isinstance(value, np.ndarray) else parameters(value))
    return arrays


def assert_same(a, b, tolerance=1e-12):
    for one, two in zip(parameters(a), parameters(b), strict=True):
        np.testing.assert_allclose(one, two, rtol=tolerance, atol=1e-300)


@pytest.fixture(params=FAMILIES, ids=name)
def family(request):
    return request.param


@pytest.mark.sample(7)
def test_terms_sum_to_the_log_density(family, rng):
    x = data(family, rng, missing=0.2)
    fitted = family.estimate(family.summarize(x, labelled(rng, len(x))))
    terms = fitted.log_density_terms(x)
    assert terms.shape == (*x.shape, 3)
    assert np.all(terms[np.isnan(x)] == 0)
    np.testing.assert_allclose(terms.sum(axis=1), fitted.log_density(x), rtol=1e-11, atol=1e-11)


def test_chunks_in_any_grouping_give_the_same_model(family, rng):
    x = data(family, rng, missing=0.1)
    groups = labelled(rng, len(x))
    whole = family.summarize(x, groups)
    cuts = [0, 0, 7, 8, 30, len(x)]
    parts = [family.summarize(x[a:b], groups.rows(a, b)) for a, b in pairwise(cuts)]
    summed = parts[3] + (parts[1] + parts[0]) + (parts[4] + parts[2])
    assert_same(family.estimate(summed), family.estimate(whole))


def test_forgetting_equals_never_having_seen(family, rng):
    x = data(family, rng, missing=0.1)
    groups = labelled(rng, len(x))
    whole = family.summarize(x, groups)
    left = whole.without(family.summarize(x[:20], groups.rows(0, 20)))
    never = family.summarize(x[20:], groups.rows(20, len(x)))
    assert_same(family.estimate(left), family.estimate(never), 1e-9)
    assert left.weight.dtype == np.int64
    with pytest.raises(InputError, match="cannot be forgotten"):
        left.without(whole)


def test_whole_numbers_are_kept_to_the_bit(rng):
    for family in (BernoulliFamily(), PoissonFamily(), MultinomialFamily()):
        x = data(family, rng, missing=0.1)
        groups = labelled(rng, len(x))
        whole = family.summarize(x, groups)
        first, second = family.summarize(x[:31], groups.rows(0, 31)), family.summarize(x[31:], groups.rows(31, 60))
        for statistic in (whole, first + second, second + first, (whole - first) + first):
            assert statistic.sum.dtype == statistic.count.dtype == np.int64
            assert np.array_equal(statistic.sum, whole.sum)
            assert np.array_equal(statistic.count, whole.count)


def test_weight_two_is_the_row_twice_and_weight_zero_its_absence(family, rng):
    x = data(family, rng, missing=0.1)
    groups = labelled(rng, len(x))
    weight = rng.integers(0, 3, len(x)).astype(float)
    weighted = family.summarize(x, Membership.of_labels(groups.labels, 3, weight))
    copies = np.repeat(np.arange(len(x)), weight.astype(int))
    repeated = family.summarize(x[copies], Membership.of_labels(groups.labels[copies], 3))
    assert_same(family.estimate(weighted), family.estimate(repeated), 1e-10)


def test_shares_all_in_one_group_are_labels(family, rng):
    x = data(family, rng, missing=0.1)
    weight = rng.uniform(0.5, 2.0, len(x))
    groups = labelled(rng, len(x), weight=weight)
    shared = family.summarize(x, Membership.of_shares(groups.as_shares()))
    assert_same(family.estimate(shared), family.estimate(family.summarize(x, groups)), 1e-10)


def test_labels_below_zero_are_left_out(family, rng):
    x = data(family, rng)
    labels = rng.integers(-1, 3, len(x))
    some = family.summarize(x, Membership.of_labels(labels, 3))
    those = family.summarize(x[labels >= 0], Membership.of_labels(labels[labels >= 0], 3))
    assert_same(family.estimate(some), family.estimate(those))


def test_a_missing_cell_equals_the_model_without_that_feature(family, rng):
    x = data(family, rng)
    groups = labelled(rng, len(x))
    scored = x.copy()
    scored[:, 2] = np.nan
    rest = np.ascontiguousarray(np.delete(x, 2, axis=1))
    full = family.estimate(family.summarize(x, groups)).log_density(scored)
    np.testing.assert_allclose(full, family.estimate(family.summarize(rest, groups)).log_density(rest), rtol=1e-10)


def test_a_column_that_is_all_missing_has_no_say(family, rng):
    x = data(family, rng)
    x[:, 1] = np.nan
    groups = labelled(rng, len(x))
    fitted = family.estimate(family.summarize(x, groups))
    density = fitted.log_density(x)
    rest = np.ascontiguousarray(np.delete(x, 1, axis=1))
    np.testing.assert_allclose(density, family.estimate(family.summarize(rest, groups)).log_density(rest), rtol=1e-10)
    # a value there has a finite density, which a family of independent features gives alike to all groups
    probe = np.where(np.isnan(x), 1.0, x)
    terms = fitted.log_density_terms(probe)[:, 1]
    if not isinstance(family, MultinomialFamily):
        assert np.all(np.isfinite(terms))
        np.testing.assert_allclose(terms, terms[:, :1] * np.ones(3), atol=1e-12)
    errors = family.standard_errors(family.summarize(x, groups))
    assert all(value.shape == (3, 4) for value in errors.values())


@pytest.mark.parametrize("rows", [0, 1, 2])
def test_tiny_and_empty_groups_have_finite_densities(family, rng, rows):
    """Group 0 has `rows` rows, group 1 none, group 2 the others."""
    x = data(family, rng)
    groups = Membership.of_labels(np.where(np.arange(len(x)) < rows, 0, 2), 3)
    fitted = family.estimate(family.summarize(x, groups))
    density = fitted.log_density(x)
    assert not np.isnan(density).any()
    if family.estimation != "ml" or not isinstance(family, (BernoulliFamily, MultinomialFamily)):
        assert np.isfinite(density).all()
    for error in family.standard_errors(family.summarize(x, groups)).values():
        assert np.isfinite(error[2]).all()


def test_a_single_row_is_enough(family, rng):
    x = data(family, rng)
    fitted = family.estimate(family.summarize(x[:1], Membership.whole(1)))
    assert np.isfinite(fitted.log_density(x[:1])).all()
    assert not np.isnan(fitted.log_density(x)).any()


def test_no_rows_at_all(family, rng):
    x = data(family, rng)
    fitted = family.estimate(family.summarize(x[:0], Membership.of_labels(np.zeros(0), 2)))
    density = fitted.log_density(x)
    assert not np.isnan(density).any()
    np.testing.assert_allclose(density[:, 0], density[:, 1])
    assert fitted.log_density(x[:0]).shape == (0, 2)


def test_zeros_everywhere_say_nothing(rng):
    x = np.zeros((20, 3))
    groups = labelled(rng, 20, k=2)
    for family in (PoissonFamily(), PoissonFamily(estimation="bayes"), NegativeBinomialFamily(), ExponentialFamily()):
        fitted = family.estimate(family.summarize(x, groups))
        assert np.all(fitted.log_density(np.ones((2, 3))) == 0)
        assert np.isnan(fitted.sample(np.array([0, 1]), rng)).all()


def test_one_constant_column_says_nothing(rng):
    for family in (
        GammaFamily(),
        GammaFamily(estimation="map"),
        LogNormalFamily(),
        LogNormalFamily(estimation="bayes"),
    ):
        x = data(family, rng)
        x[:, 0] = 3.7
        fitted = family.estimate(family.summarize(x, labelled(rng, len(x))))
        assert np.all(fitted.log_density_terms(np.full((2, 4), 1.3))[:, 0] == 0)
        drawn = fitted.sample(np.array([0, 1]), rng)[:, 0]
        known = isinstance(family, GammaFamily)  # a log-normal feature knows what the Gaussian of its logarithm knows
        assert np.allclose(drawn, 3.7) or (not known and np.isnan(drawn).all())


@pytest.mark.parametrize("family", [f for f in FAMILIES if not isinstance(f, BernoulliFamily)], ids=name)
def test_enormous_values_never_give_nan(family, rng):
    x = data(family, rng)
    fitted = family.estimate(family.summarize(x, labelled(rng, len(x))))
    for size in (1e16, 1e150, 1e300, float(np.finfo(float).max)):
        probe = x.copy()
        probe[0] = size
        probe[1, 2] = size
        density = fitted.log_density(probe)
        assert not np.isnan(density).any()
        assert np.isfinite(density.max(axis=1)).all()
        assert not np.isnan(fitted.log_density_terms(probe)).any()


def test_single_precision_and_integers_give_the_same_model(family, rng):
    x = data(family, rng)
    groups = labelled(rng, len(x))
    single = x.astype(np.float32)
    assert_same(
        family.estimate(family.summarize(single, groups)),
        family.estimate(family.summarize(single.astype(float), groups)),
        1e-6,
    )
    if isinstance(family, WHOLE):
        fitted = family.estimate(family.summarize(x.astype(np.int64), groups))
        assert_same(fitted, family.estimate(family.summarize(x, groups)))
        np.testing.assert_array_equal(fitted.log_density(x.astype(np.int32)), fitted.log_density(x))


def test_many_rows_with_missing_cells_are_scored_in_blocks(family, rng):
    x = data(family, rng, n=9000, missing=0.3)
    fitted = family.estimate(family.summarize(x, labelled(rng, len(x))))
    pick = np.array([0, 4095, 4096, 8999])
    np.testing.assert_allclose(fitted.log_density(x)[pick], fitted.log_density(x[pick]), rtol=1e-12, atol=1e-12)


def test_samples_belong_to_the_support_and_repeat_with_the_seed(family, rng):
    x = data(family, rng)
    fitted = family.estimate(family.summarize(x, labelled(rng, len(x))))
    member = np.repeat([2, 0, 1], 50)
    drawn = fitted.sample(member, np.random.default_rng(5))
    assert drawn.shape == (150, 4)
    assert np.isfinite(fitted.log_density(drawn)[np.arange(150), member]).all()
    np.testing.assert_array_equal(drawn, fitted.sample(member, np.random.default_rng(5)))


def test_no_parameter_near_the_estimate_has_a_higher_likelihood(rng):
    for family in FAMILIES:
        if family.estimation != "ml" or isinstance(family, MultinomialFamily):
            continue
        x = data(family, rng, n=200)
        fitted = family.estimate(family.summarize(x, Membership.whole(200)))
        best = fitted.log_density(x).sum()
        inner = fitted.of_log if hasattr(fitted, "of_log") else fitted
        for f in fields(inner):
            for step in (0.99, 1.01):
                moved = replace(
                    inner,
                    **{
                        f.name: np.minimum(getattr(inner, f.name) * step, 1.0 - 1e-9)
                        if isinstance(family, BernoulliFamily)
                        else getattr(inner, f.name) * step
                    },
                )
                moved = replace(fitted, of_log=moved) if hasattr(fitted, "of_log") else moved
                assert moved.log_density(x).sum() <= best


def test_options_that_make_no_sense_are_refused():
    for make in (BernoulliFamily, MultinomialFamily):
        with pytest.raises(InputError, match="alpha"):
            make(alpha=-1.0)
        with pytest.raises(InputError, match="estimation"):
            make(estimation="guess")
    for make in (PoissonFamily, NegativeBinomialFamily, ExponentialFamily, GammaFamily, LogNormalFamily):
        with pytest.raises(InputError, match="strength"):
            make(strength=0.0)
        with pytest.raises(InputError, match="estimation"):
            make(estimation="guess")


@pytest.mark.parametrize("value", [-1.0, np.inf, -np.inf])
def test_values_outside_the_support_are_named(family, rng, value):
    x = data(family, rng)
    fitted = family.estimate(family.summarize(x, labelled(rng, len(x))))
    x[7, 2] = value
    for use in (fitted.log_density, fitted.log_density_terms, lambda x: family.summarize(x, Membership.whole(len(x)))):
        with pytest.raises(InputError, match=rf"row 7, column 2 holds {value:g}"):
            use(x)


@pytest.fixture
def rng():
    return np.random.default_rng(20)
