"""What changed between two fitted models, from their statistics alone.

    prior      each class's share in both models, with Newcombe's interval of the difference, and one test over all
    values     for each class and feature: the Jensen-Shannon divergence in bits between the two samples, less its bias,
               and a test that both have the same distribution (see `two_samples`)
    missing    for each class and feature with missing cells: the rates, their difference and Fisher's or the G-test
    joint      covariances of Gaussian vectors (see `joint_changes`)

All p-values are adjusted together by Holm's method: the chance of any false alarm is at most 1 - confidence, for as
long as the rows are independent and the columns follow their families where the test relies on it (Poisson,
exponential and gamma columns, the words of a multinomial). A model keeps too little of a Gaussian column to tell heavy
tails from a change of its deviation or of its correlations: such changes are `suspected` and raise no alarm. Nothing
is left out in silence: what cannot be compared is listed with the reason. Sums of weights count as numbers of rows.
"""

from collections.abc import Hashable, Iterator
from copy import copy
from dataclasses import dataclass, replace
from math import sqrt
from typing import Any

import numpy as np

from likely.data.wording import counted, shortened
from likely.distributions.amounts.exponential import ExponentialFamily
from likely.distributions.amounts.gamma import GammaFamily
from likely.distributions.amounts.gaussian import GaussianFamily
from likely.distributions.amounts.log_normal import LogNormalFamily
from likely.distributions.counts.bernoulli import BernoulliFamily
from likely.distributions.counts.categorical import CategoricalFamily
from likely.distributions.counts.multinomial import MultinomialFamily
from likely.distributions.counts.poisson import PoissonFamily
from likely.distributions.vectors.family import MultivariateGaussianFamily
from likely.errors import InputError, TierError
from likely.evaluation.comparing.significance import holm
from likely.evaluation.drift.joint import compare_vectors
from likely.evaluation.drift.two_samples import (
    Verdict,
    compare_counts,
    compare_gammas,
    compare_gaussians,
    compare_rates,
    compare_values,
    compare_waits,
)
from likely.evaluation.drift.words import compare_words
from likely.intervals.estimate import Estimate
from likely.intervals.proportions import proportion_interval
from likely.intervals.quantiles import check_confidence
from likely.models.generative.classifier import GenerativeClassifier
from likely.models.generative.explain.display import same_kind
from likely.statistics import CategoryCounts, Labelled, LogMoments, Moments, Scatter, Totals, ValueCounts
from likely.statistics.categories import union_of
from likely.statistics.terms import TermCounts

JOINT = "(all features together)"
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


@dataclass(frozen=True)
class ModelDifference:
    """What `model_difference` found."""

    all: tuple[Change, ...]
    prior: dict[Hashable, tuple[Estimate, Estimate, Estimate]]  # share in a, in b, and b less a
    new_categories: dict[str, tuple[Hashable, ...]]  # per feature: levels of b that a never saw
    vanished_categories: dict[str, tuple[Hashable, ...]]
    not_compared: tuple[str, ...]
    confidence: float
    rows: tuple[float, float]
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
        lines = [f"{found} ({100 * self.confidence:.6g} %, Holm); {self.rows[0]:g} rows against {self.rows[1]:g}"]
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


def model_difference(a: Any, b: Any, *, since: bool = False, confidence: float = 0.95) -> ModelDifference:
    """What changed from model a to model b, two classifiers of the same type over the same columns.

    With `since=True` b is a updated with more rows, and a is compared with the model of those rows alone. That b does
    contain the rows of a can be checked only as far as counts and spreads show it.

    >>> from likely import NaiveBayes
    >>> rng = np.random.default_rng(1)
    >>> x, y = rng.normal(size=(400, 2)), np.repeat(["no", "yes"], 200)
    >>> a = NaiveBayes().fit(x, y)
    >>> found = model_difference(a, NaiveBayes().fit(x + [0.0, 1.0], y))
    >>> found.attention, [(c.label, c.feature) for c in found.significant]
    (True, [('no', 'x1'), ('yes', 'x1')])
    >>> model_difference(a, a.merge(a), since=True).attention
    False
    """
    check_confidence(confidence)
    _check_pair(a, b)
    between = _between(a, b) if since else None
    other = b if between is None else between
    old, new = a.statistic_, other.statistic_
    classes = old.classes if old.classes == new.classes else union_of(old.classes, new.classes)
    old, new = old.over(classes), new.over(classes)
    found: list[tuple[Change, Verdict | None]] = []
    verdict = compare_counts(old.weight, new.weight, classes)
    found.append(_entry(None, None, "prior", verdict, "a model has no rows", confidence))
    for i, label in enumerate(classes):
        gone = [name for name, part in (("a", old), ("b", new)) if part.weight[i] <= 0]
        if gone:
            reason = f"the class has no rows in {' and '.join(gone)}"
            found.append(_entry(label, None, "values", None, reason, confidence))
            continue
        found += _class_changes(a, other, old, new, i, label, confidence)
    return _collected(found, a, other, old, new, classes, confidence, between)


