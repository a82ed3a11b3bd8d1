"""Engines and sources of a user's own, held to their contracts."""

import pickle
from collections.abc import Iterator
from dataclasses import dataclass
from functools import partial
from typing import Any

import numpy as np

from likely.data.sources import Kept, TableSource
from likely.data.sources.union import stacked
from likely.engines import Engine, Serial, current, use
from likely.errors import InputError
from likely.numeric.arrays import Floats
from likely.numeric.random_state import as_generator
from likely.testing.specimens.specimen import same_bits
from likely.testing.specimens.tables import small_batches
from likely.testing.verdict import LawBroken, must, refused


def check_engine(engine: Engine, random_state: int = 0) -> None:
    """Hold an engine to its contract: `fold` gives the bits of `Serial`, `map` keeps the order, `keep` what it holds.

    Work inside `map` runs on the same engine again.

    >>> from likely.engines import Threads
    >>> from likely.testing import check_engine
    >>> check_engine(Threads(2))
    """
    for verb in ("fold", "map", "keep"):
        must(callable(getattr(engine, verb, None)), f"an engine has fold, map and keep; {engine!r:.60} lacks {verb}")
    rng = as_generator(random_state)
    for count in (0, 1, 2, 7):
        held = Kept(tuple(rng.normal(size=3) * 10.0 ** rng.integers(-9, 9) for _ in range(count)))
        for source in (held, _Uncounted(held.held), engine.keep(_Uncounted(held.held))):
            for _ in range(2):  # a source is read as often as wanted
                found, expected = engine.fold(source, _Summed(2.0)), Serial().fold(held, _Summed(2.0))
                same = found is None if expected is None else np.array_equal(found, expected)
                what = f"the sum of {count} batches is {found}, not {expected}"
                must(same, f"{what} to the last bit: add them with likely.engines.Tree, by their numbers")
    items = list(range(9))
    must(engine.map(items, partial(pow, 2)) == [2**i for i in items], "map does not keep the order of the items")
    with refused("work that fails"):
        engine.map([1], _fail)
    with use(engine):
        inside = engine.map(items, lambda _: current())
    must(all(one is engine for one in inside), "work inside map runs on another engine: give threads copy_context()")
    out = np.zeros(9)
    engine.map([out[i : i + 2] for i in range(0, 9, 2)], _count_up)
    must(out.tolist() == [1.0, 2.0] * 4 + [1.0], "what map's work writes to its item, a part of an array, is not there")
    _check_fit(engine, rng)


def check_source(source: TableSource, sendable: bool = True) -> None:
    """Hold a source of rows to its contract: batches by number are those in order, each time, with the columns named.

    One that says how many batches it has can be sent to another process, unless it is not meant to be `sendable`.

    >>> import polars as pl
    >>> from likely.data import scan
    >>> from likely.testing import check_source
    >>> import tempfile, pathlib
    >>> path = pathlib.Path(tempfile.mkdtemp()) / "table.parquet"
    >>> pl.DataFrame({"x": [1.0, 2.0, 3.0], "kind": ["a", "b", "a"]}).write_parquet(path)
    >>> check_source(scan(path, target="kind"))
    """
    frames = list(source.batches())
    columns = list(source.columns)
    must(all(frame.columns == columns for frame in frames), f"a batch has other columns than {columns}")
    try:
        stacked(frames)
    except InputError as unlike:
        raise LawBroken(f"its batches do not go together: {unlike}") from None
    target = source.target
    must(target is None or target in columns, f"the target {target!r} is none of the columns {columns}")
    same = len(again := list(source.batches())) == len(frames)
    must(same and all(a.equals(b) for a, b in zip(frames, again, strict=True)), "read again, it gives other batches")
    start = 0
    for number, frame in enumerate(frames):
        must(source.first_row(number) == start, f"batch {number} begins at row {start}, not {source.first_row(number)}")
        start += frame.height
    if source.n_batches is None:
        return
    must(source.n_batches == len(frames), f"it says {source.n_batches} batches and gives {len(frames)}")
    there = pickle.loads(pickle.dumps(source)) if sendable else source
    for number in reversed(range(len(frames))):
        for one in (source, there):
            must(one.batch(number).equals(frames[number]), f"batch {number} by its number is another")


@dataclass(frozen=True)
class _Uncounted:
    """A source that can only be read from its beginning."""

    held: tuple[Floats, ...]
    n_batches: None = None

    def batch(self, number: int) -> Floats:
        raise NotImplementedError

    def batches(self) -> Iterator[Floats]:
        return iter(self.held)


@dataclass(frozen=True)
class _Summed:
    factor: float

    def __call__(self, batch: Floats) -> Floats:
        return batch * self.factor


def _fail(item: int) -> int:
    from likely.errors import InputError

    raise InputError(f"item {item} cannot be worked on")


def _count_up(part: Floats) -> None:
    part += np.arange(1, len(part) + 1)


def _check_fit(engine: Engine, rng: np.random.Generator) -> None:
    """Classifiers learn the same bits on it, one alone and two inside `map`."""
    from likely import NaiveBayes

    X, y = rng.normal(size=(60, 3)), rng.integers(0, 3, 60)
    models: list[Any] = []
    with small_batches():
        for one in (Serial(), engine):
            with use(one):
                models.append(NaiveBayes().fit(X, y))
                models += one.map(range(2), lambda _: NaiveBayes().fit(X, y))
    for model in models[1:]:
        same_bits(models[0], model, X)
