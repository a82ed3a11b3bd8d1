"""Computed values beside the expected and the printed ones, and whether they agree.

Values may be numbers, texts, None, or lists, tuples, arrays and dicts of them. A tolerance is absolute; 0 means exact,
and where there is none the values must be equal. None matches None or NaN, and the texts inf and -inf match infinities.
"""

import math
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any, Literal, TypeAlias

from likely.examples.catalogue import Example
from likely.examples.worked import Worked

_DIGITS = 5e-12  # the catalogue writes twelve digits: of a value it knows no more, whatever the tolerance
Verdict: TypeAlias = Literal["agrees", "agrees, misprint", "differs", "not computed", "extra"]


@dataclass(frozen=True)
class Agreement:
    """One number, or one list of numbers, of an example."""

    name: str
    computed: Any  # None where it was not computed
    expected: Any  # the verified value; None where the catalogue has none
    printed: Any  # digits of the source, right or wrong; None where it prints nothing
    verdict: Verdict  # whether they agree; what is not in the catalogue is extra


def lines(example: Example, result: Worked) -> list[Agreement]:
    """Every expected value with the computed one, then what was computed beyond them.

    Parameters
    ----------
    example : with the values that are expected
    result : with the values that were computed

    >>> from likely.examples import find, run
    >>> [line] = lines(find("EX-GEN-12"), run("EX-GEN-12"))
    >>> line.name, line.printed, line.verdict
    ('density', 0.134, 'agrees, misprint')
    """
    found = []
    for name, entry in example.expected.items():
        if name not in result.values:
            found.append(Agreement(name, None, entry["value"], entry.get("shown"), "not computed"))
            continue
        wrong, shown = example.printed.get(name), entry.get("shown")
        parts = _parts(name, plain(result.values[name]), entry["value"], shown if wrong is None else wrong)
        for label, computed, expected, printed in parts:
            apart = difference(expected, computed, entry.get("tol"))
            fine: Verdict = "agrees" if wrong is None else "agrees, misprint"
            found.append(Agreement(label, computed, expected, printed, fine if apart is None else "differs"))
    beyond = [name for name in result.values if name not in example.expected]
    return found + [Agreement(name, plain(result.values[name]), None, None, "extra") for name in beyond]


def difference(expected: object, value: object, tolerance: float | None, where: str = "") -> str | None:
    """The first place at which a value is not the expected one, in words; None where all of it agrees.

    Parameters
    ----------
    expected : the verified value
    where : what the value is called in the answer

    >>> difference([0.5, 0.25], [0.5, 0.2499], 0.001) is None
    True
    >>> difference({"a": 1}, {"a": 2}, 0)
    "['a']: expected 1, got 2"
    """
    value = plain(value)
    if isinstance(expected, dict):
        if not isinstance(value, dict) or set(value) != set(expected):
            return f"{where}: expected the keys {list(expected)}, got {value!r}"
        return _first(difference(part, value[key], tolerance, f"{where}[{key!r}]") for key, part in expected.items())
    if isinstance(expected, list):
        if not isinstance(value, list) or len(value) != len(expected):
            return f"{where}: expected {len(expected)} entries, got {value!r}"
        return _first(difference(part, value[i], tolerance, f"{where}[{i}]") for i, part in enumerate(expected))
    if _same(expected, value, tolerance):
        return None
    within = f" within {tolerance}" if tolerance else ""
    return f"{where}: expected {expected!r}{within}, got {value!r}"


def plain(value: object) -> Any:
    """The value without arrays and tuples: numbers, texts, lists and dicts, as JSON has them."""
    if hasattr(value, "tolist"):
        value = value.tolist()
    if isinstance(value, Mapping):
        return {key: plain(part) for key, part in value.items()}
    if isinstance(value, list | tuple):
        return [plain(part) for part in value]
    return value


def _same(expected: Any, value: Any, tolerance: float | None) -> bool:
    if expected is None:
        return value is None or value != value
    if expected in ("inf", "-inf") and isinstance(value, float):
        return value == float(expected)
    if isinstance(expected, str | bool) or not tolerance:
        return isinstance(value, bool) == isinstance(expected, bool) and bool(value == expected)
    tolerance = max(tolerance, _DIGITS * abs(expected))
    return isinstance(value, int | float) and math.isfinite(value) and abs(value - expected) <= tolerance


def _first(found: Iterator[str | None]) -> str | None:
    return next((one for one in found if one is not None), None)


def _parts(name: str, computed: Any, expected: Any, printed: object) -> Iterator[tuple[str, Any, Any, Any]]:
    """The named parts of dicts, and of lists of dicts, each with what is in the same place; all in one if some lack."""
    if isinstance(expected, dict) and isinstance(computed, dict) and set(computed) == set(expected):
        for key, part in expected.items():
            below = printed.get(key) if isinstance(printed, dict) else None
            yield from _parts(f"{name}.{key}", computed[key], part, below)
    elif _alike(computed, expected):
        for i, part in enumerate(expected):
            below = printed[i] if isinstance(printed, list) else None
            yield from _parts(f"{name}.{i + 1}", computed[i], part, below)
    else:
        yield name, computed, expected, printed


def _alike(computed: object, expected: Any) -> bool:
    """Whether both are lists of so many dicts."""
    lists = isinstance(expected, list) and isinstance(computed, list) and len(expected) == len(computed)
    return lists and any(isinstance(part, dict) for part in expected)
