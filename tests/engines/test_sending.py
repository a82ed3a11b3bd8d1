"""Sums in other processes: functions, sources and statistics travel through pickle and give the same bits."""

import multiprocessing
import pickle
from concurrent.futures import ProcessPoolExecutor

import numpy as np
import polars as pl
import pytest
from tests.engines.sending import Pickled, Processes

from likely import BayesClassifier, GaussianBayes, NaiveBayes, TextBayes, scan
from likely.data import inputs
from likely.data.sources import Kept
from likely.data.text import documents
from likely.distributions import GaussianFamily, MixtureFamily
from likely.engines import Serial, use
from likely.errors import InputError

RNG = np.random.default_rng(3)
Y = RNG.permutation(np.arange(90) % 3)
X = RNG.normal(Y[:, None], 1.0, (90, 4))
FRAME = pl.DataFrame({"size": X[:, 0], "colour": np.array(["red", "green", "blue"])[RNG.integers(0, 3, 90)]})
TEXTS = [" ".join(RNG.choice(["cat", "dog", "sun", "rain", str(y)], 5)) for y in Y]
PAIRS = MixtureFamily(GaussianFamily(), 2)
WORDY = FRAME.with_columns(said=pl.Series(TEXTS))


def hidden():
    """Labels of which every third is missing."""
    return np.where(np.arange(90) % 3 == 0, np.nan, Y)


FITS = {
    "naive": lambda: NaiveBayes().fit(X, Y).predict_proba(X),
    "full": lambda: GaussianBayes().fit(X, Y, sample_weight=1.0 + Y).predict_proba(X),
    "mixed": lambda: NaiveBayes().fit(FRAME, Y).predict_proba(FRAME),
    "text": lambda: TextBayes().fit(TEXTS, Y).predict_proba(TEXTS),
    "text in a table": lambda: NaiveBayes().fit(WORDY, Y).predict_proba(WORDY),
    "hidden labels": lambda: BayesClassifier(GaussianFamily()).fit(X, hidden()).predict_proba(X),
    "mixtures": lambda: BayesClassifier(PAIRS, n_init=2, random_state=0).fit(X, Y).predict_proba(X),
    "folds": lambda: NaiveBayes().out_of_fold(X, Y, np.arange(90) % 5),
    "folds of a table": lambda: NaiveBayes().out_of_fold(FRAME, Y, np.arange(90) % 5),
    "each row left out": lambda: GaussianBayes().out_of_fold(X, Y, np.arange(90)),
}


SMALL = ((inputs, "_BATCH_CELLS", 16), (inputs, "_BATCH_ROWS", 16), (documents, "_BATCH", 200))


def in_small_batches():
    """The size of a batch is a constant of the library: where it is another, it is so in every process."""
    for module, name, size in SMALL:
        setattr(module, name, size)


@pytest.fixture(scope="module")
def processes():
    with ProcessPoolExecutor(2, multiprocessing.get_context("spawn"), in_small_batches) as pool:
        yield Processes(pool)


@pytest.fixture
def small_batches(monkeypatch):
    for constant in SMALL:
        monkeypatch.setattr(*constant)


@pytest.mark.sample(4)
@pytest.mark.parametrize("fit", FITS.values(), ids=FITS)
def test_what_is_sent_gives_the_same_bits(fit, small_batches):
    with use(Serial()):
        here = fit()
    with use(Pickled()):
        assert np.array_equal(fit(), here)


@pytest.mark.slow
@pytest.mark.parametrize("name", ["naive", "text in a table", "hidden labels", "folds of a table"])
def test_other_processes_give_the_same_bits(name, processes, small_batches):
    with use(Serial()):
        here = FITS[name]()
    with use(processes):
        assert np.array_equal(FITS[name](), here)


@pytest.mark.parametrize("suffix", ["csv", "parquet"])
def test_a_file_is_read_by_the_process_that_sums_it(suffix, processes, tmp_path):
    path = tmp_path / f"rows.{suffix}"
    table = FRAME.with_columns(kind=Y)
    table.write_csv(path) if suffix == "csv" else table.write_parquet(path)
    source = scan(path, target="kind", batch_rows=20)
    assert (source.n_batches is None) == (suffix == "csv")
    here = NaiveBayes().fit(source)
    with use(processes):
        there = NaiveBayes().fit(source)
    assert np.array_equal(here.predict_proba(FRAME), there.predict_proba(FRAME))


@pytest.mark.slow
def test_a_mistake_in_another_process_is_told_here(processes, small_batches):
    wrong = np.where(np.arange(90)[:, None] == 70, np.inf, X)
    with use(processes), pytest.raises(InputError, match="row 70"):
        NaiveBayes().fit(wrong, Y)


@pytest.mark.slow
def test_a_function_that_cannot_be_sent_is_refused():
    with pytest.raises((pickle.PicklingError, AttributeError)):
        Pickled().fold(Kept((1, 2)), lambda batch: batch)
