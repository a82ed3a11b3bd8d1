"""The laws of statistics, each written once. A statistic is a sum over rows: everything else follows.

Equality is up to rounding, on the fields of two statistics brought to common terms; whole numbers are equal to
the bit. Rounding is measured against what the field would hold if no weight and no sign had cancelled any other.
"""

import copy
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from functools import reduce
from operator import add
from typing import Any, Self

import numpy as np

from likely.errors import LikelyError
from likely.statistics import Additive, Labelled, Membership, all_but_one, sum_of
from likely.statistics.counting.categories import union_of
from likely.testing.specimens.leaves import agree, aligned_leaves, leaves, same_terms
from likely.testing.verdict import LawBroken, must, obey, refused

GROUPS = 3
SIGNED = (-1.5, -1.0, 0.0, 0.5, 1.0, 2.0)
WHOLE = (0.0, 1.0, 2.0, 3.0)

Row = tuple[Any, ...]


@dataclass(frozen=True)
class Specimen:
    """How to make a statistic: from a list of rows (tuples of cells) and a membership."""

    name: str
    of: Callable[[list[Row], Membership], Any]
    row: Callable[[Any, np.random.Generator], Row]  # in a world: where the data lie and how large they are
    worlds: tuple[Any, ...] = (None,)


def check_statistic(
    of: Callable[[Any, Membership], Any], rows: Any, name: str = "", examples: int = 25, random_state: int = 0
) -> None:
    """Hold a statistic to the laws of sums: splits, order, zero, weights, removal, factors, groups, whole tallies.

    Parameters
    ----------
    of : function of (rows, membership) to a statistic
        Usually the statistic's own `of`. It gets some of the rows, in the form in which they were given.
    rows : array (n, d) or list
        Rows to draw from, with whatever may be difficult among them: missing cells, equal rows, far values.
    name : str
        What the statistic is called in messages.
    examples : int
        How many examples each law is tried on.
    random_state : int
        What the examples are drawn from.

    Raises
    ------
    LawBroken
        An `AssertionError` that names the law, the example and what differed.

    >>> import numpy as np
    >>> from likely.statistics import Moments
    >>> from likely.testing import check_statistic
    >>> check_statistic(Moments.of, np.array([[1e8, 2.0], [1e8 + 1, np.nan], [1e8 + 2, -1.0]]), examples=3)
    """
    pool = rows if isinstance(rows, np.ndarray) else list(rows)
    must(len(pool), "give at least one row to draw from")

    def made(picked: list[Row], membership: Membership) -> Any:
        index = [place for (place,) in picked]
        return of(pool[index] if isinstance(pool, np.ndarray) else [pool[i] for i in index], membership)

    specimen = Specimen(
        name or getattr(of, "__qualname__", repr(of)), made, lambda _, rng: (int(rng.integers(len(pool))),)
    )
    for law in LAWS:
        obey(law, specimen, examples, random_state)


