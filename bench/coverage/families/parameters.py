"""Posteriors of parameters: one column of each family beside the classes, asked for in the second class."""

from collections.abc import Callable, Iterable
from typing import Any, NamedTuple

import numpy as np

from bench.coverage.scenarios import FEWEST, Scenario
from bench.coverage.simulation import Draw, Family, Trial
from likely import NaiveBayes
from likely.intervals import Estimate


class _Column(NamedTuple):
    """How a column is drawn, the family that learns it, and what is asked of its posterior."""

    drawn: Callable[[np.random.Generator, int], Any]
    kind: str
    asked: Callable[[Any], tuple[float, float]]
    truth: float


_COLUMNS = {
    "share of a bit": _Column(
        lambda rng, n: (rng.random(n) < 0.3).astype(int), "bernoulli", lambda b: b.interval(), 0.3
    ),
    "share of a level": _Column(
        lambda rng, n: rng.choice(["a", "b", "c"], n, p=[0.2, 0.3, 0.5]), "categorical", lambda b: b.interval()[0], 0.2
    ),
    "rate of counts": _Column(lambda rng, n: rng.poisson(3.0, n), "poisson", lambda b: b.interval(), 3.0),
    "mean of counts, overdispersed": _Column(
        lambda rng, n: rng.negative_binomial(2, 2 / (2 + 5.0), n),
        "negative_binomial",
        lambda b: b.interval()["mean"],
        5.0,
    ),
    "rate of waits": _Column(lambda rng, n: rng.exponential(0.5, n), "exponential", lambda b: b.interval(), 2.0),
    "mean of amounts": _Column(lambda rng, n: rng.gamma(3.0, 2.0, n), "gamma", lambda b: b.interval()["mean"], 6.0),
    "shape of amounts": _Column(lambda rng, n: rng.gamma(3.0, 2.0, n), "gamma", lambda b: b.interval()["shape"], 3.0),
    "mean of numbers": _Column(lambda rng, n: rng.normal(5.0, 2.0, n), "gaussian", lambda b: b.of_mean.interval(), 5.0),
    "variance of numbers": _Column(
        lambda rng, n: rng.normal(5.0, 2.0, n), "gaussian", lambda b: b.of_variance.interval(), 4.0
    ),
}


def _prepare(scenario: Scenario, n: int) -> Draw:
    share = 0.1 if scenario.name == "tiny class" else 0.5

    def draw(rng: np.random.Generator) -> Iterable[Trial]:
        _, y = scenario.rows(n, rng, FEWEST)
        x = {name: column.drawn(rng, n) for name, column in _COLUMNS.items()}
        model = NaiveBayes({name: column.kind for name, column in _COLUMNS.items()}).fit(x, y)
        for name, column in _COLUMNS.items():
            yield _trial(name, column.asked(model.parameter_posterior(name)[1]), column.truth, n)
        yield _trial("prior of the class", model.parameter_posterior().interval()[1], share, n)

    return draw


def _trial(name: str, ends: Any, truth: float, n: int) -> Trial:
    low, high = ends
    return Trial(name, Estimate((low + high) / 2, low, high, 0.95, "posterior", n), truth)


FAMILY = Family(
    "parameters",
    "Posteriors of parameters (`model.parameter_posterior`)",
    "Columns of each family, drawn from it, of a class with half or a tenth of the n rows; the intervals are those of"
    " the class's parameters. They are of the model: where the family is not that of the data they promise nothing.",
    _prepare,
    draws=300,
    scenarios=("easy", "tiny class"),
)
