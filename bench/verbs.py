"""Every verb of the command on 100,000 rows of 18 mixed columns: time, CPU seconds and memory, for docs/verbs.md.

Each verb is a process of its own, as a user starts it, start of Python included. The high-water mark of its resident
set and its CPU seconds are those that the kernel tells of it when it ends.

    python -m bench.verbs                  writes docs/verbs.md
    python -m bench.verbs --rows 1000      other sizes; prints the page
    python -m bench.verbs --only fit,update --folder files    some verbs, with files that earlier ones left in a
                                                              folder: their lines of the page are renewed
"""

import argparse
import os
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import polars as pl

from bench.machine import Machine

PAGE = Path(__file__).resolve().parents[1] / "docs" / "verbs.md"
_ROWS = 100_000
_COLUMNS = 18
_DONE = (0, 1)  # exit codes: done, and a result that asks for attention


@dataclass(frozen=True)
class Run:
    """What one call of the command took."""

    words: str
    code: int
    seconds: float
    cpu: float
    bytes: int


def mixed_table(rows: int, columns: int = _COLUMNS, seed: int = 0) -> pl.DataFrame:
    """Numbers (some with gaps), counts, levels and flags that tell two classes apart a little each."""
    rng = np.random.default_rng(seed)
    y = rng.integers(0, 2, rows)
    made: dict[str, object] = {}
    for j in range(columns):
        match j % 5:
            case 0:
                x = pl.Series(rng.normal(size=rows) + 0.3 * y)
                made[f"gaps{j}"] = x.set(pl.Series(rng.random(rows) < 0.05), None)
            case 1:
                made[f"number{j}"] = rng.normal(size=rows) + 0.3 * y
            case 2:
                made[f"count{j}"] = rng.poisson(2 + 0.3 * y)
            case 3:
                shares = np.exp(rng.normal(size=(2, 12)) * 0.3)
                below = np.cumsum(shares / shares.sum(axis=1, keepdims=True), axis=1)[y]
                made[f"level{j}"] = np.char.add(
                    "level ", np.minimum((rng.random((rows, 1)) > below).sum(1), 11).astype(str)
                )
            case _:
                made[f"flag{j}"] = (rng.random(rows) < 0.3 + 0.1 * y).astype(np.int8)
    return pl.DataFrame({**made, "y": np.where(y == 1, "yes", "no")})


