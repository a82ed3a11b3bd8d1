"""Predicted probabilities: `predict_interval` of `Calibrated` and `Pool` on rows of the law, beside the model alone."""

from collections.abc import Callable, Iterable
from typing import Any

import numpy as np
from scipy.special import expit

from bench.coverage.scenarios import FEWEST, FIVE, LEVELS, SHARES, Scenario
from bench.coverage.simulation import Draw, Family, Trial
from likely import BoostedTrees, Calibrated, DecisionTree, DependenceBayes, GaussianBayes, NaiveBayes, Pool
from likely.intervals import Estimate

_MANY = 40_000  # rows that answers are compared with
_NEAR = 500  # of them with the nearest answers: how often those come true is the truth, where answers seldom repeat
_ALIKE = 100  # rows with the very same answer, as of a leaf, that are enough by themselves
_ASKED = 8  # rows of each draw


def _student(x: Any) -> Any:
    """Log density of Student's t with 3 degrees of freedom, but for a constant."""
    return -2 * np.log1p(x**2 / 3)


def _normal(distance: float, share: float = 0.5) -> Callable[[Any], Any]:
    return lambda x: distance * (x[:, 0] - distance / 2) + np.log(share / (1 - share))


LOG_ODDS: dict[str, Callable[[Any], Any]] = {  # of the positive class, under the laws of the scenarios
    "easy": _normal(1.5),
    "separable": _normal(4.0),
    "heavy-tailed": lambda x: (_student(x - 1.5) - _student(x)).sum(axis=1),
    "tiny class": _normal(2.5, 0.1),
    "wrong model": lambda x: (x.mean(axis=1) - 0.5) / (1 + 0.3**2 / 6),
}


def frequency(said: Any, probability: Any, asked: int) -> Any:
    """How often rows come true that get the answers of the first `asked` rows, given each's chances.

    Where few answers are the same, of rows with the nearest ones. A window of ranks must not begin within a leaf: its
    rows have one answer, and half of the window would be of the next leaf.
    """
    order = np.argsort(said, kind="stable")
    before = np.concatenate([[0.0], np.cumsum(probability[order])])
    low, high = (np.searchsorted(said[order], said[:asked], side) for side in ("left", "right"))
    near = np.clip((low + high - _NEAR) // 2, 0, len(said) - _NEAR)
    alike = high - low >= _ALIKE
    low, high = np.where(alike, low, near), np.where(alike, high, near + _NEAR)
    return (before[high] - before[low]) / (high - low)


def _of_levels(x: Any) -> Any:
    """The probabilities of five classes (n, 5), under their law."""
    joint = SHARES * np.prod([LEVELS[:, j, x[:, j].astype(int)].T for j in range(x.shape[1])], axis=0)
    return joint / joint.sum(axis=1, keepdims=True)


def _prepare_levels(scenario: Scenario, n: int) -> Draw:
    """Every class of rows of five; the many rows of a draw have about a thousand answers."""

    def draw(rng: np.random.Generator) -> Iterable[Trial]:
        x, y = scenario.rows(n, rng, FEWEST)
        many = scenario.rows(_MANY, rng)[0]
        truth, asked = _of_levels(many), many[:_ASKED]
        model = Calibrated(scenario.model(), random_state=0).fit(x, y)
        judged: dict[str, Any] = {"calibrated": model, "the model alone, if it were true": model.estimator_}
        for name, each in judged.items():
            said, ends = each.predict_proba(many), each.predict_interval(asked)
            for k in range(truth.shape[1]):
                found = frequency(said[:, k], truth[:, k], _ASKED)
                for p, (low, high), true in zip(said[:, k], ends[:, k], found, strict=False):
                    yield Trial(name, Estimate(p, low, high, 0.95, "draws", n), float(true))

    return draw


def _prepare(scenario: Scenario, n: int) -> Draw:
    if scenario.classes > 2:
        return _prepare_levels(scenario, n)

    def draw(rng: np.random.Generator) -> Iterable[Trial]:
        x, y = scenario.rows(n, rng, FEWEST)
        many = scenario.rows(_MANY, rng)[0]
        truth = expit(LOG_ODDS[scenario.name](many))
        model = Calibrated(scenario.model(), random_state=0).fit(x, y)
        asked = many[:_ASKED]
        judged: dict[str, Any] = {
            "calibrated": model,
            "calibrated, boosted trees": Calibrated(BoostedTrees(random_state=0), random_state=0).fit(x, y),
            "calibrated, a tree": Calibrated(DecisionTree(), random_state=0).fit(x, y),
            "calibrated, `DependenceBayes`": Calibrated(DependenceBayes(), random_state=0).fit(x, y),
            "`Pool` of three": Pool([NaiveBayes(), GaussianBayes("shared"), DecisionTree()], random_state=0).fit(x, y),
            "the model alone, if it were true": model.estimator_,
        }
        for name, each in judged.items():
            said = each.predict_proba(many)[:, 1]
            ends = each.predict_interval(asked)[:, 1]
            for p, (low, high), true in zip(said, ends, frequency(said, truth, _ASKED), strict=False):
                yield Trial(name, Estimate(p, low, high, 0.95, "draws", n), float(true))

    return draw


FAMILY = Family(
    "probabilities",
    "Predicted probabilities (`predict_interval`)",
    "The truth, for rows of the law, is how often rows with that answer come true: the mean chance, under the law, of"
    " those of 40,000 rows that get the very same answer, as in a leaf of a tree, or, where they are fewer than 100, of"
    " the 500 with the nearest answers. Eight rows of a draw share its training rows, so that the error"
    " of the simulation is up to twice as large as said. The pool is of naive Bayes, a linear discriminant and a tree."
    " The last line is beside it: of the parameters, if the model were true. Of five classes every class is asked for.",
    _prepare,
    draws=50,
    scenarios=(*FIVE, "five classes"),
    beside=("the model alone, if it were true",),
)
