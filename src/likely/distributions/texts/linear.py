"""Document models as linear ones: a term for each word, how often a text holds it, or whether it does."""

from typing import TYPE_CHECKING

import numpy as np

from likely.distributions.capabilities.linear import LinearTerms
from likely.errors import InputError
from likely.numeric.arrays import Floats

if TYPE_CHECKING:
    from likely.distributions.texts.documents import TextDistribution

_CELLS = 10**7  # texts times words of a design: it is dense


def terms_of_words(fitted: "TextDistribution", name: str) -> LinearTerms:
    """The terms of the words that are kept in a column of this name."""
    weights, known, smooth = fitted.weights, len(fitted.words), fitted.family.unseen == "smooth"
    kept = np.flatnonzero(fitted.kept)
    words = (*fitted.words.taken(kept).tolist(), *(["(never seen)"] * smooth))
    rows = np.append(kept, [known] * smooth).astype(np.int64)
    with np.errstate(invalid="ignore"):  # a probability of 0 is refused for its weight
        coef = weights.present[rows] if weights.absent is None else weights.present[rows] - weights.absent[rows]
    constant = np.zeros(fitted.members) if weights.absent is None else weights.absent.sum(axis=0)
    place = np.full(known + 1, -1)  # of each word among the terms; one that was seen and is not kept has none
    place[rows] = np.arange(len(rows))
    place[:-1][~fitted.kept & weights.present[:-1].any(axis=1)] = place[-1]  # forgotten, as never seen

    def design(texts: list[str | None]) -> Floats:
        x = fitted.family.tokens(texts)
        if len(x) * len(words) > _CELLS:
            raise InputError(f"{len(x):,} texts of {len(words):,} words are too large a table; give fewer texts")
        pairs = np.column_stack([np.repeat(np.arange(len(x)), np.diff(x.ends, prepend=0)), x.ids])
        text, word = (np.unique(pairs, axis=0) if weights.once else pairs).T
        term = place[np.minimum(fitted.words.numbers_of(x.words)[word], known)]
        cells = np.bincount((text * len(words) + term)[term >= 0], minlength=len(x) * len(words))
        return cells.reshape(len(x), len(words)).astype(np.float64)

    return LinearTerms(coef.T, constant, design, tuple(f"{name}: {word}" for word in words))
