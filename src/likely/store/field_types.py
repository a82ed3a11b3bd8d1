"""Whether a value is what the annotation of its field says, so that a forged file cannot put one thing for another."""

import types
from collections.abc import Hashable, Mapping, Sequence
from functools import cache
from typing import Any, Literal, TypeVar, Union, cast, get_args, get_origin, get_type_hints

import numpy as np

from likely.distributions.family import Distribution, Family
from likely.errors import InputError
from likely.store import registry
from likely.store.quoting import quoted


def check_field(kind: type[Any], name: str, value: object) -> None:
    """Refuse a value that the field of this name cannot hold.

    >>> from likely.distributions import GaussianFamily
    >>> check_field(GaussianFamily, "strength", "much")
    Traceback (most recent call last):
    ...
    likely.errors.InputError: GaussianFamily.strength cannot be 'much'
    """
    if not _fits(value, _hints(cast(Any, kind))[name]):
        raise InputError(f"{kind.__name__}.{name} cannot be {quoted(value)}")


@cache
def _hints(kind: type[Any]) -> dict[str, Any]:
    return get_type_hints(kind)


def _fits(value: object, hint: Any) -> bool:
    if type(value) is hint or hint is Any or isinstance(hint, TypeVar):
        return True
    origin, arguments = get_origin(hint), get_args(hint)
    if hasattr(origin, "__value__"):  # NumPy's NDArray, since 2.5
        return _fits(value, origin.__value__[arguments])
    if origin is Union or origin is types.UnionType:
        return any(_fits(value, one) for one in arguments)
    if origin is Literal:
        return isinstance(value, str | int) and value in arguments
    if origin is np.ndarray:
        return isinstance(value, np.ndarray) and _fits_dtype(value.dtype, get_args(arguments[1])[0])
    if origin is tuple:
        if not isinstance(value, tuple):
            return False
        if len(arguments) == 2 and arguments[1] is Ellipsis:
            return all(_fits(one, arguments[0]) for one in value)
        return len(value) == len(arguments) and all(map(_fits, value, arguments))
    if origin is Sequence:
        return isinstance(value, tuple | list) and all(_fits(one, arguments[0]) for one in value)
    if origin is Mapping or origin is dict:
        return isinstance(value, dict) and all(_fits(one, arguments[1]) for one in value.values())
    return _fits_class(value, hint)


def _fits_dtype(dtype: np.dtype[Any], wanted: Any) -> bool:
    return wanted is Any or dtype == np.dtype(wanted)


def _fits_class(value: object, hint: Any) -> bool:
    if hint is Family:
        return registry.is_family(type(value)) and registry.knows(type(value))
    if hint is Distribution:
        return registry.is_distribution(type(value)) and registry.knows(type(value))
    if hint is Hashable:
        return isinstance(value, Hashable) and not isinstance(value, tuple)
    if hint is float:
        return isinstance(value, int | float | np.integer | np.floating) and not isinstance(value, bool)
    if hint is int:
        return isinstance(value, int | np.integer) and not isinstance(value, bool)
    return isinstance(value, hint)
