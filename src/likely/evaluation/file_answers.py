"""What a model says of the rows of a file, asked batch by batch in one pass; memory does not grow with the rows.

Every row is counted: the confusion matrix, and true classes that were given probability 0. What needs rows beside each
other (ranks, bins, means with their intervals) is judged on all of them up to a quarter of a million (2^18, and fewer
of more than four classes), and beyond on so many that are drawn at random, from a fixed seed. A random sample of the
rows is a smaller set of the same kind: its intervals hold, are those of so many rows, and `Evaluation.notes` says so.
"""

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from likely.data.sources.mistakes import in_rows
from likely.errors import InputError
from likely.evaluation.measures.counts.counting import Counted, count_codes
from likely.evaluation.measures.proper_scores import infinite_loss
from likely.evaluation.said import Said
from likely.intervals.estimate import Estimate
from likely.numeric.arrays import Floats, Ints

KEPT_ROWS, KEPT_NUMBERS, FEWEST = 2**18, 2**20, 2**14  # rows; rows times classes; and however many classes there are


@dataclass(frozen=True)
class AllRows:
    """What is known of every row of a file of which only a sample was kept."""

    rows: int
    kept: int  # in the sample
    counted: Counted | None  # truth against answer; None: the answers were decided anew, of the sample alone
    impossible: int  # rows whose true class was given probability 0
    first_impossible: int | None

    @property
    def note(self) -> str:
        if self.counted is None:
            return f"the figures are of {self.kept:,} of {self.rows:,} rows, drawn at random"
        return f"answers are counted of all rows; what probabilities tell is of {self.kept:,} of them, drawn at random"

    def infinite_loss(self, confidence: float) -> Estimate | None:
        """The log-loss where a true class was given probability 0, in the sample or not."""
        if self.first_impossible is None:
            return None
        return infinite_loss(self.impossible, self.rows, self.first_impossible, confidence)


def answers_in_batches(
    batches: Iterator[Any], ask: Callable[[Any], Said], keep_all: bool = False
) -> tuple[Said, AllRows | None]:
    """What was said of the rows of all batches; of more than are kept a sample, and the counts of all."""
    kept, matrix, impossible, first, start = _Sample(), None, 0, None, 0
    for rows in batches:
        with in_rows(start, len(rows)):
            said = ask(rows)
        k = len(said.classes)
        kept.add(said, None if keep_all else max(FEWEST, min(KEPT_ROWS, KEPT_NUMBERS // k)))
        counts = np.zeros((k, k + 1), dtype=np.int64)
        found = count_codes(said.y, said.labels, said.classes).matrix
        counts[:, : found.shape[1]] = found
        matrix = counts if matrix is None else matrix + counts
        lost = _impossible(said)
        first = int(lost[0]) + start if first is None and len(lost) else first
        impossible += len(lost)
        start += len(said)
    if matrix is None:
        raise InputError("y is empty: there are no rows to judge")
    said = kept.said()
    if len(said) == start:
        return said, None
    matrix = matrix if matrix[:, -1].any() else matrix[:, :-1]
    return said, AllRows(start, len(said), Counted(said.classes, matrix, None, None), impossible, first)


def _impossible(said: Said) -> Ints:
    """Rows whose true class was given probability 0."""
    if not said.has_probabilities:
        return np.zeros(0, dtype=np.int64)
    given = said.log_probabilities("log_loss")[np.arange(len(said)), said.y]
    return np.flatnonzero(np.isneginf(given))


@dataclass
class _Sample:
    """Rows with the smallest of random keys: every set of so many rows is as likely as any other."""

    rng: np.random.Generator = field(default_factory=lambda: np.random.default_rng(0))
    parts: list[Said] = field(default_factory=list)
    keys: list[Floats] = field(default_factory=list)
    rows: int = 0
    most: int | None = None
    limit: float = np.inf  # of the keys that are still kept

    def add(self, said: Said, most: int | None) -> None:
        self.most, keys = most, self.rng.random(len(said))
        chosen = np.flatnonzero(keys < self.limit)
        self.parts.append(said.take(chosen))
        self.keys.append(keys[chosen])
        self.rows += len(chosen)
        if most is not None and self.rows >= 2 * most:
            self._thin(most)

    def said(self) -> Said:
        """The rows that were kept, in their order."""
        if self.most is not None and self.rows > self.most:
            self._thin(self.most)
        return _joined(self.parts)

    def _thin(self, most: int) -> None:
        keys = np.concatenate(self.keys)
        chosen = np.sort(np.argpartition(keys, most - 1)[:most])
        parts = _joined(self.parts).take(chosen)
        self.parts, self.keys, self.rows = [parts], [keys[chosen]], most
        self.limit = float(self.keys[0].max())


def _joined(parts: list[Said]) -> Said:
    fields = {name for name, value in vars(parts[0]).items() if name != "classes" and value is not None}
    return Said(parts[0].classes, **{name: np.concatenate([getattr(p, name) for p in parts]) for name in fields})
