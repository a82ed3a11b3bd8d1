"""A study: from a table to a classifier that can be trusted, with the comparison that led to it.

    read -> look at the columns -> judge candidates, each calibrated, on the same folds -> choose -> fit on all rows

Every figure is of rows that the model had not seen. The rule of the choice is that of `choice`, and how a candidate is
calibrated is chosen by the same rule. Where the user gave costs, a prior or a cost of not answering, the model kept
decides by them.
"""

import warnings
from collections.abc import Callable, Hashable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from pathlib import Path
from typing import Any

import numpy as np

from likely.data.accepted import PriorLike
from likely.data.findings.table import Findings
from likely.decisions.costs import CostsLike
from likely.decisions.decision import Decision
from likely.evaluation.audit.redundancy import Redundancy, redundancy
from likely.evaluation.audit.rows import Audit
from likely.evaluation.comparing.comparison import Comparison, compare_results
from likely.evaluation.evaluation import Evaluation
from likely.evaluation.resampling.cross_validation import CrossValidation
from likely.evaluation.resampling.learning_curve import LearningCurve
from likely.evaluation.said import Said
from likely.intervals.estimate import Estimate
from likely.models.any_classifier.asking import Training, fitted_clone
from likely.models.any_classifier.inside import know_table, name_positive, name_target, unwrap
from likely.models.any_classifier.posteriors import read_classes
from likely.models.held_out.cv import read_folds
from likely.models.held_out.exact_or_refit import HeldOut
from likely.models.roster import TableFacts
from likely.models.traits.protocols import ProbabilisticClassifier
from likely.numeric.arrays import Floats
from likely.reports.choosing.beside import class_named, grouped, kept_best, positive_of, rival_learned
from likely.reports.choosing.choice import CRITERION, POOL, ROPE, Choice, ahead_of
from likely.reports.choosing.clock import Clock
from likely.reports.choosing.contest import BASELINE, LAST_FIT, Entry, chosen_of, judge, judged
from likely.reports.choosing.entrants import entrants, folds_for, left_out_of_texts, left_out_of_wide
from likely.reports.choosing.pooling import pooled
from likely.reports.choosing.setting import Setting
from likely.reports.copies import Copies, copies_of
from likely.reports.judging import as_used, of_later
from likely.reports.looking import Look, look
from likely.reports.looking_back import growth_of, suspicious_rows_of
from likely.reports.rendering.document import Document
from likely.reports.rendering.rivals import Rival, best_rival
from likely.reports.telltale import with_telltale_texts

_REPEATED_ROWS = 200  # with more rows the luck of the split is a fraction of the standard error: one repeat will do
_AUDIT = "looking for wrong labels"
_GROWTH = "learning from fewer rows"


