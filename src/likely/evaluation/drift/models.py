"""What changed between two fitted models, from their statistics alone.

    prior      each class's share in both models, with Newcombe's interval of the difference, and one test over all
    values     for each class and feature: the Jensen-Shannon divergence in bits between the two samples, less its bias,
               and a test that both have the same distribution, of the family's own (see
               `likely.distributions.comparing`)
    missing    for each class and feature with missing cells: the rates, their difference and Fisher's or the G-test
    joint      covariances of Gaussian vectors together

All p-values are adjusted together by Holm's method: the chance of any false alarm is at most 1 - confidence, for as
long as the rows are independent and the columns follow their families where the test relies on it (Poisson,
exponential and gamma columns, the words of a multinomial). A model keeps too little of a Gaussian column to tell heavy
tails from a change of its deviation or of its correlations: such changes are `suspected` and raise no alarm. Nothing
is left out in silence: what cannot be compared is listed with the reason. Sums of weights count as numbers of rows.
"""

from collections.abc import Hashable, Iterator
from copy import copy
from dataclasses import replace
from math import sqrt

import numpy as np

from likely.data.columns.differences import same_kinds
from likely.distributions.comparing import Verdict, compare_counts
from likely.distributions.family import Family
from likely.errors import InputError, TierError
from likely.evaluation.comparing.significance import holm
from likely.evaluation.drift.difference import Change, ModelDifference
from likely.intervals.estimate import Estimate
from likely.intervals.proportions import proportion_interval
from likely.intervals.quantiles import check_confidence
from likely.models.generative.answers.fitted import FittedGenerative, sums_of_parts
from likely.models.generative.classifier import GenerativeClassifier
from likely.statistics import Labelled
from likely.statistics.counting.categories import union_of

JOINT = "(all features together)"


def model_difference(
    a: GenerativeClassifier, b: GenerativeClassifier, *, since: bool = False, confidence: float = 0.95
) -> ModelDifference:
    """Drift between two models: what changed from a to b, of the same type over the same columns.

    With `since=True` b is a updated with more rows, and a is compared with the model of those rows alone. That b does
    contain the rows of a can be checked only as far as counts and spreads show it.

    Parameters
    ----------
    a : the earlier model
    b : the later model
    since : whether b is a updated with more rows

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
    shares = compare_counts(old.weight, new.weight, classes) or "a model has no rows"
    found.append(_entry(None, None, "prior", shares, confidence))
    for i, label in enumerate(classes):
        gone = [name for name, part in (("a", old), ("b", new)) if part.weight[i] <= 0]
        if gone:
            reason = f"the class has no rows in {' and '.join(gone)}"
            found.append(_entry(label, None, "values", reason, confidence))
            continue
        found += _class_changes(a, other, old, new, i, label, confidence)
    return _collected(found, a, other, old, new, classes, confidence, between)


def _collected(
    found: list[tuple[Change, Verdict | None]],
    a: GenerativeClassifier,
    b: GenerativeClassifier,
    old: Labelled,
    new: Labelled,
    classes: tuple[Hashable, ...],
    confidence: float,
    between: GenerativeClassifier | None,
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
    a: GenerativeClassifier,
    b: GenerativeClassifier,
    old: Labelled,
    new: Labelled,
    i: int,
    label: Hashable,
    confidence: float,
) -> Iterator[tuple[Change, Verdict | None]]:
    """All comparisons of one class."""
    places = _places(b)
    at, olds, news = np.array([i]), sums_of_parts(old), sums_of_parts(new)
    for name, (part, j) in _places(a).items():
        family = a.layout_.families[part]
        mine, its = olds[part].taken(at), news[places[name][0]].taken(at)
        yield _entry(label, name, "values", _compared(family, mine, its, j, places[name][1]), confidence)
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
            change, verdict = _entry(label, name, "missing", verdict or "no rows", confidence)
            yield replace(change, difference=difference), verdict
    for part, family in enumerate(a.layout_.families):
        if not hasattr(family, "compare_jointly"):
            continue
        names = tuple(a.layout_.schema.columns[j].name for j in a.layout_.parts[part].columns)
        order = np.array([places[name][1] for name in names])
        mine, its = olds[part].taken(at), news[places[names[0]][0]].taken(at)
        joint = family.compare_jointly(mine, its, order, names)
        if joint is not None:
            yield _entry(label, JOINT, "joint", joint, confidence)


def _compared(family: Family, before: object, after: object, i: int, j: int) -> Verdict | str:
    """The family's own test of one feature in one class, or why there is none."""
    if not hasattr(family, "compare"):
        return f"{type(family).__name__} has no test of its {type(before).__name__}"
    verdict: Verdict | str = family.compare(before, after, i, j)
    return verdict


def _entry(
    label: Hashable | None, feature: str | None, aspect: str, verdict: Verdict | str, confidence: float
) -> tuple[Change, Verdict | None]:
    if isinstance(verdict, str):
        return Change(label, feature, aspect, None, None, None, False, verdict, "not compared"), None
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


def _observed(part: object, j: int) -> float | None:
    """Cells of a feature that are not missing; None if the statistic does not say."""
    return float(part.observed[0, j]) if hasattr(part, "observed") else None


def _places(model: FittedGenerative) -> dict[str, tuple[int, int]]:
    """Where each column's statistic is: its part and the place in it, in the order of the columns."""
    columns = model.layout_.schema.columns
    found = {j: (part, place) for part, p in enumerate(model.layout_.parts) for place, j in enumerate(p.columns)}
    return {columns[j].name: found[j] for j in sorted(found)}


def _levels(model: FittedGenerative) -> dict[str, tuple[Hashable, ...]]:
    """The levels that each categorical column has shown in any class."""
    parts = sums_of_parts(model.statistic_)
    return {
        name: tuple(parts[part].levels[j])
        for name, (part, j) in _places(model).items()
        if hasattr(parts[part], "levels")
    }


def _beyond(names: tuple[Hashable, ...], known: tuple[Hashable, ...]) -> tuple[Hashable, ...]:
    return tuple(name for name in names if name not in set(known))


def _between(a: GenerativeClassifier, b: GenerativeClassifier) -> GenerativeClassifier:
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


def _check_pair(a: GenerativeClassifier, b: GenerativeClassifier) -> None:
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
                f"column {name!r} is {words[0]} in a and {words[1]} in b. {same_kinds({name: (told[0], told[1])})}"
            )
    kinds = [type(model.classes_[0].item()).__name__ for model in (a, b)]
    if (kinds[0] == "str") != (kinds[1] == "str"):
        raise InputError(f"the classes of a are of type {kinds[0]}, those of b of type {kinds[1]}")


def _described(model: FittedGenerative) -> dict[str, tuple[str, str]]:
    """Family and statistic of each column."""
    parts = sums_of_parts(model.statistic_)
    return {
        name: (type(model.layout_.families[part]).__name__, type(parts[part]).__name__)
        for name, (part, _) in _places(model).items()
    }
