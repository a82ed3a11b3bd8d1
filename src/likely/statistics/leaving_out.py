"""The sum of all parts but one, for every part, and but two, for every pair, by addition alone.

    rest[i] = (s_0 + ... + s_(i-1)) + (s_(i+1) + ... + s_(n-1))

Prefix and suffix sums give all n of them with 3 n additions. Nothing is subtracted, so nothing cancels, and
it works for anything that adds.
"""

from collections.abc import Iterator, Sequence
from itertools import accumulate
from typing import Any


def all_but_one(parts: Sequence[Any]) -> Iterator[Any]:
    """For each part, the sum of the others, made when it is asked for.

    Parameters
    ----------
    parts : what adds up, such as statistics; at least two

    >>> list(all_but_one([1, 10, 100]))
    [110, 101, 11]
    """
    if len(parts) < 2:
        raise ValueError("leaving one part out needs at least two parts")
    after = list(accumulate(reversed(parts[1:]), lambda total, part: part + total))  # the shortest first
    before = None
    for part in parts:
        rest = after.pop() if after else None  # which is not held any longer than it is needed
        yield rest if before is None else before if rest is None else before + rest
        before = part if before is None else before + part


def all_but_two(parts: Sequence[Any]) -> Iterator[tuple[int, int, Any]]:
    """For each pair i < j of parts the sum of the others, by addition alone: i, j, sum.

    The sum of the parts before j but for i grows with j by one addition; the parts after j are a suffix sum.

    Parameters
    ----------
    parts : what adds up, such as statistics

    >>> [(i, j, rest) for i, j, rest in all_but_two([1, 10, 100])]
    [(0, 1, 100), (0, 2, 10), (1, 2, 1)]
    """
    after = [*list(accumulate(reversed(parts[1:]), lambda total, part: part + total))[::-1], None]  # after[j]: beyond j
    before = None
    for i, part in enumerate(parts):
        left = before
        for j in range(i + 1, len(parts)):
            rest = after[j]
            yield i, j, rest if left is None else left if rest is None else left + rest
            left = parts[j] if left is None else left + parts[j]
        before = part if before is None else before + part
