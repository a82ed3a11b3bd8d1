"""Every Display and every figure of a worked example, at its own size: no word over another, none outside the page."""

import importlib.util
import re
from pathlib import Path

import matplotlib

matplotlib.use("agg")

import pytest
from matplotlib import pyplot

import likely.examples as worked
from likely import figures
from readable import complaints

DOCS = Path(__file__).parents[2] / "docs"
spec = importlib.util.spec_from_file_location("make_gallery", DOCS / "make_gallery.py")
make_gallery = importlib.util.module_from_spec(spec)
spec.loader.exec_module(make_gallery)
PICTURES = make_gallery.displays()
DRAWN = [identifier for identifier in worked.registered() if worked.find(identifier).figure]


@pytest.fixture(autouse=True)
def close_figures():
    yield
    pyplot.close("all")


@pytest.mark.sample(5)
@pytest.mark.parametrize("name", PICTURES)
def test_a_display_can_be_read(name):
    assert complaints(PICTURES[name]().figure_) == []


@pytest.mark.sample(5)
@pytest.mark.parametrize("identifier", DRAWN)
def test_the_figure_of_an_example_can_be_read(identifier):
    assert complaints(make_gallery.example_figure(identifier)) == []


def test_every_display_is_in_the_gallery():
    shown = {re.match(r"\w+", name).group() for name in PICTURES}
    assert shown == {name for name in figures.__all__ if name.endswith("Display")}
    page = (DOCS / "gallery.md").read_text()
    for name in [*PICTURES, *DRAWN]:
        assert f"![{name}](gallery/" in page, f"run `make gallery`: {name} is not in docs/gallery.md"


def test_what_draws_a_figure_of_the_catalogue_exists():
    page = (DOCS / "gallery.md").read_text()
    for name, (shows, how) in make_gallery.FIGURES.items():
        assert f"| {name} | {shows} | `{how}` |" in page
        display = None
        for part in re.findall(r"(\w+Display)?\.(from_\w+)", how):
            display = getattr(figures, part[0]) if part[0] else display
            assert callable(getattr(display, part[1])), (name, part)


def test_words_that_cannot_be_read_are_complained_of():
    figure, ax = pyplot.subplots()
    ax.text(0.5, 0.5, "one word")
    ax.text(0.51, 0.5, "another")
    ax.text(1.1, 0.9, "much of this is outside")
    ax.plot([0, 1], [0, 1], label="rising")
    ax.legend(loc="upper right")
    found = complaints(figure)
    assert any("one word" in text and "overlaps" in text for text in found)
    assert any("is outside" in text and "leaves" in text for text in found)
    assert any("covers what is drawn" in text for text in found)
