"""The evidence of a row, in bits: bars to the right speak for the class, bars to the left against it.

The prior and the features add up to the log2 odds, which the title names.
"""

from dataclasses import dataclass
from textwrap import fill
from typing import Any, Self

import numpy as np

from likely.data.accepted import TableLike
from likely.errors import InputError
from likely.figures.drawing.canvas import INK, MUTED, Axes, canvas, colour, plain_names
from likely.models.traits.protocols import FittedClassifier

_LETTERS = 30  # of a line, so that names leave room for the bars and stay within it
_LABEL = 0.2  # of the bars' span, for a number at their end


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
        said = fill(f"bits for {self.of} against {self.against}", _LETTERS)
        said += "\n(each is approximate)" if self.approximate else ""
        title = fill(f"{self.of}: {self.log2_odds:+.1f} bits in all", _LETTERS)
        lines = len(names) * max(name.count("\n") + 1 for name in names)
        around = 0.2 * (said.count("\n") + title.count("\n"))
        self.figure_, self.ax_ = canvas(ax, height=max(1.6, 0.32 * lines + 1.0 + around))
        at = np.arange(len(self.names))[::-1]
        bits = np.clip(self.bits, -1e4, 1e4)  # what is impossible has infinitely many
        self.ax_.barh(at, bits, color=[colour(0) if b > 0 else colour(1) for b in bits], height=0.7)
        self.ax_.axvline(0, color=MUTED, lw=1)
        self.ax_.set_yticks(at, names, parse_math=False)
        for y, b in zip(at, bits, strict=True):
            self.ax_.annotate(
                f"{b:+.1f}" if abs(b) >= 0.05 else "0", (b, y), (3 if b >= 0 else -3, 0), textcoords="offset points",
                ha="left" if b >= 0 else "right", va="center", fontsize=8, color=INK,
            )  # fmt: skip
        low, high = min(float(bits.min()), 0.0), max(float(bits.max()), 0.0)
        room = _LABEL * max(high - low, 0.1)  # for the number beside a bar; on the left it would meet the names
        self.ax_.set_xlim(low - (room if low < 0 else 0.2 * room), high + room)
        self.ax_.set_xlabel(said)
        self.ax_.set_title(title, fontsize=10, color=INK)
        return self

    def frame(self) -> Any:
        """The bars as a Polars frame."""
        import polars as pl

        return pl.DataFrame({"feature": self.names, "bits": self.bits})