def _collected(
    found: list[tuple[Change, Verdict | None]],
    a: Any,
    b: Any,
    old: Labelled,
    new: Labelled,
    classes: tuple[Hashable, ...],
    confidence: float,
    between: Any,
) -> ModelDifference:
    """Adjust all p-values together, and add what is not a test."""
    tested = [i for i, (_, verdict) in enumerate(found) if verdict is not None]
    adjusted, firm = (
        dict(zip(tested, holm(p_values).tolist(), strict=True))
        for p_values in ([found[i][1].p for i in tested], [found[i][1].firm for i in tested])  # type: ignore[union-attr]
    )
    level = 1 - confidence
    changes = []
    for i, (change, verdict) in enumerate(found):
        if verdict is not None:
            flagged = firm[i] <= level
            suspected = not flagged and adjusted[i] <= level
            words = verdict.words(level / len(tested)) if flagged or suspected else change.what
            p = firm[i] if flagged else adjusted[i]
            change = replace(change, adjusted=p, significant=flagged, suspected=suspected, what=words)
        changes.append(change)
    not_compared = tuple(str(change) for change, verdict in found if verdict is None)
    n_a, n_b = float(old.weight.sum()), float(new.weight.sum())
    prior = {
        name: _share_difference(float(old.weight[i]), n_a, float(new.weight[i]), n_b, confidence)
        for i, name in enumerate(classes)
    }
    levels = [_levels(model) for model in (a, b)]
    fresh, lost = ({f: _beyond(two[f], one[f]) for f in two} for one, two in (levels, levels[::-1]))
    return ModelDifference(
        tuple(changes),
        prior,
        {feature: names for feature, names in fresh.items() if names},
        {feature: names for feature, names in lost.items() if names},
        not_compared,
        confidence,
        (n_a, n_b),
        between,
    )


def _class_changes(
    a: Any, b: Any, old: Any, new: Any, i: int, label: Hashable, confidence: float
) -> Iterator[tuple[Change, Verdict | None]]:
    """All comparisons of one class."""
    places = _places(b)
    at = np.array([i])
    for name, (part, j) in _places(a).items():
        family = a.layout_.families[part]
        mine, its = old.given.parts[part].taken(at), new.given.parts[places[name][0]].taken(at)
        verdict, reason = _compare_values(family, mine, j, its, places[name][1])
        yield _entry(label, name, "values", verdict, reason, confidence)
        rows = [(float(s.weight[0]), _observed(s, k)) for s, k in ((mine, j), (its, places[name][1]))]
        if any(seen is not None and seen < n for n, seen in rows):
            (n_a, seen_a), (n_b, seen_b) = rows
            missing = [max(n - (seen or 0.0), 0.0) for n, seen in rows]
            verdict = compare_counts(
                np.array([missing[0], seen_a]), np.array([missing[1], seen_b]), ("missing", "present")
            )
            difference = _share_difference(missing[0], n_a, missing[1], n_b, confidence)[2]
            words = f"rate {100 * missing[0] / n_a:.3g} % -> {100 * missing[1] / n_b:.3g} %"
            if verdict is not None:
                verdict = replace(verdict, parts=((verdict.p, words),))
            change, verdict = _entry(label, name, "missing", verdict, "no rows", confidence)
            yield replace(change, difference=difference), verdict
    for part, family in enumerate(a.layout_.families):
        if isinstance(family, MultivariateGaussianFamily) and isinstance(old.given.parts[part], Scatter):
            names = tuple(a.layout_.schema.columns[j].name for j in a.layout_.parts[part].columns)
            order = np.array([places[name][1] for name in names])
            joint = compare_vectors(
                old.given.parts[part].taken(at),
                _reordered(new.given.parts[places[names[0]][0]].taken(at), order),
                names,
            )
            verdict, reason = (None, joint) if isinstance(joint, str) else (joint, "")
            yield _entry(label, JOINT, "joint", verdict, reason, confidence)


