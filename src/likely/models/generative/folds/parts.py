"""A table in parts: each part is summed once, and the model of any parts together is a sum of their statistics.

Everything that is learned comes out of the statistic, the levels of nominal columns included, so the model of some
parts is the one that a fit on their rows alone would give. Only the kinds of the columns are fixed before, from all
rows.
"""

import threading
from collections.abc import Iterable, Mapping, Sequence
from copy import copy
from dataclasses import dataclass, replace
from functools import cached_property
from itertools import islice
from typing import Any, NamedTuple, Self, TypeAlias, cast

import numpy as np

from likely import engines
from likely.data.accepted import Prepared, TableLike, TargetLike
from likely.data.inputs import ArrayInput, Input, batch_rows, whole_table
from likely.data.labels.target import Target, read_target, split_target
from likely.data.labels.weights import learning_weight
from likely.data.sources import Source
from likely.distributions.family import shortcut
from likely.errors import InputError, TierError
from likely.models.generative.answers.scoring import ready_to_score
from likely.models.generative.summing.layout import Layout
from likely.models.generative.summing.sums import without_empty_classes
from likely.numeric.arrays import Array, Floats, Ints, PerRow
from likely.numeric.kernels.left_out.held_out import put_log_posteriors
from likely.numeric.logspace import log_of
from likely.statistics import Additive, Codes, Labelled, Membership, Moments, SideBySide
from likely.statistics.summing.scatter import Scatter

_scratch = threading.local()  # fresh memory for every fold would cost more than copying into it
_BLOCK_CELLS = 2**18  # numbers that are picked out and scored at a time: they stay in cache
_MOST_COUNTS = 2**24  # of values, held side by side in sums
_FEW = 16  # models that are held at the same time as they come, whatever their size
_SLICES = 2  # parts of a learning batch that are summed at a time, so that all threads have some


class Judgement(NamedTuple):
    """Rows to be scored under the model of a statistic, and where their log posteriors go."""

    rows: Ints  # (m,)
    seen: Any  # the statistic
    out: Floats  # (., k)
    places: Ints  # (m,)  of the rows in `out`


