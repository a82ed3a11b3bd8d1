"""Values in messages: a few words of any value, and without reading all of one that is large."""

import reprlib

import numpy as np

from likely.numeric.arrays import Array


def quoted(value: object, most: int = 60) -> str:
    """A value as Python writes it, cut to `most` characters; of collections only the beginning is read.

    >>> quoted("much"), quoted(tuple(range(10**6)), 30)
    ("'much'", '(0, 1, 2, 3, 4, 5, ...)')
    """
    return shortened(_FEW.repr(value), most)


def listed(value: object) -> str:
    """A setting for a page to read: collections by their first dozen entries.

    >>> listed({"alpha": tuple(range(100))})
    "{'alpha': (0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, ...)}"
    """
    return shortened(_DOZEN.repr(value), 2000)


def shortened(text: str, most: int) -> str:
    """The beginning of a long text.

    >>> shortened("short", 9), shortened("rather long", 9)
    ('short', 'rather...')
    """
    return text if len(text) <= most else f"{text[: most - 3]}..."


class _Reader(reprlib.Repr):
    def __init__(self, entries: int, letters: int) -> None:
        super().__init__()
        self.maxlevel = 5
        self.maxtuple = self.maxlist = self.maxdict = self.maxset = self.maxfrozenset = entries
        self.maxstring = self.maxlong = self.maxother = letters

    def repr_ndarray(self, array: Array, _: int) -> str:
        with np.printoptions(threshold=self.maxtuple):
            return repr(array)


_FEW, _DOZEN = _Reader(6, 60), _Reader(12, 1000)
