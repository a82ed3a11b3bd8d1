"""Documents as bags of words: which words a text holds, or how often, given its class.

    multinomial  each word of a text is drawn by itself; every occurrence counts
    bernoulli    each word of the vocabulary is in a text or not; presence and absence count
    complement   a text is judged by the words of all other classes: a score, no distribution

See `term_weights` for the formulas. Statistic: `TermCounts`, of which the vocabulary is a part: it grows with the data,
and of what is summed, `min_df`, `max_df` and `max_features` choose the words that speak. Prior: `alpha` pseudo-counts
of every word. The density of the multinomial is that of the words in their order, given their number; samples draw the
number from a Poisson distribution with the mean length of the class.

A missing text says nothing; an empty one holds no word, which is evidence in the Bernoulli model.
"""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from functools import cached_property, lru_cache
from typing import Any, ClassVar, cast

import numpy as np

from likely.data.inputs import suggest
from likely.data.text import WORDS_OF_TWO, TermTable, Tokenizer
from likely.distributions.capabilities.linear import LinearTerms
from likely.distributions.comparing import Verdict
from likely.distributions.counts.polya import draw_lengths
from likely.distributions.family import Form
from likely.distributions.texts.comparing import compare_words
from likely.distributions.texts.linear import terms_of_words
from likely.distributions.texts.term_weights import Bounds, Kind, TermWeights, term_weights
from likely.distributions.texts.word_posterior import WordPosterior
from likely.errors import InputError, TierError, check_choice, check_number, check_whole, is_whole
from likely.numeric.arrays import Array, Floats, Ints, Shapes, frozen
from likely.numeric.kernels.left_out.terms import counts_without_own_text, presence_without_own_text
from likely.numeric.logspace import log_of, weighted_logs
from likely.numeric.shares import share_errors, smoothed_shares
from likely.statistics.counting.terms import TermCounts
from likely.statistics.counting.words import Tokens, Words, within
from likely.statistics.membership import Membership

MODELS = ("multinomial", "bernoulli", "complement")
_FEW_TEXTS, _FEW_LETTERS = 8, 4_000  # that are looked up word by word where no kernel can
_MOST_TEXTS = 4 * 10**6  # folds times texts for which all words are estimated again for every fold
_CELLS = 2**22  # of words that may be present, drawn at a time


