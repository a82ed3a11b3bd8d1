"""What every family refuses: options that do not exist, tables of another width, codes beyond the levels."""

import numpy as np
import pytest

from likely.distributions.amounts import exponential, gamma, histogram, kernel_density, log_normal
from likely.distributions.counts import bernoulli, categorical, multinomial, negative_binomial, poisson
from likely.distributions.family import fit
from likely.distributions.vectors import family as multivariate
from likely.distributions.vectors.gaussian_vectors import MultivariateGaussian
from likely.distributions.vectors.student_vectors import MultivariateStudent
from likely.errors import InputError
from likely.statistics import Codes, Membership

BERNOULLI, CATEGORICAL = bernoulli.BernoulliFamily, categorical.CategoricalFamily
EXPONENTIAL, GAMMA = exponential.ExponentialFamily, gamma.GammaFamily
HISTOGRAM, KERNELS = histogram.HistogramFamily, kernel_density.KernelDensityFamily
LOG_NORMAL, MULTINOMIAL = log_normal.LogNormalFamily, multinomial.MultinomialFamily
BINOMIAL, POISSON = negative_binomial.NegativeBinomialFamily, poisson.PoissonFamily
GAUSSIAN = multivariate.MultivariateGaussianFamily
NAN, INF = float("nan"), float("inf")


@pytest.mark.parametrize("family", [EXPONENTIAL, GAMMA, LOG_NORMAL, BINOMIAL, POISSON, GAUSSIAN])
@pytest.mark.parametrize("strength", [0.0, -1.0, NAN, INF])
def test_strength_must_be_positive_and_finite(family, strength):
    with pytest.raises(InputError, match="strength"):
        family(strength=strength)


@pytest.mark.parametrize("family", [BERNOULLI, CATEGORICAL, MULTINOMIAL, HISTOGRAM])
@pytest.mark.parametrize("alpha", [-1.0, NAN, INF])
def test_alpha_must_be_finite_and_not_negative(family, alpha):
    with pytest.raises(InputError, match="alpha"):
        family(alpha=alpha)


@pytest.mark.parametrize(
    "family", [BERNOULLI, CATEGORICAL, EXPONENTIAL, GAMMA, LOG_NORMAL, MULTINOMIAL, BINOMIAL, POISSON, GAUSSIAN]
)
def test_estimation_must_exist(family):
    with pytest.raises(InputError, match="estimation must be"):
        family(estimation="mle")


@pytest.mark.parametrize(
    ("family", "options", "message"),
    [
        (CATEGORICAL, {"unseen": "drop"}, "unseen must be one of"),
        (CATEGORICAL, {"m": NAN}, "m must be finite"),
        (CATEGORICAL, {"m": 2.0, "p": {"a": 1.5, "b": -0.5}}, "between 0 and 1"),
        (CATEGORICAL, {"m": 2.0, "p": {"a": 0.5}}, "sum to 1"),
        (LOG_NORMAL, {"ddof": 3}, "ddof"),
        (HISTOGRAM, {"max_values": 2}, "max_values"),
        (KERNELS, {"max_values": 2}, "max_values"),
    ],
)
def test_other_options_that_make_no_sense(family, options, message):
    with pytest.raises(InputError, match=message):
        family(**options)


