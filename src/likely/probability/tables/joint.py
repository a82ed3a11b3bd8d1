"""Joint probability tables over named variables: one number for every world.

Beside what every table of masses answers (`masses`), variables depend on each other: conditional tables, the chain
rule, entropy and mutual information, independence. Tables multiply, and those of counts are added and subtracted.
"""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from itertools import count
from math import log
from string import ascii_lowercase
from typing import Any

import numpy as np

from likely.data.accepted import TableLike
from likely.errors import InputError, InputTypeError
from likely.numeric.arrays import Array, PerRow
from likely.probability.events.event import Event, V
from likely.probability.events.sample_space import Names, SampleSpace
from likely.probability.tables.conditional import TOLERANCE, Conditional
from likely.probability.tables.dependence import conditional_entropy, factorises, mutual_information
from likely.probability.tables.masses import Masses, all_names, sum_of
from likely.probability.tables.reading import Levels, Missing, Some, read_observations, read_table

_LEFT = 1e-12  # the share of a sum of weights that rounding may add to it


@dataclass(frozen=True, eq=False, init=False, repr=False)
class Joint(Masses):
    """A joint distribution: a table over named discrete variables.

    table: a mapping from worlds to probabilities, `{("sun", True): 0.3, ...}` or nested; an array with one axis a
    variable; or a table of `likely.data.bundled`.
    names: of the variables. levels: their values, by name or in the order of names, where the table does not say them.
    counts: the numbers are counts of observations, which are kept, so that tests know how many there were.
    normalize: the numbers are weights, to be divided by their sum.

    >>> dental = Joint([[[0.108, 0.012], [0.072, 0.008]], [[0.016, 0.064], [0.144, 0.576]]],
    ...                names=["cavity", "toothache", "catch"], levels=[[True, False]] * 3)
    >>> dental.p("toothache"), dental.p("cavity or toothache"), dental.p(cavity=True, given="toothache")
    (0.2, 0.28, 0.6)
    >>> dental.marginal("toothache", "cavity")
    P(toothache, cavity)
               cavity
    toothache    True  False
    True         0.12   0.08
    False        0.08   0.72
    >>> dental.independent("toothache", "catch"), dental.independent("toothache", "catch", given="cavity")
    (False, True)
    """

    def __init__(
        self,
        table: Any,
        names: str | Iterable[str] | None = None,
        levels: Levels = None,
        *,
        counts: bool = False,
        normalize: bool = False,
    ) -> None:
        space, mass = read_table(table, names, levels)
        self._set(space, mass, counts)
        tolerance = max(TOLERANCE, _rounding(table))
        if not counts and not normalize and abs(self.total - 1) > tolerance:
            raise InputError(
                f"the probabilities sum to {self.total!r}, not to 1; correct them, or say counts=True if they count "
                "observations, normalize=True to divide them by their sum"
            )

    @classmethod
    def observed(
        cls,
        rows: TableLike,
        names: str | Iterable[str] | None = None,
        levels: Levels = None,
        *,
        sample_weight: PerRow = None,
        missing: Missing = "error",
    ) -> "Joint":
        """The shares of the worlds among observations: a frame, a dict of columns, or a list of rows with names.

        names: the columns to take, or the names of columns that have none. levels: values of columns, to put them in
        an order or to count those that do not occur too. sample_weight: how often each row counts. missing: "error"
        refuses missing cells in the columns taken, "drop" leaves their rows out and keeps how many in `dropped`.

        >>> seen = Joint.observed({"sky": ["blue", "grey", "grey"], "rain": [False, True, False]})
        >>> seen.p("rain", given="sky == grey"), seen.n
        (0.5, 3)
        >>> Joint.observed({"sky": ["blue", None, "grey"]}, missing="drop")
        P(sky), 2 observations (1 row with missing cells left out)
        sky   probability
        blue          0.5
        grey          0.5
        """
        space, mass, dropped = read_observations(rows, names, levels, sample_weight, missing)
        return cls._of(space, mass, True, dropped)

    @classmethod
    def uniform(cls, levels: Mapping[str, Iterable[Any]]) -> "Joint":
        """Every combination of values as probable as any other: symmetric outcomes have probability 1 / N.

        >>> Joint.uniform({"first": range(1, 7), "second": range(1, 7)}).p("first + second == 7")
        0.16666666666666666
        """
        space = SampleSpace.of(levels)
        if not space.names:
            raise InputError("no variables; give at least one with its values")
        return cls._of(space, np.ones(space.shape, dtype=np.int64), counted=False)

    def conditional(self, of: str | Iterable[str], given: str | Iterable[str]) -> Conditional:
        """The table P(of | given): a distribution of some variables for every value of others.

        >>> Joint([[10, 20, 30], [15, 5, 20]], ["x", "y"], counts=True).conditional("x", given="y")
        P(x | y)
             x
        y    0    1
        0  0.4  0.6
        1  0.8  0.2
        2  0.6  0.4
        """
        first, last = _names(given), _names(of)
        if not first or not last:
            raise InputError("a conditional table needs variables on both sides; use marginal where nothing is given")
        both = self._marginal((*first, *last))
        return Conditional.of_masses(both.space, len(first), both.mass)

    def chain(self, *names: str | Iterable[str]) -> tuple["Joint | Conditional", ...]:
        """The factors of the chain rule, P(a), P(b | a), P(c | a, b) ..., whose product is the table.

        names: the variables in their order; where only some are named, the product is their marginal table.

        >>> first, second = Joint({("a", 1): 0.2, ("a", 2): 0.3, ("b", 1): 0.5}, ["x", "y"]).chain("y", "x")
        >>> first.p(y=1) * second.p(x="b", y=1)
        0.5
        """
        order = all_names(names) or self.names
        self.space.axes(order)
        later = [self.conditional(name, order[: i + 1]) for i, name in enumerate(order[1:])]
        return (self.marginal(order[0]), *later)

    def entropy(self, *of: str | Iterable[str], given: Some | None = None, base: float = 2) -> float:
        """The uncertainty of some variables together (all, if none is named) in bits, or in units of another base.

        given: names of variables, for the mean of what remains when they are known; or an event that has happened.

        >>> four = Joint.uniform({"suit": ["club", "spade"], "odd": [True, False]})
        >>> four.entropy(), four.entropy("suit", given="odd"), four.entropy(given={"suit": "club"})
        (2.0, 1.0, 1.0)
        """
        table, known = self._given(given)
        chosen = all_names(of) or tuple(name for name in self.names if name not in known)
        table.space.axes(chosen)
        chosen = tuple(name for name in chosen if name not in known)  # what is known has no uncertainty left
        if not chosen:
            return 0.0
        mass = table._grouped(chosen, known)
        return conditional_entropy(mass / table.total) / _log(base)

    def mutual_information(self, a: Some, b: Some, given: Some | None = None, base: float = 2) -> float:
        """What two variables, or sets of them, tell of each other, in bits or in units of another base.

        Variables on both sides tell all of themselves: I(x; x) = H(x), and with shared ones S in general
        I(a, S; b, S | c) = H(S | c) + I(a; b | c, S).

        >>> coins = Joint.uniform({"x": [0, 1], "y": [0, 1]}).define("differ", "x != y")
        >>> coins.mutual_information("x", "y"), round(coins.mutual_information("x", "y", given="differ"), 12)
        (0.0, 1.0)
        """
        table, (first, second), known = self._sides((a, b), given)
        first, second = (tuple(name for name in side if name not in known) for side in (first, second))
        shared = tuple(name for name in first if name in second)
        own = conditional_entropy(table._grouped(shared, known) / table.total) if shared else 0.0
        first, second = (tuple(name for name in side if name not in shared) for side in (first, second))
        if not first or not second:  # nothing else, or nothing that is not known, is left to tell
            return own / _log(base)
        cube = table._grouped(first, second, known + shared)
        return (own + mutual_information(cube / sum_of(cube))) / _log(base)

    def independent(self, a: Some, b: Some, given: Some | None = None, tolerance: float = 1e-9) -> bool:
        """Whether two variables, sets of variables, or events are independent, perhaps given others.

        given: names of variables, for independence at every value of them; or an event, for independence once it has
        happened. tolerance: by what share of itself a cell may miss the product; the default forgives rounding only.

        >>> words = Joint.uniform({"first": [True, False], "second": [True, False]}).define("spam", "first or second")
        >>> words.independent("first", "second"), words.independent("first", "second", given={"spam": True})
        (True, False)
        >>> Joint.uniform({"die": range(1, 7)}).independent(V("die") > 2, V("die").isin([2, 4, 6]))
        True
        """
        return self.mutually_independent(a, b, given=given, tolerance=tolerance)

    def mutually_independent(self, *parts: Some, given: Some | None = None, tolerance: float = 1e-9) -> bool:
        """Whether several variables, sets of them, or events are all independent of each other, perhaps given others.

        P(z_1, ..., z_n | w) = P(z_1 | w) ... P(z_n | w) for all values, as naive Bayes takes its features to be given
        the class. It is more than independence of every pair. given, tolerance: as of `independent`.

        >>> coins = Joint.uniform({"x": [0, 1], "y": [0, 1]}).define("differ", "x != y")
        >>> coins.independent("x", "differ"), coins.mutually_independent("x", "y", "differ")
        (True, False)
        """
        if not 0 <= tolerance < 1:
            raise InputError(f"tolerance is a share of a probability, at least 0 and below 1; got {tolerance!r}")
        return factorises(self.cube(*parts, given=given), tolerance)

    def cube(self, *parts: Some, given: Some | None = None) -> Array:
        """The masses over an axis for each part, and one for what is given (of length 1, if nothing or an event is).

        >>> Joint([[1, 2], [3, 4]], ["x", "y"], counts=True).cube("x", "y").tolist()
        [[[1], [2]], [[3], [4]]]
        """
        if len(parts) < 2:
            raise InputError("independence is of two parts or more; name them one by one")
        table, groups, known = self._sides(parts, given)
        named = [name for group in (*groups, known) for name in group]
        for name in named:
            if named.count(name) > 1:
                raise InputError(f"{name} is named on two sides; independence is of different variables")
        return table._grouped(*groups, known)

    def __mul__(self, other: "Joint | Conditional") -> "Joint":
        """The table of independent variables together, P(a) P(b); or of given and conditional, P(a) P(b | a)."""
        if not isinstance(other, Joint | Conditional):
            return NotImplemented
        new = other.names if isinstance(other, Joint) else other.of
        for name in new:
            if name in self.names:
                raise InputError(f"{name} is a variable of both tables; a product is of different variables")
        space = SampleSpace.of(self.levels | {name: other.space.levels[other.space.axis(name)] for name in new})
        if isinstance(other, Joint):
            return self._of(space, np.multiply.outer(self.cells, other.cells), counted=False)
        factor = other.over(self.space, self._marginal(other.given).mass > 0)
        return self._of(space, self.cells.reshape(*self.space.shape, *[1] * len(other.of)) * factor, counted=False)

    def __add__(self, other: "Joint") -> "Joint":
        """The table of the observations of both; values that only one of them has seen are added to the other."""
        if not isinstance(other, Joint):
            return NotImplemented
        space, mine, others = self._aligned(other)
        return self._of(space, mine + others, True, self.dropped + other.dropped)

    def __sub__(self, other: "Joint") -> "Joint":
        """The table without observations that are in it."""
        if not isinstance(other, Joint):
            return NotImplemented
        space, mine, others = self._aligned(other)
        left = mine - others
        left[np.abs(left) <= _LEFT * others] = 0  # of weights, what rounding left over
        if (left < 0).any():
            world = ", ".join(map(repr, next(w for w, n in zip(space, left.flat, strict=True) if n < 0)))
            raise InputError(
                f"{world} was observed less often than is to be forgotten; only what was added can be removed"
            )
        return self._of(space, left, True, max(self.dropped - other.dropped, 0))

    def _aligned(self, other: "Joint") -> tuple[SampleSpace, Array, Array]:
        """Counts of two tables over the values of both."""
        if set(self.names) != set(other.names):
            raise InputError(
                f"a table of {', '.join(self.names)} and one of {', '.join(other.names)} are not about the same "
                "variables; take marginals first"
            )
        other = other._marginal(self.names)
        space = self.space.union(other.space)
        return space, space.placed(self.space, self.counts), space.placed(other.space, other.counts)

    def _given(self, given: Some | None) -> tuple["Joint", Names]:
        """The measure and the names that are given: names condition on every value, an event on one of them."""
        if given is None:
            return self, ()
        if isinstance(given, Event | Mapping) or (isinstance(given, str) and given not in self.names):
            return self.condition(given), ()
        names = _names(given)
        self.space.axes(names)
        return self, names

    def _sides(self, parts: Iterable[Some], given: Some | None) -> tuple["Joint", list[Names], Names]:
        """The measure, and the names of each part and of what is given; an event becomes a variable of its own."""
        table, known = self._given(given)
        groups: list[Names] = []
        for part, which in zip(parts, _letters(), strict=False):
            table, names = table._named(part, which)
            groups.append(names)
        return table, groups, known

    def _named(self, part: Some, which: str) -> tuple["Joint", Names]:
        if isinstance(part, V):
            return self, (part.name,)
        if isinstance(part, Event):
            return self.define(f"event {which}", part), (f"event {which}",)
        names = _names(part)
        self.space.axes(names)
        if not names:
            raise InputError(f"{which} names no variable; name at least one")
        return self, names

    def _grouped(self, *groups: Names) -> Array:
        """Masses with one axis for each group of variables."""
        table = self._marginal(tuple(name for group in groups for name in group))
        sizes = [int(np.prod(table.space.of_names(group).shape, dtype=np.int64)) for group in groups]
        return table.mass.reshape(sizes)


def _letters() -> Iterator[str]:
    """Names for the parts of a statement: a, b, ..., z, a1, b1, ..."""
    return (f"{letter}{i or ''}" for i in count() for letter in ascii_lowercase)


def _names(names: str | Iterable[str]) -> Names:
    if not isinstance(names, Iterable):
        raise InputTypeError(f"give the name of a variable, or a list of names; got {names!r}")
    return (names,) if isinstance(names, str) else tuple(names)


def _rounding(table: object) -> float:
    """By how much probabilities of less than double precision may miss a sum of one."""
    kind = getattr(table, "dtype", None)
    return float(np.sqrt(np.finfo(kind).eps)) if isinstance(kind, np.dtype) and kind.kind == "f" else 0.0


def _log(base: float) -> float:
    if not base > 0 or base == 1 or base == float("inf"):
        raise InputError(f"the base of a logarithm is a positive number other than 1, got {base!r}")
    return log(base)
