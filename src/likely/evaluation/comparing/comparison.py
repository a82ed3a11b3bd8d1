"""Classifiers compared on the same rows and the same folds.

The question is by how much they differ, so the difference with its interval comes first; tests follow. The difference
is the first model's score less the second's. The interval is the corrected resampled t of the folds' differences, or
nested cross-validation of the rows' differences (`resampled`, `nested`), and never narrower than what the rows alone
leave open (`paired_rows`); the tests are those of `significance`, with no smaller standard error than the rows'. With
several pairs, p-values are adjusted by Holm's rule and a difference counts as shown only if it survives that.

Splits that are no folds (ShuffleSplit, TimeSeriesSplit) share rows as folds do, and are judged alike: the corrected t
has the test rows of a split to those it learns, and what the rows leave open is of every row once.

McNemar's test counts rows one by one: it knows no groups and no weights (rows of weight 0 are left out), and says so
where there are any. The other figures count rows with their weights, and folds keep groups together.

A region of practical equivalence, +-rope, says what is too small to matter: 0.01 is one point of accuracy.
"""

from collections.abc import Hashable, Mapping
from dataclasses import dataclass, field, replace
from functools import cached_property
from itertools import combinations
from typing import Any

import numpy as np

from likely.data.accepted import TableLike, TargetLike
from likely.data.frames import bare_table, figures_like
from likely.data.inputs import suggest
from likely.data.printing.html_table import as_html
from likely.data.printing.text_table import aligned
from likely.errors import InputError
from likely.evaluation.comparing.clipping import with_finite_losses
from likely.evaluation.comparing.rows_together import of_few_rows, of_rows_together
from likely.evaluation.comparing.significance import (
    CorrelatedT,
    McNemar,
    TTest,
    bayesian_correlated_t,
    corrected_resampled_t,
    holm,
    mcnemar,
    of_rows,
    paired_t,
    posterior_of_rows,
)
from likely.evaluation.comparing.verdict_words import amount_of, in_words, shown_difference
from likely.evaluation.measures.criteria import Criterion, MeasureLike
from likely.evaluation.measures.own_costs import criterion_for
from likely.evaluation.resampling.cross_validation import (
    CrossValidation,
    IntervalMethod,
    judged_on,
    read_training,
)
from likely.evaluation.resampling.nested import nested_interval, nested_tables
from likely.intervals.estimate import Estimate
from likely.intervals.means import no_narrower
from likely.intervals.quantiles import check_confidence
from likely.models.held_out.cv import FoldsLike, read_parts
from likely.models.held_out.exact_or_refit import HeldOut
from likely.models.held_out.refitting import check_classifier
from likely.models.traits.protocols import Learner
from likely.numeric.arrays import Floats, PerRow
from likely.numeric.random_state import Seed


@dataclass(frozen=True)
class Pair:
    """Two models compared; differences are the first less the second."""

    first: str
    second: str
    difference: Estimate
    mcnemar: McNemar  # on the rows of the first repeat, or as the first split that judges them says
    paired_t: TTest  # takes folds as independent: too sure of itself
    corrected_t: TTest
    bayesian: CorrelatedT
    holm: float  # p-value of the corrected t, adjusted for the number of pairs

    def first_is_better(self, chosen: Criterion) -> float:
        """The probability that the first is better by more than the rope."""
        return self.bayesian.above if chosen.larger_is_better else self.bayesian.below

    def second_is_better(self, chosen: Criterion) -> float:
        """The probability that the second is better by more than the rope."""
        return self.bayesian.below if chosen.larger_is_better else self.bayesian.above


