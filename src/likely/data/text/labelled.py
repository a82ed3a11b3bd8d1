"""Texts with their classes."""

from typing import Any

import numpy as np

from likely.data.frames.recognition import is_frame
from likely.data.inputs import suggest
from likely.data.target import Target, read_target
from likely.data.text.documents import read_documents
from likely.errors import InputError


def labelled_documents(X: Any, y: Any) -> tuple[list[str], Target]:
    """Texts and the codes of their classes; y may name the column of a frame that holds the classes.

    >>> labelled_documents({"text": ["a cat", "a dog"], "kind": ["c", "d"]}, "kind")
    (['a cat', 'a dog'], Target(codes=array([0, 1], dtype=int32), classes=('c', 'd')))
    """
    texts, labels = split_labels(X, y)
    documents = read_documents(texts)
    target = read_target(labels, len(documents))
    if target.hidden:
        row = int(np.flatnonzero(target.codes < 0)[0])
        raise InputError(f"row {row} of y has no label; give every text its class or leave it out")
    return documents, target


def split_labels(X: Any, y: Any) -> tuple[Any, Any]:
    """Where y is the name of a column of a frame, take it out of the frame."""
    if not isinstance(y, str) or not is_frame(X):
        return X, y
    from likely.data.frames import to_polars

    frame = to_polars(X)
    if y not in frame.columns:
        raise InputError(f"there is no column {y!r}{suggest(y, frame.columns)}; there are {', '.join(frame.columns)}")
    return frame.drop(y), frame[y]
