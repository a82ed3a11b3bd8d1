"""Joint probability tables over named variables: one number for every world.

    P(event)         = sum of P(world) over the worlds where it holds
    P(event | given) = P(event and given) / P(given)

The table keeps what it was made of, probabilities or counts, and its sum; a probability is a quotient of two sums. So
counts stay exact and know their n, conditioning only sets worlds to zero, and no complement is computed as 1 - p. Sums
that become one number are correctly rounded, and those of few cells are sums of the decimals that the cells are written
as: 0.108 + 0.012 + 0.072 + 0.008 is 0.2. Sums along axes are NumPy's pairwise ones.
"""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from decimal import Context, Decimal
from functools import cached_property, reduce
from math import fsum, isinf, log
from typing import TYPE_CHECKING, Any, TypeAlias

import numpy as np

from likely.errors import InputError, InputTypeError
from likely.numeric.arrays import Array, Floats, frozen
from likely.probability.events.event import Event, ImpossibleEvent, V
from likely.probability.events.expressions import EventLike, read_event
from likely.probability.events.sample_space import Names, SampleSpace, World, check_name
from likely.probability.events.worlds import OfWorlds, columns, distinct, numbers, over_worlds, weighted
from likely.probability.tables.conditional import TOLERANCE, Conditional
from likely.probability.tables.dependence import conditional_entropy, factorises, mutual_information
from likely.probability.tables.display import table_text
from likely.probability.tables.reading import Levels, Missing, read_observations, read_table

if TYPE_CHECKING:
    import polars

Some: TypeAlias = str | Iterable[str] | Event  # variables, or an event taken as a variable
_ONE = 4 * float(np.finfo(np.float64).eps)  # so far from one is the sum of decimals that sum to one on paper
_LEFT = 1e-12  # the share of a sum of weights that rounding may add to it
_MOST_WHOLE = 2**62  # sums of integers above it could overflow
_FEW = 1024  # cells that are summed as decimals, which takes a microsecond each
_DECIMALS = Context(prec=60)  # of such sums, rounded once more when they become a number


