"""The public names of the library, room by room: what each is, its members, and an example that runs anywhere."""

import ast
import builtins
import doctest
import inspect
import re
import sys
import textwrap
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache, cached_property
from types import ModuleType
from typing import Any

import likely

ROOMS = [name for name in likely.__all__ if isinstance(getattr(likely, name), ModuleType)]
_ARRAY = re.compile(r"numpy\.ndarray\[tuple\[typing\.Any, \.\.\.\], numpy\.dtype\[(?:typing\.Any|[\w.]+)\]\]")


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
    def is_protocol(self) -> bool:
        """Whether it only says what others have to have."""
        return bool(getattr(self.thing, "_is_protocol", False))

    @property
    def is_made(self) -> bool:
        """Whether it is called; a protocol or a name for annotations is not."""
        plain = inspect.isclass(self.thing) and self.thing.__bases__ == (object,)
        return not self.is_protocol and not (plain and not self.parameters and not self.methods)

    @property
    def is_error(self) -> bool:
        return inspect.isclass(self.thing) and issubclass(self.thing, Exception)

    @property
    def is_base(self) -> bool:
        """Whether other classes are made of it, and it is not made by itself."""
        kinds = self.thing.__subclasses__() if inspect.isclass(self.thing) and not self.parameters else []
        return any(kind.__module__.startswith("likely.") for kind in kinds)

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
        members = inspect.getmembers(self.thing, lambda one: callable(one) or is_attribute(one))
        plain = {name for home in self.thing.__mro__ if home.__module__ == "builtins" for name in vars(home)}
        return [
            (name, one)
            for name, one in members
            if not name.startswith("_") and not inspect.isclass(one) and name not in plain
        ]


def is_attribute(member: Any) -> bool:
    """Whether a member of a class is read and not called: a property, found anew each time or once."""
    return isinstance(member, property | cached_property)


def read_by(attribute: Any) -> Any:
    """The function behind a property, which knows its type."""
    return attribute.func if isinstance(attribute, cached_property) else attribute.fget


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
    inner = read_by(thing) if is_attribute(thing) else thing
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


def typed(annotation: Any) -> str:
    """An annotation as one reads it."""
    text = annotation if isinstance(annotation, str) else inspect.formatannotation(annotation)
    text = _ARRAY.sub("Array", text).replace("collections.abc.", "").replace("typing.", "")
    text = re.sub(r"(Union|Optional)\[.*_NestedSequence.*\]", "ArrayLike", text)
    text = re.sub(r"Literal\[[^\]]*\]|'", lambda found: found[0].strip("'"), text)  # of names that come later
    return re.sub(r"\b(?:likely|numpy|pathlib)\.[\w.]*?\b(\w+)(?![\w.])", r"\1", text)


def _code(text: str) -> str:
    """The doctest lines of a docstring, with what they print."""
    start = text.index(">>>")
    return textwrap.dedent(text[text.rfind("\n", 0, start) + 1 :]).rstrip()
