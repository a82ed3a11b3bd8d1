"""What goes wrong, said plainly: what is wrong, where, and what to do about it.

Every mistake of the user's raises `LikelyError`. Its subclasses are also the built-in exception that
scikit-learn's conventions expect in that place, so that code written for either can catch them.
"""

import sys

__all__ = ["CellError", "InputError", "InputTypeError", "LikelyError", "NotFittedError", "TierError"]


class LikelyError(Exception):
    """A mistake in the input or in its use; the message says what, where and what to do."""


class InputError(LikelyError, ValueError):
    """A value that cannot be used."""


class CellError(InputError):
    """A cell that holds what its family cannot take; rows and columns are counted within what the family was given."""

    def __init__(self, row: int, column: int, problem: str) -> None:
        super().__init__(f"row {row}, column {column} {problem}")
        self.row, self.column, self.problem = row, column, problem
        self.part = 0  # which part of a product it was


class InputTypeError(LikelyError, TypeError):
    """An object of a type that cannot be used."""


class NotFittedError(LikelyError, ValueError, AttributeError):
    """The model has not learned anything yet."""

    def __new__(cls, *arguments: object) -> "NotFittedError":
        # Where scikit-learn is loaded, its own error of this name must catch this one too.
        loaded = sys.modules.get("sklearn.exceptions")
        if cls is NotFittedError and loaded is not None:
            cls = type(cls.__name__, (NotFittedError, loaded.NotFittedError), {"__module__": __name__})
        return super().__new__(cls, *arguments)


class TierError(LikelyError, TypeError):
    """An operation that this kind of learning does not support (merging or forgetting after EM, say)."""
