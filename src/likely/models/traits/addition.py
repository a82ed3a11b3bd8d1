"""`one + other` of models that have no sum: refused, with the reason and what to do.

Models learned in one pass override it (`a + b` is `a.merge(b)`); those that refuse to merge for reasons of their own
say these.
"""

from typing import Any

from likely.errors import TierError


class WithoutSum:
    """A model whose sum with another is refused, unless a subclass has one."""

    def __add__(self, other: Any) -> Any:
        if not isinstance(other, WithoutSum):
            return NotImplemented
        if hasattr(self, "merge"):
            return self.merge(other)
        raise TierError(self._why_no_sum())

    def __radd__(self, other: Any) -> Any:
        if not isinstance(other, WithoutSum):
            return NotImplemented
        raise TierError(f"{type(other).__name__} and {type(self).__name__} are models of two kinds, which have no sum")

    def _why_no_sum(self) -> str:
        name, kind = type(self).__name__, getattr(self, "_estimator_type", None)
        merging = {"classifier": "NaiveBayes, GaussianBayes and LeastSquaresClassifier"}
        others = f"; of models learned in one pass two can be merged: {merging[kind]}" if kind in merging else ""
        return (
            f"{name} is learned in many passes over all rows together and keeps no sums of them: two such models "
            f"cannot be merged. Fit one on all rows{others}"
        )
