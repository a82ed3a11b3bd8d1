"""What a model file may hold: the library's own values and models, and what a user has registered.

A file names a class by its tag. Only tags of classes that are known here mean anything: nothing is looked up, imported
or called because a file says so. Known are every statistic, family and distribution of the library, and what else says
under which tag it is `stored_as`. The tag of a class is its name, unless it says another; of a user's own class it
begins with "own.". A tag never changes, even if the class is renamed: old files use it.
"""

import importlib
import inspect
import pkgutil
from collections.abc import Iterator
from dataclasses import is_dataclass
from functools import cache
from typing import Any, TypeVar

from likely.distributions.names import register_family
from likely.errors import InputTypeError
from likely.statistics import Additive

T = TypeVar("T", bound=type[Any])

_PLACES = (
    "likely.statistics",
    "likely.distributions",
    "likely.data.columns.schema",
    "likely.data.columns.encoding",
    "likely.decisions",
)
_FAMILY = ("form", "summarize", "estimate")
_DISTRIBUTION = ("members", "log_density", "log_density_terms", "sample")
_OWN: dict[str, type[Any]] = {}  # by tag


def register(kind: T) -> T:
    """Let files hold a statistic, family or distribution of a user's own; a family can be chosen by its `name` then.

    Register the same classes before a file with them is loaded: it does not bring them along. It may stand above the
    class as a decorator.

    Parameters
    ----------
    kind : the class, a frozen dataclass

    >>> register(dict)
    Traceback (most recent call last):
    ...
    likely.errors.InputTypeError: <class 'dict'> is no statistic, family or distribution, ...
    """
    if not isinstance(kind, type) or not is_dataclass(kind) or not _is_value(kind):
        raise InputTypeError(
            f"{kind!r} is no statistic, family or distribution, written as a frozen dataclass; files hold no others"
        )
    if not kind.__dataclass_params__.frozen:  # type: ignore[attr-defined]
        raise InputTypeError(f"{kind.__name__} can be changed after it is made; write @dataclass(frozen=True)")
    if is_family(kind) and "name" in vars(kind):
        register_family(kind)
    if not _is_ours(kind):
        _OWN[tag(kind)] = kind
    return kind


def tag(kind: type[Any]) -> str:
    """What files call a class.

    >>> from likely.distributions import GammaDistribution, Gaussian
    >>> tag(Gaussian), tag(GammaDistribution)
    ('Gaussian', 'Gamma')
    """
    name: str = vars(kind).get("stored_as", kind.__name__)
    return name if _is_ours(kind) else f"own.{name}"


def class_of(name: str) -> type[Any] | None:
    """The class of a tag; None if files may not hold it."""
    return _OWN.get(name) or _ours().get(name)


def knows(kind: type[Any]) -> bool:
    """Whether files may hold values of this very class."""
    return class_of(tag(kind)) is kind


def is_family(kind: type[Any]) -> bool:
    """Whether a class has the verbs of a family."""
    return all(hasattr(kind, verb) for verb in _FAMILY)


def is_distribution(kind: type[Any]) -> bool:
    """Whether a class has the verbs of a distribution."""
    return all(hasattr(kind, verb) for verb in _DISTRIBUTION)


def values() -> dict[str, type[Any]]:
    """Every frozen value that a file may hold."""
    return _ours() | _OWN


@cache
def estimators() -> dict[str, type[Any]]:
    """Every model that a file may hold: what the rooms of models and of decisions export that predicts, or keeps."""
    models = importlib.import_module("likely.models")
    names = ["likely.decisions", *(room.name for room in pkgutil.iter_modules(models.__path__, "likely.models."))]
    rooms = [importlib.import_module(name) for name in names]
    found = [getattr(room, name) for room in rooms for name in getattr(room, "__all__", ())]
    kept = ("predict", "_parameters_learned")
    return {kind.__name__: kind for kind in found if inspect.isclass(kind) and any(hasattr(kind, a) for a in kept)}


@cache
def _ours() -> dict[str, type[Any]]:
    found = [kind for place in _PLACES for kind in _classes_in(place)]
    return {tag(kind): kind for kind in found if _is_value(kind) or "stored_as" in vars(kind)}


def _classes_in(place: str) -> Iterator[type[Any]]:
    """What the modules of a room, or one module, define."""
    root = importlib.import_module(place)
    modules = [root]
    if hasattr(root, "__path__"):
        modules = [importlib.import_module(found.name) for found in pkgutil.walk_packages(root.__path__, f"{place}.")]
    for module in modules:
        yield from (
            kind for kind in vars(module).values() if isinstance(kind, type) and kind.__module__ == module.__name__
        )


def _is_value(kind: type[Any]) -> bool:
    """Whether it is a statistic, a family or a distribution, not the protocol of one."""
    fits = issubclass(kind, Additive) or is_family(kind) or is_distribution(kind)
    return fits and is_dataclass(kind)


def _is_ours(kind: type[Any]) -> bool:
    return kind.__module__.split(".")[0] == "likely"
