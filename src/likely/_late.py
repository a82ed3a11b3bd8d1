"""Names that a room offers and that are imported when they are first used, so that importing the room stays quick."""

import importlib
from collections.abc import Callable, Iterable, Mapping
from typing import Any


def in_order(names: Iterable[str]) -> list[str]:
    """As rooms list them: constants, then classes, then functions, each by the alphabet.

    >>> in_order(["load", "Rule", "GATES", "bisector"])
    ['GATES', 'Rule', 'bisector', 'load']
    """
    return sorted(names, key=lambda name: (not (name.isupper() and len(name) > 1), not name[0].isupper(), name))


def late(
    room: str, offered: list[str], modules: Mapping[str, tuple[str, ...]]
) -> tuple[Callable[[str], Any], Callable[[], list[str]]]:
    """The functions `__getattr__` and `__dir__` of a room, from the names that modules below it hold.

    Names of the module "" are modules themselves.
    """
    home = {name: module for module, names in modules.items() for name in names}

    def look_up(name: str) -> Any:
        if name not in home:
            raise AttributeError(f"module {room!r} has no attribute {name!r}")
        if not home[name]:
            return importlib.import_module(f"{room}.{name}")
        return getattr(importlib.import_module(f"{room}.{home[name]}"), name)

    return look_up, lambda: sorted(offered)
