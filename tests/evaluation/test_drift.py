"""Differences of models: no false alarms beyond the nominal rate, planted changes found where they are."""

import numpy as np
import polars as pl
import pytest
from scipy import stats

from likely import BayesClassifier, GaussianBayes, NaiveBayes
from likely.data.bundled import penguins
from likely.distributions.amounts.gamma import compare_gammas
from likely.distributions.comparing import (
    compare_counts,
    compare_gaussians,
    compare_rates,
    compare_values,
    fisher_exact,
)
from likely.distributions.comparing.divergence import gaussian_divergence
from likely.distributions.comparing.gaussians import HEAVY_TAILS
from likely.errors import InputError, LikelyError, TierError
from likely.evaluation.drift.models import model_difference

KINDS = {"height": "gaussian", "wait": "gamma", "visits": "negative_binomial", "colour": "nominal", "member": "binary"}


def table(rng, n, *, share=0.4, mean=0.0, deviation=1.0, colours=(0.5, 0.3, 0.18, 0.02), missing=0.1, seen=0.1):
    """Mixed columns with missing cells; the changes concern class "yes" only, the share of classes apart."""
    y = np.where(rng.random(n) < share, "yes", "no")
    yes = y == "yes"
    height = np.where(yes, 1 + mean, 0) + rng.normal(size=n) * np.where(yes, deviation, 1.0)
    height[rng.random(n) < np.where(yes, missing, 0.1)] = np.nan
    wait = rng.gamma(2.0, 3.0, n)
    visits = rng.negative_binomial(2, 0.4, n)
    names = np.array(["red", "green", "blue", "grey"])
    drawn = np.where(yes, rng.choice(names, n, p=colours), rng.choice(names, n, p=(0.5, 0.3, 0.18, 0.02)))
    member = rng.random(n) < seen
    frame = pl.DataFrame(
        {
            "height": pl.Series(height).fill_nan(None),
            "wait": wait,
            "visits": visits,
            "colour": drawn,
            "member": member,
        }
    )
    return frame, y


def fitted(rng, n, **changes):
    return NaiveBayes(KINDS).fit(*table(rng, n, **changes))


def places(found):
    return {(c.label, c.feature, c.aspect) for c in (*found.significant, *found.suspected)}


@pytest.mark.slow
def test_no_false_alarms_beyond_the_nominal_rate():
    rng = np.random.default_rng(0)
    pairs = 150
    alarms = sum(
        model_difference(fitted(rng, int(rng.integers(30, 600))), fitted(rng, int(rng.integers(30, 600)))).attention
        for _ in range(pairs)
    )
    assert alarms <= stats.binom(pairs, 0.05).ppf(0.99)


@pytest.mark.slow
@pytest.mark.parametrize("covariance", ["full", "shared"])
def test_no_false_alarms_of_joint_gaussians(covariance):
    rng = np.random.default_rng(1)
    mix = np.array([[1, 0, 0], [0.6, 0.8, 0], [0.2, 0.3, 0.9]])
    pairs, alarms = 60, 0
    for i in range(pairs):
        models = []
        for n in rng.integers(25, 250, 2):
            x, y = rng.normal(size=(n, 3)) @ mix.T, np.arange(n) % 2
            if i % 2:
                x[rng.random(x.shape) < 0.1] = np.nan
            models.append(GaussianBayes(covariance).fit(x, y))
        alarms += model_difference(*models).attention
    assert alarms <= stats.binom(pairs, 0.05).ppf(0.99)


