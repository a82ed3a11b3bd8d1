"""Naive Bayes over any mixture of columns: features independent within each class.

    p(class | x) is proportional to p(class) prod_j p(x_j | class)

Each column has the family of its kind; a missing cell is left out of the sums and of the product.
"""

from collections.abc import Hashable, Mapping
from typing import Any, Self, TypeAlias, cast

import numpy as np

from likely.data.accepted import PriorLike, TableLike, TargetLike
from likely.data.columns.kinds import KINDS, counts_of_words
from likely.data.columns.schema import Column, names_of_columns, schema_of
from likely.data.inputs import ArrayInput, Input, suggest
from likely.distributions.combined.product import Product
from likely.distributions.counts.bernoulli import BernoulliFamily
from likely.distributions.counts.multinomial import MultinomialFamily
from likely.distributions.family import Family
from likely.distributions.names import family_named, named_families
from likely.distributions.texts.documents import TextDistribution
from likely.errors import InputError, TierError, check_choice
from likely.models.any_classifier.outcome import Outcome
from likely.models.generative.answers.fitted import sums_of_parts
from likely.models.generative.classifier import GenerativeClassifier
from likely.models.generative.em.hidden import with_labels
from likely.models.generative.explain.telling_words import TellingTerms, telling_terms
from likely.models.generative.explain.words import words_of_column
from likely.models.generative.summing.column_weights import WEIGHTINGS, learn_exponents, powered
from likely.models.generative.summing.layout import Layout, fills
from likely.models.generative.summing.options import PerColumn, check_alpha, declared_levels, per_column, with_alphas
from likely.models.traits.evidence import told_in_kind
from likely.models.traits.face import Face, Section
from likely.models.traits.state import as_it_is, of_one_state
from likely.models.traits.words import TextEvidence
from likely.numeric.arrays import Floats, PerRow
from likely.numeric.random_state import Seed
from likely.statistics import Labelled
from likely.statistics.counting.terms import TermCounts

KindsOrFamilies: TypeAlias = Mapping[Any, str | Family] | str | Family  # of some columns or of all

FAMILY_OF_KIND = {
    "numeric": "gaussian",
    "nominal": "categorical",
    "ordinal": "ordinal",
    "binary": "bernoulli",
    "count": "negative_binomial",
    "text": "text",
}
_SCORES = ("complement", "normalized_complement")  # counts of words judged by those of all other classes


