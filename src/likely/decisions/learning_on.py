"""Models that go on learning, merge and forget inside calibration and decisions.

The model inside does as it does by itself, exactly. What is around it follows:

    the map of `Calibrated`      is learned again, from scores of rows left out (`kept_scores`): those it had, and those
                                 of new rows before they are learned; of two models that merge those of both; less
                                 those of rows that are forgotten
    its track record             is of the same scores under the new map
    a class that is new          no map knows it: the calibration is left behind, with a warning; where one of two
                                 models knows all classes of both, its map serves both
    the prior behind a Decider   is that of the model as it is now; costs and what was learned for them are kept

A score that is kept was made by the model of its time, which had learned fewer rows. Where no scores are kept (files of
earlier versions, a class without a row in the sample), the map stays and its offsets follow the shares of the classes;
of two maps it is then the mean, each as heavy as its rows.
"""

import copy
import operator
import warnings
from collections.abc import Callable
from dataclasses import replace
from typing import Any

import numpy as np

from likely.data.accepted import TableLike, TargetLike
from likely.decisions.calibration.calibrated import Calibrated
from likely.decisions.calibration.kept_scores import KeptScores
from likely.decisions.calibration.maps.posterior_scaling import Scaling
from likely.decisions.decider import Decider
from likely.errors import InputError, TierError
from likely.models.any_classifier.asking import Training
from likely.models.any_classifier.posteriors import names_of
from likely.models.any_classifier.wrapper import Wrapper
from likely.models.traits.protocols import FittedClassifier
from likely.models.traits.tiers import Tiered
from likely.numeric.arrays import Array, Floats, PerRow
from likely.numeric.logspace import log_of


def learn_more(model: FittedClassifier, X: TableLike, y: TargetLike, sample_weight: PerRow = None) -> Any:
    """A model that has learned these rows too, calibration and decisions included; the old one stays as it was.

    >>> from likely import Calibrated, NaiveBayes
    >>> X, y = [[1.0], [2.0], [3.0], [4.0], [2.5], [3.5]], ["a", "a", "b", "b", "b", "a"]
    >>> model = learn_more(Calibrated(NaiveBayes(), cv=2).fit(X, y), [[0.0], [5.0]], ["a", "b"])
    >>> model.estimator_.class_count_, model.record_.n
    (array([4, 4]), 8.0)
    """
    return _changed(model, X, y, sample_weight, "partial_fit", "learn more rows", operator.add)


def forget_rows(model: FittedClassifier, X: TableLike, y: TargetLike, sample_weight: PerRow = None) -> Any:
    """A model that has unlearned these rows, and so has the map of its calibration; the old one stays as it was.

    >>> from likely import Calibrated, NaiveBayes
    >>> X, y = [[1.0], [2.0], [3.0], [4.0], [2.5], [3.5]], ["a", "a", "b", "b", "b", "a"]
    >>> model = Calibrated(NaiveBayes(), cv=2).fit(X, y)
    >>> forget_rows(model, X[:1], y[:1]).estimator_.class_count_
    array([2, 3])
    """
    return _changed(model, X, y, sample_weight, "forget", "forget rows", operator.sub)


def merge_models(one: FittedClassifier, other: FittedClassifier) -> Any:
    """A new model of the rows of both, neither changes; where one is not calibrated, the map of the other serves both.

    >>> from likely import NaiveBayes
    >>> one = NaiveBayes().fit([[1.0], [4.0]], ["a", "b"])
    >>> other = NaiveBayes().fit([[1.5], [2.0], [5.0]], ["a", "a", "b"])
    >>> merge_models(one, other).class_count_
    array([3, 2])
    """
    if isinstance(one, Decider) or isinstance(other, Decider):
        if isinstance(one, Decider) and isinstance(other, Decider) and _decisions(one) != _decisions(other):
            raise InputError("these models decide by different costs, priors or rules: they cannot be one model")
        decider: Any = one if isinstance(one, Decider) else other
        return _around(decider, merge_models(_inside(one, Decider), _inside(other, Decider)), None)
    if isinstance(one, Calibrated) or isinstance(other, Calibrated):
        held = merge_models(_inside(one, Calibrated), _inside(other, Calibrated))
        if not (isinstance(one, Calibrated) and isinstance(other, Calibrated)):
            calibrated: Any = one if isinstance(one, Calibrated) else other
            return _around(calibrated, held, None)
        if names_of(one.classes_) != names_of(other.classes_):
            knowing = [each for each in (one, other) if names_of(each.classes_) == names_of(held.classes_)]
            return _around(knowing[0] if knowing else one, held, None)
        if hasattr(one, "kept_") and hasattr(other, "kept_"):
            heavier = one if one.kept_.n >= other.kept_.n else other
            return _around(heavier, held, one.kept_ + other.kept_)
        return _both_maps(_around(one, held, None), _around(other, held, None), one, other)
    _check(one, "merge", "be merged")
    learner: Any = one
    return learner.merge(other)


