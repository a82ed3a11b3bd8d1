"""Models by name: the usual recipes, and every candidate that a study would try.

A Gaussian of a table with other columns than numbers treats the numbers together and every other column by itself, as
naive Bayes does.
"""

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from likely.errors import InputError

if TYPE_CHECKING:
    from likely.models.roster import TableFacts

COVARIANCES = ("full", "shared", "diagonal", "shared_diagonal", "spherical", "shared_spherical")
NAMES = (
    "naive",
    "naive-weighted",
    "naive-selected",
    "gaussian",
    *(f"gaussian-{name.replace('_', '-')}" for name in COVARIANCES),
    "histogram",
    "kde",
    "neighbors",
    "exemplar",
    "instances",
    "logistic",
    "least-squares",
    "fisher",
    "dependence",
    "dependence-pairs",
    "dependence-tree",
    "pool",
    "pool-updatable",
    "majority",
    "tree",
    "forest",
    "boosted",
    "perceptron",
    "kernel-perceptron",
    "neural-network",
)
OF_TEXTS = (
    "naive-bayes-words-present",
    "naive-bayes-rare-words-trusted",
    "naive-bayes-words-and-pairs",
    "naive-bayes-complement",
)  # candidates of a study for tables with texts
_ALL_OPTIONS = ("covariance", "alpha", "gaps", "unseen", "words", "stop_words", "ngrams", "min_df")


@dataclass(frozen=True)
class Options:
    """What the user chose about the model; None: the model's own default."""

    covariance: str | None = None
    alpha: float | None = None
    gaps: str | None = None  # what a missing cell means
    unseen: str | None = None
    words: str | None = None  # how a text counts its words
    stop_words: str | None = None
    ngrams: int | None = None  # words in a row that are one too, at most
    min_df: int | None = None  # texts that a word must be in

    @property
    def about_words(self) -> bool:
        """Whether anything is said of texts."""
        return any(value is not None for value in (self.words, self.stop_words, self.ngrams, self.min_df))

    def kinds(self, facts: "TableFacts") -> dict[str, Any]:
        """The kinds of a table, columns of texts with their options."""
        if not self.about_words:
            return dict(facts.kinds)
        from likely.distributions.texts.documents import TextFamily

        texts = facts.of_kind("text")
        if not texts:
            raise InputError(
                f"{self._said('words', 'stop_words', 'ngrams', 'min_df')} is about texts, and no column is of the kind "
                "text; leave it out, or say which one is with --kind COLUMN=text"
            )
        given: dict[str, Any] = {"model": self.words, "alpha": self.alpha, "stop_words": self.stop_words}
        given |= {"ngram_range": self.ngrams and (1, self.ngrams), "min_df": self.min_df}
        given |= {"unseen": "smooth" if self.unseen == "prior" else None}
        family = TextFamily(**{name: value for name, value in given.items() if value is not None})
        return {**facts.kinds, **dict.fromkeys(texts, family)}

    def of_naive(self) -> dict[str, Any]:
        """As parameters of NaiveBayes."""
        given = {"alpha": self.alpha, "missing": self.gaps, "unseen": self.unseen}
        return {name: value for name, value in given.items() if value is not None}

    def refuse(self, model: str, *names: str) -> None:
        """Refuse options that this model has no use for."""
        if said := self._said(*names):
            raise InputError(f"{said} means nothing to the model {model!r}; leave it out")

    def _said(self, *names: str) -> str | None:
        """The first of these options that the user gave, as it is typed."""
        return next((f"--{name.replace('_', '-')}" for name in names if getattr(self, name) is not None), None)


def recipe(name: str, facts: "TableFacts", options: Options | None = None) -> Any:
    """A fresh model by its name, for a table of these columns.

    >>> from likely.models.roster import TableFacts
    >>> recipe("gaussian-shared", TableFacts({"x": "numeric", "z": "numeric"}, 90, 2, 30, False))
    GaussianBayes(covariance='shared')
    """
    from likely.models.baseline.majority import MajorityClassifier
    from likely.models.generative import DependenceBayes, NaiveBayes

    chosen = Options() if options is None else options
    kinds = chosen.kinds(facts)
    family, _, covariance = name.partition("-")
    if name in NAMES and family == "gaussian":
        return _gaussian(name, covariance.replace("-", "_"), facts, chosen)
    match name:
        case "perceptron" | "kernel-perceptron" | "neural-network":
            chosen.refuse(name, *_ALL_OPTIONS)
            return _of_units(name, facts)
        case "naive" | "naive-weighted" | "naive-selected":
            chosen.refuse(name, "covariance")
            weighting = {"naive-weighted": "exponents", "naive-selected": "subset"}.get(name)
            return NaiveBayes(kinds=kinds, weighting=weighting, **chosen.of_naive())
        case "histogram" | "kde":
            chosen.refuse(name, "covariance")
            numbers = dict.fromkeys(facts.of_kind("numeric"), name)
            return NaiveBayes(kinds={**kinds, **numbers}, **chosen.of_naive())
        case "neighbors":
            from likely.models.neighbors.roster import neighbours_for

            chosen.refuse(name, *(option for option in _ALL_OPTIONS if option != "alpha"))
            found = neighbours_for(facts)
            return found if chosen.alpha is None else found.set_params(alpha=chosen.alpha)
        case "exemplar":
            from likely.models.neighbors import NearestExemplar

            chosen.refuse(name, *_ALL_OPTIONS)
            middle = "medoid" if facts.of_kind("text") else "mean"
            return NearestExemplar(middle, scale="minmax" if middle == "medoid" else "standard", kinds=kinds)
        case "instances":
            from likely.models.neighbors import InstanceLearner

            chosen.refuse(name, *_ALL_OPTIONS)
            return InstanceLearner("IB3", scale="minmax", kinds=kinds)
        case "logistic" | "least-squares" | "fisher":
            chosen.refuse(name, *_ALL_OPTIONS)
            return _linear(name, facts)
        case "dependence" | "dependence-pairs" | "dependence-tree":
            chosen.refuse(name, *_ALL_OPTIONS)
            structure, parents = "tree" if name.endswith("tree") else "average", 2 if name.endswith("pairs") else 1
            return DependenceBayes(parents, structure, calibrate=False, kinds=kinds)
        case "pool" | "pool-updatable":
            chosen.refuse(name, *_ALL_OPTIONS)
            return _pool(name == "pool-updatable", facts)
        case "majority":
            chosen.refuse(name, *_ALL_OPTIONS)
            return MajorityClassifier()
        case "tree" | "forest" | "boosted":
            chosen.refuse(name, *_ALL_OPTIONS)
            return _of_trees(name, facts)
    return _candidate(name, facts, chosen)


