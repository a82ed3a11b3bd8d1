"""The generative candidates of a study.

Numbers are Gaussian within a class unless a candidate says otherwise. Where a Gaussian has correlations, they are those
of the numeric columns; nominal, binary and count columns stay independent of everything within a class.
"""

from typing import Any

from likely.distributions.texts.documents import TextFamily
from likely.distributions.vectors.family import MultivariateGaussianFamily
from likely.models.generative.dependence_bayes import DependenceBayes
from likely.models.generative.gaussian_bayes import GaussianBayes
from likely.models.generative.naive_bayes import NaiveBayes
from likely.models.generative.text_bayes import TextBayes
from likely.models.roster import TableFacts, candidate
from likely.models.traits.protocols import Learner

_TEXTS = "a column of texts"
_WIDEST = 500  # columns whose correlations are worth their time
_PAIRED = 5_000_000  # characters of texts whose pairs of words, which go through Python, are worth their time
_FEW = 10  # rows from which a histogram or a kernel density is tried
_PAIRS = 100  # columns of which all pairs are counted
_TRIPLES, _THREES = 2_000, 16  # rows, and columns, of which all triples are counted
_KERNEL_ROWS = 5_000  # a kernel density keeps every row and asks them all


@candidate("naive Bayes", rank=1)
def naive_bayes(facts: TableFacts) -> Learner | None:
    """Features independent within a class; numbers Gaussian (a diagonal covariance), words of a text one by one."""
    return _words_as(facts) if facts.of_kind("text") else NaiveBayes(kinds=dict(facts.kinds))


@candidate("naive Bayes (columns weighed)", rank=2, needs=f"2 to {_WIDEST} columns, none of them of texts")
def columns_weighed(facts: TableFacts) -> Learner | None:
    """As naive Bayes, each column to a power that rows left out ask for: what columns repeat counts less."""
    fitting = 2 <= len(facts.kinds) <= _WIDEST and not facts.of_kind("text")
    return NaiveBayes(kinds=dict(facts.kinds), weighting="exponents") if fitting else None


@candidate("naive Bayes (words present)", rank=1, needs=_TEXTS)
def words_present(facts: TableFacts) -> Learner | None:
    """As naive Bayes, and of a text it counts which words are in it, not how often."""
    return _words_as(facts, model="bernoulli") if facts.of_kind("text") else None


@candidate("naive Bayes (rare words trusted)", rank=2, needs=_TEXTS)
def rare_words(facts: TableFacts) -> Learner | None:
    """As naive Bayes, and a tenth of the usual pseudo-count: rare words weigh more."""
    return _words_as(facts, alpha=0.1) if facts.of_kind("text") else None


@candidate("naive Bayes (words and pairs)", rank=3, needs=f"{_TEXTS}, of at most {_PAIRED:,} characters together")
def words_and_pairs(facts: TableFacts) -> Learner | None:
    """As naive Bayes, and two words in a row, if they occur twice, are a word of their own."""
    few = facts.characters <= _PAIRED
    return _words_as(facts, ngram_range=(1, 2), min_df=2, alpha=0.1) if facts.of_kind("text") and few else None


@candidate("naive Bayes (complement)", rank=2, needs="texts in one column and nothing else, and more than two classes")
def complement(facts: TableFacts) -> Learner | None:
    """A text is judged by the words of all other classes, which helps where classes differ in size."""
    alone = facts.of_kind("text") == list(facts.kinds) and len(facts.kinds) == 1 and facts.classes > 2
    return TextBayes("complement", alpha=0.1) if alone else None


@candidate("naive Bayes (gaps as evidence)", rank=2, needs="missing cells")
def gaps_as_evidence(facts: TableFacts) -> Learner | None:
    """As naive Bayes, and a missing cell says something about the class."""
    return NaiveBayes(kinds=dict(facts.kinds), missing="evidence") if facts.missing else None


@candidate("Gaussian (equal spreads)", rank=1, needs="a numeric column")
def shared_diagonal(facts: TableFacts) -> Learner | None:
    """As naive Bayes, and numbers spread equally in every class."""
    return _gaussian(facts, "shared_diagonal") if facts.of_kind("numeric") else None


