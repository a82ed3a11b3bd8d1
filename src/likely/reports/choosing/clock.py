"""The time a study may take: what is left of it, and what no longer fits in."""

import time

from likely.errors import check_number

_KEPT = 0.1  # of the limit, for what comes last


class Clock:
    """Counts from its making; without a limit there is always time.

    A tenth of the time is kept for what comes last: the last fit, the audit and the report.

    >>> Clock(60.0).allows(1.0), Clock(60.0).allows(120.0), Clock(None).allows(1e9)
    (True, False, True)
    >>> Clock(60.0).allows(57.0), Clock(60.0).allows(57.0, last=True)
    (False, True)
    """

    def __init__(self, limit: float | None) -> None:
        check_number("time_limit, in seconds,", limit, above=True, also=(None,))
        self.limit = limit
        self._begin = time.monotonic()

    @property
    def elapsed(self) -> float:
        """Seconds since the beginning."""
        return time.monotonic() - self._begin

    def allows(self, seconds: float = 0.0, last: bool = False) -> bool:
        """Whether work of that length would still be done in time; `last` work may take what is kept for it."""
        return self.limit is None or self.elapsed + seconds <= self.limit * (1.0 if last else 1 - _KEPT)