@dataclass(frozen=True)
class TextFamily:
    """Texts with a document model and how they are cut into words.

    unseen: what a word never seen in training says: nothing ("ignore"), or what a spare word with the count 0 would
    ("smooth").
    vocabulary: the only words that there are, each of which counts whether or not it occurs.
    analyzer: what terms are: "word", runs of characters ("char", "char_wb"), or a function from a text to its terms.
    own_tokenizer: a function from a text to its words; None: words by `token_pattern`.
    strip_accents: "ascii", "unicode" or a function that takes accents off a text; None: they stay.

    >>> family = TextFamily()
    >>> texts = family.tokens(["free money", "free free prize", "lunch at noon"])
    >>> fitted = family.estimate(family.summarize(texts, Membership.of_labels(np.array([0, 0, 1]), 2)))
    >>> np.exp(fitted.log_density(family.tokens(["free"]))).round(4)  # (3 + 1) / (5 + 6) and (0 + 1) / (3 + 6)
    array([[0.3636, 0.1111]])
    """

    model: Kind = "multinomial"  # of the documents
    alpha: float = 1.0
    stop_words: tuple[str, ...] | str | None = None  # words left out; "english": its commonest
    lowercase: bool = True
    token_pattern: str = WORDS_OF_TWO
    ngram_range: tuple[int, int] = (1, 1)
    min_df: float = 1
    max_df: float = 1.0
    max_features: int | None = None
    unseen: str = "ignore"
    analyzer: Any = "word"
    own_tokenizer: Any = None
    strip_accents: Any = None
    vocabulary: tuple[str, ...] | None = None
    name: ClassVar[str] = "text"
    form: ClassVar[Form] = "text"
    selects_features: ClassVar[bool] = True
    takes_one_column: ClassVar[bool] = True

    def __post_init__(self) -> None:
        _check_options(self)

    @property
    def tokenizer(self) -> Tokenizer:
        """How texts are cut into words."""
        return _tokenizer(*_cutting(self))

    def prepare(self, rows: list[str | None], learning: bool) -> Tokens | list[str | None]:
        """A column of texts as tokens; those to be scored as they are, for their words are looked up one by one."""
        return self.tokens(rows) if learning else rows

    def tokens(self, texts: list[str | None]) -> Tokens:
        """Texts in the form that the family takes; None is a missing one."""
        known = cast(list[str], texts) if None not in texts else [text or "" for text in texts]
        tokens = self.tokenizer.tokens(known)
        if self.vocabulary is not None:
            tokens = within(tokens, _fixed(self.vocabulary))
        if None not in texts:
            return tokens
        return replace(tokens, missing=np.fromiter((text is None for text in texts), np.bool_, len(texts)))

    def summarize(self, x: Tokens, membership: Membership) -> TermCounts:
        return TermCounts.of(x, membership)

    def seen(self, statistic: TermCounts) -> TermCounts:
        """The counts over the vocabulary, where one is given: those of words that never occurred too."""
        return statistic if self.vocabulary is None else statistic.over(_fixed(self.vocabulary))

    def estimate(self, statistic: TermCounts) -> "TextDistribution":
        statistic = self.seen(statistic)
        kept = self.kept(statistic)
        weights = term_weights(statistic, kept, self.model, float(self.alpha), self.unseen == "smooth")
        rows = np.asarray(statistic.weight, dtype=np.float64)
        length = statistic.lengths(kept)
        overall = length.sum() / max(float(rows.sum()), 1.0)
        mean_length = np.where(rows > 0, length / np.where(rows > 0, rows, 1.0), overall)
        return TextDistribution(self, statistic.words, kept, weights, mean_length)

    def log_prior(self, statistic: TermCounts, fitted: "TextDistribution") -> float | None:
        """Of the pseudo-counts of the words kept; None for the complement, which is no distribution."""
        if self.model == "complement":
            return None
        spare = self.model == "multinomial" and self.unseen == "smooth"
        pseudo = float(self.alpha) * np.r_[fitted.kept, spare][:, None]
        tables = (fitted.weights.present, fitted.weights.absent)
        return sum(weighted_logs(pseudo, table) for table in tables if table is not None)

    @property
    def leaves_one_out(self) -> bool:
        """Whether `leave_one_out` has an answer: every word ever seen must speak, and others say nothing."""
        lowest = self.min_df == 0 if isinstance(self.min_df, float) else self.min_df == 1
        whole = lowest and isinstance(self.max_df, float) and self.max_df == 1.0
        grows = self.max_features is None and self.vocabulary is None
        return whole and grows and self.unseen == "ignore" and self.alpha > 0

    def leave_one_out(self, statistic: TermCounts, x: Tokens, membership: Membership) -> Floats:
        """Log likelihood (n, k) of each text under the classes estimated without it; they must be in the statistic.

        A word that no other text holds is never seen then, and says nothing. With weights, or without a label, NaN:
        estimate without the text instead.
        """
        if membership.labels is None or membership.weight is not None or (membership.labels < 0).any():
            return np.full((len(x), statistic.groups), np.nan)
        ids = statistic.words.numbers_of(x.words)[x.ids]
        out = np.empty((len(x), statistic.groups))
        room = np.zeros(len(statistic.words), dtype=np.int64), np.zeros(len(statistic.words), dtype=np.int64)
        given = frozen(ids), frozen(x.ends), membership.labels
        documents = np.ascontiguousarray(statistic.table("documents").T, dtype=np.int64)
        if self.model == "bernoulli":
            rows = np.asarray(statistic.weight, dtype=np.int64)
            left = rows - documents  # (v, k)
            absent = log_of(left + self.alpha).sum(axis=0)
            less = np.where(left >= 1, log_of(np.maximum(left - 1, 0) + self.alpha), 0.0).sum(axis=0)
            presence_without_own_text(*given, documents, rows, absent, less, float(self.alpha), *room, out)
        else:
            count = np.ascontiguousarray(statistic.table("count").T, dtype=np.int64)
            opposed = self.model == "complement"
            count = count.sum(axis=1, keepdims=True) - count if opposed else count
            holding, totals = documents.sum(axis=1), count.sum(axis=0)
            counts_without_own_text(*given, count, holding, totals, float(self.alpha), opposed, *room, out)
        if x.missing is not None:
            out[x.missing] = 0.0
        return out

    def check_folds(self, folds: int, rows: int) -> None:
        """Refuse so many folds that the estimates of all words, one for each, would take too long."""
        if folds * rows > _MOST_TEXTS:
            raise TierError(
                f"{folds:,} folds of {rows:,} texts would take too long: with these options or weights single texts "
                "cannot be taken out of the counts. Use fewer folds, or no weights and min_df=1, max_df=1.0, "
                "max_features=None, unseen='ignore'"
            )

    def parameter_posterior(self, statistic: TermCounts) -> WordPosterior:
        """Dirichlet of the words' shares of each class, or Beta of each word's presence."""
        if self.model == "complement":
            raise InputError("model='complement' is a score, 'multinomial' and 'bernoulli' have a posterior")
        return WordPosterior.learned(self.seen(statistic), self.estimate(statistic))

    def kept(self, statistic: TermCounts) -> Array:
        """Whether each word of a statistic is in the vocabulary (v,)."""
        if self.vocabulary is not None:
            return np.ones(len(statistic.words), dtype=np.bool_)
        return Bounds(self.min_df, self.max_df, self.max_features).kept(statistic)

    def compare(self, before: TermCounts, after: TermCounts, i: int = 0, j: int = 0) -> Verdict | str:
        """A G-test of each word that is frequent enough, of the documents that hold it."""
        return compare_words(before, after) or "no word is frequent enough"

    def standard_errors(self, statistic: TermCounts) -> dict[str, Array]:
        """Deviations (k, v) of the posterior of each word's probability, Dirichlet or Beta; without prior, of the rate.

        Words that are not kept have NaN, and so has everything under "complement", which estimates no probability.
        """
        statistic = self.seen(statistic)
        kept = self.kept(statistic)
        rows = np.asarray(statistic.weight, dtype=np.float64)[:, None]
        if self.model == "bernoulli":
            count, total = statistic.table("documents") + self.alpha, rows + 2 * self.alpha
        else:
            count = np.where(kept, statistic.table("count"), 0) + self.alpha
            total = count.sum(axis=1, keepdims=True, where=np.broadcast_to(kept, count.shape))
        p = np.clip(smoothed_shares(count, 0.0, total, np.nan), 0.0, 1.0)
        errors = share_errors(p, total + (self.alpha > 0))
        return {"probability": np.where(kept & (self.model != "complement"), errors, np.nan)}


