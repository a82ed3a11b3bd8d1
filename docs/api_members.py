"""The methods of a public class, and what it has after `fit`, as Markdown."""

import inspect
import re
from collections.abc import Callable, Sequence
from typing import Any

from api_meanings import fitted_attributes, meanings_in_method, without_listed
from api_names import Name, is_attribute, read_by, typed
from api_shown import argument, block, cell, paragraphs, table

import likely

INNER = {  # methods of models that other parts of the library call, and those who write a model of their own give it
    "check_method",
    "drawn_log_posteriors",
    "evidence_after",
    "growing_posteriors",
    "learn_again",
    "obstacle",
    "onnx_scores",
    "out_of_two_folds",
    "over_draws",
    "parted",
    "rule_of",
    "scored",
    "text_evidence_after",
}


def members(name: Name) -> list[str]:
    """Attributes and methods of a class: what they are, their parameters, and what they give."""
    parts = []
    fitted = fitted_attributes(name)
    known = {one for one, _, _ in fitted}
    if fitted:
        rows = [(f"`{one}`", cell(f"`{kind}`" if kind else ""), cell(words)) for one, kind, words in fitted]
        parts.append(f"**After `fit`** (those that the options ask for)\n\n{table(('name', 'type', 'meaning'), rows)}")
    attributes = [
        (f"`{one}`", cell(f"`{_kind(thing)}`"), cell(told_of(one, thing)))
        for one, thing in name.methods
        if is_attribute(thing) and one not in known
    ]
    if attributes:
        parts.append(f"**Attributes**\n\n{table(('name', 'type', 'meaning'), attributes)}")
    methods = [(one, thing) for one, thing in name.methods if not is_attribute(thing)]
    routed = [one for one, thing in methods if is_routing(one)]
    inner = [one for one, thing in methods if one in INNER and hasattr(name.thing, "fit")]
    shown = [(one, thing) for one, thing in methods if one not in routed]
    if len(shown) > len(inner):
        parts += ["**Methods**", *(_method(name, one, thing) for one, thing in shown if one not in inner)]
    if routed:
        parts.append(f"{', '.join(f'`{one}`' for one in routed)}: as in scikit-learn, which metadata a verb asks for.")
    if inner:
        parts.append("**For those who write models** (the rooms after models ask for these; a user needs none of them)")
        parts += [_method(name, one, thing) for one, thing in shown if one in inner]
    return parts


def is_routing(member: str) -> bool:
    """Whether a method is scikit-learn's own, which says what metadata another one takes."""
    return bool(re.fullmatch(r"set_\w+_request", member))


def _kind(thing: Any) -> str:
    return typed(getattr(read_by(thing), "__annotations__", {}).get("return", ""))


def _method(name: Name, member: str, thing: Callable[..., Any]) -> str:
    """One method: its signature, what it does, its parameters and what it gives."""
    method = Name(f"{name.path}.{member}", thing)
    signature = inspect.signature(thing)
    given = signature.return_annotation
    gives = "" if given in (signature.empty, None) else f" gives `{typed(given)}`"
    told = meanings_in_method(name, method)
    lines = [
        f"**`{member}({_arguments(signature)})`**{gives}",
        paragraphs(without_listed(method) or told_of(member, thing)),
    ]
    rows = [
        f"- `{one.name}` (`{typed(one.annotation)}`): {told[one.name].replace('<', '&lt;')}"
        for one in method.parameters
    ]
    return "\n\n".join([*lines, "\n".join(rows)] if rows else lines)


def _arguments(signature: inspect.Signature) -> str:
    return ", ".join(arguments([one for one in signature.parameters.values() if one.name != "self"]))


def arguments(parameters: Sequence[inspect.Parameter]) -> list[str]:
    """Parameters as they are written, with the sign after which they go by name."""
    written: list[str] = []
    for one in parameters:
        if one.kind == one.KEYWORD_ONLY and "*" not in written and not any(w.startswith("*") for w in written):
            written.append("*")
        written.append(argument(one))
    return written


def told_of(member: str, thing: Any) -> str:
    """The first lines of what is written at a member, else at the one of that name in the contracts of families."""
    contracts = (
        getattr(home, member, None) for home in (likely.distributions.Family, likely.distributions.Distribution)
    )
    written = next((text for one in (thing, *contracts) if (text := inspect.getdoc(one) if one else "")), "")
    return written.split("\n\n")[0].replace("\n", " ")


def constant(name: Name, words: str) -> list[str]:
    """A public value: what it is, and an example in which it is used."""
    prose, _, example = words.partition("\n\n")
    return [
        block(f"{name.path}: {_type_of(name.thing)}", "python"),
        prose,
        "**Example**\n\n" + block(example, "python"),
    ]


def _type_of(value: Any) -> str:
    inside = (
        {type(one).__name__ for one in (value.values() if isinstance(value, dict) else value)}
        if not isinstance(value, str | float)
        else set()
    )
    match value:
        case dict():
            return f"dict[str, {inside.pop()}]"
        case tuple():
            return f"tuple[{inside.pop()}, ...]"
    return f"{type(value).__name__} = {value!r}"
