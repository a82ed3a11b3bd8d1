"""Write docs/api/ (`make site`): a page for each public room, on it every public name.

Of a name: its signature, what its docstring says, its parameters or fields with their types (from the signature) and
what they mean (from the docstring, the comment beside the field, or the usual words), what it returns, its public
methods, and an example that the tests run. A result has the example of whatever makes it.
"""

import ast
import builtins
import doctest
import inspect
import re
import sys
import textwrap
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from types import ModuleType
from typing import Any

import likely

sys.path.insert(0, str(Path(__file__).parent))
from api_words import COUNTS, USUAL

HERE = Path(__file__).parent / "api"
ROOMS = [name for name in likely.__all__ if isinstance(getattr(likely, name), ModuleType)]
_ARRAY = re.compile(r"numpy\.ndarray\[tuple\[typing\.Any, \.\.\.\], numpy\.dtype\[(?:typing\.Any|[\w.]+)\]\]")
_SHAPE = re.compile(r"\([^)]*\)(?: \w+\d)?")  # of an array, which is no meaning yet: (n, k), (n,) int32


@dataclass(frozen=True)
class Name:
    """A public name: where it is found, and what it is."""

    path: str  # likely.evaluation.audit
    thing: Any

    @property
    def short(self) -> str:
        return self.path.rpartition(".")[2]

    @property
    def document(self) -> str:
        """Its own docstring; not one that is inherited or of the type of a constant."""
        own = getattr(self.thing, "__doc__", None) if callable(self.thing) else None
        return inspect.cleandoc(own or "")

    @property
    def prose(self) -> str:
        """What the docstring says, without the list of parameters and the examples."""
        before = re.split(r"\n(?:Parameters|Examples|Attributes)\n-{3,}", self.document)[0]
        return before.split("\n>>>")[0].removesuffix("\n").strip()

    @property
    def example(self) -> str:
        """The code of its example; of a class without one, that of a method, or of what makes such objects."""
        made = (maker.thing for maker in makers_of(self.short) if maker.thing is not self.thing)
        for one in (self.thing, *(member for _, member in self.methods), *made):
            document = self.document if one is self.thing else inspect.getdoc(one) or ""
            if ">>>" in document:
                return with_imports(_code(document), _home(one))
        return ""

    @property
    def parameters(self) -> list[inspect.Parameter]:
        try:
            found = inspect.signature(self.thing).parameters.values()
        except (TypeError, ValueError):  # a built-in constructor, as exceptions have
            return []
        return [one for one in found if one.annotation is not one.empty and not one.name.startswith("_")]

    @property
    def returns(self) -> str:
        """The type of what a function gives; a class gives one of itself."""
        if inspect.isclass(self.thing):
            return self.short
        return typed(inspect.signature(self.thing).return_annotation)

    @property
    def methods(self) -> list[tuple[str, Any]]:
        """The public methods and properties, inherited ones of the library included, those of Python's types not."""
        if not inspect.isclass(self.thing):
            return []
        members = inspect.getmembers(self.thing, lambda one: callable(one) or isinstance(one, property))
        plain = {name for home in self.thing.__mro__ if home.__module__ == "builtins" for name in vars(home)}
        return [
            (name, one)
            for name, one in members
            if not name.startswith("_") and not inspect.isclass(one) and name not in plain
        ]


def public_names() -> Iterator[Name]:
    """Every public name once: those of `likely` itself, then room by room."""
    seen: set[int] = set()
    homes = [("likely", likely), *((f"likely.{room}", getattr(likely, room)) for room in ROOMS)]
    for path, home in homes:
        for name in home.__all__:
            thing = getattr(home, name)
            if not isinstance(thing, ModuleType) and id(thing) not in seen and not name.startswith("__"):
                seen.add(id(thing))
                yield Name(f"{path}.{name}", thing)


def with_imports(example: str, home: ModuleType) -> str:
    """An example after the imports of what it takes for granted, so that it runs wherever it is copied to."""
    tree = ast.parse("".join(one.source for one in doctest.DocTestParser().get_examples(example)))
    names = [node for node in ast.walk(tree) if isinstance(node, ast.Name)]
    bound = {node.id for node in names if isinstance(node.ctx, ast.Store)} | set(dir(builtins))
    for node in ast.walk(tree):
        match node:
            case ast.Import() | ast.ImportFrom():
                bound |= {(one.asname or one.name).split(".")[0] for one in node.names}
            case ast.FunctionDef() | ast.ClassDef():
                bound.add(node.name)
            case ast.ExceptHandler(name=str(name)) | ast.arg(arg=name):
                bound.add(name)
    lines = sorted({import_of(node.id, home) for node in names if node.id not in bound})
    return "\n".join([*(f">>> {line}" for line in lines), example])


