"""What a user can reach: every public room says what it offers, and all of it is there and documented."""

import ast
import importlib
import inspect
import subprocess
import sys
from operator import attrgetter
from pathlib import Path

import pytest

import likely

ROOMS = (
    "data", "decisions", "distributions", "engines", "errors", "estimation", "evaluation", "examples", "figures",
    "intervals", "models", "optimize", "probability", "reports", "statistics", "store", "testing",
)  # fmt: skip
WALKED = (*ROOMS, "data.bundled")


def names():
    return [(room, name) for room in WALKED for name in importlib.import_module(f"likely.{room}").__all__]


def _rank(name):
    """Constants, then classes, then functions, each by the alphabet."""
    return (not (name.isupper() and len(name) > 1), not name[0].isupper(), name)


def test_the_rooms_are_those_of_the_front_page():
    rooms = {name for name in likely.__all__ if inspect.ismodule(getattr(likely, name))}
    assert rooms == set(ROOMS)


@pytest.mark.parametrize("room", WALKED)
def test_a_room_says_what_it_offers(room):
    module = attrgetter(room)(likely)
    assert module is importlib.import_module(f"likely.{room}")
    assert module.__doc__
    assert list(module.__all__) == sorted(set(module.__all__), key=_rank)


@pytest.mark.parametrize("room", WALKED)
def test_names_are_there_and_documented(room):
    module = importlib.import_module(f"likely.{room}")
    found = {name: getattr(module, name) for name in module.__all__}
    assert all(f"{room}.{name}" in WALKED for name, value in found.items() if inspect.ismodule(value))
    told = {name: value for name, value in found.items() if inspect.isclass(value) or inspect.isroutine(value)}
    assert not [name for name, value in told.items() if not _documented(name, value)]


def _documented(name, value):
    """Whether it has a docstring of its own, and not the signature that dataclasses write in its place."""
    own = value.__doc__ if inspect.isroutine(value) else vars(value).get("__doc__")
    return bool(own and own.strip()) and not own.startswith(f"{name}(")


def test_one_name_means_one_thing():
    meaning = {}
    for room, name in names():
        meaning.setdefault(name, {})[room] = getattr(importlib.import_module(f"likely.{room}"), name)
    twice = {name: list(by_room) for name, by_room in meaning.items() if len({id(v) for v in by_room.values()}) > 1}
    assert not twice


def test_random_state_has_a_default_by_one_rule():
    given = {}
    for room, name in [*names(), *(("", name) for name in likely.__all__)]:
        value = attrgetter(f"{room}.{name}".strip("."))(likely)
        if inspect.isclass(value):
            public = {called: made for called, made in vars(value).items() if not called.startswith("_")}
            own = {**public, "__init__": value}
            given |= {(name, called): made for called, made in own.items() if callable(made) and _takes_seed(made)}
        elif callable(value) and _takes_seed(value):
            given[name, ""] = value
    assert len(given) > 30
    wrong = {}
    for (name, called), made in given.items():
        parameters = inspect.signature(made).parameters
        drawn = (
            called in ("sample", "draw")
            or "ties" in parameters
            or (called == "__init__" and hasattr(made, "get_params"))
        )
        if parameters["random_state"].default is not (None if drawn else 0):
            wrong[name, called] = parameters["random_state"].default
    assert not wrong  # see likely.numeric.random_state


def _takes_seed(made):
    try:
        return "random_state" in inspect.signature(made).parameters
    except ValueError:
        return False


def test_rooms_are_loaded_when_they_are_used():
    code = "import sys, likely, likely.data, likely.figures; print(*({'polars', 'matplotlib'} & set(sys.modules)))"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.split() == []


FOLDER = Path(likely.__file__).parent / "examples"
EXAMPLES = [*sorted(FOLDER.glob("*/*.py")), FOLDER / "drawing.py"]


@pytest.mark.parametrize("path", EXAMPLES, ids=lambda path: path.stem)
def test_worked_examples_use_public_names_only(path):
    hidden = []
    for node in ast.walk(ast.parse(path.read_text())):
        if isinstance(node, ast.Import):
            hidden += [alias.name for alias in node.names if alias.name.startswith("likely.")]
        if isinstance(node, ast.ImportFrom):
            home = node.module or ""
            assert not node.level, f"line {node.lineno}: say where it comes from"
            if home.split(".")[0] == "likely" and not home.startswith("likely.examples"):
                room = home.removeprefix("likely").removeprefix(".")
                public = importlib.import_module(home).__all__ if room in ("", *ROOMS) else ()
                hidden += [f"{home}.{alias.name}" for alias in node.names if alias.name not in public]
    assert not hidden
