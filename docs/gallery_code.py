"""The code of each picture of the gallery, read from the source that draws it: what the page shows is what was run."""

import ast
import inspect
import textwrap
from collections.abc import Callable, Sequence
from typing import Any


def fenced(code: str) -> str:
    """Code as a block of a page."""
    return f"```python\n{code.rstrip()}\n```"


def preamble(module: Any, parts: Sequence[Any], displays: Callable[..., Any]) -> str:
    """What all pictures share: the imports, the classes and functions, and the first lines of `displays`."""
    tree = ast.parse(inspect.getsource(module))
    imports = [ast.unparse(one) for one in tree.body if isinstance(one, ast.Import | ast.ImportFrom)]
    constants = [ast.unparse(one) for one in tree.body if isinstance(one, ast.Assign) and _named(one) == "SHAPE"]
    shared = [textwrap.dedent(inspect.getsource(part)).rstrip() for part in parts]
    body = _function(displays).body[1:-1]  # without the docstring and what is returned
    ours = ("pathlib", "matplotlib.figure", "gallery_code", "import sys")
    used = [line for line in imports if not any(one in line for one in ours)]
    return "\n".join(
        ["import likely", *used, *constants, "", *"\n\n\n".join(shared).splitlines(), "", *map(ast.unparse, body)]
    )


def code_of_displays(displays: Callable[..., Any]) -> dict[str, str]:
    """The code of each picture by its title, from the functions without a name that `displays` returns."""
    returned = _function(displays).body[-1]
    assert isinstance(returned, ast.Return) and isinstance(returned.value, ast.Dict)
    found = {}
    for key, value in zip(returned.value.keys, returned.value.values, strict=True):
        assert isinstance(key, ast.Constant) and isinstance(value, ast.Lambda)
        found[str(key.value)] = f"display = {ast.unparse(value.body)}"
    return found


def code_of_example(identifier: str) -> str:
    """How the figure of a worked example is drawn."""
    return (
        f'example = likely.examples.run("{identifier}")\n'
        'figure, ax = pyplot.subplots(figsize=example.size, layout="constrained")\n'
        "example.figure(ax)"
    )


def _function(function: Callable[..., Any]) -> ast.FunctionDef:
    found = ast.parse(textwrap.dedent(inspect.getsource(function))).body[0]
    assert isinstance(found, ast.FunctionDef)
    return found


def _named(one: ast.Assign) -> str:
    return one.targets[0].id if isinstance(one.targets[0], ast.Name) else ""