@candidate("Gaussian (shared covariance)", rank=2, needs=f"2 to {_WIDEST} numeric columns")
def shared_covariance(facts: TableFacts) -> Learner | None:
    """Numbers correlate, in every class alike (linear discriminant)."""
    return _gaussian(facts, "shared") if 1 < len(facts.of_kind("numeric")) <= _WIDEST else None


@candidate(
    "Gaussian (full covariance)", rank=4, needs=f"2 to {_WIDEST - 1} numeric columns, and more rows of every class"
)
def full_covariance(facts: TableFacts) -> Learner | None:
    """Numbers correlate, in every class differently (quadratic discriminant)."""
    width = len(facts.of_kind("numeric"))
    return _gaussian(facts, "full") if 1 < width < min(facts.smallest_class, _WIDEST) else None


@candidate("naive Bayes (histograms)", rank=3, needs=f"a numeric column and at least {_FEW} rows")
def histograms(facts: TableFacts) -> Learner | None:
    """Features independent within a class; numbers by histograms."""
    return _numbers_as(facts, "histogram") if facts.rows >= _FEW else None


@candidate("naive Bayes (kernel densities)", rank=3, needs=f"a numeric column and {_FEW} to {_KERNEL_ROWS:,} rows")
def kernel_densities(facts: TableFacts) -> Learner | None:
    """Features independent within a class; numbers by kernel densities."""
    return _numbers_as(facts, "kde") if _FEW <= facts.rows <= _KERNEL_ROWS else None


@candidate("dependence (averaged parents)", rank=4, needs=f"2 to {_PAIRS} columns, none of them of texts")
def averaged_parents(facts: TableFacts) -> Learner | None:
    """Every column in turn is the parent of all others within a class, averaged; numbers in bins."""
    return DependenceBayes(calibrate=False, kinds=dict(facts.kinds)) if _paired(facts) else None


@candidate("dependence (a tree of columns)", rank=3, needs=f"2 to {_PAIRS} columns, none of them of texts")
def tree_of_columns(facts: TableFacts) -> Learner | None:
    """Every column depends on one other within a class, the tree that says most; numbers in bins."""
    return DependenceBayes(structure="tree", calibrate=False, kinds=dict(facts.kinds)) if _paired(facts) else None


@candidate(
    "dependence (pairs of parents)",
    rank=5,
    needs=f"{_TRIPLES:,} rows, 3 to {_THREES} columns, none of them of texts",
)
def pairs_of_parents(facts: TableFacts) -> Learner | None:
    """Every two columns in turn are the parents of all others within a class, averaged; numbers in bins."""
    fitting = facts.rows >= _TRIPLES and 3 <= len(facts.kinds) <= _THREES and not facts.of_kind("text")
    return DependenceBayes(2, calibrate=False, kinds=dict(facts.kinds)) if fitting else None


def _paired(facts: TableFacts) -> bool:
    """Whether joint counts of all pairs of columns are worth their time and memory."""
    return 2 <= len(facts.kinds) <= _PAIRS and not facts.of_kind("text")


def _words_as(facts: TableFacts, **options: Any) -> Learner:
    """Every text with these options; of a table of one column of texts, a model of texts."""
    texts = facts.of_kind("text")
    if len(texts) == len(facts.kinds) == 1:
        return TextBayes(**options)
    return NaiveBayes(kinds={**facts.kinds, **dict.fromkeys(texts, TextFamily(**options))})


def _numbers_as(facts: TableFacts, family: str) -> Learner | None:
    numbers = facts.of_kind("numeric")
    return NaiveBayes(kinds={**facts.kinds, **dict.fromkeys(numbers, family)}) if numbers else None


def _gaussian(facts: TableFacts, covariance: Any) -> Learner:
    numbers = facts.of_kind("numeric")
    if len(numbers) == len(facts.kinds):
        return GaussianBayes(covariance)
    return NaiveBayes(kinds={**facts.kinds, **dict.fromkeys(numbers, MultivariateGaussianFamily(covariance))})
