r"""Naive Bayes from raw texts: tokens, a vocabulary and a document model in one.

    p(class | text) is proportional to p(class) prod over words p(word | class)

A `TextFamily` over one column of texts. The vocabulary is part of its statistic, so it grows with every batch, two
models add over the union of their words, and forgetting a document drops the words that nobody else used. Which words
are kept (`min_df`, `max_df`, `max_features`) is decided when estimating, from the statistic alone.
"""

from typing import Any, cast

import numpy as np

from likely.data.columns.schema import Column, Schema
from likely.data.inputs import Input, SourceInput, TextInput, read_input, whole_table
from likely.data.printing.wording import amount, shortened
from likely.data.text import WORDS_OF_TWO, Tokenizer, read_documents
from likely.distributions.texts.documents import TextDistribution, TextFamily
from likely.distributions.texts.term_weights import TermWeights
from likely.errors import InputError
from likely.models.any_classifier.outcome import Outcome
from likely.models.generative.answers.fitted import sums_of_parts
from likely.models.generative.classifier import GenerativeClassifier
from likely.models.generative.explain.telling_words import TellingTerms, telling_terms
from likely.models.generative.explain.words import weigh_texts
from likely.models.generative.summing.layout import Layout
from likely.models.traits.evidence import told_in_kind
from likely.models.traits.state import of_one_state
from likely.models.traits.words import TextEvidence
from likely.numeric.arrays import Floats
from likely.numeric.random_state import Seed
from likely.statistics.counting.terms import TermCounts


