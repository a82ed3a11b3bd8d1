"""The changes between two models: one by one, and in one statement."""

from collections.abc import Hashable
from dataclasses import dataclass
from typing import Any

from likely.data.printing.html_table import text_as_html
from likely.data.printing.wording import amount, counted, shortened
from likely.intervals.estimate import Estimate

_LONGEST = 240  # characters of a change in words
_ASPECTS = {
    "prior": "the classes' shares",
    "values": "the values",
    "missing": "the missing cells",
    "joint": "the covariances",
}


@dataclass(frozen=True)
class Change:
    """One comparison; `bits`, `p` and `adjusted` are None where it could not be made."""

    label: Hashable | None  # the class; None: all of them
    feature: str | None
    aspect: str  # "prior", "values", "missing" or "joint"
    bits: Estimate | None
    p: float | None
    adjusted: float | None  # by Holm's method over all comparisons
    significant: bool
    what: str
    test: str
    difference: Estimate | None = None  # of the missing rates, b less a
    suspected: bool = False  # it would be significant if the values were Gaussian, which nobody knows

    def __str__(self) -> str:
        where = [] if self.label is None else [f"class {shortened(repr(self.label))}"]
        where += [] if self.feature is None else [f"feature {shortened(repr(self.feature))}"]
        aspect = "" if self.aspect in ("values", "joint") else f"{self.aspect} "
        figures = "" if self.bits is None else f"; {_bits(self.bits)}, adjusted p = {self.adjusted:.2g}"
        return f"{', '.join(where) or 'all classes'}: {aspect}{shortened(self.what, _LONGEST)}{figures}"

    _repr_html_ = text_as_html


@dataclass(frozen=True)
class ModelDifference:
    """Drift between two models, as `model_difference` found it."""

    all: tuple[Change, ...]  # every comparison, whatever came of it
    prior: dict[Hashable, tuple[Estimate, Estimate, Estimate]]  # share in a, in b, and b less a
    new_categories: dict[str, tuple[Hashable, ...]]  # per feature: levels of b that a never saw
    vanished_categories: dict[str, tuple[Hashable, ...]]  # per feature: levels of a that b never saw
    not_compared: tuple[str, ...]  # what could not be compared, and why
    confidence: float
    rows: tuple[float, float]  # their weight in a and in b
    between: Any = None  # with since=True: the model of the rows that b learned after a

    @property
    def significant(self) -> tuple[Change, ...]:
        """The changes that stand up to the number of comparisons, most certain first."""
        return tuple(sorted((c for c in self.all if c.significant), key=lambda c: c.p or 0.0))

    @property
    def suspected(self) -> tuple[Change, ...]:
        """Deviations and correlations that changed if the columns are about Gaussian: worth a look, no alarm."""
        return tuple(sorted((c for c in self.all if c.suspected), key=lambda c: c.p or 0.0))

    @property
    def changes(self) -> tuple[str, ...]:
        """The significant changes in plain words."""
        return tuple(map(str, self.significant))

    @property
    def attention(self) -> bool:
        """Whether anything is significant."""
        return bool(self.significant)

    @property
    def compared(self) -> str:
        """What was tested, in words: which aspects of which features, in how many classes."""
        tested = [change for change in self.all if change.p is not None]
        parts = []
        for aspect, words in _ASPECTS.items():
            found = [change for change in tested if change.aspect == aspect]
            names = [shortened(name) for name in dict.fromkeys(change.feature for change in found) if name is not None]
            more = f" and {len(names) - 10:,} more" if len(names) > 10 else ""
            of = f" of {', '.join(names[:10])}{more}" if names and aspect != "joint" else ""
            classes = len({change.label for change in found if change.label is not None})
            inside = f" in {counted(classes, 'class', 'classes')}" if classes else ""
            parts += [f"{words}{of}{inside}"] if found else []
        return "; ".join(parts)

    def frame(self) -> Any:
        """A Polars frame with one row per comparison."""
        import polars as pl

        def column(name: str, values: list[Any], dtype: Any = None) -> Any:
            return pl.Series(name, values, dtype=dtype, strict=False)

        def ends(name: str) -> list[float | None]:
            return [None if c.bits is None else float(getattr(c.bits, name)) for c in self.all]

        return pl.DataFrame(
            [
                column("class", [c.label for c in self.all]),
                column("feature", [c.feature for c in self.all], pl.String),
                column("aspect", [c.aspect for c in self.all], pl.String),
                column("bits", ends("value"), pl.Float64),
                column("low", ends("low"), pl.Float64),
                column("high", ends("high"), pl.Float64),
                column("p", [c.p for c in self.all], pl.Float64),
                column("adjusted_p", [c.adjusted for c in self.all], pl.Float64),
                column("significant", [c.significant for c in self.all], pl.Boolean),
                column("suspected", [c.suspected for c in self.all], pl.Boolean),
                column("what", [c.what for c in self.all], pl.String),
                column("test", [c.test for c in self.all], pl.String),
            ]
        )

    def __str__(self) -> str:
        tests = sum(c.p is not None for c in self.all)
        found = f"{len(self.significant)} of {tests} comparisons show a change"
        lines = [
            f"{found} ({100 * self.confidence:.6g} %, Holm); {amount(self.rows[0])} rows against {amount(self.rows[1])}"
        ]
        lines += [f"  {line}" for line in self.changes]
        if not self.changes and tests:
            lines.append(f"  compared: {self.compared}")
        for title, table in (("new", self.new_categories), ("vanished", self.vanished_categories)):
            for feature, names in table.items():
                more = f" and {len(names) - 5} more" if len(names) > 5 else ""
                told = ", ".join(shortened(repr(name)) for name in names[:5])
                lines.append(f"  {title} in feature {shortened(repr(feature))}: {told}{more}")
        lines += [f"  not compared: {line}" for line in self.not_compared]
        if self.suspected:
            lines.append("  if the columns are about Gaussian, with tails up to kurtosis 9 (else it means nothing):")
            lines += [f"    {change}" for change in self.suspected]
        return "\n".join(lines)

    __repr__ = __str__
    _repr_html_ = text_as_html


def _bits(figure: Estimate) -> str:
    return f"{figure.value:.3g} bits [{figure.low:.3g}, {figure.high:.3g}]"
