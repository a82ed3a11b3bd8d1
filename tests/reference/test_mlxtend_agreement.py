"""Comparisons of classifiers agree with mlxtend's, where both have them."""

import numpy as np
import pytest
from sklearn.model_selection import KFold
from sklearn.naive_bayes import GaussianNB
from sklearn.tree import DecisionTreeClassifier

from likely import cross_validate, evaluate
from likely.evaluation import bootstrap_interval, mcnemar, paired_t

mlxtend = pytest.importorskip("mlxtend.evaluate")


def some_answers(seed, n=120):
    rng = np.random.default_rng(seed)
    y = rng.integers(0, 2, n)
    return y, np.where(rng.random(n) < 0.8, y, 1 - y), np.where(rng.random(n) < 0.7, y, 1 - y)


@pytest.mark.parametrize("seed", range(5))
def test_mcnemar(seed):
    y, one, other = some_answers(seed)
    table = mlxtend.mcnemar_table(y, one, other)
    _, p = mlxtend.mcnemar(table, exact=True)
    found = mcnemar(one == y, other == y)
    assert found.p_value == pytest.approx(p, abs=1e-12)
    assert {found.only_first, found.only_second} == {table[0, 1], table[1, 0]}


@pytest.mark.parametrize("seed", range(3))
def test_paired_t_over_folds(seed):
    rng = np.random.default_rng(seed)
    y = rng.integers(0, 2, 200)
    X = rng.normal(size=(200, 3)) + y[:, None]
    models = GaussianNB(), DecisionTreeClassifier(max_depth=3, random_state=0)
    t, p = mlxtend.paired_ttest_kfold_cv(*models, X, y, cv=5, shuffle=True, random_seed=seed)
    folds = np.empty(200, dtype=int)
    for number, (_, test) in enumerate(KFold(5, shuffle=True, random_state=seed).split(X)):
        folds[test] = number
    first, second = (cross_validate(model, X, y, cv=folds).scores() for model in models)
    found = paired_t(first, second)
    assert found.t == pytest.approx(t, rel=1e-9) and found.p_value == pytest.approx(p, rel=1e-9)


def test_confusion_and_accuracy_score():
    rng = np.random.default_rng(3)
    y = rng.integers(0, 4, 300)
    said = np.where(rng.random(300) < 0.6, y, rng.integers(0, 4, 300))
    found = evaluate(said, y=y)
    assert np.array_equal(found.confusion.matrix, mlxtend.confusion_matrix(y, said, binary=False))
    assert found.accuracy.value == pytest.approx(mlxtend.accuracy_score(y, said))
    per_class = mlxtend.accuracy_score(y, said, method="average")
    assert np.mean([found.measure("accuracy", c).value for c in range(4)]) == pytest.approx(per_class)


def test_bootstrap():
    values = np.random.default_rng(0).exponential(size=200)
    mean, error, (low, high) = mlxtend.bootstrap(values, func=np.mean, num_rounds=4000, ci=0.95, seed=1)
    found = bootstrap_interval(lambda weight: (weight @ values) / weight.sum(axis=-1), len(values), random_state=1)
    assert found.value == pytest.approx(mean)
    assert abs(found.low - low) < 0.15 * error and abs(found.high - high) < 0.3 * error
