"""No calibration: the probabilities as they are, as a map beside the others."""

from typing import Any, ClassVar, Self

import numpy as np
from numpy.typing import ArrayLike

from likely.decisions.calibration.posterior_scaling import Scaling, lowest_borne_out
from likely.decisions.calibration.scores import Scored
from likely.numeric.arrays import PerRow, in_brief


class UnchangedMap(Scaling):
    """The map that changes nothing, except that certainty is held at what the rows can bear out.

    >>> UnchangedMap.fit([-3.0, -1.0, 0.5, 1.0], [0, 0, 1, 1]).probability([0.0])
    array([0.5])
    """

    stored_as: ClassVar[str] = "UnchangedMap"

    __repr__ = in_brief

    @classmethod
    def fit(cls, score: ArrayLike, y: Any, sample_weight: PerRow = None, prior: float = 0.0) -> Self:
        """From scores and labels as the other maps; a prior changes nothing here."""
        data = Scored.of(score, y, sample_weight)
        return cls(np.ones(data.classes), np.zeros(data.classes), lowest_borne_out(data.score))
