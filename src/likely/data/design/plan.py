"""What a design matrix needs to know of a table, as sums: means and spreads, levels, words.

    numeric, count   one column, standardised; a gap is the mean, and where training rows have gaps a column says which
    binary           one column of 0 and 1, about its mean; gaps as above
    nominal          a column of 0 and 1 for each level; a gap is a level of its own where training rows have gaps
    ordinal          a column for each threshold: whether the cell is at least that level; or its rank, as a number
    text             a column for each word: how often it occurs, or its tf-idf weight

Statistic: `Moments`, `CategoryCounts` and `TermCounts` of one group, side by side. So the encoding merges, forgets and
is learned anew without a fold, and nothing that decides it comes from rows outside of the sums.
"""

from dataclasses import dataclass, field, replace
from typing import Any, ClassVar, Literal, Self, cast

import numpy as np

from likely.data.columns.encoding import Part, encode
from likely.data.columns.schema import Schema
from likely.data.text.tokenizer import Tokenizer
from likely.errors import InputError, check_choice, check_whole
from likely.numeric.arrays import Array, Floats
from likely.numeric.nearest import about, far_means
from likely.statistics import CategoryCounts, Codes, Membership, Moments, SideBySide
from likely.statistics.counting.terms import TermCounts
from likely.statistics.counting.words import Tokens

Ordinal = Literal["thresholds", "scores"]
Text = Literal["tfidf", "counts"]
Gaps = Literal["column", "kept"]
_NUMBERS = ("numeric", "count", "binary")
_LEVELS = ("nominal", "ordinal")