def import_of(name: str, home: ModuleType) -> str:
    """The line that imports what a module knows by a name: from the room where it is public, if it is."""
    thing = getattr(home, name)
    if isinstance(thing, ModuleType):
        return f"import {thing.__name__}" + (f" as {name}" if name != thing.__name__ else "")
    public = _public_places().get(id(thing), "")
    place = public.rpartition(".")[0] if public.endswith(f".{name}") else ""
    return f"from {place or home.__name__} import {name}"


@cache
def _public_places() -> dict[int, str]:
    return {id(one.thing): one.path for one in public_names()}


def _home(thing: Any) -> ModuleType:
    """The module in which something is written."""
    inner = getattr(thing, "fget", None) or getattr(thing, "func", None) or thing
    return sys.modules[inspect.unwrap(inner).__module__]


def makers_of(short: str) -> list[Name]:
    """The public functions and methods whose result is of a class, by their annotations."""
    return [maker for maker, given in _makers() if re.search(rf"\b{short}\b", given)]


@cache
def _makers() -> tuple[tuple[Name, str], ...]:
    """Every public function and method, with what it says it returns."""
    found = []
    for one in public_names():
        inside = [(f"{one.path}.{name}", method) for name, method in one.methods]
        for path, thing in [(one.path, one.thing), *inside]:
            given = getattr(thing, "__annotations__", {}).get("return") if not inspect.isclass(thing) else None
            if given is not None:
                found.append((Name(path, thing), str(given)))
    return tuple(found)


def meanings(name: Name) -> dict[str, str]:
    """What parameters and fields mean, by the nearest words: a list in the docstring, the comment beside the field, a
    sentence that begins with the name, the usual words of it, or any other sentence that speaks of it.
    """
    begun, mentioned = _sentences(name.prose)
    like = re.search(r"(?:Parameters|arguments) are those of `(\w+)`", name.prose)
    others = [meanings(one) for one in public_names() if like and one.short == like[1]]
    counts = {one.name: COUNTS.get(one.name, "") for one in name.parameters if one.annotation in (int, int | None)}
    told = {**mentioned, **USUAL, **{one: words for one, words in counts.items() if words}, **begun}
    told |= others[0] if others else {}
    for field, comment in (_beside_fields(name.thing) if inspect.isclass(name.thing) else {}).items():
        told[field] = f"{comment} {told.get(field, '')}".strip() if _SHAPE.fullmatch(comment) else comment
    return {**told, **_listed(name)}


def _listed(name: Name) -> dict[str, str]:
    """The words of lines of the prose that begin `name: words`, and of the list of parameters."""
    told: dict[str, str] = {}
    for found in re.finditer(r"^(\w+): (.*(?:\n(?!\w+: ).+)*)", name.prose, re.MULTILINE):
        told[found[1]] = " ".join(found[2].split())
    section = re.search(r"\nParameters\n-{3,}\n(.*?)(?=\n\w+\n-{3,}|\n>>>|\Z)", "\n" + name.document, re.DOTALL)
    for found in re.finditer(r"^(\w[\w, ]*?)(?: : (.*))?((?:\n +.*)*)$", section[1] if section else "", re.MULTILINE):
        type_, words = (" ".join((part or "").split()) for part in (found[2], found[3]))
        between = (
            ": " if type_ and (words[:1].isupper() or words[:1] == '"') else " "
        )  # a type and then words, or words on several lines
        for one in found[1].split(", "):
            told[one] = f"{type_}{between}{words}".strip()
    return told


def _sentences(prose: str) -> tuple[dict[str, str], dict[str, str]]:
    """Sentences that begin with a name in backticks, and the first that has it elsewhere."""
    begun: dict[str, str] = {}
    mentioned: dict[str, str] = {}
    for sentence in re.split(r"(?<=[.;])\s+(?=[A-Z`])|\n{2,}", prose):
        words = " ".join(sentence.split()).rstrip(".;")
        for at, one in enumerate(re.findall(r"`(\w+)`", words)):
            first = not at and words.startswith(f"`{one}`")
            (begun if first else mentioned).setdefault(one, words)
    return begun, mentioned


@cache
def _beside_fields(kind: type) -> dict[str, str]:
    told: dict[str, str] = {}
    for home in reversed([one for one in kind.__mro__ if one.__module__.startswith("likely.")]):
        told |= _comments(sys.modules[home.__module__]).get(home.__name__, {})
    return told


@cache
def _comments(module: ModuleType) -> dict[str, dict[str, str]]:
    """The comments beside the fields of every class of a module."""
    lines = inspect.getsource(module).splitlines()
    told: dict[str, dict[str, str]] = {}
    for home in ast.parse("\n".join(lines)).body:
        for field in home.body if isinstance(home, ast.ClassDef) else []:
            if isinstance(field, ast.AnnAssign) and isinstance(field.target, ast.Name) and field.end_lineno:
                _, sign, comment = lines[field.end_lineno - 1].encode()[field.end_col_offset :].partition(b"#")
                if sign:
                    told.setdefault(home.name, {})[field.target.id] = " ".join(comment.decode().split())
    return told


