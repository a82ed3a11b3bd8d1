"""Scatter: against plain loops and exact arithmetic, and as a group."""

from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from likely.errors import InputError
from likely.probability import gamma_function
from likely.statistics import Membership, covariance, sum_of
from likely.statistics.summing.scatter import Scatter

RNG = np.random.default_rng(7)
examples = settings(max_examples=60, deadline=None)


def pairwise(x, weight):
    """Count, first and second sums of every pair by plain loops, about the origin 0."""
    d = x.shape[1]
    count, first, second = np.zeros((d, d)), np.zeros((d, d)), np.zeros((d, d))
    for i in range(d):
        for j in range(d):
            both = ~np.isnan(x[:, i]) & ~np.isnan(x[:, j])
            a, b, w = x[both, i], x[both, j], weight[both]
            count[i, j], first[i, j], second[i, j] = w.sum(), (w * a).sum(), (w * a * b).sum()
    return count, first, second


def table(rows, d, missing=0.0, offset=0.0):
    x = RNG.normal(size=(rows, d)) @ RNG.normal(size=(d, d)) + offset
    x[RNG.random((rows, d)) < missing] = np.nan
    return x


def assert_same(a, b, tolerance=1e-9):
    """Equal sums about one origin, whatever form and origin they were kept in."""
    assert np.allclose(a.weight, b.weight, rtol=0, atol=tolerance)
    origin = np.where(a._mass() >= b._mass(), a.origin, b.origin)
    a, b = a.about(origin), b.about(origin)
    shape = a.second.shape
    for name in ("count", "first", "second"):
        left, right = np.broadcast_to(getattr(a, name), shape), np.broadcast_to(getattr(b, name), shape)
        assert np.allclose(left, right, rtol=tolerance, atol=tolerance * max(1.0, np.abs(a.second).max(initial=0))), (
            name
        )


@pytest.mark.parametrize("missing", [0.0, 0.3])
@pytest.mark.parametrize("weighted", [False, True])
@pytest.mark.parametrize("dtype", [np.float32, np.float64])
def test_sums_equal_plain_loops(missing, weighted, dtype):
    x = table(400, 3, missing).astype(dtype)
    labels = RNG.integers(-1, 4, 400)
    weight = RNG.random(400) * 2 if weighted else None
    seen = Scatter.of(x, Membership.of_labels(labels, 4, weight)).about(np.zeros((4, 3)))
    assert seen.complete == (missing == 0)
    for c in range(4):
        rows = labels == c
        count, first, second = pairwise(
            x[rows].astype(np.float64), np.ones(400)[rows] if weight is None else weight[rows]
        )
        assert np.allclose(seen.count[c], count)
        assert np.allclose(seen.first[c], first)
        assert np.allclose(seen.second[c], second)
    assert (seen.count.dtype.kind == "i") is not weighted
    assert np.array_equal(seen.second, seen.second.transpose(0, 2, 1))


@pytest.mark.parametrize("missing", [0.0, 0.2])
def test_shares_of_one_group_each_equal_labels(missing):
    x = table(300, 4, missing, offset=1e8)
    labels, weight = np.sort(RNG.integers(0, 3, 300)), RNG.random(300)
    by_labels = Scatter.of(x, Membership.of_labels(labels, 3, weight))
    by_shares = Scatter.of(x, Membership.of_shares(Membership.of_labels(labels, 3, weight).as_shares()))
    assert np.allclose(by_shares.deviations, by_labels.deviations, rtol=1e-10, atol=1e-10)
    assert np.allclose(by_shares.mean, by_labels.mean, rtol=1e-15)


def test_shares_split_between_groups():
    x = table(200, 3, 0.1)
    share = RNG.dirichlet([1, 1], 200)
    seen = Scatter.of(x, Membership.of_shares(share)).about(np.zeros((2, 3)))
    for c in range(2):
        count, first, second = pairwise(x, share[:, c])
        assert np.allclose(seen.count[c], count)
        assert np.allclose(seen.first[c], first)
        assert np.allclose(seen.second[c], second)


