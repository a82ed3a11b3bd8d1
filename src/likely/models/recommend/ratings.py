"""Who gave what to which: a sparse table of ratings, read both ways.

People and items are numbered in the order of their names. Adding ratings and removing them is all that learning and
forgetting are; whatever is computed from the table (means, similarities) follows.
"""

from collections.abc import Hashable, Mapping
from dataclasses import dataclass, field
from functools import cached_property
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from likely.data.accepted import Prepared, TableLike
from likely.data.features.dates import as_days, read_dates
from likely.errors import InputError
from likely.numeric.arrays import Array, Floats, Ints, as_floats, in_brief

if TYPE_CHECKING:
    import polars as pl

NAMES = ("user", "item", "rating")
_LARGEST = 1e70  # of which products of squares are still finite


class Sparse(NamedTuple):
    """Cells by row: those of row r stand from begin[r] to begin[r + 1]."""

    begin: Ints  # (rows + 1,)
    columns: Ints  # (cells,)  rising within a row
    cells: Floats  # (cells,)

    def row(self, r: int) -> tuple[Ints, Floats]:
        """Columns and cells of a row."""
        part = slice(int(self.begin[r]), int(self.begin[r + 1]))
        return self.columns[part], self.cells[part]


@dataclass(frozen=True, eq=False)
class Ratings(Prepared):
    """Ratings of items by users."""

    users: tuple[Hashable, ...]  # in order
    items: tuple[Hashable, ...]  # in order
    user: Ints  # (n,)  numbers of the users, sorted; within one of them of the items
    item: Ints  # (n,)  numbers of the items
    rating: Floats  # (n,)  by the user, of the item
    derived: dict[Any, Any] = field(default_factory=dict, repr=False)  # what was computed from them

    __repr__ = in_brief

    @classmethod
    def of(cls, users: Any, items: Any, ratings: Any, times: Any = None) -> "Ratings":
        """From columns of the same length; of two ratings of one item by one user the later counts, given times."""
        names, codes = zip(*(_numbered(*each) for each in ((users, "user"), (items, "item"))), strict=True)
        values = as_floats(ratings, "ratings")
        if not len(codes[0]) == len(codes[1]) == len(values):
            raise InputError(
                f"{len(codes[0])} users, {len(codes[1])} items and {len(values)} ratings: give as many of each"
            )
        given = [] if times is None else [as_floats(times, "times")]
        if given and given[0].shape != values.shape:
            raise InputError(f"{len(values)} ratings and times of shape {given[0].shape}: give one for each")
        if not np.isfinite(values).all():
            row = int(np.flatnonzero(~np.isfinite(values))[0])
            raise InputError(f"row {row}: the rating is missing or infinite; leave the row out, a gap says nothing")
        if len(values) and np.abs(values).max() > _LARGEST:
            row = int(np.abs(values).argmax())
            raise InputError(f"row {row}: the rating {values[row]:g} is too large to be squared; rescale the ratings")
        order = np.lexsort([*given, codes[1], codes[0]])
        u, i, r = codes[0][order], codes[1][order], values[order]
        again = np.flatnonzero((u[1:] == u[:-1]) & (i[1:] == i[:-1]))
        if len(again) and times is None:
            at = int(again[0])
            raise InputError(
                f"user {names[0][u[at]]!r} rated item {names[1][i[at]]!r} twice: keep one of the rows, or give a "
                "column 'time', by which the later one counts"
            )
        if len(again):
            untold = np.isnan(given[0][order])
            twice = np.append(again[untold[again]], again[untold[again + 1]] + 1)  # the later of them is not known
            if len(twice):
                at = int(twice[0])
                raise InputError(
                    f"user {names[0][u[at]]!r} rated item {names[1][i[at]]!r} twice, and row {int(order[at])} has no "
                    "time by which the later one counts: give it one, or keep one of the rows"
                )
            u, i, r = (np.delete(each, again) for each in (u, i, r))
        return cls(names[0], names[1], u, i, r)

    def __len__(self) -> int:
        return len(self.rating)

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Ratings):
            return NotImplemented
        same = self.users == other.users and self.items == other.items
        pairs = ((self.user, other.user), (self.item, other.item), (self.rating, other.rating))
        return same and all(np.array_equal(mine, its) for mine, its in pairs)

    __hash__ = None  # type: ignore[assignment]

    @cached_property
    def by_user(self) -> Sparse:
        """Rows are users."""
        return _sparse(self.user, self.item, self.rating, len(self.users))

    @cached_property
    def by_item(self) -> Sparse:
        """Rows are items."""
        order = np.lexsort([self.user, self.item])
        return _sparse(self.item[order], self.user[order], self.rating[order], len(self.items))

    @cached_property
    def number_of_user(self) -> dict[Hashable, int]:
        """Where a user stands."""
        return {name: i for i, name in enumerate(self.users)}

    @cached_property
    def number_of_item(self) -> dict[Hashable, int]:
        """Where an item stands."""
        return {name: i for i, name in enumerate(self.items)}

    def within(self, scores: Floats) -> Floats:
        """Scores held in the range of the ratings: nobody gives more than the most, or less than the least."""
        return np.asarray(np.clip(scores, self.rating.min(), self.rating.max()))

    def columns(self) -> tuple[list[Hashable], list[Hashable], list[float]]:
        """Names and ratings, row by row."""
        users, items = [self.users[i] for i in self.user], [self.items[i] for i in self.item]
        return users, items, self.rating.tolist()

    def __add__(self, other: "Ratings") -> "Ratings":
        """The ratings of both; that one item is rated by one user in both is refused."""
        (users, items, ratings), (more_users, more_items, more) = self.columns(), other.columns()
        return Ratings.of([*users, *more_users], [*items, *more_items], [*ratings, *more])

    def without(self, other: "Ratings") -> "Ratings":
        """The rest, when these ratings are removed; those that are not here as they are given are refused."""
        held = {(user, item): value for user, item, value in zip(*self.columns(), strict=True)}
        for user, item, value in zip(*other.columns(), strict=True):
            if held.get((user, item)) != value:
                raise InputError(f"the rating {value:g} of item {item!r} by user {user!r} was never learned")
            del held[user, item]
        if not held:
            raise InputError("forgetting these ratings would leave nothing; make a new model instead")
        return Ratings.of([u for u, _ in held], [i for _, i in held], list(held.values()))


