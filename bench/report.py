"""The page of results: tables for each group of workloads, and what they say in plain words."""

import statistics
from collections.abc import Sequence
from itertools import groupby

from bench.machine import Machine
from bench.measure import Measured, Result

_SMALL = "**A smoke test at small sizes: the figures say nothing about speed, nor do the sizes named below hold.**"

_BUSY = "**Other work took {load:.1f} of {cores} cores when the run began: take the figures for a guess.**"

_INTRODUCTION = """\
Made by `{command}` on {date}: {machine}. {versions}. Load of the machine when the run began: {load:.1f}.

`likely` and its peer take turns in one process, on the same data, with all cores and their own choice of threads (the
peers' BLAS is held to one thread where that is quicker for them); the first turn is not counted. Times are medians of
{repeats} turns. *Times faster* is the peer's median over ours, with the smallest and the largest ratio of a turn in
brackets. *Reads* is the time divided by that of `X.sum()`, which reads the data once in one thread (for a frame or a
file: an array of as many decimal numbers). *Extra memory* is the peak of the resident set less what was resident
before, results included, in a process of its own (VmHWM of /proc/self/status). Log-loss is in nats. Where both sides
fit the same model, the largest difference of two posteriors stands beside it."""

_TIMES = """\
| workload | step | `likely` | peer | times faster | target | reads: `likely` | peer | extra memory: `likely` | peer |
| --- | --- | ---: | ---: | ---: | ---: | ---: | ---: | ---: | ---: |"""

_QUALITY = """\
| workload | measured on | accuracy: `likely` | peer | log-loss: `likely` | peer | largest difference of posteriors |
| --- | --- | ---: | ---: | ---: | ---: | ---: |"""


def as_markdown(results: Sequence[Result], machine: Machine, command: str, repeats: int, quick: bool) -> str:
    """The whole page."""
    busy = _BUSY.format(load=machine.load, cores=machine.cores)
    warnings = [_SMALL] * quick + [busy] * machine.busy
    parts = ["# Benchmarks", *warnings, _introduction(machine, command, repeats), "## In short", _in_short(results)]
    for group, members in groupby(results, key=lambda result: result.workload.group):
        parts += [f"## {group}", *_group(list(members))]
    return "\n\n".join(parts) + "\n"


def reading(step: Measured, result: Result) -> str:
    """One line of a table in words."""
    times, peer = step.times, result.workload.peer
    words = f"**{result.workload.name}, {step.name}**: {_verdict(step, peer)}"
    words += f" `likely` takes as long as {_number(times.reads('likely'))} reads of the data"
    if step.likely_memory is not None and step.peer_memory is not None:
        words += f" and {_bytes(step.likely_memory)} of memory (the peer {_bytes(step.peer_memory)})"
    if step.memory_met is not None:
        words += f"; the target of {step.memory_target:.0%} of the peer's memory is {_met(step.memory_met)}"
    return words + "."


def _introduction(machine: Machine, command: str, repeats: int) -> str:
    versions = ", ".join(f"{name} {version}" for name, version in machine.versions.items())
    hardware = f"{machine.cores} cores of {machine.processor}, {machine.system}"
    return _INTRODUCTION.format(
        command=command, date=machine.date, machine=hardware, versions=versions, load=machine.load, repeats=repeats
    )


def _in_short(results: Sequence[Result]) -> str:
    steps = [(step, result) for result in results for step in result.steps]
    facts = [(fact, result.workload.name) for result in results for fact in result.facts]
    aims = [step.times.faster >= step.target for step, _ in steps if step.target is not None]
    aims += [step.memory_met for step, _ in steps if step.memory_met is not None]
    aims += [fact.met for fact, _ in facts if fact.met is not None]
    lines = [f"{sum(aims)} of {len(aims)} targets are met."]
    wrong = [complaint for result in results for complaint in result.complaints]
    lines += [f"Wrong answer: {complaint}." for complaint in wrong]
    weak = [f"- {reading(step, result)}" for step, result in steps if _is_weak(step)]
    weak += [f"- **{name}**: {fact.words}" for fact, name in facts if fact.met is False]
    if not weak:
        return "\n".join([*lines, "There is no line in which `likely` is not faster."])
    return "\n".join([*lines, "Where `likely` is not faster than its peer, or short of its target:", "", *weak])


def _group(results: list[Result]) -> list[str]:
    parts = [f"- **{r.workload.name}**: {r.workload.title}. Peer: {r.workload.peer}." for r in results]
    remarks = [f"- {r.workload.name}: {r.workload.remark}" for r in results if r.workload.remark]
    words = [f"- {reading(step, r)}" for r in results for step in r.steps]
    words += [f"- **{r.workload.name}**: {fact.words}" for r in results for fact in r.facts]
    return [
        "\n".join(parts),
        "\n".join([_TIMES, *(_times_row(step, r) for r in results for step in r.steps)]),
        "\n".join([_QUALITY, *(_quality_row(r) for r in results)]),
        "\n".join([*words, *remarks]),
    ]


def _times_row(step: Measured, result: Result) -> str:
    times = step.times
    low, high = times.spread
    cells = [
        result.workload.name,
        step.name,
        _seconds(statistics.median(times.likely)),
        _seconds(statistics.median(times.peer)),
        f"**{_number(times.faster)}** ({_number(low)} to {_number(high)})",
        "" if step.target is None else f"{step.target:g}",
        _number(times.reads("likely")),
        _number(times.reads("peer")),
        _bytes(step.likely_memory),
        _bytes(step.peer_memory),
    ]
    return f"| {' | '.join(cells)} |"


def _quality_row(result: Result) -> str:
    q = result.quality
    cells = [
        result.workload.name,
        q.rows,
        f"{q.likely.accuracy:.4f}",
        f"{q.peer.accuracy:.4f}",
        f"{q.likely.log_loss:.4f}",
        f"{q.peer.log_loss:.4f}",
        "another model" if q.difference is None else f"{q.difference:.0e}",
    ]
    return f"| {' | '.join(cells)} |"


def _is_weak(step: Measured) -> bool:
    return step.times.faster < max(1.0, step.target or 0.0) or step.memory_met is False


def _verdict(step: Measured, peer: str) -> str:
    faster = step.times.faster
    if faster < 1:
        verdict = f"NOT faster: {_number(1 / faster)} times as long as {peer}"
    else:
        verdict = f"{_number(faster)} times faster than {peer}"
    if step.target is None:
        return f"{verdict}."
    return f"{verdict}; the target of {step.target:g} is {_met(faster >= step.target)}."


def _met(target: bool) -> str:
    return "met" if target else "NOT met"


def _number(value: float) -> str:
    return f"{value:,.0f}" if value >= 99.5 else f"{value:.3g}"


def _seconds(value: float) -> str:
    return f"{_number(value)} s" if value >= 1 else f"{_number(1e3 * value)} ms"


def _bytes(value: int | None) -> str:
    return "" if value is None else f"{value / 1e6:,.0f} MB"
