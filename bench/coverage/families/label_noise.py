"""Wrong labels: the bound on their share that `audit` gives."""

from collections.abc import Iterable

import numpy as np

from bench.coverage.scenarios import FEWEST, Scenario
from bench.coverage.simulation import Draw, Family, Trial
from likely.evaluation import audit


def _prepare(scenario: Scenario, n: int) -> Draw:
    def draw(rng: np.random.Generator) -> Iterable[Trial]:
        for share in (0.0, 0.1):
            x, y = scenario.rows(n, rng, FEWEST)
            labels = np.where(rng.random(n) < share, 1 - y, y)
            if min(labels.sum(), n - labels.sum()) >= FEWEST:
                yield Trial(f"{100 * share:g} % wrong", audit(scenario.model(), x, labels).error_rate, share)

    return draw


FAMILY = Family(
    "label-noise",
    "Wrong labels (`audit(...).error_rate`)",
    "A share of the labels is exchanged at random. The interval is a bound from above: it begins at 0.",
    _prepare,
    draws=100,
)
