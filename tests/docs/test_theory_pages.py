"""Every theory page says what its code gives, and the tool that runs them does what it says."""

import importlib.util
import re
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
THEORY = ROOT / "docs" / "theory"
PAGES = sorted(path.name for path in THEORY.glob("*.md"))

_spec = importlib.util.spec_from_file_location("build_of_the_docs", ROOT / "docs" / "build.py")
build = importlib.util.module_from_spec(_spec)
sys.modules[_spec.name] = build
_spec.loader.exec_module(build)

DRAWING = """from matplotlib.figure import Figure
figure = Figure()
figure.subplots().plot([1, 2, 4])
figure.savefig("rising.svg")
"""


@pytest.fixture
def page(tmp_path):
    def write(*parts):
        path = tmp_path / "page.md"
        path.write_text("\n\n".join(parts) + "\n", encoding="utf-8")
        return path

    return write


def code(source):
    return f"```python\n{source.rstrip()}\n```"


def text(output):
    return f"```text\n{output}\n```"


@pytest.mark.sample(1)
@pytest.mark.parametrize("name", PAGES)
def test_pages_say_what_their_code_gives(name, capsys):
    assert build.main(["--check", str(THEORY / name)]) == 0, capsys.readouterr().err


def test_every_figure_is_shown():
    shown = [name for page in PAGES for name in re.findall(r"\(figures/([\w-]+\.svg)\)", (THEORY / page).read_text())]
    assert sorted(path.name for path in (THEORY / "figures").glob("*.svg")) == sorted(shown)  # and on one page only


def test_results_are_put_behind_their_blocks(page):
    path = page("# Title", code("x = 2\nprint(x)"), "Words.", code("x += 1"), code("print(x, '  ')\n\nprint(x * x)"))
    assert build.main([str(path)]) == 0
    after = ["# Title", code("x = 2\nprint(x)"), text("2"), "Words.", code("x += 1")]
    after += [code("print(x, '  ')\n\nprint(x * x)"), text("3\n9")]
    assert path.read_text() == "\n\n".join(after) + "\n"


def test_old_results_are_replaced_and_stale_ones_removed(page):
    path = page(code("print(1)"), text("7\n8"), "Words.", code("y = 1"), text("stale"), "![x](figures/old.svg)", "End.")
    assert build.main([str(path)]) == 0
    assert path.read_text() == "\n\n".join([code("print(1)"), text("1"), "Words.", code("y = 1"), "End."]) + "\n"


def test_running_twice_changes_nothing(page):
    path = page("Words.", code(DRAWING), code("print('```')\nprint(3)"), "More words.")
    assert build.main([str(path)]) == 0
    once, picture = path.read_text(), (path.parent / "figures" / "rising.svg").read_bytes()
    assert "````text\n```\n3\n````" in once
    assert build.main([str(path)]) == 0
    assert path.read_text() == once
    assert (path.parent / "figures" / "rising.svg").read_bytes() == picture
    assert build.main(["--check", str(path)]) == 0


def test_other_fences_are_left_alone(page):
    parts = [
        "```text\nof the author\n```",
        "````\n```python\nprint(1)\n```\n````",
        "```pycon\n>>> 1\n```",
        "~~~python\n~~~",
    ]
    path = page(*parts)
    before = path.read_text()
    assert build.main([str(path)]) == 0
    assert path.read_text() == before


def test_a_second_text_behind_a_block_is_the_authors(page):
    path = page(code("print(1)"), text("1"), text("a formula"))
    assert build.main([str(path)]) == 0
    assert path.read_text().count("```text") == 2


def test_figures_are_linked_and_bare_of_dates(page):
    path = page(code("print(5)\n" + DRAWING), "Words.")
    assert build.main([str(path)]) == 0
    assert path.read_text().endswith(f"{text(5)}\n\n![Rising](figures/rising.svg)\n\nWords.\n")
    drawn = (path.parent / "figures" / "rising.svg").read_text()
    assert drawn.startswith("<?xml") and "<dc:date>" not in drawn and "Matplotlib v" not in drawn