def test_many_blocks_and_many_groups():
    x, labels = table(30_000, 3), RNG.integers(0, 400, 30_000)
    seen = Scatter.of(x, Membership.of_labels(labels, 400))
    for c in (0, 17, 399):
        assert np.allclose(seen.deviations[c] / seen.weight[c], np.cov(x[labels == c].T, ddof=0))


def test_missing_cell_found_in_a_late_block():
    x = table(20_000, 2)
    x[19_999, 1] = np.nan
    seen = Scatter.of(x, Membership.whole(20_000))
    assert seen.count[0].tolist() == [[20_000, 19_999], [19_999, 19_999]]


def exact_deviations(x):
    """Sum of products about the means of each complete pair, in rational arithmetic."""
    d = x.shape[1]
    out = np.empty((d, d))
    for i in range(d):
        for j in range(d):
            pairs = [(Fraction(float(a)), Fraction(float(b))) for a, b in x[:, [i, j]] if a == a and b == b]
            n = len(pairs)
            ma, mb = sum(a for a, _ in pairs) / n, sum(b for _, b in pairs) / n
            out[i, j] = float(sum((a - ma) * (b - mb) for a, b in pairs))
    return out


@pytest.mark.parametrize("missing", [0.0, 0.2])
def test_offset_of_1e8_agrees_with_rational_arithmetic(missing):
    x = table(120, 3, missing, offset=1e8)
    parts = [Scatter.of(x[a:b], Membership.whole(b - a)) for a, b in ((0, 7), (7, 50), (50, 120))]
    exact = exact_deviations(x)
    for seen in (Scatter.of(x, Membership.whole(120)), sum_of(parts)):
        assert np.allclose(seen.deviations[0], exact, rtol=1e-12, atol=1e-12 * exact.max())


def test_filled_is_the_statistic_of_filled_rows():
    x, labels = table(200, 4, 0.3, offset=50), RNG.integers(0, 2, 200)
    full = x.copy()
    for c in range(2):
        for j in range(4):
            cells = labels == c
            full[cells & np.isnan(x[:, j]), j] = np.nanmean(x[cells, j])
    membership = Membership.of_labels(labels, 2)
    filled = Scatter.of(x, membership).filled()
    assert np.allclose(filled.deviations, Scatter.of(full, membership).deviations, rtol=1e-10)
    assert np.allclose(filled.mean, Scatter.of(full, membership).mean, rtol=1e-14)


def test_filled_leaves_a_feature_unobserved_where_a_group_has_no_cell():
    x = np.array([[1.0, np.nan], [3.0, np.nan], [2.0, 5.0], [4.0, 7.0]])
    filled = Scatter.of(x, Membership.of_labels(np.array([0, 0, 1, 1]), 2)).filled()
    assert filled.observed.tolist() == [[2, 0], [2, 2]]
    assert np.isnan(filled.mean[0, 1])


rows = st.lists(
    st.tuples(
        st.integers(-1, 2),
        st.lists(st.one_of(st.integers(-50, 50).map(float), st.just(np.nan)), min_size=2, max_size=2),
        st.sampled_from([0.0, 0.5, 1.0, 3.0]),
    ),
    max_size=12,
)


def scatter_of(data, weighted=True, offset=0.0):
    x = np.array([cells for _, cells, _ in data], dtype=np.float64).reshape(-1, 2) + offset
    labels = np.array([label for label, _, _ in data], dtype=np.int32)
    weight = np.array([w for _, _, w in data]) if weighted else None
    return Scatter.of(x, Membership.of_labels(labels, 3, weight))


@examples
@given(rows, rows, st.booleans(), st.sampled_from([0.0, 1e8]))
def test_parts_sum_to_the_whole_in_any_order(a, b, weighted, offset):
    whole = scatter_of(a + b, weighted, offset)
    one, two = scatter_of(a, weighted, offset), scatter_of(b, weighted, offset)
    assert_same(one + two, whole)
    assert_same(two + one, whole)
    assert_same(scatter_of((a + b)[::-1], weighted, offset), whole)


@examples
@given(rows, rows, rows, st.sampled_from([0.0, 1e8]))
def test_group_laws(a, b, c, offset):
    x, y, z = (scatter_of(part, offset=offset) for part in (a, b, c))
    assert_same((x + y) + z, x + (y + z))
    assert_same(x - (x - y), y)
    assert_same((x - y) - (x - y - z), z)
    assert_same(x + scatter_of([]), x)
    assert_same((x - y) * 2.0, x * 2.0 - y * 2.0)


