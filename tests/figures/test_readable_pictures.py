"""Every Display and every figure of a worked example, at its own size: no word over another, none outside the page."""

import importlib.util
import re
from pathlib import Path

import matplotlib

matplotlib.use("agg")

import numpy as np
import polars as pl
import pytest
from matplotlib import pyplot

import likely.examples as worked
from likely import DecisionTree, NaiveBayes, TextBayes, figures
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


LONG = [f"a class whose name is rather long, number {i}" for i in range(14)]


def long_names(classes):
    """Rows of columns and classes with long names."""
    rng = np.random.default_rng(0)
    place = rng.integers(0, classes, 300)
    names = ("an amount in millimetres, measured twice by two people", "another amount with a name as long")
    return {name: rng.normal(size=300) + sign * place for name, sign in zip(names, (1, -1), strict=True)}, place


@pytest.mark.parametrize("classes", [2, 14])
def test_long_names_and_many_classes_can_be_read(classes):
    table, place = long_names(classes)
    X, y = pl.DataFrame(table), np.array(LONG)[place]
    model = NaiveBayes().fit(X, y)
    assert complaints(figures.EvidenceDisplay.from_estimator(model, X).figure_) == []
    assert complaints(figures.DecisionRegionsDisplay.from_estimator(model, X, y).figure_) == []
    tree = DecisionTree(max_depth=2).fit(X, y)
    assert complaints(figures.ImportanceDisplay.from_estimator(tree, X, y).figure_) == []
    words = TextBayes().fit([f"word{at} of many" for at in place], y)
    assert complaints(figures.TellingTermsDisplay.from_estimator(words, LONG[1]).figure_) == []


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
