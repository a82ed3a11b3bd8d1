"""Every Display and every figure of a worked example, at its own size: no word over another, none outside the page."""

import importlib.util
import re
from itertools import pairwise
from pathlib import Path

import matplotlib

matplotlib.use("agg")

import numpy as np
import polars as pl
import pytest
from matplotlib import pyplot
from matplotlib.backends.backend_agg import FigureCanvasAgg

import likely.examples as worked
from likely import DecisionTree, NaiveBayes, TextBayes, figures
from likely.evaluation import evaluate
from likely.figures.drawing.canvas import COLOURS, INK, MUTED, ink_on, luminance
from likely.intervals.proportions import proportion_interval
from likely.models.traits.evidence import Evidence
from likely.reports.rendering.first_screen.first_figures import Bar
from likely.reports.rendering.first_screen.tiles import _draw as draw_answer
from likely.reports.rendering.model_sections import _draw_matrix
from likely.reports.rendering.pictures import drawn
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


def ranked(classes, long, n=520):
    """Classes of rows and posteriors that are often right."""
    rng, place = np.random.default_rng(0), np.arange(n) % classes
    score = rng.normal(size=(n, classes)) + 2.5 * np.eye(classes)[place]
    p = np.exp(score) / np.exp(score).sum(axis=1, keepdims=True)
    names = [f"a class whose name is rather long, number {i}" if long else f"kind {i}" for i in range(classes)]
    return np.array(names)[place], p, names


CELLS = {
    "numbers": lambda rng, place: rng.normal(size=len(place)) + 0.3 * place,
    "levels and gaps": lambda rng, place: np.array(["mm", "a level with a name", "abc", "d", None])[
        rng.integers(0, 5, len(place))
    ],
    "many levels": lambda rng, place: np.array([f"level {i} of all" for i in range(14)])[
        rng.integers(0, 14, len(place))
    ],
    "few whole numbers": lambda rng, place: rng.choice([0.0, 2, 4, 5, 6, 8], len(place)),
    "numbers and gaps": lambda rng, place: np.where(rng.random(len(place)) < 0.3, np.nan, rng.normal(size=len(place))),
}


@pytest.mark.parametrize("long", [False, True], ids=["short names", "long names"])
@pytest.mark.parametrize("classes", [2, 3, 7, 11, 26])
@pytest.mark.sample(3)
def test_figures_of_many_classes_can_be_read_in_a_report(classes, long):
    """At the size of a report, which gives axes to draw on: a display cannot choose how wide its figure is."""
    y, p, names = ranked(classes, long)
    place = np.arange(len(y)) % classes
    options = {"classes": names} | ({"pos_label": names[0]} if classes == 2 else {})
    judged = evaluate([names[k] for k in p.argmax(axis=1)], y=y)
    side = min(9.0, max(4.4, 2.8 + 0.55 * classes))
    pictures = {
        "ROC": drawn(lambda ax: figures.RocDisplay.from_predictions(y, p, ax=ax, **options)),
        "precision": drawn(lambda ax: figures.PrecisionRecallDisplay.from_predictions(y, p, ax=ax, **options)),
        "reliability": drawn(lambda ax: figures.ReliabilityDisplay.from_predictions(y, p, n_bins=15, ax=ax, **options)),
        "confusion": drawn(lambda ax: _draw_matrix(judged, ax), side, 0.85 * side),
    }
    for cells, values in CELLS.items():
        column = pl.Series(values(np.random.default_rng(1), place), nan_to_null=True, strict=False)
        for families in (None, ()):
            pictures[f"{cells}, {families}"] = drawn(
                lambda ax, column=column, families=families: figures.ClassDensitiesDisplay.from_values(
                    column, y, families=families, name="a column whose name is a long one, too", ax=ax
                )
            )
    wrong = {name: found for name, figure in pictures.items() if (found := complaints(on_canvas(figure)))}
    assert wrong == {}
    small = {name: min(ax.get_window_extent().size) / f.dpi for name, f in pictures.items() for ax in f.axes[:1]}
    assert min(small.values()) > 1.2, small


def on_canvas(figure):
    FigureCanvasAgg(figure)
    return figure


