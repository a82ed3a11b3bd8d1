"""What the first use in a new environment costs: the same job with an empty kernel cache, then with the one it left.

Each run is a process of its own. CPU seconds are counted, of all its threads: a busy machine stretches them too, by up
to half, but much less than the time on the clock.

    python -m bench.first_use penguins|study PATH      runs a job, writes CPU seconds and those of each kernel as JSON
"""

import json
import os
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

_ROOT = Path(__file__).resolve().parents[1]


@dataclass(frozen=True)
class FirstUse:
    """CPU seconds of a job: with an empty kernel cache, with a full one, and of compiling each kernel."""

    cold: float
    warm: float
    kernels: dict[str, float]

    @property
    def above(self) -> float:
        return self.cold - self.warm

    def words(self, job: str, target: float) -> str:
        """The figures in words; the kernels from the dearest on."""
        dearest = sorted(self.kernels.items(), key=lambda kernel: -kernel[1])
        table = ", ".join(f"{name} {seconds:.2f} s" for name, seconds in dearest)
        met = "met" if self.above < target else "NOT met"
        return (
            f"{job}: {self.cold:.1f} s of CPU with an empty kernel cache, {self.warm:.1f} s with a full one; at most "
            f"{target:g} s more is the target, {self.above:.1f} s is {met}. Of that, compiling {len(dearest)} kernels: "
            f"{table}."
        )


def first_use(job: str) -> FirstUse:
    """Run a job twice, with an empty cache of its own and with what is then in it."""
    with tempfile.TemporaryDirectory() as cache:
        cold, kernels = _run(job, cache)
        warm, _ = _run(job, cache)
    return FirstUse(cold, warm, kernels)


def _run(job: str, cache: str) -> tuple[float, dict[str, float]]:
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "told.json"
        command = [sys.executable, "-m", "bench.first_use", job, str(path)]
        environment = {**os.environ, "NUMBA_CACHE_DIR": cache}
        subprocess.run(command, cwd=_ROOT, env=environment, stdout=subprocess.DEVNULL, check=True)
        told = json.loads(path.read_text())
    return told["seconds"], told["kernels"]


def _penguins(folder: Path) -> None:
    from likely import NaiveBayes
    from likely.data.bundled import penguins

    table = penguins()
    x = table.drop("species")
    NaiveBayes().fit(x, table["species"]).predict_proba(x)


def _study(folder: Path) -> None:
    from likely.cli import likely

    likely.main(["study", "penguins", "--target", "species", "-o", str(folder / "study")], standalone_mode=False)


_JOBS: dict[str, Callable[[Path], None]] = {"penguins": _penguins, "study": _study}


def _watch() -> dict[str, float]:
    """Seconds of each kernel's compilation, filled from now on."""
    from likely.numeric.jit import Kernel

    seconds: dict[str, float] = {}
    lock = threading.Lock()
    run = Kernel._run

    def timed(self: Kernel, *arguments: Any) -> Any:
        known = len(self.compiled.signatures) if self.compiled else 0
        begin = time.thread_time()
        told = run(self, *arguments)
        if len(self.compiled.signatures) > known:
            name = self.__name__.removeprefix("_")
            with lock:  # a thread that waited for another's compilation adds next to nothing
                seconds[name] = seconds.get(name, 0.0) + time.thread_time() - begin
        return told

    Kernel._run = timed  # type: ignore[method-assign]
    return seconds


def _main(job: str, path: str) -> None:
    kernels = _watch()
    _JOBS[job](Path(path).parent)
    Path(path).write_text(json.dumps({"seconds": time.process_time(), "kernels": kernels}))


if __name__ == "__main__":
    _main(*sys.argv[1:])
