"""Principal components read from a file: refused where they do not fit together."""

from typing import Any

import numpy as np

from likely.errors import InputError
from likely.models.components.spread import Spread
from likely.models.learning.training_curves import check_curves
from likely.statistics.summing.scatter import Scatter


def read_again(parameters: dict[str, Any], width: int) -> tuple[Spread, float, Scatter | None]:
    """The spread, the weight of the rows and their scatter, of so many columns."""
    spread = Spread(*parameters["spread"])
    spread = spread if spread.squares is not None else spread._replace(squares=float("nan"))
    shapes = (spread.mean.shape, spread.deviation.shape, spread.vectors.shape[1:])
    if set(shapes) != {(width,)} or spread.values.shape != spread.vectors.shape[:1] or not len(spread.values):
        raise InputError("its components are not one number for each column")
    if not (np.isfinite(spread.vectors).all() and (spread.values >= 0).all() and (spread.deviation >= 0).all()):
        raise InputError("its components are not finite, or their variances negative")
    if not isinstance(spread.total, float) or not isinstance(spread.squares, float) or not np.isfinite(spread.total):
        raise InputError("the sums of its variances are no numbers")
    statistic, samples = parameters["statistic"], parameters["samples"]
    if statistic is not None and (not isinstance(statistic, Scatter) or statistic.features != width):
        raise InputError("its scatter is not that of its columns")
    if not isinstance(samples, float) or not np.isfinite(samples) or samples <= 0:
        raise InputError("the weight of its rows is no positive number")
    check_curves((parameters["log_likelihoods"],), 1)
    return spread, samples, statistic
