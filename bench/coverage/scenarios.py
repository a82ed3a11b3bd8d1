"""Where the rows come from: five laws of two classes, each with the model that is judged on them.

    easy          two normal classes that overlap, and the linear discriminant, which is true of them
    separable     the same so far apart that 30 rows seldom show a mistake, though one row in 40 is one
    heavy-tailed  Student's t with 3 degrees of freedom: normal classes are too sure of what lies far out
    tiny class    one row in ten is positive
    wrong model   six features that all but repeat each other, taken for independent: probabilities far too sure

and one of five classes for the families that it names, five columns of four levels each, their codes taken for normal.

Rows of a law are as many as wanted: a truth is what the model comes to on `MANY` of them.
"""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np

from likely import GaussianBayes, NaiveBayes

MANY = 20_000  # rows that a model fitted in a draw is judged on, for its true figures
FEWEST = 2  # rows of each class in a draw that a model is fitted to


@dataclass(frozen=True)
class Scenario:
    """A law of rows and a model of it."""

    name: str
    law: Callable[[int, np.random.Generator], tuple[Any, Any]]  # X (n, d), y (n,) of 0 and 1
    model: Callable[[], Any]
    rival: Callable[[], Any]  # the model that it is compared with
    only: tuple[str, ...] = ()  # families that it is for; none: all
    classes: int = 2

    def rows(self, n: int, rng: np.random.Generator, fewest: int = 0) -> tuple[Any, Any]:
        """So many rows; drawn again until each class has `fewest`."""
        while True:
            x, y = self.law(n, rng)
            if np.bincount(y, minlength=self.classes).min() >= fewest:
                return x, y


def _classes(n: int, rng: np.random.Generator, share: float = 0.5) -> Any:
    return (rng.random(n) < share).astype(np.int64)


def _normal(distance: float, share: float = 0.5) -> Callable[[int, np.random.Generator], tuple[Any, Any]]:
    def law(n: int, rng: np.random.Generator) -> tuple[Any, Any]:
        y = _classes(n, rng, share)
        x = rng.normal(size=(n, 2))
        x[:, 0] += distance * y
        return x, y

    return law


def _heavy_tailed(n: int, rng: np.random.Generator) -> tuple[Any, Any]:
    y = _classes(n, rng)
    return rng.standard_t(3, size=(n, 2)) + 1.5 * y[:, None], y


def _repeated(n: int, rng: np.random.Generator) -> tuple[Any, Any]:
    y = _classes(n, rng)
    shared = rng.normal(size=(n, 1)) + y[:, None]
    return shared + 0.3 * rng.normal(size=(n, 6)), y


SHARES = np.array([0.4, 0.25, 0.2, 0.1, 0.05])
LEVELS = np.random.default_rng(7).dirichlet(np.full(4, 1.2), (5, 5))  # (class, column, level)


def _levels(n: int, rng: np.random.Generator) -> tuple[Any, Any]:
    y = rng.choice(5, n, p=SHARES)
    return (rng.random((n, 5, 1)) > LEVELS[y].cumsum(axis=2)).sum(axis=2).astype(float), y


def _linear() -> Any:
    return GaussianBayes("shared")


def _quadratic() -> Any:
    return GaussianBayes("full")


SCENARIOS = (
    Scenario("easy", _normal(1.5), _linear, _quadratic),
    Scenario("separable", _normal(4.0), _linear, NaiveBayes),
    Scenario("heavy-tailed", _heavy_tailed, NaiveBayes, _linear),
    Scenario("tiny class", _normal(2.5, share=0.1), _linear, NaiveBayes),
    Scenario("wrong model", _repeated, NaiveBayes, _linear),
    Scenario("five classes", _levels, NaiveBayes, _linear, ("probabilities",), 5),
)
