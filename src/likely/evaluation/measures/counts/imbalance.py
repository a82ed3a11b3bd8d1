"""What a high accuracy hides when some classes are rare."""

from collections.abc import Hashable

import numpy as np

from likely.numeric.arrays import Array

_NAMED = 3  # classes that are never found, up to which each has a sentence
_RARELY = 5.0  # a class is rarely chosen when its share of the rows is this many times that of the answers


def imbalance_notes(classes: tuple[Hashable, ...], matrix: Array) -> tuple[str, ...]:
    """Plain sentences: accuracy no better than the largest class, classes never found, small classes rarely chosen.

    >>> imbalance_notes(("no", "yes"), np.array([[98, 0], [2, 0]]))[0]
    "accuracy 0.980 is no better than always saying 'no' (0.980)"
    >>> imbalance_notes(("no", "yes"), np.array([[98, 0], [2, 0]]))[1]
    "class 'yes' (2 % of the rows) is never found: its recall is 0"
    >>> never = np.zeros((5, 5))
    >>> never[:, 0] = [96, 1, 1, 1, 1]
    >>> imbalance_notes(tuple("abcde"), never)[1]
    "4 of 5 classes (4 % of the rows) are never found, their recall is 0: 'b', 'c', 'd' and 1 more"
    """
    total, k = float(matrix.sum()), len(classes)
    rows, right = matrix.sum(axis=1) / total, np.diagonal(matrix) / total
    said = matrix[:, :k].sum(axis=0) / total
    notes = []
    largest = int(rows.argmax())
    if k > 1 and right.sum() <= rows[largest] and rows[largest] < 1:
        notes.append(
            f"accuracy {right.sum():.3f} is no better than always saying {classes[largest]!r} ({rows[largest]:.3f})"
        )
    missed = [i for i in range(k) if rows[i] > 0 and right[i] == 0]
    if len(missed) > _NAMED:
        missed.sort(key=lambda i: -rows[i])
        named = ", ".join(repr(classes[i]) for i in missed[:_NAMED])
        notes.append(
            f"{len(missed)} of {k} classes ({100 * rows[missed].sum():.3g} % of the rows) are never found, their "
            f"recall is 0: {named} and {len(missed) - _NAMED} more"
        )
    for i, name in enumerate(classes):
        if i in missed:
            if len(missed) <= _NAMED:
                notes.append(f"class {name!r} ({100 * rows[i]:.3g} % of the rows) is never found: its recall is 0")
        elif 0 < rows[i] < 1 / k and _RARELY * said[i] <= rows[i]:
            notes.append(
                f"class {name!r} is rarely chosen: {100 * said[i]:.2g} % of the answers "
                f"for {100 * rows[i]:.3g} % of the rows"
            )
    return tuple(notes)
