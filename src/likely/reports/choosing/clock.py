"""The time a study may take: what is left of it, and what no longer fits in."""

import time

from likely.errors import check_number

_KEPT = 0.1  # of the limit, for what comes last
_MOST = 0.5  # of the limit, for what is foreseen: a limit too short for it leaves the other half to the candidates


class Clock:
    """Counts from its making; without a limit there is always time.

    A tenth of the time is kept for what comes last, the last fit, the audit and the report; and of these what the last
    fit and the report are expected to take, once that is known.

    >>> Clock(60.0).allows(1.0), Clock(60.0).allows(120.0), Clock(None).allows(1e9)
    (True, False, True)
    >>> Clock(60.0).allows(57.0), Clock(60.0).allows(57.0, last=True)
    (False, True)
    >>> clock = Clock(60.0)
    >>> clock.keep("the report", 10.0)
    >>> clock.allows(45.0), clock.allows(45.0, last=True), clock.allows(57.0, last=True)
    (False, True, False)
    """

    def __init__(self, limit: float | None, spent: float = 0.0) -> None:
        check_number("time_limit, in seconds,", limit, above=True, also=(None,))
        self.limit = limit
        self._begin = time.monotonic() - spent
        self._foreseen: dict[str, float] = {}

    @property
    def elapsed(self) -> float:
        """Seconds since the beginning."""
        return time.monotonic() - self._begin

    def keep(self, what: str, seconds: float) -> None:
        """Set the time aside that something will take; of everything together half of the limit at most."""
        self._foreseen[what] = seconds

    def allows(self, seconds: float = 0.0, last: bool = False, instead_of: str = "") -> bool:
        """Whether work of that length would still be done in time; `last` work may take the tenth.

        Work `instead_of` something that time is set aside for may take that time.
        """
        if self.limit is None:
            return True
        foreseen = sum(takes for what, takes in self._foreseen.items() if what != instead_of)
        kept = min(foreseen, _MOST * self.limit) + (0.0 if last else _KEPT * self.limit)
        return self.elapsed + seconds <= self.limit - kept
