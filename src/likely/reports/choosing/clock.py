"""The time a study may take: what is left of it, and what no longer fits in."""

import time


class Clock:
    """Counts from its making; without a limit there is always time.

    >>> Clock(60.0).allows(1.0), Clock(60.0).allows(120.0), Clock(None).allows(1e9)
    (True, False, True)
    """

    def __init__(self, limit: float | None) -> None:
        self.limit = limit
        self._begin = time.monotonic()

    @property
    def elapsed(self) -> float:
        """Seconds since the beginning."""
        return time.monotonic() - self._begin

    def allows(self, seconds: float = 0.0) -> bool:
        """Whether work of that length would still be done in time."""
        return self.limit is None or self.elapsed + seconds <= self.limit
