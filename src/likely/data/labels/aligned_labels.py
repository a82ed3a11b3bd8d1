"""Labels in terms of given classes: answers of a model, and truths, as codes that can be compared."""

from collections.abc import Hashable, Sequence
from typing import Any

import numpy as np

from likely.data.inputs import suggest
from likely.data.labels.target import Target, read_target
from likely.errors import InputError
from likely.numeric.arrays import Array


def read_labels(said: Any, reject_label: Hashable = None) -> Target:
    """Answers as codes; a missing one, or the reject label, has code -1."""
    if reject_label is None:
        return read_target(said)
    values = np.array(said.to_numpy() if hasattr(said, "to_numpy") else said, dtype=object)
    values[values == reject_label] = None
    return read_target(values)


def align_labels(
    target: Target, classes: Sequence[Hashable] | None, what: str = "y"
) -> tuple[Array, tuple[Hashable, ...]]:
    """Codes (n,) among `classes` (those that occur, sorted, when None); a label that is not among them is refused."""
    if classes is None:
        return target.codes, target.classes
    names = tuple(c.item() if isinstance(c, np.generic) else c for c in classes)
    if len(set(names)) != len(names):
        raise InputError(f"the classes {list(names)} name one of them twice")
    if names == target.classes:
        return target.codes, names
    place = {name: i for i, name in enumerate(names)}
    for code, name in enumerate(target.classes):
        if name not in place:
            row = int(np.flatnonzero(target.codes == code)[0])
            raise InputError(
                f"row {row} of {what} is of class {name!r}, which is not among the known classes "
                f"{some_of(names)}{suggest(name, list(names))}; leave its rows out, or name every class in classes=: "
                "rows of a class that a model does not know then count as mistakes"
            )
    moved = np.array([*(place[name] for name in target.classes), -1], dtype=np.int32)  # code -1 stays -1
    return moved[target.codes], names


def some_of(classes: Sequence[Hashable]) -> str:
    """The first names, for a message."""
    shown = ", ".join(repr(c) for c in classes[:8])
    return shown + (", ..." if len(classes) > 8 else "")
