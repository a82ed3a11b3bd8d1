"""Write docs/api.md: every public name with its signature and its docstring."""

import inspect
from pathlib import Path

import likely


def page() -> str:
    """The reference as Markdown."""
    parts = ["# API reference"]
    for name in sorted(likely.__all__):
        thing = getattr(likely, name)
        parts += [f"## {name}", f"    {name}{_signature(thing)}", _indented(inspect.getdoc(thing) or "")]
    return "\n\n".join(part for part in parts if part) + "\n"


def _signature(thing: object) -> str:
    try:
        return str(inspect.signature(thing)) if callable(thing) else ""
    except (TypeError, ValueError):
        return ""


def _indented(text: str) -> str:
    return "\n".join(f"    {line}".rstrip() for line in text.splitlines())


if __name__ == "__main__":
    Path(__file__).with_name("api.md").write_text(page(), encoding="utf-8")
