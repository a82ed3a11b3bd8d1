"""Decider: a classifier that takes the decision which the user's costs call for.

    posterior of any classifier -> the prior of the place where it is used -> a rule -> an answer, or none

The rules are those of `decide`, and "recalibrated": weights of the likelihoods that lose least (`recalibrated`). Two
things are learned from out-of-fold posteriors at fit: those weights, and with `max_error` how sure a row must be to be
answered, such that with `confidence` the mistakes among the answers to new rows stay at or below that rate. Where
`prior` says that classes will be more or less frequent than in training, the rows count accordingly.
"""

import warnings
from collections.abc import Hashable
from dataclasses import replace
from typing import Any, Self

import numpy as np

from likely.data.accepted import PriorLike, TableLike, TargetLike
from likely.data.labels.target import are_texts
from likely.decisions.calibration.calibrated import Calibrated
from likely.decisions.calibration_need import calibrated_where_needed, of_the_rows_given, with_map
from likely.decisions.costs import CostMatrix, CostsLike
from likely.decisions.decision import Decision
from likely.decisions.priors import PriorEstimate, estimate_prior, shift_rescaling
from likely.decisions.recalibrated import RecalibratedLikelihood, recalibrate
from likely.decisions.rules import check_reject, decide, error_threshold, settle
from likely.errors import InputError, InputTypeError, check_choice, check_whole
from likely.models.any_classifier.asking import Training, check_probabilities, log_posteriors, take
from likely.models.any_classifier.outcome import Rescaling
from likely.models.any_classifier.posteriors import names_of, read_class_prior
from likely.models.any_classifier.wrapper import Wrapper
from likely.models.held_out.cv import FoldsLike
from likely.models.held_out.exact_or_refit import HeldOut
from likely.models.traits.answers import Answers, read_for
from likely.models.traits.evidence import in_kind
from likely.models.traits.prior_shift import shift_log_posterior
from likely.models.traits.protocols import Learner
from likely.models.traits.state import of_one_state
from likely.numeric.arrays import Array, Floats, PerRow
from likely.numeric.logspace import log_normalize, log_of
from likely.numeric.random_state import Seed, as_generator