@dataclass(frozen=True, eq=False)
class Study:
    """What was done and what came of it."""

    looked: Look  # the table that was studied
    entries: tuple[Entry, ...]  # the candidates and how each did
    choice: Choice  # which was chosen, and how it compares with the best
    setting: Setting  # costs, prior and cost of rejecting
    model: ProbabilisticClassifier  # fitted on all rows, calibrated and deciding as chosen
    audit: Audit | None  # the rows that fit their label worst; None: there was no time left to look for them
    seed: int
    seconds: float
    arguments: dict[str, Any]  # of `study`, to run it again
    growth: LearningCurve | None = None  # of the model kept, before calibration
    no_growth: str = ""  # why there is none
    positive: Any = None  # the class of two that recall, precision and curves are about, where the user named one
    rival_aside: tuple[str, Any] | None = None  # where rows are set aside, the best rival over folds, fitted too

    @property
    def title(self) -> str:
        """What the report calls the table."""
        return self.looked.title

    @property
    def target(self) -> str:
        """The column that is predicted."""
        return self.looked.target

    @property
    def findings(self) -> Findings:
        """What the table holds, column by column."""
        return self.looked.findings

    @property
    def facts(self) -> TableFacts:
        """What the candidates knew of the table."""
        return self.looked.facts

    @property
    def data(self) -> Training:
        """The rows that were learned from."""
        return self.looked.data

    @property
    def chosen(self) -> Entry:
        """The candidate that was kept."""
        return next(entry for entry in self.entries if entry.name == self.choice.chosen)

    @property
    def calibrated_by(self) -> str | None:
        """The method of calibration; None: the model's own probabilities are kept."""
        return self.chosen.calibrated_by

    @cached_property
    def result(self) -> CrossValidation:
        """That of the model as it was kept, deciding by costs and prior; of its bare probabilities: `chosen.result`."""
        return as_used(self.chosen.result, self.setting)

    @property
    def inner(self) -> Any:
        """The fitted candidate itself, without calibration and decisions."""
        return unwrap(self.model)

    @cached_property
    def comparison(self) -> Comparison:
        """Every other model against the one that was kept, by log-loss."""
        return compare_results(judged(self.entries, yardsticks=True), CRITERION, self.choice.chosen, ROPE)

    @cached_property
    def contenders(self) -> Comparison:
        """The same without the majority, which is far behind in most tables and hides the differences that matter."""
        results = judged(self.entries, yardsticks=True)
        if self.choice.chosen != BASELINE:
            results.pop(BASELINE)
        return compare_results(results, CRITERION, self.choice.chosen, ROPE)

    @cached_property
    def against_majority(self) -> Estimate:
        """Log-loss of the majority less that of the model kept: one question, whatever else was compared."""
        return ahead_of(judged(self.entries), BASELINE, self.choice.chosen)

    @property
    def posterior(self) -> Floats:
        """Out-of-fold posteriors (n, k) of the first repeat, under the prior of the place of use."""
        assert self.result.log_posterior is not None
        return np.asarray(np.exp(self.result.log_posterior[0]))

    @cached_property
    def decision(self) -> Decision:
        """What is said of each row, out of fold, in the first repeat."""
        assert self.chosen.result.log_posterior is not None
        return self.setting.decide(self.chosen.result.log_posterior[0])

    @cached_property
    def evaluation(self) -> Evaluation:
        """Every figure of the model as it was kept, from out-of-fold answers of the first repeat."""
        return self.evaluation_of(self.chosen.result)

    def evaluation_of(self, result: CrossValidation) -> Evaluation:
        """The figures of a cross-validation of these rows, its first repeat deciding as the setting calls for."""
        assert result.log_posterior is not None
        once = result.log_posterior[0]
        said = self.setting.decide(once)
        classes, weight = tuple(result.classes.tolist()), self.setting.weights(result.y)
        answers = Said(
            classes,
            result.y,
            answers=np.where(said.rejected, -1, said.code),
            weight=weight,
            posterior=np.exp(self.setting.shifted(once)),
            groups=self.data.groups,
        )
        return Evaluation(answers, self.positive_of(classes), self.setting.costs, self.setting.reject, 0.95)

    def positive_of(self, classes: tuple[Any, ...]) -> Any:
        """The class named; of two the rarer, and of two alike the second. The model kept knows it too."""
        return positive_of(self.positive, classes, self.looked.data.codes)

    @cached_property
    def tested(self) -> Evaluation | None:
        """Every figure of the model kept on the rows that were set aside or came later; None: there are none."""
        return None if self.looked.later is None else of_later(self, self.model)

    @cached_property
    def rival(self) -> Rival | None:
        """The best of the other models against the one that was kept."""
        return best_rival(self)

    @cached_property
    def rival_tested(self) -> Evaluation | None:
        """The same of the best rival over folds."""
        return None if self.rival_aside is None else of_later(self, self.rival_aside[1])

    @cached_property
    def redundancy(self) -> Redundancy | None:
        """What columns repeat of each other within the class; None where there are no two to compare."""
        table = self.data.X
        names = [name for name, kind in self.facts.kinds.items() if kind != "text"]
        if not hasattr(table, "select") or len(names) < 2:
            return None
        return redundancy(table.select(names), self.result.y)

    @cached_property
    def copies(self) -> Copies | None:
        """Rows that are alike, and how many of them are copies; None: there was no time left to look for them."""
        return None if self.audit is None else copies_of(self, self.audit)

    @cached_property
    def telling(self) -> tuple[Any, ...]:
        """The features that say most, a `Telling` each, weighed once for everything that tells of them."""
        from likely.reports.rendering.illustrations import weigh_features

        return weigh_features(self)

    @property
    def answer(self) -> tuple[str, ...]:
        """The answer in three sentences."""
        from likely.reports.rendering.first_screen.answer import answer

        return answer(self)

    @cached_property
    def document(self) -> Document:
        """The report as sections, from which page and Markdown are made."""
        from likely.reports.rendering.sections import document

        return document(self)

    def rest(self) -> Clock:
        """A clock that begins with what the study took: the report has what is left."""
        return Clock(self.arguments.get("time_limit"), self.seconds)

    def html(self) -> str:
        """The report as one HTML page that needs nothing else; pictures for which there is no time left are named."""
        from likely.reports.rendering.formats.page import page

        clock = self.rest()  # which runs while the document is made
        return page(self.document, clock)

    def markdown(self) -> str:
        """The report as Markdown."""
        from likely.reports.rendering.formats.markdown import markdown

        return markdown(self.document)

    def record(self) -> dict[str, Any]:
        """The report as values that JSON can hold."""
        from likely.reports.record import record

        return record(self)

    def save(self, folder: str | Path) -> tuple[Path, ...]:
        """Write report.html, report.md, report.json and model.likely into a folder; each whole or not at all."""
        from likely.reports.writing import write_study

        return write_study(self, Path(folder))

    def __str__(self) -> str:
        return "\n".join([*self.answer, *([f"{left_out}."] if (left_out := self.looked.left_out) else [])])

    __repr__ = __str__

    def _repr_html_(self) -> str:
        """The first screen of the report, in a notebook."""
        from likely.reports.rendering.formats.page import first_screen

        return first_screen(self.document)


