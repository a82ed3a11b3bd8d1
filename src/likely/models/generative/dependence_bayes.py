"""Features that depend on each other: averaged one-dependence estimators, and tree-augmented naive Bayes.

    p(class | x) is proportional to p(class) 1/m sum_i p(x_i | class) prod_(j != i) p(x_j | class, x_i)

Every column in turn is the parent of all others besides the class. One pass sums the joint counts of all pairs of
levels; they merge, forget and cross-validate exactly. What is learned beside them is a slope and offsets that make the
probabilities come true as often as they say: a small solve on exact leave-one-out posteriors, which needs rows.
"""

from collections.abc import Hashable, Mapping, Sequence
from itertools import pairwise
from typing import Any, Self, cast

import numpy as np

from likely.data.accepted import PriorLike, TableLike, TargetLike
from likely.data.columns.kinds import KINDS, Kinds
from likely.data.columns.schema import names_of_columns, schema_of
from likely.data.inputs import Input
from likely.data.labels.target import Target, read_target, split_target
from likely.data.labels.weights import learning_weight
from likely.distributions.dependence import DependenceFamily
from likely.distributions.dependence.family import STRUCTURES
from likely.errors import InputError, TierError, check_choice, check_number
from likely.models.any_classifier.drawn import Ends, draws_needed, ends_of, taking_in
from likely.models.any_classifier.outcome import Outcome
from likely.models.generative.answers import scoring
from likely.models.generative.classifier import GenerativeClassifier
from likely.models.generative.summing.binning import cuts_of, separating_cuts_of
from likely.models.generative.summing.layout import Layout
from likely.models.generative.summing.own_map import OwnMap, learn_map
from likely.models.traits.answers import ByJoint
from likely.models.traits.evidence import Evidence, told_in_kind, weigh_evidence
from likely.models.traits.state import as_it_is, of_one_state
from likely.numeric.arrays import Floats, PerRow
from likely.numeric.logspace import log_joint, log_normalize, log_of, normalize
from likely.numeric.random_state import Seed
from likely.statistics import Labelled


