"""Arrays laid end to end as their parts come, and parts of several threads in their order."""

from collections.abc import Callable, Mapping
from threading import Lock
from typing import Any

import numpy as np

from likely.numeric.arrays import Array


class Gathering:
    """Named arrays of several parts, each laid into one that has room for all: nothing is there twice.

    >>> both = Gathering(2, {"next": "name"})
    >>> both.add({"name": np.array([7, 8]), "next": np.array([1, -1])})
    >>> both.add({"name": np.array([9, 6]), "next": np.array([-1, 0])})
    >>> both.together()["next"]
    array([ 1, -1, -1,  2])
    """

    def __init__(self, parts: int, places_in: Mapping[str, str]) -> None:
        self.parts = parts  # that are still to come
        self.places_in = places_in  # of arrays of places, from 0 up, in others: in which
        self.held: dict[str, Array] = {}
        self.used: dict[str, int] = {}

    def add(self, part: Mapping[str, Array]) -> None:
        """One more; its places are moved to where they are now."""
        before = dict(self.used)
        for name, x in part.items():
            at = before.get(name, 0)
            into = self._room(name, at, x)[at : at + len(x)]
            into[:] = x
            if name in self.places_in:
                into[x >= 0] += before.get(self.places_in[name], 0)
            self.used[name] = at + len(x)
        self.parts -= 1

    def _room(self, name: str, used: int, x: Array) -> Array:
        """The array of a name, with room for x: made for as many like x as will come."""
        into = self.held.get(name, np.empty((0, *x.shape[1:]), dtype=x.dtype))
        into = into.astype(np.result_type(into, x), copy=False)
        if len(into) < used + len(x):
            into.resize((used + len(x) * max(1, self.parts), *x.shape[1:]), refcheck=False)
        self.held[name] = into
        return into

    def together(self) -> dict[str, Array]:
        """All of them, in their order."""
        for name, used in self.used.items():
            self.held[name].resize((used, *self.held[name].shape[1:]), refcheck=False)
        return self.held


class InTurn:
    """Hands on what several threads make in the order of its numbers, each as soon as all before it are there."""

    def __init__(self, take: Callable[[Any], None]) -> None:
        self.take, self.waiting, self.next, self.lock = take, dict[int, Any](), 0, Lock()

    def put(self, number: int, made: object) -> None:
        """What has this number."""
        with self.lock:
            self.waiting[number] = made
            while self.next in self.waiting:
                self.take(self.waiting.pop(self.next))
                self.next += 1
