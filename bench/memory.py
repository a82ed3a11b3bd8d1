"""How much memory a step needs beyond its data: the rise of the resident set, seen by the kernel.

Allocators outside Python (numba, Polars, BLAS) are invisible to tracemalloc, so each side runs in a process of its own:
it makes the small case and runs it once (libraries loaded, kernels compiled, threads started), makes the real data,
resets the kernel's high-water mark (/proc/self/clear_refs), runs a step, and reads the mark (VmHWM in
/proc/self/status) less the resident set before. Results that a step returns are part of it; memory that an earlier
step has freed and the allocator still holds is not, so a small figure of a later step is a lower bound. Only Linux
keeps such a mark; elsewhere nothing is reported.

    python -m bench.memory NAME likely|peer [--quick]
"""

import gc
import json
import re
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

_PROCESS = Path("/proc/self")
_ROOT = Path(__file__).resolve().parents[1]


def extra_memory(name: str, side: str, quick: bool = False) -> list[int | None]:
    """Bytes at the peak of each step of a workload beyond those before it, measured in a process of its own."""
    if not (_PROCESS / "clear_refs").exists():
        from bench.registry import all_workloads

        return [None for _ in all_workloads()[name].case(True).steps]
    command = [sys.executable, "-m", "bench.memory", name, side, *(["--quick"] if quick else [])]
    finished = subprocess.run(command, cwd=_ROOT, stdout=subprocess.PIPE, check=True)
    peaks: list[int | None] = json.loads(finished.stdout)
    return peaks


def rise(job: Callable[[], Any]) -> int:
    """Bytes by which the resident set of this process rises at most while a job runs."""
    gc.collect()
    (_PROCESS / "clear_refs").write_text("5")
    before = _status("VmRSS")
    kept = job()
    peak = _status("VmHWM")
    del kept
    return max(0, peak - before)


def highest() -> int:
    """The most bytes that this process ever had resident; Linux only."""
    return _status("VmHWM")


def _status(field: str) -> int:
    found = re.search(rf"{field}:\s+(\d+) kB", (_PROCESS / "status").read_text())
    assert found is not None
    return 1024 * int(found[1])


def _main(name: str, side: str, *options: str) -> None:
    from bench.registry import all_workloads

    make = all_workloads()[name].case
    for step in make(True).steps:
        step.of(side)()
    print(json.dumps([rise(step.of(side)) for step in make("--quick" in options).steps]))


if __name__ == "__main__":
    _main(*sys.argv[1:])
