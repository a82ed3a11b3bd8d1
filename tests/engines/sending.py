"""Engines that send: what is summed travels through pickle, in this process or to others.

Both hold what `fold` promises: its function, and a source whose batches have numbers, can be sent; nothing that they
hold is written; what comes back adds up to the same bits.
"""

import pickle
from concurrent.futures import Executor
from dataclasses import dataclass
from functools import partial
from typing import Any

import numpy as np

from likely.data.sources import Kept
from likely.engines import Serial, Tree, summary_of


def sent(value: Any) -> Any:
    """What arrives at the other end."""
    return pickle.loads(pickle.dumps(value, protocol=5))


class Pickled(Serial):
    """As if every batch were summed by another process: function, batch and statistic are copies each time."""

    def fold(self, source: Any, summarize: Any) -> Any:
        tree = Tree()
        if source.n_batches is None:
            pieces = ((Kept((sent(batch),)), 0) for batch in source.batches())
        else:
            pieces = ((sent(source), number) for number in range(source.n_batches))
        for place, (there, number) in enumerate(pieces):
            tree.put(place, sent(summary_of(there, sent(summarize), number)))
        return tree.result()

    def keep(self, source: Any) -> Any:
        return sent(super().keep(source))


class Watchful(Serial):
    """Sees to it that work of `map` writes to nothing that it holds, but for what is a part of its items."""

    def __init__(self) -> None:
        super().__init__()
        object.__setattr__(self, "seen", [])

    def map(self, items: Any, work: Any) -> Any:
        items = list(items)
        held = [cell.cell_contents for cell in getattr(work, "__closure__", None) or ()]
        arrays = [one for value in held for one in _arrays(value)]
        before = [one.copy() for one in arrays]
        found = super().map(items, work)
        own = [one for item in items for one in _arrays(item)]
        for one, was in zip(arrays, before, strict=True):
            wrote = not np.array_equal(one, was, equal_nan=one.dtype.kind == "f")
            allowed = any(part.base is one for part in own) and not any(one is value for value in held)
            assert not wrote or allowed, f"{work.__qualname__} writes to what it holds"
        self.seen.append(work.__qualname__)
        return found


def _arrays(value: Any) -> list[Any]:
    """The arrays in a value, in its sequences and in its fields."""
    if isinstance(value, np.ndarray):
        return [value] if value.dtype.kind in "fiu" else []
    if isinstance(value, list | tuple):
        return [one for part in value for one in _arrays(part)]
    return [one for one in getattr(value, "__dict__", {}).values() if isinstance(one, np.ndarray)]


@dataclass(frozen=True)
class Processes:
    """Every batch is read and summed by a process of the pool."""

    pool: Executor
    map, keep = Serial().map, Serial().keep

    def fold(self, source: Any, summarize: Any) -> Any:
        tree = Tree()
        there = source if source.n_batches is not None else self.keep(source)
        results = self.pool.map(partial(summary_of, there, summarize), range(there.n_batches))
        for number, statistic in enumerate(results):
            tree.put(number, statistic)
        return tree.result()
