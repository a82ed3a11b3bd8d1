"""A tree, a forest and boosted trees beside scikit-learn's; LightGBM and Intel's forest where they are installed."""

import time
from typing import Any

import numpy as np
from sklearn.ensemble import HistGradientBoostingClassifier, RandomForestClassifier
from sklearn.tree import DecisionTreeClassifier

import likely
from bench.quality import Quality
from bench.registry import Case, Fact, Step, workload

TREES = "Trees and forests"


@workload(
    "tree",
    TREES,
    "100,000 x 30 decimal numbers, 2 classes, depth 10: DecisionTree(max_depth=10), which puts them into 255 bins",
    "DecisionTreeClassifier(max_depth=10), exact thresholds",
    remark="Leaves are smoothed here and not there, which is what the log-loss shows.",
)
def tree(quick: bool) -> Case:
    return _case(quick, likely.DecisionTree(max_depth=10), DecisionTreeClassifier(max_depth=10), _lightgbm)


@workload(
    "forest",
    TREES,
    "100,000 x 30 decimal numbers, 2 classes: DecisionForest(100), with its out-of-bag posteriors",
    "RandomForestClassifier(100, n_jobs=2), without them",
)
def forest(quick: bool) -> Case:
    trees = 10 if quick else 100
    ours = likely.DecisionForest(trees, random_state=0)
    return _case(quick, ours, RandomForestClassifier(trees, random_state=0, n_jobs=2), _intel)


@workload(
    "boosted",
    TREES,
    "100,000 x 30 decimal numbers, 2 classes: BoostedTrees, 100 rounds of 31 leaves, all columns tried",
    "HistGradientBoostingClassifier of as many, with the same options",
    remark="Bins and the order of equal splits differ: of 4,000 rows the log-losses are apart by some thousandths.",
    chance=0.005,
)
def boosted(quick: bool) -> Case:
    same: dict[str, Any] = {"max_iter": 10 if quick else 100, "max_leaf_nodes": 31, "min_samples_leaf": 20}
    same |= {"l2_regularization": 1.0, "early_stopping": False, "random_state": 0}
    ours = likely.BoostedTrees(**same, max_features=None)
    return _case(quick, ours, HistGradientBoostingClassifier(**same), _lightgbm_boosted)


def _case(quick: bool, ours: Any, theirs: Any, specialist: Any) -> Case:
    rows, held_out = (4_000, 2_000) if quick else (100_000, 100_000)
    x, y = products(rows + held_out, 30)
    train, labels, query, truth = x[held_out:], y[held_out:], x[:held_out], y[:held_out]

    def quality() -> Quality:
        said = ours.predict_proba(query), theirs.predict_proba(query)
        return Quality.of(truth, *said, ours.classes_, f"{held_out:,} rows held out", same_model=False)

    steps = (
        Step("fit", lambda: ours.fit(train, labels), lambda: theirs.fit(train, labels), 5, 1.0),
        Step("predict_proba", lambda: ours.predict_proba(query), lambda: theirs.predict_proba(query), 2),
    )
    return Case(steps, train.sum, quality, lambda: specialist(ours, train, labels, query, truth))


def products(n: int, d: int) -> tuple[Any, Any]:
    """Two classes, told by a product and a square, with noise."""
    rng = np.random.default_rng(31)
    x = rng.normal(size=(n, d))
    noisy = x[:, 0] * x[:, 1] + x[:, 2] + 0.5 * x[:, 3] ** 2 + rng.normal(size=n)
    return x, (noisy > 0.5).astype(np.int64)


def _lightgbm(ours: Any, x: Any, y: Any, query: Any, truth: Any) -> list[Fact]:
    try:
        import lightgbm
    except ImportError:
        return [Fact("LightGBM is not installed here")]
    options = {"objective": "binary", "max_depth": 10, "num_leaves": 1024, "min_data_in_leaf": 1, "learning_rate": 1.0}
    options |= {"min_sum_hessian_in_leaf": 0, "verbose": -1, "num_threads": 2}
    own = _best(lambda: ours.fit(x, y))
    its = _best(lambda: lightgbm.train(options, lightgbm.Dataset(x, y), num_boost_round=1))
    return [Fact(f"LightGBM's single tree of that depth takes {its:.2f} s with its bins, ours {own:.2f} s", own <= its)]


def _lightgbm_boosted(ours: Any, x: Any, y: Any, query: Any, truth: Any) -> list[Fact]:
    try:
        import lightgbm
    except ImportError:
        return [Fact("LightGBM is not installed here")]
    model = lightgbm.LGBMClassifier(n_estimators=ours.max_iter, reg_lambda=1.0, n_jobs=2, verbose=-1)
    own, its = _best(lambda: ours.fit(x, y)), _best(lambda: model.fit(x, y))
    loss = [-np.log(each.predict_proba(query)[np.arange(len(truth)), truth]).mean() for each in (ours, model)]
    words = f"LightGBM takes {its:.2f} s (log-loss {loss[1]:.4f}), ours {own:.2f} s ({loss[0]:.4f})"
    return [Fact(words, own <= 2 * its)]


def _intel(ours: Any, x: Any, y: Any, query: Any, truth: Any) -> list[Fact]:
    try:
        from sklearnex.ensemble import RandomForestClassifier as Intel
    except ImportError:
        return [Fact("scikit-learn-intelex is not installed here")]
    model = Intel(100, random_state=0, n_jobs=2)
    own, its = _best(lambda: ours.fit(x, y), 1), _best(lambda: model.fit(x, y), 1)
    right = (model.predict(query) == truth).mean(), (ours.predict(query) == truth).mean()
    words = (
        f"scikit-learn-intelex's forest takes {its:.2f} s (accuracy {right[0]:.4f}), ours {own:.2f} s ({right[1]:.4f})"
    )
    return [Fact(words, own <= its)]


def _best(work: Any, times: int = 3) -> float:
    took = []
    for _ in range(times):
        start = time.perf_counter()
        work()
        took.append(time.perf_counter() - start)
    return min(took)