@dataclass(frozen=True)
class Data:
    """Rows with labels, and the forms of membership in which they can be summed."""

    rows: list[Row]
    labels: list[int]  # -1: no group
    weights: list[float] | None = None
    shares: bool = False  # labels and weights as a matrix of shares

    def __add__(self, other: Self) -> Self:
        both = None if self.weights is None or other.weights is None else self.weights + other.weights
        return replace(self, rows=self.rows + other.rows, labels=self.labels + other.labels, weights=both)

    def taken(self, index: Sequence[int]) -> Self:
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
    """A specimen, a world, and what was drawn for it."""

    specimen: Specimen
    rng: np.random.Generator
    world: Any
    seen: list[Data] = field(default_factory=list)  # all rows so far

    @classmethod
    def of(cls, specimen: Specimen, rng: np.random.Generator) -> Self:
        return cls(specimen, rng, specimen.worlds[rng.integers(len(specimen.worlds))])

    def rows(self, weights: Sequence[float] | None = None, least: int = 0, most: int = 10) -> Data:
        count = int(self.rng.integers(least, most + 1))
        rows = [self.specimen.row(self.world, self.rng) for _ in range(count)]
        labels = self.rng.integers(-1, GROUPS, size=count).tolist()
        return Data(rows, labels, None if weights is None else self.rng.choice(weights, size=count).tolist())

    def any_rows(self) -> Data:
        """Rows without weights, with weights of either sign, or shared out."""
        form = self.rng.integers(3)
        return self.rows(most=6) if form == 0 else replace(self.rows(SIGNED, most=6), shares=form == 2)

    def statistic(self) -> Any:
        """A value built by operations: unions, removals and factors of either sign."""
        total = self.summary(self.any_rows())
        for _ in range(self.rng.integers(3)):
            operation = self.rng.integers(3)
            if operation == 0:
                total = total * self.rng.choice([-1, 0, 0.5, 2])
            else:
                more = self.summary(self.any_rows())
                total = total + more if operation == 1 else total - more
        return total

    def summary(self, data: Data) -> Any:
        self.seen.append(data)
        return self.specimen.of(data.rows, data.membership())

    def agree(self, a: object, b: object) -> None:
        """The two statistics hold the same sums, but for the rounding of sums over all rows so far."""
        rows = [row for data in self.seen for row in data.rows]
        weight = [abs(w) for data in self.seen for w in data.weights or [1.0] * len(data.rows)]
        together = Membership.of_labels(np.zeros(len(rows), dtype=np.int32), GROUPS, np.array(weight))
        agree(a, b, self.specimen.of(rows, together))


def any_split_sums_to_the_whole(specimen: Specimen, rng: np.random.Generator) -> None:
    example = Example.of(specimen, rng)
    data = example.any_rows()
    cuts = sorted(rng.integers(0, len(data.rows) + 1, size=rng.integers(5)).tolist())
    edges = list(zip([0, *cuts], [*cuts, len(data.rows)], strict=True))
    parts = [example.summary(data.taken(range(a, b))) for a, b in edges]
    whole = example.summary(data)
    example.agree(reduce(add, parts), whole)
    example.agree(sum_of(parts), whole)
    if data.weights is None:
        same_terms(reduce(add, parts), whole)


def order_is_irrelevant(specimen: Specimen, rng: np.random.Generator) -> None:
    example = Example.of(specimen, rng)
    data, more = example.rows(), example.rows()
    example.agree(example.summary(data) + example.summary(more), example.summary(more + data))
    same_terms(example.summary(data) + example.summary(more), example.summary(more + data))
    data, more = example.any_rows(), example.any_rows()
    shuffled = data.taken(rng.permutation(len(data.rows)).tolist())
    example.agree(example.summary(shuffled), example.summary(data))
    a, b, c = example.summary(data), example.summary(more), example.statistic()
    example.agree(a + b, b + a)
    example.agree((a + b) + c, a + (b + c))


def zero_is_neutral(specimen: Specimen, rng: np.random.Generator) -> None:
    example = Example.of(specimen, rng)
    a, zero = example.statistic(), example.summary(Data([], []))
    example.agree(a + zero, a)
    example.agree(zero + a, a)
    example.agree(a - zero, a)
    example.agree(a - a, zero)
    example.agree(a * 0, zero)


def a_weight_is_that_many_rows(specimen: Specimen, rng: np.random.Generator) -> None:
    example = Example.of(specimen, rng)
    data = example.rows(WHOLE)
    repeated = data.taken([i for i, w in enumerate(data.weights or ()) for _ in range(int(w))])
    whole = example.summary(replace(repeated, weights=None))
    example.agree(example.summary(data), whole)
    example.agree(example.summary(replace(data, shares=True)), whole)


def removal_undoes_union(specimen: Specimen, rng: np.random.Generator) -> None:
    example = Example.of(specimen, rng)
    a, b = example.statistic(), example.statistic()
    example.agree(a - (a - b), b)
    example.agree((a + b) - b, a)
    example.agree((a - b) + b, a)
    example.agree((a - b) + (b - a), a - a)


