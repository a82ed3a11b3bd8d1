"""Decider: a classifier that takes the decision which the user's costs call for.

    posterior of any classifier -> the prior of the place where it is used -> a rule -> an answer, or none

The rules are those of `decide`, and "recalibrated": weights of the likelihoods that lose least (`recalibrated`). Two
things are learned from out-of-fold posteriors at fit: those weights, and with `max_error` how sure a row must be to be
answered, such that the mistakes among the answers to rows left out stay at or below that rate. Where `prior` says that
classes will be more or less frequent than in training, the rows count accordingly.
"""

import warnings
from dataclasses import replace
from typing import Any, Self

import numpy as np

from likely.decisions.costs import CostMatrix
from likely.decisions.priors import PriorEstimate, estimate_prior, shift_log_posterior
from likely.decisions.recalibrated import RecalibratedLikelihood, recalibrate
from likely.decisions.rules import Decision, decide, error_threshold, settle
from likely.errors import InputError
from likely.models.any_classifier.asking import Training, check_probabilities, log_posteriors
from likely.models.any_classifier.posteriors import names_of, read_class_prior
from likely.models.any_classifier.wrapper import Wrapper
from likely.models.held_out.exact_or_refit import HeldOut
from likely.models.protocols import Learner
from likely.numeric.arrays import Array, Floats
from likely.numeric.logspace import log_normalize, log_of

RULES = ("risk", "error", "map", "bits", "likelihood", "recalibrated")