@dataclass(frozen=True)
class Comparison:
    """Several classifiers on the same folds: how good each is, and by how much each pair differs."""

    results: dict[str, CrossValidation]
    criterion: Criterion
    pairs: tuple[Pair, ...]  # the comparison of every two models, or of each with the baseline
    rope: float
    confidence: float
    method: IntervalMethod = "corrected_t"
    like: Any = field(default=None, repr=False, compare=False)  # the user's table without columns (`bare_table`)

    @cached_property
    def estimates(self) -> dict[str, Estimate]:
        """The measure of each model with its interval."""
        return {
            name: result.estimate(self.criterion, self.method, self.confidence) for name, result in self.results.items()
        }

    @property
    def ranking(self) -> tuple[str, ...]:
        """The names, best first, by the estimate alone; `verdicts` says which steps are more than luck."""
        sign = -1.0 if self.criterion.larger_is_better else 1.0
        return tuple(sorted(self.results, key=lambda name: sign * self.estimates[name].value))

    @property
    def verdicts(self) -> tuple[str, ...]:
        """What each pair comes to, in words."""
        return tuple(in_words(pair, self.criterion, self.rope, self.confidence, len(self.pairs)) for pair in self.pairs)

    def between(self, first: str, second: str) -> Pair:
        """The comparison of two models, in the order in which they were compared.

        The order of the names here does not matter.
        """
        for pair in self.pairs:
            if {pair.first, pair.second} == {first, second}:
                return pair
        raise InputError(f"{first!r} and {second!r} were not compared; the pairs are {self._listed()}")

    def frame(self) -> Any:
        """Every pair with all its figures, one a row, as a frame, of pandas where the rows were (else of Polars)."""
        import polars as pl

        told = pl.DataFrame([self._record(pair, words) for pair, words in zip(self.pairs, self.verdicts, strict=True)])
        return figures_like(told, self.like)

    def __str__(self) -> str:
        some = next(iter(self.results.values()))
        title = f"{self.criterion.name}, {some.how_parted}, {len(some.y)} rows, the same {some.parts}"
        if some.learned is not None and len(some.learned) == 1:
            judged = int((some.folds >= 0).sum())
            title = f"{self.criterion.name} of the same {judged} rows set aside, {some.learned[0]} learned, row by row"
        width = max(map(len, self.results))
        spreads = {name: result.spread_in_words(self.criterion) for name, result in self.results.items()}
        told = {name: f"; {spread}" if spread else "" for name, spread in spreads.items()}
        models = [f"  {name:<{width}}  {self.estimates[name]}{told[name]}" for name in self.ranking]
        difference = f"difference in {self.criterion.unit}" if self.criterion.unit else "difference"
        head = ["", difference, f"{100 * self.confidence:g} %", "McNemar p", "paired t p", "corrected t p", "Holm p"]
        head += ["P(first better)", f"P(within {amount_of(self.rope, self.criterion)})", "P(second better)"]
        table = aligned([head, *(self._cells(pair) for pair in self.pairs)])
        notes = dict.fromkeys(pair.mcnemar.note for pair in self.pairs if pair.mcnemar.note)
        ends = [f"{pair.first} - {pair.second}: {pair.difference.note}" for pair in self.pairs if pair.difference.note]
        return "\n".join(
            [title, *models, "", table, *(f"McNemar's test: {note}" for note in notes), *ends, "", *self.verdicts]
        )

    __repr__ = __str__

    def _repr_html_(self) -> str:
        rows = [[name, self.estimates[name].short()] for name in self.ranking]
        return as_html("\n".join(self.verdicts), ["model", self.criterion.name], rows)

    def _cells(self, pair: Pair) -> list[str]:
        value, interval = shown_difference(pair.difference, self.criterion)
        tests = (pair.mcnemar.p_value, pair.paired_t.p_value, pair.corrected_t.p_value, pair.holm)
        shares = (pair.first_is_better(self.criterion), pair.bayesian.inside, pair.second_is_better(self.criterion))
        return [
            f"{pair.first} - {pair.second}",
            value,
            interval,
            *(f"{p:.4f}" for p in tests),
            *(f"{p:.3f}" for p in shares),
        ]

    def _record(self, pair: Pair, words: str) -> dict[str, Any]:
        figure = pair.difference
        return {
            "first": pair.first,
            "second": pair.second,
            "measure": self.criterion.name,
            "first_value": self.estimates[pair.first].value,
            "second_value": self.estimates[pair.second].value,
            "difference": figure.value,
            "low": figure.low,
            "high": figure.high,
            "confidence": figure.confidence,
            "method": figure.method,
            "only_first_right": pair.mcnemar.only_first,
            "only_second_right": pair.mcnemar.only_second,
            "mcnemar_p": pair.mcnemar.p_value,
            "paired_t": pair.paired_t.t,
            "paired_t_p": pair.paired_t.p_value,
            "corrected_t": pair.corrected_t.t,
            "corrected_t_p": pair.corrected_t.p_value,
            "holm_p": pair.holm,
            "p_first_better": pair.first_is_better(self.criterion),
            "p_equivalent": pair.bayesian.inside,
            "p_second_better": pair.second_is_better(self.criterion),
            "verdict": words,
        }

    def _listed(self) -> str:
        return ", ".join(f"{pair.first} - {pair.second}" for pair in self.pairs)


