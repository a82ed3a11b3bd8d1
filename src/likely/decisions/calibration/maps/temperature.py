"""Temperature scaling: all log posteriors are divided by one number T.

    log p'(k) = log p(k) / T - log of the sum

T > 1 takes back over-confidence, T < 1 adds confidence; the most probable class stays the same (Guo et al. 2017, "On
calibration of modern neural networks"). Fitted by maximum likelihood (`posterior_scaling`), with 1 / T held at 0 or
above: scores that are no better than chance become equal probabilities. `UnchangedMap` is no calibration at all, T = 1,
as a map beside the others.
"""

from typing import Any, ClassVar, Self

import numpy as np
from numpy.typing import ArrayLike

from likely.decisions.calibration.maps.posterior_scaling import Scaling, lowest_borne_out
from likely.decisions.calibration.scores import Scored
from likely.numeric.arrays import PerRow, in_brief


class TemperatureMap(Scaling):
    """Temperature scaling: one slope 1 / T for all classes and no offset.

    >>> over_confident = [-9.0, -8.0, 9.0, 8.0, 9.0, -9.0]
    >>> TemperatureMap.fit(over_confident, [0, 0, 0, 1, 1, 1]).temperature > 1
    True
    """

    stored_as: ClassVar[str] = "TemperatureMap"

    __repr__ = in_brief

    offsets = False
    least_slope = 0.0

    @property
    def temperature(self) -> float:
        """T, infinite where the scores say nothing."""
        return float(1 / self.slope[0]) if self.slope[0] > 0 else float(np.inf)


class UnchangedMap(Scaling):
    """The map that changes nothing, except that certainty is held at what the rows can bear out.

    >>> UnchangedMap.fit([-3.0, -1.0, 0.5, 1.0], [0, 0, 1, 1]).probability([0.0])
    array([0.5])
    """

    stored_as: ClassVar[str] = "UnchangedMap"

    __repr__ = in_brief

    @classmethod
    def fit(
        cls, score: ArrayLike, y: Any, sample_weight: PerRow = None, prior: float = 0.0, rising: bool = True
    ) -> Self:
        """From scores and labels as the other maps; neither a prior nor a bound of the slope changes anything here."""
        data = Scored.of(score, y, sample_weight)
        return cls(np.ones(data.classes), np.zeros(data.classes), lowest_borne_out(data))