def ratings(rows: int, seed: int = 0) -> pl.DataFrame:
    """So many ratings of a thousand items, about fifty a user, no pair twice."""
    rng = np.random.default_rng(seed)
    items, users = 1_000, max(rows // 50, 2)
    pair = rng.choice(users * items, rows, replace=False)
    user, item = pair // items, pair % items
    liking = 3 + rng.normal(size=users)[user] * 0.5 + rng.normal(size=items)[item] + rng.normal(size=rows)
    return pl.DataFrame({"user": user, "item": item, "rating": np.clip(np.rint(liking), 1, 5).astype(np.int8)})


def calls(folder: Path) -> Iterator[tuple[str, ...]]:
    """The words after `likely` of every call, in an order in which each finds what it needs."""
    data, half, rest = (str(folder / f"{name}.csv") for name in ("data", "half", "rest"))
    model, first, second, other = (str(folder / f"{name}.likely") for name in ("model", "first", "second", "other"))
    answers = str(folder / "answers.csv")
    yield "study", data, "--target", "y", "-o", str(folder / "study")
    yield "fit", data, "--target", "y", "-o", model
    yield "fit", data, "--target", "y", "--stream", "-o", model
    yield "fit", data, "--target", "y", "--calibrate", "isotonic", "-o", str(folder / "calibrated.likely")
    yield "fit", half, "--target", "y", "-o", first
    yield "fit", rest, "--target", "y", "-o", second
    yield "update", first, rest, "-o", other
    yield "merge", first, second, "-o", other
    yield "forget", model, rest, "-o", other
    yield "predict", model, data, "-o", answers
    yield "decide", model, data, "--reject", "0.2", "-o", answers
    yield "explain", model, data, "-o", answers
    yield "evaluate", model, data, "-o", answers
    yield "compare", data, "--target", "y", "--models", "naive,gaussian-shared,majority", "-o", answers
    yield "audit", data, "--target", "y", "-o", answers
    yield "diff", first, second, "-o", answers
    yield "cluster", data, "-k", "3", "--drop", "y", "-o", answers
    yield "components", data, "--drop", "y", "-o", answers
    yield "recommend", str(folder / "ratings.csv"), "-o", answers
    yield "inspect", model, "-o", answers
    yield "examples", "EX-GEN-08"


def measure(rows: int, folder: Path, only: Sequence[str] = ()) -> list[Run]:
    """Run every call, or those of some verbs, on a table of so many rows."""
    table = mixed_table(rows)
    for part, frame in (("data", table), ("half", table[: rows // 2]), ("rest", table[rows // 2 :])):
        frame.write_csv(folder / f"{part}.csv")
    ratings(rows).write_csv(folder / "ratings.csv")
    found = []
    for words in calls(folder):
        if only and words[0] not in only:
            continue
        found.append(_run(words, folder))
        shown = found[-1]
        print(f"{shown.words}: {shown.seconds:.1f} s, {shown.bytes / 1e6:.0f} MB", file=sys.stderr, flush=True)
    return found


def renewed(page: str, before: str) -> str:
    """A page of some verbs with the lines that an earlier page has of the others, in the order of the calls."""
    lines = {_call(line): line for text in (before, page) for line in text.splitlines() if _call(line)}
    order = [_short(words, Path("/")) for words in calls(Path("/"))]
    head = [line for line in page.splitlines() if not _call(line)]
    return "\n".join([*head, *(lines[words] for words in order if words in lines), ""])


def _call(line: str) -> str:
    return line.split("`")[1].removeprefix("likely ") if line.startswith("| `likely ") else ""


def _short(words: Sequence[str], folder: Path) -> str:
    """A call without the folder of its files."""
    return " ".join(word.removeprefix(f"{folder}").removeprefix(os.sep) for word in words)


def as_markdown(runs: Sequence[Run], rows: int, machine: Machine) -> str:
    """The page."""
    versions = ", ".join(f"{name} {version}" for name, version in machine.versions.items())
    busy = (
        f"\n\n**Other work took all {machine.cores} cores when the run began: go by the CPU seconds.**"
        if machine.busy
        else ""
    )
    lines = [f"| `likely {run.words}` | {run.seconds:.1f} | {run.cpu:.1f} | {run.bytes / 1e6:,.0f} |" for run in runs]
    return "\n".join(
        [
            "# Time and memory of the verbs",
            "",
            f"Made by `python -m bench.verbs` on {machine.date}: {machine.cores} cores of {machine.processor}, "
            f"{machine.system}. {versions}. Load of the machine when the run began: {machine.load:.1f}.{busy}",
            "",
            f"A CSV file of {rows:,} rows and {_COLUMNS} columns (numbers, some with gaps, counts, levels, flags), "
            "two classes. Every call is a process of its own, start of Python included; memory is the most that was "
            "resident.",
            "",
            "| call | seconds | CPU seconds | MB |",
            "| --- | ---: | ---: | ---: |",
            *lines,
            "",
        ]
    )


def _run(words: tuple[str, ...], folder: Path) -> Run:
    begin = time.perf_counter()
    process = subprocess.Popen(
        [sys.executable, "-m", "likely", *words], stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, cwd=folder
    )
    assert process.stderr is not None
    said = process.stderr.read().decode(errors="replace")
    _, status, used = os.wait4(process.pid, 0)
    seconds = time.perf_counter() - begin
    process.returncode = code = os.waitstatus_to_exitcode(status)
    process.stderr.close()
    short = _short(words, folder)
    if code not in _DONE:
        raise RuntimeError(f"likely {short} ended with {code}: {said[-500:]}")
    return Run(short, code, seconds, used.ru_utime + used.ru_stime, 1024 * used.ru_maxrss)


def main(arguments: Sequence[str] | None = None) -> None:
    """Measure, and write or print the page."""
    parser = argparse.ArgumentParser("python -m bench.verbs", description="Time and memory of every verb.")
    parser.add_argument("--rows", type=int, default=_ROWS, help="of the table (100,000)")
    parser.add_argument("--only", default="", help="verbs, with commas between; otherwise all")
    parser.add_argument("--folder", type=Path, help="where files are made and left; otherwise a folder for this run")
    given = parser.parse_args(arguments)
    rows, machine, only = given.rows, Machine.here(), [verb for verb in given.only.split(",") if verb]
    with tempfile.TemporaryDirectory() as own:
        folder = given.folder or Path(own)
        folder.mkdir(parents=True, exist_ok=True)
        page = as_markdown(measure(rows, folder.resolve(), only), rows, machine)
    if rows == _ROWS:
        PAGE.write_text(renewed(page, PAGE.read_text()) if only else page)
    else:
        print(page, end="")


if __name__ == "__main__":
    main()
