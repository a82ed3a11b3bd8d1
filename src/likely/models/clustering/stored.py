"""K-means read from a file: refused where what it learned does not fit together."""

from typing import Any

import numpy as np

from likely.errors import InputError
from likely.models.clustering.batch import History
from likely.models.learning.training_curves import check_curves

_LEARNED = ("centres", "cell_weight", "cluster_weight", "labels", "error", "errors", "converged", "relocated")


def read_again(parameters: dict[str, Any], k: int, width: int) -> dict[str, Any]:
    """What k clusters of so many columns have learned, by name."""
    centres, cells, size = (parameters[name] for name in ("centres", "cell_weight", "cluster_weight"))
    shapes = centres.shape == cells.shape == (k, width) and size.shape == (k,)
    if not shapes or not np.isfinite(centres).all():
        raise InputError("its centres are not one finite number for each column")
    labels, history = parameters["labels"], parameters["history"]
    if labels.ndim != 1 or (len(labels) and (labels.min() < 0 or labels.max() >= k)):
        raise InputError("its labels are not numbers of its clusters")
    check_curves((*history[:-1], parameters["errors"]), len(History._fields))
    if type(parameters["error"]) is not float or type(parameters["relocated"]) is not int:
        raise InputError("its error is no number")
    if history[2].shape[1:] != (k, width) or not isinstance(parameters["converged"], bool):
        raise InputError("the history of its passes does not fit together")
    return {**{name: parameters[name] for name in _LEARNED}, "history": History(*history)}
