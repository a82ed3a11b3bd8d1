r"""Naive Bayes from raw texts: tokens, a vocabulary and a document model in one.

    p(class | text) is proportional to p(class) prod over words p(word | class)

Statistic: `TermCounts` per class. The vocabulary is part of it, so it grows with every batch, two models add over the
union of their words, and forgetting a document drops the words that nobody else used. Which words are kept (`min_df`,
`max_df`, `max_features`) is decided when estimating, from the statistic alone. Prior: `alpha` pseudo-counts of every
word (see `text_weights`).
"""

from collections import Counter
from collections.abc import Hashable
from typing import Any, Self, cast

import numpy as np

from likely import engines
from likely.data.inputs import suggest
from likely.data.target import read_target
from likely.data.text import (
    WORDS_OF_TWO,
    TermTable,
    Tokenizer,
    batches,
    labelled_documents,
    read_documents,
    split_labels,
)
from likely.errors import InputError
from likely.models.estimator import Classifier
from likely.models.generative.classifier import _class_array
from likely.models.generative.learning import without_empty_classes
from likely.models.generative.text_evidence import TellingTerm, TextEvidence, telling_terms, weigh_words
from likely.models.generative.text_folds import held_out_posteriors
from likely.models.generative.text_options import check_options
from likely.models.generative.text_weights import Bounds, TermWeights, term_weights, with_prior
from likely.models.weights import read_prior, read_weight
from likely.numeric.arrays import Array, Floats
from likely.numeric.logspace import log_normalize, log_of, log_sum_exp, normalize
from likely.statistics.labelled import Labelled
from likely.statistics.membership import Membership
from likely.statistics.terms import TermCounts


