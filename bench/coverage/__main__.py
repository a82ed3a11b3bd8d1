"""Simulate the intervals and write docs/coverage.md.

python -m bench.coverage                        what results.jsonl does not have yet; writes docs/coverage.md
python -m bench.coverage --again                everything, whether it is there or not
python -m bench.coverage --page                 nothing: writes the page from what was simulated
python -m bench.coverage --list                 the names of the families
python -m bench.coverage --only measures        some of them; prints the page
python -m bench.coverage --sizes 30 100         some of the sizes; prints the page
python -m bench.coverage --scenarios easy       some of the laws; prints the page
python -m bench.coverage --draws 50             fewer draws of each cell; prints the page and keeps nothing
"""

import argparse
import os
import sys
import time
from collections.abc import Sequence
from pathlib import Path

from bench.coverage.cells import SIZES, Cell, cells_of, simulated
from bench.coverage.families import FAMILIES
from bench.coverage.page import as_markdown
from bench.coverage.scenarios import SCENARIOS
from bench.coverage.store import RESULTS, Found, add, read, rewrite

PAGE = Path(__file__).resolve().parents[2] / "docs" / "coverage.md"


def main(arguments: Sequence[str] | None = None) -> int:
    """Exit code 0, or 1 when a cell lies below 90 % by more than twice its own error."""
    options = _parser().parse_args(arguments)
    if options.list:
        for family in FAMILIES:
            print(f"{family.name:18}{family.title}")
        return 0
    chosen = [family for family in FAMILIES if options.only is None or family.name in options.only]
    cells = cells_of(chosen, options.draws, options.sizes, options.scenarios)
    found, earlier = ({}, set()) if options.draws else read(options.results, FAMILIES)
    wanted = [cell for cell in cells if options.again or cell not in found or cell in earlier]
    _simulate([] if options.page else wanted, found, earlier, options)
    missing = [cell for cell in cells if cell not in found]
    if missing:
        print(f"{options.results} lacks {len(missing)} cells, as {missing[0]}", file=sys.stderr)
        return 2
    page = as_markdown(
        [(family, [c for cell in cells if cell.family == family.name for c in found[cell]]) for family in chosen],
        [(cell.family, cell.scenario, cell.n) for cell in cells if cell in earlier],
    )
    if options.only or options.draws or options.scenarios or set(options.sizes) != set(SIZES):
        print(page, end="")
    else:
        rewrite(options.results, found, earlier, cells, FAMILIES)
        PAGE.write_text(page)
        print(f"wrote {PAGE}", file=sys.stderr)
    return int("**" in page)


def _simulate(wanted: Sequence[Cell], found: Found, earlier: set[Cell], options: argparse.Namespace) -> None:
    """Simulate these cells, and keep each as soon as it is found."""
    draws, began = {family.name: family.draws for family in FAMILIES}, time.monotonic()
    for number, (cell, counted) in enumerate(simulated(wanted, options.jobs)):
        found[cell] = counted
        earlier.discard(cell)
        if not options.draws:
            add(options.results, cell, counted, draws[cell.family])
        print(f"{number + 1} of {len(wanted)} cells, {time.monotonic() - began:.0f} s", end="\r", file=sys.stderr)


def _parser() -> argparse.ArgumentParser:
    names = [family.name for family in FAMILIES]
    parser = argparse.ArgumentParser("python -m bench.coverage", description="Simulate how often intervals hold.")
    parser.add_argument("--list", action="store_true", help="list the families and stop")
    parser.add_argument("--only", nargs="+", metavar="NAME", choices=names, help="simulate only these families")
    parser.add_argument("--draws", type=int, metavar="N", help="draws of each cell, instead of the family's own number")
    parser.add_argument("--sizes", type=int, nargs="+", metavar="N", default=SIZES, help="rows of a draw")
    laws = [scenario.name for scenario in SCENARIOS]
    parser.add_argument("--scenarios", nargs="+", metavar="NAME", choices=laws, help=f"of {', '.join(laws)}")
    parser.add_argument("--again", action="store_true", help="simulate also what was simulated already")
    parser.add_argument("--page", action="store_true", help="only write the page from what was simulated")
    parser.add_argument("--results", type=Path, default=RESULTS, metavar="FILE", help="one line of JSON for each cell")
    parser.add_argument("--jobs", type=int, default=os.cpu_count() or 1, metavar="N", help="processes (all cores)")
    return parser


if __name__ == "__main__":
    sys.exit(main())
