"""Figures of `evaluate`: one fitted model, judged on n new rows."""

from collections.abc import Iterable

import numpy as np

from bench.coverage.scenarios import Scenario
from bench.coverage.simulation import Draw, Family, Trial
from likely import evaluate
from likely.evaluation import Evaluation
from likely.intervals import Estimate

_TRAINING = 200  # rows that the judged model is fitted to
_TRUTH = 400_000  # rows that its true figures are found from
_COSTS = [[0.0, 1.0], [5.0, 0.0]]
_CONFUSION = (
    "accuracy", "recall", "precision", "true negative rate", "F1", "Jaccard index", "correlation", "kappa",
    "balanced accuracy", "informedness", "positive likelihood ratio", "negative likelihood ratio",
)  # fmt: skip
_AVERAGED = ("recall", "precision", "F1", "kappa", "correlation")


def figures(judged: Evaluation) -> dict[str, Estimate]:
    """Every figure that is printed with an interval."""
    found = {name: judged.measure(name) for name in _CONFUSION}
    found["ROC area"], found["average precision"] = judged.roc_area(), judged.average_precision
    found["log-loss"], found["Brier score"] = judged.log_loss, judged.brier
    found["mean cost"] = judged.cost
    return found


def _prepare(scenario: Scenario, n: int) -> Draw:
    rng = np.random.default_rng(1)
    model = scenario.model().fit(*scenario.rows(_TRAINING, rng, fewest=20))
    truth = figures(evaluate(model, *scenario.rows(_TRUTH, rng), costs=_COSTS))

    def draw(rng: np.random.Generator) -> Iterable[Trial]:
        judged = evaluate(model, *scenario.rows(n, rng, fewest=1), costs=_COSTS)
        return [Trial(name, found, truth[name].value) for name, found in figures(judged).items()]

    return draw


def _macro(scenario: Scenario, n: int) -> Draw:
    rng = np.random.default_rng(1)
    model = scenario.model().fit(*scenario.rows(_TRAINING, rng, fewest=5))
    whole = evaluate(model, *scenario.rows(_TRUTH // 4, rng))

    def figures_of(judged: Evaluation) -> dict[str, Estimate]:
        found = {name: judged.measure(name, average="macro") for name in _AVERAGED}
        return {
            **found, "accuracy": judged.accuracy, "ROC area": judged.roc_area(), "log-loss": judged.log_loss,
            "Brier score": judged.brier,
        }  # fmt: skip

    truth = figures_of(whole)

    def draw(rng: np.random.Generator) -> Iterable[Trial]:
        x, y = scenario.rows(n, rng)
        judged = evaluate(model, x, y)
        return [Trial(name, found, truth[name].value) for name, found in figures_of(judged).items()]

    return draw


FAMILY = Family(
    "measures",
    "Measures of a model on new rows (`evaluate`)",
    "The truth is the measure of the same fitted model on 400,000 rows. The log-loss of heavy tails taken for normal"
    " has next to no variance: its interval mostly has no upper end, and says so.",
    _prepare,
    draws=300,
)

MACRO = Family(
    "macro measures",
    "Measures of three classes on new rows (`evaluate`)",
    "Means over the classes; the truth is the measure of the same fitted model on 100,000 rows. Of 30 rows the smallest"
    " class is often missing or never said: its own figure may be anything, and the interval allows for that.",
    _macro,
    draws=200,
    scenarios=("three classes",),
)
