"""Results on standard output or in a file: text to read, CSV or JSON."""

import json
import sys
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from likely.cli.messages import note, say
from likely.cli.options import Result
from likely.data.sources.places.user_paths import user_path
from likely.errors import InputError, readable

if TYPE_CHECKING:
    import polars as pl

_FORMS = {
    ".json": "json", ".txt": "text", ".csv": "csv", ".tsv": "tsv", ".jsonl": "jsonl", ".ndjson": "jsonl",
    ".parquet": "parquet", ".arrow": "arrow", ".feather": "arrow", ".xlsx": "xlsx",
}  # fmt: skip
_NAMES = {"json": "JSON", "csv": "CSV", "tsv": "TSV", "jsonl": "JSON lines"}
_ROWS = 40  # of a long table that are shown on a terminal


def show(
    result: Result,
    text: Callable[[], str],
    frame: Callable[[], "pl.DataFrame"],
    record: Callable[[], Any],
    coloured: bool = False,
) -> None:
    """Give a result in the form asked for: a text to read, a Polars frame or values for JSON.

    What would be carried out by a terminal is written out, unless the text is coloured and has seen to it itself.
    """
    from likely.cli.stages import doing, hush

    doing("writing the result")
    output, chosen = result.output, form_of(result)
    if chosen in ("parquet", "arrow", "xlsx"):
        _write_table(str(output), chosen, frame())
        return
    match chosen:
        case "jsonl":
            said = frame().write_ndjson()
        case "json":
            said = as_json(record())
        case "csv" | "tsv":
            said = delimited(frame(), chosen)
        case _:
            said = (text() if coloured else readable(text())) + "\n"
    if output is None or output == "-":
        hush()
        said = readable(said) if sys.stdout.isatty() and chosen != "text" else said
        click.echo(said, nl=False)
        return
    from likely.reports.writing import write_text

    write_text(user_path(output), said)
    if chosen != _form_of(output) or Path(output).suffix.lower() not in ("", *_FORMS):
        note(f"{output} holds {_NAMES.get(chosen, 'text')}, which its name does not say")
    say(f"wrote {output}")


def delimited(frame: "pl.DataFrame", form: str, include_header: bool = True) -> str:
    """A table as CSV, or with tabs between the cells."""
    return frame.write_csv(separator="\t" if form == "tsv" else ",", include_header=include_header)


def _write_table(output: str, form: str, frame: "pl.DataFrame") -> None:
    """A table in a form that is no text, as the name of its file says."""
    from likely.store.files.replacing import replacing

    if form == "xlsx":
        try:
            import xlsxwriter  # noqa: F401  polars writes spreadsheets by it
        except ImportError:
            raise InputError(
                f"-o {output}: spreadsheets need the package xlsxwriter: pip install 'likely[excel]'; or name a .csv"
            ) from None
    with replacing(user_path(output)) as file:
        if form == "parquet":
            frame.write_parquet(file)
        elif form == "arrow":
            frame.write_ipc(file)
        else:
            frame.write_excel(file)
    say(f"wrote {output}")


def form_of(result: Result) -> str:
    """The form of a result: the one asked for, that of its file's name, or what suits standard output."""
    form, output = result
    return form or (_form_of(output) if output else "text" if sys.stdout.isatty() else "csv")


def as_json(values: object) -> str:
    """Values as JSON; what is no number (NaN) is null."""
    from likely.reports.record import plain

    return json.dumps(plain(values), indent=2, ensure_ascii=False, allow_nan=False) + "\n"


def table_text(frame: "pl.DataFrame", rows: int = _ROWS, decimals: int = 4) -> str:
    """A Polars frame as lines that line up; of a long one the first rows."""
    from likely.data.printing.text_table import aligned

    shown = [[_cell(value, decimals) for value in row] for row in frame.head(rows).iter_rows()]
    left = [j for j, dtype in enumerate(frame.dtypes) if not dtype.is_numeric()]
    if frame.height > rows:
        note(f"{frame.height - rows:,} more rows are not shown; use --csv or -o FILE for all of them")
    return aligned([frame.columns, *shown], left=left)


def _form_of(output: str) -> str:
    return _FORMS.get(Path(output).suffix.lower(), "csv")


def _cell(value: object, decimals: int) -> str:
    if value is None:
        return ""
    if isinstance(value, float):
        return f"{value:.{decimals}f}"
    return " ".join(str(value).split())
