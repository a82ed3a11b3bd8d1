"""The worked examples, read from `examples.yaml`, and how a result is held against them.

    example("EX-DAT-03").inputs           what goes in
    check("EX-DAT-03", "scaled", value)   what must come out, to the tolerance that the example states
    differs("EX-DAT-09", "dot", value)    that a wrong printed value does not come out
    @covers("EX-DAT-03")                  a test of that example, under its name

A value may be a number, a text, None, or lists, tuples, arrays and dicts of them. Tolerances are absolute; 0 means
exact, and where none is stated the values must be equal. None in an example matches None or NaN.
"""

from dataclasses import dataclass, field
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import yaml

from likely.examples import difference


@dataclass(frozen=True)
class Example:
    id: str
    title: str
    kind: str
    rows: list[str]
    inputs: dict[str, Any]
    expected: dict[str, dict[str, Any]]
    seed: list[dict[str, str]] = field(default_factory=list)
    printed: dict[str, Any] = field(default_factory=dict)
    erratum: str | None = None
    must_hold: list[str] = field(default_factory=list)
    note: str | None = None


@cache
def examples() -> dict[str, Example]:
    text = Path(__file__).with_name("examples.yaml").read_text(encoding="utf-8")
    loader = getattr(yaml, "CSafeLoader", yaml.SafeLoader)
    return {entry["id"]: Example(**entry) for entry in yaml.load(text, Loader=loader)["examples"]}


def example(id: str) -> Example:
    return examples()[id]


def ids(prefix: str) -> list[str]:
    """The examples whose id begins so, for instance with EX-DAT-."""
    return [id for id in examples() if id.startswith(prefix)]


def covers(*names: str) -> pytest.MarkDecorator:
    """Run a test once for each of these examples, given to it as `ex`, under the example's id."""
    return pytest.mark.parametrize("ex", [pytest.param(example(name), id=name) for name in names])


def check(id: str, name: str, value: Any) -> None:
    """Assert that a value is the expected one, to the stated tolerance."""
    entry = example(id).expected[name]
    apart = difference(entry["value"], value, entry.get("tol"))
    assert apart is None, f"{id} {name}{apart}"


def differs(id: str, name: str, value: Any) -> None:
    """Assert that a value is not the wrong one that was printed: no part of it agrees to half the difference.

    The expected value itself must differ from the printed one, too.
    """
    pairs = list(_pairs(example(id).printed[name], example(id).expected[name]["value"], value))
    assert pairs, f"{id} {name}: nothing is printed"
    for printed, expected, got in pairs:
        assert printed != expected, f"{id} {name}: the printed {printed} is the expected value"
        if isinstance(printed, str | bool):
            assert got != printed, f"{id} {name}: got the wrong printed value {printed}"
        else:
            far = abs(printed - expected) / 2
            assert abs(got - printed) > far, f"{id} {name}: got {got}, the wrong printed value is {printed}"


def _pairs(printed: Any, expected: Any, value: Any) -> Any:
    """The leaves of what is printed, with the expected and the given value in the same place."""
    if isinstance(value, np.ndarray | np.generic):
        value = value.tolist()
    if isinstance(printed, dict):
        for key, part in printed.items():
            yield from _pairs(part, expected[key], value[key])
    elif isinstance(printed, list):
        for i, part in enumerate(printed):
            if part is not None:
                yield from _pairs(part, expected[i], value[i])
    else:
        yield printed, expected, value