class TextBayes(GenerativeClassifier):
    r"""Naive Bayes for raw texts, multinomial or Bernoulli.

    Parameters
    ----------
    model : "multinomial", "bernoulli" or "complement"
        Every occurrence of a word counts; presence and absence count; or a class is judged by the words of all
        others, which helps where classes are of very different size. "complement" has a uniform class prior unless
        one is given, as in scikit-learn, and its scores are no likelihoods.
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
    analyzer : "word", "char", "char_wb" or a function
        Terms are words; runs of characters, of the lengths in `ngram_range`; such runs inside of words; or what a
        function makes of a text. As in scikit-learn's CountVectorizer, term by term.
    tokenizer : None or a function
        From a text to its words, in place of `token_pattern`. A model with functions can be pickled if they can, and
        not be kept in a model file.
    strip_accents : None, "ascii", "unicode" or a function
    vocabulary : None or a list of words
        The only words that count, whether or not they occur: `min_df`, `max_df` and `max_features` say nothing then.
    hidden : "ignore" or "em", as in NaiveBayes

    Examples
    --------
    >>> from likely import TextBayes
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

    missing: Any = "ignore"
    random_state: Seed = None

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
        hidden: str = "ignore",
        analyzer: Any = "word",
        tokenizer: Any = None,
        strip_accents: Any = None,
        vocabulary: Any = None,
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
        self.hidden = hidden
        self.analyzer = analyzer
        self.tokenizer = tokenizer
        self.strip_accents = strip_accents
        self.vocabulary = vocabulary

    def _layout(self, data: Input) -> Layout:
        if data.width != 1:
            shown = ", ".join(map(repr, data.names[:6])) if data.names else str(data.width)
            raise InputError(f"X has {data.width} columns ({shown}); choose the one that holds the text, X[name]")
        schema = Schema(
            (Column(data.names[0] if data.names else "text", "text", None, "String"),),
            bool(getattr(data, "named", False)),
        )
        return Layout.of(schema, [(self._family(), [0])], "ignore")

    @of_one_state
    @told_in_kind
    def evidence(  # type: ignore[override]
        self, X: Any, against: Any = None, for_class: Any = None, prior: Any = None
    ) -> TextEvidence:
        """Weight of evidence: bits each word gives to the predicted class against the rest, or a named one."""
        return weigh_texts(self.classes_, self._fitted, *self._texts_with_prior(X, prior), for_class, against)

    @of_one_state
    def evidence_after(self, X: Any, outcome: Outcome) -> TextEvidence:  # type: ignore[override]
        """The evidence for what a wrapper said of the texts in the end, its sum the odds of the wrapper's posterior."""
        return weigh_texts(self.classes_, self._fitted, *self._texts_with_prior(X), outcome=outcome)

    @of_one_state
    def top_terms(self, class_: Any, n: int = 10, confidence: float = 0.95) -> TellingTerms:
        """The words that tell a class from the others, with intervals on their log2 ratios.

        The first is the one of which it is surest that it speaks for the class: the highest lower end.
        """
        self._check_fitted()
        return telling_terms(self.classes_, self._seen, self._fitted, class_, n, confidence)

    @property
    @of_one_state
    def vocabulary_(self) -> dict[str, int]:
        """The words that the model uses, in alphabetical order, each with its place."""
        self._check_fitted()
        words = self._seen.words.taken(np.flatnonzero(self._fitted.kept)).tolist()
        return {word: place for place, word in enumerate(words)}

    @property
    @of_one_state
    def weights_(self) -> TermWeights:
        """What each word ever seen says of each class."""
        self._check_fitted()
        return self._fitted.weights

    @property
    @of_one_state
    def tokenizer_(self) -> Tokenizer:
        """How texts are cut into words."""
        self._check_fitted()
        return self._fitted.family.tokenizer

    @of_one_state
    def summary(self, n: int = 5) -> str:
        """What was learned, in a few lines of text: how much, and the most telling words of each class."""
        self._check_fitted()
        lines = [repr(self), f"  {amount(self.class_count_.sum())} texts, {int(self._fitted.kept.sum()):,} words"]
        for name, weight in zip(self.classes_.tolist(), self.class_count_.tolist(), strict=True):
            words = [shortened(term.word) for term in self.top_terms(name, n)] if len(self.classes_) > 1 else []
            lines.append(f"  {shortened(str(name))} ({amount(weight)}): {', '.join(words)}".rstrip(": "))
        return "\n".join(lines)

    @property
    def _seen(self) -> TermCounts:
        return self._fitted.family.seen(cast(TermCounts, sums_of_parts(self.statistic_)[0]))

    @property
    def _fitted(self) -> TextDistribution:
        return cast(TextDistribution, self.distribution_.parts[0])

    def _family(self) -> TextFamily:
        words = self.stop_words
        if words is not None and not isinstance(words, str):
            Tokenizer.of(self.lowercase, self.token_pattern, self.ngram_range, words)  # refuses what are no words
            words = tuple(sorted(set(words)))
        pair = tuple(self.ngram_range) if isinstance(self.ngram_range, list) else self.ngram_range
        return TextFamily(
            cast(Any, self.model), self.alpha, words, bool(self.lowercase), self.token_pattern, pair,
            self.min_df, self.max_df, self.max_features, self.unseen,
            self.analyzer, self.tokenizer, self.strip_accents, _listed(self.vocabulary),
        )  # fmt: skip

    def _read(self, X: Any) -> Input:
        if isinstance(X, list):
            return TextInput(read_documents(X))
        if hasattr(X, "n_batches"):  # a source, or a table that was read already
            return read_input(X)
        from likely.data.frames.recognition import is_frame

        return read_input(X) if is_frame(X) else TextInput(read_documents(X))

    def _ready(self, X: Any) -> Any:
        """The texts as they are: what their words say is told in their order, which no count of them knows."""
        return self._query(X)

    def _align(self, data: Input) -> Input:
        """Texts by themselves need no name of a column."""
        if isinstance(data, TextInput):
            return data
        if data.width != 1 or self.layout_.schema.named or isinstance(data, SourceInput):
            data = super()._align(data)
        return data if isinstance(data, SourceInput) else TextInput(read_documents(whole_table(data)))

    def _texts_with_prior(self, X: Any, prior: Any = None) -> tuple[list[str | None], Floats]:
        """Texts, and the log prior of each (n, k)."""
        texts = [text for _, batch in self._query(X).batches() for text in self._texts(batch)]
        return texts, np.tile(self._log_prior(prior), (len(texts), 1))

    def _texts(self, batch: Any) -> list[str | None]:
        return batch if isinstance(batch, list) else read_documents(batch[self.layout_.schema.names[0]])

    @property
    def _estimates_prior(self) -> bool:
        return self.class_prior is None and self.model != "complement"

    def _needs_passes(self, target: Any) -> bool:
        needed = super()._needs_passes(target)
        if needed and self.model == "complement":
            raise InputError("model='complement' has scores, no likelihood, so hidden labels cannot be learned with it")
        return needed

    def _check_parameters(self) -> None:
        super()._check_parameters()
        self._family()

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        tags.input_tags.string, tags.input_tags.one_d_array = True, True
        tags.input_tags.two_d_array = tags.input_tags.sparse = False
        return tags


def _listed(vocabulary: Any) -> Any:
    """A vocabulary as a tuple, from a list, a set or scikit-learn's mapping of words to places."""
    if vocabulary is None:
        return None
    if isinstance(vocabulary, str) or not hasattr(vocabulary, "__iter__"):
        raise InputError(f"vocabulary must be None or a list of different words, got {vocabulary!r:.60}")
    words = tuple(vocabulary)
    return tuple(sorted(words)) if all(isinstance(word, str) for word in words) else words
