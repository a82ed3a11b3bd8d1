"""Judge all contenders on all tables and write docs/quality.md: `python -m bench.tables` (or `-m bench.quality`)."""

import argparse
from pathlib import Path

from bench.tables.harm import measure_harm, read_harm
from bench.tables.measuring import measure, read
from bench.tables.page import write


def main() -> None:
    """Measure what is missing, then write the page."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--most", type=int, default=20_000, help="rows of a table")
    parser.add_argument("--only", default="", help="contenders, with commas; all otherwise")
    parser.add_argument("--skip", default="", help="tables to leave out, with commas")
    parser.add_argument("--limit", type=float, default=600.0, help="seconds of a fold, for larger tables to be tried")
    parser.add_argument("--results", type=Path, default=Path("bench/tables/results.jsonl"))
    parser.add_argument("--harm", type=Path, default=Path("bench/tables/harm.jsonl"), help="results about calibration")
    parser.add_argument("--page", action="store_true", help="only write the page from what was measured")
    given = parser.parse_args()
    if not given.page:
        only, skip = ([n for n in text.split(",") if n] for text in (given.only, given.skip))
        measure(given.results, given.most, only, skip, limit=given.limit)
        measure_harm(given.harm, min(given.most, 2_000), skip)
    write(read(given.results), read_harm(given.harm), Path("docs/quality.md"))


if __name__ == "__main__":
    main()
