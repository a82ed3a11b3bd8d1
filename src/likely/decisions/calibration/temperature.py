"""Temperature scaling: all log posteriors are divided by one number T.

    log p'(k) = log p(k) / T - log of the sum

T > 1 takes back over-confidence, T < 1 adds confidence; the most probable class stays the same (Guo et al. 2017, "On
calibration of modern neural networks"). Fitted by maximum likelihood (`posterior_scaling`), with 1 / T held at 0 or
above: scores that are no better than chance become equal probabilities.
"""

from typing import ClassVar

import numpy as np

from likely.decisions.calibration.posterior_scaling import Scaling
from likely.numeric.arrays import in_brief


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
