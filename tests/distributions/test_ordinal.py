"""Ordinal features: pseudo-counts beside what was seen, and comparison by rank."""

import numpy as np
import polars as pl
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import stats

from likely import NaiveBayes
from likely.distributions import CategoricalFamily, OrdinalFamily, fit
from likely.distributions.comparing.ranks import rank_sum
from likely.errors import InputError
from likely.evaluation import model_difference
from likely.statistics import Codes, Membership

COUNTS = st.lists(st.integers(0, 30), min_size=2, max_size=9).filter(lambda row: sum(row) > 0)


def rows(counts):
    code = np.repeat(np.arange(len(counts)), counts).astype(np.int32)
    return Codes(code[:, None], np.zeros(1, dtype=np.int64), (tuple(range(len(counts))),))


def shares(family, counts):
    known = (tuple(range(len(counts))),)
    return np.array([p[0] for p in fit(family(levels=known), rows(counts)).probability(0).values()])


def by_matrix(counts, reach=1.5, alpha=1.0):
    """The formula of the module, with a dense inverse."""
    n = np.array(counts, dtype=float)
    path = np.diag(np.full(len(n), 2.0)) - np.eye(len(n), k=1) - np.eye(len(n), k=-1)
    path[0, 0] = path[-1, -1] = 1
    m = alpha * len(n)
    smooth = np.linalg.inv(np.eye(len(n)) + reach**2 * path) @ (n + alpha) / (n.sum() + m)
    return (n + m * smooth) / (n.sum() + m)


@given(COUNTS, st.sampled_from([0.0, 0.5, 1.5, 4.0]))
def test_probabilities_follow_the_formula(counts, reach):
    found = shares(lambda levels: OrdinalFamily(levels=levels, reach=reach), counts)
    np.testing.assert_allclose(found, by_matrix(counts, reach), rtol=1e-9)
    assert found.sum() == pytest.approx(1) and (found > 0).all()


@given(COUNTS)
def test_without_end_of_reach_it_is_the_nominal_family(counts):
    wide = shares(lambda levels: OrdinalFamily(levels=levels, reach=np.inf), counts)
    np.testing.assert_allclose(wide, shares(lambda levels: CategoricalFamily(levels=levels), counts))


@given(COUNTS)
def test_turning_the_scale_round_turns_the_table_round(counts):
    np.testing.assert_allclose(shares(OrdinalFamily, counts), shares(OrdinalFamily, counts[::-1])[::-1], rtol=1e-9)


def test_order_matters_to_ordinal_and_not_to_nominal_levels():
    spread, near = [5, 0, 0, 0, 5], [5, 5, 0, 0, 0]
    assert sorted(shares(CategoricalFamily, spread)) == pytest.approx(sorted(shares(CategoricalFamily, near)))
    found = shares(OrdinalFamily, near)
    assert found[2] > found[3] > found[4]
    assert shares(OrdinalFamily, [0, 0, 0])[1] == pytest.approx(1 / 3)


def test_small_samples_of_a_bell_are_learned_better_than_by_laplace_and_large_ones_as_well():
    rng = np.random.default_rng(0)
    for n, gain in ((10, 0.05), (100_000, -0.02)):
        loss = np.zeros(2)
        for _ in range(60):
            edges = stats.norm.cdf((np.arange(9) - rng.uniform(2, 6)) / rng.uniform(0.8, 2.5))
            truth = np.maximum(np.diff(edges), 1e-9)
            truth /= truth.sum()
            counts = rng.multinomial(n, truth)
            loss += [
                (truth * np.log(truth / shares(kind, counts))).sum() for kind in (OrdinalFamily, CategoricalFamily)
            ]
        assert loss[0] < (1 - gain) * loss[1]