@pytest.mark.parametrize(
    ("changes", "place", "word"),
    [
        ({"share": 0.6}, (None, None, "prior"), "'yes'"),
        ({"mean": 0.6}, ("yes", "height", "values"), "mean"),
        ({"deviation": 1.6}, ("yes", "height", "values"), "deviation"),
        ({"colours": (0.3, 0.5, 0.18, 0.02)}, ("yes", "colour", "values"), "'red'"),
        ({"missing": 0.35}, ("yes", "height", "missing"), "rate"),
    ],
)
def test_a_planted_change_is_found_and_nothing_else(changes, place, word):
    rng = np.random.default_rng(5)
    found = model_difference(fitted(rng, 1200), fitted(rng, 800, **changes))
    assert places(found) == {place}
    (change,) = (*found.significant, *found.suspected)
    assert change.suspected == ("deviation" in changes)  # which is as sure as the column is Gaussian
    assert word in change.what
    if "deviation" in changes:
        assert "mean" not in change.what
    assert change.bits.low <= change.bits.value <= change.bits.high
    assert change.bits.low > 0
    assert word in str(change) and word in str(found)


def test_a_new_and_a_vanished_category_are_named():
    rng = np.random.default_rng(6)
    known, wider = (0.5, 0.3, 0.2, 0.0), (0.4, 0.3, 0.2, 0.1)
    x, y = table(rng, 600, colours=known)
    x, y = x.filter(pl.Series(x["colour"] != "grey")), y[(x["colour"] != "grey").to_numpy()]
    a, b = NaiveBayes(KINDS).fit(x, y), fitted(rng, 500, colours=wider)
    found = model_difference(a, b)
    assert found.new_categories == {"colour": ("grey",)}
    assert found.vanished_categories == {}
    assert ("yes", "colour", "values") in places(found)
    assert "'grey' 0 %" in " ".join(found.changes)
    back = model_difference(b, a)
    assert back.vanished_categories == {"colour": ("grey",)}
    assert places(back) == places(found)


def test_a_changed_correlation_is_found_in_the_joint_only():
    rng = np.random.default_rng(7)

    def drawn(n, r):
        y = np.arange(n) % 2
        x = rng.normal(size=(n, 3))
        x[:, 1] = np.where(y == 1, r * x[:, 0] + np.sqrt(1 - r * r) * x[:, 1], x[:, 1])
        return x, y

    for spoil in (False, True):
        models = []
        for r in (0.0, 0.6):
            x, y = drawn(600, r)
            if spoil:
                x[rng.random(x.shape) < 0.1] = np.nan
            models.append(GaussianBayes("full").fit(x, y))
        found = model_difference(*models)
        assert not found.attention
        assert [(c.label, c.aspect) for c in found.suspected] == [(1, "joint")]
        assert "correlation of 'x0' and 'x1'" in str(found)


def test_the_order_of_the_models_and_of_classes_and_columns_does_not_matter():
    rng = np.random.default_rng(8)
    (x, y), b = table(rng, 400), fitted(rng, 300, mean=0.4)
    a = NaiveBayes(KINDS).fit(x, y)
    order = rng.permutation(len(y))
    turned = NaiveBayes(KINDS).fit(x[order.tolist()].select(x.columns[::-1]), y[order])
    keys = ["class", "feature", "aspect"]
    first = model_difference(a, b).frame().sort(keys)
    for found in (model_difference(b, a), model_difference(turned, b)):
        other = found.frame().sort(keys)
        assert other.select(keys).equals(first.select(keys))
        for name in ("bits", "low", "high", "p", "adjusted_p"):
            np.testing.assert_allclose(other[name].to_numpy(), first[name].to_numpy(), rtol=1e-6, atol=1e-9)


def test_since_compares_with_the_rows_in_between():
    rng = np.random.default_rng(9)
    (x, y), (more, labels) = table(rng, 500), table(rng, 300, mean=0.8)
    a = NaiveBayes(KINDS).fit(x, y)
    b = a.merge(NaiveBayes(KINDS).fit(more, labels))
    since, direct = model_difference(a, b, since=True), model_difference(a, NaiveBayes(KINDS).fit(more, labels))
    assert since.rows == (500, 300)
    np.testing.assert_allclose(since.frame()["p"].to_numpy(), direct.frame()["p"].to_numpy(), rtol=1e-6)
    assert since.between.class_count_.sum() == 300
    with pytest.raises(InputError, match="does not contain"):
        model_difference(b, a, since=True)
    with pytest.raises(InputError, match="no rows since"):
        model_difference(a, a, since=True)