@pytest.mark.parametrize(
    "family",
    [
        BERNOULLI(),
        EXPONENTIAL(),
        EXPONENTIAL(estimation="bayes"),
        GAMMA(),
        HISTOGRAM(),
        KERNELS(),
        LOG_NORMAL(),
        LOG_NORMAL(estimation="bayes"),
        MULTINOMIAL(),
        MULTINOMIAL(estimation="bayes"),
        BINOMIAL(),
        POISSON(),
        *(GAUSSIAN(kind) for kind in ("full", "shared", "diagonal", "shared_diagonal", "spherical")),
        *(GAUSSIAN(kind, estimation="bayes") for kind in ("full", "shared_diagonal", "diagonal")),
    ],
    ids=repr,
)
def test_tables_of_another_width_are_refused(family):
    rng = np.random.default_rng(1)
    low = 0 if isinstance(family, BERNOULLI) else 1
    x = rng.integers(low, 2 if low == 0 else 9, (30, 3)).astype(np.float64)
    fitted = fit(family, x, Membership.of_labels(np.repeat([0, 1], 15), 2))
    scores = [fitted.log_density, fitted.log_density_terms, getattr(fitted, "log_ratio", fitted.log_density)]
    for score in scores:
        assert score(x).shape[0] == 30
        for wrong in (x[:, :2].copy(), np.hstack([x, x])):
            with pytest.raises(InputError, match="expected rows with 3 columns"):
                score(wrong)
    if isinstance(fitted, MultivariateGaussian | MultivariateStudent):
        assert np.allclose(fitted.log_density(x[0].copy()), fitted.log_density(x)[0])  # one vector is one row
        scores = [fitted.log_density_terms]
    for score in scores:
        with pytest.raises(InputError, match="two axes"):
            score(x[0].copy())


class TestCodes:
    def fitted(self):
        x = Codes(np.array([[0, 1], [1, 2], [1, 0]], dtype=np.int32), np.zeros(2, dtype=np.int64), (("a", "b"), "xyz"))
        return x, fit(CATEGORICAL(), x, Membership.whole(3))

    @pytest.mark.parametrize("code", [2, 100, -2])
    def test_codes_beyond_the_levels_are_refused(self, code):
        x, fitted = self.fitted()
        cells = x.x.copy()
        cells[1, 0] = code
        for score in (fitted.log_density, fitted.log_density_terms):
            assert np.isfinite(score(x)).all()
            with pytest.raises(InputError, match="column 0 holds codes"):
                score(Codes(cells, x.base, x.levels))

    def test_another_number_of_columns_is_refused(self):
        x, fitted = self.fitted()
        for score in (fitted.log_density, fitted.log_density_terms):
            with pytest.raises(InputError, match="2 columns"):
                score(Codes(x.x[:, :1].copy(), x.base[:1], x.levels[:1]))
            with pytest.raises(InputError, match="2 columns"):
                score(Codes(x.x[:, :1].copy(), x.base, x.levels))

    def test_missing_cells_and_no_rows_are_fine(self):
        x, fitted = self.fitted()
        missing = Codes(np.full((2, 2), -1, dtype=np.int32), x.base, x.levels)
        assert (fitted.log_density(missing) == 0).all()
        assert fitted.log_density(x.rows(0, 0)).shape == (0, 1)


@pytest.mark.parametrize(
    "family",
    [
        KERNELS(),
        GAMMA(),
        *(GAUSSIAN(kind) for kind in ("full", "shared", "diagonal", "shared_diagonal")),
        *(GAUSSIAN(kind, estimation="bayes") for kind in ("full", "diagonal", "shared_diagonal")),
    ],
    ids=repr,
)
def test_samples_of_a_constant_column_are_that_constant(family):
    x = np.column_stack([np.random.default_rng(2).gamma(3.0, size=40), np.full(40, 7.0), np.full(40, np.nan)])
    fitted = fit(family, x, Membership.of_labels(np.repeat([0, 1], 20), 2))
    drawn = fitted.sample(np.array([0, 1, 1, 0]), np.random.default_rng(3))
    assert np.isfinite(drawn[:, 0]).all()
    assert (drawn[:, 1] == 7.0).all()
    assert np.isnan(drawn[:, 2]).all()
    assert (fitted.log_density_terms(x)[:, 1] == 0).all()  # and it still says nothing


def test_the_unit_of_the_weights_does_not_matter_for_quartiles():
    x = np.random.default_rng(4).normal(size=(400, 1))
    weight = np.random.default_rng(5).uniform(0.5, 1.5, 400)
    labels = np.zeros(400, dtype=np.int32)
    plain = fit(KERNELS(), x).bandwidth.item()
    for total in (1.0, 10.0, 400.0):
        members = Membership.of_labels(labels, 1, weight / weight.sum() * total)
        found = fit(KERNELS(), x, members).bandwidth.item() * (total / 400) ** 0.2  # n^(-1/5) is of the total
        assert found == pytest.approx(plain, rel=0.5 if total == 1 else 0.15)
