"""Rows of one class only: searches, bags and learning curves meet them, so they are learned, and it is said."""

import warnings
from collections.abc import Hashable, Sequence

from likely.errors import InputError
from likely.numeric.arrays import Array

_SAID = "y has only one class, {name!r}: there is nothing to tell apart, and it is the answer for every row"


def note_one_class(classes: Sequence[Hashable] | Array, later: bool = False, stacklevel: int = 3) -> bool:
    """Whether these are fewer than two classes, after a warning; `later`: partial_fit may learn others.

    >>> import numpy as np
    >>> note_one_class(np.array(["ham", "spam"]))
    False
    """
    if len(classes) > 1:
        return False
    name = classes[0].item() if hasattr(classes[0], "item") else classes[0]
    said = _SAID.format(name=name)
    warnings.warn(f"{said} until partial_fit learns others" if later else said, stacklevel=stacklevel)
    return True


def refuse_one_class(classes: Sequence[Hashable] | Array) -> None:
    """Refuse first rows of one class, of a model that cannot learn which classes there are as they come.

    >>> refuse_one_class(["ham"])
    Traceback (most recent call last):
    ...
    likely.errors.InputError: the first rows have one class only: name all of them with classes=[...]
    """
    if len(classes) < 2:
        raise InputError("the first rows have one class only: name all of them with classes=[...]")
