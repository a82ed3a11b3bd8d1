"""Cross-validation without refits beside scikit-learn's, which fits a model for every fold."""

import os
import time
from typing import Any

import numpy as np
from sklearn.base import clone
from sklearn.discriminant_analysis import LinearDiscriminantAnalysis, QuadraticDiscriminantAnalysis
from sklearn.model_selection import RepeatedStratifiedKFold, cross_val_predict, cross_val_score
from sklearn.naive_bayes import GaussianNB
from threadpoolctl import threadpool_limits

import likely
from bench import synthetic
from bench.quality import Quality
from bench.registry import Case, Step, workload

RESAMPLING = "Cross-validation"

_FOLDS, _REPEATS = 10, 10
_REFITS = 20  # of leave-one-out that the peer is asked for
_SAME = (
    "Each side makes its folds within the time. The difference is the largest of all posteriors of one repeat and of "
    "the 100 accuracies on the peer's folds. The peer has one process or one for each core, and BLAS all threads or "
    "one, whichever is quickest."
)


@workload(
    "cv-naive",
    RESAMPLING,
    "10 x 10 stratified folds of 100,000 x 30, 5 classes: cross_validate(NaiveBayes())",
    "cross_val_score(GaussianNB(var_smoothing=0))",
    tolerance=1e-8,
    remark=_SAME,
)
def cv_naive(quick: bool) -> Case:
    x, y = synthetic.gaussians(_rows(quick), 30, 5, seed=11)
    return _resampled(likely.NaiveBayes(), GaussianNB(var_smoothing=0), x, y, 30)


@workload(
    "cv-shared",
    RESAMPLING,
    'The same of one covariance: cross_validate(GaussianBayes("shared"))',
    'cross_val_score(LinearDiscriminantAnalysis(solver="lsqr"))',
    tolerance=1e-8,
    remark="lsqr is the peer's quickest solver.",
)
def cv_shared(quick: bool) -> Case:
    x, y = synthetic.correlated_gaussians(_rows(quick), 30, 5, seed=12, shared=True)
    return _resampled(likely.GaussianBayes("shared"), LinearDiscriminantAnalysis(solver="lsqr"), x, y, 20)


@workload(
    "cv-full",
    RESAMPLING,
    'The same with a covariance for each class: cross_validate(GaussianBayes("full"))',
    'cross_val_score(QuadraticDiscriminantAnalysis(solver="eigen"))',
    tolerance=1e-8,
    remark="eigen is the peer's quickest solver. Ten scorings of every row are the limit.",
)
def cv_full(quick: bool) -> Case:
    x, y = synthetic.correlated_gaussians(_rows(quick), 30, 5, seed=13, shared=False)
    return _resampled(likely.GaussianBayes("full"), QuadraticDiscriminantAnalysis(solver="eigen"), x, y, 10)


@workload(
    "leave-one-out",
    RESAMPLING,
    "Leave-one-out over all of 100,000 x 30, 5 classes: cross_validate(NaiveBayes(), leave_one_out=True)",
    f"GaussianNB(var_smoothing=0) refitted for {_REFITS} of the rows",
    tolerance=1e-8,
    remark=f"The peer does only {_REFITS} of the 100,000 refits: all of them would take 5,000 times as long.",
)
def leave_one_out(quick: bool) -> Case:
    rows = _rows(quick)
    x, y = synthetic.gaussians(rows, 30, 5, seed=14)
    some = np.linspace(0, rows - 1, _REFITS).astype(np.int64)
    theirs = GaussianNB(var_smoothing=0)

    def ours() -> Any:
        return likely.cross_validate(likely.NaiveBayes(), x, y, leave_one_out=True)

    def refits() -> Any:
        rest = np.ones(rows, dtype=bool)
        found = []
        for i in some:
            rest[i] = False
            found.append(clone(theirs).fit(x[rest], y[rest]).predict_proba(x[i : i + 1]))
            rest[i] = True
        return np.concatenate(found)

    def quality() -> Quality:
        posterior = ours().posterior[0, some]
        return Quality.of(y[some], posterior, refits(), np.unique(y), f"the {_REFITS} rows")

    return Case((Step("leave-one-out", ours, refits),), x.sum, quality)


class SuitedProcesses:
    """cross_val_score in one process or in one for each core, BLAS on all threads or on one: whichever is quickest.

    They are tried out on one repeat when it is first called.
    """

    def __init__(self, model: Any, x: Any, y: Any) -> None:
        self.model, self.x, self.y = model, x, y
        self.chosen: tuple[int, int | None] | None = None
        self.scores: Any = None

    def __call__(self) -> Any:
        if self.chosen is None:
            ways = [(1, None), (1, 1), (os.cpu_count() or 1, None)]
            for way in ways:
                self._run(way, 1)  # the first call of anything pays for loading, and for starting processes
            self.chosen = min(ways, key=self._seconds)
        self.scores = self._run(self.chosen, _REPEATS)
        return self.scores

    def _run(self, way: tuple[int, int | None], repeats: int) -> Any:
        jobs, threads = way
        with threadpool_limits(limits=threads, user_api="blas"):
            return cross_val_score(self.model, self.x, self.y, cv=_splitter(repeats), n_jobs=jobs)

    def _seconds(self, way: tuple[int, int | None]) -> float:
        begin = time.perf_counter()
        self._run(way, 1)
        return time.perf_counter() - begin


def _rows(quick: bool) -> int:
    return 5_000 if quick else 100_000


def _splitter(repeats: int) -> RepeatedStratifiedKFold:
    return RepeatedStratifiedKFold(n_splits=_FOLDS, n_repeats=repeats, random_state=0)


def _resampled(ours: Any, theirs: Any, x: Any, y: Any, target: float) -> Case:
    peer = SuitedProcesses(theirs, x, y)

    def scores() -> Any:
        return likely.cross_validate(ours, x, y, cv=_FOLDS, repeats=_REPEATS).scores("accuracy")

    def quality() -> Quality:
        """On the peer's folds: its scores of all repeats, and its posteriors of the first."""
        splits = [test for _, test in _splitter(_REPEATS).split(x, y)]
        folds = np.empty((_REPEATS, len(y)), dtype=np.int64)
        for place, test in enumerate(splits):
            folds[place // _FOLDS, test] = place % _FOLDS
        judged = likely.cross_validate(ours, x, y, cv=folds)
        first = [(np.flatnonzero(folds[0] != f), np.flatnonzero(folds[0] == f)) for f in range(_FOLDS)]
        posterior = cross_val_predict(theirs, x, y, cv=first, method="predict_proba")
        same = Quality.of(y, judged.posterior[0], posterior, judged.classes, "rows out of fold, one repeat")
        apart = float(np.abs(judged.scores("accuracy").ravel() - peer.scores).max())
        return Quality(same.likely, same.peer, same.rows, max(apart, same.difference or 0.0))

    return Case((Step("100 accuracies", scores, peer, target),), x.sum, quality)
