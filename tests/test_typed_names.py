"""What a user's type checker and editor see of the public names, which are imported only when they are used."""

import ast
import subprocess
import sys
from pathlib import Path

import pytest

import likely

LAZY = ("likely", "likely.data", "likely.figures", "likely.data.sources")

GOOD = """
from likely import NaiveBayes, GaussianBayes, LikelyError, cross_validate, data, figures, models
from likely.data import MinMax, bundled
from likely.figures import RocDisplay

model = NaiveBayes(alpha=0.5).fit([[0.0], [1.0]], ["a", "b"])
shape: tuple[int, ...] = model.predict_proba([[0.5]]).shape
reveal_type(model)
reveal_type(RocDisplay)
reveal_type(data.MinMax)
"""
BAD = {
    "from likely import NaiveBayes\nNaiveBayes(no_such=3)": 'Unexpected keyword argument "no_such" for "NaiveBayes"',
    "from likely import NaiveBays": 'has no attribute "NaiveBays"',
    "from likely import GaussianBayes\nGaussianBayes(ddof='one')": 'incompatible type "str"; expected "int"',
    "from likely.data import MinMaxx": 'has no attribute "MinMaxx"',
    "import likely\nlikely.figures.RocDisplays": 'has no attribute "RocDisplays"',
}


@pytest.fixture(scope="module")
def said(tmp_path_factory):
    """What mypy says of scripts of a user, by file: one run for all of them."""
    folder = tmp_path_factory.mktemp("scripts")
    scripts = {"good.py": GOOD, **{f"bad_{i}.py": code for i, code in enumerate(BAD)}}
    for name, code in scripts.items():
        (folder / name).write_text(code)
    root = Path(likely.__file__).parents[2]
    cache = root / ".mypy_cache"  # what `make check` left there makes this quick
    options = ["--strict", "--config-file", str(root / "pyproject.toml"), "--cache-dir", str(cache)]
    command = [sys.executable, "-m", "mypy", *options, *(str(folder / name) for name in scripts)]
    done = subprocess.run(command, capture_output=True, text=True, cwd=root)
    assert done.returncode in (0, 1), done.stdout + done.stderr
    return {name: [line for line in done.stdout.splitlines() if name in line] for name in scripts}


@pytest.mark.slow
def test_what_is_right_is_typed(said):
    lines = said["good.py"]
    assert not [line for line in lines if ": error:" in line]
    noted = "\n".join(lines)
    for name in ("NaiveBayes", "RocDisplay", "MinMax"):
        assert f".{name}" in noted


@pytest.mark.slow
@pytest.mark.parametrize("place", range(len(BAD)))
def test_a_mistake_is_found_before_it_runs(said, place):
    assert list(BAD.values())[place] in "\n".join(said[f"bad_{place}.py"])


def completions(code):
    jedi = pytest.importorskip("jedi", reason="jedi is in the dev extra")
    return {found.name for found in jedi.Script(code).complete()}


def test_an_editor_completes_names_options_and_methods():
    assert {"NaiveBayes"} <= completions("from likely import Naive")
    assert {"alpha=", "class_prior="} <= completions("from likely import NaiveBayes\nNaiveBayes(")
    start = "from likely import NaiveBayes\nmodel = NaiveBayes().fit([[1.0]], [1])\nmodel."
    assert {"predict_proba", "forget", "evidence", "kinds_"} <= completions(start)
    assert {"RocDisplay", "LawDisplay"} <= completions("import likely\nlikely.figures.")


@pytest.mark.parametrize("room", LAZY)
def test_lazy_names_and_typed_names_are_the_same(room):
    __import__(room)
    module = sys.modules[room]
    tree = ast.parse(Path(module.__file__).read_text())
    typed = next(node for node in tree.body if isinstance(node, ast.If) and ast.unparse(node.test) == "TYPE_CHECKING")
    homes = {alias.asname: node.module for node in typed.body for alias in node.names}
    eager = {alias.name for node in tree.body if isinstance(node, ast.ImportFrom) for alias in node.names}
    assert set(homes) == set(module.__all__) - eager
    for name, home in homes.items():
        there = sys.modules.get(f"{home}.{name}") or getattr(__import__(home, fromlist=[name]), name)
        assert getattr(module, name) is there
