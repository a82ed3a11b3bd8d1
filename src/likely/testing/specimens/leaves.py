"""Two statistics held against each other, field by field, in common terms."""

from collections.abc import Iterator
from dataclasses import fields
from typing import Any

import numpy as np

from likely.numeric.arrays import Array
from likely.statistics import Labelled, SideBySide
from likely.statistics.counting.categories import union_of
from likely.testing.verdict import LawBroken, must

ROUNDING = 1e-12


def agree(a: object, b: object, whole: object) -> None:
    """The two statistics hold the same sums; `whole` says how large the sums are."""
    largest: dict[str, float] = {}
    for statistic in (a, b, whole):
        for path, _, array in leaves(statistic):
            must(np.isfinite(array).all(), f"{path} is not finite")
            largest[path] = max(largest.get(path, 0.0), float(np.max(np.abs(array), initial=0.0)))
    for path, _, x, y in aligned_leaves(a, b):
        whole_numbers = x.dtype.kind == "i" and y.dtype.kind == "i"
        if not np.all(x == y if whole_numbers else np.abs(x - y) <= ROUNDING * largest[path]):
            raise LawBroken(f"{path}: {x} and {y}")


def same_terms(a: object, b: object) -> None:
    """What the sums refer to (levels, values) depends on the data alone; an origin only has to lie near them."""
    for (path, x), (_, y) in zip(terms(a), terms(b), strict=True):
        must(repr(x) == repr(y), f"{path}: {x} and {y}")


def leaves(statistic: Any, path: str = "") -> Iterator[tuple[str, str, Array]]:
    """The sums that the fields hold: their path, role and array."""
    if isinstance(statistic, Labelled):
        yield from leaves(statistic.given, f"{path}given.")
        return
    for entry in fields(statistic):
        role = entry.metadata.get("role", "fixed")
        if role in ("tally", "total"):  # what rounding has cut off from a total is compared with the total
            yield path + entry.name, role, np.asarray(getattr(statistic, entry.name))
    for i, part in enumerate(parts_of(statistic)):
        yield from leaves(part, f"{path}{i}.")


def aligned_leaves(a: Any, b: Any, path: str = "") -> Iterator[tuple[str, str, Array, Array]]:
    """The fields that add of both, in common terms."""
    must(type(a) is type(b), f"{type(a).__name__} is not {type(b).__name__}")
    if isinstance(a, Labelled):
        names = union_of(a.classes, b.classes)
        yield from aligned_leaves(a.over(names).given, b.over(names).given, f"{path}given.")
        return
    for i, (mine, its) in enumerate(zip(parts_of(a), parts_of(b), strict=True)):
        yield from aligned_leaves(mine, its, f"{path}{i}.")
    left, right = a.aligned(b)
    own = zip(_fields_that_add(left, path), _fields_that_add(right, path), strict=True)
    for (name, role, x), (_, _, y) in own:
        yield name, role, x, y


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


def parts_of(statistic: object) -> tuple[Any, ...]:
    return statistic.parts if isinstance(statistic, SideBySide) else ()


def _fields_that_add(statistic: object, path: str) -> list[tuple[str, str, Array]]:
    depth = path.count(".")
    return [leaf for leaf in leaves(statistic, path) if leaf[0].count(".") == depth]