def test_real_halves_at_random_are_alike_and_sorted_halves_are_not():
    data = penguins()
    target = data.columns[-1]
    data = data.filter(pl.col(target).is_not_null()).select(["bill_length_mm", "bill_depth_mm", "body_mass_g", target])

    def halves(rows):
        middle = len(rows) // 2
        return [
            NaiveBayes("gaussian").fit(data[rows[at].tolist()], target) for at in (slice(middle), slice(middle, None))
        ]

    rng = np.random.default_rng(10)
    assert not any(model_difference(*halves(rng.permutation(len(data))), confidence=0.99).attention for _ in range(10))
    found = model_difference(*halves(np.argsort(data["body_mass_g"].fill_null(0).to_numpy())), confidence=0.99)
    assert "body_mass_g" in {c.feature for c in found.significant}


def test_heavy_tails_raise_no_false_alarm():
    rng = np.random.default_rng(12)
    alarms = 0
    for _ in range(40):
        x = np.exp(rng.normal(size=(300, 4)))  # kurtosis 114
        y = np.arange(300) % 2
        models = [NaiveBayes("gaussian").fit(x[half], y[half]) for half in (slice(150), slice(150, None))]
        alarms += model_difference(*models).attention
    assert alarms <= 5  # 5 % of 40 are 2; 6 or more have a probability of 1.4 %


def test_single_tests_agree_with_scipy():
    rng = np.random.default_rng(11)
    assert fisher_exact(2, 30, 9, 25) == pytest.approx(stats.fisher_exact([[2, 28], [9, 16]]).pvalue, rel=1e-9)
    x, y = rng.normal(size=40), rng.normal(0.3, 1.2, size=25)
    verdict = compare_gaussians(40, x.mean(), 40 * x.var(), 25, y.mean(), 25 * y.var())
    t = max(stats.ttest_ind(x, y, equal_var=equal).pvalue for equal in (True, False))
    ratio = stats.f(39 / HEAVY_TAILS, 24 / HEAVY_TAILS).cdf(x.var(ddof=1) / y.var(ddof=1))
    assert [p for p, _ in verdict.parts] == pytest.approx([t, 2 * min(ratio, 1 - ratio)], rel=1e-9)
    g = stats.chi2_contingency([[30, 40, 30], [45, 40, 25]], lambda_="log-likelihood").pvalue
    assert compare_counts(np.array([30, 40, 30]), np.array([45, 40, 25]), "abc").p == pytest.approx(g, rel=0.05)
    rate = stats.binomtest(30, 50, 0.5).pvalue
    assert compare_rates(100, 20, 100, 30).p == pytest.approx(rate, rel=1e-9)


@pytest.mark.slow
def test_p_values_are_uniform_or_larger_without_a_change():
    rng = np.random.default_rng(12)
    p = {"gamma": [], "values": [], "counts": []}
    for _ in range(400):
        x, y = rng.gamma(0.8, 1, 12), rng.gamma(0.8, 1, 30)
        gaps = [np.log(v.mean()) - np.log(v).mean() for v in (x, y, np.r_[x, y])]
        p["gamma"].append(compare_gammas(12, x.mean(), gaps[0], 30, y.mean(), gaps[1], gap=gaps[2]).p)
        points = np.sort(np.r_[x, y])
        p["values"].append(compare_values(points, np.isin(points, x) * 1, np.isin(points, y) * 1).p)
        shares = (0.6, 0.2, 0.1, 0.05, 0.05)
        p["counts"].append(compare_counts(rng.multinomial(25, shares), rng.multinomial(200, shares), "abcde").p)
    for found in p.values():
        for level in (0.01, 0.05, 0.2):
            assert np.sum(np.array(found) <= level) <= stats.binom(400, level).ppf(0.999)


