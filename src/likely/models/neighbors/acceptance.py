"""Whether an instance is to be trusted: its record of success against how frequent its class is (IB3).

    accepted   the lower limit of its success is above the upper limit of its class's frequency     (5 % each side)
    rejected   the upper limit of its success is below the lower limit of its class's frequency     (12.5 % each side)
    undecided  otherwise

Limits are those of the score interval (Wilson).
"""

from typing import NamedTuple

from likely.errors import InputError
from likely.intervals.proportions import proportion_interval

ACCEPT, REJECT = 0.05, 0.125  # one-sided levels (Aha, Kibler and Albert 1991, as the slides have them)


class Acceptance(NamedTuple):
    """The four intervals, and what follows."""

    accept_interval: tuple[float, float]  # of its success
    class_accept_interval: tuple[float, float]  # of the frequency of its class
    reject_interval: tuple[float, float]
    class_reject_interval: tuple[float, float]
    status: str  # accepted, rejected, undecided


def acceptance(
    correct: float, tries: float, class_seen: float, total_seen: float, accept: float = ACCEPT, reject: float = REJECT
) -> Acceptance:
    """Judge an instance that was right `correct` times of `tries`, its class `class_seen` of `total_seen` instances.

    Parameters
    ----------
    accept : the level, on each side, of the intervals by which it is accepted
    reject : the level, on each side, of those by which it is rejected

    >>> acceptance(18, 20, 50, 100).status, acceptance(3, 12, 60, 100).status, acceptance(6, 10, 50, 100).status
    ('accepted', 'rejected', 'undecided')
    """
    if not (0 <= correct <= tries and 0 <= class_seen <= total_seen and total_seen > 0):
        raise InputError("an instance is right at most as often as it is tried, and its class comes at most every time")

    def limits(successes: float, n: float, level: float) -> tuple[float, float]:
        if n == 0:
            return 0.0, 1.0
        found = proportion_interval(successes, n, confidence=1 - 2 * level, method="wilson")
        return float(found.low), float(found.high)

    own, its = limits(correct, tries, accept), limits(class_seen, total_seen, accept)
    own_reject, its_reject = limits(correct, tries, reject), limits(class_seen, total_seen, reject)
    status = "accepted" if own[0] > its[1] else "rejected" if own_reject[1] < its_reject[0] else "undecided"
    return Acceptance(own, its, own_reject, its_reject, status)