class NaiveBayes(GenerativeClassifier):
    """Naive Bayes for numeric, nominal, ordinal, binary, count and text columns, with missing cells.

    Parameters
    ----------
    kinds : "auto", a kind, a family, or a mapping from column to either
        "auto" guesses each column's kind (see `likely.data.columns.kinds`); a sparse matrix of counts of words, as
        `CountVectorizer` gives it, is "multinomial", as in scikit-learn's MultinomialNB. A kind ("numeric", "nominal",
        "ordinal", "binary", "count", "text") stands for its usual family; a family is named ("gaussian", "categorical",
        "bernoulli", "multinomial", "poisson", "negative_binomial", "log_normal", "gamma", "exponential", "histogram",
        "kde", "text", "multivariate_gaussian" for all columns of that name together, "complement" or
        "normalized_complement" for counts judged by all other classes, as in scikit-learn's ComplementNB: these
        have a uniform class prior unless one is given) or given as an object of
        `likely.distributions`, such as `TextFamily("bernoulli", min_df=2)`.
        Columns that a mapping leaves out are guessed.
    class_prior : None, "uniform", a sequence or a mapping
        None estimates it from the class counts plus `class_alpha` each.
    alpha : float, or one per column
        Pseudo-count of every level of a nominal, binary or multinomial feature and of every word; 0 is maximum
        likelihood.
    class_alpha : float
        Pseudo-count of every class in the estimated prior.
    missing : "ignore", "evidence", "impute" or "error"
        "ignore" leaves a missing cell out; "evidence" makes being missing a feature of its own; "impute" fills
        training cells with the class's mean and query cells with the overall one (of binary, count and nominal
        columns: the most frequent value).
    unseen : "ignore", "prior" or "error"
        What a level never seen in training says: nothing; what a spare slot of the prior says; or an error. Texts
        always have new words: with "error" they say nothing. A third value of a binary column is such a level, and
        has no slot: with "prior" it says nothing.
    ddof : 0 or 1
        Divisor n - ddof of the Gaussian variance.
    var_smoothing : float
        This part of the largest variance of all Gaussian columns is added to every variance, as in scikit-learn's
        GaussianNB, whose 1e-9 depends on the units of the columns; 0 (a class without spread has one pseudo-row of the
        overall spread) does not.
    min_categories : None, int, or one per column
        Levels 0, 1, ... of every nominal column that count whether or not they occur, as in scikit-learn's
        CategoricalNB; its columns must be whole numbers.
    random_state : seed of `sample`
    hidden : "ignore" or "em"
        What becomes of rows without a label: they are left out, with a warning that says how many; or their classes are
        learned too, by EM in many passes, after which the model neither merges nor forgets.
    weighting : None, "exponents" or "subset"
        How much each column counts (`exponents_`): once; to a power that exact leave-one-out posteriors ask for, 0 or
        more, with a ridge towards 1; or once or not at all. They are learned by the first fit and stay as they are in
        `partial_fit` and `forget`; merged models have the mean, each as heavy as its rows (of a "subset" too: a column
        that only one of them took counts in part).

    Attributes
    ----------
    exponents_, learned_exponents_ : the exponent of every column by name; 1, and not there, without weighting

    Examples
    --------
    >>> from likely import NaiveBayes
    >>> import polars as pl
    >>> table = pl.DataFrame({"outlook": ["sunny", "sunny", "rainy", None], "degrees": [29.0, 27.5, None, 18.0]})
    >>> model = NaiveBayes().fit(table, ["no", "no", "yes", "yes"])
    >>> model.kinds_
    {'outlook': 'nominal', 'degrees': 'numeric'}
    >>> model.predict(pl.DataFrame({"outlook": ["rainy"], "degrees": [None]}))
    array(['yes'], dtype='<U3')
    """

    _reads_levels = True

    def __init__(
        self,
        kinds: KindsOrFamilies = "auto",
        class_prior: PriorLike | None = None,
        alpha: PerColumn = 1.0,
        class_alpha: float = 0.0,
        missing: str = "ignore",
        unseen: str = "ignore",
        ddof: int = 0,
        random_state: Seed = None,
        hidden: str = "ignore",
        var_smoothing: float = 0.0,
        min_categories: PerColumn | None = None,
        weighting: str | None = None,
    ) -> None:
        self.kinds = kinds
        self.class_prior = class_prior
        self.alpha = alpha
        self.class_alpha = class_alpha
        self.missing = missing
        self.unseen = unseen
        self.ddof = ddof
        self.random_state = random_state
        self.hidden = hidden
        self.var_smoothing = var_smoothing
        self.min_categories = min_categories
        self.weighting = weighting

    @property
    @of_one_state
    def exponents_(self) -> dict[str, float]:
        """How much each column counts."""
        self._check_fitted()
        return dict(getattr(self, "learned_exponents_", None) or dict.fromkeys(self.schema_.names, 1.0))

    def parted(self, X: TableLike, y: TargetLike, sample_weight: PerRow = None, beside: object = None) -> Any:
        """The table encoded once, for exact cross-validation; refused where exponents are learned in every fold."""
        if self.weighting is not None:
            raise TierError(
                "the exponents of the columns are learned from rows, which sums do not hold: cross-validate this "
                "model by refitting, or without weighting exactly"
            )
        return super().parted(X, y, sample_weight, beside)

    def merge(self, other: Self) -> Self:
        """Merge two models into a new one of the data of both, as if trained on the union; neither of them changes.

        The sums are exactly those of the union; exponents are the mean, each as heavy as its rows (of a subset too).
        """
        self, other = self._as_it_is(), as_it_is(other)
        united = super().merge(other)
        if self.weighting is None:
            return united
        rows = [float(each.class_count_.sum()) for each in (self, other)]
        share = rows[0] / max(sum(rows), np.finfo(np.float64).tiny)
        its = other.exponents_
        united._take_exponents({name: share * w + (1 - share) * its[name] for name, w in self.exponents_.items()})
        return united

    def _take_exponents(self, exponents: dict[str, float]) -> None:
        """Let the columns count so much."""
        plain = self.layout_.family.estimate(self.layout_.for_estimating(cast(Any, self.statistic_.given)))
        self._become(
            {
                "learned_exponents_": exponents,
                "distribution_": powered(plain, np.array(list(exponents.values())), self.layout_),
            }
        )

    def _face(self) -> Face:
        face = super()._face()
        if not hasattr(self, "learned_exponents_"):
            return face
        heaviest = sorted(self.exponents_.items(), key=lambda pair: -pair[1])
        return face.with_section(Section(("column", "exponent"), [(n, f"{w:.2f}") for n, w in heaviest], "exponents"))

    def _learn(self, X: TableLike, y: TargetLike, sample_weight: PerRow, declared: Any) -> Self:
        known = hasattr(self, "learned_exponents_")
        super()._learn(X, y, sample_weight, declared)
        if self.weighting is not None and not known:
            data, target, weight = self._training(self._read(X), y, sample_weight)
            if not isinstance(target, str) and target.hidden:
                data, target, weight = with_labels(data, target, weight)
            self._take_exponents(learn_exponents(self, data, target, weight, cast(Any, self.weighting)))
        return self

    def _keep(self, statistic: Labelled, distribution: Product, prior: Floats) -> None:
        exponents = getattr(self, "learned_exponents_", None)
        if exponents is not None:
            distribution = powered(distribution, np.array(list(exponents.values())), self.layout_)
        super()._keep(statistic, distribution, prior)

    @of_one_state
    @told_in_kind
    def text_evidence(
        self,
        X: TableLike,
        column: str | None = None,
        against: Hashable = None,
        for_class: Hashable = None,
        prior: PriorLike | None = None,
    ) -> TextEvidence:
        """Bits that each word of a text column gives, beside the class prior and all other columns together.

        `column` may be left out where there is only one of texts.
        """
        data, place = self._query(X), self._text_column(column)
        return words_of_column(self, data, place, self._log_prior(prior), for_class, against)

    @of_one_state
    def text_evidence_after(self, X: TableLike, column: str | None, outcome: Outcome) -> TextEvidence:
        """The bits of words for what a wrapper said of the rows in the end, beside the prior and all other columns."""
        place = self._text_column(column)
        return words_of_column(self, self._query(X), place, self._log_prior(None), outcome=outcome)

    @of_one_state
    def top_terms(
        self, class_: Hashable, n: int = 10, confidence: float = 0.95, column: str | None = None
    ) -> TellingTerms:
        """The words of a text column that tell a class from the others, with intervals on their log2 ratios."""
        self._check_fitted()
        part = self._text_column(column)
        fitted = cast(TextDistribution, self.distribution_.parts[part])
        seen = fitted.family.seen(cast(TermCounts, sums_of_parts(self.statistic_)[part]))
        return telling_terms(self.classes_, seen, fitted, class_, n, confidence)

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        tags.input_tags.string |= isinstance(self.kinds, str) and self.kinds == "text"
        return tags

    def _text_column(self, name: str | None) -> int:
        """The part of the layout that is this column of texts."""
        names = self.layout_.columns_with("tokens")
        if not names:
            raise InputError("this model has no column of texts")
        if name is None and len(names) > 1:
            raise InputError(f"there are {len(names)} columns of texts; choose column= from {', '.join(names)}")
        if name is not None and name not in names:
            raise InputError(
                f"{name!r} is no column of texts{suggest(name, list(names))}; there are {', '.join(names)}"
            )
        return names[next(iter(names)) if name is None else name]

    def _layout(self, data: Input) -> Layout:
        names = names_of_columns(data)
        chosen = _chosen(self.kinds, list(names))
        if not chosen and isinstance(data, ArrayInput) and data.sparse and counts_of_words(data.x):
            chosen = dict.fromkeys(names, "multinomial")
        schema = schema_of(data, {name: _printed(choice) for name, choice in chosen.items()}, indicators=True)
        columns = schema.columns
        alpha = per_column(self.alpha, "alpha", len(columns))
        least = per_column(self.min_categories, "min_categories", len(columns))
        groups: list[tuple[Family, list[int]]] = []
        joined: dict[Any, list[int]] = {}  # most columns of a table are alike, and a matrix of words has many
        for j, column in enumerate(columns):
            choice = chosen.get(column.name, column.kind)
            alike = (choice, column.levels, alpha[j], least[j]) if isinstance(choice, str) else j
            if alike in joined:
                joined[alike].append(j)
                continue
            family = self._family(choice, column, alpha[j], least[j])
            alone = getattr(family, "takes_one_column", False) or getattr(family, "levels", None) is not None
            places = None if alone else next((places for known, places in groups if known == family), None)
            if places is None:
                groups.append((family, places := []))
            places.append(j)
            if not alone:
                joined[alike] = places
        self._check_imputable(groups, columns)
        self._check_exponents(groups, columns)
        if np.ndim(self.alpha):
            own = {j for j, c in enumerate(columns) if not isinstance(chosen.get(c.name, ""), str)}
            groups = [(f if own & set(at) else with_alphas(f, [alpha[j] for j in at]), at) for f, at in groups]
        return Layout.of(schema, groups, self.missing)

    def _family(self, choice: object, column: Column, alpha: float, least: int | None) -> Family:
        if not isinstance(choice, str):
            return _own_family(choice, column)
        name, known = FAMILY_OF_KIND.get(choice, choice), named_families()
        if choice in _SCORES:
            return MultinomialFamily(1.0 if np.ndim(self.alpha) else alpha, cast(Any, choice))
        if name not in known:
            names = list(dict.fromkeys((*KINDS, *known, *_SCORES)))
            raise InputError(
                f"unknown kind {choice!r} for column {column.name!r}{suggest(choice, names)}; known are "
                f"{', '.join(names)}"
            )
        unseen = self.unseen
        if hasattr(known[name], "tokens"):  # texts always have new words
            unseen = "smooth" if unseen == "prior" else "ignore"
        options = {
            "alpha": 1.0 if np.ndim(self.alpha) and getattr(known[name], "alpha_per_column", False) else alpha,
            "ddof": self.ddof,
            "var_smoothing": self.var_smoothing,
            "levels": declared_levels(column, least if known[name].form == "codes" else None),
            "neutral": choice == "binary",  # a guessed column that never varies says nothing; a named one is believed
            "unseen": "ignore" if known[name] is BernoulliFamily and unseen == "prior" else unseen,
        }
        return cast(Family, family_named(name, options))

    def _check_parameters(self) -> None:
        super()._check_parameters()
        check_alpha(self.alpha)
        if hasattr(self, "layout_"):  # later rows, or a file
            per_column(self.alpha, "alpha", self.layout_.schema.width)
            per_column(self.min_categories, "min_categories", self.layout_.schema.width)
        check_choice("unseen", self.unseen, ("ignore", "prior", "error"))
        check_choice("ddof", self.ddof, (0, 1))
        if self.weighting is not None:
            self._check_weighting()

    def _check_weighting(self) -> None:
        if self.weighting not in WEIGHTINGS:
            raise InputError(f"unknown weighting={self.weighting!r}; choose from None, {', '.join(WEIGHTINGS)}")
        if self.hidden == "em" or self.missing == "impute":
            option = "hidden='em'" if self.hidden == "em" else "missing='impute'"
            raise InputError(f"weighting learns from rows that are left out exactly, which {option} does not allow")

    @property
    def _estimates_prior(self) -> bool:
        """Not where all columns have scores alone, which are no likelihoods that a prior could weigh."""
        families = self.layout_.families if hasattr(self, "layout_") else ()
        scores = bool(families) and all(getattr(family, "scores_only", False) for family in families)
        return self.class_prior is None and not scores

    def _needs_passes(self, target: Any) -> bool:
        needed = super()._needs_passes(target)
        if needed and any(getattr(family, "scores_only", False) for family in self.layout_.families):
            raise InputError("the complement has scores, no likelihood, so hidden labels cannot be learned with it")
        return needed

    def _check_imputable(self, groups: list[tuple[Family, list[int]]], columns: tuple[Column, ...]) -> None:
        if self.missing != "impute":
            return
        for family, places in groups:
            if not fills(family):
                raise InputError(
                    f"missing='impute' fills means and frequent values, which {type(family).__name__} (column "
                    f"{columns[places[0]].name!r}) has no use for; choose another kind or say missing='ignore' "
                    "(--gaps ignore)"
                )

    def _check_exponents(self, groups: list[tuple[Family, list[int]]], columns: tuple[Column, ...]) -> None:
        texts = [columns[places[0]].name for family, places in groups if hasattr(family, "tokens")]
        if self.weighting is not None and texts:
            raise InputError(
                f"column {texts[0]!r} holds texts, whose words have no exponents: drop it, or leave weighting out"
            )


def _own_family(choice: object, column: Column) -> Family:
    if isinstance(choice, type) or not all(hasattr(choice, verb) for verb in ("form", "summarize", "estimate")):
        raise InputError(
            f"{choice!r} is no kind and no family for column {column.name!r}: give the name of one, or an object "
            "of likely.distributions such as GaussianFamily()"
        )
    return cast(Family, choice)


def _chosen(kinds: KindsOrFamilies, names: list[str]) -> dict[str, Any]:
    """What the user chose, per column; columns left to be guessed are absent."""
    if isinstance(kinds, str) and kinds == "auto":
        return {}
    if not isinstance(kinds, Mapping):
        return dict.fromkeys(names, kinds)
    chosen = {}
    for key, choice in kinds.items():
        name = names[key] if isinstance(key, int) and 0 <= key < len(names) else key
        if name not in names:
            raise InputError(f"kinds names column {key!r}, which is not in the table{suggest(key, names)}")
        if not (isinstance(choice, str) and choice == "auto"):
            chosen[name] = choice
    return chosen


def _printed(choice: object) -> str:
    """The kind that was chosen, as it is printed back."""
    return "text" if hasattr(choice, "tokens") else choice if isinstance(choice, str) else type(choice).__name__
