"""How a sum over batches is carried out. An engine contains no mathematics.

An engine has two verbs: `fold(batches, summarize)` adds up a statistic of every batch, `each(items, work)` does
independent work. The same model code runs on every engine; `use` chooses one.

>>> from likely.engines import Serial, use
>>> with use(Serial()):
...     pass  # fit models here
"""

from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from typing import Any, Protocol, TypeVar

from likely.engines.local import Serial, Threads
from likely.engines.tree import Tree

T = TypeVar("T")


class Engine(Protocol):
    """What can carry out a sum over batches."""

    def fold(self, batches: Iterable[T], summarize: Callable[[T], Any]) -> Any: ...
    def each(self, items: Iterable[T], work: Callable[[T], None]) -> None: ...


_current: ContextVar[Engine | None] = ContextVar("likely_engine", default=None)


def current() -> Engine:
    """The engine in use: threads on all cores unless `use` says otherwise."""
    return _current.get() or Threads()


@contextmanager
def use(engine: Engine) -> Iterator[Engine]:
    """Carry out everything inside the block on this engine."""
    token = _current.set(engine)
    try:
        yield engine
    finally:
        _current.reset(token)


__all__ = ["Engine", "Serial", "Threads", "Tree", "current", "use"]
