"""How probable each hypothesis is, before any example and after each: bars that shrink to the version space."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from textwrap import wrap
from typing import Any, Self

from likely.errors import InputError, InputTypeError
from likely.figures.drawing.canvas import Axes, Drawn, canvas, colour, panels, plain_names
from likely.probability.bayes import Posterior
from likely.probability.hypotheses import HypothesisPosterior, learn_hypotheses

_ACROSS = 4  # panels in a row
_STAGES = 12  # more are drawn as the first and the last ones
_LETTERS = 22  # of a head that fit over a panel


@dataclass(eq=False)
class HypothesesDisplay(Drawn):
    """The posterior of hypotheses as evidence arrives.

    >>> import matplotlib; matplotlib.use("agg")
    >>> rules = {"even": lambda n: n % 2 == 0, "small": lambda n: n < 5, "all": lambda n: True}
    >>> display = HypothesesDisplay.from_examples(rules, [(2, True), (7, False)])
    >>> [round(p, 3) for p in display.frame().filter(after="7 is False")["probability"]]
    [0.5, 0.5, 0.0]
    >>> matplotlib.pyplot.close(display.figure_)
    """

    stages: Mapping[str, Mapping[Any, float]]  # by what was last seen: the probability of each hypothesis
    panels_: Any = field(default=None, init=False, repr=False)

    def __post_init__(self) -> None:
        if not self.stages:
            raise InputError("there is nothing to draw")

    @classmethod
    def from_examples(cls, hypotheses: Any, examples: Any, *, ax: Axes | None = None, **options: Any) -> Self:
        """Learn from examples, pairs of a case and its label, and draw; the options are of `learn_hypotheses`."""
        return cls.from_posterior(learn_hypotheses(hypotheses, examples, **options), ax=ax)

    @classmethod
    def from_posterior(cls, found: HypothesisPosterior | Posterior, *, ax: Axes | None = None) -> Self:
        """Draw what `version_space`, `learn_hypotheses` or `bayes` returned."""
        if isinstance(found, HypothesisPosterior):
            heads = [f"{case} is {label}" for case, label in found.examples]
            trace, names = found.posterior.trace, found.posterior.names
        elif isinstance(found, Posterior):
            trace, names = found.trace, found.names
            heads = [f"piece {i} of evidence" for i in range(1, len(trace))]
        else:
            raise InputTypeError(f"expected what version_space or bayes returns, got {type(found).__name__}")
        twice = {head for head in heads if heads.count(head) > 1}
        heads = [f"{i}: {head}" if head in twice else head for i, head in enumerate(heads, 1)]
        rows = zip(["nothing", *heads], trace.tolist(), strict=True)
        return cls({head: dict(zip(names, row, strict=True)) for head, row in rows}).plot(ax)

    @plain_names
    def plot(self, ax: Axes | None = None) -> Self:
        """Draw on these axes, which are divided, or on new ones."""
        shown = list(self.stages)
        if len(shown) > _STAGES:
            shown = [*shown[: _STAGES // 2], *shown[-_STAGES // 2 :]]
        rows = -(-len(shown) // _ACROSS)
        across = -(-len(shown) // rows)
        names = [str(name) for name in self.stages[shown[0]]]
        high = rows * (1.3 + 0.2 * len(names))
        self.figure_, self.ax_ = canvas(ax, 1.0 + 2.1 * across, high)
        self.panels_ = panels(self.ax_, len(shown), rows)
        for place, (panel, head) in enumerate(zip(self.panels_, shown, strict=True)):
            canvas(panel)
            panel.barh(range(len(names)), list(self.stages[head].values()), 0.8, color=colour(0))
            panel.set_ylim(len(names) - 0.4, -0.6)
            panel.set_yticks(range(len(names)), names if place % across == 0 else [""] * len(names))
            panel.set(xlim=(0, 1), xticks=(0, 0.5, 1), xlabel="probability")
            panel.set_title("\n".join(wrap(f"after {head}", _LETTERS)), fontsize=9)
        return self

    def frame(self) -> Any:
        """A hypothesis after an example a row, as a Polars frame."""
        import polars as pl

        rows = [(head, str(h), p) for head, stage in self.stages.items() for h, p in stage.items()]
        return pl.DataFrame(rows, schema=["after", "hypothesis", "probability"], orient="row")
