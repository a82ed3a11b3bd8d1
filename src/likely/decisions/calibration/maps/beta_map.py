"""Beta calibration: a slope and an offset for the log posterior of every class.

    two classes   ln p' / (1 - p') = a ln p - b ln(1 - p) + c,   a, b >= 0
    more classes  log p'(k) = a_k log p(k) + b_k - log of the sum,   a_k >= 0

The first line is the map of Kull, Silva Filho & Flach (2017), "Beta calibration", right where the posteriors of each
class have a beta distribution; it can undo scores that are too extreme on one side only, and it contains the identity.
The second is the same for more classes (vector scaling of log posteriors). Fitted by maximum likelihood
(`posterior_scaling`); a slope that would be negative is held at 0, so that the map never falls.
"""

from typing import ClassVar

from likely.decisions.calibration.maps.posterior_scaling import Scaling
from likely.errors import InputError
from likely.numeric.arrays import in_brief


class BetaMap(Scaling):
    """Beta calibration: a slope and an offset for each class.

    >>> fitted = BetaMap.fit([-3.0, -1.0, 0.5, 1.0, -0.5, 2.0], [0, 0, 0, 1, 1, 1])
    >>> (fitted.slope >= 0).all(), bool((fitted.probability([-3.0, 0.0]) < fitted.probability([0.0, 2.0])).all())
    (np.True_, True)
    """

    stored_as: ClassVar[str] = "BetaMap"

    __repr__ = in_brief

    tied = False
    least_slope = 0.0

    @property
    def coefficients(self) -> tuple[float, float, float]:
        """The a, b and c of two classes."""
        if self.classes != 2:
            raise InputError(f"a, b and c are of two classes; the map is of {self.classes}")
        return float(self.slope[1]), float(self.slope[0]), float(self.offset[1] - self.offset[0])
