"""What was said of rows whose classes are known: the one thing that every measure judges.

A model says classes, posteriors, or scores that only rank. Posteriors come as they are, as logarithms, or as both: the
logarithm tells apart what rounds to 0 or 1. Where no class is said, it is the most probable one.
"""

from collections.abc import Hashable, Sequence
from dataclasses import dataclass, replace
from typing import Any, Self

import numpy as np
from numpy.typing import ArrayLike

from likely.data.accepted import TargetLike
from likely.data.labels.aligned_labels import align_labels
from likely.data.labels.weights import read_weight
from likely.errors import InputError
from likely.evaluation.judged_input import read_posterior, read_truth
from likely.intervals.means import read_groups
from likely.numeric.arrays import Array, Floats, PerRow
from likely.numeric.kernels.left_out.held_out import largest_is
from likely.numeric.logspace import log_of


@dataclass(frozen=True)
class Said:
    """Truth and answers of rows, checked and aligned.

    >>> said = Said.of(["ham", "spam", "ham"], [0.1, 0.8, 0.6])
    >>> said.classes, said.labels.tolist(), said.right().tolist()
    (('ham', 'spam'), [0, 1, 1], [1.0, 1.0, 0.0])
    """

    classes: tuple[Hashable, ...]
    y: Array  # (n,)  codes of the true classes
    log_posterior: Floats | None = None  # (n, k)  None: nobody said it
    answers: Array | None = None  # (n,)  codes of what was said, -1 for rejected; None: the most probable class
    weight: Floats | None = None  # (n,)
    posterior: Floats | None = None  # (n, k)  None: that of the logarithms, or there is none
    scores: Floats | None = None  # (n, k)  of a decision function, which only ranks
    groups: Array | None = None  # (n,)  rows of one group depend on each other

    @classmethod
    def of(
        cls,
        y: TargetLike,
        posterior: ArrayLike,
        classes: Sequence[Hashable] | None = None,
        sample_weight: PerRow = None,
        groups: PerRow = None,
    ) -> Self:
        """Check what a user gives; columns of the posterior are in the order of `classes`, or of the sorted labels."""
        codes, names = align_labels(read_truth(y), classes)
        p = read_posterior(posterior, len(codes), len(names))
        members = None if groups is None else read_groups(groups, len(codes))
        return cls(names, codes, weight=read_weight(sample_weight, len(codes)), posterior=p, groups=members)

    def __len__(self) -> int:
        return len(self.y)

    @property
    def has_probabilities(self) -> bool:
        return self.posterior is not None or self.log_posterior is not None

    @property
    def labels(self) -> Array:
        """Codes of what was said (n,), -1 for a rejected row."""
        if self.answers is not None:
            return self.answers
        given = self.log_posterior if self.posterior is None else self.posterior
        if given is None:
            raise InputError("nothing was said: neither classes nor probabilities")
        return np.asarray(given.argmax(axis=1), dtype=np.int32)

    def probabilities(self, what: str) -> Floats:
        """The posterior (n, k), or a complaint that names what needs it."""
        if self.posterior is not None:
            return self.posterior
        return np.exp(self.log_probabilities(what))

    def log_probabilities(self, what: str) -> Floats:
        """Its logarithm."""
        if self.log_posterior is not None:
            return self.log_posterior
        if self.posterior is None:
            raise InputError(
                f"{what} needs probabilities, and the model has no predict_proba; "
                "judge it by accuracy, or wrap it in likely.Calibrated"
            )
        return log_of(self.posterior)

    def right(self) -> Floats:
        """1 for each row whose class was said, else 0 (n,)."""
        if self.answers is not None or self.log_posterior is None:
            return np.asarray(self.labels == self.y, dtype=np.float64)
        out = np.empty(len(self.y))
        largest_is(self.log_posterior, self.y, out)
        return out

    def take(self, rows: Array) -> Self:
        """What was said of some of the rows."""
        held = {name: values for name, values in vars(self).items() if name != "classes" and values is not None}
        taken: dict[str, Any] = {name: values[rows] for name, values in held.items()}
        return replace(self, **taken)

    def counted(self) -> Self:
        """The rows that have weight, of which there must be some."""
        if self.weight is None or (self.weight > 0).all():
            return self
        rows = np.flatnonzero(self.weight > 0)
        if not len(rows):
            raise InputError("all rows that are to be judged together have weight 0; give more rows, or fewer folds")
        return self.take(rows)