def _changed(
    model: object,
    X: TableLike,
    y: TargetLike,
    sample_weight: PerRow,
    verb: str,
    purpose: str,
    kept: Callable[[Any, Any], Any],
) -> Any:
    """A copy that has done with these rows what the verb says, and with the scores its calibration has `kept`."""
    held = getattr(model, "estimator_", None)
    if held is None:
        _check(model, verb, purpose)
        return getattr(copy.deepcopy(model), verb)(X, y, sample_weight=sample_weight)
    scores = None
    if isinstance(model, Calibrated) and hasattr(model, "kept_"):
        data = _known(model, X, y, sample_weight)
        scores = None if data is None else kept(model.kept_, model.scored(data))
    return _around(model, _changed(held, X, y, sample_weight, verb, purpose, kept), scores)


def _check(model: object, verb: str, what: str) -> None:
    if not isinstance(model, Tiered) and not hasattr(model, verb):  # ours say so themselves
        raise TierError(f"{type(model).__name__} cannot {what}: fit again on all the data")


def _inside(model: object, wrapper: type[Wrapper]) -> Any:
    return model.estimator_ if isinstance(model, wrapper) else model


def _decisions(model: Decider) -> dict[str, str]:
    return {name: repr(value) for name, value in model.get_params(deep=False).items() if name != "estimator"}


def _known(model: Calibrated, X: TableLike, y: TargetLike, sample_weight: PerRow) -> Training | None:
    """The rows among the classes of the map; None where it does not know one of theirs."""
    data = Training.of(X, y, sample_weight, leave_out=True).read_for(model)
    names = names_of(model.classes_)
    return data.over(names) if set(data.classes) <= set(names) else None


def _around(model: Any, held: Any, kept: KeptScores | None) -> Any:
    """The wrapper around what the model inside has become, its map learned from these scores."""
    if names_of(held.classes_) != names_of(model.classes_):
        if isinstance(model, Calibrated):
            warnings.warn(
                f"the classes are now {', '.join(map(str, held.classes_[:10]))}, and the calibration knows others: it "
                "is left behind, and probabilities are those of the model inside. Fit again on all the data, or "
                "calibrate it with rows of all classes that it has not seen: Calibrated(model, cv='prefit').fit(X, y)",
                stacklevel=4,
            )
            return held
        if model.costs is not None or model.prior is not None or model.training_prior is not None:
            raise InputError(
                "the classes have changed, and costs and priors are of the old ones; fit again on all data"
            )
    new = copy.copy(model)
    new._take_over(held)
    if isinstance(model, Calibrated):
        new.class_prior_ = shares = _shares(held, model.class_prior_)
        if kept is None or not new.learn_again(kept):
            new.map_ = _moved(model.map_, model.class_prior_, shares, model.estimator_, held)
    elif model.training_prior is None:
        own = getattr(held, "class_prior_", None)
        new.training_prior_ = model.training_prior_ if own is None else np.asarray(own, dtype=np.float64)
    return new


def _shares(held: object, before: Floats) -> Floats:
    """Of the classes in all rows that the model inside has learned."""
    count: Array | None = getattr(held, "class_count_", None)
    return before if count is None or not count.sum() > 0 else np.asarray(count / count.sum(), dtype=np.float64)


def _moved(found: Any, before: Floats, after: Floats, old: Any, new: Any) -> Any:
    """The map with offsets by which the log posterior moves as the classes' shares do, whatever its slope.

    The scores move with the prior of the model inside, and the map takes its slope of that.
    """
    if not isinstance(found, Scaling) or (before <= 0).any() or (after <= 0).any():
        return found
    inside = [np.asarray(getattr(model, "class_prior_", before), dtype=np.float64) for model in (old, new)]
    if min(map(np.min, inside)) <= 0:
        return found
    by = log_of(after) - log_of(before) - found.slope * (log_of(inside[1]) - log_of(inside[0]))
    return replace(found, offset=found.offset + (by - by.mean()))


def _both_maps(first: Any, second: Any, one: Calibrated, other: Calibrated) -> Any:
    """Two calibrations of the same merged model as one; `one` and `other` are as they were."""
    rows = [float(np.sum(getattr(each.estimator_, "class_count_", 1.0))) for each in (one, other)]
    heavier = first if rows[0] >= rows[1] else second
    a, b = first.map_, second.map_
    if isinstance(a, Scaling) and type(a) is type(b):
        share = rows[0] / sum(rows)
        heavier.map_ = replace(
            a,
            slope=share * a.slope + (1 - share) * b.slope,
            offset=share * a.offset + (1 - share) * b.offset,
            floor=min(a.floor, b.floor),
            softened=a.softened or b.softened,
        )
    if hasattr(one, "record_") and hasattr(other, "record_"):
        heavier.record_ = one.record_ + other.record_
    return heavier
