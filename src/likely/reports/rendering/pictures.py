"""Displays as SVG inside a page: in the page's own font and colours, light or dark, without a network or scripts."""

import re
import warnings
from collections.abc import Callable
from io import StringIO
from typing import Any

from likely.figures.drawing.canvas import INK, MUTED
from likely.reports.rendering.markup import Html, tag

_NARROW = 5.3  # inches: what is wider is scrolled on a telephone rather than shrunk


def picture(draw: Callable[[Any], object], caption: str, width: float = 5.2, height: float = 3.9) -> Html:
    """A figure with a caption; `draw` is given the axes. The same drawing gives the same bytes."""
    from matplotlib import rc_context
    from matplotlib.figure import Figure

    with rc_context({"svg.fonttype": "none", "svg.hashsalt": caption, "font.size": 10.0}), warnings.catch_warnings():
        warnings.filterwarnings("ignore", "Creating legend with loc")  # said when a machine is busy
        warnings.filterwarnings("ignore", "Glyph .* missing from font")  # letters stay text, and the page has its fonts
        figure = Figure(figsize=(width, height), layout="constrained")
        draw(figure.subplots())
        text = StringIO()
        figure.savefig(text, format="svg", transparent=True, metadata={"Date": None, "Creator": None})
    content = Html(_restyled(text.getvalue(), caption)), tag("figcaption", caption)
    wide = {"class_": "wide"} if width > _NARROW else {}
    return tag("figure", *content, style=f"max-width: {1.15 * width:.1f}in; --least: {0.9 * width:.1f}in", **wide)


def _restyled(svg: str, caption: str) -> str:
    svg = svg[svg.index("<svg") :]
    svg = re.sub(r"<metadata>.*?</metadata>", "", svg, flags=re.DOTALL)
    svg = re.sub(r'(<svg[^>]*?) width="[^"]*"', r"\1", svg, count=1, flags=re.DOTALL)
    svg = re.sub(r'(<svg[^>]*?) height="[^"]*"', r"\1", svg, count=1, flags=re.DOTALL)
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
