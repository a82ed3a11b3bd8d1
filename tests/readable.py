"""Whether a picture can be read: no word over another, none outside the page, no legend over what is drawn.

Judged by what is drawn, not by what exists: every text that comes to be drawn is kept with its place on the page, as a
rectangle that may be turned. A legend covers what it lies over if a curve, mark, bar or shade reaches into its box.
"""

from dataclasses import dataclass
from itertools import combinations
from unittest.mock import patch

import numpy as np
from matplotlib.text import Text

from likely.figures.drawing.legends import covered

SLACK = 1.0  # pixels by which boxes may touch: they are a little larger than the letters


@dataclass(frozen=True)
class Word:
    """A text as drawn: its words, and its rectangle on the page."""

    text: str
    corners: np.ndarray  # (4, 2)


def words(figure):
    """Every text that a drawing of the figure draws."""
    found = []
    draw = Text.draw

    def record(self, renderer):
        if self.get_visible() and self.get_text().strip():
            found.append(Word(self.get_text(), _corners(self, renderer)))
        draw(self, renderer)

    with patch.object(Text, "draw", record):
        figure.canvas.draw()
    return found


def complaints(figure):
    """What is wrong with a figure at its size: words over words, words outside, legends over content."""
    drawn = words(figure)
    page = figure.bbox
    wrong = [
        f"{word.text!r} leaves the figure"
        for word in drawn
        if (word.corners < np.array([page.x0, page.y0]) - SLACK).any()
        or (word.corners > np.array([page.x1, page.y1]) + SLACK).any()
    ]
    wrong += [f"{a.text!r} overlaps {b.text!r}" for a, b in combinations(drawn, 2) if _overlap(a.corners, b.corners)]
    for ax in figure.axes:
        box = ax.get_window_extent()
        wrong += [f"{text.get_text()!r} crosses the axis" for text in ax.texts if _crosses(text, ax)]
        if ax.get_label() != "<colorbar>" and min(box.width, box.height) < 0.9 * figure.dpi:
            wrong.append(f"axes of {box.width / figure.dpi:.2f} x {box.height / figure.dpi:.2f} inches")
        legend = ax.get_legend()
        if legend is not None and covered(ax, legend.get_window_extent().padded(-2)):
            wrong.append(f"the legend {[text.get_text() for text in legend.get_texts()][:2]} covers what is drawn")
    return wrong


def _crosses(text, ax):
    """Whether a text lies across the axis at the left."""
    if not (ax.axison and ax.spines["left"].get_visible() and text.get_visible() and text.get_text().strip()):
        return False
    box, axes = text.get_window_extent(), ax.get_window_extent()
    across = box.x0 < axes.x0 - SLACK and box.x1 > axes.x0 + SLACK
    return across and box.y1 > axes.y0 and box.y0 < axes.y1


def _corners(text, renderer):
    """The rectangle of a text: that of the level text, turned about the middle of the box around the turned one."""
    around = Text.get_window_extent(text, renderer)
    angle = text.get_rotation()
    middle = np.array([around.x0 + around.width / 2, around.y0 + around.height / 2])
    if angle % 180:
        text.set_rotation(0)
        level = Text.get_window_extent(text, renderer)
        text.set_rotation(angle)
    else:
        level = around
    half = np.array([[-1, -1], [1, -1], [1, 1], [-1, 1]]) * [level.width / 2, level.height / 2]
    turn = np.radians(angle)
    return middle + half @ np.array([[np.cos(turn), np.sin(turn)], [-np.sin(turn), np.cos(turn)]])


def _overlap(one, other):
    """Whether two rectangles share more than an edge: no direction of their sides parts them."""
    for corners in (one, other):
        for side in (corners[1] - corners[0], corners[2] - corners[1]):
            length = np.hypot(*side)
            if length == 0:
                return False
            a, b = one @ side / length, other @ side / length
            if a.max() - SLACK <= b.min() or b.max() - SLACK <= a.min():
                return False
    return True
