"""Names that were chosen to have the same hash: a dictionary of them takes time in the square of their number.

Python's hashes of texts depend on the process, those of whole numbers do not: k (2^61 - 1) has hash 0 for every k.
"""

from collections import Counter
from collections.abc import Collection, Hashable

from likely.errors import InputError

_MOST = 100  # names of one hash; names that nobody chose for it have one or two


def check_hashes(names: Collection[Hashable]) -> None:
    """Refuse names, all of which should differ, if too many of them have the same hash.

    >>> check_hashes([k * (2**61 - 1) for k in range(10_000)])
    Traceback (most recent call last):
    ...
    likely.errors.InputError: 10000 of 10000 names have the same hash: they are equal, or made to slow the reader down
    """
    if len(names) > _MOST:
        ((_, most),) = Counter(map(hash, names)).most_common(1)
        if most > _MOST:
            raise InputError(
                f"{most} of {len(names)} names have the same hash: they are equal, or made to slow the reader down"
            )
