"""`likely inspect`: what a model file holds."""

from typing import TYPE_CHECKING, Any

from likely.cli.options import model_argument, output_option, result_options, verb

if TYPE_CHECKING:
    from likely.store.description import Description


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

    show(form, output, lambda: _page(held), frame, held.as_dict)


def _page(held: "Description") -> str:
    """What the file holds, line by line: each parameter on its own, and the columns by their kinds."""
    from likely.data.sources.mistakes import listed

    kinds = dict.fromkeys(held.kinds.values())
    by_kind = {kind: [name for name, its in held.kinds.items() if its == kind] for kind in kinds}
    shares = [f"{name} {weight:g}" for name, weight in held.training.items()]
    names = [str(name) for name in held.classes]
    size = f"{held.size:,} bytes, {held.arrays} arrays of {held.array_bytes:,} bytes"
    blocks = {
        "model": [held.estimator],
        "parameters": [f"{name}: {_setting(value)}" for name, value in held.parameters.items()],
        "classes": [f"{len(names)}: {_few(names)}"],
        "columns": [f"{len(columns):,} {kind}: {listed(columns)}" for kind, columns in by_kind.items()],
        "predicts": ["the class" if held.target is None else held.target],
        "learned from": [f"{sum(held.training.values()):g} rows: {_few(shares)}" if shares else "unknown"],
        "passes": ["one" if held.passes is None else str(held.passes)],
        "file": [size],
        "written by": [f"likely {held.library_version}, format {held.format_version}"],
        "sha256": [held.sha256],
    }
    return "\n".join(
        f"{name if not i else '':<13}{text}"
        for name, texts in blocks.items()
        for i, text in enumerate(texts or ["none"])
    )


def _few(texts: list[str], most: int = 20) -> str:
    return ", ".join(texts[:most]) + (f" and {len(texts) - most:,} more" if len(texts) > most else "")


def _setting(value: Any) -> str:
    """A parameter in words."""
    if value is None:
        return "none"
    if isinstance(value, dict) and value:
        return _few([f"{name} {each}" for name, each in value.items()])
    return value if isinstance(value, str) else repr(value)
