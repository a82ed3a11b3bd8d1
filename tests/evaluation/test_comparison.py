"""Comparison of classifiers: paired, with the difference first, in plain words."""

from dataclasses import replace

import numpy as np
import pytest
from scipy import stats
from sklearn.datasets import load_breast_cancer, load_wine
from sklearn.dummy import DummyClassifier
from sklearn.linear_model import LogisticRegression, RidgeClassifier
from sklearn.metrics import f1_score
from sklearn.naive_bayes import GaussianNB
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler
from statsmodels.stats.contingency_tables import mcnemar as peer_mcnemar
from statsmodels.stats.multitest import multipletests

from likely import GaussianBayes, LikelyError, NaiveBayes
from likely.decisions import MajorityClassifier
from likely.evaluation.comparing.comparison import compare, compare_results
from likely.evaluation.comparing.paired_rows import paired_interval
from likely.evaluation.comparing.significance import corrected_resampled_t
from likely.evaluation.measures.criteria import criterion
from likely.evaluation.resampling.cross_validation import cross_validate
from likely.evaluation.resampling.nested import nested_interval, nested_tables

X, Y = load_breast_cancer(return_X_y=True)
MODELS = {
    "nb": NaiveBayes(),
    "shared": GaussianBayes("shared"),
    "lr": make_pipeline(StandardScaler(), LogisticRegression()),
}


@pytest.fixture(scope="module")
def three():
    return compare(MODELS, X, Y, cv=5, repeats=2)


def test_every_figure_of_a_pair(three):
    pair = three.between("nb", "lr")
    a, b = three.results["nb"], three.results["lr"]
    assert np.array_equal(a.folds, b.folds)
    delta = (a.scores() - b.scores()).ravel()
    sizes = np.bincount(a.folds[0])
    ratio = (sizes / (len(Y) - sizes)).mean()
    error = delta.std(ddof=1) * np.sqrt(1 / 10 + ratio)
    assert pair.difference.value == pytest.approx(delta.mean())
    assert pair.difference.low == pytest.approx(delta.mean() - stats.t.ppf(0.975, 9) * error)
    assert pair.paired_t.p_value == pytest.approx(stats.ttest_rel(a.scores().ravel(), b.scores().ravel()).pvalue)
    assert pair.corrected_t.p_value == pytest.approx(2 * stats.t.sf(abs(delta.mean() / error), 9))
    right = [result.predictions[0] == Y for result in (a, b)]
    table = [[(right[0] & right[1]).sum(), (right[0] & ~right[1]).sum()], [(~right[0] & right[1]).sum(), 0]]
    assert pair.mcnemar.p_value == pytest.approx(peer_mcnemar(table, exact=True).pvalue)
    law = stats.t(9, delta.mean(), error)
    assert pair.bayesian.inside == pytest.approx(law.cdf(0.01) - law.cdf(-0.01))
    raw = [pair.corrected_t.p_value for pair in three.pairs]
    assert [pair.holm for pair in three.pairs] == pytest.approx(multipletests(raw, method="holm")[1])


def test_estimates_and_ranking(three):
    for name, estimate in three.estimates.items():
        alone = cross_validate(MODELS[name], X, Y, cv=three.results[name].folds).estimate()
        assert (estimate.value, estimate.low) == pytest.approx((alone.value, alone.low))
    values = [three.estimates[name].value for name in three.ranking]
    assert values == sorted(values, reverse=True)
    losses = compare_results(three.results, "log_loss")
    values = [losses.estimates[name].value for name in losses.ranking]
    assert values == sorted(values)


def test_text_and_frame(three):
    text, frame = str(three), three.frame()
    for word in (
        "nb - shared",
        "McNemar p",
        "corrected t p",
        "Holm p",
        "P(within 1 point)",
        "the same folds",
        "2 times",
    ):
        assert word in text
    assert text.index("difference") < text.index("McNemar")
    assert frame.height == 3
    row = frame.row(1, named=True)
    pair = three.pairs[1]
    assert (row["first"], row["second"]) == (pair.first, pair.second) == ("nb", "lr")
    assert (row["difference"], row["holm_p"]) == (pair.difference.value, pair.holm)
    assert row["verdict"] == three.verdicts[1]
    total = frame["p_first_better"] + frame["p_equivalent"] + frame["p_second_better"]
    assert total.to_numpy() == pytest.approx(1)


