"""Sharing rows out: even, at random, with groups kept together."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.stats import chisquare
from sklearn.datasets import load_iris
from sklearn.model_selection import (
    GroupShuffleSplit,
    KFold,
    RepeatedKFold,
    RepeatedStratifiedKFold,
    ShuffleSplit,
    StratifiedShuffleSplit,
    TimeSeriesSplit,
    cross_val_score,
)
from sklearn.naive_bayes import GaussianNB

from likely import (
    Calibrated,
    GaussianBayes,
    LikelyError,
    LogisticRegression,
    NaiveBayes,
    compare,
    cross_validate,
    evaluate,
)
from likely.evaluation import compare_results
from likely.models.held_out.folds import holdout, in_random_order, make_folds


@given(
    counts=st.lists(st.integers(1, 40), min_size=1, max_size=5),
    folds=st.integers(2, 9),
    stratify=st.booleans(),
    seed=st.integers(0, 2**32 - 1),
)
def test_folds_are_even(counts, folds, stratify, seed):
    y = np.repeat(np.arange(len(counts)), counts)
    if folds > len(y):
        with pytest.raises(LikelyError, match="at least as many rows"):
            make_folds(y, folds)
        return
    fold = make_folds(y, folds, stratify, random_state=seed)
    sizes = np.bincount(fold, minlength=folds)
    assert sizes.sum() == len(y)
    assert sizes.max() - sizes.min() <= 1
    if stratify:
        for c in range(len(counts)):
            own = np.bincount(fold[y == c], minlength=folds)
            assert own.max() - own.min() <= 1
    assert np.array_equal(fold, make_folds(y, folds, stratify, random_state=seed))


def test_every_fold_is_as_likely_for_every_row():
    y = np.array([0, 0, 0, 1, 1, 1, 1])
    rng = np.random.default_rng(3)
    drawn = np.stack([make_folds(y, 3, random_state=rng) for _ in range(6000)])
    for row in range(3):  # the first class starts at fold 0 and fills all three evenly
        assert chisquare(np.bincount(drawn[:, row], minlength=3)).pvalue > 1e-4
    orders = np.unique(drawn[:, :3], axis=0, return_counts=True)[1]
    assert len(orders) == 6  # all arrangements of three rows in three folds
    assert chisquare(orders).pvalue > 1e-4


def test_labels_of_any_kind_and_hidden_ones():
    for y in (["b", "a", "b", "a"], np.array([True, False, True, False]), [7, 3, 7, 3]):
        assert sorted(make_folds(y, 2, random_state=0)) == [0, 0, 1, 1]
    hidden = make_folds(["a", None, "a", None, "b", "b"], 2, random_state=1)
    assert sorted(hidden[[1, 3]]) == [0, 1]


@given(
    groups=st.lists(st.integers(0, 12), min_size=4, max_size=80),
    folds=st.integers(2, 5),
    seed=st.integers(0, 1000),
)
def test_groups_stay_together_and_no_fold_is_empty(groups, folds, seed):
    rng = np.random.default_rng(seed)
    y = rng.integers(0, 3, len(groups))
    if folds > len(set(groups)):
        with pytest.raises(LikelyError, match="groups"):
            make_folds(y, folds, groups=groups)
        return
    fold = make_folds(y, folds, groups=groups, random_state=seed)
    for group in set(groups):
        assert len(set(fold[np.array(groups) == group])) == 1
    assert len(set(fold)) == folds


def test_groups_of_one_class_each_do_not_pile_up():
    fold = make_folds(["a", "a", "b", "b"], 2, groups=["p", "p", "q", "q"], random_state=0)
    assert len(set(fold)) == 2


def test_groups_are_stratified_as_well_as_they_allow():
    rng = np.random.default_rng(0)
    groups = np.repeat(np.arange(200), 5)
    y = (rng.random(1000) < 0.2).astype(int)
    fold = make_folds(y, 5, groups=groups, random_state=0)
    shares = [y[fold == f].mean() for f in range(5)]
    assert max(shares) - min(shares) < 0.01
    assert max(np.bincount(fold)) - min(np.bincount(fold)) <= 15


@given(
    counts=st.lists(st.integers(1, 60), min_size=1, max_size=4), share=st.floats(0.05, 0.95), seed=st.integers(0, 99)
)
def test_holdout_has_the_class_shares_of_the_whole(counts, share, seed):
    y = np.repeat(np.arange(len(counts)), counts)
    if len(y) < 2:
        with pytest.raises(LikelyError, match="nothing to split"):
            holdout(y, share)
        return
    aside = holdout(y, share, random_state=seed)
    assert aside.sum() == min(max(1, round(share * len(y))), len(y) - 1)
    for c, count in enumerate(counts):
        assert abs(aside[y == c].sum() - aside.mean() * count) < 2


def test_holdout_of_groups():
    groups = np.repeat(np.arange(30), 4)
    y = np.tile([0, 1], 60)
    aside = holdout(y, 1 / 3, groups=groups, random_state=0)
    assert not set(groups[aside]) & set(groups[~aside])
    assert aside.mean() == pytest.approx(1 / 3, abs=0.05)
    with pytest.raises(LikelyError, match="two groups"):
        holdout([0, 1], groups=[5, 5])


def test_every_beginning_of_a_random_order_has_the_class_shares():
    y = np.repeat([0, 1, 2], [600, 300, 100])
    order = in_random_order(y, True, np.random.default_rng(0))
    assert sorted(order) == list(range(1000))
    for size in (10, 50, 333, 999):
        shares = np.bincount(y[order[:size]], minlength=3)
        assert np.abs(shares - size * np.array([0.6, 0.3, 0.1])).max() <= 2
    plain = in_random_order(y, False, np.random.default_rng(0))
    assert sorted(plain) == list(range(1000))


def test_refusals():
    with pytest.raises(LikelyError, match="at least 2"):
        make_folds([0, 1, 0], cv=1)
    with pytest.raises(LikelyError, match="one per row"):
        make_folds([0, 1, 0], 2, groups=[1, 2])
    with pytest.raises(LikelyError, match="group of row 1 is missing"):
        make_folds([0, 1, 0], 2, groups=["a", None, "b"])
    for share in (0, 1, 1.5):
        with pytest.raises(LikelyError, match="between 0 and 1"):
            holdout([0, 1, 0], share)


@pytest.mark.parametrize("cv", ["leave-one-out", 2.5, True, None])
def test_folds_that_are_no_number_are_said(cv):
    with pytest.raises(LikelyError, match="leave_one_out=True"):
        cross_validate(NaiveBayes(), [[1.0], [2.0], [3.0], [4.0]], [0, 1, 0, 1], cv=cv)


SIX = np.array([[1.0], [2.0], [3.0], [4.0], [5.0], [6.0]]), np.array([0, 1, 0, 1, 0, 1])


def test_folds_from_objects_with_split_and_from_pairs_of_rows():
    X, y = SIX
    named = cross_validate(NaiveBayes(), X, y, cv=[0, 0, 1, 1, 2, 2])
    pairs = [([2, 3, 4, 5], [0, 1]), ([0, 1, 4, 5], [2, 3]), ([0, 1, 2, 3], [4, 5])]
    masks = [(np.isin(range(6), train), np.isin(range(6), test)) for train, test in pairs]
    for cv in (KFold(3), pairs, iter(pairs), masks, np.array(["a", "a", "b", "b", "c", "c"], dtype=object)):
        found = cross_validate(NaiveBayes(), X, y, cv=cv)
        assert np.array_equal(found.folds, named.folds) and not found.refitted
        assert np.array_equal(found.log_posterior, named.log_posterior)
    halves = cross_validate(NaiveBayes(), X, y, cv=[([0, 1, 2], [3, 4, 5]), ([3, 4, 5], [0, 1, 2])])
    assert halves.folds.tolist() == [[1, 1, 1, 0, 0, 0]]
    repeated = cross_validate(NaiveBayes(), X, y, cv=RepeatedStratifiedKFold(n_splits=3, n_repeats=4, random_state=0))
    assert repeated.folds.shape == (4, 6) and repeated.n_folds == 3
    grouped = compare({"a": NaiveBayes(), "b": NaiveBayes(alpha=2.0)}, X, y, cv=KFold(2))
    assert np.array_equal(grouped.results["a"].folds, [[0, 0, 0, 1, 1, 1]])


@pytest.mark.parametrize(
    "cv, said",
    [
        ([([0, 1, 2], [2, 3])], "split 1 of 1 of cv judges row 2, which it learned"),
        ([([0, 1, 2], [3]), ([0, 1], [])], "split 2 of 2 of cv has no rows to judge"),
        ([([], [3, 4])], "no rows to learn from"),
        ([([0, 1], [4, 4])], "a test row twice"),
        (iter([]), "gives no splits"),
        ([], "gives no splits"),
    ],
)
def test_pairs_that_are_no_splits_are_refused(cv, said):
    with pytest.raises(LikelyError, match=said):
        cross_validate(NaiveBayes(), *SIX, cv=cv)


@pytest.mark.parametrize("cv", [KFold(3), [0, 0, 1, 1, 2, 2], [([0, 1, 2], [3, 4, 5]), ([3, 4, 5], [0, 1, 2])]])
def test_given_folds_are_not_repeated(cv):
    with pytest.raises(LikelyError, match="repeats=2 is for a number of folds"):
        cross_validate(NaiveBayes(), *SIX, cv=cv, repeats=2)


IRIS, KINDS = load_iris(return_X_y=True)
GROUPS = np.arange(150) % 30
SPLITTERS = [
    ShuffleSplit(6, test_size=0.3, random_state=0),
    StratifiedShuffleSplit(6, test_size=0.2, random_state=1),
    GroupShuffleSplit(5, test_size=0.25, random_state=2),
    TimeSeriesSplit(4),
    [(np.arange(0, 150, 2), np.arange(1, 150, 4))],
]


@pytest.mark.parametrize("cv", SPLITTERS, ids=lambda cv: type(cv).__name__)
@pytest.mark.parametrize("model", [GaussianBayes("shared"), LogisticRegression(), GaussianNB()], ids=repr)
def test_splits_that_are_no_folds_score_as_in_scikit_learn(model, cv):
    order = np.random.default_rng(0).permutation(150)
    X, y = IRIS[order], KINDS[order]
    groups = GROUPS if isinstance(cv, GroupShuffleSplit) else None
    found = cross_validate(model, X, y, cv=cv, groups=groups)
    assert found.refitted == (not isinstance(model, GaussianBayes))
    for measure, peer, sign in (
        ("accuracy", "accuracy", 1),
        ("log_loss", "neg_log_loss", -1),
        ("balanced accuracy", "balanced_accuracy", 1),
    ):
        theirs = sign * cross_val_score(model, X, y, cv=cv, groups=groups, scoring=peer)
        assert np.allclose(found.scores(measure).ravel(), theirs, rtol=1e-7, atol=1e-9)
        told = found.estimate(measure)
        assert np.isclose(told.value, theirs.mean()) and told.low <= told.value <= told.high
    assert f"{found.repeats} split" in str(found)


def test_what_splits_do_not_judge_is_left_open():
    cv = [([0, 1, 2], [3, 4]), ([0, 1, 3, 4], [2, 5])]
    found = cross_validate(NaiveBayes(), *SIX, cv=cv, sample_weight=[1, 1, 1, 2, 1, 3], groups=[0, 0, 1, 1, 2, 3])
    assert found.test_ratio == (2 / 3 + 2 / 4) / 2
    assert [[said is not None for said in row] for row in found.predictions] == [
        [3 <= i <= 4 for i in range(6)],
        [i in (2, 5) for i in range(6)],
    ]
    assert np.array_equal(np.isnan(found.row_scores()), found.folds < 0)
    assert np.array_equal(np.isnan(found.posterior).any(axis=2), found.folds < 0)
    assert found.estimate().n == 4 and len(found.said_once()[0]) == 4
    assert len(evaluate(found).said) == 2
    with pytest.raises(LikelyError, match="optimism"):
        found.optimism()
    with pytest.raises(LikelyError, match="every pair of folds"):
        found.estimate(method="nested")


def test_single_split_is_as_sure_as_its_rows():
    train, test = np.arange(0, 150, 2), np.arange(1, 150, 2)
    found = cross_validate(GaussianBayes(), IRIS, KINDS, cv=[(train, test)]).estimate()
    once = evaluate(GaussianBayes().fit(IRIS[train], KINDS[train]), IRIS[test], KINDS[test])
    assert str(found) == str(once.accuracy)


@pytest.mark.parametrize("cv", SPLITTERS[:4], ids=lambda cv: type(cv).__name__)
def test_models_are_compared_split_by_split(cv):
    order = np.random.default_rng(0).permutation(150)
    X, y = IRIS[order], KINDS[order]
    groups = GROUPS if isinstance(cv, GroupShuffleSplit) else None
    models = {"naive": NaiveBayes(), "shared": GaussianBayes("shared"), "logistic": LogisticRegression()}
    results = {name: cross_validate(model, X, y, cv=cv, groups=groups) for name, model in models.items()}
    found = compare(models, X, y, cv=cv, groups=groups, scoring="log_loss")
    assert str(found) == str(compare_results(results, "log_loss"))
    assert "splits, 150 rows, the same splits" in str(found)
    pair = found.between("naive", "shared")
    apart = (results["naive"].scores("log_loss") - results["shared"].scores("log_loss")).ravel()
    corrected = apart.std(ddof=1) * np.sqrt(1 / len(apart) + results["naive"].test_ratio)
    assert np.isclose(pair.difference.value, apart.mean())
    assert pair.corrected_t.standard_error >= corrected * (1 - 1e-12)
    judged = (results["naive"].folds >= 0).any(axis=0).sum()
    assert 0 < pair.mcnemar.only_first + pair.mcnemar.only_second <= judged


def test_calibration_counts_a_row_once_however_many_splits_judge_it():
    X, y = IRIS[50:], KINDS[50:]
    once, often = (Calibrated(NaiveBayes(), cv=RepeatedKFold(n_splits=4, n_repeats=r, random_state=0)) for r in (1, 6))
    assert often.fit(X, y).record_.n == once.fit(X, y).record_.n == 100
    assert np.array_equal(often.predict_interval(X), once.predict_interval(X))
    some = Calibrated(NaiveBayes(), cv=ShuffleSplit(3, test_size=0.3, random_state=0)).fit(X, y)
    assert some.record_.n == len({*np.concatenate([test for _, test in some.cv.split(X)]).tolist()})