@dataclass(frozen=True)
class PartedTable(Prepared):
    """Rows with labels and weights, in the form that the families of a model take, encoded once."""

    model: Any  # its parameters and its layout, nothing learned
    data: Input  # as it was read
    target: Target
    weight: Floats | None  # (n,)
    encoded: tuple[Any, ...]  # one entry per part of the layout
    late: bool = False  # the one entry is a sparse matrix, which dense might not fit: encoded where rows are taken
    whole: bool = True  # all rows of `data`, in their order

    @classmethod
    def of(cls, model: Any, X: TableLike, y: TargetLike, sample_weight: PerRow = None, beside: Any = None) -> Self:
        """Of this model only the parameters are used. Models that take many passes are refused with a TierError.

        `beside` is the table of another model. If it is one of this kind, its reading of X, and its encoded rows, are
        taken over where this model wants them the same.
        """
        beside = beside if isinstance(beside, PartedTable) else None
        fresh = type(model)(**model.get_params(deep=False))
        fresh._check_parameters()
        if not isinstance(beside, PartedTable):  # of a model of another kind
            beside = None
        if beside is not None and type(beside.model)._read is type(model)._read:
            data, labels = beside.data, y
        else:
            data, labels = split_target(fresh._read(X), y)
        if data.rows is None:
            raise InputError("cross-validation needs the data in memory: read the file first")
        target = read_target(labels, data.rows)
        fresh._start(data, None, sample_weight)
        if fresh._needs_passes(target):
            raise TierError("hidden labels and mixtures are learned in many passes: cross-validate them by refitting")
        weight = learning_weight(sample_weight, data.rows)
        if beside is not None and beside.data is data and _encoded_alike(fresh.layout_, beside.model.layout_):
            return cls(fresh, data, target, weight, beside.encoded, beside.late)
        if isinstance(data, ArrayInput) and data.sparse and not all(part.sparse for part in fresh.layout_.parts):
            return cls(fresh, data, target, weight, (data.x,), late=True)
        return cls(fresh, data, target, weight, fresh.layout_.rows(whole_table(data), 0, learning=True))

    def __len__(self) -> int:
        return len(self.target.codes)

    @property
    def classes(self) -> int:
        return len(self.target.classes)

    @property
    def width(self) -> int:
        """How many columns the table has."""
        return int(self.model.n_features_in_)

    @property
    def leaves_one_out(self) -> bool:
        """Whether every part can take a row out of its class by itself, and no class vanishes with one row."""
        layout = self.model.layout_
        exact = all(shortcut(f, "leave_one_out") and f.leaves_one_out for f in layout.family.parts)
        if layout.missing == "impute" or not exact:
            return False
        present = self.target.codes if self.weight is None else self.target.codes[self.weight > 0]
        return bool((np.bincount(present, minlength=self.classes) > 1).all())

    def taken(self, rows: Ints | slice) -> tuple[Any, ...]:
        """Some rows, encoded."""
        picked = tuple(_taken(part, rows) for part in self.encoded)
        if not self.late:
            return picked
        encoded: tuple[Any, ...] = self.model.layout_.rows(picked[0], 0, learning=True)
        return encoded

    def at(self, rows: Ints) -> Self:
        """A table of some of the rows."""
        target = replace(self.target, codes=self.target.codes[rows])
        weight = None if self.weight is None else self.weight[rows]
        encoded = tuple(_taken(part, rows) for part in self.encoded)
        return replace(self, target=target, weight=weight, encoded=encoded, whole=False)

    def slice_rows(self, least: int = 256) -> int:
        """How many rows are dealt with at a time."""
        return max(least, batch_rows(self.width) // _SLICES)

    def sums(self, parts: Sequence[Array], counts: Sequence[int]) -> list[list[Additive]]:
        """The statistic of each part, for several repeats: parts (n,), numbered from 0, and how many there are.

        Part -1 is none of them. One pass over the rows serves all repeats; but families that keep many values are
        summed part by part: their values side by side, for every part and class, would take much memory.
        """
        k = self.classes
        if max(counts) > 1 and self._holds_many(sum(counts) * k):
            return [
                [self.sum_of(np.flatnonzero(part == number)) for number in range(n)]
                for part, n in zip(parts, counts, strict=True)
            ]
        slices = _Slices(self, tuple(parts), self.slice_rows(8 * k * max(counts)))
        total: _Repeats = engines.current().fold(slices, _SumOfParts(self.model.layout_, k, tuple(counts)))
        return [
            [sums.taken(np.arange(part * k, (part + 1) * k)).canonical() for part in range(count)]
            for sums, count in zip((_about_common_origins(s, k) for s in total.sums), counts, strict=True)
        ]

    def sum_of(self, rows: Ints) -> Additive:
        """The statistic of some of the rows, all classes counted."""
        try:
            return self.at(rows)._sum()
        except InputError:
            if len(rows) < len(self):
                self._sum()  # says what is wrong with a row, by its number in the table
            raise

    def _sum(self) -> Additive:
        """The statistic of all rows."""
        return self.sums([np.zeros(len(self), dtype=np.int32)], [1])[0][0]

    def is_wide(self, parts: int) -> bool:
        """Whether tables of joint counts of so many parts are too large to be held at the same time."""
        return parts * self.classes * self.joint_numbers > _MOST_COUNTS

    @cached_property
    def joint_numbers(self) -> int:
        """Numbers in the tables of joint counts of one group; 0: no family has any."""
        families = zip(self.model.layout_.families, self.encoded, strict=False)
        return sum(
            _MOST_COUNTS if self.late else family.numbers_in(rows)  # of cells not yet encoded it is not known
            for family, rows in families
            if hasattr(family, "numbers_in")
        )

    def _holds_many(self, groups: int) -> bool:
        """Whether sums for so many groups would hold too many counts of values at a time."""
        layout = self.model.layout_
        values = (
            min(len(self), getattr(family, "max_values", 0)) * len(part.columns)
            for family, part in zip(layout.families, layout.parts, strict=True)
        )
        return groups * (sum(values) + self.joint_numbers) > _MOST_COUNTS

    @property
    def started(self) -> Mapping[str, Any]:
        """What a model knows of the table before it has learned any row."""
        return cast(Mapping[str, Any], self.model._learned())

    def learned(self) -> Labelled:
        """The statistic of all rows, summed in the batches of `fit`, so that it rounds as it does there."""
        everything = _Slices(self, (np.zeros(len(self), dtype=np.int32),), batch_rows(self.width))
        total: _Repeats = engines.current().fold(everything, _SumOfParts(self.model.layout_, self.classes, (1,)))
        return Labelled(self.target.classes, total.sums[0])

    def judge(self, work: Iterable[Judgement]) -> None:
        """Write the log posteriors of each piece of work; -inf for a class that its model has not seen."""

        def write(piece: Judgement) -> None:
            piece.out[piece.places] = self._judged(piece)

        at_once = _MOST_COUNTS // max(self.classes * self.joint_numbers, 1)
        if at_once > _FEW:
            engines.current().map(work, write)
            return
        waiting = iter(work)  # each of much memory
        while some := list(islice(waiting, max(at_once, 1))):
            engines.current().map(some, write)
            some.clear()

    def _judged(self, work: Judgement) -> Floats:
        """The log posteriors (m, k) of the rows of one piece of work."""
        seen = without_empty_classes(Labelled(self.target.classes, work.seen))
        if not seen.classes:
            raise InputError("a fold holds all rows that have a label: nothing is left to learn from outside it")
        model = copy(self.model)
        model._settle(seen)
        columns = np.array([i for i, name in enumerate(self.target.classes) if name in seen.classes])
        out = np.full((len(work.rows), self.classes), -np.inf)
        log_prior = log_of(model.class_prior_)
        size = max(256, _BLOCK_CELLS // self.width)
        places = np.arange(min(size, len(out)))
        for start in range(0, len(out), size):
            rows = work.rows[start : start + size]
            x = ready_to_score(model, self._picked(rows), rows)
            scores = model.distribution_.log_ratio(x)
            put_log_posteriors(scores, log_prior, places, columns, out[start : start + size])
        return out

    def _picked(self, rows: Ints) -> tuple[Any, ...]:
        """Like `taken`, but a plain array is copied to memory that the next call in this thread uses again."""
        if self.late or len(self.encoded) > 1 or not isinstance(self.encoded[0], np.ndarray):
            return self.taken(rows)
        table = self.encoded[0]
        kept: Array | None = getattr(_scratch, "rows", None)
        if kept is None or len(kept) < len(rows) or kept.shape[1] != table.shape[1] or kept.dtype != table.dtype:
            kept = _scratch.rows = np.empty((len(rows), table.shape[1]), dtype=table.dtype)
        return (table.take(rows, axis=0, out=kept[: len(rows)], mode="clip"),)  # other modes make a copy first


@dataclass(frozen=True)
class _Repeats:
    """The statistics of several repeats, added side by side."""

    sums: tuple[Additive, ...]

    def __add__(self, other: Self) -> Self:
        return replace(self, sums=tuple(a + b for a, b in zip(self.sums, other.sums, strict=True)))


_Slice: TypeAlias = tuple[int, tuple[Any, ...], Array, Floats | None, list[Array]]  # start, rows, labels, shares, parts


@dataclass(frozen=True)
class _Slices(Source[_Slice]):
    """The rows of a table, so many at a time, with the part of each in every repeat."""

    table: PartedTable
    parts: tuple[Array, ...]  # (n,) each
    size: int

    @property
    def n_batches(self) -> int:
        return max(-(-len(self.table) // self.size), 1)  # no row at all has an empty sum

    def batch(self, number: int) -> _Slice:
        at, weight = slice(number * self.size, (number + 1) * self.size), self.table.weight
        share = None if weight is None else weight[at]
        return at.start, self.table.taken(at), self.table.target.codes[at], share, [part[at] for part in self.parts]


@dataclass(frozen=True)
class _SumOfParts:
    """The statistic of every part and class among some rows, for each repeat."""

    layout: Layout
    classes: int
    counts: tuple[int, ...]  # parts of each repeat

    def __call__(self, some: _Slice) -> _Repeats:
        start, rows, codes, share, parts = some
        sums, family = [], self.layout.family
        with self.layout.naming_cells(range(start, start + len(codes))):
            for part, count in zip(parts, self.counts, strict=True):
                labels = np.where(part < 0, -1, part * self.classes + codes)
                sums.append(family.summarize(rows, Membership.of_labels(labels, count * self.classes, share)))
        return _Repeats(tuple(sums))


def _about_common_origins(statistic: Any, k: int) -> Any:
    """The same data with one origin for each class in all parts, so that parts add up without being moved first.

    It is the median of the parts' origins: a value far off in one of them must not cost the others their digits.
    """
    if isinstance(statistic, SideBySide):
        return replace(statistic, parts=tuple(_about_common_origins(part, k) for part in statistic.parts))
    parts = statistic.groups // k
    if parts < 3 or not isinstance(statistic, Moments | Scatter):
        return statistic
    seen = statistic.observed != 0
    known = np.where(seen, statistic.origin, np.inf).reshape(parts, k, -1)
    middle = np.maximum(np.isfinite(known).sum(axis=0) - 1, 0) // 2
    median = np.take_along_axis(np.sort(known, axis=0), middle[None], axis=0)[0]
    return statistic.about(np.tile(np.where(np.isfinite(median), median, 0.0), (parts, 1)))


def _encoded_alike(one: Layout, other: Layout) -> bool:
    """Whether rows in the form of two layouts are the same."""

    def own_forms(layout: Layout) -> list[Any]:  # of families with a form of their own; of texts, how they are cut
        return [getattr(f, "tokenizer", f) if hasattr(f, "prepare") else None for f in layout.families]

    alike = one.schema == other.schema and one.parts == other.parts and one.missing == other.missing
    return alike and own_forms(one) == own_forms(other)


def _taken(part: Any, rows: Ints | slice) -> Any:
    if isinstance(part, Codes):
        return replace(part, x=_taken(part.x, rows))
    if isinstance(part, np.ndarray) and not isinstance(rows, slice):
        return part.take(rows, axis=0)  # half the time of an index
    return part[rows]
