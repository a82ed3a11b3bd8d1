"""The laws of statistics, each written once. A statistic is a sum over rows: everything else follows.

Equality is up to rounding, on the fields of two statistics brought to common terms; whole numbers are equal to
the bit. Rounding is measured against what the field would hold if no weight and no sign had cancelled any other.
"""

import copy
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field, fields, replace
from functools import reduce
from operator import add
from typing import Any

import numpy as np
import pytest
from hypothesis import strategies as st

from likely.errors import InputError
from likely.statistics import Additive, Labelled, Membership, SideBySide, all_but_one, sum_of
from likely.statistics.categories import union_of

GROUPS = 3
ROUNDING = 1e-12


@dataclass(frozen=True)
class Specimen:
    """How to make a statistic: from a list of rows (tuples of cells) and a membership."""

    name: str
    of: Callable[[list[tuple[Any, ...]], Membership], Any]
    row: Callable[[Any], st.SearchStrategy[tuple[Any, ...]]]  # in a world: where the data lie and how large they are
    worlds: tuple[Any, ...] = (None,)


@dataclass(frozen=True)
class Data:
    """Rows with labels, and the forms of membership in which they can be summed."""

    rows: list[tuple[Any, ...]]
    labels: list[int]  # -1: no group
    weights: list[float] | None = None
    shares: bool = False  # labels and weights as a matrix of shares

    def __add__(self, other: "Data") -> "Data":
        both = None if self.weights is None or other.weights is None else self.weights + other.weights
        return replace(self, rows=self.rows + other.rows, labels=self.labels + other.labels, weights=both)

    def taken(self, index: Sequence[int]) -> "Data":
        weights = None if self.weights is None else [self.weights[i] for i in index]
        return replace(
            self, rows=[self.rows[i] for i in index], labels=[self.labels[i] for i in index], weights=weights
        )

    def membership(self, groups: int = GROUPS) -> Membership:
        weight = None if self.weights is None else np.array(self.weights, dtype=np.float64)
        labelled = Membership.of_labels(np.array(self.labels, dtype=np.int32), groups, weight)
        return Membership.of_shares(labelled.as_shares()) if self.shares else labelled


@dataclass(frozen=True)
class Example:
    """A specimen and what hypothesis drew for it."""

    specimen: Specimen
    data: st.DataObject
    world: Any
    seen: list[Data] = field(default_factory=list)  # all rows so far

    def rows(self, weights: st.SearchStrategy[float] | None = None, **size: int) -> Data:
        cells = st.tuples(
            self.specimen.row(self.world), st.integers(-1, GROUPS - 1), st.none() if weights is None else weights
        )
        drawn = self.data.draw(st.lists(cells, **{"max_size": 10, **size}))
        return Data(
            [r for r, _, _ in drawn], [c for _, c, _ in drawn], None if weights is None else [w for _, _, w in drawn]
        )

    def summary(self, data: Data) -> Any:
        self.seen.append(data)
        return self.specimen.of(data.rows, data.membership())

    def agree(self, a: Any, b: Any) -> None:
        """The two statistics hold the same sums, but for the rounding of sums over all rows so far."""
        rows = [row for data in self.seen for row in data.rows]
        weight = [abs(w) for data in self.seen for w in data.weights or [1.0] * len(data.rows)]
        together = Membership.of_labels(np.zeros(len(rows), dtype=np.int32), GROUPS, np.array(weight))
        agree(a, b, self.specimen.of(rows, together))

    def statistic(self) -> Any:
        """A value built by operations: unions, removals and factors of either sign."""
        total = self.summary(self.any_rows())
        for _ in range(self.data.draw(st.integers(0, 2))):
            operation = self.data.draw(st.sampled_from(["+", "-", "*"]))
            if operation == "*":
                total = total * self.data.draw(st.sampled_from([-1, 0, 0.5, 2]))
            else:
                more = self.summary(self.any_rows())
                total = total + more if operation == "+" else total - more
        return total

    def any_rows(self) -> Data:
        """Rows without weights, with weights of either sign, or shared out."""
        form = self.data.draw(st.sampled_from(["labels", "weights", "shares"]))
        if form == "labels":
            return self.rows(max_size=6)
        return replace(self.rows(weights=SIGNED, max_size=6), shares=form == "shares")


SIGNED = st.sampled_from([-1.5, -1.0, 0.0, 0.5, 1.0, 2.0])
WHOLE = st.sampled_from([0.0, 1.0, 2.0, 3.0])
Law = Callable[[Example], None]


