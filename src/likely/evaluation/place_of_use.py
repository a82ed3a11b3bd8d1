"""Judging a model for the place where it is used, whose classes are not as frequent as among the rows at hand.

A `Decider` with a prior answers for rows of which so many are of each class. About rows in other shares its answers
cost something else; they tell how it does in its place where each row counts as its class is frequent there
(`share_weights`). A prior given to `evaluate` is a place too: the model is asked under it, and the rows are weighed so.
"""

from copy import copy
from dataclasses import replace
from typing import Any

import numpy as np

from likely.data.accepted import PriorLike
from likely.decisions.decider import Decider
from likely.errors import InputError
from likely.evaluation.measures.share_weights import share_weights, shares_in_words, shares_of, weighed_in_words
from likely.evaluation.resampling.cross_validation import CrossValidation
from likely.evaluation.said import Said
from likely.models.any_classifier.posteriors import names_of, read_class_prior
from likely.models.traits.prior_shift import shift_log_posterior
from likely.numeric.arrays import Floats

OBSERVED = "observed"  # the rows in the shares that they have, whatever the model takes them to be


def in_place(judged: Any, prior: PriorLike | None) -> Any:
    """What is judged, asked under the prior that is given; as it is where none is."""
    if prior is None or _is_observed(prior):
        return judged
    if isinstance(judged, CrossValidation):
        raise InputError(
            "a cross-validation has asked its model already: cross-validate Decider(model, prior=...), whose rows are "
            "weighed by its prior"
        )
    if isinstance(judged, Decider):
        moved = copy(judged)
        moved.prior = prior
        return moved
    if hasattr(judged, "predict") and not hasattr(judged, "class_prior_"):
        raise InputError(
            f"{type(judged).__name__} does not say the prior of its probabilities (class_prior_): judge "
            "Decider(model, prior=...)"
        )
    return judged


def is_weighed(judged: Any, prior: PriorLike | None) -> bool:
    """Whether rows count as a prior says."""
    return not _is_observed(prior) and (prior is not None or own_prior(judged) is not None)


def own_prior(judged: Any) -> Floats | None:
    """The shares of the classes (k,) that a model was fitted to be used under; None: those of training."""
    model = judged.model if isinstance(judged, CrossValidation) else judged
    if not isinstance(model, Decider) or model.prior is None:
        return None
    classes = judged.classes if isinstance(judged, CrossValidation) else model.classes_
    return read_class_prior(model.prior, classes, "prior")


def weighed(said: Said, judged: Any, prior: PriorLike | None) -> tuple[Said, str]:
    """What was said of rows that count as the prior has it, and a note that says so."""
    own, there = own_prior(judged), None
    if prior is not None and not _is_observed(prior) and not isinstance(judged, Decider):
        there = read_class_prior(prior, np.array(said.classes), "prior")
        said = _moved(said, judged, there)
    elif own is not None:
        known = judged.classes if isinstance(judged, CrossValidation) else judged.classes_
        place = {name: code for code, name in enumerate(said.classes)}
        there = np.full(len(said.classes), np.nan)  # of classes that the model does not know it says nothing
        there[[place[name] for name in names_of(known)]] = own
    if there is None:
        return said, ""
    takes = "the model takes" if prior is None or own is not None else "the prior given is"
    shares = shares_of(said.y, len(there), said.weight)
    if _is_observed(prior):
        told, held = shares_in_words(said.classes, there), shares_in_words(said.classes, shares)
        return said, f"{takes} {told}; these rows hold {held}, and count as they are"
    weight = share_weights(said.y, there, said.weight)
    return replace(said, weight=weight), weighed_in_words(takes, said.classes, there, shares)


def _moved(said: Said, judged: Any, there: Floats) -> Said:
    """Posteriors under the prior of this place, and the most probable classes; of predictions, as they were made."""
    if not hasattr(judged, "predict") or not said.has_probabilities:
        return said
    before = np.zeros(len(there))
    place = {name: code for code, name in enumerate(said.classes)}
    before[[place[name] for name in names_of(judged.classes_)]] = judged.class_prior_
    moved = shift_log_posterior(said.log_probabilities("prior"), before, there, np.array(said.classes))
    return replace(said, log_posterior=moved, posterior=np.exp(moved), answers=None)


def _is_observed(prior: Any) -> bool:
    return isinstance(prior, str) and prior == OBSERVED