@dataclass(frozen=True)
class DesignPlan:
    """How the columns of a table become numbers; what has to be learned of them, `summarize` sums.

    Parameters
    ----------
    schema : the columns and their kinds
    standardize : bool
        Numbers and counts about their mean in units of their standard deviation; False leaves them as they are, and a
        gap is still the mean.
    reference : bool
        Leave out the commonest level of each nominal column, which the others are then compared with: for models
        without a penalty, in which all levels together and a constant say the same twice.
    ordinal : "thresholds" or "scores"
        A column for each threshold, so that steps may differ in size; or one number, the level's rank.
    text : "tfidf" or "counts"
        scikit-learn's smoothed tf-idf with rows of length 1, or the number of times a word occurs.
    min_df : int
        Words of fewer texts have no column.
    centred : bool
        Whether numbers are taken about their mean; False for a sparse matrix, which stays one.
    gaps : "column" or "kept"
        What a missing cell is: its column's mean, with a column that says so; or NaN, for those who measure by the
        cells that are there. Then a level that was never seen is NaN too, and numbers that are not standardised are
        not centred either. A sparse matrix holds no NaN: there it is the mean of a number, and no level.

    >>> import polars as pl
    >>> from likely.data.inputs import read_input
    >>> from likely.data.columns.schema import schema_of
    >>> table = pl.DataFrame({"colour": ["red", "blue", None, "red"], "size": [1.0, 3.0, None, 5.0]})
    >>> plan = DesignPlan.of(schema_of(read_input(table)))
    >>> seen = plan.summarize(table.head(2)) + plan.summarize(table.tail(2), start=2)
    >>> design = plan.design(seen)
    >>> design.names
    ('size', 'size is missing', 'colour=blue', 'colour=red', 'colour is missing')
    >>> design.matrix(table).round(3)
    array([[-1.225,  0.   ,  0.   ,  1.   ,  0.   ],
           [ 0.   ,  0.   ,  1.   ,  0.   ,  0.   ],
           [ 0.   ,  1.   ,  0.   ,  0.   ,  1.   ],
           [ 1.225,  0.   ,  0.   ,  1.   ,  0.   ]])
    """

    schema: Schema
    parts: tuple[Part, ...]  # numbers, levels, then one for each column of texts; those that the table has
    standardize: bool = True
    reference: bool = False
    ordinal: Ordinal = "thresholds"
    text: Text = "tfidf"
    min_df: int = 1
    centred: bool = True
    gaps: Gaps = "column"
    tokenizer: Tokenizer = field(default_factory=Tokenizer)
    stored_as: ClassVar[str] = "DesignPlan"

    @classmethod
    def of(cls, schema: Schema, **options: Any) -> Self:
        """The plan for a table; options are those of the class."""
        places = range(schema.width)
        numbers = tuple(j for j in places if schema.columns[j].kind in _NUMBERS)
        levels = tuple(j for j in places if schema.columns[j].kind in _LEVELS)
        texts = [j for j in places if schema.columns[j].kind == "text"]
        known = {*numbers, *levels, *texts}
        for j in places:
            if j not in known:
                column = schema.columns[j]
                raise InputError(
                    f"column {column.name!r} has the kind {column.kind!r}, which has no columns of numbers; choose "
                    f"from {', '.join((*_NUMBERS, *_LEVELS, 'text'))}"
                )
        parts = [Part(numbers, "real", sparse=True)] if numbers else []
        parts += [Part(levels, "codes")] if levels else []
        return cls(schema, (*parts, *(Part((j,), "text") for j in texts)), **options)

    def __post_init__(self) -> None:
        check_choice("ordinal", self.ordinal, ("thresholds", "scores"))
        check_choice("text", self.text, ("tfidf", "counts"))
        check_choice("gaps", self.gaps, ("column", "kept"))
        check_whole("min_df", self.min_df)

    def rows(self, batch: Any, start: int = 0, learning: bool = True) -> tuple[Any, ...]:
        """A batch of the table, part by part: numbers with NaN for a gap, `Codes`, and lists of texts or `Tokens`."""
        encoded = encode(batch, self.parts, self.schema, start, learning)
        return tuple(self._cut(rows) if isinstance(rows, list) and learning else rows for rows in encoded)

    def summarize(self, batch: Any, start: int = 0, weight: Array | None = None) -> SideBySide:
        """The sums over a batch; `start` is the number of its first row, `weight` (n,) what the rows weigh."""
        return self.summarize_rows(self.rows(batch, start), weight)

    def summarize_rows(self, encoded: tuple[Any, ...], weight: Array | None = None) -> SideBySide:
        """The sums over rows that are encoded already."""
        first = encoded[0]
        n = first.shape[0] if hasattr(first, "shape") else len(first)
        everyone = Membership.of_labels(np.zeros(n, dtype=np.int32), 1, weight)
        return SideBySide(everyone.totals(), tuple(_summary(rows, everyone) for rows in encoded))

    def design(self, statistic: SideBySide) -> Any:
        """The encoding that these sums call for: a `Design`."""
        from likely.data.design.design import Design

        return Design.learned(self, statistic)

    def alike(self, other: Self) -> bool:
        """Whether two plans encode the same columns in the same way, so that their sums can be added."""
        mine, its = replace(self, schema=other.schema), other
        return mine == its and (self.schema.named != other.schema.named or self.schema.names == other.schema.names)

    def _cut(self, texts: list[str | None]) -> Tokens:
        missing = np.fromiter((text is None for text in texts), np.bool_, len(texts))
        tokens = self.tokenizer.tokens([text or "" for text in texts])
        return replace(tokens, missing=missing if missing.any() else None)


def _summary(rows: Any, everyone: Membership) -> Any:
    if isinstance(rows, Codes):
        return CategoryCounts.of(rows, everyone)
    if isinstance(rows, Tokens):
        return TermCounts.of(rows, everyone)
    if hasattr(rows, "indptr"):
        return _sparse_moments(rows, everyone)
    return Moments.of(rows, everyone)


def _sparse_moments(rows: Any, everyone: Membership) -> Moments:
    """Sums over all cells of a sparse matrix, the zeros that it does not hold included; about 0, or in a column that is
    nearly full about its mean.
    """
    n, d = rows.shape
    weight = everyone.weight
    share = np.ones(n) if weight is None else np.asarray(weight, dtype=np.float64)
    whole = everyone.totals()
    cells = rows.astype(np.float64)
    each = np.repeat(share, np.diff(cells.indptr))
    stored = np.asarray(np.bincount(cells.indices, weights=each, minlength=d), dtype=np.float64)
    origin = far_means(float(whole[0]), stored, np.asarray(cells.T @ share))
    cells = about(cells, origin)
    squares = cells.copy()
    squares.data **= 2
    first, second = (cast(Floats, np.asarray(m.T @ share)) for m in (cells, squares))
    return Moments(whole, origin[None], np.full((1, d), whole[0]), first[None], second[None])
