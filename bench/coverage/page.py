"""The page of coverages: a table for each family, a row for each figure, three sizes for each scenario."""

from collections.abc import Sequence
from itertools import groupby

from bench.coverage.scenarios import SCENARIOS
from bench.coverage.simulation import Coverage, Family

GOAL = (0.93, 0.97)
LEAST = 0.90

_HEAD = """\
# Do the intervals hold?

Made by `make coverage`. Every figure that is printed with an interval, simulated: draw rows from a law that is known,
find the 95 % interval, and count how often it holds the truth. Each cell is the share in percent at n = 30, 100 and
1,000 rows. The standard error of the simulation is {least:.1f} to {most:.1f} points, so that of many cells at 95 some
read 92 or 98. Seeds are fixed: another run gives the same page.

The goal is 93 to 97 %, and never below 90. Cells below 90 by more than twice their own error stand in bold. Counts are
whole and samples of 30 rows are few: many intervals there hold the truth more often than they promise. A dash stands
for a figure that the rows did not define in any draw; figures with no end on a side hold the truth on that side.
Figures in *italics* are no such intervals: they stand beside one for comparison, and are not counted.

The laws, of two classes unless they say otherwise: *easy*, two normal classes that overlap, judged by the linear
discriminant, which is true of them; *separable*, the same so far apart that 30 rows seldom show a mistake;
*heavy-tailed*, Student's t with 3 degrees of freedom taken for normal; *tiny class*, one row in ten is positive; *wrong
model*, six features that all but repeat each other, taken for independent; *nothing to tell*, features that know
nothing of the class; *three classes*,
shares of 80, 15 and 5 %; *groups*, five rows each that share most of their class and their place."""


def as_markdown(
    results: Sequence[tuple[Family, Sequence[Coverage]]], earlier: Sequence[tuple[str, str, int]] = ()
) -> str:
    """The whole page; `earlier` are the cells (family, scenario, rows) that are of an earlier version."""
    errors = [100 * c.error for _, cells in results for c in cells if c.draws]
    parts = [_HEAD.format(least=min(errors), most=max(errors)), "## In short", _in_short(results)]
    for family, cells in results:
        old = [(scenario, n) for name, scenario, n in earlier if name == family.name]
        parts += [f"## {family.title}", f"{family.about} {family.draws} draws of each cell.", _aged(old, cells)]
        parts.append(_table(family, cells, old))
    return "\n\n".join(filter(None, parts)) + "\n"


def _aged(earlier: Sequence[tuple[str, int]], cells: Sequence[Coverage]) -> str:
    """Which of a family's cells are of an earlier version."""
    if not earlier:
        return ""
    each = "; ".join(f"{scenario}, n = {n:,}" for scenario, n in earlier)
    whole = {(c.scenario, c.n) for c in cells} == set(earlier)
    text = f"Of an earlier version, to be simulated again{'' if whole else ': ' + each}."
    there = {(c.figure, c.scenario, c.n) for c in cells}
    lacking = any((figure, *cell) not in there for figure, _, _ in there for cell in earlier)
    return f"{text} A question mark is a figure that it did not have." if lacking else text


def _in_short(results: Sequence[tuple[Family, Sequence[Coverage]]]) -> str:
    cells = [(family, c) for family, each in results for c in each if c.draws and c.figure not in family.beside]
    shares = [c.share for _, c in cells]
    goal = sum(GOAL[0] <= s <= GOAL[1] for s in shares)
    short = [fc for fc in cells if _short(fc[1])]
    near = [fc for fc in cells if fc[1].share < LEAST and not _short(fc[1])]
    parts = [
        f"Of {len(cells)} cells {goal} lie within 93 to 97 %, {sum(s > GOAL[1] for s in shares)} above,"
        f" {sum(s < GOAL[0] for s in shares)} below; {len(short)} are below 90 by more than twice their error"
        + (":" if short else "."),
        _listed(short),
        f"{len(near)} are below 90 by less:" if near else "",
        _listed(near),
    ]
    return "\n\n".join(filter(None, parts))


def _listed(cells: Sequence[tuple[Family, Coverage]]) -> str:
    return "\n".join(
        f"- {family.name}: {c.figure}, {c.scenario}, n = {c.n:,}: {100 * c.share:.1f} ± {100 * c.error:.1f}"
        for family, c in cells
    )


def _table(family: Family, cells: Sequence[Coverage], earlier: Sequence[tuple[str, int]]) -> str:
    present = [s.name for s in SCENARIOS if any(c.scenario == s.name for c in cells)]
    lines = [f"| figure | {' | '.join(present)} |", f"| --- |{' ---: |' * len(present)}"]
    sizes = sorted({c.n for c in cells})
    by_figure = sorted(cells, key=lambda c: list(dict.fromkeys(d.figure for d in cells)).index(c.figure))
    for figure, own in groupby(by_figure, key=lambda c: c.figure):
        of = {(c.scenario, c.n): c for c in own}
        beside = figure in family.beside
        shown = [", ".join(_cell(of.get((name, n)), beside, (name, n) in earlier) for n in sizes) for name in present]
        lines.append(f"| {f'*{figure}*' if beside else figure} | {' | '.join(shown)} |")
    return "\n".join(lines)


def _cell(found: Coverage | None, beside: bool, earlier: bool) -> str:
    if found is None and earlier:
        return "?"
    if found is None or not found.draws:
        return "-"
    text = f"{100 * found.share:.1f}"
    return f"**{text}**" if _short(found) and not beside else text


def _short(found: Coverage) -> bool:
    """Below 90 % by more than twice the simulation's error."""
    return found.share < LEAST - 2 * found.error
