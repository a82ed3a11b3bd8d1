"""What the words of a text say to a model that is linear in the columns of its design, among which each word is one."""

from dataclasses import replace
from typing import Any

import numpy as np

from likely.data.design.blocks import WordBlock
from likely.data.inputs import suggest
from likely.errors import InputError
from likely.models.traits.ready import encoded
from likely.models.traits.words import Spoken, TextEvidence, weigh_words
from likely.numeric.arrays import Floats


def words_of_linear(model: Any, X: Any, column: str | None, shift: Floats, **sides: Any) -> TextEvidence:
    """The words of one text column; the constant, another prior and all other columns stand before them.

    Words are in the order of the vocabulary. How often one occurs is told from the weights of all (tf-idf), of which
    the least is taken to occur once.
    """
    block, first = _block_of(model, column)
    here = slice(first, first + block.width)
    weights = model.linear_
    names, spoken, bases = block.words.tolist(), list[Spoken](), list[Floats]()
    for _, x in encoded(model._query(X), model.design_.matrix):
        bases.append(np.asarray(x @ weights[:, :-1].T) + weights[:, -1] + shift)
        for row in range(x.shape[0]):
            cells = x[[row], here]
            cells = cells.toarray().ravel() if hasattr(cells, "indptr") else cells.ravel()
            at = np.flatnonzero(cells)
            said = cells[at, None] * weights[:, first + at].T
            bases[-1][row] -= said.sum(axis=0)
            often = cells[at] if block.weights is None else cells[at] / block.weights[at]
            counts = np.round(often / often.min(initial=np.inf)).astype(np.int64)
            spoken.append(Spoken([names[j] for j in at.tolist()], counts, said, np.zeros(len(weights))))
    found = weigh_words(model.classes_, spoken, np.concatenate(bases), **sides)
    return found if len(model.schema_.columns) == 1 else replace(found, before="prior and other columns")


def _block_of(model: Any, column: str | None) -> tuple[WordBlock, int]:
    """The words of a column in the design, and where they begin."""
    model._check_fitted()
    names = [one.name for one in model.schema_.columns if one.kind == "text"]
    if not names:
        raise InputError("this model has no column of texts")
    if column is None and len(names) > 1:
        raise InputError(f"there are {len(names)} columns of texts; choose column= from {', '.join(names)}")
    wanted = names[0] if column is None else column
    first = 0
    for block in model.design_.blocks:
        if isinstance(block, WordBlock) and model.schema_.columns[block.column].name == wanted:
            return block, first
        first += block.width
    raise InputError(f"{column!r} is no column of texts{suggest(wanted, names)}; there are {', '.join(names)}")
