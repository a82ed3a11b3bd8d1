"""Sums over batches in this process: one after the other, or in threads.

Kernels and BLAS release the GIL, so threads are enough on one machine. A few batches are under way at a time, which
bounds memory; BLAS keeps to one thread inside each of ours. The result is the same to the bit for any number of
workers, because batches are added by their numbers (see `tree`).
"""

import os
from collections.abc import Callable, Iterable
from concurrent.futures import FIRST_COMPLETED, Future, ThreadPoolExecutor, wait
from contextlib import AbstractContextManager
from dataclasses import dataclass
from functools import lru_cache
from typing import Any, TypeVar

from likely.engines.tree import Tree
from likely.errors import InputError

T = TypeVar("T")


@dataclass(frozen=True)
class Serial:
    """One batch after the other.

    >>> Serial().fold([1, 2, 3], lambda batch: batch * 10)
    60
    """

    def fold(self, batches: Iterable[T], summarize: Callable[[T], Any]) -> Any:
        tree = Tree()
        with _one_blas_thread():  # which rounds as it does in our threads
            for number, batch in enumerate(batches):
                tree.put(number, summarize(batch))
        return tree.result()

    def each(self, items: Iterable[T], work: Callable[[T], None]) -> None:
        with _one_blas_thread():
            for item in items:
                work(item)


@dataclass(frozen=True)
class Threads:
    """A few batches at a time, in `workers` threads (all cores by default)."""

    workers: int | None = None

    def __post_init__(self) -> None:
        if self.workers is not None and self.workers < 1:
            raise InputError(f"workers must be at least 1, got {self.workers}")

    def fold(self, batches: Iterable[T], summarize: Callable[[T], Any]) -> Any:
        """The sum of `summarize(batch)` over all batches."""
        tree = Tree()
        self._run(batches, summarize, tree.put)
        return tree.result()

    def each(self, items: Iterable[T], work: Callable[[T], None]) -> None:
        """Do `work` for every item; the items must not depend on each other."""
        self._run(items, work, lambda number, result: None)

    def _run(self, items: Iterable[T], work: Callable[[T], Any], done: Callable[[int, Any], Any]) -> None:
        workers = self.workers or os.cpu_count() or 1
        numbered = enumerate(items)
        first = list(_take(numbered, 2))
        if workers == 1 or len(first) < 2:  # nothing to share out: spare the threads
            with _one_blas_thread():
                for number, item in _chain(first, numbered):
                    done(number, work(item))
            return
        pending: dict[Future[Any], int] = {}
        with _one_blas_thread(), ThreadPoolExecutor(workers) as pool:
            try:
                for number, item in _chain(first, numbered):
                    pending[pool.submit(work, item)] = number
                    if len(pending) >= 2 * workers:
                        _collect(pending, done)
                while pending:
                    _collect(pending, done)
            except BaseException:
                pool.shutdown(wait=True, cancel_futures=True)
                raise


def _collect(pending: dict[Future[Any], int], done: Callable[[int, Any], Any]) -> None:
    finished, _ = wait(pending, return_when=FIRST_COMPLETED)
    for future in finished:
        done(pending.pop(future), future.result())


def _take(items: Iterable[T], count: int) -> Iterable[T]:
    for _, item in zip(range(count), items, strict=False):
        yield item


def _chain(first: list[T], rest: Iterable[T]) -> Iterable[T]:
    yield from first
    yield from rest


def _one_blas_thread() -> AbstractContextManager[Any]:
    limit: AbstractContextManager[Any] = _blas().limit(limits=1, user_api="blas")
    return limit


@lru_cache(maxsize=1)
def _blas() -> Any:
    import scipy.linalg  # noqa: F401  its BLAS must be loaded to be found
    from threadpoolctl import ThreadpoolController

    return ThreadpoolController()
