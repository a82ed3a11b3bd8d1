"""Generative classifiers beside scikit-learn's: naive Bayes, discriminants, a table in a file, and small data."""

import atexit
import os
import shutil
import tempfile
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import polars as pl
from sklearn.datasets import load_iris
from sklearn.discriminant_analysis import LinearDiscriminantAnalysis, QuadraticDiscriminantAnalysis
from sklearn.naive_bayes import CategoricalNB, GaussianNB

import likely
from bench import synthetic
from bench.peers import ImputedNaiveBayes, SuitedThreads
from bench.quality import Quality
from bench.registry import Case, Step, workload

NAIVE, GAUSSIAN, FILES, SMALL = "Naive Bayes", "Gaussian discriminants", "A table in a file", "Small data"

# Data sets that are too large to ship stand beside the repository.
_DATA = Path(os.environ.get("LIKELY_SHARED_DATA", Path(__file__).resolve().parents[3] / "shared" / "data"))
_COVERTYPE = _DATA / "large" / "covertype.parquet"


@workload(
    "gaussian",
    NAIVE,
    "2,000,000 x 30 decimal numbers, 5 classes: NaiveBayes()",
    "GaussianNB(var_smoothing=0)",
    tolerance=1e-10,
)
def gaussian(quick: bool) -> Case:
    rows, held_out = _sizes(quick, 2_000_000)
    x, y = synthetic.gaussians(rows + held_out, 30, 5, seed=1)
    return _arrays(likely.NaiveBayes(), GaussianNB(var_smoothing=0), x, y, held_out, (15, 10))


@workload(
    "categorical",
    NAIVE,
    '1,000,000 x 40 whole numbers of 8 levels, 5 classes: NaiveBayes("categorical")',
    "CategoricalNB()",
    tolerance=1e-10,
)
def categorical(quick: bool) -> Case:
    rows, held_out = _sizes(quick, 1_000_000)
    x, y = synthetic.levels(rows + held_out, 40, 8, 5, seed=2)
    return _arrays(likely.NaiveBayes("categorical"), CategoricalNB(), x, y, held_out, (15, 10))


@workload(
    "mixed",
    NAIVE,
    "500,000 rows of 12 numbers and 8 texts, a tenth of the cells missing, 4 classes, in pandas: NaiveBayes()",
    "SimpleImputer, OrdinalEncoder, GaussianNB and CategoricalNB",
    remark="The peer fills missing cells in, which claims knowledge that is not there; `likely` leaves them out.",
)
def mixed(quick: bool) -> Case:
    return _mixed(quick, pd.DataFrame)


@workload(
    "mixed-polars",
    NAIVE,
    "The same table in Polars for `likely`, in pandas for the peer",
    "SimpleImputer, OrdinalEncoder, GaussianNB and CategoricalNB",
    remark="Polars holds texts as the reader of texts wants them, which spares a conversion.",
)
def mixed_polars(quick: bool) -> Case:
    return _mixed(quick, _polars)


@workload(
    "shared",
    GAUSSIAN,
    '500,000 x 50, 10 classes, one covariance: GaussianBayes("shared")',
    'LinearDiscriminantAnalysis(solver="lsqr")',
    tolerance=1e-8,
    remark="lsqr is the peer's quickest solver. Predicting is one product with a 50 x 10 matrix on either side.",
)
def shared(quick: bool) -> Case:
    rows, held_out = _sizes(quick, 500_000)
    x, y = synthetic.correlated_gaussians(rows + held_out, 50, 10, seed=3, shared=True)
    peer = LinearDiscriminantAnalysis(solver="lsqr")
    return _arrays(likely.GaussianBayes("shared"), peer, x, y, held_out, (5, None))


@workload(
    "full",
    GAUSSIAN,
    '500,000 x 50, 10 classes, a covariance each: GaussianBayes("full")',
    'QuadraticDiscriminantAnalysis(solver="eigen")',
    tolerance=1e-8,
    remark="eigen is the peer's quickest solver.",
)
def full(quick: bool) -> Case:
    rows, held_out = _sizes(quick, 500_000)
    x, y = synthetic.correlated_gaussians(rows + held_out, 50, 10, seed=4, shared=False)
    peer = QuadraticDiscriminantAnalysis(solver="eigen")
    return _arrays(likely.GaussianBayes("full"), peer, x, y, held_out, (2, 4))