@pytest.mark.parametrize("unseen", ["ignore", "prior"])
@pytest.mark.parametrize("estimation", ["ml", "map", "bayes"])
@pytest.mark.parametrize("weighted", [False, True])
def test_leaving_one_out_is_estimating_without_the_row(unseen, estimation, weighted):
    rng = np.random.default_rng(1)
    x = np.concatenate([rng.integers(-1, 4, (29, 2)), [[6, 3]]]).astype(np.int32)  # one row alone has level 6
    codes = Codes(x, np.zeros(2, dtype=np.int64), (tuple(range(7)), tuple(range(7))))
    weight = rng.uniform(0.5, 2.0, 30) if weighted else None
    labels = rng.integers(0, 2, 30)
    groups = Membership.of_labels(labels, 2, weight)
    family = OrdinalFamily(alpha=1.5, estimation=estimation, levels=((0, 1, 2, 3), (0, 1, 2, 3)), unseen=unseen)
    found = family.leave_one_out(family.summarize(codes, groups), codes, groups)
    for i in range(30):
        kept = np.arange(30) != i
        others = Codes(x[kept], codes.base, codes.levels)
        rest = Membership.of_labels(labels[kept], 2, None if weight is None else weight[kept])
        law = family.estimate(family.summarize(others, rest))
        expected = law.log_density(Codes(x[[i]], codes.base, codes.levels))[0]
        if i == 29 and unseen == "prior":
            assert np.isnan(found[i]).all()
        else:
            np.testing.assert_allclose(found[i], expected, atol=1e-9)


@given(COUNTS, st.integers(0, 2**32 - 1))
def test_the_rank_sum_is_that_of_scipy(counts, seed):
    other = np.random.default_rng(seed).permutation(counts)
    p, higher = rank_sum(np.array(counts), other)
    x, y = np.repeat(np.arange(len(counts)), counts), np.repeat(np.arange(len(counts)), other)
    if len(np.unique(np.concatenate([x, y]))) > 1:
        peer = stats.mannwhitneyu(y, x, method="asymptotic")
        assert p == pytest.approx(peer.pvalue, abs=1e-12)
        assert higher == pytest.approx(peer.statistic / (len(x) * len(y)))
    else:
        assert p == 1.0


def graded(grades, order):
    return pl.DataFrame({"grade": pl.Series(grades, dtype=pl.Enum(order))})


def test_drift_along_the_scale_is_told_by_rank():
    order = ["poor", "fair", "good", "very good", "excellent"]
    before = np.repeat(order, [30, 60, 120, 60, 30])
    after = np.repeat(order, [18, 45, 117, 75, 45])
    y = (np.arange(300) % 10 == 0).astype(int)

    def change(**kinds):
        models = [NaiveBayes(kinds or "auto").fit(graded(grades, order), y) for grades in (before, after)]
        found = [one for one in model_difference(*models).all if one.feature == "grade" and one.aspect == "values"]
        return next(one for one in found if one.label == 0)

    ranked = change()
    assert "median 'good'" in ranked.what and ranked.test.startswith("rank sum")
    assert ranked.p < change(grade="nominal").p


def test_texts_do_not_tell_their_order():
    table = pl.DataFrame({"size": ["small", "large", "small", "large"]})
    with pytest.raises(InputError, match="'size' is said to be ordinal"):
        NaiveBayes({"size": "ordinal"}).fit(table, [0, 1, 0, 1])
    family = OrdinalFamily(levels=(("small", "medium", "large"),))
    model = NaiveBayes({"size": family}).fit(table, [0, 1, 0, 1])
    p = model.distribution_.parts[0].probability(0)
    assert p["small"][0] > p["medium"][0] > p["large"][0]
    numbers = NaiveBayes({"n": "ordinal"}).fit(pl.DataFrame({"n": [3, 10, 3, 10, 7]}), [0, 1, 0, 1, 1])
    assert list(numbers.distribution_.parts[0].levels[0]) == [3, 7, 10]
    with pytest.raises(InputError, match="reach"):
        OrdinalFamily(reach=-1)