def compare(
    models: Mapping[str, Learner],
    X: TableLike,
    y: TargetLike,
    cv: FoldsLike = 10,
    repeats: int = 1,
    scoring: MeasureLike = "accuracy",
    baseline: str | None = None,
    rope: float = 0.01,
    method: IntervalMethod = "corrected_t",
    confidence: float = 0.95,
    stratify: bool = True,
    groups: PerRow = None,
    sample_weight: PerRow = None,
    random_state: Seed = 0,
    pos_label: Hashable = None,
) -> Comparison:
    """Compare classifiers by a measure (`scoring`), every pair of them, or each with the one that `baseline` names.

    All of them are judged on the same rows and folds, or splits that are no folds (see `cross_validate` for what `cv`
    may be), so that what makes a fold easy or hard drops out of the differences. Measures are those of
    `likely.evaluation.measures.criteria`, or costs[truth][said]; where a `Decider` is among the models, "cost" means
    its own, and rows that it does not answer cost what it says. `pos_label` is the class that a measure of one class,
    such as "f1", is about; `method="nested"` needs folds, and a measure that is a mean over rows. McNemar's test takes
    every row for one of its own, also with `groups` or `sample_weight`, and its note says so: rows that depend on each
    other make it too sure of itself.

    >>> from sklearn.datasets import load_iris
    >>> from likely import GaussianBayes, NaiveBayes, compare
    >>> X, y = load_iris(return_X_y=True)
    >>> result = compare({"naive": NaiveBayes(), "shared": GaussianBayes("shared")}, X, y, repeats=5)
    >>> print(result.verdicts[0])
    open whether naive and shared differ by more than 1 point: naive - shared -2.7 points [-5.9, 0.7]
    """
    if not isinstance(models, Mapping) or len(models) < 2:
        raise InputError("give at least two models by name: compare({'nb': ..., 'lr': ...}, X, y)")
    if baseline is not None and baseline not in models:
        raise InputError(f"baseline {baseline!r} is not among the models{suggest(baseline, list(models))}")
    if not rope >= 0:
        raise InputError(f"rope is half the width of the region of practical equivalence, 0 or more; got {rope}")
    check_confidence(confidence)
    data = read_training(X, y, sample_weight).beside(groups, {})
    chosen = criterion_for(models.values(), scoring, data.classes, pos_label)
    parts = read_parts(cv, data, repeats, stratify, data.groups, random_state=random_state)
    data = data.read_for(*models.values())
    results: dict[str, CrossValidation] = {}
    table = None
    for name, model in models.items():
        check_classifier(model)
        held = HeldOut(model, data, table)
        results[str(name)] = judged_on(held, parts, data.groups)
        table = table if held.table is None else held.table
    return replace(compare_results(results, chosen, baseline, rope, method, confidence), like=bare_table(X))