@dataclass(frozen=True, eq=False, init=False, repr=False)
class Joint:
    """A table over named discrete variables.

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

    space: SampleSpace
    mass: Array  # over the worlds, one axis a variable: what the probabilities are proportional to
    total: float  # the sum of mass; an integer where mass is, and one where it is one but for rounding
    counted: bool  # mass counts observations
    dropped: int  # rows that were left out because a cell was missing

    def __init__(
        self, table: Any, names: Any = None, levels: Levels = None, *, counts: bool = False, normalize: bool = False
    ) -> None:
        space, mass = read_table(table, names, levels)
        self._set(space, mass, counts)
        tolerance = max(TOLERANCE, _rounding(table))
        if not counts and not normalize and abs(self.total - 1) > tolerance:
            raise InputError(
                f"the probabilities sum to {self.total!r}, not to 1; correct them, or say counts=True if they count "
                "observations, normalize=True to divide them by their sum"
            )

    def _set(self, space: SampleSpace, mass: Array, counted: bool, dropped: int = 0) -> None:
        if mass.dtype.kind == "i" and mass.sum(dtype=np.float64) > _MOST_WHOLE:
            mass = mass.astype(np.float64)
        total = _sum(mass)
        if not counted and abs(total - 1) <= _ONE:
            total = 1.0
        if not total > 0:
            raise InputError("all cells are zero; some world must be possible")
        fields = {"space": space, "mass": frozen(mass), "total": total, "counted": counted, "dropped": dropped}
        for name, value in fields.items():
            object.__setattr__(self, name, value)

    @classmethod
    def _of(cls, space: SampleSpace, mass: Array, counted: bool, dropped: int = 0) -> "Joint":
        made = cls.__new__(cls)
        made._set(space, mass, counted, dropped)
        return made

    @classmethod
    def observed(
        cls,
        rows: Any,
        names: Any = None,
        levels: Levels = None,
        *,
        sample_weight: Any = None,
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

    @property
    def names(self) -> Names:
        return self.space.names

    @property
    def levels(self) -> dict[str, World]:
        """The values of each variable."""
        return dict(zip(self.space.names, self.space.levels, strict=True))

    @cached_property
    def cells(self) -> Floats:
        """The probability of every world, one axis a variable."""
        return frozen(np.asarray(self.mass / self.total, dtype=np.float64))

    @property
    def n(self) -> float | None:
        """How many observations were counted; None for a table that did not come from counts."""
        return self.total if self.counted else None

    @property
    def counts(self) -> Array:
        """How often every world was observed."""
        if not self.counted:
            raise InputError(
                "this table holds probabilities and no counts; make it of observations, or say counts=True"
            )
        return self.mass

    def p(self, event: EventLike = None, /, *, given: EventLike = None, **values: Any) -> float:
        """The probability of an event, perhaps given another.

        An event is a text ("cavity and not toothache", "weather in {sun, rain}"), values by name (a mapping or
        keywords; a set or list means one of them), or an expression of `V`. A variable that is called "given" needs a
        mapping.

        >>> die = Joint.uniform({"die": range(1, 7)})
        >>> die.p(die=6, given="die >= 4"), die.p({"die": {1, 2}}), die.p((V("die") > 4) | (V("die") == 1))
        (0.3333333333333333, 0.3333333333333333, 0.5)
        """
        within = self.condition(given) if given is not None else self
        return within._sum_over(read_event(event, self.space, values)) / within.total

    def worlds(self, event: EventLike = None, /, **values: Any) -> list[World]:
        """The possible worlds in which an event holds.

        >>> Joint.uniform({"coin": ["head", "tail"], "die": [1, 2, 3]}).worlds("coin == head and die != 2")
        [('head', 1), ('head', 3)]
        """
        mask = read_event(event, self.space, values).mask(self.space) & (self.mass > 0)
        levels = self.space.levels
        return [tuple(levels[j][i] for j, i in enumerate(place)) for place in np.argwhere(mask).tolist()]

    def marginal(self, *names: str | Iterable[str]) -> "Joint":
        """The table of some of the variables, in the order named, one by one or as a list: P(x) = sum_y P(x, y).

        >>> Joint({("sun", "dry"): 0.6, ("rain", "dry"): 0.1, ("rain", "wet"): 0.3}, ["sky", "road"]).marginal("road")
        P(road)
        road  probability
        dry           0.7
        wet           0.3
        """
        return self._marginal(_all_names(names))

    def _marginal(self, names: Names) -> "Joint":
        if not names:
            raise InputError(f"name the variables to keep, some of {', '.join(self.names)}")
        axes = self.space.axes(names)
        rest = [axis for axis in range(len(self.names)) if axis not in axes]
        space = self.space.of_names(names)
        # The axes to be summed become one that is contiguous, along which NumPy sums pairwise.
        rows = np.ascontiguousarray(self.mass.transpose(*axes, *rest)).reshape(*space.shape, -1)
        return self._of(space, rows.sum(axis=-1), self.counted, self.dropped)

    def condition(self, event: EventLike = None, /, **values: Any) -> "Joint":
        """The measure after learning that an event holds: worlds that contradict it have probability zero.

        >>> coins = Joint({"fair": {"H": 0.25, "T": 0.25}, "rigged": {"H": 0.5}}, ["coin", "side"])
        >>> print(coins.condition(side="H"))
        P(coin, side)
                  side
        coin         H  T
        fair    0.3333  0
        rigged  0.6667  0
        """
        holds = read_event(event, self.space, values)
        mass = np.where(holds.mask(self.space), self.mass, 0)
        if not mass.any():
            raise ImpossibleEvent(f"the condition {holds} has probability zero, so nothing can be said given it")
        return self._of(self.space, mass, self.counted, self.dropped)

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
        order = _all_names(names) or self.names
        self.space.axes(order)
        later = [self.conditional(name, order[: i + 1]) for i, name in enumerate(order[1:])]
        return (self.marginal(order[0]), *later)

    def define(self, name: str, of: OfWorlds) -> "Joint":
        """With one variable more, computed from the others: an event (true or false), or a value.

        >>> dice = Joint.uniform({"first": range(1, 7), "second": range(1, 7)}).define("sum", "first + second")
        >>> dice.p(sum=12), dice.define("double", "first == second").p("double", given="sum == 4")
        (0.027777777777777776, 0.3333333333333333)
        """
        codes, levels = distinct(over_worlds(of, self.space), self.mass)
        space = self.space.with_variable(check_name(name), levels)
        mass = np.zeros(space.shape, dtype=self.mass.dtype)
        np.put_along_axis(mass, codes[..., None], self.mass[..., None], axis=-1)
        return self._of(space, mass, self.counted, self.dropped)

    def expectation(self, of: OfWorlds, given: EventLike = None) -> float:
        """The mean of a number over the worlds.

        of: a variable whose values are numbers, an expression of variables (a text or of `V`), a mapping from worlds to
        numbers, or a function whose arguments are named like variables.

        >>> die = Joint.uniform({"die": range(1, 7)})
        >>> die.expectation("die"), die.expectation(lambda die: die**2, given="die <= 2")
        (3.5, 2.5)
        """
        p, value = self._worth(of, given)
        return weighted(p, value)

    def variance(self, of: OfWorlds, given: EventLike = None) -> float:
        """The mean squared distance of a number from its mean.

        >>> round(Joint.uniform({"die": range(1, 7)}).variance("die"), 6)
        2.916667
        """
        p, value = self._worth(of, given)
        return weighted(p, (value - weighted(p, value)) ** 2)

    def entropy(self, *of: str | Iterable[str], given: Any = None, base: float = 2) -> float:
        """The uncertainty of some variables together (all, if none is named) in bits, or in units of another base.

        given: names of variables, for the mean of what remains when they are known; or an event that has happened.

        >>> four = Joint.uniform({"suit": ["club", "spade"], "odd": [True, False]})
        >>> four.entropy(), four.entropy("suit", given="odd"), four.entropy(given={"suit": "club"})
        (2.0, 1.0, 1.0)
        """
        table, known = self._given(given)
        chosen = _all_names(of) or tuple(name for name in self.names if name not in known)
        table.space.axes(chosen)
        chosen = tuple(name for name in chosen if name not in known)  # what is known has no uncertainty left
        if not chosen:
            return 0.0
        mass = table._grouped(chosen, known)
        return conditional_entropy(mass / table.total) / _log(base)

    def mutual_information(self, a: Some, b: Some, given: Any = None, base: float = 2) -> float:
        """What two variables, or sets of them, tell of each other, in bits or in units of another base.

        Variables on both sides tell all of themselves: I(x; x) = H(x), and with shared ones S in general
        I(a, S; b, S | c) = H(S | c) + I(a; b | c, S).

        >>> coins = Joint.uniform({"x": [0, 1], "y": [0, 1]}).define("differ", "x != y")
        >>> coins.mutual_information("x", "y"), round(coins.mutual_information("x", "y", given="differ"), 12)
        (0.0, 1.0)
        """
        table, first, second, known = self._sides(a, b, given)
        first, second = (tuple(name for name in side if name not in known) for side in (first, second))
        shared = tuple(name for name in first if name in second)
        own = conditional_entropy(table._grouped(shared, known) / table.total) if shared else 0.0
        first, second = (tuple(name for name in side if name not in shared) for side in (first, second))
        if not first or not second:  # nothing else, or nothing that is not known, is left to tell
            return own / _log(base)
        cube = table._grouped(first, second, known + shared)
        return (own + mutual_information(cube / _sum(cube))) / _log(base)

    def independent(self, a: Some, b: Some, given: Any = None, tolerance: float = 1e-9) -> bool:
        """Whether two variables, sets of variables, or events are independent, perhaps given others.

        given: names of variables, for independence at every value of them; or an event, for independence once it has
        happened. tolerance: by what share of itself a cell may miss the product; the default forgives rounding only.

        >>> words = Joint.uniform({"first": [True, False], "second": [True, False]}).define("spam", "first or second")
        >>> words.independent("first", "second"), words.independent("first", "second", given={"spam": True})
        (True, False)
        >>> Joint.uniform({"die": range(1, 7)}).independent(V("die") > 2, V("die").isin([2, 4, 6]))
        True
        """
        if not 0 <= tolerance < 1:
            raise InputError(f"tolerance is a share of a probability, at least 0 and below 1; got {tolerance!r}")
        return factorises(self.cube(a, b, given), tolerance)

    def cube(self, a: Some, b: Some, given: Any = None) -> Array:
        """The masses over three axes: values of a, of b, and of what is given (one, if that is nothing or an event).

        >>> Joint([[1, 2], [3, 4]], ["x", "y"], counts=True).cube("x", "y").tolist()
        [[[1], [2]], [[3], [4]]]
        """
        table, first, second, known = self._sides(a, b, given)
        for name in first + second + known:
            if (first + second + known).count(name) > 1:
                raise InputError(f"{name} is named on two sides; independence is of different variables")
        return table._grouped(first, second, known)

    def sample(self, n: int, random_state: Any = None) -> "polars.DataFrame":
        """Worlds drawn by their probabilities, one a row.

        >>> Joint({"sun": 0.9, "rain": 0.1}, "weather").sample(1000, random_state=0)["weather"].value_counts().height
        2
        """
        if isinstance(n, bool) or not isinstance(n, int | np.integer) or n < 0:
            raise InputError(f"n is how many worlds to draw, a whole number of at least 0; got {n!r}")
        possible = np.flatnonzero(self.mass)
        edges = np.cumsum(self.cells.ravel()[possible])
        drawn = np.random.default_rng(random_state).random(int(n)) * edges[-1]
        place = np.minimum(np.searchsorted(edges, drawn, side="right"), len(possible) - 1)
        return columns(self.space, possible[place])

    def to_frame(self, probability: str = "probability") -> "polars.DataFrame":
        """A row for every world: its values, its probability, and its count where there are counts.

        >>> Joint({"sun": 3, "rain": 1}, "weather", counts=True).to_frame().rows()
        [('sun', 0.75, 3), ('rain', 0.25, 1)]
        """
        frame = columns(self.space, np.arange(self.space.size))
        new = {probability: self.cells.ravel()} | ({"count": self.mass.ravel()} if self.counted else {})
        for name in new:
            if name in self.names:
                raise InputError(f"a variable is called {name!r} too; rename it, or name the column of probabilities")
        return frame.with_columns(**new)

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

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Joint):
            return NotImplemented
        if self.space != other.space or self.counted != other.counted:
            return False
        return np.array_equal(self.mass, other.mass) if self.counted else np.array_equal(self.cells, other.cells)

    def __hash__(self) -> int:
        return hash((self.space, self.counted))

    def __repr__(self) -> str:
        seen = f", {self.total:g} observations" if self.counted else ""
        if self.dropped:
            seen += f" ({self.dropped} row{'s' * (self.dropped > 1)} with missing cells left out)"
        return f"P({', '.join(self.names)}){seen}\n{table_text(self.space, self.cells)}"

    def _sum_over(self, event: Event) -> float:
        found = self.mass[np.broadcast_to(event.mask(self.space), self.space.shape)]
        if np.count_nonzero(found) == np.count_nonzero(self.mass):
            return self.total  # a certain event has probability one, whatever rounding does to the sum
        return min(_sum(found), self.total)

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

    def _given(self, given: Any) -> tuple["Joint", Names]:
        """The measure and the names that are given: names condition on every value, an event on one of them."""
        if given is None:
            return self, ()
        if isinstance(given, Event | Mapping) or (isinstance(given, str) and given not in self.names):
            return self.condition(given), ()
        names = _names(given)
        self.space.axes(names)
        return self, names

    def _sides(self, a: Some, b: Some, given: Any) -> tuple["Joint", Names, Names, Names]:
        """The measure, and the names on both sides and of what is given; an event becomes a variable of its own."""
        table, known = self._given(given)
        table, first = table._named(a, "a")
        table, second = table._named(b, "b")
        return table, first, second, known

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

    def _worth(self, of: OfWorlds, given: EventLike) -> tuple[Floats, Floats]:
        """Probabilities of the possible worlds, as far as they matter, and the number in each."""
        table = self.condition(given) if given is not None else self
        values = over_worlds(of, self.space)
        matter = [name for name, n in zip(self.names, values.shape, strict=True) if n > 1]
        cells = table.marginal(matter).cells if matter else np.ones(1)
        possible = cells.ravel() > 0
        return cells.ravel()[possible], numbers(values.ravel()[possible], of)


def _names(names: str | Iterable[str]) -> Names:
    if not isinstance(names, Iterable):
        raise InputTypeError(f"give the name of a variable, or a list of names; got {names!r}")
    return (names,) if isinstance(names, str) else tuple(names)


def _all_names(parts: Iterable[str | Iterable[str]]) -> Names:
    """Names one by one, in lists, or both; what is neither is left for the space to refuse."""
    found: list[Any] = []
    for part in parts:
        found += part if isinstance(part, Iterable) and not isinstance(part, str) else [part]
    return tuple(found)


def _sum(mass: Array) -> float:
    """An integer of integers, and a correctly rounded sum of numbers."""
    if mass.dtype.kind == "i":
        return int(mass.sum())
    cells = mass[mass > 0].tolist()
    try:
        # The shortest decimal of a cell is what its author wrote, and no further from the cell than rounding is.
        total = (
            float(reduce(_DECIMALS.add, map(Decimal, map(repr, cells)), Decimal()))
            if len(cells) <= _FEW
            else fsum(cells)
        )
    except OverflowError:
        total = float("inf")
    if isinf(total):
        raise InputError("the sum of the table is too large for a number; divide the weights first")
    return total


def _rounding(table: Any) -> float:
    """By how much probabilities of less than double precision may miss a sum of one."""
    kind = getattr(table, "dtype", None)
    return float(np.sqrt(np.finfo(kind).eps)) if isinstance(kind, np.dtype) and kind.kind == "f" else 0.0


def _log(base: float) -> float:
    if not base > 0 or base == 1 or base == float("inf"):
        raise InputError(f"the base of a logarithm is a positive number other than 1, got {base!r}")
    return log(base)