def test_a_baseline_is_compared_with_every_other():
    result = compare({"none": DummyClassifier(), **MODELS}, X, Y, cv=5, baseline="none")
    assert [(pair.first, pair.second) for pair in result.pairs] == [(name, "none") for name in MODELS]
    for name, words in zip(MODELS, result.verdicts, strict=True):
        assert words.startswith(f"{name} is better than none by 3")
        assert "points [" in words


@pytest.mark.parametrize("measure", ["accuracy", "log_loss"])
def test_the_better_one_is_named_whichever_comes_first(measure):
    for models in (("nb", "lr"), ("lr", "nb")):
        result = compare({name: MODELS[name] for name in models}, X, Y, cv=10, scoring=measure)
        unit = "points" if measure == "accuracy" else "nats"
        assert result.verdicts[0].startswith("lr is better than nb by ")
        assert f" {unit} [" in result.verdicts[0]
        low, high = (float(end) for end in result.verdicts[0].split("[")[1].rstrip("]").split(", "))
        assert 0 < low < high
        better = "p_first_better" if models[0] == "lr" else "p_second_better"
        assert result.frame()[better][0] > 0.95


def test_words_for_equality_and_for_ignorance():
    x, y = load_wine(return_X_y=True)
    twins = compare({"ours": NaiveBayes(), "theirs": GaussianNB(var_smoothing=0)}, x, y)
    assert twins.verdicts[0].startswith("ours and theirs scored the same in every fold: ours - theirs 0.0 points [-1.")
    assert twins.pairs[0].mcnemar.p_value == 1
    near = compare({"nb": NaiveBayes(), "full": GaussianBayes("full")}, X, Y, repeats=3, rope=0.02)
    assert near.verdicts[0].startswith("open whether nb and full differ by more than 2 points: nb - full ")
    wide = compare({"nb": NaiveBayes(), "shared": GaussianBayes("shared")}, X, Y, cv=5, rope=0.2)
    assert "are equal to within 20 points" in wide.verdicts[0]


def test_a_difference_must_stand_up_to_the_number_of_pairs():
    rng = np.random.default_rng(0)
    y = rng.integers(0, 2, 300)
    x = rng.normal(size=(300, 6)) + 0.3 * y[:, None]
    for seed in range(20):
        models = {f"m{j}": make_pipeline(_Columns([j]), GaussianNB()) for j in range(5)}
        result = compare(models, x, y, cv=5, random_state=seed)
        for pair, words in zip(result.pairs, result.verdicts, strict=True):
            outside = pair.difference.low > 0 or pair.difference.high < 0
            assert ("is better" in words) == (outside and pair.holm <= 0.05)
            if outside and pair.holm > 0.05:
                assert "may be better" in words and "not shown for 10 pairs" in words
                return
    pytest.fail("no pair had a small p-value that Holm's rule takes back")


class _Columns:
    """Some columns of an array: a step of a pipeline that is written by a user."""

    def __init__(self, columns):
        self.columns = columns

    def get_params(self, deep=True):
        return {"columns": self.columns}

    def set_params(self, **parameters):
        self.columns = parameters["columns"]
        return self

    def fit(self, X, y=None):
        return self

    def transform(self, X):
        return X[:, self.columns]


def test_nested_intervals_of_differences():
    result = compare({"nb": NaiveBayes(), "gnb": GaussianBayes()}, X[:, :5], Y, cv=4, repeats=2, method="nested",
                     scoring="log_loss")  # fmt: skip
    a, b = (nested_tables(r, criterion("log_loss")) for r in result.results.values())
    apart = [one - other for one, other in zip(a, b, strict=True)]
    one = nested_interval(apart, result.results["nb"].folds)
    rows = [paired_interval(result.criterion, *(r.said(i) for r in result.results.values()), 0.95) for i in range(2)]
    expected = replace(
        one,
        low=min(one.low, np.mean([r.low for r in rows])),
        high=max(one.high, np.mean([r.high for r in rows])),
    )
    got = result.pairs[0].difference
    assert (got.value, got.low, got.high) == pytest.approx((expected.value, expected.low, expected.high))
    assert "nested" in got.method and "nested" in result.estimates["nb"].method
    assert result.pairs[0].corrected_t.p_value == pytest.approx(
        corrected_resampled_t(*(r.scores("log_loss") for r in result.results.values()),
                              result.results["nb"].test_ratio,
                              least_error=np.mean([r.standard_error for r in rows])).p_value
    )  # fmt: skip


