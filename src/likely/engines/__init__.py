"""How a sum over batches is carried out. An engine contains no mathematics.

    fold(source, summarize)   the sum of a statistic of every batch
    map(items, work)          the results of independent work in this process, in the order of the items
    keep(source)              the same source with its batches held, for algorithms of many passes

The function that `fold` takes is pure and can be sent: it and what it holds can be pickled, and it writes to nothing
that it holds. That of `map` writes to nothing but its item, which may be a part of an array to be filled. So the same
model code runs on every engine, inside `map` too; `use` chooses one. The page on an engine of your own has one in full.

>>> from likely.engines import Serial, use
>>> with use(Serial()):
...     pass  # fit models here
"""

from collections.abc import Callable, Iterable, Iterator
from contextlib import AbstractContextManager, contextmanager
from contextvars import ContextVar
from typing import Any, Protocol, TypeVar

from likely.data.sources import Source
from likely.engines.filling import fill
from likely.engines.local import Serial, Threads, summary_of
from likely.engines.tree import Tree
from likely.errors import InputTypeError

T = TypeVar("T")
R = TypeVar("R")


class Engine(Protocol):
    """What can carry out a sum over batches."""

    def fold(self, source: Source[T], summarize: Callable[[T], Any]) -> Any:
        """The sum of `summarize(batch)` over all batches, added by their numbers; None when there are none."""

    def map(self, items: Iterable[T], work: Callable[[T], R]) -> list[R]:
        """`work(item)` for every item, in their order; local work, which need not be sendable, on this same engine."""

    def keep(self, source: Source[T]) -> Source[T]:
        """The same batches, held where they are worked on."""


_current: ContextVar[Engine | None] = ContextVar("likely_engine", default=None)


def current() -> Engine:
    """The engine in use: threads on all cores unless `use` says otherwise.

    >>> hasattr(current(), "fold")
    True
    """
    return _current.get() or Threads()


def use(engine: Engine) -> AbstractContextManager[Engine]:
    """Carry out everything inside the block on this engine.

    >>> use("threads")
    Traceback (most recent call last):
    ...
    likely.errors.InputTypeError: 'threads' is no engine: it has no fold; give one, such as likely.engines.Threads()
    """
    if isinstance(engine, type):
        raise InputTypeError(f"{engine.__name__} is a class of engines: make one, {engine.__name__}()")
    for verb in ("fold", "map", "keep"):
        if not callable(getattr(engine, verb, None)):
            raise InputTypeError(
                f"{engine!r:.60} is no engine: it has no {verb}; give one, such as likely.engines.Threads()"
            )
    return _in_use(engine)


@contextmanager
def _in_use(engine: Engine) -> Iterator[Engine]:
    token = _current.set(engine)
    try:
        yield engine
    finally:
        _current.reset(token)


__all__ = ["Engine", "Serial", "Threads", "Tree", "current", "fill", "summary_of", "use"]
