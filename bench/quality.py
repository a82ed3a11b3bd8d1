"""How good the posteriors are: time means nothing without it."""

from dataclasses import dataclass
from typing import Any

import numpy as np
from sklearn.metrics import log_loss


@dataclass(frozen=True)
class Scores:
    """Of the posteriors of one side."""

    accuracy: float
    log_loss: float  # in nats; posteriors below 2.2e-16 count as that, as scikit-learn has it

    @classmethod
    def of(cls, y: Any, posterior: Any, classes: Any) -> "Scores":
        hits = np.asarray(classes)[posterior.argmax(axis=1)] == np.asarray(y)
        return cls(float(hits.mean()), float(log_loss(y, posterior, labels=classes)))


@dataclass(frozen=True)
class Quality:
    """Both sides on the same rows."""

    likely: Scores
    peer: Scores
    rows: str  # which rows, in words
    difference: float | None  # the largest between two posteriors; None where the models are not the same

    @classmethod
    def of(cls, y: Any, likely: Any, peer: Any, classes: Any, rows: str, same_model: bool = True) -> "Quality":
        difference = float(np.abs(likely - peer).max()) if same_model else None
        return cls(Scores.of(y, likely, classes), Scores.of(y, peer, classes), rows, difference)


if __name__ == "__main__":  # the quality of answers on whole tables is a benchmark of its own
    from bench.tables.__main__ import main

    main()
