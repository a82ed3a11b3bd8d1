"""Calibrated: a classifier whose probabilities come true as often as they say.

    scores of rows that the model had not seen -> a map from scores to probabilities -> the map after the model

The model itself learns from all rows. The map learns from out-of-fold scores, because on the rows it was fitted to a
model is surer than it should be. A classifier that learns by sums gives exact out-of-fold scores without being fitted
again.

A row that is impossible under every class has the prior of the model inside as its posterior there, and is mapped as
every row of which that is said: a map sees what is said, not why, and the prior of the rows that it learned from need
not be that of the model.
"""

from dataclasses import replace
from typing import Any, Self

import numpy as np

from likely.decisions.calibration.choosing import MAPS, best_map, crossed, prior_for
from likely.decisions.calibration.kept_scores import KeptScores, log_prior_of, marks_for
from likely.decisions.calibration.maps.beta_map import BetaMap
from likely.decisions.calibration.maps.isotonic import IsotonicMap
from likely.decisions.calibration.maps.logistic import GaussianScores, LogisticMap
from likely.decisions.calibration.maps.posterior_scaling import Scaling
from likely.decisions.calibration.maps.temperature import TemperatureMap, UnchangedMap
from likely.decisions.calibration.uncertainty.interval import CurvesOfClasses
from likely.decisions.calibration.uncertainty.single_fit import NONE, UNKNOWN, SingleFit, jackknifed
from likely.decisions.calibration.uncertainty.track_record import TrackRecord
from likely.decisions.priors import shift_rescaling
from likely.distributions.capabilities.operators import Graph
from likely.errors import InputError, TierError, check_choice
from likely.models.any_classifier.asking import Training, scores
from likely.models.any_classifier.drawn import draws_needed, taking_in
from likely.models.any_classifier.inside import unwrap
from likely.models.any_classifier.outcome import Rescaling
from likely.models.any_classifier.posteriors import names_of, read_class_prior
from likely.models.any_classifier.wrapper import Wrapper
from likely.models.estimator import Estimator
from likely.models.held_out.exact_or_refit import LeftOut
from likely.models.learning.operators import scores_of
from likely.models.traits.answers import ByLogPosterior, read_for
from likely.models.traits.face import Face, Section
from likely.models.traits.one_class import note_one_class
from likely.models.traits.prior_shift import shift_log_posterior
from likely.models.traits.protocols import Learner
from likely.models.traits.state import of_one_state
from likely.numeric.arrays import Array, Floats, Ints, PerRow
from likely.numeric.logspace import log_normalize, log_of
from likely.numeric.random_state import Seed, as_generator

METHODS = ("auto", "logistic", "isotonic", "temperature", "beta")
OF_TWO_CLASSES = ("gaussian",)
_SOME = 4_000  # rows, on which maps are compared


