"""The registry of workloads: what is measured, beside whom, and what counts as a right answer.

A workload is a function from "small sizes?" to a `Case`, under the decorator `workload`. Every module of
`bench.workloads` is imported, so a workload is in the registry as soon as it is written.
"""

import importlib
import pkgutil
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from bench import workloads
from bench.quality import Quality


@dataclass(frozen=True)
class Step:
    """One job that both sides do."""

    name: str
    likely: Callable[[], Any]
    peer: Callable[[], Any]
    target: float | None = None  # how many times faster than the peer `likely` has to be
    memory_target: float | None = None  # the largest share of the peer's memory that `likely` may take

    def of(self, side: str) -> Callable[[], Any]:
        return self.likely if side == "likely" else self.peer


@dataclass(frozen=True)
class Fact:
    """Something measured that is no ratio of two times, in words; whether it meets its target, if it has one."""

    words: str
    met: bool | None = None


@dataclass(frozen=True)
class Case:
    """A workload with its data made. Steps run in order: later ones use what the first has fitted."""

    steps: tuple[Step, ...]
    one_read: Callable[[], Any]  # reads as many numbers as the data hold once, with one thread
    quality: Callable[[], Quality]  # of what the steps have fitted
    facts: Callable[[], Sequence[Fact]] = tuple  # measured once, after the steps, and only at the real sizes


@dataclass(frozen=True)
class Workload:
    """A workload by name. `case(quick)` makes its data; it needs the file `needs`, if any."""

    name: str
    group: str
    title: str
    peer: str  # the peer and its settings, in words
    case: Callable[[bool], Case]
    tolerance: float | None = None  # of posteriors, where both sides fit the same model
    remark: str = ""
    needs: Path | None = None
    chance: float = 0.0  # share of the peer's log-loss by which seeds alone make models differ that are not the same

    @property
    def available(self) -> bool:
        return self.needs is None or self.needs.exists()

    def complaints(self, quality: Quality) -> list[str]:
        """What is wrong with the answers: posteriors that differ, or a worse log-loss where the models differ."""
        if self.tolerance is None:
            ours, theirs = quality.likely.log_loss, quality.peer.log_loss
            return (
                []
                if ours < theirs * (1 + self.chance)
                else [f"{self.name}: log-loss {ours:.4f} is not better than the peer's {theirs:.4f}"]
            )
        if quality.difference is not None and quality.difference <= self.tolerance:
            return []
        return [f"{self.name}: posteriors differ by {quality.difference}, more than {self.tolerance:g}"]


_WORKLOADS: dict[str, Workload] = {}


def workload(
    name: str,
    group: str,
    title: str,
    peer: str,
    tolerance: float | None = None,
    remark: str = "",
    needs: Path | None = None,
    chance: float = 0.0,
) -> Callable[[Callable[[bool], Case]], Callable[[bool], Case]]:
    """Decorator: register the function that makes a workload's case."""

    def register(case: Callable[[bool], Case]) -> Callable[[bool], Case]:
        if name in _WORKLOADS:
            raise ValueError(f"there are two workloads named {name!r}")
        _WORKLOADS[name] = Workload(name, group, title, peer, case, tolerance, remark, needs, chance)
        return case

    return register


def all_workloads() -> dict[str, Workload]:
    """Every workload by name, in the order of the modules and of their lines."""
    for module in pkgutil.iter_modules(workloads.__path__, "bench.workloads."):
        importlib.import_module(module.name)
    return dict(_WORKLOADS)