def study(
    data: object,
    target: str,
    *,
    costs: CostsLike | None = None,
    prior: PriorLike | None = None,
    reject: float | None = None,
    kinds: Mapping[str, str] | None = None,
    keep: Sequence[str] = (),
    drop: Sequence[str] = (),
    cv: int | None = None,
    repeats: int | None = None,
    yardsticks: bool = True,
    time_limit: float | None = None,
    prefer: str = "simple",
    keep_best: bool = False,
    positive: Hashable = None,
    groups: str | None = None,
    time: str | None = None,
    split: str | None = None,
    random_state: int = 0,
    title: str | None = None,
    source: str | None = None,
    report: Callable[[str], None] = lambda stage: None,
) -> Study:
    """Study a table: compare models honestly, keep the simplest good one, calibrate it, and say what it is worth.

    Parameters
    ----------
    data : a path (CSV, TSV, JSON lines, Parquet, Arrow, ARFF), a folder of texts, mail, "-" (standard input), a frame,
        or "penguins", where there is no such file
    target : the column to predict
    costs : costs[truth][said], anything `CostMatrix.of` takes
    prior : of the classes where the model will be used; None: as in the table
    reject : cost of not answering; None: every row is answered
    kinds : kinds or families of columns, instead of those guessed
    keep : columns to learn from although they look useless
    drop : columns to leave out
    cv : folds of the cross-validation; 10 (5 beyond 10,000 rows), or one a row where there are fewer
    repeats : how often it is done, with other folds; None: 3 times up to 200 rows, once beyond
    yardsticks : whether scikit-learn's logistic regression and random forest are shown, where it is installed
    time_limit : seconds; what would not be done in time is left out and named
    prefer : "simple", "accurate" or "fast": which of the models that are as good as the best is kept
    keep_best : keep the model that is best over folds, however complicated, rather than the simplest within one
        standard error of it: that of the best log score, or the cheapest where costs or `reject` are given
    positive : the class of two that recall, precision and curves are about, which the model remembers; None: the rarer
    groups : a column that says which rows belong together (the same patient); no group is on both sides of a fold
    time : a column of times; the last fifth of the rows by it is judged once at the end, and it is not learned itself
    split : a column that says which rows to judge (test, holdout or validation); the others are learned
    random_state : seed of the folds
    title : what the report calls the table
    source : where the report says that the table comes from
    report : is called with the name of each stage as it begins

    Examples
    --------
    >>> import likely, polars as pl
    >>> rng = np.random.default_rng(0)
    >>> table = pl.DataFrame({"x": rng.normal(size=90), "kind": list("abc") * 30})
    >>> table = table.with_columns(x=pl.col("x") + 3.0 * (pl.col("kind") == "b"))
    >>> found = likely.study(table, "kind", yardsticks=False)
    >>> found.model.predict(pl.DataFrame({"x": [3.5]}))
    array(['b'], dtype='<U1')
    """
    clock = Clock(time_limit)
    report("reading")
    looked = look(data, target, kinds, keep, drop, title, source, groups, time, split)
    if looked.left_out:
        warnings.warn(looked.left_out, stacklevel=2)
    arguments = {
        "costs": costs, "prior": prior, "reject": reject, "kinds": dict(kinds or {}), "keep": list(keep),
        "drop": list(drop), "cv": cv, "repeats": repeats, "time_limit": time_limit, "seed": random_state,
        "prefer": prefer, "yardsticks": yardsticks,
        "keep_best": keep_best, "positive": positive, "groups": groups, "time": time, "split": split,
    }  # fmt: skip
    return study_of(looked, arguments, yardsticks, clock, report)


