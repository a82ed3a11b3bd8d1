"""Worked examples computed: a function for each, under the example's id.

    @worked("EX-GEN-12")
    def temperature(ex: Example) -> Worked:
        \"\"\"How dense is the normal curve of play days at 66 degrees?\"\"\"
        ...

The function takes the example's inputs and computes with the library's public names what the catalogue expects, under
the catalogue's names, and perhaps how to draw it. Its docstring is the question that the example asks.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import cache
from importlib import import_module
from inspect import cleandoc
from pkgutil import walk_packages
from typing import TYPE_CHECKING, Any, TypeAlias

from likely.errors import InputError
from likely.examples.catalogue import Example, find

if TYPE_CHECKING:
    from matplotlib.axes import Axes as Axes
else:
    Axes: TypeAlias = Any  # Matplotlib is read when a picture is drawn

Draw: TypeAlias = Callable[[Axes], object]  # draws on matplotlib axes
Compute: TypeAlias = "Callable[[Example], Worked]"

_REGISTERED: dict[str, Compute] = {}


@dataclass(frozen=True)
class Worked:
    """What an example gives: values by the catalogue's names, and its figure if it has one."""

    values: Mapping[str, Any]  # numbers, texts, arrays, lists and dicts of them
    figure: Draw | None = None  # draws it on axes; None: there is none
    size: tuple[float, float] = (5.6, 4.2)  # of the figure, in inches


def worked(id: str) -> Callable[[Compute], Compute]:
    """Register the function that computes an example.

    >>> computed = registered()["EX-GEN-12"].__name__
    >>> @worked("EX-GEN-12")
    ... def again(example):
    ...     return Worked({"answer": 42.0})
    Traceback (most recent call last):
    ...
    ValueError: EX-GEN-12 is computed twice, by temperature and again
    """

    def register(compute: Compute) -> Compute:
        if id in _REGISTERED:
            raise ValueError(f"{id} is computed twice, by {_REGISTERED[id].__name__} and {compute.__name__}")
        _REGISTERED[id] = compute
        return compute

    return register


@cache
def registered() -> Mapping[str, Compute]:
    """The functions of all examples by id, after importing every module of this room.

    >>> registered()["EX-GEN-12"].__name__
    'temperature'
    """
    package = import_module("likely.examples")
    for module in walk_packages(package.__path__, "likely.examples."):
        import_module(module.name)
    return dict(sorted(_REGISTERED.items()))


def question(id: str) -> str:
    """What an example asks.

    >>> question("EX-GEN-12")
    'How dense is the normal curve of the temperatures at one temperature?'
    """
    return cleandoc(_function(id).__doc__ or "").replace("\n", " ")


def run(id: str) -> Worked:
    """Compute an example.

    >>> round(run("EX-GEN-12").values["density"], 4)
    0.034
    """
    return _function(id)(find(id))


def _function(id: str) -> Compute:
    example = find(id)
    if example.id not in registered():
        raise InputError(f"{example.id} is in the catalogue but not computed")
    return registered()[example.id]