def a_factor_multiplies_every_row(specimen: Specimen, rng: np.random.Generator) -> None:
    example = Example.of(specimen, rng)
    a, b = example.statistic(), example.statistic()
    example.agree(a * 2, a + a)
    example.agree(2 * a, a * 2)
    example.agree(a * -1, (a - a) - a)
    example.agree((a + b) * 0.5, a * 0.5 + b * 0.5)
    example.agree(a * 3, a * 2 + a)


def regrouping_commutes_with_summing(specimen: Specimen, rng: np.random.Generator) -> None:
    example = Example.of(specimen, rng)
    data = example.any_rows()
    index = rng.permutation(GROUPS + 2)[:GROUPS]
    moved = replace(data, labels=[-1 if c < 0 else int(index[c]) for c in data.labels])
    a, b = example.summary(data), example.statistic()
    if isinstance(a, Labelled):  # its groups have names, which only grow
        names = union_of(union_of(a.classes, b.classes), ("another", "class"))
        example.agree(a.over(names) + b.over(names), a + b)
        return
    there = specimen.of(moved.rows, moved.membership(GROUPS + 2))
    example.agree(a.regrouped(index, GROUPS + 2), there)
    example.agree((a + b).regrouped(index, GROUPS + 2), there + b.regrouped(index, GROUPS + 2))
    example.agree(a.regrouped(index, GROUPS + 2).taken(index), a)
    one = replace(data, labels=[min(c, 0) for c in data.labels])
    example.agree(a.merged(), specimen.of(one.rows, one.membership(1)))
    example.agree((a + b).merged(), a.merged() + b.merged())


def tallies_without_weights_are_exact(specimen: Specimen, rng: np.random.Generator) -> None:
    example = Example.of(specimen, rng)
    a, b = example.summary(example.rows()), example.summary(example.rows())
    derived = [a, a + b, a - b, a * 2, (a + b).without(b), sum_of([a, b, a])]
    if isinstance(a, Additive):
        derived += [a.taken(np.array([2, 0])), a.regrouped(np.array([1, 0, 3]), 4), a.merged()]
    for statistic in derived:
        for path, role, array in leaves(statistic):
            must(role != "tally" or array.dtype.kind == "i", f"{path} is {array.dtype}, not a whole number")
    for path, role, back, before in aligned_leaves((a + b) - b, a):
        must(role != "tally" or np.all(back == before), f"{path} is not what it was")


def only_what_was_added_can_be_removed(specimen: Specimen, rng: np.random.Generator) -> None:
    example = Example.of(specimen, rng)
    data, more = example.any_rows(), example.rows(least=1)
    positive = None if data.weights is None else [abs(w) for w in data.weights]
    a, b = example.summary(replace(data, weights=positive)), example.summary(more)
    both = a + b
    before = copy.deepcopy((a, b, both))
    try:
        without_b, without_a = both.without(b), both.without(a)
    except LikelyError as error:
        raise LawBroken(f"the removal of what was added is refused: {error}") from error
    example.agree(without_b, a)
    for path, role, array in leaves(without_a):
        must(role != "tally" or np.all(array >= 0), f"{path} is below zero")
    if any(role == "tally" and np.any(x < 0) for _, role, x in leaves(a - b)):
        with refused("the removal of what was never added", "cannot be forgotten"):
            a.without(b)
    for now, then in zip((a, b, both), before, strict=True):
        for (path, _, x), (_, _, y) in zip(leaves(now), leaves(then), strict=True):
            must(np.array_equal(x, y, equal_nan=True), f"{path} of an operand has changed")


def all_but_one_is_the_sum_of_the_others(specimen: Specimen, rng: np.random.Generator) -> None:
    example = Example.of(specimen, rng)
    parts = [example.summary(example.any_rows()) for _ in range(rng.integers(2, 5))]
    for i, rest in enumerate(all_but_one(parts)):
        example.agree(rest, reduce(add, parts[:i] + parts[i + 1 :]))


Law = Callable[[Specimen, np.random.Generator], None]
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
