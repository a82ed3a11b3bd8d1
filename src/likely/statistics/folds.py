"""The sum of all parts but one, for every part, by addition alone.

    rest[i] = (s_0 + ... + s_(i-1)) + (s_(i+1) + ... + s_(n-1))

Prefix and suffix sums give all n of them with 3 n additions. Nothing is subtracted, so nothing cancels, and
it works for anything that adds.
"""

from collections.abc import Sequence
from itertools import accumulate
from operator import add
from typing import Any


def all_but_one(parts: Sequence[Any]) -> list[Any]:
    """For each part, the sum of the others.

    >>> all_but_one([1, 10, 100])
    [110, 101, 11]
    """
    if len(parts) < 2:
        raise ValueError("leaving one part out needs at least two parts")
    before = list(accumulate(parts[:-1], add))
    after = list(accumulate(reversed(parts[1:]), lambda total, part: part + total))[::-1]
    middle = [a + b for a, b in zip(before, after[1:], strict=False)]
    return [after[0], *middle, before[-1]]
