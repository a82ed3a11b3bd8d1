"""Nearest neighbours beside scikit-learn's, SciPy's tree, faiss and scikit-learn-intelex where they are installed."""

import time
from collections.abc import Callable, Sequence
from importlib import import_module
from typing import Any

import numpy as np
from scipy.spatial import KDTree
from sklearn.neighbors import KNeighborsClassifier

import likely
from bench.quality import Quality
from bench.registry import Case, Fact, Step, workload

NEIGHBORS = "Nearest neighbours"
_FOLDS = 40  # of leave-one-out that the peer is asked for


@workload(
    "neighbors-brute",
    NEIGHBORS,
    "5 neighbours of 10,000 rows among 50,000 x 64: NearestNeighbors(5)",
    'KNeighborsClassifier(5, algorithm="brute")',
    tolerance=1e-9,
    remark="Both in double precision; ours screens in single precision and decides in double.",
)
def brute(quick: bool) -> Case:
    rows, queries = (2_000, 400) if quick else (50_000, 10_000)
    x, y = _overlapping(rows + queries, 64)
    return _asked(x[:rows], y[:rows], x[rows:], y[rows:], KNeighborsClassifier(5, algorithm="brute"), 1.8, _in_single)


@workload(
    "neighbors-tree",
    NEIGHBORS,
    "5 neighbours of 100,000 rows among 1,000,000 x 3: NearestNeighbors(5)",
    "scipy.spatial.KDTree, its 5 neighbours' votes counted by NumPy",
    tolerance=1e-9,
    remark="The first prediction builds the tree, on either side.",
)
def tree(quick: bool) -> Case:
    rows, queries = (5_000, 500) if quick else (1_000_000, 100_000)
    x, y = _overlapping(rows + queries, 3)
    return _asked(x[:rows], y[:rows], x[rows:], y[rows:], _Tree(5), 1 / 1.2, lambda *_: ())


@workload(
    "neighbors-leave-one-out",
    "Cross-validation",
    "Leave-one-out of 20,000 x 20: cross_validate(NearestNeighbors(5), leave_one_out=True)",
    f"KNeighborsClassifier(5) refitted for {_FOLDS} of the rows",
    tolerance=1e-9,
    remark=f"The peer does {_FOLDS} of its 20,000 folds; the target counts as if it did them all.",
)
def leave_one_out(quick: bool) -> Case:
    rows = 1_500 if quick else 20_000
    x, y = _overlapping(rows, 20)
    some = np.linspace(0, rows - 1, _FOLDS).astype(np.int64)
    model = likely.NearestNeighbors(5)

    def ours() -> Any:
        return model.out_of_fold(x, y, np.arange(rows))

    def folds() -> Any:
        rest, found = np.ones(rows, dtype=bool), []
        for i in some:
            rest[i] = False
            found.append(KNeighborsClassifier(5).fit(x[rest], y[rest]).predict_proba(x[i : i + 1]))
            rest[i] = True
        return np.concatenate(found)

    def quality() -> Quality:
        return Quality.of(y[some], np.exp(ours()[some]), folds(), np.unique(y), f"the {_FOLDS} rows")

    def facts() -> Sequence[Fact]:
        mine, its = _seconds(ours), _seconds(folds) * rows / _FOLDS
        told = [Fact(f"all {rows:,} folds: {its / mine:,.0f} times faster than the peer's would be", its / mine >= 100)]
        if (search := _faiss(x, x, 6)) is not None:
            ratio = _seconds(search) / mine
            told.append(
                Fact(f"{ratio:.2f} times as fast as a search of faiss for 6 neighbours in single precision", ratio >= 1)
            )
        return told

    return Case((Step("leave-one-out", ours, folds, 100 * _FOLDS / rows),), x.sum, quality, facts)


class _Tree:
    """SciPy's tree as a classifier."""

    def __init__(self, k: int) -> None:
        self.k = k

    def fit(self, x: Any, y: Any) -> "_Tree":
        self.x, self.y = x, y
        return self

    def predict_proba(self, x: Any) -> Any:
        rows = KDTree(self.x).query(x, k=self.k, workers=-1)[1]
        votes = np.zeros((len(x), int(self.y.max()) + 1))
        np.add.at(votes, (np.repeat(np.arange(len(x)), self.k), self.y[rows].ravel()), 1 / self.k)
        return votes


def _asked(
    x: Any, y: Any, queries: Any, truth: Any, theirs: Any, target: float, more: Callable[..., Sequence[Fact]]
) -> Case:
    ours = likely.NearestNeighbors(5)

    def fresh() -> Any:
        return likely.NearestNeighbors(5).fit(x, y).predict_proba(queries)

    def peer() -> Any:
        return theirs.fit(x, y).predict_proba(queries)

    def quality() -> Quality:
        return Quality.of(truth, fresh(), peer(), np.unique(y), "the queries")

    steps = Step("fit", lambda: ours.fit(x, y), lambda: theirs.fit(x, y)), Step("fit and ask", fresh, peer, target)
    return Case(steps, x.sum, quality, lambda: more(fresh, x, y, queries))


def _in_single(fresh: Callable[[], Any], x: Any, y: Any, queries: Any) -> Sequence[Fact]:
    """Beside the specialists, which have single precision."""
    single, asked = x.astype(np.float32), queries.astype(np.float32)
    mine = _seconds(lambda: likely.NearestNeighbors(5).fit(single, y).predict_proba(asked))
    others = {}
    if (search := _faiss(single, asked, 5)) is not None:
        others["faiss"] = _seconds(search)
    try:
        quick = import_module("sklearnex.neighbors").KNeighborsClassifier(5, algorithm="brute")
        others["scikit-learn-intelex"] = _seconds(lambda: quick.fit(single, y).predict_proba(asked))
    except ImportError:
        pass
    told = [Fact(f"single precision: {its / mine:.2f} times as fast as {name}") for name, its in others.items()]
    if others:
        best = min(others.values())
        told.append(Fact(f"{mine / best:.2f} times the time of the faster of them", mine <= 1.2 * best))
    return told


def _faiss(x: Any, queries: Any, k: int) -> Callable[[], Any] | None:
    try:
        faiss = import_module("faiss")
    except ImportError:
        return None

    def search() -> Any:
        index = faiss.IndexFlatL2(x.shape[1])
        index.add(np.ascontiguousarray(x, dtype=np.float32))
        return index.search(np.ascontiguousarray(queries, dtype=np.float32), k)

    return search


def _seconds(work: Callable[[], Any], repeats: int = 3) -> float:
    times = []
    for _ in range(repeats):
        begin = time.perf_counter()
        work()
        times.append(time.perf_counter() - begin)
    return min(times)


def _overlapping(rows: int, width: int) -> tuple[Any, Any]:
    """Three classes, neither apart nor alike."""
    rng = np.random.default_rng(21)
    y = rng.integers(0, 3, rows)
    x = rng.normal(size=(rows, width))
    x[:, :3] += 1.9 * np.eye(3)[y] * (1 + width / 100)
    return x, y
