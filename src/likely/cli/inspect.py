"""`likely inspect`: what a model file holds."""

from typing import Any

from likely.cli.options import model_argument, output_option, result_options, verb


@verb("inspect", "likely inspect model.likely", "likely inspect model.likely --json")
@model_argument
@result_options
@output_option
def command(model: str, form: str | None, output: str | None) -> None:
    """What MODEL is, what it learned from which columns, and that its file is whole.

    A damaged file is told from a whole one: every byte is checked.
    """
    from likely.cli.results import check_place, show
    from likely.store import inspect

    check_place(output)
    held = inspect(model)

    def frame() -> Any:
        import json

        import polars as pl

        pairs = held.as_dict().items()
        values = [value if isinstance(value, str) else json.dumps(value, ensure_ascii=False) for _, value in pairs]
        return pl.DataFrame({"name": [name for name, _ in pairs], "value": values})

    show(form, output, lambda: str(held), frame, held.as_dict)