def typed(annotation: Any) -> str:
    """An annotation as one reads it."""
    text = annotation if isinstance(annotation, str) else inspect.formatannotation(annotation)
    text = _ARRAY.sub("Array", text).replace("collections.abc.", "").replace("typing.", "")
    text = re.sub(r"(Union|Optional)\[.*_NestedSequence.*\]", "ArrayLike", text)
    return re.sub(r"\b(?:likely|numpy|pathlib)\.[\w.]*?\b(\w+)(?![\w.])", r"\1", text)


def _code(text: str) -> str:
    """The doctest lines of a docstring, with what they print."""
    start = text.index(">>>")
    return textwrap.dedent(text[text.rfind("\n", 0, start) + 1 :]).rstrip()


def entry(name: Name) -> str:
    """One public name as Markdown."""
    parts = [f"## {name.short}"]
    if not callable(name.thing):
        return "\n\n".join([*parts, _block(f"{name.path} = {_shown(name.thing)}", "python")])
    arguments = [_argument(one) for one in name.parameters]
    parts.append(_block(f"{name.path}({', '.join(arguments)})", "python"))
    parts.append(_paragraphs(name.prose))
    if name.parameters:
        told = meanings(name)
        title = "Parameters" if not inspect.isclass(name.thing) or "Parameters\n" in name.document else "Fields"
        rows = [
            (f"`{one.name}`", _cell(f"`{typed(one.annotation)}`"), _default(one), _cell(told.get(one.name, "")))
            for one in name.parameters
        ]
        parts.append(f"**{title}**\n\n{_table(('name', 'type', 'default', 'meaning'), rows)}")
    parts.append(f"**Returns** `{name.returns}`")
    if name.methods:
        members = [(f"`{member}`", _cell(told_of(member, one))) for member, one in name.methods]
        parts.append(f"**Methods and attributes**\n\n{_table(('name', 'what it gives'), members)}")
    if name.example:
        parts.append("**Example**\n\n" + _block(name.example, "python"))
    return "\n\n".join(part for part in parts if part)


def _table(head: Sequence[str], rows: Sequence[Sequence[str]]) -> str:
    lines = [head, ["---"] * len(head), *rows]
    return "\n".join(f"| {' | '.join(line)} |" for line in lines)


def _argument(one: inspect.Parameter) -> str:
    stars = {one.VAR_POSITIONAL: "*", one.VAR_KEYWORD: "**"}.get(one.kind, "")
    return f"{stars}{one.name}" + ("" if one.default is one.empty else f"={_shown(one.default)}")


def _default(one: inspect.Parameter) -> str:
    return "" if one.default is one.empty else f"`{_shown(one.default)}`"


def _shown(value: Any) -> str:
    text = value.__name__ if inspect.isfunction(value) else " ".join(repr(value).split())
    text = re.sub(r" at 0x[0-9a-f]+", "", text)
    return text if len(text) <= 80 else f"{text[:77]}..."


def told_of(member: str, thing: Any) -> str:
    """The first lines of what is written at a member, else at the one of that name in the contracts of families."""
    contracts = (
        getattr(home, member, None) for home in (likely.distributions.Family, likely.distributions.Distribution)
    )
    written = next((text for one in (thing, *contracts) if (text := inspect.getdoc(one) if one else "")), "")
    return written.split("\n\n")[0].replace("\n", " ")


def _cell(text: str) -> str:
    """Text as a cell of a table; what stands between backticks there is taken as it is written."""
    parts = re.split(r"(`[^`]*`)", text)
    return "".join(
        part if place % 2 else part.replace("|", "\\|").replace("<", "&lt;") for place, part in enumerate(parts)
    )


def _block(text: str, language: str = "text") -> str:
    return f"```{language}\n{text}\n```"


def _paragraphs(text: str) -> str:
    """Prose as it is, and what is indented (formulas, tables of words) as it stands."""
    blocks = re.split(r"\n{2,}", text)
    return "\n\n".join(
        _block(textwrap.dedent(one)) if one.startswith("    ") else one.replace("<", "&lt;") for one in blocks
    )


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
        about = _paragraphs(inspect.cleandoc(home.__doc__ or ""))
        ordered = sorted(names, key=lambda name: name.short.lower())
        made[file] = "\n\n".join([f"# {title}", about, *(entry(name) for name in ordered)]) + "\n"
        links = ", ".join(f"[{name.short}]({file}#{name.short.lower()})" for name in ordered)
        listed.append(f"## [{title}]({file})\n\n{links}\n")
    return {"index.md": "\n".join(listed), **made}


if __name__ == "__main__":
    HERE.mkdir(exist_ok=True)
    for file, text in pages().items():
        (HERE / file).write_text(text, encoding="utf-8")
