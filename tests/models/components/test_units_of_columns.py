"""Principal components do not depend on the units of columns, with gaps or without, nor on columns that do not vary."""

from contextlib import nullcontext

import numpy as np
import pytest
from sklearn.decomposition import PCA as Reference

from likely import PCA


def income_and_rate(n=300, gaps=0.2):
    rng = np.random.default_rng(0)
    z = rng.normal(size=(n, 3))
    x = np.column_stack([z[:, 0], 0.8 * z[:, 0] + 0.6 * z[:, 1], z[:, 2]])
    x[rng.random(x.shape) < gaps] = np.nan
    return x, np.array([5e4, 0.01, 1.0]), np.array([6e4, 0.05, 0.0])


def test_gaps_are_filled_the_same_in_other_units():
    x, scale, shift = income_and_rate()
    own = PCA(standardize=True).fit(x)
    for units, at in ((scale, shift), ([1e5, 1.0, 1.0], 0.0), ([1e-30, 1.0, 1e30], 0.0)):
        other = PCA(standardize=True).fit(x * units + at)
        assert np.allclose(other.explained_variance_ratio_, own.explained_variance_ratio_, rtol=1e-6)
        assert np.allclose(other.spread_.deviation / units, own.spread_.deviation, rtol=1e-6)
        assert np.allclose(np.diff(other.log_likelihoods_), np.diff(own.log_likelihoods_), atol=1e-6)
        assert np.allclose(other.log_likelihoods_ + (~np.isnan(x)).sum(0) @ np.log(units), own.log_likelihoods_)
    assert own.explained_variance_ratio_ == pytest.approx([0.6, 0.33, 0.07], abs=0.03)


def test_a_gap_is_expected_from_a_column_of_small_units():
    x, scale, shift = income_and_rate()
    for standardize in (True, False):
        model = PCA(standardize=standardize).fit(x * scale + shift)
        income = model.complete([[np.nan, 0.07, 0.0]])[0, 0]
        assert income == pytest.approx(6e4 + 0.8 * 2 * 5e4, rel=0.1)


@pytest.mark.parametrize("missing", [0.05, 0.2, 0.5])
@pytest.mark.parametrize(
    "case", ["plain", "equal columns", "sum of columns", "far", "units", "constant", "few", "ties"]
)
def test_the_likelihood_never_falls_over_gaps(case, missing):
    rng = np.random.default_rng(len(case))
    x = rng.normal(size=(6 if case == "few" else 80, 4))
    if case == "equal columns":
        x[:, 1] = x[:, 0]
    if case == "sum of columns":
        x[:, 3] = x[:, :3].sum(axis=1)
    if case == "constant":
        x[:, 1] = 3.3
    x = {"far": x + 1e6, "units": x * [1e-8, 1.0, 1e8, 1e3], "ties": x.round()}.get(case, x)
    x[rng.random(x.shape) < missing] = np.nan
    reached = PCA(tol=0.0, max_iter=40).fit(x).log_likelihoods_
    assert (np.diff(reached) > -1e-11 * np.abs(reached).max()).all()


def test_columns_that_do_not_vary_take_no_part():
    x, _, _ = income_and_rate()
    own = PCA(standardize=True).fit(x)
    constant = np.where(np.arange(len(x)) % 7 == 0, np.nan, 7.7)
    for more in (
        constant,
        np.full(len(x), 7.7),
        np.full(len(x), np.nan),
        np.where(np.arange(len(x)) == 3, 1.0, np.nan),
    ):
        blank = pytest.warns(UserWarning, match="'x3' has no value") if np.isnan(more).all() else nullcontext()
        with blank:
            model = PCA(standardize=True).fit(np.column_stack([x, more]))
        assert np.allclose(model.explained_variance_, [*own.explained_variance_, 0.0], rtol=1e-12)
        assert model.spread_.deviation[3] == 0 and not model.loadings_[3].any()
        assert np.allclose(model.log_likelihoods_, own.log_likelihoods_, rtol=1e-12)
    nothing = PCA().fit(np.column_stack([constant, constant[::-1]]))
    assert nothing.explained_variance_.tolist() == [0, 0] and nothing.mean_ == pytest.approx([7.7, 7.7])


@pytest.mark.parametrize("units", [1e2, 1e5, 1e7, 1e10])
def test_small_variances_are_no_rounding(units):
    rng = np.random.default_rng(1)
    x = rng.normal(size=(200, 3)) @ rng.normal(size=(3, 3)) * [units, 1.0, 1.0 / units]
    truth = np.linalg.svd(x - x.mean(axis=0), compute_uv=False) ** 2 / 199
    model = PCA(whiten=True).fit(x)
    found = truth > 1e-24 * truth[0]
    assert np.allclose(model.explained_variance_[found], truth[found], rtol=1e-4)
    assert np.allclose(model.transform(x).std(axis=0, ddof=1), model.explained_variance_ > 0)
    rounding = PCA().fit(np.column_stack([x, 2 * x[:, 1]])).explained_variance_
    assert rounding[3] == 0 and (rounding[:3] > 0).tolist() == (model.explained_variance_ > 0).tolist()


def test_noise_of_few_rows_is_that_of_scikit_learn():
    x = np.random.default_rng(2).normal(size=(9, 6))
    for n in (4, 6, 9):
        ours, theirs = PCA(2).fit(x[:n]), Reference(2, svd_solver="full").fit(x[:n])
        assert ours.noise_variance_ == pytest.approx(theirs.noise_variance_)