class DependenceBayes(GenerativeClassifier):
    """Averaged one-dependence estimators (AODE), or a tree of dependent features, for tables without texts.

    Parameters
    ----------
    n_parents : 1 or 2
        How many columns besides the class each column depends on. With 2 every two columns in turn are the parents of
        all others: better where there are thousands of rows, at a price in memory that grows with the cube of the
        levels (refused beyond 16.7 million counts of triples: 16 columns of 10 levels with 29 classes, 57 of 5 with 4).
    structure : "average" or "tree"
        Every column in turn the parent of all others, averaged; or the one tree of columns with the greatest mutual
        information given the class (tree-augmented naive Bayes). Columns that no count tells apart, as copies, come in
        the order of their names (of an array as they stand).
    bins : "auto", int, "mdl", or a mapping from column to cut points
        Bins of about equally many rows that numbers are cut into, 5 to 10 by the cube root of the rows (3 to 10 by the
        fourth root with two parents); no label is looked at. They are fixed at the first fit (`cuts_`), whatever is
        learned or forgotten later: to merge models fitted apart, give one's `cuts_` to all. "mdl" cuts where classes
        change (Fayyad & Irani 1993); it has seen the labels, so cross-validation cuts anew in every fold, by refitting.
    m : float
        Pseudo-counts of every distribution of a column given a level of another, shared out equally over its levels.
    calibrate : bool
        Whether a slope and offsets are learned from exact leave-one-out posteriors (`slope_`, `offset_`); False leaves
        the raw posterior, which is as exact in merging and cross-validation as the counts are.
    kinds : "auto", a kind, or a mapping from column to kind
        What columns are taken for; numeric and count columns are cut into bins, the others have levels.
    class_prior, class_alpha, random_state : as in `NaiveBayes`

    Attributes
    ----------
    parents_ : with structure="tree" the parent of every column by name; None for the root
    kinds_ : what every column was taken for
    cuts_ : the cut points of every column of numbers, which other models can be given as `bins`
    slope_ : of the raw log posterior, one for all classes; 1 where there is no map
    offset_ : (k,) what is added to the sloped log posterior of each class; 0 where there is no map

    Examples
    --------
    >>> from likely import DependenceBayes, NaiveBayes
    >>> rng = np.random.default_rng(0)
    >>> X = rng.integers(0, 2, (400, 2))
    >>> y = X[:, 0] ^ X[:, 1]  # neither column says anything by itself
    >>> round(NaiveBayes("nominal").fit(X, y).score(X, y), 1), DependenceBayes(kinds="nominal").fit(X, y).score(X, y)
    (0.5, 1.0)
    """

    _reads_levels = True

    missing = "ignore"
    keeps_structure = True  # other rows would also have cut the numbers elsewhere and given other parents

    slope_: float  # of the raw log posterior; 1 where there is no map
    offset_: Floats  # (k,)
    _labels: tuple[Target | str, Floats | None]  # and weights, while cuts are made from them

    def __init__(
        self,
        n_parents: int = 1,
        structure: str = "average",
        bins: int | str | Sequence[Any] = "auto",
        m: float = 1.0,
        calibrate: bool = True,
        kinds: Kinds = "auto",
        class_prior: PriorLike | None = None,
        class_alpha: float = 0.0,
        random_state: Seed = None,
    ) -> None:
        self.n_parents = n_parents
        self.structure = structure
        self.bins = bins
        self.m = m
        self.calibrate = calibrate
        self.kinds = kinds
        self.class_prior = class_prior
        self.class_alpha = class_alpha
        self.random_state = random_state

    @property
    @of_one_state
    def cuts_(self) -> dict[str, tuple[float, ...]]:
        """The cut points of every column of numbers."""
        self._check_fitted()
        (part,) = self.layout_.parts
        names = self.layout_.schema.names
        return {names[j]: tuple(cut) for j, cut in zip(part.columns, part.cuts, strict=False) if cut is not None}

    @property
    @of_one_state
    def parents_(self) -> dict[str, str | None]:
        """With structure="tree" the parent of every column; None for the root."""
        self._check_fitted()
        tree: Any = self.distribution_.parts[0]
        if self.structure != "tree":
            raise InputError("with structure='average' every column is the parent of all others: there is no tree")
        names = self.layout_.schema.names
        return {name: None if above < 0 else names[above] for name, above in zip(names, tree.parent, strict=True)}

    predict_proba = ByJoint.predict_proba  # of scores with a slope

    @of_one_state
    @told_in_kind
    def evidence(
        self, X: TableLike, against: Hashable = None, for_class: Hashable = None, prior: PriorLike | None = None
    ) -> Evidence:
        """Weight of evidence: bits each feature gives to the predicted class against the rest, or a named one.

        A column's part in an average is its mean log probability under the parents by their shares in it, and an equal
        part of what the average gains over that mean; calibration multiplies all by its slope. They add up exactly.
        """
        return self._weighed(self._query(X), self._log_base(prior), for_class=for_class, against=against)

    @of_one_state
    def evidence_after(self, X: TableLike, outcome: Outcome) -> Evidence:
        """The evidence for what a wrapper said of the rows in the end, its sum the odds of the wrapper's posterior."""
        return self._weighed(self._query(X), self._log_base(None), outcome=outcome)

    def parted(self, X: TableLike, y: TargetLike, sample_weight: PerRow = None, beside: object = None) -> Any:
        """The table encoded once, for exact cross-validation; refused where a map has to be learned in every fold."""
        if self.bins == "mdl":
            raise TierError("cuts that have seen the labels are made anew in every fold: cross-validate by refitting")
        if self.calibrate:
            raise TierError(
                "the calibration of DependenceBayes is learned from rows, which sums do not hold: cross-validate it by "
                "refitting, or the raw posterior (calibrate=False) exactly"
            )
        return super().parted(X, y, sample_weight, beside)

    def merge(self, other: Self) -> Self:
        """Merge two models into a new one of the data of both; the map is the mean, each as heavy as its rows.

        The counts are exactly those of the union, the map is not: fit again on all rows to learn it from them.
        """
        self, other = self._as_it_is(), as_it_is(other)
        if isinstance(other, DependenceBayes) and self.calibrate != other.calibrate:
            raise InputError(
                "one of these models answers by its calibrated posterior (calibrate=True), the other by the raw one: "
                "fit both with the same `calibrate`, so that it is plain what their sum answers by"
            )
        united = super().merge(other)
        rows = [float(each.class_count_.sum()) for each in (self, other)]
        share = rows[0] / max(sum(rows), np.finfo(np.float64).tiny)
        mine, its = (self._offsets(each) for each in (self, other))
        offset = [
            share * mine.get(name, its.get(name, 0.0)) + (1 - share) * its.get(name, mine.get(name, 0.0))
            for name in united.classes_.tolist()
        ]
        united._become(
            {"slope_": share * self.slope_ + (1 - share) * other.slope_, "offset_": np.array(offset, dtype=np.float64)}
        )
        return united

    @of_one_state
    def over_draws(self, X: TableLike, ends: Ends, n_draws: int, random_state: Seed = 0) -> Floats:
        """Intervals (n, k, 2) that `ends` makes of log joints under drawn parameters and the model's own, mapped."""

        def mapped(*joints: Floats) -> Floats:
            return ends(*(joint * self.slope_ + self.offset_ for joint in joints))

        return super().over_draws(X, mapped, n_draws, random_state)

    @of_one_state
    def drawn_log_posteriors(self, X: TableLike, n_draws: int, random_state: Seed = 0) -> Floats:
        """Log posteriors (n, draws, k) of few rows under drawn parameters, mapped."""
        found = super().drawn_log_posteriors(X, n_draws, random_state) * self.slope_ + self.offset_
        return log_normalize(found.reshape(-1, found.shape[2])).reshape(found.shape)

    @of_one_state
    def predict_interval(
        self,
        X: TableLike,
        confidence: float = 0.95,
        random_state: Seed = 0,
        n_draws: int = 1000,
        prior: PriorLike | None = None,
    ) -> Floats:
        """Not how often such rows come true: a credible interval (n, k, 2) of the counts alone, if the model were true.

        The map is taken for known, and no record is kept of what came true of rows left out, which could not be merged
        and forgotten as the counts are; `Calibrated(model).predict_interval` measures that. Of three classes, one rare
        and two of two humps each, these intervals held the truth in 80 of 100 cases at 95 %.
        """
        shift = self._log_base(prior) - self._log_base(None)

        def ends(joint: Floats, own: Floats) -> Floats:
            drawn = normalize((joint + shift).reshape(-1, joint.shape[2])).reshape(joint.shape)
            return taking_in(ends_of(drawn, confidence), normalize(own + shift))

        return self.over_draws(X, ends, draws_needed(n_draws, confidence), random_state)

    def _layout(self, data: Input) -> Layout:
        return self._weighted_layout(data, None)

    def _weighted_layout(self, data: Input, sample_weight: PerRow) -> Layout:
        names = list(names_of_columns(data))
        chosen = self.kinds if isinstance(self.kinds, Mapping) else {}
        kinds = (
            dict.fromkeys(names, self.kinds) if isinstance(self.kinds, str) and self.kinds != "auto" else dict(chosen)
        )
        for name, kind in kinds.items():
            if name not in names or kind not in KINDS:
                raise InputError(f"kinds says {kind!r} of column {name!r}: give kinds ({', '.join(KINDS)}) of columns")
        schema = schema_of(data, cast(Any, kinds))
        for column in schema.columns:
            if column.kind == "text":
                raise InputError(
                    f"column {column.name!r} holds texts, which have no joint counts: drop it, use TextBayes"
                )
        numbers = [j for j, column in enumerate(schema.columns) if column.kind in ("numeric", "count")]
        cuts = self._cuts(data, schema, numbers, learning_weight(sample_weight, data.rows))
        family = DependenceFamily(
            float(self.m),
            cast(Any, self.structure),
            tuple(cuts.get(j) for j in range(schema.width)) if numbers else None,
            int(self.n_parents),
            _ranks(names) if self.structure == "tree" and schema.named else None,
        )
        return Layout.of(schema, [(family, range(schema.width))], "ignore")

    def _cuts(
        self, data: Input, schema: Any, numbers: list[int], weight: Floats | None
    ) -> dict[int, tuple[float, ...]]:
        if self.bins == "mdl":
            return separating_cuts_of(data, *self._labels, schema, numbers)
        if not isinstance(self.bins, Mapping):
            return cuts_of(data, schema, numbers, self.bins, self._of_labelled(weight), int(self.n_parents))
        given: dict[int, tuple[float, ...]] = {}
        for j in numbers:
            name = schema.columns[j].name
            if name not in self.bins:
                raise InputError(f"bins has no cut points for column {name!r}; give those of every column of numbers")
            cut = tuple(float(at) for at in self.bins[name])
            if any(not a < b for a, b in pairwise(cut)) or not np.isfinite(cut).all():
                raise InputError(f"the cut points of column {name!r} must rise, got {list(cut)}")
            given[j] = cut
        return given

    def _of_labelled(self, weight: Floats | None) -> Floats | None:
        """The weights, 0 for rows without a label: they are left out, of the cut points too."""
        target = self._labels[0] if hasattr(self, "_labels") else ""
        if isinstance(target, str) or not target.hidden:
            return weight
        return np.where(target.codes >= 0, 1.0 if weight is None else weight, 0.0)

    def _learn(self, X: TableLike, y: TargetLike, sample_weight: PerRow, declared: Any) -> Self:
        from likely.models.generative.folds.parts import PartedTable

        if isinstance(X, PartedTable):
            return super()._learn(X, y, sample_weight, declared)
        mapped, table = hasattr(self, "slope_"), self._read(X)
        if not self.__sklearn_is_fitted__():
            rows, labels = split_target(table, y)
            target = labels if isinstance(labels, str) else read_target(labels, rows.rows)
            self._labels = target, learning_weight(sample_weight, rows.rows)
        try:
            super()._learn(table, y, sample_weight, declared)
        finally:
            vars(self).pop("_labels", None)
        if self.calibrate and not mapped:
            data, target, weight = self._training(table, y, sample_weight)
            self._take_map(learn_map(self, data, target, weight))
        return self

    @staticmethod
    def _offsets(model: "DependenceBayes") -> dict[Any, float]:
        """The offset of each class."""
        return dict(zip(model.classes_.tolist(), map(float, model.offset_), strict=True))

    def _take_map(self, found: OwnMap) -> None:
        self._become({"slope_": found.slope, "offset_": found.offset})

    def _keep(self, statistic: Labelled, distribution: Any, prior: Floats) -> None:
        before = self._offsets(self) if hasattr(self, "offset_") else {}
        super()._keep(statistic, distribution, prior)
        if before:  # a class that is new has no offset yet
            self._become({"offset_": np.array([before.get(name, 0.0) for name in self.classes_.tolist()])})
        elif not self.calibrate:
            self._become({"slope_": 1.0, "offset_": np.zeros(len(self.classes_))})

    def _joint(self, X: TableLike, prior: PriorLike | None) -> Floats:
        scores = scoring.log_ratios(self, self._query(X))
        return log_joint(scores * self.slope_, self._log_base(prior))

    def _log_base(self, prior: PriorLike | None) -> Floats:
        """What the classes have before any column speaks, after the map (k,)."""
        self._check_fitted()
        own = log_of(self.class_prior_)
        shift = 0.0 if prior is None else self._log_prior(prior) - own
        return np.asarray(self.slope_ * own + self.offset_ + shift)

    def _weighed(self, data: Input, log_prior: Floats, **sides: Any) -> Evidence:
        terms = ((start, self.slope_ * found) for start, found in scoring.terms_of_columns(self, data))
        return weigh_evidence(self.classes_, self.schema_.names, terms, log_prior, **sides)

    def _check_parameters(self) -> None:
        super()._check_parameters()
        check_choice("n_parents", self.n_parents, (1, 2))
        check_choice("structure", self.structure, STRUCTURES)
        if self.n_parents == 2 and self.structure == "tree":
            raise InputError("in a tree every column has one parent: n_parents=2 is for structure='average'")
        if (
            not isinstance(self.bins, Mapping)
            and self.bins not in ("auto", "mdl")
            and not (isinstance(self.bins, int | np.integer) and 2 <= self.bins <= 1000)
        ):
            raise InputError(
                f"bins must be 'auto', 'mdl', a number from 2 up, or cut points by column, got {self.bins!r}"
            )
        check_number("m", self.m, above=True)


def _ranks(names: Sequence[str]) -> tuple[int, ...] | None:
    """The place of each column in the order of the names; None: they stand in it."""
    order = np.argsort(np.argsort(np.array(names, dtype=object))).tolist()
    return None if order == list(range(len(names))) else tuple(order)
