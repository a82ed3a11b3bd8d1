"""Masses over worlds, and the questions that one table answers: probabilities of events, marginals, expectations.

    P(event)         = sum of P(world) over the worlds where it holds
    P(event | given) = P(event and given) / P(given)

The table keeps what it was made of, probabilities or counts, and its sum; a probability is a quotient of two sums. So
counts stay exact and know their n, conditioning only sets worlds to zero, and no complement is computed as 1 - p. Sums
that become one number are correctly rounded, and those of few cells are sums of the decimals that the cells are written
as: 0.108 + 0.012 + 0.072 + 0.008 is 0.2. Sums along axes are NumPy's pairwise ones.
"""

from collections.abc import Iterable
from dataclasses import dataclass
from decimal import Context, Decimal
from functools import cached_property, reduce
from math import fsum, isinf
from typing import TYPE_CHECKING, Any, Self

import numpy as np

from likely.data.printing.wording import amount
from likely.errors import InputError
from likely.numeric.arrays import Array, Floats, frozen
from likely.numeric.random_state import Seed, as_generator
from likely.probability.events.event import Event, ImpossibleEvent
from likely.probability.events.expressions import EventLike, read_event
from likely.probability.events.sample_space import Names, SampleSpace, World, check_name
from likely.probability.events.worlds import OfWorlds, columns, distinct, numbers, over_worlds, weighted
from likely.probability.tables.table_text import table_text

if TYPE_CHECKING:
    import polars

_ONE = 4 * float(np.finfo(np.float64).eps)  # so far from one is the sum of decimals that sum to one on paper
_MOST_WHOLE = 2**62  # sums of integers above it could overflow
_FEW = 1024  # cells that are summed as decimals, which takes a microsecond each
_DECIMALS = Context(prec=60)  # of such sums, rounded once more when they become a number


