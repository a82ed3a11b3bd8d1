"""What goes wrong, said plainly: what is wrong, where, and what to do about it.

Every mistake of the user's raises `LikelyError`. Its subclasses are also the built-in exception that
scikit-learn's conventions expect in that place, so that code written for either can catch them.
"""

import re
import sys
from collections.abc import Collection
from numbers import Integral, Real
from types import UnionType
from typing import Any

__all__ = ["CellError", "InputError", "InputTypeError", "LikelyError", "NotFittedError", "TierError"]


_LONGEST_WORD, _LONGEST = 300, 4_000  # characters of a message
_WORD = re.compile(rf"\S{{{_LONGEST_WORD + 1},}}")
_CONTROL = re.compile("[\x00-\x08\x0b-\x1f\x7f-\x9f\u200e\u200f\u2028-\u202e\u2066-\u2069]")


def readable(text: str) -> str:
    r"""A text for a terminal: control characters written out, so that none of them is carried out there.

    >>> readable("red \x1b[31m"), readable("two\nlines")
    ('red \\x1b[31m', 'two\nlines')
    """
    return _CONTROL.sub(lambda found: found[0].encode("unicode_escape").decode("ascii"), text)


class LikelyError(Exception):
    """A mistake in the input or in its use; the message says what, where and what to do.

    It quotes names and cells of the user's, which may be of any length and hold anything: they are shortened.

    >>> import likely
    >>> try:
    ...     likely.NaiveBayes().fit([[1.0], [2.0]], ["a", "b", "c"])
    ... except likely.LikelyError as wrong:
    ...     print(wrong)
    Found input variables with inconsistent numbers of samples: X has 2 rows and y has 3. Give one label per row.
    """

    def __str__(self) -> str:
        text = super().__str__()
        if len(text) > _LONGEST_WORD:
            text = _WORD.sub(lambda found: f"{found[0][:100]}…{found[0][-20:]}", text)
        if len(text) > _LONGEST:
            text = f"{text[: _LONGEST // 2]} … {text[-_LONGEST // 2 :]}"
        return readable(text)


class InputError(LikelyError, ValueError):
    """A value that cannot be used.

    >>> import likely
    >>> try:
    ...     likely.NaiveBayes(alpha=-1.0).fit([[1.0], [2.0]], [0, 1])
    ... except InputError as wrong:
    ...     print(isinstance(wrong, ValueError))
    True
    """


def check_choice(name: str, given: object, choices: Collection[object]) -> None:
    """Refuse what is none of the choices that an option has.

    >>> check_choice("ties", "last", ("first", "random"))
    Traceback (most recent call last):
    ...
    likely.errors.InputError: unknown ties='last'; choose from first, random
    """
    if given not in choices:
        raise InputError(f"unknown {name}={given!r}; choose from {', '.join(map(str, choices))}")


def check_type(given: object, kind: type | UnionType, expected: str) -> None:
    """Refuse what is not of a type, `expected` in words.

    >>> check_type(3, str, "a text")
    Traceback (most recent call last):
    ...
    likely.errors.InputTypeError: expected a text, got int
    """
    if not isinstance(given, kind):
        raise InputTypeError(f"expected {expected}, got {type(given).__name__}")


def is_whole(value: object) -> bool:
    """Whether it is a whole number, of Python or NumPy, and no truth value."""
    return isinstance(value, Integral) and not isinstance(value, bool)


def is_number(value: object) -> bool:
    """Whether it is a number, of Python or NumPy, and no truth value."""
    return isinstance(value, Real) and not isinstance(value, bool)


def check_whole(name: str, given: Any, least: int = 1, also: Collection[object] = ()) -> None:
    """Refuse what is no whole number from `least` up, and none of what it may be `also`.

    >>> check_whole("max_depth", 2.5, also=(None,))
    Traceback (most recent call last):
    ...
    likely.errors.InputError: max_depth must be a whole number from 1 up, or None, got 2.5
    """
    if not _is_one_of(given, also) and not (is_whole(given) and given >= least):
        raise InputError(f"{name} must be a whole number from {least} up{_or(also)}, got {given!r}")


