"""Conditional tables P(of | given): for every value of what is given, a distribution of the rest.

    P(of, given) = P(of | given) P(given)      a `Joint` of the given times a `Conditional` is the `Joint` of all

A row is a distribution where its condition is possible; where it is not, there is none, and the row is zero and marked
so in `defined`.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from likely.errors import InputError
from likely.numeric.arrays import Array, Floats, frozen
from likely.probability.events.event import ImpossibleEvent
from likely.probability.events.sample_space import Names, SampleSpace
from likely.probability.tables.reading import Levels, Some, check_numbers, read_names, read_table
from likely.probability.tables.table_text import table_text

if TYPE_CHECKING:
    from likely.probability.tables.joint import Joint

TOLERANCE = float(np.sqrt(np.finfo(np.float64).eps))  # by how much a sum of probabilities may miss one


@dataclass(frozen=True, eq=False, init=False, repr=False)
class Conditional:
    """Conditional probability table: distributions of some variables given others.

    table: maps a value of the given variable (a tuple of values where several are given) to a distribution of `of`: a
    mapping as a `Joint` takes it, or the probability of True.
    normalize: divide each distribution by its sum, for contents of boxes and other counts.

    >>> fruit = Conditional(
    ...     {"red": {"apple": 2, "orange": 6}, "green": {"apple": 3, "orange": 1}},
    ...     of="fruit", given="box", normalize=True)
    >>> print(fruit)
    P(fruit | box)
           fruit
    box    apple  orange
    red     0.25    0.75
    green   0.75    0.25
    >>> fruit.p(fruit="apple", box="green")
    0.75
    >>> from likely.probability import Joint
    >>> (Joint({"red": 0.4, "green": 0.6}, "box") * fruit).p(box="red", given={"fruit": "apple"})
    0.18181818181818185
    """

    given: Names
    of: Names
    space: SampleSpace  # the given variables, then the others
    cells: Floats  # over that space; the rows of an impossible condition are zero
    defined: Array  # over the given variables: whether the condition is possible

    def __init__(
        self, table: Mapping[Any, Any], of: Any, given: Some, levels: Levels = None, *, normalize: bool = False
    ) -> None:
        if not isinstance(table, Mapping) or not table:
            raise InputError("a conditional table maps the values of what is given to distributions; got none")
        of, given = read_names(of), read_names(given)
        whole = {key: _distribution(row, of) for key, row in table.items()}
        space, cells = read_table(whole, (*given, *of), levels)
        sums = cells.sum(axis=tuple(range(len(given), cells.ndim)))
        possible = sums > 0
        wrong = possible & (np.abs(sums - 1) > TOLERANCE)
        if wrong.any() and not normalize:
            place = tuple(np.argwhere(wrong)[0].tolist())
            world = ", ".join(f"{n} = {values[i]!r}" for n, values, i in zip(given, space.levels, place, strict=False))
            raise InputError(
                f"the probabilities given {world} sum to {float(sums[place])!r}, not to 1; correct them, or say "
                "normalize=True to divide by their sum"
            )
        self._set(space, len(given), cells)

    @classmethod
    def of_masses(cls, space: SampleSpace, given: int, masses: Array) -> "Conditional":
        """From masses over the given variables, which come first, and the others: each row divided by its sum."""
        made = cls.__new__(cls)
        made._set(space, given, masses)
        return made

    def _set(self, space: SampleSpace, given: int, masses: Array) -> None:
        rows = masses.reshape(*space.shape[:given], -1)
        sums = rows.sum(axis=-1)
        cells = np.divide(rows, sums[..., None], out=np.zeros(rows.shape), where=sums[..., None] > 0)
        fields = {
            "given": space.names[:given],
            "of": space.names[given:],
            "space": space,
            "cells": frozen(cells.reshape(space.shape)),
            "defined": frozen(sums > 0),
        }
        for name, value in fields.items():
            object.__setattr__(self, name, value)

    def p(self, values: Mapping[str, Any] | None = None, /, **more: Any) -> float:
        """P(of | given) in one cell: a value for every variable.

        >>> rain = Conditional({"cloudy": 0.5, "clear": 0.1}, of="rain", given="sky")
        >>> rain.p(rain=False, sky="clear")
        0.9
        """
        named = {**(values or {}), **more}
        self.space.axes(named)
        for name in self.space.names:
            if name not in named:
                raise InputError(f"no value for {name}; give one for each of {', '.join(self.space.names)}")
        place = tuple(self.space.place(name, named[name]) for name in self.space.names)
        if not self.defined[place[: len(self.given)]]:
            said = " and ".join(f"{name} = {named[name]!r}" for name in self.given)
            raise ImpossibleEvent(f"{said} is impossible, so there is no probability of {', '.join(self.of)} given it")
        return float(self.cells[place])

    def over(self, prior: SampleSpace, possible: Array) -> Floats:
        """The cells for every world of a space that holds the given variables: its axes, then those of `of`.

        Every possible value of the given variables must have a distribution.
        """
        levels = dict(zip(prior.names, prior.levels, strict=True))
        axes = prior.axes(self.given)
        places = [
            np.array([self.space.place(name, v) if self.space.has(name, v) else -1 for v in levels[name]])
            for name in self.given
        ]
        defined = self.defined[np.ix_(*places)]
        for axis, place in enumerate(places):
            defined = defined & self.space.of_names(self.given).along(axis, place >= 0)
        lacking = np.argwhere(possible & ~defined)
        if len(lacking):
            world = ", ".join(f"{n} = {levels[n][i]!r}" for n, i in zip(self.given, lacking[0], strict=True))
            raise InputError(f"there is no distribution of {', '.join(self.of)} given {world}; add it to the table")
        cells = self.cells[np.ix_(*places)]
        order = [*np.argsort(axes), *range(len(axes), cells.ndim)]
        shape = [n if axis in axes else 1 for axis, n in enumerate(prior.shape)]
        return np.asarray(cells.transpose(order).reshape(*shape, *cells.shape[len(axes) :]))

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Conditional):
            return NotImplemented
        return (
            (self.given, self.space) == (other.given, other.space)
            and np.array_equal(self.cells, other.cells)
            and np.array_equal(self.defined, other.defined)
        )

    def __hash__(self) -> int:
        return hash((self.given, self.space))

    def __mul__(self, prior: "Joint") -> "Joint":
        return prior * self

    def __repr__(self) -> str:
        head = f"P({', '.join(self.of)} | {', '.join(self.given)})"
        return f"{head}\n{table_text(self.space, self.cells, len(self.of), self.defined)}"


def _distribution(row: Any, of: Names) -> Any:
    """A row as a mapping; one number is the probability of True."""
    if isinstance(row, Mapping):
        return row
    p = check_numbers(row, "the probability of a row")
    if p.ndim or p > 1:
        raise InputError(
            f"{row!r} is no distribution of {', '.join(of)}; give values with probabilities, or one of True"
        )
    if len(of) > 1:
        raise InputError(
            f"one number is not enough for a distribution of {', '.join(of)}; give values with probabilities"
        )
    return {True: float(p), False: 1 - float(p)}
