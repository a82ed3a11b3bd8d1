"""What the figures were measured on."""

import datetime
import os
import platform
import re
from dataclasses import dataclass
from importlib.metadata import version
from pathlib import Path

_LIBRARIES = ("numpy", "scipy", "numba", "polars", "scikit-learn", "pandas", "pyarrow")


@dataclass(frozen=True)
class Machine:
    """Processor, system and libraries, and how busy the machine is with other things."""

    processor: str
    cores: int
    system: str
    versions: dict[str, str]
    date: str
    load: float  # runnable processes, averaged over the last minute

    @property
    def busy(self) -> bool:
        """Whether others had a quarter of the cores or more when the run began."""
        return self.load > self.cores / 4

    @classmethod
    def here(cls) -> "Machine":
        versions = {"Python": platform.python_version()} | {name: version(name) for name in _LIBRARIES}
        date = datetime.datetime.now(datetime.UTC).date().isoformat()
        load = os.getloadavg()[0] if hasattr(os, "getloadavg") else float("nan")
        system = f"{platform.system()} {platform.machine()}"
        return cls(_processor(), os.cpu_count() or 1, system, versions, date, load)


def _processor() -> str:
    listing = Path("/proc/cpuinfo")
    found = re.search(r"model name\s*:\s*(.+)", listing.read_text()) if listing.exists() else None
    return found[1].strip() if found else platform.processor() or "an unknown processor"
