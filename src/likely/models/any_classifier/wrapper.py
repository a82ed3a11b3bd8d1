"""What `Calibrated` and `Decider` share: they hold another classifier and face the world as one."""

from collections.abc import Hashable, Iterator, Mapping
from dataclasses import replace
from typing import Any, Self

import numpy as np

from likely.data.accepted import PriorLike, TableLike, TargetLike
from likely.data.inputs import more_than_once
from likely.errors import InputError, InputTypeError, NotFittedError
from likely.models.any_classifier.asking import Training, split_column
from likely.models.any_classifier.inside import name_target, unwrap
from likely.models.any_classifier.outcome import Outcome, Rescaling, sides, spoken_for
from likely.models.any_classifier.posteriors import names_of
from likely.models.estimator import Classifier, Estimator
from likely.models.held_out.exact_or_refit import HeldOut
from likely.models.traits.answers import read_for, ready_for
from likely.models.traits.decision_function import DecisionFunction
from likely.models.traits.evidence import told_in_kind
from likely.models.traits.face import Face
from likely.models.traits.protocols import FittedClassifier
from likely.models.traits.state import as_it_is, of_one_state
from likely.numeric.arrays import Array, Floats, PerRow

_FROM_OUTSIDE = {
    "merge": "merge two by likely.decisions.merge_models(one, other)",
    "forget": "let it forget rows by likely.decisions.forget_rows(model, X, y)",
    "partial_fit": "let it learn more rows by likely.decisions.learn_more(model, X, y)",
}


