"""The laws of what answers without naming classes: clusterers, transformers and regressors."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np

from likely.engines import Serial, Threads, use
from likely.numeric.arrays import Array
from likely.testing.specimens.tables import Table, small_batches, taken
from likely.testing.verdict import must


@dataclass(frozen=True)
class Answering:
    """An estimator as these laws see it: how to make one, and rows to draw from."""

    name: str
    make: Callable[[], Any]  # a fresh one, which begins anywhere the same way
    X: Table
    y: Any = None  # (n,)  amounts, for one that learns them

    def data(self, rng: np.random.Generator) -> tuple[Table, Any]:
        """As many rows, drawn again."""
        rows = rng.integers(0, len(self.X), len(self.X))
        return taken(self.X, rows), None if self.y is None else np.asarray(self.y)[rows]


def answers_of(model: Any, X: Table) -> Array:
    """What it says of rows: clusters or amounts where it predicts, else numbers."""
    return np.asarray(model.predict(X) if hasattr(model, "predict") else model.transform(X))


def an_answer_depends_on_its_row_alone(specimen: Answering, rng: np.random.Generator) -> None:
    X, y = specimen.data(rng)
    model, order = specimen.make().fit(X, y), rng.permutation(len(X))
    said = answers_of(model, X)
    must(len(said) == len(X), f"{len(X)} rows have {len(said)} answers")
    apart = _apart(answers_of(model, taken(X, order)), said[order])
    must(apart <= 1e-9, f"a row's answer depends on the rows around it, by {apart}")


def fitting_again_gives_the_same_model(specimen: Answering, rng: np.random.Generator) -> None:
    X, y = specimen.data(rng)
    (other, others), model = specimen.data(rng), specimen.make()
    first = answers_of(model.fit(X, y), X)
    model.fit(other, others)
    again = answers_of(model.fit(X, y), X)
    must(np.array_equal(again, first), "what was learned before is not forgotten by fit")


def engines_give_the_same_model(specimen: Answering, rng: np.random.Generator) -> None:
    X, y = specimen.data(rng)
    found = []
    with small_batches():
        for engine in (Serial(), Threads(2)):
            with use(engine):
                found.append(answers_of(specimen.make().fit(X, y), X))
    must(np.array_equal(found[0], found[1]), "answers depend on the engine")


def asking_changes_nothing(specimen: Answering, rng: np.random.Generator) -> None:
    X, y = specimen.data(rng)
    model = specimen.make().fit(X, y)
    first = answers_of(model, X)
    answers_of(model, specimen.data(rng)[0])
    must(np.array_equal(answers_of(model, X), first), "an answer depends on what was asked before")


def _apart(a: Array, b: Array) -> float:
    """How far answers are from each other, in their size; endless where they are of other shapes."""
    if a.shape != b.shape:
        return np.inf
    size = max(1.0, float(np.abs(b).max(initial=0.0)))
    return float(np.max(np.abs(a - b), initial=0.0)) / size


Law = Callable[[Answering, np.random.Generator], None]
LAWS: tuple[Law, ...] = (
    an_answer_depends_on_its_row_alone,
    fitting_again_gives_the_same_model,
    engines_give_the_same_model,
    asking_changes_nothing,
)