class Decider(Wrapper):
    """A Bayes decision rule around any classifier with probabilities: least risk, with costs, prior and abstention.

    Parameters
    ----------
    estimator : classifier with predict_proba
    costs : costs[truth][said], anything `CostMatrix.of` takes; None: every mistake costs 1
        One matrix per row (n, k, k) can be given to `decide`.
    prior : None, "uniform", one probability per class, or a mapping
        Of the classes where the model is used; None: as in training.
    reject : cost of not answering; None: every row is answered
    max_error : highest share of mistakes among the answers; None: no limit
    rule : "risk", "error", "map", "bits", "likelihood" or "recalibrated"
    ties : "first", "last" or "random" of equally good classes
    training_prior : the prior behind the estimator's posteriors
        None: its `class_prior_` if it has one, else the shares of the classes in y. Say "uniform" for an estimator that
        balanced the classes.
    reject_label : what `predict` says of a row that is not answered
    cv : int, "prefit", an object with split, or pairs of training and test rows
        Folds for what is learned out of fold; "prefit" keeps the fitted estimator and learns that from X and y.
    random_state : seed of the folds and of random ties

    Examples
    --------
    >>> from likely import NaiveBayes
    >>> from likely import Decider
    >>> X, y = [[1.0], [2.0], [3.0], [4.0], [5.0], [6.0]], ["well", "well", "ill", "well", "ill", "ill"]
    >>> careful = Decider(NaiveBayes(), costs={"ill": {"well": 10}, "well": {"ill": 1}}).fit(X, y)
    >>> careful.predict([[1.0], [2.7]]), NaiveBayes().fit(X, y).predict([[1.0], [2.7]])
    (array(['well', 'ill'], dtype='<U4'), array(['well', 'well'], dtype='<U4'))
    >>> careful.decide([[2.7]]).expected_cost.round(2)
    array([0.77])
    """

    training_prior_: Floats  # (k,)
    recalibrated_: RecalibratedLikelihood  # with rule="recalibrated"
    error_threshold_: float  # with max_error: the largest conditional error that is answered

    def __init__(
        self,
        estimator: Learner,
        costs: Any = None,
        prior: Any = None,
        reject: float | None = None,
        max_error: float | None = None,
        rule: str = "risk",
        ties: str = "first",
        training_prior: Any = None,
        reject_label: Any = None,
        cv: Any = 5,
        random_state: Any = None,
    ) -> None:
        self.estimator = estimator
        self.costs = costs
        self.prior = prior
        self.reject = reject
        self.max_error = max_error
        self.rule = rule
        self.ties = ties
        self.training_prior = training_prior
        self.reject_label = reject_label
        self.cv = cv
        self.random_state = random_state

    def fit(self, X: Any, y: Any = None, sample_weight: Any = None) -> Self:
        """Learn the classifier, and what its decisions need, from rows X with classes y (or a column's name)."""
        if self.rule not in RULES:
            raise InputError(f"unknown rule={self.rule!r}; choose from {', '.join(RULES)}")
        if self.reject is not None and not self.reject >= 0:
            raise InputError(f"reject is what not answering costs, 0 or more; got {self.reject!r}")
        with self._anew():
            held = self._hold(X, y, sample_weight)
            check_probabilities(self.estimator_)
            if self.costs is not None:
                CostMatrix.of(self.costs, self.classes_)
            self.training_prior_ = self._training_prior(held.data)
            self._prior(None)
            if self.rule == "recalibrated" or self.max_error is not None:
                self._learn_out_of_fold(held)
        return self

    def predict(self, X: Any) -> Array:
        """What to say of each row; `reject_label` where it is better not answered."""
        return self.decide(X).answers(self.reject_label)

    def predict_proba(self, X: Any, prior: Any = None) -> Floats:
        """Posterior probabilities (n, k) under the prior of this call, of the constructor, or of training."""
        return np.asarray(np.exp(self.predict_log_proba(X, prior)))

    def predict_log_proba(self, X: Any, prior: Any = None) -> Floats:
        """Their logarithms."""
        self._check_fitted()
        return self._shifted(log_posteriors(self.estimator_, X, names_of(self.classes_)), self._prior(prior))

    def decide(self, X: Any, costs: Any = None, prior: Any = None, reject: float | None = None) -> Decision:
        """The decision on each row with its expected cost and margin; costs, prior and reject for this call only."""
        self._check_fitted()
        found = log_posteriors(self.estimator_, X, names_of(self.classes_))
        decision = self._decide(found, self._prior(prior), costs, reject)
        if self.max_error is None:
            return decision
        unsure = decision.error > self.error_threshold_
        cost = self.reject if reject is None else reject
        return replace(
            decision,
            rejected=decision.rejected | unsure,
            expected_cost=np.where(unsure, 0.0 if cost is None else cost, decision.expected_cost),
        )

    def estimate_prior(self, X: Any, confidence: float = 0.95, **options: Any) -> PriorEstimate:
        """Shares of the classes among unlabelled rows, with intervals; options as of the function of this name."""
        self._check_fitted()
        found = log_posteriors(self.estimator_, X, names_of(self.classes_))
        return estimate_prior(
            found, self.training_prior_, self.classes_, confidence=confidence, form="log_posterior", **options
        )

    def _decide(self, found: Floats, prior: Floats | None, costs: Any, reject: float | None) -> Decision:
        """From the estimator's own log posteriors."""
        log_posterior = self._shifted(found, prior)
        given = self.costs if costs is None else costs
        cost = self.reject if reject is None else reject
        seed: Any = self.random_state
        if self.rule not in ("likelihood", "recalibrated"):
            rule: Any = self.rule
            ties: Any = self.ties
            return decide(
                log_posterior, self.classes_, given, rule, cost, form="log_posterior", ties=ties, random_state=seed
            )
        score = self._log_likelihood(found)
        if self.rule == "recalibrated":
            score = self.recalibrated_.score(score)
        matrix = CostMatrix.zero_one(self.classes_) if given is None else CostMatrix.of(given, self.classes_)
        ties = self.ties
        return settle(self.classes_, log_posterior, score, matrix, cost, None, ties, seed)

    def _learn_out_of_fold(self, held: HeldOut) -> None:
        data = held.data
        if isinstance(self.cv, str):
            rows, found = np.arange(len(data.codes)), log_posteriors(self.estimator_, data.X, data.classes)
        else:
            rows, found = held.scores(self.cv, self.random_state)
        truth = data.codes[rows]
        weight = np.ones(len(rows)) if data.weight is None else data.weight[rows]
        prior = self._prior(None)
        if prior is not None:  # the rows as they would be under that prior
            shares = data.shares()
            weight = weight * (prior / np.where(shares > 0, shares, 1.0))[truth]
        names = self.classes_[truth]
        if self.rule == "recalibrated":
            self.recalibrated_ = recalibrate(
                names, self._log_likelihood(found), self.classes_, self.costs, sample_weight=weight
            )
        if self.max_error is not None:
            said = self._decide(found, prior, None, None)
            self.error_threshold_ = error_threshold(said.error, self.max_error, said.code != truth, weight)
            if not (said.error <= self.error_threshold_).any():
                warnings.warn(
                    f"no row can be answered: even the surest rows left out were wrong more often than max_error="
                    f"{self.max_error}. Allow more, or use a better model.",
                    stacklevel=3,
                )

    def _log_likelihood(self, found: Floats) -> Floats:
        """Log likelihoods, each row up to a constant: the posterior without the training prior."""
        if (self.training_prior_ == 0).any():
            raise InputError("a class with training prior 0 has no likelihood to compare; give training_prior=")
        return np.asarray(found - log_of(self.training_prior_))

    def _shifted(self, found: Floats, prior: Floats | None) -> Floats:
        if prior is None:
            return log_normalize(found)
        return shift_log_posterior(found, self.training_prior_, prior, self.classes_)

    def _prior(self, prior: Any) -> Floats | None:
        chosen = self.prior if prior is None else prior
        return None if chosen is None else read_class_prior(chosen, self.classes_, "prior")

    def _training_prior(self, data: Training) -> Floats:
        if self.training_prior is not None:
            return read_class_prior(self.training_prior, self.classes_, "training prior")
        own = getattr(self.estimator_, "class_prior_", None)
        if own is not None and np.shape(own) == self.classes_.shape:
            return np.asarray(own, dtype=np.float64)
        return data.shares()