class Wrapper(DecisionFunction, Classifier):
    """A classifier around a classifier."""

    estimator: Any  # a Learner; with cv="prefit" a FittedClassifier
    cv: Any

    estimator_: FittedClassifier  # the one that predicts
    classes_: Array  # (k,)

    def __sklearn_is_fitted__(self) -> bool:
        return hasattr(self, "estimator_")

    @of_one_state
    @told_in_kind
    def evidence(
        self, X: TableLike, against: Hashable = None, for_class: Hashable = None, prior: PriorLike | None = None
    ) -> Any:
        """Weight of evidence: bits each feature of the model inside gives to the class that `predict` says.

        They are of the posterior in the end, after calibration and another prior: the bits of the prior and of the
        features sum to the log2 odds of the probability that `predict_proba` gives. Exact where what is done to the
        model's log posterior is a slope and an offset; else approximate, and marked so.
        """
        inside, X = self._explainable("evidence_after"), ready_for(self, X)
        return inside.evidence_after(X, self._outcome(X, against, for_class, prior))

    @of_one_state
    @told_in_kind
    def text_evidence(
        self,
        X: TableLike,
        column: str | None = None,
        against: Hashable = None,
        for_class: Hashable = None,
        prior: PriorLike | None = None,
    ) -> Any:
        """Bits that each word of a text column gives to the class that `predict` says, as those of `evidence`."""
        inside, X = self._explainable("text_evidence_after"), read_for([self], more_than_once(X))
        return inside.text_evidence_after(X, column, self._outcome(X, against, for_class, prior))

    def _outcome(self, X: TableLike, against: Hashable, for_class: Hashable, prior: PriorLike | None) -> Outcome:
        """What is said of the rows in the end, and how it came of the model inside."""
        own, other = sides(self.classes_, for_class, against)
        log_posterior, member = self._said(X, prior)
        member = spoken_for(log_posterior, member, own, other)
        return Outcome(log_posterior, member, other, self._whole_rescaling(prior))

    def _said(self, X: TableLike, prior: PriorLike | None) -> tuple[Floats, Array]:
        """The log posterior (n, k) of rows, and the place of the class that `predict` says of each (n,)."""
        raise NotImplementedError

    def _why_no(self, verb: str) -> str:
        name, how = type(self).__name__, _FROM_OUTSIDE[verb]
        return f"{name} is no sum itself, what it holds may be: {how}"

    def _rescaling(self, prior: PriorLike | None) -> Rescaling:
        """What this wrapper does to the log posterior of the classifier that it holds, or what comes near."""
        raise NotImplementedError

    def _whole_rescaling(self, prior: PriorLike | None = None) -> Rescaling:
        """What all wrappers from the model inside to this one do."""
        own, held = self._rescaling(prior), self.estimator_
        return own.after(held._whole_rescaling()) if isinstance(held, Wrapper) else own

    def _explainable(self, verb: str) -> Any:
        """The model inside, which can tell what each feature says."""
        self._check_fitted()
        inside = unwrap(self)
        if not hasattr(inside, verb):
            raise InputTypeError(
                f"{type(inside).__name__} does not weigh its features one by one, so it has no evidence"
            )
        return inside

    def _labelled(self, X: TableLike, y: TargetLike) -> Iterator[tuple[Any, Any]]:
        from likely.data.sources import TableSource

        inside = unwrap(self)
        if isinstance(X, TableSource) and isinstance(inside, Estimator):  # which knows how the file is to be read
            yield from inside._labelled(X, y)
        else:
            yield split_column(X, y) if isinstance(y, str) else (X, y)

    def _face(self) -> Face:
        """That of the model inside, under this one's name."""
        inside = unwrap(self)
        return replace(inside._face(), title=repr(self)) if isinstance(inside, Estimator) else super()._face()

    def get_metadata_routing(self) -> Any:
        """Which metadata `fit` takes itself, and which it hands to the estimator and to the splitter of `cv`."""
        from sklearn.utils.metadata_routing import MetadataRouter, MethodMapping

        router = MetadataRouter(owner=self).add_self_request(self)
        router.add(estimator=self.estimator, method_mapping=MethodMapping().add(caller="fit", callee="fit"))
        if hasattr(self.cv, "get_metadata_routing"):
            router.add(splitter=self.cv, method_mapping=MethodMapping().add(caller="fit", callee="split"))
        return router

    @classmethod
    def _get_class_level_metadata_request_values(cls, method_name: str, *given: Any, **options: Any) -> Any:
        asked = super()._get_class_level_metadata_request_values(method_name, *given, **options)
        return {name: value for name, value in asked.items() if name != "groups"}  # which the splitter asks for

    def __sklearn_tags__(self) -> Any:
        from copy import deepcopy

        from sklearn.utils import get_tags

        tags = super().__sklearn_tags__()
        tags.input_tags = deepcopy(get_tags(self.estimator).input_tags)
        return tags

    def _hold(
        self,
        X: TableLike,
        y: TargetLike,
        sample_weight: PerRow,
        groups: PerRow = None,
        options: Mapping[str, Any] | None = None,
    ) -> HeldOut:
        """Fit a clone on the data, or keep the fitted estimator with cv="prefit"; it and the data in its classes."""
        data = Training.of(X, y, sample_weight, leave_out=True).read_for(self)
        if groups is not None or options:
            data = data.beside(groups, options or {})
        if isinstance(self.cv, str):
            if self.cv != "prefit":
                raise InputError(f"unknown cv={self.cv!r}; give a number of folds, or 'prefit' for a fitted estimator")
            if not hasattr(self.estimator, "classes_"):
                raise NotFittedError(f"cv='prefit' needs a fitted estimator, and {self.estimator!r} is not; fit it")
            table, held = None, self.estimator
        else:
            whole = HeldOut(self.estimator, data)
            table, held = whole.table, whole.fitted()
            if isinstance(y, str):
                name_target(held, y)
        if not hasattr(held, "classes_"):
            raise InputTypeError(f"{type(held).__name__} is no classifier: it has no classes_ after it is fitted")
        known, seen = set(names_of(held.classes_)), set(data.classes)
        if not seen <= known:
            stranger = next(name for name in data.classes if name not in known)
            raise InputError(f"y holds class {stranger!r}, which the fitted estimator does not know")
        self._take_over(held)
        return HeldOut(held, data.over(names_of(self.classes_)), table)

    def _take_over(self, held: FittedClassifier) -> None:
        """Predict with a fitted classifier: its classes and columns are this one's."""
        names = ("n_features_in_", "feature_names_in_")
        columns = {name: getattr(held, name) for name in names if hasattr(held, name)}
        self._become({"estimator_": held, "classes_": np.asarray(held.classes_), **columns})

    def _as_it_is(self) -> Self:
        """With the model inside as it is now, too: it may be somebody else's, who learns on."""
        still = super()._as_it_is()
        if still is not self and still.__sklearn_is_fitted__():
            inside = as_it_is(still.estimator_)
            if still.estimator is still.estimator_:
                still.estimator = inside
            still.estimator_ = inside
        return still
