"""What is decided about each row: the answer, its expected cost, its margin, and whether it is left open."""

from collections.abc import Hashable
from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np

from likely.data.printing.html_table import as_html
from likely.data.printing.text_table import aligned
from likely.data.printing.wording import counted, shortened
from likely.decisions.costs import CostMatrix
from likely.numeric.arrays import Array, Floats, Ints

DECIDED = ("decision", "rejected", "best", "expected_cost", "margin", "error")  # columns of its frame
_HEAD = ["answer", "P(wrong)", "expected cost", "margin"]


@dataclass(frozen=True)
class Decision:
    """Decisions with their conditional risk: what to say about each row, at what expected cost, and by what margin.

    The margin is how far the next best answer is behind, in the unit of the rule: expected cost for "risk",
    probability for "error", nats for "likelihood" and "map", bits for "bits"; infinite with a single class.
    """

    classes: Array  # (k,)
    code: Ints  # (n,)  place of the best class, also where the row is rejected
    expected_cost: Floats  # (n,)  of what is done; a rejected row costs `reject`, or 0 when no cost was given
    margin: Floats  # (n,)  how far the next best answer is behind
    error: Floats  # (n,)  probability that the best class is wrong
    rejected: Array  # (n,)  True: better not answered
    like: Any = field(default=None, repr=False, compare=False)  # the user's table without columns (`bare_table`)
    costs: CostMatrix | None = None  # by which it was taken; None: nobody said
    reject: float | None = None  # what not answering costs
    prior: Floats | None = None  # (k,)  of the place of use, where it is not that of training

    def __str__(self) -> str:
        return "\n".join([self._title(), aligned([_HEAD, *self._rows(10)])])

    __repr__ = __str__

    def _repr_html_(self) -> str:
        return as_html(self._title(), _HEAD, self._rows(20))

    def frame(self) -> Any:
        """A row for each row, as the command's `decide` writes it: a Polars frame, or pandas with the user's index.

        The decision (None where it is left open), whether it is, the best class, the expected cost, the margin, and
        the probability that the best class is wrong.

        >>> from likely.decisions import decide
        >>> decide([[0.2, 0.8], [0.4, 0.6]], ["ill", "well"], reject=0.3).frame().select("decision", "best").rows()
        [('well', 'well'), (None, 'well')]
        """
        import polars as pl

        from likely.data.frames import told_like

        said = (self.answers().tolist(), self.rejected, self.best.tolist(), self.expected_cost, self.margin, self.error)
        return told_like(pl.DataFrame(dict(zip(DECIDED, said, strict=True)), strict=False), self.like)

    def _title(self) -> str:
        left = int(self.rejected.sum())
        cost = f", expected to cost {self.expected_cost.mean():.3g} each" if len(self) else ""
        return f"{counted(len(self), 'decision')}, {left:,} left unanswered{cost}"

    def _rows(self, most: int) -> list[list[str]]:
        """The first decisions in words, and a line that says how many there are more."""
        said = zip(self.best, self.rejected, self.error, self.expected_cost, self.margin, strict=True)
        rows = [
            ["(none)" if left else shortened(str(name)), *(f"{value:.3g}" for value in figures)]
            for name, left, *figures in (row for row, _ in zip(said, range(most), strict=False))
        ]
        return rows if len(self) <= most else [*rows, [f"({len(self) - most:,} more)", "", "", ""]]

    @property
    def best(self) -> Array:
        """The class to say if the row must be answered (n,)."""
        return np.asarray(self.classes[self.code])

    def answers(self, reject_label: Hashable = None) -> Array:
        """The class to say, and `reject_label` where the row is rejected."""
        said = self.best
        if not self.rejected.any():
            return said
        if reject_label is None or np.result_type(said.dtype, np.array(reject_label).dtype) != said.dtype:
            said = _widened(said, reject_label)
        said[self.rejected] = reject_label
        return said

    def __len__(self) -> int:
        return len(self.code)

    def take(self, rows: Array) -> "Decision":
        """The decisions on some of the rows."""
        per_row = ("code", "expected_cost", "margin", "error", "rejected")
        taken: dict[str, Any] = {name: getattr(self, name)[rows] for name in per_row}
        if self.costs is not None and self.costs.per_row:
            taken["costs"] = replace(self.costs, values=self.costs.values[rows])
        return replace(self, **taken, like=self.like.iloc[rows] if hasattr(self.like, "iloc") else self.like)


def _widened(said: Array, label: Hashable) -> Array:
    """An array that holds the label too: longer text, or objects."""
    if isinstance(label, str) and said.dtype.kind == "U":
        return said.astype(np.result_type(said.dtype, np.array(label).dtype))
    return said.astype(object)
