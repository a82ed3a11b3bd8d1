"""What parameters, fields and fitted attributes mean, by the nearest words that the library has of them."""

import ast
import inspect
import re
import sys
from collections.abc import Iterator
from functools import cache
from types import ModuleType
from typing import Any

from api_member_words import FITTED, METHODS
from api_names import Name, is_attribute, public_names, read_by, typed
from api_own_words import OWN
from api_words import COUNTS, USUAL

_TYPE = re.compile(r"(?:int|float|bool|str|None|,? or|,| )*")  # which says nothing that the signature does not
_NAMES = r"^(\w+(?:, \w+)*)"
_LISTS = (  # of parameters in prose: words in columns; `name: words`, as far as the next such line
    re.compile(_NAMES + r"  +(\S.*(?:\n {6,}\S.*)*)$", re.MULTILINE),
    re.compile(_NAMES + r": (.*(?:\n(?!\w+(?:, \w+)*: ).+)*)", re.MULTILINE),
)
_SHAPE = re.compile(r"\([^)]*\)(?: \w+\d)?")  # of an array, which is no meaning yet: (n, k), (n,) int32


@cache
def meanings(name: Name) -> dict[str, str]:
    """What parameters and fields mean, by the nearest words: a list in the docstring, the comment beside the field, a
    sentence that begins with the name, the usual words of it, or any other sentence that speaks of it.
    """
    begun, mentioned = _sentences(name.prose)
    like = re.search(r"(?:Parameters|arguments) are those of `(\w+)`", name.prose)
    counts = {one.name: COUNTS.get(one.name, "") for one in name.parameters if one.annotation in (int, int | None)}
    told = {**mentioned, **USUAL, **{one: words for one, words in counts.items() if words}, **begun}
    told |= _meanings_of(like[1]) if like else {}
    for field, comment in (_beside_fields(name.thing) if inspect.isclass(name.thing) else {}).items():
        told[field] = f"{comment} {told.get(field, '')}".strip() if _SHAPE.fullmatch(comment) else comment
    told |= _listed(name) | {one.name: own for one in name.parameters if (own := OWN.get(f"{name.short}.{one.name}"))}
    return {one: _followed(one, words) for one, words in told.items()}


def meanings_in_method(owner: Name, method: Name) -> dict[str, str]:
    """What the parameters of a method mean: by its own words, those of its class, or the usual ones."""
    own = {**_sentences(method.prose)[1], **_sentences(method.prose)[0], **_listed(method)}
    place = getattr(inspect.unwrap(method.thing), "__qualname__", "")
    told: dict[str, str] = {}
    for one in method.parameters:
        special = OWN.get(f"{owner.short}.{method.short}.{one.name}") or OWN.get(f"{place}.{one.name}")
        shared = one.name != "random_state" and any(p.name == one.name for p in owner.parameters)
        of_class = meanings(owner).get(one.name, "") if shared else ""
        usual = (METHODS.get(one.name), of_class, USUAL.get(one.name), COUNTS.get(one.name))
        found = (special, own.get(one.name), *usual)
        told[one.name] = next((words for words in found if words and not _SHAPE.fullmatch(words)), "")
    return told


def fitted_attributes(name: Name) -> list[tuple[str, str, str]]:
    """What an estimator has after `fit`: name, type and meaning of every public attribute that ends in an underscore.

    They are those that its classes annotate or make properties of, and those that its docstring lists.
    """
    if not (inspect.isclass(name.thing) and hasattr(name.thing, "fit")):
        return []
    types: dict[str, Any] = {}
    for home in reversed(name.thing.__mro__):
        types |= vars(home).get("__annotations__", {})
    properties = {one: thing for one, thing in name.methods if is_attribute(thing)}
    types |= {one: read_by(thing).__annotations__.get("return", "") for one, thing in properties.items()}
    listed = _listed_in(name.document, "Attributes")
    beside = _beside_fields(name.thing)
    found = sorted(one for one in {*types, *listed} if one.endswith("_") and not one.startswith("_"))
    told = {one: " ".join((inspect.getdoc(thing) or "").split("\n\n")[0].split()) for one, thing in properties.items()}
    ways = (listed, beside, told, FITTED)
    return [(one, typed(types.get(one, "")), next(_each(ways, one), "")) for one in found]


def _each(ways: tuple[dict[str, str], ...], name: str) -> Iterator[str]:
    """What several lists say of a name; a shape alone says nothing."""
    return (words for way in ways if (words := way.get(name, "")) and not _SHAPE.fullmatch(words))


@cache
def _meanings_of(short: str) -> dict[str, str]:
    """Those of the public name that ends so."""
    return next((meanings(one) for one in public_names() if one.short == short), {})


def _followed(parameter: str, words: str) -> str:
    """Words that only say "as in X", with what stands there."""
    asked = re.search(r"(?:^|[ ,])[Aa]s (?:in|of) `?([A-Z]\w+)`?\.?$", words)
    found = _meanings_of(asked[1]).get(parameter, "") if asked else ""
    return f"{words.rstrip('.')}: {found}" if found else words


def _listed(name: Name) -> dict[str, str]:
    """The words of lines of the prose that begin `name: words`, and of the list of parameters."""
    told: dict[str, str] = {}
    for form in _LISTS:
        for found in form.finditer(name.prose):
            told |= dict.fromkeys(found[1].split(", "), " ".join(found[2].split()))
    return {**told, **_listed_in(name.document, "Parameters")}


def without_listed(name: Name) -> str:
    """The prose without the lines that only say what parameters mean, which stand beside the parameters."""
    parameters = {one.name for one in name.parameters}
    prose = name.prose
    for form in _LISTS:
        prose = form.sub(lambda found: "" if {*found[1].split(", ")} <= parameters else found[0], prose)
    return re.sub(r"\n{3,}", "\n\n", prose).strip()


def _listed_in(document: str, title: str) -> dict[str, str]:
    """The words of a section of a docstring, by the names that it lists."""
    told: dict[str, str] = {}
    section = re.search(rf"\n{title}\n-{{3,}}\n(.*?)(?=\n\w+\n-{{3,}}|\n>>>|\Z)", "\n" + document, re.DOTALL)
    for found in re.finditer(r"^(\w[\w, ]*?)(?: : (.*))?((?:\n +.*)*)$", section[1] if section else "", re.MULTILINE):
        type_, words = (" ".join((part or "").split()) for part in (found[2], found[3]))
        between = (
            ": " if type_ and (words[:1].isupper() or words[:1] == '"') else " "
        )  # a type and then words, or words on several lines
        for one in found[1].split(", ") if words or not _TYPE.fullmatch(type_) else []:
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
