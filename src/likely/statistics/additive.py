"""The algebra: statistics add, subtract and scale field by field.

A statistic is a frozen dataclass whose fields are arrays with a leading axis of k groups (classes, clusters).
A field is one of

- a `tally`: a sum of weights, which honest data never make negative;
- a `total`: a sum of any sign;
- `low`: the second word of a sum, what rounding has cut off from it, where a sum must come back after a much larger
  one has been added and taken away;
- a `bound`: how far a total may be off, which grows with everything that is added or removed;
- `fixed`: what the sums refer to (an origin, the names of levels), which two statistics must share before
  they add. `aligned` brings two statistics to common terms; that and `canonical` are all that a new
  statistic may have to write.

    a + b   the data of both          a - b   the data of a without those of b
    a * w   every row weighs w times as much

Union and removal, nothing else. Tallies without weights are integers, exact under any order and grouping.
"""

from collections.abc import Callable
from dataclasses import dataclass, field, fields, replace
from functools import cache
from typing import Any, ClassVar, Self, cast

import numpy as np

from likely.errors import InputError
from likely.numeric.arrays import Array, Ints, Shapes
from likely.numeric.two_words import minus, one_word, plus, times
from likely.statistics.membership import Membership

_COUNTABLE = 2**53
_TOLERANCE = 1e-9  # of a tally: what rounding can leave behind of it when weighted rows are forgotten


def tally() -> Any:
    """A field that sums weights and is never negative for honest data.

    >>> from dataclasses import dataclass
    >>> import numpy as np
    >>> @dataclass(frozen=True)
    ... class Sums(Additive):
    ...     weight: np.ndarray = tally()
    ...     first: np.ndarray = total()
    ...     unit: np.ndarray = fixed()
    >>> one = Sums(np.array([2.0]), np.array([-3.0]), np.array([1.0]))
    >>> both = one + one
    >>> both.weight, both.first, both.unit
    (array([4.]), array([-6.]), array([1.]))
    """
    return field(metadata={"role": "tally"})


def total() -> Any:
    """A field that sums values of any sign.

    >>> total().metadata["role"]  # `tally` has a statistic in full
    'total'
    """
    return field(metadata={"role": "total"})


def low(of: str) -> Any:
    """The second word of the sum `of`: a field of the same shape that need not be given."""
    return field(default=None, metadata={"role": "low", "of": of})


def bound() -> Any:
    """A field that bounds how far sums may be off; it need not be given."""
    return field(default=None, metadata={"role": "bound"})


def fixed(gaps: bool = False) -> Any:
    """A field that the sums refer to; it does not add. With `gaps` it may hold NaN for missing cells.

    >>> fixed(gaps=True).metadata["gaps"]  # `tally` has a statistic in full
    True
    """
    return field(metadata={"role": "fixed", "gaps": gaps})


@dataclass(frozen=True)
class Additive:
    """Base of every statistic: `+`, `-`, `*`, regrouping and checked removal.

    >>> import numpy as np
    >>> from dataclasses import dataclass
    >>> from likely.statistics.additive import total
    >>> @dataclass(frozen=True)
    ... class Sums(Additive):
    ...     amount: np.ndarray = total()  # (k,)
    >>> one = Sums(np.array([2.0]), np.array([5.0]))
    >>> ((one + one) - one).amount
    array([5.])
    """

    weight: Array = tally()  # (k,)  sum of the rows' weights
    shapes: ClassVar[Shapes] = {"weight": "k"}

    def __add__(self, other: Self) -> Self:
        mine, its = self._with(other)
        return mine._added(its, 1).canonical()

    def __sub__(self, other: Self) -> Self:
        mine, its = self._with(other)
        return mine._added(its, -1).canonical()

    def __mul__(self, factor: float) -> Self:
        return self._scaled(factor).canonical()

    __rmul__ = __mul__

    @property
    def groups(self) -> int:
        """How many groups (k) the statistic describes."""
        return len(self.weight)

    def aligned(self, other: Self) -> tuple[Self, Self]:
        """Both statistics in common terms, ready to be added field by field."""
        return self, other

    def canonical(self) -> Self:
        """The one form that these data have, however they were put together."""
        return self

    def regrouped(self, index: Ints, groups: int) -> Self:
        """The same data with group i moved to place index[i] among `groups`; the others are empty."""

        def place(array: Array) -> Array:
            moved = np.zeros((groups, *array.shape[1:]), dtype=array.dtype)
            moved[index] = array
            return moved

        return self._each_group(place)

    def taken(self, index: Ints) -> Self:
        """Only the groups named by index, in that order."""
        return self._each_group(lambda array: array[index])

    def merged(self) -> Self:
        """All groups as one."""
        return cast(Self, sum_of([self.taken(np.array([i])) for i in range(self.groups)]))

    def without(self, other: Self) -> Self:
        """Subtract, and refuse when a tally would fall below zero, or more cells than rows be left: never added.

        What rounding leaves behind of a tally (weights that do not cancel to the last bit) is set to zero. Tallies
        from which nothing is taken stay as they are.
        """
        mine, its = self._with(other)
        left = mine._added(its, -1)
        changes: dict[str, Array] = {}
        for name, role in _roles(mine):
            if role != "tally":
                continue
            before, removed, after = getattr(mine, name), getattr(its, name), getattr(left, name)
            if after.dtype.kind != "f":  # exact
                if np.any((removed > 0) & (after < 0)):
                    raise never_learned("the model would count fewer than zero of them")
                continue
            slack = _TOLERANCE * np.maximum(np.abs(before), np.abs(removed))
            if np.any((removed != 0) & (after < -slack)):
                raise never_learned("the model would count fewer than zero of them")
            changes[name] = np.where((removed != 0) & (np.abs(after) <= slack), 0.0, after)
        left = replace(left, **cast(Any, changes)).canonical()
        check_rows_left(mine._fullest(), mine.weight, left._fullest(), left.weight)
        return left

    def _fullest(self) -> Array:
        """Sum of weights over the cells of the feature that has most of them (k,), which no group's weight is below."""
        seen: Array | None = getattr(self, "observed", None)
        return np.zeros(self.groups) if seen is None else seen.max(axis=1, initial=0)

    def _with(self, other: Self) -> tuple[Self, Self]:
        if type(self) is not type(other):
            raise TypeError(f"cannot combine {type(self).__name__} with {type(other).__name__}")
        if self.groups != other.groups:
            raise ValueError(f"cannot combine statistics of {self.groups} and {other.groups} groups")
        return self.aligned(other)

    def _added(self, other: Self, sign: int) -> Self:
        """The sums of both, or with a sign of -1 their difference, in common terms."""
        out: dict[str, Array] = {}
        for name, role in _roles(self):
            mine, its = getattr(self, name), getattr(other, name)
            if role == "bound":
                out[name] = mine + its
            elif role == "low":
                of = _sum_of(self, name)
                x, y = (getattr(self, of), mine), (getattr(other, of), its)
                if out[of].dtype.kind == "i":  # exact in one word
                    out[name] = np.zeros(out[of].shape)
                else:
                    out[of], out[name] = plus(x, y) if sign > 0 else minus(x, y)
            elif role != "fixed":
                out[name] = mine + its if sign > 0 else mine - its
                if role == "tally":
                    check_countable(out[name])
        return replace(self, **cast(Any, out))

    def _scaled(self, factor: float) -> Self:
        out: dict[str, Array] = {}
        for name, role in _roles(self):
            mine = getattr(self, name)
            if role == "bound":
                out[name] = mine * abs(factor)
            elif role == "low":
                of = _sum_of(self, name)
                if out[of].dtype.kind != "i":
                    out[of], out[name] = times((getattr(self, of), mine), one_word(np.asarray(factor)))
            elif role != "fixed":
                out[name] = mine * factor
        return replace(self, **cast(Any, out))

    def _each_group(self, change: Callable[[Array], Array]) -> Self:
        arrays = [name for name, _ in _roles(self) if isinstance(getattr(self, name), np.ndarray)]
        return replace(self, **{name: change(getattr(self, name)) for name in arrays})