def check_number(
    name: str,
    given: Any,
    low: float = 0.0,
    high: float = sys.float_info.max,
    *,
    above: bool = False,
    below: bool = False,
    also: Collection[object] = (),
) -> None:
    """Refuse what is no finite number from `low`, or above it, to `high`, or below it, and none of `also`.

    >>> check_number("C", 0.0, above=True)
    Traceback (most recent call last):
    ...
    likely.errors.InputError: C must be a positive number, got 0.0
    >>> check_number("share", 1.0, high=1.0, below=True)
    Traceback (most recent call last):
    ...
    likely.errors.InputError: share must be a number from 0 to below 1, got 1.0
    """
    if _is_one_of(given, also):
        return
    inside = is_number(given) and low <= given <= high
    if inside and not (above and given == low) and not (below and given == high):
        return
    if low == 0.0 and high == sys.float_info.max:
        kind = "positive number" if above else "finite number, not negative"
    else:
        kind = f"number {'above' if above else 'from'} {low:g} {'to below' if below else 'to'} {high:g}"
    raise InputError(f"{name} must be a {kind}{_or(also)}, got {given!r}")


def _is_one_of(given: object, also: Collection[object]) -> bool:
    return any(given is one or (isinstance(given, str) and given == one) for one in also)


def _or(also: Collection[object]) -> str:
    return "".join(f", or {one!r}" for one in also)


class CellError(InputError):
    """A cell that holds what its family cannot take; rows and columns are counted within what the family was given.

    Parameters
    ----------
    problem : what is wrong with the cell, as the end of a sentence

    >>> raised = CellError(3, 0, "is negative, and counts are not")
    >>> raised.row, raised.column
    (3, 0)
    """

    def __init__(self, row: int, column: int, problem: str) -> None:
        super().__init__(f"row {row}, column {column} {problem}")
        self.row, self.column, self.problem = row, column, problem
        self.part = 0  # which part of a product it was


class InputTypeError(LikelyError, TypeError):
    """An object of a type that cannot be used.

    >>> import likely
    >>> try:
    ...     likely.NaiveBayes().fit(None, [0, 1])
    ... except InputTypeError as wrong:
    ...     print(isinstance(wrong, TypeError))
    True
    """


class NotFittedError(LikelyError, ValueError, AttributeError):
    """The model has not learned anything yet.

    Parameters
    ----------
    arguments : the message

    >>> import likely
    >>> try:
    ...     likely.NaiveBayes().predict([[1.0]])
    ... except NotFittedError as wrong:
    ...     print(wrong)
    This NaiveBayes instance is not fitted yet. Call 'fit' with appropriate arguments before using it.
    """

    def __new__(cls, *arguments: object) -> "NotFittedError":
        # Where scikit-learn is loaded, its own error of this name must catch this one too.
        loaded = sys.modules.get("sklearn.exceptions")
        if cls is NotFittedError and loaded is not None:
            cls = type(cls.__name__, (NotFittedError, loaded.NotFittedError), {"__module__": __name__})
        return super().__new__(cls, *arguments)


class TierError(LikelyError, TypeError):
    """An operation that this kind of learning does not support (merging or forgetting after EM, say).

    >>> import likely
    >>> trees = [likely.DecisionTree().fit([[1.0], [2.0]], ["a", "b"]) for _ in range(2)]
    >>> try:
    ...     likely.decisions.merge_models(*trees)
    ... except TierError as wrong:
    ...     print(wrong)
    DecisionTree chooses its tests by all rows together: two such models cannot be merged. Fit one on all rows, ...
    """


class NoSuchVerbError(TierError, AttributeError):
    """A verb that models of this tier do not have: `hasattr` says no, and whoever calls it is told why.

    >>> import likely
    >>> model = likely.LogisticRegression()
    >>> hasattr(model, "merge"), hasattr(likely.NaiveBayes(), "merge")
    (False, True)
    >>> try:
    ...     model.merge(model)
    ... except NoSuchVerbError as wrong:
    ...     print(wrong)
    LogisticRegression is learned in many passes over all rows together and keeps no sums of them: two such models ...
    """
