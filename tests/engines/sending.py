"""Engines that send: what is summed travels through pickle, in this process or to others.

Both hold what `fold` promises: its function, and a source whose batches have numbers, can be sent; nothing that they
hold is written; what comes back adds up to the same bits.
"""

import pickle
from concurrent.futures import Executor
from dataclasses import dataclass
from functools import partial
from typing import Any

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