def test_models_without_probabilities_weights_groups_and_other_measures():
    groups = np.arange(len(Y)) // 4
    weight = np.random.default_rng(0).uniform(0.5, 2, len(Y))
    models = {"ridge": RidgeClassifier(), "nb": NaiveBayes()}
    result = compare(models, X, Y, cv=4, groups=groups, sample_weight=weight)
    assert np.array_equal(result.results["nb"].groups, groups)
    assert result.pairs[0].difference.value == pytest.approx(
        (result.results["ridge"].scores() - result.results["nb"].scores()).mean()
    )
    with pytest.raises(LikelyError, match="no predict_proba"):
        compare(models, X, Y, cv=4, scoring="log_loss")
    area = compare({"nb": NaiveBayes(), "shared": GaussianBayes("shared")}, X, Y, cv=4, scoring="roc_area")
    assert area.pairs[0].difference.value == pytest.approx(
        (area.results["nb"].scores("roc_area") - area.results["shared"].scores("roc_area")).mean()
    )


def test_refusals(three):
    with pytest.raises(LikelyError, match="at least two models"):
        compare({"nb": NaiveBayes()}, X, Y)
    with pytest.raises(LikelyError, match="by name"):
        compare([NaiveBayes(), GaussianBayes()], X, Y)
    with pytest.raises(LikelyError, match="did you mean 'nb'"):
        compare({"nb": NaiveBayes(), "lr": LogisticRegression()}, X, Y, baseline="nbb")
    with pytest.raises(LikelyError, match="rope"):
        compare(MODELS, X, Y, rope=-0.1)
    with pytest.raises(LikelyError, match="unknown method"):
        compare_results(three.results, method="bootstrap")
    with pytest.raises(LikelyError, match="were not compared"):
        three.between("nb", "svm")
    other = {"a": three.results["nb"], "b": cross_validate(NaiveBayes(), X, Y, cv=5, random_state=3)}
    with pytest.raises(LikelyError, match="same rows and folds"):
        compare_results(other)


def test_folds_without_a_class_leave_it_to_all_rows():
    y = Y.copy()
    y[0] = 2  # a class of one row: F1 has no value in the folds where nobody says it
    found = compare({"nb": NaiveBayes(), "shared": GaussianBayes("shared")}, X, y, cv=5, scoring="f1", pos_label=2)
    (pair,) = found.pairs
    assert "of all rows together" in pair.difference.note and pair.difference.low < 0 < pair.difference.high


def test_mcnemar_says_what_it_ignores():
    models = {"naive": NaiveBayes(), "one": NaiveBayes("histogram")}
    weight = np.ones(len(Y))
    weight[::7] = 0
    groups = np.arange(len(Y)) // 2
    plain = compare(models, X, Y, cv=4)
    assert plain.pairs[0].mcnemar.note == "" and "McNemar's test" not in str(plain)
    both = compare(models, X, Y, cv=4, groups=groups, sample_weight=weight)
    note = "every row counts alike, it knows no groups and weights"
    assert both.pairs[0].mcnemar.note == note
    assert f"McNemar's test: {note}" in str(both) and str(both.pairs[0].mcnemar).endswith(f"({note})")
    right = [both.results[name].said().right()[weight > 0] > 0 for name in models]
    assert both.pairs[0].mcnemar.only_first == (right[0] & ~right[1]).sum()