def _pool(updatable: bool, facts: "TableFacts") -> Any:
    from likely.decisions.pooling import Pool
    from likely.decisions.pooling.members import candidates_for

    return Pool(list(candidates_for(facts, updatable).items()))


def _of_trees(name: str, facts: "TableFacts") -> Any:
    """A decision tree, pruned by description length, a forest, or boosted trees."""
    from likely.models.trees import BoostedTrees, DecisionForest, DecisionTree

    if texts := facts.of_kind("text"):
        raise InputError(
            f"the model {name!r} cannot read texts, and column {texts[0]!r} holds some; leave it out: --drop {texts[0]}"
        )
    kinds = dict(facts.kinds)
    if name == "tree":
        return DecisionTree(mdl_pruning=True, kinds=kinds)
    return (DecisionForest if name == "forest" else BoostedTrees)(random_state=0, kinds=kinds)


def _gaussian(name: str, covariance: str, facts: "TableFacts", options: Options) -> Any:
    from likely.distributions.vectors.family import MultivariateGaussianFamily
    from likely.models.generative import GaussianBayes, NaiveBayes

    if covariance and options.covariance not in (None, covariance):
        raise InputError(f"--model {name} and --covariance {options.covariance} contradict each other; give one")
    shape: Any = covariance or options.covariance or "full"
    numbers = facts.of_kind("numeric")
    if not numbers:
        raise InputError(f"the model {name!r} is of numbers, and no column is numeric; use the model naive")
    if len(numbers) < len(facts.kinds):
        kinds = {**options.kinds(facts), **dict.fromkeys(numbers, MultivariateGaussianFamily(shape))}
        return NaiveBayes(kinds=kinds, **options.of_naive())
    options.refuse(name, "alpha", "unseen")
    return GaussianBayes(shape, missing=options.gaps or "ignore")


def _linear(name: str, facts: "TableFacts") -> Any:
    from likely.models.linear import FisherDiscriminant, LeastSquaresClassifier
    from likely.models.linear.roster import logistic_for

    if name == "logistic":
        return logistic_for(facts)
    if name == "fisher" and facts.of_kind("text"):
        raise InputError("the model 'fisher' has no use for texts; use the model logistic, or leave them out")
    kinds = dict(facts.kinds)
    if name == "fisher":
        return FisherDiscriminant(kinds=kinds)
    return LeastSquaresClassifier(kinds=kinds, posterior="calibrated")


def _of_units(name: str, facts: "TableFacts") -> Any:
    """Perceptrons and networks; the seed is fixed, so that the same command learns the same model."""
    from likely.models.linear.perceptrons import KernelPerceptron, Perceptron
    from likely.models.networks import NeuralNetwork

    made = {"perceptron": Perceptron, "kernel-perceptron": KernelPerceptron, "neural-network": NeuralNetwork}
    return made[name](kinds=dict(facts.kinds), random_state=0)


def _candidate(name: str, facts: "TableFacts", options: Options) -> Any:
    from likely.data.inputs import suggest
    from likely.models.roster import candidates, needs

    found = {slug(each.name): each.model for each in candidates(facts)}
    if name not in found:
        known = [*NAMES, *(other for other in found if other not in NAMES)]
        for other, what in needs().items():
            if slug(other) == name:
                raise InputError(f"the model {name!r} needs {what}; the models for this table are {', '.join(known)}")
        raise InputError(f"there is no model {name!r}; the models are {', '.join(known)}{suggest(name, known)}")
    options.refuse(name, *_ALL_OPTIONS)
    return found[name]


def slug(name: str) -> str:
    """A candidate's name as it is typed.

    >>> slug("naive Bayes (histograms)")
    'naive-bayes-histograms'
    """
    return re.sub(r"[^a-z0-9]+", "-", name.lower()).strip("-")