def test_intervals_of_the_divergence_cover_it():
    rng = np.random.default_rng(13)
    truth = gaussian_divergence(0.0, 1.0, 0.5, 1.44)
    hits = 0
    for _ in range(300):
        x, y = rng.normal(size=150), rng.normal(0.5, 1.2, size=80)
        verdict = compare_gaussians(150, x.mean(), 150 * x.var(), 80, y.mean(), 80 * y.var())
        hits += truth in verdict.bits(0.95)
    assert hits >= 300 * 0.92


def test_what_cannot_be_compared_is_named():
    x = np.random.default_rng(14).normal(size=(60, 2))
    a = NaiveBayes("gaussian").fit(x, np.repeat(["p", "q"], 30))
    b = NaiveBayes("gaussian").fit(x, np.repeat(["p", "r"], 30))
    found = model_difference(a, b)
    assert any("class 'q'" in line and "no rows in b" in line for line in found.not_compared)
    assert (None, None, "prior") in places(found)
    assert found.prior["q"][2].high < 0 < found.prior["r"][2].low
    lone = GaussianBayes("full").fit(np.r_[x[:30], x[:2]], ["p"] * 30 + ["q"] * 2)
    assert "at least 4 rows" in str(model_difference(lone, lone))


def test_constant_columns_do_not_raise_alarms_by_themselves():
    x = np.array([[0.0], [0], [0], [1], [0], [0]] * 5)
    y = np.tile([0, 1], 15)
    a, b = GaussianBayes("diagonal").fit(x, y), GaussianBayes("diagonal").fit(np.zeros((8, 1)), np.tile([0, 1], 4))
    found = model_difference(a, b)
    assert not found.attention
    assert not model_difference(b, b).attention
    far = GaussianBayes("diagonal").fit(np.ones((60, 1)), np.tile([0, 1], 30))
    assert model_difference(GaussianBayes("diagonal").fit(np.zeros((60, 1)), np.tile([0, 1], 30)), far).attention


def test_every_family_is_compared_or_refused_by_name():
    rng = np.random.default_rng(15)
    y = np.tile([0, 1], 150)
    x = rng.poisson(4, size=(300, 2)) + 1.0
    for kind in ("poisson", "exponential", "log_normal", "gamma", "histogram", "kde", "multinomial", "gaussian"):
        same = NaiveBayes(kind).fit(x, y), NaiveBayes(kind).fit(x[::-1], y)
        assert not model_difference(*same).attention, kind
        shifted = x * [1, 3]
        found = model_difference(same[0], NaiveBayes(kind).fit(shifted, y))
        assert {(0, "x1", "values"), (1, "x1", "values")} <= places(found), kind


def test_mistakes_are_told():
    x, y = np.random.default_rng(16).normal(size=(40, 2)), np.tile([0, 1], 20)
    a = NaiveBayes("gaussian").fit(x, y)
    for b, words in [
        (GaussianBayes().fit(x, y), "GaussianBayes"),
        (NaiveBayes("gaussian").fit(x[:, :1], y), "'x1'"),
        (NaiveBayes("kde").fit(x, y), "'x0'"),
        (NaiveBayes("gaussian").fit(x, np.where(y, "a", "b")), "type"),
        ("a model", "str"),
    ]:
        with pytest.raises(InputError, match=words):
            model_difference(a, b)
    with pytest.raises(InputError, match="confidence"):
        model_difference(a, a, confidence=95)
    with pytest.raises(LikelyError, match="not fitted"):
        model_difference(a, NaiveBayes())
    hidden = BayesClassifier().fit(x, [None if i < 4 else label for i, label in enumerate(y.tolist())])
    with pytest.raises(TierError, match="EM"):
        model_difference(hidden, hidden)