class Calibrated(ByLogPosterior, Wrapper):
    """Probability calibration of any classifier: its probabilities, made to come true as often as they say.

    Parameters
    ----------
    estimator : classifier
        With predict_proba, or with a decision_function.
    method : "auto", "logistic", "isotonic", "temperature", "beta" or "gaussian"
        The map (see `likely.decisions.calibration`). "auto" takes whichever of none, temperature, logistic and isotonic
        does best on rows left out (`calibration.choosing`), so that probabilities do not become worse. Give rows that
        occur several times weights: copies of one stand in several folds, and favour maps with steps. All work in
        log-odds and for any number of classes: logistic has one slope and an offset per class, temperature one slope,
        beta a slope and an offset per class; isotonic has one staircase per class against the rest, normalised. The
        slopes and offsets of log posteriors have a prior about no change, so that few rows change little. "gaussian" is
        of two classes: logistic in closed form, right where the scores are Gaussian in both classes with one variance
        (`GaussianScores`), with their shares as prior.
    cv : int, "prefit", the fold of each row, an object with split, or pairs of training and test rows
        Where the scores come from: stratified folds, folds given, splits (a row that several judge counts as the first
        of them says), or the estimator as it is, already fitted on other rows.
    smoothing : "ends", "all" or None
        Of the isotonic staircase: its end steps are kept from 0 and 1, all steps are, or none. Only without smoothing
        do its probabilities sum exactly to the number of positives, on the scores that it learned from; with "ends" the
        sum is off by less than one row, with "all" by more.
    random_state : seed that shuffles rows before they are dealt to the folds; None: in the order of the data

    Examples
    --------
    >>> from likely import NaiveBayes
    >>> from likely import Calibrated
    >>> rng = np.random.default_rng(0)
    >>> y = rng.integers(0, 2, 400)
    >>> x = np.repeat(rng.normal(y, 1.5)[:, None], 5, axis=1)  # the same evidence five times
    >>> sure = NaiveBayes().fit(x, y).predict_proba([[3.0] * 5])[0, 1]
    >>> honest = Calibrated(NaiveBayes()).fit(x, y).predict_proba([[3.0] * 5])[0, 1]
    >>> bool(sure > 0.99), bool(0.6 < honest < 0.9)
    (True, True)
    """

    map_: Scaling | IsotonicMap
    record_: TrackRecord  # what was said of rows left out, and how often it came true
    kept_: KeptScores  # of those rows, where the classifier can go on learning: the map is then learned again
    class_prior_: Floats  # (k,)  shares of the classes among the rows that the map learned from

    def __init__(
        self,
        estimator: Learner,
        method: str = "auto",
        cv: Any = 5,
        smoothing: Any = "ends",
        random_state: Seed = None,
    ) -> None:
        self.estimator = estimator
        self.method = method
        self.cv = cv
        self.smoothing = smoothing
        self.random_state = random_state

    def fit(self, X: Any, y: Any = None, sample_weight: PerRow = None, groups: Any = None, **fit_params: Any) -> Self:
        """Learn the classifier and the map from rows X with classes y (or the name of a column of a frame X).

        `groups` name the group of each row, for the splitter of `cv`, or so that a number of folds keeps groups whole;
        `fit_params` go to `fit` of the estimator, those with one value per row in the rows of each fold.
        """
        self.check_method()
        with self._anew():
            held = self._hold(X, y, sample_weight, groups, fit_params)
            data = held.data
            present = np.unique(data.codes)
            if len(data.classes) == 1:
                note_one_class(data.classes)
                self._learn_nothing(data)
                return self
            if len(present) < 2:
                raise InputError(f"y holds only one class, {data.classes[present[0]]!r}: there is nothing to calibrate")
            if len(present) < len(data.classes):
                missing = next(name for i, name in enumerate(data.classes) if i not in present)
                raise InputError(f"class {missing!r} does not occur in y; to be calibrated it needs rows")
            if isinstance(self.cv, str):
                every = np.arange(len(data.codes))
                self._learn(LeftOut(every, scores(self.estimator_, data.X, data.classes), None), data)
            else:
                self._learn(held.scores(self.cv, self.random_state), data)
        return self

    def onnx_scores(self, graph: Graph) -> str:
        """The scores in plain operators of a graph: log p' = a log p + b_k; of two classes by their log-odds.

        Log p is held no lower than in training.
        """
        found = self.map_
        if not isinstance(found, Scaling) or not found.tied:
            raise TierError(
                f"the calibration {type(found).__name__} has no form in plain ONNX operators; logistic and temperature "
                "have, and the model inside can be exported by itself, as estimator_"
            )
        inside = graph.add("LogSoftmax", scores_of(self.estimator_, graph), axis=1)
        floor = graph.constant(np.array(found.floor))
        if found.classes > 2:
            slopes = graph.add("Mul", graph.add("Max", inside, floor), graph.constant(found.slope))
            return graph.add("Add", slopes, graph.constant(found.offset))
        odds = graph.add("MatMul", inside, graph.constant(np.array([[-1.0], [1.0]])))
        odds = graph.add("Clip", odds, floor, graph.constant(np.array(-found.floor)))
        slope, offset = np.array([[0.0, found.slope[1]]]), found.offset
        return graph.add("Add", graph.add("MatMul", odds, graph.constant(slope)), graph.constant(offset))

    def check_method(self) -> Self:
        """Refuse a method that there is not."""
        check_choice("method", self.method, (*METHODS, *OF_TWO_CLASSES))
        return self

    def _learn(self, left_out: LeftOut, data: Training) -> None:
        """The map, and how it does, from scores of rows that the classifier had not seen."""
        rows, found, fold = left_out
        weight, codes = None if data.weight is None else data.weight[rows], data.codes[rows]
        self.map_ = self._learn_map(found, codes, weight, None if data.groups is None else data.groups[rows])
        self.record_ = self._recorded(found, codes, weight, fold)
        self.class_prior_ = data.shares()
        encoded = hasattr(type(data.X), "leaves_one_out")  # a table in parts: if it is whole, it has what was read
        cells = data.X if not encoded else data.X.data if getattr(data.X, "whole", False) else None
        if isinstance(unwrap(self), Estimator) and hasattr(self.estimator_, "partial_fit") and cells is not None:
            self.kept_ = KeptScores.of(self._likelihoods(found), codes, weight, marks_for(self, cells)[rows])

    def scored(self, data: Training) -> KeptScores:
        """What the map learns from rows that the classifier has not seen yet."""
        found = scores(self.estimator_, data.X, names_of(self.classes_))
        return KeptScores.of(self._likelihoods(found), data.codes, data.weight, marks_for(self, data.X))

    def learn_again(self, kept: KeptScores) -> bool:
        """Learn the map anew from these scores, for the classifier as it is now; False: a class has no row there."""
        if len(np.unique(kept.code)) < len(self.classes_):
            return False
        found = kept.under(log_prior_of(self.estimator_, kept.score))
        self.kept_ = kept
        self.map_ = self._learn_map(found, kept.code, kept.weight, None)
        fits, apart = (self.record_.fits, self.record_.apart) if hasattr(self, "record_") else (NONE, NONE)
        record = self._recorded(found, kept.code, kept.weight, None).with_answers(apart)
        steps = isinstance(self.map_, IsotonicMap)
        self.record_ = record.with_fits(max(fits, record.fits) if steps else fits)  # of whichever luck is larger
        return True

    def _recorded(self, found: Floats, codes: Ints, weight: Floats | None, fold: Ints | None) -> TrackRecord:
        """What the map says of these scores, and how often it came true.

        A staircase says of the rows that it learned from exactly how often they came true: what came true by chance
        decides where its steps are. So its record is of staircases that had not seen the rows, and holds how far these
        are apart.
        """
        if not isinstance(self.map_, IsotonicMap):
            return TrackRecord.of(self.map_.log_posterior(found), codes, weight, fold)

        def learn(rows: Ints) -> IsotonicMap:
            return IsotonicMap.fit(found[rows], codes[rows], None if weight is None else weight[rows], self.smoothing)

        others = crossed(learn, found, codes, fold)
        if others is None:
            return TrackRecord.of(self.map_.log_posterior(found), codes, weight).with_fits(UNKNOWN)
        maps, dealt = others
        said = np.empty((len(codes), len(self.classes_)))
        for place, each in enumerate(maps):
            said[dealt == place] = each.log_posterior(found[dealt == place])
        record = TrackRecord.of(said, codes, weight, dealt)
        if not self._shows_parameters():
            return record
        some = found[np.linspace(0, len(found) - 1, min(len(found), _SOME)).astype(int)]
        return record.with_fits(jackknifed(np.stack([each.log_posterior(some) for each in maps])))

    def _likelihoods(self, found: Floats) -> Floats:
        prior = log_prior_of(self.estimator_, found)
        return found if prior is None else found - prior

    def _learn_nothing(self, data: Training) -> None:
        """Where there is one class, it has come true every time."""
        certain = np.zeros((len(data.codes), 1))
        self._become(
            {
                "map_": UnchangedMap(np.ones(1), np.zeros(1), -np.inf),
                "record_": TrackRecord.of(certain, data.codes, data.weight),
                "class_prior_": np.ones(1),
            }
        )

    @property
    @of_one_state
    def method_(self) -> str:
        """The map that was taken; with method="auto" it may be "none"."""
        self._check_fitted()
        chosen = (name for name, kind in MAPS.items() if type(self.map_) is kind)
        return next(chosen, self.method) if self.method == "auto" else self.method

    def _face(self) -> Face:
        taken = self.method_ if self.method_ != "none" else "none is better"
        return super()._face().with_section(Section(("map",), [(taken,)], "calibration"))

    @of_one_state
    def predict_log_proba(self, X: Any, prior: Any = None) -> Floats:
        """Its logarithm."""
        self._check_fitted()
        found = scores(self.estimator_, X, names_of(self.classes_))
        if len(self.classes_) > 1:
            found = self.map_.log_posterior(found)
        if prior is None:
            return found
        there = read_class_prior(prior, self.classes_, "prior")
        return shift_log_posterior(found, self.class_prior_, there, self.classes_)

    @of_one_state
    def predict_interval(
        self, X: Any, confidence: float = 0.95, random_state: Seed = 0, n_draws: int = 1000, prior: Any = None
    ) -> Floats:
        """How often rows come true of which this is said: an interval of each probability, ends (n, k, 2).

        It does not take the model for true. It holds what is not known of the map, the miscalibration that was measured
        on rows left out, whatever its form, and where the model inside knows how unsure its parameters are, that too
        (`likely.decisions.calibration.uncertainty.interval` says how, and how often it holds in simulations).

        Parameters
        ----------
        X : table (n, d)
        confidence : between 0 and 1
        random_state : None, int or numpy Generator; the same number gives the same interval
        n_draws : of calibration curves and parameters; at least 20 / (1 - confidence) are made
        prior : of the classes where the rows come from, as for `predict_proba`

        Examples
        --------
        >>> from likely import Calibrated, NaiveBayes
        >>> rng = np.random.default_rng(0)
        >>> y = rng.integers(0, 2, 400)
        >>> x = np.repeat(rng.normal(y, 1.5)[:, None], 5, axis=1)  # the same evidence five times
        >>> model = Calibrated(NaiveBayes()).fit(x, y)
        >>> model.predict_proba([[3.0] * 5])[:, 1].round(2), model.predict_interval([[3.0] * 5])[:, 1].round(1)
        (array([0.82]), array([[0.7, 0.9]]))
        >>> model.estimator_.predict_interval([[3.0] * 5])[:, 1].round(2)  # of the parameters, if the model were true
        array([[1., 1.]])
        """
        self._check_fitted()
        X = read_for([self], X)
        there = None if prior is None else read_class_prior(prior, self.classes_, "prior")
        return self._interval(X, confidence, random_state, n_draws, self.class_prior_, there)

    def _interval(
        self, X: Any, confidence: float, random_state: Seed, n_draws: int, prior: Floats, there: Floats | None
    ) -> Floats:
        """The same, where rows come from classes of other shares (k,) than the posterior takes for granted."""
        if not hasattr(self, "record_"):
            raise InputError("an earlier version learned this calibration without its track record; fit it again")
        if len(self.classes_) == 1:  # which came true every time
            return np.ones((len(scores(self.estimator_, X, names_of(self.classes_))), 1, 2))
        draws, rng = draws_needed(n_draws, confidence), as_generator(random_state)
        shift = None if there is None else shift_rescaling(prior, there).offset
        held: Any = self.estimator_
        steps = isinstance(self.map_, IsotonicMap)  # drawn answers would jump between them; the record has their luck
        curves = CurvesOfClasses(self.record_, draws, rng, shift, self._fits().raised())

        def about(drawn: Floats, own: Floats) -> Floats:
            """The ends of mapped log posteriors (n, draws, k), or (n, k), that hold the model's own."""
            said = own if there is None else shift_log_posterior(own, prior, there, self.classes_)
            return taking_in(curves.ends(drawn, own, confidence), np.exp(said))

        def ends(joint: Floats, own: Floats) -> Floats:
            under_each = self.map_.log_posterior(log_normalize(joint.reshape(-1, joint.shape[2])))
            return about(under_each.reshape(joint.shape), self.map_.log_posterior(log_normalize(own)))

        if getattr(held, "knows_parameters", False) and not steps:
            return np.asarray(held.over_draws(X, ends, draws, rng))
        found = self.map_.log_posterior(scores(held, X, names_of(self.classes_)))
        return about(found, found)

    def _drawn_log_posteriors(self, X: Any, n_draws: int, random_state: Seed) -> Floats | None:
        """Log posteriors (n, draws, k) of few rows under drawn maps and parameters; None: the record is not known."""
        if not hasattr(self, "record_"):
            return None
        rng = as_generator(random_state)
        fits = NONE if self._shows_parameters() else self.record_.fits
        curves = CurvesOfClasses(self.record_.with_answers(NONE), n_draws, rng, None, fits)  # which shares even out
        held: Any = self.estimator_
        if getattr(held, "knows_parameters", False):
            found = held.drawn_log_posteriors(X, n_draws, rng)
            said = self.map_.log_posterior(found.reshape(-1, found.shape[2])).reshape(found.shape)
        else:
            said = self.map_.log_posterior(scores(held, X, names_of(self.classes_)))
        drawn = log_of(curves.drawn(said))
        return log_normalize(drawn.reshape(-1, drawn.shape[2])).reshape(drawn.shape)

    def _fits(self) -> SingleFit:
        """How far the fit and the steps of a staircase may be from the curve, beyond what draws of parameters show."""
        return NONE if self._shows_parameters() and not isinstance(self.map_, IsotonicMap) else self.record_.fits

    def _shows_parameters(self) -> bool:
        """Whether draws of the parameters show all that another fit of the model inside would say otherwise."""
        held = self.estimator_
        return bool(getattr(held, "knows_parameters", False)) and not getattr(held, "keeps_structure", False)

    def _said(self, X: Any, prior: Any) -> tuple[Floats, Array]:
        found = self.predict_log_proba(X, prior)
        return found, np.asarray(found.argmax(axis=1))

    def _rescaling(self, prior: Any) -> Rescaling:
        own = self.map_.rescaling
        if prior is None:
            return own
        return shift_rescaling(self.class_prior_, read_class_prior(prior, self.classes_, "prior")).after(own)

    def _learn_map(
        self, found: Floats, codes: Array, weight: Floats | None, groups: Ints | None
    ) -> Scaling | IsotonicMap:
        match self.method:
            case "auto":
                return best_map(found, codes, weight, groups, self.smoothing)[1]  # type: ignore[no-any-return]
            case "isotonic":
                return IsotonicMap.fit(found, codes, weight, self.smoothing)
            case "gaussian":
                of_rows = np.average(codes, weights=weight)  # the share of the second class
                line = GaussianScores.fit(found, codes, weight)
                return replace(line, slope=max(line.slope, 0.0)).with_prior(float(of_rows))  # no score is turned around
        kind: type[Scaling] = {"temperature": TemperatureMap, "beta": BetaMap}.get(self.method, LogisticMap)
        return kind.fit(found, codes, weight, prior_for(found), rising=True)
