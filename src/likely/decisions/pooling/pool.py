"""Pool: classifiers that answer together, each with the weight that its answers about rows left out have earned.

    log p(k | x) = sum_m w_m log p_m(k | x) + b_k, normalised,    w_m >= 0        (log-linear)
    p(k | x)     = sum_m v_m p_m(k | x)                                           (linear)

The members learn from all rows. The weights learn from posteriors of rows that the members had not seen, exact ones
where a member learns by sums (`models.held_out`), each calibrated alone and then all together, with a ridge towards
equal shares (`pooling.rule`): a member whose weight is 0 is not heard, and dropped unless all learn by sums. The
weights calibrate as well: together they are the slope, and there is an offset per class. How well the pool does is
judged by rows left out of the members and of the weights both. Where these do not show that it is better than the
shares of the classes, its answers go towards these (`models.held_out.trust`).
"""

import copy
from collections.abc import Iterator
from typing import Any, Self

import numpy as np

from likely.data.inputs import more_than_once
from likely.decisions.calibration.uncertainty.interval import CurvesOfClasses
from likely.decisions.calibration.uncertainty.track_record import TrackRecord
from likely.decisions.pooling.explained import ExplainedPool
from likely.decisions.pooling.members import (
    HOW_TO_UPDATE,
    able,
    check_announced,
    exchanged,
    folds_for,
    given_names,
    held_members,
    learns_by_sums,
    named_members,
    said_out_of_fold,
    say_stale,
    take_what_all_take,
)
from likely.decisions.pooling.rule import METHODS, RIDGE, PoolingRule
from likely.decisions.pooling.twice import twice_left_out
from likely.decisions.priors import shift_rescaling
from likely.errors import InputError, TierError, check_choice, check_number
from likely.models.any_classifier.asking import Training, log_posteriors, split_column
from likely.models.any_classifier.drawn import draws_needed, taking_in
from likely.models.any_classifier.inside import name_target
from likely.models.any_classifier.posteriors import names_of, read_class_prior
from likely.models.estimator import Classifier
from likely.models.held_out.cv import is_number
from likely.models.held_out.exact_or_refit import HeldOut
from likely.models.held_out.folds import refuse_single
from likely.models.held_out.trust import log_shares, shrunk, trust_in
from likely.models.held_out.weighing import as_rows
from likely.models.traits.answers import ByLogPosterior, read_for, ready_for
from likely.models.traits.decision_function import DecisionFunction
from likely.models.traits.face import Face
from likely.models.traits.one_class import note_one_class
from likely.models.traits.prior_shift import shift_log_posterior
from likely.models.traits.state import as_it_is, of_one_state
from likely.numeric.arrays import Floats, PerRow
from likely.numeric.logspace import log_of
from likely.numeric.random_state import Seed


class ReadyMembers(dict[str, Any]):
    """A table that each member has encoded, by the members' names."""


