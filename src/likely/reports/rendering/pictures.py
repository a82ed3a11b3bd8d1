"""Displays as SVG inside a page: in the page's own font and colours, light or dark, without a network or scripts.

Where the time of a study is limited, a picture is drawn if one that takes as long as the longest so far would be done
in time; the others are left out and named.
"""

import re
import warnings
from collections.abc import Callable
from io import StringIO
from typing import Any

from likely.data.printing.wording import counted
from likely.figures.drawing.canvas import INK, MUTED
from likely.reports.choosing.clock import Clock
from likely.reports.rendering.document import Picture
from likely.reports.rendering.formats.markup import Html, tag

_NARROW = 4.5  # inches: what is wider is scrolled on a telephone rather than shrunk
_LEAST = 8.5  # points of the smallest letters, which a telephone of 390 pixels shows about a fifth larger


class Easel:
    """Draws the pictures of a page while there is time."""

    def __init__(self, clock: Clock | None = None) -> None:
        self.clock = clock or Clock(None)
        self.left_out = 0
        self._longest = 0.0  # seconds of a picture so far

    def allows(self) -> bool:
        """Whether there is time for another picture; one that is not drawn is counted."""
        allowed = self.clock.allows(self._longest, last=True)
        self.left_out += not allowed
        return allowed

    def draw(self, shown: Picture) -> Html:
        """One picture, or why it could not be drawn."""
        begin = self.clock.elapsed
        try:
            return picture(shown.draw, shown.caption + shown.signs, shown.width, shown.height)
        except Exception as wrong:  # of whatever kind: a picture is not worth the work of a whole study
            return tag("p", f"Not drawn ({shown.caption}): {wrong}", class_="small")
        finally:
            self._longest = max(self._longest, self.clock.elapsed - begin)

    @property
    def words(self) -> str:
        """How many pictures were left out, and why; empty: none."""
        if not self.left_out:
            return ""
        many = f"{counted(self.left_out, 'picture')} {'were' if self.left_out > 1 else 'was'}"
        return (
            f"{many} left out, for the time limit of {self.clock.limit:g} s was reached; what each shows is said there."
        )


def picture(draw: Callable[[Any], object], caption: str, width: float = 4.2, height: float = 3.3) -> Html:
    """A figure with a caption; `draw` is given the axes. The same drawing gives the same bytes."""
    from matplotlib import rc_context

    with rc_context({"svg.fonttype": "none", "svg.hashsalt": caption}), warnings.catch_warnings():
        warnings.filterwarnings("ignore", "Creating legend with loc")  # said when a machine is busy
        warnings.filterwarnings("ignore", "Glyph .* missing from font")  # letters stay text, and the page has its fonts
        figure = drawn(draw, width, height)
        text = StringIO()
        figure.savefig(text, format="svg", transparent=True, metadata={"Date": None, "Creator": None})
    content = Html(_restyled(text.getvalue(), caption)), tag("figcaption", caption)
    wide = {"class_": "wide"} if width > _NARROW else {}
    return tag("figure", *content, style=f"max-width: {1.25 * width:.1f}in; --least: {0.9 * width:.1f}in", **wide)


def drawn(draw: Callable[[Any], object], width: float = 4.2, height: float = 3.3) -> Any:
    """A figure of a report as it is drawn, before it is part of a page; what needs more height has it."""
    from matplotlib import rc_context
    from matplotlib.figure import Figure

    with rc_context({"font.size": 10.0}):
        figure = Figure(figsize=(width, height), layout="constrained")
        draw(figure.subplots())
        if width <= _NARROW:
            _enlarge(figure)
    return figure


def _enlarge(figure: Any) -> None:
    """Letters too small for a telephone are made larger."""
    from matplotlib.text import Text

    for words in figure.findobj(Text):
        if words.get_fontsize() < _LEAST:
            words.set_fontsize(_LEAST)


def _restyled(svg: str, caption: str) -> str:
    svg = svg[svg.index("<svg") :]
    svg = re.sub(r"<metadata>.*?</metadata>", "", svg, flags=re.DOTALL)
    svg = re.sub(r'(<svg[^>]*?) width="[^"]*"', r"\1", svg, count=1, flags=re.DOTALL)
    svg = re.sub(r'(<svg[^>]*?) height="[^"]*"', r"\1", svg, count=1, flags=re.DOTALL)
    svg = svg.replace("<svg ", '<svg fill="currentColor" ', 1)  # black is not said: a shape without a colour is black
    svg = re.sub(r'style="[^"]*"', lambda found: _recoloured(found[0]), svg)  # not in names, which may be colours too
    svg = svg.replace("<svg ", f'<svg role="img" aria-label="{tag("x", caption)[3:-4].replace(chr(34), "&quot;")}" ', 1)
    svg = re.sub(r"font: (\d[\d.]*)px [^;\"]*", r"font-size: \1px", svg)
    return re.sub(r'(<path[^>]*style="fill: )#ffffff', r"\1var(--paper)", svg)  # the ground of a legend


def _recoloured(style: str) -> str:
    """A style in the colours of the page, light or dark."""
    style = style.replace("stroke: #ffffff", "stroke: var(--paper)")  # the edge around letters
    for colour, name in ((INK, "currentColor"), (MUTED, "var(--muted)"), ("#000000", "currentColor")):
        style = style.replace(colour, name)
    return style
