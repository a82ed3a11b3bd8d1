"""The evidence of a row, in bits: bars to the right speak for the class, bars to the left against it.

The prior and the features add up to the log2 odds, which the title names.
"""

from dataclasses import dataclass
from textwrap import fill
from typing import Any, Self

import numpy as np

from likely.data.accepted import TableLike
from likely.errors import InputError
from likely.figures.drawing.canvas import INK, MUTED, Axes, at_least, canvas, colour, plain_names
from likely.figures.drawing.labels import axes_inches, label_across, letters_within
from likely.models.traits.protocols import FittedClassifier

_LETTERS = 30  # of a line, so that names leave room for the bars and stay within it
_BAR = 0.26  # inches of a bar and the gap to the next
_LINE, _BETWEEN = 0.62, 0.15  # of that: a line of a name, and what parts it from its neighbours
_DIGIT, _TEXT = 0.066, 0.2  # inches: across a digit, and down a line of the label or the title
_TITLE, _BROAD = 10.0, 1.1  # points; a title may be broader than the axes, in the middle of which it stands


@dataclass
class EvidenceDisplay:
    """What each feature of one row says for a class.

    >>> import matplotlib; matplotlib.use("agg")
    >>> from likely import NaiveBayes
    >>> model = NaiveBayes().fit([[1.0, 5.0], [2.0, 5.5], [3.0, 1.0], [4.0, 1.5]], list("aabb"))
    >>> EvidenceDisplay.from_estimator(model, [[1.5, 5.2]]).frame()["feature"].to_list()
    ['x1', 'x0', '(prior)']
    """

    names: tuple[str, ...]  # strongest first, the prior last
    bits: tuple[float, ...]  # of each name, for the class
    log2_odds: float  # the sum of all: log2 of the posterior odds
    of: str  # the class spoken for
    against: str  # the class or classes spoken against
    left_out: int = 0  # features too weak to be shown, summed in one bar
    approximate: bool = False  # what each says, because the calibration is no slope and offset; the sum is exact

    @classmethod
    def from_estimator(
        cls,
        estimator: FittedClassifier,
        X: TableLike,
        *,
        row: int = 0,
        ax: Axes | None = None,
        top: int = 10,
        **of: Any,
    ) -> Self:
        """Draw the evidence of one row of X under a model that weighs its columns; `of` as in its `evidence`."""
        if not hasattr(estimator, "evidence"):
            raise InputError(f"{type(estimator).__name__} gives no evidence: it does not weigh its columns one by one")
        return cls.from_evidence(estimator.evidence(X, **of), row=row, ax=ax, top=top)

    @classmethod
    def from_evidence(cls, evidence: Any, *, row: int = 0, ax: Axes | None = None, top: int = 10) -> Self:
        """Draw one row of an `Evidence`."""
        bits = evidence.bits[row]
        order = np.argsort(-np.abs(bits), kind="stable")
        shown, rest = order[:top], order[top:]
        names = [evidence.names[j] for j in shown] + [f"({len(rest)} more)"] * bool(len(rest)) + ["(prior)"]
        values = [float(bits[j]) for j in shown] + [float(bits[rest].sum())] * bool(len(rest))
        against = "the rest" if evidence.against is None else str(evidence.against[row])
        return cls(
            tuple(names),
            (*values, float(evidence.prior[row])),
            float(evidence.log2_odds[row]),
            str(evidence.classes[row]),
            against,
            len(rest),
            evidence.approximate is not None and bool(evidence.approximate[row]),
        ).plot(ax)

    @plain_names
    def plot(self, ax: Axes | None = None) -> Self:
        """Draw on axes, new ones if none are given."""
        names = [fill(name, _LETTERS) for name in self.names]
        high = np.array([max(1.0, _LINE * (name.count("\n") + 1) + _BETWEEN) for name in names])  # of each, in bars
        at = high.sum() - np.cumsum(high) + high / 2
        self.figure_, self.ax_ = canvas(ax, height=max(1.6, _BAR * float(high.sum()) + 1.0))
        bits = np.clip(self.bits, -1e4, 1e4)  # what is impossible has infinitely many
        self.ax_.barh(at, bits, color=[colour(0) if b > 0 else colour(1) for b in bits], height=0.7)
        self.ax_.axvline(0, color=MUTED, lw=1)
        self.ax_.set_yticks(at, names, parse_math=False)
        self.ax_.set_ylim(-0.2, float(high.sum()) + 0.2)
        digits = 1 if np.abs(bits).max() >= 1.0 else 2  # where all are small, a bar that is seen is not called 0
        for y, b in zip(at, bits, strict=True):
            self.ax_.annotate(
                bits_text(b, digits), (b, y), (3 if b >= 0 else -3, 0), textcoords="offset points",
                ha="left" if b >= 0 else "right", va="center", fontsize=8, color=INK,
            )  # fmt: skip
        low, top = min(float(bits.min()), 0.0), max(float(bits.max()), 0.0)
        wide = axes_inches(self.ax_)
        beside = [
            _DIGIT * (len(text) + 0.7) for text in (bits_text(low, digits), bits_text(top, digits))
        ]  # inches: numbers beside bars
        room = [inches if end else 0.1 for inches, end in zip(beside, (low, top), strict=True)]
        unit = max(top - low, 0.1) / max(wide - sum(room), 0.5)  # bits in an inch
        self.ax_.set_xlim(low - room[0] * unit, top + room[1] * unit)
        said = f"bits for {self.of} against {self.against}"
        label_across(self.ax_, said, *(["(each is approximate)"] * self.approximate))
        title = fill(f"{self.of}: {self.log2_odds:+.1f} bits in all", max(12, letters_within(_BROAD * wide, _TITLE)))
        self.ax_.set_title(title, fontsize=_TITLE, color=INK)
        lines = self.ax_.get_xlabel().count("\n") + title.count("\n")
        at_least(self.ax_, max(1.6, _BAR * float(high.sum()) + 1.0 + _TEXT * lines))
        return self

    def frame(self) -> Any:
        """The bars as a Polars frame."""
        import polars as pl

        return pl.DataFrame({"feature": self.names, "bits": self.bits})


def bits_text(bits: float, digits: int = 1) -> str:
    """Bits beside a bar: of those that so few digits would call 0, two digits, as long as they are not 0 then, too.

    >>> bits_text(2.34), bits_text(-0.0458), bits_text(0.004)
    ('+2.3', '-0.05', '0')
    """
    places = next((some for some in (digits, 2) if abs(bits) >= 0.5 * 10.0**-some), None)
    return "0" if places is None else f"{bits:+.{places}f}"
