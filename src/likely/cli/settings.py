"""`likely.toml`: options that are always the same, a table for each verb.

    [study]
    target = "species"
    drop = ["id"]
    time-limit = "5m"

What is given on the command line goes before what the file says.
"""

import re
import tomllib
from pathlib import Path
from typing import Any

import click

from likely.cli.messages import note
from likely.errors import InputError

FILE = "likely.toml"


def options_of_file(group: click.Group, ctx: click.Context) -> dict[str, Any]:
    """Defaults by verb and parameter, from the file where the command is run; none without it."""
    path = Path(FILE)
    if not path.is_file():
        return {}
    try:
        told = tomllib.loads(path.read_text(encoding="utf-8"))
    except (tomllib.TOMLDecodeError, UnicodeDecodeError) as wrong:
        raise InputError(f"{FILE}: {wrong}") from None
    words = [*getattr(ctx, "_protected_args", []), *ctx.args]
    verb = next((word for word in words if not word.startswith("-")), "")
    text = path.read_text(encoding="utf-8")
    found = {
        name: _read(group, ctx, name, table, text)
        for name, table in told.items()
        if name == verb or _unknown(group, name, text)
    }
    if found.get(verb):
        note(f"{FILE} sets {', '.join(f'--{option}' for option in told[verb])}")
    return found


def line_of(text: str, table: str, option: str | None = None) -> str:
    r"""Where the file says so: its name with the line of a table, or of an option in it.

    >>> line_of("[study]\ntarget = 'y'\n", "study", "target"), line_of("study = 3", "study")
    ('likely.toml, line 2', 'likely.toml, line 1')
    """
    inside = ""
    for number, line in enumerate(text.splitlines(), start=1):
        head = re.match(r"\s*\[\s*[\"']?([^\]\"']+?)[\"']?\s*\]", line)
        inside = head[1] if head else inside
        word = re.match(r"\s*[\"']?([^\s=\"'.]+)", line)
        named = word[1] if word and not head else None
        if (option is None and table in (head and head[1], named)) or (option and inside == table and named == option):
            return f"{FILE}, line {number}"
    return FILE


def _unknown(group: click.Group, name: str, text: str) -> bool:
    from likely.data.inputs import suggest

    verbs = group.list_commands(click.Context(group))
    if name not in verbs:
        raise InputError(f"{line_of(text, name)}: there is no verb {name!r}{suggest(name, verbs)}")
    return False


def _read(group: click.Group, ctx: click.Context, verb: str, table: object, text: str) -> dict[str, Any]:
    """The options of a verb by the names of its parameters."""
    from likely.data.inputs import suggest

    if not isinstance(table, dict):
        raise InputError(f"{line_of(text, verb)}: {verb} should be a table of options, as in [{verb}]")
    command = group.get_command(ctx, verb)
    options = {} if command is None else {
        word.lstrip("-"): param for param in command.params if isinstance(param, click.Option) for word in param.opts
    }  # fmt: skip
    found = {}
    for word, value in table.items():
        if word not in options:
            raise InputError(
                f"{line_of(text, verb, word)}: likely {verb} has no option --{word}{suggest(word, list(options))}"
            )
        param = options[word]
        several = value if isinstance(value, list) else [value]
        found[str(param.name)] = several if param.multiple else param.flag_value if param.is_flag and value else value
    return found