def test_names_of_several_lines_stay_apart_in_bars_of_evidence():
    names = (
        "adoption-of-the-budget-resolution",
        "water-project-cost-sharing-of-the-states",
        "x",
        "crime-and-punishment-act",
    )
    told = Evidence(np.array(["democrat"]), None, names, np.array([-30.7]), np.array([[30.0, -2.0, 0.4, 0.0]]))
    figure = on_canvas(drawn(lambda ax: figures.EvidenceDisplay.from_evidence(told, ax=ax), height=2.0))
    assert complaints(figure) == []
    boxes = [label.get_window_extent() for label in figure.axes[0].get_yticklabels()]
    gaps = [above.y0 - below.y1 for above, below in pairwise(boxes)]
    assert min(gaps) > 2  # pixels


def test_an_interval_that_goes_on_beyond_the_axis_says_so():
    mails = ["free prize"] * 40 + ["lunch at noon"] * 40 + ["free lunch"]
    model = TextBayes().fit(mails, ["spam"] * 40 + ["ham"] * 41)
    display = figures.TellingTermsDisplay.from_estimator(model, "spam")
    end = display.ax_.get_xlim()[1]
    arrows = next(line for line in display.ax_.lines if line.get_gid() == "farther")
    cut = [term.word for term in display.terms if 2.0**term.high > end]
    assert len(arrows.get_xdata()) == len(cut) > 0 and "arrow: goes on" in display.ax_.get_xlabel()


def test_letters_stand_out_from_what_is_behind_them():
    def ratio(one, other):
        light, dark = sorted((luminance(one), luminance(other)), reverse=True)
        return (light + 0.05) / (dark + 0.05)

    assert min(ratio(shade, ink_on(shade)) for shade in (*COLOURS, MUTED, "#808080", "#777777")) >= 4.5
    display = figures.ConfusionDisplay.from_predictions(list("aaaaabbbbbccccc"), list("aaaabbbbaabcccc"))
    image = display.ax_.images[0]
    for (i, j), text in np.ndenumerate(display.text_):
        cell = image.cmap(image.norm(image.get_array()[i, j]))
        assert ratio(cell, text.get_color()) >= 4.5


def test_figures_of_the_answer_stand_beside_their_bars():
    bars = [
        Bar(role, proportion_interval(hits, 100), role) for role, hits in (("guess", 5), ("kept", 60), ("rival", 100))
    ]
    for cost in (False, True):
        figure = on_canvas(drawn(lambda ax, cost=cost: draw_answer(ax, bars, cost), 4.4, 2.3))
        assert complaints(figure) == []
        (ax,) = figure.axes
        for text in ax.texts:
            assert text.get_color() == INK
            assert not any(patch.get_window_extent().overlaps(text.get_window_extent()) for patch in ax.patches)


def test_missing_cells_have_a_bar_and_whole_numbers_one_for_each_value():
    column = ["a", "b", None, None] * 10
    display = figures.ClassDensitiesDisplay.from_values(column, ["x", "x", "x", "y"] * 10, families=None)
    assert [label.get_text() for label in display.ax_.get_xticklabels()] == ["a", "b", "missing"]
    assert display.missing.tolist() == pytest.approx([1 / 3, 1.0])
    heights = [[patch.get_height() for patch in bars] for bars in display.ax_.containers]
    assert heights[0] == pytest.approx([0.5, 0.5, 1 / 3]) and heights[1][-1] == 1.0
    legs = figures.ClassDensitiesDisplay.from_values([0, 2, 4, 6, 8] * 14, list("abcdefg") * 10, families=None)
    assert len(legs.ax_.containers) == 7  # a strip for each class
    centres = [[round(p.get_x() + p.get_width() / 2, 6) for p in bars] for bars in legs.ax_.containers]
    assert all(places == [0, 1, 2, 3, 4] for places in centres)
    assert [label.get_text() for label in legs.ax_.get_yticklabels()] == list("abcdefg")


def test_every_display_is_in_the_gallery():
    shown = {re.match(r"\w+", name).group() for name in PICTURES}
    assert shown == {name for name in figures.__all__ if name.endswith("Display")}
    page = (DOCS / "gallery.md").read_text()
    for name in [*PICTURES, *DRAWN]:
        assert f"![{name}](gallery/" in page, f"run `make gallery`: {name} is not in docs/gallery.md"


def test_what_draws_a_picture_of_the_gallery_exists():
    page = (DOCS / "gallery.md").read_text()
    assert "FIG-" not in page, "a reader knows pictures by what they show"
    for shows, how in make_gallery.FIGURES:
        assert f"| {shows} | `{how}` |" in page
        display = None
        for part in re.findall(r"(\w+Display)?\.(from_\w+)", how):
            display = getattr(figures, part[0]) if part[0] else display
            assert callable(getattr(display, part[1])), (shows, part)


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
