"""A code book: rows stored as the number of their nearest centre (vector quantisation); what that saves and loses."""

from dataclasses import dataclass
from typing import Any

import numpy as np

from likely.data.printing.html_table import text_as_html
from likely.errors import InputError
from likely.numeric.arrays import Floats


@dataclass(frozen=True)
class Compression:
    """What it takes to store rows as codes, and how far they come back.

    >>> print(Compression(rows=14, columns=2, size=3, error=2.5, spread=10.0, bits=1.58))
    14 rows of 2 numbers as codes of 3 centres: 20 numbers instead of 28
    1.58 bits a row, 2 without a code by frequency; mean squared error 2.5, 25.0 % of the spread
    """

    rows: int
    columns: int
    size: int  # of the code book: centres
    error: float  # mean squared distance of a row to what it comes back as
    spread: float  # mean squared distance of a row to the mean of all: the error of a single centre
    bits: float  # of a row, by a code that is shorter for commoner centres: the entropy of the codes

    @property
    def numbers_raw(self) -> int:
        """Numbers that the rows hold."""
        return self.rows * self.columns

    @property
    def numbers_coded(self) -> int:
        """One for each row, and those of the code book."""
        return self.rows + self.size * self.columns

    @property
    def fixed_bits(self) -> int:
        """Of a row, by codes of one length."""
        return int(np.ceil(np.log2(self.size))) if self.size > 1 else 0

    @property
    def lost(self) -> float:
        """The share of the spread that is lost."""
        return self.error / self.spread if self.spread > 0 else 0.0

    def __str__(self) -> str:
        return (
            f"{self.rows:,} rows of {self.columns:,} numbers as codes of {self.size:,} centres: "
            f"{self.numbers_coded:,} numbers instead of {self.numbers_raw:,}\n"
            f"{self.bits:.3g} bits a row, {self.fixed_bits} without a code by frequency; mean squared error "
            f"{self.error:.4g}, {100 * self.lost:.1f} % of the spread"
        )

    _repr_html_ = text_as_html


def entropy_bits(weight: Floats) -> float:
    """Bits that a code takes on average, whose symbols have these weights.

    >>> entropy_bits(np.array([2.0, 1.0, 1.0]))
    1.5
    """
    share = weight[weight > 0] / weight.sum()
    return float(-(share * np.log2(share)).sum()) + 0.0


def code_type(size: int) -> np.dtype[np.unsignedinteger]:
    """The smallest whole numbers that hold as many codes.

    >>> code_type(256), code_type(257)
    (dtype('uint8'), dtype('uint16'))
    """
    return np.dtype(np.min_scalar_type(max(size - 1, 0)))


def rows_of(codes: Any, book: Floats) -> Floats:
    """The centres that codes stand for (n, m); of no codes none.

    >>> rows_of([1, 0], np.array([[0.5], [9.5]])).tolist(), rows_of([], np.array([[0.5]])).shape
    ([[9.5], [0.5]], (0, 1))
    """
    given = np.asarray(codes)
    if given.ndim != 1 or (given.size and given.dtype.kind not in "iu"):
        raise InputError("codes are whole numbers, one for each row: those that encode has given")
    if given.size and not (given.min() >= 0 and given.max() < len(book)):
        raise InputError(f"codes run from 0 to {len(book) - 1}, got {int(given.min())} to {given.max()}")
    return book[given.astype(np.int64)]
