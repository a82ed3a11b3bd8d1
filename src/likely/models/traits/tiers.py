"""What models learned by sums can do and others cannot: merge, forget, learn more rows.

A model has the verbs of its tier and no others, so that `hasattr` says what it can do. Who asks it for one that is not
there is told why, and what to do; `one + other` of models that have no sum says the same.
"""

from collections.abc import Mapping
from typing import Any, ClassVar, Self, cast

from likely.errors import NoSuchVerbError, TierError
from likely.models.traits.state import Stateful

_CANNOT = {
    "merge": "two such models cannot be merged. Fit one on all rows",
    "forget": "it cannot forget rows. Fit it again without them",
    "partial_fit": "it cannot learn more rows. Fit it on all rows",
}


class Tiered(Stateful):
    """A model that says why it has no `merge`, `forget` or `partial_fit`, where it has none."""

    _how_it_learns: ClassVar[str] = "is learned in many passes over all rows together and keeps no sums of them"
    _instead: ClassVar[dict[str, str]] = {}  # of a verb that is not there: what else there is, as the end of a sentence

    @staticmethod
    def obstacle(given: Mapping[str, Any], summed: bool) -> str:
        """Why a model with these parameters cannot use the verbs that its class has, empty where it can.

        `summed`: whether it kept the sums of its rows.
        """
        return ""

    def _not_there(self, name: str) -> AttributeError:
        return NoSuchVerbError(self._why_no(name)) if name in _CANNOT else super()._not_there(name)

    def _why_no(self, verb: str) -> str:
        """Why there is no such verb, and what to do."""
        other = self._instead.get(verb, "")
        if not other and getattr(self, "_estimator_type", None) == "classifier":
            other = "; models learned in one pass can do so: NaiveBayes, GaussianBayes and LeastSquaresClassifier"
        return f"{type(self).__name__} {self._how_it_learns}: {_CANNOT[verb]}{other}"

    def __add__(self, other: object) -> Self:
        if not isinstance(other, Tiered):
            return NotImplemented
        if hasattr(self, "merge") and not hasattr(other, "merge"):
            raise TierError(
                f"{type(self).__name__} and {type(other).__name__} are models of two kinds, which have no sum"
            )
        return cast(Self, cast(Any, self).merge(other))