REJECTED = "rejected"
_DRAWN_ROWS = 2_000  # under which the model is drawn, to see what it leaves open
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
    max_error : highest share of mistakes among the answers to new rows; None: no limit
    confidence : of keeping `max_error`, over training sets
        As many rows are answered as a bound on their mistakes allows (`error_threshold`). None: as many as keep the
        rate on the rows left out, which new rows exceed about half of the time.
    rule : "risk", "error", "map", "bits", "likelihood" or "recalibrated"
    ties : "first", "last" or "random" of equally good classes
    training_prior : the prior behind the estimator's posteriors
        None: its `class_prior_` if it has one, else the shares of the classes in y. Say "uniform" for an estimator that
        balanced the classes.
    reject_label : what `predict` says of a row that is not answered
        None: a label of the classes' own type that is none of them, `reject_label_`: "rejected" beside texts, beside
        numbers -1 (or one less than the least of them), so that scikit-learn's scorers count it as a mistake.
        `decide(X).answers()` has None there.
    cv : int, "prefit", the fold of each row, an object with split, or pairs of training and test rows
        Folds for what is learned out of fold; "prefit" keeps the fitted estimator and learns that from X and y.
    random_state : seed of the folds and of random ties
    calibrate : "auto", None or a method of `Calibrated`
        Costs are weighed by probabilities, so these must come true as often as they say. "auto": a model of this
        library that learns by sums is calibrated where its exact out-of-fold scores show that it is too sure of itself
        or not sure enough, by Akaike's criterion: by the map that suits, or by temperature where a class has fewer than
        ten rows. Any other classifier, one that is already calibrated or "prefit", or whose prior is given, is taken as
        it is; a warning says so where it is seen to be off, which of a classifier that would have to be fitted again is
        seen only where it is too sure of the rows that it learned. The rules "likelihood" and "recalibrated" take
        likelihoods, which have no map. A method: always. None: never. `estimator_` is the one that predicts.

    Examples
    --------
    >>> from likely import NaiveBayes
    >>> from likely import Decider
    >>> X, y = [[1.0], [2.0], [3.0], [4.0], [5.0], [6.0]] * 2, ["well", "well", "ill", "well", "ill", "ill"] * 2
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
        costs: CostsLike | None = None,
        prior: PriorLike | None = None,
        reject: float | None = None,
        max_error: float | None = None,
        rule: str = "risk",
        ties: str = "first",
        training_prior: PriorLike | None = None,
        reject_label: Hashable = None,
        cv: FoldsLike = 5,
        random_state: Seed = None,
        confidence: float | None = 0.95,
        calibrate: str | None = "auto",
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
        self.confidence = confidence
        self.calibrate = calibrate

    def fit(
        self, X: TableLike, y: TargetLike = None, sample_weight: PerRow = None, groups: PerRow = None, **fit_params: Any
    ) -> Self:
        """Learn the classifier, and what its decisions need, from rows X with classes y (or a column's name).

        `groups` name the group of each row, for the splitter of `cv`, or so that a number of folds keeps groups whole;
        `fit_params` go to `fit` of the estimator, those with one value per row in the rows of each fold.
        """
        self._check_parameters()
        with self._anew():
            held = self._calibrated(self._hold(X, y, sample_weight, groups, fit_params))
            check_probabilities(self.estimator_)
            if self.costs is not None:
                CostMatrix.of(self.costs, self.classes_)
            self.training_prior_ = self._training_prior(held.data)
            self._prior(None)
            if self.rule == "recalibrated" or self.max_error is not None:
                self._learn_out_of_fold(held)
        return self

    @of_one_state
    def predict(self, X: TableLike) -> Array:
        """What to say of each row; `reject_label` where it is better not answered."""
        return self.decide(X).answers(self.reject_label_)

    @of_one_state
    def _answers(self, X: TableLike) -> Answers:
        self._check_fitted()
        found = log_posteriors(self.estimator_, X, names_of(self.classes_))
        log_posterior = self._shifted(found, self._prior(None))
        return Answers(self._decision(found).answers(self.reject_label_), np.exp(log_posterior), log_posterior)

    @property
    def reject_label_(self) -> Any:
        """What `predict` says of a row that is not answered; None where every row is."""
        if self.reject_label is not None or (self.reject is None and self.max_error is None):
            return self.reject_label
        return free_label(self.classes_)

    def predict_proba(self, X: TableLike, prior: PriorLike | None = None) -> Floats:
        """Posterior probabilities (n, k) under the prior of this call, of the constructor, or of training."""
        return np.asarray(np.exp(self.predict_log_proba(X, prior)))

    @of_one_state
    def predict_log_proba(self, X: TableLike, prior: PriorLike | None = None) -> Floats:
        """Their logarithms."""
        self._check_fitted()
        return self._shifted(log_posteriors(self.estimator_, X, names_of(self.classes_)), self._prior(prior))

    @of_one_state
    def decide(
        self, X: TableLike, costs: CostsLike | None = None, prior: PriorLike | None = None, reject: float | None = None
    ) -> Decision:
        """The decision on each row with its expected cost and margin; costs, prior and reject for this call only."""
        self._check_fitted()
        found = self._decision(log_posteriors(self.estimator_, X, names_of(self.classes_)), costs, prior, reject)
        return in_kind(found, X)

    def _decision(
        self, found: Floats, costs: CostsLike | None = None, prior: PriorLike | None = None, reject: float | None = None
    ) -> Decision:
        """From the estimator's own log posteriors, all that is learned applied."""
        there = self._prior(prior)
        decision = replace(self._decide(found, there, costs, reject), prior=there)
        if self.max_error is None:
            return decision
        unsure = decision.error > self.error_threshold_
        cost = self.reject if reject is None else reject
        return replace(
            decision,
            rejected=decision.rejected | unsure,
            expected_cost=np.where(unsure, 0.0 if cost is None else cost, decision.expected_cost),
        )

    @of_one_state
    def predict_interval(
        self,
        X: TableLike,
        confidence: float = 0.95,
        random_state: Seed = 0,
        n_draws: int = 1000,
        prior: PriorLike | None = None,
    ) -> Floats:
        """Interval (n, k, 2) of each posterior probability, under the prior of this call, the constructor or training.

        Around `Calibrated` and `Pool` it is of how often rows come true of which this is said; around another model of
        this library of its parameters alone, if the model were true.
        """
        self._check_fitted()
        X = read_for([self], X)
        there, held = self._prior(prior), self.estimator_
        if isinstance(held, Calibrated):
            return held._interval(X, confidence, random_state, n_draws, self.training_prior_, there)
        if not hasattr(held, "predict_interval"):
            raise InputTypeError(
                f"{type(held).__name__} does not know how sure its probabilities are; decide around Calibrated of it"
            )
        shifted: Any = None
        if there is not None:  # what the estimator's own prior is to become, so that its posteriors are shifted so
            own = np.asarray(getattr(held, "class_prior_", self.training_prior_))
            shifted = own * there / np.where(self.training_prior_ > 0, self.training_prior_, 1.0)
            shifted = shifted / shifted.sum()
        found: Floats = held.predict_interval(X, confidence, random_state, n_draws, shifted)
        return found

    @of_one_state
    def estimate_prior(
        self, X: TableLike, confidence: float = 0.95, n_draws: int = 200, **options: Any
    ) -> PriorEstimate:
        """Shares of the classes among unlabelled rows, with intervals; options as of the function of this name.

        The intervals hold what is not known of the model too, by `n_draws` draws of its parameters and of its
        calibration on up to 2,000 of the rows; of a classifier that knows neither, its posteriors are taken for true,
        and the method says so.
        """
        self._check_fitted()
        found = log_posteriors(self.estimator_, X, names_of(self.classes_))
        drawn = self._drawn(X, len(found), n_draws, options.get("random_state", 0))
        return estimate_prior(
            found,
            self.training_prior_,
            self.classes_,
            confidence=confidence,
            form="log_posterior",
            drawn=drawn,
            **options,
        )

    def _drawn(self, X: TableLike, n: int, n_draws: int, seed: Any) -> Floats | None:
        """Log posteriors (rows, draws, k) of some rows as the model might have them too; None: it does not know."""
        check_whole("n_draws", n_draws, 2)
        held, rng = self.estimator_, as_generator(seed)
        rows = X if n <= _DRAWN_ROWS else take(X, np.sort(rng.choice(n, _DRAWN_ROWS, replace=False)))
        if isinstance(held, Calibrated):
            return held._drawn_log_posteriors(rows, int(n_draws), rng)
        if not getattr(held, "knows_parameters", False):
            return None
        found: Floats = held.drawn_log_posteriors(rows, int(n_draws), rng)  # type: ignore[attr-defined]
        return found

    def _said(self, X: TableLike, prior: PriorLike | None) -> tuple[Floats, Array]:
        self._check_fitted()
        found = log_posteriors(self.estimator_, X, names_of(self.classes_))
        return self._shifted(found, self._prior(prior)), self._decision(found, prior=prior).code

    def _rescaling(self, prior: PriorLike | None) -> Rescaling:
        there = self._prior(prior)
        return shift_rescaling(self.training_prior_, self.training_prior_ if there is None else there)

    def _decide(self, found: Floats, prior: Floats | None, costs: CostsLike | None, reject: float | None) -> Decision:
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

    def _check_parameters(self) -> None:
        check_choice("rule", self.rule, RULES)
        check_reject(self.reject, self.max_error)
        if self.reject is not None and self.reject < 0:
            raise InputError(f"reject is what not answering costs, 0 or more; got {self.reject!r}")

    def _calibrated(self, held: HeldOut) -> HeldOut:
        """The same rows and the classifier that is to predict, calibrated where it should be."""
        if self.calibrate is None or (self.calibrate == "auto" and self.rule in ("likelihood", "recalibrated")):
            return held
        if self.calibrate == "auto":
            why_not, prior = self._why_no_map()
            model = calibrated_where_needed(self.estimator, held, self.cv, self.random_state, why_not, prior)
        else:
            model = Calibrated(self.estimator, self.calibrate, self.cv, random_state=self.random_state).check_method()
            left_out = of_the_rows_given(held) if isinstance(self.cv, str) else held.scores(self.cv, self.random_state)
            model = with_map(model, held, left_out)
        if model is None:
            return held
        self._take_over(model)
        return HeldOut(model, held.data)

    def _why_no_map(self) -> tuple[str, Floats | None]:
        """Why no map is to be learned, "" if it is; and the prior that the posteriors are of, where it was given."""
        if isinstance(self.cv, str):
            return "cv='prefit' keeps them; say calibrate='temperature' with rows that the model has not seen", None
        if self.training_prior is None:
            return "", None
        prior = read_class_prior(self.training_prior, self.classes_, "training prior")
        return "a map of these rows would undo training_prior=; decide around Calibrated without it", prior

    def _learn_out_of_fold(self, held: HeldOut) -> None:
        data = held.data
        if isinstance(self.cv, str):
            rows, found = np.arange(len(data.codes)), log_posteriors(self.estimator_, data.X, data.classes)
        else:
            rows, found, _ = held.scores(self.cv, self.random_state)
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
            missed = said.code != truth
            self.error_threshold_ = error_threshold(said.error, self.max_error, missed, weight, self.confidence)
            if not (said.error <= self.error_threshold_).any():
                surely = "" if self.confidence is None else f" with confidence {self.confidence}"
                warnings.warn(
                    "no row can be answered: the surest of the rows left out do not show a rate of mistakes of at most "
                    f"max_error={self.max_error}{surely}. Allow more, or use a better model or more rows.",
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

    def _prior(self, prior: PriorLike | None) -> Floats | None:
        chosen = self.prior if prior is None else prior
        return None if chosen is None else read_class_prior(chosen, self.classes_, "prior")

    def _training_prior(self, data: Training) -> Floats:
        if self.training_prior is not None:
            return read_class_prior(self.training_prior, self.classes_, "training prior")
        own = getattr(self.estimator_, "class_prior_", None)
        if own is not None and np.shape(own) == self.classes_.shape:
            return np.asarray(own, dtype=np.float64)
        return data.shares()


def free_label(classes: Array) -> Any:
    """A label of the type of these classes that is none of them; None where the type has no other.

    >>> free_label(np.array(["ill", "well"])), free_label(np.array([0, 1])), free_label(np.array([-1, 1]))
    ('rejected', -1, -2)
    """
    if are_texts(classes):
        label = REJECTED
        while label in classes.tolist():
            label += "_"
        return label
    if classes.dtype.kind in "iuf":
        below = min(0, classes.min().item()) - 1
        return int(classes.max()) + 1 if classes.dtype.kind == "u" else below
    return None