def read_ratings(X: TableLike) -> Ratings:
    """A table with columns user, item, rating and perhaps time, by name or in this order; or a mapping of mappings.

    >>> read_ratings({"Ann": {"Heat": 5, "Big": 3}, "Bob": {"Heat": 4}}).items
    ('Big', 'Heat')
    """
    if isinstance(X, Ratings):
        return X
    if isinstance(X, Mapping) and X and all(isinstance(value, Mapping) for value in X.values()):
        rows = [(user, item, value) for user, given in X.items() for item, value in given.items()]
        if not rows:
            raise InputError("there are no ratings to learn from")
        return Ratings.of(*zip(*rows, strict=True))
    from likely.data.frames.tables import read_table

    table = read_table(X)
    names = table.columns
    if len(names) not in (3, 4) and not {*NAMES} <= set(names):
        raise InputError(
            f"ratings have columns user, item, rating and perhaps time; got {', '.join(map(repr, names[:8]))}: rename "
            "them, or leave three or four columns in this order (--columns in the command)"
        )
    chosen = list(NAMES) if {*NAMES} <= set(names) else names[:3]
    time = "time" if "time" in names else names[3] if chosen == names[:3] and len(names) == 4 else None
    columns = [table[name] for name in chosen]
    if not columns[2].dtype.is_numeric():
        raise InputError(f"column {chosen[2]!r} holds the ratings and must be numbers, got {columns[2].dtype}")
    times = None if time is None else _moments(table[time])
    columns[:2] = map(_whole_names, columns[:2])
    users, items = (c.to_numpy() if c.dtype.is_integer() and not c.null_count() else c.to_list() for c in columns[:2])
    return Ratings.of(users, items, columns[2].cast(float).to_numpy(), times)


def _whole_names(names: "pl.Series") -> "pl.Series":
    """Names that an array of numbers has made floats of are whole numbers again."""
    if names.dtype.is_float() and names.is_finite().all() and bool((names == names.round()).all()):
        return names.cast(int) if bool((names.abs() < 2**53).all()) else names
    return names


def _moments(times: "pl.Series") -> Floats:
    """Times as numbers that rise: numbers, dates, or texts that are dates as ISO 8601 writes them; NaN for a gap."""
    import polars as pl

    if times.dtype == pl.String:
        seen = times.str.to_datetime("%+", strict=False, time_zone="UTC")
        for pattern in ("%Y-%m-%d %H:%M:%S%.f", "%Y-%m-%dT%H:%M:%S%.f", "%Y-%m-%d %H:%M", "%Y-%m-%dT%H:%M", "%Y-%m-%d"):
            read = read_dates(times, pattern).cast(pl.Datetime("us"))
            seen = seen.fill_null(read.dt.replace_time_zone("UTC"))
        lost = times.is_not_null() & seen.is_null()
        if lost.any():
            row = int(lost.arg_max() or 0)
            raise InputError(
                f"column {times.name!r}, row {row}: {times[row]!r} is no time; give numbers, dates, or texts such as "
                "'2024-05-06 07:08:09'"
            )
        times = seen
    try:
        return np.asarray(as_days(times).cast(pl.Float64).to_numpy(), dtype=np.float64)
    except pl.exceptions.PolarsError:
        raise InputError(
            f"column {times.name!r} holds the times and must be numbers or dates, got {times.dtype}"
        ) from None


def _numbered(values: Any, what: str) -> tuple[tuple[Hashable, ...], Ints]:
    """Different names in order, and the number of each; names of several types keep the order in which they came."""
    if isinstance(values, np.ndarray) and values.dtype.kind == "i":
        different, codes = np.unique(values, return_inverse=True)
        return tuple(different.tolist()), codes.astype(np.int64).ravel()
    names = values.tolist() if isinstance(values, np.ndarray) else list(values)
    if names and all(type(name) is int for name in names) and -(2**63) <= min(names) <= max(names) < 2**63:
        return _numbered(np.array(names, dtype=np.int64), what)
    known: list[Any] = list(dict.fromkeys(names))
    if any(name is None or name != name for name in known):
        absent = next(i for i, name in enumerate(names) if name is None or name != name)
        raise InputError(f"row {absent} names no {what}: leave it out, or give the {what} a name")
    ordered = sorted(known) if len({type(name) for name in known}) == 1 else known
    place = {name: i for i, name in enumerate(ordered)}
    return tuple(ordered), np.fromiter(map(place.__getitem__, names), dtype=np.int64, count=len(names))


def _sparse(row: Ints, column: Ints, cell: Floats, rows: int) -> Sparse:
    begin = np.concatenate([[0], np.cumsum(np.bincount(row, minlength=rows))]).astype(np.int64)
    return Sparse(begin, np.ascontiguousarray(column), np.ascontiguousarray(cell))


def as_array(names: tuple[Hashable, ...]) -> Array:
    """Names as an array, of one type where they are."""
    return np.array(names, dtype=None if len({type(name) for name in names}) == 1 else object)