def any_split_sums_to_the_whole(example: Example) -> None:
    data = example.any_rows()
    cuts = sorted(example.data.draw(st.lists(st.integers(0, len(data.rows)), max_size=4)))
    edges = list(zip([0, *cuts], [*cuts, len(data.rows)], strict=True))
    parts = [example.summary(data.taken(range(a, b))) for a, b in edges]
    whole = example.summary(data)
    example.agree(reduce(add, parts), whole)
    example.agree(sum_of(parts), whole)
    if data.weights is None:
        same_terms(reduce(add, parts), whole)


def order_is_irrelevant(example: Example) -> None:
    data, more = example.rows(), example.rows()
    example.agree(example.summary(data) + example.summary(more), example.summary(more + data))
    same_terms(example.summary(data) + example.summary(more), example.summary(more + data))
    data, more = example.any_rows(), example.any_rows()
    shuffled = data.taken(example.data.draw(st.permutations(range(len(data.rows)))))
    example.agree(example.summary(shuffled), example.summary(data))
    a, b, c = example.summary(data), example.summary(more), example.statistic()
    example.agree(a + b, b + a)
    example.agree((a + b) + c, a + (b + c))


def zero_is_neutral(example: Example) -> None:
    a, zero = example.statistic(), example.summary(Data([], []))
    example.agree(a + zero, a)
    example.agree(zero + a, a)
    example.agree(a - zero, a)
    example.agree(a - a, zero)
    example.agree(a * 0, zero)


def a_weight_is_that_many_rows(example: Example) -> None:
    data = example.rows(weights=WHOLE)
    assert data.weights is not None
    repeated = data.taken([i for i, w in enumerate(data.weights) for _ in range(int(w))])
    whole = example.summary(replace(repeated, weights=None))
    example.agree(example.summary(data), whole)
    example.agree(example.summary(replace(data, shares=True)), whole)


def removal_undoes_union(example: Example) -> None:
    a, b = example.statistic(), example.statistic()
    example.agree(a - (a - b), b)
    example.agree((a + b) - b, a)
    example.agree((a - b) + b, a)
    example.agree((a - b) + (b - a), a - a)


def a_factor_multiplies_every_row(example: Example) -> None:
    a, b = example.statistic(), example.statistic()
    example.agree(a * 2, a + a)
    example.agree(2 * a, a * 2)
    example.agree(a * -1, (a - a) - a)
    example.agree((a + b) * 0.5, a * 0.5 + b * 0.5)
    example.agree(a * 3, a * 2 + a)


def regrouping_commutes_with_summing(example: Example) -> None:
    data = example.any_rows()
    index = np.array(example.data.draw(st.permutations(range(GROUPS + 2)))[:GROUPS])
    moved = replace(data, labels=[-1 if c < 0 else int(index[c]) for c in data.labels])
    a, b = example.summary(data), example.statistic()
    if isinstance(a, Labelled):  # its groups have names, which only grow
        names = union_of(union_of(a.classes, b.classes), ("another", "class"))
        example.agree(a.over(names) + b.over(names), a + b)
        return
    there = example.specimen.of(moved.rows, moved.membership(GROUPS + 2))
    example.agree(a.regrouped(index, GROUPS + 2), there)
    example.agree((a + b).regrouped(index, GROUPS + 2), there + b.regrouped(index, GROUPS + 2))
    example.agree(a.regrouped(index, GROUPS + 2).taken(index), a)
    one = replace(data, labels=[min(c, 0) for c in data.labels])
    example.agree(a.merged(), example.specimen.of(one.rows, one.membership(1)))
    example.agree((a + b).merged(), a.merged() + b.merged())


def tallies_without_weights_are_exact(example: Example) -> None:
    data, more = example.rows(), example.rows()
    a, b = example.summary(data), example.summary(more)
    derived = [a, a + b, a - b, a * 2, (a + b).without(b), sum_of([a, b, a])]
    if isinstance(a, Additive):
        derived += [a.taken(np.array([2, 0])), a.regrouped(np.array([1, 0, 3]), 4), a.merged()]
    for statistic in derived:
        for path, role, array in leaves(statistic):
            assert role != "tally" or array.dtype.kind == "i", f"{path} is {array.dtype}, not a whole number"
    for path, role, back, before in aligned_leaves((a + b) - b, a):
        assert role != "tally" or np.all(back == before), path