def test_a_measure_of_one_class_is_of_the_class_that_is_asked_for():
    models = {"naive": NaiveBayes(), "one": NaiveBayes("histogram")}
    y = np.where(Y == 0, "ill", "well")
    found = compare(models, X, y, cv=4, scoring="f1", pos_label="ill")
    result = found.results["naive"]
    by_hand = [
        f1_score(y[fold], result.predictions[0][fold], pos_label="ill")
        for fold in (result.folds[0] == i for i in range(4))
    ]
    assert found.criterion.name == "F1 of 'ill'"
    assert np.allclose(result.scores(found.criterion)[0], by_hand)
    second = compare(models, X, y, cv=4, scoring="f1", pos_label="well")
    usual = compare(models, X, y, cv=4, scoring="f1")
    assert second.pairs[0].difference == usual.pairs[0].difference != found.pairs[0].difference
    with pytest.raises(LikelyError, match="pos_label='il' is no class of y; did you mean 'ill'"):
        compare(models, X, y, cv=4, scoring="f1", pos_label="il")
    with pytest.raises(LikelyError, match="log_loss is not a measure of one class; leave pos_label='ill' out"):
        compare(models, X, y, cv=4, scoring="log_loss", pos_label="ill")
    for wrong in ("f7", None):
        with pytest.raises(LikelyError, match=r"accuracy, error, log_loss, brier, roc_area, average_precision, .*, f1"):
            compare(models, X, y, cv=4, scoring=wrong)


def test_differences_that_far_rows_rule_are_no_surer_than_the_losses_themselves():
    from likely.evaluation.said import Said

    rng = np.random.default_rng(0)
    y = rng.integers(0, 2, 60)
    sure = np.abs(rng.standard_t(1.5, 60)) * np.where(rng.random(60) < 0.85, 1, -1) * np.where(y, 1, -1)

    def said(log_odds):
        return Said((0, 1), y, -np.logaddexp(0, np.column_stack([log_odds, -log_odds])))

    chosen = criterion("log_loss")
    first, second = said(sure**3), said(sure)
    found = paired_interval(chosen, first, second)
    alone = chosen.estimate(first)
    assert found.high - found.value >= alone.high - alone.value
    calm = paired_interval(chosen, said(np.sign(sure)), said(0.9 * np.sign(sure)))
    assert calm.width < 0.2


def far_out(n=150):
    """Rows far out of which a model of normal classes is very sure, and rightly so among these rows."""
    rng = np.random.default_rng(3)
    y = np.arange(n) % 2
    X = rng.standard_t(3, size=(n, 2)) + 1.5 * y[:, None]
    return {"naive": NaiveBayes(), "shared": GaussianBayes("shared")}, X, y


def test_a_loss_without_an_upper_end_has_none_in_a_difference():
    models, X, y = far_out()
    found = compare(models, X, y, scoring="log_loss")
    assert np.isposinf(found.estimates["naive"].high) and np.isfinite(found.estimates["shared"].high)
    pair = found.pairs[0]
    assert np.isposinf(pair.difference.high) and np.isfinite(pair.difference.low)
    assert "first model" in pair.difference.note and "no upper end" in pair.difference.note
    assert "no upper end" in found.estimates["naive"].note, "what the rows leave open, the folds must not hide"
    assert pair.difference.note in str(found) and str(found).count("no upper end") == 2
    turned = compare(dict(reversed(models.items())), X, y, scoring="log_loss").pairs[0]
    assert np.isneginf(turned.difference.low) and "no lower end" in turned.difference.note
    assert np.isclose(turned.difference.high, -pair.difference.low)
    assert pair.corrected_t.p_value == turned.corrected_t.p_value
    nested = compare(models, X, y, scoring="log_loss", method="nested").pairs[0]
    assert np.isposinf(nested.difference.high)


def test_who_seems_better_is_not_shown_to_be_where_its_loss_has_no_upper_end():
    models, X, y = far_out()
    found = compare({"naive": models["naive"], "always the same": MajorityClassifier()}, X, y, scoring="log_loss")
    pair = found.pairs[0]
    assert pair.difference.value < 0 and np.isposinf(pair.difference.high)
    assert pair.holm == 1.0 and pair.first_is_better(found.criterion) == 0.5
    assert found.verdicts[0].startswith("open whether")
