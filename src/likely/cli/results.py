"""Results on standard output or in a file: text to read, CSV or JSON."""

import json
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import click

from likely.cli.messages import note, say
from likely.errors import InputError

_FORMS = {".json": "json", ".txt": "text", ".csv": "csv"}
_ROWS = 40  # of a long table that are shown on a terminal


def show(
    form: str | None,
    output: str | None,
    text: Callable[[], str],
    frame: Callable[[], Any],
    record: Callable[[], Any],
) -> None:
    """Give a result in the form asked for: a text to read, a Polars frame or values for JSON."""
    chosen = form or (_form_of(output) if output else "text" if sys.stdout.isatty() else "csv")
    match chosen:
        case "json":
            said = as_json(record())
        case "csv":
            said = frame().write_csv()
        case _:
            said = text() + "\n"
    if output is None or output == "-":
        click.echo(said, nl=False)
        return
    from likely.reports.writing import write_text

    write_text(Path(output), said)
    if chosen != _form_of(output) or Path(output).suffix.lower() not in ("", *_FORMS):
        form_name = {"json": "JSON", "csv": "CSV"}.get(chosen, "text")
        note(f"{output} holds {form_name}, which its name does not say")
    say(f"wrote {output}")


def as_json(values: Any) -> str:
    """Values as JSON; what is no number (NaN) is null."""
    from likely.reports.record import plain

    return json.dumps(plain(values), indent=2, ensure_ascii=False, allow_nan=False) + "\n"


def table_text(frame: Any, rows: int = _ROWS, decimals: int = 4) -> str:
    """A Polars frame as lines that line up; of a long one the first rows."""
    from likely.data.text_table import aligned

    shown = [[_cell(value, decimals) for value in row] for row in frame.head(rows).iter_rows()]
    left = [j for j, dtype in enumerate(frame.dtypes) if not dtype.is_numeric()]
    if frame.height > rows:
        note(f"{frame.height - rows:,} more rows are not shown; use --csv or -o FILE for all of them")
    return aligned([frame.columns, *shown], left=left)


def check_place(output: str | None, option: str = "-o") -> None:
    """Refuse a place that cannot be written before the work is done."""
    if output is None or output == "-":
        return
    path = Path(output)
    if path.is_dir():
        raise InputError(f"{option}: {output} is a folder; name a file in it")
    if not path.absolute().parent.is_dir():
        raise InputError(f"{option}: there is no folder {path.parent}; make it first")


def _form_of(output: str) -> str:
    return _FORMS.get(Path(output).suffix.lower(), "csv")


def _cell(value: Any, decimals: int) -> str:
    if value is None:
        return ""
    if isinstance(value, float):
        return f"{value:.{decimals}f}"
    return " ".join(str(value).split())
