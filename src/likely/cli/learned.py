"""A model written to its file, and what it has become in words."""

from typing import Any

import click

from likely.cli.messages import say
from likely.cli.results import as_json


def keep(model: Any, path: str, form: str | None) -> None:
    """Save a model, and show what the file holds."""
    from likely.store import inspect, save

    save(model, path)
    held = inspect(path)
    if form == "json":
        click.echo(as_json({"path": path, **held.as_dict()}), nl=False)
    else:
        rows = sum(held.training.values())
        shares = ", ".join(f"{name} {weight:g}" for name, weight in list(held.training.items())[:10])
        more = ", ..." if len(held.training) > 10 else ""
        count = "1 row" if rows == 1 else f"{rows:g} rows"
        columns = "1 column" if len(held.kinds) == 1 else f"{len(held.kinds)} columns"
        click.echo(f"{held.estimator} of {count} and {columns}: {shares}{more}")
    say(f"wrote {path}")