def _compare_values(family: Any, a: Any, i: int, b: Any, j: int) -> tuple[Verdict | None, str]:
    """The test of one feature in one class, or why there is none."""
    few = "too few values"
    if isinstance(a, Moments | Scatter) and isinstance(
        family, GaussianFamily | LogNormalFamily | MultivariateGaussianFamily
    ):
        sums = [*_moments(a, i), *_moments(b, j)]
        verdict = compare_gaussians(*sums)
        if verdict is not None and isinstance(family, LogNormalFamily):
            verdict = replace(verdict, parts=tuple((p, f"log: {words}") for p, words in verdict.parts))
        return verdict, few
    if isinstance(a, CategoryCounts) and isinstance(family, CategoricalFamily):
        one, two = (CategoryCounts(s.weight, (s.levels[k],), s.table(k)) for s, k in ((a, i), (b, j)))
        one, two = one.aligned(two)
        return compare_counts(one.count[0], two.count[0], one.levels[0]), few
    if isinstance(a, ValueCounts):
        single = [
            ValueCounts(s.weight, (s.values[k],), (s.exponent[k],), s.table(k), s.max_values)
            for s, k in ((a, i), (b, j))
        ]
        first, second = single[0].aligned(single[1])
        return compare_values(first.points(0), first.count[0], second.count[0]), few
    if isinstance(a, LogMoments) and isinstance(family, GammaFamily):
        whole = _feature(a, i) + _feature(b, j)
        (n_a, mean_a, gap_a), (n_b, mean_b, gap_b) = (
            (float(s.count[0, k]), float(s.mean[0, k]), float(s.gap[0, k])) for s, k in ((a, i), (b, j))
        )
        return compare_gammas(n_a, mean_a, gap_a, n_b, mean_b, gap_b, float(whole.gap[0, 0])), few
    if isinstance(a, TermCounts):
        return compare_words(a, b), "no word is frequent enough"
    if isinstance(a, Totals):
        return _compare_totals(family, a, i, b, j)
    return None, f"{type(family).__name__} has no test of its {type(a).__name__}"


def _compare_totals(family: Any, a: Totals, i: int, b: Totals, j: int) -> tuple[Verdict | None, str]:
    n_a, n_b, s_a, s_b = (float(x) for x in (a.count[0, i], b.count[0, j], a.sum[0, i], b.sum[0, j]))
    match family:
        case BernoulliFamily():
            return compare_counts(np.array([n_a - s_a, s_a]), np.array([n_b - s_b, s_b]), (0, 1)), "too few values"
        case PoissonFamily():
            return compare_rates(n_a, s_a, n_b, s_b), "too few values"
        case ExponentialFamily():
            means = (s_a / n_a if n_a > 0 else 0.0), (s_b / n_b if n_b > 0 else 0.0)
            return compare_waits(n_a, means[0], n_b, means[1]), "too few values"
        case MultinomialFamily():
            for part in (a, b):
                if (part.count != part.weight[:, None]).any():
                    return None, "cells of the count vector are missing"
                if (part.sum != np.floor(part.sum)).any():
                    return None, "the counts are no whole numbers"
            whole_a, whole_b = float(a.sum.sum()), float(b.sum.sum())
            counts = np.array([s_a, whole_a - s_a]), np.array([s_b, whole_b - s_b])
            return compare_counts(*counts, ("here", "elsewhere")), "no counts"
    return None, f"{type(family).__name__} has no test of its {type(a).__name__}"


def _entry(
    label: Hashable | None, feature: str | None, aspect: str, verdict: Verdict | None, reason: str, confidence: float
) -> tuple[Change, Verdict | None]:
    if verdict is None:
        return Change(label, feature, aspect, None, None, None, False, reason, "not compared"), None
    bits = verdict.bits(confidence)
    return Change(label, feature, aspect, bits, verdict.p, None, False, verdict.words(0.0), verdict.test), verdict


def _share_difference(
    s_a: float, n_a: float, s_b: float, n_b: float, confidence: float
) -> tuple[Estimate, Estimate, Estimate]:
    """Both shares, and the second less the first with Newcombe's interval (1998, method 10)."""
    a, b = (proportion_interval(s, n, confidence) for s, n in ((s_a, n_a), (s_b, n_b)))
    d = b.value - a.value
    low = d - sqrt((b.value - b.low) ** 2 + (a.high - a.value) ** 2)
    high = d + sqrt((b.high - b.value) ** 2 + (a.value - a.low) ** 2)
    return a, b, Estimate(d, max(low, -1.0), min(high, 1.0), confidence, "Newcombe", n_a + n_b)


