"""Class labels as numbers, and the constant input that makes a bias an ordinary weight.

    index      0 .. K - 1, the place among the sorted classes; 1 .. K with start=1
    sign       -1 for the first of two classes, +1 for the second
    indicator  1-from-K: t_k = 1 for the class, 0 elsewhere
    augmented  (1, x), so that w . x + w_0 = (w_0, w) . (1, x)

Every coding gives the coded labels and the classes they stand for; its inverse takes both. The classes are those that
occur, sorted, or those given, in the order given. A missing label has no code and is refused.
"""

from collections.abc import Hashable, Sequence
from typing import Any, TypeAlias

import numpy as np
from numpy.typing import ArrayLike

from likely.data.labels.target import class_array, read_target
from likely.errors import InputError
from likely.numeric.arrays import Array, Floats, Ints

Classes: TypeAlias = tuple[Hashable, ...]


def indices(labels: Any, classes: Sequence[Hashable] | None = None, start: int = 0) -> tuple[Ints, Classes]:
    """Place (n,) of each label among the classes, from 0, or from `start`.

    Parameters
    ----------
    start : the code of the first class

    >>> indices(["ham", "spam", "ham"])
    (array([0, 1, 0]), ('ham', 'spam'))
    >>> indices(["ham", "spam", "ham"], start=1)[0]  # 1 .. K
    array([1, 2, 1])
    """
    target = read_target(labels)
    if target.hidden:
        row = int(np.flatnonzero(target.codes < 0)[0])
        raise InputError(f"the label of row {row} is missing; give every row a label or leave the row out")
    codes = target.codes.astype(np.int64)
    if classes is None:
        return codes + start, target.classes
    wanted = _distinct(classes)
    place = {name: i for i, name in enumerate(wanted)}
    unknown = [name for name in target.classes if name not in place]
    if unknown:
        row = int(np.flatnonzero(codes == target.classes.index(unknown[0]))[0])
        raise InputError(f"the label {unknown[0]!r} of row {row} is not among the classes {list(wanted)}")
    return np.array([place[name] for name in target.classes], dtype=np.int64)[codes] + start, wanted


def from_indices(codes: ArrayLike, classes: Sequence[Hashable], start: int = 0) -> Array:
    """Labels (n,) of places among the classes, the first of which is `start`.

    Parameters
    ----------
    start : the code of the first class

    >>> from_indices([0, 1, 0], ("ham", "spam"))
    array(['ham', 'spam', 'ham'], dtype='<U4')
    """
    places, names = np.asarray(codes), _distinct(classes)
    if places.ndim != 1 or (places.size and places.dtype.kind not in "iu"):
        raise InputError(f"codes are a vector of whole numbers, got {places.dtype} of shape {places.shape}")
    wrong = (places < start) | (places >= len(names) + start)
    if wrong.any():
        row, last = int(np.flatnonzero(wrong)[0]), len(names) + start - 1
        raise InputError(f"row {row} holds code {places[row]}, but there are {len(names)} classes: {start} .. {last}")
    return _array_of(names)[places.astype(np.int64) - start]


def signs(labels: ArrayLike, classes: Sequence[Hashable] | None = None) -> tuple[Ints, Classes]:
    """-1 (n,) for the first of two classes and +1 for the second.

    Labels of a single class need `classes` to say which of the two it is.

    >>> signs(["ham", "spam", "ham"])
    (array([-1,  1, -1]), ('ham', 'spam'))
    """
    codes, names = indices(labels, classes)
    if len(names) != 2:
        raise InputError(
            f"signs are for two classes, got {len(names)}: {list(names)}; use `indicator` or name two `classes`"
        )
    return 2 * codes - 1, names


