"""Sums over batches: the same bits for any engine and any order of arrival, nothing lost, nothing counted twice."""

import os
import threading
import time
from concurrent.futures import ThreadPoolExecutor

import numpy as np
import polars as pl
import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.engines.sending import Watchful
from threadpoolctl import threadpool_info

from likely import DecisionForest, GaussianBayes, LogisticRegression, Mixture, NaiveBayes, Recommender
from likely.data.sources import Kept
from likely.engines import Serial, Threads, Tree, current, use
from likely.errors import InputError, InputTypeError
from likely.statistics import Membership
from likely.statistics.summing.scatter import Scatter
from likely.testing import LawBroken, check_engine

ENGINES = (Serial(), Threads(1), Threads(3))


class InOrder:
    """Batches of which nobody knows how many there are: they can only be read from the beginning."""

    n_batches = None

    def __init__(self, make):
        self.batches = make


def batches(count=9, rows=700, d=20):
    rng = np.random.default_rng(5)
    for _ in range(count):
        x = rng.normal(1e3, rng.uniform(0.1, 10, d), (rows, d))
        yield x, Membership.of_labels(rng.integers(0, 3, rows).astype(np.int32), 3, rng.random(rows))


def scatter(batch):
    return Scatter.of(*batch)


def bits(statistic):
    return [np.asarray(getattr(statistic, name)).tobytes() for name in ("weight", "origin", "count", "first", "second")]


class TestTree:
    @given(st.permutations(range(13)), st.data())
    def test_any_order_of_arrival_and_any_retries_give_the_same_bits(self, order, data):
        values = np.random.default_rng(0).normal(size=13) * 10.0 ** np.arange(13)
        expected = Tree()
        for i, value in enumerate(values):
            expected.put(i, value)
        tree, seen = Tree(), set()
        for i in order:
            assert tree.put(i, values[i])
            seen.add(i)
            again = data.draw(st.sampled_from(sorted(seen)))
            assert not tree.put(again, values[again])
        assert tree.result() == expected.result()

    def test_it_keeps_the_order_of_the_batches(self):
        tree = Tree()
        for i in (3, 0, 4, 2, 1):
            tree.put(i, "abcde"[i])
        assert tree.result() == "abcde"

    def test_a_gap_is_an_error(self):
        tree = Tree()
        for i in (0, 1, 3):
            tree.put(i, i)
        with pytest.raises(ValueError, match="batch 2 never arrived"):
            tree.result()

    def test_nothing_is_none(self):
        assert Tree().result() is None

    def test_few_partial_sums_are_held(self):
        tree = Tree()
        for i in range(1000):
            tree.put(i, 1)
            assert len(tree._nodes) <= 10
        assert tree.result() == 1000


def test_every_engine_gives_the_same_bits():
    numbered = Kept(tuple(batches()))
    results = [bits(engine.fold(source, scatter)) for engine in ENGINES for source in (InOrder(batches), numbered)]
    assert all(result == results[0] for result in results)


@pytest.mark.parametrize("engine", ENGINES, ids=repr)
def test_blas_keeps_to_one_thread(engine):
    def blas_threads(_):
        return {pool["num_threads"] for pool in threadpool_info() if pool["user_api"] == "blas"}

    found = engine.fold(Kept((1, 2, 3)), lambda item: list(blas_threads(item)))
    assert set(found) == {1}
    assert engine.map([1, 2, 3], blas_threads) == [{1}, {1}, {1}]


@pytest.mark.parametrize("engine", ENGINES, ids=repr)
def test_no_batch_and_one_batch(engine):
    assert engine.fold(Kept(()), scatter) is None
    assert engine.fold(InOrder(lambda: iter(())), scatter) is None
    assert engine.map([], scatter) == []
    only = next(batches())
    assert bits(engine.fold(Kept((only,)), scatter)) == bits(scatter(only))


@pytest.mark.parametrize("engine", ENGINES, ids=repr)
def test_an_exception_comes_out_and_stops_the_work(engine):
    read, done = [], []

    def items():
        for i in range(10_000):
            read.append(i)
            yield i

    def work(i):
        if i == 7:
            raise RuntimeError("batch 7 is broken")
        time.sleep(0.001)
        done.append(i)

    class Numbered:
        n_batches = 10_000

        def batch(self, number):
            read.append(number)
            return number

    verbs = (
        lambda: engine.fold(InOrder(items), lambda i: work(i) or i),
        lambda: engine.fold(Numbered(), lambda i: work(i) or i),
        lambda: engine.map(items(), work),
    )
    for verb in verbs:
        read.clear()
        done.clear()
        with pytest.raises(RuntimeError, match="batch 7 is broken"):
            verb()
        assert len(read) < 50
        threads = threading.active_count()
        count = len(done)
        time.sleep(0.02)
        assert len(done) == count  # nobody goes on working
        assert threading.active_count() <= threads


@pytest.mark.parametrize("engine", ENGINES, ids=repr)
def test_an_exception_of_the_source_comes_out(engine):
    def items():
        yield from (1, 2, 3)
        raise OSError("the file ends here")

    with pytest.raises(OSError, match="the file ends here"):
        engine.fold(InOrder(items), lambda item: item)


@pytest.mark.parametrize("workers", [1, 2, 3])
def test_few_batches_are_under_way_at_a_time(workers):
    lock = threading.Lock()
    state = {"read": 0, "done": 0, "most": 0}

    def items():
        for i in range(200):
            with lock:
                state["read"] += 1
                state["most"] = max(state["most"], state["read"] - state["done"])
            yield i

    def work(i):
        time.sleep(0.0005 * (i % 3))
        with lock:
            state["done"] += 1
        return i

    assert Threads(workers).fold(InOrder(items), work) == sum(range(200))
    assert state["most"] <= 2 * workers + 1


