"""`likely inspect`: what a model file holds."""

from typing import TYPE_CHECKING, Any

from likely.cli.options import Result, model_argument, result_options, verb
from likely.data.printing.wording import amount

if TYPE_CHECKING:
    from likely.store.description import Description


@verb("inspect", "likely inspect model.likely", "likely inspect model.likely --json")
@model_argument
@result_options
def command(model: str, result: Result) -> None:
    """What MODEL is, what it learned from which columns, and that its file is whole.

    A damaged file is told from a whole one: every byte is checked.
    """
    from likely.cli.writing.places import check_place
    from likely.cli.writing.results import show
    from likely.store import inspect

    check_place(result.output, (model,))
    held = inspect(model)
    texts = _texts(model) if "text" in held.kinds.values() else {}

    def record() -> dict[str, Any]:
        told = {name: {"words": words, "how": how} for name, (words, how, _) in texts.items()}
        return {**held.as_dict(), **({"texts": told} if told else {})}

    def frame() -> Any:
        import json

        import polars as pl

        pairs = record().items()
        values = [value if isinstance(value, str) else json.dumps(value, ensure_ascii=False) for _, value in pairs]
        return pl.DataFrame({"name": [name for name, _ in pairs], "value": values})

    show(result, lambda: _page(held, texts), frame, record)


_Texts = dict[str, tuple[int, str, Any]]  # for each column: words, how they are cut and counted, and its family


def _texts(path: str) -> _Texts:
    """How many words a model knows of each column of texts, and how it cuts and counts them."""
    from likely.cli.inputs.tables import open_model
    from likely.models.any_classifier.inside import unwrap
    from likely.models.generative.explain.display import cutting_in_words, words_known

    model = unwrap(open_model(path))
    if not hasattr(model, "layout_"):  # a model of numbers, whose words are columns among others
        return {}
    layout = model.layout_
    families = {
        layout.schema.columns[part.columns[0]].name: family
        for part, family in zip(layout.parts, layout.families, strict=True)
    }
    return {
        name: (words, cutting_in_words(families[name]), families[name])
        for name, words in words_known(layout, model.distribution_).items()
    }


def _page(held: "Description", texts: _Texts) -> str:
    """What the file holds, line by line: each parameter on its own, and the columns by their kinds."""
    from likely.data.printing.wording import quoted
    from likely.models.generative.explain.display import family_in_short

    kinds = dict.fromkeys(held.kinds.values())
    by_kind = {kind: [name for name, its in held.kinds.items() if its == kind] for kind in kinds}
    shares = [f"{name} {weight:g}" for name, weight in held.training.items()]
    names = [str(name) for name in held.classes]
    size = f"{held.size:,} bytes, {held.arrays} arrays of {held.array_bytes:,} bytes"
    blocks = {
        "model": [held.estimator],
        "parameters": [
            f"{name}: {'a pool' if held.members and name == 'estimator' else _setting(value)}"
            for name, value in held.parameters.items()
            if not (held.members and name == "estimators")  # they stand below, with their weights
        ],
        **({"members": held.weighing} if held.members else {}),
        "classes": [f"{len(names)}: {_few(names)}"],
        "columns": [f"{len(columns):,} {kind}: {quoted(columns)}" for kind, columns in by_kind.items()],
        **({"words": [f"{name}: {words:,}; {how}" for name, (words, how, _) in texts.items()]} if texts else {}),
        "predicts": ["the class" if held.target is None else held.target],
        "learned from": [f"{amount(sum(held.training.values()))} rows: {_few(shares)}" if shares else "unknown"],
        **({"passes": [held.learned_in]} if held.learned_in else {}),
        "goes on": [held.going_on],
        "file": [size],
        "written by": [f"likely {held.library_version}, format {held.format_version}"],
        "sha256": [held.sha256],
    }
    page = "\n".join(
        f"{name if not i else '':<13}{text}"
        for name, lines in blocks.items()
        for i, text in enumerate(lines or ["none"])
    )
    for _, _, family in texts.values():
        page = page.replace(repr(family), family_in_short(family))
    return page


def _few(texts: list[str], most: int = 20) -> str:
    return ", ".join(texts[:most]) + (f" and {len(texts) - most:,} more" if len(texts) > most else "")


def _setting(value: object) -> str:
    """A parameter in words."""
    if value is None:
        return "none"
    if isinstance(value, dict) and value:
        return _few([f"{name} {each}" for name, each in value.items()])
    return value if isinstance(value, str) else repr(value)
