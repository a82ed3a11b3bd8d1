"""`likely examples`: the catalogue's worked examples, listed, or one of them computed and held against print."""

from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from likely.cli.messages import say
from likely.cli.mistakes import ATTENTION
from likely.cli.options import Result, result_options, verb
from likely.cli.writing.places import check_place
from likely.cli.writing.results import show
from likely.errors import InputError

if TYPE_CHECKING:
    from likely.examples import Agreement, Example, Worked

_FORMATS = (".png", ".svg", ".pdf")


def _ids(ctx: click.Context, param: click.Parameter, incomplete: str) -> list[str]:
    from likely.examples.catalogue import examples

    return [id for id in examples() if id.startswith(incomplete.upper())]


@verb(
    "examples",
    "likely examples",
    "likely examples EX-GEN-08",
    "likely examples gen-15 --figure curves.svg",
    "likely examples EX-EVA-05 --json",
)
@click.argument("example", metavar="[ID]", required=False, shell_complete=_ids)
@click.option("--figure", "picture", metavar="FILE", help="Save the example's figure: .png, .svg or .pdf.")
@result_options
def command(example: str | None, picture: str | None, result: Result) -> int:
    """The worked examples that the library covers.

    Without an ID they are listed. With one, the example is computed and every value is shown beside the printed one:
    it agrees, it agrees although the source has a misprint (the erratum says which), or it differs. Exit code 1: a
    value differs.
    """
    check_place(result.output)
    if example is None:
        if picture is not None:
            raise InputError("--figure draws one example; name it, as in likely examples EX-GEN-15 --figure curves.png")
        _list(result)
        return 0
    return _work(example, picture, result)


def _list(result: Result) -> None:
    from likely.data.printing.text_table import aligned
    from likely.examples.catalogue import examples

    rows = [{"id": ex.id, "title": ex.title, "group": ex.group, "figure": ex.figure} for ex in examples().values()]

    def text() -> str:  # without a frame, whose import would take longer than all the rest
        cells = [(ex.id, ex.title, ex.group, "figure" if ex.figure else "") for ex in examples().values()]
        return "\n".join(
            [aligned(cells, left=range(4)), "", f"{len(rows)} examples; likely examples ID computes one of them"]
        )

    show(result, text, lambda: _frame(rows), lambda: rows)


def _work(id: str, picture: str | None, result: Result) -> int:
    from likely.examples.agreement import lines
    from likely.examples.catalogue import find

    ex = find(id)
    if picture is not None:
        _check_picture(ex, picture)
    from likely.examples.worked import run

    worked = run(ex.id)
    found = lines(ex, worked)
    from likely.examples.account import account

    show(result, lambda: account(ex, found), lambda: _lines_frame(found), lambda: _record(ex, found))
    if picture is not None:
        _save(worked, picture)
    elif ex.figure:
        say(f"it has a figure: likely examples {ex.id} --figure {ex.id}.png")
    return ATTENTION if any(line.verdict == "differs" for line in found) else 0


def _check_picture(ex: "Example", picture: str) -> None:
    if not ex.figure:
        raise InputError(f"{ex.id} has no figure; likely examples lists those that have one")
    if Path(picture).suffix.lower() not in _FORMATS:
        raise InputError(f"--figure {picture}: the name must end in {', '.join(_FORMATS[:-1])} or {_FORMATS[-1]}")
    check_place(picture, option="--figure")


def _save(result: "Worked", picture: str) -> None:
    from likely.examples.drawing import save_figure

    save_figure(result, picture)
    say(f"wrote {picture}")


def _frame(rows: list[dict[str, Any]]) -> Any:
    import polars as pl

    return pl.DataFrame(rows)


def _lines_frame(found: "list[Agreement]") -> Any:
    import polars as pl

    from likely.examples.account import cell

    columns = ("computed", "printed", "expected")
    rows = [[line.name, *(cell(getattr(line, name)) for name in columns), line.verdict] for line in found]
    return pl.DataFrame(rows, schema=dict.fromkeys(("name", *columns, "verdict"), pl.String), orient="row")


def _record(ex: "Example", found: "list[Agreement]") -> dict[str, Any]:
    from dataclasses import asdict

    from likely.examples.worked import question

    record = {name: value for name, value in asdict(ex).items() if name not in ("expected", "printed")}
    agrees = all(line.verdict != "differs" for line in found)
    return {**record, "question": question(ex.id), "values": [asdict(line) for line in found], "agrees": agrees}