def only_what_was_added_can_be_removed(example: Example) -> None:
    data, more = example.any_rows(), example.rows(min_size=1)
    positive = None if data.weights is None else [abs(w) for w in data.weights]
    a, b = example.summary(replace(data, weights=positive)), example.summary(more)
    both = a + b
    before = copy.deepcopy((a, b, both))
    example.agree(both.without(b), a)
    for path, role, array in leaves(both.without(a)):
        assert role != "tally" or np.all(array >= 0), path
    lacks = any(role == "tally" and np.any(x < 0) for _, role, x in leaves(a - b))
    if lacks:
        with pytest.raises(InputError, match="cannot be forgotten"):
            a.without(b)
    for now, then in zip((a, b, both), before, strict=True):
        for (path, _, x), (_, _, y) in zip(leaves(now), leaves(then), strict=True):
            assert np.array_equal(x, y, equal_nan=True), f"{path} of an operand has changed"


def all_but_one_is_the_sum_of_the_others(example: Example) -> None:
    parts = [example.summary(example.any_rows()) for _ in range(example.data.draw(st.integers(2, 4)))]
    for i, rest in enumerate(all_but_one(parts)):
        example.agree(rest, reduce(add, parts[:i] + parts[i + 1 :]))


LAWS: tuple[Law, ...] = (
    any_split_sums_to_the_whole,
    order_is_irrelevant,
    zero_is_neutral,
    a_weight_is_that_many_rows,
    removal_undoes_union,
    a_factor_multiplies_every_row,
    regrouping_commutes_with_summing,
    tallies_without_weights_are_exact,
    only_what_was_added_can_be_removed,
    all_but_one_is_the_sum_of_the_others,
)


def agree(a: Any, b: Any, whole: Any) -> None:
    """The two statistics hold the same sums; `whole` says how large the sums are."""
    largest: dict[str, float] = {}
    for statistic in (a, b, whole):
        for path, _, array in leaves(statistic):
            assert np.isfinite(array).all(), f"{path} is not finite"
            largest[path] = max(largest.get(path, 0.0), float(np.max(np.abs(array), initial=0.0)))
    for path, _, x, y in aligned_leaves(a, b):
        if x.dtype.kind == "i" and y.dtype.kind == "i":
            assert np.all(x == y), f"{path}: {x} and {y}"
        else:
            assert np.all(np.abs(x - y) <= ROUNDING * largest[path]), f"{path}: {x} and {y}"


def same_terms(a: Any, b: Any) -> None:
    """What the sums refer to (levels, values) depends on the data alone; an origin only has to lie near them."""
    for (path, x), (_, y) in zip(terms(a), terms(b), strict=True):
        assert repr(x) == repr(y), f"{path}: {x} and {y}"


def leaves(statistic: Any, path: str = "") -> Iterator[tuple[str, str, Any]]:
    """The fields that add: their path, role and array."""
    if isinstance(statistic, Labelled):
        yield from leaves(statistic.given, f"{path}given.")
        return
    for entry in fields(statistic):
        role = entry.metadata.get("role", "fixed")
        if role != "fixed":
            yield path + entry.name, role, np.asarray(getattr(statistic, entry.name))
    for i, part in enumerate(parts_of(statistic)):
        yield from leaves(part, f"{path}{i}.")


def aligned_leaves(a: Any, b: Any, path: str = "") -> Iterator[tuple[str, str, Any, Any]]:
    """The fields that add of both, in common terms."""
    assert type(a) is type(b)
    if isinstance(a, Labelled):
        names = union_of(a.classes, b.classes)
        yield from aligned_leaves(a.over(names).given, b.over(names).given, f"{path}given.")
        return
    for i, (mine, its) in enumerate(zip(parts_of(a), parts_of(b), strict=True)):
        yield from aligned_leaves(mine, its, f"{path}{i}.")
    left, right = a.aligned(b)
    own = zip(fields_that_add(left, path), fields_that_add(right, path), strict=True)
    for (name, role, x), (_, _, y) in own:
        yield name, role, x, y


def fields_that_add(statistic: Any, path: str) -> list[tuple[str, str, Any]]:
    depth = path.count(".")
    return [leaf for leaf in leaves(statistic, path) if leaf[0].count(".") == depth]


def terms(statistic: Any, path: str = "") -> Iterator[tuple[str, Any]]:
    """The fields that do not add, but for origins."""
    if isinstance(statistic, Labelled):
        yield from terms(statistic.given, f"{path}given.")
        return
    for entry in fields(statistic):
        if entry.metadata.get("role", "fixed") == "fixed" and entry.name not in ("origin", "parts"):
            yield path + entry.name, getattr(statistic, entry.name)
    for i, part in enumerate(parts_of(statistic)):
        yield from terms(part, f"{path}{i}.")


def parts_of(statistic: Any) -> tuple[Any, ...]:
    return statistic.parts if isinstance(statistic, SideBySide) else ()
