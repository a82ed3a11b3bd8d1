"""Attack the library and say what was found.

python -m bench.fuzz                             ten minutes, the time shared out among the attacks
python -m bench.fuzz --seconds 60 --seed 7       shorter, from another seed
python -m bench.fuzz --only forged mutated       some attacks
python -m bench.fuzz --trials 8000               so many trials of each, if the time lasts
python -m bench.fuzz --again 1/forged/1234       one trial, by the seed that was printed

Files are written where memory is the disk, if there is such a place: the attack is on what they hold.
"""

import argparse
import sys
import tempfile
import time
from collections.abc import Sequence
from pathlib import Path

import numpy as np

from bench.fuzz import command, model_files, reading, threads
from bench.fuzz.trial import Attack, Tally, attacked, tried

ATTACKS: dict[str, tuple[Attack, float]] = {  # and the share of the time
    "mutated": (model_files.mutated, 0.2),
    "forged": (model_files.forged, 0.3),
    "invoked": (command.invoked, 0.15),
    "started": (command.started, 0.05),
    "signalled": (command.signalled, 0.05),
    "together": (command.together, 0.05),
    "mail": (reading.mail, 0.05),
    "tables": (reading.tables, 0.05),
    "answers": (threads.answers, 0.05),
    "writers": (threads.writers, 0.05),
}
MEMORY = Path("/dev/shm")


def main(arguments: Sequence[str] | None = None) -> int:
    """Exit code 0, or 1 when something was found."""
    options = _parser().parse_args(arguments)
    with tempfile.TemporaryDirectory(dir=MEMORY if MEMORY.is_dir() else None) as folder:
        if options.again:
            name = options.again.split("/")[1]
            place = Path(folder, name)
            place.mkdir()
            print(tried(ATTACKS[name][0], place, options.again) or "nothing is wrong")
            return 0
        tallies = run(Path(folder), options.seed, options.seconds, options.only, options.trials)
    return 1 if any(tally.faults for tally in tallies) else 0


def run(
    folder: Path, seed: str, seconds: float, only: Sequence[str] | None = None, most: int | None = None
) -> list[Tally]:
    """Every attack for its share of the time; what is found is printed as it comes."""
    chosen = {name: ATTACKS[name] for name in only or ATTACKS}
    whole = sum(share for _, share in chosen.values())
    tallies = []
    for name, (attack, share) in chosen.items():
        begin = time.monotonic()
        tally = attacked(name, attack, folder / name, seed, seconds * share / whole, most)
        print(
            f"{name:10} {tally.trials:9,} trials, {tally.found:5,} faults, {time.monotonic() - begin:.0f} s", flush=True
        )
        for what, seeds in tally.faults.items():
            print(f"    {len(seeds)} times, first {seeds[0]}: {what}", flush=True)
        tallies.append(tally)
    if threads.LATENCIES:
        p50, p99 = np.quantile(threads.LATENCIES, [0.5, 0.99])
        print(f"predict_proba beside a learning thread: median {p50 * 1e3:.2f} ms, p99 {p99 * 1e3:.2f} ms", flush=True)
    return tallies


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="python -m bench.fuzz", description="Attack the library; say what was found.")
    parser.add_argument("--seconds", type=float, default=600.0, help="in all")
    parser.add_argument("--trials", type=int, metavar="N", help="of each attack, at the most")
    parser.add_argument("--seed", default="0", help="the same seed tries the same things")
    parser.add_argument("--only", nargs="+", choices=list(ATTACKS), metavar="ATTACK")
    parser.add_argument("--again", metavar="SEED", help="repeat one trial")
    return parser


if __name__ == "__main__":
    sys.exit(main())
