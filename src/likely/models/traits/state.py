"""What an estimator has learned: one value that never changes, exchanged whole.

Attributes whose names end in an underscore are learned. They are kept together in one read-only mapping, and whoever
learns puts a new mapping in its place by a single assignment. So a thread that asks while another learns finds the
model before or the model after, and nothing in between; those who learn wait for each other, those who ask wait for
nobody.

    with self._anew():   what is set inside becomes the state when the block ends; others see the old one until then
    with self._onward(): the same for one who adds to what was learned; should it fail, the old state stays
    self._become(...)    several learned attributes at once
    @of_one_state        a verb that answers from the state that it found when it was called

>>> class Mean(Stateful):
...     def fit(self, x):
...         with self._anew():
...             self.sum_, self.count_ = sum(x), len(x)
...         return self
...
...     @of_one_state
...     def value(self):
...         return self.sum_ / self.count_
>>> model = Mean().fit([1, 2, 6])
>>> model.value(), model.count_
(3.0, 3)
"""

import threading
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import contextmanager
from functools import wraps
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, Self, TypeVar, cast

Verb = TypeVar("Verb", bound=Callable[..., Any])

_NOTHING: Mapping[str, Any] = MappingProxyType({})


class Stateful:
    """Learned attributes that are read from one state, and a lock for those who learn.

    They live beside `vars(model)`, which holds the parameters alone.
    """

    __slots__ = ("__dict__", "__weakref__", "_draft", "_lock", "_state", "_still")

    _state: Mapping[str, Any]  # what was learned; never written to
    _draft: tuple[int, dict[str, Any]] | None  # the thread that learns anew, and what it has so far
    _lock: Any  # held by the thread that learns
    _still: bool  # a copy for one question, which needs no copying again

    def __new__(cls, *_: Any, **__: Any) -> Self:
        new = super().__new__(cls)
        new._start_anew()
        return new

    def _start_anew(self) -> None:
        for name, value in (("_state", _NOTHING), ("_draft", None), ("_lock", threading.RLock()), ("_still", False)):
            object.__setattr__(self, name, value)

    if not TYPE_CHECKING:  # a type checker shall see which attributes a class declares, and no others

        def __getattr__(self, name: str) -> Any:
            """A learned attribute; Python asks here for what it finds nowhere else."""
            if is_learned(name):
                learned = self._learned()
                if name in learned:
                    return learned[name]
                own = getattr(type(self), name, None)
                if isinstance(own, property):  # whose own complaint was an AttributeError: let it be heard
                    return own.__get__(self)
            raise self._not_there(name)

    def _not_there(self, name: str) -> AttributeError:
        return AttributeError(f"{type(self).__name__!r} object has no attribute {name!r}", name=name, obj=self)

    def __setattr__(self, name: str, value: object) -> None:
        if is_learned(name) and not hasattr(getattr(type(self), name, None), "__set__"):
            self._become({name: value})
        else:
            object.__setattr__(self, name, value)

    def __delattr__(self, name: str) -> None:
        if name in self._learned():
            with self._lock:
                self._replace({known: value for known, value in self._learned().items() if known != name})
        else:
            object.__delattr__(self, name)

    def __dir__(self) -> Iterable[str]:
        return sorted({*super().__dir__(), *self._learned()})

    def __getstate__(self) -> dict[str, Any]:
        """Parameters and what was learned, for pickle and copy; each copy has a lock of its own."""
        return {**vars(self), **self._learned()}

    def __setstate__(self, state: dict[str, Any]) -> None:
        self._start_anew()  # the oldest protocols of pickle pass __new__ by
        learned = {name: value for name, value in state.items() if is_learned(name)}
        vars(self).update({name: value for name, value in state.items() if name not in learned})
        object.__setattr__(self, "_state", MappingProxyType(learned))

    def _learned(self) -> Mapping[str, Any]:
        """What was learned; for the thread that learns anew, what it has so far."""
        draft = self._draft
        return draft[1] if draft is not None and draft[0] == threading.get_ident() else self._state

    def _become(self, learned: Mapping[str, Any]) -> None:
        """Set several learned attributes at once."""
        with self._lock:
            self._replace({**self._learned(), **learned})

    def _replace(self, learned: dict[str, Any]) -> None:
        """The one assignment by which a state takes the place of another; the lock is held."""
        if self._draft is None:
            object.__setattr__(self, "_state", MappingProxyType(learned))
        else:
            object.__setattr__(self, "_draft", (threading.get_ident(), learned))

    def _reset(self) -> None:
        """Forget everything that was learned."""
        with self._lock:
            self._replace({})

    @contextmanager
    def _anew(self) -> Iterator[None]:
        """Inside, the estimator learns from nothing; should that fail, nothing half-learned is left behind."""
        with self._lock:
            outer = self._draft
            object.__setattr__(self, "_draft", (threading.get_ident(), {}))
            learned: Mapping[str, Any] = {}
            try:
                yield
                learned = self._learned()
            finally:
                object.__setattr__(self, "_draft", outer)
                self._replace(dict(learned))

    @contextmanager
    def _onward(self) -> Iterator[None]:
        """Inside, the estimator learns on from what it knows; others see the old state until all of it is there."""
        with self._lock:
            outer, before = self._draft, self._learned()
            object.__setattr__(self, "_draft", (threading.get_ident(), dict(before)))
            learned = before
            try:
                yield
                learned = self._learned()
            finally:
                object.__setattr__(self, "_draft", outer)
                if learned is not before:
                    self._replace(dict(learned))

    def _as_it_is(self) -> Self:
        """The estimator as it is now: a copy that shares what was learned, and that no other thread changes."""
        if self._still or (self._draft is not None and self._draft[0] == threading.get_ident()):
            return self
        still = Stateful.__new__(type(self))
        vars(still).update(vars(self))
        object.__setattr__(still, "_state", self._state)
        object.__setattr__(still, "_still", True)
        return still


def of_one_state(verb: Verb) -> Verb:
    """A verb that answers from the state that it finds when it is called, whatever others learn meanwhile.

    Parameters
    ----------
    verb : a method of an estimator

    >>> class Counter(Stateful):
    ...     @of_one_state
    ...     def twice(self):
    ...         return self.count_, self.count_
    >>> counter = Counter()
    >>> counter.count_ = 3
    >>> counter.twice()
    (3, 3)
    """

    @wraps(verb)
    def ask(self: Stateful, *arguments: Any, **named: Any) -> Any:
        return verb(self._as_it_is(), *arguments, **named)

    return cast(Verb, ask)


def as_it_is(model: object) -> Any:
    """A model that no other thread changes, if it is one of ours; others are taken as they are."""
    return model._as_it_is() if isinstance(model, Stateful) else model


def is_learned(name: str) -> bool:
    """Whether an attribute of this name is learned: scikit-learn's convention."""
    return name.endswith("_") and not name.startswith("_")