def test_the_caption_of_a_figure_is_the_authors(page):
    path = page(code(DRAWING), "![Numbers that rise](figures/rising.svg)")
    assert build.main([str(path)]) == 0
    assert path.read_text().endswith("\n\n![Numbers that rise](figures/rising.svg)\n")


def test_figures_need_plain_names(page, capsys):
    path = page(code(DRAWING.replace("rising", "Rising")))
    assert build.main([str(path)]) == 1
    assert "page.md, block 1, line 2: ValueError: a figure's name has small letters" in capsys.readouterr().err


def test_a_name_is_given_to_one_figure(page, capsys):
    path = page(code(DRAWING), code('figure.savefig("rising.svg")'))
    assert build.main([str(path)]) == 1
    assert "block 2, line 9: ValueError: two figures of this page are named 'rising'" in capsys.readouterr().err


def test_blocks_are_given_nothing(page, capsys):
    """So that a reader who copies them gets what the page shows."""
    path = page(code("print(sorted(name for name in globals() if not name.startswith('__')))"))
    assert build.main([str(path)]) == 0
    assert text("[]") in path.read_text()


def test_check_says_which_block_differs_and_writes_nothing(page, capsys):
    path = page(code("print(1)"), text("1"), code("print(2)"), text("3"))
    before = path.read_text()
    assert build.main(["--check", str(path)]) == 1
    said = capsys.readouterr().err
    assert "page.md, block 2 (line 9):" in said and "-3" in said and "+2" in said and "block 1" not in said
    assert path.read_text() == before


def test_check_wants_outputs_links_and_files(page, capsys):
    path = page(code("print(1)"))
    assert build.main(["--check", str(path)]) == 1
    path = page(code(DRAWING), "![Numbers that rise](figures/rising.svg)")
    assert build.main(["--check", str(path)]) == 1
    assert "no figures/rising.svg" in capsys.readouterr().err
    assert not (path.parent / "figures").exists()


@pytest.mark.parametrize(
    ("source", "line", "message"),
    [
        ("x = 1\n1 / 0", 9, "ZeroDivisionError: division by zero"),
        ("x = (", 8, "SyntaxError"),
        ("import warnings\n\nwarnings.warn('careful')", 10, "UserWarning: careful"),
        ("import numpy as np\nnp.log(np.zeros(1))", 9, "RuntimeWarning"),
        ("raise SystemExit(3)", 8, "SystemExit: 3"),
        ("def f():\n    import json\n    json.loads('{')\nf()", 10, "JSONDecodeError"),
    ],
)
def test_errors_say_where_and_leave_the_page(page, capsys, source, line, message):
    path = page(code("print(1)"), "Words.", code(source), code(DRAWING))
    before = path.read_text()
    assert build.main([str(path)]) == 1
    said = capsys.readouterr().err
    assert f"page.md, block 2, line {line}: {message}" in said
    assert path.read_text() == before
    assert [one.name for one in path.parent.iterdir()] == ["page.md"]


def test_an_open_fence_is_an_error(page, capsys):
    assert build.main([str(page("Words.", "```python\nprint(1)"))]) == 1
    assert "page.md, line 3: this fence is not closed" in capsys.readouterr().err


def test_a_page_that_is_not_there_is_an_error(tmp_path, capsys):
    assert build.main([str(tmp_path / "none.md")]) == 1
    assert "none.md" in capsys.readouterr().err


def test_pages_leave_nothing_lying_about(page):
    path = page(code("open('made.txt', 'w').close()\nimport matplotlib\nmatplotlib.rcParams['lines.linewidth'] = 9"))
    assert build.main([str(path)]) == 0
    assert [one.name for one in path.parent.iterdir()] == ["page.md"]
    assert build.matplotlib.rcParams["lines.linewidth"] != 9
    assert not Path("made.txt").exists()


def test_a_page_sees_nothing_of_another(page, tmp_path):
    first, second = page(code("x = 1\nprint('x' in globals())")), tmp_path / "second.md"
    second.write_text(code("print('x' in globals())") + "\n")
    assert build.main([str(first), str(second)]) == 0
    assert text("True") in first.read_text() and text("False") in second.read_text()
