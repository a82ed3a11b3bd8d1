"""Algorithms of many passes hold a file between passes up to one size, and read it anew at every pass beyond it."""

import numpy as np
import polars as pl
import pytest

import likely
from likely import PCA, KMeans, LeastSquaresClassifier, LogisticRegression, Mixture, ProportionalOdds
from likely.data.sources.files import FileSource
from likely.engines.local import Threads
from likely.models.learning import holding

RNG = np.random.default_rng(0)
CODES = np.arange(600) % 3
X = RNG.normal(size=(600, 3)) + 1.5 * CODES[:, None]
GAPS = np.where(RNG.random(X.shape) < 0.1, np.nan, X)
WORDS = [" ".join([f"w{i}" for i in RNG.integers(80, size=4)] + [f"class{c}"] * (i % 3)) for i, c in enumerate(CODES)]

LEARNERS = {
    "k-means": (KMeans(3, init=X[:3], max_iter=6, tol=0), X, lambda m: m.cluster_centers_),
    "pca randomized": (PCA(2, solver="randomized", random_state=0), X, lambda m: m.components_),
    "pca with gaps": (PCA(2), GAPS, lambda m: m.components_),
    "mixture": (Mixture(3, max_iter=6, tol=0, random_state=0), X, lambda m: m.means_),
    "mixture of several starts": (Mixture(3, n_init=2, max_iter=6, tol=0, random_state=0), X, lambda m: m.means_),
    "logistic": (LogisticRegression(), X, lambda m: m.coef_),
    "logistic, penalty chosen": (LogisticRegression(C="auto"), X, lambda m: m.coef_),
    "logistic by products": (LogisticRegression(solver="newton_cg"), X, lambda m: m.coef_),
    "logistic of texts": (LogisticRegression(kinds={"t": "text"}), WORDS, lambda m: m.coef_),
    "logistic online": (LogisticRegression(solver="sgd", max_iter=4, random_state=0), X, lambda m: m.coef_),
    "ordinal": (ProportionalOdds(), X, lambda m: m.coef_),
    "least squares": (LeastSquaresClassifier(solver="gradient", max_iter=20, tol=0), X, lambda m: m.coef_),
}


@pytest.mark.filterwarnings("ignore:.*converge")
@pytest.mark.parametrize("name", LEARNERS)
def test_a_file_is_read_again_only_where_it_is_too_large_to_be_held(name, tmp_path, monkeypatch):
    model, x, learned = LEARNERS[name]
    table = pl.DataFrame({"t": x}) if x is WORDS else pl.DataFrame(x, schema=["a", "b", "c"])
    labelled = not isinstance(model, KMeans | PCA | Mixture)
    y = CODES.astype(str)
    (table.with_columns(y=pl.Series(y)) if labelled else table).write_parquet(tmp_path / "rows.parquet")
    reads = []
    one, every = FileSource.batch, FileSource.batches
    monkeypatch.setattr(FileSource, "batch", lambda self, i: reads.append(i) or one(self, i))
    monkeypatch.setattr(FileSource, "batches", lambda self: reads.append(None) or every(self))
    keeps, keep = [], Threads.keep
    monkeypatch.setattr(Threads, "keep", lambda self, source: keeps.append(source) or keep(self, source))
    times, found = [], []
    for cells in (holding.MOST_CELLS, 0):
        monkeypatch.setattr(holding, "MOST_CELLS", cells)
        reads.clear()
        keeps.clear()
        source = likely.scan(tmp_path / "rows.parquet")
        model.fit(source, "y") if labelled else model.fit(source)
        times.append(len(reads))
        found.append(learned(model))
    held, anew = times
    assert held <= 4 < 6 <= anew and not keeps
    assert np.allclose(found[0], found[1], rtol=1e-6, atol=1e-8)


def test_folds_of_a_file_that_is_not_held_are_read_anew(tmp_path, monkeypatch):
    table = pl.DataFrame(X, schema=["a", "b", "c"])
    table.with_columns(y=pl.Series(CODES.astype(str))).write_parquet(tmp_path / "rows.parquet")
    monkeypatch.setattr("likely.models.linear.log_odds.logistic_regression.MOST_LEFT_OUT", 3)
    model = LogisticRegression(C="auto", tol=1e-5)
    expected = model.fit(table, CODES.astype(str)).choice_
    reads, one = [], FileSource.batch
    monkeypatch.setattr(holding, "MOST_CELLS", 0)
    monkeypatch.setattr(FileSource, "batch", lambda self, i: reads.append(i) or one(self, i))
    found = model.fit(likely.scan(tmp_path / "rows.parquet"), "y").choice_
    assert len(reads) > 2 * 5 * len(found.tried)  # for every fold at least one step, and its rows judged
    np.testing.assert_allclose(found.losses, expected.losses, rtol=1e-4)