@dataclass(frozen=True)
class TextDistribution:
    """k classes of documents over one vocabulary.

    >>> from likely import TextBayes
    >>> model = TextBayes().fit(["free money", "lunch at noon"], ["spam", "ham"])
    >>> model.distribution_.members
    2
    """

    family: TextFamily  # how texts are cut into words, and their model
    words: Words  # all that were seen, v of them
    kept: Array  # (v,)  whether each is in the vocabulary
    weights: TermWeights  # what each word adds to a class
    mean_length: Floats  # (k,)  words of a text
    shapes: ClassVar[Shapes] = {"mean_length": "k"}

    def misfit(self, size: Mapping[str, int]) -> str | None:
        """The name of the first field that does not fit the others, as a damaged file may have; None: all do."""
        if not self.words.in_good_order:
            return "words"
        known, (present, absent) = len(self.words), (self.weights.present, self.weights.absent)
        if self.kept.dtype != np.bool_ or self.kept.shape != (known,):
            return "kept"
        tables = [present] if absent is None else [present, absent]
        if any(table.dtype != np.float64 or table.shape != (known + 1, size["k"]) for table in tables):
            return "weights"
        return "family" if (absent is None) == (self.family.model == "bernoulli") else None

    @property
    def members(self) -> int:
        return len(self.mean_length)

    @property
    def n_parameters(self) -> int:
        size = int(self.kept.sum())
        return self.members * (size if self.family.model == "bernoulli" else max(size - 1, 0))

    def log_density(self, x: Tokens | list[str | None]) -> Floats:
        """Of texts, or of their tokens; a missing one says nothing."""
        if isinstance(x, list):
            return self._of_texts(x)
        number = self.words.numbers_of(x.words)
        out = self.weights.scores(number[x.ids], x.ends, int(number.max(initial=len(self.words))) + 1)
        if x.missing is not None:
            out[x.missing] = 0.0
        return out

    def log_density_terms(self, x: Tokens | list[str | None]) -> Floats:
        return self.log_density(x)[:, None, :]

    def linear_terms(self, names: tuple[str, ...]) -> LinearTerms:
        """Linear in how often each word occurs, or in whether it does."""
        return terms_of_words(self, names[0])

    def _of_texts(self, given: list[str | None]) -> Floats:
        """Of texts that are not cut yet: their words are looked up as they are found."""
        if None in given:
            out = self._of_texts([text or "" for text in given])
            out[[text is None for text in given]] = 0.0
            return out
        texts, known = cast(list[str], given), len(self.words)
        apart = self.family.unseen == "smooth" and (self.weights.once or bool(self.family.stop_words))
        if self.family.tokenizer.plain and not apart:
            return self.weights.scores(*self.table.find(texts), known + 1)
        few = len(texts) <= _FEW_TEXTS and sum(map(len, texts)) <= _FEW_LETTERS
        ids, ends = self._looked_up(texts) if few else self.table.find_apart(texts)
        return self.weights.scores(ids, ends, int(ids.max(initial=known)) + 1)

    def _looked_up(self, texts: list[str]) -> tuple[Array, Ints]:
        """Numbers of the words of a few short texts, one by one; words never seen are told apart."""
        known, new = self.numbers, dict[str, int]()
        ids, ends = list[int](), list[int]()
        for text in texts:
            for term in self.family.tokenizer.terms(text):
                number = known.get(term)
                ids.append(new.setdefault(term, len(known) + len(new)) if number is None else number)
            ends.append(len(ids))
        return np.array(ids, dtype=np.int32), np.array(ends, dtype=np.int64)

    def sample(self, member: Ints, rng: np.random.Generator) -> Tokens:
        """Texts, their words in no order that means anything."""
        if self.family.model == "complement":
            raise InputError("model='complement' judges texts by scores; it is no distribution to draw texts from")
        if self.family.ngram_range != (1, 1) or self.family.analyzer != "word":
            raise InputError(
                "runs of words or characters overlap, so no text can be drawn from a model of them; use "
                "ngram_range=(1, 1) and analyzer='word'"
            )
        member = np.asarray(member)
        ids, lengths = self._present(member, rng) if self.weights.once else self._drawn(member, rng)
        return Tokens(ids.astype(np.int32), np.cumsum(lengths, dtype=np.int64), self.words)

    def __getstate__(self) -> dict[str, Any]:
        """Without the tables that are made when they are asked for."""
        return {name: value for name, value in self.__dict__.items() if name not in ("table", "numbers")}

    @cached_property
    def table(self) -> TermTable:
        """The words, to look up those of new texts."""
        return TermTable(self.words, self.family.tokenizer)

    @cached_property
    def numbers(self) -> dict[str, int]:
        """The place of each word."""
        return {word: place for place, word in enumerate(self.words.tolist())}

    def _drawn(self, member: Ints, rng: np.random.Generator) -> tuple[Ints, Ints]:
        """Multinomial: numbers of words, member by member, put in the order of the texts."""
        place = np.flatnonzero(self.kept)
        lengths = draw_lengths(self.mean_length[member], rng) if len(place) else np.zeros(len(member), dtype=np.int64)
        ids = np.empty(int(lengths.sum()), dtype=np.int64)
        owner = np.repeat(member, lengths)
        for k in range(self.members):
            p = np.exp(self.weights.present[place, k])
            ids[owner == k] = place[rng.choice(len(p), size=int((owner == k).sum()), p=p / p.sum())] if len(p) else 0
        return ids, lengths

    def _present(self, member: Ints, rng: np.random.Generator) -> tuple[Ints, Ints]:
        """Bernoulli: each word by itself."""
        place = np.flatnonzero(self.kept)
        chance = np.exp(self.weights.present[place]).T  # (k, words)
        ids, lengths = [], []
        step = max(1, _CELLS // max(len(place), 1))
        for start in range(0, len(member), step):
            there = rng.random((len(member[start : start + step]), len(place))) < chance[member[start : start + step]]
            ids.append(place[np.nonzero(there)[1]])
            lengths.append(there.sum(axis=1))
        return np.concatenate(ids) if ids else place[:0], np.concatenate(lengths) if lengths else place[:0]


def _cutting(family: TextFamily) -> tuple[Any, ...]:
    """The options of the tokenizer, in its order."""
    words = family.lowercase, family.token_pattern, family.ngram_range, family.stop_words
    return (*words, family.analyzer, family.own_tokenizer, family.strip_accents)


@lru_cache(maxsize=64)
def _tokenizer(*cutting: Any) -> Tokenizer:
    return Tokenizer.of(*cutting)


@lru_cache(maxsize=16)
def _fixed(vocabulary: tuple[str, ...]) -> Words:
    return Words.of(vocabulary)


def _check_options(family: TextFamily) -> None:
    """Refuse options that are no options, or that contradict each other."""
    if family.model not in MODELS:
        raise InputError(f"unknown model={family.model!r}{suggest(family.model, MODELS)}; known: {', '.join(MODELS)}")
    check_number("alpha", family.alpha)
    if family.model == "complement" and family.alpha == 0:
        raise InputError("model='complement' needs alpha > 0: a word of one class only would weigh infinitely much")
    check_choice("unseen", family.unseen, ("ignore", "smooth"))
    if family.unseen == "smooth" and family.alpha == 0:
        raise InputError("unseen='smooth' needs alpha > 0: without it a word never seen is impossible")
    for name in ("min_df", "max_df"):
        value = getattr(family, name)
        if not (is_whole(value) and value >= 1) and not (isinstance(value, float | np.floating) and 0 <= value <= 1):
            raise InputError(f"{name} must be a whole number from 1 up or a share from 0.0 to 1.0, got {value!r}")
    if isinstance(family.min_df, float) == isinstance(family.max_df, float) and family.max_df < family.min_df:
        raise InputError(f"max_df={family.max_df!r} is below min_df={family.min_df!r}: no word could be kept")
    check_whole("max_features", family.max_features, also=(None,))
    Tokenizer.of(*_cutting(family))
    words = family.vocabulary
    if words is None:
        return
    if not words or not all(isinstance(word, str) for word in words) or len(set(words)) < len(words):
        raise InputError(f"vocabulary must be None or a list of different words, got {words!r:.60}")
    if family.unseen == "smooth":
        raise InputError("unseen='smooth' is for a vocabulary that grows; words outside of a fixed one say nothing")
