"""Forgetting leaves what was never forgotten, refuses what was never learned, and rounding never passes for spread."""

import warnings

import numpy as np
import pytest

from likely.distributions.amounts.gamma import GammaFamily
from likely.distributions.amounts.gaussian import Gaussian, GaussianFamily
from likely.errors import InputError
from likely.statistics import Additive, Membership, Moments, SideBySide
from likely.statistics.summing.log_moments import LogMoments
from likely.statistics.summing.scatter import Scatter
from likely.statistics.summing.totals import Totals

RNG = np.random.default_rng(5)
ALL = (Moments, Scatter, LogMoments, Totals)
SPREADS = (Moments, Scatter, LogMoments)


def column(*values: float) -> np.ndarray:
    return np.array(values, dtype=np.float64)[:, None]


def of(kind, x, labels=None, groups=1, weight=None):
    labels = np.zeros(len(x)) if labels is None else labels
    return kind.of(np.ascontiguousarray(x, dtype=np.float64), Membership.of_labels(np.asarray(labels), groups, weight))


def spread(statistic) -> np.ndarray:
    """Of each feature (k, d): zero just when its values count as all equal."""
    if isinstance(statistic, Scatter):
        return np.diagonal(statistic.deviations, axis1=1, axis2=2)
    return statistic.gap if isinstance(statistic, LogMoments) else statistic.scatter


# --- what was never learned


@pytest.mark.parametrize("kind", SPREADS)
@pytest.mark.parametrize("stranger", [50.0, 1e9])
def test_a_value_that_was_never_learned_is_refused(kind, stranger):
    with pytest.raises(InputError, match="cannot be forgotten"):
        of(kind, column(1, 2, 3)).without(of(kind, column(stranger)))


def test_a_tiny_value_that_was_never_learned_is_refused_where_logarithms_are_summed():
    with pytest.raises(InputError, match="cannot be forgotten"):
        of(LogMoments, column(1, 2, 3)).without(of(LogMoments, column(1e-9)))


@pytest.mark.parametrize("kind", SPREADS)
def test_each_cell_is_checked_by_itself(kind):
    x = np.column_stack([1e8 * RNG.uniform(1, 2, 30), RNG.uniform(1, 2, 30)])
    labels = np.arange(30) % 2
    wrong = np.array([[x[0, 0], 9.0]])  # the first column is honest, and 1e8 times as large
    with pytest.raises(InputError, match="cannot be forgotten"):
        of(kind, x, labels, 2).without(of(kind, wrong, [0], 2))


@pytest.mark.parametrize("family", [GaussianFamily(), GammaFamily()])
def test_a_model_survives_the_attempt(family):
    x = column(1, 2, 3)
    seen = family.summarize(x, Membership.whole(3))
    with pytest.raises(InputError, match="cannot be forgotten"):
        seen.without(family.summarize(column(50), Membership.whole(1)))
    assert np.isfinite(family.estimate(seen).log_density(x)).all()


def test_one_row_too_many_is_refused_however_many_there_are():
    many = Additive(np.array([3 * 10**12]))
    with pytest.raises(InputError, match="cannot be forgotten"):
        many.without(Additive(np.array([3 * 10**12 + 1])))
    assert many.without(many).weight.tolist() == [0]


# --- what is left


def test_small_tallies_of_other_classes_are_not_touched():
    seen = Additive(np.array([1e12, 1e-3, 5.0]))
    assert seen.without(Additive(np.array([1.0, 0.0, 5.0]))).weight.tolist() == [1e12 - 1.0, 1e-3, 0.0]


def test_weights_that_do_not_cancel_to_the_last_bit_leave_nothing():
    both = Additive(np.array([0.1 + 0.2])).without(Additive(np.array([0.3])))
    assert both.weight.tolist() == [0.0]


@pytest.mark.parametrize("kind", ALL)
def test_nothing_is_left_of_a_cell_without_rows(kind):
    x, weight = RNG.uniform(1, 9, (40, 3)), RNG.uniform(0, 1, 40)
    seen, order = of(kind, x, weight=weight), RNG.permutation(40)
    left = seen.without(of(kind, x[order[:25]], weight=weight[order[:25]]))
    left = left.without(of(kind, x[order[25:]], weight=weight[order[25:]]))
    for name in set(vars(left)) - {"origin"}:
        assert not getattr(left, name).any(), name


