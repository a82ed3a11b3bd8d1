"""What was simulated, one line of JSON for each cell: work that was stopped goes on where it was.

A line holds the counts of all figures of a cell. Of a cell that was simulated twice the last line counts. A line of
another number of draws than the family wants is not taken for done, nor is one that says "earlier": a cell of an
earlier version, which stays on the page, and is named there, until it is simulated again.
"""

import json
from collections.abc import Sequence
from dataclasses import asdict
from pathlib import Path
from typing import Any

from bench.coverage.cells import Cell
from bench.coverage.simulation import Coverage, Family

RESULTS = Path(__file__).with_name("results.jsonl")
Found = dict[Cell, list[Coverage]]


def read(results: Path, families: Sequence[Family]) -> tuple[Found, set[Cell]]:
    """The cells that these families have in the file, and which of them are of an earlier version."""
    lines = [json.loads(line) for line in results.read_text().splitlines()] if results.exists() else []
    draws = {family.name: family.draws for family in families}
    of = {Cell(line["family"], line["scenario"], line["n"], None): line for line in lines}
    of = {cell: line for cell, line in of.items() if draws.get(cell.family) == line["draws"]}
    found = {cell: [_counted(cell, figure) for figure in line["figures"]] for cell, line in of.items()}
    return found, {cell for cell, line in of.items() if line.get("earlier")}


def add(results: Path, cell: Cell, found: Sequence[Coverage], draws: int) -> None:
    """Write a cell at the end of the file."""
    with results.open("a") as file:
        file.write(_line(cell, found, draws))


def rewrite(results: Path, found: Found, earlier: set[Cell], cells: Sequence[Cell], families: Sequence[Family]) -> None:
    """The file with one line for each cell, in this order."""
    draws = {family.name: family.draws for family in families}
    results.write_text("".join(_line(cell, found[cell], draws[cell.family], cell in earlier) for cell in cells))


def _line(cell: Cell, found: Sequence[Coverage], draws: int, earlier: bool = False) -> str:
    figures = [{k: v for k, v in asdict(one).items() if k not in cell._fields or k == "draws"} for one in found]
    age = {"earlier": True} if earlier else {}
    return json.dumps({**cell._asdict(), "draws": draws, **age, "figures": figures}) + "\n"


def _counted(cell: Cell, figure: dict[str, Any]) -> Coverage:
    return Coverage(family=cell.family, scenario=cell.scenario, n=cell.n, **figure)