class Pool(ExplainedPool, ByLogPosterior, DecisionFunction, Classifier):
    """A weighted pool of any classifiers with probabilities, ours or scikit-learn's.

    Parameters
    ----------
    estimators : list of classifiers, of (name, classifier) (parameters by name), a mapping, "auto" or "updatable"
        The members; "auto" takes the candidates that a study of the table would try, "updatable" those of them that
        learn by sums: such a pool merges, learns on and forgets, and keeps members without weight for `reweigh`.
    method : "log" multiplies powers of the members' probabilities, "linear" averages them
    cv : int, the fold of each row, an object with split, or pairs of training and test rows
        Folds of the posteriors that the weights learn from.
    ridge : float
        How strongly the shares of calibrated members are pulled to equal ones (and offsets to 0), in pseudo-rows.
    random_state : seed that shuffles rows before they are dealt to the folds; None: in the order of the data

    Attributes
    ----------
    weights_ : weight of every member by name, 0 for those that were dropped
    estimators_ : the fitted members by name; without those of weight 0, unless all members learn by sums
    offset_ : (k,) offsets of the classes
    trust_ : how far the answers leave the shares of the classes, 0 to 1; below 1 only where rows are too few to tell

    Examples
    --------
    >>> from likely import GaussianBayes, NaiveBayes, Pool
    >>> rng = np.random.default_rng(0)
    >>> y = rng.integers(0, 2, 300)
    >>> X = rng.normal(size=(300, 3)) + y[:, None]
    >>> model = Pool([NaiveBayes(), GaussianBayes("shared")]).fit(X, y)
    >>> sorted(model.weights_), bool(model.score(X, y) > 0.75)
    (['GaussianBayes', 'NaiveBayes'], True)
    """

    estimators_: dict[str, Any]
    weights_: dict[str, float]
    offset_: Floats  # (k,)
    trust_: float
    record_: TrackRecord  # what was said of rows left out, and how often it came true
    class_prior_: Floats  # (k,)  shares of the classes among the rows
    class_count_: Floats  # (k,)  sum of weights
    stale_: bool  # whether rows were learned, merged or forgotten since the weights were learned

    def __init__(
        self,
        estimators: Any = "auto",
        method: str = "log",
        cv: Any = 5,
        ridge: float = RIDGE,
        random_state: Seed = None,
    ) -> None:
        self.estimators = estimators
        self.method = method
        self.cv = cv
        self.ridge = ridge
        self.random_state = random_state

    def fit(self, X: Any, y: Any = None, sample_weight: PerRow = None, groups: Any = None) -> Self:
        """Learn the members and their weights from rows X with classes y (or the name of a column of a frame X)."""
        self._check_parameters()
        with self._anew():
            data = Training.of(X, y, sample_weight, leave_out=True)
            if groups is not None:
                data = data.beside(groups, {})
            members = named_members(self.estimators, data)
            data = data.read_for(*members.values())
            held = held_members(members, data)
            self._learn(held, data)
            keeps = all(map(learns_by_sums, members.values()))
            fitted = {name: held[name].fitted() for name, weight in self.weights_.items() if weight > 0 or keeps}
            if isinstance(y, str):
                fitted = {name: name_target(model, y) for name, model in fitted.items()}
            self._take(fitted, data)
        return self

    def reweigh(self, X: Any, y: Any = None, sample_weight: PerRow = None) -> Self:
        """Learn the weights anew from labelled rows, by clones of the members; the members stay as they are."""
        self._check_fitted()
        data = Training.of(X, y, sample_weight, leave_out=True).over(names_of(self.classes_))
        with self._onward():
            self._learn(held_members(self.estimators_, data), data)
            self._become({"stale_": False})
        return self

    @of_one_state
    def predict_log_proba(self, X: Any, prior: Any = None) -> Floats:
        """Its logarithm."""
        self._check_fitted()
        rule = self.rule_of(self.record_.n)
        said = rule.pooled(self._said(X), self._weights(), self.offset_)
        return self._under(shrunk(said, self.trust_, log_of(self.class_prior_)), prior)

    @of_one_state
    def predict_interval(
        self, X: Any, confidence: float = 0.95, random_state: Seed = 0, n_draws: int = 1000, prior: Any = None
    ) -> Floats:
        """How often rows come true of which this is said: an interval of each probability, ends (n, k, 2).

        From the record of rows left out of members and weights, as that of `Calibrated` (`calibration.interval`).
        """
        self._check_fitted()
        there = None if prior is None else read_class_prior(prior, self.classes_, "prior")
        shift = None if there is None else shift_rescaling(self.class_prior_, there).offset
        curves = CurvesOfClasses(self.record_, draws_needed(n_draws, confidence), random_state, shift)
        found = self.predict_log_proba(X)
        return taking_in(curves.ends(found, found, confidence), np.exp(self._under(found, prior)))

    def out_of_fold(self, X: Any, y: Any, folds: Any, sample_weight: PerRow = None) -> Floats:
        """Log posteriors (n, k), or (r, n, k), of every row by members and weights that have not seen its fold.

        The weights for fold j learn from the other rows, each scored by members that have seen neither its own fold nor
        fold j: exactly, where all members learn by sums; a TierError where they would have to be refitted. Rows without
        a label or of weight 0 are NaN.
        """
        data = Training.of(X, y, sample_weight, leave_out=True)
        given = np.asarray(folds)
        rows = len(data.codes) if data.kept is None else data.given
        if given.ndim not in (1, 2) or given.shape[-1] != rows:
            raise InputError(f"folds has shape {given.shape}, expected ({rows},): one fold per row")
        named = given if data.kept is None else given[..., data.kept]
        held = held_members(named_members(self.estimators, data), data)
        rule, members = self.rule_of(float(len(data.codes))), list(held.values())
        out = np.full((len(np.atleast_2d(named)), rows, len(data.classes)), np.nan)
        for place, one in enumerate(np.atleast_2d(named)):
            out[place, slice(None) if data.kept is None else data.kept] = twice_left_out(rule, members, data, one)
        return out if named.ndim == 2 else out[0]

    def partial_fit(self, X: Any, y: Any = None, classes: Any = None, sample_weight: PerRow = None) -> Self:
        """Let every member learn more rows; the weights stay as they are until `reweigh`.

        The first rows are those that `fit` learns, so all `classes` must have some among them.
        """
        with self._onward():
            known = names_of(self.classes_) if self.__sklearn_is_fitted__() else None
            check_announced(classes, split_column(X, y)[1] if isinstance(y, str) else y, known)
            if not self.__sklearn_is_fitted__():
                return self.fit(X, y, sample_weight)
            self._each("partial_fit", X, y, sample_weight)
        return self

    def forget(self, X: Any, y: Any, sample_weight: PerRow = None) -> Self:
        """Unlearn rows, changing every member of this pool, exactly; the weights stay as they are until `reweigh`."""
        self._each("forget", X, y, sample_weight)
        return self

    def merge(self, other: Self) -> Self:
        """Merge two pools into a new one of the rows of both; neither of them changes. Weights are the mean by rows."""
        self, other = self._as_it_is(), other._as_it_is()
        self._check_fitted()
        other._check_fitted()
        if type(self) is not type(other) or set(self.weights_) != set(other.weights_) or self.method != other.method:
            raise InputError("these pools do not have the same members, so they cannot be one pool")
        if set(self.estimators_) != set(other.estimators_):
            lost = sorted(set(self.estimators_) ^ set(other.estimators_))
            raise InputError(f"one of these pools has dropped {', '.join(lost)}: {HOW_TO_UPDATE}")
        members = {name: able(model, "merge")(other.estimators_[name]) for name, model in self.estimators_.items()}
        rows = [float(pool.class_count_.sum()) for pool in (self, other)]
        share = rows[0] / sum(rows)
        mine, its = (dict(zip(p.classes_.tolist(), p.class_count_.tolist(), strict=True)) for p in (self, other))
        first = next(iter(members.values()))
        names = np.asarray(first.classes_).tolist()
        if set(mine) != set(its):
            raise InputError(
                "these pools know different classes, and their offsets no common one: fit again on all data"
            )
        count = np.array([float(mine[name]) + float(its[name]) for name in names])
        united = copy.copy(self)
        united._become(
            {
                "estimators_": members,
                "weights_": {n: share * w + (1 - share) * other.weights_[n] for n, w in self.weights_.items()},
                "offset_": share * self.offset_ + (1 - share) * other.offset_,
                "trust_": share * self.trust_ + (1 - share) * other.trust_,
                "record_": self.record_ + other.record_,
                "class_count_": count,
                "class_prior_": count / count.sum(),
                "stale_": True,
            }
        )
        say_stale()
        return united

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        take_what_all_take(tags.input_tags, self.estimators)
        return tags

    def _learn(self, held: dict[str, HeldOut], data: Training) -> None:
        """The weights, and the record of what they say of rows that they have not learned from."""
        codes, weight = data.codes, None if data.weight is None else as_rows(data.weight)
        if note_one_class(data.classes, stacklevel=4):
            certain, equal = np.zeros((len(codes), 1)), dict.fromkeys(held, 1 / len(held))
            came_true = TrackRecord.of(certain, codes, weight)
            self._become({"weights_": equal, "offset_": np.zeros(1), "trust_": 1.0, "record_": came_true})
            return
        refuse_single(codes, data.classes)
        folds = folds_for(self.cv, data, self.random_state)
        said = said_out_of_fold(list(held.values()), folds)
        rule = self.rule_of(float(len(codes) if weight is None else weight.sum()))
        weights, offset = rule.solved(said, codes, weight)
        crossed = rule.crossed(said, codes, weight, folds)
        trusted = trust_in(crossed, codes, weight)
        record = shrunk(crossed, trusted, log_shares(codes, weight, len(data.classes)))
        self._become(
            {
                "weights_": dict(zip(held, map(float, weights), strict=True)),
                "offset_": offset,
                "trust_": trusted,
                "record_": TrackRecord.of(record, codes, weight, folds),
            }
        )

    def _take(self, fitted: dict[str, Any], data: Training) -> None:
        first = next(iter(fitted.values()))
        known = ("n_features_in_", "feature_names_in_")
        count = np.bincount(data.codes, weights=data.weight, minlength=len(data.classes)).astype(np.float64)
        self._become(
            {
                "estimators_": fitted,
                "classes_": np.asarray(first.classes_),
                "class_count_": count,
                "class_prior_": count / count.sum(),
                "stale_": False,
                **{name: getattr(first, name) for name in known if hasattr(first, name)},
            }
        )

    def rule_of(self, rows: float) -> PoolingRule:
        """How the members' answers become one, where the weights are of so many rows."""
        return PoolingRule(self.method, float(self.ridge), rows)

    def heard(self) -> dict[str, Any]:
        """The members with a weight, which answer."""
        return {name: model for name, model in self.estimators_.items() if self.weights_[name] > 0}

    def _weights(self) -> Floats:
        """Of the members that answer (m,)."""
        return np.array([self.weights_[name] for name in self.heard()])

    def _said(self, X: Any) -> Floats:
        """Log posteriors (n, m, k) of the members that answer."""
        ready, classes = isinstance(X, ReadyMembers), names_of(self.classes_)
        X = X if ready else self._shared(X)
        each = [log_posteriors(model, X[name] if ready else X, classes) for name, model in self.heard().items()]
        return np.stack(each, axis=1)

    def _shared(self, X: Any) -> Any:
        """The table, read once for all members where they read it alike."""
        return read_for([self], more_than_once(X))

    def _ready(self, X: Any) -> ReadyMembers:
        """The table as each member that answers takes it; they stand for X."""
        if isinstance(X, ReadyMembers):
            return X
        X = self._shared(X)
        return ReadyMembers({name: ready_for(model, X) for name, model in self.heard().items()})

    def _under(self, found: Floats, prior: Any) -> Floats:
        """Log posteriors (n, k) where the classes have another prior."""
        if prior is None:
            return found
        there = read_class_prior(prior, self.classes_, "prior")
        return shift_log_posterior(found, self.class_prior_, there, self.classes_)

    def _each(self, verb: str, X: Any, y: Any, sample_weight: PerRow) -> None:
        """Let every member learn or forget rows, all of them or none."""
        self._check_fitted()
        with self._onward():
            members = {}
            for name, model in self.estimators_.items():
                able(model, verb)
                twin = copy.deepcopy(model)
                options = {} if sample_weight is None else {"sample_weight": sample_weight}
                try:
                    getattr(twin, verb)(X, y, **options)
                except TierError as wrong:
                    raise TierError(f"{name!r}, a member of the pool: {wrong}. To go on, {HOW_TO_UPDATE}") from None
                members[name] = twin
            first = next(iter(members.values()))
            if names_of(first.classes_) != names_of(self.classes_):
                raise InputError("the classes have changed, and the offsets are of the old ones: fit again on all data")
            count = np.asarray(getattr(first, "class_count_", self.class_count_), dtype=np.float64)
            learned = {
                "estimators_": members,
                "class_count_": count,
                "class_prior_": count / count.sum(),
                "stale_": True,
            }
            self._become(learned)
        say_stale()

    def _as_it_is(self) -> Self:
        still = super()._as_it_is()
        if still is not self and still.__sklearn_is_fitted__():
            still._become({"estimators_": {name: as_it_is(one) for name, one in still.estimators_.items()}})
        return still

    def _labelled(self, X: Any, y: Any) -> Iterator[tuple[Any, Any]]:
        yield split_column(X, y) if isinstance(y, str) else (X, y)

    def __sklearn_is_fitted__(self) -> bool:
        return hasattr(self, "estimators_")

    def _face(self) -> Face:
        from likely.decisions.pooling.face import pool_in_face

        return pool_in_face(self, super()._face())

    def _members(self) -> dict[str, Any]:
        return given_names(self.estimators)

    def _exchange(self, name: str, member: Any) -> None:
        self.estimators = exchanged(self.estimators, name, member)

    def _check_parameters(self) -> None:
        check_choice("method", self.method, METHODS)
        if is_number(self.cv) and self.cv < 2:
            raise InputError(f"cv must be at least 2 folds, got {self.cv!r}")
        check_number("ridge", self.ridge)