@pytest.mark.parametrize("kind", SPREADS)
@pytest.mark.parametrize("value", [0.1, 7.3, 1e6 / 3])
@pytest.mark.parametrize("weighted", [False, True])
def test_a_column_that_becomes_constant_has_no_spread(kind, value, weighted):
    varied = RNG.uniform(0.5, 3, (500, 2)) * value
    same = np.column_stack([np.full(7, value), value * RNG.uniform(0.5, 3, 7)])
    weight = RNG.uniform(0.5, 2, 507) if weighted else None
    seen = of(kind, np.vstack([varied, same]), weight=weight)
    gone = of(kind, varied[::-1], weight=None if weight is None else weight[:500][::-1])
    left = spread(seen.without(gone))[0]
    assert left[0] == 0 and left[1] > 0.01 * min(value, 1) ** 2
    if kind is Scatter:
        assert not seen.without(gone).deviations[0, 0].any()  # nor does it vary with another


def test_a_constant_column_does_not_decide_after_forgetting():
    x = np.column_stack([np.r_[RNG.normal(0, 1, 100), np.full(10, 0.3)], RNG.normal(0, 1, 110)])
    labels, family = np.arange(110) % 2, GaussianFamily()
    left = of(Moments, x, labels, 2).without(of(Moments, x[:100], labels[:100], 2))
    fitted = family.estimate(left)
    assert np.isnan(fitted.mean[:, 0]).all() and np.isfinite(fitted.mean[:, 1]).all()
    expected = family.estimate(of(Moments, x[100:], labels[100:], 2)).log_density(x)
    assert np.allclose(fitted.log_density(x), expected, rtol=1e-9)


@pytest.mark.parametrize("kind", SPREADS)
def test_forgetting_in_any_order_equals_never_seen(kind):
    x, labels = RNG.uniform(1, 2, (300, 3)) * [1, 1e5, 1e-5], RNG.integers(0, 3, 300)
    x[RNG.random(x.shape) < 0.1] = np.nan
    order = RNG.permutation(300)
    left = of(kind, x, labels, 3)
    for some in np.array_split(order[:280], 9):
        left = left.without(of(kind, x[some], labels[some], 3))
    kept = of(kind, x[np.sort(order[280:])], labels[np.sort(order[280:])], 3)
    assert np.allclose(spread(left), spread(kept), rtol=1e-8, equal_nan=True)
    assert np.allclose(left.mean, kept.mean, rtol=1e-11, equal_nan=True)


# --- digits


def test_forgetting_a_far_value_of_logarithms_warns():
    with pytest.warns(UserWarning, match="fit again for full accuracy"):
        left = of(LogMoments, column(1, 2, 3, 1e10)).without(of(LogMoments, column(1e10)))
    assert np.isfinite(left.mean).all() and (spread(left) >= 0).all()


