"""How delimited text marks its cells, and what follows for its bytes without parsing them.

A record ends at a newline with an even number of quotes before it. A doubled quote inside a quoted cell closes the
cell and opens it again, so it changes nothing here.
"""

import csv
import re
from collections.abc import Iterator
from dataclasses import dataclass


@dataclass(frozen=True)
class Dialect:
    """The separator of the cells and the sign around a cell that may hold separators and line ends."""

    separator: str
    quote: str | None
    decimal: str = "."  # before the fraction of a number

    def names(self, header: str) -> list[str]:
        """The cells of the header, which may raise `csv.Error`."""
        if self.quote is None:
            return header.split(self.separator)
        return next(csv.reader([header], delimiter=self.separator, quotechar=self.quote))

    def records(self, data: bytes) -> Iterator[bytes]:
        r"""The records, each with its line end.

        >>> list(Dialect(",", '"').records(b'a,"two\nlines"\nb,'))
        [b'a,"two\nlines"\n', b'b,']
        """
        part = rb"[^\n]++"
        if self.quote is not None:
            mark = re.escape(self.quote.encode())
            part = rb"[^%b\n]++|%b[^%b]*+%b" % (mark, mark, mark, mark)
        return (match[0] for match in re.finditer(rb"(?:%b)*+\n|(?:%b)++\Z" % (part, part), data))

    def separators(self, data: bytes) -> int:
        """How many separators there are outside quotes.

        >>> Dialect(",", '"').separators(b'a,"b,c",d')
        2
        """
        if self.quote is not None and self.quote.encode() in data:
            mark = re.escape(self.quote.encode())
            data = re.sub(rb"%b[^%b]*+%b" % (mark, mark, mark), b"", data)
        return data.count(self.separator.encode())

    def stray_quote(self, data: bytes) -> int | None:
        """Where the first quote inside a cell is that neither begins nor ends it and is not doubled."""
        if self.quote is None:
            return None
        mark, cell = re.escape(self.quote.encode()), re.escape(self.separator.encode())
        stray = re.search(rb"(?<=[^%b%b\r\n])%b(?=[^%b%b\r\n])" % (mark, cell, mark, mark, cell), data)
        return stray.start() if stray else None
