"""Time two jobs in turns, so that whatever slows the machine down slows both."""

import gc
import statistics
import time
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from bench.memory import extra_memory
from bench.quality import Quality
from bench.registry import Fact, Step, Workload

PAUSE = 0.1  # seconds in which the threads of the last job, which wait awake for more work, fall asleep


@dataclass(frozen=True)
class Times:
    """Seconds of each repeat: of both sides, and of reading the data once."""

    likely: tuple[float, ...]
    peer: tuple[float, ...]
    one_read: tuple[float, ...]

    @property
    def faster(self) -> float:
        """How many times faster `likely` is, by the medians."""
        return statistics.median(self.peer) / statistics.median(self.likely)

    @property
    def spread(self) -> tuple[float, float]:
        """The smallest and the largest ratio of one turn."""
        ratios = [peer / likely for likely, peer in zip(self.likely, self.peer, strict=True)]
        return min(ratios), max(ratios)

    def reads(self, side: str) -> float:
        """How often the data could have been read in the time of a side."""
        return float(statistics.median(getattr(self, side)) / statistics.median(self.one_read))


@dataclass(frozen=True)
class Measured:
    """A step with its times."""

    name: str
    target: float | None
    times: Times
    likely_memory: int | None  # bytes beyond what was there before
    peer_memory: int | None
    memory_target: float | None = None

    @property
    def memory_met(self) -> bool | None:
        """Whether the memory is within its target; None where there is none, or nothing was measured."""
        if self.memory_target is None or self.likely_memory is None or self.peer_memory is None:
            return None
        return self.likely_memory <= self.memory_target * self.peer_memory


@dataclass(frozen=True)
class Result:
    """All that was measured of a workload."""

    workload: Workload
    steps: tuple[Measured, ...]
    quality: Quality
    complaints: tuple[str, ...]
    facts: tuple[Fact, ...] = ()


def run(workload: Workload, repeats: int, quick: bool, say: Callable[[str], None]) -> Result:
    """Run a workload: its steps in turns, then the quality of what they fitted, then memory in processes apart."""
    say(f"{workload.name}: {workload.title}")
    case = workload.case(quick)
    times = []
    for step in case.steps:
        times.append(in_turns(step, case.one_read, repeats))
        say(f"  {step.name}: {times[-1].faster:.2f} times as fast as {workload.peer}")
    quality = case.quality()
    complaints = tuple(workload.complaints(quality))
    for complaint in complaints:
        say(f"  WRONG: {complaint}")
    facts = () if quick else tuple(case.facts())
    for fact in facts:
        say(f"  {fact.words}")
    aims = [(step.name, step.target, step.memory_target) for step in case.steps]
    if quick:
        aims = [(name, None, None) for name, _, _ in aims]  # targets hold for the real sizes
    del case
    gc.collect()
    memory = {side: [None] * len(aims) if quick else extra_memory(workload.name, side) for side in ("likely", "peer")}
    rows = zip(aims, times, memory["likely"], memory["peer"], strict=True)
    measured = tuple(
        Measured(name, target, taken, ours, theirs, share) for (name, target, share), taken, ours, theirs in rows
    )
    return Result(workload, measured, quality, complaints, facts)


def in_turns(step: Step, one_read: Callable[[], Any], repeats: int) -> Times:
    """likely, peer, one read; likely, peer, one read; ... after one round that is not counted.

    OpenBLAS and OpenMP keep their threads awake after a product, in a loop: whoever follows at once would be charged
    for the core that they hold, so everyone begins after a pause.
    """
    jobs = (step.likely, step.peer, one_read)
    gc.collect()
    gc.disable()  # a collection would be charged to whoever happens to trigger it
    try:
        rounds = [[seconds(job) for job in jobs] for _ in range(repeats + 1)]
    finally:
        gc.enable()
    return Times(*zip(*rounds[1:], strict=True))


def seconds(job: Callable[[], Any]) -> float:
    """How long a job takes, on a machine at rest; what it returns is freed outside the measured time."""
    time.sleep(PAUSE)
    begin = time.perf_counter()
    kept = job()
    end = time.perf_counter()
    del kept
    return end - begin
