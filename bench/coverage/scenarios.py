"""Where the rows come from: laws, each with the model that is judged on them. Five are of two classes and single rows:

    easy          two normal classes that overlap, and the linear discriminant, which is true of them
    separable     the same so far apart that 30 rows seldom show a mistake, though one row in 40 is one
    heavy-tailed  Student's t with 3 degrees of freedom: normal classes are too sure of what lies far out
    tiny class    one row in ten is positive
    wrong model   six features that all but repeat each other, taken for independent: probabilities far too sure

and four are for families that name them:

    nothing to tell  classes by turns, and features that know nothing of them: every area is 0.5
    three classes    shares of 80, 15 and 5 %, the smaller two in two lumps each
    groups           five rows of a group share most of their class and their place
    five classes     five columns of four levels each, their codes taken for normal

Rows of a law are as many as wanted: a truth is what the model comes to on `MANY` of them.
"""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np

from likely import GaussianBayes, NaiveBayes

MANY = 20_000  # rows that a model fitted in a draw is judged on, for its true figures
_GROUP = 5
FEWEST = 2  # rows of each class in a draw that a model is fitted to


@dataclass(frozen=True)
class Scenario:
    """A law of rows and a model of it."""

    name: str
    law: Callable[[int, np.random.Generator], tuple[Any, Any]]  # X (n, d), y (n,) of 0 and 1
    model: Callable[[], Any]
    rival: Callable[[], Any]  # the model that it is compared with
    classes: int = 2
    group: int = 0  # rows of a group, which follow each other; 0: rows are alone

    def rows(self, n: int, rng: np.random.Generator, fewest: int = 0) -> tuple[Any, Any]:
        """So many rows; drawn again until each class has `fewest`."""
        while True:
            x, y = self.law(n, rng)
            if np.bincount(y, minlength=self.classes).min() >= fewest:
                return x, y

    def groups(self, n: int) -> Any:
        """The group of each row (n,); None where rows are alone."""
        return np.arange(n) // self.group if self.group else None


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


def _nothing_to_tell(n: int, rng: np.random.Generator) -> tuple[Any, Any]:
    return rng.normal(size=(n, 2)), np.arange(n) % 2


def _three_classes(n: int, rng: np.random.Generator) -> tuple[Any, Any]:
    y, side = rng.choice(3, n, p=[0.8, 0.15, 0.05]), 2 * rng.integers(0, 2, n) - 1
    x = rng.normal(size=(n, 3))
    x[:, 0] += np.where(y == 1, 2 * side, 0)
    x[:, 1] += np.where(y == 2, 2.5 * side, 0.3 * side)
    return x, y


def _in_groups(n: int, rng: np.random.Generator) -> tuple[Any, Any]:
    group = np.arange(n) // _GROUP
    of, place = rng.integers(0, 2, group[-1] + 1), 1.2 * rng.normal(size=(group[-1] + 1, 3))
    y = np.where(rng.random(n) < 0.8, of[group], 1 - of[group])
    x = place[group] + 0.5 * rng.normal(size=(n, 3))
    x[:, 0] += 1.2 * of[group]
    return x, y


SHARES = np.array([0.4, 0.25, 0.2, 0.1, 0.05])
LEVELS = np.random.default_rng(7).dirichlet(np.full(4, 1.2), (5, 5))  # (class, column, level)


def _levels(n: int, rng: np.random.Generator) -> tuple[Any, Any]:
    y = rng.choice(5, n, p=SHARES)
    return (rng.random((n, 5, 1)) > LEVELS[y].cumsum(axis=2)).sum(axis=2).astype(float), y


def _linear() -> Any:
    return GaussianBayes("shared")


def _quadratic() -> Any:
    return GaussianBayes("full")


FIVE = ("easy", "separable", "heavy-tailed", "tiny class", "wrong model")  # what a family is simulated on by itself
SCENARIOS = (
    Scenario("easy", _normal(1.5), _linear, _quadratic),
    Scenario("separable", _normal(4.0), _linear, NaiveBayes),
    Scenario("heavy-tailed", _heavy_tailed, NaiveBayes, _linear),
    Scenario("tiny class", _normal(2.5, share=0.1), _linear, NaiveBayes),
    Scenario("wrong model", _repeated, NaiveBayes, _linear),
    Scenario("nothing to tell", _nothing_to_tell, _linear, NaiveBayes),
    Scenario("three classes", _three_classes, NaiveBayes, _linear, classes=3),
    Scenario("groups", _in_groups, NaiveBayes, _linear, group=_GROUP),
    Scenario("five classes", _levels, NaiveBayes, _linear, classes=5),
)