@pytest.mark.parametrize("kind", [Moments, Scatter])
@pytest.mark.parametrize("rows", [6, 300, 9000])
@pytest.mark.parametrize("out", [1e4, 1e7, 1e10])
@pytest.mark.parametrize("form", ["plain", "gaps", "weights"])
def test_forgetting_outliers_brings_back_the_spread_of_the_others(kind, rows, out, form):
    rng = np.random.default_rng(rows)
    x = rng.normal(5, 1, (rows, 3))
    weight = rng.uniform(0.5, 2, rows + 3) if form == "weights" else None
    if form == "gaps":
        x[rng.random(x.shape) < 0.1] = np.nan
    wild = np.column_stack([np.array([1.0, 1.1, -0.7]) * out, rng.normal(5, 1, (3, 2))])
    order = rng.permutation(rows + 3)
    labels = rng.integers(0, 2, rows + 3)
    everything = np.vstack([x, wild])

    def some(index):
        return of(kind, everything[index], labels[index], 2, None if weight is None else weight[index])

    learned = some(order[: rows // 2]) + some(order[rows // 2 :])
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        left = learned.without(some(np.array([rows, rows + 2]))).without(some(np.array([rows + 1])))
    never = some(np.arange(rows))
    exact = max(1e-13, 1e-12 * (out / 1e8) ** 2)
    assert np.allclose(spread(left), spread(never), rtol=exact, atol=0)
    assert np.allclose(left.mean, never.mean, rtol=1e-14, atol=0)
    if kind is Scatter:
        assert np.allclose(left.deviations, never.deviations, rtol=0, atol=exact * rows * 2)


@pytest.mark.parametrize("kind", [Moments, Scatter])
def test_many_wide_rows_that_hide_the_spread_of_few_warn_of_what_is_lost(kind):
    rng = np.random.default_rng(6)
    wide, narrow = rng.uniform(1e6, 1e7, (50_000, 1)), rng.uniform(1, 3, (7, 1))
    with pytest.warns(UserWarning, match="fit again for full accuracy") as said:
        left = of(kind, np.vstack([wide, narrow])).without(of(kind, wide))
    figure = float(str(said[0].message).split("about ")[1].split(" stay")[0])
    error = abs(np.sqrt(spread(left)[0, 0] / 7) - narrow.std())
    assert error / 100 < figure < 1e4 * error  # the bound is of the worst order of additions


@pytest.mark.parametrize("kind", [Moments, Scatter])
def test_few_rows_behind_many_wide_ones_come_back(kind):
    rng = np.random.default_rng(7)
    wide, narrow = rng.uniform(1e5, 1e6, (500, 1)), rng.uniform(1, 3, (7, 1))
    left = of(kind, np.vstack([wide, narrow])).without(of(kind, wide))
    assert np.allclose(spread(left), spread(of(kind, narrow)), rtol=1e-9)


def test_what_is_beyond_two_words_is_said():
    x = column(1, 2, 3, 1e25)
    with pytest.warns(UserWarning, match="fit again for full accuracy"):
        of(Moments, x).without(of(Moments, x[3:]))


@pytest.mark.parametrize("kind", SPREADS)
@pytest.mark.parametrize("place", [0, 3])
def test_an_ordinary_outlier_costs_little_wherever_it_stands(kind, place):
    x = RNG.uniform(1, 2, (20, 1))
    wild = np.insert(x, place, 1e3, axis=0)
    left = of(kind, wild).without(of(kind, column(1e3)))
    assert np.allclose(spread(left), spread(of(kind, x)), rtol=1e-6)
    assert np.allclose(left.mean, x.mean(), rtol=1e-10)


def test_zeros_with_a_single_other_value_are_exact_and_silent():
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        left = of(Moments, column(0, 0, 255, 0)).without(of(Moments, column(255)))
    assert left.mean.tolist() == [[0.0]] and left.scatter.tolist() == [[0.0]]


@pytest.mark.parametrize("kind", [Moments, Scatter])
def test_the_first_value_is_not_the_origin_if_it_is_an_outlier(kind):
    x = column(1e9, *RNG.normal(0, 1, 50))
    labels = np.r_[0, np.zeros(50)]
    assert abs(of(kind, x, labels).origin[0, 0]) < 5
    holes = np.where(np.arange(51)[:, None] % 2 == 1, np.nan, x)
    assert abs(of(kind, holes, labels).origin[0, 0]) < 5
    assert abs(of(kind, x, labels, weight=np.full(51, 0.3)).origin[0, 0]) < 5


@pytest.mark.parametrize("kind", [Moments, Scatter])
def test_a_row_that_outweighs_the_others_is_the_origin(kind):
    x, weight = RNG.normal(1e8, 1, (30, 1)), np.ones(30)
    weight[17], x[17] = 1e12, 0.0
    seen = of(kind, x, weight=weight)
    assert seen.origin[0, 0] == 0.0
    from_heavy = np.sum(x**2) - np.sum(x) ** 2 / weight.sum()
    assert np.allclose(spread(seen), from_heavy, rtol=1e-12)


@pytest.mark.parametrize("kind", SPREADS)
@pytest.mark.parametrize("shares", [False, True])
def test_a_row_without_weight_is_absent(kind, shares):
    x, weight = np.vstack([np.full((6, 1), 1e15), RNG.uniform(1, 2, (30, 1))]), np.r_[np.zeros(6), np.ones(30)]
    membership = Membership.of_labels(np.zeros(36), 1, weight)
    if shares:
        membership = Membership.of_shares(membership.as_shares())
    seen, alone = kind.of(x, membership), of(kind, x[6:])
    assert np.allclose(spread(seen), spread(alone), rtol=1e-12)
    assert np.allclose(seen.mean, alone.mean, rtol=1e-14)


# --- shapes


@pytest.mark.parametrize("kind", ALL)
def test_statistics_of_different_features_do_not_add(kind):
    one, two = of(kind, np.ones((3, 1))), of(kind, np.ones((3, 2)))
    for operation in (lambda: one + two, lambda: two - one, lambda: two.without(one)):
        with pytest.raises(InputError, match="features"):
            operation()


def test_joint_statistics_of_different_parts_do_not_add():
    one, two = of(Moments, np.ones((3, 1))), of(Totals, np.ones((3, 1)))
    with pytest.raises(InputError, match="parts"):
        SideBySide(one.weight, (one,)) + SideBySide(one.weight, (one, two))


@pytest.mark.parametrize("kind", ALL)
def test_every_row_needs_its_group_and_weight(kind):
    x = np.ones((100, 2))
    for membership in (
        Membership.whole(3),
        Membership.of_shares(np.ones((99, 2))),
        Membership.of_labels(np.zeros(100), 1, np.ones(3)),
    ):
        with pytest.raises(InputError, match="100 rows"):
            kind.of(x, membership)


# --- the Gaussian family


@pytest.mark.parametrize(
    "options",
    [{"estimation": "mle"}, {"ddof": 2}, {"ddof": -1}, {"strength": 0}, {"strength": np.nan}, {"strength": np.inf}],
    ids=str,
)
def test_options_are_checked(options):
    with pytest.raises(InputError, match=next(iter(options))):
        GaussianFamily(**options)


def test_silent_columns_have_no_parameters_and_columns_are_counted():
    x = np.column_stack([RNG.normal(0, 1, 20), np.full(20, 3.0), np.full(20, np.nan)])
    fitted = GaussianFamily().estimate(of(Moments, x, np.arange(20) % 2, 2))
    assert fitted.n_parameters == 4
    assert Gaussian(np.zeros((3, 2)), np.ones((3, 2))).n_parameters == 12
    for wrong in (x[:, :2], x[:, 0], np.ones((4, 5))):
        with pytest.raises(InputError, match="expected"):
            fitted.log_density(wrong)
        with pytest.raises(InputError, match="expected"):
            fitted.log_density_terms(wrong)


@pytest.mark.parametrize("ddof", [0, 1])
@pytest.mark.parametrize("weighted", [False, True])
def test_leaving_out_an_outlier_equals_estimating_without_it(ddof, weighted):
    x = np.column_stack([np.r_[RNG.normal(0, 1, 40), 1e7], RNG.normal(0, 1, 41), np.r_[np.full(40, 0.1), 5.0]])
    x = np.vstack([x, RNG.normal(3, 1, (2, 3))])  # a class of two rows
    labels = np.r_[np.arange(41) % 2, 2, 2].astype(np.int32)
    weight = RNG.choice([0.5, 1.0, 2.0], 43) if weighted else None
    family, membership = GaussianFamily(ddof=ddof), Membership.of_labels(labels, 3, weight)
    got = family.leave_one_out(Moments.of(x, membership), x, membership)
    for i in range(43):
        rest = np.arange(43) != i
        seen = of(Moments, x[rest], labels[rest], 3, None if weight is None else weight[rest])
        assert np.allclose(got[i], family.estimate(seen).log_density(x[i : i + 1])[0], rtol=1e-9), i


def test_an_outlier_that_takes_rows_not_given_is_nan():
    x = np.r_[RNG.normal(0, 1, (40, 1)), [[1e7]]]
    seen, part = of(Moments, x), slice(20, 41)
    got = GaussianFamily().leave_one_out(seen, np.ascontiguousarray(x[part]), Membership.whole(21))
    assert np.isnan(got[-1]).all() and np.isfinite(got[:-1]).all()
