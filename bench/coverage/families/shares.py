"""Shares of the classes among unlabelled rows (`Decider.estimate_prior`), after a label shift."""

from collections.abc import Iterable

import numpy as np

from bench.coverage.scenarios import FEWEST, Scenario
from bench.coverage.simulation import Draw, Family, Trial
from likely import Calibrated, Decider
from likely.decisions import estimate_prior
from likely.intervals import Estimate

_ROWS = 1_000  # without a label
_SHARE = 0.3  # of the positive class among them


def _prepare(scenario: Scenario, n: int) -> Draw:
    def draw(rng: np.random.Generator) -> Iterable[Trial]:
        x, y = scenario.rows(n, rng, FEWEST)
        law, classes = scenario.rows(20 * _ROWS, rng)
        positive = int((rng.random(_ROWS) < _SHARE).sum())
        there = np.concatenate(
            [rng.choice(np.flatnonzero(classes == k), m) for k, m in ((0, _ROWS - positive), (1, positive))]
        )
        model = Decider(Calibrated(scenario.model(), random_state=0)).fit(x, y)
        found = model.estimate_prior(law[there])
        alone = estimate_prior(model.estimator_.predict_proba(law[there]), model.training_prior_)
        for name, each in (("the model drawn", found), ("the posteriors taken for true", alone)):
            yield Trial(name, Estimate(each.value[1], each.low[1], each.high[1], 0.95, each.method, _ROWS), _SHARE)

    return draw


FAMILY = Family(
    "shares",
    "Shares of the classes among unlabelled rows (`estimate_prior`)",
    "A calibrated model of n rows is asked for the share of the positive class among 1,000 rows of which 30 % are. The"
    " second line is beside it: of posteriors that are right.",
    _prepare,
    draws=40,
    beside=("the posteriors taken for true",),
)