@dataclass(frozen=True, eq=False, init=False, repr=False)
class Masses:
    """What the probabilities of the worlds of a space are proportional to."""

    space: SampleSpace
    mass: Array  # over the worlds, one axis a variable
    total: float  # the sum of mass; an integer where mass is, and one where it is one but for rounding
    counted: bool  # mass counts observations
    dropped: int  # rows that were left out because a cell was missing

    def _set(self, space: SampleSpace, mass: Array, counted: bool, dropped: int = 0) -> None:
        if mass.dtype.kind == "i" and mass.sum(dtype=np.float64) > _MOST_WHOLE:
            mass = mass.astype(np.float64)
        total = sum_of(mass)
        if not counted and abs(total - 1) <= _ONE:
            total = 1.0
        if not total > 0:
            raise InputError("all cells are zero; some world must be possible")
        fields = {"space": space, "mass": frozen(mass), "total": total, "counted": counted, "dropped": dropped}
        for name, value in fields.items():
            object.__setattr__(self, name, value)

    @classmethod
    def _of(cls, space: SampleSpace, mass: Array, counted: bool, dropped: int = 0) -> Self:
        made = cls.__new__(cls)
        made._set(space, mass, counted, dropped)
        return made

    @property
    def names(self) -> Names:
        """The variables, in the order of their axes."""
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

        >>> from likely.probability import Joint, V
        >>> die = Joint.uniform({"die": range(1, 7)})
        >>> die.p(die=6, given="die >= 4"), die.p({"die": {1, 2}}), die.p((V("die") > 4) | (V("die") == 1))
        (0.3333333333333333, 0.3333333333333333, 0.5)
        """
        within = self.condition(given) if given is not None else self
        return within._sum_over(read_event(event, self.space, values)) / within.total

    def worlds(self, event: EventLike = None, /, **values: Any) -> list[World]:
        """The possible worlds in which an event holds.

        >>> from likely.probability import Joint
        >>> Joint.uniform({"coin": ["head", "tail"], "die": [1, 2, 3]}).worlds("coin == head and die != 2")
        [('head', 1), ('head', 3)]
        """
        mask = read_event(event, self.space, values).mask(self.space) & (self.mass > 0)
        levels = self.space.levels
        return [tuple(levels[j][i] for j, i in enumerate(place)) for place in np.argwhere(mask).tolist()]

    def marginal(self, *names: str | Iterable[str]) -> Self:
        """The table of some of the variables, in the order named, one by one or as a list: P(x) = sum_y P(x, y).

        >>> from likely.probability import Joint
        >>> Joint({("sun", "dry"): 0.6, ("rain", "dry"): 0.1, ("rain", "wet"): 0.3}, ["sky", "road"]).marginal("road")
        P(road)
        road  probability
        dry           0.7
        wet           0.3
        """
        return self._marginal(all_names(names))

    def _marginal(self, names: Names) -> Self:
        if not names:
            raise InputError(f"name the variables to keep, some of {', '.join(self.names)}")
        axes = self.space.axes(names)
        rest = [axis for axis in range(len(self.names)) if axis not in axes]
        space = self.space.of_names(names)
        # The axes to be summed become one that is contiguous, along which NumPy sums pairwise.
        rows = np.ascontiguousarray(self.mass.transpose(*axes, *rest)).reshape(*space.shape, -1)
        return self._of(space, rows.sum(axis=-1), self.counted, self.dropped)

    def condition(self, event: EventLike = None, /, **values: Any) -> Self:
        """The measure after learning that an event holds: worlds that contradict it have probability zero.

        >>> from likely.probability import Joint
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

    def define(self, name: str, of: OfWorlds) -> Self:
        """With one variable more, computed from the others: an event (true or false), or a value.

        >>> from likely.probability import Joint
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

        >>> from likely.probability import Joint
        >>> die = Joint.uniform({"die": range(1, 7)})
        >>> die.expectation("die"), die.expectation(lambda die: die**2, given="die <= 2")
        (3.5, 2.5)
        """
        p, value = self._worth(of, given)
        return weighted(p, value)

    def variance(self, of: OfWorlds, given: EventLike = None) -> float:
        """The mean squared distance of a number from its mean.

        >>> from likely.probability import Joint
        >>> round(Joint.uniform({"die": range(1, 7)}).variance("die"), 6)
        2.916667
        """
        p, value = self._worth(of, given)
        return weighted(p, (value - weighted(p, value)) ** 2)

    def sample(self, n: int, random_state: Seed = None) -> "polars.DataFrame":
        """Worlds drawn by their probabilities, one a row.

        >>> from likely.probability import Joint
        >>> Joint({"sun": 0.9, "rain": 0.1}, "weather").sample(1000, random_state=0)["weather"].value_counts().height
        2
        """
        if isinstance(n, bool) or not isinstance(n, int | np.integer) or n < 0:
            raise InputError(f"n is how many worlds to draw, a whole number of at least 0; got {n!r}")
        possible = np.flatnonzero(self.mass)
        edges = np.cumsum(self.cells.ravel()[possible])
        drawn = as_generator(random_state).random(int(n)) * edges[-1]
        place = np.minimum(np.searchsorted(edges, drawn, side="right"), len(possible) - 1)
        return columns(self.space, possible[place])

    def to_frame(self, probability: str = "probability") -> "polars.DataFrame":
        """A row for every world: its values, its probability, and its count where there are counts.

        >>> from likely.probability import Joint
        >>> Joint({"sun": 3, "rain": 1}, "weather", counts=True).to_frame().rows()
        [('sun', 0.75, 3), ('rain', 0.25, 1)]
        """
        frame = columns(self.space, np.arange(self.space.size))
        new = {probability: self.cells.ravel()} | ({"count": self.mass.ravel()} if self.counted else {})
        for name in new:
            if name in self.names:
                raise InputError(f"a variable is called {name!r} too; rename it, or name the column of probabilities")
        return frame.with_columns(**new)

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Masses):
            return NotImplemented
        if self.space != other.space or self.counted != other.counted:
            return False
        return np.array_equal(self.mass, other.mass) if self.counted else np.array_equal(self.cells, other.cells)

    def __hash__(self) -> int:
        return hash((self.space, self.counted))

    def __repr__(self) -> str:
        seen = f", {amount(self.total)} observations" if self.counted else ""
        if self.dropped:
            seen += f" ({self.dropped} row{'s' * (self.dropped > 1)} with missing cells left out)"
        return f"P({', '.join(self.names)}){seen}\n{table_text(self.space, self.cells)}"

    def _sum_over(self, event: Event) -> float:
        found = self.mass[np.broadcast_to(event.mask(self.space), self.space.shape)]
        if np.count_nonzero(found) == np.count_nonzero(self.mass):
            return self.total  # a certain event has probability one, whatever rounding does to the sum
        return min(sum_of(found), self.total)

    def _worth(self, of: OfWorlds, given: EventLike) -> tuple[Floats, Floats]:
        """Probabilities of the possible worlds, as far as they matter, and the number in each."""
        table = self.condition(given) if given is not None else self
        values = over_worlds(of, self.space)
        matter = [name for name, n in zip(self.names, values.shape, strict=True) if n > 1]
        cells = table.marginal(matter).cells if matter else np.ones(1)
        possible = cells.ravel() > 0
        return cells.ravel()[possible], numbers(values.ravel()[possible], of)


def all_names(parts: Iterable[str | Iterable[str]]) -> Names:
    """Names one by one, in lists, or both; what is neither is left for the space to refuse."""
    found: list[Any] = []
    for part in parts:
        found += part if isinstance(part, Iterable) and not isinstance(part, str) else [part]
    return tuple(found)


def sum_of(mass: Array) -> float:
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