class TextBayes(Classifier):
    r"""Naive Bayes for raw texts.

    Parameters
    ----------
    model : "multinomial", "bernoulli" or "complement"
        Every occurrence of a word counts; presence and absence count; or a class is judged by the words of all
        others, which helps where classes are of very different size. "complement" has a uniform class prior unless
        one is given, as in scikit-learn.
    alpha : float
        Pseudo-count of every word; 0 is maximum likelihood, under which a word never seen in a class rules it out.
    class_prior : None, "uniform", a sequence or a mapping
        None estimates it from the class counts plus `class_alpha` each.
    class_alpha : float
        Pseudo-count of every class in the estimated prior.
    stop_words : None, "english" or a list of words
    lowercase : bool
    token_pattern : str
        A regular expression with at most one group. The usual one, runs of two or more letters, digits and
        underscores, is much faster than any other.
    ngram_range : (int, int)
        Shortest and longest runs of words that are terms.
    min_df, max_df : int or float
        Words in fewer or more documents are left out; a fraction is a share of all documents, which count by their
        weights.
    max_features : None or int
        Keep only that many words, the most frequent ones.
    unseen : "ignore" or "smooth"
        Words never seen in training say nothing, or have the probability of a spare word with the count 0.

    Examples
    --------
    >>> from likely.models.generative.text_bayes import TextBayes
    >>> mails = ["free money now", "free prize, claim now", "lunch at noon?", "minutes of the meeting at noon"]
    >>> model = TextBayes().fit(mails, ["spam", "spam", "ham", "ham"])
    >>> model.predict(["claim your free money"])
    array(['spam'], dtype='<U4')
    >>> print(model.evidence(["claim your free money"]).describe(top=2))
    spam against ham: 4.02 bits
      prior           +0.00
      free            +1.73
      claim           +1.14
      (1 more words)  +1.14
    """

    classes_: Array  # (k,)
    class_count_: Array  # (k,)  sum of weights
    class_prior_: Floats  # (k,)
    statistic_: Labelled
    tokenizer_: Tokenizer
    weights_: TermWeights
    kept_: Array  # (words of the statistic,)  whether each is in the vocabulary
    n_features_in_: int

    def __init__(
        self,
        model: str = "multinomial",
        alpha: float = 1.0,
        class_prior: Any = None,
        class_alpha: float = 0.0,
        stop_words: Any = None,
        lowercase: bool = True,
        token_pattern: str = WORDS_OF_TWO,
        ngram_range: tuple[int, int] = (1, 1),
        min_df: float = 1,
        max_df: float = 1.0,
        max_features: int | None = None,
        unseen: str = "ignore",
    ) -> None:
        self.model = model
        self.alpha = alpha
        self.class_prior = class_prior
        self.class_alpha = class_alpha
        self.stop_words = stop_words
        self.lowercase = lowercase
        self.token_pattern = token_pattern
        self.ngram_range = ngram_range
        self.min_df = min_df
        self.max_df = max_df
        self.max_features = max_features
        self.unseen = unseen

    def fit(self, X: Any, y: Any = None, sample_weight: Any = None) -> Self:
        """Learn from texts X with classes y, forgetting anything learned before.

        X is a list, an array, a column or a frame of one column; y one label per text, or the name of a column of X.
        """
        self._reset()
        self._learn(X, y, sample_weight, ())
        if len(self.classes_) < 2:
            only = self.statistic_.classes[0]
            self._reset()
            raise InputError(
                f"y has only one class, {only!r}: there is nothing to tell apart. To begin with one class and learn "
                "others later, use partial_fit"
            )
        return self

    def partial_fit(self, X: Any, y: Any = None, classes: Any = None, sample_weight: Any = None) -> Self:
        """Learn more texts. New words and new classes are welcome at any time, in any order."""
        declared = () if classes is None else read_target(np.asarray(classes)).classes
        return self._learn(X, y, sample_weight, declared)

    def predict(self, X: Any, prior: Any = None) -> Array:
        """The most probable class of each text; the first of equally probable ones."""
        best = self._joint(X, prior).argmax(axis=1)
        return np.asarray(self.classes_[best])

    def predict_proba(self, X: Any, prior: Any = None) -> Floats:
        """Posterior probability of each class; `prior` replaces the class prior after fitting."""
        return normalize(self._joint(X, prior))

    def predict_log_proba(self, X: Any, prior: Any = None) -> Floats:
        """Logarithm of the posterior, exact also where the probability rounds to 0 or 1."""
        return log_normalize(self._joint(X, prior))

    def log_likelihood(self, X: Any) -> Floats:
        """Log p(text | class) for every text and class (n, k): of its words in their order, or of their presence.

        The scores of model="complement" are no likelihoods.
        """
        self._check_fitted()
        documents = read_documents(X)
        table, weights = self._lookup(), self.weights_
        out = np.empty((len(documents), len(self.classes_)))

        def score(span: tuple[int, int]) -> None:
            ids, ends, distinct = self._find(table, documents[slice(*span)])
            out[slice(*span)] = weights.scores(ids, ends, distinct)

        spans = list(batches(documents))
        if len(spans) == 1:
            score(spans[0])
        else:
            engines.current().each(spans, score)
        return out

    def log_evidence(self, X: Any, prior: Any = None) -> Floats:
        """Log p(text) under the whole model; low values for its length mark an unusual text."""
        return log_sum_exp(self.log_likelihood(X) + self._log_prior(prior), axis=1)

    def score(self, X: Any, y: Any, sample_weight: Any = None) -> float:
        """Share of the texts whose class is predicted right; y may be the name of a column of X."""
        texts, labels = split_labels(X, y)
        return super().score(texts, labels, sample_weight)

    def evidence(self, X: Any, against: Any = None, for_class: Any = None, prior: Any = None) -> TextEvidence:
        """Bits that each word gives to the predicted class against the rest, or against a named class."""
        log_prior = self._log_prior(prior)
        if len(self.classes_) < 2:
            raise InputError("evidence speaks for one class against others, and this model knows only one class")
        own = None if for_class is None else self._place(for_class)
        other = None if against is None else self._place(against)
        if own is not None and own == other:
            raise InputError(f"evidence for {for_class!r} against itself is always 0 bits; name two classes")
        texts = [self._distinct_words(text) for text in read_documents(X)]
        members, verdicts = weigh_words(texts, self.weights_, log_prior, own, other)
        prior_bits, absent, words = zip(*verdicts, strict=True)
        opponents = None if other is None else np.full(len(members), self.classes_[other])
        if len(self.classes_) == 2:
            opponents = self.classes_[1 - members]
        return TextEvidence(self.classes_[members], opponents, np.array(prior_bits), np.array(absent), words)

    def top_terms(self, class_: Any, n: int = 10, confidence: float = 0.95) -> list[TellingTerm]:
        """The words that tell a class from the others, with intervals on their log2 ratios.

        The first is the one of which it is surest that it speaks for the class: the highest lower end.
        """
        self._check_fitted()
        if not isinstance(n, int | np.integer) or n < 1:
            raise InputError(f"n must be a whole number from 1 up, got {n!r}")
        if not 0 < confidence < 1:
            raise InputError(f"confidence must be between 0 and 1, got {confidence!r}")
        kind = cast(Any, self.model)
        return telling_terms(self._seen, self.kept_, self._place(class_), int(n), kind, self.alpha, confidence)

    @property
    def vocabulary_(self) -> dict[str, int]:
        """The words that the model uses, in alphabetical order, each with its place."""
        self._check_fitted()
        words = self._seen.words.taken(np.flatnonzero(self.kept_)).tolist()
        return {word: place for place, word in enumerate(words)}

    def summary(self, n: int = 5) -> str:
        """What was learned, in a few lines of text: how much, and the most telling words of each class."""
        self._check_fitted()
        lines = [repr(self), f"  {self.class_count_.sum():,.6g} texts, {int(self.kept_.sum()):,} words"]
        for name, weight in zip(self.classes_.tolist(), self.class_count_.tolist(), strict=True):
            words = [term.word for term in self.top_terms(name, n)] if len(self.classes_) > 1 else []
            lines.append(f"  {name} ({weight:,.6g}): {', '.join(words)}".rstrip(": "))
        return "\n".join(lines)

    def __str__(self) -> str:
        return self.summary() if self.__sklearn_is_fitted__() else repr(self)

    def merge(self, other: Self) -> Self:
        """A new model of the texts of both; the same as one trained on the union."""
        self._check_fitted()
        other._check_fitted()
        if type(self) is not type(other):
            raise InputError(f"cannot merge {type(self).__name__} with {type(other).__name__}")
        mine, its = self.get_params(), other.get_params()
        unlike = [name for name in mine if repr(mine[name]) != repr(its[name])]
        if unlike or self.tokenizer_ != other.tokenizer_:
            raise InputError(f"these models differ in {', '.join(unlike) or 'their tokens'}; give both the same")
        united = type(self)(**self.get_params(deep=False))
        united.tokenizer_, united.n_features_in_ = self.tokenizer_, 1
        united._settle(self.statistic_ + other.statistic_)
        return united

    def __add__(self, other: Self) -> Self:
        if not isinstance(other, TextBayes):
            return NotImplemented
        return self.merge(other)

    def forget(self, X: Any, y: Any = None, sample_weight: Any = None) -> Self:
        """Unlearn texts: afterwards the model is what it would be had it never seen them, their words included.

        Texts that were not learned are refused where that can be seen, and the model stays as it was.
        """
        self._check_fitted()
        removed = without_empty_classes(self._summarize(X, y, sample_weight))
        for name in removed.classes:
            if name not in self.statistic_.classes:
                raise InputError(f"these texts cannot be forgotten: class {name!r} was never learned")
        left = self.statistic_.without(removed)
        if not left.classes:
            raise InputError("forgetting these texts would leave nothing; make a new model instead")
        self._settle(left)
        return self

    def out_of_fold(self, X: Any, y: Any, folds: Any, sample_weight: Any = None) -> Floats:
        """Log posteriors (n, k) of every text under a model of the other folds; the classes are those of y, sorted.

        `folds` names the fold of each text (n,), or of several repeats (r, n) for posteriors (r, n, k). The texts are
        cut into words once; vocabulary, counts and prior of a model come from the other folds alone. A class that is
        not among them has the probability 0. Of this model only the parameters are used.
        """
        check_options(self)
        documents, target = labelled_documents(X, y)
        return held_out_posteriors(self, documents, target, folds, read_weight(sample_weight, len(documents)))

    @property
    def _seen(self) -> TermCounts:
        return cast(TermCounts, self.statistic_.given)

    def _learn(self, X: Any, y: Any, sample_weight: Any, declared: tuple[Hashable, ...]) -> Self:
        check_options(self)
        tokenizer = getattr(self, "tokenizer_", None) or self._tokenizer()
        seen = self._summarize(X, y, sample_weight, tokenizer)
        if declared:
            empty = seen.given.taken(np.zeros(len(declared), dtype=np.int64)) * 0
            seen = Labelled(declared, empty) + seen
        if hasattr(self, "statistic_"):
            seen = self.statistic_ + seen
            declared = (*declared, *self.statistic_.classes)
        self._settle(without_empty_classes(seen, declared))
        self.tokenizer_, self.n_features_in_ = tokenizer, 1
        return self

    def _summarize(self, X: Any, y: Any, sample_weight: Any, tokenizer: Tokenizer | None = None) -> Labelled:
        documents, target = labelled_documents(X, y)
        weight = read_weight(sample_weight, len(documents))
        cut = tokenizer or self.tokenizer_

        def summarize(span: tuple[int, int]) -> TermCounts:
            rows = slice(*span)
            share = None if weight is None else weight[rows]
            membership = Membership.of_labels(target.codes[rows], len(target.classes), share)
            return TermCounts.of(cut.tokens(documents[rows]), membership)

        return Labelled(target.classes, engines.current().fold(batches(documents), summarize))

    def _settle(self, statistic: Labelled) -> None:
        """Estimate everything from the statistic; the model changes only when all of it has succeeded."""
        classes = _class_array(statistic.classes)
        prior = self._prior_from(statistic.weight, classes)
        seen = cast(TermCounts, statistic.given)
        kept = self._bounds().kept(seen)
        self.weights_ = self._weights(seen, kept)
        self.statistic_, self.classes_, self.class_count_ = statistic, classes, statistic.weight
        self.class_prior_, self.kept_ = prior, kept
        self._log_class_prior = log_of(prior)
        self._table: TermTable | None = None
        self._numbers: dict[str, int] | None = None

    def _weights(self, seen: TermCounts, kept: Array) -> TermWeights:
        return term_weights(seen, kept, cast(Any, self.model), float(self.alpha), self.unseen == "smooth")

    def _tokenizer(self) -> Tokenizer:
        return Tokenizer.of(self.lowercase, self.token_pattern, self.ngram_range, self.stop_words)

    def _bounds(self) -> Bounds:
        return Bounds(self.min_df, self.max_df, self.max_features)

    def _prior_from(self, weight: Array, classes: Array) -> Floats:
        if self.class_prior is not None or self.model == "complement":
            return read_prior("uniform" if self.class_prior is None else self.class_prior, classes)
        smoothed = weight + self.class_alpha
        return np.asarray(smoothed / smoothed.sum())

    def _log_prior(self, prior: Any) -> Floats:
        self._check_fitted()
        return self._log_class_prior if prior is None else log_of(read_prior(prior, self.classes_))

    def _joint(self, X: Any, prior: Any) -> Floats:
        return with_prior(self.log_likelihood(X), self._log_prior(prior))

    def _lookup(self) -> TermTable:
        if self._table is None:
            self._table = TermTable(self._seen.words, self.tokenizer_)
        return self._table

    def _find(self, table: TermTable, documents: list[str]) -> tuple[Array, Array, int]:
        """Numbers of words, where each document's end, and a bound of the numbers."""
        known = len(table.words)
        if self.unseen == "smooth" and (self.weights_.once or self.tokenizer_.stop_words):
            ids, ends = table.find_apart(documents)  # words never seen are told apart; stop words are left out
            return ids, ends, int(ids.max(initial=known)) + 1
        return *table.find(documents), known + 1

    def _distinct_words(self, text: str) -> tuple[list[str], Array, Array]:
        """The words of a text that say something, their rows among the weights, and how often they occur."""
        if self._numbers is None:
            self._numbers = {word: number for number, word in enumerate(self._seen.words.tolist())}
        known, new = self._numbers, len(self._numbers)
        bag = Counter(self.tokenizer_.terms(text))
        rows = [(word, known.get(word, new), count) for word, count in bag.items()]
        speaking = [row for row in rows if (self.unseen == "smooth" if row[1] == new else self.kept_[row[1]])]
        words, numbers, counts = zip(*speaking, strict=True) if speaking else ((), (), ())
        return list(words), np.array(numbers, dtype=np.int64), np.array(counts, dtype=np.int64)

    def _place(self, name: Any) -> int:
        at = np.flatnonzero(self.classes_ == name)
        if not len(at):
            raise InputError(f"{name!r} is no class of this model{suggest(name, self.classes_.tolist())}")
        return int(at[0])

    def _reset(self) -> None:
        for name in [name for name in vars(self) if name.endswith("_") and not name.startswith("_")]:
            delattr(self, name)

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        tags.input_tags.string, tags.input_tags.one_d_array = True, True
        tags.input_tags.two_d_array = tags.input_tags.sparse = tags.input_tags.allow_nan = False
        return tags
