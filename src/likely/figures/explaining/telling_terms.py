"""The words that tell a class from the others: how many times as frequent each is there, with its interval.

Words to the right of the line at 1 speak for the class. They are in the order of the lower ends of their intervals, so
a rare word that happened to occur once in the class does not come first.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Self

import numpy as np

from likely.data.printing.wording import shortened
from likely.errors import InputError
from likely.figures.drawing.canvas import MUTED, Axes, canvas, colour, plain_names
from likely.models.any_classifier.inside import unwrap

_LONGEST = 30  # letters of a word beside the axis

_BEYOND = 5.0  # bits beyond the highest ratio where the axis ends


@dataclass
class TellingTermsDisplay:
    """The most telling words of a class.

    >>> import matplotlib; matplotlib.use("agg")
    >>> from likely import TextBayes
    >>> mails = ["free money now", "free prize, claim now", "lunch at noon?", "minutes of the meeting at noon"]
    >>> model = TextBayes().fit(mails, ["spam", "spam", "ham", "ham"])
    >>> TellingTermsDisplay.from_estimator(model, "spam", n=2).frame()["word"].to_list()
    ['free', 'now']
    """

    terms: Sequence[Any]  # TellingTerm, the surest first
    of: str  # the class
    confidence: float = 0.95

    @classmethod
    def from_estimator(
        cls,
        estimator: Any,
        class_: Any,
        *,
        n: int = 12,
        confidence: float = 0.95,
        column: str | None = None,
        ax: Axes | None = None,
    ) -> Self:
        """Draw the words of a model of texts, or of one text column of a model of tables."""
        estimator = unwrap(estimator)
        if not hasattr(estimator, "top_terms"):
            raise InputError(f"{type(estimator).__name__} has no telling words: only models of texts do")
        options = {} if column is None else {"column": column}
        return cls(estimator.top_terms(class_, n, confidence, **options), str(class_), confidence).plot(ax)

    @plain_names
    def plot(self, ax: Axes | None = None) -> Self:
        """Draw on axes, new ones if none are given."""
        from matplotlib.ticker import FuncFormatter, LogLocator

        self.figure_, self.ax_ = canvas(ax, height=max(1.8, 0.28 * len(self.terms) + 1.0))
        at = np.arange(len(self.terms))[::-1]
        bits, low, high = (
            np.array([np.clip(getattr(term, name), -60, 60) for term in self.terms]) for name in ("bits", "low", "high")
        )
        self.ax_.errorbar(
            2.0**bits, at, xerr=[2.0**bits - 2.0**low, 2.0**high - 2.0**bits], fmt="o", ms=4, color=colour(0), lw=1.4
        )
        self.ax_.axvline(1, color=MUTED, lw=1)
        self.ax_.set_xscale("log", base=2)
        farther = np.zeros(len(at), dtype=bool)
        if len(at) and high.max() > bits.max() + _BEYOND:  # a word that does not occur elsewhere has no end to speak of
            end = 2.0 ** (bits.max() + _BEYOND)
            self.ax_.set_xlim(right=end)
            farther = high > bits.max() + _BEYOND
            arrow = {"marker": ">", "markersize": 5, "color": colour(0), "linestyle": "none", "clip_on": False}
            self.ax_.plot(np.full(int(farther.sum()), end), at[farther], gid="farther", **arrow)
        self.ax_.xaxis.set_major_locator(LogLocator(base=2, numticks=6))
        self.ax_.xaxis.set_major_formatter(FuncFormatter(lambda x, _: f"{x:,.0f}" if x >= 1 else f"{x:.3g}"))
        self.ax_.set_yticks(at, [shortened(term.word, _LONGEST) for term in self.terms], parse_math=False)
        if not len(at):
            self.ax_.text(0.5, 0.5, "no word is more frequent here", transform=self.ax_.transAxes, ha="center")
        of, intervals = shortened(self.of, _LONGEST), f"{100 * self.confidence:.6g} % intervals"
        intervals += "; arrow: goes on" if farther.any() else ""
        self.ax_.set_xlabel(f"times as frequent in {of} as elsewhere\n({intervals})")
        return self

    def frame(self) -> Any:
        """The words as a Polars frame, ratios in bits."""
        import polars as pl

        fields = ("word", "bits", "low", "high", "count", "elsewhere")
        return pl.DataFrame({name: [getattr(term, name) for term in self.terms] for name in fields})