def from_signs(values: ArrayLike, classes: Sequence[Hashable]) -> Array:
    """Labels (n,) of signs: the first class for -1, the second for +1.

    >>> from_signs([-1, 1], ("ham", "spam"))
    array(['ham', 'spam'], dtype='<U4')
    """
    if len(classes) != 2:
        raise InputError(f"signs are for two classes, got {len(classes)}")
    coded = np.asarray(values)
    wrong = np.abs(coded) != 1
    if coded.ndim != 1 or wrong.any():
        raise InputError("signs are a vector of -1 and +1; for scores take their sign first and decide what 0 means")
    return from_indices((coded > 0).astype(np.int64), classes)


def indicator(labels: ArrayLike, classes: Sequence[Hashable] | None = None) -> tuple[Floats, Classes]:
    """1-from-K matrix (n, K): a one in the column of the row's class.

    >>> indicator(["b", "a", "c"])
    (array([[0., 1., 0.],
           [1., 0., 0.],
           [0., 0., 1.]]), ('a', 'b', 'c'))
    """
    codes, names = indices(labels, classes)
    matrix = np.zeros((len(codes), len(names)))
    matrix[np.arange(len(codes)), codes] = 1.0
    return matrix, names


def from_indicator(matrix: ArrayLike, classes: Sequence[Hashable]) -> Array:
    """Labels (n,) of a 1-from-K matrix (n, K).

    >>> from_indicator([[0, 1], [1, 0]], ("ham", "spam"))
    array(['spam', 'ham'], dtype='<U4')
    """
    rows = np.asarray(matrix)
    if rows.ndim != 2 or rows.shape[1] != len(classes):
        raise InputError(f"an indicator matrix of {len(classes)} classes has that many columns, got shape {rows.shape}")
    ones = rows == 1
    wrong = (ones.sum(axis=1) != 1) | ((rows != 0) & ~ones).any(axis=1)
    if wrong.any():
        row = int(np.flatnonzero(wrong)[0])
        raise InputError(f"row {row} of the indicator matrix, {rows[row].tolist()}, is not a single one among zeros")
    return from_indices(ones.argmax(axis=1), classes)


def augmented(x: ArrayLike) -> Floats:
    """Rows (n, d) with a leading column of ones (n, 1 + d), or one row (d,) with a leading 1 (1 + d,).

    >>> augmented([[3, 4], [5, 6]])
    array([[1., 3., 4.],
           [1., 5., 6.]])
    >>> float(augmented([3, 4]) @ [0.5, 2, -1])  # w . x + w_0 with w_0 = 0.5 and w = (2, -1)
    2.5
    """
    rows = np.asarray(x, dtype=np.float64)
    if rows.ndim not in (1, 2):
        raise InputError(f"rows of attributes are a matrix, and one row a vector; got an array of shape {rows.shape}")
    out = np.empty((*rows.shape[:-1], rows.shape[-1] + 1))
    out[..., 0] = 1.0
    out[..., 1:] = rows
    return out


def without_constant(x: ArrayLike) -> Floats:
    """Rows (n, d) of augmented rows (n, 1 + d), or one of them.

    >>> without_constant([[1, 3, 4]])
    array([[3., 4.]])
    """
    rows = np.asarray(x, dtype=np.float64)
    if rows.ndim not in (1, 2) or rows.shape[-1] < 1 or (rows[..., 0] != 1).any():
        raise InputError("augmented rows begin with a column of ones; these do not")
    return rows[..., 1:].copy()


def _distinct(classes: Sequence[Hashable]) -> Classes:
    names = tuple(classes)
    if len(set(names)) != len(names):
        raise InputError(f"the classes {list(names)} name one of them twice")
    return names


def _array_of(names: Classes) -> Array:
    """Numbers or text where all names are of one type; objects otherwise, so that no name changes."""
    if len({type(name) for name in names}) == 1 and isinstance(names[0], bool | int | float | str):
        return class_array(names)
    array = np.empty(len(names), dtype=object)
    for place, name in enumerate(names):  # one by one: a name may itself be a sequence
        array[place] = name
    return array