def _moments(part: Any, j: int) -> tuple[float, float, float]:
    """Rows, mean and scatter of one feature of the only group."""
    if isinstance(part, Scatter):
        return float(part.observed[0, j]), float(part.mean[0, j]), float(part.deviations[0, j, j])
    return float(part.count[0, j]), float(part.mean[0, j]), float(part.scatter[0, j])


def _feature(part: LogMoments, j: int) -> LogMoments:
    return LogMoments(part.weight, *(x[:, [j]] for x in (part.origin, part.count, part.first, part.excess)))


def _observed(part: Any, j: int) -> float | None:
    """Cells of a feature that are not missing; None if the statistic does not say."""
    if isinstance(part, Moments | Totals | LogMoments):
        return float(part.count[0, j])
    if isinstance(part, Scatter | CategoryCounts | ValueCounts):
        return float(part.observed[0, j])
    return None


def _reordered(part: Scatter, order: Any) -> Scatter:
    if (order == np.arange(part.features)).all():
        return part
    wide = slice(None) if part.complete else order
    count = part.count if part.complete else part.count[:, order][:, :, order]
    second = part.second[:, order][:, :, order]
    return replace(
        part, origin=part.origin[:, order], count=count, first=part.first[:, order][:, :, wide], second=second
    )


def _places(model: Any) -> dict[str, tuple[int, int]]:
    """Where each column's statistic is: its part and the place in it, in the order of the columns."""
    columns = model.layout_.schema.columns
    found = {j: (part, place) for part, p in enumerate(model.layout_.parts) for place, j in enumerate(p.columns)}
    return {columns[j].name: found[j] for j in sorted(found)}


def _levels(model: Any) -> dict[str, tuple[Hashable, ...]]:
    """The levels that each categorical column has shown in any class."""
    parts = model.statistic_.given.parts
    return {
        name: tuple(parts[part].levels[j])
        for name, (part, j) in _places(model).items()
        if isinstance(parts[part], CategoryCounts)
    }


def _beyond(names: tuple[Hashable, ...], known: tuple[Hashable, ...]) -> tuple[Hashable, ...]:
    return tuple(name for name in names if name not in set(known))


def _between(a: Any, b: Any) -> Any:
    """The model of the rows that b learned after a."""
    if not b.layout_.alike(a.layout_):
        raise InputError("b is not a updated with more rows: their columns are not described in the same way")
    try:
        left = b.statistic_.without(a.statistic_)
    except InputError as error:
        raise InputError(
            "b does not contain the rows of a, so there are no rows in between: a was not updated to b, or rows "
            "were forgotten. Compare them with since=False"
        ) from error
    if not left.classes:
        raise InputError("b has learned no rows since a: there is nothing to compare a with")
    model = copy(b)
    model._settle(left)
    return model


def _check_pair(a: Any, b: Any) -> None:
    for name, model in (("a", a), ("b", b)):
        if not isinstance(model, GenerativeClassifier):
            raise InputError(
                f"{name} is a {type(model).__name__}; models are compared by their sums, which NaiveBayes, "
                "GaussianBayes and BayesClassifier keep"
            )
        model._check_fitted()
        if hasattr(model, "passes_"):
            raise TierError(f"{name} was learned by EM in many passes; its sums are no counts of rows to be compared")
    if type(a) is not type(b):
        raise InputError(f"a is a {type(a).__name__} and b a {type(b).__name__}; compare models of one type")
    mine, its = (_described(model) for model in (a, b))
    for one, two, other in ((mine, its, "b"), (its, mine, "a")):
        lacking = [name for name in one if name not in two]
        if lacking:
            raise InputError(f"{other} has no column {lacking[0]!r}; compare models of the same columns")
    for name in mine:
        if mine[name] != its[name]:
            told = [model.layout_.schema.kinds[name] for model in (a, b)]
            words = told if told[0] != told[1] else [" of ".join(each[name]) for each in (mine, its)]
            raise InputError(
                f"column {name!r} is {words[0]} in a and {words[1]} in b. {same_kind(name, told[0], told[1])}"
            )
    kinds = [type(model.classes_[0].item()).__name__ for model in (a, b)]
    if (kinds[0] == "str") != (kinds[1] == "str"):
        raise InputError(f"the classes of a are of type {kinds[0]}, those of b of type {kinds[1]}")


def _described(model: Any) -> dict[str, tuple[str, str]]:
    """Family and statistic of each column."""
    parts = model.statistic_.given.parts
    return {
        name: (type(model.layout_.families[part]).__name__, type(parts[part]).__name__)
        for name, (part, _) in _places(model).items()
    }


def _bits(figure: Estimate) -> str:
    return f"{figure.value:.3g} bits [{figure.low:.3g}, {figure.high:.3g}]"