@examples
@given(rows)
def test_weight_two_is_the_row_twice_and_weight_zero_its_absence(a):
    doubled = [(label, cells, 2.0) for label, cells, _ in a]
    assert_same(scatter_of(doubled), scatter_of(a + a, weighted=False))
    gone = [(label, cells, 0.0) for label, cells, _ in a]
    assert_same(scatter_of(gone), scatter_of([]))
    assert scatter_of(gone).complete


def test_a_row_without_weight_is_not_the_origin():
    x = table(50, 2)
    wild = np.vstack([[1e200, -1e200], x])
    seen = Scatter.of(wild, Membership.of_labels(np.zeros(51), 1, np.append(0.0, np.ones(50))))
    assert np.allclose(seen.deviations, Scatter.of(x, Membership.whole(50)).deviations)


@examples
@given(rows, rows)
def test_forget_equals_never_seen(a, b):
    one, two = scatter_of(a), scatter_of(b)
    assert_same((one + two).without(two), one)


@pytest.mark.parametrize("missing", [0.0, 0.3])
def test_nothing_is_left_of_forgotten_rows_in_a_single_one(missing):
    x = table(20_000, 3, missing)
    x[0] = 1.0
    left = Scatter.of(x, Membership.whole(20_000)).without(Scatter.of(x[1:], Membership.whole(19_999)))
    assert not left.deviations.any()


def test_forgetting_what_was_never_learned_is_refused():
    x = table(20, 2)
    few, many = Scatter.of(x[:5], Membership.whole(5)), Scatter.of(x, Membership.whole(20))
    with pytest.raises(InputError, match="cannot be forgotten"):
        few.without(many)
    holed = x.copy()
    holed[:, 1] = np.nan
    with pytest.raises(InputError, match="cannot be forgotten"):
        Scatter.of(holed, Membership.whole(20)).without(many)


def test_forms_mix_and_return_to_the_short_one():
    x = np.round(table(50, 3) * 8) / 8  # sums of such numbers are exact
    holed = x.copy()
    holed[3, 1] = np.nan
    a, b = Scatter.of(x, Membership.whole(50)), Scatter.of(holed, Membership.whole(50))
    assert a.complete and not b.complete and not (a + b).complete
    assert_same(a + b, Scatter.of(np.concatenate([x, holed]), Membership.whole(100)), 1e-14)
    assert ((a + b) - b).complete
    assert (b - b).complete


def test_groups_can_be_taken_moved_and_merged():
    x, labels = table(90, 3, 0.1), RNG.integers(0, 3, 90)
    seen = Scatter.of(x, Membership.of_labels(labels, 3))
    assert_same(seen.overall(), Scatter.of(x, Membership.whole(90)))
    moved = seen.taken(np.array([2, 0])).regrouped(np.array([3, 1]), 4)
    assert_same(moved.taken(np.array([3])), Scatter.of(x[labels == 2], Membership.whole(sum(labels == 2))))
    assert moved.weight.tolist() == [0, sum(labels == 0), 0, sum(labels == 2)]


def test_rows_and_columns_without_any_cell():
    x = np.full((5, 2), np.nan)
    seen = Scatter.of(x, Membership.whole(5))
    assert seen.weight[0] == 5 and not seen.count.any() and not seen.deviations.any()
    assert np.isnan(seen.mean).all()
    assert_same(
        seen + Scatter.of(np.ones((2, 2)), Membership.whole(2)),
        Scatter.of(np.concatenate([x, np.ones((2, 2))]), Membership.whole(7)),
    )
    assert Scatter.of(np.empty((0, 2)), Membership.whole(0)).weight[0] == 0


def test_texts_are_no_numbers():
    with pytest.raises(InputError, match=r"must be numbers: .*'red'"):
        covariance([[1.0, "red"], [2.0, "blue"]])
    with pytest.raises(InputError, match=r"gamma function must be numbers: .*'a'"):
        gamma_function([1, 2, "a"])
