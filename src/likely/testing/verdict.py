"""What a broken law says, and how a law is tried on several examples."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import TypeVar

import numpy as np

from likely.errors import LikelyError

S = TypeVar("S")


class LawBroken(AssertionError):
    """A law does not hold: which, of what, in which example.

    >>> raise LawBroken("a law does not hold")
    Traceback (most recent call last):
    likely.testing.verdict.LawBroken: a law does not hold
    """


def must(holds: object, otherwise: str) -> None:
    """Raise unless it holds; unlike `assert`, also where Python runs optimised."""
    if not holds:
        raise LawBroken(otherwise)


@contextmanager
def refused(what: str, words: str = "") -> Iterator[None]:
    """What is inside must raise a `LikelyError` that holds these words."""
    try:
        yield
    except LikelyError as error:
        must(words in str(error), f"{what} was refused, but in other words: {error}")
    else:
        raise LawBroken(f"{what} was accepted")


def obey(law: Callable[[S, np.random.Generator], None], specimen: S, examples: int = 3, random_state: int = 0) -> None:
    """Try a law on examples drawn one after the other; the first that breaks it is named."""
    for example in range(examples):
        try:
            law(specimen, np.random.default_rng([random_state, example]))
        except AssertionError as error:
            name = getattr(specimen, "name", specimen)
            words = law.__name__.replace("_", " ")
            raise LawBroken(f"{name} breaks the law '{words}' in example {example}: {error}") from error
