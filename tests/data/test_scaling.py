import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays
from sklearn.preprocessing import MinMaxScaler, StandardScaler

from likely.data import MinMax, Standard, Whitening
from likely.errors import InputError
from likely.statistics import Membership, Moments

cells = st.one_of(st.floats(-1e3, 1e3).map(lambda v: round(v, 3)), st.just(np.nan))
tables = arrays(np.float64, st.tuples(st.integers(1, 12), st.just(3)), elements=cells)


def observed(x):
    """Columns that have something to learn from; scikit-learn warns about the others."""
    return x[:, ~np.isnan(x).all(axis=0)]


@given(tables)
def test_min_max_agrees_with_scikit_learn(x):
    x = observed(x)
    if x.shape[1]:
        ours, theirs = MinMax.learn(x), MinMaxScaler().fit(x)
        assert np.allclose(ours.transform(x), theirs.transform(x), equal_nan=True)
        assert np.allclose(ours.inverse(ours.transform(x)), x, equal_nan=True)


@given(tables)
def test_standard_agrees_with_scikit_learn(x):
    x = observed(x)
    if x.shape[1]:
        ours, theirs = Standard.learn(x), StandardScaler().fit(x)
        assert np.allclose(ours.mean, theirs.mean_)
        assert np.allclose(ours.deviation**2, theirs.var_)
        assert np.allclose(ours.inverse(ours.transform(x)), x, equal_nan=True)
        steady = ours.deviation > 1e-9  # scikit-learn leaves a constant column at x - mean, which is 0 on these rows
        assert np.allclose(ours.transform(x)[:, steady], theirs.transform(x)[:, steady], equal_nan=True)


@pytest.mark.parametrize("ddof", [0, 1])
def test_both_divisors(ddof):
    x = np.random.default_rng(1).normal(size=(9, 4))
    scale = Standard.learn(x, ddof=ddof)
    assert np.allclose(scale.deviation, x.std(axis=0, ddof=ddof))
    assert np.allclose(scale.transform(x).std(axis=0, ddof=ddof), 1)
    assert np.allclose(scale.transform(x).mean(axis=0), 0)


@given(tables, st.integers(0, 12))
def test_ranges_merge(x, cut):
    merged, whole = MinMax.learn(x[:cut]) + MinMax.learn(x[cut:]), MinMax.learn(x)
    assert np.array_equal(merged.low, whole.low) and np.array_equal(merged.high, whole.high)
    assert not hasattr(MinMax, "__sub__")


def test_moments_merge_and_forget():
    rng = np.random.default_rng(2)
    x = rng.normal(1e8, 1.0, size=(50, 3))
    a, b = (Moments.of(part, Membership.whole(len(part))) for part in (x[:20].copy(), x[20:].copy()))
    whole = Standard.learn(x, ddof=1)
    for scale in (Standard.of(a + b, ddof=1), Standard.of((a + b + a) - a, ddof=1)):
        assert np.allclose(scale.mean, whole.mean, rtol=1e-15)
        assert np.allclose(scale.deviation, whole.deviation, rtol=1e-12)
    assert np.allclose(whole.deviation, (x - 1e8).std(axis=0, ddof=1), rtol=1e-12)


def test_moments_of_several_classes_make_one_scale():
    x = np.random.default_rng(3).normal(size=(30, 2))
    by_class = Moments.of(x, Membership.of_labels(np.arange(30) % 3, 3))
    assert np.allclose(Standard.of(by_class).deviation, x.std(axis=0))


@pytest.mark.parametrize("kind", [MinMax, Standard])
def test_a_constant_attribute_becomes_zero(kind):
    scale = kind.learn([[0.1, 1.0], [0.1, 2.0], [0.1, 4.0]])
    assert scale.transform([[0.1, 2.0], [5.0, 2.0]])[:, 0].tolist() == [0.0, 0.0]
    assert scale.inverse([[0.0, 0.0], [3.0, 0.0]])[:, 0].tolist() == [0.1, 0.1]


@pytest.mark.parametrize("kind", [MinMax, Standard])
def test_an_attribute_never_observed_carries_no_information(kind):
    scale = kind.learn([[np.nan, 1.0], [np.nan, 2.0]])
    assert np.array_equal(scale.transform([[5.0, np.nan], [np.nan, 1.0]])[:, 0], [0.0, np.nan], equal_nan=True)
    assert np.isnan(scale.transform([[5.0, np.nan]])[0, 1])
    assert np.isnan(scale.inverse([[0.0, 0.0]])[0, 0])


def test_too_few_rows_for_the_divisor_count_as_constant():
    assert Standard.learn([[3.0]], ddof=1).transform([[3.0], [9.0]]).tolist() == [[0.0], [0.0]]
    assert MinMax.learn(np.empty((0, 2))).transform([[1.0, 2.0]]).tolist() == [[0.0, 0.0]]


