"""What a model can go on to do: learn more rows, merge, forget; of a fitted one, or of its node in a file.

Both are asked the same: whether the class has the verb, and whether anything that this model was given or has learned
stands in its way (`obstacle`). A model that calibrates or decides can what the model inside can; a pool, what all of
its members can. A node is read as it is, without rebuilding the model.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Self

from likely.store import registry

_METHODS = {"update": "partial_fit", "merge": "merge", "forget": "forget"}


@dataclass(frozen=True)
class GoingOn:
    """What stands for a model, fitted or in a file, in the question what it can go on to do."""

    kind: type[Any]
    given: Mapping[str, Any]  # its parameters, as far as they are plain
    summed: bool  # whether it kept the sums of its rows
    climbed: bool  # whether it learned in passes of EM
    members: Mapping[str, "GoingOn"]  # of a pool, by name; of what is around another model, that one without a name

    @classmethod
    def of_model(cls, model: Any) -> Self:
        """Of a fitted model.

        >>> from likely import LogisticRegression
        >>> model = LogisticRegression().fit([[1.0], [2.0], [3.0], [4.0]], ["a", "b", "a", "b"])
        >>> GoingOn.of_model(model).abilities, GoingOn.of_model(LogisticRegression(C="auto")).why_not("update")
        ({'update': True, 'merge': False, 'forget': False}, "its penalty was chosen by all rows together (C='auto')")
        """
        members = getattr(model, "estimators_", None)
        if hasattr(model, "estimator_"):
            around = {"": cls.of_model(model.estimator_)}
        else:
            around = {name: cls.of_model(one) for name, one in members.items()} if isinstance(members, dict) else {}
        given = model.get_params(deep=False) if hasattr(model, "get_params") else {}
        summed = getattr(model, "statistic_", None) is not None
        return cls(type(model), given, summed, hasattr(model, "passes_"), around)

    @classmethod
    def of_node(cls, node: dict[str, Any]) -> Self:
        """Of the node of a file."""
        fitted, given = node["fitted"], node["parameters"]
        pooled = {name: cls.of_node(one) for name, one in fitted.items() if name.startswith("member ")}
        inside = None if pooled else fitted.get("estimator") or given.get("estimator")
        if inside:
            held = inside.get("estimator")
            pooled = {"": cls.of_node(held if isinstance(held, dict) else inside)}
        training, learned = fitted.get("training"), fitted.get("learned")
        kept = dict(learned["dict"]) if isinstance(learned, dict) and "dict" in learned else {}
        climbed = isinstance(training, dict) and training.get("passes") is not None
        summed = kept.get("scatter") is not None or kept.get("statistic") is not None
        return cls(registry.estimators()[node["estimator"]], given, summed, climbed, pooled)

    @property
    def abilities(self) -> dict[str, bool]:
        """Whether it can be updated, merged, and made to forget."""
        return {verb: self.can(verb) for verb in _METHODS}

    def can(self, verb: str) -> bool:
        """Whether it can update, merge or forget."""
        if self.members:
            return not self.hindering(verb)
        return callable(getattr(self.kind, _METHODS[verb], None)) and not self.why_not(verb)

    def why_not(self, verb: str) -> str:
        """What stands in the way of a verb that the class has, in words; empty: nothing."""
        if not callable(getattr(self.kind, _METHODS[verb], None)):  # a class that takes it back has a property there
            return ""
        if self.climbed:
            return "it was learned in passes of EM over all rows"
        return str(getattr(self.kind, "obstacle", _nothing)(self.given, self.summed))

    def hindering(self, verb: str) -> list[str]:
        """The names of the members that cannot."""
        return [name for name, one in self.members.items() if not one.can(verb)]


def abilities(node: dict[str, Any]) -> dict[str, bool]:
    """Whether the model of a node can be updated, merged, and made to forget."""
    return GoingOn.of_node(node).abilities


def _nothing(given: Mapping[str, Any], summed: bool) -> str:
    return ""