def check_countable(tally: Array) -> None:
    """Refuse whole counts that have grown beyond what is exact in floating point, long before they wrap around."""
    if tally.dtype.kind == "i" and (tally.max(initial=0) > _COUNTABLE or tally.min(initial=0) < -_COUNTABLE):
        raise InputError(
            "the counts would pass 2^53, beyond which whole numbers are not exact. Was a model merged with itself? "
            "Merge each part of the data once"
        )


def never_learned(why: str) -> InputError:
    """The error of forgetting rows that cannot have been learned."""
    return InputError(
        f"these rows cannot be forgotten: {why}. "
        "Forget only rows that were learned, with the labels and weights they had."
    )


def check_rows_left(cells: Array, weight: Array, cells_left: Array, weight_left: Array) -> None:
    """Refuse to have forgotten rows that leave more cells behind than rows (k,): their gaps were never learned."""
    slack = _TOLERANCE * np.abs(weight) if weight_left.dtype.kind == "f" or cells_left.dtype.kind == "f" else 0
    if np.any((cells <= weight + slack) & (cells_left > weight_left + slack)):
        raise never_learned("some of their cells are missing, and so many cells were never missing")


def check_rows(rows: int, membership: Membership) -> None:
    """Refuse a membership of more or fewer rows than the data have: kernels do not check bounds."""
    if len(membership) != rows:
        raise InputError(f"{rows} rows with a membership of {len(membership)}; give every row its group")
    if membership.weight is not None and len(membership.weight) != rows:
        raise InputError(f"{rows} rows with {len(membership.weight)} weights; give every row its weight")


def check_widths(mine: int, its: int) -> None:
    """Refuse to combine statistics of different features, which would broadcast."""
    if mine != its:
        raise InputError(f"cannot combine statistics of {mine} and {its} features; summarise the same columns")


def sum_of(statistics: list[Any]) -> Any:
    """Sum pairwise, as a balanced tree: the rounding error grows with the logarithm of the length.

    Parameters
    ----------
    statistics : at least one

    >>> import numpy as np
    >>> from likely.statistics import Membership, Moments
    >>> rows = Membership(1, np.zeros(2, dtype=int))
    >>> sums = Moments.of(np.array([[1.0], [3.0]]), rows)
    >>> sum_of([sums, sums, sums]).weight
    array([6])
    """
    if not statistics:
        raise ValueError("nothing to sum")
    while len(statistics) > 1:
        pairs = zip(statistics[::2], statistics[1::2], strict=False)
        odd = statistics[-1:] if len(statistics) % 2 else []
        statistics = [a + b for a, b in pairs] + odd
    return statistics[0]


def _roles(statistic: Additive) -> tuple[tuple[str, str], ...]:
    return _roles_of(cast(Any, type(statistic)))


@cache
def _roles_of(kind: type[Any]) -> tuple[tuple[str, str], ...]:
    return tuple((f.name, cast(str, f.metadata.get("role", "fixed"))) for f in fields(kind))


def _sum_of(statistic: Additive, name: str) -> str:
    return _sums_of(cast(Any, type(statistic)))[name]


@cache
def _sums_of(kind: type[Any]) -> dict[str, str]:
    return {f.name: f.metadata["of"] for f in fields(kind) if "of" in f.metadata}