@pytest.mark.parametrize("kind", [MinMax, Standard])
@pytest.mark.parametrize("size", [5e-324, 1e-300, 1e-200, 1.0, 1e200, 1.7e308])
def test_any_finite_scale(kind, size):
    x = size * np.array([[-1.0], [0.0], [1.0]])
    scale = kind.learn(x)
    scaled = scale.transform(x)
    expected = [0.0, 0.5, 1.0] if kind is MinMax else [-np.sqrt(1.5), 0.0, np.sqrt(1.5)]
    assert np.allclose(scaled[:, 0], expected, rtol=0.5 if size == 5e-324 and kind is Standard else 1e-12)
    assert np.allclose(scale.inverse(scaled), x, rtol=1e-12, atol=5e-324)
    assert np.isfinite(scale.transform([[1.7e308], [-1.7e308], [5e-324]])).all()
    assert np.isfinite(scale.inverse([[1.7e308], [-1.7e308]])).all()


def correlated(seed=4, rows=200):
    rng = np.random.default_rng(seed)
    return rng.normal(size=(rows, 3)) @ [[2.0, 0.3, 0.0], [0.0, 1.0, 0.4], [0.0, 0.0, 0.1]] + [5.0, -3.0, 100.0]


@pytest.mark.parametrize("ddof", [0, 1])
def test_whitened_rows_are_uncorrelated(ddof):
    x = correlated()
    white = Whitening.learn(x, ddof=ddof)
    assert np.allclose(np.cov(white.transform(x), rowvar=False, ddof=ddof), np.eye(3))
    assert np.allclose(white.transform(x).mean(axis=0), 0)
    assert np.allclose(white.inverse(white.transform(x)), x)


def test_whitening_gives_mahalanobis_distances():
    from scipy.spatial.distance import cdist

    x = correlated()
    white = Whitening.learn(x, ddof=1)
    y = white.transform(x)
    inverse = np.linalg.inv(np.cov(x, rowvar=False))
    assert np.allclose(cdist(y[:20], y[20:40]), cdist(x[:20], x[20:40], "mahalanobis", VI=inverse))


def test_whitening_does_not_depend_on_units():
    x, units = correlated(), np.array([1e-9, 1.0, 1e9])
    assert np.allclose(Whitening.learn(x * units).transform(x * units), Whitening.learn(x).transform(x))


def test_columns_that_add_nothing_become_zero():
    x = correlated()
    full = Whitening.learn(x)
    wide = np.column_stack([x, np.full(len(x), 0.1), x[:, 0] - 2 * x[:, 1] + 7])
    white = Whitening.learn(wide)
    y = white.transform(wide)
    assert np.allclose(y[:, :3], full.transform(x)) and not y[:, 3:].any()
    assert np.allclose(white.inverse(y), wide)
    flat = Whitening.of([1.0, 2.0], np.zeros((2, 2)))
    assert flat.transform([[5.0, 5.0]]).tolist() == [[0.0, 0.0]]
    assert flat.inverse([[5.0, 5.0]]).tolist() == [[1.0, 2.0]]


def test_whitening_leaves_out_incomplete_rows_and_keeps_them_missing():
    x = correlated()
    gappy = np.vstack([x, [[np.nan, 1.0, 2.0]]])
    white = Whitening.learn(gappy)
    assert np.allclose(white.matrix, Whitening.learn(x).matrix)
    assert np.isnan(white.transform(gappy)[-1]).all()


@pytest.mark.parametrize(
    "call, message",
    [
        (lambda: MinMax.learn([1.0, 2.0]), "matrix"),
        (lambda: MinMax.learn([[1.0], [np.inf]]), "row 1, column 0 is infinite"),
        (lambda: MinMax.learn([[1.0]]).transform([[1.0, 2.0]]), "learned on 1 attributes"),
        (lambda: MinMax.learn([[1.0]]) + MinMax.learn([[1.0, 2.0]]), "cannot merge"),
        (lambda: Standard.learn([[1.0]], ddof=-1), "ddof"),
        (lambda: Standard.learn([[1.0]]).transform([[-np.inf]]), "infinite"),
        (lambda: Whitening.of([0.0, 0.0], [[1.0]]), "square covariance"),
        (lambda: Whitening.of([0.0, 0.0], [[1.0, 2.0], [2.0, 1.0]]), "negative eigenvalue"),
        (lambda: Whitening.of([0.0, 0.0], [[1.0, 0.5], [0.0, 1.0]]), "symmetric"),
        (lambda: Whitening.of([0.0, 0.0], [[0.0, 0.5], [0.5, 1.0]]), "negative eigenvalue"),
        (lambda: Whitening.of([0.0, np.nan], np.eye(2)), "finite"),
        (lambda: Whitening.learn([[1.0, np.nan]]), "more than 0 rows"),
        (lambda: Whitening.learn([[1.0]], ddof=1), "more than 1 rows"),
    ],
)
def test_mistakes_are_named(call, message):
    with pytest.raises(InputError, match=message):
        call()
