"""Documents from whatever holds texts: a list, an array, a column or a frame of one column; packed for the kernels."""

from collections.abc import Iterator, Mapping, Sequence
from itertools import pairwise
from typing import Any, cast

import numpy as np

from likely.data.accepted import TableLike
from likely.errors import InputError, InputTypeError
from likely.numeric.arrays import Array, Ints

_BATCH = 1_000_000  # characters


def read_documents(X: TableLike) -> list[str | None]:
    """A list of texts, None for a missing one.

    >>> read_documents(np.array([["a cat"], ["a dog"]]))
    ['a cat', 'a dog']
    """
    texts = X if isinstance(X, list) else _as_list(X)
    if not texts:
        raise InputError("Found array with 0 sample(s) while a minimum of 1 is required: there is no text.")
    return texts if set(map(type, texts)) == {str} else [_text(text, row) for row, text in enumerate(texts)]


def batches(documents: Sequence[str | None]) -> Iterator[tuple[int, int]]:
    """Ranges of documents of a few million characters together, the same whatever the number of threads."""
    if len(documents) == 1:
        yield 0, 1
        return
    known = documents if None not in documents else [text or "" for text in documents]
    lengths = np.fromiter(map(len, cast(Sequence[str], known)), np.int64, len(documents))
    number = np.cumsum(lengths) // _BATCH
    starts = [0, *(np.flatnonzero(np.diff(number)) + 1).tolist(), len(documents)]
    for start, stop in pairwise(starts):
        if start < stop:
            yield start, stop


def packed(documents: list[str], lowercase: bool) -> tuple[Array, Ints, bool]:
    """All texts as UTF-8 one after the other, where each ends, and whether they are plain ASCII.

    Texts that are not ASCII are put in lower case here, as Python does it; ASCII is left to the kernel.
    """
    whole = "".join(documents)
    plain = whole.isascii()
    lengths = np.fromiter(map(len, documents), np.int64, len(documents))
    if plain:
        return np.frombuffer(whole.encode("ascii"), dtype=np.uint8), np.cumsum(lengths, dtype=np.int64), True
    spelled = documents.copy()
    for i in [i for i, text in enumerate(documents) if not text.isascii()]:
        spelled[i] = documents[i].lower() if lowercase else documents[i]
        lengths[i] = len(spelled[i].encode("utf-8", "surrogatepass"))
    joined = "".join(spelled).encode("utf-8", "surrogatepass")
    return np.frombuffer(joined, dtype=np.uint8), np.cumsum(lengths, dtype=np.int64), False


def _as_list(X: Any) -> list[Any]:
    if isinstance(X, str | bytes):
        raise InputTypeError("X is one text; put it in a list, as [text], to say that it is one document")
    if isinstance(X, np.ndarray):
        if X.ndim == 2 and X.shape[1] == 1:
            X = X[:, 0]
        if X.ndim != 1:
            raise InputError(f"X has the shape {X.shape}; give one text per document, as a list or one column")
        return list(X.tolist())
    from likely.data.frames import is_frame  # loads Polars

    if is_frame(X):
        return _column(X)
    if hasattr(X, "tocsr"):
        raise InputTypeError("X is a sparse matrix; give the texts themselves, or use NaiveBayes(kinds='multinomial')")
    if hasattr(X, "to_pylist"):
        return list(X.to_pylist())
    if hasattr(X, "to_list"):
        return list(X.to_list())
    try:
        return list(X)
    except TypeError:
        raise InputTypeError(f"expected a list or a column of texts, got {type(X).__name__}") from None


def _column(X: Any) -> list[Any]:
    if hasattr(X, "collect"):
        X = X.collect()
    names = list(X) if isinstance(X, Mapping) else list(getattr(X, "column_names", None) or X.columns)
    if len(names) != 1:
        shown = ", ".join(map(repr, names[:6]))
        raise InputError(f"X has {len(names)} columns ({shown}); choose the one that holds the text, X[name]")
    column = X[names[0]]
    return column if isinstance(column, list) else _as_list(column)


def _text(text: object, row: int) -> str | None:
    if isinstance(text, str):
        return str(text)
    if text is None or str(text) in ("nan", "<NA>"):
        return None
    hint = "; decode it, as text.decode('utf-8', 'replace')" if isinstance(text, bytes) else ""
    raise InputTypeError(f"row {row} holds {text!r:.60} ({type(text).__name__}), which is no text{hint}")