@pytest.mark.parametrize("engine", ENGINES, ids=repr)
def test_map_gives_every_result_in_the_order_of_the_items(engine):
    def work(i):
        time.sleep(0.0005 * (i % 3))  # which lets some overtake others
        return i * i

    assert engine.map(iter(range(50)), work) == [i * i for i in range(50)]


@pytest.mark.parametrize("engine", ENGINES, ids=repr)
def test_work_inside_work_runs_on_the_same_engine(engine):
    def twice(_):
        return current().map(range(2), lambda _: current())

    with use(engine):
        found = current().map(range(4), twice)
    assert all(one is engine for pair in found for one in pair)


@pytest.mark.parametrize("workers", [1, 2, 3])
def test_work_inside_work_shares_the_workers(workers):
    lock, at_work, most = threading.Lock(), [0], [0]

    def count(_):
        with lock:
            at_work[0] += 1
            most[0] = max(most[0], at_work[0])
        time.sleep(0.001)
        with lock:
            at_work[0] -= 1
        return 1

    def inside(depth):
        return count(0) if depth == 0 else sum(current().map([depth - 1] * 4, inside))

    with use(Threads(workers)):
        assert inside(3) == 4**3
    assert most == [workers]


def test_work_that_waits_for_work_inside_other_work_does_not_wait_forever():
    lock, engine = threading.RLock(), Threads(2)

    def one_at_a_time(_):
        with lock:
            return sum(engine.map(range(4), abs))

    assert engine.map(range(6), one_at_a_time) == [6] * 6


def test_a_map_whose_threads_forget_the_engine_is_found():
    class Forgetful(Serial):
        def map(self, items, work):
            with ThreadPoolExecutor(2) as pool:
                return list(pool.map(work, items))

    with pytest.raises(LawBroken, match="runs on another engine"):
        check_engine(Forgetful())


def test_every_start_of_a_mixture_is_summed_by_the_engine_in_use():
    class Counting(Threads):
        def fold(self, source, summarize):
            folds.append(1)
            return super().fold(source, summarize)

    X, count = np.random.default_rng(0).normal(size=(60, 2)), []
    for starts in (1, 3):
        folds = []
        with use(Counting(2)):
            Mixture(2, n_init=starts, max_iter=5, tol=0.0, random_state=0).fit(X)
        count.append(len(folds))
    assert count[1] > 2 * count[0]


@pytest.mark.parametrize("engine", ENGINES, ids=repr)
def test_what_is_kept_is_read_once(engine):
    read = []

    def items():
        for i in range(5):
            read.append(i)
            yield i

    kept = engine.keep(InOrder(items))
    assert [engine.fold(kept, str) for _ in range(3)] == ["01234"] * 3
    assert read == [0, 1, 2, 3, 4] and kept.n_batches == 5


@pytest.mark.parametrize("engine", ENGINES, ids=repr)
def test_a_numbered_batch_is_read_where_it_is_worked_on(engine):
    class Numbered:
        n_batches = 6

        def batch(self, number):
            return number, threading.get_ident()

    def summarize(batch):
        number, reader = batch
        assert reader == threading.get_ident()
        return number

    assert engine.fold(Numbered(), summarize) == sum(range(6))


def test_work_of_map_writes_to_nothing_that_it_holds():
    rng = np.random.default_rng(0)
    X, y = rng.normal(size=(300, 3)), rng.integers(0, 2, 300)
    ratings = pl.DataFrame({"user": rng.integers(0, 12, 150), "item": rng.integers(0, 9, 150)}).unique()
    ratings = ratings.sort("user", "item").with_columns(rating=pl.Series(rng.integers(1, 6, ratings.height)))
    with use(Watchful()) as engine:
        DecisionForest(5, random_state=0).fit(X, y).predict_proba(X)
        LogisticRegression().fit(X, y).predict_proba(X)
        NaiveBayes().out_of_fold(X, y, np.arange(300) % 4)
        GaussianBayes().out_of_fold(X, y, np.arange(300) % 4)
        for by in ("user", "item"):
            model = Recommender(by=by).fit(ratings)
            model.predict(ratings)
            model.recommend_all(3)
    assert len(set(engine.seen)) >= 5


def test_use_chooses_the_engine_inside_the_block():
    before = current()
    with use(Serial()) as engine:
        assert current() is engine
        with use(Threads(2)) as inner:
            assert current() is inner
        assert current() is engine
    assert type(current()) is type(before)


@pytest.mark.parametrize(("other", "said"), [("threads", "has no fold"), (None, "no engine"), (Threads, "make one")])
def test_what_is_no_engine_is_refused(other, said):
    with pytest.raises(InputTypeError, match=said):
        use(other)
    with pytest.raises(LawBroken, match="lacks fold"):
        check_engine(object())


def test_no_workers_are_refused():
    with pytest.raises(InputError, match="at least 1"):
        Threads(0)


@pytest.mark.skipif(not hasattr(os, "fork"), reason="no fork here")
def test_threads_wait_for_the_next_call_and_a_forked_process_has_its_own():
    def who(_):
        time.sleep(0.005)  # so that each thread has its turn
        return threading.get_ident()

    first, second = (set(Threads(3).map(range(12), who)) for _ in range(2))
    assert first == second and len(first) == 3
    inner = Threads(3).map(range(4), lambda _: set(Threads(3).map(range(6), who)))
    assert not any(first & each for each in inner)  # work inside work
    child = os.fork()
    if child == 0:
        try:
            os._exit(0 if Threads(3).map(range(4), abs) == [0, 1, 2, 3] else 1)
        finally:
            os._exit(2)
    assert os.waitpid(child, 0)[1] == 0
