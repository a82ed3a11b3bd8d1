"""Run the workloads and write docs/benchmarks.md.

python -m bench                       everything; writes docs/benchmarks.md
python -m bench --list                the names of the workloads
python -m bench --only gaussian full  some of them; prints the page
python -m bench --quick               small sizes, a smoke test; prints the page
python -m bench --write page.md       writes the page there, whatever was run
"""

import argparse
import difflib
import shlex
import sys
from collections.abc import Sequence
from pathlib import Path

from bench.machine import Machine
from bench.measure import run
from bench.registry import Workload, all_workloads
from bench.report import as_markdown

PAGE = Path(__file__).resolve().parents[1] / "docs" / "benchmarks.md"


def main(arguments: Sequence[str] | None = None) -> int:
    """Exit code 0 when every answer was right, 1 when one was not, 2 for a mistake in the arguments."""
    given = sys.argv[1:] if arguments is None else list(arguments)
    options = _parser().parse_args(given)
    known = all_workloads()
    if options.list:
        for name, workload in known.items():
            print(f"{name:<24} {workload.title}{'' if workload.available else f' (needs {workload.needs})'}")
        return 0
    chosen = _chosen(options.only, known)
    machine = Machine.here()
    results = [run(workload, options.repeats, options.quick, _say) for workload in chosen]
    command = _command(given, options.write)
    page = as_markdown(results, machine, command, options.repeats, options.quick)
    partial = options.quick or options.only
    if options.write is None and partial:
        print(page, end="")
    else:
        path = options.write or PAGE
        path.write_text(page)
        _say(f"wrote {path}")
    return 1 if any(result.complaints for result in results) else 0


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser("python -m bench", description="Measure likely beside its peers.")
    parser.add_argument("--list", action="store_true", help="list the workloads and stop")
    parser.add_argument("--only", nargs="+", metavar="NAME", help="run only these workloads")
    parser.add_argument("--quick", action="store_true", help="small sizes, without memory: a smoke test")
    parser.add_argument("--repeats", type=_positive, default=5, metavar="N", help="turns that are counted (5)")
    parser.add_argument(
        "--write", nargs="?", type=Path, const=PAGE, metavar="PATH",
        help="where to write the page (docs/benchmarks.md, the default when everything is run in full)",
    )  # fmt: skip
    return parser


def _command(given: Sequence[str], written: Path | None) -> str:
    """What makes the page again, as a reader of it types it: where the page is put says nothing of the figures.

    >>> _command(["--only", "iris", "--write", "docs/iris.md"], Path("docs/iris.md"))
    'python -m bench --only iris'
    """
    said = [one for one in given if one != "--write" and one != str(written)]
    return shlex.join(["python", "-m", "bench", *said]) if said else "make bench"


def _chosen(names: list[str] | None, known: dict[str, Workload]) -> list[Workload]:
    """The workloads named, or all that can run here."""
    for name in names or ():
        if name not in known:
            near = difflib.get_close_matches(name, known, n=1)
            hint = f"did you mean {near[0]!r}?" if near else f"known are {', '.join(known)}"
            _parser().error(f"there is no workload {name!r}; {hint}")
    chosen = []
    for workload in known.values():
        if names and workload.name not in names:
            continue
        if workload.available:
            chosen.append(workload)
        else:
            _say(f"{workload.name}: left out, {workload.needs} is not here")
    return chosen


def _positive(text: str) -> int:
    value = int(text)
    if value < 1:
        raise argparse.ArgumentTypeError("must be at least 1")
    return value


def _say(line: str) -> None:
    print(line, file=sys.stderr, flush=True)


if __name__ == "__main__":
    sys.exit(main())
