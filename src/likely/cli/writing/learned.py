"""A model written to its file, and what it has become in words."""

from typing import Any

import click

from likely.cli.messages import note, say
from likely.cli.stages import doing, hush
from likely.cli.writing.results import as_json
from likely.errors import readable


def keep(model: object, path: str, form: str | None) -> None:
    """Save a model, and show what the file holds."""
    from likely.data.printing.wording import amount, shortened
    from likely.store import inspect, save

    doing("writing the model")
    save(model, path)
    hush()
    held = inspect(path)
    if form == "json":
        click.echo(as_json({"path": path, **held.as_dict()}), nl=False)
    else:
        rows = sum(held.training.values())
        shares = ", ".join(
            f"{shortened(str(name))} {amount(weight)}" for name, weight in list(held.training.items())[:10]
        )
        more = ", ..." if len(held.training) > 10 else ""
        count = "1 row" if rows == 1 else f"{amount(rows)} rows"
        columns = "1 column" if len(held.kinds) == 1 else f"{len(held.kinds)} columns"
        click.echo(readable(f"{_in_words(model)} of {count} and {columns}: {shares}{more}"))
    say(f"wrote {path}")


def _in_words(model: object) -> str:
    """What a model is, and what stands around it, from within: the map of its probabilities, its decisions."""
    from likely.decisions import Calibrated

    around: list[str] = []
    while hasattr(model, "estimator_"):
        if not isinstance(model, Calibrated):
            around.insert(0, f"in a {type(model).__name__}")
        elif model.method_ == "none":
            around.insert(0, "not calibrated, since no map does better on rows left out")
        else:
            around.insert(0, f"calibrated on rows left out ({model.method_})")
        model = model.estimator_
    return "".join([named_recipe(model), *(f", {what}" for what in around), "," if around else ""])


def named_recipe(model: Any) -> str:
    """The class of a model, and before it the name that a study gives such a model, where it has one."""
    from likely.models.roster import TableFacts, candidates

    kind, schema = type(model).__name__, getattr(model, "schema_", None)
    if schema is None:
        return kind
    given = getattr(model, "kinds", None) or {}
    kinds = {
        name: _kind(given.get(name, its) if isinstance(given, dict) else its) for name, its in schema.kinds.items()
    }
    facts = TableFacts(kinds, 1_000, len(model.classes_), 100, False)
    own = _settings(model)
    names = [one.name for one in candidates(facts) if type(one.model) is type(model) and _settings(one.model) == own]
    plain = not names or names[0].replace(" ", "").lower() == kind.lower()
    return kind if plain else f"{names[0]}, a {kind}"


def _kind(kind: object) -> str:
    """The kind of a column, also where a family of its own describes it."""
    from likely.data.columns.kinds import KINDS

    return kind if isinstance(kind, str) and kind in KINDS else "numeric"


def _settings(model: Any) -> dict[str, str]:
    return {name: repr(value) for name, value in model.get_params(deep=False).items() if name != "random_state"}


def note_calibration(model: object, forgotten: bool = False) -> None:
    """Say what the calibration of a model is of, now that the model has learned on or forgotten."""
    from likely.data.printing.wording import amount
    from likely.decisions import Calibrated

    while hasattr(model, "estimator_"):
        if isinstance(model, Calibrated) and hasattr(model, "kept_"):
            sample = model.kept_.weight.sum()
            some = "" if sample >= model.kept_.n else f" (a sample of {amount(sample)})"
            note(f"the calibration was learned again, from {amount(model.kept_.n)} rows{some}")
        elif isinstance(model, Calibrated):
            though = ", the forgotten rows among others" if forgotten else ", and follows the shares of the classes"
            note(f"the calibration is kept as it was learned{though}; to learn it from all rows, fit again")
        model = model.estimator_
