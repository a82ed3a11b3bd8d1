"""Write docs/api/ (`make site`): a page for each public room, on it every public name.

Of a name: its signature, what its docstring says, its parameters or fields with their types (from the signature) and
what they mean (from the docstring, the comment beside the field, or the usual words), what it returns, its public
methods with their parameters, what it has after `fit`, and an example that the tests run. A result has the example of
whatever makes it.
"""

import inspect
import sys
from pathlib import Path

import likely

sys.path.insert(0, str(Path(__file__).parent))
from api_meanings import meanings, without_listed
from api_member_words import CONSTANTS
from api_members import arguments, constant, members
from api_names import ROOMS, Name, public_names, typed
from api_shown import block, cell, paragraphs, shown, table

HERE = Path(__file__).parent / "api"


def entry(name: Name) -> str:
    """One public name as Markdown."""
    parts = [f"## {name.short}"]
    if not callable(name.thing):
        return "\n\n".join([*parts, *constant(name, CONSTANTS[name.path])])
    parts += [_signature(name), paragraphs(without_listed(name))]
    if name.parameters:
        told = meanings(name)
        title = "Parameters" if not inspect.isclass(name.thing) or "Parameters\n" in name.document else "Fields"
        rows = [
            (f"`{one.name}`", cell(f"`{typed(one.annotation)}`"), _default(one), cell(told.get(one.name, "")))
            for one in name.parameters
        ]
        parts.append(f"**{title}**\n\n{table(('name', 'type', 'default', 'meaning'), rows)}")
    parts.append(_made(name))
    parts += members(name) if inspect.isclass(name.thing) else []
    if name.example:
        parts.append("**Example**\n\n" + block(name.example, "python"))
    return "\n\n".join(part for part in parts if part)


def _signature(name: Name) -> str:
    """How it is called; of what is not, what it is."""
    if not name.is_made:
        return block(f"class {name.path}(Protocol)" if name.is_protocol else f"type {name.path}", "python")
    given = ["message"] if name.is_error and not name.parameters else arguments(name.parameters)
    return block(f"{name.path}({', '.join(given)})", "python")


def _made(name: Name) -> str:
    """What calling it gives; of what is not called, or takes nothing, that."""
    if name.is_protocol:
        return "A protocol, which is not called: it says what an object of your own has to have."
    if not name.is_made:
        return "A name for annotations: it is not called, and has no parameters."
    if name.is_error:
        return "The library raises it, with a message; `except` catches it."
    if name.is_base:
        return "**Parameters** none: it is what other classes are made of, and is not made by itself."
    given = f"**Returns** `{name.returns}`"
    return given if name.parameters else f"**Parameters** none\n\n{given}"


def _default(one: inspect.Parameter) -> str:
    return "" if one.default is one.empty else f"`{shown(one.default)}`"


def pages() -> dict[str, str]:
    """The pages of the reference by their file names."""
    by_room: dict[str, list[Name]] = {"likely": [], **{room: [] for room in ROOMS}}
    for name in public_names():
        by_room[name.path.split(".")[1] if name.path.count(".") > 1 else "likely"].append(name)
    made, listed = {}, ["# API reference\n\nEvery public name, room by room; the examples are run by the tests.\n"]
    for room, names in by_room.items():
        if not names:
            continue
        home = likely if room == "likely" else getattr(likely, room)
        file = f"{room}.md"
        title = "likely" if room == "likely" else f"likely.{room}"
        about = paragraphs(inspect.cleandoc(home.__doc__ or ""))
        ordered = sorted(names, key=lambda name: name.short.lower())
        made[file] = "\n\n".join([f"# {title}", about, *(entry(name) for name in ordered)]) + "\n"
        links = ", ".join(f"[{name.short}]({file}#{name.short.lower()})" for name in ordered)
        listed.append(f"## [{title}]({file})\n\n{links}\n")
    return {"index.md": "\n".join(listed), **made}


if __name__ == "__main__":
    HERE.mkdir(exist_ok=True)
    for file, text in pages().items():
        (HERE / file).write_text(text, encoding="utf-8")