def compare_results(
    results: Mapping[str, CrossValidation],
    scoring: MeasureLike = "accuracy",
    baseline: str | None = None,
    rope: float = 0.01,
    method: IntervalMethod = "corrected_t",
    confidence: float = 0.95,
) -> Comparison:
    """Compare cross-validations that were made on the same rows and folds, or splits.

    >>> import numpy as np
    >>> from likely import GaussianBayes, NaiveBayes, cross_validate
    >>> rng = np.random.default_rng(0)
    >>> y = np.repeat([0, 1], 40)
    >>> X = rng.normal(size=(80, 2)) + y[:, None]
    >>> models = {"naive": NaiveBayes(), "full": GaussianBayes("full")}
    >>> found = compare_results({name: cross_validate(model, X, y, cv=5) for name, model in models.items()})
    >>> sorted(found.estimates)
    ['full', 'naive']
    """
    some = next(iter(results.values()))
    chosen = criterion_for([result.model for result in results.values()], scoring, some.classes)
    if method not in ("corrected_t", "nested"):
        raise InputError(f"unknown method {method!r}; use 'corrected_t' or 'nested'")
    for name, result in results.items():
        alike = (np.array_equal(getattr(result, of), getattr(some, of)) for of in ("y", "folds", "learned"))
        if not all(alike):
            raise InputError(f"{name!r} was not judged on the same rows and folds as the others; use compare")
    results = {name: with_finite_losses(name, result, chosen) for name, result in results.items()}
    names = list(results)
    couples = list(combinations(names, 2)) if baseline is None else [(n, baseline) for n in names if n != baseline]
    scores = {name: _finite(name, result, chosen) for name, result in results.items()}
    undefined = {name: int(np.isnan(one).sum()) for name, one in scores.items() if np.isnan(one).any()}
    if undefined and method == "corrected_t":
        note = f"0/0 in {max(undefined.values())} of {scores[names[0]].size} {some.parts}: of all rows together"
        return _of_one_split(dict(results), chosen, couples, rope, confidence, note)
    if some.folds.shape[0] * some.n_folds == 1:
        return _of_one_split(dict(results), chosen, couples, rope, confidence)
    tables = {name: nested_tables(result, chosen) for name, result in results.items()} if method == "nested" else {}
    floors = [of_rows_together(chosen, results[a], results[b], confidence) for a, b in couples]
    least = [0.0 if floor is None else floor.standard_error for floor in floors]
    tests = [
        corrected_resampled_t(scores[a], scores[b], some.test_ratio, confidence, error)
        for (a, b), error in zip(couples, least, strict=True)
    ]
    adjusted = holm([test.p_value for test in tests])
    right = {name: result.said_once()[0].counted().right() > 0 for name, result in results.items()}
    ignored = [what for what, given in (("groups", some.groups), ("weights", some.weight)) if given is not None]
    note = f"every row counts alike, it knows no {' and '.join(ignored)}" if ignored else ""
    pairs = []
    for (a, b), test, p, floor, error in zip(couples, tests, adjusted, floors, least, strict=True):
        difference = corrected_resampled_t(scores[a], scores[b], some.test_ratio, confidence).difference
        if method == "nested":
            apart = [one - other for one, other in zip(tables[a], tables[b], strict=True)]
            difference = nested_interval(apart, some.folds, confidence, sample_weight=some.weight, groups=some.groups)
        if floor is not None:
            difference = no_narrower(difference, floor)
        pairs.append(
            Pair(
                a,
                b,
                difference,
                replace(mcnemar(right[a], right[b]), note=note),
                paired_t(scores[a], scores[b], confidence),
                test,
                bayesian_correlated_t(scores[a], scores[b], some.test_ratio, rope, error),
                float(p),
            )
        )
    return Comparison(dict(results), chosen, tuple(pairs), rope, confidence, method)


def _of_one_split(
    results: dict[str, CrossValidation],
    chosen: Criterion,
    couples: list[tuple[str, str]],
    rope: float,
    confidence: float,
    note: str = "",
) -> Comparison:
    """A comparison by the rows alone: one split has no folds that vary, and some figures folds do not define."""
    floors = [
        (of_rows_together, of_few_rows)[bool(note)](chosen, results[a], results[b], confidence) for a, b in couples
    ]
    known = [replace(floor, note="; ".join(filter(None, (note, floor.note)))) for floor in floors if floor is not None]
    if len(known) < len(floors):
        raise InputError(f"{chosen.name} has no value for each row: one split does not tell how sure it is; use folds")
    tests = [of_rows(floor) for floor in known]
    adjusted = holm([test.p_value for test in tests])
    right = {name: result.said_once()[0].counted().right() > 0 for name, result in results.items()}
    pairs = [
        Pair(
            a,
            b,
            test.difference,
            mcnemar(right[a], right[b]),
            test,
            test,
            posterior_of_rows(test, rope),
            float(p),
        )
        for (a, b), test, p in zip(couples, tests, adjusted, strict=True)
    ]
    return Comparison(results, chosen, tuple(pairs), rope, confidence)


def _finite(name: str, result: CrossValidation, chosen: Criterion) -> Floats:
    scores = result.scores(chosen)
    if np.isinf(scores).any():
        wrong = np.isinf(scores)
        raise InputError(
            f"{chosen.name} of {name!r} is {scores[wrong][0]} in {wrong.sum()} of {scores.size} {result.parts}, so "
            "differences are not defined; compare by another measure, or smooth the model"
        )
    return scores
