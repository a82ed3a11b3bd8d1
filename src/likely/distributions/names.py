"""Families by the names that users write, as in `NaiveBayes({"income": "log_normal"})`.

A family says its name as a class attribute, `name`; one that cannot be made without arguments (a mixture, a product)
has none. What the room exports is found here without a list; a family of a user's own after `register_family`.
"""

from collections.abc import Mapping
from dataclasses import fields
from functools import cache
from typing import Any

from likely.data.columns.kinds import KINDS
from likely.data.inputs import suggest
from likely.errors import InputError

_OWN: dict[str, type[Any]] = {}  # by users


def named_families() -> dict[str, type[Any]]:
    """Every family that has a name, in the order of the alphabet.

    >>> list(named_families())[:4]
    ['bernoulli', 'categorical', 'exponential', 'gamma']
    """
    return dict(sorted((_OWN | _exported()).items()))


def register_family(kind: type[Any]) -> None:
    """Let a family of a user's own be chosen by its name; those of the library keep theirs."""
    if _exported().get(kind.name, kind) is not kind:
        raise InputError(f"there is a family {kind.name!r} already; give {kind.__name__} another name")
    _OWN[kind.name] = kind


def family_named(name: str, options: Mapping[str, Any] | None = None) -> Any:
    """The family of a name, with those of the options that it takes.

    >>> family_named("log_normal", {"ddof": 1, "alpha": 0.5})
    LogNormalFamily(ddof=1, estimation='ml', strength=1.0)
    """
    known = named_families()
    if name not in known:
        raise InputError(f"unknown family {name!r}{suggest(name, list(known))}; known are {', '.join(known)}")
    taken = {field.name for field in fields(known[name])}
    return known[name](**{key: value for key, value in (options or {}).items() if key in taken})


def described_kind(name: str) -> str:
    """The kind of column that is meant by the name of a kind or of a family, "numeric" where it says nothing of it.

    >>> [described_kind(name) for name in ("ordinal", "bernoulli", "PoissonFamily", "gamma")]
    ['ordinal', 'binary', 'count', 'numeric']
    """
    if name in KINDS:
        return name
    means = (kind for known, kind in named_families().items() if name in (known, kind.__name__))
    return str(getattr(next(means, None), "kind", "numeric"))


def called(kind: str) -> str:
    """A kind of column in words; of the class of a family its name.

    >>> called("MultivariateGaussianFamily"), called("LogNormalFamily"), called("nominal")
    ('gaussian', 'log normal', 'nominal')
    """
    names = {family.__name__: name for name, family in named_families().items()}
    return names[kind].removeprefix("multivariate_").replace("_", " ") if kind in names else kind


@cache
def _exported() -> dict[str, type[Any]]:
    import likely.distributions as room

    found = [getattr(room, name) for name in room.__all__]
    return {kind.name: kind for kind in found if hasattr(kind, "estimate") and hasattr(kind, "name")}