@workload(
    "covertype",
    FILES,
    "Forest cover, 581,012 x 54 in a Parquet file, 7 classes: NaiveBayes() on likely.scan(path)",
    "pandas.read_parquet, then GaussianNB()",
    remark="`likely` sees that 44 of the columns are binary and reads the file in batches; the peer holds all of it.",
    needs=_COVERTYPE,
)
def covertype(quick: bool) -> Case:
    path, target = _COVERTYPE, "Cover_Type"
    if quick:  # every 50th row: the file is sorted by wilderness area
        folder = tempfile.mkdtemp(prefix="bench-")
        atexit.register(shutil.rmtree, folder, ignore_errors=True)
        path = Path(folder) / "covertype.parquet"
        pl.read_parquet(_COVERTYPE).gather_every(50).write_parquet(path)
    names = [name for name in pl.read_parquet_schema(path) if name != target]
    ours, theirs = likely.NaiveBayes(), GaussianNB()

    def peer_fit() -> Any:
        table = pd.read_parquet(path)
        return theirs.fit(table[names], table[target])

    def our_posterior() -> Any:
        return ours.predict_proba(likely.scan(path, columns=names))

    def peer_posterior() -> Any:
        return theirs.predict_proba(pd.read_parquet(path, columns=names))

    def quality() -> Quality:
        y = pd.read_parquet(path, columns=[target])[target].to_numpy()
        posteriors = our_posterior(), peer_posterior()
        return Quality.of(y, *posteriors, ours.classes_, "the rows learned from", same_model=False)

    steps = (
        Step("fit", lambda: ours.fit(likely.scan(path), target), peer_fit),
        Step("predict_proba", our_posterior, peer_posterior),
    )
    cells = np.ones((len(pl.read_parquet(path, columns=[target])), len(names)))
    return Case(steps, cells.sum, quality)


@workload(
    "iris",
    SMALL,
    "Iris, 150 x 4, 3 classes, 100 times over: NaiveBayes()",
    "GaussianNB(var_smoothing=0)",
    tolerance=1e-10,
    remark="The time goes into checking the input; a read of so few numbers is the price of calling NumPy.",
)
def iris(quick: bool) -> Case:
    x, y = load_iris(return_X_y=True)
    ours, theirs = likely.NaiveBayes(), GaussianNB(var_smoothing=0)
    times = range(10 if quick else 100)

    def quality() -> Quality:
        return Quality.of(y, ours.predict_proba(x), theirs.predict_proba(x), ours.classes_, "the rows learned from")

    steps = (
        Step("fit", lambda: [ours.fit(x, y) for _ in times], lambda: [theirs.fit(x, y) for _ in times]),
        Step(
            "predict_proba of one row",
            lambda: [ours.predict_proba(x[:1]) for _ in times],
            lambda: [theirs.predict_proba(x[:1]) for _ in times],
        ),
    )
    return Case(steps, lambda: [x.sum() for _ in times], quality)


def _sizes(quick: bool, rows: int) -> tuple[int, int]:
    """Rows to learn from and rows held out."""
    return (4_000, 1_000) if quick else (rows, 100_000)


def _arrays(ours: Any, theirs: Any, x: Any, y: Any, held_out: int, targets: tuple[float | None, float | None]) -> Case:
    """Fit on all but the first rows and give posteriors of them; quality on the first, held out."""
    train, labels = x[held_out:], y[held_out:]

    def quality() -> Quality:
        query = x[:held_out]
        posteriors = ours.predict_proba(query), theirs.predict_proba(query)
        return Quality.of(y[:held_out], *posteriors, ours.classes_, f"{held_out:,} rows held out")

    peer_fit = SuitedThreads(lambda: theirs.fit(train, labels))
    peer_posterior = SuitedThreads(lambda: theirs.predict_proba(train))
    steps = (
        Step("fit", lambda: ours.fit(train, labels), peer_fit, targets[0]),
        Step("predict_proba", lambda: ours.predict_proba(train), peer_posterior, targets[1]),
    )
    return Case(steps, train.sum, quality)


def _mixed(quick: bool, as_frame: Any) -> Case:
    rows, held_out = _sizes(quick, 500_000)
    columns, y = synthetic.mixed(rows + held_out, seed=5)
    numbers = [name for name in columns if name.startswith("number")]
    texts = [name for name in columns if name.startswith("text")]
    frame = pd.DataFrame(columns)
    query, table, labels = frame[:held_out], frame[held_out:], y[held_out:]
    our_query, our_table = (part if as_frame is pd.DataFrame else as_frame(part) for part in (query, table))
    ours, theirs = likely.NaiveBayes(), ImputedNaiveBayes(numbers, texts)

    def quality() -> Quality:
        posteriors = ours.predict_proba(our_query), theirs.predict_proba(query)
        return Quality.of(y[:held_out], *posteriors, ours.classes_, f"{held_out:,} rows held out", same_model=False)

    steps = (
        Step("fit", lambda: ours.fit(our_table, labels), lambda: theirs.fit(table, labels), 10),
        Step("predict_proba", lambda: ours.predict_proba(our_table), lambda: theirs.predict_proba(table), 10),
    )
    return Case(steps, np.ones(table.shape).sum, quality)


def _polars(frame: pd.DataFrame) -> pl.DataFrame:
    return pl.from_pandas(frame)