def study_of(
    looked: Look,
    arguments: Mapping[str, Any],
    yardsticks: bool = True,
    clock: Clock | None = None,
    report: Callable[[str], None] = lambda stage: None,
) -> Study:
    """Study a table that was looked at; `report` hears the stages of `stages_of`, each as it begins."""
    clock = clock or Clock(arguments["time_limit"])
    training, facts, seed = looked.data, looked.facts, arguments["seed"]
    classes = read_classes(training.classes, len(training.classes))
    setting = Setting.of(classes, training.shares(), arguments["costs"], arguments["prior"], arguments["reject"])
    repeats = arguments["repeats"]
    count: Any = folds_for(arguments["cv"], facts)
    times = repeats if repeats is not None else (3 if facts.rows <= _REPEATED_ROWS else 1)
    named, members = looked.parting.folds, training.groups
    if named is not None:
        count, times = named, 1
    elif members is not None:
        count = min(count, int(members.max()) + 1)
    assignments = read_folds(count, training, times, groups=members, random_state=seed)
    entries, tables = judge(entrants(facts, yardsticks, seed), training, assignments, clock, seed, report)
    entries = entries if members is None else tuple(grouped(entry, members) for entry in entries)
    report(POOL)
    apart = named is not None or members is not None  # rows are parted as told: there are no posteriors of every row
    if not apart and clock.allows() and (pool := pooled(entries, seed, clock)) is not None:
        entries = (*entries, pool)
    entries = (*entries, *left_out_of_wide(facts), *left_out_of_texts(facts))
    choice = chosen_of(entries, arguments.get("prefer", "simple"), guarded=True)
    if arguments.get("keep_best"):
        choice = kept_best(choice, entries, setting)
    report(LAST_FIT)
    chosen = next(entry for entry in entries if entry.name == choice.chosen)
    held = HeldOut(chosen.model, training, tables.get(choice.chosen, next(iter(tables.values()), None)))
    rows = training if held.table is None else replace(training, X=held.table)
    model = fitted_clone(setting.around(chosen.way.model), rows)
    know_table(name_target(model, looked.target), looked.columns, looked.findings.dates)
    positive = class_named(arguments.get("positive"), classes.tolist())
    name_positive(model, positive_of(positive, tuple(classes.tolist()), training.codes))
    clock.keep(LAST_FIT, 0.0)
    looked = with_telltale_texts(looked, chosen, assignments, clock)
    rival = None if looked.later is None else rival_learned(looked, entries, choice.chosen, setting, clock)
    report(_AUDIT)
    audited = suspicious_rows_of(held, chosen, model, clock, seed)
    audited = None if audited is None else replace(audited, numbers=looked.rows)
    report(_GROWTH)
    growth = growth_of(held, chosen, clock, seed)
    took, given = clock.elapsed, dict(arguments)
    return Study(looked, entries, choice, setting, model, audited, seed, took, given, *growth, positive, rival)


def stages_of(looked: Look, yardsticks: bool = True) -> tuple[str, ...]:
    """What `study_of` will report, in this order."""
    names = (candidate.name for candidate, _ in entrants(looked.facts, yardsticks, 0))
    return (*names, POOL, LAST_FIT, _AUDIT, _GROWTH)
